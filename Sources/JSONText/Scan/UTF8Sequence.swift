/// One character beyond ASCII in UTF-8 (RFC 3629, section 4; Unicode, table 3-7).
enum UTF8Sequence {
    /// Returns the length of a sequence that starts with `lead`, or 0 if no sequence does.
    static func length(lead: UInt8) -> Int {
        switch lead {
        // C0 and C1 would start overlong sequences for ASCII, F5 and above sequences beyond U+10FFFF.
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    /// Decodes the UTF-8 sequence of one character beyond ASCII (RFC 3629, section 3).
    ///
    /// - Parameters:
    ///   - word: The bytes, the first one in the lowest byte. Bytes beyond `length` may be anything.
    ///   - length: The length that ``length(lead:)`` returns for the first byte: 2, 3 or 4.
    /// - Returns: The scalar, or nil if the sequence is ill-formed: overlong, a surrogate, beyond U+10FFFF, or cut
    ///   short by another character.
    @inline(__always)
    static func scalar(_ word: UInt32, length: Int) -> UInt32? {
        // All bytes but the first one are 10xxxxxx, with six bits of the scalar. The masks with C0 below check the
        // leading 10 of all of them at once.
        let second = (word >> 8) & 0x3F
        let third = (word >> 16) & 0x3F
        let fourth = (word >> 24) & 0x3F
        switch length {
        case 2:
            // No sequence of two bytes is overlong here: `length(lead:)` refuses the first bytes C0 and C1.
            guard word & 0xC000 == 0x8000 else { return nil }
            return (word & 0x1F) << 6 | second
        case 3:
            guard word & 0xC0_C000 == 0x80_8000 else { return nil }
            let scalar = (word & 0x0F) << 12 | second << 6 | third
            let isOverlong = scalar < 0x800
            let isSurrogate = scalar & 0xF800 == 0xD800
            return isOverlong || isSurrogate ? nil : scalar
        default:
            guard word & 0xC0C0_C000 == 0x8080_8000 else { return nil }
            let scalar = (word & 0x07) << 18 | second << 12 | third << 6 | fourth
            let isInRange = 0x1_0000...0x10_FFFF ~= scalar
            return isInRange ? scalar : nil
        }
    }
}
