import EndpointKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

public struct ClinicSignature: Signer {
    public let variables = ["CLINIC_SECRET"]

    public init() {}

    public func sign(_ request: inout Request, secrets: SignerSecrets, now: Date) throws {
        let time = String(Int(now.timeIntervalSince1970))
        let lines = try [time, request.method.rawValue, request.encodedPath, request.encodedQuery()]
        let text = lines.joined(separator: "\n")
        let code = MessageDigest.sha256.authenticationCode(of: text, key: Array(secrets["CLINIC_SECRET"].utf8))
        request.setHeader("X-Clinic-Time", time)
        request.setHeader("X-Clinic-Signature", Base64URL.encode(code))
    }
}
