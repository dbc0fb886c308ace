/// What becomes of the text that a scanner reads. Offsets count bytes from the start of the input.
protocol JSONSink: ~Copyable {
    /// A document, or the record separator before it, starts at an offset.
    mutating func beginDocument(at offset: Int, isSeparator: Bool)
    mutating func endDocument()
    /// A key or an element follows, in a container at that depth.
    mutating func beginItem(depth: Int)
    /// A bracket opens a container inside as many as `depth` says.
    mutating func open(isObject: Bool, at offset: Int, depth: Int)
    /// A bracket closes a container inside as many as `depth` says.
    mutating func close(isObject: Bool, isEmpty: Bool, end: Int, depth: Int)
    mutating func comma()
    mutating func colon()

    /// A token starts. Its bytes follow, the quotes of a string included.
    mutating func begin(_ token: JSONToken, at offset: Int)
    /// A token ends.
    ///
    /// - Parameter isPlain: Of a string, whether it is ASCII without escapes; of a number, whether it has neither fraction nor exponent.
    mutating func end(_ token: JSONToken, at offset: Int, isPlain: Bool)
    /// A token will not end, because the text is invalid.
    mutating func abandon(_ token: JSONToken)

    /// A byte of a token.
    mutating func write(_ byte: UInt8)
    /// Bytes of a token.
    mutating func write(_ input: JSONChunk, _ range: Range<Int>)
    /// A character of a string: DEL or one beyond ASCII, in UTF-8 with its first byte lowest.
    mutating func write(_ scalar: UInt32, utf8: UInt32, count: Int)
    /// Bytes of a string from `start` on to the first one that stops, whose index is returned. If that is a quote, it is included.
    mutating func writePlain(_ input: JSONChunk, from start: Int) -> Int
}

// What a sink does not need.
extension JSONSink where Self: ~Copyable {
    @inline(__always) mutating func beginDocument(at offset: Int, isSeparator: Bool) {}
    @inline(__always) mutating func endDocument() {}
    @inline(__always) mutating func beginItem(depth: Int) {}
    @inline(__always) mutating func open(isObject: Bool, at offset: Int, depth: Int) {}
    @inline(__always) mutating func close(isObject: Bool, isEmpty: Bool, end: Int, depth: Int) {}
    @inline(__always) mutating func comma() {}
    @inline(__always) mutating func colon() {}
    @inline(__always) mutating func begin(_ token: JSONToken, at offset: Int) {}
    @inline(__always) mutating func end(_ token: JSONToken, at offset: Int, isPlain: Bool) {}
    @inline(__always) mutating func abandon(_ token: JSONToken) {}
    @inline(__always) mutating func write(_ byte: UInt8) {}
    @inline(__always) mutating func write(_ input: JSONChunk, _ range: Range<Int>) {}
    @inline(__always) mutating func write(_ scalar: UInt32, utf8: UInt32, count: Int) {}

    @inline(__always)
    mutating func writePlain(_ input: JSONChunk, from start: Int) -> Int {
        var index = start
        while index &+ 16 <= input.count {
            let count = StringStops.plainCount(input.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self))
            index &+= count
            if count < 16 { return index }
        }
        while index < input.count, !StringStops.contains(input[index]) { index &+= 1 }
        return index
    }
}

/// Drops everything: for text that is only checked.
struct NullSink: JSONSink {}
