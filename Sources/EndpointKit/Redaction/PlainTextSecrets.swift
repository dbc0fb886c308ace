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
            let byte = text[index]
            let isEncoded = isEncodedEquals(index, in: range)
            guard byte == UInt8(ascii: "=") || isEncoded else {
                index += 1
                // A name begins after a byte such as `?` or `&`.
                if Self.isSeparator[Int(byte)] { nameStart = index }
                continue
            }
            let name = text[nameStart..<index]
            let valueStart = index + (isEncoded ? "%3D" : "=").utf8.count
            index = valueStart
            nameStart = valueStart
            guard isSecretName(name) else { continue }
            let valueRange = valueStart..<endOfValue(from: valueStart, in: range, isEncoded: isEncoded)
            if valueRange.isEmpty { continue }
            let encodedValue = Substring(String(exactBytes: text[valueRange]))
            findings.append(finding(valueRange, FormText.decoded(encodedValue.utf8)))
            index = valueRange.upperBound
            nameStart = valueRange.upperBound
        }
        return findings
    }

    /// Whether a byte, which is the index, is neither in a name nor before one. Every byte of a text is looked up.
    private static let isSeparator = (0...255).map { " \t\r\n&?;,\"'`<>(){}|\\#".utf8.contains($0) }
    /// The bytes that end a value: what no URL holds, and what stands between items.
    private static let ends = Set(" \t\r\n&\"<>#".utf8)
    /// The longest name that is looked at, in bytes, which is more than the longest that is secret.
    private static let maxName = 300

    /// Returns whether an `=` is written as `%3D` or `%3d` at `index`.
    private func isEncodedEquals(_ index: Int, in range: Range<Int>) -> Bool {
        text[index] == UInt8(ascii: "%") && index + 2 < range.upperBound && text[index + 1] == UInt8(ascii: "3")
            && text[index + 2] | 0x20 == UInt8(ascii: "d")
    }

    /// Returns whether the value of an item is secret because of its name, which may be percent-encoded.
    private func isSecretName(_ name: ArraySlice<UInt8>) -> Bool {
        if name.isEmpty { return false }
        let encodedEnd = String(exactBytes: name.suffix(Self.maxName))
        return SecretName.isCredential(PercentEncoding.decode(encodedEnd))
    }

    /// Returns the end of the value that begins at `start`. In a percent-encoded URL, a value also ends at an encoded
    /// `&` (`%26`) or `#` (`%23`).
    private func endOfValue(from start: Int, in range: Range<Int>, isEncoded: Bool) -> Int {
        var end = start
        while end < range.upperBound, !Self.ends.contains(text[end]) {
            if isEncoded, text[end...].starts(with: "%26".utf8) || text[end...].starts(with: "%23".utf8) { break }
            end += 1
        }
        return end
    }

    // MARK: Tokens

    /// Finds the words that begin like a key or token of a known service, such as `ghp_…` or `eyJ….….…`.
    ///
    /// Escapes between words are skipped as a whole. Otherwise the `n` of `\nghp_…` or the `3D` of `%3Dghp_…` would
    /// become the start of the word.
    private func tokens(in range: Range<Int>) -> [SecretFinding] {
        var findings: [SecretFinding] = []
        var index = range.lowerBound
        while index < range.upperBound {
            guard SecretToken.isWordByte(text[index]) else {
                index += text.escapeLength(at: index) ?? 1
                continue
            }
            let wordStart = index
            while index < range.upperBound, SecretToken.isWordByte(text[index]) { index += 1 }
            let word = text[wordStart..<index]
            if let end = endOfPrivateKey(word, in: range) {
                index = end
                findings.append(finding(wordStart..<end, String(exactBytes: text[wordStart..<end])))
            } else if SecretToken.isToken(word) {
                findings.append(finding(wordStart..<index, String(exactBytes: word)))
            }
        }
        return findings
    }

    /// The first word of a text in PEM (RFC 7468).
    private static let beginOfPEM = Array("-----BEGIN".utf8)
    /// The most bytes of the label of a private key: `ENCRYPTED PRIVATE KEY-----`.
    private static let maxLabel = 60

    /// Returns the end of the private key that begins with a word; nil if none does, or if nothing follows its label.
    ///
    ///     -----BEGIN RSA PRIVATE KEY-----
    ///     MIIEowIBAAKCAQEA…
    ///     -----END RSA PRIVATE KEY-----
    ///
    /// A key that is cut off ends with the range.
    private func endOfPrivateKey(_ word: ArraySlice<UInt8>, in range: Range<Int>) -> Int? {
        guard word.elementsEqual(Self.beginOfPEM) else { return nil }
        let mark = Array("PRIVATE KEY-----".utf8)
        let label = text[word.endIndex..<min(word.endIndex + Self.maxLabel, range.upperBound)]
        guard let labelEnd = label.firstRange(of: mark)?.upperBound, labelEnd < range.upperBound else { return nil }
        return text[labelEnd..<range.upperBound].firstRange(of: mark)?.upperBound ?? range.upperBound
    }

    // MARK: Users

    /// Finds the user and password in each URL (RFC 3986, section 3.2.1).
    ///
    ///     https://ada:s3cret@h.test/    →    ada:s3cret
    ///
    /// They stand between `://` and the last `@` before the path.
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
            let userStart = index + "://".utf8.count
            let authority = text[userStart..<range.upperBound].prefix { byte in
                byte > UInt8(ascii: " ") && !"/?#\"'<>".utf8.contains(byte)
            }
            if let atSign = authority.lastIndex(of: UInt8(ascii: "@")), atSign > userStart {
                findings.append(finding(userStart..<atSign, nil))
            }
            index = authority.endIndex
        }
        return findings
    }

    /// Returns the finding of a secret that is to be replaced by `(redacted)`.
    ///
    /// - Parameter value: The decoded secret, to look for it in other texts too; nil if that is not useful.
    private func finding(_ range: Range<Int>, _ value: String?) -> SecretFinding {
        SecretFinding(range: range, values: value.map { [$0] } ?? [], replacement: SecretRules.markBytes)
    }
}

extension [UInt8] {
    /// Returns the length of the escape that begins at `index`; nil if none does.
    ///
    ///     %3D       3    percent-encoding, as in URLs
    ///     \n        2    an escape of JSON or of source code
    ///     \u003d    6    a UTF-16 code unit in JSON
    func escapeLength(at index: Int) -> Int? {
        func areHexadecimalDigits(_ range: Range<Int>) -> Bool {
            range.upperBound <= count && self[range].allSatisfy(Hexadecimal.isDigit)
        }
        switch self[index] {
        case UInt8(ascii: "%"):
            return areHexadecimalDigits(index + 1..<index + 3) ? 3 : nil
        case UInt8(ascii: "\\") where index + 1 < count:
            let isCodeUnit = self[index + 1] == UInt8(ascii: "u") && areHexadecimalDigits(index + 2..<index + 6)
            return isCodeUnit ? 6 : 2
        default:
            return nil
        }
    }

    /// Returns whether an escape ends before `index`.
    func endsEscape(before index: Int) -> Bool {
        [2, 3, 6].contains { length in index >= length && escapeLength(at: index - length) == length }
    }
}
