/// Finds a secret in text, however it is spelled there.
enum SecretSpelling {
    /// How many bytes of `text` from `start` spell `secret`, or nil where something else stands there.
    ///
    /// Each byte may stand as it is, as `%XX` (RFC 3986, section 2.1), as `+` for a space (HTML forms), or as an escape of JSON (RFC 8259,
    /// section 7); spellings may be mixed, as servers do.
    static func length(of secret: [UInt8], in text: [UInt8], at start: Int) -> Int? {
        length(of: secret, in: text, at: start, escapes: true)
            ?? length(of: secret, in: text, at: start, escapes: false)
    }

    /// Whether what stands behind `text` goes on with a word. An escape is none, whatever its last letter.
    static func endsInWord(_ text: ArraySlice<UInt8>) -> Bool {
        guard isWordByte(text.last) else { return false }
        let isEscape =
            text.suffix(3).first == UInt8(ascii: "%") || text.suffix(2).first == UInt8(ascii: "\\")
            || text.suffix(6).starts(with: "\\u".utf8)
        return !isEscape
    }

    /// Whether a byte is part of a word; nil is none.
    static func isWordByte(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }

    /// `escapes` tells whether a backslash starts an escape or stands for itself.
    private static func length(of secret: [UInt8], in text: [UInt8], at start: Int, escapes: Bool) -> Int? {
        var index = start
        var matched = 0
        while matched < secret.count {
            guard index < text.count else { return nil }
            let byte = secret[matched]
            if escapes, text[index] == UInt8(ascii: "\\"), let escape = escape(text, index) {
                guard secret[matched...].starts(with: escape.bytes) else { return nil }
                index += escape.length
                matched += escape.bytes.count
            } else if text[index] == byte || byte == UInt8(ascii: " ") && text[index] == UInt8(ascii: "+") {
                index += 1
                matched += 1
            } else if text[index] == UInt8(ascii: "%"), hexadecimal(text, index + 1, 2) == UInt32(byte) {
                index += 3
                matched += 1
            } else {
                return nil
            }
        }
        return index - start
    }

    /// The bytes that an escape of JSON stands for, and its length.
    private static func escape(_ text: [UInt8], _ index: Int) -> (bytes: [UInt8], length: Int)? {
        guard index + 1 < text.count else { return nil }
        let next = text[index + 1]
        if "\"\\/".utf8.contains(next) { return ([next], 2) }
        guard next == UInt8(ascii: "u"), let code = hexadecimal(text, index + 2, 4),
            let scalar = Unicode.Scalar(code)
        else { return nil }
        return (Array(String(scalar).utf8), 6)
    }

    private static func hexadecimal(_ text: [UInt8], _ start: Int, _ count: Int) -> UInt32? {
        guard start + count <= text.count else { return nil }
        let digits = String(decoding: text[start..<start + count], as: UTF8.self)
        return digits.utf8.allSatisfy { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }
            ? UInt32(digits, radix: 16) : nil
    }
}
