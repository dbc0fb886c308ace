/// One multi-byte UTF-8 sequence (RFC 3629, section 4; Unicode table 3-7).
enum UTF8Sequence {
    /// The length of a sequence that starts with `lead`; 0 if none can.
    static func length(lead: UInt8) -> Int {
        switch lead {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 0
        }
    }

    /// The scalar of a sequence of `length` bytes, the first in the lowest byte of `word`; nil if it is ill-formed:
    /// overlong, a surrogate, beyond U+10FFFF, or cut short by another character.
    ///
    /// `length` is what ``length(lead:)`` says; bytes of `word` beyond it may be anything.
    @inline(__always)
    static func scalar(_ word: UInt32, length: Int) -> UInt32? {
        let second = (word >> 8) & 0x3F
        let third = (word >> 16) & 0x3F
        switch length {
        case 2:
            guard word & 0xC000 == 0x8000 else { return nil }
            return (word & 0x1F) << 6 | second
        case 3:
            guard word & 0xC0_C000 == 0x80_8000 else { return nil }
            let scalar = (word & 0x0F) << 12 | second << 6 | third
            return scalar < 0x800 || scalar & 0xF800 == 0xD800 ? nil : scalar
        default:
            guard word & 0xC0C0_C000 == 0x8080_8000 else { return nil }
            let scalar = (word & 0x07) << 18 | second << 12 | third << 6 | (word >> 24) & 0x3F
            return scalar < 0x1_0000 || scalar > 0x10_FFFF ? nil : scalar
        }
    }

    /// Whether every byte after the first, of the `count` in `word`, continues a sequence.
    static func isPlausiblePrefix(_ word: UInt32, count: Int) -> Bool {
        (1..<max(count, 1)).allSatisfy { (word >> (8 * UInt32($0))) & 0xC0 == 0x80 }
    }
}
