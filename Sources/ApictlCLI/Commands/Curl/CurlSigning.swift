import EndpointKit

/// The arguments with which curl signs a request.
///
/// curl computes Signature Version 4 itself. It can't compute any other signature: the command then takes each part of
/// it from a variable of the shell that is named after the part, such as `SIGNED_HASH` for the query item `hash`.
struct CurlSigning {
    private(set) var arguments: [CurlCommandText.Argument] = []
    private(set) var warnings: [String] = []

    /// Makes the arguments for the signers of a request, and removes these signers from it. The parts that curl can't
    /// compute are added to the request.
    init(_ request: inout Request) {
        guard let signing = request.signing else { return }
        for signer in signing.signers {
            if let aws = signer.signer.signer as? AWSSigV4 { add(aws, secrets: signer.secrets) }
        }
        request.signing?.signers.removeAll { $0.signer.signer is AWSSigV4 }
        var parts: [SignedPart] = []
        request = request.showingSignatures { part in
            parts.append(part)
            return Secret(variable: Self.variable(of: part), value: "")
        }
        if parts.isEmpty { return }
        let names = parts.map(\.name).joined(separator: " and ")
        let variables = parts.map(Self.variable).joined(separator: " and ")
        warnings.append("\(names) must be computed for each request; the command takes them from \(variables)")
    }

    /// Adds the options of Signature Version 4: region, service, keys, and the session token if it is set.
    private mutating func add(_ aws: AWSSigV4, secrets: [Secret]) {
        let keys: [SensitiveText.Piece] = [
            .variable(AWSSigV4.keyIDVariable), .text(":"), .variable(AWSSigV4.secretKeyVariable),
        ]
        arguments += ["--aws-sigv4", SensitiveText("aws:amz:\(aws.region):\(aws.service)")]
        arguments += ["--user", SensitiveText(keys)]
        for secret in secrets {
            guard let variable = secret.variable else { continue }
            if variable == AWSSigV4.tokenVariable {
                guard secret.isSet else { continue }
                arguments += ["--header", SensitiveText([.text("X-Amz-Security-Token: "), .variable(variable)])]
            } else if !secret.isSet {
                warnings.append("\(variable) is not set; the command will send an empty value")
            }
        }
    }

    /// Returns the variable of the shell for a part of a signature: `SIGNED_X_SUM` for `X-Sum`.
    private static func variable(of part: SignedPart) -> String {
        let letters = part.name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        return "SIGNED_" + String(letters)
    }
}
