/// The rules by which a YAML scalar without quotes is null, a boolean, a number or a string: the core schema (YAML
/// 1.2.2, section 10.3.2).
enum CoreSchema {
    typealias Text = UnsafeBufferPointer<UInt8>

    /// The value of a scalar. A number has its JSON text.
    enum Value {
        case null
        case boolean(Bool)
        case integer(json: [UInt8])
        /// A number with a fraction or an exponent.
        case float(json: [UInt8])
        /// A hexadecimal or octal number of more than 64 bits.
        case integerTooLarge
        /// Infinity, or "not a number". JSON has neither.
        case notFinite
        case string
    }

    /// Returns the value of a scalar without quotes.
    ///
    ///     ~, null      →  null
    ///     true         →  boolean
    ///     12, 0xFF     →  integer
    ///     1.5          →  float
    ///     .inf         →  not finite
    ///     yes          →  string
    static func value(of text: Text) -> Value {
        // An empty text is null, as in `name:`.
        guard let first = text.first else { return .null }
        // The first byte tells which forms are possible. Most scalars are strings, and need no further check.
        switch first {
        case UInt8(ascii: "~"): return text.count == 1 ? .null : .string
        case UInt8(ascii: "n"), UInt8(ascii: "N"):
            return isEqual(text, toOneOf: ["null", "Null", "NULL"]) ? .null : .string
        case UInt8(ascii: "t"), UInt8(ascii: "T"):
            return isEqual(text, toOneOf: ["true", "True", "TRUE"]) ? .boolean(true) : .string
        case UInt8(ascii: "f"), UInt8(ascii: "F"):
            return isEqual(text, toOneOf: ["false", "False", "FALSE"]) ? .boolean(false) : .string
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            if let number = basedInteger(text) ?? decimal(text) { return number }
            return isNotFinite(text) ? .notFinite : .string
        default: return .string
        }
    }

    /// Whether a text equals one of some words, byte by byte. The core schema distinguishes `true` from `tRUE`.
    private static func isEqual(_ text: Text, toOneOf words: [String]) -> Bool {
        words.contains { text.elementsEqual($0.utf8) }
    }

    /// Whether a text is infinity (`[-+]?(\.inf|\.Inf|\.INF)`) or "not a number" (`\.nan|\.NaN|\.NAN`).
    private static func isNotFinite(_ text: Text) -> Bool {
        let hasSign = text.first == UInt8(ascii: "+") || text.first == UInt8(ascii: "-")
        let number = Text(rebasing: text.dropFirst(hasSign ? 1 : 0))
        let words = [".inf", ".Inf", ".INF"] + (hasSign ? [] : [".nan", ".NaN", ".NAN"])
        return isEqual(number, toOneOf: words)
    }

    /// Returns an octal (`0o[0-7]+`) or hexadecimal (`0x[0-9a-fA-F]+`) integer as decimal JSON text.
    ///
    ///     0xFF    →  255
    ///     0o17    →  15
    ///     12      →  nil
    private static func basedInteger(_ text: Text) -> Value? {
        guard text.count > 2, text[0] == UInt8(ascii: "0") else { return nil }
        let radix: Int
        switch text[1] {
        case UInt8(ascii: "o"): radix = 8
        case UInt8(ascii: "x"): radix = 16
        default: return nil
        }
        let digits = text.dropFirst(2)
        guard digits.allSatisfy({ digitValue($0) < radix }) else { return nil }
        guard let number = UInt64(String(decoding: digits, as: UTF8.self), radix: radix) else {
            return .integerTooLarge
        }
        return .integer(json: Array(String(number).utf8))
    }

    /// Returns the value of a hexadecimal digit. Any other byte returns 16, which is too large for every radix.
    private static func digitValue(_ byte: UInt8) -> Int {
        Character(Unicode.Scalar(byte)).hexDigitValue ?? 16
    }

    /// Returns a decimal number as JSON text.
    ///
    ///     12      →  12
    ///     +012    →  12
    ///     1.      →  1.0
    ///     -.5     →  -0.5
    ///     1.5e    →  nil
    ///
    /// The form of a number in YAML is `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`. JSON is stricter (RFC
    /// 8259, section 6): it has no plus sign and no leading zeros, and needs digits on both sides of the point.
    private static func decimal(_ text: Text) -> Value? {
        var unread = text[...]
        var json: [UInt8] = []
        // [-+]?
        if takeSign(&unread) == UInt8(ascii: "-") { json.append(UInt8(ascii: "-")) }
        // \.[0-9]+|[0-9]+(\.[0-9]*)?
        let integer = takeDigits(&unread)
        let fraction = takeFraction(&unread)
        let hasFractionDigits = fraction?.isEmpty == false
        if integer.isEmpty, !hasFractionDigits { return nil }
        // JSON has no leading zeros: `012` becomes `12`, and `00` becomes `0`.
        json += digitsOrZero(integer.drop { $0 == UInt8(ascii: "0") })
        if let fraction { json += [UInt8(ascii: ".")] + digitsOrZero(fraction) }
        // ([eE][-+]?[0-9]+)?
        let exponent = takeExponent(&unread)
        if let exponent { json += exponent }
        guard unread.isEmpty else { return nil }
        let isFloat = fraction != nil || exponent != nil
        return isFloat ? .float(json: json) : .integer(json: json)
    }

    /// Removes a point and the digits after it from the start of a text.
    ///
    /// - Returns: The digits, possibly none; nil if the text does not start with a point.
    private static func takeFraction(_ text: inout Slice<Text>) -> Slice<Text>? {
        guard text.first == UInt8(ascii: ".") else { return nil }
        text.removeFirst()
        return takeDigits(&text)
    }

    /// Removes an exponent from the start of a text.
    ///
    /// - Returns: The exponent as it is written, such as `e+10`; nil if the text does not start with one.
    private static func takeExponent(_ text: inout Slice<Text>) -> [UInt8]? {
        var unread = text
        guard let letter = unread.popFirst(), letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") else {
            return nil
        }
        var exponent = [letter]
        if let sign = takeSign(&unread) { exponent.append(sign) }
        let digits = takeDigits(&unread)
        // `1e` is not a number. The text stays as it is.
        if digits.isEmpty { return nil }
        text = unread
        return exponent + digits
    }

    /// Removes a sign from the start of a text and returns it; nil if the text starts with something else.
    private static func takeSign(_ text: inout Slice<Text>) -> UInt8? {
        guard text.first == UInt8(ascii: "+") || text.first == UInt8(ascii: "-") else { return nil }
        return text.removeFirst()
    }

    /// Removes the digits from the start of a text and returns them.
    private static func takeDigits(_ text: inout Slice<Text>) -> Slice<Text> {
        let digits = text.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        text = text.dropFirst(digits.count)
        return digits
    }

    /// Returns digits as bytes, or `0` if there are none.
    private static func digitsOrZero(_ digits: Slice<Text>) -> [UInt8] {
        digits.isEmpty ? [UInt8(ascii: "0")] : Array(digits)
    }
}
