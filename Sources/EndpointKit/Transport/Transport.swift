/// Sends single requests and returns their responses.
///
/// A transport does not follow redirects or retry. It may be used from many tasks at once.
public protocol Transport: Sendable {
    /// Starts in the background the set-up that the first request would wait for. Calling it is optional.
    func prepare()

    /// Sends a request and returns once the final response's headers have arrived. The body is read on demand.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - options: Time limits, the connection and callbacks.
    /// - Returns: The response. Interim responses (1xx) are skipped.
    /// - Throws: ``TransportError``. ``MissingCredential`` if a secret of the request has no value. `CancellationError`
    ///   if the task was cancelled, which also stops the transfer.
    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse
}

extension Transport {
    /// Does nothing.
    public func prepare() {}
}

/// How a request is sent.
public struct TransferOptions: Sendable {
    /// The longest time for a whole call, with redirects, retries and waits for credentials; nil is no limit.
    public var maxTime: Duration?
    /// When ``maxTime`` ends, if it began before this transfer: it limits redirects and further attempts together.
    package var deadline: ContinuousClock.Instant?
    /// The longest time to connect, including name lookup and TLS; nil is the transport's default.
    public var connectTimeout: Duration?
    /// The longest time without a byte sent or received, rounded up to whole seconds; nil is no limit.
    public var idleTimeout: Duration?
    /// How the connection is made.
    public var connection = ConnectionOptions()
    /// The cookies to send and to keep; nil sends and keeps none.
    package var cookies: CookieJar?
    /// Called when a transfer has ended, successfully or not, before its last result is returned; nil costs nothing.
    package var onTimes: (@Sendable (TransferTimes) -> Void)?
    /// Called while the body of a request is sent, with the number of bytes so far and that of all; nil costs nothing.
    ///
    ///     client.transfer.onSent = { count, total in show(Double(count) / Double(total)) }
    ///
    /// If the request is sent again, such as after a redirect, the bytes are counted anew.
    public var onSent: (@Sendable (_ count: Int64, _ total: Int64) -> Void)?
    /// Called as the body of a response is read, with the number of bytes so far and the announced number of all; nil
    /// costs nothing.
    ///
    /// The announced number is nil if the server does not give it, or if the body is compressed.
    public var onReceived: (@Sendable (_ count: Int64, _ total: Int64?) -> Void)?
    /// Called with each event on the wire, in order; nil costs nothing.
    public var onEvent: (@Sendable (TransferEvent) -> Void)?

    /// Options without time limits and callbacks.
    public init() {}

    /// The part of ``maxTime`` that is left, at least zero; nil is no limit.
    public var remainingTime: Duration? {
        guard let deadline else { return maxTime }
        return max(deadline - .now, .zero)
    }
}

/// An event on the wire. The bytes are as sent and received: **they may hold secrets**.
public enum TransferEvent: Sendable, Equatable {
    /// The request line and headers.
    case requestHead([UInt8])
    /// A status line and its headers, also of interim responses.
    case responseHead([UInt8])
    /// A line about the transfer: name lookup, connection, TLS.
    case information(String)
}

/// How long the phases of one transfer took; they add up to ``total``.
package struct TransferTimes: Sendable, Equatable {
    /// The URL of the request, with secrets redacted.
    package var url = ""
    /// The final response's status; nil if there was none.
    package var status: Int?
    /// From the start until the host's address was known.
    package var nameLookup = Duration.zero
    /// From the end of the lookup until the connection was made, including through a proxy.
    package var connect = Duration.zero
    /// From the connection until TLS was set up; nil without TLS, or on a reused connection.
    package var tls: Duration?
    /// From the end of the set-up until the first byte of the response.
    package var firstByte = Duration.zero
    /// From the first byte of the response until the last one.
    package var content = Duration.zero
    /// From the start of the transfer to its end, successful or not.
    package var total = Duration.zero
    /// The size of the body as transferred (possibly compressed), in bytes.
    package var receivedBytes: Int64 = 0
    /// Whether the connection of an earlier transfer was reused.
    package var reusedConnection = false
    /// The address that was connected to, the proxy's if there is one; empty without a connection over IP.
    package var remoteIP = ""
    /// The port that was connected to; 0 without a connection over IP.
    package var remotePort = 0

    /// Creates the times of a transfer that has not started.
    package init() {}
}

/// How a connection is made: proxy, address, trusted certificates. Each option names the corresponding option of curl.
public struct ConnectionOptions: Sendable, Equatable {
    /// The version of HTTP to use.
    package enum HTTPVersion: Sendable, Equatable {
        /// `--http1.1`
        case http1
        /// `--http2`: negotiated in the TLS handshake; without TLS, requested by an upgrade.
        case http2
    }

    /// The oldest version of TLS that is accepted.
    package enum TLSVersion: Sendable, Equatable {
        /// `--tlsv1.2`
        case tls12
        /// `--tlsv1.3`
        case tls13
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
    package var keyPassphrase: Secret?
    /// The proxy's URL (`--proxy`). If nil, `http_proxy`, `https_proxy` and `no_proxy` decide; empty is no proxy.
    public var proxy: String?
    /// A Unix domain socket to connect to in place of the URL's host (`--unix-socket`).
    package var unixSocket: String?
    /// Addresses to use instead of a name lookup, each `HOST:PORT:ADDRESS[,ADDRESS]…` (`--resolve`).
    package var resolve: [String] = []
    /// The version of HTTP; nil leaves it to the transport.
    package var httpVersion: HTTPVersion?
    /// The oldest version of TLS that is accepted; nil leaves it to the transport.
    package var tlsVersion: TLSVersion?

    /// Options that change nothing.
    package init() {}

    /// These options without the client's certificate and key.
    package var withoutClientCertificate: ConnectionOptions {
        var options = self
        options.clientCertificate = nil
        options.clientKey = nil
        options.keyPassphrase = nil
        return options
    }
}
