import JSONText

/// JSON on its way to an output: each piece is checked, indented and written as it comes.
struct FormattedOutput {
    /// How many bytes are formatted at a time. Deep nesting makes 500 of one, and that is what memory must hold.
    private static let pieceSize = 4 * 1024
    /// How many bytes are worth a system call.
    private static let writeSize = 64 * 1024

    private let output: any ByteOutput
    private var formatter: JSONFormatter
    private var text: [UInt8] = []
    /// Whether what was written last ends its line.
    private var endsLine = true

    init(output: any ByteOutput, style: JSONStyle, palette: JSONPalette?) {
        self.output = output
        formatter = JSONFormatter(style: style, palette: palette, escapesControls: output.isTerminal)
    }

    /// Takes the next bytes. Throws `JSONSyntaxError` once what is valid before it has been written.
    mutating func write(_ bytes: [UInt8]) throws {
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.pieceSize, bytes.count)
            do {
                try formatter.feed(bytes[start..<end], into: &text)
            } catch {
                try flush(endingLine: true)
                throw error
            }
            if text.count >= Self.writeSize { try flush() }
            start = end
        }
        // Whoever reads along sees at once what has come.
        try flush()
    }

    /// Tells that there are no more bytes. Throws as ``write(_:)`` does.
    mutating func finish() throws {
        do {
            try formatter.finish(into: &text)
        } catch {
            try flush(endingLine: true)
            throw error
        }
        try flush()
    }

    /// Ends the line where the bytes stop coming in the middle of one.
    mutating func abandon() throws { try flush(endingLine: true) }

    /// After an error neither a message nor another document must start in the middle of a line.
    private mutating func flush(endingLine: Bool = false) throws {
        if let last = text.last { endsLine = last == UInt8(ascii: "\n") }
        if endingLine, !endsLine { text.append(UInt8(ascii: "\n")) }
        if !text.isEmpty { try output.write(text) }
        text.removeAll(keepingCapacity: true)
    }
}
