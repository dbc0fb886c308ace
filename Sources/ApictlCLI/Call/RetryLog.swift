import EndpointKit
import Synchronization

/// Tells of retries: each one as it comes, and in the end what came of them.
final class RetryLog: Sendable {
    private struct State {
        var attempts = 1
        var refusal: RetryPolicy.Refusal?
    }

    private let state = Mutex(State())
    /// What stands before each line: the tool and the endpoint.
    private let subject: String
    /// Nil tells nothing.
    private let output: (any ByteOutput)?
    private let redactor: Redactor

    init(subject: String, output: (any ByteOutput)?, redactor: Redactor) {
        self.subject = subject
        self.output = output
        self.redactor = redactor
    }

    /// The policy that `options` ask for, with this log listening.
    func policy(_ options: CallOptions) -> RetryPolicy {
        RetryPolicy(
            count: options.retry, delay: options.retryDelay, includesUnsafe: options.retryUnsafe,
            longestWait: options.maxTime == nil ? CallOptions.patience : nil,
            onRetry: { self.note($0) }, onRefusal: { refusal in self.state.withLock { $0.refusal = refusal } })
    }

    private func note(_ retry: RetryPolicy.Retry) {
        state.withLock { $0.attempts = retry.number + 1 }
        let when = retry.wait == .zero ? "now" : "in \(retry.wait.shown)"
        let line = "\(redactor.redact(retry.reason)); trying again \(when) (\(retry.number) of \(retry.count))"
        // A note that can't be written must not stop the call.
        try? output?.write("\(subject): \(line.safeToShow)\n")
    }

    /// `error`, the end of a call, with what there is to tell of its attempts.
    func ended(by error: any Error, server: BaseURL, isRepeatable: Bool, losesDownload: Bool) -> FailedCall {
        state.withLock {
            FailedCall(
                error: error, server: server, isRepeatable: isRepeatable, losesDownload: losesDownload,
                attempts: $0.attempts, refusal: $0.refusal, redactor: redactor)
        }
    }
}

/// A call that failed once its request was made, and how often it was tried.
struct FailedCall: Error {
    let error: any Error
    /// The server that was asked first; a redirect may have led to another.
    let server: BaseURL
    /// Whether another attempt would do no harm: by its method, and by what has been written.
    let isRepeatable: Bool
    /// Whether part of a file had come that `--continue` would have kept.
    let losesDownload: Bool
    let attempts: Int
    /// Why it was not tried again, where it might have been.
    let refusal: RetryPolicy.Refusal?
    /// Takes out what servers and libraries repeat in their messages.
    let redactor: Redactor
}

extension RetryPolicy.Refusal {
    /// Why there was no other attempt, in a line of its own.
    var sentence: String {
        switch self {
        case .noTime(let retry) where retry.isAskedFor:
            "Not tried again: the server asks to wait \(retry.wait.shown), more than --max-time leaves."
        case .noTime(let retry): "Not tried again: the wait of \(retry.wait.shown) is more than --max-time leaves."
        case .tooLong(let retry):
            "Not tried again: \(retry.isAskedFor ? "the server asks to wait" : "the wait would be") \(retry.wait.shown); "
                + "--max-time 0 waits as long as it takes."
        case .unsafeMethod(let method):
            "Not tried again: a \(method) may be carried out twice; --retry-unsafe allows it."
        case .passedOn: "Not tried again: part of the answer has been written."
        }
    }
}
