import EndpointKit
import EndpointTools

/// The results of a run of checks, from which all reports are written.
struct CheckReport: Sendable {
    /// The most problems that are kept. A hostile server must not fill the memory with them.
    private static let maxProblems = 50_000

    /// The name of the tool, for titles.
    let tool: String
    private let options: CheckOptions
    /// Judges the differences in results, and remembers them for the file of `--baseline`.
    private(set) var baseline: CheckBaseline
    /// The results in the order of the catalogue, or of the file of cases.
    private(set) var results: [CheckResult] = []
    /// How the run ended; ``finish(_:)`` sets it.
    private(set) var ending = Ending()
    /// The numbers of results by their verdicts.
    private var counts: [CheckVerdict: Int] = [:]
    /// The parts of models that no response has had so far, by the names of endpoints. What remains at the end
    /// becomes notes.
    private var absentParts: [String: AbsentParts] = [:]
    /// The notes about all responses of an endpoint together, which are known only at the end.
    private(set) var notes: [EndpointNote] = []
    /// The names of endpoints with so many different keys that not all absent ones are noted.
    private var endpointsWithMissingNotes: [String] = []
    /// The number of problems that are kept.
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
        /// The number of checks that all machines together run. With `--shard`, this run has only one part of them.
        var countInAllShards = 0
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

    /// Judges a result by the options and the baseline, which is a file of accepted differences. Adds the result to the
    /// report.
    ///
    /// Also counts the parts of the model that the response lacks. ``finish(_:)`` makes notes of them.
    ///
    /// - Parameters:
    ///   - result: The result, with the comparison of its response with the model.
    ///   - wasReached: False if the run ended before it came to the check. Then `--fail-on-skipped` does not fail the
    ///     check.
    /// - Returns: The judged result, without the parts that no report shows.
    mutating func add(_ result: CheckResult, wasReached: Bool = true) -> CheckResult {
        var judgedResult = result
        judge(&judgedResult, wasReached: wasReached)
        uncomparedParts.add(judgedResult)
        if let comparison = judgedResult.outcome.evidence.compared {
            let resultIndex = results.count
            absentParts[judgedResult.name, default: AbsentParts()].add(
                comparison.places, comparison.redactor, resultIndex: resultIndex)
        }
        removeUnshownParts(of: &judgedResult.outcome)
        counts[judgedResult.outcome.verdict, default: 0] += 1
        results.append(judgedResult)
        return judgedResult
    }

    /// Judges a result by the baseline and by `--fail-on-skipped`, and limits the number of its problems.
    private mutating func judge(_ result: inout CheckResult, wasReached: Bool) {
        baseline.judge(&result)
        result.outcome.problems = countAndLimit(result.outcome.problems)
        if options.judging.failsOnSkipped, result.outcome.verdict == .skipped, wasReached {
            result.outcome.verdict = .failed
            hasFailedSkipped = true
        }
    }

    /// Returns the first problems of a result, as many as the report has room for. Counts the problems that are kept
    /// and those that are left out.
    private mutating func countAndLimit(_ problems: [CheckProblem]) -> [CheckProblem] {
        // There is always room for one problem, so that a failure is never without a reason.
        let room = max(Self.maxProblems - problemCount, 1)
        let keptProblems = Array(problems.prefix(room))
        problemCount += keptProblems.count
        omittedProblemCount += problems.count - keptProblems.count
        return keptProblems
    }

    /// Removes the parts of an outcome that no report shows. They may be large, and would be kept until the end of
    /// the run.
    private func removeUnshownParts(of outcome: inout CheckOutcome) {
        outcome.evidence = CheckOutcome.Evidence()
        // Only the JSON report shows the beginnings of bodies and the parts of schemas that were not compared.
        let writesJSON = options.reports.files[.json] != nil
        if !writesJSON { outcome.notCompared = [] }
        // With so many problems, the beginnings of as many bodies would take too much memory.
        let hasTooManyProblems = problemCount >= Self.maxProblems
        if !writesJSON || hasTooManyProblems { outcome.bodyStart = nil }
    }

    /// Ends the run, and adds notes about each endpoint: the optional keys and list elements of its model that no
    /// response had.
    ///
    /// The notes go into ``notes``, and into the problems of the endpoint's last result.
    mutating func finish(_ ending: Ending) {
        self.ending = ending
        for endpointName in results.map(\.name).withoutRepetitions {
            guard let partsOfEndpoint = absentParts[endpointName] else { continue }
            let addedNotes = partsOfEndpoint.addNotes(to: &results)
            notes += addedNotes.map { EndpointNote(endpointName: endpointName, problem: $0) }
            if !partsOfEndpoint.isComplete { endpointsWithMissingNotes.append(endpointName) }
        }
    }

    // MARK: The run as a whole

    /// Whether a signal ended the run.
    var isInterrupted: Bool { ending.isInterrupted }

    /// Whether a check has failed so far.
    var hasFailure: Bool { count(.failed) > 0 }

    /// Whether no check was carried out, so that the run says nothing about the endpoints and fails.
    ///
    /// A part of `--shard` may have no checks without failing, because the other parts have them.
    var isEmpty: Bool { count(.skipped) == results.count && emptyShard == nil }

    /// The part of `--shard`, if it has no checks although other parts have some; otherwise nil.
    private var emptyShard: CheckShard? {
        let otherShardsHaveChecks = results.isEmpty && ending.countInAllShards > 0
        return otherShardsHaveChecks ? options.running.shard : nil
    }

    /// The number of endpoints that were not checked because they have no example with values for their parameters.
    private var countWithoutExample: Int {
        // Cases have values of their own, and a comparison with a document needs none.
        if !options.running.cases.isEmpty || options.running.document != nil { return 0 }
        return results.count { $0.outcome.notRun != nil && $0.call.declaration.examples.isEmpty }
    }

    /// The exit code of the command.
    var exitCode: ExitCode {
        if isInterrupted { return .interrupted }
        return isEmpty || hasFailure ? .failure : .success
    }

    /// Returns the number of results with a verdict.
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
        var remarks = runRemarks + noteRemarks + uncomparedParts.remarks
        if omittedProblemCount > 0 {
            remarks.append("\(omittedProblemCount.counted("problem")) more: too many to list.")
        }
        remarks += fixed.map { "No longer seen, remove it from the baseline: \($0.key.words.joined(separator: " "))" }
        return remarks.map(\.safeToShow)
    }

    /// Remarks about the run as a whole: what was not checked and why, and how to repeat the random values of cases.
    private var runRemarks: [String] {
        var remarks: [String] = []
        if isInterrupted { remarks.append("Interrupted: the rest was not run.") }
        if isEmpty { remarks.append("Nothing was checked.") }
        if countWithoutExample > 0 {
            let count = countWithoutExample.counted("endpoint")
            remarks.append(
                "\(count) without an example: check --init prints cases to fill in, check --cases FILE sends them.")
        }
        if let emptyShard { remarks.append("no check falls into shard \(emptyShard) of \(ending.countInAllShards)") }
        let wait = (options.running.wait ?? .zero).shown
        for server in ending.silentServers {
            remarks.append("--wait gave up after \(wait): no response from \(server)")
        }
        let wasSeedChosen = options.running.seed == nil
        if let seed = ending.seed, wasSeedChosen {
            remarks.append("--seed \(seed) repeats the random values of this run.")
        }
        return remarks
    }

    /// Remarks about all responses of endpoints.
    private var noteRemarks: [String] {
        let emptyLists = notes.filter { $0.problem.kind == .emptyList }
        var remarks = emptyLists.map { "\($0.endpointName): \($0.problem.sentence)" }
        remarks += endpointsWithMissingNotes.map { name in
            "\(name): too many different keys to note all that were in no response"
        }
        if hasFailedSkipped { remarks.append("Failed by --fail-on-skipped.") }
        let absentKeyCount = notes.count - emptyLists.count
        if absentKeyCount > 0, !options.reports.namesAbsent {
            let keys = absentKeyCount == 1 ? "1 optional key was" : "\(absentKeyCount) optional keys were"
            remarks.append("\(keys) in no response; -v names them.")
        }
        return remarks
    }
}
