extension TransportError {
    /// The reason for a failed transfer.
    public enum Cause: Sendable, Equatable {
        /// The host name has no address.
        case nameNotResolved
        /// No connection could be made, because the server refused it or can't be reached.
        case notConnected
        /// A time limit of ``TransferOptions`` was exceeded.
        case timedOut(Limit)
        /// The TLS handshake failed, perhaps because the peer does not speak TLS.
        case tls
        /// The peer's certificate is not accepted.
        case certificate(CertificateProblem)
        /// The server asks for a client certificate, and none was sent.
        case clientCertificateRequired
        /// The server does not accept the client certificate that was sent.
        case clientCertificateRejected
        /// A file with certificates or a key can't be used.
        case credentialFile(CredentialFile, path: String?)
        /// The proxy was reached but did not connect to the server.
        case proxy(ProxyProblem)
        /// The connection ended before the response did.
        case cutShort(CutShort)
        /// The response has no status line. Most likely, the server speaks another protocol.
        case notHTTP
        /// The response breaks a rule of HTTP's framing.
        case malformedResponse
        /// The headers are longer than the transport allows.
        case headersTooLarge
        /// The body's content coding is unknown, or its compressed data is damaged.
        case contentCoding
        /// There are more redirects than allowed. `chain` contains the URLs in order, without secrets.
        case tooManyRedirects(limit: Int, chain: [String])
        /// A redirect must not be followed. ``TransportError/detail`` says why.
        case unsafeRedirect
        /// A file in the request's body can't be read.
        case unreadableBody(path: String)
        /// The request can't be sent as it is. ``TransportError/detail`` says why.
        case invalidRequest
        /// The system library that the transport uses is missing.
        case libraryMissing
        /// The transport does not support one of ``ConnectionOptions``.
        case unsupportedOption
        /// The transfer failed for another reason. ``TransportError/detail`` says which.
        case other

        /// The step of the transfer in which the cause usually occurs, for errors that do not give their own.
        var usualPhase: Phase {
            switch self {
            case .nameNotResolved: .resolving
            case .notConnected: .connecting
            case .proxy: .tunnelling
            case .tls, .certificate: .handshaking
            case .timedOut, .clientCertificateRequired, .clientCertificateRejected, .cutShort, .notHTTP,
                .malformedResponse, .headersTooLarge, .contentCoding, .other:
                .receiving
            case .tooManyRedirects, .unsafeRedirect: .redirecting
            case .credentialFile, .unreadableBody, .invalidRequest, .libraryMissing, .unsupportedOption: .preparing
            }
        }
    }

    /// The time limit that was exceeded.
    public enum Limit: Sendable, Equatable {
        /// The limit was ``TransferOptions/connectTimeout``, or the transport's own.
        case connecting(Duration)
        /// The limit was ``TransferOptions/maxTime``, or nil if the transport set another one.
        case whole(Duration?)
        /// The limit was ``TransferOptions/idleTimeout``, or nil if the transport set another one.
        case idle(Duration?)
    }

    /// The reason why a certificate is not accepted. The raw value follows `the certificate of …` in a message.
    public enum CertificateProblem: String, Sendable, Equatable {
        /// The certificate's time of validity has ended.
        case expired = "has expired"
        /// The certificate's time of validity has not begun.
        case notYetValid = "is not valid yet"
        /// The certificate does not name the host that was connected to.
        case wrongHost = "is for another host"
        /// The certificate is signed by itself, not by an authority.
        case selfSigned = "is self-signed"
        /// The authority that issued the certificate is not trusted.
        case unknownIssuer = "has an unknown issuer"
        /// The certificate is not accepted for another reason.
        case other = "is not accepted"

        /// Whether no trusted authority has issued the certificate.
        package var isIssuerUntrusted: Bool { self == .unknownIssuer || self == .selfSigned }
    }

    /// A file that the connection needs. The raw value names it in a message.
    public enum CredentialFile: String, Sendable, Equatable {
        /// The file of ``ConnectionOptions/certificateAuthorities``.
        case certificateAuthorities = "the certificate authorities"
        /// The file of ``ConnectionOptions/clientCertificate``.
        case clientCertificate = "the client certificate"
        /// The file of ``ConnectionOptions/clientKey``.
        case clientKey = "the client's key"
    }

    /// The reason why a proxy did not connect to the server.
    public enum ProxyProblem: Sendable, Equatable {
        /// The proxy asks for credentials, and none were sent.
        case credentialsRequired(status: Int)
        /// The proxy does not accept the credentials that were sent.
        case credentialsRejected(status: Int)
        /// The proxy opened no tunnel to the server. `status` is that of the proxy's response, or nil if there was
        /// none.
        case refused(status: Int?)
    }

    /// The way in which a response ended early.
    public enum CutShort: Sendable, Equatable {
        /// The server closed the connection without a response.
        case noResponse
        /// The server closed the connection before the headers were complete.
        case inHeaders
        /// The server closed the connection in the middle of the body. `expected` is the announced length in bytes, or
        /// nil if there was none.
        case inBody(expected: Int64?)
        /// The connection broke, because it was reset or the network was lost.
        case broken
        /// The HTTP/2 stream or its connection ended, or the server refused it.
        case http2
        /// The connection ended without a response, and the request must not be repeated.
        case requestLost(method: HTTPMethod)
    }
}
