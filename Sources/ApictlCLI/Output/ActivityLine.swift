import EndpointKit
import Synchronization

/// A line on a terminal that shows what a call is waiting for, such as `waiting for api.example.com, 3 s`.
///
/// It is drawn for the first time after a second, so that a fast call shows nothing. It is erased before anything else is
/// written to the terminal, and comes back a second after that. Once the result is printed, it does not come back.
final class ActivityLine: Sendable {
    private struct State {
        /// When the line may be drawn again; nil if it may not be drawn any more.
        var nextDrawing: ContinuousClock.Instant?
        /// Whether there is a line to erase.
        var isDrawn = false
        var counts = Counts()
    }

    /// What a call has done so far.
    struct Counts {
        /// The bytes of the request's body that have been sent, and those of all of it.
        var sent = 0
        var sentTotal = 0
        /// The bytes of bodies that have been received.
        var received = 0
        /// The pages that have been read.
        var pages = 0
    }

    /// The length of a request's body from which on the line shows how much of it is sent. Shorter bodies are sent at
    /// once.
    private static let shownUpload = 1_000_000

    private let output: any ByteOutput
    /// The host to which the call is made.
    private let host: String
    /// The time between two drawings, and before the first one.
    private let interval: Duration
    private let start = ContinuousClock.now
    private let state: Mutex<State>

    /// Makes a line. ``run()`` draws it.
    ///
    /// - Parameters:
    ///   - output: The terminal.
    ///   - host: The host to which the call is made.
    ///   - interval: The time between two drawings, and before the first one.
    init(output: any ByteOutput, host: String, interval: Duration) {
        self.output = output
        self.host = host
        self.interval = interval
        state = Mutex(State(nextDrawing: .now + interval))
    }

    /// Draws the line every second until the task is cancelled.
    func run() async {
        while (try? await Task.sleep(for: interval)) != nil { draw() }
    }

    /// Counts received bytes.
    func add(received: Int) { state.withLock { $0.counts.received += received } }

    /// Counts a page.
    func addPage() { state.withLock { $0.counts.pages += 1 } }

    /// Sets how many bytes of the request's body have been sent.
    func set(sent: Int64, of total: Int64) {
        state.withLock { state in
            state.counts.sent = Int(clamping: sent)
            state.counts.sentTotal = Int(clamping: total)
        }
    }

    /// Erases the line before something else is written.
    ///
    /// - Parameter isFinal: Whether the line does not come back.
    func erase(isFinal: Bool) {
        state.withLock { state in
            if state.isDrawn { try? output.write("\r\u{1B}[K") }
            state.isDrawn = false
            state.nextDrawing = isFinal || state.nextDrawing == nil ? nil : .now + interval
        }
    }

    /// Draws the line if it is time. A line that can't be drawn must not disturb the call.
    private func draw() {
        state.withLock { state in
            guard let nextDrawing = state.nextDrawing, nextDrawing <= .now else { return }
            let text = Self.text(host, state.counts, time: .now - start)
            try? output.write("\r  \(text.safeToShow)\u{1B}[K")
            state.isDrawn = true
        }
    }

    /// Returns the text of the line.
    ///
    ///     12%  1.2 MB of 9.6 MB sent to api.example.com, 2 s
    ///     waiting for api.example.com, 3 s
    ///     1.2 MB received, 5 s
    ///     3 pages, 1.2 MB received, 12 s
    static func text(_ host: String, _ counts: Counts, time: Duration) -> String {
        var parts: [String] = []
        if counts.pages > 0 { parts.append(counts.pages.counted("page")) }
        let isSending = counts.sentTotal >= shownUpload && counts.sent < counts.sentTotal
        if counts.received > 0 {
            parts.append("\(ByteCountText.shown(counts.received)) received")
        } else if isSending {
            parts.append("\(Progress.text(counts.sent, of: counts.sentTotal)) sent to \(host)")
        } else {
            parts.append("waiting for \(host)")
        }
        // Whole seconds, as the line is drawn once a second.
        parts.append(Duration.seconds(Int64(time.inSeconds)).shown)
        return parts.joined(separator: ", ")
    }
}

/// An output that shares its terminal with an activity line, which is erased before each text.
struct ActivityGuard: ByteOutput {
    let output: any ByteOutput
    let activity: ActivityLine
    /// Whether a text is the result, after which the line does not come back.
    let isResult: Bool

    var isTerminal: Bool { output.isTerminal }
    var columns: Int? { output.columns }
    var isReady: Bool { output.isReady }

    func write(_ bytes: [UInt8]) throws {
        if !bytes.isEmpty { activity.erase(isFinal: isResult) }
        try output.write(bytes)
    }
}

extension CommandContext {
    /// Shows on a terminal what a call is waiting for while `body` carries it out.
    ///
    /// Nothing is shown if stderr is no terminal that can erase a line, if notes are not wanted, and with `--verbose`,
    /// which shows more.
    ///
    /// - Parameters:
    ///   - plan: The plan of the call.
    ///   - body: Carries out the call in a context whose outputs erase the line.
    func showingActivity<Result: Sendable>(
        of plan: CallPlan, _ body: (CommandContext) async throws -> Result
    ) async throws -> Result {
        let output = plan.options.output
        let isCapable = environment.stderr.isTerminal && environment.variable("TERM") != "dumb"
        let isWanted = !output.quiet && !reportsJSON && output.verbosity == 0 && plan.options.purpose == .send
        guard isCapable, isWanted else { return try await body(self) }
        let activity = ActivityLine(
            output: environment.stderr, host: plan.request.base.host, interval: environment.activityInterval)
        var context = self
        context.activity = activity
        context.environment.stdout = ActivityGuard(output: environment.stdout, activity: activity, isResult: true)
        context.environment.stderr = ActivityGuard(output: environment.stderr, activity: activity, isResult: false)
        // The call may keep its own thread busy.
        let drawing = Task(executorPreference: globalConcurrentExecutor) { await activity.run() }
        defer {
            drawing.cancel()
            activity.erase(isFinal: true)
        }
        return try await body(context)
    }
}
