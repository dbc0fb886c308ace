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
