/// The reports that can be written to a file.
enum ReportKind: String, Sendable, CaseIterable {
    case junit, json, tap, md, html

    var title: String {
        switch self {
        case .junit: "a JUnit XML report"
        case .json: "a JSON report"
        case .tap: "a TAP report"
        case .md: "a Markdown report"
        case .html: "an HTML report"
        }
    }

    /// Writes the report to `output`. Throws what `output` does.
    func write(_ report: CheckReport, to output: any ByteOutput) throws {
        var text = BufferedText(output)
        switch self {
        case .junit: try JUnitReport(report).write(to: &text)
        case .json: try JSONReport(report).write(to: &text)
        case .tap: try TAPReport(report).write(to: &text)
        case .md: try MarkdownReport(report).write(to: &text)
        case .html: try HTMLReport(report).write(to: &text)
        }
        try text.flush()
    }
}

/// Text that is written in large chunks, so that a long report needs little memory.
struct BufferedText {
    private static let chunkSize = 64 * 1024

    private let output: any ByteOutput
    private var bytes: [UInt8] = []

    init(_ output: any ByteOutput) { self.output = output }

    mutating func write(_ text: String) throws { try write(text.utf8) }

    mutating func write(_ text: some Sequence<UInt8>) throws {
        bytes.append(contentsOf: text)
        if bytes.count >= Self.chunkSize { try flush() }
    }

    mutating func flush() throws {
        if !bytes.isEmpty { try output.write(bytes) }
        bytes.removeAll(keepingCapacity: true)
    }
}
