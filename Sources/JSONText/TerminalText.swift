/// Text made safe to print at a terminal, which obeys control characters, reorders text at bidi controls and does not
/// show tags.
package enum TerminalText {
    /// Writes `text` on one line, with each hazard (see ``isHazard(_:)``) as a visible escape.
    ///
    /// Line feed, carriage return and tab become `\n`, `\r` and `\t`. The others become `\u001B` and the like. A
    /// backslash in `text` stays single, so the result is for people and not for parsers.
    package static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: { isHazard($0.value) }) else { return text }
        var result: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n".utf8
            case "\r": result += "\\r".utf8
            case "\t": result += "\\t".utf8
            case _ where isHazard(scalar.value): result += Hexadecimal.escape(scalar.value)
            // Every scalar has an encoding in UTF-8, so the replacement is never used.
            default: result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether a terminal may act on the scalar instead of showing it, or may hide text in it.
    package static func isHazard(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x7F...0x9F: true  // control characters: C0, DEL and C1
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // bidi controls (UAX #9, section 2)
        case 0x2028, 0x2029: true  // line and paragraph separators
        case 0xE0000...0xE007F: true  // tags, which are invisible
        default: false
        }
    }
}
