import EndpointKit
import JSONText

/// Prints bodies onto one output: JSON re-indented, anything else unchanged, nothing on a terminal that it would obey.
struct BodyPrinter {
    let output: any ByteOutput
    let style: JSONStyle
    let palette: JSONPalette?

    /// Where JSON goes piece by piece.
    var stream: FormattedOutput { FormattedOutput(output: output, style: style, palette: palette) }

    /// Prints a value as JSON. Throws `EncodingError`.
    func print(_ value: any Encodable, coding: Coding = Coding()) throws {
        let formatter = JSONFormatter(style: style, palette: palette, escapesControls: output.isTerminal)
        try output.write(JSONTextEncoder(coding: coding).encode(value, formattedBy: formatter))
    }

    /// Prints a JSON text that is already here. Throws `JSONSyntaxError`.
    func printJSON(_ bytes: [UInt8]) throws {
        var stream = stream
        try stream.write(bytes)
        try stream.finish()
    }

    /// Prints a body of any other type: its exact bytes, or on a terminal its text with control characters escaped.
    ///
    /// Gives false, and prints nothing, for binary on a terminal.
    func printOther(_ body: ResponseBody) async throws -> Bool {
        var filter = TerminalFilter()
        for try await piece in body {
            if output.isTerminal {
                guard let text = filter.feed(piece) else { return false }
                try output.write(text)
            } else {
                try output.write(piece)
            }
        }
        if output.isTerminal { try output.write(filter.finish()) }
        return true
    }
}
