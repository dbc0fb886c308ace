import EndpointKit
import JSONText
import Synchronization

/// The log of an exchange: attempts, times, the headers of the last response, what has been written. It reports retries as
/// they come.
final class ExchangeLog: Sendable {
    /// The facts that are known so far.
    struct Facts {
        /// The last request: that of a page, if pages are followed.
        var request: Request?
        /// How many requests were sent, redirects not counted.
        var attempts = 1
        /// When the last attempt begins, or began.
        var attemptStart = ContinuousClock.now
        /// Why there was no retry although retries were left.
        var retryDenial: RetryPolicy.Denial?
        /// The transfers, redirects among them, in the order they ended.
        var transfers: [TransferTimes] = []
        /// The last response's headers, without secrets.
        var head: ResponseHead?
        /// Whether anything has been written to stdout.
        var hasPrinted = false
        /// The bytes written to a file since the last ``undo(_:)``.
        var fileBytes = 0
    }

    private let state = Mutex(Facts())
    /// The start of each note: the tool and the endpoint.
    private let subject: String
    /// Nil notes nothing.
    private let notes: (any ByteOutput)?
    private let redactor: Redactor

    init(subject: String, notes: (any ByteOutput)?, redactor: Redactor) {
        self.subject = subject
        self.notes = notes
        self.redactor = redactor
    }

    var facts: Facts {
        var facts = state.withLock { $0 }
        // An attempt that was only waited for is none.
        if facts.attemptStart > .now { facts.attempts -= 1 }
        return facts
    }

    func update(_ change: (inout Facts) -> Void) { state.withLock { change(&$0) } }

    func add(_ retry: RetryPolicy.Retry) {
        update { log in
            log.attempts = retry.number + 1
            log.attemptStart = .now + retry.wait
        }
        let when = retry.wait == .zero ? "now" : "in \(retry.wait.shown)"
        note("\(redactor.redact(retry.reason)); trying again \(when) (\(retry.number) of \(retry.count))")
    }

    /// Writes a note about the call. One that can't be written must not stop it.
    func note(_ line: String) { try? notes?.write("\(subject): \(line.safeToShow)\n") }

    /// Undoes what has been written to `file`, so that another attempt can begin.
    ///
    /// - Returns: False if anything has been written that can't be undone.
    func undo(_ file: (any FileReplacement)?) -> Bool {
        state.withLock { state in
            if state.hasPrinted { return false }
            guard state.fileBytes > 0, let file else { return true }
            // Output to a file that can't be rewound, like output to stdout, can't be undone.
            guard (try? file.restart()) == true else { return false }
            state.fileBytes = 0
            return true
        }
    }

    /// Returns `output` with an observer that notes here when something is written to it.
    func watching(_ output: any ByteOutput) -> any ByteOutput { WatchedOutput(output: output, log: self) }

    private struct WatchedOutput: ByteOutput {
        let output: any ByteOutput
        let log: ExchangeLog
        var isTerminal: Bool { output.isTerminal }
        var columns: Int? { output.columns }

        func write(_ bytes: [UInt8]) throws {
            if !bytes.isEmpty { log.update { $0.hasPrinted = true } }
            try output.write(bytes)
        }
    }
}

extension Request {
    /// The request line and headers, with secrets redacted, of a request that is not sent.
    func shownHeaders(_ redactor: Redactor) -> String {
        ([method.rawValue + " " + redactedURL] + headers.map(\.description)).map { redactor.redact($0).safeToShow }
            .joined(separator: "\n")
    }
}

extension ResponseHead {
    /// The status line and headers.
    var lines: [String] {
        let status = [version, String(status), reason].filter { !$0.isEmpty }.joined(separator: " ")
        return [status] + fields.map { "\($0.name): \($0.value)" }
    }

    /// The lines without secrets, and an empty one.
    func shown(_ redactor: Redactor) -> String {
        lines.map { redactor.redact($0).safeToShow + "\n" }.joined() + "\n"
    }
}
