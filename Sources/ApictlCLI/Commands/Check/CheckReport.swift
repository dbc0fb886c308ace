import EndpointKit

/// The outcomes of all checks of one run, for reports.
struct CheckReport: Sendable {
    let tool: String
    let cases: [CheckCase]
    /// In the order of the catalogue.
    let records: [CheckRecord]
    let time: Duration
    let isInterrupted: Bool
    /// Entries of the baseline that no response shows any more.
    let fixed: [Baseline.Entry]
    /// The directory that file names are relative to.
    let workingDirectory: String?
    private let counts: [CheckVerdict: Int]
    let latencies: Latencies

    init(
        tool: String, cases: [CheckCase], records: [CheckRecord], time: Duration, isInterrupted: Bool,
        fixed: [Baseline.Entry], workingDirectory: String?
    ) {
        self.tool = tool
        self.cases = cases
        self.records = records
        self.time = time
        self.isInterrupted = isInterrupted
        self.fixed = fixed
        self.workingDirectory = workingDirectory
        counts = records.reduce(into: [:]) { $0[$1.outcome.verdict, default: 0] += 1 }
        latencies = Latencies(records)
    }

    func count(_ verdict: CheckVerdict) -> Int { counts[verdict] ?? 0 }

    /// Whether nothing was sent, so that nothing is known.
    var isEmpty: Bool { count(.skipped) == records.count }

    /// Each record with its case.
    var items: some Sequence<CheckItem> { records.lazy.map { CheckItem(of: cases[Int($0.place)], $0) } }

    func exitCode(failsOnSkipped: Bool) -> ExitCode {
        if isInterrupted { return .interrupted }
        return isEmpty || count(.failed) > 0 || failsOnSkipped && count(.skipped) > 0 ? .failure : .success
    }

    /// `3 passed, 1 drifted, 0 failed, 2 skipped`
    var countsText: String {
        [CheckVerdict.passed, .drifted, .failed, .skipped].map { "\(count($0)) \($0.rawValue)" }.joined(separator: ", ")
    }

    /// What the reader must know beyond the counts, as sentences.
    var remarks: [String] {
        var remarks: [String] = []
        if isInterrupted { remarks.append("Interrupted: the rest was not run.") }
        if isEmpty { remarks.append("Nothing was checked.") }
        remarks += fixed.map { "No longer seen, remove it from the baseline: \($0.name) \($0.path)" }
        return remarks.map(\.safeToShow)
    }
}

/// One check and its outcome, in the words of reports.
struct CheckItem: Sendable {
    let check: CheckCase
    let record: CheckRecord

    init(of check: CheckCase, _ record: CheckRecord) {
        self.check = check
        self.record = record
    }

    var outcome: CheckOutcome { record.outcome }

    /// The part of the name after the API's: `popular`.
    var endpointName: String { check.declaration.endpointName }

    /// Why nothing was sent; nil if something was.
    var skipReason: String? {
        guard outcome.verdict == .skipped else { return nil }
        let reason =
            switch record.notRun {
            case .interrupted: "not run: interrupted"
            case .bailed: "not run: a check before failed"
            case .noSample: "there is no sample"
            case .notCaptured:
                (check.captures?.needed ?? []).map { "{{\($0)}}" }.joined(separator: " or ") + " was not captured"
            case nil: outcome.problems.map(\.sentence).joined(separator: "; ")
            }
        return reason.safeToShow
    }

    /// The problems, one a line; on one line each, and safe to print anywhere.
    var problemLines: [String] { outcome.problems.map { "\($0.kind.rawValue): \($0.sentence)".safeToShow } }

    /// The problems that are more than notes, as ``problemLines``.
    var faultLines: [String] {
        zip(outcome.problems, problemLines).compactMap { $0.kind.verdict == .passed ? nil : $1 }
    }

    /// Nil if there was none.
    var request: RequestText? { record.request ?? check.request }

    /// The curl command on one line; nil unless the check failed.
    var curlLine: String? { outcome.verdict == .failed ? request?.curl : nil }

    /// `flaky: passed on attempt 2`; nil if it was not.
    var flakyText: String? { outcome.isFlaky ? "flaky: passed on attempt \(outcome.attempts)" : nil }
}

/// How long responses took.
struct Latencies: Sendable, Equatable {
    let p50: Duration
    let p95: Duration
    let max: Duration
    /// The place of the slowest record.
    let slowest: Int

    /// Of the checks that got a response; zero if there was none.
    init(_ records: [CheckRecord]) {
        var durations: [Duration] = []
        var slowest = 0
        var longest = Duration.zero
        for (place, record) in records.enumerated() where record.outcome.status != nil {
            guard let duration = record.outcome.duration else { continue }
            durations.append(duration)
            if duration > longest { (longest, slowest) = (duration, place) }
        }
        durations.sort()
        // The nearest rank.
        func percentile(_ percent: Int) -> Duration {
            durations.isEmpty ? .zero : durations[(durations.count * percent + 99) / 100 - 1]
        }
        (p50, p95, max, self.slowest) = (percentile(50), percentile(95), longest, slowest)
    }
}

extension CheckProblem {
    /// The problem without its kind: `$.page: expected integer, found string "x" (line 3)`. Not safe for a terminal.
    var sentence: String {
        switch kind {
        case .credential: return "\(expected ?? "a credential") is not set"
        case .method: return "\(found ?? "the method") may change data on the server; --unsafe sends it"
        case .absentKey: return "\(path ?? "$") was in no response"
        default: break
        }
        var parts: [String] = []
        if let expected { parts.append("expected \(expected)") }
        if let found { parts.append(expected == nil && kind != .unexpectedKey ? found : "found \(found)") }
        let places = [
            of.flatMap { of in of > 1 ? count.map { "\($0) of \(of)" } : nil }, line.map { "line \($0)" },
        ].compactMap(\.self)
        let text = [path, parts.isEmpty ? nil : parts.joined(separator: ", ")].compactMap(\.self)
            .joined(separator: ": ")
        let whole = text + (places.isEmpty ? "" : " (\(places.joined(separator: ", ")))")
        return whole + (hint.map { (whole.hasSuffix(".") ? " " : ". ") + $0 } ?? "")
    }
}
