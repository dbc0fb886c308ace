/// The outcome of one check: its verdict and everything that was found.
public struct CheckOutcome: Sendable, Equatable {
    public var verdict: CheckVerdict
    /// The final status; nil without a response.
    public var status: Int?
    /// From the start of the last attempt until its body had arrived; nil if nothing was sent.
    public var duration: Duration?
    /// How many requests were sent, redirects not counted.
    public var attempts: Int
    public var problems: [CheckProblem]
    /// The numbered lines of a short body around the first place that does not fit. They come from a server: escape them before
    /// printing them to a terminal.
    public var excerpt: [String] = []

    /// An outcome; nothing about it is checked.
    package init(
        verdict: CheckVerdict, status: Int? = nil, duration: Duration? = nil, attempts: Int = 0,
        problems: [CheckProblem] = []
    ) {
        self.verdict = verdict
        self.status = status
        self.duration = duration
        self.attempts = attempts
        self.problems = problems
    }

    /// The outcome of a check that sent nothing.
    package static func skipped(_ problem: CheckProblem? = nil) -> CheckOutcome {
        CheckOutcome(verdict: .skipped, problems: problem.map { [$0] } ?? [])
    }

    /// This outcome without the secrets that `redactor` knows.
    package func redacted(by redactor: Redactor) -> CheckOutcome {
        var outcome = self
        outcome.problems = problems.map { $0.redacted(by: redactor) }
        outcome.excerpt = excerpt.map(redactor.redact)
        return outcome
    }

    /// Whether the first attempt failed and a later one did not.
    public var isFlaky: Bool { attempts > 1 && (verdict == .passed || verdict == .drifted) }
}

extension [CheckProblem] {
    /// The verdict on a response with these problems: the worst of theirs.
    package var verdict: CheckVerdict {
        let verdicts = Set(map(\.kind.verdict))
        return [.failed, .skipped, .drifted].first(where: verdicts.contains) ?? .passed
    }
}

/// The check of one example of one endpoint, and its outcome.
public struct CheckResult: Sendable, Equatable {
    /// The endpoint's name: `movies.popular`.
    public let name: String
    /// Which of the endpoint's examples it is, from 1.
    public let example: Int
    public let method: HTTPMethod
    /// The URL with `(redacted)` in place of secrets; nil if nothing was sent.
    public let url: String?
    public internal(set) var outcome: CheckOutcome
}
