/// Appends bytes to an array, faster than the array itself: they are collected in a block of memory, and copied to the
/// array when the block is full.
///
///     stagingBlock              flushLimit       flushLimit + slack
///     |-- stagedCount --|          |                  |
///
/// Between calls `stagedCount` is at most `flushLimit`. So every call may write up to `slack` bytes from there on,
/// without asking whether there is room, in whole words of which only the first bytes count. Afterwards it checks the
/// limit. An array would need a check for each byte.
struct StagedWriter: ~Copyable {
    /// A block fits the processor's first-level cache.
    private static let flushLimit = 16 * 1024
    /// More than the longest write in one call: a line break with an indentation of 256 levels of 8 bytes, and the 15
    /// bytes by which it is rounded up.
    private static let slack = 4 * 1024
    /// Longer runs are appended to the array directly.
    private static let maxStagedRun = 1024

    /// The block of memory.
    private let stagingBlock = UnsafeMutableRawPointer.allocate(byteCount: flushLimit + slack, alignment: 16)
    /// The number of bytes in the block.
    private var stagedCount = 0
    /// The array to which full blocks are appended.
    private var flushedBytes: [UInt8] = []

    /// Makes a writer that appends to `output`, which is empty until ``finish(into:)`` gives it back.
    init(taking output: inout [UInt8]) { swap(&flushedBytes, &output) }

    deinit { stagingBlock.deallocate() }

    /// Gives the array back with all that has been written.
    consuming func finish(into output: inout [UInt8]) {
        flush()
        swap(&flushedBytes, &output)
    }

    /// How many bytes are in the array, without those in the block.
    var count: Int { flushedBytes.count }

    /// Passes all that has been written so far to a closure, and removes it from the array.
    mutating func drain(_ write: ([UInt8]) throws -> Void) rethrows {
        flush()
        try write(flushedBytes)
        flushedBytes.removeAll(keepingCapacity: true)
    }

    /// Writes one byte.
    @inline(__always)
    mutating func write(_ byte: UInt8) {
        stagingBlock.storeBytes(of: byte, toByteOffset: stagedCount, as: UInt8.self)
        advance(1)
    }

    /// Writes the lowest `count` bytes of `word`, the lowest first. There are at most eight.
    @inline(__always)
    mutating func write(_ word: UInt64, count: Int) {
        stagingBlock.storeBytes(of: word.littleEndian, toByteOffset: stagedCount, as: UInt64.self)
        advance(count)
    }

    /// Writes the bytes of a range of `chunk`.
    ///
    /// A short range is copied as 16 or 64 bytes at once, if the input has that many: the bytes after the range do not
    /// count, and the next call overwrites them. The block always has room for one write.
    @inline(__always)
    mutating func write(_ chunk: JSONChunk, range: Range<Int>) {
        if range.count <= 16, range.lowerBound &+ 16 <= chunk.count {
            let bytes = chunk.loadUnaligned(fromByteOffset: range.lowerBound, as: SIMD16<UInt8>.self)
            stagingBlock.storeBytes(of: bytes, toByteOffset: stagedCount, as: SIMD16<UInt8>.self)
            advance(range.count)
        } else if range.count <= 64, range.lowerBound &+ 64 <= chunk.count {
            let bytes = chunk.loadUnaligned(fromByteOffset: range.lowerBound, as: SIMD64<UInt8>.self)
            stagingBlock.storeBytes(of: bytes, toByteOffset: stagedCount, as: SIMD64<UInt8>.self)
            advance(range.count)
        } else {
            writeRun(UnsafeRawBufferPointer(start: chunk.start + range.lowerBound, count: range.count))
        }
    }

    /// Writes any number of bytes: few of them to the block, many directly to the array, after what the block holds.
    @inline(never)
    private mutating func writeRun(_ bytes: UnsafeRawBufferPointer) {
        if bytes.count <= Self.maxStagedRun {
            UnsafeMutableRawBufferPointer(start: stagingBlock + stagedCount, count: bytes.count).copyMemory(from: bytes)
            advance(bytes.count)
        } else {
            flush()
            flushedBytes.append(contentsOf: bytes)
        }
    }

    /// Writes a line break and the indentation of the next line, such as four spaces for two levels of two.
    ///
    /// - Parameters:
    ///   - indent: A space or a tab.
    ///   - count: The number of spaces or tabs.
    @inline(__always)
    mutating func writeLineBreak(indent: UInt8, count: Int) {
        stagingBlock.storeBytes(of: UInt8(ascii: "\n"), toByteOffset: stagedCount, as: UInt8.self)
        // Sixteen bytes of indentation are stored at once, even if fewer are needed: the next write overwrites the
        // rest.
        let sixteenIndents = SIMD16<UInt8>(repeating: indent)
        stagingBlock.storeBytes(of: sixteenIndents, toByteOffset: stagedCount &+ 1, as: SIMD16<UInt8>.self)
        if count > 16 { fill(from: stagedCount &+ 17, to: stagedCount &+ 1 &+ count, with: sixteenIndents) }
        advance(1 &+ count)
    }

    /// Fills the block of memory from one offset to another with copies of 16 bytes. The last copy may go up to 15
    /// bytes beyond `end`, for which the block has room.
    @inline(never)
    private func fill(from start: Int, to end: Int, with pattern: SIMD16<UInt8>) {
        for offset in stride(from: start, to: end, by: 16) {
            stagingBlock.storeBytes(of: pattern, toByteOffset: offset, as: SIMD16<UInt8>.self)
        }
    }

    /// Writes the printable ASCII of a string, up to the first byte that needs a closer look: a quote, a backslash, a
    /// control character, or a character beyond ASCII (``StringStops``). A closing quote is written too.
    ///
    /// - Parameters:
    ///   - chunk: The chunk of text that has the string.
    ///   - start: The index in the chunk at which to start.
    /// - Returns: The index of the byte that needs a closer look, or the end of the chunk.
    @inline(__always)
    mutating func writePlain(_ chunk: JSONChunk, from start: Int) -> Int {
        var index = start
        // 16 bytes are stored at once, before it is known how many of them count.
        while index &+ 16 <= chunk.count {
            let block = chunk.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            stagingBlock.storeBytes(of: block, toByteOffset: stagedCount, as: SIMD16<UInt8>.self)
            let plainCount = StringStops.plainCount(block)
            index &+= plainCount
            if plainCount < 16 {
                // If the next byte is the closing quote, it has been stored with the block.
                advance(chunk[index] == UInt8(ascii: "\"") ? plainCount &+ 1 : plainCount)
                return index
            }
            advance(16)
        }
        while index < chunk.count, !StringStops.contains(chunk[index]) {
            write(chunk[index])
            index &+= 1
        }
        if index < chunk.count, chunk[index] == UInt8(ascii: "\"") { write(chunk[index]) }
        return index
    }

    /// Counts bytes that have been stored in the block, and appends the block to the array if it is full.
    @inline(__always)
    private mutating func advance(_ count: Int) {
        stagedCount &+= count
        if stagedCount > Self.flushLimit { flush() }
    }

    /// Appends the block to the array, and starts the block anew.
    @inline(never)
    private mutating func flush() {
        flushedBytes.append(contentsOf: UnsafeRawBufferPointer(start: stagingBlock, count: stagedCount))
        stagedCount = 0
    }
}
