import EndpointKit
import EndpointTools

/// The results of a run of checks, from which all reports are written.
struct CheckReport: Sendable {
    /// The most problems that are kept. A hostile server must not fill the memory with them.
    private static let maxProblems = 50_000

    let tool: String
    private let options: CheckOptions
    private(set) var baseline: CheckBaseline
    /// The results in the order of the catalogue, or of the file of cases.
    private(set) var results: [CheckResult] = []
    private(set) var ending = Ending()
    private var counts: [CheckVerdict: Int] = [:]
    /// The parts of models that no response has had so far, by the names of endpoints. What remains at the end
    /// becomes notes.
    private var absentParts: [String: AbsentParts] = [:]
    /// The notes about all responses of an endpoint together, which are known only at the end.
    private(set) var notes: [EndpointNote] = []
    /// The names of endpoints with so many different keys that not all absent ones are noted.
    private var endpointsWithoutNotes: [String] = []
    private var problemCount = 0
    /// The number of problems that are left out, because there are too many.
    private var omittedProblemCount = 0
    private var uncomparedParts = UncomparedParts()
    /// Whether `--fail-on-skipped` has failed a check.
    private var hasFailedSkipped = false

    /// A fact about all responses of an endpoint, such as a key that none of them had.
    struct EndpointNote: Sendable {
        let endpointName: String
        let problem: CheckProblem
    }

    /// How a run ended.
    struct Ending: Sendable {
        /// How long the run took.
        var time = Duration.zero
        /// Whether a signal ended the run.
        var isInterrupted = false
        /// The number of checks in all parts of `--shard`.
        var total = 0
        /// The servers that `--wait` gave up on.
        var silentServers: [String] = []
        /// The number that decided the random values of cases; nil if no case has any.
        var seed: Int?
    }

    /// Makes a report without results.
    init(_ options: CheckOptions, _ baseline: CheckBaseline, _ context: CommandContext) {
        self.options = options
        self.baseline = baseline
        tool = context.tool
    }

    // MARK: Adding results

    /// Judges a result by the baseline and the options, and adds it to the report.
    ///
    /// - Parameters:
    ///   - newResult: The result.
    ///   - wasReached: Whether the run came to the check before it ended. `--fail-on-skipped` is only about checks
    ///     that it came to.
    /// - Returns: The result as it was judged, without the parts that no report shows.
    mutating func add(_ newResult: CheckResult, wasReached: Bool = true) -> CheckResult {
        var result = newResult
        baseline.judge(&result)
        result.outcome.problems = limited(result.outcome.problems)
        if options.judging.failsOnSkipped, result.outcome.verdict == .skipped, wasReached {
            result.outcome.verdict = .failed
            hasFailedSkipped = true
        }
        uncomparedParts.add(result)
        if let compared = result.outcome.evidence.compared {
            absentParts[result.name, default: AbsentParts()].add(
                compared.places, compared.redactor, resultIndex: results.count)
        }
        removeUnshownParts(of: &result.outcome)
        counts[result.outcome.verdict, default: 0] += 1
        results.append(result)
        return result
    }

    /// Returns the first problems of a result, as many as the report has room for. The others are counted.
    private mutating func limited(_ problems: [CheckProblem]) -> [CheckProblem] {
        // There is always room for one problem, so that a failure is never without a reason.
        let room = max(Self.maxProblems - problemCount, 1)
        let kept = Array(problems.prefix(room))
        problemCount += kept.count
        omittedProblemCount += problems.count - kept.count
        return kept
    }

    /// Removes the parts of an outcome that no report shows. They may be large, and would be kept until the end of
    /// the run.
    private func removeUnshownParts(of outcome: inout CheckOutcome) {
        outcome.evidence = CheckOutcome.Evidence()
        let writesJSON = options.reports.files[.json] != nil
        if !writesJSON || problemCount >= Self.maxProblems { outcome.bodyStart = nil }
        if !writesJSON { outcome.notCompared = [] }
    }

    /// Ends the run. Adds a note for each part of a model that no response of its endpoint had.
    mutating func finish(_ ending: Ending) {
        self.ending = ending
        for name in results.map(\.name) {
            // Several results may have the same endpoint. Its notes are added with the first one.
            guard let parts = absentParts.removeValue(forKey: name) else { continue }
            let problems = parts.addNotes(to: &results)
            notes += problems.map { EndpointNote(endpointName: name, problem: $0) }
            if !parts.isComplete { endpointsWithoutNotes.append(name) }
        }
    }

    // MARK: The run as a whole

    /// Whether a signal ended the run.
    var isInterrupted: Bool { ending.isInterrupted }

    /// Whether the run ends early because a check has failed (`--bail`).
    var isBailing: Bool { options.running.bail && count(.failed) > 0 }

    /// Whether no check was carried out, so that the run says nothing about the endpoints and fails.
    ///
    /// A part of `--shard` may have no checks without failing, because the other parts have them.
    var isEmpty: Bool { count(.skipped) == results.count && emptyShard == nil }

    /// The part of `--shard`, if it has no checks although other parts have some; otherwise nil.
    private var emptyShard: CheckShard? { results.isEmpty && ending.total > 0 ? options.running.shard : nil }

    /// The number of endpoints that were not checked because they have no example with values for their parameters.
    private var lackingExampleCount: Int {
        // Cases have values of their own, and a comparison with a document needs none.
        if !options.running.cases.isEmpty || options.running.document != nil { return 0 }
        return results.count { $0.outcome.notRun != nil && $0.call.declaration.examples.isEmpty }
    }

    /// The exit code of the command.
    var exitCode: ExitCode {
        if isInterrupted { return .interrupted }
        return isEmpty || count(.failed) > 0 ? .failure : .success
    }

    /// Returns the number of checks with a verdict.
    func count(_ verdict: CheckVerdict) -> Int { counts[verdict] ?? 0 }

    /// The number of checks with each verdict: `3 passed, 1 drifted, 0 failed, 2 skipped`.
    var countsText: String {
        let verdicts: [CheckVerdict] = [.passed, .drifted, .failed, .skipped]
        return verdicts.map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
    }

    /// The entries of the baseline whose differences are gone. An interrupted run can't tell, so it has none.
    var fixed: [CheckBaseline.Entry] { isInterrupted ? [] : baseline.fixed }

    // MARK: Remarks

    /// The sentences for a reader beyond the counts, such as `Interrupted: the rest was not run.` They are safe to
    /// print anywhere.
    var remarks: [String] {
        let remarks = runRemarks + noteRemarks + uncomparedParts.remarks + limitRemarks + fixedRemarks
        return remarks.map(\.safeToShow)
    }

    /// Remarks about checks that were not carried out.
    private var runRemarks: [String] {
        var remarks: [String] = []
        if isInterrupted { remarks.append("Interrupted: the rest was not run.") }
        if isEmpty { remarks.append("Nothing was checked.") }
        if lackingExampleCount > 0 {
            let count = lackingExampleCount.counted("endpoint")
            remarks.append(
                "\(count) without an example: check --init prints cases to fill in, check --cases FILE sends them.")
        }
        if let emptyShard { remarks.append("no check falls into shard \(emptyShard) of \(ending.total)") }
        let wait = (options.running.wait ?? .zero).shown
        for server in ending.silentServers {
            remarks.append("--wait gave up after \(wait): no response from \(server)")
        }
        if let seed = ending.seed, options.running.seed == nil {
            remarks.append("--seed \(seed) repeats the random values of this run.")
        }
        return remarks
    }

    /// Remarks about all responses of endpoints.
    private var noteRemarks: [String] {
        let emptyLists = notes.filter { $0.problem.kind == .emptyList }
        var remarks = emptyLists.map { "\($0.endpointName): \($0.problem.sentence)" }
        remarks += endpointsWithoutNotes.map { "\($0): too many different keys to note all that were in no response" }
        if hasFailedSkipped { remarks.append("Failed by --fail-on-skipped.") }
        let absentCount = notes.count - emptyLists.count
        if absentCount > 0, !options.reports.namesAbsent {
            let keys = absentCount == 1 ? "1 optional key was" : "\(absentCount) optional keys were"
            remarks.append("\(keys) in no response; -v names them.")
        }
        return remarks
    }

    /// The remark that problems are left out; empty if none are.
    private var limitRemarks: [String] {
        omittedProblemCount > 0 ? ["\(omittedProblemCount.counted("problem")) more: too many to list."] : []
    }

    /// Remarks about the entries of the baseline that are not needed any more.
    private var fixedRemarks: [String] {
        fixed.map { "No longer seen, remove it from the baseline: \($0.key.words.joined(separator: " "))" }
    }
}

// MARK: - Texts

/// The texts of a result in reports. Each is on one line, and safe to print anywhere.
extension CheckResult {
    /// The reason why nothing was sent; nil for a check that was not skipped.
    var skipReason: String? {
        guard outcome.verdict == .skipped else { return nil }
        let reason = outcome.notRun ?? outcome.problems.map(\.sentence).joined(separator: "; ")
        return reason.safeToShow
    }

    /// The reason why a check failed that sent nothing, as `--fail-on-skipped` asks: `skipped: there is no sample`. Nil
    /// if a problem says it, and for any other check.
    var skippedLine: String? {
        guard outcome.verdict == .failed, let reason = outcome.notRun else { return nil }
        return "skipped: " + reason.safeToShow
    }

    /// The problems, such as `missing-key: $.results[*].title`. The part of the response that shows the reason follows
    /// a problem on a line of its own.
    var problemLines: [String] { [skippedLine].compactMap(\.self) + outcome.problems.flatMap(\.lines) }

    /// Remarks about the check as a whole: `flaky: passed on attempt 2`, `3 attempts`, `2 keys in the baseline`.
    var notes: [String] {
        var notes: [String] = []
        if let repetition = outcome.repetition {
            let words = outcome.verdict.isSuccess ? "met" : "not met within \(repetition.limit.shown)"
            notes.append("until: \(words), carried out \(repetition.count.counted("time"))")
        }
        if outcome.isFlaky {
            notes.append("flaky: passed on attempt \(outcome.attempts)")
        } else if outcome.attempts > 1, outcome.repetition == nil {
            notes.append("\(outcome.attempts) attempts")
        }
        if outcome.known > 0 { notes.append("\(outcome.known.counted("key")) in the baseline") }
        return notes
    }

    /// Whether the case was carried out several times, as `until` asks.
    var isRepeated: Bool { (outcome.repetition?.count ?? 1) > 1 }

    /// The curl command; nil unless the check failed.
    var curlLine: String? { outcome.verdict == .failed ? call.curl : nil }

    /// The problems, the notes and the curl command.
    var lines: [String] { problemLines + notes + [curlLine].compactMap(\.self) }

    /// The status, such as `404`; nil without a response.
    var statusText: String? { outcome.status.map(String.init) }

    /// The time that the response took, such as `120 ms`.
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
        let place = caseLine.map { " [\($0)]" } ?? ""
        return "\(kind.rawValue): \(sentence)\(place)".safeToShow
    }

    /// The text, and on a second line the part of the response that shows the reason, if there is one.
    var lines: [String] {
        let excerptLine = excerpt.map { "  in the response: \($0)".safeToShow }
        return [text] + [excerptLine].compactMap(\.self)
    }
}
