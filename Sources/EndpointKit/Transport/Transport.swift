/// Sends single requests and returns their responses.
///
/// A transport does not follow redirects or retry. It may be used from many tasks at once.
public protocol Transport: Sendable {
    /// Starts the set-up in the background, for which the first request would have to wait. Calling it is optional.
    func prepare()

    /// Sends a request and returns once the final response's headers have arrived. The body is read on demand.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - options: Time limits, the connection and callbacks.
    /// - Returns: The response. Interim responses (1xx) are skipped.
    /// - Throws: ``TransportError``. ``MissingCredential`` if a secret of the request has no value. `CancellationError`
    ///   if the task was cancelled, which also stops the transfer.
    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse
}

extension Transport {
    /// Does nothing, because most transports need no set-up.
    public func prepare() {}
}

/// The time limits, the connection and the callbacks with which a request is sent.
public struct TransferOptions: Sendable {
    /// The longest time for a whole call, with redirects, retries and waits for credentials. Nil is no limit.
    public var maxTime: Duration?
    /// When ``maxTime`` ends, if it began before this transfer. So it limits redirects and further attempts together.
    /// Nil if it begins with the transfer.
    package var deadline: ContinuousClock.Instant?
    /// The longest time to connect, including name lookup and TLS. Nil is the transport's default.
    public var connectTimeout: Duration?
    /// The longest time without a byte sent or received, rounded up to whole seconds. Nil is no limit.
    public var idleTimeout: Duration?
    /// How the connection is made.
    public var connection = ConnectionOptions()
    /// The cookies to send and to keep. Nil sends and keeps none.
    package var cookies: CookieJar?
    /// Is called when a transfer has ended, successfully or not, before its last result is returned. Nil measures
    /// nothing.
    package var onTimes: (@Sendable (TransferTimes) -> Void)?
    /// Is called while the body of a request is sent, with the number of bytes so far and that of the whole body.
    ///
    ///     client.transfer.onSent = { count, total in show(Double(count) / Double(total)) }
    ///
    /// If the request is sent again, such as after a redirect, the bytes are counted anew.
    public var onSent: (@Sendable (_ count: Int64, _ total: Int64) -> Void)?
    /// Is called as the body of a response is read, with the number of bytes so far and the announced number of the
    /// whole body.
    ///
    /// The announced number is nil if the server does not give it, or if the body is compressed.
    public var onReceived: (@Sendable (_ count: Int64, _ total: Int64?) -> Void)?
    /// Is called with each event on the wire, in order.
    public var onEvent: (@Sendable (TransferEvent) -> Void)?

    /// Creates options without time limits and callbacks.
    public init() {}

    /// The part of ``maxTime`` that is left, at least zero. Nil is no limit.
    public var remainingTime: Duration? {
        guard let deadline else { return maxTime }
        return max(deadline - .now, .zero)
    }
}

/// An event on the wire. The bytes are as they are sent and received, so **they may hold secrets**.
public enum TransferEvent: Sendable, Equatable {
    /// The request line and headers.
    case requestHead([UInt8])
    /// A status line and its headers, also of interim responses.
    case responseHead([UInt8])
    /// A line about the transfer: name lookup, connection, TLS.
    case information(String)
}

/// The times that the phases of one transfer took. They add up to ``total``.
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

/// The options of a connection: proxy, address, trusted certificates. Each names the corresponding option of curl.
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

    /// Whether the server's certificate and its name must be valid. False is `--insecure`.
    public var verifiesCertificate = true
    /// A file of certificates in PEM form that are trusted instead of the system's (`--cacert`).
    public var certificateAuthorities: String?
    /// The client's own certificate, a PEM file that may hold the key too (`--cert`).
    public var clientCertificate: String?
    /// The private key of the client's certificate, a PEM file (`--key`).
    public var clientKey: String?
    /// The passphrase of an encrypted key. Nobody is asked for it.
    package var keyPassphrase: Secret?
    /// The URL of the proxy (`--proxy`). Nil uses the variables `http_proxy`, `https_proxy` and `no_proxy`. An empty
    /// text uses no proxy.
    public var proxy: String?
    /// A Unix domain socket to connect to in place of the URL's host (`--unix-socket`).
    package var unixSocket: String?
    /// Addresses to use instead of a name lookup, each `HOST:PORT:ADDRESS[,ADDRESS]…` (`--resolve`).
    package var resolve: [String] = []
    /// The version of HTTP. Nil leaves it to the transport.
    package var httpVersion: HTTPVersion?
    /// The oldest version of TLS that is accepted. Nil leaves it to the transport.
    package var tlsVersion: TLSVersion?

    /// Creates options that change nothing.
    package init() {}

    /// A copy of these options without the client's certificate and key.
    package var withoutClientCertificate: ConnectionOptions {
        var options = self
        options.clientCertificate = nil
        options.clientKey = nil
        options.keyPassphrase = nil
        return options
    }
}
