/// Validates JSON text (RFC 8259, without extensions) and reformats it while it streams in.
///
///     var formatter = JSONFormatter(style: .pretty(indent: .spaces(2)))
///     var output: [UInt8] = []
///     for chunk in chunks {
///         try formatter.feed(chunk, into: &output)
///         write(output)
///         output.removeAll(keepingCapacity: true)
///     }
///     try formatter.finish(into: &output)
///
/// Number text, string escapes, key order and duplicate keys are preserved. How the input is divided into chunks
/// changes neither output nor errors. Memory does not grow with the input, except for one bit per level of nesting.
///
/// Several documents may follow each other, separated by a line feed or a record separator (0x1E, RFC 7464); each is
/// printed with a line feed at its end. A leading byte order mark is skipped.
package struct JSONFormatter: Sendable {
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
        /// Within a number, named after what came last.
        case minus, zero, integer, point, fraction, exponent, exponentSign, exponentDigits
    }

    let pretty: Bool
    let prints: Bool
    let indent: IndentUnit
    let colours: SGRSequences
    let hasColours: Bool
    let escapesControls: Bool
    let stops: StringStops

    var phase = Phase.start
    var nesting = NestingStack()
    var hasDocument = false
    /// Whether the string being read is a key.
    var isKey = false
    var literal = Literal.null
    /// How many characters of the literal, or digits of the `\u` escape, have been read.
    var matched = 0
    /// The bytes so far of a multi-byte sequence that the last chunk ended in, the first in the lowest byte.
    var held: UInt32 = 0
    var heldCount = 0
    /// Whether a colour is switched on.
    var owesReset = false

    /// Bytes in earlier chunks.
    var consumed = 0
    var line = 1
    var lineStart = 0
    /// Continuation bytes of multi-byte sequences: offsets count them, columns do not.
    var continuations = 0
    var continuationsBeforeLine = 0
    var failure: JSONSyntaxError?

    /// A formatter for one stream.
    ///
    /// - Parameters:
    ///   - palette: Colours for a terminal; nil for none.
    ///   - escapesControls: Whether DEL, C1 and bidi controls within strings are written as `\u` escapes, as output for
    ///     a terminal should be. The text then differs from what came in but means the same.
    package init(style: JSONStyle, palette: JSONPalette? = nil, escapesControls: Bool = false) {
        switch style {
        case .pretty(let indent):
            (pretty, prints, self.indent) = (true, true, IndentUnit(indent))
        case .compact:
            (pretty, prints, indent) = (false, true, IndentUnit(.spaces(0)))
        case .none:
            (pretty, prints, indent) = (false, false, IndentUnit(.spaces(0)))
        }
        hasColours = prints && palette != nil
        colours = SGRSequences(palette)
        self.escapesControls = escapesControls && prints
        stops = StringStops(stopsAtDelete: escapesControls && prints)
    }

    /// Reads the next chunk and appends to `output` what can be printed so far.
    ///
    /// Throws at the first byte that cannot belong to valid text, after appending everything before it. From
    /// then on every call throws the same error.
    package mutating func feed(
        _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) throws(JSONSyntaxError) {
        if let error = consume(bytes, into: &output) { throw error }
    }

    /// Reads the next piece, as the form for a raw buffer does.
    package mutating func feed(_ bytes: [UInt8], into output: inout [UInt8]) throws(JSONSyntaxError) {
        if let error = bytes.withUnsafeBytes({ consume($0, into: &output) }) { throw error }
    }

    /// Reads the next piece, as the form for a raw buffer does.
    package mutating func feed(_ bytes: ArraySlice<UInt8>, into output: inout [UInt8]) throws(JSONSyntaxError) {
        if let error = bytes.withUnsafeBytes({ consume($0, into: &output) }) { throw error }
    }

    /// Ends the input, and appends the rest of the output.
    ///
    /// Throws if a document is incomplete, or if there was none. Nothing may be fed afterwards.
    package mutating func finish(into output: inout [UInt8]) throws(JSONSyntaxError) {
        if failure == nil {
            if prints {
                var writer = StagedWriter(taking: &output)
                end(&writer)
                writer.finish(into: &output)
            } else {
                var writer = NullWriter()
                end(&writer)
            }
        }
        if let failure { throw failure }
    }

    private mutating func consume(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) -> JSONSyntaxError? {
        guard failure == nil, !bytes.isEmpty else { return failure }
        if prints {
            var writer = StagedWriter(taking: &output)
            read(bytes, &writer)
            writer.finish(into: &output)
        } else {
            var writer = NullWriter()
            read(bytes, &writer)
        }
        return failure
    }

    private mutating func read(_ bytes: UnsafeRawBufferPointer, _ out: inout some ByteWriter) {
        do {
            try readTokens(bytes, &out)
        } catch {
            endColour(&out)
            failure = error
        }
        consumed &+= bytes.count
    }

    private mutating func end(_ out: inout some ByteWriter) {
        if phase.canEndNumber { endScalar(&out) }
        switch phase {
        case .betweenDocuments: break
        case .start, .ready: if !hasDocument { failure = unexpectedEnd() }
        default: failure = unexpectedEnd()
        }
        endColour(&out)
    }
}
