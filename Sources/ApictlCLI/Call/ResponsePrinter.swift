import EndpointKit
import JSONText

/// Prints a response: decoded through its model, as the server sent it, or into a file; one with a failure status on stderr.
struct ResponsePrinter {
    /// How much of the body of a failure is shown and searched for a message, in bytes.
    private static let maxFailureBody = 1_000_000
    /// The largest JSON of a failure that is indented, in bytes: deep nesting can make it 500 times as long.
    private static let maxIndentedFailure = 65_536
    /// The longest body in a failure that is reported as JSON, in bytes.
    private static let maxReportedBody = 65_536

    let exchange: Exchange
    /// Where the body is written, in place of stdout.
    var file: (any FileReplacement)?
    /// The bytes of the file that earlier requests have written, and the length of the whole if it is known.
    var extent: (start: Int, total: Int?)?

    private var plan: CallPlan { exchange.plan }
    private var options: CallOptions { plan.options }
    private var environment: ProcessEnvironment { exchange.context.environment }
    private var redactor: Redactor { exchange.redactor }
    private var limit: DecodingLimit { exchange.limit }
    private var model: ResponseModel { plan.endpoint.response }
    private var stdout: any ByteOutput { exchange.log.watching(environment.stdout) }
    private var printer: BodyPrinter { BodyPrinter(options, environment, stdout) }
    /// Where notes go about what the result does not show: a terminal.
    private var notes: (any ByteOutput)? { exchange.notes.flatMap { $0.isTerminal ? $0 : nil } }

    /// Prints a response, whatever its status. Throws ``Failure`` for a failure status, `JSONSyntaxError`, `ModelMismatch`,
    /// `ReportedFailure`, ``NotJSON``, ``MissingBody``, `BodyTooLarge` and ``UnusableResponse``.
    func print(_ response: StreamedResponse) async throws -> ExitCode {
        let printsAnyStatus = options.anyStatus || options.failsWithBody
        guard response.head.isSuccess || printsAnyStatus else { return try await fail(response) }
        if !printsAnyStatus { try Download.requireWhole(response.head, of: plan.request) }
        let code = try await printBody(of: response)
        if options.failsWithBody, !response.head.isSuccess {
            throw failure(response.head.redacted(by: redactor), message: nil)
        }
        return code
    }

    // MARK: Successes

    /// Prints the body of a response as that of a success. Throws as ``print(_:)`` does.
    func printBody(of response: StreamedResponse) async throws -> ExitCode {
        var response = response
        response.head = response.head.redacted(by: redactor)
        let isJSON = response.head.isJSON ?? (model.kind == .json)
        let isDecoded = plan.isDecoded && response.head.isSuccess
        let isHead = plan.endpoint.method == .head
        response = try response.limited(
            to: options.maxBytes ?? (isDecoded ? ResponseLimit.decoded : nil), isHead: isHead)
        if isDecoded { return try await printDecoded(response, isJSON) }
        if let view = plan.view, isJSON {
            // With --raw, the view is of the body as it was sent.
            let body = try await response.limited(to: options.maxBytes ?? ResponseLimit.decoded).wholeBody()
            return try print(view, JSONDocument(body, check: limit.check()))
        }
        try printHeaders(response.head)
        if !options.include, [.head, .options].contains(plan.endpoint.method) {
            try notes?.write(response.head.shown(redactor, colors(environment.stderr)))
        }
        if let file {
            try await write(response, to: file, isHead: isHead)
        } else if options.quiet {
            for try await _ in response.body {}
        } else if options.output == "-" {
            for try await chunk in response.body { try stdout.write(chunk) }
        } else {
            // Bytes are printed as they came, whatever they are, unless a form is asked for.
            isJSON && (model.kind != .bytes || options.compact)
                ? try await printRaw(response) : try await printExactly(response)
        }
        return .success
    }

    private func printDecoded(_ response: StreamedResponse, _ isJSON: Bool) async throws -> ExitCode {
        // Nothing is printed before the whole response is decoded, so that a failure leaves stdout empty.
        // A model that is not a list describes a single document, and a stream may never end.
        if response.head.isStream, !model.readsLines(response.head) {
            try printHeadersOfFailure(response.head)
            throw NotJSON(mediaType: response.head.mediaType(redactedBy: redactor), isStream: true)
        }
        var body: [UInt8] = []
        let value: any Decodable
        do {
            body = try await response.wholeBody()
            value = try decoded(body, response.head, isJSON)
        } catch {
            throw try unprintable(error, body, response.head)
        }
        let encodable = value as? any Encodable
        // The memory of a large body is needed for the text that is printed.
        let kept = notes != nil || encodable == nil ? model.document(body, response.head) : []
        let coding = try writing(body, response.head)
        let length = body.count
        body = []
        try printHeaders(response.head)
        if let view = plan.view {
            return try print(view, JSONDocument(encodable.map { try coding.encode($0) } ?? kept))
        }
        // The exit code is the same as with output.
        guard let encodable else {
            // A model that can't be written is shown as the server sent it.
            if !options.quiet { try printer.printJSON(kept) }
            return .success
        }
        if !options.quiet { try printer.print(encodable, coding: coding, length: length) }
        try noteUnexpectedKeys(in: kept)
        return .success
    }

    /// The JSON text that is shown of a page, decoded through the model. Throws as ``print(_:)`` does.
    func text(of page: Response) throws -> [UInt8] {
        do {
            let value = try decoded(page.body, page.head, page.head.isJSON ?? true)
            guard let value = value as? any Encodable else { return model.document(page.body, page.head) }
            return try writing(page.body, page.head).encode(value)
        } catch {
            throw try unprintable(error, page.body, page.head)
        }
    }

    private func decoded(_ body: [UInt8], _ head: ResponseHead, _ isJSON: Bool) throws -> any Decodable {
        if body.isEmpty { throw MissingBody(head: head, model: model.name) }
        do {
            return try model.decode(
                model.document(body, head), coding: plan.declaration.api.coding, check: limit.check())
        } catch let error as JSONSyntaxError where !isJSON && body.prefix(error.offset).allSatisfy({ $0 <= 0x20 }) {
            throw NotJSON(mediaType: head.mediaType(redactedBy: redactor))
        }
    }

    /// The API's coding, which writes keys as they are in `body`.
    private func writing(_ body: [UInt8], _ head: ResponseHead) throws -> Coding {
        let coding = plan.declaration.api.coding
        guard case .convertFromSnakeCase = coding.keys else { return coding }
        return try coding.writingKeys(asIn: JSONDocument(model.document(body, head), check: limit.check()))
    }

    private func print(_ view: ResultView, _ document: JSONDocument) throws -> ExitCode {
        var environment = environment
        environment.stdout = stdout
        var printer = view.printer(environment, color: options.common.color, isQuiet: options.quiet)
        return try printer.print(document, check: limit.check())
    }

    private func printRaw(_ response: StreamedResponse) async throws {
        var chunks = response.body.makeAsyncIterator()
        guard let first = try await chunks.next() else {
            // The model is for success only, and 204 has no body (RFC 9110, section 6.4.1).
            if model.kind == .json, response.head.isSuccess, response.head.status != 204 {
                throw MissingBody(head: response.head, model: model.name)
            }
            return try note("\(response.head.statusText), no body")
        }
        var stream = printer.stream
        do {
            try stream.write(first)
            while let chunk = try await chunks.next() { try stream.write(chunk) }
        } catch let error where !(error is OutputClosed) {
            try stream.abandon()
            throw error
        }
        try stream.finish()
    }

    private func printExactly(_ response: StreamedResponse) async throws {
        switch try await printer.printOther(response.body) {
        case .printed: break
        case .empty: if plan.endpoint.method != .head { try note("\(response.head.statusText), no body") }
        case .binary:
            let type = response.head.mediaType(redactedBy: redactor) ?? "binary data"
            let advice = plan.request.method.isRetrieval ? "; use -o FILE" : ""
            try environment.stderr.write("\(type.safeToShow) is not shown on a terminal\(advice)\n")
        }
    }

    private func write(_ response: StreamedResponse, to file: any FileReplacement, isHead: Bool) async throws {
        let isShown =
            notes != nil && environment.variable("TERM") != "dumb" && !file.isTerminal
            // With -vv, the log would interrupt the progress line.
            && options.verbosity < 2
        let (start, total) = extent ?? (0, isHead ? nil : response.head.bodyLength)
        let progress =
            isShown
            ? Progress(output: environment.stderr, done: start, total: total, now: environment.now) : nil
        func write() async throws {
            for try await chunk in response.body {
                exchange.log.addFile(chunk.count)
                try file.write(chunk)
                progress?.advance(by: chunk.count)
            }
        }
        if let progress { try await progress.follow { try await write() } } else { try await write() }
    }

    private func colors(_ output: any ByteOutput) -> HeadColors {
        HeadColors(options.common.color, for: output, environment)
    }

    private func printHeaders(_ head: ResponseHead) throws {
        if options.include, !options.quiet { try stdout.write(head.shown(redactor, colors(stdout))) }
    }

    // MARK: Notes

    private func note(_ text: String) throws { try notes?.write("note: \(text.safeToShow)\n") }

    /// Says on a terminal what has been saved in the file of `-o`.
    func noteSaved(_ count: Int) throws {
        try note("\(ByteCountText.shown(count)) saved in \(options.output ?? "")")
    }

    /// Names the keys of `body` that the model does not have and the printed value therefore lacks. The body must fit the model.
    private func noteUnexpectedKeys(in body: [UInt8]) throws {
        guard notes != nil, model.kind == .json else { return }
        let survey = try model.survey(body, coding: plan.declaration.api.coding, check: limit.check())
        let keys = survey.findings.filter { $0.kind == .unexpectedKey }.map { finding in
            // `results[].new_field` for `$.results[*].new_field`.
            let path = finding.path.hasPrefix("$.") ? finding.path.dropFirst(2) : finding.path[...]
            return path.split(separator: "[*]", omittingEmptySubsequences: false).joined(separator: "[]")
        }
        guard !keys.isEmpty else { return }
        let maxKeys = 5
        let more = keys.count > maxKeys ? " and \(keys.count - maxKeys) more" : ""
        let advice = plan.request.method.isRetrieval ? " (--raw shows them)" : ""
        try note(
            "\(keys.count == 1 ? "1 key is" : "\(keys.count) keys are") not in \(model.name): "
                + keys.prefix(maxKeys).joined(separator: ", ") + more + advice)
    }

    // MARK: Failures

    /// Prints a response with a failure status on stderr: first the body, then the status with the API's own message.
    ///
    /// Throws ``Failure``, or with `--quiet` returns its exit code.
    func fail(_ response: StreamedResponse) async throws -> ExitCode {
        if options.quiet { return ExitCode(status: response.head.status) }
        let (body, isWhole, error) = try await response.body.prefix(upTo: Self.maxFailureBody)
        let head = response.head.redacted(by: redactor)
        try printHeadersOfFailure(head)
        let shown = redactor.redact(body, isCut: !isWhole)
        try printFailure(shown, mediaType: head.mediaType)
        let message = isWhole ? plan.declaration.api.failureMessage(in: body).map(redactor.redact) : nil
        var failure = failure(head, message: message)
        failure.exchange.body = Self.reported(shown)
        failure.hints = credentialHints(head.status)
        if let error, !body.isEmpty {
            failure.hints.append("The body is incomplete: \(redactor.redact(error.message))")
        }
        throw failure
    }

    private func failure(_ head: ResponseHead, message: String?) -> Failure {
        let target = (300..<400).contains(head.status) ? head["Location"].map { " to \($0)" } : nil
        return Failure(
            "\(plan.declaration.name): \(head.statusText)" + (target ?? "") + (message.map { ": \($0)" } ?? ""),
            ExitCode(status: head.status))
    }

    /// The error of a response that can't be printed, whose body is shown: there may be no other copy, because what was requested has been
    /// carried out.
    private func unprintable(_ error: any Error, _ body: [UInt8], _ head: ResponseHead) throws -> any Error {
        try printHeadersOfFailure(head)
        if error is TransportError || error is CancellationError || options.quiet || body.isEmpty { return error }
        let shown = body.prefix(Self.maxFailureBody)
        let redacted = redactor.redact(Array(shown), isCut: shown.count < body.count)
        try printFailure(redacted, mediaType: head.mediaType(redactedBy: redactor))
        guard exchange.context.reportsJSON, var failure = exchange.failure(error) as? Failure else { return error }
        failure.exchange.body = Self.reported(redacted)
        return failure
    }

    private func printHeadersOfFailure(_ head: ResponseHead) throws {
        guard options.include, !options.quiet, !exchange.context.reportsJSON else { return }
        try environment.stderr.write(head.shown(redactor, colors(environment.stderr)))
    }

    /// Writes the body: indented if it is JSON, otherwise unchanged, except that control characters are escaped on a terminal.
    private func printFailure(_ body: [UInt8], mediaType: String?) throws {
        if exchange.context.reportsJSON { return }
        let output = environment.stderr
        if body.count <= Self.maxIndentedFailure, Self.isJSON(body) {
            return try BodyPrinter(options, environment, output).printJSON(body)
        }
        guard output.isTerminal else { return try output.write(Self.endingLine(body)) }
        var filter = TerminalFilter()
        if let text = filter.feed(body) {
            try output.write(Self.endingLine(text + filter.finish()))
        } else {
            try output.write("(\((mediaType ?? "binary data").safeToShow), \(body.count) bytes, not shown)\n")
        }
    }

    private static func isJSON(_ body: [UInt8]) -> Bool {
        var formatter = JSONFormatter(style: .none)
        var nothing: [UInt8] = []
        return (try? formatter.feed(body, into: &nothing)) != nil && (try? formatter.finish(into: &nothing)) != nil
    }

    private static func endingLine(_ text: [UInt8]) -> [UInt8] {
        text.isEmpty || text.last == UInt8(ascii: "\n") ? text : text + [UInt8(ascii: "\n")]
    }

    /// The JSON of a body, or the start of its text; nil if it is empty.
    private static func reported(_ body: [UInt8]) -> JSONValue? {
        if body.isEmpty { return nil }
        if body.count <= maxReportedBody, let value = try? JSONValue(text: body) { return value }
        return JSONValue(String(decoding: body.prefix(maxReportedBody), as: UTF8.self))
    }

    private func credentialHints(_ status: Int) -> [String] {
        guard status == 401 || status == 403 else { return [] }
        let used = plan.request.usedVariables
        let variables = plan.credentials.filter(\.isOptional).flatMap(\.alternatives).flatMap(\.variables)
        let unset = variables.filter { !environment.isSet($0) }
        return (used.isEmpty ? [] : ["The request was sent with \(used.joined(separator: " and "))."])
            + unset.map { "\($0) is not set; the request was sent without it." }
    }
}

extension BodyPrinter {
    /// The printer for `output` that `options` describe.
    init(_ options: CallOptions, _ environment: ProcessEnvironment, _ output: any ByteOutput) {
        self.init(
            output: output, style: options.compact ? .compact : .pretty(indent: .spaces(2)),
            palette: environment.palette(options.common.color, for: output))
    }
}

/// A response that should be JSON but is not, according to its content type.
struct NotJSON: Error {
    let mediaType: String?
    /// Whether it is a stream of documents or events.
    var isStream = false

    var description: String {
        if isStream { return "the response is a stream (\(mediaType ?? "")), not one JSON document" }
        return "the response is \(mediaType ?? "of unknown type"), not JSON"
    }
}

/// A response without a body although the model needs one.
struct MissingBody: Error {
    let head: ResponseHead
    let model: String

    var description: String { "the response (\(head.statusText)) has no body, expected \(model)" }
}
