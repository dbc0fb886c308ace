import EndpointKit

/// The outcome of one check: its verdict and everything that was found.
public struct CheckOutcome: Sendable {
    public var verdict: CheckVerdict
    /// The final status; nil without a response.
    package var status: Int?
    /// The time from the start of the last attempt until its body had arrived; nil if nothing was sent.
    package var duration: Duration?
    /// How many requests were sent, redirects not counted.
    package var attempts = 0
    /// The repetition of a case with `until`; nil for any other check.
    package var repetition: Repetition?
    public var problems: [CheckProblem]
    /// The reason why nothing was sent, if no problem says it.
    package var notRun: String?
    /// The beginning of a body that failed by its status or is not JSON, without secrets; nil if there is none.
    package var bodyStart: String?
    /// The number of keys that the model does not have, but that a baseline file accepts. They are not among
    /// ``problems``.
    package var acceptedKeyCount = 0
    /// The parts of the response's schema that its body was not compared with, such as the keyword `pattern`; empty
    /// without a body to compare, and for the models of Swift.
    package var notCompared: [UncomparedPart] = []
    /// The response and the comparison of its body with the model. It may be large, so outcomes that are kept lose it.
    package var evidence = Evidence()

    /// The repetition of a case until its requirements are met.
    package struct Repetition: Sendable, Hashable {
        /// How long the case may be repeated.
        package let limit: Duration
        /// How often the case was carried out.
        package let count: Int

        package init(limit: Duration, count: Int) {
            self.limit = limit
            self.count = count
        }
    }

    /// The comparison of a body with the model.
    package struct Comparison: Sendable {
        /// The places that the model asked for, and how often they were there.
        package let places: ComparisonPlaces
        /// Removes the secrets of the request from the names of places.
        package let redactor: Redactor
    }

    /// The response and its comparison, which are looked at only once, right after a check, because they may be large.
    package struct Evidence: Sendable {
        /// The comparison of the body with the model; nil if there was no body to compare.
        package var compared: Comparison?
        /// The response to a check that did not pass, without secrets; nil if it is not needed.
        package var response: Response?

        package init() {}
    }

    package init(verdict: CheckVerdict, problems: [CheckProblem] = []) {
        self.verdict = verdict
        self.problems = problems
    }

    /// Returns the outcome of a check that sent nothing, with a problem that says why.
    package static func skipped(_ problem: CheckProblem) -> CheckOutcome {
        CheckOutcome(verdict: .skipped, problems: [problem])
    }

    /// Returns the outcome of a check that sent nothing for a reason that is no problem.
    package static func skipped(_ reason: String) -> CheckOutcome {
        var outcome = CheckOutcome(verdict: .skipped)
        outcome.notRun = reason
        return outcome
    }

    /// The outcome of a check of an endpoint without an example.
    package static let withoutExample = skipped("no example covers it")

    /// Returns this outcome with `(redacted)` in place of the secrets that `redactor` knows.
    package func redacted(by redactor: Redactor) -> CheckOutcome {
        var outcome = self
        outcome.problems = problems.map { $0.redacted(by: redactor) }
        outcome.bodyStart = bodyStart.map(redactor.redact)
        outcome.evidence.response = evidence.response?.redacted(by: redactor)
        return outcome
    }

    /// Whether the request succeeded only after it was retried.
    ///
    /// A case that is repeated as `until` asks sends at least one request for each repetition. Only further ones are
    /// retries.
    package var isFlaky: Bool {
        let repetitions = repetition?.count ?? 1
        let retries = attempts - repetitions
        return retries > 0 && verdict.isSuccess
    }
}
