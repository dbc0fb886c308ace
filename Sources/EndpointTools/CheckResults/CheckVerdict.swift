/// The verdict on a check.
public enum CheckVerdict: String, Sendable, CaseIterable {
    case passed
    /// The response fits the model, but has keys that the model does not have.
    case drifted
    case failed
    /// Nothing was sent, so nothing is known.
    case skipped

    /// Whether the response meets all requirements. It may have keys that the model does not have.
    package var isSuccess: Bool { self == .passed || self == .drifted }
}

extension [CheckProblem] {
    /// The verdict on a check with these problems: the worst one that any of them leads to. Without problems, the check
    /// has passed.
    package var verdict: CheckVerdict {
        let verdicts = Set(map(\.kind.verdict))
        let worstFirst: [CheckVerdict] = [.failed, .skipped, .drifted]
        return worstFirst.first(where: verdicts.contains) ?? .passed
    }
}
