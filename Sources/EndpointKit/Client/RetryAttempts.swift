/// The attempts to send one request: decides after each failure whether there is another one.
struct RetryAttempts {
    /// How an attempt failed.
    enum Failure {
        /// A response with a status for which the policy retries.
        case status(ResponseHead)
        /// No complete response. `mayBeProcessed` is false if the server can't have seen the request.
        case transport(TransportError, mayBeProcessed: Bool)
    }

    /// What to do after a failure.
    private enum Decision {
        case retry(RetryPolicy.Retry)
        /// The failure is final, although there are retries left.
        case deny(RetryPolicy.Denial)
        /// The failure is final: there are no retries left, or one was denied before.
        case giveUp
    }

    private let method: HTTPMethod
    private let policy: RetryPolicy
    /// When the time for all attempts and waits ends; nil is no limit.
    private let deadline: ContinuousClock.Instant?
    /// How many retries were allowed.
    private var retries = 0
    /// Whether a retry was denied. A denial is final: the same response may fail a second time while it is read.
    private var isDenied = false

    /// Creates the attempts of a request of which none has been made yet.
    init(of method: HTTPMethod, policy: RetryPolicy, deadline: ContinuousClock.Instant?) {
        self.method = method
        self.policy = policy
        self.deadline = deadline
    }

    /// Decides whether the request is sent once more after a failure, and reports that to the policy's callbacks.
    ///
    /// - Parameters:
    ///   - failure: How the last attempt failed.
    ///   - mayRetry: Called last, if a retry is otherwise allowed. It returns false once part of a response has been
    ///     delivered and can't be undone.
    /// - Returns: The retry, which says how long to wait before it. Nil if the failure is final.
    mutating func next(after failure: Failure, mayRetry: () -> Bool) -> RetryPolicy.Retry? {
        switch decide(after: failure, mayRetry: mayRetry) {
        case .retry(let retry):
            retries += 1
            policy.onRetry?(retry)
            return retry
        case .deny(let denial):
            isDenied = true
            policy.onDenial?(denial)
            return nil
        case .giveUp:
            return nil
        }
    }

    /// Decides about a retry by the rules of the policy, and by the time that is left.
    private func decide(after failure: Failure, mayRetry: () -> Bool) -> Decision {
        guard retries < policy.count, !isDenied else { return .giveUp }
        let retry = retry(after: failure)
        if isRepeated(failure), !policy.allows(method) { return .deny(.unsafeMethod(method)) }
        if retry.serversDay != nil { return .deny(.exceedsMaxWait(retry)) }
        if let maxWait = policy.maxWait, retry.wait > maxWait { return .deny(.exceedsMaxWait(retry)) }
        // An attempt without time left would only hide the original failure.
        if let deadline, ContinuousClock.now + retry.wait >= deadline { return .deny(.exceedsMaxTime(retry)) }
        return mayRetry() ? .retry(retry) : .deny(.partlyDelivered)
    }

    /// Returns the retry that would follow a failure, with its reason and the wait before it.
    private func retry(after failure: Failure) -> RetryPolicy.Retry {
        switch failure {
        case .status(let head): policy.retry(retries + 1, reason: head.statusText, head: head)
        case .transport(let error, _): policy.retry(retries + 1, reason: error.message, head: nil)
        }
    }

    /// Whether the server may process the request a second time.
    private func isRepeated(_ failure: Failure) -> Bool {
        switch failure {
        case .status: true
        case .transport(_, let mayBeProcessed): mayBeProcessed
        }
    }
}
