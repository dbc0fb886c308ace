import EndpointKit
import EndpointTools

/// Prints each check on a line, what was found under it, and a summary at the end. Its methods throw what the output does.
struct TerminalReport {
    /// Problems of one check, or keys of one endpoint, that are shown, at most; the reports have them all.
    private static let maxProblems = 20

    private let output: any ByteOutput
    private let isColored: Bool
    private let environment: ProcessEnvironment
    private let namesAbsent: Bool
    /// Whether neither the locale nor a CI system needs other texts.
    private let isUnchanged: Bool
    private let width: Int

    init(_ output: any ByteOutput, _ environment: ProcessEnvironment, _ options: CheckOptions, width: Int) {
        self.output = output
        isColored = environment.isColored(options.common.color, output)
        namesAbsent = options.reports.namesAbsent
        self.environment = environment
        isUnchanged = environment.withoutCommands(environment.marked("✓##[")) == "✓##["
        self.width = width
    }

    func show(_ result: CheckResult) throws {
        let style = result.outcome.verdict.style
        let mark = isColored ? "\u{1B}[\(style.color)m\(style.mark)\u{1B}[0m" : style.mark
        let start = "\(mark) \(result.call.label)" + Self.blanks(width - result.call.label.count)
        if let reason = result.skipReason { return try write("\(start)  skipped: \(reason)\n") }
        let notes = result.notes.map { "  " + $0 }.joined()
        let times = "  \(Self.padded(result.statusText ?? "–", 3))  \(Self.padded(result.timeText, 8))"
        // Without a time, nothing was to be sent.
        var text = (result.outcome.duration == nil ? "\(mark) \(result.call.label)" : start + times) + notes + "\n"
        let lines = result.problemLines
        for line in lines.prefix(Self.maxProblems) { text += "    \(line)\n" }
        if lines.count > Self.maxProblems { text += "    … and \(lines.count - Self.maxProblems) more\n" }
        if let curl = result.curlLine { text += "    \(curl)\n" }
        try write(text)
    }

    func summarize(_ report: CheckReport) throws {
        let count = report.results.count
        var text = "\n"
        let absent = report.notes.filter { namesAbsent && $0.problem.kind == .absentKey }
        for (name, notes) in absent.grouped(by: \.name) {
            let paths = notes.compactMap(\.problem.path)
            let more = paths.count > Self.maxProblems ? ", … and \(paths.count - Self.maxProblems) more" : ""
            let shown = paths.prefix(Self.maxProblems).joined(separator: ", ").safeToShow
            text += "\(name): optional, in no response: \(shown)\(more)\n"
        }
        text += "\(count.counted("check")): \(report.countsText)\n"
        try write(report.remarks.reduce(text) { "\($0)\($1)\n" })
    }

    private func write(_ text: String) throws {
        try output.write(isUnchanged ? text : environment.withoutCommands(environment.marked(text)))
    }

    private static func padded(_ text: String, _ width: Int) -> String { blanks(width - text.count) + text }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
