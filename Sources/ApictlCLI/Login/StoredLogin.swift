import EndpointKit

/// The result of a login, as it is stored.
struct StoredLogin: Codable, Sendable, Equatable {
    /// The value of the login's variable, such as an access token.
    var value: String
    /// The token that gets the next access token (RFC 6749, section 6); nil if the server gave none.
    var refreshToken: String?
    /// When the value expires, in seconds since 1970; nil if that is not known.
    var expires: Int?
    /// The scopes that were granted; nil if the server did not say.
    var scopes: [String]?
    /// The URL of the token endpoint that gave the tokens. They are never sent to another one.
    var tokenURL: String?

    /// The secrets of the login, which a server may repeat.
    var secrets: Set<String> { Set([value, refreshToken].compactMap(\.self)) }

    /// The time that a request may take to arrive, in seconds. A value that expires sooner is not used any more.
    private static let margin = 10

    /// Whether the value can still be used for a request.
    ///
    /// - Parameter now: The time, in seconds since 1970.
    func isUsable(at now: Int) -> Bool {
        guard let expires else { return true }
        // `expires - margin` could overflow, because a damaged file may have the smallest number.
        return expires > now + Self.margin
    }
}

/// The key of a stored login: a variable of an API, at one server.
///
/// The server belongs to it, so that a token of a test server is never sent to the production server.
struct LoginKey: Hashable, Sendable {
    let api: String
    let variable: String
    /// Scheme, host and port of the server.
    let origin: String

    /// The name of the file that holds the login. Percent-encoding leaves no characters with a meaning for a file
    /// system:
    ///
    ///     shop,SHOP_TOKEN,https%3A%2F%2Fshop.test%3A443.json
    var fileName: String { [api, variable, origin].map(PercentEncoding.encode).joined(separator: ",") + ".json" }

    init(api: String, variable: String, origin: String) {
        self.api = api
        self.variable = variable
        self.origin = origin
    }

    /// Reads the key in a ``fileName``; nil for the name of a file that holds no login.
    init?(fileName: String) {
        guard fileName.hasSuffix(".json") else { return nil }
        let words = fileName.dropLast(".json".count).split(separator: ",").map { PercentEncoding.decode($0) }
        guard words.count == 3 else { return nil }
        self.init(api: words[0], variable: words[1], origin: words[2])
    }
}
