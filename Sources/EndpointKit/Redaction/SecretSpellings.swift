import JSONText

/// The spellings in which a ``Redactor`` knows a secret: itself, percent-encoded, as in a form, escaped for JSON and
/// HTML, and in Base64.
enum SecretSpellings {
    /// From this many bytes on a secret is looked for in Base64; that of a shorter one is in other words too.
    private static let minEncoded = 3
    /// From this many bytes on a secret is looked for in small letters.
    private static let minLowercased = 8

    /// Returns all spellings in which `secret` may appear in a text: plain, and as URLs, forms, JSON, HTML and Base64
    /// write it.
    ///
    /// Blanks at its ends do not count, because a header is sent without them (RFC 9110, section 5.5).
    static func all(of secret: String) -> Set<[UInt8]> {
        let plain = trimmed(secret.exactBytes)
        if plain.isEmpty { return [] }
        var spellings: Set<[UInt8]> = []
        // Names of hosts are shown in small letters.
        if plain.count >= minLowercased { spellings.insert(plain.map(lowercased)) }
        spellings.formUnion(unicodeEscaped(plain))
        for text in plain.count < minEncoded ? [plain] : [plain] + base64(plain) {
            spellings.insert(text)
            // Most secrets have only characters that no encoding changes.
            if text.allSatisfy({ $0.isLetterOrDigit || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) {
                continue
            }
            spellings.formUnion(percentEncoded(text))
            spellings.formUnion(formEncoded(text))
            spellings.formUnion(jsonEscaped(text))
            for html in htmlEscaped(text) {
                spellings.insert(html)
                // A server often sends a page's text as a member of JSON.
                spellings.formUnion(jsonEscaped(html))
            }
        }
        return spellings
    }

    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func trimmed(_ secret: [UInt8]) -> [UInt8] {
        guard let first = secret.firstIndex(where: { !isBlank($0) }),
            let last = secret.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return Array(secret[first...last])
    }

    // MARK: URLs and forms

    /// The characters that encoders leave as they are beside letters and digits: all that is unreserved (RFC 3986),
    /// Python's `quote`, `encodeURIComponent`, and encoders of a path's segment and of a query.
    private static let keptInURLs = ["-._~", "-._~/", "-._~!*'()", "-._~!$&'()*+,;=:@", "-._~!$&'()*+,;=:@/?"]

    private static func percentEncoded(_ text: [UInt8]) -> [[UInt8]] {
        keptInURLs.flatMap { kept in bothCases { percentEncoded(text, keeping: kept, isUppercase: $0) } }
    }

    /// Returns the spellings of `application/x-www-form-urlencoded`, and the text as a server shows it that reads a
    /// `+` as a space.
    private static func formEncoded(_ text: [UInt8]) -> [[UInt8]] {
        let encoded = ["*-._", "-._~"].flatMap { kept in
            bothCases { isUppercase in
                // A space is kept, and then becomes a plus sign.
                replacing(
                    UInt8(ascii: " "), with: UInt8(ascii: "+"),
                    in: percentEncoded(text, keeping: kept + " ", isUppercase: isUppercase))
            }
        }
        return encoded + [replacing(UInt8(ascii: "+"), with: UInt8(ascii: " "), in: text)]
    }

    private static func percentEncoded(_ text: [UInt8], keeping kept: String, isUppercase: Bool) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            if byte.isLetterOrDigit || kept.utf8.contains(byte) { return [byte] }
            return [UInt8(ascii: "%")] + hexadecimal(UInt32(byte), count: 2, isUppercase: isUppercase)
        }
    }

    // MARK: JSON

    /// Returns the escaped text with and without `\/`, with everything beyond ASCII and the characters of HTML as
    /// they are and as `\uXXXX`.
    private static func jsonEscaped(_ text: [UInt8]) -> [[UInt8]] {
        guard text.contains(where: isEscapedInJSON),
            let scalars = String(validUTF8: text)?.unicodeScalars
        else { return [] }
        // The keys in a JSONPath are in single quotes (RFC 9535, section 2.7).
        let inPath = JSONStyle(quote: "'", escapesSlash: false, escapesNonASCII: false, escapesHTML: false)
        var spellings = [scalars.flatMap { inPath.escaped($0, isUppercase: false) }]
        for escapesSlash in [false, true] {
            for escapesNonASCII in [false, true] {
                for escapesHTML in [false, true] {
                    let style = JSONStyle(
                        quote: "\"", escapesSlash: escapesSlash, escapesNonASCII: escapesNonASCII,
                        escapesHTML: escapesHTML)
                    spellings += bothCases { isUppercase in
                        scalars.flatMap { style.escaped($0, isUppercase: isUppercase) }
                    }
                }
            }
        }
        return spellings
    }

    /// Returns the text with every character as `\uXXXX`, which JSON allows (RFC 8259, section 7).
    private static func unicodeEscaped(_ text: [UInt8]) -> [[UInt8]] {
        guard let units = String(validUTF8: text)?.utf16 else { return [] }
        return bothCases { isUppercase in
            units.flatMap { unit in
                Array("\\u".utf8) + hexadecimal(UInt32(unit), count: 4, isUppercase: isUppercase)
            }
        }
    }

    /// Returns whether a style of JSON escapes a byte, or the character that it is a part of.
    private static func isEscapedInJSON(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || "\"\\/<>&'".utf8.contains(byte)
    }

    /// The characters that an encoder of JSON escapes beyond those that it must (RFC 8259, section 7).
    private struct JSONStyle {
        /// The character at both ends of a string.
        let quote: Unicode.Scalar
        let escapesSlash: Bool
        let escapesNonASCII: Bool
        let escapesHTML: Bool

        /// Returns a character as this style writes it in a JSON string (RFC 8259, section 7).
        ///
        /// Every style writes the short escapes such as `\n`. A character that is escaped without a short form becomes
        /// `\uXXXX`, or two of them beyond U+FFFF.
        ///
        /// - Parameters:
        ///   - scalar: The character.
        ///   - isUppercase: Whether the hexadecimal digits are capital letters.
        func escaped(_ scalar: Unicode.Scalar, isUppercase: Bool) -> [UInt8] {
            switch scalar {
            case quote, "\\": return Array("\\\(scalar)".utf8)
            case "/": return Array((escapesSlash ? "\\/" : "/").utf8)
            case "\n": return Array("\\n".utf8)
            case "\r": return Array("\\r".utf8)
            case "\t": return Array("\\t".utf8)
            case "\u{8}": return Array("\\b".utf8)
            case "\u{C}": return Array("\\f".utf8)
            case "<", ">", "&", "'": if !escapesHTML { return Array("\(scalar)".utf8) }
            default: if scalar.value >= 0x20, scalar.isASCII || !escapesNonASCII { return Array("\(scalar)".utf8) }
            }
            return UTF16.encode(scalar).map(Array.init)?.flatMap { unit in
                Array("\\u".utf8) + hexadecimal(UInt32(unit), count: 4, isUppercase: isUppercase)
            } ?? []
        }
    }

    // MARK: HTML

    private static let quotesInHTML = ["\"", "&quot;", "&#34;"]
    private static let apostrophesInHTML = ["'", "&#39;", "&#x27;", "&#039;", "&apos;"]

    /// Returns the text with the special characters of HTML escaped, once for each combination of the usual escapes of
    /// a quote and an apostrophe.
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

    /// Returns the text in both alphabets of RFC 4648, each with and without padding.
    private static func base64(_ text: [UInt8]) -> [[UInt8]] {
        let padded = Array(Data(text).base64EncodedString().utf8)
        let forURLs = replacing(
            UInt8(ascii: "/"), with: UInt8(ascii: "_"),
            in: replacing(UInt8(ascii: "+"), with: UInt8(ascii: "-"), in: padded))
        return [padded, forURLs].flatMap { text in [text, text.filter { $0 != UInt8(ascii: "=") }] }
    }

    // MARK: Digits

    private static func bothCases(_ spell: (_ isUppercase: Bool) -> [UInt8]) -> [[UInt8]] {
        [spell(true), spell(false)]
    }

    private static func hexadecimal(_ value: UInt32, count: Int, isUppercase: Bool) -> [UInt8] {
        (0..<count).reversed().map { place in
            let digit = Hexadecimal.digit(value >> (4 * UInt32(place)))
            return isUppercase || digit.isDigit ? digit : digit | 0x20
        }
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

    private static func replacing(_ byte: UInt8, with other: UInt8, in text: [UInt8]) -> [UInt8] {
        text.map { $0 == byte ? other : $0 }
    }
}
