import Synchronization

/// A progress line on a terminal, which is redrawn during the transfer and erased at the end.
final class Progress: Sendable {
    /// Shorter transfers show no progress.
    private static let initialDelay = Duration.milliseconds(500)
    /// The shortest time between two redraws.
    private static let interval = Duration.milliseconds(100)
    /// The time over which the rate is averaged.
    private static let window = Duration.seconds(3)

    private let output: any ByteOutput
    private let total: Int?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    private struct State {
        var done: Int
        /// The bytes received at earlier times, within ``window``; the oldest first.
        var samples: [(time: ContinuousClock.Instant, done: Int)]
        var drawn: ContinuousClock.Instant?
        /// The width of the line on the terminal, in columns.
        var width = 0
        var isOver = false
    }

    /// `done` bytes of `total` have already been received; `now` is the clock.
    init(
        output: any ByteOutput, done: Int = 0, total: Int?, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.output = output
        self.total = total
        self.now = now
        start = now()
        state = Mutex(State(done: done, samples: [(start, done)]))
    }

    /// Adds `count` bytes, and redraws the line if it is time to.
    func advance(by count: Int = 0) {
        let now = now()
        state.withLock { state in
            state.done += count
            guard !state.isOver, now - start >= Self.initialDelay,
                state.drawn.map({ now - $0 >= Self.interval }) ?? true
            else { return }
            state.drawn = now
            while state.samples.count > 1, now - state.samples[1].time >= Self.window { state.samples.removeFirst() }
            let since = state.samples[0]
            let line = ProgressText.line(
                done: state.done, total: total, rate: Self.rate(state.done - since.done, now - since.time),
                columns: output.columns)
            state.samples.append((now, state.done))
            draw(line, &state)
        }
    }

    /// Erases the line; it is not drawn again.
    func erase() {
        state.withLock { state in
            // Also erases the ^C that the terminal may have added.
            if state.width > 0 {
                state.width += 2
                draw("", &state)
            }
            state.isOver = true
        }
    }

    /// Draws over the previous line with spaces, which works on every terminal.
    private func draw(_ line: String, _ state: inout State) {
        let blanks = String(repeating: " ", count: max(0, state.width - line.utf8.count))
        // A progress line that can't be drawn must not stop the transfer.
        try? output.write("\r" + line + blanks + (line.isEmpty ? "\r" : ""))
        state.width = line.utf8.count
    }

    private static func rate(_ bytes: Int, _ time: Duration) -> Int? {
        let (seconds, attoseconds) = time.components
        let elapsed = Double(seconds) + Double(attoseconds) / 1e18
        return elapsed > 0 ? Int(min(Double(bytes) / elapsed, 1e18)) : nil
    }
}

extension Progress {
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
}
