import Synchronization

/// The line on a terminal that tells how far a transfer is. It is drawn over and over, and gone at the end.
final class Progress: Sendable {
    /// Transfers shorter than this show nothing.
    private static let patience = Duration.milliseconds(500)
    /// How often the line is drawn at most.
    private static let interval = Duration.milliseconds(100)
    /// How far back the rate looks.
    private static let window = Duration.seconds(3)

    private let output: any ByteOutput
    private let total: Int?
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let state: Mutex<State>

    private struct State {
        var done: Int
        /// What had come when, up to ``window`` ago; the oldest first.
        var samples: [(time: ContinuousClock.Instant, done: Int)]
        var drawn: ContinuousClock.Instant?
        /// The columns on the terminal that are not blank.
        var width = 0
        var isOver = false
    }

    /// `done` bytes of `total` are there already; `now` is the clock.
    init(
        output: any ByteOutput, done: Int = 0, total: Int?, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.output = output
        self.total = total
        self.now = now
        start = now()
        state = Mutex(State(done: done, samples: [(start, done)]))
    }

    /// Takes `count` more bytes into account, and draws the line where it is time to.
    func advance(by count: Int = 0) {
        let now = now()
        state.withLock { state in
            state.done += count
            guard !state.isOver, now - start >= Self.patience, state.drawn.map({ now - $0 >= Self.interval }) ?? true
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

    /// Takes the line off the terminal, for good.
    func erase() {
        state.withLock { state in
            // What the terminal may have written behind it for Ctrl-C goes too.
            if state.width > 0 {
                state.width += 2
                draw("", &state)
            }
            state.isOver = true
        }
    }

    /// What is drawn before is wiped by blanks: every terminal knows those.
    private func draw(_ line: String, _ state: inout State) {
        let blanks = String(repeating: " ", count: max(0, state.width - line.utf8.count))
        // A line that can't be drawn must not stop the transfer it tells about.
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
    /// Follows `work`, and keeps the line true while nothing comes.
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
