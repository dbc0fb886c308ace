import EndpointKit
import JSONText

/// The answer of a token endpoint (RFC 6749, section 5.1).
struct TokenAnswer: Sendable, Equatable {
    let accessToken: String
    var refreshToken: String?
    /// The seconds until the token expires; nil if the server does not say.
    let lifetime: Int?
    /// The scopes that were granted; nil if they are those that were asked for.
    let scopes: [String]?
    /// The URL of the endpoint that gave the token.
    let tokenURL: String

    /// The longest token, and the longest list of scopes, in bytes.
    private static let maxLength = CredentialSource.maxValueLength

    /// Reads the answer of a token endpoint.
    ///
    /// - Parameters:
    ///   - answer: The members of the answer, such as `access_token`.
    ///   - tokenURL: The URL of the endpoint.
    /// - Returns: Nil if a token is missing, or can't be sent in a header and stored.
    init?(_ answer: JSONValue, from tokenURL: String) {
        guard let token = answer["access_token"]?.string, Self.isToken(token) else { return nil }
        accessToken = token
        refreshToken = answer["refresh_token"]?.string
        if let refreshToken, !Self.isToken(refreshToken) { return nil }
        lifetime = Self.seconds(answer["expires_in"])
        scopes = Self.scopes(answer["scope"])
        self.tokenURL = tokenURL
    }

    /// Whether a text can be a token: visible ASCII characters and spaces (RFC 6749, appendix A.12).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maxLength && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Returns a list of scopes, which are separated by spaces (RFC 6749, section 3.3), or by commas as GitHub writes
    /// them.
    ///
    /// - Returns: The scopes; nil if `value` is no string, or too long to be stored.
    private static func scopes(_ value: JSONValue?) -> [String]? {
        guard let text = value?.string, text.utf8.count <= maxLength else { return nil }
        return text.split { $0 == " " || $0 == "," }.map(String.init)
    }

    /// Returns a number of whole seconds, which a server may write as a number or as a string: `3600`, `"3600"`.
    ///
    /// - Returns: The seconds; nil for anything else, and for a number that is negative or beyond 300 years.
    static func seconds(_ value: JSONValue?) -> Int? {
        guard let value else { return nil }
        let number = Double(value.string ?? value.description)
        guard let number, number >= 0, number < 1e10 else { return nil }
        return Int(number)
    }

    /// Returns the login to store, which has a time of expiry in place of a lifetime.
    ///
    /// - Parameters:
    ///   - now: The time at which the answer came, in seconds since 1970.
    ///   - defaultLifetime: The seconds until the token expires if the server does not say; nil if that is unknown.
    func loginToStore(receivedAt now: Int, defaultLifetime: Int? = nil) -> StoredLogin {
        let lifetime = lifetime ?? defaultLifetime
        return StoredLogin(
            value: accessToken, refreshToken: refreshToken, expires: lifetime.map { now + $0 }, scopes: scopes,
            tokenURL: tokenURL)
    }
}
