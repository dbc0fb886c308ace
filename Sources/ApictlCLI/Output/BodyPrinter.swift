import EndpointKit
import JSONText

/// Checks, indents and writes JSON, either as it arrives or as a whole.
struct BodyPrinter {
    /// The number of bytes that are formatted at a time.
    ///
    /// Indentation can turn one byte of deeply nested JSON into 500 bytes, which are all in memory until they are
    /// written.
    private static let chunkSize = 4 * 1024

    let output: any ByteOutput
    private var formatter: JSONFormatter
    /// The formatted text that is not written yet.
    private var buffer: BufferedOutput

    /// Makes a printer. On a terminal, control characters in strings are escaped.
    ///
    /// - Parameters:
    ///   - output: The output of the JSON.
    ///   - style: The line breaks and the indentation.
    ///   - isColored: Whether keys, strings and other tokens have colours.
    init(output: any ByteOutput, style: JSONStyle, isColored: Bool = false) {
        self.output = output
        formatter = JSONFormatter(style: style, isColored: isColored, escapesControls: output.isTerminal)
        buffer = BufferedOutput(output)
    }

    // MARK: Whole values

    /// Prints a value as JSON.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - coding: The coding of the value's API, which decides on the spelling of keys and dates.
    /// - Throws: `EncodingError`, and errors of the output.
    func print(_ value: any Encodable, coding: Coding = Coding()) throws { try printJSON(coding.encode(value)) }

    /// Prints the members of a document that a model has read, and leaves out those that it has ignored.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - marks: The marks that decoding the model has left on everything that it read.
    /// - Throws: Errors of the output.
    func print(_ document: JSONDocument, _ marks: ReadMarks) throws {
        try formatter.format(document, marks) { try output.write($0) }
    }

    /// Prints a whole JSON text, independently of a text that is being streamed.
    ///
    /// - Throws: `JSONSyntaxError` after everything before the error is written, and errors of the output.
    func printJSON(_ bytes: [UInt8]) throws {
        var printer = self
        try printer.write(bytes)
        try printer.finish()
    }

    // MARK: Streams

    /// Formats and writes the next bytes of a text.
    ///
    /// - Throws: `JSONSyntaxError` after everything before the error is written, and errors of the output.
    mutating func write(_ bytes: [UInt8]) throws { try write(bytes[...]) }

    /// Formats and writes the next bytes of a text.
    ///
    /// - Throws: `JSONSyntaxError` after everything before the error is written, and errors of the output.
    mutating func write(_ bytes: ArraySlice<UInt8>) throws {
        var remaining = bytes
        while !remaining.isEmpty {
            try format(remaining.prefix(Self.chunkSize))
            remaining = remaining.dropFirst(Self.chunkSize)
        }
        // The buffer is not kept for later calls, so that a reader sees at once what has arrived.
        try buffer.flush()
    }

    /// Ends the text and writes what is left of it.
    ///
    /// - Throws: `JSONSyntaxError` if the text is incomplete, and errors of the output.
    mutating func finish() throws {
        try format(nil)
        try buffer.flush()
    }

    /// Ends a text that broke off: writes what was formatted so far and a line break, so that a message about it starts
    /// on a new line.
    mutating func abandon() throws { try buffer.flush(endingLine: true) }

    /// Formats the next bytes into the buffer. If they are not JSON, writes what was formatted before the error, and
    /// ends its line.
    ///
    /// - Parameter chunk: The bytes; nil at the end of the text.
    /// - Throws: `JSONSyntaxError`, and errors of the output.
    private mutating func format(_ chunk: ArraySlice<UInt8>?) throws {
        do {
            try buffer.append { text in
                if let chunk {
                    try formatter.feed(chunk, into: &text)
                } else {
                    try formatter.finish(into: &text)
                }
            }
        } catch {
            try abandon()
            throw error
        }
    }
}
