/// One text in every coding, made by the libraries' own tools.
enum CompressedSamples {
    static let text = Array(#"{"title": "movie", "titles": ["movie", "movies"]}"#.utf8)

    static let gzip: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 42, 201, 44, 201, 73, 85, 178, 82, 80, 202, 205, 47, 203, 76, 85, 210,
        81, 128, 136, 20, 3, 133, 162, 17, 98, 96, 70, 177, 82, 108, 45, 0, 86, 168, 244, 59, 49, 0, 0, 0,
    ]
    static let zlib: [UInt8] = [120, 218] + rawDeflate + [137, 88, 15, 219]
    static let rawDeflate: [UInt8] = [
        171, 86, 42, 201, 44, 201, 73, 85, 178, 82, 80, 202, 205, 47, 203, 76, 85, 210, 81, 128, 136, 20, 3, 133, 162,
        17, 98, 96, 70, 177, 82, 108, 45, 0,
    ]
    /// ``zlib`` once more in gzip.
    static let gzippedZlib: [UInt8] = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 184, 181, 58, 76, 235, 164, 206, 73, 207, 208, 77, 65, 1, 167, 206, 234,
        159, 246, 9, 189, 20, 216, 208, 33, 194, 220, 186, 72, 48, 41, 193, 109, 99, 80, 142, 46, 67, 103, 4, 255, 109,
        0, 145, 139, 14, 155, 40, 0, 0, 0,
    ]
    static let brotli: [UInt8] = [
        27, 48, 0, 0, 4, 84, 57, 210, 165, 60, 160, 145, 62, 23, 26, 62, 135, 13, 56, 112, 136, 246, 113, 122, 147, 97,
        3, 142, 2, 42, 25, 112, 31, 111, 1, 35, 98, 63, 88, 85, 229, 6, 164, 101, 31,
    ]
    /// The last four bytes are its checksum.
    static let zstd: [UInt8] = [40, 181, 47, 253, 4] + zstdBlocks + [4, 66, 92, 187]
    private static let zstdBlocks: [UInt8] = [
        104, 61, 1, 0, 224, 123, 34, 116, 105, 116, 108, 101, 34, 58, 32, 34, 109, 111, 118, 105, 101, 34, 44, 32, 115,
        34, 58, 32, 91, 115, 34, 93, 125, 3, 0, 44, 3, 220, 44, 122, 13, 51, 12,
    ]

    /// Returns a frame of zeros that is far larger when it is decompressed (RFC 8878, section 3.1.1.2).
    ///
    /// Each block has four bytes and repeats a zero 128 Ki times. The window has `1 << windowLog` bytes.
    static func zstdBomb(blocks: Int, windowLog: UInt8 = 23) -> [UInt8] {
        let block = { (isLast: Bool) in
            let header = UInt32(131_072) << 3 | 1 << 1 | (isLast ? 1 : 0)
            return (0..<3).map { UInt8(truncatingIfNeeded: header >> ($0 * 8)) } + [0]
        }
        let start: [UInt8] = [40, 181, 47, 253, 0, (windowLog - 10) << 3]
        return start + Array(repeating: block(false), count: blocks - 1).joined() + block(true)
    }
}
