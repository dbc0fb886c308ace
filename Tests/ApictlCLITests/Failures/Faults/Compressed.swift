/// Compressed bodies, right and wrong.
enum Compressed {
    /// ``Fault/page`` in gzip (RFC 1952).
    static let page: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xAB, 0x56, 0x2A, 0x48, 0x4C, 0x4F, 0x55, 0xB2,
        0x32, 0xD4, 0x51, 0x2A, 0x4A, 0x2D, 0x2E, 0xCD, 0x29, 0x29, 0x56, 0xB2, 0x8A, 0x8E, 0xD5, 0x51, 0x2A, 0xC9,
        0x2F, 0x49, 0xCC, 0x89, 0x07, 0xC9, 0x01, 0x05, 0x0C, 0x6B, 0x01, 0xB5, 0xA6, 0x3C, 0x40, 0x27, 0x00, 0x00,
        0x00,
    ]

    /// The same in Brotli (RFC 7932).
    static let brotliPage: [UInt8] = [
        27, 38, 0, 0, 4, 106, 115, 169, 95, 182, 88, 63, 85, 17, 49, 200, 234, 192, 56, 214, 138, 168, 50, 11, 65, 178,
        178, 178, 123, 220, 62, 131, 220, 8, 186, 40, 210, 56, 81, 238, 34, 255,
    ]

    /// The same in Zstandard (RFC 8878), with its checksum in the last four bytes.
    static let zstdPage: [UInt8] = [
        40, 181, 47, 253, 4, 104, 57, 1, 0, 123, 34, 112, 97, 103, 101, 34, 58, 49, 44, 34, 114, 101, 115, 117, 108,
        116, 115, 34, 58, 91, 93, 44, 34, 116, 111, 116, 97, 108, 95, 112, 97, 103, 101, 115, 34, 58, 49, 125, 12, 173,
        159, 39,
    ]

    /// So many runs of 258 spaces, and one more, deflated (RFC 1951, section 3.2.6) about 160 times as small.
    static func spaces(runs: Int) -> [UInt8] {
        // The last block, with fixed codes; a space; a run of 258 from one byte back, again and again; the end of the block.
        let bits = Array("1" + "10" + "01010000") + Array(repeating: Array("11000101" + "00000"), count: runs).joined()
        return bytes(bits + Array("0000000"))
    }

    /// The bytes that the bits fill, from the lowest on.
    private static func bytes(_ bits: [Character]) -> [UInt8] {
        stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].reversed().reduce(0) { $0 << 1 | ($1 == "1" ? 1 : 0) }
        }
    }
}
