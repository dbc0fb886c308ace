import EndpointKit
import JSONText

/// Prints a successful response: decoded through its model, as the server sent it, or into a file.
struct ResponsePrinter {
    let plan: CallPlan
    let environment: ProcessEnvironment
    let redactor: Redactor
    /// The time limit for decoding.
    let limit: DecodingLimit

    private var options: CallOptions { plan.options }
    private var notes: ResponseNotes { ResponseNotes(options, environment) }
    private var model: ResponseModel { plan.endpoint.response }

    /// Throws `JSONSyntaxError`, `ModelMismatch`, `ReportedFailure`, ``NotJSON``, ``MissingBody`` and `BodyTooLarge`.
    ///
    /// `extent` is the part of the file that the response contains; nil is the whole.
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
        } else if let view = plan.view, isJSON {
            return try await printRaw(view, response)
        } else {
            try printHeaders(response.head)
            if !options.include, [.head, .options].contains(plan.endpoint.method) {
                try notes.headers(response.head, redactor)
            }
            if let file {
                try await write(response.body, into: file, extent ?? DownloadExtent(of: response.head, isHead: isHead))
            } else if options.quiet {
                for try await _ in response.body {}
            } else if options.output == "-" {
                for try await chunk in response.body { try environment.stdout.write(chunk) }
            } else {
                // Bytes are printed as they came, whatever they are, unless a form is asked for.
                isJSON && (model.kind != .bytes || options.compact)
                    ? try await printRaw(response) : try await printExactly(response)
            }
            return .success
        }
    }

    /// With `--raw`, the view is of the body as it was sent.
    private func printRaw(_ view: ResultView, _ response: StreamedResponse) async throws -> ExitCode {
        let body = try await response.limited(to: options.maxBytes ?? ResponseLimit.decoded, isHead: false)
            .wholeBody()
        return try print(view, JSONDocument(body, check: limit.check()))
    }

    private func print(_ view: ResultView, _ document: JSONDocument) throws -> ExitCode {
        var printer = view.printer(environment, color: options.color, isQuiet: options.quiet)
        return try printer.print(document, check: limit.check())
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
            try report(error, body, response.head)
            throw error
        }
        let encodable = value as? any Encodable
        // The memory of a large body is needed for the text that is printed.
        let kept = notes.isWanted || encodable == nil ? model.document(body, response.head) : []
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
        if notes.isWanted {
            try notes.unexpectedKeys(
                in: kept, model, coding: plan.declaration.api.coding, mayRepeat: plan.request.method.isRetrieval,
                check: limit.check())
        }
        return .success
    }

    /// The JSON text that is shown of a page, decoded through the model. Throws as ``print(_:into:extent:)`` does.
    func text(of page: Response) throws -> [UInt8] {
        do {
            let value = try decoded(page.body, page.head, page.head.isJSON ?? true)
            guard let value = value as? any Encodable else { return model.document(page.body, page.head) }
            return try writing(page.body, page.head).encode(value)
        } catch {
            try report(error, page.body, page.head)
            throw error
        }
    }

    /// The API's coding, which writes keys as they are in `body`.
    private func writing(_ body: [UInt8], _ head: ResponseHead) throws -> Coding {
        let coding = plan.declaration.api.coding
        guard case .convertFromSnakeCase = coding.keys else { return coding }
        return try coding.writingKeys(asIn: JSONDocument(model.document(body, head), check: limit.check()))
    }

    /// Shows a response that can't be printed: there may be no other copy, because what was requested has been carried out.
    private func report(_ error: any Error, _ body: [UInt8], _ head: ResponseHead) throws {
        try printHeadersOfFailure(head)
        if error is TransportError || error is CancellationError { return }
        try FailurePrinter(options: options, environment: environment, redactor: redactor)
            .printBody(body, mediaType: head.mediaType(redactedBy: redactor))
    }

    private func printHeadersOfFailure(_ head: ResponseHead) throws {
        if options.include, !options.quiet {
            try environment.stderr.write(head.shown(redactor, colors(environment.stderr)))
        }
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

    private func colors(_ output: any ByteOutput) -> HeadColors {
        HeadColors(options.color, for: output, environment)
    }

    private func printHeaders(_ head: ResponseHead) throws {
        if options.include, !options.quiet {
            try environment.stdout.write(head.shown(redactor, colors(environment.stdout)))
        }
    }

    /// With -vv, the log would interrupt the progress line.
    private var showsProgress: Bool {
        environment.stderr.isTerminal && environment.variable("TERM") != "dumb" && !options.quiet
            && options.verbosity < 2
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

    private func printRaw(_ response: StreamedResponse) async throws {
        var chunks = response.body.makeAsyncIterator()
        guard let first = try await chunks.next() else {
            // The model is for success only, and 204 has no body (RFC 9110, section 6.4.1).
            if model.kind == .json, response.head.isSuccess, response.head.status != 204 {
                throw MissingBody(head: response.head, model: model.name)
            }
            return try notes.noBody(response.head)
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
        case .empty: if plan.endpoint.method != .head { try notes.noBody(response.head) }
        case .binary:
            let type = response.head.mediaType(redactedBy: redactor) ?? "binary data"
            let advice = plan.request.method.isRetrieval ? "; use -o FILE" : ""
            try environment.stderr.write("\(type.safeToShow) is not shown on a terminal\(advice)\n")
        }
    }

    private var printer: BodyPrinter { BodyPrinter(options, environment, environment.stdout) }
}

extension BodyPrinter {
    /// The printer for `output` that `options` describe.
    init(_ options: CallOptions, _ environment: ProcessEnvironment, _ output: any ByteOutput) {
        self.init(
            output: output, style: options.compact ? .compact : .pretty(indent: .spaces(2)),
            palette: environment.palette(options.color, for: output))
    }
}
