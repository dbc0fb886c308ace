import EndpointKit
import SystemCalls

/// The error that the source of a credential gave no value.
struct CredentialSourceFailure: Error, Equatable {
    /// The variable that lacks a value.
    let variable: String
    let source: CredentialSource
    /// The reason in a few words, such as `it is not set`.
    let reason: String
    /// Whether `--max-time` left the source too little time, so that a longer limit may help. It is false if the
    /// source exceeded its own limit.
    let exceededMaxTime: Bool

    /// The message: `no value for KEY from file token.txt: no such file or directory`.
    var sentence: String { "no value for \(variable) from \(source.sentence): \(reason)" }
}

extension CredentialSourceFailure {
    /// Makes the failure of a source from the error with which the source failed.
    ///
    /// - Parameters:
    ///   - source: The source.
    ///   - variable: The variable that lacks a value.
    ///   - error: The error of reading the file or of running the program.
    ///   - limit: How long the source had to answer: the limit of all sources, or what `--max-time` left of it.
    init(of source: CredentialSource, for variable: String, error: any Error, limit: Duration) {
        self.variable = variable
        self.source = source
        guard Self.isTimeout(error) else {
            reason = Self.reason(error)
            exceededMaxTime = false
            return
        }
        // Only `--max-time` makes the limit shorter than the source's own one.
        exceededMaxTime = limit < CredentialSource.timeLimit
        let limitText = exceededMaxTime ? "--max-time allows" : CredentialSource.timeLimit.shown
        reason = "it took longer than \(limitText)"
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
    /// The reason why a program gave no output, in a few words.
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
