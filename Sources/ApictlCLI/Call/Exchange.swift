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
    let decodingLimit: DecodingLimit
    /// The output for notes to people; nil if none are to be written.
    let notes: (any ByteOutput)?
    /// Whether a note tells how many keys of a response its model leaves out. An agent gets no such note, because it
    /// could not ask for the keys.
    var writesNoteOnOmittedKeys = false
    /// Whether a response with the status 401 ends the exchange with ``RejectedLogin``, so that the login is refreshed
    /// and the call is sent again.
    var reportsRejectedLogin = false

    var output: OutputOptions { plan.options.output }
    var environment: ProcessEnvironment { context.environment }
    /// The URL of the last request, without secrets.
    var url: String { redactor.redact((log.snapshot.request ?? plan.request).redactedURL) }

    /// The scope of the time limit of a call.
    enum LimitScope {
        /// All requests together, and the decoding of responses.
        case call
        /// Each request by itself.
        case request
    }

    /// Makes the exchange that sends the requests of a plan. All of its requests share a client, a redactor and a log.
    /// Sends nothing yet.
    ///
    /// - Parameters:
    ///   - plan: The plan of the call.
    ///   - context: The streams, files and transport to use.
    ///   - scope: What the time limit is for: all requests together, or each by itself.
    ///   - writesNotes: Whether notes about the exchange are written to stderr. There are none with `--quiet` and
    ///     `--json-errors`.
    ///   - cookies: The cookies to begin with. The client changes them with each response.
    init(
        _ plan: CallPlan, _ context: CommandContext, limit scope: LimitScope = .request, writesNotes: Bool = false,
        cookies: CookieJar = CookieJar()
    ) {
        self.plan = plan
        self.context = context
        var redactor = Self.makeRedactor(of: plan, context.environment)
        redactor.add(cookies: cookies)
        self.redactor = redactor
        let isSilenced = plan.options.output.quiet || context.reportsJSON
        notes = writesNotes && !isSilenced ? context.environment.stderr : nil
        log = ExchangeLog(subject: "\(context.tool): \(plan.name)", notes: notes, redactor: redactor)
        let deadline = scope == .call ? Self.deadline(of: plan) : nil
        decodingLimit = DecodingLimit(maxTime: plan.transfer.maxTime, deadline: deadline, server: plan.request.base)
        client = Self.makeClient(for: plan, context.environment)
        client.transfer.cookies = cookies
        client.transfer.deadline = deadline
        observeClient()
    }

    /// Returns the time when a call must have ended; nil without a time limit.
    ///
    /// A limit of `--max-time` counts from the start of the command, so the plan has its deadline already. The default
    /// limit counts from now, after stdin has been read, because a person may take longer than 30 seconds to type a
    /// body.
    private static func deadline(of plan: CallPlan) -> ContinuousClock.Instant? {
        plan.deadline ?? plan.transfer.maxTime.map { .now + $0 }
    }

    /// The longest body, in bytes, that is searched for secrets. Searching a longer one would take too long for the
    /// rare case that the server repeats it.
    private static let maxSearchedBody = 1_000_000

    /// Makes the redactor of all secrets that a server or a library may repeat: those of the request, its body, the
    /// login and the proxies.
    ///
    /// The passphrase of the client's key is not among them: it is never sent, and the messages about a key do not have
    /// it. A passphrase such as `wrong` would remove words of these messages.
    private static func makeRedactor(of plan: CallPlan, _ environment: ProcessEnvironment) -> Redactor {
        var redactor = Redactor(plan.request, others: environment.proxySecrets)
        redactor.add(plan.loginSecrets)
        // To search a very long body for secrets would take too long.
        if let body = plan.request.body?.bytesInMemory, body.count < maxSearchedBody {
            redactor.add(plan.bodySecrets)
        }
        return redactor
    }

    /// Makes a client that sends requests with the limits and retries that the options ask for. With `--sample`, the
    /// sample responds and nothing is sent.
    private static func makeClient(for plan: CallPlan, _ environment: ProcessEnvironment) -> Client {
        let isSample = plan.options.purpose == .sample
        var client = Client(transport: isSample ? SampleTransport(endpoint: plan.endpoint) : environment.transport)
        let choices = plan.options.transfer
        client.transfer = plan.transfer
        client.maxRedirects = choices.redirectLimit
        client.maxBodySize = choices.maxBytes ?? Client.defaultMaxBodySize
        client.retry.count = choices.retryCount
        client.retry.delay = choices.retryDelay
        client.retry.includesUnsafe = choices.retriesUnsafe
        // With `--max-time`, the time limit of the call bounds the waits between attempts, and they need no own limit.
        client.retry.maxWait = choices.maxTime == nil ? TransferChoices.defaultTimeLimit : nil
        return client
    }

    /// Makes the client report its requests.
    ///
    /// Retries and times go to ``log``. With `--verbose`, the transfer is shown on stderr. A terminal shows the number
    /// of sent bytes.
    private mutating func observeClient() {
        // The closures get copies, because they can't capture `self` in a mutating function.
        let log = log
        let redactor = redactor
        let output = plan.options.output
        client.retry.onRetry = { retry in log.countAndNote(retry) }
        client.retry.onDenial = { denial in log.update { $0.retryDenial = denial } }
        if output.verbosity > 0 {
            let transferView = makeTransferView()
            client.transfer.onEvent = { transferView.show($0) }
        }
        if let activityLine = context.activity {
            client.transfer.onSent = { sentBytes, totalBytes in activityLine.set(sent: sentBytes, of: totalBytes) }
        }
        if output.timing || output.writeOut != nil {
            client.transfer.onTimes = { times in
                // A redirect may repeat a secret in its path.
                let redactedURL = redactor.redact(times.url)
                log.update { content in
                    var redactedTimes = times
                    redactedTimes.url = redactedURL
                    content.transfers.append(redactedTimes)
                }
            }
        }
    }

    /// Makes the view of the transfer that `--verbose` shows on stderr.
    ///
    /// The view also removes the passphrase of the client's key, because libcurl's own log may have it.
    private func makeTransferView() -> WireView {
        var redactor = redactor
        if let passphrase = plan.connection.keyPassphrase?.reveal() { redactor.add([passphrase]) }
        return WireView(
            output: environment.stderr, verbosity: plan.options.output.verbosity, redactor: redactor,
            body: plan.request.body?.bytes)
    }

    /// Sends a request, retries it if necessary, and passes the response to `consume`.
    ///
    /// The request and the head of the response are stored in ``log``. With `--har`, the exchange is recorded, also if
    /// it fails. Before a retry, the bytes that the failed attempt wrote to `file` are discarded. Output on stdout
    /// can't be taken back, so there is no retry after it.
    ///
    /// - Parameters:
    ///   - request: The request; by default that of the plan.
    ///   - file: The file that `consume` writes; nil if it writes none.
    ///   - consume: Reads the response.
    /// - Throws: The errors of the transport and of `consume`. Use ``reportedError(for:callName:)`` to make a failure
    ///   of them. ``RejectedLogin`` for a 401, if ``reportsRejectedLogin`` is true.
    func run<Result>(
        _ request: Request? = nil, into file: (any FileReplacement)? = nil,
        consume: (StreamedResponse) async throws -> Result
    ) async throws -> Result {
        // Nil without `--har`. The client of a recording also records what it sends and receives.
        let recording = archive?.recording(client)
        defer { recording?.end([redactorWithCurrentCookies]) }
        let sendingClient = recording?.client ?? client
        // Only the first request may start the call again, because later ones, such as those of pages, follow output.
        let isFirstRequest = log.snapshot.request == nil
        let endsAfterUnauthorized = reportsRejectedLogin && isFirstRequest
        var request = request ?? plan.request
        // A sample needs no credential, so that secrets of signers may have no value.
        if plan.options.purpose == .sample { request = request.showingSignatures() }
        log.begin(request)
        return try await sendingClient.exchange(request, mayRetry: { log.undoAttempt(writtenTo: file) }) { response in
            if endsAfterUnauthorized, response.head.status == 401 { throw RejectedLogin() }
            log.update { $0.head = response.head.redacted(by: redactor) }
            return try await consume(reportingActivity(of: response))
        }
    }

    /// The redactor of the call, with the cookies that servers have set meanwhile.
    private var redactorWithCurrentCookies: Redactor {
        var redactor = redactor
        if let cookies = client.transfer.cookies { redactor.add(cookies: cookies) }
        return redactor
    }

    /// Returns a response that shows on a terminal how many bytes of its body have been received.
    private func reportingActivity(of response: StreamedResponse) -> StreamedResponse {
        guard let activity = context.activity else { return response }
        var observed = response
        observed.body = response.body.tap { activity.add(received: $0?.count ?? 0) }
        return observed
    }

    /// Sends the plan's request and reads the whole response.
    ///
    /// - Parameter limit: The most bytes of the body.
    /// - Throws: ``Failure``, ``UsageError`` and ``OutputClosed``.
    func readResponse(limit: Int) async throws -> Response {
        do {
            return try await run { streamed in
                Response(head: streamed.head, body: try await streamed.wholeBody(limit: limit))
            }
        } catch {
            throw reportedError(for: error)
        }
    }

    /// The printer of failures of this exchange, which writes to stderr.
    var failurePrinter: FailurePrinter {
        FailurePrinter(
            plan: plan, stderr: environment.stderr, redactor: redactor,
            isColored: environment.isColored(plan.options.common.color, environment.stderr),
            reportsJSON: context.reportsJSON)
    }

    /// Makes the printer of a response of this exchange.
    ///
    /// - Parameters:
    ///   - file: The file for the body; nil is stdout.
    ///   - earlierBytes: How many bytes earlier requests have written to the file. The progress that a terminal shows
    ///     begins with them.
    func makePrinter(file: (any FileReplacement)? = nil, earlierBytes: Int = 0) -> ResponsePrinter {
        ResponsePrinter(
            plan: plan, environment: environment, failurePrinter: failurePrinter, log: log,
            decodingLimit: decodingLimit, notes: notes, writesNoteOnOmittedKeys: writesNoteOnOmittedKeys,
            file: file, earlierFileBytes: earlierBytes)
    }
}

extension ResponseBody {
    /// Returns this body with an observer of its chunks, which may count the bytes or write them to a second file.
    ///
    /// - Parameter onChunk: Gets each chunk before the reader does, and nil at the end. An error that it throws ends
    ///   the body.
    func tap(_ onChunk: @escaping @Sendable ([UInt8]?) throws -> Void) -> ResponseBody {
        let body = self
        return ResponseBody {
            // All iterators of a body share its position, so that this is the next chunk.
            var chunks = body.makeAsyncIterator()
            let chunk = try await chunks.next()
            try onChunk(chunk)
            return chunk
        }
    }

    /// Returns this body with a limit for its length.
    ///
    /// - Parameters:
    ///   - limit: The most bytes.
    ///   - error: The error that the body throws in place of the chunk with which it exceeds the limit.
    func limited(to limit: Int, throwing error: some Error) -> ResponseBody {
        let remainingBytes = Mutex(limit)
        return tap { chunk in
            let isTooLong = remainingBytes.withLock { remaining in
                // The end of the body, for which the chunk is nil, has no bytes.
                remaining -= chunk?.count ?? 0
                return remaining < 0
            }
            if isTooLong { throw error }
        }
    }
}

extension StreamedResponse {
    /// Returns this response with a body that throws `BodyTooLarge` as soon as it is longer than the limit.
    ///
    /// - Parameters:
    ///   - limit: The most bytes; nil is no limit.
    ///   - isHead: Whether this is the response to a HEAD request. It announces the length of a body that it does not
    ///     have.
    /// - Throws: `BodyTooLarge` at once if the headers announce a longer body.
    func limited(to limit: Int?, isHead: Bool = false) throws(BodyTooLarge) -> StreamedResponse {
        guard let limit else { return self }
        if !isHead, let announcedLength = head.bodyLength, announcedLength > limit {
            throw BodyTooLarge(limit: limit)
        }
        var limited = self
        limited.body = body.limited(to: limit, throwing: BodyTooLarge(limit: limit))
        return limited
    }
}

/// A transport without a network, which responds to every request with the endpoint's sample.
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
