import JSONText

/// When a failed request is sent again, and how long to wait before that.
public struct RetryPolicy: Sendable {
    /// How many times a request is sent again after the first.
    public var count = 0
    /// The wait before each retry; nil starts at about a second and doubles each time.
    public var delay: Duration?
    /// Whether methods that are not idempotent, such as POST, are retried.
    ///
    /// The server may process such a request twice (RFC 9110, section 9.2.2).
    public var includesUnsafe = false
    /// The longest acceptable wait; the failure is final if the next wait would be longer.
    ///
    /// It is 60 seconds by default, because a person waits for an app. Nil is no limit, except that a server may ask for
    /// six hours at most.
    public var maxWait: Duration? = .seconds(60)
    /// The statuses that are no failure, whatever they are.
    package var expectedStatus = 200...299
    /// Called before the wait of each retry.
    package var onRetry: (@Sendable (Retry) -> Void)?
    /// Called with the reason if a request is not retried although retries are left.
    package var onDenial: (@Sendable (Denial) -> Void)?

    /// Creates a policy; without arguments, nothing is retried.
    ///
    ///     client.retry = RetryPolicy(count: 2)
    ///
    /// - Parameters:
    ///   - count: How many times a request is sent again after the first.
    ///   - delay: The wait before each retry; nil starts at about a second and doubles each time.
    ///   - includesUnsafe: Whether methods that are not idempotent, such as POST, are retried.
    ///   - maxWait: The longest acceptable wait, also if the server asks for it; nil is no limit.
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
        /// Which one it is, from 1.
        package let number: Int
        /// How many are allowed.
        package let count: Int
        /// The reason for the retry: a status such as `503 Service Unavailable`, or the message of an error.
        package let reason: String
        /// The wait before it.
        package let wait: Duration
        /// Whether the server asked for this wait, because it is longer than the client's own.
        package var isRequestedByServer = false

        /// The day, in UTC, until which the server asks to wait, if that is longer than any client does.
        package var serversDay: String? {
            guard isRequestedByServer, wait > .seconds(RetryPolicy.maxRequestedWait) else { return nil }
            let end = Date(timeIntervalSinceNow: wait / .seconds(1))
            return DateText.iso8601(end).map { String($0.prefix(10)) } ?? "9999-12-31"
        }
    }

    /// Why a request is not retried.
    package enum Denial: Sendable, Equatable {
        /// The wait before this retry is longer than ``TransferOptions/maxTime`` leaves.
        case exceedsMaxTime(Retry)
        /// The wait before this retry is longer than ``maxWait``, or than any that a server gets.
        case exceedsMaxWait(Retry)
        /// The method is not idempotent, and the server may already have processed the request.
        case unsafeMethod(HTTPMethod)
        /// Part of the response has already been delivered.
        case partlyDelivered
    }

    /// The longest wait that doubling leads to, in seconds.
    private static let maxBackoff = 60.0

    /// Whether a request with `method` may be sent again.
    func allows(_ method: HTTPMethod) -> Bool { includesUnsafe || method.isIdempotent }

    /// Whether another attempt may succeed after a response.
    ///
    /// The statuses are those of curl. A 403 counts if its header `Retry-After` says when to come back, as servers do
    /// that limit the rate of requests with that status.
    func isTransient(_ head: ResponseHead) -> Bool {
        if expectedStatus.contains(head.status) { return false }
        if head.status == 403 { return Self.requestedWait(head) != nil }
        return [408, 429, 500, 502, 503, 504].contains(head.status)
    }

    /// Whether another attempt may succeed after `error`.
    package static func isTransient(_ error: TransportError) -> Bool {
        switch error.cause {
        case .nameNotResolved, .notConnected, .timedOut, .cutShort: true
        default: false
        }
    }

    /// Returns retry `number` with the wait before it.
    ///
    /// The wait is ``delay``, or doubles with each retry. It is longer if the response `head` asks for that.
    func retry(_ number: Int, reason: String, head: ResponseHead?) -> Retry {
        let ownWait = delay ?? Self.backoff(number)
        let requestedWait = head.flatMap(Self.requestedWait) ?? .zero
        return Retry(
            number: number, count: count, reason: reason, wait: max(ownWait, requestedWait),
            isRequestedByServer: requestedWait > ownWait)
    }

    /// The longest wait that a server gets, in seconds: six hours, as in curl.
    static let maxRequestedWait = 21_600

    /// The wait that the header `Retry-After` asks for, in seconds or until a date (RFC 9110, section 10.2.3).
    ///
    /// - Returns: Nil if the response has no such header, or its value is neither.
    static func requestedWait(_ head: ResponseHead) -> Duration? {
        guard let text = head["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy(\.isDigit) {
            // 35,000 years stand for any longer wait, so that it can be added to a date.
            return .seconds(min(Int64(text) ?? .max, 1 << 40))
        }
        guard let end = HTTPDate.parse(text) else { return nil }
        // The server's own clock counts if it sends the time, because ours may differ.
        let now = head["Date"].flatMap(HTTPDate.parse) ?? Int64(Date().timeIntervalSince1970)
        return .seconds(max(end - now, 0))
    }

    /// Returns the wait before retry `number`, from 1: one second, which doubles each time up to ``maxBackoff``.
    ///
    /// Up to half of it is left out at random, so that clients do not all return at once.
    private static func backoff(_ number: Int) -> Duration {
        // The sixth doubling exceeds the maximum; a shift by more bits could overflow.
        let seconds = number > 6 ? maxBackoff : min(Double(1 << (number - 1)), maxBackoff)
        return .milliseconds(Int(seconds * 1000 * Double.random(in: 0.5...1)))
    }
}
