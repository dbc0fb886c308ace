/// How many requests are left, by kind of request.
public struct RateLimit: Codable, Sendable, Equatable {
    /// By name: `core`, `search`, `graphql` and others.
    public let resources: [String: Allowance]
    /// The same as `core`.
    public let rate: Allowance?

    /// What is left of one kind.
    public struct Allowance: Codable, Sendable, Equatable {
        public let limit: Int
        public let remaining: Int
        /// When the count is reset, in seconds since 1970.
        public let reset: Int
        public let used: Int?
    }
}
