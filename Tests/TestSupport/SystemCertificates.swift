import Foundation

/// The certificates of authorities that come with a system (Debian: the package ca-certificates).
public enum SystemCertificates {
    /// What to install if a test needs them: without any, libcurl makes no connection over TLS whose certificate it is to verify.
    public static let advice = "install the package ca-certificates"

    /// Whether there are any.
    public static let exist = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ].contains { FileManager.default.isReadableFile(atPath: $0) }
}
