/// Settings for every transfer of a ``CurlTransport``.
public struct CurlConfiguration: Sendable, Equatable {
    /// A file of certificates in PEM form that are trusted instead of the system's (curl's `--cacert`).
    ///
    /// The curl tool reads it from `CURL_CA_BUNDLE` or `SSL_CERT_FILE`; the transport itself reads no variables.
    public var certificateBundle: String?
    /// A directory of such certificates, prepared with `c_rehash` (curl's `--capath`, `SSL_CERT_DIR`).
    public var certificateDirectory: String?

    /// A configuration with those paths; nil leaves the choice to libcurl.
    public init(certificateBundle: String? = nil, certificateDirectory: String? = nil) {
        self.certificateBundle = certificateBundle
        self.certificateDirectory = certificateDirectory
    }

    /// The configuration that the curl tool reads from `CURL_CA_BUNDLE`, `SSL_CERT_FILE` and `SSL_CERT_DIR`; an empty variable counts
    /// as not set.
    public init(variables: (String) -> String?) {
        func value(_ name: String) -> String? { variables(name).flatMap { $0.isEmpty ? nil : $0 } }
        self.init(
            certificateBundle: value("CURL_CA_BUNDLE") ?? value("SSL_CERT_FILE"),
            certificateDirectory: value("SSL_CERT_DIR"))
    }
}
