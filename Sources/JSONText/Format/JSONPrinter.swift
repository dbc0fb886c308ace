/// A sink that prints the text that a scanner reads, in another layout.
struct JSONPrinter: JSONSink, ~Copyable {
    /// Levels beyond this one are not indented further, so that hostile nesting cannot multiply the output.
    static let deepestLevel = 256
    static let widestIndent = 8

    private let isPretty: Bool
    /// The byte of the indentation: a space or a tab.
    private let indentByte: UInt8
    /// The number of bytes by which one level is indented.
    private let indentWidth: Int
    private let escapesControls: Bool
    private let isColored: Bool
    /// The text that has been printed.
    var writer: StagedWriter

    /// Makes a printer that appends to `output`.
    ///
    /// The printer takes the array over, so that appending never copies it. Until ``finish(into:)`` gives it back,
    /// `output` is empty.
    ///
    /// - Parameters:
    ///   - style: The layout of the text.
    ///   - isColored: Whether tokens have the colours of ``JSONPalette``.
    ///   - escapesControls: Whether hazards for a terminal in strings are printed as `\u` escapes.
    ///   - output: The array to which the text is appended.
    init(_ style: JSONStyle, isColored: Bool, escapesControls: Bool, taking output: inout [UInt8]) {
        switch style {
        case .pretty(indent: .spaces(let count)):
            isPretty = true
            indentByte = UInt8(ascii: " ")
            // A wider indent is cut to the widest one, and a negative one is none.
            indentWidth = max(0, min(count, Self.widestIndent))
        case .pretty(indent: .tab):
            isPretty = true
            indentByte = UInt8(ascii: "\t")
            indentWidth = 1
        case .compact, .none:
            // With the style `none`, the formatter only checks the text and makes no printer.
            isPretty = false
            indentByte = 0
            indentWidth = 0
        }
        self.isColored = isColored
        self.escapesControls = escapesControls
        writer = StagedWriter(taking: &output)
    }

    /// Makes a printer whose text is taken from ``out`` in chunks, instead of being appended to an array at the end.
    init(_ style: JSONStyle, isColored: Bool, escapesControls: Bool) {
        var emptyOutput: [UInt8] = []
        self.init(style, isColored: isColored, escapesControls: escapesControls, taking: &emptyOutput)
    }

    /// Gives the array back with all that has been printed.
    consuming func finish(into output: inout [UInt8]) { writer.finish(into: &output) }

    // MARK: Structure

    mutating func endDocument() { writer.write(UInt8(ascii: "\n")) }

    @inline(__always)
    mutating func beginItem(depth: Int) {
        if isPretty { startLine(depth: depth) }
    }

    @inline(__always)
    mutating func open(isObject: Bool, at offset: Int, depth: Int) {
        writer.write(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
    }

    /// Prints the bracket that closes a container, on a line of its own unless the container is empty or the layout is
    /// compact.
    @inline(__always)
    mutating func close(isObject: Bool, isEmpty: Bool, end: Int, depth: Int) {
        if isPretty, !isEmpty { startLine(depth: depth) }
        writer.write(isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    @inline(__always)
    mutating func comma() { writer.write(UInt8(ascii: ",")) }

    /// Prints a colon, with a space after it unless the layout is compact.
    @inline(__always)
    mutating func colon() {
        // Both bytes are stored in any case, the colon lowest, and the count says whether the space is kept. That takes
        // no branch, which the processor might predict wrongly.
        let colonAndSpace = UInt64(UInt8(ascii: ":")) | UInt64(UInt8(ascii: " ")) << 8
        writer.write(colonAndSpace, count: isPretty ? 2 : 1)
    }

    /// Starts a line that is indented by `depth` levels, but by ``deepestLevel`` at most.
    @inline(__always)
    private mutating func startLine(depth: Int) {
        writer.writeLineBreak(indent: indentByte, count: min(depth, Self.deepestLevel) &* indentWidth)
    }

    // MARK: Tokens

    /// Prints the sequence that sets the colour of a token.
    @inline(__always)
    mutating func begin(_ token: JSONToken, at offset: Int) {
        guard isColored else { return }
        let sequence = JSONPalette.sequence(before: token)
        writer.write(sequence.word, count: sequence.count)
    }

    @inline(__always)
    mutating func end(_ token: JSONToken, at offset: Int, isPlain: Bool) { resetColor() }

    @inline(__always)
    mutating func abandon(_ token: JSONToken) { resetColor() }

    @inline(__always)
    private mutating func resetColor() {
        if isColored { writer.write(JSONPalette.reset, count: JSONPalette.resetCount) }
    }

    @inline(__always)
    mutating func write(_ byte: UInt8) { writer.write(byte) }

    @inline(__always)
    mutating func write(_ chunk: JSONChunk, range: Range<Int>) { writer.write(chunk, range: range) }

    /// Writes a whole token of a text that is known to be valid JSON.
    ///
    /// - Parameters:
    ///   - text: The text that has the token.
    ///   - range: The range of the token in the text.
    ///   - token: The kind of token. In keys and strings, hazards for a terminal are escaped if the printer is to do
    ///     so.
    @inline(__always)
    mutating func write(_ text: UnsafeRawBufferPointer, range: Range<Int>, of token: JSONToken) {
        // Only an empty text has no address.
        guard let start = text.baseAddress else { return }
        let isString = token == .key || token == .string
        if escapesControls, isString {
            // In valid JSON, line breaks and tabs are escapes already. All other hazards become `\u` escapes here.
            let tokenText = String(decoding: text[range], as: UTF8.self)
            for byte in TerminalText.escaped(tokenText).utf8 { writer.write(byte) }
        } else {
            writer.write(JSONChunk(start: start, count: text.count), range: range)
        }
    }

    /// Prints a character of a string that is DEL or beyond ASCII. If the printer escapes controls, a character that
    /// could control a terminal is printed as a `\u` escape.
    ///
    /// - Parameters:
    ///   - scalar: The character.
    ///   - utf8: The character in UTF-8, its first byte lowest.
    ///   - count: The number of bytes in UTF-8.
    @inline(__always)
    mutating func write(_ scalar: UInt32, utf8: UInt32, count: Int) {
        if escapesControls, TerminalText.isHazard(scalar) {
            for byte in Hexadecimal.escape(scalar) { writer.write(byte) }
        } else {
            writer.write(UInt64(utf8), count: count)
        }
    }

    @inline(__always)
    mutating func writePlain(_ chunk: JSONChunk, from start: Int) -> Int {
        writer.writePlain(chunk, from: start)
    }
}
