import EndpointKit

extension ConnectionOptions {
    /// Throws `TransportError` (`unsupportedOption`) for the first option that is set.
    ///
    /// URLSession has none of them for a single request, and a request must not take another route, or trust others, than it was told.
    func checkedForURLSession() throws(TransportError) {
        let wanted: [(isSet: Bool, option: String)] = [
            (!verifiesCertificate, "skip the certificate check"),
            (certificateAuthorities != nil, "trust certificate authorities from a file"),
            (clientCertificate != nil, "send a client certificate from a file"),
            (clientKey != nil, "use a client key from a file"),
            (keyPassphrase != nil, "use the passphrase of a client key"),
            (proxy != nil, "use a proxy for one request"),
            (unixSocket != nil, "connect to a unix socket"),
            (!resolve.isEmpty, "use given addresses in place of a name lookup"),
            (httpVersion != nil, "choose the HTTP version"),
        ]
        if let first = wanted.first(where: \.isSet) {
            throw TransportError(.unsupportedOption, detail: "URLSession can't \(first.option)")
        }
    }
}
