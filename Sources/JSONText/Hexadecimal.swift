/// Hexadecimal digits and the escapes that JSON makes of them.
package enum Hexadecimal {
    /// Whether a byte is a digit: 0 to 9, a to f or A to F.
    @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool {
        // Subtracting wraps around for lower bytes. Bit 0x20 distinguishes the cases of a letter.
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
    }

    /// Returns the value of a hexadecimal digit in ASCII, or nil for any other byte.
    package static func value(_ byte: UInt8) -> UInt8? {
        guard isDigit(byte) else { return nil }
        if byte <= UInt8(ascii: "9") { return byte - UInt8(ascii: "0") }
        return (byte | 0x20) - UInt8(ascii: "a") + 10
    }

    /// Returns the digit for the lowest four bits of `value`, in ASCII and upper case.
    package static func digit(_ value: UInt32) -> UInt8 {
        let lowBits = UInt8(truncatingIfNeeded: value & 15)
        return lowBits < 10 ? UInt8(ascii: "0") + lowBits : UInt8(ascii: "A") + lowBits - 10
    }

    /// Escapes a scalar as JSON does (RFC 8259, section 7): `\u00E9` for U+00E9, and the two surrogates `\uD83D\uDE00`
    /// for U+1F600, because four digits can't express a scalar beyond U+FFFF.
    package static func escape(_ scalar: UInt32) -> [UInt8] {
        if scalar > 0xFFFF {
            // The scalar less 0x10000 has 20 bits. Each surrogate holds ten of them.
            let bits = scalar - 0x1_0000
            let highSurrogate = 0xD800 + (bits >> 10)
            let lowSurrogate = 0xDC00 + (bits & 0x3FF)
            return escape(highSurrogate) + escape(lowSurrogate)
        }
        // Each shift moves another four bits to the lowest place, where `digit` reads them.
        return [
            UInt8(ascii: "\\"), UInt8(ascii: "u"), digit(scalar >> 12), digit(scalar >> 8), digit(scalar >> 4),
            digit(scalar),
        ]
    }
}
