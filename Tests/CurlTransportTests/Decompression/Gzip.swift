/// Gzip made by hand (RFC 1951, section 3.2.6; RFC 1952).
enum Gzip {
    /// One `byte` below 144 and then 258 more of it for every match.
    static func repeated(_ byte: UInt8, matches: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.write(1, count: 1)
        bits.write(1, count: 2)
        bits.writeCode(0x30 + UInt32(byte), count: 8)
        for _ in 0..<matches {
            bits.writeCode(0b1100_0101, count: 8)
            bits.writeCode(0, count: 5)
        }
        bits.writeCode(0, count: 7)
        return member(bits, byte, count: 1 + 258 * matches)
    }

    /// One zero byte and then 258 more for every match, in two bits each: as tight as it gets.
    static func bomb(matches: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.write(1, count: 1)
        bits.write(2, count: 2)
        // 286 codes for bytes and lengths, one for distances, 18 code lengths.
        bits.write(29, count: 5)
        bits.write(0, count: 5)
        bits.write(14, count: 4)
        // One bit for "many zeros" (18), two for each of the lengths 1 and 2, which come third, 18th and 16th.
        for index in 0..<18 { bits.write(index == 2 ? 1 : index == 15 || index == 17 ? 2 : 0, count: 3) }
        func zeros(_ count: UInt32) {
            bits.writeCode(0, count: 1)
            bits.write(count - 11, count: 7)
        }
        // Byte 0: two bits; the end: two bits; length 258: one bit; distance 1: one bit.
        bits.writeCode(0b11, count: 2)
        zeros(138)
        zeros(117)
        bits.writeCode(0b11, count: 2)
        zeros(28)
        bits.writeCode(0b10, count: 2)
        bits.writeCode(0b10, count: 2)
        bits.writeCode(0b10, count: 2)
        for _ in 0..<matches { bits.writeCode(0, count: 2) }
        bits.writeCode(0b11, count: 2)
        return member(bits, 0, count: 1 + 258 * matches)
    }

    /// `content`, which is short, as it is (RFC 1951, section 3.2.4).
    static func stored(_ content: some Sequence<UInt8>) -> [UInt8] {
        let content = Array(content)
        let length = [UInt8(truncatingIfNeeded: content.count), UInt8(truncatingIfNeeded: content.count >> 8)]
        let sum = content.reduce(0) { checksum(of: $1, count: 1, after: $0) }
        let block = [1] + length + length.map { ~$0 } + content
        return header + block + littleEndian(sum) + littleEndian(UInt32(content.count))
    }

    private static let header: [UInt8] = [31, 139, 8, 0, 0, 0, 0, 0, 0, 255]

    private static func member(_ bits: BitWriter, _ byte: UInt8, count: Int) -> [UInt8] {
        header + bits.finished() + littleEndian(checksum(of: byte, count: count))
            + littleEndian(UInt32(truncatingIfNeeded: count))
    }

    private static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static let table: [UInt32] = (0..<256).map { start in
        var entry = UInt32(start)
        for _ in 0..<8 { entry = (entry >> 1) ^ (entry & 1 == 1 ? 0xEDB8_8320 : 0) }
        return entry
    }

    /// The checksum of what `value` is the checksum of, and `count` times `byte` behind it.
    private static func checksum(of byte: UInt8, count: Int, after value: UInt32 = 0) -> UInt32 {
        let table = table
        var value = ~value
        for _ in 0..<count {
            let index = UInt8(truncatingIfNeeded: value) ^ byte
            value = table[Int(index)] ^ (value >> 8)
        }
        return ~value
    }

    private struct BitWriter {
        private var bytes: [UInt8] = []
        private var pending: UInt32 = 0
        private var pendingCount = 0

        /// Numbers go lowest bit first.
        mutating func write(_ value: UInt32, count: Int) {
            pending |= value << pendingCount
            pendingCount += count
            while pendingCount >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                pendingCount -= 8
            }
        }

        /// Huffman codes go highest bit first.
        mutating func writeCode(_ code: UInt32, count: Int) {
            for bit in stride(from: count - 1, through: 0, by: -1) { write(code >> UInt32(bit) & 1, count: 1) }
        }

        func finished() -> [UInt8] { pendingCount > 0 ? bytes + [UInt8(truncatingIfNeeded: pending)] : bytes }
    }
}
