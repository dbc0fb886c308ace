/// Finds the bytes of a string that need a closer look, sixteen at a time.
enum StringStops {
    @inline(__always) private static func all(_ byte: UInt8) -> SIMD16<UInt8> { SIMD16(repeating: byte) }

    /// How many of the 16 bytes come before the first that stops: `"`, `\`, control characters, DEL and bytes from 0x80 on; 16 if none does.
    @inline(__always)
    static func plainCount(_ block: SIMD16<UInt8>) -> Int {
        // As signed numbers, bytes from 0x80 on are below the space, too.
        let controls = SIMD16<Int8>(truncatingIfNeeded: block) .< SIMD16<Int8>(truncatingIfNeeded: all(0x20))
        let quotes = block .== all(UInt8(ascii: "\""))
        let stops = controls .| quotes .| (block .== all(UInt8(ascii: "\\"))) .| (block .== all(0x7F))
        // A mask has all bits of each byte that stops.
        let words = unsafeBitCast(stops, to: SIMD2<UInt64>.self)
        let low = words[0].littleEndian.trailingZeroBitCount >> 3
        let high = words[1].littleEndian.trailingZeroBitCount >> 3
        // The higher word counts only if the lower one has no hit; without a branch, which would often be mispredicted.
        return low &+ (high & (0 &- (low >> 3)))
    }

    @inline(__always)
    static func contains(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
