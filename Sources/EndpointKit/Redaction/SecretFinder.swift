import JSONText

/// Finds what ``SecretRules`` calls secret, in one pass over the text.
///
///     {"user": "ada", "password": "s3cret", "next": "https://h.test/?token=abc&page=2"}
///                                  ~~~~~~                                  ~~~
///
/// The text need not be valid JSON: a string with a colon after it is a name wherever it is. So a text that is cut
/// off, several documents and an event stream are read in the same way. Between and in the strings,
/// ``PlainTextSecrets`` finds what any text may have.
struct SecretFinder {
    private let text: [UInt8]
    /// Whether strings that hold escapes are read once more, decoded.
    private let readsEscapedStrings: Bool
    private var index = 0
    /// How many brackets are open since the value of a secret name began; 0 outside of such a value.
    private var secretDepth = 0
    private var findings: [SecretFinding] = []
    /// Whether a name is secret. The elements of a list have the same names.
    private var knownNames: [String: Bool] = [:]

    private init(_ text: [UInt8], readsEscapedStrings: Bool) {
        self.text = text
        self.readsEscapedStrings = readsEscapedStrings
    }

    /// Returns the secrets in `text`, in order; their ranges do not overlap.
    ///
    /// - Parameters:
    ///   - text: The text, such as the body of a request.
    ///   - contentType: Its media type, which tells web forms from other texts; nil if it is not known.
    static func findings(in text: [UInt8], contentType: String? = nil) -> [SecretFinding] {
        let type = contentType?.lowercased() ?? ""
        if type.hasPrefix(SecretRules.formType), !beginsAsJSON(text) { return FormSecrets.findings(in: text) }
        if type.hasPrefix("multipart/form-data") { return MultipartSecrets.findings(in: text) }
        return findings(in: text, readsEscapedStrings: true)
    }

    /// Returns whether a text begins with an object or array. A client such as `curl -d` calls JSON a form unless it
    /// is told a type.
    private static func beginsAsJSON(_ text: [UInt8]) -> Bool {
        let first = text.first { !" \t\r\n".utf8.contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Returns the secrets in a text that is a value in another one: what is escaped in it stays as it is.
    static func findings(inDecoded text: [UInt8]) -> [SecretFinding] {
        findings(in: text, readsEscapedStrings: false)
    }

    /// Returns the secrets in `text`, in order; their ranges do not overlap.
    ///
    /// - Parameters:
    ///   - text: JSON, or any other text.
    ///   - readsEscapedStrings: Whether a string that holds escapes is decoded and searched, too, such as JSON in JSON.
    private static func findings(in text: [UInt8], readsEscapedStrings: Bool) -> [SecretFinding] {
        var finder = SecretFinder(text, readsEscapedStrings: readsEscapedStrings)
        finder.readText()
        return finder.findings.merged()
    }

    /// Reads the whole text once, from its start to its end, and collects its secrets in ``findings``.
    ///
    /// - A string in quotes is read as a unit, because it may be a name whose value is secret: `"password": "s3cret"`.
    /// - The text between two strings is searched for what is secret in any text, such as a token.
    /// - In an array or object that is the value of a secret name, every string and number is secret:
    ///   `"password": {"old": "s3cret", "new": 1234}`. ``secretDepth`` is above 0 there.
    private mutating func readText() {
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

    /// Reads one byte of an array or object that is the value of a secret name, such as `{"old": 1, "new": 2}` after
    /// `"password":`. Precondition: The byte is not in a string.
    ///
    /// ``secretDepth`` counts the open brackets, and is 0 again after the value's last one. A number is secret, and is
    /// read to its end. Every other byte, such as a comma, is skipped.
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

    /// Reads a string from its opening quote on. If it is a secret name such as `"password"`, also reads the colon
    /// after it, and its value.
    private mutating func readString() {
        let content = readStringContent()
        let indexAfterBlanks = endOfBlanks(from: index)
        let isName = indexAfterBlanks < text.count && text[indexAfterBlanks] == UInt8(ascii: ":")
        if secretDepth > 0, !isName { return addSecretString(content) }
        addSecretsOfString(content)
        guard isName, secretDepth == 0, isSecretName(content) else { return }
        index = endOfBlanks(from: indexAfterBlanks + 1)
        readSecretValue()
    }

    /// Reads the value after a secret name and its colon, as in `"password": "s3cret"`.
    ///
    /// A string or number is added to ``findings``. Of an array or object only the opening bracket is read here.
    /// Setting ``secretDepth`` makes ``readText()`` treat everything up to the closing bracket as secret.
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

    /// Moves ``index`` from the opening quote of a string to behind its closing quote, and returns the range between
    /// the two.
    ///
    /// A string without a closing quote ends with its line, because JSON has no line breaks in strings. So a single
    /// quote in other text does no harm.
    private mutating func readStringContent() -> Range<Int> {
        let start = index + 1
        var end = start
        while end < text.count, text[end] != UInt8(ascii: "\""), text[end] != UInt8(ascii: "\n") {
            end += text[end] == UInt8(ascii: "\\") ? 2 : 1
        }
        end = min(end, text.count)
        let isClosed = end < text.count && text[end] == UInt8(ascii: "\"")
        index = isClosed ? end + 1 : end
        return start..<end
    }

    /// Returns the index of the first byte from `start` on that is neither a space, a tab nor a line break.
    private func endOfBlanks(from start: Int) -> Int {
        var end = start
        while end < text.count, " \t\r\n".utf8.contains(text[end]) { end += 1 }
        return end
    }

    /// Returns whether the string between these quotes is a name such as `password`, whose value is secret.
    private mutating func isSecretName(_ content: Range<Int>) -> Bool {
        let name = decoded(content) ?? String(exactBytes: text[content])
        if let known = knownNames[name] { return known }
        let isSecret = SecretName.isCredential(name)
        knownNames[name] = isSecret
        return isSecret
    }

    /// Returns the text of a string with escapes; nil if it has none, or wrong ones.
    private func decoded(_ content: Range<Int>) -> String? {
        guard text[content].contains(UInt8(ascii: "\\")) else { return nil }
        let quote = [UInt8(ascii: "\"")]
        return (try? JSONValue(text: quote + text[content] + quote))?.string
    }

    // MARK: Findings

    /// Adds the string between these quotes as a secret, unless it is empty.
    private mutating func addSecretString(_ content: Range<Int>) {
        if content.isEmpty { return }
        let value = decoded(content) ?? String(exactBytes: text[content])
        findings.append(SecretFinding(range: content, values: [value], replacement: SecretRules.markBytes))
    }

    /// Adds the number at ``index``, and moves behind it.
    private mutating func addNumber() {
        let start = index
        while index < text.count, text[index].isDigit || "+-.eE".utf8.contains(text[index]) { index += 1 }
        let value = String(exactBytes: text[start..<index])
        findings.append(SecretFinding(range: start..<index, values: [value], replacement: [UInt8(ascii: "0")]))
    }

    /// Adds what is secret in any text, such as a token or the password of a URL.
    private mutating func addSecretsOfPlainText(_ range: Range<Int>) {
        findings += PlainTextSecrets(text).findings(in: range)
    }

    /// Adds the secrets in a string that is not secret as a whole, such as a URL with a token.
    ///
    /// A string with escapes, such as JSON in JSON, is searched in its decoded form and is replaced as a whole.
    private mutating func addSecretsOfString(_ content: Range<Int>) {
        guard readsEscapedStrings, let decoded = decoded(content)?.exactBytes else {
            return addSecretsOfPlainText(content)
        }
        let innerFindings = Self.findings(inDecoded: decoded)
        if innerFindings.isEmpty { return }
        let redacted = JSONQuoting.quoted(String(exactBytes: innerFindings.applied(to: decoded)))
        let withoutQuotes = redacted.utf8.dropFirst().dropLast()
        findings.append(
            SecretFinding(
                range: content, values: innerFindings.flatMap(\.values), replacement: Array(withoutQuotes)))
    }
}
