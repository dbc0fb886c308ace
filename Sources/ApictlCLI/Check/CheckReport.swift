import EndpointKit
import EndpointTools

/// The results of a run: collected in order, judged by what only several of them show, and printed by reports.
struct CheckReport: Sendable {
    /// Different problems that are kept, at most: a hostile server must not fill the memory with them.
    private static let maxProblems = 50_000

    let tool: String
    private let options: CheckOptions
    private(set) var baseline: CheckBaseline
    /// In the order of the catalogue, or of the file of cases.
    private(set) var results: [CheckResult] = []
    private(set) var ending = Ending()
    private var counts: [CheckVerdict: Int] = [:]
    /// By the names of endpoints.
    private var absent: [String: AbsentParts] = [:]
    /// The notes that need all responses of an endpoint, each with the endpoint's name.
    private(set) var notes: [(name: String, problem: CheckProblem)] = []
    /// The names of endpoints whose responses have too many different places, so that some notes are left out.
    private var endpointsWithoutNotes: [String] = []
    private var problemCount = 0
    /// The number of problems that are left out, because there are too many.
    private var omittedProblemCount = 0
    private var uncomparedParts = UncomparedParts()
    /// Whether `--fail-on-skipped` has failed a check.
    private var hasFailedSkipped = false

    /// How a run ended.
    struct Ending {
        /// How long the run took.
        var time = Duration.zero
        /// Whether a signal ended the run.
        var isInterrupted = false
        /// The number of checks in all parts of `--shard`.
        var total = 0
        /// The servers that `--wait` gave up on.
        var silentServers: [String] = []
    }

    var isInterrupted: Bool { ending.isInterrupted }

    init(_ options: CheckOptions, _ baseline: CheckBaseline, _ context: CommandContext) {
        self.options = options
        self.baseline = baseline
        tool = context.tool
    }

    /// Judges and adds a result. Only what reports show of it is kept.
    ///
    /// - Parameter wasReached: False for a check that the run ended before.
    /// - Returns: The result as it was judged.
    mutating func add(_ new: CheckResult, wasReached: Bool = true) -> CheckResult {
        var result = new
        baseline.judge(&result)
        result.outcome.problems = kept(result.outcome.problems)
        if options.judging.failsOnSkipped, result.outcome.verdict == .skipped, wasReached {
            result.outcome.verdict = .failed
            hasFailedSkipped = true
        }
        uncomparedParts.add(result)
        // Only the report in JSON shows these.
        if options.reports.files[.json] == nil || problemCount >= Self.maxProblems { result.outcome.bodyStart = nil }
        if options.reports.files[.json] == nil { result.outcome.notCompared = [] }
        if let (places, redactor) = result.outcome.evidence.compared {
            absent[result.name, default: AbsentParts()].add(places, redactor, resultIndex: results.count)
        }
        result.outcome.evidence = CheckOutcome.Evidence()
        counts[result.outcome.verdict, default: 0] += 1
        results.append(result)
        return result
    }

    /// Ends the run, and adds a note for each part that no response of an endpoint had.
    mutating func finish(_ ending: Ending) {
        self.ending = ending
        for name in results.map(\.name) {
            guard let parts = absent.removeValue(forKey: name) else { continue }
            notes += parts.addNotes(to: &results).map { (name, $0) }
            if !parts.isComplete { endpointsWithoutNotes.append(name) }
        }
    }

    /// The first of `problems`, as far as there is room for them.
    private mutating func kept(_ problems: [CheckProblem]) -> [CheckProblem] {
        // There is always room for the first one, so that a failure is never without a reason.
        let kept = Array(problems.prefix(max(Self.maxProblems - problemCount, 1)))
        problemCount += kept.count
        omittedProblemCount += problems.count - kept.count
        return kept
    }

    func count(_ verdict: CheckVerdict) -> Int { counts[verdict] ?? 0 }

    var isBailing: Bool { options.running.bail && count(.failed) > 0 }

    /// Whether nothing was sent, so that nothing is known. Of more parts than checks, some have none.
    var isEmpty: Bool { count(.skipped) == results.count && emptyShard == nil }

    private var emptyShard: CheckShard? { results.isEmpty && ending.total > 0 ? options.running.shard : nil }

    var exitCode: ExitCode {
        if isInterrupted { return .interrupted }
        return isEmpty || count(.failed) > 0 ? .failure : .success
    }

    /// `3 passed, 1 drifted, 0 failed, 2 skipped`
    var countsText: String {
        [CheckVerdict.passed, .drifted, .failed, .skipped].map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
    }

    var fixed: [CheckBaseline.Entry] { isInterrupted ? [] : baseline.fixed }

    /// Sentences that a reader must know beyond the counts.
    var remarks: [String] {
        let empty = notes.filter { $0.problem.kind == .emptyList }
        let absent = notes.count - empty.count
        let keys = absent == 1 ? "1 optional key was" : "\(absent) optional keys were"
        let remarks =
            (isInterrupted ? ["Interrupted: the rest was not run."] : [])
            + (isEmpty ? ["Nothing was checked."] : [])
            + (emptyShard.map { ["no check falls into shard \($0) of \(ending.total)"] } ?? [])
            + ending.silentServers.map {
                "--wait gave up after \((options.running.wait ?? .zero).shown): no response from \($0)"
            }
            + empty.map { "\($0): \($1.sentence)" }
            + endpointsWithoutNotes.map { "\($0): too many different keys to note all that were in no response" }
            + (hasFailedSkipped ? ["Failed by --fail-on-skipped."] : [])
            + (absent > 0 && !options.reports.namesAbsent ? ["\(keys) in no response; -v names them."] : [])
            + uncomparedParts.remarks
            + (omittedProblemCount > 0 ? ["\(omittedProblemCount.counted("problem")) more: too many to list."] : [])
            + fixed.map { "No longer seen, remove it from the baseline: \($0.key.joined(separator: " "))" }
        return remarks.map(\.safeToShow)
    }
}

/// A result in the words of reports: each text on one line, and safe to print anywhere.
extension CheckResult {
    var skipReason: String? {
        guard outcome.verdict == .skipped else { return nil }
        return (outcome.notRun ?? outcome.problems.map(\.sentence).joined(separator: "; ")).safeToShow
    }

    var problemLines: [String] { outcome.problems.map(\.text) }

    /// Remarks about the check as a whole: `flaky: passed on attempt 2`, `2 keys in the baseline`.
    var notes: [String] {
        let known = outcome.known
        return (outcome.isFlaky ? ["flaky: passed on attempt \(outcome.attempts)"] : [])
            + (known > 0 ? ["\(known.counted("key")) in the baseline"] : [])
    }

    /// The curl command; nil unless the check failed.
    var curlLine: String? { outcome.verdict == .failed ? call.curl : nil }

    /// All that is said of it.
    var lines: [String] { problemLines + notes + [curlLine].compactMap(\.self) }

    var statusText: String? { outcome.status.map(String.init) }

    var timeText: String { "\(outcome.duration?.milliseconds ?? 0) ms" }
}

extension CheckedCall {
    /// The name after that of the API.
    var endpointName: String {
        let prefix = declaration.api.name + "."
        return name.hasPrefix(prefix) ? String(name.dropFirst(prefix.count)) : name
    }

    /// The endpoint's name, with the number or the case's name if that is needed to tell it from others.
    var label: String {
        if let caseName { return "\(name) \(caseName)" }
        return declaration.examples.count > 1 ? "\(name) #\(example)" : name
    }
}

extension CheckVerdict {
    /// The character that marks the verdict in text, and the SGR parameter of its colour.
    var style: (mark: String, color: String) {
        switch self {
        case .passed: ("✓", "32")
        case .drifted: ("~", "33")
        case .failed: ("✗", "31")
        case .skipped: ("–", "2")
        }
    }
}

extension CheckProblem {
    /// Safe to print anywhere.
    var text: String { "\(kind.rawValue): \(sentence)".safeToShow }
}
