#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The part of a URL before an endpoint's path: scheme, host, port and a path prefix.
public struct BaseURL: Sendable, Hashable, CustomStringConvertible {
    /// The URL without a trailing slash.
    public let text: String
    /// `http` or `https`, in lower case.
    public let scheme: String
    /// The host as written; an IPv6 address without its brackets.
    public let host: String
    /// The explicit port; nil means the scheme's default, 80 or 443.
    public let port: Int?

    public var description: String { text }

    /// Scheme, host and port, to which credentials are restricted (RFC 6454, section 4).
    public var origin: String {
        "\(scheme)://\(host.lowercased()):\(port ?? (scheme == "https" ? 443 : 80))"
    }

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
        if Self.authority(text).contains(where: { $0 >= 0x80 }) { throw .internationalHost }
        guard Self.hasUsablePort(text) else { throw .port }
        guard Self.hasUsableAddress(text) else { throw .address }
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false), let scheme = parts.scheme
        else {
            throw .notAURL
        }
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

    private static func authority(_ text: String) -> Substring.UTF8View {
        let bytes = text.utf8
        let slash = UInt8(ascii: "/")
        var start = bytes.startIndex
        // After the first two slashes in a row.
        repeat {
            guard let next = bytes[start...].firstIndex(of: slash) else { return bytes[bytes.endIndex...] }
            start = bytes.index(after: next)
        } while bytes[start...].first != slash
        return bytes[start...].dropFirst().prefix { $0 != slash && !"?#".utf8.contains($0) }
    }

    /// Whether what is in brackets is an IPv6 address (RFC 3986, section 3.2.2), or nothing is.
    private static func hasUsableAddress(_ text: String) -> Bool {
        let authority = String(Substring(Self.authority(text)))
        let host = authority.lastIndex(of: "@").map { authority[$0...].dropFirst() } ?? authority[...]
        guard host.hasPrefix("[") else { return true }
        guard let end = host.lastIndex(of: "]") else { return false }
        let parts = host[..<end].dropFirst().split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !parts[1].hasPrefix("25") || parts[1].count == 2 { return false }
        return ResolveEntry.isIPv6(parts[0])
    }

    /// Whether the port is absent or from 1 to 65535. `URLComponents` ignores a number that is too large for it.
    static func hasUsablePort(_ text: String) -> Bool {
        var authority = Self.authority(text)
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[at...].dropFirst() }
        // A bracket ends an IPv6 address, whose colons don't start a port.
        guard let last = authority.lastIndex(where: { ":]".utf8.contains($0) }), authority[last] == UInt8(ascii: ":")
        else { return true }
        let digits = authority[last...].dropFirst()
        // An empty port means the scheme's default (RFC 3986, section 6.2.3).
        return digits.isEmpty || Int(String(Substring(digits))).map { (1...65535).contains($0) } == true
    }
}
