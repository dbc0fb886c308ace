import JSONText

/// When a failed request is sent again, and how long to wait before that.
public struct RetryPolicy: Sendable {
    /// How many times a request is sent again after the first attempt.
    public var count = 0
    /// The wait before each retry. Nil is a wait of about a second, which doubles with each retry up to a minute.
    public var delay: Duration?
    /// Whether methods that are not idempotent, such as POST, are retried.
    ///
    /// The server may process such a request twice (RFC 9110, section 9.2.2).
    public var includesUnsafe = false
    /// The longest acceptable wait. If the next wait would be longer, the failure is final.
    ///
    /// It is 60 seconds by default, because a person waits for an app. Nil is no limit, except that a server may ask
    /// for six hours at most.
    public var maxWait: Duration? = .seconds(60)
    /// The statuses that the caller expects. They are no failure, even if they are in the list of temporary ones.
    package var expectedStatus = 200...299
    /// Is called before the wait of each retry.
    package var onRetry: (@Sendable (Retry) -> Void)?
    /// Is called with the reason if a request is not retried although retries are left.
    package var onDenial: (@Sendable (Denial) -> Void)?

    /// Creates a policy. Without arguments, nothing is retried.
    ///
    ///     client.retry = RetryPolicy(count: 2)
    ///
    /// - Parameters:
    ///   - count: How many times a request is sent again after the first attempt.
    ///   - delay: The wait before each retry. Nil is a wait of about a second, which doubles with each retry up to a
    ///     minute.
    ///   - includesUnsafe: Whether methods that are not idempotent, such as POST, are retried.
    ///   - maxWait: The longest acceptable wait, also if the server asks for it. Nil is no limit.
    public init(
        count: Int = 0, delay: Duration? = nil, includesUnsafe: Bool = false, maxWait: Duration? = .seconds(60)
    ) {
        self.count = count
        self.delay = delay
        self.includesUnsafe = includesUnsafe
        self.maxWait = maxWait
    }

    /// A retry that is about to happen, or that was refused.
    package struct Retry: Sendable, Equatable {
        /// The number of the retry, from 1.
        package let number: Int
        /// The number of retries that the policy allows.
        package let count: Int
        /// The reason for the retry: a status such as `503 Service Unavailable`, or the message of an error.
        package let reason: String
        /// The wait before the retry.
        package let wait: Duration
        /// Whether the server asked for this wait, which is longer than the client's own.
        package var isRequestedByServer = false

        /// The day, such as `2026-03-01` in UTC, until which the server asks to wait.
        ///
        /// Nil if the server asks for no more than ``RetryPolicy/maxRequestedWait``, which a client may wait.
        package var serversDay: String? {
            guard isRequestedByServer, wait > .seconds(RetryPolicy.maxRequestedWait) else { return nil }
            let end = Date(timeIntervalSinceNow: wait / .seconds(1))
            return DateText.iso8601(end).map { String($0.prefix(10)) } ?? "9999-12-31"
        }
    }

    /// The reason why a request is not retried although retries are left.
    package enum Denial: Sendable, Equatable {
        /// The wait before this retry is longer than the time that is left of ``TransferOptions/maxTime``.
        case exceedsMaxTime(Retry)
        /// The wait before this retry is longer than ``maxWait`` or ``maxRequestedWait``.
        case exceedsMaxWait(Retry)
        /// The method is not idempotent, and the server may already have processed the request.
        case unsafeMethod(HTTPMethod)
        /// Part of the response has already been delivered.
        case partlyDelivered
    }

    /// The longest wait that doubling leads to, in seconds.
    private static let maxBackoff = 60.0

    /// Returns whether a request with `method` may be sent again although the server may have processed it.
    func allows(_ method: HTTPMethod) -> Bool { includesUnsafe || method.isIdempotent }

    /// The statuses of failures that may be temporary: those that `curl --retry` retries.
    private static let transientStatuses = [408, 429, 500, 502, 503, 504]

    /// Returns whether another attempt may succeed after a response with this head.
    ///
    /// A 403 counts if its header `Retry-After` says when to come back. Some servers limit the rate of requests with
    /// that status.
    func isTransient(_ head: ResponseHead) -> Bool {
        if expectedStatus.contains(head.status) { return false }
        if head.status == 403 { return Self.requestedWait(head) != nil }
        return Self.transientStatuses.contains(head.status)
    }

    /// Returns whether another attempt may succeed after `error`, because the network or the server may recover.
    package static func isTransient(_ error: TransportError) -> Bool {
        switch error.cause {
        case .nameNotResolved, .notConnected, .timedOut, .cutShort: true
        default: false
        }
    }

    /// Makes a retry with the wait before it.
    ///
    /// The wait is ``delay``, or else about a second that doubles with each retry. If the response asks for a longer
    /// wait, that one counts.
    ///
    /// - Parameters:
    ///   - number: The number of the retry, from 1.
    ///   - reason: The reason for the retry, for messages.
    ///   - head: The head of the response after which the request is sent again; nil if there is none.
    func makeRetry(_ number: Int, reason: String, head: ResponseHead?) -> Retry {
        let ownWait = delay ?? Self.backoff(number)
        let requestedWait = head.flatMap(Self.requestedWait) ?? .zero
        return Retry(
            number: number, count: count, reason: reason, wait: max(ownWait, requestedWait),
            isRequestedByServer: requestedWait > ownWait)
    }

    /// The longest wait that a server may ask for, in seconds: six hours, as in curl.
    static let maxRequestedWait = 21_600

    /// Returns the wait that the header `Retry-After` asks for (RFC 9110, section 10.2.3).
    ///
    ///     Retry-After: 120                              →    120 seconds
    ///     Retry-After: Wed, 21 Oct 2026 07:28:00 GMT    →    the time from now until then
    ///
    /// - Returns: The wait; nil if the response has no such header, or if its value is invalid.
    static func requestedWait(_ head: ResponseHead) -> Duration? {
        guard let text = head["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
            // Any longer wait becomes 35,000 years (2⁴⁰ seconds), which can still be added to a date.
            return .seconds(min(Int64(text) ?? .max, 1 << 40))
        }
        guard let end = HTTPDate.parse(text) else { return nil }
        // The time of the server counts if it sends the time, because the clock of this computer may differ.
        let now = head["Date"].flatMap(HTTPDate.parse) ?? Int64(Date().timeIntervalSince1970)
        return .seconds(max(end - now, 0))
    }

    /// Returns the client's own wait before a retry: one second, which doubles with each retry up to ``maxBackoff``.
    ///
    /// Up to half of it is left out at random, so that clients do not all return at once.
    ///
    /// - Parameter number: The number of the retry, from 1.
    private static func backoff(_ number: Int) -> Duration {
        // The sixth doubling, 64 seconds, exceeds the maximum. A shift by far more bits would overflow.
        let doublings = min(number - 1, 6)
        let seconds = min(Double(1 << doublings), maxBackoff)
        let share = Double.random(in: 0.5...1)
        return .milliseconds(Int(seconds * 1000 * share))
    }
}
