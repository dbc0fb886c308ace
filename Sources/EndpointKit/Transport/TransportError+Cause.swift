extension TransportError {
    /// The reason for a failed transfer.
    public enum Cause: Sendable, Equatable {
        /// The host name has no address.
        case nameNotResolved
        /// No connection could be made: refused, unreachable.
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
        /// There is no status line: most likely the server speaks another protocol.
        case notHTTP
        /// The response breaks a rule of HTTP's framing.
        case malformedResponse
        /// The headers are longer than the transport allows.
        case headersTooLarge
        /// The body's content coding is unknown, or its compressed data is damaged.
        case contentCoding
        /// More redirects than allowed. `chain` are the URLs in order, without secrets.
        case tooManyRedirects(limit: Int, chain: [String])
        /// A redirect that must not be followed; `detail` says why.
        case unsafeRedirect
        /// A file in the request's body can't be read.
        case unreadableBody(path: String)
        /// The request can't be sent as it is; `detail` says why.
        case invalidRequest
        /// The system library that the transport uses is missing.
        case libraryMissing
        /// The transport does not support one of ``ConnectionOptions``.
        case unsupportedOption
        /// Anything else; `detail` says what.
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

    /// The limit that was exceeded.
    public enum Limit: Sendable, Equatable {
        /// ``TransferOptions/connectTimeout``, or the transport's own.
        case connecting(Duration)
        /// ``TransferOptions/maxTime``; nil if the transport set it.
        case whole(Duration?)
        /// ``TransferOptions/idleTimeout``; nil if the transport set it.
        case idle(Duration?)
    }

    /// Why a certificate is not accepted.
    public enum CertificateProblem: String, Sendable, Equatable {
        case expired = "has expired"
        case notYetValid = "is not valid yet"
        case wrongHost = "is for another host"
        case selfSigned = "is self-signed"
        case unknownIssuer = "has an unknown issuer"
        case other = "is not accepted"
    }

    /// A file that the connection needs.
    public enum CredentialFile: String, Sendable, Equatable {
        case certificateAuthorities = "the certificate authorities"
        case clientCertificate = "the client certificate"
        case clientKey = "the client's key"
    }

    /// Why a proxy did not connect to the server.
    public enum ProxyProblem: Sendable, Equatable {
        /// The proxy asks for credentials, and none were sent.
        case credentialsRequired(status: Int)
        /// The proxy does not accept the credentials that were sent.
        case credentialsRejected(status: Int)
        /// No tunnel to the server; `status` is the proxy's response, if there was one.
        case refused(status: Int?)
    }

    /// How a response ended early.
    public enum CutShort: Sendable, Equatable {
        /// The server closed the connection without a response.
        case noResponse
        /// The server closed the connection before the headers were complete.
        case inHeaders
        /// The server closed the connection in the middle of the body; `expected` is the announced length.
        case inBody(expected: Int64?)
        /// The connection broke: a reset, a lost network.
        case broken
        /// The HTTP/2 stream or its connection ended, or the server refused it.
        case http2
        /// The connection ended without a response, and the request must not be repeated.
        case requestLost(method: HTTPMethod)
    }
}
