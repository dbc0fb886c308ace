/// A transfer failed below HTTP: there is no response, or only part of one.
///
/// What is known about the failure is in the fields. ``message`` puts them into words; nothing should be decided by its text.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong.
    public var cause: Cause
    /// How far the transfer had come.
    public var phase: Phase
    /// Who failed, or refused.
    public var party: Party
    /// The server that the request was for; nil if it never got as far as choosing one.
    public var server: Peer?
    /// The proxy on the way to the server; nil if there is none, or none is known.
    public var proxy: Peer?
    /// The bytes of the body that had arrived; nil if nobody counted.
    public var receivedBytes: Int64?
    /// The system's or a library's own words, to be shown but not decided by; may be empty. It holds no secret.
    public var detail: String

    /// A failure. `phase` is the one in which `cause` usually occurs, unless given.
    public init(
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

    /// Who a failure is about.
    public enum Party: Sendable, Equatable {
        case server
        case proxy
        /// The system's name lookup, for the server's name.
        case resolver
    }

    /// A step of a transfer, in order.
    public enum Phase: Sendable, Equatable, CaseIterable {
        /// Nothing has been sent: the request is checked, files are opened.
        case preparing
        /// A host name is looked up.
        case resolving
        case connecting
        /// The proxy is asked for a tunnel to the server.
        case tunnelling
        case handshaking
        case sending
        /// The response's headers or body are awaited or received.
        case receiving
        /// A redirect is followed.
        case redirecting
        /// The whole response has been received and is decoded.
        case decoding
    }

    /// The other end of a connection.
    public struct Peer: Sendable, Equatable {
        /// The host name or address, an IPv6 address without brackets.
        public var host: String
        /// The port; nil if it is not known.
        public var port: Int?
        /// Whether it is spoken to over TLS.
        public var usesTLS: Bool
        /// The path of the unix socket that is connected to in its place.
        public var unixSocket: String?

        /// A peer at that address.
        public init(host: String, port: Int? = nil, usesTLS: Bool = false, unixSocket: String? = nil) {
            self.host = host
            self.port = port
            self.usesTLS = usesTLS
            self.unixSocket = unixSocket
        }

        /// The server of a base URL.
        public init(_ base: BaseURL, unixSocket: String? = nil) {
            let usesTLS = base.scheme == "https"
            self.init(
                host: base.host, port: base.port ?? (usesTLS ? 443 : 80), usesTLS: usesTLS, unixSocket: unixSocket)
        }

        /// Scheme, host and port. Path and query, which may hold secrets, are left out.
        public var url: String { "\(usesTLS ? "https" : "http")://\(authority)" }

        /// `host:port` as in a URL.
        var authority: String { (host.contains(":") ? "[\(host)]" : host) + (port.map { ":\($0)" } ?? "") }
    }
}
