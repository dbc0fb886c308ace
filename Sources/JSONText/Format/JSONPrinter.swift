/// Prints what a scanner reads.
struct JSONPrinter: JSONSink, ~Copyable {
    /// Levels beyond this one are not indented further, so that hostile nesting cannot multiply the output.
    static let deepestLevel = 256
    static let widestIndent = 8

    private let isPretty: Bool
    /// The indentation per level: the same byte, repeated.
    private let indent: (byte: UInt8, width: Int)
    private let escapesControls: Bool
    private let isColored: Bool
    /// What has been printed.
    var out: StagedWriter

    /// Takes the array over, so that appending to it never copies it; ``finish(into:)`` gives it back.
    init(_ style: JSONStyle, isColored: Bool, escapesControls: Bool, taking output: inout [UInt8]) {
        isPretty = style != .compact
        indent =
            switch style {
            case .pretty(.spaces(let count)): (UInt8(ascii: " "), max(0, min(count, Self.widestIndent)))
            case .pretty(.tab): (UInt8(ascii: "\t"), 1)
            case .compact, .none: (0, 0)
            }
        (self.isColored, self.escapesControls) = (isColored, escapesControls)
        out = StagedWriter(taking: &output)
    }

    consuming func finish(into output: inout [UInt8]) { out.finish(into: &output) }

    mutating func endDocument() { out.write(UInt8(ascii: "\n")) }

    @inline(__always)
    mutating func beginItem(depth: Int) {
        if isPretty { startLine(depth: depth) }
    }

    @inline(__always)
    mutating func open(isObject: Bool, at offset: Int, depth: Int) {
        out.write(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    }

    @inline(__always)
    mutating func close(isObject: Bool, isEmpty: Bool, end: Int, depth: Int) {
        if isPretty, !isEmpty { startLine(depth: depth) }
        out.write(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    @inline(__always)
    mutating func comma() { out.write(UInt8(ascii: ",")) }

    @inline(__always)
    mutating func colon() {
        let count = isPretty ? 2 : 1
        out.write(UInt64(UInt8(ascii: ":")) | UInt64(UInt8(ascii: " ")) << 8, count: count)
    }

    @inline(__always)
    mutating func begin(_ token: JSONToken, at offset: Int) {
        guard isColored else { return }
        let sequence = JSONPalette.sequence(before: token)
        out.write(sequence.word, count: sequence.count)
    }

    @inline(__always)
    mutating func end(_ token: JSONToken, at offset: Int, isPlain: Bool) { abandon(token) }

    @inline(__always)
    mutating func abandon(_ token: JSONToken) {
        if isColored { out.write(JSONPalette.reset, count: 4) }
    }

    @inline(__always)
    mutating func write(_ byte: UInt8) { out.write(byte) }

    @inline(__always)
    mutating func write(_ input: JSONChunk, _ range: Range<Int>) { out.write(input, range) }

    /// Writes a whole token.
    @inline(__always)
    mutating func write(_ input: UnsafeRawBufferPointer, _ range: Range<Int>, of token: JSONToken) {
        guard let start = input.baseAddress else { return }
        if escapesControls, token == .key || token == .string {
            // A line break or tab in a token is an escape already.
            for byte in TerminalText.escaped(String(decoding: input[range], as: UTF8.self)).utf8 { out.write(byte) }
        } else {
            out.write(JSONChunk(start: start, count: input.count), range)
        }
    }

    @inline(__always)
    mutating func write(_ scalar: UInt32, utf8: UInt32, count: Int) {
        if escapesControls, TerminalText.isHazard(scalar) {
            for byte in Hexadecimal.escape(scalar) { out.write(byte) }
        } else {
            out.write(UInt64(utf8), count: count)
        }
    }

    @inline(__always)
    mutating func writePlain(_ input: JSONChunk, from start: Int) -> Int {
        out.writePlain(input, from: start)
    }

    @inline(__always)
    private mutating func startLine(depth: Int) {
        out.writeLineBreak(indent: indent.byte, count: min(depth, Self.deepestLevel) &* indent.width)
    }
}

/// Collects bytes in a small block of memory and appends them to an array block by block.
///
///     base                      limit            limit + slack
///     |---- used ----|             |                  |
///
/// Between calls `used` is at most `limit`. Every call may write up to `slack` bytes beyond `used` without asking,
/// whole words at a time even if fewer bytes count, and looks at the limit afterwards. An array cannot be
/// written past its count, which is why there is a block at all; copying it once more costs next to nothing.
struct StagedWriter: ~Copyable {
    private static let limit = 16 * 1024
    private static let slack = 4 * 1024
    /// Longer runs go straight to the array.
    private static let maxStagedRun = 1024

    private let base = UnsafeMutableRawPointer.allocate(byteCount: limit + slack, alignment: 16)
    private var used = 0
    private var sink: [UInt8] = []

    init(taking output: inout [UInt8]) { swap(&sink, &output) }

    deinit { base.deallocate() }

    /// Gives the array back with the rest appended.
    consuming func finish(into output: inout [UInt8]) {
        flush()
        swap(&sink, &output)
    }

    /// How many bytes have been collected, without those in the block.
    var count: Int { sink.count }

    /// Passes on all that has been collected.
    mutating func drain(_ write: ([UInt8]) throws -> Void) rethrows {
        flush()
        try write(sink)
        sink.removeAll(keepingCapacity: true)
    }

    @inline(__always)
    mutating func write(_ byte: UInt8) {
        base.storeBytes(of: byte, toByteOffset: used, as: UInt8.self)
        advance(1)
    }

    /// Writes the lowest `count` bytes of `word`, the lowest first; at most 8.
    @inline(__always)
    mutating func write(_ word: UInt64, count: Int) {
        base.storeBytes(of: word.littleEndian, toByteOffset: used, as: UInt64.self)
        advance(count)
    }

    /// Writes `input[range]`.
    @inline(__always)
    mutating func write(_ input: JSONChunk, _ range: Range<Int>) {
        if range.count <= 16, range.lowerBound &+ 16 <= input.count {
            let bytes = input.loadUnaligned(fromByteOffset: range.lowerBound, as: SIMD16<UInt8>.self)
            base.storeBytes(of: bytes, toByteOffset: used, as: SIMD16<UInt8>.self)
            advance(range.count)
        } else if range.count <= 64, range.lowerBound &+ 64 <= input.count {
            let bytes = input.loadUnaligned(fromByteOffset: range.lowerBound, as: SIMD64<UInt8>.self)
            base.storeBytes(of: bytes, toByteOffset: used, as: SIMD64<UInt8>.self)
            advance(range.count)
        } else {
            writeRun(UnsafeRawBufferPointer(start: input.start + range.lowerBound, count: range.count))
        }
    }

    @inline(never)
    private mutating func writeRun(_ run: UnsafeRawBufferPointer) {
        if run.count <= Self.maxStagedRun {
            UnsafeMutableRawBufferPointer(start: base + used, count: run.count).copyMemory(from: run)
            advance(run.count)
        } else {
            flush()
            sink.append(contentsOf: run)
        }
    }

    /// Writes a line break and `count` times `indent`.
    @inline(__always)
    mutating func writeLineBreak(indent: UInt8, count: Int) {
        base.storeBytes(of: UInt8(ascii: "\n"), toByteOffset: used, as: UInt8.self)
        // At most 256 levels of 8 bytes, and 15 that do not count: within the slack.
        let block = SIMD16<UInt8>(repeating: indent)
        base.storeBytes(of: block, toByteOffset: used &+ 1, as: SIMD16<UInt8>.self)
        if count > 16 { fill(from: used &+ 17, to: used &+ 1 &+ count, with: block) }
        advance(1 &+ count)
    }

    @inline(never)
    private func fill(from start: Int, to end: Int, with block: SIMD16<UInt8>) {
        for offset in stride(from: start, to: end, by: 16) {
            base.storeBytes(of: block, toByteOffset: offset, as: SIMD16<UInt8>.self)
        }
    }

    /// Writes the bytes of a string up to the first that stops, as ``JSONSink/writePlain(_:from:)`` says.
    @inline(__always)
    mutating func writePlain(_ input: JSONChunk, from start: Int) -> Int {
        var index = start
        while index &+ 16 <= input.count {
            let block = input.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self)
            base.storeBytes(of: block, toByteOffset: used, as: SIMD16<UInt8>.self)
            let count = StringStops.plainCount(block)
            index &+= count
            if count < 16 {
                // The quote is in the block that has just been stored.
                advance(input[index] == UInt8(ascii: "\"") ? count &+ 1 : count)
                return index
            }
            advance(16)
        }
        while index < input.count, !StringStops.contains(input[index]) {
            write(input[index])
            index &+= 1
        }
        if index < input.count, input[index] == UInt8(ascii: "\"") { write(input[index]) }
        return index
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
