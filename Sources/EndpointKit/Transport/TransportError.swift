/// The error of a transfer that failed without a complete HTTP response.
///
/// ``cause`` is for programs. ``description`` is for people, and not to be parsed.
///
///     do {
///         page = try await client.send(Movies.popular(page: 2))
///     } catch let error as TransportError where error.cause == .notConnected {
///         showOffline()
///     }
public struct TransportError: DescribedError, Sendable, Equatable {
    /// The reason of the failure.
    public package(set) var cause: Cause
    /// The step of the transfer that failed.
    public package(set) var phase: Phase
    /// The end of the connection that caused the failure.
    public package(set) var party: Party
    /// The server that the request was for; nil if none had been chosen yet.
    public package(set) var server: Peer?
    /// The proxy in front of the server; nil if there is none, or none is known.
    public package(set) var proxy: Peer?
    /// The number of bytes of the body that had arrived; nil if it is unknown.
    public package(set) var receivedBytes: Int64?
    /// The files and directories in which a certificate's issuer was looked for; empty if they are unknown.
    package var searched: [String] = []
    /// The message of the system or a library, for display only. It may be empty, and holds no secret.
    public package(set) var detail: String

    /// Creates an error for a request that could not be sent.
    ///
    /// - Parameters:
    ///   - cause: What went wrong.
    ///   - request: The request, whose server the error names.
    ///   - detail: The message of the system or a library, without secrets.
    public init(_ cause: Cause, for request: Request, detail: String = "") {
        self.init(cause, server: Peer(request.base), detail: detail)
    }

    /// Creates an error of a transfer.
    ///
    /// - Parameters:
    ///   - cause: The reason of the failure.
    ///   - phase: The step of the transfer that failed. Nil is the step in which `cause` usually occurs.
    ///   - party: Whether the server or the proxy caused the failure.
    ///   - server: The server that the request was for. Nil if none had been chosen yet.
    ///   - proxy: The proxy in front of the server. Nil if there is none, or none is known.
    ///   - receivedBytes: How many bytes of the body had arrived. Nil if that is unknown.
    ///   - detail: The message of the system or a library. It must not hold a secret, because it is shown.
    package init(
        _ cause: Cause, phase: Phase? = nil, party: Party = .server, server: Peer? = nil, proxy: Peer? = nil,
        receivedBytes: Int64? = nil, detail: String = ""
    ) {
        self.cause = cause
        self.phase = phase ?? cause.usualPhase
        self.party = party
        self.server = server
        self.proxy = proxy
        self.receivedBytes = receivedBytes
        self.detail = detail
    }

    /// The end of a connection that caused a failure.
    public enum Party: Sendable, Equatable {
        /// The server that the request was for.
        case server
        /// The proxy in front of the server.
        case proxy
    }

    /// A step of a transfer, in order.
    public enum Phase: Sendable, Equatable, CaseIterable {
        /// Nothing has been sent: the request is checked, files are opened.
        case preparing
        /// The host name is being looked up.
        case resolving
        /// The connection to the server or proxy is being made.
        case connecting
        /// The proxy is opening a tunnel to the server.
        case tunnelling
        /// TLS is being set up.
        case handshaking
        /// The request is being sent.
        case sending
        /// The response's headers or body are awaited or received.
        case receiving
        /// A redirect is being followed.
        case redirecting
        /// The whole response has been received and is being decoded.
        case decoding
    }

    /// The other end of a connection.
    public struct Peer: Sendable, Equatable {
        /// The host name or address, an IPv6 address without brackets.
        public package(set) var host: String
        /// The port; nil if it is not known.
        public package(set) var port: Int?
        /// Whether the connection uses TLS.
        public package(set) var usesTLS: Bool
        /// The path of the Unix domain socket that is connected to instead of the host; nil for a TCP connection.
        public package(set) var unixSocket: String?

        /// Creates a peer with an address.
        package init(host: String, port: Int? = nil, usesTLS: Bool = false, unixSocket: String? = nil) {
            self.host = host
            self.port = port
            self.usesTLS = usesTLS
            self.unixSocket = unixSocket
        }

        /// Creates the peer of a base URL: its server, or a socket in place of it.
        package init(_ base: BaseURL, unixSocket: String? = nil) {
            let usesTLS = base.scheme == "https"
            self.init(
                host: base.host, port: base.port ?? (usesTLS ? 443 : 80), usesTLS: usesTLS, unixSocket: unixSocket)
        }

        /// Scheme, host and port, without path and query, which may hold secrets.
        package var url: String { "\(usesTLS ? "https" : "http")://\(authority)" }

        /// The host and port as in a URL: `example.com:443`, `[::1]:8080`.
        var authority: String {
            let isIPv6 = host.contains(":")
            let hostInURL = isIPv6 ? "[\(host)]" : host
            guard let port else { return hostInURL }
            return "\(hostInURL):\(port)"
        }
    }
}
