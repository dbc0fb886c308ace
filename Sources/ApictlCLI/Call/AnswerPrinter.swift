import EndpointKit
import JSONText

/// Shows the answer of a call that went well: decoded through its model, as the server sent it, or into a file.
struct AnswerPrinter {
    let options: CallOptions
    let environment: ProcessEnvironment
    let redactor: Redactor

    /// Throws `JSONSyntaxError`, `ModelMismatch`, `ReportedFailure`, ``NotJSON`` and `BodyTooLarge` for an answer that is not what
    /// it should be.
    ///
    /// `extent` is the part of the file that the answer brings; nil is the whole.
    func print(
        _ response: StreamedResponse, of endpoint: Endpoint, into file: (any FileReplacement)?,
        extent: DownloadExtent? = nil
    ) async throws {
        let model = endpoint.response
        let isJSON = response.head.isJSON ?? (model.kind == .json)
        let isDecoded = options.decodes(model) && response.head.isSuccess
        let response = try response.limited(
            to: options.maxBytes ?? (isDecoded ? AnswerLimit.decoded : nil), isHead: endpoint.method == .head)
        if isDecoded {
            try await printDecoded(response, model, isJSON)
        } else {
            try printHead(response.head)
            if let file {
                let extent = extent ?? DownloadExtent(of: response.head, isHead: endpoint.method == .head)
                try await write(response.body, into: file, extent)
            } else if options.quiet {
                for try await _ in response.body {}
            } else if options.output == "-" {
                for try await piece in response.body { try environment.stdout.write(piece) }
            } else {
                isJSON ? try await printRaw(response, model) : try await printExactly(response)
            }
        }
    }

    private func printDecoded(_ response: StreamedResponse, _ model: ResponseModel, _ isJSON: Bool) async throws {
        // Nothing is printed before the whole is known to fit, so that a failure leaves stdout empty.
        let value: any Encodable
        do {
            value = try await decoded(response, model, isJSON)
        } catch {
            if options.include, !options.quiet { try environment.stderr.write(response.head.shown(redactor)) }
            throw error
        }
        // The exit code is the same as with output.
        if options.quiet { return }
        try printHead(response.head)
        try printer.printJSON(try JSONCoding.encode(value))
    }

    private func write(
        _ body: ResponseBody, into file: any FileReplacement, _ extent: DownloadExtent
    ) async throws {
        guard showsProgress, !file.isTerminal else {
            for try await piece in body { try file.write(piece) }
            return
        }
        let progress = Progress(
            output: environment.stderr, done: extent.start, total: extent.total, now: environment.now)
        try await progress.follow {
            for try await piece in body {
                try file.write(piece)
                progress.advance(by: piece.count)
            }
        }
    }

    private func printHead(_ head: ResponseHead) throws {
        if options.include, !options.quiet { try environment.stdout.write(head.shown(redactor)) }
    }

    /// With -vv the transfer's own lines would end up in the middle of it.
    private var showsProgress: Bool {
        environment.stderr.isTerminal && environment.variable("TERM") != "dumb" && !options.quiet
            && options.verbosity < 2
    }

    private func decoded(
        _ response: StreamedResponse, _ model: ResponseModel, _ isJSON: Bool
    ) async throws -> any Encodable {
        // A model is of one document, and who waits for the end of a stream may wait forever.
        if response.head.isStream { throw NotJSON(mediaType: response.head.mediaType, isStream: true) }
        let body = try await response.body.collect()
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
        do {
            try stream.write(first)
            while let piece = try await pieces.next() { try stream.write(piece) }
        } catch let error where !(error is OutputClosed) {
            try stream.abandon()
            throw error
        }
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
                || Self.documentStreams.contains(type)
        }
    }

    /// Whether the content type says that documents or events follow each other, with an end or without.
    var isStream: Bool {
        mediaType.map { type in
            type == "text/event-stream" || type.hasSuffix("json-seq") || Self.documentStreams.contains(type)
        } ?? false
    }

    private static let documentStreams: Set = ["application/x-ndjson", "application/jsonl", "application/json-lines"]
}
