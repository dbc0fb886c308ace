import EndpointKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The signature that Marvel asks of servers: the query items `ts`, a time, and `hash`.
///
/// The hash is the MD5 digest of the time, the private key and the public key, which is the query item `apikey`.
struct MarvelSignature: Signer {
    static let privateKey = "MARVEL_PRIVATE_KEY"

    let variables = [privateKey]

    func sign(_ request: inout Request, secrets: SignerSecrets, now: Date) throws {
        let time = "\(Int(now.timeIntervalSince1970))"
        let publicKey = try request.queryItems().last { $0.name == "apikey" }?.value ?? ""
        request.setQueryItem("ts", time)
        request.setQueryItem("hash", MessageDigest.md5.hexadecimal(of: time + secrets[Self.privateKey] + publicKey))
    }
}
