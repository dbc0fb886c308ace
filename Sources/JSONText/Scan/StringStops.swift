/// Finds the bytes of a string that need a closer look, two words of eight bytes at a time.
///
/// In a word, a byte stops the scan if its highest bit is set in ``hits(_:)``. Subtracting can borrow from the next
/// higher byte, and adding carry to it, so hits above the lowest one may be wrong; the lowest is always right, and only it is used.
enum StringStops {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080
    private static let quotes: UInt64 = 0x2222_2222_2222_2222
    private static let backslashes: UInt64 = 0x5C5C_5C5C_5C5C_5C5C
    private static let spaces: UInt64 = 0x2020_2020_2020_2020

    /// How many of the 16 bytes come before the first that stops; 16 if none does.
    ///
    /// Both words are examined without a branch, because most strings end somewhere within 16 bytes.
    @inline(__always)
    static func plainCount(_ block: SIMD2<UInt64>) -> Int {
        let low = hits(block[0].littleEndian).trailingZeroBitCount >> 3
        let high = hits(block[1].littleEndian).trailingZeroBitCount >> 3
        // The higher word counts only if the lower one has no hit; without a branch, which would often be mispredicted.
        return low &+ (high & (0 &- (low >> 3)))
    }

    /// Marks `"`, `\`, control characters, DEL and bytes from 0x80 on: adding 1 finds 0x7F to 0xFE, subtracting 0x20 the last one.
    @inline(__always)
    private static func hits(_ word: UInt64) -> UInt64 {
        ((word &- spaces) | ((word ^ quotes) &- ones) | ((word ^ backslashes) &- ones) | (word &+ ones)) & highBits
    }

    @inline(__always)
    static func contains(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
