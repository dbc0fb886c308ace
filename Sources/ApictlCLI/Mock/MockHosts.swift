import EndpointKit

/// The hosts that `mock` accepts in the header `Host`.
///
/// With DNS rebinding, a web page makes its own host name resolve to this machine. The browser then sends that name.
struct MockHosts: Sendable {
    let names: [String]
    /// Whether any IP address is accepted, because the server listens on all addresses of the machine.
    private let acceptsAddresses: Bool

    /// - Parameter host: The address that the server listens on.
    init(_ host: String) {
        let address = host.contains(":") ? "[\(host)]" : host.lowercased()
        let local = ["127.0.0.1", "localhost", "[::1]"]
        names = local.contains(address) ? local : local + [address]
        acceptsAddresses = ["0.0.0.0", "[::]"].contains(address)
    }

    /// Returns whether `authority` is one of the hosts, with any port: `localhost:8080`, `[::1]`.
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

    private static func isAddress(_ host: Substring) -> Bool {
        let isIPv6 = host.hasPrefix("[") && host.hasSuffix("]")
        return isIPv6 || host.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") }
    }
}
