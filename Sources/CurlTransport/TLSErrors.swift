import CCurl
import EndpointKit

extension TransferFacts {
    static let tlsCodes: Set<Int32> = [
        CCURLE_SSL_CONNECT_ERROR, CCURLE_SSL_ENGINE_NOTFOUND, CCURLE_SSL_ENGINE_SETFAILED, CCURLE_SSL_CERTPROBLEM,
        CCURLE_SSL_CIPHER, CCURLE_PEER_FAILED_VERIFICATION, CCURLE_SSL_ENGINE_INITFAILED, CCURLE_SSL_CACERT_BADFILE,
        CCURLE_SSL_CRL_BADFILE, CCURLE_SSL_ISSUER_ERROR, CCURLE_SSL_PINNEDPUBKEYNOTMATCH,
        CCURLE_SSL_INVALIDCERTSTATUS, CCURLE_SSL_CLIENTCERT,
    ]

    /// The error for one of ``tlsCodes``.
    func tlsError(_ code: Int32, _ reason: String) -> TransportError {
        switch code {
        case CCURLE_PEER_FAILED_VERIFICATION, CCURLE_SSL_ISSUER_ERROR:
            return certificateError(reason)
        case CCURLE_SSL_CERTPROBLEM:
            return ownCertificateError(reason)
        case CCURLE_SSL_CONNECT_ERROR where reason.contains("key file") && names.clientCertificate != nil:
            return ownCertificateError(reason)
        case CCURLE_SSL_CACERT_BADFILE:
            let file = names.certificateAuthorities.map { "the certificate authorities in \($0)" }
            return TransportError(.tls, "can't use \(file ?? "the certificate authorities"): \(reason)")
        default:
            return clientCertificateError(reason) ?? handshakeError(reason)
        }
    }

    private func handshakeError(_ reason: String) -> TransportError {
        let isProxys = names.isHTTPSProxy && connectStatus == 0
        let text = reason.lowercased()
        // As OpenSSL 1 and 3, LibreSSL and GnuTLS have it, in this order.
        if ["wrong version number", "packet length too long", "unexpected tls packet"].contains(where: text.contains) {
            let whoever = isProxys ? proxy : "\(server.host) port \(server.port)"
            return TransportError(.tls, "\(whoever) does not speak TLS (\(reason))")
        }
        if ["ssl_error_syscall", "unexpected eof", "connection reset", "terminated"].contains(where: text.contains) {
            let whoever = isProxys ? proxy : server.host
            return TransportError(.tls, "\(whoever) closed the connection during the TLS handshake (\(reason))")
        }
        let whom = isProxys ? proxy : "\(server.host) port \(server.port)"
        return TransportError(.tls, "no secure connection to \(whom): \(reason)")
    }

    private func certificateError(_ reason: String) -> TransportError {
        let isProxys = proxyVerifyResult != 0
        let owner = isProxys ? "the proxy\(names.proxy.map { " at \($0)" } ?? "")" : server.host
        let problem = CertificateReason.problem(reason, number: isProxys ? proxyVerifyResult : verifyResult)
        let words =
            switch problem {
            case .expired: "expired"
            case .notYetValid: "is not valid yet"
            case .wrongHost: "is for another host"
            case .selfSigned: "is self-signed"
            case .unknownIssuer: "has an unknown issuer"
            case .other: "is not accepted"
            }
        return TransportError(.certificate(problem), "the certificate of \(owner) \(words) (\(reason))")
    }

    /// The client's own certificate or key can't be used.
    private func ownCertificateError(_ reason: String) -> TransportError {
        let isKey = reason.contains("private key") || reason.contains("key file")
        let file =
            if isKey, let key = names.clientKey {
                "the client's key \(key)"
            } else {
                "the client certificate\(names.clientCertificate.map { " \($0)" } ?? "")"
            }
        let hint = isKey ? "; is it another file's, or is the passphrase wrong?" : ""
        return TransportError(.tls, "can't use \(file) (\(reason))\(hint)")
    }

    /// The server ended the connection over the client's certificate, or nil where that is not what it said.
    ///
    /// With TLS 1.3 it says so when the handshake is long over, to who reads the answer (RFC 8446, section 4.4.2.4).
    func clientCertificateError(_ reason: String) -> TransportError? {
        let text = reason.lowercased()
        let isMissing = ["certificate required", "certificate is required", "requires a client certificate"]
            .contains { text.contains($0) }
        let isRefused =
            text.contains("alert")
            && ["bad certificate", "unsupported certificate", "certificate revoked", "certificate expired"]
                .contains { text.contains($0) }
            || ["alert unknown ca", "alert certificate unknown", "rejected the client certificate"]
                .contains { text.contains($0) }
        guard isMissing || isRefused else {
            // GnuTLS does not say which.
            guard text.contains("fatal alert has been received"), !hasHead else { return nil }
            return TransportError(.tls, "\(server.host) broke off the secure connection (\(reason))")
        }
        let words =
            isMissing || names.clientCertificate == nil
            ? "wants a client certificate" : "does not accept the client certificate"
        return TransportError(.tls, "\(server.host) \(words) (\(reason))")
    }
}

/// Why a certificate was not accepted, by the words and numbers of the TLS libraries that libcurl may be built with.
enum CertificateReason {
    /// `number` is what the library calls the problem: a code of OpenSSL's (`X509_V_ERR_…`), or flags of GnuTLS's
    /// (`GNUTLS_CERT_…`); 0 where it has none.
    static func problem(_ reason: String, number: Int) -> TransportError.CertificateProblem {
        let text = reason.lowercased()
        func holds(_ words: String...) -> Bool { words.contains { text.contains($0) } }
        // libcurl compares the name itself where the library does not.
        if holds("does not match", "did not match", "no alternative certificate subject name", "hostname mismatch") {
            return .wrongHost
        }
        if holds("has expired", "expiration date has passed", "expired certificate") { return .expired }
        if holds("not yet valid", "not activated yet") { return .notYetValid }
        if holds("self-signed certificate in", "self signed certificate in") { return .unknownIssuer }
        if holds("self-signed certificate", "self signed certificate") { return .selfSigned }
        if holds("local issuer", "unable to get issuer", "unable to verify the first", "untrusted root", "no root") {
            return .unknownIssuer
        }
        return text.contains("cafile:") ? gnuTLS(flags: number) : openSSL(code: number)
    }

    private static func openSSL(code: Int) -> TransportError.CertificateProblem {
        switch code {
        case 9: .notYetValid
        case 10: .expired
        case 18: .selfSigned
        case 2, 19, 20, 21: .unknownIssuer
        case 62, 64: .wrongHost
        default: .other
        }
    }

    /// GnuTLS's text is the same for all.
    private static func gnuTLS(flags: Int) -> TransportError.CertificateProblem {
        if flags & 1024 != 0 { return .expired }
        if flags & 512 != 0 { return .notYetValid }
        return flags & 64 != 0 ? .unknownIssuer : .other
    }
}
