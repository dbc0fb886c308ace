import JSONText

/// Checks, indents and writes JSON as it arrives.
struct FormattedOutput {
    /// How many bytes are formatted at a time: deep nesting can make 500 bytes of one, all held in memory.
    private static let chunkSize = 4 * 1024
    /// How many bytes are collected before a system call.
    private static let writeSize = 64 * 1024

    private let output: any ByteOutput
    private var formatter: JSONFormatter
    private var text: [UInt8] = []
    /// Whether the output so far ends with a line break.
    private var endsLine = true

    init(output: any ByteOutput, style: JSONStyle, palette: JSONPalette?) {
        self.output = output
        formatter = JSONFormatter(style: style, palette: palette, escapesControls: output.isTerminal)
    }

    /// Formats the next bytes. Throws `JSONSyntaxError` after writing everything before the error.
    mutating func write(_ bytes: [UInt8]) throws {
        var start = 0
        while start < bytes.count {
            let end = min(start + Self.chunkSize, bytes.count)
            do {
                try formatter.feed(bytes[start..<end], into: &text)
            } catch {
                try flush(endingLine: true)
                throw error
            }
            if text.count >= Self.writeSize { try flush() }
            start = end
        }
        // So that a reader sees at once what has arrived.
        try flush()
    }

    /// Ends the input. Throws as ``write(_:)`` does.
    mutating func finish() throws {
        do {
            try formatter.finish(into: &text)
        } catch {
            try flush(endingLine: true)
            throw error
        }
        try flush()
    }

    /// Ends the current line after the input broke off.
    mutating func abandon() throws { try flush(endingLine: true) }

    /// Writes the collected text. After an error, a line break is added so that the next output starts on a new line.
    private mutating func flush(endingLine: Bool = false) throws {
        if let last = text.last { endsLine = last == UInt8(ascii: "\n") }
        if endingLine, !endsLine { text.append(UInt8(ascii: "\n")) }
        if !text.isEmpty { try output.write(text) }
        text.removeAll(keepingCapacity: true)
    }
}
