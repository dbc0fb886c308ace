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
            guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else {
                findings += PlainTextSecrets(text).findings(in: pair.indices)
                continue
            }
            let value = pair[(sign + 1)...]
            let item = FormText.item(Substring(String(exactBytes: pair)))
            guard !value.isEmpty, let decoded = item.value else { continue }
            if SecretName.isCredential(item.name) {
                findings.append(
                    SecretFinding(range: value.indices, values: [decoded], replacement: SecretRules.markBytes))
            } else {
                findings += self.findings(in: text, value: value.indices, decoded: decoded)
            }
        }
        return findings.merged()
    }

    /// Returns what is secret in a value that is not secret as a whole, such as JSON or a URL.
    private static func findings(in text: [UInt8], value: Range<Int>, decoded: String) -> [SecretFinding] {
        let bytes = decoded.exactBytes
        let inner = SecretFinder.findings(inDecoded: bytes)
        if inner.isEmpty { return [] }
        if text[value].elementsEqual(bytes) { return inner.moved(by: value.lowerBound) }
        let encoded = PercentEncoding.encode(bytes: inner.applied(to: bytes))
        return [SecretFinding(range: value, values: inner.flatMap(\.values), replacement: Array(encoded.utf8))]
    }
}

/// Finds the secret fields of `multipart/form-data` (RFC 7578).
enum MultipartSecrets {
    /// The longest line between parts: two dashes and a boundary (RFC 2046, section 5.1.1).
    private static let maxBoundary = 72

    /// Returns the secrets in the parts of `text`, in order.
    ///
    /// The first line is taken as the boundary between the parts, so the `Content-Type` that declares it is not needed.
    /// A text whose first line is too short for a boundary is searched as a whole.
    static func findings(in text: [UInt8]) -> [SecretFinding] {
        let boundary = text.prefix(maxBoundary).prefix { $0 != 0x0D && $0 != 0x0A }
        if boundary.count <= 2 { return SecretFinder.findings(inDecoded: text) }
        var findings: [SecretFinding] = []
        var rest = text[...]
        while let start = rest.firstRange(of: boundary)?.upperBound {
            rest = rest[start...]
            let part = rest[..<(rest.firstRange(of: boundary)?.lowerBound ?? rest.endIndex)]
            findings += self.findings(in: text, part: part)
            rest = rest[part.endIndex...]
        }
        return findings
    }

    /// Returns the secrets in one part, which consists of its header, an empty line, and the value.
    ///
    /// If the name in the header is secret, such as `name="password"`, the whole value is. Any other value is searched.
    ///
    /// - Parameters:
    ///   - text: The whole body.
    ///   - part: The part. Its line breaks at the end do not belong to the value.
    private static func findings(in text: [UInt8], part: ArraySlice<UInt8>) -> [SecretFinding] {
        guard let blankLine = part.firstRange(of: Array("\r\n\r\n".utf8)) ?? part.firstRange(of: Array("\n\n".utf8))
        else { return [] }
        let header = String(exactBytes: part[..<blankLine.lowerBound])
        let end = part.lastIndex { $0 != 0x0D && $0 != 0x0A }.map { $0 + 1 } ?? part.endIndex
        let value = blankLine.upperBound..<max(blankLine.upperBound, end)
        if !value.isEmpty, let name = fieldName(header), SecretName.isCredential(name) {
            let text = String(exactBytes: text[value])
            return [SecretFinding(range: value, values: [text], replacement: SecretRules.markBytes)]
        }
        return SecretFinder.findings(inDecoded: Array(text[value])).moved(by: value.lowerBound)
    }

    private static func fieldName(_ header: String) -> String? {
        guard let start = header.firstRange(of: "name=\"")?.upperBound else { return nil }
        return String(header[start...].prefix { $0 != "\"" })
    }
}
