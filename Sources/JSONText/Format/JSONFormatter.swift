/// Validates JSON text (RFC 8259, without extensions) and reformats it while it streams in.
///
/// Number text, string escapes, key order and duplicate keys are preserved. Each document is printed with a line feed at its end; which may
/// follow each other, and that memory does not grow, is said at ``JSONScanner``.
package struct JSONFormatter: Sendable {
    private var scanner = JSONScanner()
    private let style: JSONStyle
    private let isColored: Bool
    private let escapesControls: Bool

    /// A formatter for one stream.
    ///
    /// - Parameters:
    ///   - isColored: Whether there are colours for a terminal.
    ///   - escapesControls: Whether what ``TerminalText/isHazard(_:)`` names is written as `\u` escapes within strings, as output for a
    ///     terminal should be. The text then differs from what came in but means the same.
    package init(style: JSONStyle, isColored: Bool = false, escapesControls: Bool = false) {
        (self.style, self.isColored, self.escapesControls) = (style, isColored, escapesControls)
    }

    /// Reads the next chunk and appends to `output` what can be printed so far.
    ///
    /// Throws at the first byte that cannot belong to valid text, after appending everything before it. From
    /// then on every call throws the same error.
    package mutating func feed(_ bytes: some ContiguousBytes, into output: inout [UInt8]) throws(JSONSyntaxError) {
        if let error = bytes.withUnsafeBytes({ read($0, into: &output) }) { throw error }
    }

    /// Ends the input, and appends the rest of the output.
    ///
    /// Throws if a document is incomplete, or if there was none. Nothing may be fed afterwards.
    package mutating func finish(into output: inout [UInt8]) throws(JSONSyntaxError) {
        if let error = read(nil, into: &output) { throw error }
    }

    /// Formats what a model has read of a document; `write` gets the text in chunks.
    package func format(_ document: JSONDocument, _ marks: ReadMarks, _ write: ([UInt8]) throws -> Void) rethrows {
        var nothing: [UInt8] = []
        var printer = JSONPrinter(style, isColored: isColored, escapesControls: escapesControls, taking: &nothing)
        try document.print(marks, &printer, write)
    }

    /// A whole text, formatted by a formatter that has not been used yet.
    package consuming func formatted(_ text: some ContiguousBytes) throws(JSONSyntaxError) -> [UInt8] {
        var output: [UInt8] = []
        try feed(text, into: &output)
        try finish(into: &output)
        return output
    }

    /// Reads a chunk, or the end if it is nil.
    private mutating func read(_ chunk: UnsafeRawBufferPointer?, into output: inout [UInt8]) -> JSONSyntaxError? {
        if style == .none {
            var nothing = NullSink()
            return chunk.map { scanner.read($0, &nothing) } ?? scanner.finish(&nothing)
        }
        var printer = JSONPrinter(style, isColored: isColored, escapesControls: escapesControls, taking: &output)
        let error = chunk.map { scanner.read($0, &printer) } ?? scanner.finish(&printer)
        printer.finish(into: &output)
        return error
    }
}

/// How ``JSONFormatter`` lays out what it prints.
package enum JSONStyle: Equatable, Sendable {
    /// One member or element per line.
    case pretty(indent: Indent)
    /// One line per document, no space anywhere outside strings.
    case compact
    /// Nothing is printed: the input is only checked.
    case none

    /// What one level of nesting is indented by.
    package enum Indent: Equatable, Sendable {
        /// That many spaces, limited to 0 to 8.
        case spaces(Int)
        /// One tab.
        case tab
    }
}

/// The colours of JSON text at a terminal, by SGR sequences (ECMA-48, 8.3.117).
///
/// They can be read on dark and on light backgrounds: no white, no yellow, no plain blue. Punctuation has none. Each coloured token is
/// followed by a reset of its own.
package enum JSONPalette {
    /// The parameters for names of members: bold blue.
    package static let key = "1;34"

    /// The sequence before a token, the first byte lowest: `ESC [` parameters `m`.
    @inline(__always)
    static func sequence(before token: JSONToken) -> (word: UInt64, count: Int) {
        switch token {
        case .key: (0x6D_3433_3B31_5B1B, 7)  // 1;34
        case .string: (0x6D_3233_5B1B, 5)  // 32
        case .number: (0x6D_3633_5B1B, 5)  // 36
        case .true, .false: (0x6D_3533_5B1B, 5)  // 35
        case .null: (0x6D_3039_5B1B, 5)  // 90
        }
    }

    /// `ESC [ 0 m`
    static let reset: UInt64 = 0x6D30_5B1B
}
