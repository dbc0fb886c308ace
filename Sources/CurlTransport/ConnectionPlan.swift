import EndpointKit
import SystemCalls

/// ``ConnectionOptions`` checked and worked out into what libcurl is told.
///
/// Texts end with their only zero byte.
struct ConnectionPlan: Sendable {
    let verifiesCertificate: Bool
    let certificateAuthorities: [UInt8]?
    let clientCertificate: [UInt8]?
    /// Whether the client's certificate stands in a PKCS#12 file, key and all.
    let isPKCS12: Bool
    let clientKey: [UInt8]?
    /// Empty where there is none: without any the TLS library would ask for one on the terminal.
    let keyPassphrase: [UInt8]
    let proxy: [UInt8]?
    let unixSocket: [UInt8]?
    let resolve: [[UInt8]]
    let httpVersion: ConnectionOptions.HTTPVersion?
    let names: Names

    /// What error messages call the parts of the way to the server.
    struct Names: Sendable, Equatable {
        /// Host and port of the proxy, without what may stand before them: a password. Nil where there is none, or
        /// where variables tell.
        var proxy: String?
        /// Whether the proxy is sent a user name.
        var hasProxyCredentials = false
        /// Whether the proxy itself is spoken to over TLS; false where variables tell.
        var isHTTPSProxy = false
        var unixSocket: String?
        var certificateAuthorities: String?
        var clientCertificate: String?
        var clientKey: String?
    }

    /// Throws `TransportError` where a value can't be what it should be or a file can't be read, and `MissingCredential` where
    /// the passphrase's variable is not set.
    init(_ options: ConnectionOptions) throws {
        verifiesCertificate = options.verifiesCertificate
        certificateAuthorities = try Self.file(options.certificateAuthorities, "the file of certificate authorities")
        clientCertificate = try Self.file(options.clientCertificate, "the client certificate")
        isPKCS12 = [".p12", ".pfx"].contains { options.clientCertificate?.lowercased().hasSuffix($0) ?? false }
        clientKey = try Self.file(options.clientKey, "the client's key")
        var passphrase: [UInt8] = [0]
        if let secret = options.keyPassphrase {
            passphrase = try Self.terminated(try secret.revealed(), "the key's passphrase")
        }
        keyPassphrase = passphrase
        proxy = try options.proxy.map { try Self.terminated($0, "the proxy") }
        unixSocket = try options.unixSocket.map { path in
            guard !path.isEmpty else { throw TransportError(.other, "the path of the unix socket is empty") }
            return try Self.terminated(path, "the path of the unix socket")
        }
        resolve = try options.resolve.map { entry in
            if let problem = ResolveEntry.problem(entry) {
                throw TransportError(.other, "the address \(entry): \(problem)")
            }
            return try Self.terminated(entry, "the address")
        }
        httpVersion = options.httpVersion
        names = Names(
            proxy: options.proxy.flatMap(Self.hostAndPort), hasProxyCredentials: options.proxy?.contains("@") ?? false,
            isHTTPSProxy: options.proxy?.lowercased().hasPrefix("https://") ?? false,
            unixSocket: options.unixSocket, certificateAuthorities: options.certificateAuthorities,
            clientCertificate: options.clientCertificate, clientKey: options.clientKey)
    }

    private static func terminated(_ text: String, _ name: String) throws(TransportError) -> [UInt8] {
        let bytes = text.exactBytes
        guard !bytes.contains(0) else { throw TransportError(.other, "\(name) holds a zero byte") }
        return bytes + [0]
    }

    /// The path of a file that can be read: libcurl looks only once the server has been connected to, and some of its TLS
    /// libraries don't say which file they miss.
    private static func file(_ path: String?, _ name: String) throws(TransportError) -> [UInt8]? {
        guard let path else { return nil }
        let bytes = try terminated(path, name)
        if let reason = Platform.unreadability(bytes) {
            throw TransportError(.tls, "can't read \(name) \(path.isEmpty ? "''" : path): \(reason)")
        }
        return bytes
    }

    /// `squid:3128` of `http://user:password@squid:3128/`; nil of an empty text.
    private static func hostAndPort(_ proxy: String) -> String? {
        var rest = proxy.utf8[...]
        // A password may hold a slash that is not encoded: what stands before the last @ is never the host.
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            rest = rest[rest.index(after: at)...]
        } else if let colon = rest.firstIndex(of: UInt8(ascii: ":")), rest[colon...].starts(with: "://".utf8) {
            rest = rest[colon...].dropFirst(3)
        }
        let host = rest.prefix { $0 != UInt8(ascii: "/") }
        return host.isEmpty ? nil : String(Substring(host))
    }
}
