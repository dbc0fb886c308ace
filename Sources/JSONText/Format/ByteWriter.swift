/// Where the formatter's bytes go.
protocol ByteWriter {
    mutating func write(_ byte: UInt8)
    /// Writes the lowest `count` bytes of `word`, the lowest first; `count` is 1 to 4.
    mutating func write(_ word: UInt32, count: Int)
    mutating func write(_ bytes: [UInt8])
    /// Writes `input[range]`.
    mutating func write(_ input: UnsafeRawBufferPointer, _ range: Range<Int>)
    /// Writes a line break and `level` times the indent.
    mutating func writeLineBreak(_ indent: IndentUnit, level: Int)
    /// Writes the bytes of `input` from `start` on to the first one that stops a string scan, whose index it returns.
    mutating func writePlain(_ input: UnsafeRawBufferPointer, from start: Int, stops: StringStops) -> Int
}

/// Prints nothing: for checking only.
struct NullWriter: ByteWriter {
    @inline(__always) mutating func write(_ byte: UInt8) {}
    @inline(__always) mutating func write(_ word: UInt32, count: Int) {}
    @inline(__always) mutating func write(_ bytes: [UInt8]) {}
    @inline(__always) mutating func write(_ input: UnsafeRawBufferPointer, _ range: Range<Int>) {}
    @inline(__always) mutating func writeLineBreak(_ indent: IndentUnit, level: Int) {}

    @inline(__always)
    mutating func writePlain(_ input: UnsafeRawBufferPointer, from start: Int, stops: StringStops) -> Int {
        var index = start
        while index &+ 8 <= input.count {
            let word = UInt64(littleEndian: input.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let hits = stops.hits(word)
            if hits != 0 { return index &+ hits.trailingZeroBitCount >> 3 }
            index &+= 8
        }
        while index < input.count, !stops.contains(input[index]) { index &+= 1 }
        return index
    }
}
