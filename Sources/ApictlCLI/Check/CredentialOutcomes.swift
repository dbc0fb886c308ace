import EndpointKit
import EndpointTools

/// The outcomes of checks for whose credentials there is no value, or none that the server accepts.
extension CheckOutcome {
    /// Returns the outcome of a check that is skipped because a credential has no value.
    ///
    /// - Parameter error: The reason why there is no value: a variable is not set, a login is missing or has failed,
    ///   or the file or command that gives the value can't be used.
    /// - Returns: The outcome; nil for an error that has nothing to do with credentials.
    static func skipped(withoutCredential error: any Error) -> CheckOutcome? {
        switch error {
        case let error as MissingCredential:
            return .skipped(.missing(error))
        case let error as MissingLogin:
            var problem = CheckProblem.missing(error.missing)
            problem.hint = error.hint.text
            return .skipped(problem)
        case let error as CredentialSourceFailure:
            let reason = "not set: \(error.source.sentence): \(error.reason)"
            return .skipped(CheckProblem(.credential, expected: error.variable, found: reason))
        case let error as LoginFailure:
            return .skipped(CheckProblem(.credential, expected: "a token", found: "missing: \(error.sentence)"))
        default:
            return nil
        }
    }

    /// Returns the outcome of a check whose request could not be made with the value of a refreshed login.
    static func failed(withoutRequest error: any Error) -> CheckOutcome {
        CheckOutcome(verdict: .failed, problems: [CheckProblem(.credential, found: Failure(error).message)])
    }

    /// Adds a hint to the problem of an unexpected 401: the reason why the login could not be refreshed.
    mutating func explainUnauthorized(by error: any Error) {
        guard let index = problems.firstIndex(where: { $0.kind == .status }) else { return }
        let loginHint = (error as? MissingLogin)?.hint.text
        problems[index].hint = loginHint ?? Failure(error).message
    }
}
