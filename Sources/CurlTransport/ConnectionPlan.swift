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
    /// The passphrase of the client's key. It is empty if there is none.
    let keyPassphrase: [UInt8]
    let proxy: [UInt8]?
    let unixSocket: [UInt8]?
    let resolve: [[UInt8]]

    /// Checks the options, and turns their texts into C strings for libcurl: bytes that end with a zero.
    ///
    /// - Throws: `TransportError` if a value is malformed or a file can't be read, and `MissingCredential` if the
    ///   passphrase's variable is not set.
    init(_ options: ConnectionOptions) throws {
        self.options = options
        certificateAuthorities = try Self.checkedFilePath(options.certificateAuthorities, for: .certificateAuthorities)
        clientCertificate = try Self.checkedFilePath(options.clientCertificate, for: .clientCertificate)
        isPKCS12 = Self.isPKCS12(options.clientCertificate)
        clientKey = try Self.checkedFilePath(options.clientKey, for: .clientKey)
        if let passphrase = try options.keyPassphrase?.revealed() {
            keyPassphrase = try Self.zeroTerminated(passphrase, name: "the key's passphrase")
        } else {
            // Without any passphrase, the TLS library would ask for one on the terminal. This one is empty.
            keyPassphrase = [0]
        }
        proxy = try options.proxy.map(Self.checkedProxy)
        unixSocket = try options.unixSocket.map(Self.checkedSocketPath)
        resolve = try options.resolve.map(Self.checkedResolveEntry)
    }

    /// Whether the name of a certificate's file says that it is a PKCS#12 file.
    private static func isPKCS12(_ path: String?) -> Bool {
        guard let path = path?.lowercased() else { return false }
        return path.hasSuffix(".p12") || path.hasSuffix(".pfx")
    }

    /// The schemes of proxies that libcurl knows.
    private static let proxySchemes: Set<String> = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Returns the URL of a proxy, such as `socks5://localhost:1080` or `squid:3128`, with a zero byte at its end.
    ///
    /// Scheme and port are checked here, because libcurl has no error code that distinguishes a wrong one from other
    /// failures.
    ///
    /// - Throws: `TransportError` if libcurl does not know the scheme, or the port is above 65,535.
    private static func checkedProxy(_ url: String) throws(TransportError) -> [UInt8] {
        let bytes = try zeroTerminated(url, name: "the proxy")
        if url.contains("://") {
            let scheme = url.split(separator: "://", maxSplits: 1).first ?? ""
            guard proxySchemes.contains(scheme.lowercased()) else { throw unacceptedProxy }
        }
        let port = TransportError.Peer(proxy: url)?.port
        if let port, !(0...65_535).contains(port) { throw unacceptedProxy }
        return bytes
    }

    private static var unacceptedProxy: TransportError {
        TransportError(.invalidRequest, party: .proxy, detail: "libcurl does not accept the proxy's URL")
    }

    /// Returns the path of a unix socket, with a zero byte at its end.
    private static func checkedSocketPath(_ path: String) throws(TransportError) -> [UInt8] {
        guard !path.isEmpty else {
            throw TransportError(.invalidRequest, detail: "the path of the unix socket is empty")
        }
        return try zeroTerminated(path, name: "the path of the unix socket")
    }

    /// Returns an entry of `--resolve`, which gives an address in place of a name lookup, with a zero byte at its end:
    /// `a.example:443:127.0.0.1`.
    ///
    /// - Throws: `TransportError` if the entry does not have this form.
    private static func checkedResolveEntry(_ entry: String) throws(TransportError) -> [UInt8] {
        if let problem = ResolveEntry.problem(entry) {
            throw TransportError(.invalidRequest, detail: "the address \(entry): \(problem)")
        }
        return try zeroTerminated(entry, name: "the address")
    }

    /// Returns a text with a zero byte at its end.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - name: The name of the text in an error: `the proxy`.
    /// - Throws: `TransportError` if the text has a zero byte itself.
    private static func zeroTerminated(_ text: String, name: String) throws(TransportError) -> [UInt8] {
        let bytes = text.exactBytes
        guard !bytes.contains(0) else { throw TransportError(.invalidRequest, detail: "\(name) holds a zero byte") }
        return bytes + [0]
    }

    /// Returns the path of a certificate's or key's file with a zero byte at its end, or nil if there is no path.
    ///
    /// It is checked here that the file can be read, because libcurl opens it only after it has connected to the
    /// server, and some of its TLS libraries don't say which file is missing.
    ///
    /// - Parameters:
    ///   - path: The path, if the options have one.
    ///   - purpose: The purpose of the file, which an error names.
    /// - Throws: `TransportError` if the file can't be read.
    private static func checkedFilePath(
        _ path: String?, for purpose: TransportError.CredentialFile
    ) throws(TransportError) -> [UInt8]? {
        guard let path else { return nil }
        let terminatedPath = try zeroTerminated(path, name: "the path of a certificate or key")
        if let problem = RegularFile.readProblem(at: path.exactBytes) {
            throw TransportError(.credentialFile(purpose, path: path), detail: problem.reason)
        }
        return terminatedPath
    }
}
