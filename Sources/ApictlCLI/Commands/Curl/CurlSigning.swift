import EndpointKit

/// The arguments with which curl signs a request.
///
/// curl computes Signature Version 4 itself. It can't compute any other signature: the command then takes each part of
/// it from a variable of the shell that is named after the part, such as `SIGNED_HASH` for the query item `hash`.
struct CurlSigning {
    private(set) var arguments: [CurlCommandText.Argument] = []
    private(set) var warnings: [String] = []

    /// Makes the arguments with which curl signs a request, and removes all signers from the request.
    ///
    /// curl has options for Signature Version 4 (AWS). Any other signer is replaced by query items and headers whose
    /// values are variables of the shell.
    init(removingSignersFrom request: inout Request) {
        guard let signing = request.signing else { return }
        for signer in signing.signers {
            if let aws = signer.signer.signer as? AWSSigV4 { addAWSOptions(aws, secrets: signer.secrets) }
        }
        request.signing?.signers.removeAll { $0.signer.signer is AWSSigV4 }
        replaceSigners(of: &request)
    }

    /// Replaces the signers of a request by the query items and headers that they would set.
    ///
    /// The values are variables of the shell, because curl can't compute them. A warning says that a person must set
    /// these variables.
    private mutating func replaceSigners(of request: inout Request) {
        var signedParts: [SignedPart] = []
        request = request.showingSignatures { part in
            signedParts.append(part)
            return Secret(variable: Self.variable(of: part), value: "")
        }
        if signedParts.isEmpty { return }
        let names = signedParts.map(\.name).joined(separator: " and ")
        let variables = signedParts.map(Self.variable).joined(separator: " and ")
        warnings.append("\(names) must be computed for each request; the command takes them from \(variables)")
    }

    /// Adds the options of Signature Version 4 (AWS): region, service, keys, and the session token if it is set. Warns
    /// about keys that are not set.
    ///
    /// - Parameters:
    ///   - aws: The signer.
    ///   - secrets: The secrets that the signer needs, with the variables that they come from.
    private mutating func addAWSOptions(_ aws: AWSSigV4, secrets: [Secret]) {
        let userAndPassword: [SensitiveText.Piece] = [
            .variable(AWSSigV4.keyIDVariable), .text(":"), .variable(AWSSigV4.secretKeyVariable),
        ]
        arguments += ["--aws-sigv4", SensitiveText("aws:amz:\(aws.region):\(aws.service)")]
        arguments += ["--user", SensitiveText(userAndPassword)]
        for secret in secrets {
            guard let variable = secret.variable else { continue }
            if variable == AWSSigV4.tokenVariable {
                // Only temporary keys have a session token, so there is no warning if it is not set.
                if !secret.isSet { continue }
                arguments += ["--header", SensitiveText([.text("X-Amz-Security-Token: "), .variable(variable)])]
            } else if !secret.isSet {
                warnings.append("\(variable) is not set; the command will send an empty value")
            }
        }
    }

    /// Returns the variable of the shell for a part of a signature: `SIGNED_X_SUM` for `X-Sum`.
    private static func variable(of part: SignedPart) -> String {
        // The name of a variable may only have letters, digits and underscores.
        let characters = part.name.uppercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        return "SIGNED_" + String(characters)
    }
}
