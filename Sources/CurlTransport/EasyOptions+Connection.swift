import CCurl
import EndpointKit

extension Transfer {
    /// Sets which certificates are trusted: the request's, else the transport's, else the system's.
    func setTrust(_ configuration: CurlConfiguration, _ setter: inout OptionSetter) {
        let connection = plan.connection
        if !connection.verifiesCertificate {
            // The server's only, as in the curl tool: the certificate of an HTTPS proxy is still checked.
            setter.needed { $0.set(CCURLOPT_SSL_VERIFYPEER, 0) }
            setter.needed { $0.set(CCURLOPT_SSL_VERIFYHOST, 0) }
        }
        if let bundle = configuration.certificateBundle {
            setter.needed { $0.set(CCURLOPT_CAINFO, text: bundle) }
            setter.optional { $0.set(CCURLOPT_PROXY_CAINFO, text: bundle) }
        }
        if let directory = configuration.certificateDirectory {
            setter.needed { $0.set(CCURLOPT_CAPATH, text: directory) }
            setter.optional { $0.set(CCURLOPT_PROXY_CAPATH, text: directory) }
        }
        if let authorities = connection.certificateAuthorities {
            setter.needed("certificate authorities from a file") { $0.set(CCURLOPT_CAINFO, terminated: authorities) }
            // The directory that libcurl was built with would be trusted besides the file.
            setter.optional { $0.set(CCURLOPT_CAPATH, pointer: nil) }
        }
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
