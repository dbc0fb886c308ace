/// A transfer failed below HTTP: there is no answer, or not the whole of it.
public struct TransportError: Error, Sendable, Equatable, CustomStringConvertible {
    public enum Kind: Sendable, Equatable {
        /// The host name has no address.
        case nameNotResolved
        /// No connection: refused, unreachable, the proxy's too.
        case notConnected
        /// TLS could not be set up or the certificate was not accepted.
        case tls
        /// The time of ``TransferOptions/maxTime`` or ``TransferOptions/connectTimeout`` ran out.
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
        /// Anything else; ``TransportError/message`` tells.
        case other
    }

    public var kind: Kind
    /// What happened to whom, in one sentence without a full stop, such as `could not connect to 127.0.0.1 port 9: refused`.
    public var message: String

    public init(_ kind: Kind, _ message: String) {
        self.kind = kind
        self.message = message
    }

    public var description: String { message }
}
