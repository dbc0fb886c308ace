import EndpointKit
import JSONText

extension JSONValue {
    /// A text in which bytes that are not UTF-8 are written like `\xFF`, because JSON can't hold them.
    init(shown text: String) { self.init(text.escapingRawBytes) }

    /// An object of the members that are not nil.
    init(members: KeyValuePairs<String, (any JSONConvertible)?>) {
        self.init(members.compactMap { key, value in value.map { (key, $0.json) } })
    }

    /// The members of an object.
    var pairs: JSONMembers { members.map { $0.map { ($0.key, $0.value) } } ?? [] }
}

/// The members of a JSON object in their order.
typealias JSONMembers = [(String, JSONValue)]

/// What is one JSON value, whatever the coding.
protocol JSONConvertible {
    var json: JSONValue { get }
}

extension JSONValue: JSONConvertible { var json: JSONValue { self } }
extension String: JSONConvertible { var json: JSONValue { JSONValue(self) } }
extension Int: JSONConvertible { var json: JSONValue { JSONValue(self) } }
extension Bool: JSONConvertible { var json: JSONValue { JSONValue(self) } }
extension Array: JSONConvertible where Element: JSONConvertible {
    var json: JSONValue { JSONValue(map(\.json)) }
}

/// Checks, indents and writes JSON: as it arrives, or a whole value.
struct BodyPrinter {
    /// How many bytes are formatted at a time: deep nesting can make 500 bytes of one, all held in memory.
    private static let chunkSize = 4 * 1024

    let output: any ByteOutput
    private var formatter: JSONFormatter
    private var text: BufferedOutput

    init(output: any ByteOutput, style: JSONStyle, isColored: Bool = false) {
        self.output = output
        formatter = JSONFormatter(style: style, isColored: isColored, escapesControls: output.isTerminal)
        text = BufferedOutput(output)
    }

    /// Prints a value as JSON. Throws `EncodingError`.
    func print(_ value: any Encodable, coding: Coding = Coding()) throws { try printJSON(coding.encode(value)) }

    /// Prints what a model has read of a document.
    func print(_ document: JSONDocument, _ marks: ReadMarks) throws {
        try formatter.format(document, marks) { try output.write($0) }
    }

    /// Prints JSON text. Throws `JSONSyntaxError`.
    func printJSON(_ bytes: [UInt8]) throws {
        var printer = self
        try printer.write(bytes)
        try printer.finish()
    }

    /// Formats and writes the next bytes. Throws `JSONSyntaxError` after writing everything before the error.
    mutating func write(_ bytes: [UInt8]) throws { try write(bytes[...]) }

    mutating func write(_ bytes: ArraySlice<UInt8>) throws {
        var rest = bytes
        while !rest.isEmpty {
            try format(rest.prefix(Self.chunkSize))
            rest = rest.dropFirst(Self.chunkSize)
        }
        // So that a reader sees at once what has arrived.
        try text.flush()
    }

    /// Ends the input. Throws as ``write(_:)`` does.
    mutating func finish() throws {
        try format(nil)
        try text.flush()
    }

    /// Ends the current line after the input broke off.
    mutating func abandon() throws { try text.flush(endingLine: true) }

    /// Formats the next bytes; nil is the end.
    private mutating func format(_ chunk: ArraySlice<UInt8>?) throws {
        do {
            try text.append { text in
                if let chunk { try formatter.feed(chunk, into: &text) } else { try formatter.finish(into: &text) }
            }
        } catch {
            try abandon()
            throw error
        }
    }
}
