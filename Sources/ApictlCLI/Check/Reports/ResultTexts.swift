import EndpointKit
import EndpointTools

/// The texts of a result in reports. Each is on one line, and safe to print anywhere.
extension CheckResult {
    /// The reason why nothing was sent; nil if the verdict is another one than skipped.
    var skipReason: String? {
        guard outcome.verdict == .skipped else { return nil }
        let reason = outcome.notRun ?? outcome.problems.map(\.sentence).joined(separator: "; ")
        return reason.safeToShow
    }

    /// The reason why a check sent nothing, if `--fail-on-skipped` has failed it: `skipped: there is no sample`. Nil if
    /// a problem says the reason, and for any other check.
    var failedSkipLine: String? {
        guard outcome.verdict == .failed, let reason = outcome.notRun else { return nil }
        return "skipped: " + reason.safeToShow
    }

    /// The lines about why the check did not pass: the reason why nothing was sent, and the problems, such as
    /// `missing-key: $.results[*].title`. A problem may have a second line with the part of the response that shows it.
    var problemLines: [String] {
        let linesOfProblems = outcome.problems.flatMap(\.lines)
        guard let failedSkipLine else { return linesOfProblems }
        return [failedSkipLine] + linesOfProblems
    }

    /// Remarks about the check as a whole: `until: met, carried out 3 times`, `flaky: passed on attempt 2`,
    /// `3 attempts`, `2 keys in the baseline`.
    var notes: [String] {
        var notes: [String] = []
        if let repetition = outcome.repetition {
            let isMet = outcome.verdict.isSuccess
            let success = isMet ? "met" : "not met within \(repetition.limit.shown)"
            notes.append("until: \(success), carried out \(repetition.count.counted("time"))")
        }
        if outcome.isFlaky {
            notes.append("flaky: passed on attempt \(outcome.attempts)")
        } else if outcome.attempts > 1, outcome.repetition == nil {
            notes.append("\(outcome.attempts) attempts")
        }
        if outcome.acceptedKeyCount > 0 { notes.append("\(outcome.acceptedKeyCount.counted("key")) in the baseline") }
        return notes
    }

    /// Whether the case was carried out several times, as `until` asks.
    var isRepeated: Bool { (outcome.repetition?.count ?? 1) > 1 }

    /// The curl command; nil unless the check failed.
    var curlLine: String? { outcome.verdict == .failed ? call.curl : nil }

    /// All lines about the check: the problems, the notes and the curl command.
    var lines: [String] {
        var lines = problemLines + notes
        if let curlLine { lines.append(curlLine) }
        return lines
    }

    /// The status, such as `404`; nil without a response.
    var statusText: String? { outcome.status.map(String.init) }

    /// The time that the response took, such as `120 ms`; `0 ms` if nothing was sent.
    var timeText: String { "\(outcome.duration?.milliseconds ?? 0) ms" }
}

extension CheckedCall {
    /// The endpoint's name without that of the API: `popular` for `movies.popular`.
    var endpointName: String {
        let prefix = declaration.api.name + "."
        return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
    }

    /// The endpoint's name, followed by the name of the case, or by the example's number if there are several.
    ///
    ///     movies.popular
    ///     movies.popular #2
    ///     movies.popular: second page
    var label: String {
        if let caseName { return "\(name): \(caseName)" }
        return declaration.examples.count > 1 ? "\(name) #\(example)" : name
    }
}

extension CheckVerdict {
    /// The character that marks the verdict in text.
    var mark: String {
        switch self {
        case .passed: "✓"
        case .drifted: "~"
        case .failed: "✗"
        case .skipped: "–"
        }
    }

    /// The parameter of the SGR escape sequence for the colour of the mark.
    var colorCode: String {
        switch self {
        case .passed: "32"
        case .drifted: "33"
        case .failed: "31"
        case .skipped: "2"
        }
    }
}

extension CheckProblem {
    /// The kind and the sentence on one line, safe to print anywhere. The line of a case's requirement follows:
    /// `wrong-value: items: expected count 3, found 2 [cases.json:7]`.
    var text: String {
        let lineOfCase = caseLine.map { " [\($0)]" } ?? ""
        return "\(kind.rawValue): \(sentence)\(lineOfCase)".safeToShow
    }

    /// The text, and on a second line the part of the response that shows the reason, if there is one.
    var lines: [String] {
        guard let excerpt else { return [text] }
        return [text, "  in the response: \(excerpt)".safeToShow]
    }
}
