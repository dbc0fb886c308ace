import CCurl
import EndpointKit

extension Transfer {
    /// Sets which certificates are trusted: the request's own authorities, else those of ``trust``.
    func setTrust(_ setter: inout OptionSetter) {
        let connection = plan.connection
        if !connection.verifiesCertificate {
            // The server's only, as in the curl tool: the certificate of an HTTPS proxy is still checked.
            setter.needed { $0.set(CCURLOPT_SSL_VERIFYPEER, 0) }
            setter.needed { $0.set(CCURLOPT_SSL_VERIFYHOST, 0) }
        }
        if trust.leavesOutBundle {
            setter.needed { $0.set(CCURLOPT_CAINFO, pointer: nil) }
            setter.optional { $0.set(CCURLOPT_PROXY_CAINFO, pointer: nil) }
        } else if let bundle = trust.configuration.certificateBundle.map({ $0.exactBytes + [0] }) {
            setter.needed { $0.set(CCURLOPT_CAINFO, terminated: bundle) }
            setter.optional { $0.set(CCURLOPT_PROXY_CAINFO, terminated: bundle) }
        }
        if let directory = trust.configuration.certificateDirectory.map({ $0.exactBytes + [0] }) {
            setter.needed { $0.set(CCURLOPT_CAPATH, terminated: directory) }
            setter.optional { $0.set(CCURLOPT_PROXY_CAPATH, terminated: directory) }
        }
        if let authorities = connection.certificateAuthorities {
            setter.needed("certificate authorities from a file") { $0.set(CCURLOPT_CAINFO, terminated: authorities) }
            // The directory that libcurl was built with would be trusted besides the file.
            setter.optional { $0.set(CCURLOPT_CAPATH, pointer: nil) }
        }
        reportTrust()
    }

    /// The files and directories of the certificates that the server's must come from, as far as they are known.
    var trustedPlaces: [String] { plan.connection.names.certificateAuthorities.map { [$0] } ?? trust.places }

    private func reportTrust() {
        guard let onEvent = plan.onEvent, plan.server.usesTLS else { return }
        let places = trustedPlaces.isEmpty ? "those of the TLS library" : trustedPlaces.joined(separator: ", ")
        let text =
            plan.connection.verifiesCertificate ? "trusted certificates: \(places)" : "the certificate is not checked"
        onEvent(.information(earlierTime == .zero ? text : "no trusted issuer found; connecting again; \(text)"))
    }

    /// Sets the route, the addresses and the client's identity.
    func setConnection(_ setter: inout OptionSetter) {
        let connection = plan.connection
        if let certificate = connection.clientCertificate {
            setter.needed("client certificates") { $0.set(CCURLOPT_SSLCERT, terminated: certificate) }
            if connection.isPKCS12 { setter.needed("PKCS#12 files") { $0.set(CCURLOPT_SSLCERTTYPE, text: "P12") } }
        }
        if let key = connection.clientKey {
            setter.needed("client certificates") { $0.set(CCURLOPT_SSLKEY, terminated: key) }
        }
        setter.optional { $0.set(CCURLOPT_KEYPASSWD, terminated: connection.keyPassphrase) }
        if let proxy = connection.proxy {
            setter.needed("proxies") { $0.set(CCURLOPT_PROXY, terminated: proxy) }
        }
        if let path = connection.unixSocket {
            setter.needed("unix sockets") { $0.set(CCURLOPT_UNIX_SOCKET_PATH, terminated: path) }
        }
        if !connection.resolve.isEmpty {
            setter.needed("addresses in place of a name lookup") { $0.set(CCURLOPT_RESOLVE, list: resolveEntries) }
        }
        switch connection.httpVersion {
        case nil: break
        case .http1: setter.needed("HTTP/1.1") { $0.set(CCURLOPT_HTTP_VERSION, Int(CCURL_HTTP_VERSION_1_1)) }
        case .http2: setter.needed("HTTP/2") { $0.set(CCURLOPT_HTTP_VERSION, Int(CCURL_HTTP_VERSION_2_0)) }
        }
    }
}
