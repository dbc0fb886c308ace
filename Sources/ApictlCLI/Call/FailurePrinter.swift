import EndpointKit
import JSONText

/// Shows on stderr the bodies of responses that are failures or can't be printed.
struct FailurePrinter {
    /// The most bytes of the body of a failure that are read, to show them and to look for the API's message.
    static let maxBody = 1_000_000
    /// The longest JSON of a failure, in bytes, that is indented or reported. Indentation can make deeply nested JSON
    /// 500 times as long.
    private static let maxJSON = 65_536

    let plan: CallPlan
    let stderr: any ByteOutput
    let redactor: Redactor
    let isColored: Bool
    /// Whether stderr is for nothing but the failure as one line of JSON (`--json-errors`).
    let reportsJSON: Bool

    private var output: OutputOptions { plan.options.output }

    /// Shows on stderr the body of a response whose status is a failure, and its headers with `--include`. With
    /// `--quiet`, nothing is read or shown.
    ///
    /// - Returns: The error to throw. It has the API's own message from the body, hints about credentials, and with
    ///   `--json-errors` the body.
    /// - Throws: The error of stderr, and `CancellationError`.
    func showFailure(_ response: StreamedResponse) async throws -> FailedStatus {
        let head = response.head.redacted(by: redactor)
        var failure = FailedStatus(head)
        if output.quiet { return failure }
        let bodyStart = try await response.body.prefix(upTo: Self.maxBody)
        let body = bodyStart.bytes
        failure.body = try showOrReport(body, isWhole: bodyStart.isWhole, head: head)
        // The JSON of a body that was cut can't be parsed, so no message is looked for in it.
        if bodyStart.isWhole { failure.message = plan.declaration.api.failureMessage(in: body).map(redactor.redact) }
        failure.hints = credentialHints(status: head.status)
        let isFromProxy = head.status == 407
        if isFromProxy { failure.hints.append(.fact(TransportError.proxyCredentials)) }
        if let transferError = bodyStart.failure {
            let state = body.isEmpty ? "missing" : "incomplete"
            failure.hints.append(.fact("The body is \(state): \(redactor.redact(transferError.message))"))
        }
        return failure
    }

    /// Returns hints about the credentials of a request that was refused: which ones it had, or how to send one.
    ///
    /// - Parameter status: The status of the response. Only 401 and 403 are about credentials.
    private func credentialHints(status: Int) -> [Hint] {
        guard [401, 403].contains(status) else { return [] }
        let request = plan.request
        // A header that the user sent or removed is a choice that needs no advice.
        let hasNoCredential = plan.credentials.isEmpty && !request.specifies(header: "Authorization")
        if status == 401, hasNoCredential, !plan.options.sendsNoCredential {
            return [.options("The request had no credential: -n takes one from ~/.netrc, -H 'NAME: VALUE' sends one.")]
        }
        return request.credentialHints(plan.credentials).map { .fact($0) }
    }

    /// Shows on stderr the body of a response that can't be printed on stdout. The server has carried out the request,
    /// so there may be no other copy of the body.
    ///
    /// After a transfer that broke off or was interrupted, and with `--quiet`, the body is not shown.
    ///
    /// - Parameters:
    ///   - body: The bytes that have been received.
    ///   - head: The head of the response, without secrets.
    ///   - error: The reason why the body can't be printed.
    /// - Returns: The error to throw. With `--json-errors`, the body is a part of it instead of being shown.
    /// - Throws: The error of stderr.
    func showUnprintable(_ body: [UInt8], head: ResponseHead, because error: any Error) throws -> any Error {
        let isAboutTransfer = error is TransportError || error is CancellationError
        if isAboutTransfer || output.quiet || body.isEmpty {
            try printHeaders(head)
            return error
        }
        let bodyStart = Array(body.prefix(Self.maxBody))
        let isWhole = bodyStart.count == body.count
        return AnnotatedError(error, body: try showOrReport(bodyStart, isWhole: isWhole, head: head))
    }

    /// Returns the body of a failure for a report in JSON.
    ///
    /// - Parameters:
    ///   - body: The body, or its start.
    ///   - isWhole: Whether `body` is the whole body. Otherwise it may end within a secret, of which no part is
    ///     reported.
    /// - Returns: The JSON of the body, without secrets. The start of the text as a string if the body is too long or
    ///   not JSON. Nil if it is empty.
    func reportedBody(_ body: [UInt8], isWhole: Bool = true) -> JSONValue? {
        let redacted = redactor.redact(body, isCut: !isWhole)
        if redacted.isEmpty { return nil }
        if redacted.count <= Self.maxJSON, let json = try? JSONValue(text: redacted) { return json }
        return JSONValue(String(decoding: redacted.prefix(Self.maxJSON), as: UTF8.self))
    }

    /// Prints the headers of a failure on stderr if `--include` asks for them.
    func printHeaders(_ head: ResponseHead) throws {
        guard output.includesHeaders, !output.quiet, !reportsJSON else { return }
        try stderr.write(head.shown(redactor))
    }

    /// Shows the headers and the body on stderr. With `--json-errors`, nothing is shown, and the body is returned for
    /// the report.
    ///
    /// - Parameter isWhole: Whether `body` is the whole body, and not its start.
    /// - Returns: The body for the report in JSON. Nil if the body was shown or is empty.
    private func showOrReport(_ body: [UInt8], isWhole: Bool, head: ResponseHead) throws -> JSONValue? {
        if reportsJSON { return reportedBody(body, isWhole: isWhole) }
        try printHeaders(head)
        try show(redactor.redact(body, isCut: !isWhole), head: head)
        return nil
    }

    /// Shows a body without secrets on stderr.
    ///
    /// JSON is indented. Other text is unchanged, but on a terminal, control characters are escaped. Of binary data,
    /// a terminal gets only the type and the length.
    private func show(_ redacted: [UInt8], head: ResponseHead) throws {
        if let indented = indentedJSON(redacted) { return try stderr.write(indented) }
        var bufferedStderr = BufferedOutput(stderr)
        if let text = TerminalFilter.shown(redacted, on: stderr) {
            try bufferedStderr.write(text)
        } else {
            // The filter returns nil for binary data on a terminal.
            let type = head.mediaType(redactedBy: redactor) ?? "binary data"
            try bufferedStderr.write("(\(type.safeToShow), \(redacted.count) bytes, not shown)")
        }
        try bufferedStderr.flush(endingLine: true)
    }

    /// Returns a body as indented JSON; with `--compact`, as one line.
    ///
    /// - Returns: The JSON; nil if the body is not JSON, or longer than ``maxJSON``.
    private func indentedJSON(_ body: [UInt8]) -> [UInt8]? {
        guard body.count <= Self.maxJSON else { return nil }
        let indented = BufferOutput(isTerminal: stderr.isTerminal)
        let style: JSONStyle = output.compact ? .compact : .pretty(indent: .spaces(2))
        do {
            try BodyPrinter(output: indented, style: style, isColored: isColored).printJSON(body)
        } catch {
            return nil
        }
        return indented.bytes
    }
}
