/// Counts the values that a comparison looks at, and calls a check at regular intervals, which can stop it.
final class ComparisonSteps {
    /// The number of values between two calls of the check: rarely enough to cost nothing, and often enough to stop
    /// within a millisecond.
    private static let stepsBetweenChecks = 2048

    private let check: (() throws -> Void)?
    /// The number of values until the next call of the check.
    private var remainingSteps = ComparisonSteps.stepsBetweenChecks

    init(check: (() throws -> Void)?) { self.check = check }

    /// Counts a value, and calls the check if it is time for it.
    ///
    /// - Throws: The error of the check.
    func countStep() throws {
        remainingSteps -= 1
        guard remainingSteps <= 0 else { return }
        remainingSteps = Self.stepsBetweenChecks
        try check?()
    }
}
