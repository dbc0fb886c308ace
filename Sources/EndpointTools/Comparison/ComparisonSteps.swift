/// Counts the values that are looked at, so that a comparison can be stopped every so often.
final class ComparisonSteps {
    /// The number of steps between two calls of the check: rarely enough to cost nothing, and often enough to stop
    /// within a millisecond.
    private static let stepsBetweenChecks = 2048

    private let check: (() throws -> Void)?
    private var remaining = ComparisonSteps.stepsBetweenChecks

    init(check: (() throws -> Void)?) { self.check = check }

    /// Counts a step.
    ///
    /// - Throws: The error of the check.
    func count() throws {
        remaining -= 1
        guard remaining <= 0 else { return }
        remaining = Self.stepsBetweenChecks
        try check?()
    }
}
