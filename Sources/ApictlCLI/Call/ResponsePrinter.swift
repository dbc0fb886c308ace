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
    /// Reads bodies through the model.
    var reader: ModelReader {
        ModelReader(plan: plan, failures: failures, limit: limit, findsUnexpectedKeys: terminalNotes != nil)
    }

    /// Prints a response, whatever its status.
    ///
    /// - Throws: ``FailedStatus``, `JSONSyntaxError`, `ModelMismatch`, `ReportedFailure`, `BodyTooLarge` and
    ///   ``UnusableResponse``, each perhaps in an ``AnnotatedError``.
    func print(_ response: StreamedResponse) async throws -> ExitCode {
        if response.head.isSuccess {
            if isUnexpectedPart(response.head) {
                let body = try await response.body.prefix(upTo: FailurePrinter.maxBody).bytes
                throw try failures.unprintable(UnusableResponse.part, body, response.head.redacted(by: redactor))
            }
            return try await printBody(of: response)
        }
        switch options.output.unsuccessful {
        case .fail: throw try await failures.failure(of: response)
        case .accept:
            // With --raw, what is selected is no part of the model, so that it may be selected from an error too.
            return try await printUnsuccessful(response, isWhole: !options.output.raw).code
        case .failWithBody:
            var failure = FailedStatus(response.head.redacted(by: redactor))
            failure.message = try await printUnsuccessful(response, isWhole: true).message
            throw failure
        }
    }

    /// Whether the server sent a part of the body although none was asked for.
    private func isUnexpectedPart(_ head: ResponseHead) -> Bool {
        if head.status != 206 || options.output.unsuccessful == .accept { return false }
        return !plan.request.headers.contains { $0.isNamed("Range") }
    }

    /// Prints the body of a response that is no success as that of a success; one that only seems to be JSON is printed
    /// unchanged.
    ///
    /// - Parameter isWhole: Whether nothing is selected of it.
    /// - Returns: The exit code, and what the API says about the failure.
    private func printUnsuccessful(
        _ response: StreamedResponse, isWhole: Bool
    ) async throws -> (code: ExitCode, message: String?) {
        let seemsJSON = plan.view != nil || response.head.isJSON ?? (model.kind == .json)
        guard file == nil, seemsJSON, plan.request.method != .head else {
            return (try await printBody(of: response, isWhole: isWhole), nil)
        }
        let body = try await response.wholeBody(limit: options.transfer.maxBytes ?? Client.defaultMaxBodySize)
        var read = response
        read.body = ResponseBody(bytes: body)
        let isJSON = (try? JSONDocument.all(in: body)) != nil
        let message = plan.declaration.api.failureMessage(in: body).map(redactor.redact)
        return (try await printBody(of: read, isJSON: isJSON, isWhole: isWhole), message)
    }

    // MARK: Bodies

    /// How a body is printed.
    private enum Treatment {
        /// As the model reads it.
        case decoded
        /// What a view finds in the whole body.
        case viewed(ResultView)
        /// What a view finds in each document of a stream, as it comes.
        case viewedStream(ResultView)
        /// Unchanged, into a file.
        case written(any FileReplacement)
        /// As JSON that is indented as it comes.
        case indented
        /// Unchanged, on stdout.
        case unchanged

        /// Whether the body is kept until it has come completely.
        var isWhole: Bool {
            switch self {
            case .decoded, .viewed: true
            case .viewedStream, .written, .indented, .unchanged: false
            }
        }
    }

    /// Prints the body of a response as that of a success.
    ///
    /// - Parameters:
    ///   - isJSON: Whether the body is JSON, if that is known better than by its type.
    ///   - isWhole: Whether nothing is selected of it.
    /// - Throws: The same errors as ``print(_:)``.
    func printBody(
        of response: StreamedResponse, isJSON: Bool? = nil, isWhole: Bool = false
    ) async throws -> ExitCode {
        let isHead = plan.endpoint.method == .head
        var response = response
        response.head = response.head.redacted(by: redactor)
        let treatment = treatment(of: response.head, isJSON: isJSON, isWhole: isWhole)
        let defaultLimit = treatment.isWhole ? Client.defaultMaxBodySize : nil
        response = try response.limited(to: options.transfer.maxBytes ?? defaultLimit, isHead: isHead)
        switch treatment {
        case .decoded: return try await printDecoded(response)
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
            let exact = DirectFile(stdout, name: "stdout")
            try await write(response, to: exact, isHead: isHead)
            try exact.commit()
            if log.facts.fileBytes == 0 { try noteEmptyBody(response.head) }
        }
        return .success
    }

    private func treatment(of head: ResponseHead, isJSON known: Bool?, isWhole: Bool) -> Treatment {
        if plan.isDecoded, head.isSuccess { return .decoded }
        // Somebody who selects from a body that no model reads knows that it is JSON.
        let isSelectedFrom = !plan.isDecoded && plan.view != nil
        let isJSON = known ?? (isSelectedFrom || head.isJSON ?? (model.kind == .json))
        if isJSON, !isWhole, let view = plan.view {
            return head.isDocumentStream && view.isStreamed ? .viewedStream(view) : .viewed(view)
        }
        if let file { return .written(file) }
        // Bytes are printed as they came, unless a form is asked for.
        let mayBeIndented = model.kind != .bytes || options.output.compact || plan.url != nil
        return isJSON && mayBeIndented ? .indented : .unchanged
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
        let reading = try reader.read(body, head)
        try printHeaders(head)
        // Even if nothing is printed, what a view finds decides about the exit code.
        if let view = plan.view { return try print(view, [reading.decoded]) }
        if options.output.quiet { return .success }
        try printer.print(reading.document, reading.marks)
        if let text = reader.noteAboutUnexpectedKeys(reading) { try note(text) }
        return .success
    }

    /// Prints what a view finds in the whole body.
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

    private func print(_ view: ResultView, _ documents: [JSONDocument]) throws -> ExitCode {
        var printer = printer(of: view)
        return try printer.print(documents, check: limit.check())
    }

    /// Prints what a view finds in each document of a stream as it comes.
    private func print(_ view: ResultView, ofStream response: StreamedResponse) async throws -> ExitCode {
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
            // Without --raw nobody asked for JSON, so the body is shown whatever it is.
            let rest = try await response.body.prefix(upTo: FailurePrinter.maxBody).bytes
            throw try failures.unprintable(error, last + rest, response.head)
        }
        if last != nil { return try json.finish() }
        // The model is for success only, and 204 has no body (RFC 9110, section 6.4.1).
        if model.kind == .json, response.head.isSuccess, response.head.status != 204 {
            throw reader.missingBody(response.head)
        }
        try noteEmptyBody(response.head)
    }

    private func noteEmptyBody(_ head: ResponseHead) throws {
        if plan.endpoint.method != .head { try note("\(head.statusText), no body") }
    }

    /// Writes the body unchanged, with a line on the terminal that shows the progress.
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

    /// Whether a person sees how a file grows: at a terminal that can erase a line, and whose lines -vv does not need for its
    /// log.
    private func showsProgress(of file: any FileReplacement) -> Bool {
        let isCapable = terminalNotes != nil && environment.variable("TERM") != "dumb"
        return isCapable && options.output.writesFile && !file.isTerminal && options.output.verbosity < 2
    }

    /// With `--include`, prints the headers of a success.
    private func printHeaders(_ head: ResponseHead) throws {
        if options.output.includesHeaders { try stdout.write(head.shown(redactor)) }
    }

    /// Prints the headers of a response whose body may be missing on purpose: to HEAD and OPTIONS, the headers are the
    /// answer, so that a terminal shows them even without `--include`.
    private func printHeadersOfBodiless(_ head: ResponseHead) throws {
        try printHeaders(head)
        if !options.output.includesHeaders, [.head, .options].contains(plan.endpoint.method) {
            try terminalNotes?.write(head.shown(redactor))
        }
    }

    // MARK: Notes

    private func note(_ text: String) throws { try terminalNotes?.write("note: \(text.safeToShow)\n") }

    /// Says on a terminal what has been saved in the file of `-o`.
    func noteSaved(_ count: Int) throws {
        try note("\(ByteCountText.shown(count)) saved in \(options.output.file ?? "")")
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
