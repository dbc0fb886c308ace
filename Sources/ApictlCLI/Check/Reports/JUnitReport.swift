import EndpointKit
import EndpointTools

extension CheckReport {
    /// The XML that Jenkins and GitLab read: a suite for each API, a test case for each check.
    func writeJUnit(to text: inout BufferedOutput) throws {
        try text.write(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                + "<testsuites name=\"\(tool.escapedMarkup) check\" tests=\"\(results.count)\" failures=\"\(count(.failed))\""
                + " errors=\"0\" time=\"\(ending.time.seconds)\">\n")
        for (api, suite) in results.grouped(by: { $0.call.declaration.api.name }) {
            try text.write(
                "  <testsuite name=\"\(api.escapedMarkup)\" tests=\"\(suite.count)\""
                    + " failures=\"\(suite.count { $0.outcome.verdict == .failed })\" errors=\"0\""
                    + " skipped=\"\(suite.count { $0.outcome.verdict == .skipped })\""
                    + " time=\"\(suite.reduce(Duration.zero) { $0 + ($1.outcome.duration ?? .zero) }.seconds)\">\n")
            for result in suite { try text.write(result.junit) }
            try text.write("  </testsuite>\n")
        }
        // The schemas need one.
        if results.isEmpty { try text.write("  <testsuite name=\"\(tool.escapedMarkup)\" tests=\"0\"/>\n") }
        try text.write("</testsuites>\n")
    }
}

extension CheckResult {
    fileprivate var junit: String {
        let declaration = call.declaration
        let start =
            "    <testcase classname=\"\(declaration.api.name.escapedMarkup)\""
            + " name=\"\("\(call.endpointName) \(call.caseName ?? "#\(example)")".escapedMarkup)\""
            + " time=\"\((outcome.duration ?? .zero).seconds)\""
        let lines = lines.map(\.escapedMarkup)
        let text = lines.joined(separator: "\n")
        switch outcome.verdict {
        case .skipped:
            // The schema allows no attribute here; GitLab shows the text.
            return start + "><skipped>\((skipReason ?? "").escapedMarkup)</skipped></testcase>\n"
        case .failed:
            let problem = outcome.problems.first { $0.kind.verdict == .failed } ?? outcome.problems.first
            let kind = problem?.kind ?? .unexpectedKey
            return start + "><failure type=\"\(kind.rawValue)\" message=\"\(lines.first ?? "")\">\(text)</failure>"
                + "</testcase>\n"
        case .passed, .drifted:
            return start + (lines.isEmpty ? "/>\n" : "><system-out>\(text)</system-out></testcase>\n")
        }
    }
}

extension Duration {
    /// With three decimals, as many as the schema allows.
    fileprivate var seconds: String {
        let (seconds, rest) = max(milliseconds, 0).quotientAndRemainder(dividingBy: 1000)
        return "\(seconds)." + String(String(1000 + rest).dropFirst())
    }
}
