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
    /// Whether texts are printed as they are. A locale without UTF-8 needs other marks, and a CI system must not find
    /// commands in texts.
    private let isUnchanged: Bool
    /// The number of characters of the longest label, to which others are padded.
    private let width: Int

    /// Makes a printer of checks.
    ///
    /// - Parameter width: The number of characters of the longest label.
    init(_ output: any ByteOutput, _ environment: ProcessEnvironment, _ options: CheckOptions, width: Int) {
        self.output = output
        isColored = environment.isColored(options.common.color, output)
        namesAbsent = options.reports.namesAbsent
        self.environment = environment
        // The two functions are tried on a text that has everything which they may change.
        isUnchanged = environment.withoutCommands(environment.marked("✓##[")) == "✓##["
        self.width = width
    }

    // MARK: Checks

    /// Prints a check.
    ///
    /// - Throws: The error of the output.
    func show(_ result: CheckResult) throws {
        let start = "\(mark(of: result.outcome.verdict)) \(result.call.label)"
        let padding = Self.blanks(width - result.call.label.count)
        if let reason = result.skipReason {
            return try write("\(start)\(padding)  skipped: \(reason)\n")
        }
        // A check without a time has sent nothing, so that it has no columns for status and time.
        let hasTime = result.outcome.duration != nil
        let notes = result.notes.map { "  " + $0 }.joined()
        var text = hasTime ? start + padding + times(of: result) + notes + "\n" : start + notes + "\n"
        if let line = result.skippedLine { text += "    \(line)\n" }
        let problems = result.outcome.problems
        for line in problems.prefix(Self.maxProblems).flatMap(\.lines) { text += "    \(line)\n" }
        if problems.count > Self.maxProblems { text += "    … and \(problems.count - Self.maxProblems) more\n" }
        if let curl = result.curlLine { text += "    \(curl)\n" }
        try write(text)
    }

    /// Returns the character for a verdict, in its colour if the output has colours.
    private func mark(of verdict: CheckVerdict) -> String {
        isColored ? "\u{1B}[\(verdict.colorCode)m\(verdict.mark)\u{1B}[0m" : verdict.mark
    }

    /// Returns the columns with the status and the time.
    private func times(of result: CheckResult) -> String {
        let status = Self.rightAligned(result.statusText ?? "–", width: 3)
        let time = Self.rightAligned(result.timeText, width: 8)
        return "  \(status)  \(time)"
    }

    /// Returns a text with blanks before it, so that it has at least `width` characters.
    private static func rightAligned(_ text: String, width: Int) -> String { blanks(width - text.count) + text }

    /// Returns a number of blanks; none for a negative number.
    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }

    // MARK: Summary

    /// Prints the summary of a run.
    ///
    /// - Throws: The error of the output.
    func summarize(_ report: CheckReport) throws {
        var text = "\n"
        if namesAbsent { text += absentKeys(in: report) }
        text += "\(report.results.count.counted("check")): \(report.countsText)\n"
        for remark in report.remarks { text += remark + "\n" }
        try write(text)
    }

    /// Returns a line for each endpoint with the optional keys that no response had. Long lists are cut.
    ///
    ///     movies.video: optional, in no response: $.budget, $.homepage
    private func absentKeys(in report: CheckReport) -> String {
        let notes = report.notes.filter { $0.problem.kind == .absentKey }
        var text = ""
        for (name, notes) in notes.grouped(by: \.endpointName) {
            let paths = notes.compactMap(\.problem.path)
            let omittedCount = paths.count - Self.maxProblems
            let more = omittedCount > 0 ? ", … and \(omittedCount) more" : ""
            let shownPaths = paths.prefix(Self.maxProblems).joined(separator: ", ").safeToShow
            text += "\(name): optional, in no response: \(shownPaths)\(more)\n"
        }
        return text
    }

    /// Writes a text with the marks that the locale has, and without commands for a CI system.
    private func write(_ text: String) throws {
        try output.write(isUnchanged ? text : environment.withoutCommands(environment.marked(text)))
    }
}
