/// Counts the attempts to send one request, and decides after each failure whether there is another one.
struct RetryAttempts {
    /// How an attempt failed.
    enum Failure {
        /// A response with a status for which the policy retries.
        case status(ResponseHead)
        /// No complete response. `mayBeProcessed` is false if the server can't have seen the request.
        case transport(TransportError, mayBeProcessed: Bool)
    }

    /// The decision about another attempt after a failure.
    private enum Decision {
        /// The request is sent once more.
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
    /// The number of retries that were allowed.
    private var retryCount = 0
    /// Whether a retry was denied. A denial is final: the same response may fail a second time while it is read.
    private var isDenied = false

    /// Starts counting before the first attempt.
    ///
    /// - Parameters:
    ///   - method: The method of the request, which must be idempotent for some retries.
    ///   - policy: The rules for retries.
    ///   - deadline: When the time for all attempts and waits ends; nil is no limit.
    init(of method: HTTPMethod, policy: RetryPolicy, deadline: ContinuousClock.Instant?) {
        self.method = method
        self.policy = policy
        self.deadline = deadline
    }

    /// Records the failure of an attempt, and decides whether the request is sent once more.
    ///
    /// A retry is counted, and a denial is remembered. Either is reported to the policy's callbacks.
    ///
    /// - Parameters:
    ///   - failure: How the last attempt failed.
    ///   - mayRetry: Called last, if a retry is otherwise allowed. It returns false once part of a response has been
    ///     delivered and can't be undone.
    /// - Returns: The retry, which says how long to wait before it. Nil if the failure is final.
    mutating func recordFailure(_ failure: Failure, mayRetry: () -> Bool) -> RetryPolicy.Retry? {
        switch decide(after: failure, mayRetry: mayRetry) {
        case .retry(let retry):
            retryCount += 1
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

    /// Decides whether the request is sent once more after a failure.
    ///
    /// A retry is denied in these cases:
    /// - The server may process the request twice, and the method is not idempotent, such as POST.
    /// - The wait before it is longer than the policy allows, or than six hours.
    /// - The time for all attempts would be over after the wait.
    /// - A part of the response has been delivered, so `mayRetry` returns false.
    ///
    /// There is no decision about a retry if the policy has none left, or if one was denied before.
    private func decide(after failure: Failure, mayRetry: () -> Bool) -> Decision {
        guard retryCount < policy.count, !isDenied else { return .giveUp }
        let retry = makeRetry(after: failure)
        if mayBeProcessedTwice(after: failure), !policy.allows(method) { return .deny(.unsafeMethod(method)) }
        // The server names a day if it asks for a wait of more than six hours.
        if retry.serversDay != nil { return .deny(.exceedsMaxWait(retry)) }
        if let maxWait = policy.maxWait, retry.wait > maxWait { return .deny(.exceedsMaxWait(retry)) }
        // An attempt without time left would only hide the original failure.
        if let deadline, ContinuousClock.now + retry.wait >= deadline { return .deny(.exceedsMaxTime(retry)) }
        return mayRetry() ? .retry(retry) : .deny(.partlyDelivered)
    }

    /// Returns the retry that would follow a failure, with its reason and the wait before it.
    private func makeRetry(after failure: Failure) -> RetryPolicy.Retry {
        let number = retryCount + 1
        switch failure {
        case .status(let head): return policy.makeRetry(number, reason: head.statusText, head: head)
        case .transport(let error, _): return policy.makeRetry(number, reason: error.message, head: nil)
        }
    }

    /// Returns whether the server may process the request a second time if it is sent again after a failure.
    ///
    /// A status shows that the server has received the request.
    private func mayBeProcessedTwice(after failure: Failure) -> Bool {
        switch failure {
        case .status: true
        case .transport(_, let mayBeProcessed): mayBeProcessed
        }
    }
}
