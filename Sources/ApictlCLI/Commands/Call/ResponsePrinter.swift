import EndpointKit
import JSONText

/// Shows the response of a call that succeeded: decoded through its model, as the server sent it, or into a file.
struct ResponsePrinter {
    let plan: CallPlan
    let environment: ProcessEnvironment
    let redactor: Redactor
    /// The time that decoding may take.
    let limit: DecodingLimit

    private var options: CallOptions { plan.options }
    private var model: ResponseModel { plan.endpoint.response }

    /// Throws `JSONSyntaxError`, `ModelMismatch`, `ReportedFailure`, ``NotJSON``, ``MissingBody`` and `BodyTooLarge`.
    ///
    /// `extent` is the part of the file that the response brings; nil is the whole.
    func print(
        _ response: StreamedResponse, into file: (any FileReplacement)?, extent: DownloadExtent? = nil
    ) async throws -> ExitCode {
        let isJSON = response.head.isJSON ?? (model.kind == .json)
        let isDecoded = plan.isDecoded && response.head.isSuccess
        let isHead = plan.endpoint.method == .head
        let response = try response.limited(
            to: options.maxBytes ?? (isDecoded ? ResponseLimit.decoded : nil), isHead: isHead)
        if isDecoded {
            return try await printDecoded(response, isJSON)
        } else if let selection = plan.selection, isJSON {
            return try await printSelection(selection, response)
        } else {
            try printHeaders(response.head)
            if let file {
                try await write(response.body, into: file, extent ?? DownloadExtent(of: response.head, isHead: isHead))
            } else if options.quiet {
                for try await _ in response.body {}
            } else if options.output == "-" {
                for try await chunk in response.body { try environment.stdout.write(chunk) }
            } else {
                isJSON ? try await printRaw(response) : try await printExactly(response)
            }
            return .success
        }
    }

    /// With `--raw`, the selection is made in the body as it was sent.
    private func printSelection(_ selection: Selection, _ response: StreamedResponse) async throws -> ExitCode {
        let body = try await response.limited(to: options.maxBytes ?? ResponseLimit.decoded, isHead: false).body
            .collect()
        return try print(selection, JSONDocument(body, check: limit.check()))
    }

    private func print(_ selection: Selection, _ document: JSONDocument) throws -> ExitCode {
        let output: any ByteOutput = options.quiet ? BufferOutput() : environment.stdout
        return try selection.print(
            document, to: output, palette: environment.palette(options.color, for: output), check: limit.check())
    }

    private func printDecoded(_ response: StreamedResponse, _ isJSON: Bool) async throws -> ExitCode {
        // Nothing is printed before the whole is known to fit, so that a failure leaves stdout empty.
        let value: any Encodable
        do {
            value = try await decoded(response, isJSON)
        } catch {
            if options.include, !options.quiet { try environment.stderr.write(response.head.shown(redactor)) }
            throw error
        }
        try printHeaders(response.head)
        let coding = plan.declaration.api.coding
        if let selection = plan.selection { return try print(selection, JSONDocument(coding.encode(value))) }
        // The exit code is the same as with output.
        if !options.quiet { try printer.print(value, coding: coding) }
        return .success
    }

    private func write(
        _ body: ResponseBody, into file: any FileReplacement, _ extent: DownloadExtent
    ) async throws {
        guard showsProgress, !file.isTerminal else {
            for try await chunk in body { try file.write(chunk) }
            return
        }
        let progress = Progress(
            output: environment.stderr, done: extent.start, total: extent.total, now: environment.now)
        try await progress.follow {
            for try await chunk in body {
                try file.write(chunk)
                progress.advance(by: chunk.count)
            }
        }
    }

    private func printHeaders(_ head: ResponseHead) throws {
        if options.include, !options.quiet { try environment.stdout.write(head.shown(redactor)) }
    }

    /// With -vv the transfer's own lines would interrupt it.
    private var showsProgress: Bool {
        environment.stderr.isTerminal && environment.variable("TERM") != "dumb" && !options.quiet
            && options.verbosity < 2
    }

    private func decoded(_ response: StreamedResponse, _ isJSON: Bool) async throws -> any Encodable {
        // A model describes one document, and a stream may never end.
        if response.head.isStream { throw NotJSON(mediaType: response.head.mediaType, isStream: true) }
        let body = try await response.body.collect()
        if body.isEmpty { throw MissingBody(head: response.head, model: model.name) }
        do {
            return try model.decode(body, coding: plan.declaration.api.coding, check: limit.check())
        } catch let error as JSONSyntaxError where !isJSON && body.prefix(error.offset).allSatisfy({ $0 <= 0x20 }) {
            throw NotJSON(mediaType: response.head.mediaType)
        }
    }

    private func printRaw(_ response: StreamedResponse) async throws {
        var chunks = response.body.makeAsyncIterator()
        guard let first = try await chunks.next() else {
            // The model is for success only, and 204 has no body (RFC 9110, section 6.4.1).
            if model.kind == .json, response.head.isSuccess, response.head.status != 204 {
                throw MissingBody(head: response.head, model: model.name)
            }
            return
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
