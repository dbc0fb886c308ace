import EndpointKit
import EndpointTools

extension CheckReport {
    /// Writes the XML that Jenkins and GitLab read: a suite for each API, and a test case for each check.
    ///
    /// - Throws: The error of the output.
    func writeJUnit(to text: inout BufferedOutput) throws {
        let toolName = tool.escapedMarkup
        let counts = #"tests="\#(results.count)" failures="\#(count(.failed))" errors="0""#
        try text.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="\(toolName) check" \(counts) time="\(ending.time.secondsText)">

            """)
        for (api, resultsOfAPI) in results.grouped(by: { $0.call.declaration.api.name }) {
            try writeJUnitSuite(of: api, results: resultsOfAPI, to: &text)
        }
        // The schemas of JUnit reports need at least one suite.
        if results.isEmpty { try text.write(#"  <testsuite name="\#(toolName)" tests="0"/>\#n"#) }
        try text.write("</testsuites>\n")
    }

    /// Writes the suite of an API: its counts, and a test case for each of its checks.
    ///
    /// A check that drifted counts as passed. The count of errors is always 0, because every failed check counts as a
    /// failure.
    private func writeJUnitSuite(
        of api: String, results resultsOfAPI: [CheckResult], to text: inout BufferedOutput
    ) throws {
        let failureCount = resultsOfAPI.count { $0.outcome.verdict == .failed }
        let skippedCount = resultsOfAPI.count { $0.outcome.verdict == .skipped }
        let time = resultsOfAPI.compactMap(\.outcome.duration).reduce(.zero, +)
        let attributes = [
            #"name="\#(api.escapedMarkup)""#, #"tests="\#(resultsOfAPI.count)""#, #"failures="\#(failureCount)""#,
            #"errors="0""#, #"skipped="\#(skippedCount)""#, #"time="\#(time.secondsText)""#,
        ]
        try text.write("  <testsuite \(attributes.joined(separator: " "))>\n")
        // Readers such as GitLab show only one of several test cases with the same name.
        let uniqueNames = resultsOfAPI.map(\.junitName).numbered(separator: " #")
        for (name, result) in zip(uniqueNames, resultsOfAPI) {
            try text.write("    \(result.junitTestCase(named: name))\n")
        }
        try text.write("  </testsuite>\n")
    }
}

extension CheckResult {
    /// The name of the test case: that of the endpoint with the name of the case or the number of the example, such as
    /// `popular #1`.
    fileprivate var junitName: String { "\(call.endpointName) \(call.caseName ?? "#\(example)")" }

    /// Returns the element of this check, on one line unless it has several problems.
    ///
    /// - Parameter name: The name, which no other test case of the API has.
    fileprivate func junitTestCase(named name: String) -> String {
        let attributes = [
            #"classname="\#(call.declaration.api.name.escapedMarkup)""#, #"name="\#(name.escapedMarkup)""#,
            #"time="\#((outcome.duration ?? .zero).secondsText)""#,
        ]
        let content = junitContent
        let openTag = "<testcase " + attributes.joined(separator: " ")
        return content.isEmpty ? openTag + "/>" : openTag + ">" + content + "</testcase>"
    }

    /// The element in the test case that says what was found. It is empty if there is nothing to say.
    private var junitContent: String {
        let escapedLines = lines.map(\.escapedMarkup)
        let text = escapedLines.joined(separator: "\n")
        switch outcome.verdict {
        case .skipped:
            // The schemas allow no attribute here; GitLab shows the text.
            return "<skipped>\((skipReason ?? "").escapedMarkup)</skipped>"
        case .failed:
            let message = escapedLines.first ?? ""
            return #"<failure type="\#(junitFailureType)" message="\#(message)">\#(text)</failure>"#
        case .passed, .drifted:
            return text.isEmpty ? "" : "<system-out>\(text)</system-out>"
        }
    }

    /// The type of a failure: the kind of the problem that fails the check. If `--fail-on-skipped` has failed the
    /// check, there may be no problem, and the type is `skipped`.
    private var junitFailureType: String {
        // With `--strict`, a check can fail by unexpected keys alone, which do not fail it by themselves.
        let problem = outcome.problems.first { $0.kind.verdict == .failed } ?? outcome.problems.first
        return problem?.kind.rawValue ?? CheckVerdict.skipped.rawValue
    }
}

extension Duration {
    /// The number of seconds with three decimals, which are as many as the schemas allow: `0.120`.
    fileprivate var secondsText: String {
        let (seconds, remainder) = max(milliseconds, 0).quotientAndRemainder(dividingBy: 1000)
        // 1000 is added for the leading zeros: 20 → 1020 → 020.
        let decimals = String(1000 + remainder).dropFirst()
        return "\(seconds).\(decimals)"
    }
}
