import EndpointKit

/// The outcome of one run of a check.
struct CheckedCall: Sendable {
    var outcome: CheckOutcome
    /// Of the body; nil if there was none to compare.
    var survey: Survey?
    /// Of the request, if one was sent.
    var redactor: Redactor?
    var notRun: CheckRecord.NotRun?
    /// The request, if it was not known before.
    var request: RequestText?

    /// Carries out `check`. Throws `CancellationError`.
    init(_ check: CheckCase) async throws(CancellationError) {
        defer { check.captures?.end() }
        self.init(outcome: .skipped())
        switch check.action {
        case .wait(let prepare):
            do {
                guard let prepared = try await prepare() else {
                    notRun = .notCaptured
                    return
                }
                request = prepared.request
                try await run(prepared.action)
            } catch let error as CancellationError {
                throw error
            } catch {
                // The captured value does not fit the parameter.
                let problem = "a captured value does not fit: \((error as? UsageError)?.text ?? "\(error)")"
                outcome = CheckOutcome(verdict: .failed, problems: [CheckProblem(.wrongValue, found: problem)])
            }
        case let action: try await run(action)
        }
    }

    private init(outcome: CheckOutcome) { self.outcome = outcome }

    private mutating func run(_ action: CheckCase.Action) async throws(CancellationError) {
        switch action {
        case .send(let check, let client):
            let observation = try await check.run(client)
            (outcome, survey, redactor) = (observation.outcome, observation.survey, check.redactor)
        case .skip(let problem):
            outcome = .skipped(problem)
            if problem == nil { notRun = .noSample }
        case .wait: break
        }
    }
}
