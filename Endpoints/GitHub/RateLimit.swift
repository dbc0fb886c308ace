/// The numbers of requests that may still be sent, by kind of request.
public struct RateLimit: Codable, Sendable, Equatable {
    /// The allowances by the names of kinds: `core`, `search`, `graphql` and others.
    public let resources: [String: Allowance]
    /// The allowance of the kind `core`, once more.
    public let rate: Allowance?

    /// The limit of requests of one kind, and how many of them are left until the count is reset.
    public struct Allowance: Codable, Sendable, Equatable {
        public let limit: Int
        public let remaining: Int
        /// When the count is reset, in seconds since 1970.
        public let reset: Int
        public let used: Int?
    }
}
