import EndpointKit
import EndpointTools

extension CheckReport {
    /// A heading of a report, and the checks that are listed under it.
    struct Section: Sendable {
        let title: String
        /// Whether a check is listed under the heading.
        let includes: @Sendable (CheckResult) -> Bool

        static let failed = Section(title: "Failed") { $0.outcome.verdict == .failed }
        static let drifted = Section(title: "Drifted") { $0.outcome.verdict == .drifted }
        static let flaky = Section(title: "Flaky") { $0.outcome.verdict == .passed && $0.outcome.isFlaky }
        static let repeated = Section(title: "Repeated") { result in
            result.outcome.verdict == .passed && !result.outcome.isFlaky && result.isRepeated
        }
        static let skipped = Section(title: "Skipped") { $0.outcome.verdict == .skipped }
    }

    /// The longest list of checks, in bytes. GitHub allows 1 MiB for the summary of a step, to which other steps of a
    /// script may add text.
    private static let maxListLength = 500_000

    /// Writes Markdown as GitHub and GitLab show it: the counts, the remarks, and the checks that did not pass or are
    /// flaky.
    ///
    /// - Throws: The error of the output.
    func writeMarkdown(to text: inout BufferedOutput) throws {
        let counts = [CheckVerdict.passed, .drifted, .failed, .skipped].map { "\(count($0))" }
        try text.write(
            """
            ## \(tool) check

            | passed | drifted | failed | skipped |
            |---:|---:|---:|---:|
            | \(counts.joined(separator: " | ")) |

            """)
        for remark in remarks { try text.write("\n\(remark.codeSpan)\n") }
        try writeLists(to: &text)
    }

    /// Writes a list of checks under each heading that has any. The lists end before they are too long for GitHub. Then
    /// a line says how many checks are left out.
    private func writeLists(to text: inout BufferedOutput) throws {
        var listLength = 0
        var omittedCount = 0
        for section in [Section.failed, .drifted, .flaky, .repeated, .skipped] {
            let sectionResults = results.filter(section.includes)
            if sectionResults.isEmpty { continue }
            try text.write("\n### \(section.title)\n\n")
            for result in sectionResults {
                if listLength >= Self.maxListLength {
                    omittedCount += 1
                } else {
                    let item = result.markdownItem
                    listLength += item.utf8.count
                    try text.write(item)
                }
            }
        }
        if omittedCount > 0 { try text.write("\n\(omittedCount) more are not shown here.\n") }
    }
}

extension CheckResult {
    /// The item of a list, with an inner list of what was found.
    ///
    ///     - ✗ ` movies.video `, 404, 80 ms
    ///       - ` status: expected 2xx, found 404 Not Found `
    fileprivate var markdownItem: String {
        let markedLabel = "- \(outcome.verdict.mark) \(call.label.codeSpan)"
        if let reason = skipReason { return "\(markedLabel): \(reason.codeSpan)\n" }
        let columns = [statusText, timeText].compactMap(\.self)
        let firstLine = ([markedLabel] + columns).joined(separator: ", ")
        let innerItems = lines.map { "  - \($0.codeSpan)\n" }
        return firstLine + "\n" + innerItems.joined()
    }
}

extension String {
    /// The text as a code span, in which nothing is markup (CommonMark, section 6.1).
    var codeSpan: String {
        if isEmpty { return "" }
        let backticks = fence()
        // The spaces keep the fence apart from backticks in the text. Markdown does not show them.
        return "\(backticks) \(self) \(backticks)"
    }

    /// Returns a run of backticks that is longer than all runs in the text, so that it can enclose the text.
    ///
    /// - Parameter minimumLength: The least length of the run.
    func fence(atLeast minimumLength: Int = 1) -> String {
        let runs = utf8.split { $0 != UInt8(ascii: "`") }
        let longestRun = runs.map(\.count).max() ?? 0
        return String(repeating: "`", count: max(longestRun + 1, minimumLength))
    }
}
