import EndpointKit
import EndpointTools
import JSONText

extension CheckReport {
    /// The report for programs; every key is always there, null if it does not apply.
    func writeJSON(to text: inout BufferedOutput) throws {
        let counts = [CheckVerdict.passed, .failed, .drifted, .skipped].map { ($0.rawValue, "\(count($0))") }
        let fixed = String(decoding: try JSONTextEncoder().encode(fixed), as: UTF8.self)
        let summary = object(
            counts
                + [("interrupted", "\(isInterrupted)"), ("milliseconds", "\(ending.time.milliseconds)"), ("fixed", fixed)])
        try text.write("{\"version\":1,\"summary\":\(summary),\"checks\":[")
        for (place, result) in results.enumerated() { try text.write((place == 0 ? "\n" : ",\n") + result.jsonText) }
        try text.write("\n]}\n")
    }
}

extension CheckResult {
    fileprivate var jsonText: String {
        object([
            ("name", json(name)), ("example", json(example)), ("case", json(call.caseName)),
            ("verdict", json(outcome.verdict.rawValue)), ("method", json(call.method.rawValue)), ("url", json(url)),
            ("status", json(outcome.status)), ("milliseconds", json(outcome.duration?.milliseconds)),
            ("attempts", json(outcome.attempts)), ("flaky", "\(outcome.isFlaky)"), ("reason", json(skipReason)),
            ("known", json(outcome.known)),
            ("problems", "[" + outcome.problems.map(\.jsonText).joined(separator: ",") + "]"),
            ("notCompared", "[" + outcome.notCompared.map(\.jsonText).joined(separator: ",") + "]"),
            ("excerpt", json(excerpt)), ("curl", json(call.curl)),
        ])
    }

    /// The beginning of a body that failed by its status or is not JSON, each line safe to show.
    private var excerpt: String? {
        outcome.bodyStart.map { $0.split(separator: "\n", omittingEmptySubsequences: false) }
            .map { $0.map { String($0).safeToShow }.joined(separator: "\n") }
    }
}

extension CheckProblem {
    fileprivate var jsonText: String {
        object([
            ("kind", json(kind.rawValue)), ("path", json(path?.safeToShow)), ("first", json(first?.safeToShow)),
            ("expected", json(expected?.safeToShow)),
            ("found", json(found?.safeToShow)), ("line", json(line)), ("count", json(count)), ("of", json(total)),
            ("hint", json(hint)),
        ])
    }
}

extension UncomparedPart {
    /// The keyword is null if it is the whole schema, or more keywords than are listed.
    fileprivate var jsonText: String {
        object([("keyword", json(keyword?.safeToShow)), ("pointer", json(pointer.safeToShow))])
    }
}

private func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
}

private func json(_ text: String?) -> String { text.map(JSONQuoting.quoted) ?? "null" }

private func json(_ number: Int?) -> String { number.map(String.init) ?? "null" }
