import EndpointKit
import EndpointTools
import JSONText

/// Prints a response: decoded through its model, as the server sent it, or into a file; one with a failure status on stderr.
struct ResponsePrinter {
    let plan: CallPlan
    let environment: ProcessEnvironment
    let failures: FailurePrinter
    /// Gets what is written, so that a retry knows what it can undo.
    let log: ExchangeLog
    /// The time limit for decoding.
    let limit: DecodingLimit
    /// Where notes for people go; nil if there are to be none.
    let notes: (any ByteOutput)?
    /// Where the body is written, in place of stdout.
    let file: (any FileReplacement)?
    /// How many bytes of the file earlier requests have written.
    let start: Int

    private var options: CallOptions { plan.options }
    private var redactor: Redactor { failures.redactor }
    private var model: ResponseModel { plan.endpoint.response }
    private var stdout: any ByteOutput { options.output.quiet ? NoOutput() : log.watching(environment.stdout) }
    private var printer: BodyPrinter { BodyPrinter(options, environment, stdout) }
    /// Where notes go about what the result does not show: a terminal.
    private var terminalNotes: (any ByteOutput)? { notes.flatMap { $0.isTerminal ? $0 : nil } }

    /// Prints a response, whatever its status.
    ///
    /// - Throws: ``FailedStatus``, `JSONSyntaxError`, `ModelMismatch`, `ReportedFailure`, `BodyTooLarge` and
    ///   ``UnusableResponse``, each perhaps in an ``AnnotatedError``.
    func print(_ response: StreamedResponse) async throws -> ExitCode {
        let unsuccessful = options.output.unsuccessful
        if !response.head.isSuccess {
            if unsuccessful == .fail { throw try await failures.failure(of: response) }
            return try await printAnyStatus(response)
        }
        if response.head.status == 206, unsuccessful != .accept,
            !plan.request.headers.contains(where: { $0.isNamed("Range") })
        {
            let body = try await response.body.prefix(upTo: FailurePrinter.maxBody).bytes
            throw try failures.unprintable(UnusableResponse.part, body, response.head.redacted(by: redactor))
        }
        return try await printBody(of: response)
    }

    /// Prints the body of a failure as that of a success, or unchanged if it is not the JSON that it seems to be; the whole of it, unless --raw
    /// says that what is selected is no part of the model. With `--fail-with-body`, throws the failure then.
    private func printAnyStatus(_ response: StreamedResponse) async throws -> ExitCode {
        var response = response
        var (isJSON, message) = (Bool?.none, String?.none)
        let seemsJSON = plan.view != nil || response.head.isJSON ?? (model.kind == .json)
        if file == nil, seemsJSON, plan.request.method != .head {
            let body = try await response.wholeBody(limit: options.transfer.maxBytes ?? Client.defaultMaxBodySize)
            response.body = ResponseBody(bytes: body)
            isJSON = (try? JSONDocument.all(in: body)) != nil
            message = plan.declaration.api.failureMessage(in: body).map(redactor.redact)
        }
        let fails = options.output.unsuccessful == .failWithBody
        let code = try await printBody(of: response, isJSON: isJSON, isWhole: fails || !options.output.raw)
        if fails {
            var failure = FailedStatus(response.head.redacted(by: redactor))
            failure.message = message
            throw failure
        }
        return code
    }

    // MARK: Successes

    /// Prints the body of a response as that of a success; whether it is JSON may be known better than by its type, and nothing may be
    /// selected of it. Throws as ``print(_:)`` does.
    func printBody(
        of response: StreamedResponse, isJSON known: Bool? = nil, isWhole: Bool = false
    ) async throws -> ExitCode {
        var response = response
        response.head = response.head.redacted(by: redactor)
        // Who selects from what no model reads knows that it is JSON.
        let isSelectedFrom = !plan.isDecoded && plan.view != nil
        let isJSON = known ?? (isSelectedFrom || response.head.isJSON ?? (model.kind == .json))
        let isDecoded = plan.isDecoded && response.head.isSuccess
        let isHead = plan.endpoint.method == .head
        // With --raw, the view is of the body as it was sent.
        let view = isJSON && !isWhole ? plan.view : nil
        let streams = response.head.isDocumentStream && view?.isStreamed == true
        let limit = isDecoded || view != nil && !streams ? Client.defaultMaxBodySize : nil
        response = try response.limited(to: options.transfer.maxBytes ?? limit, isHead: isHead)
        if isDecoded { return try await printDecoded(response) }
        if streams, let view {
            try printHeaders(response.head)
            return try await print(view, of: response)
        }
        if let view {
            let body = try await response.wholeBody()
            if body.isEmpty { throw UnusableResponse.empty(response.head) }
            let documents: [JSONDocument]
            do {
                documents = try view.documents(in: body, check: self.limit.check())
            } catch {
                throw try failures.unprintable(error, body, response.head)
            }
            try printHeaders(response.head)
            return try print(view, documents)
        }
        try printHeaders(response.head)
        if !options.output.includesHeaders, [.head, .options].contains(plan.endpoint.method) {
            try terminalNotes?.write(response.head.shown(redactor))
        }
        if let file {
            try await write(response, to: file, isHead: isHead)
        } else if isJSON, model.kind != .bytes || options.output.compact || plan.url != nil {
            try await printJSON(response)
        } else {
            // Bytes are printed as they came, whatever they are, unless a form is asked for.
            let exact = DirectFile(stdout, name: "stdout")
            try await write(response, to: exact, isHead: isHead)
            try exact.commit()
            if log.facts.fileBytes == 0 { try noteEmptyBody(response.head) }
        }
        return .success
    }

    private func printDecoded(_ response: StreamedResponse) async throws -> ExitCode {
        let head = response.head
        // Nothing is printed before the whole response is decoded, so that a failure leaves stdout empty.
        let body: [UInt8]
        do {
            // A stream of events may never end.
            if head.isStream, !head.isDocumentStream { throw UnusableResponse.stream(head, redactor) }
            body = try await response.wholeBody()
        } catch {
            try failures.printHeaders(head)
            throw error
        }
        let reading = try read(body, head)
        try printHeaders(head)
        if let view = plan.view { return try print(view, [reading.document.decoded(reading.marks)]) }
        // The exit code is the same as with output.
        if options.output.quiet { return .success }
        try printer.print(reading.document, reading.marks)
        try noteUnexpectedKeys(reading)
        return .success
    }

    /// A page, of which is shown what the model has read, or with --raw all. Throws as ``print(_:)`` does.
    func page(_ page: Response) throws -> PageWalk.Page {
        if options.output.raw {
            do {
                let document = try JSONValue(JSONDocument(page.body, check: limit.check()))
                return (page, document, document)
            } catch {
                throw try failures.unprintable(error, page.body, page.head)
            }
        }
        let reading = try read(page.body, page.head)
        return (page, JSONValue(reading.document), JSONValue(reading.document.decoded(reading.marks)))
    }

    /// A document, what the model has read of it, and what knows the rest; nil if there are to be no notes.
    private typealias Reading = (document: JSONDocument, marks: ReadMarks, recorder: ComparisonRecorder?)

    /// Decodes a body, which is shown if it does not fit the model.
    private func read(_ body: [UInt8], _ head: ResponseHead) throws -> Reading {
        do {
            if body.isEmpty { throw missingBody(head) }
            let (coding, check) = (plan.declaration.api.coding, limit.check())
            let document = try model.document(body, head, check: check)
            let recorder = terminalNotes.map { _ in ComparisonRecorder(document, coding: coding) }
            let marks = recorder?.marks ?? ReadMarks(document)
            try model.decode(document, coding: coding, marks: marks, observer: recorder, check: check)
            return (document, marks, recorder)
        } catch is JSONSyntaxError where head.isDocumentStream && !model.readsLines(head) {
            throw try failures.unprintable(UnusableResponse.stream(head, redactor), body, head)
        } catch {
            let syntaxError = head.isJSON == false ? error as? JSONSyntaxError : nil
            guard let syntaxError, body.prefix(syntaxError.offset).allSatisfy({ $0 <= 0x20 }) else {
                throw try failures.unprintable(error, body, head)
            }
            let type = head.mediaType(redactedBy: redactor) ?? "of unknown type"
            throw try failures.unprintable(
                UnusableResponse(description: "the response is \(type), not JSON"), body, head)
        }
    }

    private func missingBody(_ head: ResponseHead) -> UnusableResponse {
        UnusableResponse(description: "the response (\(head.statusText)) has no body, expected \(model.name)")
    }

    private func print(_ view: ResultView, _ documents: [JSONDocument]) throws -> ExitCode {
        var printer = printer(of: view)
        return try printer.print(documents, check: limit.check())
    }

    /// Prints what a view finds in each document of a stream as it comes.
    private func print(_ view: ResultView, of response: StreamedResponse) async throws -> ExitCode {
        var printer = printer(of: view)
        var last: [UInt8]?
        do {
            for try await chunk in response.body {
                last = chunk
                try printer.add(chunk, limit: Client.defaultMaxBodySize, check: limit.check())
            }
            if last == nil { throw UnusableResponse.empty(response.head) }
            try printer.add(nil, limit: Client.defaultMaxBodySize, check: limit.check())
        } catch let error as JSONSyntaxError {
            let rest = try await response.body.prefix(upTo: FailurePrinter.maxBody).bytes
            throw try failures.unprintable(error, (last ?? []) + rest, response.head)
        }
        return try printer.finish()
    }

    private func printer(of view: ResultView) -> ResultPrinter {
        var environment = environment
        environment.stdout = stdout
        return view.printer(
            environment, options.common, isQuiet: options.output.quiet, style: options.output.compact ? .compact : nil)
    }

    /// Prints JSON as it comes, re-indented.
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
            // What was requested as JSON by nobody is shown whatever it is.
            let rest = try await response.body.prefix(upTo: FailurePrinter.maxBody).bytes
            throw try failures.unprintable(error, last + rest, response.head)
        }
        if last != nil { return try json.finish() }
        // The model is for success only, and 204 has no body (RFC 9110, section 6.4.1).
        if model.kind == .json, response.head.isSuccess, response.head.status != 204 {
            throw missingBody(response.head)
        }
        try noteEmptyBody(response.head)
    }

    private func noteEmptyBody(_ head: ResponseHead) throws {
        if plan.endpoint.method != .head { try note("\(head.statusText), no body") }
    }

    private func write(_ response: StreamedResponse, to file: any FileReplacement, isHead: Bool) async throws {
        let isShown =
            terminalNotes != nil && environment.variable("TERM") != "dumb" && options.output.writesFile
            && !file.isTerminal
            // With -vv, the log would interrupt the progress line.
            && options.output.verbosity < 2
        let total = isHead ? nil : response.head.bodyLength.map { start + $0 }
        var progress = isShown ? Progress(output: environment.stderr, done: start, total: total) : nil
        defer { progress?.erase() }
        for try await chunk in response.body {
            log.update { $0.fileBytes += chunk.count }
            try file.write(chunk)
            progress?.advance(by: chunk.count)
        }
    }

    /// With `--include`, prints the headers of a success.
    private func printHeaders(_ head: ResponseHead) throws {
        if options.output.includesHeaders { try stdout.write(head.shown(redactor)) }
    }

    // MARK: Notes

    private func note(_ text: String) throws { try terminalNotes?.write("note: \(text.safeToShow)\n") }

    /// Says on a terminal what has been saved in the file of `-o`.
    func noteSaved(_ count: Int) throws {
        try note("\(ByteCountText.shown(count)) saved in \(options.output.file ?? "")")
    }

    /// Names the keys that the model does not have and the printed value therefore lacks.
    private func noteUnexpectedKeys(_ reading: Reading) throws {
        guard let survey = reading.recorder?.finish() else { return }
        let keys = survey.problems.filter { $0.kind == .unexpectedKey }.compactMap(\.path)
        guard !keys.isEmpty else { return }
        let maxKeys = 5
        let more = keys.count > maxKeys ? " and \(keys.count - maxKeys) more" : ""
        let advice = plan.request.method.isRetrieval ? " (--raw shows \(keys.count == 1 ? "it" : "them"))" : ""
        try note(
            "\(keys.count == 1 ? "1 key is" : "\(keys.count) keys are") not in \(model.name): "
                + keys.prefix(maxKeys).joined(separator: ", ") + more + advice)
    }
}

extension BodyPrinter {
    /// The printer for `output` that `options` describe.
    init(_ options: CallOptions, _ environment: ProcessEnvironment, _ output: any ByteOutput) {
        self.init(
            output: output, style: options.output.compact ? .compact : .pretty(indent: .spaces(2)),
            isColored: environment.isColored(options.common.color, output))
    }
}
