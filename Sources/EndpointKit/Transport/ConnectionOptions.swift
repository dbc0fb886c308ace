/// How a connection is made: proxy, address, trusted certificates. Each option names the corresponding option of curl.
public struct ConnectionOptions: Sendable, Equatable {
    /// The version of HTTP to use.
    public enum HTTPVersion: Sendable, Equatable {
        /// `--http1.1`
        case http1
        /// `--http2`: negotiated in the TLS handshake; without TLS, requested by an upgrade.
        case http2
    }

    /// Whether the server's certificate and its name must be valid; `--insecure` sets it to false.
    public var verifiesCertificate = true
    /// A file of certificates in PEM form that are trusted instead of the system's (`--cacert`).
    public var certificateAuthorities: String?
    /// The client's own certificate, a PEM file that may hold the key too (`--cert`).
    public var clientCertificate: String?
    /// The private key of the client's certificate, a PEM file (`--key`).
    public var clientKey: String?
    /// The passphrase of an encrypted key; never prompted for.
    public var keyPassphrase: Secret?
    /// The proxy's URL (`--proxy`). If nil, `http_proxy`, `https_proxy` and `no_proxy` decide; empty is no proxy.
    public var proxy: String?
    /// A Unix domain socket to connect to in place of the URL's host (`--unix-socket`).
    public var unixSocket: String?
    /// Addresses to use instead of a name lookup, each `HOST:PORT:ADDRESS[,ADDRESS]…` (`--resolve`).
    public var resolve: [String] = []
    /// The version of HTTP; nil leaves it to the transport.
    public var httpVersion: HTTPVersion?

    /// Options that change nothing.
    package init() {}

    /// These options without the client's certificate.
    var anonymous: ConnectionOptions {
        var copy = self
        (copy.clientCertificate, copy.clientKey, copy.keyPassphrase) = (nil, nil, nil)
        return copy
    }
}
