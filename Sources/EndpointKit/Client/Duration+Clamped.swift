extension Duration {
    /// The duration itself, or a hundred years, which can be counted in any unit and added to any time.
    package var clamped: Duration { min(max(self, .seconds(-3_155_760_000)), .seconds(3_155_760_000)) }

    /// Rounded to whole milliseconds.
    package var milliseconds: Int {
        let (seconds, attoseconds) = clamped.components
        return Int(seconds) * 1000 + Int((Double(attoseconds) / 1e15).rounded())
    }
}
