import EndpointKit

/// The hosts that `mock` accepts in the header `Host`.
///
/// This protects against DNS rebinding: a web page makes its own host name resolve to this machine, so that the browser
/// lets it read responses. The browser then sends that name as the host, which is refused.
struct MockHosts: Sendable {
    let names: [String]
    /// Whether any IP address is accepted, because the server listens on all addresses of the machine.
    private let acceptsAddresses: Bool

    /// Accepts the address that the server listens on, and the names of this machine.
    ///
    /// - Parameter host: The address that the server listens on.
    init(_ host: String) {
        // In a URL, and so in the header `Host`, an IPv6 address has brackets.
        let address = host.contains(":") ? "[\(host)]" : host.lowercased()
        let localNames = ["127.0.0.1", "localhost", "[::1]"]
        names = localNames.contains(address) ? localNames : localNames + [address]
        // At these, a server listens on all addresses of the machine, so that clients may use any of them.
        acceptsAddresses = ["0.0.0.0", "[::]"].contains(address)
    }

    /// Whether the value of a `Host` header is one of the accepted hosts, with or without a port: `localhost:8080`,
    /// `[::1]`.
    ///
    /// - Parameter authority: The value; nil if the request has no such header, which is refused.
    func accepts(_ authority: String?) -> Bool {
        guard let authority = authority?.lowercased() else { return false }
        var host = authority[...]
        // A colon within brackets is part of an IPv6 address.
        if !authority.hasSuffix("]"), let colon = authority.lastIndex(of: ":") {
            let port = authority[colon...].dropFirst()
            guard port.utf8.allSatisfy(\.isDigit) else { return false }
            host = authority[..<colon]
        }
        if names.contains(String(host)) { return true }
        return acceptsAddresses && Self.isAddress(host)
    }

    /// Whether a host is an IP address. No web page can make one resolve to another machine.
    private static func isAddress(_ host: Substring) -> Bool {
        let isIPv6 = host.hasPrefix("[") && host.hasSuffix("]")
        return isIPv6 || host.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
    }
}
