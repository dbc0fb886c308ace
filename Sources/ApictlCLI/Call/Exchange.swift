import EndpointKit
import Synchronization

/// Sends the requests of a plan. Only here are the client, the redactor and the log of a call made.
struct Exchange: Sendable {
    let plan: CallPlan
    let context: CommandContext
    var client: Client
    /// Removes secrets from what servers, proxies and libraries repeat.
    let redactor: Redactor
    let log: ExchangeLog
    /// Records the requests for `--har`.
    var archive: HARLog?
    /// The time limit for decoding.
    let limit: DecodingLimit
    /// Where notes for people go; nil if there are to be none.
    let notes: (any ByteOutput)?

    var output: OutputOptions { plan.options.output }
    var environment: ProcessEnvironment { context.environment }
    /// The URL of the last request, without secrets.
    var url: String { redactor.redact((log.facts.request ?? plan.request).redactedURL) }

    /// What is limited by the time limit of a call.
    enum LimitScope {
        /// All requests together, and the decoding of responses.
        case call
        /// Each request by itself.
        case request
    }

    /// Makes the exchange of a plan.
    ///
    /// - Parameter isNoted: Whether notes about it are written to stderr.
    init(_ plan: CallPlan, _ context: CommandContext, limit scope: LimitScope = .request, isNoted: Bool = false) {
        self.plan = plan
        self.context = context
        redactor = Self.redactor(plan, context.environment)
        let isSilent = plan.options.output.quiet || context.reportsJSON
        notes = isNoted && !isSilent ? context.environment.stderr : nil
        log = ExchangeLog(subject: "\(context.tool): \(plan.name)", notes: notes, redactor: redactor)
        let deadline = scope == .call ? Self.deadline(plan) : nil
        limit = DecodingLimit(maxTime: plan.transfer.maxTime, deadline: deadline, server: plan.request.base)
        client = Self.client(plan, context.environment)
        client.transfer.deadline = deadline
        observeClient()
    }

    /// The time when a call must have ended; nil without a time limit.
    ///
    /// The limit of `--max-time` includes what came before the exchange. The default limit begins with the exchange, so that
    /// a person may type a body on stdin for longer.
    private static func deadline(_ plan: CallPlan) -> ContinuousClock.Instant? {
        plan.deadline ?? plan.transfer.maxTime.map { .now + $0 }
    }

    /// The redactor of all secrets that a server or a library may repeat.
    private static func redactor(_ plan: CallPlan, _ environment: ProcessEnvironment) -> Redactor {
        let passphrase = plan.connection.keyPassphrase.map { [SensitiveText([.secret($0)])] } ?? []
        var redactor = Redactor(plan.request, others: environment.proxySecrets + passphrase)
        // Servers repeat what is wrong in a body. A long one is not searched for the case that it is.
        if let body = plan.request.body?.bytes, body.count < 1_000_000 { redactor.add(plan.bodySecrets) }
        return redactor
    }

    /// The client that sends requests in the way that the options of a plan ask for.
    private static func client(_ plan: CallPlan, _ environment: ProcessEnvironment) -> Client {
        let isSample = plan.options.purpose == .sample
        var client = Client(transport: isSample ? SampleTransport(endpoint: plan.endpoint) : environment.transport)
        let choices = plan.options.transfer
        client.transfer = plan.transfer
        client.maxRedirects = choices.redirectLimit
        client.maxBodySize = choices.maxBytes ?? Client.defaultMaxBodySize
        client.retry.count = choices.retryCount
        client.retry.delay = choices.retryDelay
        client.retry.includesUnsafe = choices.retriesUnsafe
        client.retry.maxWait = choices.maxTime == nil ? TransferChoices.defaultTimeLimit : nil
        return client
    }

    /// Lets the client tell the log about retries and times, and show the transfer with `--verbose`.
    private mutating func observeClient() {
        let (log, redactor, output) = (log, redactor, plan.options.output)
        client.retry.onRetry = { log.add($0) }
        client.retry.onDenial = { denial in log.update { $0.retryDenial = denial } }
        if output.verbosity > 0 {
            let wire = WireView(
                output: environment.stderr, verbosity: output.verbosity, redactor: redactor,
                body: plan.request.body?.bytes)
            client.transfer.onEvent = { wire.show($0) }
        }
        if output.timing || output.writeOut != nil {
            client.transfer.onTimes = { times in
                var times = times
                // A redirect may repeat a secret in its path.
                times.url = redactor.redact(times.url)
                log.update { [times] in $0.transfers.append(times) }
            }
        }
    }

    /// Sends `request`, by default the plan's, and passes the response to `consume`.
    ///
    /// What was written to `file` is discarded before another attempt.
    ///
    /// - Throws: What the transport and `consume` throw; ``failure(_:of:)`` makes a failure of it.
    func run<Result>(
        _ request: Request? = nil, into file: (any FileReplacement)? = nil,
        consume: (StreamedResponse) async throws -> Result
    ) async throws -> Result {
        let recording = archive?.recording(client)
        defer { recording?.end([redactor]) }
        let client = recording?.client ?? client
        let request = request ?? plan.request
        log.update { log in
            log.request = request
            log.head = nil
        }
        // Only what can be undone may be written a second time.
        let undo = { log.undo(file) }
        return try await client.exchange(request, mayRetry: undo) { response in
            log.update { $0.head = response.head.redacted(by: redactor) }
            return try await consume(response)
        }
    }

    /// Sends the plan's request for a part of a command that needs the whole response.
    ///
    /// - Throws: ``Failure``, ``UsageError`` and ``OutputClosed``.
    func response(limit: Int) async throws -> Response {
        do {
            return try await run { streamed in
                Response(head: streamed.head, body: try await streamed.wholeBody(limit: limit))
            }
        } catch {
            throw failure(error)
        }
    }

    /// The printer of responses of this exchange.
    ///
    /// - Parameters:
    ///   - file: Where the body is written, in place of stdout.
    ///   - start: How many bytes of the file earlier requests have written.
    func printer(file: (any FileReplacement)? = nil, start: Int = 0) -> ResponsePrinter {
        let failures = FailurePrinter(
            plan: plan, stderr: environment.stderr, redactor: redactor,
            isColored: environment.isColored(plan.options.common.color, environment.stderr),
            reportsJSON: context.reportsJSON)
        return ResponsePrinter(
            plan: plan, environment: environment, failures: failures, log: log, limit: limit, notes: notes,
            file: file, start: start)
    }
}

extension ResponseBody {
    /// Returns this body with an observer: `onChunk` gets each chunk before the reader does, and nil at the end.
    func tap(_ onChunk: @escaping @Sendable ([UInt8]?) throws -> Void) -> ResponseBody {
        let body = self
        return ResponseBody {
            var chunks = body.makeAsyncIterator()
            let chunk = try await chunks.next()
            try onChunk(chunk)
            return chunk
        }
    }

    /// Returns this body, which throws `error` in place of more than `limit` bytes.
    func limited(to limit: Int, _ error: some Error) -> ResponseBody {
        let left = Mutex(limit)
        return tap { chunk in
            let fits = left.withLock { left in
                left -= chunk?.count ?? 0
                return left >= 0
            }
            if !fits { throw error }
        }
    }
}

extension StreamedResponse {
    /// Returns this response with a body that throws `BodyTooLarge` in place of more than `limit` bytes.
    ///
    /// - Parameters:
    ///   - limit: The most bytes; nil is no limit.
    ///   - isHead: Whether this is the response to a HEAD request, which announces a body that it does not have.
    /// - Throws: `BodyTooLarge` if the headers announce a longer body.
    func limited(to limit: Int?, isHead: Bool = false) throws(BodyTooLarge) -> StreamedResponse {
        guard let limit else { return self }
        if !isHead, let length = head.bodyLength, length > limit { throw BodyTooLarge(limit: limit) }
        var copy = self
        copy.body = body.limited(to: limit, BodyTooLarge(limit: limit))
        return copy
    }
}

/// Responds to every request with the endpoint's sample, without a network.
private struct SampleTransport: Transport {
    let endpoint: Endpoint

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        guard let sample = endpoint.sampleResponse else {
            throw TransportError(.invalidRequest, detail: "the endpoint has no sample")
        }
        options.onEvent?(.requestHead(Array(request.shownHeaders(Redactor(request)).utf8)))
        options.onEvent?(.responseHead(Array(sample.head.lines.joined(separator: "\n").utf8)))
        return StreamedResponse(head: sample.head, body: ResponseBody(bytes: sample.body))
    }
}
