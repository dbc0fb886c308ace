import EndpointKit
import JSONText

/// Shows the answer of a call that went well: decoded through its model, as the server sent it, or into a file.
struct AnswerPrinter {
    /// The longest body that is held in memory to be decoded, in bytes.
    private static let decodedLimit = 100_000_000

    let options: CallOptions
    let environment: ProcessEnvironment
    let redactor: Redactor

    /// Throws `JSONSyntaxError`, `ModelMismatch`, `ReportedFailure`, ``NotJSON`` and `BodyTooLarge` for an answer that is not what
    /// it should be.
    func print(_ response: StreamedResponse, of endpoint: Endpoint, into file: (any FileReplacement)?) async throws {
        let model = endpoint.response
        let isJSON = response.head.isJSON ?? (model.kind == .json)
        let isDecoded = model.kind == .json && !options.raw && response.head.isSuccess
        if options.quiet, file == nil, isDecoded {
            // The exit code is the same as with output.
            _ = try await decoded(response, model, isJSON)
        } else if options.quiet || file != nil {
            try printHead(response.head)
            for try await piece in response.body { try file?.write(piece) }
        } else if options.output == "-" {
            try printHead(response.head)
            for try await piece in response.body { try environment.stdout.write(piece) }
        } else if isDecoded {
            // Nothing is printed before the whole is known to fit, so that a failure leaves stdout empty.
            let value: any Encodable
            do {
                value = try await decoded(response, model, isJSON)
            } catch {
                if options.include { try environment.stderr.write(response.head.shown(redactor)) }
                throw error
            }
            try printHead(response.head)
            try printer.printJSON(try JSONCoding.encode(value))
        } else {
            try printHead(response.head)
            isJSON ? try await printRaw(response, model) : try await printExactly(response)
        }
    }

    private func printHead(_ head: ResponseHead) throws {
        if options.include, !options.quiet { try environment.stdout.write(head.shown(redactor)) }
    }

    private func decoded(
        _ response: StreamedResponse, _ model: ResponseModel, _ isJSON: Bool
    ) async throws -> any Encodable {
        let body = try await response.body.collect(limit: Self.decodedLimit)
        if body.isEmpty { throw EmptyAnswer(head: response.head, model: model.name) }
        do {
            return try model.decode(body)
        } catch let error as JSONSyntaxError where !isJSON && body.prefix(error.offset).allSatisfy({ $0 <= 0x20 }) {
            throw NotJSON(mediaType: response.head.mediaType)
        }
    }

    private func printRaw(_ response: StreamedResponse, _ model: ResponseModel) async throws {
        var pieces = response.body.makeAsyncIterator()
        guard let first = try await pieces.next() else {
            // The model is for success only, and 204 has no body (RFC 9110, section 6.4.1).
            if model.kind == .json, response.head.isSuccess, response.head.status != 204 {
                throw EmptyAnswer(head: response.head, model: model.name)
            }
            return
        }
        var stream = printer.stream
        try stream.write(first)
        while let piece = try await pieces.next() { try stream.write(piece) }
        try stream.finish()
    }

    private func printExactly(_ response: StreamedResponse) async throws {
        if try await !printer.printOther(response.body) {
            let type = response.head.mediaType ?? "binary data"
            try environment.stderr.write("\(type.safeToShow) is not shown on a terminal; use -o FILE\n")
        }
    }

    private var printer: BodyPrinter { BodyPrinter(options, environment, environment.stdout) }
}

extension BodyPrinter {
    /// The printer that `options` ask for on `output`.
    init(_ options: CallOptions, _ environment: ProcessEnvironment, _ output: any ByteOutput) {
        self.init(
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
