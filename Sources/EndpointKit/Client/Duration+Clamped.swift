extension Duration {
    /// The duration, limited to a hundred years in each direction.
    ///
    /// So it can be counted in any unit and added to any time without an overflow.
    package var clamped: Duration {
        let hundredYears = Duration.seconds(3_155_760_000)
        return min(max(self, .zero - hundredYears), hundredYears)
    }

    /// The duration in milliseconds, rounded to a whole number.
    package var milliseconds: Int {
        let (seconds, attoseconds) = clamped.components
        return Int(seconds) * 1000 + Int((Double(attoseconds) / 1e15).rounded())
    }
}
