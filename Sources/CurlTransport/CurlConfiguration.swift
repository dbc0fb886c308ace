/// Settings for every transfer of a ``CurlTransport``.
public struct CurlConfiguration: Sendable, Equatable {
    /// A file of certificates in PEM form, trusted instead of the bundle that libcurl was built with (curl's
    /// `--cacert`).
    package var certificateBundle: String?
    /// A directory of such certificates with hash links (`openssl rehash`), trusted instead of the one that libcurl was
    /// built with (curl's `--capath`).
    package var certificateDirectory: String?

    /// Makes a configuration with these paths. Without a path, the choice is left to libcurl.
    public init(certificateBundle: String? = nil, certificateDirectory: String? = nil) {
        self.certificateBundle = certificateBundle
        self.certificateDirectory = certificateDirectory
    }

    /// Makes the configuration that environment variables ask for. An empty variable counts as not set.
    ///
    /// `CURL_CA_BUNDLE` replaces the bundle and hides the other two, as for the curl tool. Without it, `SSL_CERT_FILE`
    /// replaces the bundle and `SSL_CERT_DIR` the directory, as for OpenSSL. What none of them replaces is as libcurl
    /// was built. A request's ``EndpointKit/ConnectionOptions/certificateAuthorities`` (`--cacert`) are trusted instead
    /// of all of these.
    ///
    /// - Parameter variables: Looks up the value of a variable.
    public init(variables: (String) -> String?) {
        func nonEmptyValue(_ name: String) -> String? {
            guard let value = variables(name), !value.isEmpty else { return nil }
            return value
        }
        if let bundle = nonEmptyValue("CURL_CA_BUNDLE") {
            self.init(certificateBundle: bundle)
        } else {
            self.init(
                certificateBundle: nonEmptyValue("SSL_CERT_FILE"),
                certificateDirectory: nonEmptyValue("SSL_CERT_DIR"))
        }
    }
}
