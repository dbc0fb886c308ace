/// The core schema (YAML 1.2.2, section 10.3.2): which scalars are null, booleans and numbers.
enum CoreSchema {
    typealias Text = UnsafeBufferPointer<UInt8>

    /// A value of the core schema, with the JSON text of numbers.
    enum Value {
        case null
        case boolean(Bool)
        case integer(json: [UInt8])
        /// A number with a fraction or an exponent.
        case float(json: [UInt8])
        /// A hexadecimal or octal number of more than 64 bits.
        case integerTooLarge
        /// An infinite number, or one that is not a number, which JSON does not have.
        case notFinite
        case string
    }

    /// Returns the value that a plain scalar stands for.
    ///
    ///     ~, null     null                true    boolean
    ///     12, 0xFF    integer             1.5     float
    ///     .inf        not finite          yes     string
    ///
    /// The first byte decides which forms are tried, because most scalars are strings.
    static func value(of text: Text) -> Value {
        // A key without a value has null, as in `name:`.
        guard let first = text.first else { return .null }
        switch first {
        case UInt8(ascii: "~"): return text.count == 1 ? .null : .string
        case UInt8(ascii: "n"), UInt8(ascii: "N"): return isOne(of: ["null", "Null", "NULL"], text) ? .null : .string
        case UInt8(ascii: "t"), UInt8(ascii: "T"):
            return isOne(of: ["true", "True", "TRUE"], text) ? .boolean(true) : .string
        case UInt8(ascii: "f"), UInt8(ascii: "F"):
            return isOne(of: ["false", "False", "FALSE"], text) ? .boolean(false) : .string
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            if let number = basedInteger(text) ?? decimal(text) { return number }
            return isNotFinite(text) ? .notFinite : .string
        default: return .string
        }
    }

    /// Whether a text is one of a few words.
    private static func isOne(of words: [String], _ text: Text) -> Bool {
        words.contains { text.elementsEqual($0.utf8) }
    }

    /// Whether a text is a number of YAML that JSON does not have.
    ///
    /// It is infinite (`[-+]?(\.inf|\.Inf|\.INF)`) or not a number (`\.nan|\.NaN|\.NAN`, without a sign).
    private static func isNotFinite(_ text: Text) -> Bool {
        let hasSign = text.first == UInt8(ascii: "+") || text.first == UInt8(ascii: "-")
        let number = Text(rebasing: text.dropFirst(hasSign ? 1 : 0))
        let words = [".inf", ".Inf", ".INF"] + (hasSign ? [] : [".nan", ".NaN", ".NAN"])
        return isOne(of: words, number)
    }

    /// Returns an octal (`0o[0-7]+`) or hexadecimal (`0x[0-9a-fA-F]+`) integer as a decimal one: `255` for `0xFF`.
    ///
    /// - Returns: The integer; nil if the text is neither octal nor hexadecimal.
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

    /// Returns the value of a hexadecimal digit; 16 if the byte is none, which is a digit in no radix.
    private static func digitValue(_ byte: UInt8) -> Int {
        Character(Unicode.Scalar(byte)).hexDigitValue ?? 16
    }

    /// Returns a decimal number as JSON text.
    ///
    /// The form of a number is `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?` (YAML 1.2.2, section 10.3.2).
    ///
    /// The text is kept where JSON allows it. A plus sign and leading zeros are dropped, and a digit is added where
    /// JSON needs one: `+1.` is `1.0`, and `-.5` is `-0.5` (RFC 8259, section 6).
    ///
    /// - Returns: The number; nil if the text is none.
    private static func decimal(_ text: Text) -> Value? {
        var rest = text[...]
        var json: [UInt8] = []
        // [-+]?
        if takeSign(&rest) == UInt8(ascii: "-") { json.append(UInt8(ascii: "-")) }
        // \.[0-9]+|[0-9]+(\.[0-9]*)?
        let integer = takeDigits(&rest)
        let fraction = takeFraction(&rest)
        let hasFractionDigits = fraction?.isEmpty == false
        if integer.isEmpty, !hasFractionDigits { return nil }
        json += digitsOrZero(integer.drop { $0 == UInt8(ascii: "0") })
        if let fraction { json += [UInt8(ascii: ".")] + digitsOrZero(fraction) }
        // ([eE][-+]?[0-9]+)?
        let exponent = takeExponent(&rest)
        if let exponent { json += exponent }
        guard rest.isEmpty else { return nil }
        let isFloat = fraction != nil || exponent != nil
        return isFloat ? .float(json: json) : .integer(json: json)
    }

    /// Removes a point and the digits after it from the start of a text.
    ///
    /// - Returns: The digits, of which there may be none; nil if the text does not start with a point.
    private static func takeFraction(_ text: inout Slice<Text>) -> Slice<Text>? {
        guard text.first == UInt8(ascii: ".") else { return nil }
        text.removeFirst()
        return takeDigits(&text)
    }

    /// Removes an exponent from the start of a text.
    ///
    /// - Returns: The exponent as it is written, such as `e+10`; nil if the text does not start with one.
    private static func takeExponent(_ text: inout Slice<Text>) -> [UInt8]? {
        var rest = text
        guard let letter = rest.popFirst(), letter == UInt8(ascii: "e") || letter == UInt8(ascii: "E") else {
            return nil
        }
        var exponent = [letter]
        if let sign = takeSign(&rest) { exponent.append(sign) }
        let digits = takeDigits(&rest)
        // An `e` without digits is no exponent. The text is left as it was, and is no number.
        if digits.isEmpty { return nil }
        text = rest
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
