import EndpointKit

/// The XML that Jenkins and GitLab read: a suite for each API, a test case for each check.
struct JUnitReport {
    private struct Suite {
        let name: String
        var tests = 0
        var failures = 0
        var skipped = 0
        var time = Duration.zero
    }

    private let report: CheckReport

    init(_ report: CheckReport) { self.report = report }

    func write(to text: inout BufferedText) throws {
        let tool = report.tool.escapedMarkup
        try text.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        // Without a test case, some readers take the file for a success and others for an error.
        guard !report.results.isEmpty else {
            try text.write(
                """
                <testsuites name="\(tool) check" tests="1" failures="0" errors="0" time="0">
                  <testsuite name="\(tool)" tests="1" failures="0" errors="0" skipped="1" time="0">
                    <testcase classname="\(tool)" name="check" time="0"><skipped>Nothing was checked.</skipped></testcase>
                  </testsuite>
                </testsuites>

                """)
            return
        }
        try text.write(
            "<testsuites name=\"\(tool) check\" tests=\"\(report.results.count)\" failures=\"\(report.count(.failed))\""
                + " errors=\"0\" time=\"\(Self.seconds(report.time))\">\n")
        var results = report.results[...]
        for suite in suites {
            try text.write(
                "  <testsuite name=\"\(suite.name.escapedMarkup)\" tests=\"\(suite.tests)\""
                    + " failures=\"\(suite.failures)\" errors=\"0\" skipped=\"\(suite.skipped)\""
                    + " time=\"\(Self.seconds(suite.time))\">\n")
            for result in results.prefix(suite.tests) { try text.write(element(result)) }
            results = results.dropFirst(suite.tests)
            try text.write("  </testsuite>\n")
        }
        try text.write("</testsuites>\n")
    }

    /// The checks of an API stand together.
    private var suites: [Suite] {
        var suites: [Suite] = []
        for result in report.results {
            let name = result.call.declaration.api.name
            if suites.last?.name != name { suites.append(Suite(name: name)) }
            let last = suites.count - 1
            suites[last].tests += 1
            if result.outcome.verdict == .failed { suites[last].failures += 1 }
            if result.outcome.verdict == .skipped { suites[last].skipped += 1 }
            suites[last].time += result.outcome.duration ?? .zero
        }
        return suites
    }

    private func element(_ result: CheckResult) -> String {
        let declaration = result.call.declaration
        let run = result.run > 1 ? " (run \(result.run))" : ""
        let start =
            "    <testcase classname=\"\(declaration.api.name.escapedMarkup)\""
            + " name=\"\("\(declaration.endpointName) #\(result.example)\(run)".escapedMarkup)\""
            + " time=\"\(Self.seconds(result.outcome.duration ?? .zero))\""
        let lines = (result.problemLines + [result.flakyLine, result.curlLine].compactMap(\.self)).map(\.escapedMarkup)
        let text = lines.joined(separator: "\n")
        switch result.outcome.verdict {
        case .skipped:
            // The schema allows no attribute here; GitLab shows the text.
            return start + "><skipped>\((result.skipReason ?? "").escapedMarkup)</skipped></testcase>\n"
        case .failed:
            let kind = result.outcome.problems.first { $0.kind.verdict == .failed }?.kind ?? .unexpectedKey
            return start + "><failure type=\"\(kind.rawValue)\" message=\"\(lines.first ?? "")\">\(text)</failure>"
                + "</testcase>\n"
        case .passed, .drifted:
            return start + (lines.isEmpty ? "/>\n" : "><system-out>\(text)</system-out></testcase>\n")
        }
    }

    /// With three decimals, as many as the schema allows.
    private static func seconds(_ duration: Duration) -> String {
        let (seconds, rest) = max(duration.milliseconds, 0).quotientAndRemainder(dividingBy: 1000)
        return "\(seconds)." + String(String(1000 + rest).dropFirst())
    }
}
