import JSONText

/// The published rules for what is a secret in text that is recorded, imported or reported. `help credentials` prints
/// them.
///
/// Secret are:
/// - the values of the headers `Authorization`, `Proxy-Authorization`, `Cookie` and `Set-Cookie`;
/// - the value of a header, JSON member, form field or query item whose name is in ``SecretName/list``;
/// - a word that starts with one of ``SecretToken/prefixes``;
/// - a private key in PEM (RFC 7468);
/// - user and password in a URL (RFC 3986, section 3.2.1).
///
/// Nothing else is guessed. The values of declared credentials are the ``Redactor``'s part.
package enum SecretRules {
    /// The text that stands in the place of a secret.
    package static let mark = "(redacted)"

    /// The bytes of ``mark``.
    static let markBytes = Array(mark.utf8)

    /// Returns `body` with ``mark`` in place of each secret string, and `0` in place of each secret number of JSON.
    ///
    /// All other bytes stay as they are. The time is proportional to the length of the body.
    ///
    /// - Parameters:
    ///   - body: JSON, lines of JSON, a form, or any other text; it may be cut off at its end.
    ///   - contentType: The media type, which tells forms from other texts.
    ///   - mayStay: Whether a value stays although its name is secret, such as a variable of a shell.
    package static func redacted(
        _ body: [UInt8], contentType: String? = nil, except mayStay: (String) -> Bool = { _ in false }
    ) -> [UInt8] {
        let findings = SecretFinder.findings(in: body, contentType: contentType)
        let replacedFindings = findings.filter { finding in
            let stays = !finding.values.isEmpty && finding.values.allSatisfy(mayStay)
            return !stays
        }
        return replacedFindings.applied(to: body)
    }

    /// Returns `body` as ``redacted(_:contentType:except:)`` does, and the secrets that were in it, as
    /// ``secrets(in:contentType:)`` does. The text is read once.
    package static func separated(
        _ body: [UInt8], contentType: String?
    ) -> (redacted: [UInt8], secrets: Set<String>) {
        let findings = SecretFinder.findings(in: body, contentType: contentType)
        return (findings.applied(to: body), worthFinding(findings))
    }

    /// Returns `text` with ``mark`` in place of each secret.
    package static func redacted(_ text: String) -> String {
        let bytes = text.exactBytes
        let findings = SecretFinder.findings(in: bytes)
        return findings.isEmpty ? text : String(exactBytes: findings.applied(to: bytes))
    }

    /// Returns the query of a URL with ``mark`` in place of each secret.
    package static func redacted(query: String) -> String {
        String(exactBytes: redacted(query.exactBytes, contentType: formType))
    }

    /// Returns the field with ``mark`` in place of its value, or of each secret in it.
    package static func redacted(_ field: HTTPField) -> HTTPField {
        HTTPField(field.name, isSecret(header: field.name) ? mark : redacted(field.value))
    }

    /// Returns whether the whole value of a header with this name is secret.
    package static func isSecret(header name: String) -> Bool {
        HTTPField.isConfidential(name) || SecretName.isCredential(name)
    }

    /// Returns whether `text` as a whole is a token, by ``SecretToken``.
    package static func isToken(_ text: String) -> Bool {
        let bytes = text.exactBytes
        return bytes.allSatisfy(SecretToken.isWordByte) && SecretToken.isToken(bytes[...])
    }

    /// Returns whether `text` has a secret in it.
    package static func findsSecret(in text: String) -> Bool { !SecretFinder.findings(in: text.exactBytes).isEmpty }

    /// The shortest secret of a body, in bytes, that is worth looking for elsewhere: shorter ones are parts of other
    /// words too.
    private static let minLength = 4

    /// Returns the secrets in `body`, decoded, so that they can be removed from other texts that repeat them.
    package static func secrets(in body: [UInt8], contentType: String?) -> Set<String> {
        worthFinding(SecretFinder.findings(in: body, contentType: contentType))
    }

    /// Returns the secrets among findings that are long enough to be looked for in other texts.
    private static func worthFinding(_ findings: [SecretFinding]) -> Set<String> {
        Set(findings.flatMap(\.values).filter { $0.utf8.count >= minLength && $0 != mark })
    }

    /// The media type of a form.
    static let formType = "application/x-www-form-urlencoded"
}

/// A secret in a text.
struct SecretFinding {
    /// The bytes that are replaced.
    var range: Range<Int>
    /// The secrets in these bytes, decoded.
    let values: [String]
    /// The bytes that stand there instead.
    let replacement: [UInt8]
}

extension [SecretFinding] {
    /// Returns `text` with every secret that was found in it replaced, in most cases by `(redacted)`.
    ///
    /// Precondition: The findings are in order and do not overlap, as ``merged()`` returns them.
    func applied(to text: [UInt8]) -> [UInt8] {
        if isEmpty { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var copiedCount = 0
        for finding in self {
            result += text[copiedCount..<finding.range.lowerBound]
            result += finding.replacement
            copiedCount = finding.range.upperBound
        }
        return result + text[copiedCount...]
    }

    /// Returns these findings with their ranges moved, for a longer text in which the searched text begins at `start`.
    func moved(by start: Int) -> [SecretFinding] {
        map { finding in
            var finding = finding
            finding.range = finding.range.lowerBound + start..<finding.range.upperBound + start
            return finding
        }
    }

    /// Returns the findings in the order of their ranges, with those that overlap merged into one.
    ///
    ///     5..<9, 0..<3, 7..<12    →    0..<3, 5..<12
    ///
    /// Of several that overlap, the one that begins first keeps its replacement, and its range grows to cover the
    /// others. If two begin at the same byte, the longer one comes first.
    func merged() -> [SecretFinding] {
        let sorted = sorted { left, right in
            if left.range.lowerBound == right.range.lowerBound { return left.range.upperBound > right.range.upperBound }
            return left.range.lowerBound < right.range.lowerBound
        }
        var merged: [SecretFinding] = []
        for finding in sorted {
            guard let last = merged.last, finding.range.lowerBound < last.range.upperBound else {
                merged.append(finding)
                continue
            }
            let commonEnd = Swift.max(last.range.upperBound, finding.range.upperBound)
            merged[merged.count - 1].range = last.range.lowerBound..<commonEnd
        }
        return merged
    }
}
