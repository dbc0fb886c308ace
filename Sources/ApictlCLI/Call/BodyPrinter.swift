import EndpointKit
import JSONText

/// Prints bodies onto one output: JSON re-indented, anything else unchanged, nothing on a terminal that it would obey.
struct BodyPrinter {
    let output: any ByteOutput
    let style: JSONStyle
    let palette: JSONPalette?

    /// Prints a JSON body as it streams; what is valid before an error is printed. Throws `JSONSyntaxError`.
    func printJSON(_ body: ResponseBody) async throws {
        var stream = FormattedOutput(output: output, style: style, palette: palette)
        for try await piece in body { try stream.write(piece) }
        try stream.finish()
    }

    /// Prints a JSON text that is already here. Throws `JSONSyntaxError`.
    func printJSON(_ bytes: [UInt8]) throws {
        var stream = FormattedOutput(output: output, style: style, palette: palette)
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
