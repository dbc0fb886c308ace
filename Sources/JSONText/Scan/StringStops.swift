/// The bytes of a string that need a closer look: `"`, `\`, control characters, DEL, and bytes of characters beyond
/// ASCII.
enum StringStops {
    @inline(__always)
    static func contains(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    /// Returns how many of sixteen bytes come before the first one that needs a closer look. It is 16 if none does.
    ///
    /// Most strings are short, so a branch for each byte would often be mispredicted. This function has none.
    @inline(__always)
    static func plainCount(_ block: SIMD16<UInt8>) -> Int {
        // Subtracting wraps around: bytes below the space become the greatest ones, and 0x7F becomes 0x5F.
        let isUnprintable = (block &- all(0x20)) .>= all(0x5F)
        let isQuote = block .== all(UInt8(ascii: "\""))
        let isBackslash = block .== all(UInt8(ascii: "\\"))
        let stops = isUnprintable .| isQuote .| isBackslash
        let positions = SIMD16<UInt8>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
        return Int(all(16).replacing(with: positions, where: stops).min())
    }

    @inline(__always)
    private static func all(_ byte: UInt8) -> SIMD16<UInt8> { SIMD16(repeating: byte) }
}
