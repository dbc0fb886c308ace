import JSONText

/// Signs requests for Amazon Web Services with Signature Version 4.
///
/// All headers of the request are signed except those that proxies and transports change. The path is encoded a second
/// time as most services expect, but not for S3, which takes a path as it is. A body in files is read once to sign it.
///
/// The signer of an API is ``Signer/awsSigV4(region:service:)``.
public struct AWSSigV4: Signer {
    /// The region, such as `eu-central-1`.
    package let region: String
    /// The service, such as `s3` or `execute-api`.
    package let service: String

    /// The name `aws-sigv4`.
    public var name: String { "aws-sigv4" }
    /// The variables of the access key: `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.
    public var variables: [String] { [Self.keyIDVariable, Self.secretKeyVariable] }
    /// The variable of the session token of temporary keys: `AWS_SESSION_TOKEN`.
    public var optionalVariables: [String] { [Self.tokenVariable] }

    /// The variable that holds the id of the access key.
    package static let keyIDVariable = "AWS_ACCESS_KEY_ID"
    /// The variable that holds the secret access key.
    package static let secretKeyVariable = "AWS_SECRET_ACCESS_KEY"
    /// The variable that holds the session token of temporary keys.
    package static let tokenVariable = "AWS_SESSION_TOKEN"

    /// Adds the headers of the signature: `X-Amz-Date`, `Authorization`, and `X-Amz-Security-Token` for temporary keys.
    /// For S3, it also adds `X-Amz-Content-Sha256`.
    ///
    /// - Throws: ``MissingCredential`` if a secret of the request has no value. The error of a file that can't be read,
    ///   and ``TransportError`` for a body that is a stream.
    public func sign(_ request: inout Request, secrets: SignerSecrets, now: Date) throws {
        // A year after 9999 can't be written. Then the request stays unsigned.
        guard let time = AWSTime(now) else { return }
        // The headers come first, because the signature covers them.
        request.setHeader("X-Amz-Date", time.text)
        let sessionToken = secrets[Self.tokenVariable]
        if !sessionToken.isEmpty { request.setHeader("X-Amz-Security-Token", sessionToken) }
        let payloadDigest = try request.payloadDigest()
        if isS3 { request.setHeader("X-Amz-Content-Sha256", payloadDigest) }
        request.headers.removeAll { $0.isNamed("Authorization") }
        let canonicalRequest = try AWSCanonicalRequest(request, encodesPathTwice: !isS3, payloadDigest: payloadDigest)
        let scope = "\(time.day)/\(region)/\(service)/aws4_request"
        let signature = makeSignature(
            of: canonicalRequest, at: time, scope: scope, secretKey: secrets[Self.secretKeyVariable])
        let parameters = [
            "Credential=\(secrets[Self.keyIDVariable])/\(scope)", "SignedHeaders=\(canonicalRequest.signedHeaders)",
            "Signature=\(signature)",
        ]
        request.setHeader("Authorization", "AWS4-HMAC-SHA256 " + parameters.joined(separator: ", "))
    }

    /// Returns the signature of a request in hexadecimal digits.
    ///
    /// It is the authentication code (HMAC) of a text with the time, the scope and the digest of the request.
    ///
    /// - Parameters:
    ///   - canonicalRequest: The request in the form that is signed.
    ///   - time: The time of the signature.
    ///   - scope: The day, region and service for which the signature is valid: `20150830/eu-central-1/s3/aws4_request`.
    ///   - secretKey: The secret access key.
    private func makeSignature(
        of canonicalRequest: AWSCanonicalRequest, at time: AWSTime, scope: String, secretKey: String
    ) -> String {
        let requestDigest = MessageDigest.sha256.hexadecimal(of: canonicalRequest.text)
        let textToSign = ["AWS4-HMAC-SHA256", time.text, scope, requestDigest].joined(separator: "\n")
        let key = signingKey(secretKey, day: time.day)
        return MessageDigest.hexadecimal(MessageDigest.sha256.authenticationCode(of: textToSign, key: key))
    }

    /// Whether the service is S3 or a kind of it. Such a service takes paths as they are, and asks for the digest of
    /// the body.
    private var isS3: Bool { ["s3", "s3-object-lambda", "s3-outposts", "s3express"].contains(service) }

    /// Returns the key for one day, region and service, which is derived from the secret access key.
    ///
    /// Each step is the authentication code (HMAC) of the next text with the key of the step before, as AWS's guide to
    /// Signature Version 4 describes it.
    private func signingKey(_ secretKey: String, day: String) -> [UInt8] {
        var key = ("AWS4" + secretKey).exactBytes
        for text in [day, region, service, "aws4_request"] {
            key = MessageDigest.sha256.authenticationCode(of: text, key: key)
        }
        return key
    }
}

extension Signer where Self == AWSSigV4 {
    /// Returns the signer of Amazon Web Services, Version 4.
    ///
    ///     credentials: [.signed(by: .awsSigV4(region: "eu-central-1", service: "s3"))]
    ///
    /// The keys are in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. The session token of temporary keys is in
    /// `AWS_SESSION_TOKEN`.
    ///
    /// - Parameters:
    ///   - region: The region, such as `eu-central-1`.
    ///   - service: The service, such as `s3` or `execute-api`.
    public static func awsSigV4(region: String, service: String) -> AWSSigV4 {
        AWSSigV4(region: region, service: service)
    }
}

/// A time in the two forms of Signature Version 4.
private struct AWSTime {
    /// The time in UTC: `20150830T123600Z`.
    let text: String
    /// The day in UTC: `20150830`.
    let day: String

    /// Creates the forms of a time. Returns nil outside the years 1 to 9999.
    init?(_ date: Date) {
        guard let iso8601 = DateText.iso8601(date) else { return nil }
        // The digits of 2015-08-30T12:36:00.5Z are eight for the day, six for the time, and the fraction.
        let digits = iso8601.filter(\.isNumber)
        day = String(digits.prefix(8))
        text = "\(day)T\(digits.dropFirst(8).prefix(6))Z"
    }
}

extension Request {
    /// Returns the SHA-256 digest of the body in hexadecimal digits. A request without a body has the digest of an
    /// empty text.
    ///
    /// - Throws: The error of a file that can't be read, and ``TransportError`` for a stream.
    fileprivate func payloadDigest() throws -> String {
        let pieces = try (body?.pieces ?? []).map { piece in
            switch piece {
            case .bytes(let bytes): Data(bytes)
            case .file(let path): try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
            case .stream:
                // The signature covers the body, and a stream can be read only while the request is sent.
                throw TransportError(.invalidRequest, detail: "a body that is a stream can't be signed")
            }
        }
        return MessageDigest.hexadecimal(MessageDigest.sha256.digest(of: pieces))
    }
}
