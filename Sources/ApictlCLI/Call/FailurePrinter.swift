import EndpointKit

/// Shows an answer with a status of failure on stderr: the body, then what happened in the API's own words.
struct FailurePrinter {
    /// How much of the body is shown and searched for words, in bytes.
    private static let bodyLimit = 1_000_000

    let options: CallOptions
    let environment: ProcessEnvironment
    let redactor: Redactor

    /// Throws ``StatusFailure``, or gives its exit code where nothing is to be said.
    func print(_ response: StreamedResponse, credentials: [Credential]) async throws -> ExitCode {
        if options.quiet { return ExitCode(status: response.head.status) }
        let (body, isWhole) = try await response.body.prefix(upTo: Self.bodyLimit)
        let text = redactor.redact(String(exactBytes: printed(body)))
        if options.include { try environment.stderr.write(response.head.shown(redactor)) }
        if !text.isEmpty { try environment.stderr.write(text.utf8.last == UInt8(ascii: "\n") ? text : text + "\n") }
        let words = isWhole ? ErrorWords.find(in: body).map(redactor.redact) : nil
        var head = response.head
        head.reason = redactor.redact(head.reason)
        head.fields = head.fields.map { .init($0.name, redactor.redact($0.value)) }
        throw StatusFailure(head: head, words: words, hints: hints(response.head.status, credentials))
    }

    /// The body as text: indented where it is JSON, else as it is, on a terminal without anything that it would obey.
    private func printed(_ body: [UInt8]) -> [UInt8] {
        let buffer = BufferOutput(isTerminal: environment.stderr.isTerminal)
        let printer = BodyPrinter(options, environment, environment.stderr)
        var stream = FormattedOutput(output: buffer, style: printer.style, palette: printer.palette)
        do {
            try stream.write(body)
            try stream.finish()
            return buffer.bytes
        } catch {
            // Not JSON, which a body of an error need not be.
            guard buffer.isTerminal else { return body }
            var filter = TerminalFilter()
            return filter.feed(body).map { $0 + filter.finish() } ?? []
        }
    }

    private func hints(_ status: Int, _ credentials: [Credential]) -> [String] {
        guard status == 401 || status == 403 else { return [] }
        let variables = credentials.filter(\.isOptional).flatMap(\.alternatives).flatMap(\.variables)
        let unset = variables.filter { (environment.variable($0) ?? "").isEmpty }
        return unset.map { "\($0) is not set; the request went out without it." }
    }
}

extension ResponseBody {
    /// The first `limit` bytes, and whether they are all there is.
    func prefix(upTo limit: Int) async throws -> (bytes: [UInt8], isWhole: Bool) {
        var result: [UInt8] = []
        for try await piece in self {
            result += piece
            if result.count > limit { return (Array(result.prefix(limit)), false) }
        }
        return (result, true)
    }
}
