import EndpointKit
import JSONText

/// Repeats a call until a signal ends it (`--watch`), and shows its responses.
///
/// A failure is shown like any other response, and the calls go on: a server that is watched may be about to start.
struct CallWatch {
    private let interval: Duration
    private let ignoredPaths: IgnoredPaths
    private let context: CommandContext

    private var environment: ProcessEnvironment { context.environment }

    /// Prepares to repeat a call.
    ///
    /// - Parameters:
    ///   - interval: The time from the end of a call to the start of the next one.
    ///   - ignoredPaths: The paths of the parts of the responses that are not compared.
    init(every interval: Duration, ignoring ignoredPaths: IgnoredPaths, context: CommandContext) {
        self.interval = interval
        self.ignoredPaths = ignoredPaths
        self.context = context
    }

    /// Repeats the call until an error ends it. A terminal is redrawn with each response, and any other output gets the
    /// responses that differ from the one before.
    ///
    /// - Parameter sender: Sends the call. It is changed: it shows no activity of its own, writes notes only with the
    ///   first call, and keeps the newest value of a login.
    /// - Throws: `CancellationError` or ``Failure`` after a signal, ``OutputClosed``, and ``UsageError`` for a call
    ///   that can't be sent.
    func run(_ sender: inout CallSender) async throws -> Never {
        sender.showsActivity = false
        let screen = makeScreen(for: sender.plan)
        try screen?.open()
        defer { screen?.close() }
        var history = WatchHistory()
        // The notes about paths of `--ignore` that select nothing; nil before the first response in JSON.
        var notesOnPaths: [UInt8]?
        while true {
            let response = try await runCapturingOutput(&sender)
            // The notes of a call, such as one about the scheme of the URL, would be the same for each call.
            sender.writesNotes = false
            let isNew = history.add(response)
            var newNotes: [UInt8] = []
            if notesOnPaths == nil, !response.documents.isEmpty {
                newNotes = try notesOnUnusedPaths(in: response.documents)
                notesOnPaths = newNotes
            }
            if let screen {
                // A screen is drawn anew each time, with all notes.
                try screen.draw(history, status: sender.lastHead?.statusText, notes: notesOnPaths ?? [])
            } else {
                if !newNotes.isEmpty { try environment.stderr.write(newNotes) }
                if isNew { try print(response) }
            }
            try await environment.sleep(interval)
        }
    }

    /// Makes the screen of a terminal that can be redrawn; nil for any other output.
    private func makeScreen(for plan: CallPlan) -> WatchScreen? {
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

    /// Makes the call once, and captures what it prints.
    ///
    /// - Returns: The captured output. For a failure, it has the message on stderr.
    /// - Throws: ``UsageError``, and after a signal a ``Failure`` with the code ``ExitCode/interrupted``.
    private func runCapturingOutput(_ sender: inout CallSender) async throws -> WatchedResponse {
        let result = Self.makeBuffer(like: environment.stdout)
        let messages = Self.makeBuffer(like: environment.stderr)
        var capturingContext = context
        capturingContext.environment.stdout = result
        capturingContext.environment.stderr = messages
        do {
            _ = try await sender.send(capturingContext)
        } catch let failure as Failure where failure.code != .interrupted {
            try failure.print(capturingContext, asJSON: context.reportsJSON)
            // Other messages on stderr, such as one about a retry, may differ although the failure is the same.
            let comparedBytes = result.bytes + failure.message.exactBytes
            // There are no documents, because the paths of `--ignore` are not for failures.
            return WatchedResponse(
                result: result.bytes, messages: messages.bytes, documents: [], comparedBytes: comparedBytes)
        }
        let documents = documentsToCompare(in: result.bytes)
        let comparedBytes = documents.isEmpty ? result.bytes : try bytesWithoutIgnoredParts(of: documents)
        return WatchedResponse(
            result: result.bytes, messages: messages.bytes, documents: documents, comparedBytes: comparedBytes)
    }

    /// Makes a buffer in place of an output, for text that is formatted for this output.
    private static func makeBuffer(like output: any ByteOutput) -> BufferOutput {
        BufferOutput(isTerminal: output.isTerminal, columns: output.columns)
    }

    // MARK: Ignored parts

    /// Returns the documents of a result in JSON, from which `--ignore` removes parts before they are compared. Empty
    /// for any other result, and without `--ignore`.
    private func documentsToCompare(in result: [UInt8]) -> [JSONDocument] {
        if ignoredPaths.isEmpty { return [] }
        return (try? JSONDocument.all(in: result)) ?? []
    }

    /// Returns the text of documents without the values that `--ignore` selects, one document a line.
    private func bytesWithoutIgnoredParts(of documents: [JSONDocument]) throws -> [UInt8] {
        var bytes: [UInt8] = []
        for document in documents {
            bytes += try ignoredPaths.removed(from: document).written
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// Returns the notes about paths of `--ignore` that select nothing in documents; empty with `--json-errors`.
    private func notesOnUnusedPaths(in documents: [JSONDocument]) throws -> [UInt8] {
        let notes = BufferOutput()
        if !context.reportsJSON { try ignoredPaths.noteUnused(in: documents, on: notes) }
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
    /// The bytes by which two responses are compared: the result without ignored parts, or the result and the message
    /// of a failure.
    let comparedBytes: [UInt8]

    /// The lines of result and messages, without the line break at their end.
    var lines: [ArraySlice<UInt8>] {
        var text = result
        if !text.isEmpty, text.last != UInt8(ascii: "\n") { text.append(UInt8(ascii: "\n")) }
        text += messages
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        return text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    }
}

/// The responses of `--watch` so far: how many there were, and the last two that differ.
struct WatchHistory {
    /// The number of calls.
    private(set) var calls = 0
    /// The number of the call whose response differed from the one before; nil if none did.
    private(set) var lastChange: Int?
    private(set) var current: WatchedResponse?
    /// The last response that differs from ``current``; nil if there was none.
    private(set) var previous: WatchedResponse?

    /// Counts another call and keeps its response. If the response differs from the last one, the last one becomes
    /// ``previous``.
    ///
    /// - Returns: Whether the response is the first one, or differs from the one before.
    mutating func add(_ response: WatchedResponse) -> Bool {
        calls += 1
        let isNew = response.comparedBytes != current?.comparedBytes
        if isNew, current != nil {
            lastChange = calls
            previous = current
        }
        current = response
        return isNew
    }
}
