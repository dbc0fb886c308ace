import CSystem
import EndpointKit
import Synchronization
import SystemCalls

/// Decides which certificates the connections of one transport trust: always those in the bundle and in the directory
/// that its configuration names, or else libcurl was built with.
///
/// OpenSSL needs 40 ms to read a bundle of 140 certificates, but finds an issuer in a directory by a hash of its name.
/// So a directory with hash links is used alone, until an issuer is not in it; from then on, the bundle is used too.
final class TrustStore: Sendable {
    let configuration: CurlConfiguration
    /// Nil before the first connection.
    private let trust = Mutex<Trust?>(nil)

    init(_ configuration: CurlConfiguration) { self.configuration = configuration }

    /// Returns what a new connection trusts.
    ///
    /// - Parameter easy: Any handle, which knows libcurl's defaults.
    func current(using easy: borrowing EasyHandle) -> Trust {
        trust.withLock { trust in
            let current = trust ?? determineInitialTrust(using: easy)
            trust = current
            return current
        }
    }

    /// Adds the bundle for all later connections.
    func addBundle() { trust.withLock { $0?.leavesOutBundle = false } }

    /// Finds out which file (bundle) and which directory libcurl takes certificates from, and whether the first
    /// connections can do without the bundle, which takes long to read.
    ///
    /// The bundle is left out only with OpenSSL and a directory with hash links. OpenSSL finds an issuer there without
    /// reading all certificates.
    ///
    /// - Parameter easy: Any handle, which knows libcurl's defaults.
    private func determineInitialTrust(using easy: borrowing EasyHandle) -> Trust {
        var trust = Trust(configuration)
        // Before 7.84 libcurl does not tell its defaults, so these may be nil.
        trust.bundle = trust.bundle ?? easy.text(CCURLINFO_CAINFO)
        trust.directory = trust.directory ?? easy.text(CCURLINFO_CAPATH)
        guard easy.usesOpenSSL, isSlowToRead(trust.bundle) else { return trust }
        let directories = (trust.directory ?? "").split(separator: ":")
        trust.leavesOutBundle = directories.contains { HashLinks.exist(in: String($0)) }
        return trust
    }

    /// Whether a bundle has so many certificates, some 20, that reading it may take longer than to connect again.
    ///
    /// A bundle that is not known counts as slow. One that can't be read does not, so that libcurl reads it and reports
    /// the error.
    private func isSlowToRead(_ bundle: String?) -> Bool {
        guard let bundle else { return true }
        guard let file = try? RegularFile(bundle.exactBytes) else { return false }
        return file.count > 32_768
    }
}
