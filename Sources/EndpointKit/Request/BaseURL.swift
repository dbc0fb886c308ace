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

    /// Whether both lead to the same place, however they are spelled: `HTTPS://a.example:443` is `https://a.example`.
    func isSame(as other: BaseURL) -> Bool { origin == other.origin && path == other.path }

    /// The path prefix, percent-encoded and without a trailing slash; empty if there is none.
    package var path: String {
        let afterScheme = text.utf8.dropFirst(scheme.utf8.count + "://".utf8.count)
        return String(Substring(afterScheme.drop { $0 != UInt8(ascii: "/") }))
    }

    /// Why a text is not a base URL.
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
        /// There is a query; queries belong to endpoints.
        case query
        /// There is a fragment, which is never sent.
        case fragment
        /// There is a `user:password@`; use ``Credential`` instead.
        case credentials
        /// The host has non-ASCII letters; the DNS needs its `xn--` form (RFC 5891).
        case internationalHost
    }

    /// Parses the URL of a server, to which the paths of endpoints are appended.
    ///
    ///     https://api.example.com:8443/v2/    →    https://api.example.com:8443/v2
    ///
    /// - Parameter text: An absolute URL without a user, a query and a fragment.
    /// - Throws: The first ``Problem`` found.
    public init(_ text: String) throws(Problem) {
        if let problem = Self.authorityProblem(text) { throw problem }
        guard let components = URLComponents(strict: text) else { throw .notAURL }
        guard let scheme = components.scheme else { throw .notAURL }
        guard ["http", "https"].contains(scheme.lowercased()) else { throw .scheme(scheme) }
        guard let host = components.host, !host.isEmpty else { throw .noHost }
        if components.user != nil || components.password != nil { throw .credentials }
        if components.query != nil { throw .query }
        if components.fragment != nil { throw .fragment }
        self.text = Self.trimmed(text, components)
        self.scheme = scheme.lowercased()
        let isIPv6 = host.hasPrefix("[")
        self.host = isIPv6 ? String(host.dropFirst().dropLast()) : host
        self.port = components.port
    }

    /// Returns the text of a URL without what must not stand before an appended path.
    ///
    /// That is a slash at the end, and the colon of an empty port: to `https://a.example:`, a path can't be appended.
    private static func trimmed(_ text: String, _ components: URLComponents) -> String {
        var trimmedText = text
        while trimmedText.hasSuffix("/") { trimmedText.removeLast() }
        let hasPathPrefix = components.path.contains { $0 != "/" }
        if components.port == nil, !hasPathPrefix, trimmedText.hasSuffix(":") { trimmedText.removeLast() }
        return trimmedText
    }

    /// Finds faults of a URL's host and port that `URLComponents` accepts.
    ///
    /// - Parameter text: A URL, or a reference such as `//host/path`.
    /// - Returns: The first fault. Nil if there is none, or no authority.
    static func authorityProblem(_ text: String) -> Problem? {
        guard let start = text.utf8.firstRange(of: "//".utf8)?.upperBound else { return nil }
        let authority = Substring(text.utf8[start...].prefix { !"/?#".utf8.contains($0) })
        if authority.utf8.contains(where: { $0 >= 0x80 }) { return .internationalHost }
        var hostAndPort = authority
        if let at = authority.lastIndex(of: "@") { hostAndPort = authority[at...].dropFirst() }
        return portProblem(hostAndPort) ?? addressProblem(hostAndPort)
    }

    /// Returns ``Problem/port`` for a port that is not a number from 1 to 65535. An empty port is the scheme's default
    /// (RFC 3986, section 6.2.3).
    private static func portProblem(_ hostAndPort: Substring) -> Problem? {
        // The colons of an IPv6 address stand before its closing bracket.
        guard let end = hostAndPort.lastIndex(where: { $0 == ":" || $0 == "]" }), hostAndPort[end] == ":" else {
            return nil
        }
        let digits = hostAndPort[end...].dropFirst()
        if digits.isEmpty { return nil }
        guard let port = Int(digits), (1...65535).contains(port) else { return .port }
        return nil
    }

    /// Returns ``Problem/address`` for a host in brackets that is not an IPv6 address (RFC 3986, section 3.2.2).
    ///
    /// The address may have a zone after `%25` (RFC 6874): `[fe80::1%25eth0]`.
    private static func addressProblem(_ hostAndPort: Substring) -> Problem? {
        guard hostAndPort.first == "[" else { return nil }
        guard let end = hostAndPort.lastIndex(of: "]") else { return .address }
        let parts = hostAndPort[..<end].dropFirst().split(
            separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            let zone = parts[1]
            guard zone.hasPrefix("25"), zone.count > 2 else { return .address }
        }
        return ResolveEntry.isIPv6(parts[0]) ? nil : .address
    }
}
