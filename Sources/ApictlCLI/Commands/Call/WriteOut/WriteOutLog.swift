import EndpointKit
import Synchronization

/// Collects what `--write-out` tells about a call.
final class WriteOutLog: Sendable {
    private struct State {
        var transfers: [TransferTimes] = []
        var attempts = 1
        var head: ResponseHead?
    }

    private let state = Mutex(State())
    private let format: WriteOut

    init(_ format: WriteOut) { self.format = format }

    func add(_ head: ResponseHead) { state.withLock { $0.head = head } }

    func add(_ transfers: [TransferTimes], attempts: Int) {
        state.withLock {
            $0.transfers = transfers
            $0.attempts = attempts
        }
    }

    /// The text to print once the call has ended.
    func text(_ plan: CallPlan, exitCode: ExitCode, errorMessage: String = "") -> String {
        let state = state.withLock { $0 }
        return format.text(
            WriteOutFacts(
                method: plan.request.method, url: plan.request.redactedURL, transfers: state.transfers,
                retries: state.attempts - 1, head: state.head, file: plan.options.output ?? "", exitCode: exitCode,
                errorMessage: errorMessage))
    }
}
