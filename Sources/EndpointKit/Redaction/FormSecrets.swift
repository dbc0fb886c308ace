import JSONText

/// Finds the secrets of a form (WHATWG URL standard, section 5), and of the query of a URL, which is written in the
/// same way.
enum FormSecrets {
    /// Returns the secrets in the `name=value` pairs of `text`, in order.
    ///
    /// The value of a secret name is secret as a whole: `token=abc`. Any other value is decoded and searched, because
    /// it may be JSON or a URL with secrets of its own. A pair without `=` is searched as plain text.
    static func findings(in text: [UInt8]) -> [SecretFinding] {
        var findings: [SecretFinding] = []
        for pair in text.split(separator: UInt8(ascii: "&")) {
            guard let equalsSign = pair.firstIndex(of: UInt8(ascii: "=")) else {
                // The whole text is passed along because the indexes of the pair are those of the text.
                findings += PlainTextSecrets(text).findings(in: pair.indices)
                continue
            }
            let valueRange = (equalsSign + 1)..<pair.endIndex
            let (name, decodedValue) = FormText.item(Substring(String(exactBytes: pair)))
            guard !valueRange.isEmpty, let decodedValue else { continue }
            if SecretName.isCredential(name) {
                findings.append(SecretFinding(range: valueRange, secrets: [decodedValue]))
            } else {
                findings += findingsInside(encodedValue: text[valueRange], decodedValue: decodedValue)
            }
        }
        return findings.merged()
    }

    /// Returns the secrets inside a form's value that is not secret as a whole, such as JSON or a URL with a token.
    ///
    ///     next=%2Flist%3Ftoken%3Dabc    →    next=%2Flist%3Ftoken%3D%28redacted%29
    ///
    /// A value that the form had to encode is replaced as a whole, because the positions of the decoded bytes differ
    /// from those of the encoded ones.
    ///
    /// - Parameters:
    ///   - encodedValue: The value as the form contains it. Its indices are the positions in the form.
    ///   - decodedValue: The value without percent-encoding.
    private static func findingsInside(encodedValue: ArraySlice<UInt8>, decodedValue: String) -> [SecretFinding] {
        let decodedBytes = decodedValue.exactBytes
        let innerFindings = SecretFinder.findings(inDecoded: decodedBytes)
        if innerFindings.isEmpty { return [] }
        let isEncodingUnchanged = encodedValue.elementsEqual(decodedBytes)
        if isEncodingUnchanged { return innerFindings.moved(by: encodedValue.startIndex) }
        let redactedValue = PercentEncoding.encode(bytes: innerFindings.replacingSecrets(in: decodedBytes))
        let secrets = innerFindings.flatMap(\.secrets)
        return [SecretFinding(range: encodedValue.indices, secrets: secrets, replacement: Array(redactedValue.utf8))]
    }
}

/// Finds the secret fields of `multipart/form-data` (RFC 7578).
enum MultipartSecrets {
    /// The length in bytes of the longest line between parts: two dashes, and a boundary of up to 70 characters
    /// (RFC 2046, section 5.1.1).
    private static let maxBoundaryLineLength = 72

    /// Returns the secrets in a body such as this one, in order:
    ///
    ///     --boundary
    ///     Content-Disposition: form-data; name="password"
    ///
    ///     s3cret
    ///     --boundary--
    ///
    /// The first line is taken as the boundary between the parts, so the `Content-Type` that declares it is not needed.
    /// A body whose first line is too short for a boundary is searched as a whole.
    static func findings(in body: [UInt8]) -> [SecretFinding] {
        // The first line may be the whole body if this is no form. So it is not read beyond the longest boundary.
        let startOfBody = body.prefix(maxBoundaryLineLength)
        let boundaryLine = startOfBody.prefix { !isLineBreak($0) }
        // A boundary line is two dashes and at least one more character.
        if boundaryLine.count <= 2 { return SecretFinder.findings(inDecoded: body) }
        var findings: [SecretFinding] = []
        var unreadBody = body.dropFirst(boundaryLine.count)
        while let nextBoundary = unreadBody.firstRange(of: boundaryLine) {
            findings += secrets(inPart: unreadBody[..<nextBoundary.lowerBound])
            unreadBody = unreadBody[nextBoundary.upperBound...]
        }
        // These are the `--` after the last boundary, or a last part that is cut off.
        return findings + secrets(inPart: unreadBody)
    }

    /// Returns the secrets in one part of a multipart body.
    ///
    /// A part has headers, an empty line, and the value of a form's field. If the field's name is secret, such as
    /// `name="password"`, the whole value is. Any other value is searched.
    ///
    /// - Parameter part: The part. Its indices are the positions in the body. Line breaks at its end do not belong to
    ///   the value.
    private static func secrets(inPart part: ArraySlice<UInt8>) -> [SecretFinding] {
        let emptyLine = part.firstRange(of: Array("\r\n\r\n".utf8)) ?? part.firstRange(of: Array("\n\n".utf8))
        guard let emptyLine else { return [] }
        let headers = String(exactBytes: part[..<emptyLine.lowerBound])
        var value = part[emptyLine.upperBound...]
        while let lastByte = value.last, isLineBreak(lastByte) { value = value.dropLast() }
        if !value.isEmpty, let name = fieldName(inHeaders: headers), SecretName.isCredential(name) {
            let secret = String(exactBytes: value)
            return [SecretFinding(range: value.indices, secrets: [secret])]
        }
        return SecretFinder.findings(inDecoded: Array(value)).moved(by: value.startIndex)
    }

    /// Returns whether a byte is a carriage return or a line feed.
    private static func isLineBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
    }

    /// Returns the name of a part's field: `password` for `Content-Disposition: form-data; name="password"`.
    ///
    /// - Returns: The name; nil if the headers of the part declare none.
    private static func fieldName(inHeaders headers: String) -> String? {
        guard let nameStart = headers.firstRange(of: "name=\"")?.upperBound else { return nil }
        return String(headers[nameStart...].prefix { $0 != "\"" })
    }
}
