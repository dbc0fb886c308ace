/// The values of `Host` that `mock` accepts.
///
/// A web page whose host name is made to resolve to this machine (DNS rebinding) sends its own name.
final class MockHosts: Sendable {
    let names: [String]
    /// Whether any IP address is accepted, because the server listens on all of the machine's; pages have no such name.
    private let acceptsAddresses: Bool

    /// The hosts of a server that listens on `host` and `port`.
    init(host: String, port: UInt16) {
        let address = host.contains(":") ? "[\(host)]" : host.lowercased()
        let names = ["127.0.0.1", "localhost", "[::1]"]
        let all = names.contains(address) ? names : names + [address]
        // Clients leave out the default port.
        self.names = all.map { "\($0):\(port)" } + (port == 80 ? all : [])
        acceptsAddresses = ["0.0.0.0", "[::]"].contains(address)
    }

    func accept(_ host: String?) -> Bool {
        guard let host = host?.lowercased() else { return false }
        if names.contains(host) { return true }
        let isAddress = host.hasPrefix("[") || host.utf8.allSatisfy { "0123456789.:".utf8.contains($0) }
        return acceptsAddresses && isAddress
    }
}
