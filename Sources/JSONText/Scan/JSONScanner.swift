/// Reads JSON text (RFC 8259, without extensions) that arrives in chunks, checks it, and reports to a sink what it reads.
///
/// How the text is divided into chunks changes neither reports nor errors. Memory does not grow with the input, except for one bit per level
/// of nesting. Several documents may follow each other, separated by a line feed or a record separator (0x1E, RFC 7464). A leading byte order
/// mark is skipped.
struct JSONScanner: Sendable {
    /// What may come next, or what is being read.
    enum Phase: UInt8 {
        /// A byte order mark, or as `ready`.
        case start
        /// A document, or the end of the input.
        case ready
        /// A line break or record separator, which lead to `ready`.
        case betweenDocuments
        /// After `[`: an element or `]`.
        case firstElement
        /// After a comma in an array.
        case element
        /// After `{`: a key or `}`.
        case firstKey
        /// After a comma in an object.
        case key
        /// After a key.
        case colon
        /// After a colon.
        case member
        /// After an element or member: a comma or the closing bracket.
        case afterValue
        /// Within `true`, `false` or `null`.
        case literal
        /// Within a string: plain text; after `\`; after `\u` and some digits; within a multi-byte sequence.
        case string, escape, unicodeEscape, sequence
        /// Within a number, named after what came last, in the order in which numbers are written.
        case minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits

        /// Whether a number may end here.
        @inline(__always)
        var canEndNumber: Bool { self == .integer || self == .fraction || self == .zero || self == .exponentDigits }
    }

    var phase = Phase.start
    var nesting = NestingStack()
    /// The scalar or key that is being read, if the phase is within one.
    var token = JSONToken.null
    /// Whether the string that is being read has been ASCII without escapes so far.
    var isPlain = true
    /// How many letters of a literal, digits of a `\u` escape or bytes of a multi-byte sequence have been read.
    var matched = 0
    /// The last of these digits, or all of these bytes, the first lowest.
    var held: UInt32 = 0
    /// Whether some `\u` escape is one of a surrogate.
    var hasSurrogateEscapes = false

    /// Bytes in earlier chunks.
    var consumed = 0
    var line = 1
    /// Where the line starts, moved by one for each byte of a character after its first: columns count characters.
    var lineStart = 0
    private var failure: JSONSyntaxError?
    private var hasDocument = false

    /// Reads the next chunk. Returns the error at the first byte that cannot belong to valid text, once everything before it has been
    /// reported; from then on always the same.
    mutating func read<Sink: JSONSink & ~Copyable>(
        _ input: UnsafeRawBufferPointer, _ sink: inout Sink
    ) -> JSONSyntaxError? {
        guard failure == nil, let start = input.baseAddress else { return failure }
        do throws(JSONSyntaxError) {
            try readTokens(JSONChunk(start: start, count: input.count), &sink)
        } catch {
            fail(error, &sink)
        }
        consumed &+= input.count
        return failure
    }

    /// Ends the input. Returns an error if a document is incomplete, or if there was none.
    mutating func finish<Sink: JSONSink & ~Copyable>(_ sink: inout Sink) -> JSONSyntaxError? {
        guard failure == nil else { return failure }
        if phase.canEndNumber { end(.number, at: 0, isPlain: phase.rawValue <= Phase.integer.rawValue, &sink) }
        switch phase {
        case .betweenDocuments: break
        case .ready where hasDocument: break
        case .sequence:
            lineStart &+= matched &- 1
            fail(unexpectedEnd(), &sink)
        default: fail(unexpectedEnd(), &sink)
        }
        return failure
    }

    private mutating func fail<Sink: JSONSink & ~Copyable>(_ error: JSONSyntaxError, _ sink: inout Sink) {
        failure = error
        if phase.rawValue >= Phase.literal.rawValue { sink.abandon(token) }
    }

    /// Notes that a value has ended.
    @inline(__always)
    mutating func endValue<Sink: JSONSink & ~Copyable>(_ sink: inout Sink) {
        if nesting.depth == 0 {
            hasDocument = true
            phase = .betweenDocuments
            sink.endDocument()
        } else {
            phase = .afterValue
        }
    }
}

/// A chunk of text. Unlike a buffer it always has a start, so that its count needs no check.
struct JSONChunk {
    let start: UnsafeRawPointer
    let count: Int

    @inline(__always)
    subscript(index: Int) -> UInt8 {
        assert(0..<count ~= index)
        return start.load(fromByteOffset: index, as: UInt8.self)
    }

    @inline(__always)
    func loadUnaligned<Word: BitwiseCopyable>(fromByteOffset index: Int, as type: Word.Type) -> Word {
        assert(index >= 0 && index + MemoryLayout<Word>.size <= count)
        return start.loadUnaligned(fromByteOffset: index, as: type)
    }
}

/// A scalar or key. The raw value of one that always starts with the same byte is that byte.
enum JSONToken: UInt8, Sendable {
    case key, number
    case string = 0x22
    case `true` = 0x74
    case `false` = 0x66
    case null = 0x6E
}

/// The open arrays and objects, one bit each, so that a million levels take 125 kB.
///
///     [{[      depth 3, current 0b010: the innermost is the lowest bit; 1 is an object
struct NestingStack: Sendable {
    private(set) var depth = 0
    /// The innermost 1 to 64 levels.
    private var current: UInt64 = 0
    /// Outer levels, 64 to a word.
    private var outer: [UInt64] = []

    /// Whether the innermost open container is an object. False if none is open.
    var isInObject: Bool { current & 1 == 1 }

    @inline(__always)
    mutating func push(isObject: Bool) {
        if depth & 63 == 0, depth > 0 { setAside() }
        current = current << 1 | (isObject ? 1 : 0)
        depth &+= 1
    }

    /// Closes the innermost container; there must be one.
    @inline(__always)
    mutating func pop() {
        depth &-= 1
        current >>= 1
        if depth & 63 == 0 { takeBack() }
    }

    @inline(never)
    private mutating func setAside() {
        outer.append(current)
        current = 0
    }

    @inline(never)
    private mutating func takeBack() {
        if let last = outer.popLast() { current = last }
    }
}

// Errors: where the text is wrong and what was expected there.
extension JSONScanner {
    /// The error for the byte at `index`, which does not fit the phase.
    @inline(never)
    func unexpected(_ input: JSONChunk, at index: Int) -> JSONSyntaxError {
        error(at: consumed &+ index, found: JSONSyntaxError.name(of: input[index]))
    }

    /// The error for a multi-byte sequence that is not UTF-8; it points to the first byte of the sequence.
    @inline(never)
    func brokenSequence(at offset: Int, lead: UInt8) -> JSONSyntaxError {
        error(at: offset, expecting: "valid UTF-8", found: JSONSyntaxError.name(of: lead))
    }

    /// The error for bytes that start like a byte order mark but are not one.
    func brokenByteOrderMark() -> JSONSyntaxError {
        error(at: 0, found: JSONSyntaxError.name(of: 0xEF))
    }

    /// The error for input that ends too early, at its end.
    private func unexpectedEnd() -> JSONSyntaxError {
        if phase == .start, consumed > 0 { return brokenByteOrderMark() }
        return error(at: consumed, found: "end of input")
    }

    private func error(at offset: Int, expecting expected: String? = nil, found: String) -> JSONSyntaxError {
        JSONSyntaxError(
            offset: offset, line: line, column: offset &- lineStart &+ 1, expected: expected ?? self.expected,
            found: found)
    }

    private var expected: String {
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
