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
    /// The host as written, an IPv6 address without its brackets.
    public let host: String
    /// The port where the text names one; nil stands for the scheme's own, 80 or 443.
    public let port: Int?

    public var description: String { text }

    /// Scheme, host and port: what credentials belong to (RFC 6454, section 4).
    public var origin: String {
        "\(scheme)://\(host.lowercased()):\(port ?? (scheme == "https" ? 443 : 80))"
    }

    /// Why a text is no base URL.
    public enum Problem: Error, Sendable, Equatable {
        /// Not a URL with a scheme (RFC 3986), or its port is not one from 1 to 65535.
        case notAURL
        case noHost
        /// The scheme is neither `http` nor `https`.
        case scheme(String)
        /// It has a `?`: a query is the endpoint's.
        case query
        /// It has a `#`: a fragment is never sent.
        case fragment
        /// It has a `user:password@`: credentials are ``Credential``'s.
        case credentials
        /// The host has letters beyond ASCII; as the DNS knows it, it starts with `xn--` (RFC 5891).
        case internationalHost
    }

    /// Reads a base URL; throws the first ``Problem`` it has.
    public init(_ text: String) throws(Problem) {
        if Self.authority(text).utf8.contains(where: { $0 >= 0x80 }) { throw .internationalHost }
        guard let parts = URLComponents(string: text, encodingInvalidCharacters: false), let scheme = parts.scheme
        else {
            throw .notAURL
        }
        guard ["http", "https"].contains(scheme.lowercased()) else { throw .scheme(scheme) }
        guard let host = parts.host, !host.isEmpty else { throw .noHost }
        if parts.user != nil || parts.password != nil { throw .credentials }
        if parts.query != nil { throw .query }
        if parts.fragment != nil { throw .fragment }
        guard Self.hasUsablePort(text) else { throw .notAURL }
        self.scheme = scheme.lowercased()
        self.host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.port = parts.port
        var trimmed = text
        while trimmed.hasSuffix("/") { trimmed.removeLast() }
        if port == nil, trimmed.hasSuffix(":"), parts.path.allSatisfy({ $0 == "/" }) { trimmed.removeLast() }
        self.text = trimmed
    }

    private static func authority(_ text: String) -> Substring {
        text.firstRange(of: "//").map { text[$0.upperBound...].prefix { !"/?#".contains($0) } } ?? ""
    }

    /// Whether there is no port or one from 1 to 65535. `URLComponents` takes a number too large for it as none.
    static func hasUsablePort(_ text: String) -> Bool {
        let authority = Self.authority(text).split(separator: "@").last ?? ""
        let digits = authority.reversed().prefix { $0 != ":" && $0 != "]" }
        guard digits.count < authority.count, authority.dropLast(digits.count).last == ":" else { return true }
        // An empty port is the scheme's own (RFC 3986, section 6.2.3).
        if digits.isEmpty { return true }
        return Int(String(digits.reversed())).map { (1...65535).contains($0) } == true
    }
}
