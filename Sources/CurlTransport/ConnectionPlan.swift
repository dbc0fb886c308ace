import EndpointKit
import SystemCalls

/// ``ConnectionOptions``, checked and put into libcurl's form.
///
/// Each text ends with a zero byte and holds no other.
struct ConnectionPlan: Sendable {
    let options: ConnectionOptions
    let certificateAuthorities: [UInt8]?
    let clientCertificate: [UInt8]?
    /// Whether the client's certificate is a PKCS#12 file, which holds the key too.
    let isPKCS12: Bool
    let clientKey: [UInt8]?
    /// Empty if there is none: without any, the TLS library would ask for one on the terminal.
    let keyPassphrase: [UInt8]
    let proxy: [UInt8]?
    let unixSocket: [UInt8]?
    let resolve: [[UInt8]]

    /// Throws `TransportError` if a value is malformed or a file can't be read, and `MissingCredential` if the passphrase's variable
    /// is not set.
    init(_ options: ConnectionOptions) throws {
        self.options = options
        certificateAuthorities = try Self.file(options.certificateAuthorities, .certificateAuthorities)
        clientCertificate = try Self.file(options.clientCertificate, .clientCertificate)
        isPKCS12 = [".p12", ".pfx"].contains { options.clientCertificate?.lowercased().hasSuffix($0) ?? false }
        clientKey = try Self.file(options.clientKey, .clientKey)
        keyPassphrase =
            try options.keyPassphrase.map {
                try Self.terminated(try $0.revealed(), "the key's passphrase")
            } ?? [0]
        proxy = try options.proxy.map { try Self.terminated($0, "the proxy") }
        unixSocket = try options.unixSocket.map { path in
            guard !path.isEmpty else {
                throw TransportError(.invalidRequest, detail: "the path of the unix socket is empty")
            }
            return try Self.terminated(path, "the path of the unix socket")
        }
        resolve = try options.resolve.map { entry in
            if let problem = ResolveEntry.problem(entry) {
                throw TransportError(.invalidRequest, detail: "the address \(entry): \(problem)")
            }
            return try Self.terminated(entry, "the address")
        }
    }

    private static func terminated(_ text: String, _ name: String) throws(TransportError) -> [UInt8] {
        let bytes = text.exactBytes
        guard !bytes.contains(0) else { throw TransportError(.invalidRequest, detail: "\(name) holds a zero byte") }
        return bytes + [0]
    }

    /// The path of a readable file: libcurl opens it only after it has connected to the server, and some of its TLS libraries
    /// don't say which file is missing.
    private static func file(
        _ path: String?, _ file: TransportError.CredentialFile
    ) throws(TransportError) -> [UInt8]? {
        guard let path else { return nil }
        let bytes = try terminated(path, "the path of a certificate or key")
        if let problem = RegularFile.problem(bytes) {
            throw TransportError(.credentialFile(file, path: path), detail: problem.inSentence)
        }
        return bytes
    }
}

extension ConnectionOptions {
    /// The proxy for error messages: `squid:3128` of `http://user:password@squid:3128/`; nil if there is none, or if it comes from a variable.
    var proxyPeer: TransportError.Peer? {
        guard let proxy else { return nil }
        var rest = proxy.utf8[...]
        // A password may hold an unencoded slash: the host is always after the last @.
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            rest = rest[rest.index(after: at)...]
        } else if let colon = rest.firstIndex(of: UInt8(ascii: ":")), rest[colon...].starts(with: "://".utf8) {
            rest = rest[colon...].dropFirst(3)
        }
        let authority = Substring(rest.prefix { $0 != UInt8(ascii: "/") })
        guard !authority.isEmpty else { return nil }
        let usesTLS = proxy.lowercased().hasPrefix("https://")
        var host = authority
        var port: Int?
        // The last colon of an IPv6 address in brackets does not start a port: a bracket follows.
        if let colon = authority.lastIndex(of: ":"), let number = Int(authority[authority.index(after: colon)...]) {
            (host, port) = (authority[..<colon], number)
        }
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        return TransportError.Peer(host: String(host), port: port, usesTLS: usesTLS)
    }
}
