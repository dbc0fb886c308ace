import EndpointKit
import JSONText

/// Carries out one call: request, transfer, and what is printed of the answer.
struct CallRunner {
    let declaration: EndpointDeclaration
    let options: CallOptions
    let environment: ProcessEnvironment
    let call: any API

    func run() async throws -> ExitCode {
        let endpoint = call.endpoint
        let isShownOnly = options.dryRun || options.sample
        let request = try RequestPreparation(
            options: options, environment: environment, userAgent: "apictl/\(Version.number)"
        )
        .request(call, missing: isShownOnly ? .placeholder : .fail)
        if options.dryRun {
            try RequestPrinter(output: environment.stdout).print(request)
            return .success
        }
        let redactor = Redactor(request)
        // Opened before anything is sent: a request must not be spent on an answer that can't be kept.
        let file = try options.output.flatMap { $0 == "-" ? nil : try environment.files.replace($0) }
        var isComplete = false
        defer { if !isComplete { file?.discard() } }
        do {
            let response = try await client(endpoint, redactor).stream(request)
            let code = try await show(response, endpoint, file, redactor)
            if code == .success {
                try file?.commit()
                isComplete = true
            }
            return code
        } catch let error as TransportError {
            throw TransportError(error.kind, redactor.redact(error.message))
        } catch let error as ReportedFailure {
            throw ReportedFailure(redactor.redact(error.message))
        }
    }

    private func client(_ endpoint: Endpoint, _ redactor: Redactor) -> Client {
        let log = WireLog(output: environment.stderr, verbosity: options.verbosity, redactor: redactor)
        var transfer = TransferOptions(
            maxTime: options.maxTime == .zero ? nil : options.maxTime,
            connectTimeout: options.connectTimeout == .zero ? nil : options.connectTimeout)
        if options.verbosity > 0 { transfer.onEvent = { log.show($0) } }
        let transport: any Transport =
            options.sample ? SampleTransport(endpoint: endpoint) : environment.transport
        return Client(transport: transport, transfer: transfer, maxRedirects: options.maxRedirects)
    }

    private func show(
        _ response: StreamedResponse, _ endpoint: Endpoint, _ file: (any FileReplacement)?, _ redactor: Redactor
    ) async throws -> ExitCode {
        guard response.head.isSuccess || options.anyStatus else {
            return try await fail(response, endpoint, redactor)
        }
        if options.include, !options.quiet { try environment.stdout.write(response.head.shown(redactor)) }
        if options.quiet || file != nil {
            for try await piece in response.body { try file?.write(piece) }
            return .success
        }
        let printer = printer(environment.stdout)
        let isJSON = response.head.isJSON ?? (endpoint.response.kind == .json)
        if options.output == "-" || endpoint.response.kind == .empty && !options.raw {
            try await printExactly(response, printer)
        } else if options.raw || !response.head.isSuccess || endpoint.response.kind != .json {
            isJSON ? try await printer.printJSON(response.body) : try await printExactly(response, printer)
        } else {
            try await printDecoded(response, endpoint.response, isJSON, printer)
        }
        return .success
    }

    private func printDecoded(
        _ response: StreamedResponse, _ model: ResponseModel, _ isJSON: Bool, _ printer: BodyPrinter
    ) async throws {
        let body = try await response.body.collect(limit: 100_000_000)
        if body.isEmpty { throw NotJSON(mediaType: nil, isEmpty: true, model: model.name) }
        do {
            let value = try model.decode(body)
            try printer.printJSON(try JSONCoding.encode(value))
        } catch let error as JSONSyntaxError where !isJSON && error.offset == 0 {
            throw NotJSON(mediaType: response.head.mediaType, isEmpty: false, model: model.name)
        }
    }

    private func printExactly(_ response: StreamedResponse, _ printer: BodyPrinter) async throws {
        if try await !printer.printOther(response.body) {
            let type = response.head.mediaType ?? "binary data"
            try environment.stderr.write(
                "apictl: \(type.safeToShow) is not shown on a terminal; use -o FILE\n")
        }
    }

    /// Prints the body of a failure onto stderr and throws what happened.
    private func fail(
        _ response: StreamedResponse, _ endpoint: Endpoint, _ redactor: Redactor
    ) async throws -> ExitCode {
        let code = ExitCode(status: response.head.status)
        if options.quiet { return code }
        if options.include { try environment.stderr.write(response.head.shown(redactor)) }
        let (body, isWhole) = try await response.body.prefix(upTo: 1_000_000)
        let printer = printer(environment.stderr)
        if let text = try? printed(body, printer, response.head), !body.isEmpty {
            try environment.stderr.write(redactor.redact(String(exactBytes: text)))
            if text.last != UInt8(ascii: "\n") { try environment.stderr.write("\n") }
        }
        let words = isWhole ? ErrorWords.find(in: body).map(redactor.redact) : nil
        throw StatusFailure(head: response.head, words: words, hints: hints(for: response.head, endpoint))
    }

    /// The body of a failure as text: indented where it is JSON, else as it is.
    private func printed(_ body: [UInt8], _ printer: BodyPrinter, _ head: ResponseHead) throws -> [UInt8] {
        let buffer = BufferOutput(isTerminal: printer.output.isTerminal)
        let inner = BodyPrinter(output: buffer, style: printer.style, palette: printer.palette)
        if (try? inner.printJSON(body)) != nil { return buffer.bytes }
        guard printer.output.isTerminal else { return body }
        var filter = TerminalFilter()
        return filter.feed(body).map { $0 + filter.finish() } ?? []
    }

    private func hints(for head: ResponseHead, _ endpoint: Endpoint) -> [String] {
        guard [401, 403].contains(head.status) else { return [] }
        let credentials = endpoint.credentials ?? declaration.api.credentials
        let unset = credentials.filter(\.isOptional).flatMap(\.alternatives).flatMap(\.variables).filter {
            (environment.variable($0) ?? "").isEmpty
        }
        return unset.map { "  \($0) is not set; the request went out without it." }
    }

    private func printer(_ output: any ByteOutput) -> BodyPrinter {
        BodyPrinter(
            output: output, style: options.compact ? .compact : .pretty(indent: .spaces(2)),
            palette: environment.palette(options.color, for: output))
    }
}

extension ResponseHead {
    /// Whether the content type says JSON; nil where there is none.
    var isJSON: Bool? {
        mediaType.map { type in
            type.hasSuffix("+json") || type.hasSuffix("/json") || type.hasSuffix("json-seq")
                || ["application/x-ndjson", "application/jsonl", "application/json-lines"].contains(type)
        }
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
