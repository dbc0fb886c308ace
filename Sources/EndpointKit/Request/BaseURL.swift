import JSONText

/// The part of a URL before an endpoint's path: scheme, host, port and a path prefix.
public struct BaseURL: Sendable, Hashable, CustomStringConvertible {
    /// The URL without a trailing slash.
    package let text: String
    /// `http` or `https`, in lower case.
    package let scheme: String
    /// The host as written; an IPv6 address without its brackets.
    package let host: String
    /// The explicit port; nil means the scheme's default, 80 or 443.
    package let port: Int?

    public var description: String { text }

    /// Scheme, host and port, to which credentials are restricted (RFC 6454, section 4).
    package var origin: String {
        "\(scheme)://\(host.lowercased()):\(port ?? (scheme == "https" ? 443 : 80))"
    }

    /// Whether it is the same place, however it is spelled: `HTTPS://a.example:443` is `https://a.example`.
    func isSame(as other: BaseURL) -> Bool { origin == other.origin && path == other.path }

    /// The path prefix, percent-encoded and without a trailing slash; empty if there is none.
    package var path: String {
        let rest = text.utf8.dropFirst(scheme.utf8.count + "://".utf8.count)
        return String(Substring(rest.drop { $0 != UInt8(ascii: "/") }))
    }

    /// Why a text is not a base URL.
    public enum Problem: Error, Sendable, Equatable {
        /// Not a URL with a scheme (RFC 3986).
        case notAURL
        /// Its port is not from 1 to 65535.
        case port
        /// What it has in brackets is not an IPv6 address, or its zone is not written as `%25eth0` (RFC 6874).
        case address
        case noHost
        /// The scheme is neither `http` nor `https`.
        case scheme(String)
        /// It has a query; queries belong to endpoints.
        case query
        /// It has a fragment, which is never sent.
        case fragment
        /// It has a `user:password@`; use ``Credential`` instead.
        case credentials
        /// The host has non-ASCII letters; the DNS needs its `xn--` form (RFC 5891).
        case internationalHost
    }

    /// Parses a base URL. Throws the first ``Problem`` found.
    public init(_ text: String) throws(Problem) {
        if let problem = Self.authorityProblem(text) { throw problem }
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false), let scheme = parts.scheme
        else { throw .notAURL }
        guard ["http", "https"].contains(scheme.lowercased()) else { throw .scheme(scheme) }
        guard let host = parts.host, !host.isEmpty else { throw .noHost }
        if parts.user != nil || parts.password != nil { throw .credentials }
        if parts.query != nil { throw .query }
        if parts.fragment != nil { throw .fragment }
        self.scheme = scheme.lowercased()
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.port = parts.port
        var trimmed = text
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        if port == nil, trimmed.hasSuffix(":"), parts.path.allSatisfy({ $0 == "/" }) { trimmed.removeLast() }
        self.text = trimmed
    }

    /// What is wrong with the host or port of a URL, which `URLComponents` does not see.
    static func authorityProblem(_ text: String) -> Problem? {
        guard let start = text.utf8.firstRange(of: "//".utf8)?.upperBound else { return nil }
        var authority = Substring(text.utf8[start...].prefix { !"/?#".utf8.contains($0) })
        if authority.utf8.contains(where: { $0 >= 0x80 }) { return .internationalHost }
        if let at = authority.lastIndex(of: "@") { authority = authority[at...].dropFirst() }
        // A bracket ends an IPv6 address, whose colons don't start a port.
        if let end = authority.lastIndex(where: { $0 == ":" || $0 == "]" }), authority[end] == ":" {
            let digits = authority[end...].dropFirst()
            // An empty port means the scheme's default (RFC 3986, section 6.2.3).
            guard digits.isEmpty || Int(digits).map({ (1...65535).contains($0) }) == true else { return .port }
        }
        // RFC 3986, section 3.2.2
        guard authority.first == "[" else { return nil }
        guard let end = authority.lastIndex(of: "]") else { return .address }
        let parts = authority[..<end].dropFirst().split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !parts[1].hasPrefix("25") || parts[1].count == 2 { return .address }
        return ResolveEntry.isIPv6(parts[0]) ? nil : .address
    }
}
