import EndpointKit
import JSONText

/// Shows the bodies of responses that are failures, or that can't be printed, on stderr.
struct FailurePrinter {
    /// How much of such a body is shown and searched for a message, in bytes.
    static let maxBody = 1_000_000
    /// The largest JSON of a failure that is indented or reported, in bytes: deep nesting can make it 500 times as long.
    private static let maxJSON = 65_536

    let plan: CallPlan
    let stderr: any ByteOutput
    let redactor: Redactor
    let isColored: Bool
    /// Whether stderr holds nothing but a failure as one line of JSON.
    let reportsJSON: Bool

    private var output: OutputOptions { plan.options.output }

    /// Shows the body of a response whose status is a failure.
    ///
    /// - Returns: The failure, with the API's own message.
    func failure(of response: StreamedResponse) async throws -> FailedStatus {
        let head = response.head.redacted(by: redactor)
        var failure = FailedStatus(head)
        if output.quiet { return failure }
        let (body, isWhole, error) = try await response.body.prefix(upTo: Self.maxBody)
        failure.body = try show(body, isWhole: isWhole, head)
        failure.message = isWhole ? plan.declaration.api.failureMessage(in: body).map(redactor.redact) : nil
        if [401, 403].contains(head.status) { failure.hints = plan.request.credentialHints(plan.credentials) }
        if let error {
            let state = body.isEmpty ? "missing" : "incomplete"
            failure.hints.append("The body is \(state): \(redactor.redact(error.message))")
        }
        return failure
    }

    /// Shows the body of a response that can't be printed. There may be no other copy of it, because the server has carried
    /// out the request.
    ///
    /// - Returns: The error, with the body for a report in JSON.
    func unprintable(_ error: any Error, _ body: [UInt8], _ head: ResponseHead) throws -> any Error {
        if error is TransportError || error is CancellationError || output.quiet || body.isEmpty {
            try printHeaders(head)
            return error
        }
        let shown = Array(body.prefix(Self.maxBody))
        let reported = try show(shown, isWhole: shown.count == body.count, head)
        return AnnotatedError(error, body: reported)
    }

    /// Returns the body of a failure for a report in JSON: its JSON, or the start of its text. Nil if it is empty.
    func reported(_ body: [UInt8], isWhole: Bool = true) -> JSONValue? {
        let body = redactor.redact(body, isCut: !isWhole)
        if body.isEmpty { return nil }
        let json = body.count <= Self.maxJSON ? try? JSONValue(text: body) : nil
        return json ?? JSONValue(String(decoding: body.prefix(Self.maxJSON), as: UTF8.self))
    }

    /// With `--include`, prints the headers of a failure.
    func printHeaders(_ head: ResponseHead) throws {
        guard output.includesHeaders, !output.quiet, !reportsJSON else { return }
        try stderr.write(head.shown(redactor))
    }

    /// Writes headers and body to stderr. JSON is indented, other text unchanged, except that control characters are escaped
    /// on a terminal.
    ///
    /// - Returns: The body for a report in JSON, if there will be one; then nothing is written.
    private func show(_ body: [UInt8], isWhole: Bool, _ head: ResponseHead) throws -> JSONValue? {
        if reportsJSON { return reported(body, isWhole: isWhole) }
        try printHeaders(head)
        let redacted = redactor.redact(body, isCut: !isWhole)
        if try showJSON(redacted) { return nil }
        var output = BufferedOutput(stderr)
        if let text = TerminalFilter.shown(redacted, on: stderr) {
            try output.write(text)
        } else {
            let type = head.mediaType(redactedBy: redactor) ?? "binary data"
            try output.write("(\(type.safeToShow), \(redacted.count) bytes, not shown)")
        }
        try output.flush(endingLine: true)
        return nil
    }

    /// Writes a body indented on stderr; false if it is not JSON, or too long for that.
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
