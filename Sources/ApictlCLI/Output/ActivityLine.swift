import EndpointKit
import Synchronization

/// A line on a terminal that shows what a call is waiting for, such as `waiting for api.example.com, 3 s`.
///
/// It is drawn for the first time after a second, so that a fast call shows nothing. It is erased before anything else
/// is written to the terminal, and comes back a second after that. Once the result is printed, it does not come back.
final class ActivityLine: Sendable {
    private struct State {
        /// The earliest time of the next drawing; nil once the result is printed, after which the line stays away.
        var nextDrawing: ContinuousClock.Instant?
        /// Whether there is a line to erase.
        var isDrawn = false
        var counts = Counts()
    }

    /// The bytes and pages that a call has sent and received so far.
    struct Counts {
        /// The bytes of the request's body that have been sent.
        var sent = 0
        /// The length of the request's body in bytes.
        var sentTotal = 0
        /// The bytes of all response bodies that have been received.
        var received = 0
        /// The number of pages that have been read.
        var pages = 0
    }

    /// The least length of a request's body, in bytes, for which the line shows how much of it is sent. A shorter body
    /// is sent too quickly for that to be of use.
    private static let leastShownUpload = 1_000_000

    private let output: any ByteOutput
    /// The host to which the call is made.
    private let host: String
    /// The time between two drawings, and before the first one.
    private let interval: Duration
    private let start = ContinuousClock.now
    private let state: Mutex<State>

    /// Makes a line, which is not drawn before ``run()``.
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

    /// Draws the line once per interval until the task is cancelled.
    func run() async {
        // Sleeping fails as soon as the task is cancelled.
        while (try? await Task.sleep(for: interval)) != nil { drawIfDue() }
    }

    /// Adds to the number of bytes that have been received.
    func add(received: Int) { state.withLock { $0.counts.received += received } }

    /// Adds one to the number of pages that have been read.
    func addPage() { state.withLock { $0.counts.pages += 1 } }

    /// Sets how many bytes of the request's body have been sent.
    ///
    /// - Parameters:
    ///   - sent: The bytes that have been sent.
    ///   - total: The length of the body.
    func set(sent: Int64, of total: Int64) {
        state.withLock { state in
            state.counts.sent = Int(clamping: sent)
            state.counts.sentTotal = Int(clamping: total)
        }
    }

    /// Erases the line, because something else is about to be written to the terminal.
    ///
    /// - Parameter isFinal: Whether the line stays away for good. Otherwise it may be drawn again after an interval.
    func erase(isFinal: Bool) {
        state.withLock { state in
            if state.isDrawn { try? output.write(TerminalLine.erasing) }
            state.isDrawn = false
            if isFinal {
                state.nextDrawing = nil
            } else if state.nextDrawing != nil {
                state.nextDrawing = .now + interval
            }
        }
    }

    /// Draws the line unless something was written to the terminal less than an interval ago.
    ///
    /// An error of the terminal is ignored, because a line that can't be drawn must not end the call.
    private func drawIfDue() {
        state.withLock { state in
            guard let nextDrawing = state.nextDrawing, nextDrawing <= .now else { return }
            let text = Self.text(host: host, counts: state.counts, elapsed: .now - start)
            try? output.write(TerminalLine.redrawn(text.safeToShow))
            state.isDrawn = true
        }
    }

    /// Returns the text of the line, which says what a call has done so far and how long it has taken.
    ///
    ///     12%  1.2 MB of 9.6 MB sent to api.example.com, 2 s
    ///     waiting for api.example.com, 3 s
    ///     1.2 MB received, 5 s
    ///     3 pages, 1.2 MB received, 12 s
    ///
    /// - Parameters:
    ///   - host: The host to which the call is made.
    ///   - counts: The bytes and pages so far.
    ///   - elapsed: The time since the call started. It is rounded down to whole seconds.
    static func text(host: String, counts: Counts, elapsed: Duration) -> String {
        var phrases: [String] = []
        if counts.pages > 0 { phrases.append(counts.pages.counted("page")) }
        let isUploading = counts.sentTotal >= leastShownUpload && counts.sent < counts.sentTotal
        if counts.received > 0 {
            phrases.append("\(ByteCountText.shown(counts.received)) received")
        } else if isUploading {
            let sentText = Progress.text(transferredBytes: counts.sent, totalBytes: counts.sentTotal)
            phrases.append("\(sentText) sent to \(host)")
        } else {
            phrases.append("waiting for \(host)")
        }
        let wholeSeconds = Int64(elapsed.inSeconds)
        phrases.append(Duration.seconds(wholeSeconds).shown)
        return phrases.joined(separator: ", ")
    }
}

/// An output that shares its terminal with an activity line. The line is erased before anything is written.
struct ActivityGuard: ByteOutput {
    let output: any ByteOutput
    let activity: ActivityLine
    /// Whether the output carries the result. Once a result begins, the line does not come back.
    let isResult: Bool

    var isTerminal: Bool { output.isTerminal }
    var columns: Int? { output.columns }
    var isReady: Bool { output.isReady }

    /// Erases the activity line and writes the bytes. Without bytes, the line stays.
    ///
    /// - Throws: The error of the output.
    func write(_ bytes: [UInt8]) throws {
        if !bytes.isEmpty { activity.erase(isFinal: isResult) }
        try output.write(bytes)
    }
}

extension CommandContext {
    /// Carries out a call, and meanwhile shows on stderr what it is waiting for, such as `waiting for a.example, 3 s`.
    ///
    /// The line is only shown on a terminal that can erase it, and for a call that sends requests. It is not shown with
    /// `--quiet` and `--json-errors`, which want no notes, nor with `--verbose`, which shows more.
    ///
    /// - Parameters:
    ///   - plan: The plan of the call.
    ///   - body: Carries out the call in the context that it receives, whose outputs erase the line before they write.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    func showingActivity<Outcome: Sendable>(
        of plan: CallPlan, _ body: (CommandContext) async throws -> Outcome
    ) async throws -> Outcome {
        guard showsActivity(of: plan) else { return try await body(self) }
        let activity = ActivityLine(
            output: environment.stderr, host: plan.request.base.host, interval: environment.activityInterval)
        var context = self
        context.activity = activity
        context.environment.stdout = ActivityGuard(output: environment.stdout, activity: activity, isResult: true)
        context.environment.stderr = ActivityGuard(output: environment.stderr, activity: activity, isResult: false)
        // The line is drawn on another thread, because the call may keep its own thread busy.
        let drawing = Task(executorPreference: globalConcurrentExecutor) { await activity.run() }
        defer {
            drawing.cancel()
            activity.erase(isFinal: true)
        }
        return try await body(context)
    }

    /// Returns whether stderr is a terminal that can erase a line, and the options allow one to be shown.
    private func showsActivity(of plan: CallPlan) -> Bool {
        let output = plan.options.output
        guard environment.stderr.isTerminal, environment.variable("TERM") != "dumb" else { return false }
        return plan.options.purpose == .send && !output.quiet && !reportsJSON && output.verbosity == 0
    }
}
