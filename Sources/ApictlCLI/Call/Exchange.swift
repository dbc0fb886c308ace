import EndpointKit
import Synchronization

/// Sends the requests of a plan. Only here a client, a redactor, a retry policy and a log of the transfer are made.
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

    /// What a time limit is for.
    enum LimitScope {
        /// All that is done for the call, until its deadline.
        case ofCall
        /// Each request by itself.
        case ofRequest
    }

    /// Makes an exchange; it is silent unless it is `noted`.
    init(_ plan: CallPlan, _ context: CommandContext, limit scope: LimitScope = .ofRequest, isNoted: Bool = false) {
        let (output, choices, transfer) = (plan.options.output, plan.options.transfer, plan.transfer)
        // A limit that was not asked for begins now: a person may type a body for longer.
        let callDeadline = plan.deadline ?? transfer.maxTime.map { .now + $0 }
        let deadline = scope == .ofCall ? callDeadline : nil
        self.plan = plan
        self.context = context
        let environment = context.environment
        let passphrase = plan.connection.keyPassphrase.map { [SensitiveText([.secret($0)])] } ?? []
        var redactor = Redactor(plan.request, others: environment.proxySecrets + passphrase)
        // Servers repeat what is wrong in a body. A long one is not searched for the case that it is.
        if let body = plan.request.body?.bytes, body.count < 1_000_000 { redactor.add(plan.bodySecrets) }
        self.redactor = redactor
        limit = DecodingLimit(maxTime: transfer.maxTime, deadline: deadline, server: plan.request.base)
        notes = isNoted && !output.quiet && !context.reportsJSON ? environment.stderr : nil
        let log = ExchangeLog(
            subject: "\(context.tool): \(plan.name)", notes: notes, redactor: redactor)
        self.log = log
        var client = Client(
            transport: plan.options.purpose == .sample
                ? SampleTransport(endpoint: plan.endpoint) : environment.transport)
        client.transfer = transfer
        client.maxRedirects = choices.redirectLimit
        client.maxBodySize = choices.maxBytes ?? Client.defaultMaxBodySize
        client.retry.count = choices.retryCount
        client.retry.delay = choices.retryDelay
        client.retry.includesUnsafe = choices.retriesUnsafe
        client.retry.onRetry = { log.add($0) }
        client.retry.maxWait = choices.maxTime == nil ? TransferChoices.defaultTimeLimit : nil
        client.retry.onDenial = { denial in log.update { $0.retryDenial = denial } }
        client.transfer.deadline = deadline
        if output.verbosity > 0 {
            let wire = WireView(
                output: environment.stderr, verbosity: output.verbosity, redactor: redactor,
                body: plan.request.body?.bytes)
            client.transfer.onEvent = { wire.show($0) }
        }
        if output.timing || output.writeOut != nil {
            client.transfer.onTimes = { [redactor] times in
                var times = times
                // A redirect may repeat a secret in its path.
                times.url = redactor.redact(times.url)
                log.update { [times] in $0.transfers.append(times) }
            }
        }
        self.client = client
    }

    /// Sends `request`, by default the plan's, and passes the response to `consume`.
    ///
    /// What was written to `file` is discarded before another attempt. Throws ``Failure``, and `UsageError`, `OutputClosed` and
    /// `CancellationError` as they are.
    func run<Result>(
        _ request: Request? = nil, into file: (any FileReplacement)? = nil,
        consume: (StreamedResponse) async throws -> Result
    ) async throws -> Result {
        let recording = archive?.recording(client)
        defer { recording?.end([redactor]) }
        let client = recording?.client ?? client
        let request = request ?? plan.request
        log.update { ($0.request, $0.head) = (request, nil) }
        do {
            return try await client.exchange(request, mayRetry: { log.undo(file) }) { response in
                log.update { $0.head = response.head.redacted(by: redactor) }
                return try await consume(response)
            }
        } catch {
            throw failure(error)
        }
    }

    /// What is wrong with the call, with what is known of the exchange.
    func failure(_ error: any Error) -> any Error {
        if error is UsageError || error is OutputClosed || error is CancellationError { return error }
        // What is known of the exchange has been added already.
        if let failure = error as? Failure, failure.exchange.method != nil { return failure }
        let facts = log.facts
        let isKnown = error is Failure
        let mayRepeat = plan.request.method.isRetrieval
        var failure = Failure(error, endpoint: plan.name, options: plan.options, mayRepeat: mayRepeat)
        failure.exchange = Failure.ExchangeFacts(
            endpoint: plan.url == nil ? plan.name : nil, method: plan.request.method.rawValue, url: url,
            status: facts.head?.status, attempts: facts.attempts, body: failure.exchange.body)
        if !isKnown {
            failure.message = redactor.redact(failure.message)
            failure.hints = failure.hints.map(redactor.redact)
        }
        if !isKnown || failure.isStatus {
            if facts.attempts > 1 { failure.message += " (\(facts.attempts) attempts)" }
            if let denial = facts.retryDenial { failure.hints.append(denial.sentence) }
        }
        let isRepeatable = mayRepeat && !facts.hasPrinted
        if let hint = (error as? TransportError)?.hint(plan.options, context.variableNames, isRepeatable: isRepeatable)
        {
            failure.hints.append(hint)
        }
        return failure
    }
}

extension ResponseBody {
    /// This body, which calls `onChunk` with each chunk before it returns it, and with nil at the end, each time that it is asked for.
    func tap(_ onChunk: @escaping @Sendable ([UInt8]?) throws -> Void) -> ResponseBody {
        let body = self
        return ResponseBody {
            var chunks = body.makeAsyncIterator()
            let chunk = try await chunks.next()
            try onChunk(chunk)
            return chunk
        }
    }

    /// This body, which throws `error` instead of exceeding `limit` bytes.
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
    /// This response with a body that throws ``BodyTooLarge`` instead of exceeding `limit` bytes; nil is no limit.
    ///
    /// Throws at once if the headers announce a longer body; `isHead` is for the response to a HEAD request, which has none.
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
