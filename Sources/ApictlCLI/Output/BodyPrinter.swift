import EndpointKit
import JSONText

/// Prints bodies: JSON re-indented, anything else unchanged, with control characters escaped on a terminal.
struct BodyPrinter {
    let output: any ByteOutput
    let style: JSONStyle
    let palette: JSONPalette?

    /// Prints JSON in chunks.
    var stream: FormattedOutput { FormattedOutput(output: output, style: style, palette: palette) }

    /// Prints a value as JSON. Throws `EncodingError`.
    func print(_ value: any Encodable, coding: Coding = Coding(), length: Int = 0) throws {
        let formatter = JSONFormatter(style: style, palette: palette, escapesControls: output.isTerminal)
        try output.write(JSONTextEncoder(coding: coding).encode(value, formattedBy: formatter, length: length))
    }

    /// Prints JSON text. Throws `JSONSyntaxError`.
    func printJSON(_ bytes: [UInt8]) throws {
        var stream = stream
        try stream.write(bytes)
        try stream.finish()
    }

    /// Prints a body of any other type: its exact bytes, or on a terminal its text with control characters escaped.
    ///
    /// Prints nothing if the body is binary and the output a terminal.
    func printOther(_ body: ResponseBody) async throws -> OtherBody {
        var filter = TerminalFilter()
        var isEmpty = true
        for try await chunk in body {
            isEmpty = false
            if output.isTerminal {
                guard let text = filter.feed(chunk) else { return .binary }
                try output.write(text)
            } else {
                try output.write(chunk)
            }
        }
        if output.isTerminal { try output.write(filter.finish()) }
        return isEmpty ? .empty : .printed
    }

    /// How the printing of a body that is not JSON ended.
    enum OtherBody {
        case printed, empty, binary
    }
}
