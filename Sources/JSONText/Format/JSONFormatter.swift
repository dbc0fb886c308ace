/// Validates JSON text (RFC 8259, without extensions) and reformats it while it streams in.
///
/// The text of numbers, the escapes in strings, the order of keys and duplicate keys are preserved. A line feed is
/// printed after each document. ``JSONScanner`` describes which documents may follow each other; memory does not grow
/// with the input.
package struct JSONFormatter: Sendable {
    private var scanner = JSONScanner()
    private let style: JSONStyle
    private let isColored: Bool
    private let escapesControls: Bool

    /// Makes a formatter for one stream of text.
    ///
    /// - Parameters:
    ///   - style: The layout of the output.
    ///   - isColored: Whether tokens have the colours of ``JSONPalette``.
    ///   - escapesControls: Whether hazards for a terminal (``TerminalText/isHazard(_:)``) in strings are printed as
    ///     `\u` escapes. The text then differs from the input but means the same.
    package init(style: JSONStyle, isColored: Bool = false, escapesControls: Bool = false) {
        self.style = style
        self.isColored = isColored
        self.escapesControls = escapesControls
    }

    /// Reads the next chunk of the text, and appends to `output` all that can be printed so far.
    ///
    /// - Parameters:
    ///   - bytes: The chunk. It may end anywhere, even within a character.
    ///   - output: The formatted text.
    /// - Throws: The error at the first byte that cannot belong to valid JSON, after everything before it has been
    ///   appended. From then on every call throws the same error.
    package mutating func feed(_ bytes: some ContiguousBytes, into output: inout [UInt8]) throws(JSONSyntaxError) {
        if let error = bytes.withUnsafeBytes({ formatInput(.chunk($0), to: &output) }) { throw error }
    }

    /// Ends the input and appends the rest of the output. Nothing may be fed afterwards.
    ///
    /// - Throws: An error if a document is incomplete, or if there was none.
    package mutating func finish(into output: inout [UInt8]) throws(JSONSyntaxError) {
        if let error = formatInput(.end, to: &output) { throw error }
    }

    /// Formats the parts of a document that a model has read, and passes the text to `write` in chunks.
    ///
    /// - Parameters:
    ///   - document: The document that has been decoded.
    ///   - marks: The marks of the parts that have been read.
    ///   - write: Called with each chunk of the formatted text.
    package func format(_ document: JSONDocument, _ marks: ReadMarks, _ write: ([UInt8]) throws -> Void) rethrows {
        var printer = JSONPrinter(style, isColored: isColored, escapesControls: escapesControls)
        try document.printReadParts(marks, to: &printer, write)
    }

    /// Formats a text that is there as a whole. The formatter must not have been used yet.
    ///
    /// - Throws: The error at the first byte that is not valid JSON.
    package consuming func formatted(_ text: some ContiguousBytes) throws(JSONSyntaxError) -> [UInt8] {
        var output: [UInt8] = []
        try feed(text, into: &output)
        try finish(into: &output)
        return output
    }

    /// A part of the input.
    private enum Input {
        case chunk(UnsafeRawBufferPointer)
        /// The end of the text, after its last chunk.
        case end
    }

    /// Reads the next part of the input, and appends its text in the formatter's style to `output`. With the style
    /// `none`, the input is only checked.
    ///
    /// - Returns: The error in the input, or nil if there is none.
    private mutating func formatInput(_ input: Input, to output: inout [UInt8]) -> JSONSyntaxError? {
        if style == .none {
            var nullSink = NullSink()
            return scan(input, sink: &nullSink)
        }
        var printer = JSONPrinter(style, isColored: isColored, escapesControls: escapesControls, taking: &output)
        let error = scan(input, sink: &printer)
        printer.finish(into: &output)
        return error
    }

    /// Passes a part of the input to the scanner, which reports the tokens to `sink`.
    ///
    /// - Returns: The error in the input, or nil if there is none.
    @inline(__always)
    private mutating func scan(_ input: Input, sink: inout some JSONSink & ~Copyable) -> JSONSyntaxError? {
        switch input {
        case .chunk(let bytes): scanner.read(bytes, sink: &sink)
        case .end: scanner.finish(sink: &sink)
        }
    }
}
