/// A receiver of the text that a scanner reads, in the order of the text.
///
/// Offsets count bytes from the start of the chunk. For the document `{"a": [1]}`, the scanner calls:
///
///     beginDocument, open {
///       beginItem, begin key, write…, end key, colon
///       open [
///         beginItem, begin number, write…, end number
///       close ]
///     close }, endDocument
///
/// A sink implements what it needs. Everything else does nothing by default.
protocol JSONSink: ~Copyable {
    /// A document starts at an offset, or a record separator that comes before a document.
    mutating func beginDocument(at offset: Int, isSeparator: Bool)
    mutating func endDocument()

    /// A key in an object or an element of an array follows.
    ///
    /// - Parameter depth: How many containers are open.
    mutating func beginItem(depth: Int)

    /// A bracket opens a container.
    ///
    /// - Parameter depth: How many containers are open around it.
    mutating func open(isObject: Bool, at offset: Int, depth: Int)

    /// A bracket closes a container.
    ///
    /// - Parameters:
    ///   - end: The offset after the bracket.
    ///   - depth: How many containers are open around it.
    mutating func close(isObject: Bool, isEmpty: Bool, end: Int, depth: Int)
    mutating func comma()
    mutating func colon()

    /// A token starts. Its bytes follow, including the quotes of a string.
    mutating func begin(_ token: JSONToken, at offset: Int)

    /// A token ends before an offset.
    ///
    /// - Parameter isPlain: For a string, whether it is ASCII without escapes. For a number, whether it has neither
    ///   fraction nor exponent.
    mutating func end(_ token: JSONToken, at offset: Int, isPlain: Bool)

    /// A token will not end, because the text is invalid.
    mutating func abandon(_ token: JSONToken)

    /// Writes a byte of a token.
    mutating func write(_ byte: UInt8)

    /// Writes bytes of a token.
    mutating func write(_ chunk: JSONChunk, range: Range<Int>)

    /// Writes a character of a string that is DEL or beyond ASCII.
    ///
    /// - Parameters:
    ///   - utf8: The character in UTF-8, its first byte lowest. Bytes beyond `count` may be anything.
    ///   - count: The number of bytes in UTF-8.
    mutating func write(_ scalar: UInt32, utf8: UInt32, count: Int)

    /// Writes the printable ASCII of a string, up to the first byte that needs a closer look: a quote, a backslash, a
    /// control character, or a character beyond ASCII (``StringStops``). A closing quote is written too.
    ///
    /// - Returns: The index of the byte that needs a closer look, or the end of the chunk.
    mutating func writePlain(_ chunk: JSONChunk, from start: Int) -> Int
}

// The defaults.
extension JSONSink where Self: ~Copyable {
    // Documents and items.
    @inline(__always) mutating func beginDocument(at offset: Int, isSeparator: Bool) {}
    @inline(__always) mutating func endDocument() {}
    @inline(__always) mutating func beginItem(depth: Int) {}

    // Punctuation.
    @inline(__always) mutating func open(isObject: Bool, at offset: Int, depth: Int) {}
    @inline(__always) mutating func close(isObject: Bool, isEmpty: Bool, end: Int, depth: Int) {}
    @inline(__always) mutating func comma() {}
    @inline(__always) mutating func colon() {}

    // Tokens.
    @inline(__always) mutating func begin(_ token: JSONToken, at offset: Int) {}
    @inline(__always) mutating func end(_ token: JSONToken, at offset: Int, isPlain: Bool) {}
    @inline(__always) mutating func abandon(_ token: JSONToken) {}

    // The text of tokens.
    @inline(__always) mutating func write(_ byte: UInt8) {}
    @inline(__always) mutating func write(_ chunk: JSONChunk, range: Range<Int>) {}
    @inline(__always) mutating func write(_ scalar: UInt32, utf8: UInt32, count: Int) {}

    /// Skips the printable ASCII of a string, for a sink that does not need the text of strings.
    ///
    /// - Returns: The index of the first byte that needs a closer look (``StringStops``), or the end of the chunk.
    @inline(__always)
    mutating func writePlain(_ chunk: JSONChunk, from start: Int) -> Int {
        var index = start
        while index &+ 16 <= chunk.count {
            let count = StringStops.plainCount(chunk.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self))
            index &+= count
            if count < 16 { return index }
        }
        while index < chunk.count, !StringStops.contains(chunk[index]) { index &+= 1 }
        return index
    }
}
