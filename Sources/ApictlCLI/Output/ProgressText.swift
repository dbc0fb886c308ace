/// The text of a progress line.
enum ProgressText {
    /// `  42%  63.1 MB of 149.0 MB  84.2 MB/s  0:01 left`; without `total`, only the size and the rate.
    ///
    /// `rate` is in bytes per second, or nil if not known yet. If the line is wider than `columns`, the last parts are omitted: a
    /// line that wraps can't be redrawn.
    static func line(done: Int, total: Int?, rate: Int?, columns: Int? = nil) -> String {
        var words: [String] = []
        if let total, total > 0 {
            // Never 100 % before the end.
            let percent = done >= total ? 100 : Int(Double(done) / Double(total) * 100)
            words.append(padded("\(percent)%", 5))
            words.append("\(ByteCountText.shown(done)) of \(ByteCountText.shown(total))")
        } else {
            words.append("  " + ByteCountText.shown(done))
        }
        if let rate { words.append("\(ByteCountText.shown(rate))/s") }
        if let total, let rate, rate > 0, total > done {
            // Rounded up, so that it is not 0 before the end.
            let (seconds, rest) = (total - done).quotientAndRemainder(dividingBy: rate)
            if let left = clock(seconds + (rest > 0 ? 1 : 0)) { words.append("\(left) left") }
        }
        while words.count > 1, words.joined(separator: "  ").count >= columns ?? 80 { words.removeLast() }
        return words.joined(separator: "  ")
    }

    /// `0:07`, `12:34`, `1:02:03`; nil from 100 hours on, which would be a guess.
    private static func clock(_ seconds: Int) -> String? {
        guard seconds < 360_000 else { return nil }
        func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let (minutes, second) = seconds.quotientAndRemainder(dividingBy: 60)
        let (hours, minute) = minutes.quotientAndRemainder(dividingBy: 60)
        return hours > 0
            ? "\(hours):\(twoDigits(minute)):\(twoDigits(second))" : "\(minute):\(twoDigits(second))"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}
