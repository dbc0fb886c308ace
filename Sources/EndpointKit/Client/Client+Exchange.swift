import Locking

extension Client {
    /// Sends `request`, follows redirects, and passes the final response to `consume`. After a failure that may be
    /// temporary, waits and tries again, as the policy ``retry`` allows.
    ///
    /// A status such as 503, a ``TransportError`` of the transport, and one that `consume` throws are such failures.
    /// ``TransferOptions/maxTime`` limits all attempts and waits together.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - mayRetry: Called before an attempt that the policy allows. It returns false once part of a response has been
    ///     delivered and can't be undone.
    ///   - consume: Reads the final response.
    /// - Throws: The error of the last attempt: that of the transport or of `consume`, or ``TransportError`` for a
    ///   redirect that is not followed. `CancellationError` if the task is cancelled, also between attempts.
    package func exchange<Result>(
        _ request: Request, mayRetry: () -> Bool = { true }, consume: (StreamedResponse) async throws -> Result
    ) async throws -> Result {
        var deadline = transfer.deadline
        if deadline == nil, let maxTime = transfer.maxTime { deadline = .now + maxTime.clamped }
        var attempts = RetryAttempts(of: request.method, policy: retry, deadline: deadline)
        while true {
            let outcome = try await attempt(
                request, of: &attempts, until: deadline, mayRetry: mayRetry, consume: consume)
            switch outcome {
            case .finished(let result): return result
            case .retry(let wait): try await Task.sleep(for: wait)
            }
        }
    }

    /// How an attempt to send a request ended, unless with an error.
    private enum AttemptOutcome<Result> {
        /// The final response has been read.
        case finished(Result)
        /// The attempt failed, and there is another one after this wait.
        case retry(after: Duration)
    }

    /// Sends `request` once, follows redirects, and passes the final response to `consume`.
    ///
    /// A response that will be retried, and its connection, is released when this function returns, before the wait.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - attempts: Decides whether there is another attempt after a failure.
    ///   - deadline: When the time for all attempts ends; nil is no limit.
    ///   - mayRetry: Called before a retry that is otherwise allowed. It can still refuse the retry.
    ///   - consume: Reads the final response.
    /// - Throws: The error of the transport or of `consume` if there is no other attempt.
    private func attempt<Result>(
        _ request: Request, of attempts: inout RetryAttempts, until deadline: ContinuousClock.Instant?,
        mayRetry: () -> Bool, consume: (StreamedResponse) async throws -> Result
    ) async throws -> AttemptOutcome<Result> {
        let redirectCount = Lock(0)
        do {
            let response = try await interceptors.send(request) { request in
                try await follow(request, until: deadline) { redirectCount.withLock { $0 += 1 } }
            }.reportingReceivedBytes(to: transfer.onReceived)
            if retry.isTransient(response.head),
                let nextAttempt = attempts.next(after: .status(response.head), mayRetry: mayRetry)
            {
                return .retry(after: nextAttempt.wait)
            }
            return .finished(try await consume(response))
        } catch let error as TransportError where RetryPolicy.isTransient(error) {
            // After a redirect, the first server has processed the request, even if the second can't be reached.
            let mayBeProcessed = redirectCount.withLock { $0 > 0 } || !error.isBeforeSending
            let failure = RetryAttempts.Failure.transport(error, mayBeProcessed: mayBeProcessed)
            guard let nextAttempt = attempts.next(after: failure, mayRetry: mayRetry) else { throw error }
            return .retry(after: nextAttempt.wait)
        }
    }

    /// Sends a request and follows redirects to the final response.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - deadline: When the time for all of these requests ends; nil is no limit.
    ///   - onRedirect: Called before each redirect that is followed.
    /// - Returns: The first response that is not a redirect to follow.
    private func follow(
        _ request: Request, until deadline: ContinuousClock.Instant?, onRedirect: () -> Void
    ) async throws -> StreamedResponse {
        var redirects = RedirectChain(from: request, limit: maxRedirects)
        var options = transfer
        options.deadline = deadline
        while true {
            options.connection = transfer.connection
            // The client certificate is only for the server that was called.
            if !redirects.isAtFirstOrigin { options.connection = options.connection.withoutClientCertificate }
            // The transport itself reports a limit that ends before the first redirect.
            if let deadline, deadline <= .now, redirects.count > 0 {
                throw redirects.timeout(maxTime: transfer.maxTime)
            }
            // Signed as late as possible, because a signature holds for a short time only.
            let signedRequest = try redirects.last.signed(now: now())
            let response = try await send(signedRequest, options)
            let isRedirected = try redirects.append(following: response.head)
            if !isRedirected { return response }
            onRedirect()
        }
    }
}

extension Client {
    /// Sends one request over the transport, and writes it to the log.
    private func send(_ request: Request, _ options: TransferOptions) async throws -> StreamedResponse {
        guard let log else { return try await transport.send(request, options: options) }
        return try await log.logging(request) { try await transport.send(request, options: options) }
    }
}

extension TransportError {
    /// Whether the transfer failed before there was a connection, so that the server can't have seen the request.
    fileprivate var isBeforeSending: Bool { phase == .resolving || phase == .connecting }
}

/// The requests of one attempt: the original one, and one for each redirect that was followed.
private struct RedirectChain {
    private let first: Request
    /// The redirected requests in order.
    private var redirected: [Request] = []
    private let limit: Int

    /// A chain that starts with `request` and may have up to `limit` redirects.
    init(from request: Request, limit: Int) {
        first = request
        self.limit = limit
    }

    /// The request to send next.
    var last: Request { redirected.last ?? first }
    /// How many redirects were followed.
    var count: Int { redirected.count }
    /// Whether the last request goes to the same origin as the first one (RFC 6454).
    var isAtFirstOrigin: Bool { last.base.origin == first.base.origin }

    /// Adds the request that the response to the last one redirects to.
    ///
    /// - Returns: Whether there is a redirect to follow.
    /// - Throws: ``TransportError`` for a redirect that must not be followed, and for one too many.
    mutating func append(following head: ResponseHead) throws(TransportError) -> Bool {
        guard limit > 0, let next = try last.redirected(by: head) else { return false }
        redirected.append(next)
        guard redirected.count <= limit else { throw tooManyRedirects() }
        return true
    }

    /// Returns the error for more redirects than the limit, which shows the URLs in order.
    private func tooManyRedirects() -> TransportError {
        let redactor = Redactor(first)
        let urls = ([first] + redirected).map { redactor.redact($0.redactedURL) }
        // A loop is shown up to the first URL that comes a second time.
        let repeatedIndex = urls.indices.first { urls[..<$0].contains(urls[$0]) }
        let shownURLs = urls[...(repeatedIndex ?? urls.count - 1)]
        return TransportError(
            .tooManyRedirects(limit: limit, chain: Array(shownURLs)), server: TransportError.Peer(last.base))
    }

    /// The error of a time limit that ended after the last redirect.
    func timeout(maxTime: Duration?) -> TransportError {
        TransportError(
            .timedOut(.whole(maxTime)), phase: .redirecting, server: TransportError.Peer(last.base),
            detail: "after \(count) redirect\(count == 1 ? "" : "s")")
    }
}
