import EndpointKit
import EndpointTools
import JSONText

/// Prints a response in the way that the options ask for: decoded through its model, as the server sent it, or into a
/// file. A response with a failure status is shown on stderr.
struct ResponsePrinter {
    let plan: CallPlan
    let environment: ProcessEnvironment
    let failurePrinter: FailurePrinter
    /// Learns what is written, so that a retry knows whether it can be undone.
    let log: ExchangeLog
    let decodingLimit: DecodingLimit
    /// The output for notes to people; nil if none are to be written.
    let notes: (any ByteOutput)?
    /// Whether a note tells how many keys the printed value lacks, although stderr is no terminal.
    let writesNoteOnOmittedKeys: Bool
    /// The file for the body; nil is stdout.
    let file: (any FileReplacement)?
    /// How many bytes earlier requests have written to the file.
    let earlierFileBytes: Int

    private var options: CallOptions { plan.options }
    private var redactor: Redactor { failurePrinter.redactor }
    private var model: ResponseModel { plan.endpoint.response }
    /// Whether the response is to a HEAD request, so that it announces the length of a body that it does not have.
    private var isToHead: Bool { plan.endpoint.method == .head }
    private var stdout: any ByteOutput { options.output.quiet ? NoOutput() : log.watching(environment.stdout) }
    private var bodyPrinter: BodyPrinter { BodyPrinter(options, environment, stdout) }
    /// The output for notes that only a person at a terminal needs, such as one about an empty body. Nil if stderr is
    /// no terminal.
    private var terminalNotes: (any ByteOutput)? { notes.flatMap { $0.isTerminal ? $0 : nil } }
    /// Reads bodies through the model.
    var modelReader: ModelReader {
        ModelReader(
            plan: plan, failurePrinter: failurePrinter, limit: decodingLimit,
            findsUnexpectedKeys: terminalNotes != nil)
    }

    /// Prints a response, whatever its status.
    ///
    /// - Returns: The exit code. With `--exit-status`, it says whether a view such as `--select` found anything.
    /// - Throws: ``FailedStatus``, `JSONSyntaxError`, `ModelMismatch`, `ReportedFailure`, `BodyTooLarge` and
    ///   ``UnusableResponse``, each of which may be in an ``AnnotatedError``.
    func print(_ response: StreamedResponse) async throws -> ExitCode {
        if response.head.isSuccess {
            if isUnexpectedPart(response.head) { throw try await showUnexpectedPart(response) }
            return try await printBody(of: response)
        }
        switch options.output.unsuccessful {
        case .fail: throw try await failurePrinter.showFailure(response)
        case .accept: return try await printUnsuccessful(response).code
        case .failWithBody:
            // The body is printed on stdout, and the command fails all the same.
            var failure = FailedStatus(response.head.redacted(by: redactor))
            failure.message = try await printUnsuccessful(response).apiMessage
            throw failure
        }
    }

    /// Whether the server sent only a part of the body (206) although the request has no `Range`.
    private func isUnexpectedPart(_ head: ResponseHead) -> Bool {
        if head.status != 206 || options.output.unsuccessful == .accept { return false }
        return !plan.request.headers.contains { $0.isNamed("Range") }
    }

    /// Shows a part of a body on stderr, because nothing can be done with it.
    ///
    /// - Returns: The error to throw.
    private func showUnexpectedPart(_ response: StreamedResponse) async throws -> any Error {
        let body = try await response.body.prefix(upTo: FailurePrinter.maxBody).bytes
        let head = response.head.redacted(by: redactor)
        return try failurePrinter.showUnprintable(body, head: head, because: UnusableResponse.part)
    }

    /// The result of printing the body of a response that is no success.
    private struct UnsuccessfulResult {
        let code: ExitCode
        /// The API's own message about the failure, found in the body; nil if there is none.
        var apiMessage: String?
    }

    /// Prints the body of a response that is no success, as if it were one.
    ///
    /// A body that would be printed as JSON is read as a whole first. If it is not JSON after all, it is printed
    /// unchanged, so that it never causes another error. Any other body is streamed.
    private func printUnsuccessful(_ response: StreamedResponse) async throws -> UnsuccessfulResult {
        let claimsJSON = plan.view != nil || hasJSONType(response.head)
        guard claimsJSON, file == nil, plan.request.method != .head else {
            return UnsuccessfulResult(code: try await printBody(of: response))
        }
        let body = try await response.wholeBody(limit: options.transfer.maxBytes ?? Client.defaultMaxBodySize)
        var wholeResponse = response
        wholeResponse.body = ResponseBody(bytes: body)
        let isJSON = (try? JSONDocument.all(in: body)) != nil
        let apiMessage = plan.declaration.api.failureMessage(in: body).map(redactor.redact)
        let code = try await printBody(of: wholeResponse, isKnownJSON: isJSON)
        return UnsuccessfulResult(code: code, apiMessage: apiMessage)
    }

    // MARK: Bodies

    /// The way in which a body is printed.
    ///
    /// A view is the part of a body that options such as `--select` and `--table` choose.
    private enum Treatment {
        /// As the model reads it.
        case decoded
        /// Each event of a stream as the model reads it, as it comes.
        case decodedEvents
        /// The part that a view selects from the data of each event, as it comes. Without a view, all of the data.
        case viewedEvents(ResultView?)
        /// Only the part that a view selects from the whole body.
        case viewed(ResultView)
        /// The part that a view selects from each document of a stream, as it comes.
        case viewedStream(ResultView)
        /// Unchanged, into a file.
        case written(any FileReplacement)
        /// As JSON that is indented as it comes.
        case indented
        /// Unchanged, on stdout.
        case unchanged

        /// Whether the body is read and printed as JSON without a model, so that its text must be UTF-8.
        var isPrintedAsJSON: Bool {
            switch self {
            case .viewed, .viewedStream, .viewedEvents, .indented: true
            case .decoded, .decodedEvents, .written, .unchanged: false
            }
        }

        /// Whether nothing is printed before the body has come completely, so that memory limits its length.
        var needsWholeBody: Bool {
            switch self {
            case .decoded, .viewed: true
            case .decodedEvents, .viewedStream, .viewedEvents, .written, .indented, .unchanged: false
            }
        }
    }

    /// Prints the body of a response in the way that its content type, the model and the options ask for.
    ///
    /// The body of a failure is printed like the body of a success. A view is the part of a body that options such as
    /// `--select` choose.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - isKnownJSON: Whether the body is JSON, if it has been examined; nil decides by its content type.
    /// - Throws: The errors of ``print(_:)``.
    func printBody(of response: StreamedResponse, isKnownJSON: Bool? = nil) async throws -> ExitCode {
        var response = response
        response.head = response.head.redacted(by: redactor)
        let treatment = chooseTreatment(of: response.head, isKnownJSON: isKnownJSON)
        // A body that is kept in memory has a limit. A body that is printed as it comes may go on for ever.
        let defaultLimit = treatment.needsWholeBody ? Client.defaultMaxBodySize : nil
        response = try response.limited(to: options.transfer.maxBytes ?? defaultLimit, isHead: isToHead)
        // A stream may never end. A person wants to see each part of it as it comes.
        if !treatment.needsWholeBody, response.head.isStream { try environment.bypassPager() }
        // The model converts what it decodes, and a file gets the exact bytes.
        if treatment.isPrintedAsJSON { response = response.convertedToUTF8() }
        switch treatment {
        case .decoded: return try await printDecoded(response)
        case .decodedEvents: return try await printDecodedEvents(response)
        case .viewedEvents(let view): return try await printEvents(of: response, in: view)
        case .viewed(let view): return try await printWhole(response, in: view)
        case .viewedStream(let view): return try await printDocumentStream(response, in: view)
        case .written(let file):
            try printHeadersOfBodiless(response.head)
            try await write(response, to: file)
        case .indented: try await printIndented(response)
        case .unchanged: try await printUnchanged(response)
        }
        return .success
    }

    /// Decides how a body is printed.
    ///
    /// A call is decoded if the endpoint's model reads its responses. A view is the part of a body that options such as
    /// `--select` choose. A stream of events or of documents is printed bit by bit, as it comes.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - isKnownJSON: Whether the body is JSON, if it has been examined; nil decides by its content type.
    private func chooseTreatment(of head: ResponseHead, isKnownJSON: Bool?) -> Treatment {
        if plan.isDecoded, head.isSuccess { return head.isEventStream ? .decodedEvents : .decoded }
        // Some views need one event after the other and not the whole stream. `--max-items` counts events.
        let showsEventsOneByOne = plan.view?.isStreamed == true || options.pages.maxItems != nil
        if head.isEventStream, showsEventsOneByOne { return .viewedEvents(plan.view) }
        let isJSON = isKnownJSON ?? isProbablyJSON(head)
        if isJSON, let view = plan.view {
            return head.isDocumentStream && view.isStreamed ? .viewedStream(view) : .viewed(view)
        }
        if let file { return .written(file) }
        // An endpoint of bytes returns exact bytes, unless `--compact` asks for a form. A URL declares nothing, so
        // its JSON is indented.
        let mayBeIndented = model.kind != .bytes || options.output.compact || plan.url != nil
        return isJSON && mayBeIndented ? .indented : .unchanged
    }

    /// Whether a body is treated as JSON before it is read: by its content type, or without one if the endpoint
    /// declares JSON. With a view and no model, the user expects JSON, whatever the content type is.
    private func isProbablyJSON(_ head: ResponseHead) -> Bool {
        let isExpectedByUser = plan.view != nil && !plan.isDecoded
        return isExpectedByUser || hasJSONType(head)
    }

    /// Whether a body is JSON by its content type, or without one by the endpoint's declaration.
    private func hasJSONType(_ head: ResponseHead) -> Bool { head.isJSON ?? (model.kind == .json) }

    /// Prints a body as its model reads it, and a note about the keys that the model does not read.
    ///
    /// Nothing is printed before the whole response is decoded, so that a failure leaves stdout empty. With
    /// `--include`, the headers are shown in any case: with the result, or on stderr with the failure.
    private func printDecoded(_ response: StreamedResponse) async throws -> ExitCode {
        let head = response.head
        let body: [UInt8]
        do {
            body = try await response.wholeBody()
        } catch {
            try failurePrinter.printHeaders(head)
            throw error
        }
        let decoded = try modelReader.decodeOrShow(body, head: head)
        try printHeaders(head)
        // With `--quiet` too, a view is evaluated, because the exit code depends on what it finds.
        if let view = plan.view { return try print([decoded.readPart], in: view) }
        if body.isEmpty {
            try noteEmptyBody(head)
        } else if !options.output.quiet {
            try bodyPrinter.print(decoded.document, decoded.readMarks)
            try noteOmittedKeys(of: decoded)
        }
        return .success
    }

    /// Notes which keys of a body are not printed, because the model does not read them. A note for a terminal names
    /// the keys, any other note counts them.
    private func noteOmittedKeys(of decoded: ModelReader.DecodedBody) throws {
        if terminalNotes != nil {
            if let text = modelReader.noteAboutUnexpectedKeys(decoded) { try note(text) }
        } else if writesNoteOnOmittedKeys, let notes, let text = modelReader.noteAboutUnreadKeys(decoded) {
            try notes.write("note: \(text.safeToShow)\n")
        }
    }

    /// Prints a part of a body. The view, such as that of `--select`, chooses the part.
    ///
    /// The whole body is read first. A body that is not JSON is shown on stderr.
    ///
    /// - Throws: ``UnusableResponse`` for an empty body, and `JSONSyntaxError` for one that is not JSON.
    private func printWhole(_ response: StreamedResponse, in view: ResultView) async throws -> ExitCode {
        let body = try await response.wholeBody()
        if body.isEmpty { throw UnusableResponse.empty(response.head) }
        let documents: [JSONDocument]
        do {
            documents = try view.documents(in: body, check: decodingLimit.check())
        } catch {
            throw try failurePrinter.showUnprintable(body, head: response.head, because: error)
        }
        try printHeaders(response.head)
        return try print(documents, in: view)
    }

    /// Prints the parts that a view selects from documents.
    private func print(_ documents: [JSONDocument], in view: ResultView) throws -> ExitCode {
        var viewPrinter = makePrinter(of: view)
        return try viewPrinter.print(documents, check: decodingLimit.check())
    }

    /// Prints a part of each document of a stream, as soon as the document has come. The view, such as that of
    /// `--select`, chooses the part.
    ///
    /// If a document is not JSON, the body is shown on stderr, from the chunk with the mistake on.
    ///
    /// - Throws: ``UnusableResponse`` for an empty body, and `JSONSyntaxError` for one that is not JSON.
    private func printDocumentStream(_ response: StreamedResponse, in view: ResultView) async throws -> ExitCode {
        try printHeaders(response.head)
        var viewPrinter = makePrinter(of: view)
        var lastChunk: [UInt8]?
        do {
            for try await chunk in response.body {
                lastChunk = chunk
                try viewPrinter.add(chunk, limit: Client.defaultMaxBodySize, check: decodingLimit.check())
            }
            if lastChunk == nil { throw UnusableResponse.empty(response.head) }
            // Nil is the end of the body. If the last document is incomplete, this throws.
            try viewPrinter.add(nil, limit: Client.defaultMaxBodySize, check: decodingLimit.check())
        } catch let error as JSONSyntaxError {
            throw try await showUnprintable(response, after: lastChunk ?? [], because: error)
        }
        return try viewPrinter.finish()
    }

    /// Prints JSON as it comes, re-indented.
    ///
    /// - Throws: `JSONSyntaxError`. Everything before the mistake has been printed then. ``UnusableResponse`` for an
    ///   empty body if the model needs one.
    private func printIndented(_ response: StreamedResponse) async throws {
        try printHeadersOfBodiless(response.head)
        var printer = bodyPrinter
        var lastChunk: [UInt8]?
        do {
            for try await chunk in response.body {
                lastChunk = chunk
                try printer.write(chunk)
            }
        } catch let error where !(error is OutputClosed) {
            try printer.abandon()
            // With `--raw`, the user asked for JSON. Otherwise the body is shown although it is something else.
            guard error is JSONSyntaxError, !options.output.raw, let lastChunk else { throw error }
            throw try await showUnprintable(response, after: lastChunk, because: error)
        }
        if lastChunk != nil { return try printer.finish() }
        try checkEmptyBody(response.head)
        try noteEmptyBody(response.head)
    }

    /// Shows on stderr the part of a streamed body from the chunk with a mistake on. Reads a limited part of the rest.
    ///
    /// - Parameters:
    ///   - lastChunk: The chunk with the mistake, which has been read already.
    ///   - error: The mistake.
    /// - Returns: The error to throw.
    private func showUnprintable(
        _ response: StreamedResponse, after lastChunk: [UInt8], because error: any Error
    ) async throws -> any Error {
        let rest = try await response.body.prefix(upTo: FailurePrinter.maxBody).bytes
        return try failurePrinter.showUnprintable(lastChunk + rest, head: response.head, because: error)
    }

    /// Checks that a response may have no body.
    ///
    /// - Throws: ``UnusableResponse`` if the model needs a body. A model is for success only, and a response with the
    ///   status 204 never has a body (RFC 9110, section 15.3.5).
    private func checkEmptyBody(_ head: ResponseHead) throws {
        let needsBody = model.kind == .json && head.isSuccess && head.status != 204
        if needsBody, !modelReader.acceptsNoBody(of: head) { throw modelReader.missingBodyError(head) }
    }

    /// Prints a body unchanged on stdout. If stdout is a terminal, it only gets safe text.
    private func printUnchanged(_ response: StreamedResponse) async throws {
        try printHeadersOfBodiless(response.head)
        let stdoutFile = DirectFile(stdout, name: "stdout")
        try await write(response, to: stdoutFile)
        try stdoutFile.commit()
        if log.snapshot.fileBytes == 0 { try noteEmptyBody(response.head) }
    }

    /// Writes a body unchanged to a file, and shows the progress on a terminal.
    private func write(_ response: StreamedResponse, to file: any FileReplacement) async throws {
        let announcedLength = isToHead ? nil : response.head.bodyLength
        var progress: Progress?
        if showsProgress(of: file) {
            progress = Progress(
                output: environment.stderr, earlierBytes: earlierFileBytes,
                totalBytes: announcedLength.map { earlierFileBytes + $0 })
        }
        defer { progress?.erase() }
        for try await chunk in response.body {
            log.update { $0.fileBytes += chunk.count }
            try file.write(chunk)
            progress?.advance(by: chunk.count)
        }
    }

    /// Whether a person can see how a file grows.
    ///
    /// This needs a terminal that can erase a line. With `-vv`, the lines of the log take its place.
    private func showsProgress(of file: any FileReplacement) -> Bool {
        let canEraseLines = terminalNotes != nil && environment.variable("TERM") != "dumb"
        return canEraseLines && options.output.writesFile && !file.isTerminal && options.output.verbosity < 2
    }

    // MARK: Events

    /// Prints the data of each server-sent event as the model reads it, as soon as the event has come.
    ///
    /// Data that are not JSON, such as `[DONE]`, are no document for the model. They are printed as a text.
    ///
    /// - Throws: ``UnusableResponse`` for a stream without events, and the error of an event that does not fit.
    private func printDecodedEvents(_ response: StreamedResponse) async throws -> ExitCode {
        try printHeaders(response.head)
        // The content type of the stream is not that of the data of an event.
        let headOfEvent = ResponseHead(status: response.head.status, fields: [])
        var viewPrinter = plan.view.map(makePrinter(of:))
        try await forEachEvent(of: response) { data in
            guard isJSON(data) else { return try printEvent(Self.text(data), with: &viewPrinter) }
            let decoded = try modelReader.decodeOrShow(data, head: headOfEvent)
            if viewPrinter != nil {
                try printEvent(decoded.readPart, with: &viewPrinter)
            } else if !options.output.quiet {
                try bodyPrinter.print(decoded.document, decoded.readMarks)
            }
        }
        // Without a view, nothing is left to print, and the call has succeeded.
        return try viewPrinter?.finish() ?? .success
    }

    /// Prints a part of the data of each server-sent event, as soon as the event has come. The view, such as that of
    /// `--select`, chooses the part.
    ///
    /// - Parameter view: The view; nil prints all of the data.
    /// - Throws: ``UnusableResponse`` for a stream without events.
    private func printEvents(of response: StreamedResponse, in view: ResultView?) async throws -> ExitCode {
        try printHeaders(response.head)
        var viewPrinter = view.map(makePrinter(of:))
        try await forEachEvent(of: response) { data in
            let document = try? JSONDocument(data, check: decodingLimit.check())
            // Data that are not JSON, such as `[DONE]`, are printed as a text.
            try printEvent(document ?? Self.text(data), with: &viewPrinter)
        }
        return try viewPrinter?.finish() ?? .success
    }

    /// Calls `printData` with the data of each server-sent event of a stream, as soon as the event has come.
    ///
    /// After as many events as `--max-items` allows, the rest of the body is not read, which ends the transfer.
    ///
    /// - Throws: ``UnusableResponse`` for a stream without events, and the errors of `printData`.
    private func forEachEvent(
        of response: StreamedResponse, _ printData: (_ eventData: [UInt8]) throws -> Void
    ) async throws {
        // A single event is kept in memory, so its length is limited.
        var parser = EventStream(limit: Client.defaultMaxBodySize)
        var eventCount = 0
        for try await chunk in response.body {
            for eventData in try parser.parseEvents(in: chunk) {
                eventCount += 1
                try printData(eventData)
                if eventCount == options.pages.maxItems { return }
            }
        }
        if eventCount == 0 { throw UnusableResponse.empty(response.head) }
    }

    /// Prints the data of an event.
    ///
    /// - Parameter viewPrinter: Prints the part that a view selects; nil prints all of the data, unless `--quiet` is
    ///   given.
    private func printEvent(_ data: JSONDocument, with viewPrinter: inout ResultPrinter?) throws {
        if viewPrinter != nil {
            // Unwrapping the printer would make a copy. This changes it in place.
            try viewPrinter?.add(data, check: decodingLimit.check())
        } else if !options.output.quiet {
            try bodyPrinter.printJSON(Array(JSONValue(data).written))
        }
    }

    /// Whether bytes are a JSON document.
    private func isJSON(_ data: [UInt8]) -> Bool { (try? JSONDocument(data, check: decodingLimit.check())) != nil }

    /// Returns the data of an event as a JSON string: `[DONE]` → `"[DONE]"`.
    private static func text(_ data: [UInt8]) -> JSONDocument {
        JSONValue(String(decoding: data, as: UTF8.self)).document
    }

    /// Returns a printer of the parts that a view selects, which writes to this printer's stdout.
    private func makePrinter(of view: ResultView) -> ResultPrinter {
        var environment = environment
        environment.stdout = stdout
        return view.printer(
            environment, options.common, isQuiet: options.output.quiet, style: options.output.compact ? .compact : nil)
    }

    // MARK: Headers

    /// Prints the headers of a success if `--include` asks for them.
    private func printHeaders(_ head: ResponseHead) throws {
        if options.output.includesHeaders { try stdout.write(head.shown(redactor)) }
    }

    /// Prints the headers of a response that may have no body on purpose.
    ///
    /// To HEAD and OPTIONS, the headers are the answer. So a terminal shows them even without `--include`.
    private func printHeadersOfBodiless(_ head: ResponseHead) throws {
        try printHeaders(head)
        if !options.output.includesHeaders, [.head, .options].contains(plan.endpoint.method) {
            try terminalNotes?.write(head.shown(redactor))
        }
    }

    // MARK: Notes

    /// Writes a note to stderr if stderr is a terminal.
    private func note(_ text: String) throws { try terminalNotes?.write("note: \(text.safeToShow)\n") }

    /// Notes on a terminal that a response has no body, because nothing else shows that it came. A response to HEAD
    /// never has one.
    private func noteEmptyBody(_ head: ResponseHead) throws {
        if !isToHead { try note("\(head.statusText), no body") }
    }

    /// Notes on a terminal how many bytes have been saved in a file.
    func noteSaved(_ byteCount: Int, in path: String?) throws {
        try note("\(ByteCountText.shown(byteCount)) saved in \(path ?? "")")
    }
}

extension BodyPrinter {
    /// Makes the printer for an output, with the indentation and the colours that the options ask for.
    init(_ options: CallOptions, _ environment: ProcessEnvironment, _ output: any ByteOutput) {
        self.init(
            output: output, style: options.output.compact ? .compact : .pretty(indent: .spaces(2)),
            isColored: environment.isColored(options.common.color, output))
    }
}
