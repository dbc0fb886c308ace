import EndpointKit

/// The outcome of one run of a check, as reports show it. Kept small: there may be a hundred thousand.
struct CheckRecord: Sendable {
    /// Why nothing was sent, if no problem says it.
    enum NotRun: Sendable { case interrupted, bailed, noSample, notCaptured }

    /// The place of the check among all cases.
    let place: Int32
    /// Which of the repetitions it is, from 1.
    let run: Int32
    var notRun: NotRun?
    /// The request of a case that had to wait for values of another.
    var request: RequestText?
    var outcome: CheckOutcome

    /// Removes the secrets that `redactor` knows.
    mutating func redact(by redactor: Redactor) {
        outcome = outcome.redacted(by: redactor)
        request = request.map { RequestText(url: redactor.redact($0.url), curl: redactor.redact($0.curl)) }
    }
}
