import EndpointKit
import EndpointTools

/// Prints each check on a line, with its problems below, and a summary at the end.
///
///     ✓ movies.popular  200   120 ms
///     ✗ movies.video    404    80 ms
///         status: expected 2xx, found 404 Not Found
struct TerminalReport {
    /// The most problems of a check, and keys of an endpoint, that are shown, so that one check does not fill the
    /// screen. Other reports have all of them.
    private static let maxProblems = 20

    private let output: any ByteOutput
    private let isColored: Bool
    private let environment: ProcessEnvironment
    /// Whether the optional keys that no response had are named.
    private let namesAbsent: Bool
    /// The number of characters of the longest label, to which others are padded.
    private let labelWidth: Int

    /// Makes a printer of checks.
    ///
    /// - Parameters:
    ///   - output: The output for people.
    ///   - environment: Its variables decide about colours and marks, and whether a CI system reads the output.
    ///   - options: The options of the command.
    ///   - labels: The labels of all checks, so that the columns after them are aligned.
    init(_ output: any ByteOutput, _ environment: ProcessEnvironment, _ options: CheckOptions, labels: [String]) {
        self.output = output
        isColored = environment.isColored(options.common.color, output)
        namesAbsent = options.reports.namesAbsent
        self.environment = environment
        labelWidth = labels.map(\.count).max() ?? 0
    }

    // MARK: Checks

    /// Prints the line of a check, and below it its problems and, if it failed, the curl command to repeat it.
    ///
    /// - Throws: The error of the output.
    func show(_ result: CheckResult) throws {
        let markedLabel = "\(mark(of: result.outcome.verdict)) \(result.call.label)"
        let padding = Self.blanks(labelWidth - result.call.label.count)
        if let reason = result.skipReason {
            try write("\(markedLabel)\(padding)  skipped: \(reason)\n")
            return
        }
        var line = markedLabel
        // A check without a time has sent nothing, so that it has no columns for status and time.
        if result.outcome.duration != nil { line += padding + statusAndTime(of: result) }
        for note in result.notes { line += "  " + note }
        let innerLines = linesBelow(result).map { "    \($0)\n" }
        try write(line + "\n" + innerLines.joined())
    }

    /// Returns the lines that are printed below the line of a check. If it has many problems, only the first are named.
    private func linesBelow(_ result: CheckResult) -> [String] {
        let problems = result.outcome.problems
        var lines: [String] = []
        if let failedSkipLine = result.failedSkipLine { lines.append(failedSkipLine) }
        lines += problems.prefix(Self.maxProblems).flatMap(\.lines)
        if problems.count > Self.maxProblems { lines.append("… and \(problems.count - Self.maxProblems) more") }
        if let curl = result.curlLine { lines.append(curl) }
        return lines
    }

    /// Returns the character for a verdict, in its colour if the output has colours.
    private func mark(of verdict: CheckVerdict) -> String {
        isColored ? "\u{1B}[\(verdict.colorCode)m\(verdict.mark)\u{1B}[0m" : verdict.mark
    }

    /// Returns the columns with the status and the time: `  404     80 ms`. A check without a response has a dash in
    /// place of the status.
    private func statusAndTime(of result: CheckResult) -> String {
        let status = Self.rightAligned(result.statusText ?? "–", width: 3)
        let time = Self.rightAligned(result.timeText, width: 8)
        return "  \(status)  \(time)"
    }

    /// Returns a text with blanks before it, so that it has at least `width` characters.
    private static func rightAligned(_ text: String, width: Int) -> String { blanks(width - text.count) + text }

    /// Returns a text of blanks; an empty one for a negative count.
    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    // MARK: Summary

    /// Prints the summary of a run.
    ///
    /// - Throws: The error of the output.
    func summarize(_ report: CheckReport) throws {
        var text = "\n"
        if namesAbsent { text += absentKeyLines(of: report) }
        text += "\(report.results.count.counted("check")): \(report.countsText)\n"
        for remark in report.remarks { text += remark + "\n" }
        try write(text)
    }

    /// Returns a line for each endpoint with the optional keys that no response had. Long lists are cut.
    ///
    ///     movies.video: optional, in no response: $.budget, $.homepage
    private func absentKeyLines(of report: CheckReport) -> String {
        let absentKeyNotes = report.notes.filter { $0.problem.kind == .absentKey }
        var text = ""
        for (endpointName, notes) in absentKeyNotes.grouped(by: \.endpointName) {
            let paths = notes.compactMap(\.problem.path)
            let shownPaths = paths.prefix(Self.maxProblems).joined(separator: ", ").safeToShow
            let omittedCount = paths.count - Self.maxProblems
            let ending = omittedCount > 0 ? ", … and \(omittedCount) more" : ""
            text += "\(endpointName): optional, in no response: \(shownPaths)\(ending)\n"
        }
        return text
    }

    /// Writes a text with the marks that the locale has, and without commands for a CI system.
    private func write(_ text: String) throws {
        try output.write(environment.withoutCommands(environment.marked(text)))
    }
}
