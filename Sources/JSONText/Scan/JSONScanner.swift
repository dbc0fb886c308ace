/// Reads JSON text (RFC 8259, without extensions) that arrives in chunks, checks it, and reports to a sink what it
/// reads.
///
/// The division of the text into chunks changes neither reports nor errors. Memory does not grow with the input, except
/// for one bit per level of nesting. Several documents may follow each other, separated by a line feed or a record
/// separator (0x1E, RFC 7464). A leading byte order mark is skipped.
///
/// The scanner is a state machine. Its state between two chunks is the ``Phase``, the open containers and the part of a
/// token that has been read. Each function named `read…` starts at an index of the chunk, and returns the index of the
/// first byte that it has not read, or moves an `inout` index there. If the chunk ends earlier, it sets the phase that
/// says where to read on, and a function named `resume…` does that in the next chunk.
struct JSONScanner: Sendable {
    /// The state of the scanner: what may come next, or which token is being read.
    ///
    /// Between tokens, the phases follow each other like this:
    ///
    ///     start → ready → (a value) → betweenDocuments → ready …
    ///     [ → firstElement → (a value) → afterValue → , → element → (a value) → afterValue … ]
    ///     { → firstKey → (a key) → colon → : → member → (a value) → afterValue → , → key → (a key) … }
    ///
    /// The phases from `literal` on are those within a token.
    enum Phase: UInt8 {
        /// A byte order mark may come, or anything as in `ready`.
        case start
        /// A document may start or the input end.
        case ready
        /// A line feed or record separator must come, which lead to `ready`, or the input ends.
        case betweenDocuments
        /// After `[`: an element or `]`.
        case firstElement
        /// After a comma in an array: an element.
        case element
        /// After `{`: a key or `}`.
        case firstKey
        /// After a comma in an object: a key.
        case key
        /// After a key: a colon.
        case colon
        /// After a colon: the value of a member.
        case member
        /// After an element or member: a comma or the closing bracket.
        case afterValue
        /// Within `true`, `false` or `null`.
        case literal
        /// Within a string, between characters.
        case string
        /// Within a string, after a backslash.
        case escape
        /// Within a string, after `\u` and up to three digits.
        case unicodeEscape
        /// Within a string, in the middle of a character of several bytes.
        case sequence
        /// Within a number: see ``NumberSyntax``.
        case minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits

        /// Whether a token is being read.
        var isInToken: Bool { rawValue >= Phase.literal.rawValue }

        /// Whether a number may end here.
        @inline(__always)
        var canEndNumber: Bool { self == .integer || self == .fraction || self == .zero || self == .exponentDigits }

        /// Whether the number that is being read has neither a fraction nor an exponent so far.
        @inline(__always)
        var isWholeNumber: Bool { self == .minus || self == .zero || self == .integer }
    }

    var phase = Phase.start
    var nesting = NestingStack()
    /// The scalar or key that is being read, if the phase is within one.
    var token = JSONToken.null
    /// Whether the string that is being read has been ASCII without escapes so far.
    var isPlain = true
    /// How many letters of an incomplete literal, digits of a `\u` escape or bytes of a character have been read.
    var pendingCount = 0
    /// The last digit of an incomplete escape, or all bytes of an incomplete character, the first one lowest.
    var pendingBytes: UInt32 = 0
    /// Whether some `\u` escape stands for a surrogate.
    var hasSurrogateEscapes = false

    /// The number of bytes in earlier chunks.
    var consumedBytes = 0
    var line = 1
    /// The offset at which the line starts, plus one for each byte of a character after its first. So the distance to
    /// it counts characters.
    var lineStart = 0
    private var failure: JSONSyntaxError?
    private var hasDocument = false

    /// Reads the next chunk of the text, and reports its tokens to a sink.
    ///
    /// - Parameters:
    ///   - chunk: The chunk. It may end anywhere, even within a character.
    ///   - sink: Receives what was read.
    /// - Returns: The error at the first byte that cannot belong to valid JSON, or nil if there is none. After an error
    ///   every call returns the same error and reads nothing.
    mutating func read(
        _ chunk: UnsafeRawBufferPointer, sink: inout some JSONSink & ~Copyable
    ) -> JSONSyntaxError? {
        // An empty chunk may have no address. Then there is nothing to read.
        guard failure == nil, let start = chunk.baseAddress else { return failure }
        do throws(JSONSyntaxError) {
            try readTokens(JSONChunk(start: start, count: chunk.count), sink: &sink)
        } catch {
            fail(error, sink: &sink)
        }
        consumedBytes &+= chunk.count
        return failure
    }

    /// Ends the input, after its last chunk, and checks that it may end there.
    ///
    /// - Parameter sink: Receives the end of the last token, if only the end of the input tells it.
    /// - Returns: An error if a document is incomplete, or if the text has no document.
    mutating func finish(sink: inout some JSONSink & ~Copyable) -> JSONSyntaxError? {
        guard failure == nil else { return failure }
        // A number has no closing character: as a document of its own, it ends with the input, which is where the next
        // chunk would start.
        let startOfNextChunk = 0
        if phase.canEndNumber {
            endToken(.number, at: startOfNextChunk, isPlain: phase.isWholeNumber, sink: &sink)
        }
        switch phase {
        case .betweenDocuments:
            break
        case .ready where hasDocument:
            // A line feed or a record separator may follow the last document.
            break
        case .sequence:
            // The error points after the incomplete character, whose bytes count as one column.
            lineStart &+= pendingCount &- 1
            fail(unexpectedEndError(), sink: &sink)
        default:
            fail(unexpectedEndError(), sink: &sink)
        }
        return failure
    }

    /// Keeps an error for all later calls. If a token is being read, the sink is notified that it will not end.
    private mutating func fail(_ error: JSONSyntaxError, sink: inout some JSONSink & ~Copyable) {
        failure = error
        if phase.isInToken { sink.abandon(token) }
    }

    // MARK: Ends of tokens and values

    /// Reports the end of a scalar or key, and sets the phase that follows: a colon after a key.
    ///
    /// - Parameters:
    ///   - token: The kind of scalar, or `key`.
    ///   - index: The index after its last byte in the chunk.
    ///   - isPlain: For a string, whether it is ASCII without escapes. For a number, whether it has neither a fraction
    ///     nor an exponent.
    ///   - sink: Receives the report.
    @inline(__always)
    mutating func endToken(
        _ token: JSONToken, at index: Int, isPlain: Bool, sink: inout some JSONSink & ~Copyable
    ) {
        sink.end(token, at: consumedBytes &+ index, isPlain: isPlain)
        if token == .key {
            phase = .colon
        } else {
            endValue(sink: &sink)
        }
    }

    /// Sets the phase after a value. If the value was the whole document, the sink is notified of the document's end.
    @inline(__always)
    mutating func endValue(sink: inout some JSONSink & ~Copyable) {
        if nesting.depth == 0 {
            hasDocument = true
            phase = .betweenDocuments
            sink.endDocument()
        } else {
            phase = .afterValue
        }
    }

    // MARK: Searching

    /// Returns the index of the first byte that is not to be skipped, comparing eight bytes at a time.
    ///
    /// To skip spaces, for example, the closure returns `word ^ 0x2020_2020_2020_2020`: this leaves 0 of each space,
    /// and some bit of any other byte.
    ///
    /// - Parameters:
    ///   - chunk: The chunk of text.
    ///   - start: The index at which to start.
    ///   - markStops: Receives eight bytes as one word, the first one lowest, and returns a word that has a bit set in
    ///     each byte that is not to be skipped. Only the lowest bit that is set counts, so later bytes may be marked
    ///     wrongly.
    /// - Returns: The index of the first byte that is not to be skipped, or the end of the chunk.
    @inline(__always)
    static func skip(_ chunk: JSONChunk, from start: Int, markStops: (UInt64) -> UInt64) -> Int {
        var index = start
        while index &+ 8 <= chunk.count {
            let word = UInt64(littleEndian: chunk.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            let stopBits = markStops(word)
            if stopBits != 0 {
                let bytesBeforeStop = stopBits.trailingZeroBitCount >> 3
                return index &+ bytesBeforeStop
            }
            index &+= 8
        }
        // The last bytes are fewer than a word. Each is marked alone, as the lowest byte of a word.
        while index < chunk.count, markStops(UInt64(chunk[index])) & 0xFF == 0 { index &+= 1 }
        return index
    }
}

// MARK: - Errors

extension JSONScanner {
    /// Returns the error for a byte that the phase does not allow: `expected ':', found '}'`.
    @inline(never)
    func unexpectedByteError(_ chunk: JSONChunk, at index: Int) -> JSONSyntaxError {
        error(at: consumedBytes &+ index, found: JSONSyntaxError.name(of: chunk[index]))
    }

    /// Returns the error for bytes that are not UTF-8.
    ///
    /// - Parameters:
    ///   - offset: The offset of the first of these bytes in the input. The error points to it.
    ///   - lead: The first of these bytes.
    @inline(never)
    func invalidUTF8Error(at offset: Int, lead: UInt8) -> JSONSyntaxError {
        error(at: offset, expecting: "valid UTF-8", found: JSONSyntaxError.name(of: lead))
    }

    /// Returns the error for a text that starts like a byte order mark (EF BB BF), but does not go on like one.
    func brokenByteOrderMarkError() -> JSONSyntaxError {
        error(at: 0, found: JSONSyntaxError.name(of: 0xEF))
    }

    /// Returns the error for input that ends too early. It points to the end of the input.
    private func unexpectedEndError() -> JSONSyntaxError {
        if phase == .start, consumedBytes > 0 { return brokenByteOrderMarkError() }
        return error(at: consumedBytes, found: "end of input")
    }

    /// Returns an error at an offset of the current line.
    ///
    /// - Parameters:
    ///   - offset: The offset of the error in the input.
    ///   - expected: The syntax that was expected there. Unless given, it is what the phase allows.
    ///   - found: The text that was found there.
    private func error(at offset: Int, expecting expected: String? = nil, found: String) -> JSONSyntaxError {
        JSONSyntaxError(
            offset: offset, line: line, column: offset &- lineStart &+ 1, expected: expected ?? expectedInPhase,
            found: found)
    }

    /// The syntax that the phase allows next, in the words of an error message.
    private var expectedInPhase: String {
        switch phase {
        case .start, .ready, .element, .member: "a value"
        case .betweenDocuments: "a line break or the end of input"
        case .firstElement: "a value or ']'"
        case .firstKey: "a key in quotes or '}'"
        case .key: "a key in quotes"
        case .colon: "':'"
        case .afterValue: nesting.isInObject ? "',' or '}'" : "',' or ']'"
        case .literal: "'\(token)'"
        case .sequence: "the rest of a UTF-8 character"
        case .string: "a character, an escape or the closing '\"'"
        case .escape: "one of '\"', '\\', '/', 'b', 'f', 'n', 'r', 't', 'u'"
        case .unicodeEscape: "a hexadecimal digit"
        case .minus, .point, .exponentSign: "a digit"
        case .exponent: "a digit, '+' or '-'"
        case .zero: "no digit after a leading zero"
        case .integer, .fraction, .exponentDigits: "a digit or the end of the number"
        }
    }
}
