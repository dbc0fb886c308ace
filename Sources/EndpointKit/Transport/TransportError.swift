/// A transfer failed below HTTP: there is no answer, or not the whole of it.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What kind of failure it is, for a program to decide by.
    public enum Kind: Sendable, Equatable {
        /// The host name has no address.
        case nameNotResolved
        /// No connection: refused, unreachable, the proxy's too.
        case notConnected
        /// The proxy was reached and did not connect: it refused, or wants credentials.
        case proxy
        /// TLS could not be set up, or the server did not accept the client's certificate.
        case tls
        /// The server's certificate is not accepted.
        case certificate(CertificateProblem)
        /// A time of ``TransferOptions`` ran out.
        case timedOut
        /// The connection ended before the answer did.
        case cutShort
        /// The answer is not HTTP.
        case notHTTP
        /// The request's body could not be read.
        case unreadableBody
        /// More redirects than allowed.
        case tooManyRedirects
        /// A redirect that must not be followed.
        case unsafeRedirect
        /// The system library that the transport stands on is not there.
        case libraryMissing
        /// The transport has no such option as one of ``ConnectionOptions``.
        case unsupportedOption
        /// Anything else; ``TransportError/message`` tells.
        case other
    }

    /// Why a server's certificate is not accepted.
    public enum CertificateProblem: Sendable, Equatable {
        case expired, notYetValid, wrongHost, selfSigned, unknownIssuer, other
    }

    /// What kind of failure it is.
    public var kind: Kind
    /// What happened to whom, in one sentence without a full stop, such as `could not connect to 127.0.0.1 port 9: refused`.
    public var message: String

    /// A failure of that kind; `message` is one sentence without a full stop, and holds no secret.
    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }
}
