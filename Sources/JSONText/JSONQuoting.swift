/// Strings as JSON writes them (RFC 8259, section 7), escaping only what must be escaped.
package enum JSONQuoting {
    /// Appends `text` in quotes; `/` and everything beyond ASCII stay as they are. Whether all is ASCII without escapes.
    @discardableResult
    static func append(_ text: String, to output: inout [UInt8]) -> Bool {
        var text = text
        var isPlain = true
        output.append(UInt8(ascii: "\""))
        text.withUTF8 { text in
            var start = 0
            for (index, byte) in text.enumerated()
            where byte < 0x20 || byte >= 0x80 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                isPlain = false
                if byte >= 0x80 { continue }
                output += text[start..<index]
                start = index + 1
                if let letter = letter(byte) {
                    output.append(UInt8(ascii: "\\"))
                    output.append(letter)
                } else {
                    output += Hexadecimal.escape(UInt32(byte))
                }
            }
            output += text[start...]
        }
        output.append(UInt8(ascii: "\""))
        return isPlain
    }

    /// `text` in quotes.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What follows the backslash in the escape of two characters for a byte, if it has one.
    @inline(__always)
    static func letter(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0A: UInt8(ascii: "n")
        case 0x0C: UInt8(ascii: "f")
        case 0x0D: UInt8(ascii: "r")
        default: nil
        }
    }
}
