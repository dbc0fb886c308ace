import EndpointKit

/// The hosts that `mock` accepts in the header `Host`.
///
/// This protects against DNS rebinding: a web page makes its own host name resolve to this machine, so that the browser
/// lets it read responses. The browser then sends that name as the host, which is refused.
struct MockHosts: Sendable {
    let names: [String]
    /// Whether any IP address is accepted, because the server listens on all addresses of the machine.
    private let acceptsAddresses: Bool

    /// Allows the address that the server listens on, and the names of this machine.
    ///
    /// - Parameter host: The address that the server listens on.
    init(_ host: String) {
        let address = host.contains(":") ? "[\(host)]" : host.lowercased()
        let local = ["127.0.0.1", "localhost", "[::1]"]
        names = local.contains(address) ? local : local + [address]
        acceptsAddresses = ["0.0.0.0", "[::]"].contains(address)
    }

    /// Returns whether the value of a `Host` header is one of the hosts, with any port: `localhost:8080`, `[::1]`.
    ///
    /// A missing header is refused.
    func accept(_ authority: String?) -> Bool {
        guard let authority = authority?.lowercased() else { return false }
        var host = authority[...]
        // A colon within brackets is part of an IPv6 address.
        if !authority.hasSuffix("]"), let colon = authority.lastIndex(of: ":") {
            let port = authority[colon...].dropFirst()
            guard port.utf8.allSatisfy(\.isDigit) else { return false }
            host = authority[..<colon]
        }
        return names.contains(String(host)) || acceptsAddresses && Self.isAddress(host)
    }

    /// Returns whether a host is an IP address, which no web page can make resolve elsewhere.
    private static func isAddress(_ host: Substring) -> Bool {
        let isIPv6 = host.hasPrefix("[") && host.hasSuffix("]")
        return isIPv6 || host.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
    }
}
