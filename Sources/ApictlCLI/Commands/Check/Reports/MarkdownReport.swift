import EndpointKit

/// Markdown as GitHub and GitLab show it: the counts, and the checks that did not pass.
struct MarkdownReport {
    /// A step summary may have 1 MiB, so the list of checks is shorter, in bytes.
    private static let longestList = 500_000

    private let report: CheckReport

    init(_ report: CheckReport) { self.report = report }

    /// Throws what the output does.
    func write(to text: inout BufferedText) throws {
        try text.write("## \(report.tool) check\n\n| passed | drifted | failed | skipped |\n|---:|---:|---:|---:|\n")
        let counts = [CheckVerdict.passed, .drifted, .failed, .skipped].map { "\(report.count($0))" }
        try text.write("| \(counts.joined(separator: " | ")) |\n\n")
        let latencies = report.latencies
        try text.write(
            "p50 \(latencies.p50.milliseconds) ms, p95 \(latencies.p95.milliseconds) ms, max \(latencies.max.milliseconds) ms\n"
        )
        for remark in report.remarks { try text.write("\n\(Self.code(remark))\n") }
        var length = 0
        var omitted = 0
        for verdict in [CheckVerdict.failed, .drifted, .skipped] where report.count(verdict) > 0 {
            try text.write("\n### \(verdict.rawValue.capitalized)\n\n")
            for item in report.items where item.outcome.verdict == verdict {
                guard length < Self.longestList else {
                    omitted += 1
                    continue
                }
                let entry = entry(item)
                length += entry.utf8.count
                try text.write(entry)
            }
        }
        if omitted > 0 { try text.write("\n\(omitted) more are not shown here.\n") }
    }

    private func entry(_ item: CheckItem) -> String {
        var text = "- \(item.outcome.verdict.mark) \(Self.code(item.check.label))"
        if let reason = item.skipReason { return text + ": \(Self.code(reason))\n" }
        if let status = item.outcome.status { text += ", \(status)" }
        text += ", \(item.outcome.duration?.milliseconds ?? 0) ms\n"
        for line in item.problemLines { text += "  - \(Self.code(line))\n" }
        if let curl = item.curlLine { text += "  - \(Self.code(curl))\n" }
        return text
    }

    /// A code span, in which nothing is markup (CommonMark, section 6.1).
    static func code(_ text: String) -> String {
        var longest = 0
        var current = 0
        for byte in text.utf8 {
            current = byte == UInt8(ascii: "`") ? current + 1 : 0
            longest = max(longest, current)
        }
        let fence = String(repeating: "`", count: longest + 1)
        // The spaces are taken off again; they keep the fence apart from backticks in the text.
        return text.isEmpty ? "" : "\(fence) \(text) \(fence)"
    }
}
