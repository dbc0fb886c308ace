import EndpointKit
import EndpointTools

extension CheckReport {
    /// Writes the XML that Jenkins and GitLab read: a suite for each API, and a test case for each check.
    func writeJUnit(to text: inout BufferedOutput) throws {
        let name = tool.escapedMarkup
        let attributes = "tests=\"\(results.count)\" failures=\"\(count(.failed))\" errors=\"0\""
        try text.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        try text.write("<testsuites name=\"\(name) check\" \(attributes) time=\"\(ending.time.secondsText)\">\n")
        for (api, results) in results.grouped(by: { $0.call.declaration.api.name }) {
            try writeJUnitSuite(api, results, to: &text)
        }
        // The schemas of JUnit reports need at least one suite.
        if results.isEmpty { try text.write("  <testsuite name=\"\(name)\" tests=\"0\"/>\n") }
        try text.write("</testsuites>\n")
    }

    /// Writes the suite of an API: its counts, and a test case for each of its checks. A check that drifted counts as
    /// passed.
    private func writeJUnitSuite(
        _ api: String, _ results: [CheckResult], to text: inout BufferedOutput
    ) throws {
        let failures = results.count { $0.outcome.verdict == .failed }
        let skipped = results.count { $0.outcome.verdict == .skipped }
        let time = results.reduce(Duration.zero) { $0 + ($1.outcome.duration ?? .zero) }
        let counts = "tests=\"\(results.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
        try text.write("  <testsuite name=\"\(api.escapedMarkup)\" \(counts) time=\"\(time.secondsText)\">\n")
        // Readers such as GitLab show only one of several test cases with the same name.
        let names = results.map(\.junitName).numbered(" #")
        for (name, result) in zip(names, results) { try text.write("    \(result.junitTestCase(name))\n") }
        try text.write("  </testsuite>\n")
    }
}

extension CheckResult {
    /// The name of the test case: that of the endpoint with the name of the case or the number of the example, such as
    /// `popular #1`.
    fileprivate var junitName: String { "\(call.endpointName) \(call.caseName ?? "#\(example)")" }

    /// Returns the test case of this check.
    ///
    /// - Parameter name: The name, which no other test case of the API has.
    fileprivate func junitTestCase(_ name: String) -> String {
        let attributes = [
            "classname=\"\(call.declaration.api.name.escapedMarkup)\"", "name=\"\(name.escapedMarkup)\"",
            "time=\"\((outcome.duration ?? .zero).secondsText)\"",
        ]
        let start = "<testcase " + attributes.joined(separator: " ")
        let content = junitContent
        return content.isEmpty ? start + "/>" : "\(start)>\(content)</testcase>"
    }

    /// The element in the test case that says what was found. It is empty if there is nothing to say.
    private var junitContent: String {
        let lines = lines.map(\.escapedMarkup)
        let text = lines.joined(separator: "\n")
        switch outcome.verdict {
        case .skipped:
            // The schemas allow no attribute here; GitLab shows the text.
            return "<skipped>\((skipReason ?? "").escapedMarkup)</skipped>"
        case .failed:
            // A problem that fails the check by itself comes first. With `--strict`, a check can fail by unexpected
            // keys alone, and with `--fail-on-skipped` it may have no problem at all.
            let failure = outcome.problems.first { $0.kind.verdict == .failed } ?? outcome.problems.first
            let type = failure?.kind.rawValue ?? CheckVerdict.skipped.rawValue
            return "<failure type=\"\(type)\" message=\"\(lines.first ?? "")\">\(text)</failure>"
        case .passed, .drifted:
            return lines.isEmpty ? "" : "<system-out>\(text)</system-out>"
        }
    }
}

extension Duration {
    /// The number of seconds with three decimals, which are as many as the schemas allow: `0.120`.
    fileprivate var secondsText: String {
        let (seconds, milliseconds) = max(milliseconds, 0).quotientAndRemainder(dividingBy: 1000)
        let decimals = String(1000 + milliseconds).dropFirst()
        return "\(seconds).\(decimals)"
    }
}
