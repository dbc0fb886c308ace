import EndpointKit

/// The XML that Jenkins and GitLab read: a suite for each API, a test case for each check.
struct JUnitReport {
    private let report: CheckReport

    init(_ report: CheckReport) { self.report = report }

    /// Throws what the output does.
    func write(to text: inout BufferedText) throws {
        try text.write("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        // Without a test case, some readers take the file for a success and others for an error.
        guard !report.records.isEmpty else {
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
        let suites = suites
        try text.write(
            "<testsuites name=\"\(tool) check\" tests=\"\(report.records.count)\" failures=\"\(report.count(.failed))\""
                + " errors=\"0\" time=\"\(Self.seconds(report.time))\">\n")
        var items = report.items.makeIterator()
        for suite in suites {
            try text.write(
                "  <testsuite name=\"\(MarkupText.escaped(suite.name))\" tests=\"\(suite.tests)\""
                    + " failures=\"\(suite.failures)\" errors=\"0\" skipped=\"\(suite.skipped)\""
                    + " time=\"\(Self.seconds(suite.time))\">\n")
            for _ in 0..<suite.tests {
                if let item = items.next() { try write(item, to: &text) }
            }
            try text.write("  </testsuite>\n")
        }
        try text.write("</testsuites>\n")
    }

    private var tool: String { MarkupText.escaped(report.tool) }

    private struct Suite {
        let name: String
        var tests = 0
        var failures = 0
        var skipped = 0
        var time = Duration.zero
    }

    /// The checks of an API stand together.
    private var suites: [Suite] {
        var suites: [Suite] = []
        for item in report.items {
            let name = item.check.declaration.api.name
            if suites.last?.name != name { suites.append(Suite(name: name)) }
            let last = suites.count - 1
            suites[last].tests += 1
            if item.outcome.verdict == .failed { suites[last].failures += 1 }
            if item.outcome.verdict == .skipped { suites[last].skipped += 1 }
            suites[last].time += item.outcome.duration ?? .zero
        }
        return suites
    }

    private func write(_ item: CheckItem, to text: inout BufferedText) throws {
        let run = item.record.run > 1 ? " (run \(item.record.run))" : ""
        let name = MarkupText.escaped("\(item.endpointName) #\(item.check.example)\(run)")
        let className = MarkupText.escaped(item.check.declaration.api.name)
        try text.write(
            "    <testcase classname=\"\(className)\" name=\"\(name)\""
                + " time=\"\(Self.seconds(item.outcome.duration ?? .zero))\"")
        let lines = (item.problemLines + [item.flakyText, item.curlLine].compactMap(\.self)).map(MarkupText.escaped)
        switch item.outcome.verdict {
        case .skipped:
            // The schema allows no attribute here; GitLab shows the text.
            try text.write("><skipped>\(MarkupText.escaped(item.skipReason ?? ""))</skipped></testcase>\n")
        case .failed:
            let kind = item.outcome.problems.first { $0.kind.verdict == .failed }?.kind ?? .unexpectedKey
            try text.write(
                "><failure type=\"\(kind.rawValue)\" message=\"\(lines.first ?? "")\">"
                    + lines.joined(separator: "\n") + "</failure></testcase>\n")
        case .passed, .drifted:
            try text.write(
                lines.isEmpty
                    ? "/>\n" : "><system-out>\(lines.joined(separator: "\n"))</system-out></testcase>\n")
        }
    }

    /// With three decimals, as many as the schema allows.
    static func seconds(_ duration: Duration) -> String {
        let (seconds, rest) = max(duration.milliseconds, 0).quotientAndRemainder(dividingBy: 1000)
        return "\(seconds)." + String(String(1000 + rest).dropFirst())
    }
}
