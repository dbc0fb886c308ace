import EndpointKit
import EndpointTools

/// A report that can be written to a file.
enum ReportKind: String, Sendable, CaseIterable {
    case junit, json, md, html, har

    /// The name of the option that names the file.
    var option: String { "report-" + rawValue }

    /// The words for the report in the help.
    var title: String {
        switch self {
        case .junit: "a JUnit XML report"
        case .json: "a JSON report"
        case .md: "a Markdown report"
        case .html: "an HTML report"
        case .har: "all exchanges as an HTTP archive (HAR 1.2)"
        }
    }

    /// Whether few people need the option. A report in JUnit XML is for CI, and one in Markdown for people.
    var isRarelyUsed: Bool {
        switch self {
        case .junit, .md: false
        case .json, .html, .har: true
        }
    }

    /// Writes the report to an output.
    ///
    /// An archive is not written here, but by ``HARLog`` while the checks run.
    ///
    /// - Throws: The error of the output.
    func write(_ report: CheckReport, to output: any ByteOutput) throws {
        var text = BufferedOutput(output)
        switch self {
        case .junit: try report.writeJUnit(to: &text)
        case .json: try report.writeJSON(to: &text)
        case .md: try report.writeMarkdown(to: &text)
        case .html: try report.writeHTML(to: &text)
        case .har: return
        }
        try text.flush()
    }
}
