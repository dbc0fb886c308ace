import EndpointKit
import EndpointTools
import JSONText

extension CheckReport {
    /// Writes the report for programs, with each check on a line.
    ///
    /// Every check has all keys. The value null means that a key does not apply.
    func writeJSON(to text: inout BufferedOutput) throws {
        try text.write(#"{"version":1,"summary":"#)
        try text.write(summary.written)
        try text.write(#","checks":["#)
        for (index, result) in results.enumerated() {
            try text.write(index == 0 ? "\n" : ",\n")
            try text.write(result.json.written)
        }
        try text.write("\n]}\n")
    }

    /// The counts of verdicts, the time of the run and the entries of the baseline that are no longer needed.
    private var summary: JSONValue {
        JSONValue(nullable: [
            "passed": count(.passed), "failed": count(.failed), "drifted": count(.drifted),
            "skipped": count(.skipped), "interrupted": isInterrupted, "milliseconds": ending.time.milliseconds,
            "fixed": fixed.map(\.json), "seed": ending.seed,
        ])
    }
}

extension JSONValue {
    /// An object that has null in place of each member that is nil.
    fileprivate init(nullable members: KeyValuePairs<String, (any JSONConvertible)?>) {
        self.init(members.map { key, value in (key, value?.json ?? .null) })
    }
}

extension CheckBaseline.Entry {
    /// The entry as the file of a baseline has it.
    fileprivate var json: JSONValue {
        JSONValue(members: ["name": name, "path": path, "kind": kind, "reason": reason])
    }
}

extension CheckResult {
    /// The check as an object of the report.
    fileprivate var json: JSONValue {
        JSONValue(nullable: [
            "name": name, "example": example, "case": call.caseName, "caseFile": call.caseLine?.file.safeToShow,
            "caseLine": call.caseLine?.line, "verdict": outcome.verdict.rawValue,
            "method": call.method.rawValue, "url": url, "status": outcome.status,
            "milliseconds": outcome.duration?.milliseconds, "attempts": outcome.attempts,
            "flaky": outcome.isFlaky, "reason": skipReason ?? outcome.notRun?.safeToShow,
            "known": outcome.acceptedKeyCount,
            "problems": outcome.problems.map(\.json), "notCompared": outcome.notCompared.map(\.json),
            "excerpt": excerpt, "curl": call.curl,
        ])
    }

    /// The beginning of the body if the check failed because of the status or because the body is not JSON. It is
    /// safe to show on a terminal.
    private var excerpt: String? {
        guard let bodyStart = outcome.bodyStart else { return nil }
        let lines = bodyStart.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { String($0).safeToShow }.joined(separator: "\n")
    }
}

extension CheckProblem {
    /// The problem as an object of the report.
    fileprivate var json: JSONValue {
        JSONValue(nullable: [
            "kind": kind.rawValue, "path": path?.safeToShow, "first": first?.safeToShow,
            "expected": expected?.safeToShow, "found": found?.safeToShow, "line": line, "count": count,
            "of": total, "hint": hint, "caseLine": caseLine?.line, "excerpt": excerpt?.safeToShow,
        ])
    }
}

extension UncomparedPart {
    /// The part as an object. Its keyword is null for a whole schema, and for the keywords that are not listed.
    fileprivate var json: JSONValue {
        JSONValue(nullable: ["keyword": keyword?.safeToShow, "pointer": pointer.safeToShow])
    }
}
