import EndpointKit
import JSONText

/// Prints a response with a failure status on stderr: first the body, then the status with the API's own message.
struct FailurePrinter {
    /// How much of the body is shown and searched for a message, in bytes.
    private static let bodyLimit = 1_000_000
    /// The largest JSON that is indented, in bytes: deep nesting can make it 500 times as long.
    private static let indentedLimit = 65_536

    let options: CallOptions
    let environment: ProcessEnvironment
    let redactor: Redactor

    /// Prints `response`, which answers `plan`. Throws ``StatusFailure``, or with `--quiet` returns its exit code.
    func print(_ response: StreamedResponse, to plan: CallPlan) async throws -> ExitCode {
        if options.quiet { return ExitCode(status: response.head.status) }
        let (body, isWhole, failure) = try await response.body.prefix(upTo: Self.bodyLimit)
        let head = response.head.redacted(by: redactor)
        if options.include {
            try environment.stderr.write(
                head.shown(redactor, HeadColors(options.color, for: environment.stderr, environment)))
        }
        try show(redactor.redact(body, isCut: !isWhole), mediaType: head.mediaType)
        let words = isWhole ? plan.declaration.api.failureMessage(in: body).map(redactor.redact) : nil
        throw StatusFailure(
            head: head, words: words,
            hints: hints(response.head.status, plan)
                + (failure.flatMap { body.isEmpty ? nil : ["The body is incomplete: \(redactor.redact($0.message))"] }
                    ?? [])
        )
    }

    /// Prints the body of a response that is a failure whatever its status, unless nothing is to be printed.
    func printBody(_ body: [UInt8], mediaType: String?) throws {
        guard !options.quiet, !body.isEmpty else { return }
        let shown = body.prefix(Self.bodyLimit)
        try show(redactor.redact(Array(shown), isCut: shown.count < body.count), mediaType: mediaType)
    }

    /// Writes the body: indented if it is JSON, otherwise unchanged, except that control characters are escaped on a terminal.
    private func show(_ body: [UInt8], mediaType: String?) throws {
        let output = environment.stderr
        let printer = BodyPrinter(options, environment, output)
        if body.count <= Self.indentedLimit, isJSON(body) { return try printer.printJSON(body) }
        guard output.isTerminal else { return try output.write(endingLine(body)) }
        var filter = TerminalFilter()
        if let text = filter.feed(body) {
            try output.write(endingLine(text + filter.finish()))
        } else {
            try output.write("(\((mediaType ?? "binary data").safeToShow), \(body.count) bytes, not shown)\n")
        }
    }

    private func isJSON(_ body: [UInt8]) -> Bool {
        var formatter = JSONFormatter(style: .none)
        var nothing: [UInt8] = []
        return (try? formatter.feed(body, into: &nothing)) != nil && (try? formatter.finish(into: &nothing)) != nil
    }

    private func endingLine(_ text: [UInt8]) -> [UInt8] {
        text.isEmpty || text.last == UInt8(ascii: "\n") ? text : text + [UInt8(ascii: "\n")]
    }

    private func hints(_ status: Int, _ plan: CallPlan) -> [String] {
        guard status == 401 || status == 403 else { return [] }
        let used = plan.request.usedVariables
        let variables = plan.credentials.filter(\.isOptional).flatMap(\.alternatives).flatMap(\.variables)
        let unset = variables.filter { !environment.isSet($0) }
        return (used.isEmpty ? [] : ["The request was sent with \(used.joined(separator: " and "))."])
            + unset.map { "\($0) is not set; the request was sent without it." }
    }
}
