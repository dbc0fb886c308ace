import EndpointKit
import SystemCalls

/// The error that the source of a credential gave no value.
struct CredentialSourceFailure: Error, Equatable {
    /// The variable that lacks a value.
    let variable: String
    let source: CredentialSource
    let reason: String
    /// Whether `--max-time` left the source too little time, so that a longer limit may help. It is false if the
    /// source exceeded its own limit.
    let isTimeout: Bool

    var sentence: String { "no value for \(variable) from \(source.sentence): \(reason)" }
}

extension CredentialSourceFailure {
    /// Makes the failure of a source from the error with which the source failed.
    ///
    /// - Parameters:
    ///   - variable: The variable that lacks a value.
    ///   - source: The source.
    ///   - error: The error.
    ///   - limit: How long the source had to answer. If it is shorter than the source's own limit, `--max-time` has
    ///     shortened it.
    init(_ variable: String, _ source: CredentialSource, _ error: any Error, limit: Duration) {
        self.variable = variable
        self.source = source
        let isLimitedByMaxTime = limit < CredentialSource.timeLimit
        if Self.isTimeout(error) {
            let limitText = isLimitedByMaxTime ? "--max-time allows" : CredentialSource.timeLimit.shown
            reason = "it took longer than \(limitText)"
            isTimeout = isLimitedByMaxTime
        } else {
            reason = Self.reason(error)
            isTimeout = false
        }
    }

    /// Whether an error means that the source took too long.
    private static func isTimeout(_ error: any Error) -> Bool {
        switch error {
        case let error as FileError: error.isTimeout
        case let error as CommandOutput.Failure: error == .timedOut
        default: false
        }
    }

    /// Returns the reason for an error in a few words.
    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as FileError: error.reason
        case let error as CommandOutput.Failure: error.sentence
        default: "\(error)"
        }
    }
}

extension CommandOutput.Failure {
    var sentence: String {
        switch self {
        case .notStarted(let error): error.reason
        case .timedOut: "it took too long"
        case .exited(let code): "it ended with exit code \(code)"
        case .killed(let signal): "it was ended by signal \(signal)"
        case .tooLong: "it printed more than \(ByteCountText.shown(CredentialSource.maxValueLength))"
        }
    }
}
