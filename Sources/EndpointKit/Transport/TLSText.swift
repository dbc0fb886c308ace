/// Interprets error messages of TLS libraries: OpenSSL, LibreSSL, GnuTLS and SecureTransport, as libcurl and Foundation report them.
package struct TLSText {
    private let text: String

    package init(_ text: String) { self.text = text.lowercased() }

    private func says(_ phrases: String...) -> Bool { phrases.contains { text.contains($0) } }

    /// Why a handshake failed.
    package var handshakeProblem: TransportError.TLSProblem {
        if says("wrong version number", "packet length too long", "unexpected tls packet") { return .notTLS }
        if says("ssl_error_syscall", "unexpected eof", "connection reset", "terminated") { return .closed }
        return .failed
    }

    /// What the server said about the client's certificate; nil if the message is about something else.
    package var clientCertificateProblem: TransportError.ClientCertificateProblem? {
        if says("certificate required", "certificate is required", "requires a client certificate") { return .required }
        let isRejected =
            says("alert unknown ca", "alert certificate unknown", "rejected the client certificate")
            || says("alert")
                && says("bad certificate", "unsupported certificate", "certificate revoked", "certificate expired")
        return isRejected ? .rejected : nil
    }

    /// Whether the peer ended the connection with an alert that the message does not name.
    package var isAlert: Bool { says("fatal alert has been received") }

    /// Why a certificate is not accepted.
    ///
    /// `number` is the library's own: a code of OpenSSL (`X509_V_ERR_…`) or flags of GnuTLS (`GNUTLS_CERT_…`); 0 if unknown.
    package func certificateProblem(number: Int = 0) -> TransportError.CertificateProblem {
        // libcurl compares the name itself if the library does not.
        if says("does not match", "did not match", "no alternative certificate subject name", "hostname mismatch") {
            return .wrongHost
        }
        if says("has expired", "expiration date has passed", "expired certificate") { return .expired }
        if says("not yet valid", "not activated yet") { return .notYetValid }
        if says("self-signed certificate in", "self signed certificate in") { return .unknownIssuer }
        if says("self-signed certificate", "self signed certificate") { return .selfSigned }
        if says("local issuer", "unable to get issuer", "unable to verify the first", "untrusted root", "no root") {
            return .unknownIssuer
        }
        // GnuTLS has the same message for all problems.
        return says("cafile:") ? Self.gnuTLS(flags: number) : Self.openSSL(code: number)
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

    private static func gnuTLS(flags: Int) -> TransportError.CertificateProblem {
        if flags & 1024 != 0 { return .expired }
        if flags & 512 != 0 { return .notYetValid }
        return flags & 64 != 0 ? .unknownIssuer : .other
    }
}
