import CCurl
import EndpointKit

extension TransferFacts {
    static let tlsCodes: Set<Int32> = [
        CCURLE_SSL_CONNECT_ERROR, CCURLE_SSL_ENGINE_NOTFOUND, CCURLE_SSL_ENGINE_SETFAILED, CCURLE_SSL_CERTPROBLEM,
        CCURLE_SSL_CIPHER, CCURLE_PEER_FAILED_VERIFICATION, CCURLE_SSL_ENGINE_INITFAILED, CCURLE_SSL_CACERT_BADFILE,
        CCURLE_SSL_CRL_BADFILE, CCURLE_SSL_ISSUER_ERROR, CCURLE_SSL_PINNEDPUBKEYNOTMATCH,
        CCURLE_SSL_INVALIDCERTSTATUS, CCURLE_SSL_CLIENTCERT,
    ]

    /// Whether OpenSSL's number for what is wrong with a certificate says that no trusted certificate was found for it
    /// (`X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT`, `…_DEPTH_ZERO_SELF_SIGNED_CERT`, `…_SELF_SIGNED_CERT_IN_CHAIN`,
    /// `…_UNABLE_TO_GET_ISSUER_CERT_LOCALLY`, `…_UNABLE_TO_VERIFY_LEAF_SIGNATURE`).
    static func isUntrustedIssuer(_ verifyResult: Int) -> Bool { [2, 18, 19, 20, 21].contains(verifyResult) }

    /// The error for one of ``tlsCodes``.
    func tlsError(_ code: Int32, _ reason: String) -> TransportError {
        switch code {
        case CCURLE_PEER_FAILED_VERIFICATION, CCURLE_SSL_ISSUER_ERROR:
            let isProxys = proxyVerifyResult != 0
            let problem = TLSText(reason).certificateProblem(number: isProxys ? proxyVerifyResult : verifyResult)
            var error = failure(.certificate(problem), party: isProxys ? .proxy : .server, detail: reason)
            if !isProxys, problem == .unknownIssuer || problem == .selfSigned { error.searched = trusted }
            return error
        case CCURLE_SSL_CERTPROBLEM:
            return ownCertificateError(reason)
        case CCURLE_SSL_CONNECT_ERROR where reason.contains("key file") && names.clientCertificate != nil:
            return ownCertificateError(reason)
        case CCURLE_SSL_CACERT_BADFILE:
            return failure(
                .credentialFile(.certificateAuthorities, path: names.certificateAuthorities), phase: .handshaking,
                detail: reason)
        default:
            return clientCertificateError(reason) ?? handshakeError(reason)
        }
    }

    private func handshakeError(_ reason: String) -> TransportError {
        let isProxys = names.proxy?.usesTLS == true && connectStatus == 0
        return failure(
            .tls(TLSText(reason).handshakeProblem), party: isProxys ? .proxy : .server, detail: reason)
    }

    /// The client's own certificate or key can't be used.
    private func ownCertificateError(_ reason: String) -> TransportError {
        let isKey = reason.contains("private key") || reason.contains("key file")
        let cause: TransportError.Cause =
            if isKey, let key = names.clientKey {
                .credentialFile(.clientKey, path: key)
            } else {
                .credentialFile(.clientCertificate, path: names.clientCertificate)
            }
        return failure(cause, phase: .handshaking, detail: reason)
    }

    /// The server ended the connection over the client's certificate; nil if that is not what it said.
    ///
    /// With TLS 1.3 it says so after the handshake, while the response is awaited (RFC 8446, section 4.4.2.4).
    func clientCertificateError(_ reason: String) -> TransportError? {
        let text = TLSText(reason)
        if let problem = text.clientCertificateProblem {
            return failure(.clientCertificate(names.clientCertificate == nil ? .required : problem), detail: reason)
        }
        // GnuTLS does not say which alert it was.
        return text.isAlert && !hasHeaders ? failure(.tls(.alert), detail: reason) : nil
    }
}
