extension TransportError {
    /// What made a transfer fail.
    public enum Cause: Sendable, Equatable {
        /// The host name has no address.
        case nameNotResolved
        /// No connection could be made: refused, unreachable.
        case notConnected
        /// A time limit of ``TransferOptions`` was exceeded.
        case timedOut(Limit)
        /// The TLS handshake failed.
        case tls(TLSProblem)
        /// The peer's certificate is not accepted.
        case certificate(CertificateProblem)
        /// The server requires a client certificate, or does not accept the one that was sent.
        case clientCertificate(ClientCertificateProblem)
        /// A file with certificates or a key can't be used.
        case credentialFile(CredentialFile, path: String?)
        /// The proxy was reached but did not connect to the server.
        case proxy(ProxyProblem)
        /// The connection ended before the response did.
        case cutShort(CutShort)
        /// The response is not HTTP.
        case notHTTP(HTTPProblem)
        /// The body's content coding is unknown, or its compressed data is damaged.
        case contentCoding
        /// More redirects than allowed. `chain` are the URLs in order, without secrets.
        case tooManyRedirects(limit: Int, chain: [String])
        /// A redirect that must not be followed.
        case unsafeRedirect(RedirectProblem, from: String)
        /// A file in the request's body can't be read.
        case unreadableBody(path: String)
        /// The request can't be sent as it is; ``TransportError/detail`` says why.
        case invalidRequest
        /// The system library that the transport uses is missing.
        case libraryMissing
        /// The transport does not support one of ``ConnectionOptions``.
        case unsupportedOption
        /// Anything else; ``TransportError/detail`` says what.
        case other

        /// The phase in which it usually occurs.
        var usualPhase: Phase {
            switch self {
            case .nameNotResolved: .resolving
            case .notConnected: .connecting
            case .proxy: .tunnelling
            case .tls, .certificate: .handshaking
            case .timedOut, .clientCertificate, .cutShort, .notHTTP, .contentCoding, .other: .receiving
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

    public enum TLSProblem: Sendable, Equatable {
        /// The peer sent something other than TLS.
        case notTLS
        /// The peer closed the connection during the handshake.
        case closed
        case failed

        /// What OpenSSL's text about a handshake says: it has one error code for all of them.
        package init(openSSL text: String) {
            if ["wrong version number", "packet length too long"].contains(where: text.contains) {
                self = .notTLS
            } else {
                self = ["SSL_ERROR_SYSCALL", "unexpected eof"].contains(where: text.contains) ? .closed : .failed
            }
        }
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

    public enum ClientCertificateProblem: Sendable, Equatable {
        case required, rejected
    }

    public enum CredentialFile: String, Sendable, Equatable {
        case certificateAuthorities = "the certificate authorities"
        case clientCertificate = "the client certificate"
        case clientKey = "the client's key"
    }

    public enum ProxyProblem: Sendable, Equatable {
        case credentialsRequired(status: Int)
        case credentialsRejected(status: Int)
        /// No tunnel to the server; `status` is the proxy's response, if there was one.
        case refused(status: Int?)
    }

    /// How a response ended early.
    public enum CutShort: Sendable, Equatable {
        /// The server closed the connection without a response.
        case noResponse
        case inHeaders
        /// The server closed the connection in the middle of the body; `expected` is the announced length.
        case inBody(expected: Int64?)
        /// The compressed data ends early, although the transfer was complete.
        case inContentCoding
        /// The connection broke: a reset, a lost network.
        case broken
        case http2Connection
        /// The HTTP/2 stream ended: before any response, or in it.
        case http2Stream(hasResponse: Bool)
        /// The server refused the HTTP/2 stream.
        case http2Refused
        /// The connection ended without a response, and the request must not be repeated.
        case requestLost(method: HTTPMethod)
    }

    public enum HTTPProblem: Sendable, Equatable {
        /// There is no status line: most likely the server speaks another protocol.
        case noStatusLine
        case headersTooLarge
        case malformed
    }

    public enum RedirectProblem: Sendable, Equatable {
        /// A request with credentials would go to `to` without TLS.
        case credentialsInPlainText(to: String)
        /// The new URL repeats a credential, for another origin.
        case leaksCredential(to: String)
        case invalidURL
        case unsupportedScheme(String)
    }
}
