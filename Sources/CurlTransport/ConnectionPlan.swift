import EndpointKit

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

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
            guard ResolveEntry.isWellFormed(entry) else {
                throw TransportError(.other, "the address \(entry) is not HOST:PORT:ADDRESS[,ADDRESS]…")
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

/// The form of `HOST:PORT:ADDRESS[,ADDRESS]…`. libcurl leaves out silently what it can't read.
enum ResolveEntry {
    static func isWellFormed(_ entry: String) -> Bool {
        guard !entry.utf8.contains(0) else { return false }
        let parts = entry.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, isHost(parts[0]), isPort(parts[1]) else { return false }
        return parts[2].split(separator: ",", omittingEmptySubsequences: false).allSatisfy(isAddress)
    }

    /// A name; `*` stands for every host, and a `+` before it for an entry that grows old like any other.
    private static func isHost(_ text: Substring) -> Bool {
        let name = text.hasPrefix("+") ? text.dropFirst() : text
        return !name.isEmpty && !name.hasPrefix("-") && name.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    private static func isPort(_ text: Substring) -> Bool {
        (1...5).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
            && (1...65535).contains(Int(text) ?? 0)
    }

    /// An IPv4 address, or an IPv6 one that may stand in brackets.
    private static func isAddress(_ text: Substring) -> Bool {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]") && text.utf8.count > 2
        let address = isBracketed ? String(text.dropFirst().dropLast()) : String(text)
        var buffer = in6_addr()
        if inet_pton(AF_INET6, address, &buffer) == 1 { return true }
        return !isBracketed && inet_pton(AF_INET, address, &buffer) == 1
    }
}
