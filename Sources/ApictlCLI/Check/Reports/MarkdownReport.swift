import EndpointKit
import EndpointTools

extension CheckReport {
    private static let sections: [(title: String, includes: @Sendable (CheckResult) -> Bool)] = [
        ("Failed", { $0.outcome.verdict == .failed }), ("Drifted", { $0.outcome.verdict == .drifted }),
        ("Flaky", { $0.outcome.verdict == .passed && $0.outcome.isFlaky }),
        ("Skipped", { $0.outcome.verdict == .skipped }),
    ]

    /// A step summary may have 1 MiB, so the list of checks is shorter, in bytes.
    private static let maxList = 500_000

    /// Markdown as GitHub and GitLab show it: the counts, and the checks that did not pass.
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
        var length = 0
        var omitted = 0
        for (title, includes) in Self.sections where results.contains(where: includes) {
            try text.write("\n### \(title)\n\n")
            for result in results where includes(result) {
                guard length < Self.maxList else {
                    omitted += 1
                    continue
                }
                let entry = result.entry
                length += entry.utf8.count
                try text.write(entry)
            }
        }
        if omitted > 0 { try text.write("\n\(omitted) more are not shown here.\n") }
    }
}

extension CheckResult {
    fileprivate var entry: String {
        let text = "- \(outcome.verdict.style.mark) \(call.label.codeSpan)"
        if let reason = skipReason { return text + ": \(reason.codeSpan)\n" }
        return text + (statusText.map { ", " + $0 } ?? "") + ", \(timeText)\n"
            + lines.map { "  - \($0.codeSpan)\n" }.joined()
    }
}

extension String {
    /// A code span, in which nothing is markup (CommonMark, section 6.1).
    var codeSpan: String {
        // The spaces are taken off again; they keep the fence apart from backticks in the text.
        isEmpty ? "" : "\(fence()) \(self) \(fence())"
    }

    /// Backticks, more of them than stand together in the text.
    func fence(atLeast least: Int = 1) -> String {
        let runs = utf8.split { $0 != UInt8(ascii: "`") }
        return String(repeating: "`", count: max((runs.map(\.count).max() ?? 0) + 1, least))
    }
}

/// What GitHub Actions shows: annotations on the lines of the endpoints, and the summary of the step.
extension CheckReport {
    /// GitHub shows ten of each kind for a step; more only make the log long.
    private static let maxAnnotations = 50

    /// Prints the annotations on `output` and appends to the step's summary. Throws ``FileError``, and what `output` does.
    func writeGitHub(to output: any ByteOutput, _ environment: ProcessEnvironment) throws {
        for (_, includes) in Self.sections.dropLast() {
            let reported = results.lazy.filter { includes($0) && !$0.faults.isEmpty }
            for result in reported.prefix(Self.maxAnnotations) {
                try output.write(result.annotation(environment.value("PWD")) + "\n")
            }
        }
        guard let path = environment.value("GITHUB_STEP_SUMMARY") else { return }
        var earlier: [UInt8] = []
        do {
            earlier = try environment.files.readAll(path)
        } catch let error as FileError where error.isMissing {}
        let summary = BufferOutput()
        try ReportKind.md.write(self, to: summary)
        try environment.files.replace(path, with: earlier + summary.bytes)
    }
}

extension CheckResult {
    /// `::error file=Endpoints/Movies/Movies.swift,line=27,title=movies.video::status: expected 2xx, found 404 Not Found`
    fileprivate func annotation(_ directory: String?) -> String {
        let root = directory.map { $0 + "/" } ?? ""
        let file = call.source.file
        let place = !root.isEmpty && root != "//" && file.hasPrefix(root) ? String(file.dropFirst(root.count)) : file
        let properties = [("file", place), ("line", "\(call.source.line)"), ("title", call.label)].map { name, value in
            "\(name)=" + value.annotationData.replacingBytes(of: ":", with: "%3A").replacingBytes(of: ",", with: "%2C")
        }
        let command = outcome.verdict == .failed ? "error" : "warning"
        return "::\(command) \(properties.joined(separator: ","))::\(faults.joined(separator: "\n").annotationData)"
    }

    fileprivate var faults: [String] {
        outcome.problems.filter { $0.kind.verdict != .passed }.map(\.text) + (outcome.isFlaky ? notes : [])
    }
}

extension String {
    fileprivate var annotationData: String {
        replacingBytes(of: "%", with: "%25").replacingBytes(of: "\r", with: "%0D").replacingBytes(of: "\n", with: "%0A")
    }
}

extension ProcessEnvironment {
    /// `text` without what GitHub Actions and Azure Pipelines carry out anywhere in a line. No line of a report starts with `::`.
    func withoutCommands(_ text: String) -> String {
        guard isSet("GITHUB_ACTIONS") || isSet("TF_BUILD") else { return text }
        return text.replacingBytes(of: "##[", with: "## [").replacingBytes(of: "##vso[", with: "##vso [")
    }
}
