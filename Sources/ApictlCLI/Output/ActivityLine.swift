import EndpointKit
import Synchronization

/// A line on a terminal that shows what a call is waiting for, such as `waiting for api.example.com, 3 s`.
///
/// It is drawn for the first time after a second, so that a fast call shows nothing. It is erased before anything else is
/// written to the terminal, and comes back a second after that. Once the result is printed, it does not come back.
final class ActivityLine: Sendable {
    /// The time between two drawings, and before the first one.
    private static let interval = Duration.seconds(1)

    private struct State {
        /// When the line may be drawn again; nil if it may not be drawn any more.
        var nextDrawing: ContinuousClock.Instant? = .now + ActivityLine.interval
        /// Whether there is a line to erase.
        var isDrawn = false
        /// The bytes of bodies that have been received.
        var bytes = 0
        /// The pages that have been read.
        var pages = 0
    }

    private let output: any ByteOutput
    /// The first words of the line, while nothing has been received: `waiting for api.example.com`.
    private let waiting: String
    private let start = ContinuousClock.now
    private let state = Mutex(State())

    /// Makes a line. ``run()`` draws it.
    ///
    /// - Parameters:
    ///   - output: The terminal.
    ///   - waiting: What the line says while nothing has been received.
    init(output: any ByteOutput, waiting: String) {
        self.output = output
        self.waiting = waiting
    }

    /// Draws the line every second until the task is cancelled.
    func run() async {
        while (try? await Task.sleep(for: Self.interval)) != nil { draw() }
    }

    /// Counts received bytes.
    func add(bytes: Int) { state.withLock { $0.bytes += bytes } }

    /// Counts a page.
    func addPage() { state.withLock { $0.pages += 1 } }

    /// Erases the line before something else is written.
    ///
    /// - Parameter isFinal: Whether the line does not come back.
    func erase(isFinal: Bool) {
        state.withLock { state in
            if state.isDrawn { try? output.write("\r\u{1B}[K") }
            state.isDrawn = false
            state.nextDrawing = isFinal || state.nextDrawing == nil ? nil : .now + Self.interval
        }
    }

    /// Draws the line if it is time. A line that can't be drawn must not disturb the call.
    private func draw() {
        state.withLock { state in
            guard let nextDrawing = state.nextDrawing, nextDrawing <= .now else { return }
            let text = Self.text(waiting, bytes: state.bytes, pages: state.pages, time: .now - start)
            try? output.write("\r  \(text.safeToShow)\u{1B}[K")
            state.isDrawn = true
        }
    }

    /// Returns the text of the line.
    ///
    ///     waiting for api.example.com, 3 s
    ///     1.2 MB received, 5 s
    ///     3 pages, 1.2 MB received, 12 s
    static func text(_ waiting: String, bytes: Int, pages: Int, time: Duration) -> String {
        var parts: [String] = []
        if pages > 0 { parts.append(pages.counted("page")) }
        parts.append(bytes > 0 ? "\(ByteCountText.shown(bytes)) received" : waiting)
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
        let activity = ActivityLine(output: environment.stderr, waiting: Self.waiting(plan))
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

    /// Returns what a call does until the first byte comes: `waiting for api.example.com`, or with a long body `sending
    /// 3.0 MB to api.example.com`.
    private static func waiting(_ plan: CallPlan) -> String {
        let host = plan.request.base.host
        let sent = plan.request.body?.bytes?.count ?? 0
        // Shorter bodies are sent at once.
        return sent < 1_000_000 ? "waiting for \(host)" : "sending \(ByteCountText.shown(sent)) to \(host)"
    }
}
