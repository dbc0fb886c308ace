import EndpointKit
import EndpointTools

/// The results of a run: collected in order, judged by what only several of them show, and printed by reports.
struct CheckReport: Sendable {
    /// Different problems that are kept, at most: a hostile server must not fill the memory with them.
    private static let maxProblems = 50_000

    let tool: String
    let har: HARLog?
    private let options: CheckOptions
    private(set) var baseline: Baseline
    /// In the order of the catalogue, or of the file of cases.
    private(set) var results: [CheckResult] = []
    private(set) var time = Duration.zero
    private(set) var isInterrupted = false
    private var counts: [CheckVerdict: Int] = [:]
    /// By the names of endpoints.
    private var absent: [String: AbsentParts] = [:]
    /// What only the checks of one endpoint together show.
    private(set) var notes: [(name: String, problem: CheckProblem)] = []
    /// How many checks there are in all parts of `--shard`.
    private var total = 0
    private var silentServers: [String] = []
    private var problemCount = 0
    /// What of `--fail-on` there was.
    private var failReasons: Set<CheckOptions.FailReason> = []
    /// For `--fail-on empty`, the lists that were empty, by the places of results.
    private var empty: [Int: [CheckProblem]] = [:]
    /// How many results ``settled()`` has returned.
    private var settledCount = 0

    /// A report on about `count` results.
    init(_ options: CheckOptions, _ baseline: Baseline, _ context: RunContext, count: Int) {
        (self.options, self.baseline, tool, har) = (options, baseline, context.tool, context.har)
        // An array that grows needs half as much memory again.
        results.reserveCapacity(min(count, 1_000_000))
    }

    /// Adds a result, and returns those that are settled. `wasReached` is false for a check that the run ended before.
    mutating func add(_ new: CheckResult, wasReached: Bool = true) -> [CheckResult] {
        var result = new
        baseline.judge(&result)
        result.outcome.problems = kept(result.outcome.problems)
        if options.failsOn.contains(.skipped), result.outcome.verdict == .skipped, wasReached {
            result.outcome.verdict = .failed
            failReasons.insert(.skipped)
        }
        if problemCount >= Self.maxProblems { result.outcome.bodyStart = nil }
        if let (places, redactor) = result.outcome.evidence.compared {
            absent[result.name, default: AbsentParts()].add(places, redactor, place: results.count)
            if options.failsOn.contains(.empty), result.outcome.verdict != .failed {
                let lists = places.notes.filter { $0.kind == .emptyList }
                empty[results.count] = lists.isEmpty ? nil : lists.map { $0.redacted(by: redactor) }
            }
        }
        counts[result.outcome.verdict, default: 0] += 1
        results.append(result)
        results[results.count - 1].outcome.evidence = CheckOutcome.Evidence()
        return settled()
    }

    /// The results from the first that was not returned yet, up to one that fails if a list stays empty in all responses of its endpoint.
    mutating func settled() -> [CheckResult] {
        let start = settledCount
        while settledCount < results.count,
            empty[settledCount].map({ stillEmpty($0, absent[results[settledCount].name]?.notes ?? []).isEmpty }) ?? true
        {
            settledCount += 1
        }
        return results[start..<settledCount].map { result in
            var result = result
            result.outcome.problems.removeAll { $0.kind == .absentKey }
            return result
        }
    }

    /// Those of the lists of one response that `notes` have too.
    private func stillEmpty(_ lists: [CheckProblem], _ notes: [CheckProblem]) -> [CheckProblem] {
        lists.filter { list in notes.contains { $0.kind == .emptyList && $0.path == list.path } }
    }

    /// Ends the run: adds what no response of an endpoint had as notes. `total` is the number of checks in all parts of `--shard`.
    mutating func finish(
        time: Duration = .zero, isInterrupted: Bool = false, of total: Int, _ silentServers: [String] = []
    ) {
        (self.time, self.isInterrupted, self.total, self.silentServers) = (time, isInterrupted, total, silentServers)
        for name in results.map(\.name) {
            notes += absent.removeValue(forKey: name)?.note(in: &results).map { (name, $0) } ?? []
        }
        let noted = Dictionary(grouping: notes, by: \.name)
        // What was not run might have filled them.
        for (place, lists) in isInterrupted ? [:] : empty {
            let lists = stillEmpty(lists, noted[results[place].name]?.map(\.problem) ?? [])
            if lists.isEmpty { continue }
            failReasons.insert(.empty)
            counts[results[place].outcome.verdict, default: 1] -= 1
            counts[.failed, default: 0] += 1
            results[place].outcome.verdict = .failed
            // First, because they are why the check failed.
            results[place].outcome.problems = lists + results[place].outcome.problems.filter { $0.kind != .emptyList }
        }
    }

    private mutating func kept(_ problems: [CheckProblem]) -> [CheckProblem] {
        // Repeated checks mostly find the same, which is kept once.
        if let last = results.last?.outcome.problems, last == problems { return last }
        // There is always room for the first one, so that a failure is never without a reason.
        let kept = Array(problems.prefix(max(Self.maxProblems - problemCount, 1)))
        problemCount += kept.count
        return kept
    }

    func count(_ verdict: CheckVerdict) -> Int { counts[verdict] ?? 0 }

    var isBailing: Bool { options.bail && count(.failed) > 0 }

    /// Whether nothing was sent, so that nothing is known. Of more parts than checks, some have none.
    var isEmpty: Bool { count(.skipped) == results.count && emptyShard == nil }

    private var emptyShard: Shard? { results.isEmpty && total > 0 ? options.shard : nil }

    var exitCode: ExitCode {
        if isInterrupted { return .interrupted }
        return isEmpty || count(.failed) > 0 ? .failure : .success
    }

    /// `3 passed, 1 drifted, 0 failed, 2 skipped`
    var countsText: String {
        [CheckVerdict.passed, .drifted, .failed, .skipped].map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
    }

    var fixed: [Baseline.Entry] { isInterrupted ? [] : baseline.fixed }

    /// What the reader must know beyond the counts, as sentences.
    var remarks: [String] {
        let empty = notes.filter { $0.problem.kind == .emptyList }
        let absent = notes.count - empty.count
        let keys = absent == 1 ? "1 optional key was" : "\(absent) optional keys were"
        let remarks =
            (isInterrupted ? ["Interrupted: the rest was not run."] : [])
            + (isEmpty ? ["Nothing was checked."] : [])
            + (emptyShard.map { ["no check falls into shard \($0) of \(total)"] } ?? [])
            + silentServers.map { "--wait gave up after \((options.wait ?? .zero).shown): no response from \($0)" }
            + empty.map { "\($0): \($1.sentence)" }
            + failReasons.map(\.rawValue).sorted().map { "Failed by --fail-on \($0)." }
            + (absent > 0 && !options.namesAbsent ? ["\(keys) in no response; -v names them."] : [])
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

    /// What is said of it as a whole: `flaky: passed on attempt 2`, `2 keys in the baseline`.
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
    /// What marks it in text, and the SGR parameter of its colour.
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
