import EndpointKit
import JSONText

/// Shows on stderr the bodies of responses that are failures or can't be printed.
struct FailurePrinter {
    /// The most bytes of such a body that are read, to show them and to look for a message.
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

    /// Shows the body of a response whose status is a failure.
    ///
    /// - Returns: The failure, with the API's own message from the body. With `--quiet`, nothing is read or shown, so
    ///   there is no message.
    /// - Throws: The error of stderr, and `CancellationError`.
    func failure(of response: StreamedResponse) async throws -> FailedStatus {
        let head = response.head.redacted(by: redactor)
        var failure = FailedStatus(head)
        if output.quiet { return failure }
        let (body, isWhole, error) = try await response.body.prefix(upTo: Self.maxBody)
        failure.body = try show(body, isWhole: isWhole, head)
        // The JSON of a body that was cut can't be parsed, so no message is looked for in it.
        failure.message = isWhole ? plan.declaration.api.failureMessage(in: body).map(redactor.redact) : nil
        failure.hints = credentialHints(head.status)
        if head.status == 407 { failure.hints.append(.fact(TransportError.proxyCredentials)) }
        if let error {
            let state = body.isEmpty ? "missing" : "incomplete"
            failure.hints.append(.fact("The body is \(state): \(redactor.redact(error.message))"))
        }
        return failure
    }

    /// Returns hints about the credentials of a request that was refused: which it had, or how it can have one.
    ///
    /// - Parameter status: The status of the response. Only 401 and 403 are about credentials.
    private func credentialHints(_ status: Int) -> [Hint] {
        guard [401, 403].contains(status) else { return [] }
        let request = plan.request
        // A header that the user sent or removed is a choice that needs no advice.
        let hasNone = plan.credentials.isEmpty && !request.specifies(header: "Authorization")
        if status == 401, hasNone, !plan.options.sendsNoCredential {
            return [.options("The request had no credential: -n takes one from ~/.netrc, -H 'NAME: VALUE' sends one.")]
        }
        return request.credentialHints(plan.credentials).map { .fact($0) }
    }

    /// Shows the body of a response that can't be printed on stdout.
    ///
    /// There may be no other copy of the body, because the server has carried out the request.
    ///
    /// - Parameters:
    ///   - error: The reason why the body can't be printed.
    ///   - body: The bytes that have been received.
    ///   - head: The head of the response, without secrets.
    /// - Returns: The error to throw. With `--json-errors`, it has the body.
    /// - Throws: The error of stderr.
    func unprintable(_ error: any Error, _ body: [UInt8], _ head: ResponseHead) throws -> any Error {
        // The body says nothing about a transfer that broke off or was interrupted.
        if error is TransportError || error is CancellationError || output.quiet || body.isEmpty {
            try printHeaders(head)
            return error
        }
        let shown = Array(body.prefix(Self.maxBody))
        let reported = try show(shown, isWhole: shown.count == body.count, head)
        return AnnotatedError(error, body: reported)
    }

    /// Returns the body of a failure for a report in JSON.
    ///
    /// - Parameters:
    ///   - body: The body, or its start.
    ///   - isWhole: Whether it is the whole body. At the end of a part, half a secret may stand.
    /// - Returns: The JSON of the body, or else the start of its text as a string. Nil if it is empty.
    func reported(_ body: [UInt8], isWhole: Bool = true) -> JSONValue? {
        let body = redactor.redact(body, isCut: !isWhole)
        if body.isEmpty { return nil }
        // A body that is not JSON is reported as a string.
        let json = body.count <= Self.maxJSON ? try? JSONValue(text: body) : nil
        return json ?? JSONValue(String(decoding: body.prefix(Self.maxJSON), as: UTF8.self))
    }

    /// Prints the headers of a failure if `--include` asks for them.
    func printHeaders(_ head: ResponseHead) throws {
        guard output.includesHeaders, !output.quiet, !reportsJSON else { return }
        try stderr.write(head.shown(redactor))
    }

    /// Shows the headers and the body on stderr, or returns the body for `--json-errors`.
    ///
    /// JSON is indented. Other text is unchanged, but on a terminal, control characters are escaped. Of binary data,
    /// a terminal gets only the type and the length.
    ///
    /// - Returns: The body for the report in JSON. Nil if the body was shown or is empty.
    private func show(_ body: [UInt8], isWhole: Bool, _ head: ResponseHead) throws -> JSONValue? {
        if reportsJSON { return reported(body, isWhole: isWhole) }
        try printHeaders(head)
        let redacted = redactor.redact(body, isCut: !isWhole)
        if try showJSON(redacted) { return nil }
        var output = BufferedOutput(stderr)
        // Nil means that stderr is a terminal and the body is binary data.
        if let text = TerminalFilter.shown(redacted, on: stderr) {
            try output.write(text)
        } else {
            let type = head.mediaType(redactedBy: redactor) ?? "binary data"
            try output.write("(\(type.safeToShow), \(redacted.count) bytes, not shown)")
        }
        try output.flush(endingLine: true)
        return nil
    }

    /// Writes a body to stderr as indented JSON.
    ///
    /// It is printed into a buffer first, so that nothing is written of a body that turns out not to be JSON.
    ///
    /// - Returns: False if the body is not JSON or too long to be indented. Then nothing has been written.
    private func showJSON(_ body: [UInt8]) throws -> Bool {
        guard body.count <= Self.maxJSON else { return false }
        let indented = BufferOutput(isTerminal: stderr.isTerminal)
        let style: JSONStyle = output.compact ? .compact : .pretty(indent: .spaces(2))
        do {
            try BodyPrinter(output: indented, style: style, isColored: isColored).printJSON(body)
        } catch {
            return false
        }
        try stderr.write(indented.bytes)
        return true
    }
}
