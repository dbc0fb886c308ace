import EndpointKit
import JSONText

/// Prints bodies onto one output: JSON re-indented, anything else unchanged, nothing on a terminal that it would obey.
struct BodyPrinter {
    let output: any ByteOutput
    let style: JSONStyle
    let palette: JSONPalette?

    /// Prints a JSON body as it streams; what is valid before an error is printed. Throws `JSONSyntaxError`.
    func printJSON(_ body: ResponseBody) async throws {
        var formatter = formatter
        var text: [UInt8] = []
        for try await piece in body { try feed(piece, to: &formatter, &text) }
        try finish(&formatter, &text)
    }

    /// Prints a JSON text that is already here. Throws `JSONSyntaxError`.
    func printJSON(_ bytes: [UInt8]) throws {
        var formatter = formatter
        var text: [UInt8] = []
        try feed(bytes, to: &formatter, &text)
        try finish(&formatter, &text)
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

    private var formatter: JSONFormatter {
        JSONFormatter(style: style, palette: palette, escapesControls: output.isTerminal)
    }

    private func feed(_ bytes: [UInt8], to formatter: inout JSONFormatter, _ text: inout [UInt8]) throws {
        do {
            try formatter.feed(bytes, into: &text)
        } catch {
            try output.write(text)
            throw error
        }
        try output.write(text)
        text.removeAll(keepingCapacity: true)
    }

    private func finish(_ formatter: inout JSONFormatter, _ text: inout [UInt8]) throws {
        do {
            try formatter.finish(into: &text)
        } catch {
            try output.write(text)
            throw error
        }
        try output.write(text)
    }
}
