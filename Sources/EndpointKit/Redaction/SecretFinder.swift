import JSONText

/// Finds what ``SecretRules`` calls secret, in one pass over the text.
///
///     {"user": "ada", "password": "s3cret", "next": "https://h.test/?token=abc&page=2"}
///                                  ~~~~~~                                  ~~~
///
/// The text need not be valid JSON: a string with a colon after it is a name wherever it is. So a text that is cut
/// off, several documents and an event stream are read in the same way. Between and in the strings,
/// ``PlainTextSecrets`` finds what any text may contain.
struct SecretFinder {
    private let text: [UInt8]
    /// Whether strings with escapes are decoded and searched once more.
    private let readsEscapedStrings: Bool
    /// The position of the next byte to read.
    private var index = 0
    /// The number of open brackets since the value of a secret name began; 0 outside of such a value.
    private var secretDepth = 0
    /// The secrets that have been found so far, in any order.
    private var findings: [SecretFinding] = []
    /// Whether a name is secret, for each name that was looked up. The elements of a list have the same names.
    private var secretNames: [String: Bool] = [:]

    private init(_ text: [UInt8], readsEscapedStrings: Bool) {
        self.text = text
        self.readsEscapedStrings = readsEscapedStrings
    }

    /// Returns the secrets in `text`, in order. Their ranges do not overlap.
    ///
    /// - Parameters:
    ///   - text: The text, such as the body of a request.
    ///   - contentType: Its media type, which tells web forms from other texts; nil if it is not known.
    static func findings(in text: [UInt8], contentType: String? = nil) -> [SecretFinding] {
        let mediaType = contentType?.lowercased() ?? ""
        // `curl -d` declares a form by default, also if the body is JSON.
        let isForm = mediaType.hasPrefix(SecretRules.formType) && !beginsLikeJSON(text)
        if isForm { return FormSecrets.findings(in: text) }
        if mediaType.hasPrefix("multipart/form-data") { return MultipartSecrets.findings(in: text) }
        return findings(in: text, readsEscapedStrings: true)
    }

    /// Returns whether the first character of a text, after blanks, opens a JSON object or array.
    private static func beginsLikeJSON(_ text: [UInt8]) -> Bool {
        let firstCharacter = text.first { !" \t\r\n".utf8.contains($0) }
        return firstCharacter == UInt8(ascii: "{") || firstCharacter == UInt8(ascii: "[")
    }

    /// Returns the secrets in a text that was decoded from a string or form value of another text, in order. Their
    /// ranges do not overlap.
    ///
    /// A string in this text that has escapes, such as JSON in JSON in JSON, is searched as it is. Decoding it once
    /// more would take time that grows with the depth, which a server chooses.
    static func findings(inDecoded text: [UInt8]) -> [SecretFinding] {
        findings(in: text, readsEscapedStrings: false)
    }

    /// Returns the secrets in `text`, in order. Their ranges do not overlap.
    ///
    /// - Parameters:
    ///   - text: JSON, or any other text.
    ///   - readsEscapedStrings: Whether a string with escapes, such as JSON in JSON, is decoded and searched too.
    private static func findings(in text: [UInt8], readsEscapedStrings: Bool) -> [SecretFinding] {
        var finder = SecretFinder(text, readsEscapedStrings: readsEscapedStrings)
        finder.readText()
        return finder.findings.merged()
    }

    /// Reads the whole text once, from its start to its end, and adds its secrets to ``findings``.
    ///
    /// - A string in quotes is read as a unit, because it may be a name whose value is secret: `"password": "s3cret"`.
    /// - The text between two strings is searched for what is secret in any text, such as a token.
    /// - In an array or object that is the value of a secret name, every string and number is secret:
    ///   `"password": {"old": "s3cret", "new": 1234}`. ``secretDepth`` is above 0 there.
    private mutating func readText() {
        // The range from this index to the next string has not been searched yet.
        var endOfLastString = 0
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: "\"") {
                addSecretsOfPlainText(endOfLastString..<index)
                readString()
                endOfLastString = index
            } else if secretDepth > 0 {
                readByteOfSecretValue(byte)
            } else {
                index += 1
            }
        }
        addSecretsOfPlainText(endOfLastString..<text.count)
    }

    /// Reads one byte outside of strings in an array or object that is the value of a secret name, such as
    /// `{"old": 1, "new": 2}` after `"password":`.
    ///
    /// A bracket changes ``secretDepth``, the number of open brackets, which is 0 again after the value's last one. A
    /// number is added to ``findings``, and is read to its end. Any other byte, such as a comma, is skipped.
    ///
    /// - Parameter byte: The byte at ``index``.
    private mutating func readByteOfSecretValue(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            secretDepth += 1
            index += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            secretDepth -= 1
            index += 1
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            addNumber()
        default:
            index += 1
        }
    }

    /// Reads a string from its opening quote on, and adds its secrets to ``findings``.
    ///
    /// - A string in the value of a secret name is secret as a whole: `s3cret` in `"password": {"old": "s3cret"}`.
    /// - If the string is a secret name, such as `"password"`, the colon after it and its value are read too.
    private mutating func readString() {
        let contentRange = readStringContent()
        let indexAfterBlanks = endOfBlanks(from: index)
        let isName = indexAfterBlanks < text.count && text[indexAfterBlanks] == UInt8(ascii: ":")
        let isInSecretValue = secretDepth > 0
        if isInSecretValue, !isName {
            addSecretString(contentRange)
            return
        }
        addSecretsInsideString(contentRange)
        if isName, !isInSecretValue, isSecretName(contentRange) {
            index = endOfBlanks(from: indexAfterBlanks + 1)
            readSecretValue()
        }
    }

    /// Reads the value after a secret name and its colon, as in `"password": "s3cret"`.
    ///
    /// A string or number is added to ``findings``. Of an array or object, only the opening bracket is read here:
    /// setting ``secretDepth`` makes ``readText()`` treat everything up to the closing bracket as secret.
    private mutating func readSecretValue() {
        guard index < text.count else { return }
        switch text[index] {
        case UInt8(ascii: "\""):
            addSecretString(readStringContent())
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            secretDepth = 1
            index += 1
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            addNumber()
        default:
            // A boolean or null is no secret.
            break
        }
    }

    /// Moves ``index`` from the opening quote of a string to behind its closing quote.
    ///
    /// A string without a closing quote ends with its line, because JSON has no line breaks in strings. So a lone
    /// quotation mark in other text does no harm.
    ///
    /// - Returns: The range between the two quotes.
    private mutating func readStringContent() -> Range<Int> {
        let contentStart = index + 1
        var contentEnd = contentStart
        while contentEnd < text.count, text[contentEnd] != UInt8(ascii: "\""), text[contentEnd] != UInt8(ascii: "\n") {
            // A backslash escapes the byte after it, such as a quote.
            contentEnd += text[contentEnd] == UInt8(ascii: "\\") ? 2 : 1
        }
        // The last byte of the text may be a backslash, which would escape a byte after the end.
        contentEnd = min(contentEnd, text.count)
        let isClosed = contentEnd < text.count && text[contentEnd] == UInt8(ascii: "\"")
        index = isClosed ? contentEnd + 1 : contentEnd
        return contentStart..<contentEnd
    }

    /// Returns the index of the first byte from `start` on that is neither a space, a tab nor a line break.
    private func endOfBlanks(from start: Int) -> Int {
        var end = start
        while end < text.count, " \t\r\n".utf8.contains(text[end]) { end += 1 }
        return end
    }

    /// Returns whether the string between two quotes is a name such as `password`, whose value is secret. Remembers the
    /// answer for the name.
    private mutating func isSecretName(_ contentRange: Range<Int>) -> Bool {
        let name = stringValue(of: contentRange)
        if let isSecret = secretNames[name] { return isSecret }
        let isSecret = SecretName.isCredential(name)
        secretNames[name] = isSecret
        return isSecret
    }

    /// Returns the text between two quotes without JSON's escapes. With invalid escapes, it stays as it is.
    private func stringValue(of contentRange: Range<Int>) -> String {
        decodedEscapes(in: contentRange) ?? String(exactBytes: text[contentRange])
    }

    /// Returns the text between two quotes without JSON's escapes; nil if it has no escapes, or invalid ones.
    private func decodedEscapes(in contentRange: Range<Int>) -> String? {
        guard text[contentRange].contains(UInt8(ascii: "\\")) else { return nil }
        let quote = [UInt8(ascii: "\"")]
        return (try? JSONValue(text: quote + text[contentRange] + quote))?.string
    }

    // MARK: Findings

    /// Adds the string between two quotes as a secret to ``findings``, unless it is empty.
    private mutating func addSecretString(_ contentRange: Range<Int>) {
        if contentRange.isEmpty { return }
        let secret = stringValue(of: contentRange)
        findings.append(SecretFinding(range: contentRange, secrets: [secret]))
    }

    /// Adds the number at ``index`` as a secret to ``findings``, and moves ``index`` behind it.
    ///
    /// It is replaced by `0`, because JSON has to stay valid.
    private mutating func addNumber() {
        let numberStart = index
        while index < text.count, text[index].isDigit || "+-.eE".utf8.contains(text[index]) { index += 1 }
        let numberRange = numberStart..<index
        let secret = String(exactBytes: text[numberRange])
        findings.append(SecretFinding(range: numberRange, secrets: [secret], replacement: [UInt8(ascii: "0")]))
    }

    /// Adds what is secret in any text, such as a token or the password of a URL, to ``findings``.
    private mutating func addSecretsOfPlainText(_ range: Range<Int>) {
        findings += PlainTextSecrets(text).findings(in: range)
    }

    /// Adds the secrets inside a string that is not secret as a whole, such as a URL with a token, to ``findings``.
    ///
    /// A string with escapes, such as JSON in JSON, is searched in its decoded form. If there is a secret in it, it is
    /// replaced as a whole, because the positions of the decoded bytes differ from those in the text.
    ///
    /// - Parameter contentRange: The range between the quotes of the string.
    private mutating func addSecretsInsideString(_ contentRange: Range<Int>) {
        guard readsEscapedStrings, let decodedContent = decodedEscapes(in: contentRange)?.exactBytes else {
            addSecretsOfPlainText(contentRange)
            return
        }
        let innerFindings = Self.findings(inDecoded: decodedContent)
        if innerFindings.isEmpty { return }
        let redactedContent = String(exactBytes: innerFindings.replacingSecrets(in: decodedContent))
        let contentWithQuotes = JSONQuoting.quoted(redactedContent).utf8
        let escapedContent = contentWithQuotes.dropFirst().dropLast()
        findings.append(
            SecretFinding(
                range: contentRange, secrets: innerFindings.flatMap(\.secrets), replacement: Array(escapedContent)))
    }
}
