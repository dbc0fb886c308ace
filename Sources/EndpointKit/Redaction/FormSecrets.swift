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
                findings += PlainTextSecrets(text).findings(in: pair.indices)
                continue
            }
            let valueRange = (equalsSign + 1)..<pair.endIndex
            let (name, decodedValue) = FormText.item(Substring(String(exactBytes: pair)))
            guard !valueRange.isEmpty, let decodedValue else { continue }
            if SecretName.isCredential(name) {
                findings.append(
                    SecretFinding(range: valueRange, values: [decodedValue], replacement: SecretRules.markBytes))
            } else {
                findings += self.findings(in: text, valueRange: valueRange, decodedValue: decodedValue)
            }
        }
        return findings.merged()
    }

    /// Returns the secrets in a value that is not secret as a whole, such as JSON or a URL.
    ///
    /// - Parameters:
    ///   - text: The whole form.
    ///   - valueRange: Where the value is in `text`, encoded. If the encoding changes it, it is replaced as a whole.
    ///   - decodedValue: The value without its encoding.
    private static func findings(
        in text: [UInt8], valueRange: Range<Int>, decodedValue: String
    ) -> [SecretFinding] {
        let decodedBytes = decodedValue.exactBytes
        let innerFindings = SecretFinder.findings(inDecoded: decodedBytes)
        if innerFindings.isEmpty { return [] }
        if text[valueRange].elementsEqual(decodedBytes) { return innerFindings.moved(by: valueRange.lowerBound) }
        let redacted = PercentEncoding.encode(bytes: innerFindings.applied(to: decodedBytes))
        let secrets = innerFindings.flatMap(\.values)
        return [SecretFinding(range: valueRange, values: secrets, replacement: Array(redacted.utf8))]
    }
}

/// Finds the secret fields of `multipart/form-data` (RFC 7578).
enum MultipartSecrets {
    /// The longest line between parts: two dashes and a boundary (RFC 2046, section 5.1.1).
    private static let maxBoundary = 72

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
        let boundary = body.prefix(maxBoundary).prefix { !isLineBreak($0) }
        // A boundary is two dashes and at least one more character.
        if boundary.count <= 2 { return SecretFinder.findings(inDecoded: body) }
        var findings: [SecretFinding] = []
        var unread = body[...]
        while let partStart = unread.firstRange(of: boundary)?.upperBound {
            unread = unread[partStart...]
            let partEnd = unread.firstRange(of: boundary)?.lowerBound ?? unread.endIndex
            findings += self.findings(in: body, part: unread[..<partEnd])
            unread = unread[partEnd...]
        }
        return findings
    }

    /// Returns the secrets in one part of a body. A part has a header, an empty line, and the value of a field.
    ///
    /// If the name in the header is secret, such as `name="password"`, the whole value is. Any other value is searched.
    ///
    /// - Parameters:
    ///   - body: The whole body.
    ///   - part: The part. The line breaks at its end do not belong to the value.
    private static func findings(in body: [UInt8], part: ArraySlice<UInt8>) -> [SecretFinding] {
        let emptyLine = part.firstRange(of: Array("\r\n\r\n".utf8)) ?? part.firstRange(of: Array("\n\n".utf8))
        guard let emptyLine else { return [] }
        let header = String(exactBytes: part[..<emptyLine.lowerBound])
        var valueEnd = part.endIndex
        if let lastByte = part.lastIndex(where: { !isLineBreak($0) }) { valueEnd = lastByte + 1 }
        let valueRange = emptyLine.upperBound..<max(emptyLine.upperBound, valueEnd)
        if !valueRange.isEmpty, let name = fieldName(header), SecretName.isCredential(name) {
            let value = String(exactBytes: body[valueRange])
            return [SecretFinding(range: valueRange, values: [value], replacement: SecretRules.markBytes)]
        }
        return SecretFinder.findings(inDecoded: Array(body[valueRange])).moved(by: valueRange.lowerBound)
    }

    /// Returns whether a byte is a carriage return or a line feed.
    private static func isLineBreak(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
    }

    /// Returns the name of a part's field: `password` for `Content-Disposition: form-data; name="password"`.
    private static func fieldName(_ header: String) -> String? {
        guard let start = header.firstRange(of: "name=\"")?.upperBound else { return nil }
        return String(header[start...].prefix { $0 != "\"" })
    }
}
