/// Strings as JSON writes them (RFC 8259, section 7), with only those characters escaped that must be.
package enum JSONQuoting {
    /// Appends `text` in quotes. The slash and everything beyond ASCII stay as they are.
    ///
    /// - Returns: Whether all of `text` is ASCII and nothing was escaped.
    @discardableResult
    static func append(_ text: String, to output: inout [UInt8]) -> Bool {
        output.append(UInt8(ascii: "\""))
        var text = text
        let isPlain = text.withUTF8 { appendEscaped($0, to: &output) }
        output.append(UInt8(ascii: "\""))
        return isPlain
    }

    /// Appends UTF-8 text with its quotes, backslashes and control characters escaped: `a"b` becomes `a\"b`.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - output: The array to which the text is appended.
    /// - Returns: Whether all of `text` is ASCII and nothing was escaped.
    @discardableResult
    package static func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) -> Bool {
        var isPlain = true
        /// The index of the first byte that is still to be copied.
        var copyStart = 0
        for (index, byte) in text.enumerated() {
            if byte >= 0x80 { isPlain = false }
            let needsEscape = byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            guard needsEscape else { continue }
            isPlain = false
            output += text[copyStart..<index]
            appendEscape(of: byte, to: &output)
            copyStart = index + 1
        }
        output += text[copyStart...]
        return isPlain
    }

    /// Appends the escape of a byte: `\n` for a line feed, `\u001F` for a control character without a short escape.
    private static func appendEscape(of byte: UInt8, to output: inout [UInt8]) {
        if let letter = shortEscapeLetter(for: byte) {
            output.append(UInt8(ascii: "\\"))
            output.append(letter)
        } else {
            output += Hexadecimal.escape(UInt32(byte))
        }
    }

    /// Writes `text` in quotes.
    package static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the letter after the backslash in the short escape of a byte, such as `n` for a line feed, or nil if the
    /// byte has no short escape.
    @inline(__always)
    static func shortEscapeLetter(for byte: UInt8) -> UInt8? {
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
