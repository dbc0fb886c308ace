import JSONText

/// The spellings in which a ``Redactor`` knows a secret: itself, percent-encoded, as in a form, escaped for JSON and
/// HTML, and in Base64.
enum SecretSpellings {
    /// The length in bytes from which on a secret is also looked for in Base64. The Base64 of a shorter one is part of
    /// other words too.
    private static let minLengthForBase64 = 3
    /// The length in bytes from which on a secret is also looked for in lower case. A shorter one is part of other
    /// words too.
    private static let minLengthForLowercase = 8

    /// Returns all spellings in which `secret` may appear in a text: plain, and as URLs, forms, JSON, HTML and Base64
    /// write it.
    ///
    /// Blanks at its ends do not count, because a header is sent without them (RFC 9110, section 5.5).
    static func all(of secret: String) -> Set<[UInt8]> {
        let plainText = trimmed(secret.exactBytes)
        if plainText.isEmpty { return [] }
        var spellings: Set<[UInt8]> = []
        // A secret that is part of a host name is shown in lower case.
        if plainText.count >= minLengthForLowercase { spellings.insert(plainText.map(\.asciiLowercased)) }
        spellings.formUnion(unicodeEscaped(plainText))
        // The secret and its Base64, which other encodings may escape.
        var textsToEscape = [plainText]
        if plainText.count >= minLengthForBase64 { textsToEscape += base64(plainText) }
        for text in textsToEscape {
            spellings.insert(text)
            // Most secrets have only characters that no encoding changes.
            if text.allSatisfy(isNeverEscaped) { continue }
            spellings.formUnion(percentEncoded(text))
            spellings.formUnion(formEncoded(text))
            spellings.formUnion(jsonEscaped(text))
            for htmlText in htmlEscaped(text) {
                spellings.insert(htmlText)
                // A server often sends a page's text as a member of JSON.
                spellings.formUnion(jsonEscaped(htmlText))
            }
        }
        return spellings
    }

    /// Returns whether neither URLs, forms, JSON nor HTML escape a byte.
    private static func isNeverEscaped(_ byte: UInt8) -> Bool {
        byte.isLetterOrDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    /// Returns whether a byte is a space, a tab, or another of the control characters that end or divide lines.
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// Returns `secret` without the blanks at its start and end.
    private static func trimmed(_ secret: [UInt8]) -> [UInt8] {
        guard let first = secret.firstIndex(where: { !isBlank($0) }),
            let last = secret.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return Array(secret[first...last])
    }

    // MARK: URLs and forms

    /// The characters, beside letters and digits, that common encoders of URLs do not encode.
    private static let charactersKeptInURLs = [
        // The unreserved characters (RFC 3986, section 2.3).
        "-._~",
        // Python's `urllib.parse.quote`.
        "-._~/",
        // JavaScript's `encodeURIComponent`.
        "-._~!*'()",
        // Encoders of a path segment (RFC 3986, section 3.3).
        "-._~!$&'()*+,;=:@",
        // Encoders of a query (RFC 3986, section 3.4).
        "-._~!$&'()*+,;=:@/?",
    ]

    /// The characters, beside letters and digits, that encoders of forms do not encode: browsers (WHATWG URL standard,
    /// section 5.2), and Python's `urllib.parse.urlencode`.
    private static let charactersKeptInForms = ["*-._", "-._~"]

    /// Returns the spellings of `text` in which different encoders of URLs write it.
    private static func percentEncoded(_ text: [UInt8]) -> [[UInt8]] {
        charactersKeptInURLs.flatMap { keptCharacters in
            inBothCases { isUppercase in
                percentEncoded(text, keeping: keptCharacters, isUppercase: isUppercase)
            }
        }
    }

    /// Returns the spellings of `text` in which different encoders of forms write it. There, a space becomes `+`.
    ///
    /// One more spelling is for servers that read a `+` as a space although it was not sent in a form: `a+b` is shown
    /// as `a b`.
    private static func formEncoded(_ text: [UInt8]) -> [[UInt8]] {
        let space = UInt8(ascii: " ")
        let plus = UInt8(ascii: "+")
        let encodedTexts = charactersKeptInForms.flatMap { keptCharacters in
            inBothCases { isUppercase in
                let withSpaces = percentEncoded(text, keeping: keptCharacters + " ", isUppercase: isUppercase)
                return replacing(space, with: plus, in: withSpaces)
            }
        }
        let misreadText = replacing(plus, with: space, in: text)
        return encodedTexts + [misreadText]
    }

    /// Returns `text` with each byte as `%XX` that is neither a letter, a digit nor one of `keptCharacters`.
    ///
    /// - Parameters:
    ///   - text: The plain text, such as a secret.
    ///   - keptCharacters: The ASCII characters that stay as they are.
    ///   - isUppercase: Whether the hexadecimal digits are in upper case: `%2F` or `%2f`.
    private static func percentEncoded(
        _ text: [UInt8], keeping keptCharacters: String, isUppercase: Bool
    ) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            if byte.isLetterOrDigit || keptCharacters.utf8.contains(byte) { return [byte] }
            return [UInt8(ascii: "%")] + hexadecimal(UInt32(byte), count: 2, isUppercase: isUppercase)
        }
    }

    // MARK: JSON

    /// Returns the spellings of `text` in which different encoders of JSON write it in a string.
    ///
    /// Encoders differ in three choices: whether they write `/` as `\/`, and whether they write characters beyond ASCII
    /// and the characters that are special in HTML as `\uXXXX`. All combinations are returned.
    ///
    /// - Returns: The spellings; none if no encoder changes the text.
    private static func jsonEscaped(_ text: [UInt8]) -> [[UInt8]] {
        guard text.contains(where: isEscapedInJSON),
            let scalars = String(validUTF8: text)?.unicodeScalars
        else { return [] }
        var spellings = [scalars.flatMap { JSONStyle.ofPaths.escaped($0, isUppercase: false) }]
        for style in JSONStyle.stylesOfStrings {
            spellings += inBothCases { isUppercase in
                scalars.flatMap { style.escaped($0, isUppercase: isUppercase) }
            }
        }
        return spellings
    }

    /// Returns the text with every character as `\uXXXX`, which JSON allows (RFC 8259, section 7).
    private static func unicodeEscaped(_ text: [UInt8]) -> [[UInt8]] {
        guard let codeUnits = String(validUTF8: text)?.utf16 else { return [] }
        return inBothCases { isUppercase in
            codeUnits.flatMap { unicodeEscape($0, isUppercase: isUppercase) }
        }
    }

    /// Returns the escape `\uXXXX` of a UTF-16 code unit (RFC 8259, section 7).
    private static func unicodeEscape(_ codeUnit: UInt16, isUppercase: Bool) -> [UInt8] {
        Array("\\u".utf8) + hexadecimal(UInt32(codeUnit), count: 4, isUppercase: isUppercase)
    }

    /// Returns whether any encoder of JSON escapes a byte, or the character that the byte is a part of.
    private static func isEscapedInJSON(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || "\"\\/<>&'".utf8.contains(byte)
    }

    /// The choices of an encoder of JSON: which characters it escapes beyond those that it must (RFC 8259, section 7).
    private struct JSONStyle {
        /// The character at both ends of a string.
        let quote: Unicode.Scalar
        /// Whether `/` becomes `\/`.
        let escapesSlash: Bool
        /// Whether characters beyond ASCII become `\uXXXX`.
        let escapesNonASCII: Bool
        /// Whether `<`, `>`, `&` and `'` become `\uXXXX`.
        let escapesHTML: Bool

        /// The style of the keys in a JSONPath, which are in single quotes (RFC 9535, section 2.7).
        static let ofPaths = JSONStyle(quote: "'", escapesSlash: false, escapesNonASCII: false, escapesHTML: false)
        /// The styles of strings in JSON: one for each combination of the choices.
        static let stylesOfStrings: [JSONStyle] = {
            var styles: [JSONStyle] = []
            for escapesSlash in [false, true] {
                for escapesNonASCII in [false, true] {
                    for escapesHTML in [false, true] {
                        styles.append(
                            JSONStyle(
                                quote: "\"", escapesSlash: escapesSlash, escapesNonASCII: escapesNonASCII,
                                escapesHTML: escapesHTML))
                    }
                }
            }
            return styles
        }()

        /// Returns a character as this style writes it in a JSON string (RFC 8259, section 7).
        ///
        /// Every style writes the short escapes such as `\n`. A character that is escaped without a short form becomes
        /// `\uXXXX`, or two of them beyond U+FFFF.
        ///
        /// - Parameters:
        ///   - scalar: A character of the plain text.
        ///   - isUppercase: Whether the hexadecimal digits are in upper case: `\u00E9` or `\u00e9`.
        func escaped(_ scalar: Unicode.Scalar, isUppercase: Bool) -> [UInt8] {
            switch scalar {
            case quote, "\\": return Array("\\\(scalar)".utf8)
            case "/": return Array((escapesSlash ? "\\/" : "/").utf8)
            case "\n": return Array("\\n".utf8)
            case "\r": return Array("\\r".utf8)
            case "\t": return Array("\\t".utf8)
            case "\u{8}": return Array("\\b".utf8)
            case "\u{C}": return Array("\\f".utf8)
            default: break
            }
            if !needsUnicodeEscape(scalar) { return Array("\(scalar)".utf8) }
            return String(scalar).utf16.flatMap { unicodeEscape($0, isUppercase: isUppercase) }
        }

        /// Returns whether this style writes a character without a short escape as `\uXXXX`.
        private func needsUnicodeEscape(_ scalar: Unicode.Scalar) -> Bool {
            switch scalar {
            case "<", ">", "&", "'": return escapesHTML
            default:
                let isControl = scalar.value < 0x20
                return isControl || (escapesNonASCII && !scalar.isASCII)
            }
        }
    }

    // MARK: HTML

    /// The ways in which encoders write `"` in HTML.
    private static let quotesInHTML = ["\"", "&quot;", "&#34;"]
    /// The ways in which encoders write `'` in HTML.
    private static let apostrophesInHTML = ["'", "&#39;", "&#x27;", "&#039;", "&apos;"]

    /// Returns the spellings of `text` in which different encoders of HTML write it.
    ///
    /// There is one for each combination of the usual escapes of a quote and an apostrophe. There is none if the text
    /// has no character that is special in HTML.
    private static func htmlEscaped(_ text: [UInt8]) -> [[UInt8]] {
        if !text.contains(where: { "&<>\"'".utf8.contains($0) }) { return [] }
        return quotesInHTML.flatMap { quote in
            apostrophesInHTML.map { apostrophe in
                text.flatMap { byte -> [UInt8] in
                    switch byte {
                    case UInt8(ascii: "&"): Array("&amp;".utf8)
                    case UInt8(ascii: "<"): Array("&lt;".utf8)
                    case UInt8(ascii: ">"): Array("&gt;".utf8)
                    case UInt8(ascii: "\""): Array(quote.utf8)
                    case UInt8(ascii: "'"): Array(apostrophe.utf8)
                    default: [byte]
                    }
                }
            }
        }
    }

    // MARK: Base64

    /// Returns the text in the standard alphabet of Base64 and in the one for URLs (RFC 4648, sections 4 and 5), each
    /// with and without the padding `=`.
    private static func base64(_ text: [UInt8]) -> [[UInt8]] {
        let standard = Array(Data(text).base64EncodedString().utf8)
        let withHyphens = replacing(UInt8(ascii: "+"), with: UInt8(ascii: "-"), in: standard)
        let forURLs = replacing(UInt8(ascii: "/"), with: UInt8(ascii: "_"), in: withHyphens)
        let padding = UInt8(ascii: "=")
        return [standard, standard.filter { $0 != padding }, forURLs, forURLs.filter { $0 != padding }]
    }

    // MARK: Digits

    /// Returns a spelling with hexadecimal digits in upper case, and one in lower case.
    private static func inBothCases(_ makeSpelling: (_ isUppercase: Bool) -> [UInt8]) -> [[UInt8]] {
        [makeSpelling(true), makeSpelling(false)]
    }

    /// Returns the last `digitCount` hexadecimal digits of `value`: `00E9` or `00e9` for 233 with four digits.
    private static func hexadecimal(_ value: UInt32, count digitCount: Int, isUppercase: Bool) -> [UInt8] {
        (0..<digitCount).reversed().map { position in
            let digit = Hexadecimal.digit(value >> (4 * UInt32(position)))
            return isUppercase ? digit : digit.asciiLowercased
        }
    }

    /// Returns `text` with every `byte` replaced by `replacement`.
    private static func replacing(_ byte: UInt8, with replacement: UInt8, in text: [UInt8]) -> [UInt8] {
        text.map { $0 == byte ? replacement : $0 }
    }
}
