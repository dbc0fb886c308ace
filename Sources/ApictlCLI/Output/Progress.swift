import Synchronization

/// A progress line on a terminal, which is redrawn during the transfer and erased at the end.
final class Progress: Sendable {
    /// Shorter transfers show no progress.
    private static let initialDelay = Duration.milliseconds(500)
    /// The shortest time between two redraws.
    private static let interval = Duration.milliseconds(100)

    private let output: any ByteOutput
    /// The bytes that had been received at the start.
    private let first: Int
    private let total: Int?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    private struct State {
        var done: Int
        /// When the line was drawn last.
        var drawn: ContinuousClock.Instant
        /// The width of the line on the terminal, in columns.
        var width = 0
        var isOver = false
    }

    /// `done` bytes of `total` have already been received; `now` is the clock.
    init(
        output: any ByteOutput, done: Int = 0, total: Int?, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        (self.output, first, self.total, self.now) = (output, done, total, now)
        start = now()
        state = Mutex(State(done: done, drawn: start))
    }

    /// Shows progress during `work`; the line is also redrawn while nothing is received.
    func follow<Result: Sendable>(_ work: () async throws -> Result) async rethrows -> Result {
        let ticker = Task {
            while true {
                try await Task.sleep(for: .milliseconds(500))
                advance()
            }
        }
        defer {
            ticker.cancel()
            erase()
        }
        return try await work()
    }

    /// Adds `count` bytes, and redraws the line if it is time to.
    func advance(by count: Int = 0) {
        let now = now()
        state.withLock { state in
            state.done += count
            guard !state.isOver, now - start >= Self.initialDelay, now - state.drawn >= Self.interval else { return }
            let rate = Int(min(Double(state.done - first) / (now - start).inSeconds, 1e18))
            let line = Self.line(done: state.done, total: total, rate: rate, columns: output.columns)
            draw(line, over: state.width)
            (state.drawn, state.width) = (now, line.utf8.count)
        }
    }

    /// Erases the line; it is not drawn again.
    func erase() {
        state.withLock { state in
            // Also erases the ^C that the terminal may have added.
            if state.width > 0 { draw("", over: state.width + 2) }
            state.width = 0
            state.isOver = true
        }
    }

    /// Draws over the previous line with spaces, which works on every terminal.
    private func draw(_ line: String, over width: Int) {
        let blanks = String(repeating: " ", count: max(0, width - line.utf8.count))
        // A progress line that can't be drawn must not stop the transfer.
        try? output.write("\r" + line + blanks + (line.isEmpty ? "\r" : ""))
    }

    /// `  42%  63.1 MB of 149.0 MB  84.2 MB/s  0:01 left`; without `total`, only the size and the rate.
    ///
    /// `rate` is in bytes per second, or nil if not known yet. If the line is wider than `columns`, the last parts are omitted: a
    /// line that wraps can't be redrawn.
    static func line(done: Int, total: Int?, rate: Int?, columns: Int? = nil) -> String {
        var words: [String] = []
        if let total, total > 0 {
            // Never 100 % before the end.
            let percent = "\(done >= total ? 100 : Int(Double(done) / Double(total) * 100))%"
            words.append(String(repeating: " ", count: 5 - percent.count) + percent)
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
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        return (hours > 0 ? "\(hours):\(twoDigits(minutes))" : "\(minutes)") + ":" + twoDigits(seconds % 60)
    }
}
