import JSONText

/// Finds the secrets that any text may contain: items `name=value` as in the query of a URL, tokens of known services,
/// private keys, and the users of URLs.
struct PlainTextSecrets {
    private let text: [UInt8]

    /// Prepares to find the secrets in `text`.
    init(_ text: [UInt8]) { self.text = text }

    /// Returns the secrets in a range of the text, in any order. They may overlap.
    func findings(in range: Range<Int>) -> [SecretFinding] {
        secretItems(in: range) + tokensAndPrivateKeys(in: range) + userInformationOfURLs(in: range)
    }

    // MARK: Items

    /// Finds the values of `name=value` items with secret names, such as `abc` in `?page=2&token=abc`.
    ///
    /// An encoded `=` (`%3D`) counts too, because a URL may be a value in another one's query:
    /// `next=https%3A%2F%2Fh.test%2F%3Ftoken%3Dabc`.
    private func secretItems(in range: Range<Int>) -> [SecretFinding] {
        var findings: [SecretFinding] = []
        var nameStart = range.lowerBound
        var index = range.lowerBound
        while index < range.upperBound {
            guard let equalsSign = readEqualsSign(at: index, in: range) else {
                if Self.isBeforeName[Int(text[index])] { nameStart = index + 1 }
                index += 1
                continue
            }
            let name = text[nameStart..<index]
            let valueStart = index + equalsSign.length
            index = valueStart
            if isSecretName(name) {
                let valueRange = valueStart..<endOfValue(from: valueStart, in: range, after: equalsSign)
                if !valueRange.isEmpty {
                    let encodedValue = Substring(String(exactBytes: text[valueRange]))
                    let secret = FormText.decoded(encodedValue.utf8)
                    findings.append(SecretFinding(range: valueRange, secrets: [secret]))
                }
                index = valueRange.upperBound
            }
            // A value that is not secret may itself be an item, as in `next=token=abc`.
            nameStart = index
        }
        return findings
    }

    /// How the `=` between a name and its value is written.
    private enum EqualsSign {
        /// As `=`.
        case plain
        /// As `%3D` or `%3d`, in a URL that is a value in the query of another URL.
        case percentEncoded

        /// The number of bytes.
        var length: Int {
            switch self {
            case .plain: 1
            case .percentEncoded: 3
            }
        }
    }

    /// For each byte, whether a name begins after it, such as after `?` or `&`. This is a table because every byte of
    /// a text is looked up.
    private static let isBeforeName = (0...255).map { " \t\r\n&?;,\"'`<>(){}|\\#".utf8.contains($0) }
    /// The bytes that end a value, because no URL contains them or because they stand between items.
    private static let bytesAfterValue = Set(" \t\r\n&\"<>#".utf8)
    /// The length in bytes of the end of a name that is looked at. No secret name is longer.
    private static let maxNameLength = 300

    /// Returns how the `=` at `index` is written; nil if there is none.
    private func readEqualsSign(at index: Int, in range: Range<Int>) -> EqualsSign? {
        if text[index] == UInt8(ascii: "=") { return .plain }
        guard text[index] == UInt8(ascii: "%"), index + 2 < range.upperBound else { return nil }
        let isD = text[index + 2] == UInt8(ascii: "D") || text[index + 2] == UInt8(ascii: "d")
        return text[index + 1] == UInt8(ascii: "3") && isD ? .percentEncoded : nil
    }

    /// Returns whether the value of an item is secret because of its name, which may be percent-encoded.
    private func isSecretName(_ name: ArraySlice<UInt8>) -> Bool {
        if name.isEmpty { return false }
        let encodedEnd = String(exactBytes: name.suffix(Self.maxNameLength))
        return SecretName.isCredential(PercentEncoding.decode(encodedEnd))
    }

    /// Returns the index after the value that begins at `start`.
    ///
    /// After a percent-encoded `=`, the `&` or `#` that ends the value may be percent-encoded too, as `%26` or `%23`.
    private func endOfValue(from start: Int, in range: Range<Int>, after equalsSign: EqualsSign) -> Int {
        var end = start
        while end < range.upperBound, !Self.bytesAfterValue.contains(text[end]) {
            if equalsSign == .percentEncoded {
                let unreadText = text[end...]
                if unreadText.starts(with: "%26".utf8) || unreadText.starts(with: "%23".utf8) { break }
            }
            end += 1
        }
        return end
    }

    // MARK: Tokens

    /// Finds private keys in PEM, and words that begin like a key or token of a known service, such as `ghp_…` or
    /// `eyJ….….…`.
    ///
    /// Escapes between words are skipped as a whole. Otherwise the `n` of `\nghp_…` or the `3D` of `%3Dghp_…` would
    /// become the start of the word.
    private func tokensAndPrivateKeys(in range: Range<Int>) -> [SecretFinding] {
        var findings: [SecretFinding] = []
        var index = range.lowerBound
        while index < range.upperBound {
            guard SecretToken.isWordByte(text[index]) else {
                index += text.escapeLength(at: index) ?? 1
                continue
            }
            let wordStart = index
            while index < range.upperBound, SecretToken.isWordByte(text[index]) { index += 1 }
            if let secretRange = rangeOfSecret(startingWith: text[wordStart..<index], in: range) {
                let secret = String(exactBytes: text[secretRange])
                findings.append(SecretFinding(range: secretRange, secrets: [secret]))
                index = secretRange.upperBound
            }
        }
        return findings
    }

    /// Returns the range of the private key or token that begins with a word; nil if the word begins neither.
    private func rangeOfSecret(startingWith word: ArraySlice<UInt8>, in range: Range<Int>) -> Range<Int>? {
        if let endOfKey = endOfPrivateKey(startingWith: word, in: range) { return word.startIndex..<endOfKey }
        return SecretToken.isToken(word) ? word.indices : nil
    }

    /// The first word of a text in PEM (RFC 7468, section 2).
    private static let firstWordOfPEM = Array("-----BEGIN".utf8)
    /// The number of bytes in which the label of a private key must end. The longest label is shorter:
    /// ` ENCRYPTED PRIVATE KEY-----`.
    private static let maxLabelLength = 60

    /// Returns the index after the private key in PEM (RFC 7468) that begins with a word.
    ///
    ///     -----BEGIN RSA PRIVATE KEY-----
    ///     MIIEowIBAAKCAQEA…
    ///     -----END RSA PRIVATE KEY-----
    ///
    /// A key that is cut off ends with the range.
    ///
    /// - Returns: The index; nil if the word begins no private key, or if nothing follows its first line.
    private func endOfPrivateKey(startingWith word: ArraySlice<UInt8>, in range: Range<Int>) -> Int? {
        guard word.elementsEqual(Self.firstWordOfPEM) else { return nil }
        let endOfLabel = Array("PRIVATE KEY-----".utf8)
        let bytesAfterWord = text[word.endIndex..<min(word.endIndex + Self.maxLabelLength, range.upperBound)]
        guard let keyStart = bytesAfterWord.firstRange(of: endOfLabel)?.upperBound, keyStart < range.upperBound else {
            return nil
        }
        let lastLine = text[keyStart..<range.upperBound].firstRange(of: endOfLabel)
        return lastLine?.upperBound ?? range.upperBound
    }

    // MARK: Users

    /// Finds the user information of each URL: the user, and maybe a password (RFC 3986, section 3.2.1).
    ///
    ///     https://ada:s3cret@h.test/    →    ada:s3cret
    ///
    /// It stands between `://` and the last `@` before the path.
    func userInformationOfURLs(in range: Range<Int>) -> [SecretFinding] {
        var findings: [SecretFinding] = []
        var index = range.lowerBound
        while index + 2 < range.upperBound {
            let isAfterScheme = text[index] == UInt8(ascii: ":") && text[index...].starts(with: "://".utf8)
            guard isAfterScheme else {
                index += 1
                continue
            }
            let authorityStart = index + "://".utf8.count
            let authority = text[authorityStart..<range.upperBound].prefix { byte in
                byte > UInt8(ascii: " ") && !"/?#\"'<>".utf8.contains(byte)
            }
            if let atSign = authority.lastIndex(of: UInt8(ascii: "@")), atSign > authorityStart {
                // Without secrets, the finding is replaced here, but not looked for in other texts.
                findings.append(SecretFinding(range: authorityStart..<atSign, secrets: []))
            }
            index = authority.endIndex
        }
        return findings
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

    /// Returns whether an escape such as `%3D`, `\n` or `\u003d` ends right before `index`.
    func endsEscape(before index: Int) -> Bool {
        let escapeLengths = [2, 3, 6]
        return escapeLengths.contains { length in index >= length && escapeLength(at: index - length) == length }
    }
}
