/// Collects bytes in a small block of memory and appends them to an array block by block.
///
///     base                      limit            limit + slack
///     |---- used ----|             |                  |
///
/// Between calls `used` is at most `limit`. Every call may write up to `slack` bytes beyond `used` without asking,
/// whole words at a time even if fewer bytes count, and looks at the limit afterwards. An array cannot be
/// written past its count, which is why there is a block at all; copying it once more costs next to nothing.
struct StagedWriter: ByteWriter {
    private static let limit = 16 * 1024
    private static let slack = 4 * 1024
    /// Longer runs go straight to the array.
    private static let longestStagedRun = 1024

    private var base = StagedWriter.allocate()
    private var used = 0
    private var sink: [UInt8] = []

    /// Takes the array over, so that appending to it never copies it; ``finish(into:)`` gives it back.
    init(taking output: inout [UInt8]) {
        swap(&sink, &output)
    }

    /// Appends the rest to `output` and frees the block; must be called exactly once, as the last method.
    mutating func finish(into output: inout [UInt8]) {
        flush()
        base.deallocate()
        swap(&sink, &output)
    }

    private static func allocate() -> UnsafeMutableRawPointer {
        .allocate(byteCount: limit + slack, alignment: 16)
    }

    /// Frees the block until ``resume()``; nothing may be written in between.
    mutating func suspend() {
        flush()
        base.deallocate()
    }

    mutating func resume() {
        base = Self.allocate()
    }

    /// Returns everything written so far, and starts with an empty output.
    mutating func takeAll() -> [UInt8] {
        flush()
        defer { sink = [] }
        return sink
    }

    /// The number of bytes that have been written.
    var position: Int { sink.count &+ used }

    @inline(__always)
    mutating func write(_ byte: UInt8) {
        base.storeBytes(of: byte, toByteOffset: used, as: UInt8.self)
        advance(1)
    }

    @inline(__always)
    mutating func write(_ word: UInt32, count: Int) {
        base.storeBytes(of: word.littleEndian, toByteOffset: used, as: UInt32.self)
        advance(count)
    }

    @inline(__always)
    mutating func write(_ block: SIMD16<UInt8>, count: Int) {
        base.storeBytes(of: block, toByteOffset: used, as: SIMD16<UInt8>.self)
        advance(count)
    }

    mutating func write(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { write($0, 0..<$0.count) }
    }

    @inline(__always)
    mutating func write(_ input: UnsafeRawBufferPointer, _ range: Range<Int>) {
        if range.count <= 16, range.lowerBound &+ 16 <= input.count {
            let bytes = input.loadUnaligned(fromByteOffset: range.lowerBound, as: SIMD16<UInt8>.self)
            base.storeBytes(of: bytes, toByteOffset: used, as: SIMD16<UInt8>.self)
            advance(range.count)
        } else {
            writeRun(UnsafeRawBufferPointer(rebasing: input[range]))
        }
    }

    @inline(never)
    private mutating func writeRun(_ run: UnsafeRawBufferPointer) {
        if run.count <= Self.longestStagedRun {
            UnsafeMutableRawBufferPointer(start: base + used, count: run.count).copyMemory(from: run)
            advance(run.count)
        } else {
            flush()
            sink.append(contentsOf: run)
        }
    }

    @inline(__always)
    mutating func writeLineBreak(_ indent: IndentUnit, level: Int) {
        base.storeBytes(of: UInt8(ascii: "\n"), toByteOffset: used, as: UInt8.self)
        // At most 256 levels of 8 bytes, and 63 that do not count: within the slack.
        let count = min(level, IndentUnit.deepestLevel) &* indent.width
        let block = SIMD16<UInt8>(repeating: indent.byte)
        base.storeBytes(of: block, toByteOffset: used &+ 1, as: SIMD16<UInt8>.self)
        if count > 16 { fill(from: used &+ 17, count: count &- 16, with: block) }
        advance(1 &+ count)
    }

    /// Writes whole blocks, so up to 63 bytes more than asked for.
    private func fill(from start: Int, count: Int, with block: SIMD16<UInt8>) {
        var written = 0
        while written < count {
            base.storeBytes(of: block, toByteOffset: start &+ written, as: SIMD16<UInt8>.self)
            base.storeBytes(of: block, toByteOffset: start &+ written &+ 16, as: SIMD16<UInt8>.self)
            base.storeBytes(of: block, toByteOffset: start &+ written &+ 32, as: SIMD16<UInt8>.self)
            base.storeBytes(of: block, toByteOffset: start &+ written &+ 48, as: SIMD16<UInt8>.self)
            written &+= 64
        }
    }

    @inline(__always)
    mutating func writePlain(_ input: UnsafeRawBufferPointer, from start: Int, stops: StringStops) -> Int {
        var index = start
        while index &+ 16 <= input.count {
            let block = input.loadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self)
            base.storeBytes(of: block, toByteOffset: used, as: SIMD2<UInt64>.self)
            let count = stops.plainCount(block)
            index &+= count
            if count < 16 {
                // The quote is in the block that has just been stored.
                advance(input[index] == UInt8(ascii: "\"") ? count &+ 1 : count)
                return index
            }
            advance(16)
        }
        while index < input.count, !stops.contains(input[index]) {
            write(input[index])
            index &+= 1
        }
        if index < input.count, input[index] == UInt8(ascii: "\"") { write(input[index]) }
        return index
    }

    /// Lets `body` write up to `count` bytes, at most ``slack``; it returns how many it has written.
    @inline(__always)
    mutating func write(upTo count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int) {
        assert(count <= Self.slack)
        advance(body((base + used).assumingMemoryBound(to: UInt8.self)))
    }

    /// Writes the bytes of `text` from `start` on to the first that must be escaped in a string, whose index it returns.
    @inline(__always)
    mutating func writeUnescaped(_ text: UnsafeRawBufferPointer, from start: Int, stops: StringStops) -> Int {
        var index = start
        while index &+ 16 <= text.count {
            let block = text.loadUnaligned(fromByteOffset: index, as: SIMD2<UInt64>.self)
            base.storeBytes(of: block, toByteOffset: used, as: SIMD2<UInt64>.self)
            let count = stops.unescapedCount(block)
            advance(count)
            index &+= count
            if count < 16 { return index }
        }
        // The rest mostly needs no escape; two overlapping words cover all of it.
        let rest = text.count &- index
        if rest >= 8 {
            let first = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let last = text.loadUnaligned(fromByteOffset: text.count &- 8, as: UInt64.self)
            if stops.isUnescaped(first), stops.isUnescaped(last) {
                base.storeBytes(of: first, toByteOffset: used, as: UInt64.self)
                base.storeBytes(of: last, toByteOffset: used &+ rest &- 8, as: UInt64.self)
                advance(rest)
                return text.count
            }
        } else if rest >= 4 {
            let first = text.loadUnaligned(fromByteOffset: index, as: UInt32.self)
            let last = text.loadUnaligned(fromByteOffset: text.count &- 4, as: UInt32.self)
            if stops.isUnescaped(UInt64(first) | UInt64(last) << 32) {
                base.storeBytes(of: first, toByteOffset: used, as: UInt32.self)
                base.storeBytes(of: last, toByteOffset: used &+ rest &- 4, as: UInt32.self)
                advance(rest)
                return text.count
            }
        }
        while index < text.count, !stops.mustEscape(text[index]) {
            write(text[index])
            index &+= 1
        }
        return index
    }

    /// Removes everything from `position` on.
    mutating func truncate(to position: Int) {
        if position >= sink.count {
            used = position &- sink.count
        } else {
            sink.removeLast(sink.count - position)
            used = 0
        }
    }

    /// Removes everything from `position` on, and returns it.
    mutating func cut(from position: Int) -> [UInt8] {
        flush()
        defer { truncate(to: position) }
        return Array(sink[position...])
    }

    /// The bytes written from `start` to `end`.
    mutating func written(from start: Int, to end: Int) -> ArraySlice<UInt8> {
        flush()
        return sink[start..<end]
    }

    @inline(__always)
    private mutating func advance(_ count: Int) {
        used &+= count
        if used > Self.limit { flush() }
    }

    @inline(never)
    private mutating func flush() {
        sink.append(contentsOf: UnsafeRawBufferPointer(start: base, count: used))
        used = 0
    }
}
