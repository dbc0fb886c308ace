import EndpointKit
import JSONText

/// The report for programs; every key is always there, null if it does not apply.
struct JSONReport {
    private let report: CheckReport

    init(_ report: CheckReport) { self.report = report }

    func write(to text: inout BufferedText) throws {
        try text.write("{\"version\":1,\"summary\":\(try summary),\"checks\":[")
        var separator = "\n"
        for result in report.results {
            try text.write(separator + Self.text(of: result))
            separator = ",\n"
        }
        try text.write("\n]}\n")
    }

    private var summary: String {
        get throws {
            Self.object([
                "passed": "\(report.count(.passed))", "failed": "\(report.count(.failed))",
                "drifted": "\(report.count(.drifted))", "skipped": "\(report.count(.skipped))",
                "interrupted": "\(report.isInterrupted)", "milliseconds": "\(report.time.milliseconds)",
                "p50": "\(report.latencies.p50.milliseconds)", "p95": "\(report.latencies.p95.milliseconds)",
                "max": "\(report.latencies.max.milliseconds)",
                "fixed": String(decoding: try JSONTextEncoder().encode(report.fixed), as: UTF8.self),
            ])
        }
    }

    private static func text(of result: CheckResult) -> String {
        let outcome = result.outcome
        return object([
            "name": quoted(result.name), "example": "\(result.example)", "run": "\(result.run)",
            "verdict": quoted(outcome.verdict.rawValue), "method": quoted(result.method.rawValue),
            "url": quoted(result.url), "status": number(outcome.status),
            "milliseconds": number(outcome.duration?.milliseconds), "attempts": "\(outcome.attempts)",
            "flaky": "\(outcome.isFlaky)", "reason": quoted(result.skipReason),
            "problems": "[" + outcome.problems.map(text).joined(separator: ",") + "]",
            "curl": quoted(result.call.curl),
        ])
    }

    private static func text(of problem: CheckProblem) -> String {
        object([
            "kind": quoted(problem.kind.rawValue), "path": quoted(problem.path?.safeToShow),
            "expected": quoted(problem.expected?.safeToShow), "found": quoted(problem.found?.safeToShow),
            "line": number(problem.line), "count": number(problem.count), "of": number(problem.of),
            "hint": quoted(problem.hint),
        ])
    }

    /// An object whose values are JSON already.
    private static func object(_ members: KeyValuePairs<String, String>) -> String {
        "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    private static func quoted(_ text: String?) -> String { text.map(JSONQuoting.quoted) ?? "null" }

    private static func number(_ number: Int?) -> String { number.map(String.init) ?? "null" }
}
