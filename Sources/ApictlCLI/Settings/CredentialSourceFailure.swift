import EndpointKit
import SystemCalls

/// The source of a credential gave no value.
struct CredentialSourceFailure: Error, Equatable {
    let variable: String
    let source: CredentialSource
    let reason: String
    /// Whether `--max-time` left the source too little time.
    let isTimeout: Bool

    var sentence: String { "no value for \(variable) from \(source.sentence): \(reason)" }
}

extension CredentialSourceFailure {
    /// The failure that `error` is.
    ///
    /// - Parameter limit: How long the source had to answer.
    init(_ variable: String, _ source: CredentialSource, _ error: any Error, limit: Duration) {
        let isLate: Bool
        let reason: String
        switch error {
        case let error as FileError:
            isLate = error.isTimeout
            reason = error.reason
        case let error as CommandOutput.Failure:
            isLate = error == .timedOut
            reason = error.sentence
        default:
            isLate = false
            reason = "\(error)"
        }
        let isShortened = limit < CredentialSource.timeLimit
        let allowed = isShortened ? "--max-time allows" : CredentialSource.timeLimit.shown
        self.init(
            variable: variable, source: source, reason: isLate ? "it took longer than \(allowed)" : reason,
            isTimeout: isLate && isShortened)
    }
}

extension CommandOutput.Failure {
    fileprivate var sentence: String {
        switch self {
        case .notStarted(let error): error.inSentence
        case .timedOut: "it took too long"
        case .exited(let code): "it ended with exit code \(code)"
        case .killed(let signal): "it was ended by signal \(signal)"
        case .tooLong: "it printed more than \(ByteCountText.shown(CredentialSource.maxValueLength))"
        }
    }
}
