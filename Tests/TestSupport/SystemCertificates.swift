import Foundation

/// The certificates of authorities that come with a system (Debian: the package ca-certificates).
public enum SystemCertificates {
    /// The advice to someone who runs a test that needs the certificates.
    ///
    /// Without any, libcurl makes no TLS connection that it has to verify.
    public static let advice = "install the package ca-certificates"

    /// Whether this machine has a file with such certificates.
    public static let exist = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ].contains { FileManager.default.isReadableFile(atPath: $0) }
}
