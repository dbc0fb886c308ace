import EndpointKit
import JSONText

/// The report for programs; every key is always there, null if it does not apply.
struct JSONReport {
    private let report: CheckReport

    init(_ report: CheckReport) { self.report = report }

    /// Throws what the output does.
    func write(to text: inout BufferedText) throws {
        let encoder = JSONTextEncoder()
        try text.write("{\"version\":1,\"summary\":")
        try text.write(encoder.encode(Summary(report)))
        try text.write(",\"checks\":[")
        var separator = "\n"
        for item in report.items {
            try text.write(separator)
            try text.write(encoder.encode(Check(item)))
            separator = ",\n"
        }
        try text.write("\n]}\n")
    }
}

extension JSONReport {
    private struct Summary: Encodable {
        let passed: Int
        let failed: Int
        let drifted: Int
        let skipped: Int
        let interrupted: Bool
        let milliseconds: Int
        let p50: Int
        let p95: Int
        let max: Int
        /// Entries of the baseline that no response shows any more.
        let fixed: [Baseline.Entry]

        init(_ report: CheckReport) {
            passed = report.count(.passed)
            failed = report.count(.failed)
            drifted = report.count(.drifted)
            skipped = report.count(.skipped)
            interrupted = report.isInterrupted
            milliseconds = report.time.milliseconds
            p50 = report.latencies.p50.milliseconds
            p95 = report.latencies.p95.milliseconds
            max = report.latencies.max.milliseconds
            fixed = report.fixed
        }
    }

    private struct Check: Encodable {
        private enum CodingKeys: String, CodingKey {
            case name, example, run, verdict, method, url, status, milliseconds, attempts, flaky, reason, problems, curl
        }

        let item: CheckItem

        init(_ item: CheckItem) { self.item = item }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            let (check, outcome) = (item.check, item.outcome)
            try container.encode(check.name, forKey: .name)
            try container.encode(check.example, forKey: .example)
            try container.encode(item.record.run, forKey: .run)
            try container.encode(outcome.verdict.rawValue, forKey: .verdict)
            try container.encode(check.method.rawValue, forKey: .method)
            try container.encode(item.request?.url, forKey: .url)
            try container.encode(outcome.status, forKey: .status)
            try container.encode(outcome.duration?.milliseconds, forKey: .milliseconds)
            try container.encode(outcome.attempts, forKey: .attempts)
            try container.encode(outcome.isFlaky, forKey: .flaky)
            try container.encode(item.skipReason, forKey: .reason)
            try container.encode(outcome.problems.map(Problem.init), forKey: .problems)
            try container.encode(item.request?.curl, forKey: .curl)
        }
    }

    private struct Problem: Encodable {
        private enum CodingKeys: String, CodingKey {
            case kind, path, expected, found, line, count, of, hint
        }

        let problem: CheckProblem

        init(_ problem: CheckProblem) { self.problem = problem }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(problem.kind.rawValue, forKey: .kind)
            try container.encode(problem.path?.safeToShow, forKey: .path)
            try container.encode(problem.expected?.safeToShow, forKey: .expected)
            try container.encode(problem.found?.safeToShow, forKey: .found)
            try container.encode(problem.line, forKey: .line)
            try container.encode(problem.count, forKey: .count)
            try container.encode(problem.of, forKey: .of)
            try container.encode(problem.hint, forKey: .hint)
        }
    }
}
