import EndpointKit

extension ConnectionOptions {
    /// Throws `TransportError` (`unsupportedOption`) for the first option that is set: URLSession has none of them for a
    /// single request, and a request must not go another way, or trust others, than it was told.
    func checkedForURLSession() throws(TransportError) {
        let wanted: [(isSet: Bool, option: String)] = [
            (!verifiesCertificate, "skip the check of certificates"),
            (certificateAuthorities != nil, "trust the certificate authorities of a file"),
            (clientCertificate != nil, "send a client certificate from a file"),
            (clientKey != nil, "use a client's key from a file"),
            (keyPassphrase != nil, "use the passphrase of a client's key"),
            (proxy != nil, "take a proxy for one request"),
            (unixSocket != nil, "connect to a unix socket"),
            (!resolve.isEmpty, "take addresses in place of a name lookup"),
            (httpVersion != nil, "choose the version of HTTP"),
        ]
        if let first = wanted.first(where: \.isSet) {
            throw TransportError(.unsupportedOption, "URLSession can't \(first.option)")
        }
    }
}
