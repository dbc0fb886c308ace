import JSONText

/// The part of a URL before an endpoint's path: scheme, host, port and a path prefix.
///
///     client.options.base = try BaseURL("https://staging.example.com/v2")
public struct BaseURL: Sendable, Hashable, CustomStringConvertible {
    /// The URL without a trailing slash.
    package let text: String
    /// `http` or `https`, in lower case.
    package let scheme: String
    /// The host as written; an IPv6 address without its brackets.
    package let host: String
    /// The explicit port; nil means the scheme's default, 80 or 443.
    package let port: Int?

    /// The URL without a trailing slash.
    public var description: String { text }

    /// Scheme, host and port, to which credentials are restricted (RFC 6454, section 4).
    package var origin: String {
        let defaultPort = scheme == "https" ? 443 : 80
        return "\(scheme)://\(host.lowercased()):\(port ?? defaultPort)"
    }

    /// Returns whether two URLs lead to the same place, however they are spelled: `HTTPS://a.example:443` and
    /// `https://a.example`.
    func isSame(as other: BaseURL) -> Bool { origin == other.origin && path == other.path }

    /// The path prefix, percent-encoded and without a trailing slash; empty if there is none.
    package var path: String {
        let afterScheme = text.utf8.dropFirst(scheme.utf8.count + "://".utf8.count)
        return String(Substring(afterScheme.drop { $0 != UInt8(ascii: "/") }))
    }

    /// The reason why a text is not a base URL.
    public enum Problem: Error, Sendable, Equatable {
        /// The text is not a URL with a scheme (RFC 3986).
        case notAURL
        /// The port is not from 1 to 65535.
        case port
        /// The host in brackets is not an IPv6 address, or its zone is not written as `%25eth0` (RFC 6874).
        case address
        /// The URL has no host.
        case noHost
        /// The scheme is neither `http` nor `https`.
        case scheme(String)
        /// The URL has a query. Queries belong to endpoints.
        case query
        /// The URL has a fragment, which is never sent (RFC 9110, section 4.2.5).
        case fragment
        /// The URL has a `user:password@`. Use ``Credential`` instead.
        case credentials
        /// The host has letters beyond ASCII. The DNS needs its `xn--` form (RFC 5891).
        case internationalHost
    }

    /// Parses the URL of a server, to which the paths of endpoints are appended.
    ///
    ///     https://api.example.com:8443/v2/    →    https://api.example.com:8443/v2
    ///
    /// - Parameter text: An absolute URL without a user, a query and a fragment.
    /// - Throws: The first ``Problem`` of the text.
    public init(_ text: String) throws(Problem) {
        if let problem = Self.authorityProblem(text) { throw problem }
        guard let components = URLComponents(strict: text) else { throw .notAURL }
        guard let scheme = components.scheme else { throw .notAURL }
        guard ["http", "https"].contains(scheme.lowercased()) else { throw .scheme(scheme) }
        guard let host = components.host, !host.isEmpty else { throw .noHost }
        if components.user != nil || components.password != nil { throw .credentials }
        if components.query != nil { throw .query }
        if components.fragment != nil { throw .fragment }
        self.text = Self.withoutTrailingDelimiters(text, components: components)
        self.scheme = scheme.lowercased()
        let isIPv6 = host.hasPrefix("[")
        self.host = isIPv6 ? String(host.dropFirst().dropLast()) : host
        self.port = components.port
    }

    /// Returns the text of a URL without the slashes at its end and without the colon of an empty port, so that a path
    /// can be appended.
    ///
    ///     https://a.example/v2/    →    https://a.example/v2
    ///     https://a.example:       →    https://a.example
    private static func withoutTrailingDelimiters(_ text: String, components: URLComponents) -> String {
        var trimmedText = text
        while trimmedText.hasSuffix("/") { trimmedText.removeLast() }
        let hasPathPrefix = components.path.contains { $0 != "/" }
        let hasEmptyPort = components.port == nil && !hasPathPrefix && trimmedText.hasSuffix(":")
        if hasEmptyPort { trimmedText.removeLast() }
        return trimmedText
    }

    /// Returns the first problem in the authority of a URL that `URLComponents` would not find.
    ///
    /// The authority is the text between `//` and the path: a user, a host and a port, such as `me@example.com:8080`
    /// (RFC 3986, section 3.2). The problems are a character beyond ASCII anywhere in it, a wrong port and a wrong IPv6
    /// address.
    ///
    /// - Parameter text: A URL, or a reference such as `//host/path`. Its first `//` begins the authority.
    /// - Returns: The problem; nil if there is none, or if the text has no `//`.
    static func authorityProblem(_ text: String) -> Problem? {
        guard let authorityStart = text.utf8.firstRange(of: "//".utf8)?.upperBound else { return nil }
        let authority = Substring(text.utf8[authorityStart...].prefix { byte in !"/?#".utf8.contains(byte) })
        let hasNonASCII = authority.utf8.contains { byte in byte >= 0x80 }
        if hasNonASCII { return .internationalHost }
        var hostAndPort = authority
        if let endOfUser = authority.lastIndex(of: "@") { hostAndPort = authority[endOfUser...].dropFirst() }
        return portProblem(hostAndPort) ?? addressProblem(hostAndPort)
    }

    /// Returns ``Problem/port`` for a port that is not a number from 1 to 65535; nil for a valid port or none.
    ///
    /// An empty port is the scheme's default (RFC 3986, section 6.2.3).
    private static func portProblem(_ hostAndPort: Substring) -> Problem? {
        // The colons of an IPv6 address stand before its closing bracket.
        let lastDelimiter = hostAndPort.lastIndex { $0 == ":" || $0 == "]" }
        guard let lastDelimiter, hostAndPort[lastDelimiter] == ":" else { return nil }
        let digits = hostAndPort[lastDelimiter...].dropFirst()
        if digits.isEmpty { return nil }
        guard let port = Int(digits), (1...65535).contains(port) else { return .port }
        return nil
    }

    /// Returns ``Problem/address`` for a host in brackets that is not an IPv6 address (RFC 3986, section 3.2.2); nil
    /// for a valid address and for any other host.
    ///
    /// The address may have a zone after `%25` (RFC 6874): `[fe80::1%25eth0]`.
    private static func addressProblem(_ hostAndPort: Substring) -> Problem? {
        guard hostAndPort.first == "[" else { return nil }
        guard let closingBracket = hostAndPort.lastIndex(of: "]") else { return .address }
        let addressAndZone = hostAndPort[..<closingBracket].dropFirst().split(
            separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        if addressAndZone.count == 2 {
            let zone = addressAndZone[1]
            guard zone.hasPrefix("25"), zone.count > 2 else { return .address }
        }
        return ResolveEntry.isIPv6(addressAndZone[0]) ? nil : .address
    }
}
