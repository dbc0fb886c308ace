import EndpointKit

/// Collects the results of checks in order, and judges what only several of them show.
struct CheckCollector {
    /// Different problems that are kept, at most: a hostile server must not fill the memory with them.
    private static let mostProblems = 50_000

    private let cases: [CheckCase]
    private let options: CheckOptions
    private(set) var drift: DriftLedger
    private(set) var records: [CheckRecord] = []
    private var absent = AbsentKeys()
    /// The endpoint's last record with a body that was compared, and the redactor of its request.
    private var lastSurveyed: (record: Int, redactor: Redactor)?
    private var isBailing = false
    /// Repeated checks mostly find the same, which is kept once.
    private var known: [[CheckProblem]: [CheckProblem]] = [:]
    private var problemCount = 0

    init(cases: [CheckCase], options: CheckOptions, baseline: Baseline?) {
        self.cases = cases
        self.options = options
        drift = DriftLedger(baseline: baseline, isStrict: options.strict, updates: options.updatesBaseline)
        records.reserveCapacity(cases.count * options.repeats)
    }

    /// Adds the outcome of run `run` of the case at `place`; nil if the run did not finish. Returns whether to continue.
    mutating func add(_ place: Int, run: Int, _ call: CheckedCall?) -> Bool {
        var record = CheckRecord(place: Int32(place), run: Int32(run), outcome: call?.outcome ?? .skipped())
        record.notRun = call == nil ? isBailing ? .bailed : .interrupted : call?.notRun
        record.request = call?.request
        if let redactor = cases[place].captures?.store.redactor { record.redact(by: redactor) }
        drift.judge(&record.outcome, name: cases[place].name, isSurveyed: call?.survey != nil)
        record.outcome.problems = kept(record.outcome.problems)
        if let survey = call?.survey, let redactor = call?.redactor {
            absent.add(survey)
            lastSurveyed = (records.count, redactor)
        }
        records.append(record)
        if options.bail, record.outcome.verdict == .failed { isBailing = true }
        return !isBailing
    }

    /// Ends the checks of one endpoint: adds the keys that were in none of its responses as notes, and returns them.
    mutating func endEndpoint() -> [CheckProblem] {
        defer { (absent, lastSurveyed) = (AbsentKeys(), nil) }
        guard let last = lastSurveyed else { return [] }
        let notes = absent.problems(last.redactor)
        records[last.record].outcome.problems += notes
        return notes
    }

    func report(time: Duration, isInterrupted: Bool, context: RunContext) -> CheckReport {
        CheckReport(
            tool: context.tool, cases: cases, records: records, time: time, isInterrupted: isInterrupted,
            fixed: isInterrupted ? [] : drift.fixed,
            workingDirectory: context.environment.files.workingDirectory)
    }

    private mutating func kept(_ problems: [CheckProblem]) -> [CheckProblem] {
        guard !problems.isEmpty else { return [] }
        if let same = known[problems] { return same }
        let room = max(Self.mostProblems - problemCount, 0)
        // Of the first there is always room for one, so that a failure is never without a reason.
        let kept = problems.count <= room ? problems : Array(problems.prefix(max(room, 1)))
        problemCount += kept.count
        if problemCount < Self.mostProblems { known[problems] = kept }
        return kept
    }
}
