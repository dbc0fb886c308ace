import EndpointKit
import Synchronization

/// Reports each retry on stderr and counts them.
final class RetryLog: Sendable {
    private struct State {
        var attempts = 1
        var refusal: RetryPolicy.Refusal?
    }

    private let state = Mutex(State())
    /// The start of each line: the tool and the endpoint.
    private let subject: String
    /// Nil reports nothing.
    private let output: (any ByteOutput)?
    private let redactor: Redactor

    init(subject: String, output: (any ByteOutput)?, redactor: Redactor) {
        self.subject = subject
        self.output = output
        self.redactor = redactor
    }

    /// How many requests were sent.
    var attempts: Int { state.withLock(\.attempts) }
    /// Why there was no retry although retries were left.
    var refusal: RetryPolicy.Refusal? { state.withLock(\.refusal) }

    /// The policy that `options` describe, reporting to this log.
    func policy(_ options: CallOptions) -> RetryPolicy {
        RetryPolicy(
            count: options.retry, delay: options.retryDelay, includesUnsafe: options.retryUnsafe,
            longestWait: options.maxTime == nil ? CallOptions.defaultTimeLimit : nil,
            onRetry: { self.note($0) }, onRefusal: { refusal in self.state.withLock { $0.refusal = refusal } })
    }

    private func note(_ retry: RetryPolicy.Retry) {
        state.withLock { $0.attempts = retry.number + 1 }
        let when = retry.wait == .zero ? "now" : "in \(retry.wait.shown)"
        let line = "\(redactor.redact(retry.reason)); trying again \(when) (\(retry.number) of \(retry.count))"
        // A note that can't be written must not stop the call.
        try? output?.write("\(subject): \(line.safeToShow)\n")
    }
}
