/// When a request is sent again, and how long to wait before.
public struct RetryPolicy: Sendable {
    /// How many times a request is sent again after the first.
    public var count: Int
    /// The wait before each; nil waits about a second before the first and about twice as long each time.
    public var delay: Duration?
    /// Whether requests that the server may then process twice, such as POST, are repeated (RFC 9110, section 9.2.2).
    public var includesUnsafe: Bool
    /// The longest wait, even if the server asks for more: then the failure is final. Nil is no limit.
    public var longestWait: Duration?
    /// Called before the wait of each retry.
    public var onRetry: (@Sendable (Retry) -> Void)?
    /// Called with the reason if a failure is final although retries are left.
    public var onRefusal: (@Sendable (Refusal) -> Void)?

    /// A policy; without a `count` nothing is repeated.
    public init(
        count: Int = 0, delay: Duration? = nil, includesUnsafe: Bool = false, longestWait: Duration? = nil,
        onRetry: (@Sendable (Retry) -> Void)? = nil, onRefusal: (@Sendable (Refusal) -> Void)? = nil
    ) {
        self.count = count
        self.delay = delay
        self.includesUnsafe = includesUnsafe
        self.longestWait = longestWait
        self.onRetry = onRetry
        self.onRefusal = onRefusal
    }

    /// A retry that is about to happen, or would be.
    public struct Retry: Sendable, Equatable {
        /// Which one it is, from 1.
        public let number: Int
        /// How many are allowed.
        public let count: Int
        /// What went wrong: a status such as `503 Service Unavailable`, or the message of an error.
        public let reason: String
        /// The wait before it.
        public let wait: Duration
        /// Whether the server asked for the wait, which is longer than the client's own.
        public let isRequestedByServer: Bool

        /// A retry of those values, for tests.
        public init(number: Int, count: Int, reason: String, wait: Duration, isRequestedByServer: Bool = false) {
            self.number = number
            self.count = count
            self.reason = reason
            self.wait = wait
            self.isRequestedByServer = isRequestedByServer
        }
    }

    /// Why a request is not repeated.
    public enum Refusal: Sendable, Equatable {
        /// The wait before this retry is longer than ``TransferOptions/maxTime`` leaves.
        case noTime(Retry)
        /// The wait before this retry is longer than ``longestWait``.
        case tooLong(Retry)
        /// The server may have processed the request, and must not twice.
        case unsafeMethod(HTTPMethod)
        /// Part of the response has been passed on already.
        case passedOn
    }

    /// The longest wait that grows by itself.
    private static let longestBackoff = 60.0

    /// Whether a request of `method` may be repeated.
    func allows(_ method: HTTPMethod) -> Bool { includesUnsafe || method.isIdempotent }

    /// Statuses that another attempt may not meet: curl's list.
    static func mayPass(_ status: Int) -> Bool { [408, 429, 500, 502, 503, 504].contains(status) }

    /// Failures that another attempt may not meet.
    static func mayPass(_ error: TransportError) -> Bool {
        switch error.cause {
        case .nameNotResolved, .notConnected, .timedOut, .cutShort: true
        default: false
        }
    }

    /// Retry `number`, which waits for ``delay`` or a time that doubles, or for what `head` asks if that is longer.
    func retry(_ number: Int, reason: String, head: ResponseHead?) -> Retry {
        let own = delay ?? Self.backoff(number)
        let asked = head.flatMap(RetryAfter.wait) ?? .zero
        return Retry(number: number, count: count, reason: reason, wait: max(own, asked), isRequestedByServer: asked > own)
    }

    /// A second, doubled each time, less up to half at random: clients that failed together must not return together.
    private static func backoff(_ number: Int) -> Duration {
        let seconds = number > 6 ? longestBackoff : Double(1 << (number - 1))
        return .milliseconds(Int(min(seconds, longestBackoff) * 1000 * Double.random(in: 0.5...1)))
    }
}
