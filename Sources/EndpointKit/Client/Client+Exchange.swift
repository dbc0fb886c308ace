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
    /// If the request is to be sent again, the failed response and its connection are released when this function
    /// returns, which is before the wait.
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
        // Interceptors may send the request from any thread.
        let wasRedirected = Lock(false)
        do {
            let finalResponse = try await interceptors.send(request) { request in
                try await followRedirects(
                    of: request, until: deadline, onRedirect: { wasRedirected.withLock { $0 = true } })
            }
            let response = finalResponse.reportingReceivedBytes(to: transfer.onReceived)
            if retry.isTransient(response.head) {
                let nextRetry = attempts.recordFailure(.status(response.head), mayRetry: mayRetry)
                if let nextRetry { return .retry(after: nextRetry.wait) }
            }
            return .finished(try await consume(response))
        } catch let error as TransportError where RetryPolicy.isTransient(error) {
            // After a redirect, the first server has processed the request, even if the second can't be reached.
            let mayBeProcessed = wasRedirected.withLock(\.self) || !error.isBeforeSending
            let failure = RetryAttempts.Failure.transport(error, mayBeProcessed: mayBeProcessed)
            guard let nextRetry = attempts.recordFailure(failure, mayRetry: mayRetry) else { throw error }
            return .retry(after: nextRetry.wait)
        }
    }

    /// Signs and sends a request, and follows redirects to the final response.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - deadline: When the time for all of these requests ends; nil is no limit.
    ///   - onRedirect: Called before each redirect that is followed.
    /// - Returns: The first response that is not a redirect to follow.
    /// - Throws: ``TransportError`` of the transport, for a redirect that must not be followed, and at the deadline.
    private func followRedirects(
        of request: Request, until deadline: ContinuousClock.Instant?, onRedirect: () -> Void
    ) async throws -> StreamedResponse {
        var redirects = RedirectChain(from: request, limit: maxRedirects)
        var options = transfer
        options.deadline = deadline
        while true {
            // The client certificate is only for the server that was called.
            options.connection =
                redirects.isAtFirstOrigin ? transfer.connection : transfer.connection.withoutClientCertificate
            // The transport itself reports a limit that ends before the first redirect.
            if let deadline, deadline <= .now, redirects.count > 0 {
                throw redirects.timeout(maxTime: transfer.maxTime)
            }
            // Signed as late as possible, because a signature is valid for a few minutes only.
            let signedRequest = try redirects.last.signed(now: now())
            let response = try await sendAndLog(signedRequest, options: options)
            let isRedirected = try redirects.follow(response.head)
            if !isRedirected { return response }
            onRedirect()
        }
    }

    /// Sends one request over the transport, and writes it and its response to the log.
    private func sendAndLog(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        guard let log else { return try await transport.send(request, options: options) }
        return try await log.sendAndLog(request, with: { try await transport.send(request, options: options) })
    }
}

extension TransportError {
    /// Whether the transfer failed before there was a connection, so that the server can't have seen the request.
    fileprivate var isBeforeSending: Bool { phase == .resolving || phase == .connecting }
}

/// The requests of one attempt: the original one, and one for each redirect that was followed.
private struct RedirectChain {
    private let firstRequest: Request
    /// The requests that responses have redirected to, in order.
    private var redirectedRequests: [Request] = []
    /// The greatest number of redirects to follow.
    private let limit: Int

    /// Creates a chain that starts with `request` and may have up to `limit` redirects.
    init(from request: Request, limit: Int) {
        firstRequest = request
        self.limit = limit
    }

    /// The last request of the chain, which is to be sent next.
    var last: Request { redirectedRequests.last ?? firstRequest }
    /// The number of redirects that were followed.
    var count: Int { redirectedRequests.count }
    /// Whether the last request goes to the same origin as the first one (RFC 6454).
    var isAtFirstOrigin: Bool { last.base.origin == firstRequest.base.origin }

    /// Adds the request that a response redirects to, if it is a redirect.
    ///
    /// - Parameter head: The head of the response to the last request of the chain.
    /// - Returns: Whether the response is a redirect, so that there is another request to send.
    /// - Throws: ``TransportError`` for a redirect that must not be followed, and for one redirect too many.
    mutating func follow(_ head: ResponseHead) throws(TransportError) -> Bool {
        // A limit of 0 means that the response to the first request is the final one, even if it is a redirect.
        guard limit > 0, let nextRequest = try last.redirected(by: head) else { return false }
        redirectedRequests.append(nextRequest)
        guard redirectedRequests.count <= limit else { throw tooManyRedirects() }
        return true
    }

    /// Returns the error that there are more redirects than the limit. The error lists the URLs of the requests in order.
    ///
    /// If the redirects form a loop, the list ends with the first URL that comes a second time. URLs that differ only in
    /// their secrets count as the same, because they look the same in the list.
    private func tooManyRedirects() -> TransportError {
        // Each request hides its own secrets in its URL. A server may also have put a secret of the first request into
        // the URL of a redirect, where only this redactor finds it.
        let redactor = Redactor(firstRequest)
        var shownURLs: [String] = []
        for request in [firstRequest] + redirectedRequests {
            let shownURL = redactor.redact(request.redactedURL)
            let isLoop = shownURLs.contains(shownURL)
            shownURLs.append(shownURL)
            if isLoop { break }
        }
        return TransportError(
            .tooManyRedirects(limit: limit, chain: shownURLs), server: TransportError.Peer(last.base))
    }

    /// Returns the error of a time limit that ended after the last redirect.
    ///
    /// - Parameter maxTime: The time limit of the call, which the error names.
    func timeout(maxTime: Duration?) -> TransportError {
        TransportError(
            .timedOut(.whole(maxTime)), phase: .redirecting, server: TransportError.Peer(last.base),
            detail: "after \(count) redirect\(count == 1 ? "" : "s")")
    }
}
