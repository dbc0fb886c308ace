import JSONText

/// The published rules for what is a secret in text that is recorded, imported or reported. `help credentials` prints
/// them.
///
/// Secret are:
/// - The values of the headers `Authorization`, `Proxy-Authorization`, `Cookie` and `Set-Cookie`.
/// - The value of a header, JSON member, form field or query item whose name is in ``SecretName/list``.
/// - A word that starts with one of ``SecretToken/prefixes``.
/// - A private key in PEM (RFC 7468).
/// - The user and password in a URL (RFC 3986, section 3.2.1).
///
/// Nothing else is guessed. The values of declared credentials are removed by a ``Redactor``.
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
            let stays = !finding.secrets.isEmpty && finding.secrets.allSatisfy(mayStay)
            return !stays
        }
        return replacedFindings.replacingSecrets(in: body)
    }

    /// Separates the secrets of a body from its other bytes. The body is read once.
    ///
    /// - Returns: The body with ``mark`` in place of each secret, as ``redacted(_:contentType:except:)`` returns it,
    ///   and the secrets, as ``secrets(in:contentType:)`` returns them.
    package static func separated(
        _ body: [UInt8], contentType: String?
    ) -> (redacted: [UInt8], secrets: Set<String>) {
        let findings = SecretFinder.findings(in: body, contentType: contentType)
        return (findings.replacingSecrets(in: body), searchableSecrets(in: findings))
    }

    /// Returns `text` with ``mark`` in place of each secret.
    package static func redacted(_ text: String) -> String {
        let bytes = text.exactBytes
        let findings = SecretFinder.findings(in: bytes)
        return findings.isEmpty ? text : String(exactBytes: findings.replacingSecrets(in: bytes))
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

    /// Returns whether `text` as a whole is the token of a known service, such as `ghp_…`.
    package static func isToken(_ text: String) -> Bool {
        let bytes = text.exactBytes
        return bytes.allSatisfy(SecretToken.isWordByte) && SecretToken.isToken(bytes[...])
    }

    /// Returns whether `text` contains anything that is secret by these rules.
    package static func findsSecret(in text: String) -> Bool { !SecretFinder.findings(in: text.exactBytes).isEmpty }

    /// The length in bytes from which on a secret of a body is looked for in other texts. A shorter one is part of
    /// many words.
    private static let minSearchableLength = 4

    /// Returns the secrets in `body`, decoded, so that they can be removed from other texts that repeat them.
    package static func secrets(in body: [UInt8], contentType: String?) -> Set<String> {
        searchableSecrets(in: SecretFinder.findings(in: body, contentType: contentType))
    }

    /// Returns the secrets of `findings` that are long enough to be looked for in other texts.
    private static func searchableSecrets(in findings: [SecretFinding]) -> Set<String> {
        let secrets = findings.flatMap(\.secrets).filter { secret in
            secret.utf8.count >= minSearchableLength && secret != mark
        }
        return Set(secrets)
    }

    /// The media type of a form.
    static let formType = "application/x-www-form-urlencoded"
}

/// A secret that was found in a text.
struct SecretFinding {
    /// The range of bytes to replace.
    var range: Range<Int>
    /// The secrets in this range, decoded. These are several if the range is a value with secrets inside, such as JSON
    /// in a form.
    let secrets: [String]
    /// The bytes that replace the range, such as `(redacted)`.
    let replacement: [UInt8]

    /// Creates a finding. By default, the range is replaced by `(redacted)`.
    init(range: Range<Int>, secrets: [String], replacement: [UInt8] = SecretRules.markBytes) {
        self.range = range
        self.secrets = secrets
        self.replacement = replacement
    }
}

extension [SecretFinding] {
    /// Returns `text` with every secret that was found in it replaced, in most cases by `(redacted)`.
    ///
    /// Precondition: The findings are in order and do not overlap, as ``merged()`` returns them.
    func replacingSecrets(in text: [UInt8]) -> [UInt8] {
        if isEmpty { return text }
        var redactedText: [UInt8] = []
        redactedText.reserveCapacity(text.count)
        var copiedCount = 0
        for finding in self {
            redactedText += text[copiedCount..<finding.range.lowerBound]
            redactedText += finding.replacement
            copiedCount = finding.range.upperBound
        }
        return redactedText + text[copiedCount...]
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
    /// If several overlap, the finding that begins first keeps its replacement, and its range grows to cover the
    /// others. If two begin at the same byte, the longer one comes first.
    func merged() -> [SecretFinding] {
        let sortedFindings = sorted { left, right in
            if left.range.lowerBound == right.range.lowerBound { return left.range.upperBound > right.range.upperBound }
            return left.range.lowerBound < right.range.lowerBound
        }
        var mergedFindings: [SecretFinding] = []
        for finding in sortedFindings {
            if let last = mergedFindings.last, finding.range.lowerBound < last.range.upperBound {
                let commonEnd = Swift.max(last.range.upperBound, finding.range.upperBound)
                mergedFindings[mergedFindings.count - 1].range = last.range.lowerBound..<commonEnd
            } else {
                mergedFindings.append(finding)
            }
        }
        return mergedFindings
    }
}
