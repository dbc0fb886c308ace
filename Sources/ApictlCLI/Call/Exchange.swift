import EndpointKit
import Synchronization

/// Sends the requests of a plan. It makes the client, the redactor and the log of the call, so that there is one of
/// each.
struct Exchange: Sendable {
    let plan: CallPlan
    let context: CommandContext
    var client: Client
    /// Removes the call's secrets from texts, because servers, proxies and libraries may repeat them.
    let redactor: Redactor
    let log: ExchangeLog
    /// Records the requests for `--har`.
    var archive: HARLog?
    /// The time limit for decoding.
    let limit: DecodingLimit
    /// The output for notes to people; nil if none are to be written.
    let notes: (any ByteOutput)?
    /// Whether a note tells how many keys of a response its model leaves out. Agents could not ask for them.
    var notesKeys = false
    /// Whether a response with the status 401 ends the exchange with ``RejectedLogin``, so that the login is refreshed
    /// and the call is sent again.
    var reportsRejectedLogin = false

    var output: OutputOptions { plan.options.output }
    var environment: ProcessEnvironment { context.environment }
    /// The URL of the last request, without secrets.
    var url: String { redactor.redact((log.facts.request ?? plan.request).redactedURL) }

    /// The scope of the time limit.
    enum LimitScope {
        /// All requests together, and the decoding of responses.
        case call
        /// Each request by itself.
        case request
    }

    /// Makes the exchange of a plan.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - context: The context with streams, files and the transport.
    ///   - scope: What the time limit is for. With `.request`, there is no common deadline, so each request has the
    ///     whole limit.
    ///   - isNoted: Whether notes about the exchange are written to stderr.
    ///   - cookies: The cookies to begin with. They are kept from response to request within the call.
    init(
        _ plan: CallPlan, _ context: CommandContext, limit scope: LimitScope = .request, isNoted: Bool = false,
        cookies: CookieJar = CookieJar()
    ) {
        self.plan = plan
        self.context = context
        var redactor = Self.redactor(plan, context.environment)
        redactor.add(cookies: cookies)
        self.redactor = redactor
        let isSilent = plan.options.output.quiet || context.reportsJSON
        notes = isNoted && !isSilent ? context.environment.stderr : nil
        log = ExchangeLog(subject: "\(context.tool): \(plan.name)", notes: notes, redactor: redactor)
        let deadline = scope == .call ? Self.deadline(plan) : nil
        limit = DecodingLimit(maxTime: plan.transfer.maxTime, deadline: deadline, server: plan.request.base)
        client = Self.client(plan, context.environment)
        client.transfer.cookies = cookies
        client.transfer.deadline = deadline
        observeClient()
    }

    /// Returns the time when a call must have ended; nil without a time limit.
    ///
    /// If the user gave a limit with `--max-time`, the plan has the deadline, which counts from the start of the
    /// command. The default limit counts from here, after stdin has been read. So a person may take longer than 30
    /// seconds to type a body.
    private static func deadline(_ plan: CallPlan) -> ContinuousClock.Instant? {
        plan.deadline ?? plan.transfer.maxTime.map { .now + $0 }
    }

    /// Returns the redactor of all secrets that a server or a library may repeat: those of the request, of the proxies
    /// and of the body.
    ///
    /// The passphrase of the client's key is not among them: it is never sent, and the messages about a key do not have
    /// it. A passphrase such as `wrong` would remove words of these messages.
    private static func redactor(_ plan: CallPlan, _ environment: ProcessEnvironment) -> Redactor {
        var redactor = Redactor(plan.request, others: environment.proxySecrets)
        redactor.add(plan.loginSecrets)
        // Servers repeat what is wrong in a body. To search a longer body than 1 MB for secrets would take too long
        // for so rare a case.
        if let body = plan.request.body?.bytesInMemory, body.count < 1_000_000 { redactor.add(plan.bodySecrets) }
        return redactor
    }

    /// Returns a client that sends requests as the options of a plan ask for. With `--sample`, it sends nothing.
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
        // With `--max-time`, the time limit of the call also bounds the waits between attempts.
        client.retry.maxWait = choices.maxTime == nil ? TransferChoices.defaultTimeLimit : nil
        return client
    }

    /// Makes the client report retries and times to the log, and show the transfer with `--verbose`.
    private mutating func observeClient() {
        let (log, redactor, output) = (log, redactor, plan.options.output)
        client.retry.onRetry = { log.add($0) }
        client.retry.onDenial = { denial in log.update { $0.retryDenial = denial } }
        if output.verbosity > 0 {
            var wireRedactor = redactor
            // What a library notes down may have the passphrase. Messages about the key do not.
            if let passphrase = plan.connection.keyPassphrase?.reveal() { wireRedactor.add([passphrase]) }
            let wire = WireView(
                output: environment.stderr, verbosity: output.verbosity, redactor: wireRedactor,
                body: plan.request.body?.bytes)
            client.transfer.onEvent = { wire.show($0) }
        }
        if let activity = context.activity {
            client.transfer.onSent = { activity.set(sent: $0, of: $1) }
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

    /// Sends a request, retries it if necessary, and passes the response to `consume`.
    ///
    /// Before a retry, the bytes that the failed attempt wrote to `file` are discarded. If anything went to stdout,
    /// it can't be undone, and there is no retry.
    ///
    /// - Parameters:
    ///   - request: The request; by default that of the plan.
    ///   - file: The file that `consume` writes; nil if it writes none.
    ///   - consume: Reads the response.
    /// - Throws: The errors of the transport and of `consume`. Use ``failure(_:of:)`` to make a failure of them.
    func run<Result>(
        _ request: Request? = nil, into file: (any FileReplacement)? = nil,
        consume: (StreamedResponse) async throws -> Result
    ) async throws -> Result {
        let recording = archive?.recording(client)
        // The exchange is recorded for `--har`, also if it fails. The recording is written without the secrets, which
        // include the cookies that servers have set meanwhile.
        defer {
            var redactor = redactor
            if let cookies = client.transfer.cookies { redactor.add(cookies: cookies) }
            recording?.end([redactor])
        }
        let client = recording?.client ?? client
        let isFirst = log.facts.request == nil
        var request = request ?? plan.request
        // A sample needs no credential, so that secrets of signers may have no value.
        if plan.options.purpose == .sample { request = request.showingSignatures() }
        // The response of an earlier request, such as that of the page before, says nothing about this one.
        log.update { log in
            log.request = request
            log.head = nil
        }
        // The client calls this before a retry. False means that something was written that can't be undone, so that
        // a second attempt would write it twice.
        let undo = { log.undo(file) }
        return try await client.exchange(request, mayRetry: undo) { response in
            // After other responses, the call can't start again.
            if response.head.status == 401, isFirst, reportsRejectedLogin { throw RejectedLogin() }
            log.update { $0.head = response.head.redacted(by: redactor) }
            guard let activity = context.activity else { return try await consume(response) }
            var observed = response
            observed.body = response.body.tap { activity.add(received: $0?.count ?? 0) }
            return try await consume(observed)
        }
    }

    /// Sends the plan's request and reads the whole response, for a part of a command that needs all of it.
    ///
    /// - Parameter limit: The most bytes of the body.
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

    /// Returns a printer of responses of this exchange.
    ///
    /// - Parameters:
    ///   - file: The file for the body; nil is stdout.
    ///   - start: How many bytes of the file earlier requests have written, for the progress that a person sees.
    func printer(file: (any FileReplacement)? = nil, start: Int = 0) -> ResponsePrinter {
        let failures = FailurePrinter(
            plan: plan, stderr: environment.stderr, redactor: redactor,
            isColored: environment.isColored(plan.options.common.color, environment.stderr),
            reportsJSON: context.reportsJSON)
        return ResponsePrinter(
            plan: plan, environment: environment, failures: failures, log: log, limit: limit, notes: notes,
            notesKeys: notesKeys, file: file, start: start)
    }
}

extension ResponseBody {
    /// Returns this body with an observer.
    ///
    /// - Parameter onChunk: Gets each chunk before the reader does, and nil at the end. An error that it throws ends
    ///   the body.
    func tap(_ onChunk: @escaping @Sendable ([UInt8]?) throws -> Void) -> ResponseBody {
        let body = self
        return ResponseBody {
            var chunks = body.makeAsyncIterator()
            let chunk = try await chunks.next()
            try onChunk(chunk)
            return chunk
        }
    }

    /// Returns this body, cut by an error: it throws `error` in place of the chunk with which it exceeds `limit`
    /// bytes.
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
    /// Returns this response with a limit for its body, which throws `BodyTooLarge` when it exceeds the limit.
    ///
    /// - Parameters:
    ///   - limit: The most bytes; nil is no limit.
    ///   - isHead: Whether this is the response to a HEAD request. It announces the length of a body that it does not
    ///     have.
    /// - Throws: `BodyTooLarge` at once if the headers announce a longer body.
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

    /// Returns the endpoint's sample, whatever the request is. Reports request and response to `--verbose`, as a real
    /// transfer does.
    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        guard let sample = endpoint.sampleResponse else {
            throw TransportError(.invalidRequest, detail: "the endpoint has no sample")
        }
        options.onEvent?(.requestHead(Array(request.shownHeaders(Redactor(request)).utf8)))
        options.onEvent?(.responseHead(Array(sample.head.lines.joined(separator: "\n").utf8)))
        return StreamedResponse(head: sample.head, body: ResponseBody(bytes: sample.body))
    }
}
