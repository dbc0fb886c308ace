import JSONText

/// Finds the secrets that any text may have: items `name=value` as in the query of a URL, tokens, and the users of
/// URLs.
struct PlainTextSecrets {
    private let text: [UInt8]

    init(_ text: [UInt8]) { self.text = text }

    /// Returns the secrets in a part of the text, in any order; they may overlap.
    func findings(in range: Range<Int>) -> [SecretFinding] {
        items(in: range) + tokens(in: range) + users(in: range)
    }

    // MARK: Items

    /// Finds the values of `name=value` items with secret names, such as `abc` in `?page=2&token=abc`.
    ///
    /// An encoded `=` (`%3D`) counts too, because a URL may be a value in another one's query:
    /// `next=https%3A%2F%2Fh.test%2F%3Ftoken%3Dabc`.
    private func items(in range: Range<Int>) -> [SecretFinding] {
        var findings: [SecretFinding] = []
        var nameStart = range.lowerBound
        var index = range.lowerBound
        while index < range.upperBound {
            if text[index] != UInt8(ascii: "="), !isEncodedEquals(index, in: range) {
                index += 1
                if Self.separators.contains(text[index - 1]) { nameStart = index }
                continue
            }
            let name = text[nameStart..<index]
            let isEncoded = text[index] != UInt8(ascii: "=")
            index += isEncoded ? 3 : 1
            nameStart = index
            guard isSecretName(name) else { continue }
            let value = index..<endOfValue(from: index, in: range, isEncoded: isEncoded)
            if value.isEmpty { continue }
            findings.append(finding(value, FormText.item(Substring("=" + String(exactBytes: text[value]))).value ?? ""))
            index = value.upperBound
            nameStart = index
        }
        return findings
    }

    /// The bytes that are neither in a name nor before one.
    private static let separators = Set(" \t\r\n&?;,\"'`<>(){}|\\#".utf8)
    /// The bytes that end a value: what no URL holds, and what stands between items.
    private static let ends = Set(" \t\r\n&\"<>#".utf8)
    /// The longest name that is looked at, in bytes, which is more than the longest that is secret.
    private static let maxName = 300

    private func isEncodedEquals(_ index: Int, in range: Range<Int>) -> Bool {
        text[index] == UInt8(ascii: "%") && index + 2 < range.upperBound && text[index + 1] == UInt8(ascii: "3")
            && text[index + 2] | 0x20 == UInt8(ascii: "d")
    }

    private func isSecretName(_ name: ArraySlice<UInt8>) -> Bool {
        !name.isEmpty && SecretName.isCredential(PercentEncoding.decode(String(exactBytes: name.suffix(Self.maxName))))
    }

    /// Returns where a value ends; one in an encoded URL also ends at an encoded `&` or `#`.
    private func endOfValue(from start: Int, in range: Range<Int>, isEncoded: Bool) -> Int {
        var end = start
        while end < range.upperBound, !Self.ends.contains(text[end]) {
            if isEncoded, text[end...].starts(with: "%26".utf8) || text[end...].starts(with: "%23".utf8) { break }
            end += 1
        }
        return end
    }

    // MARK: Tokens

    /// Finds the words that look like tokens, such as keys and signed tokens, whatever stands before them.
    ///
    /// Escapes between words are skipped as a whole, so that the letters of `%3D` or `\n` do not become part of a word.
    private func tokens(in range: Range<Int>) -> [SecretFinding] {
        var findings: [SecretFinding] = []
        var index = range.lowerBound
        while index < range.upperBound {
            guard SecretToken.isWordByte(text[index]) else {
                index += text.escapeLength(at: index) ?? 1
                continue
            }
            let start = index
            while index < range.upperBound, SecretToken.isWordByte(text[index]) { index += 1 }
            if SecretToken.isToken(text[start..<index]) {
                findings.append(finding(start..<index, String(exactBytes: text[start..<index])))
            }
        }
        return findings
    }

    // MARK: Users

    /// Finds the user and password of URLs: what stands between `://` and the last `@` before the path.
    ///
    ///     https://ada:s3cret@h.test/    →    ada:s3cret
    func users(in range: Range<Int>) -> [SecretFinding] {
        var findings: [SecretFinding] = []
        var index = range.lowerBound
        while index + 2 < range.upperBound {
            guard text[index] == UInt8(ascii: ":"), text[index + 1] == UInt8(ascii: "/"),
                text[index + 2] == UInt8(ascii: "/")
            else {
                index += 1
                continue
            }
            index += 3
            let authority = text[index..<range.upperBound].prefix { $0 > 0x20 && !"/?#\"'<>".utf8.contains($0) }
            if let at = authority.lastIndex(of: UInt8(ascii: "@")), at > index {
                findings.append(finding(index..<at, nil))
            }
            index = authority.endIndex
        }
        return findings
    }

    private func finding(_ range: Range<Int>, _ value: String?) -> SecretFinding {
        SecretFinding(range: range, values: value.map { [$0] } ?? [], replacement: SecretRules.markBytes)
    }
}

extension [UInt8] {
    /// Returns the length of the escape at `index`: `%3D`, `\n` or `\u003d`; nil if there is none.
    func escapeLength(at index: Int) -> Int? {
        func areDigits(_ range: Range<Int>) -> Bool {
            range.upperBound <= count && self[range].allSatisfy(Hexadecimal.isDigit)
        }
        switch self[index] {
        case UInt8(ascii: "%"):
            return areDigits(index + 1..<index + 3) ? 3 : nil
        case UInt8(ascii: "\\") where index + 1 < count:
            return self[index + 1] == UInt8(ascii: "u") && areDigits(index + 2..<index + 6) ? 6 : 2
        default:
            return nil
        }
    }

    /// Returns whether an escape ends before `index`.
    func endsEscape(before index: Int) -> Bool {
        [2, 3, 6].contains { length in index >= length && escapeLength(at: index - length) == length }
    }
}
