import EndpointKit
import EndpointTools

extension CheckReport {
    /// A heading of a report, and the checks that are listed under it.
    struct Section: Sendable {
        let title: String
        let includes: @Sendable (CheckResult) -> Bool

        static let failed = Section(title: "Failed") { $0.outcome.verdict == .failed }
        static let drifted = Section(title: "Drifted") { $0.outcome.verdict == .drifted }
        static let flaky = Section(title: "Flaky") { $0.outcome.verdict == .passed && $0.outcome.isFlaky }
        static let repeated = Section(title: "Repeated") { result in
            result.outcome.verdict == .passed && !result.outcome.isFlaky && result.isRepeated
        }
        static let skipped = Section(title: "Skipped") { $0.outcome.verdict == .skipped }
    }

    /// The longest list of checks, in bytes. GitHub allows 1 MiB for the summary of a step.
    private static let maxListLength = 500_000

    /// Writes Markdown as GitHub and GitLab show it: the counts, the remarks, and the checks that did not pass or are
    /// flaky.
    ///
    /// The list ends before it is too long for GitHub. A line says how many checks are left out.
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
        var listLength = 0
        var omittedCount = 0
        for section in [Section.failed, .drifted, .flaky, .repeated, .skipped] {
            let sectionResults = results.filter(section.includes)
            if sectionResults.isEmpty { continue }
            try text.write("\n### \(section.title)\n\n")
            for result in sectionResults {
                guard listLength < Self.maxListLength else {
                    omittedCount += 1
                    continue
                }
                let item = result.markdownItem
                listLength += item.utf8.count
                try text.write(item)
            }
        }
        if omittedCount > 0 { try text.write("\n\(omittedCount) more are not shown here.\n") }
    }
}

extension CheckResult {
    /// The item of a list, with an inner list of what was found.
    fileprivate var markdownItem: String {
        let start = "- \(outcome.verdict.mark) \(call.label.codeSpan)"
        if let reason = skipReason { return "\(start): \(reason.codeSpan)\n" }
        let facts = [statusText, timeText].compactMap(\.self).map { ", " + $0 }
        let innerItems = lines.map { "  - \($0.codeSpan)\n" }
        return start + facts.joined() + "\n" + innerItems.joined()
    }
}

extension String {
    /// The text as a code span, in which nothing is markup (CommonMark, section 6.1).
    var codeSpan: String {
        if isEmpty { return "" }
        let fence = fence()
        // The spaces keep the fence apart from backticks in the text. Markdown does not show them.
        return "\(fence) \(self) \(fence)"
    }

    /// Returns a run of backticks that is longer than all runs in the text, so that it can enclose the text.
    ///
    /// - Parameter least: The least length of the run.
    func fence(atLeast least: Int = 1) -> String {
        let runs = utf8.split { $0 != UInt8(ascii: "`") }
        let longestRun = runs.map(\.count).max() ?? 0
        return String(repeating: "`", count: max(longestRun + 1, least))
    }
}
