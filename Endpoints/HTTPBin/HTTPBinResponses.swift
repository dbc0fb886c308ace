/// The headers of the request.
public struct HeadersResponse: Codable, Sendable, Equatable {
    public let headers: [String: String]
}

/// The client's address.
public struct OriginResponse: Codable, Sendable, Equatable {
    public let origin: String
}

/// The `User-Agent` header of the request.
public struct UserAgentResponse: Codable, Sendable, Equatable {
    public let userAgent: String?

    enum CodingKeys: String, CodingKey {
        case userAgent = "user-agent"
    }
}

/// The user or token that was authenticated.
public struct AuthResponse: Codable, Sendable, Equatable {
    public let isAuthenticated: Bool
    /// Only for the Bearer scheme.
    public let token: String?
    /// Only for the Basic scheme.
    public let user: String?

    enum CodingKeys: String, CodingKey {
        case isAuthenticated = "authenticated"
        case token
        case user
    }
}

/// A response that was sent compressed, and its content coding (RFC 9110, section 8.4.1).
public struct EncodingResponse: Codable, Sendable, Equatable {
    public let isBrotli: Bool?
    public let isDeflated: Bool?
    public let isGzipped: Bool?
    public let headers: [String: String]
    public let method: String
    public let origin: String

    enum CodingKeys: String, CodingKey {
        case isBrotli = "brotli"
        case isDeflated = "deflated"
        case isGzipped = "gzipped"
        case headers
        case method
        case origin
    }
}

/// The cookies of the request.
public struct CookiesResponse: Codable, Sendable, Equatable {
    public let cookies: [String: String]
}

/// A UUID, as text to keep the case of its letters.
public struct UUIDResponse: Codable, Sendable, Equatable {
    public let uuid: String
}
