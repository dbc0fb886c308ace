/// A token that a person approves on a page of TMDB. It becomes a session then.
public struct RequestToken: Codable, Sendable, Equatable {
    public let success: Bool
    /// The time as sent by the server: `2026-08-26 17:04:39 UTC`.
    public let expiresAt: String
    public let requestToken: String
}

/// The session of a person, which changes ratings and lists in the person's name.
public struct MovieSession: Codable, Sendable, Equatable {
    public let success: Bool
    public let sessionId: String
}
