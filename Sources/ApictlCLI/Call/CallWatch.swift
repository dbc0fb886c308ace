import EndpointKit
import JSONText

/// Repeats a call until a signal ends it (`--watch`), and shows its responses.
///
/// A failure is shown like any other response, and the calls go on: a server that is watched may be about to start.
struct CallWatch {
    private let interval: Duration
    private let ignored: IgnoredPaths
    private let context: CommandContext

    private var environment: ProcessEnvironment { context.environment }

    /// Prepares to repeat a call.
    ///
    /// - Parameters:
    ///   - interval: The time from the end of a call to the start of the next one.
    ///   - ignored: The parts of the responses that are not compared.
    init(every interval: Duration, ignoring ignored: IgnoredPaths, _ context: CommandContext) {
        self.interval = interval
        self.ignored = ignored
        self.context = context
    }

    /// Repeats the call. A terminal is redrawn with each response, and any other output gets the responses that differ
    /// from the one before.
    ///
    /// - Throws: `CancellationError` after a signal, ``OutputClosed``, and ``UsageError`` for a call that can't be sent.
    ///   The function never returns.
    func run(_ sender: inout CallSender) async throws -> Never {
        sender.showsActivity = false
        let screen = screen(for: sender.plan)
        try screen?.open()
        defer { screen?.close() }
        var history = WatchHistory()
        // The notes about paths of `--ignore` that select nothing; nil before the first response in JSON.
        var pathNotes: [UInt8]?
        while true {
            let response = try await response(of: &sender)
            // The notes, such as one about the scheme of the URL, would be the same for each call.
            sender.isNoted = false
            let isNew = history.add(response)
            let isFirstInJSON = pathNotes == nil && !response.documents.isEmpty
            if isFirstInJSON { pathNotes = try unusedPathNotes(in: response.documents) }
            if let screen {
                try screen.draw(history, status: sender.lastHead?.statusText, notes: pathNotes ?? [])
            } else {
                if isFirstInJSON { try environment.stderr.write(pathNotes ?? []) }
                if isNew { try print(response) }
            }
            try await environment.sleep(interval)
        }
    }

    /// Returns the screen of a terminal that can be redrawn; nil for any other output.
    private func screen(for plan: CallPlan) -> WatchScreen? {
        guard environment.stdout.isTerminal, environment.variable("TERM") != "dumb" else { return nil }
        return WatchScreen(
            environment, title: "Every \(interval.shown): \(plan.name)",
            isColored: environment.isColored(plan.options.common.color, environment.stdout))
    }

    /// Prints a response, its messages on stderr.
    private func print(_ response: WatchedResponse) throws {
        try environment.stderr.write(response.messages)
        try environment.stdout.write(response.result)
    }

    /// Makes the call once.
    ///
    /// - Returns: What it would have printed.
    /// - Throws: `CancellationError` after a signal, and ``UsageError``.
    private func response(of sender: inout CallSender) async throws -> WatchedResponse {
        let (stdout, stderr) = (environment.stdout, environment.stderr)
        let result = BufferOutput(isTerminal: stdout.isTerminal, columns: stdout.columns)
        let messages = BufferOutput(isTerminal: stderr.isTerminal, columns: stderr.columns)
        var context = context
        context.environment.stdout = result
        context.environment.stderr = messages
        do {
            _ = try await sender.send(context)
        } catch let failure as Failure where failure.code != .interrupted {
            try failure.print(context, asJSON: context.reportsJSON)
            let compared = result.bytes + failure.message.exactBytes
            return WatchedResponse(result: result.bytes, messages: messages.bytes, documents: [], compared: compared)
        }
        let documents = documents(in: result.bytes)
        return WatchedResponse(
            result: result.bytes, messages: messages.bytes, documents: documents,
            compared: documents.isEmpty ? result.bytes : try compared(documents))
    }

    // MARK: Ignored parts

    /// Returns the documents of a result in JSON. None without `--ignore`, which alone needs them, and for any other
    /// result.
    private func documents(in result: [UInt8]) -> [JSONDocument] {
        if ignored.isEmpty { return [] }
        return (try? JSONDocument.all(in: result)) ?? []
    }

    /// Returns the text of documents without the values that `--ignore` selects.
    private func compared(_ documents: [JSONDocument]) throws -> [UInt8] {
        try documents.flatMap { Array(try ignored.removed(from: $0).written) + [UInt8(ascii: "\n")] }
    }

    /// Returns the notes about paths of `--ignore` that select nothing in documents; none with `--json-errors`.
    private func unusedPathNotes(in documents: [JSONDocument]) throws -> [UInt8] {
        let notes = BufferOutput()
        if !context.reportsJSON { try ignored.noteUnused(in: documents, on: notes) }
        return notes.bytes
    }
}

/// The output of one of the calls of `--watch`.
struct WatchedResponse {
    /// The bytes for stdout.
    let result: [UInt8]
    /// The bytes for stderr: notes, or the message and the body of a failure.
    let messages: [UInt8]
    /// The documents of ``result``, if `--ignore` needs them.
    let documents: [JSONDocument]
    /// The bytes that differ if the response counts as different: the result without ignored parts, or the result and
    /// the message of a failure.
    let compared: [UInt8]

    /// The lines of result and messages, without the line break at their end.
    var lines: [ArraySlice<UInt8>] {
        var text = result
        if !text.isEmpty, text.last != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
        text += messages
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        return text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }
}

/// The responses of `--watch` so far, as far as a person wants to know about them.
struct WatchHistory {
    /// The number of calls.
    private(set) var calls = 0
    /// The number of the call whose response differed from the one before; nil if none did.
    private(set) var lastChange: Int?
    private(set) var current: WatchedResponse?
    /// The last response that differs from ``current``; nil if there was none.
    private(set) var previous: WatchedResponse?

    /// Adds the response of another call.
    ///
    /// - Returns: Whether it is the first one, or differs from the one before.
    mutating func add(_ response: WatchedResponse) -> Bool {
        calls += 1
        let isNew = response.compared != current?.compared
        if isNew, current != nil {
            lastChange = calls
            previous = current
        }
        current = response
        return isNew
    }
}
