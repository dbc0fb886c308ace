import EndpointKit
import EndpointTools
import JSONText

/// Prints a response in the way that the options ask for: decoded through its model, as the server sent it, or into a
/// file. A response with a failure status is shown on stderr.
struct ResponsePrinter {
    let plan: CallPlan
    let environment: ProcessEnvironment
    let failures: FailurePrinter
    /// Learns what is written, so that a retry knows whether it can be undone.
    let log: ExchangeLog
    /// The time limit for decoding.
    let limit: DecodingLimit
    /// The output for notes to people; nil if none are to be written.
    let notes: (any ByteOutput)?
    /// Whether a note tells how many keys the printed value lacks, although stderr is no terminal.
    let notesKeys: Bool
    /// The file for the body; nil is stdout.
    let file: (any FileReplacement)?
    /// How many bytes of the file earlier requests have written.
    let start: Int

    private var options: CallOptions { plan.options }
    private var redactor: Redactor { failures.redactor }
    private var model: ResponseModel { plan.endpoint.response }
    private var stdout: any ByteOutput { options.output.quiet ? NoOutput() : log.watching(environment.stdout) }
    private var printer: BodyPrinter { BodyPrinter(options, environment, stdout) }
    /// The output for notes that only a person at a terminal needs, such as one about an empty body. Nil if stderr is
    /// no terminal.
    private var terminalNotes: (any ByteOutput)? { notes.flatMap { $0.isTerminal ? $0 : nil } }
    /// Reads bodies through the model.
    var reader: ModelReader {
        ModelReader(plan: plan, failures: failures, limit: limit, findsUnexpectedKeys: terminalNotes != nil)
    }

    /// Prints a response, whatever its status.
    ///
    /// - Returns: The exit code. With `--exit-status`, it says whether a view found anything.
    /// - Throws: ``FailedStatus``, `JSONSyntaxError`, `ModelMismatch`, `ReportedFailure`, `BodyTooLarge` and
    ///   ``UnusableResponse``, each of which may be in an ``AnnotatedError``.
    func print(_ response: StreamedResponse) async throws -> ExitCode {
        if response.head.isSuccess {
            if isUnexpectedPart(response.head) {
                // The body is shown on stderr, because nothing can be done with a part of it.
                let body = try await response.body.prefix(upTo: FailurePrinter.maxBody).bytes
                throw try failures.unprintable(UnusableResponse.part, body, response.head.redacted(by: redactor))
            }
            return try await printBody(of: response)
        }
        switch options.output.unsuccessful {
        case .fail: throw try await failures.failure(of: response)
        case .accept: return try await printUnsuccessful(response).code
        case .failWithBody:
            // The body is printed on stdout, and the command fails all the same.
            var failure = FailedStatus(response.head.redacted(by: redactor))
            failure.message = try await printUnsuccessful(response).message
            throw failure
        }
    }

    /// Whether the server sent only a part of the body (206) although the request has no `Range`.
    private func isUnexpectedPart(_ head: ResponseHead) -> Bool {
        if head.status != 206 || options.output.unsuccessful == .accept { return false }
        return !plan.request.headers.contains { $0.isNamed("Range") }
    }

    /// Prints the body of a response that is no success, as if it were one. A body that claims to be JSON but is not
    /// is printed unchanged, so that it never causes another error.
    ///
    /// - Returns: The exit code, and the API's own message about the failure; nil if none is found.
    private func printUnsuccessful(
        _ response: StreamedResponse
    ) async throws -> (code: ExitCode, message: String?) {
        let seemsJSON = plan.view != nil || response.head.isJSON ?? (model.kind == .json)
        // Only what is printed as JSON must be known to be JSON. Anything else is streamed.
        guard file == nil, seemsJSON, plan.request.method != .head else {
            return (try await printBody(of: response), nil)
        }
        let body = try await response.wholeBody(limit: options.transfer.maxBytes ?? Client.defaultMaxBodySize)
        var read = response
        read.body = ResponseBody(bytes: body)
        let isJSON = (try? JSONDocument.all(in: body)) != nil
        let message = plan.declaration.api.failureMessage(in: body).map(redactor.redact)
        return (try await printBody(of: read, isJSON: isJSON), message)
    }

    // MARK: Bodies

    /// How a body is printed.
    private enum Treatment {
        /// As the model reads it.
        case decoded
        /// Each event of a stream as the model reads it, as it comes.
        case decodedEvents
        /// The part that a view selects from the data of each event, as it comes. Without a view, all of the data.
        case viewedEvents(ResultView?)
        /// Only what a view such as `--select` selects from the whole body.
        case viewed(ResultView)
        /// What a view selects from each document of a stream, as it comes.
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
        var isWhole: Bool {
            switch self {
            case .decoded, .viewed: true
            case .decodedEvents, .viewedStream, .viewedEvents, .written, .indented, .unchanged: false
            }
        }
    }

    /// Prints the body of a response as that of a success.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - isJSON: Whether the body is JSON, if it has been examined; nil decides by its type.
    /// - Throws: The errors of ``print(_:)``.
    func printBody(of response: StreamedResponse, isJSON: Bool? = nil) async throws -> ExitCode {
        let isHead = plan.endpoint.method == .head
        var response = response
        response.head = response.head.redacted(by: redactor)
        let treatment = treatment(of: response.head, isJSON: isJSON)
        // What is kept in memory has a limit. What is printed as it comes may go on for ever.
        let defaultLimit = treatment.isWhole ? Client.defaultMaxBodySize : nil
        response = try response.limited(to: options.transfer.maxBytes ?? defaultLimit, isHead: isHead)
        // A stream may never end. A person wants to see each part of it as it comes.
        if !treatment.isWhole, response.head.isStream { try environment.bypassPager() }
        // The model converts what it decodes, and a file gets the exact bytes.
        if treatment.isPrintedAsJSON { response = response.convertedToUTF8() }
        switch treatment {
        case .decoded: return try await printDecoded(response)
        case .decodedEvents:
            try printHeaders(response.head)
            return try await printDecodedEvents(response)
        case .viewedEvents(let view):
            try printHeaders(response.head)
            return try await print(view, ofEvents: response)
        case .viewed(let view): return try await print(view, ofWhole: response)
        case .viewedStream(let view):
            try printHeaders(response.head)
            return try await print(view, ofStream: response)
        case .written(let file):
            try printHeadersOfBodiless(response.head)
            try await write(response, to: file, isHead: isHead)
        case .indented:
            try printHeadersOfBodiless(response.head)
            try await printJSON(response)
        case .unchanged:
            try printHeadersOfBodiless(response.head)
            // The body is written as to a file, but stdout can be a terminal, which only gets safe text.
            let exact = DirectFile(stdout, name: "stdout")
            try await write(response, to: exact, isHead: isHead)
            try exact.commit()
            if log.facts.fileBytes == 0 { try noteEmptyBody(response.head) }
        }
        return .success
    }

    /// Returns how a body is printed.
    ///
    /// - Parameters:
    ///   - head: The head of the response.
    ///   - known: Whether the body is JSON, if it has been examined; nil decides by its type.
    private func treatment(of head: ResponseHead, isJSON known: Bool?) -> Treatment {
        if plan.isDecoded, head.isSuccess, model.kind == .json, head.isEventStream { return .decodedEvents }
        if plan.isDecoded, head.isSuccess { return .decoded }
        if head.isEventStream, areEventsViewed { return .viewedEvents(plan.view) }
        // With a view and no model, the user expects JSON, whatever type the body has.
        let isSelectedFrom = !plan.isDecoded && plan.view != nil
        let isJSON = known ?? (isSelectedFrom || head.isJSON ?? (model.kind == .json))
        if isJSON, let view = plan.view {
            return head.isDocumentStream && view.isStreamed ? .viewedStream(view) : .viewed(view)
        }
        if let file { return .written(file) }
        // An endpoint of bytes returns exact bytes, unless `--compact` asks for a form. A URL declares nothing, so
        // its JSON is indented.
        let mayBeIndented = model.kind != .bytes || options.output.compact || plan.url != nil
        return isJSON && mayBeIndented ? .indented : .unchanged
    }

    /// Whether the events of a stream are printed one by one, although no model decodes them.
    private var areEventsViewed: Bool { plan.view?.isStreamed == true || options.pages.maxItems != nil }

    /// Prints a body as its model reads it.
    ///
    /// Nothing is printed before the whole response is decoded, so that a failure leaves stdout empty. Only
    /// `--include` shows the headers in any case: with the result, or on stderr with the failure.
    private func printDecoded(_ response: StreamedResponse) async throws -> ExitCode {
        let head = response.head
        // Nothing is printed before the whole response is decoded, so that a failure leaves stdout empty.
        let body: [UInt8]
        do {
            body = try await response.wholeBody()
        } catch {
            try failures.printHeaders(head)
            throw error
        }
        let reading = try reader.read(body, head)
        try printHeaders(head)
        if body.isEmpty, plan.view == nil {
            try noteEmptyBody(head)
            return .success
        }
        // Also with `--quiet`, because the exit code depends on what the view finds.
        if let view = plan.view { return try print(view, [reading.decoded]) }
        if options.output.quiet { return .success }
        try printer.print(reading.document, reading.marks)
        if terminalNotes != nil {
            if let text = reader.noteAboutUnexpectedKeys(reading) { try note(text) }
        } else if notesKeys, let notes, let text = reader.noteAboutUnreadKeys(reading) {
            try notes.write("note: \(text.safeToShow)\n")
        }
        return .success
    }

    /// Prints what a view selects from the whole body.
    ///
    /// - Throws: ``UnusableResponse`` for an empty body, and an error for one that is not JSON.
    private func print(_ view: ResultView, ofWhole response: StreamedResponse) async throws -> ExitCode {
        let body = try await response.wholeBody()
        if body.isEmpty { throw UnusableResponse.empty(response.head) }
        let documents: [JSONDocument]
        do {
            documents = try view.documents(in: body, check: limit.check())
        } catch {
            throw try failures.unprintable(error, body, response.head)
        }
        try printHeaders(response.head)
        return try print(view, documents)
    }

    /// Prints what a view selects from documents.
    private func print(_ view: ResultView, _ documents: [JSONDocument]) throws -> ExitCode {
        var printer = printer(of: view)
        return try printer.print(documents, check: limit.check())
    }

    /// Prints what a view selects from each document of a stream, as soon as the document has come.
    ///
    /// - Throws: ``UnusableResponse`` for an empty body. For a body that is not JSON, the error shows the body from
    ///   the chunk with the mistake on.
    private func print(_ view: ResultView, ofStream response: StreamedResponse) async throws -> ExitCode {
        var printer = printer(of: view)
        var last: [UInt8]?
        do {
            for try await chunk in response.body {
                last = chunk
                try printer.add(chunk, limit: Client.defaultMaxBodySize, check: limit.check())
            }
            if last == nil { throw UnusableResponse.empty(response.head) }
            // Nil is the end of the body, which may lack the rest of a document.
            try printer.add(nil, limit: Client.defaultMaxBodySize, check: limit.check())
        } catch let error as JSONSyntaxError {
            let rest = try await response.body.prefix(upTo: FailurePrinter.maxBody).bytes
            throw try failures.unprintable(error, (last ?? []) + rest, response.head)
        }
        return try printer.finish()
    }

    // MARK: Events

    /// Prints each event as the model reads it, as soon as the event has come.
    ///
    /// Data that are not JSON, such as `[DONE]`, are no document for the model. They are printed as a text.
    ///
    /// - Throws: ``UnusableResponse`` for a stream without events, and the error of an event that does not fit.
    private func printDecodedEvents(_ response: StreamedResponse) async throws -> ExitCode {
        var printer = plan.view.map(printer(of:))
        try await forEachEvent(of: response) { event in
            guard (try? JSONDocument(event, check: limit.check())) != nil else {
                return try show(Self.text(event), &printer)
            }
            let reading = try reader.read(event, ResponseHead(status: response.head.status, fields: []))
            if printer != nil {
                try show(reading.decoded, &printer)
            } else if !options.output.quiet {
                try self.printer.print(reading.document, reading.marks)
            }
        }
        return try printer?.finish() ?? .success
    }

    /// Prints what a view selects from the data of each event, as soon as the event has come. Without a view, prints
    /// all of the data.
    ///
    /// - Throws: ``UnusableResponse`` for a stream without events.
    private func print(_ view: ResultView?, ofEvents response: StreamedResponse) async throws -> ExitCode {
        var printer = view.map(printer(of:))
        try await forEachEvent(of: response) { event in
            try show((try? JSONDocument(event, check: limit.check())) ?? Self.text(event), &printer)
        }
        return try printer?.finish() ?? .success
    }

    /// Calls a function with the data of each event of a stream, but of no more events than `--max-items` allows.
    ///
    /// - Throws: ``UnusableResponse`` for a stream without events, and the errors of the function.
    private func forEachEvent(of response: StreamedResponse, _ show: ([UInt8]) throws -> Void) async throws {
        var stream = EventStream(limit: Client.defaultMaxBodySize)
        var count = 0
        for try await chunk in response.body {
            for event in try stream.parseEvents(in: chunk) {
                count += 1
                try show(event)
                // The rest of the body is not read, which ends the transfer.
                if count == options.pages.maxItems { return }
            }
        }
        if count == 0 { throw UnusableResponse.empty(response.head) }
    }

    /// Prints the data of an event: what the view selects, or all of it.
    private func show(_ document: JSONDocument, _ printer: inout ResultPrinter?) throws {
        if printer != nil {
            try printer?.add(document, check: limit.check())
        } else if !options.output.quiet {
            try self.printer.printJSON(Array(JSONValue(document).written))
        }
    }

    /// Returns the data of an event as a text in JSON.
    private static func text(_ event: [UInt8]) -> JSONDocument {
        JSONValue(String(decoding: event, as: UTF8.self)).document
    }

    /// Returns the printer of a view, which writes to this printer's stdout.
    private func printer(of view: ResultView) -> ResultPrinter {
        var environment = environment
        environment.stdout = stdout
        return view.printer(
            environment, options.common, isQuiet: options.output.quiet, style: options.output.compact ? .compact : nil)
    }

    /// Prints JSON as it comes, re-indented.
    ///
    /// - Throws: `JSONSyntaxError`. What comes before the mistake has been printed then.
    private func printJSON(_ response: StreamedResponse) async throws {
        var json = printer
        var last: [UInt8]?
        do {
            for try await chunk in response.body {
                last = chunk
                try json.write(chunk)
            }
        } catch let error where !(error is OutputClosed) {
            try json.abandon()
            guard error is JSONSyntaxError, !options.output.raw, let last else { throw error }
            // Without `--raw`, the user did not ask for JSON, so the body is shown although it is something else.
            let rest = try await response.body.prefix(upTo: FailurePrinter.maxBody).bytes
            throw try failures.unprintable(error, last + rest, response.head)
        }
        if last != nil { return try json.finish() }
        // The model is for success only, and 204 has no body (RFC 9110, section 6.4.1).
        let needsBody = model.kind == .json && response.head.isSuccess && response.head.status != 204
        if needsBody, !reader.acceptsNoBody(of: response.head) {
            throw reader.missingBody(response.head)
        }
        try noteEmptyBody(response.head)
    }

    /// Notes on a terminal that a response has no body, because nothing else shows that it came.
    private func noteEmptyBody(_ head: ResponseHead) throws {
        if plan.endpoint.method != .head { try note("\(head.statusText), no body") }
    }

    /// Writes the body unchanged, and shows the progress on a terminal.
    ///
    /// - Parameter isHead: Whether the response is to a HEAD request. It announces the length of a body that it does
    ///   not have.
    private func write(_ response: StreamedResponse, to file: any FileReplacement, isHead: Bool) async throws {
        let total = isHead ? nil : response.head.bodyLength.map { start + $0 }
        var progress =
            showsProgress(of: file) ? Progress(output: environment.stderr, done: start, total: total) : nil
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
        let isCapable = terminalNotes != nil && environment.variable("TERM") != "dumb"
        return isCapable && options.output.writesFile && !file.isTerminal && options.output.verbosity < 2
    }

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

    /// Writes a note if stderr is a terminal.
    private func note(_ text: String) throws { try terminalNotes?.write("note: \(text.safeToShow)\n") }

    /// Notes on a terminal how many bytes have been saved in a file.
    func noteSaved(_ count: Int, in path: String?) throws {
        try note("\(ByteCountText.shown(count)) saved in \(path ?? "")")
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
