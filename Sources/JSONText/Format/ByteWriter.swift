/// Where the formatter's bytes go.
protocol ByteWriter {
    mutating func write(_ byte: UInt8)
    /// Writes the lowest `count` bytes of `word`, the lowest first; `count` is 1 to 4.
    mutating func write(_ word: UInt32, count: Int)
    /// Writes the first `count` bytes of `block`; `count` is 1 to 16.
    mutating func write(_ block: SIMD16<UInt8>, count: Int)
    mutating func write(_ bytes: [UInt8])
    /// Writes `input[range]`.
    mutating func write(_ input: UnsafeRawBufferPointer, _ range: Range<Int>)
    /// Writes a line break and `level` times the indent.
    mutating func writeLineBreak(_ indent: IndentUnit, level: Int)
    /// Writes the bytes of `input` from `start` on to the first one that stops a string scan, whose index it returns. If
    /// that is a quote, it is written too.
    mutating func writePlain(_ input: UnsafeRawBufferPointer, from start: Int, stops: StringStops) -> Int
}

/// Prints nothing: for checking only.
struct NullWriter: ByteWriter {
    @inline(__always) mutating func write(_ byte: UInt8) {}
    @inline(__always) mutating func write(_ word: UInt32, count: Int) {}
    @inline(__always) mutating func write(_ block: SIMD16<UInt8>, count: Int) {}
    @inline(__always) mutating func write(_ bytes: [UInt8]) {}
    @inline(__always) mutating func write(_ input: UnsafeRawBufferPointer, _ range: Range<Int>) {}
    @inline(__always) mutating func writeLineBreak(_ indent: IndentUnit, level: Int) {}

    @inline(__always)
    mutating func writePlain(_ input: UnsafeRawBufferPointer, from start: Int, stops: StringStops) -> Int {
        var index = start
        while index &+ 16 <= input.count {
            let count = stops.plainCount(input.loadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self))
            index &+= count
            if count < 16 { return index }
        }
        while index < input.count, !stops.contains(input[index]) { index &+= 1 }
        return index
    }
}
