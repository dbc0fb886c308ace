/// Hexadecimal digits, in and out.
package enum Hexadecimal {
    @inline(__always)
    package static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 6
    }

    /// The value of a digit; nil for any other byte.
    package static func value(_ byte: UInt8) -> UInt8? {
        guard isDigit(byte) else { return nil }
        return byte <= UInt8(ascii: "9") ? byte - UInt8(ascii: "0") : (byte | 0x20) - UInt8(ascii: "a") + 10
    }

    /// The digit for the lowest four bits, upper case.
    package static func digit(_ value: UInt32) -> UInt8 {
        let low = UInt8(truncatingIfNeeded: value & 15)
        return low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "A") + low - 10
    }

    /// The scalar as JSON escapes it: `\uXXXX`, twice outside the Basic Multilingual Plane (RFC 8259, section 7).
    package static func escape(_ scalar: UInt32) -> [UInt8] {
        if scalar > 0xFFFF { return escape(0xD7C0 + scalar >> 10) + escape(0xDC00 + scalar & 0x3FF) }
        return [
            UInt8(ascii: "\\"), UInt8(ascii: "u"), digit(scalar >> 12), digit(scalar >> 8), digit(scalar >> 4),
            digit(scalar),
        ]
    }
}
