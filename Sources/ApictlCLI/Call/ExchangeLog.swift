import EndpointKit
import JSONText
import Synchronization

/// The log of an exchange: attempts, times, the headers of the last response, and how much has been written. Each
/// retry is noted on stderr at once.
final class ExchangeLog: Sendable {
    /// A copy of the log at one time.
    struct Snapshot {
        /// The last request: that of a page, if pages are followed.
        var request: Request?
        /// How many requests were sent, redirects not counted.
        var attempts = 1
        /// When the last attempt began, or will begin after the wait for a retry.
        var attemptStart = ContinuousClock.now
        /// Why there was no retry although retries were left.
        var retryDenial: RetryPolicy.Denial?
        /// The transfers, redirects among them, in the order they ended.
        var transfers: [TransferTimes] = []
        /// The last response's headers, without secrets.
        var head: ResponseHead?
        /// Whether anything has been written to stdout.
        var hasPrinted = false
        /// The bytes written to a file since the last ``undoAttempt(writtenTo:)``.
        var fileBytes = 0
    }

    private let current = Mutex(Snapshot())
    /// The start of each note: the tool and the endpoint.
    private let subject: String
    /// The output for notes; nil writes none.
    private let notes: (any ByteOutput)?
    private let redactor: Redactor

    /// Makes the log of an exchange.
    ///
    /// - Parameters:
    ///   - subject: The start of each note: the tool and the endpoint.
    ///   - notes: Where notes go; nil writes none.
    ///   - redactor: Removes secrets from notes.
    init(subject: String, notes: (any ByteOutput)?, redactor: Redactor) {
        self.subject = subject
        self.notes = notes
        self.redactor = redactor
    }

    /// A snapshot of what is known now.
    var snapshot: Snapshot {
        var snapshot = current.withLock { $0 }
        // A retry is counted before the wait for it. If the wait has not ended, because the call was interrupted,
        // that attempt was never made.
        let isWaiting = snapshot.attemptStart > .now
        if isWaiting { snapshot.attempts -= 1 }
        return snapshot
    }

    /// Changes what is known, which several tasks may do at the same time.
    func update(_ change: (inout Snapshot) -> Void) { current.withLock { change(&$0) } }

    /// Counts a retry that the client is going to wait for, and notes on stderr why and when it is made:
    ///
    ///     apictl: movies.popular: status 503; trying again in 2 s (1 of 3)
    func countAndNote(_ retry: RetryPolicy.Retry) {
        update { log in
            log.attempts = retry.number + 1
            log.attemptStart = .now + retry.wait
        }
        let when = retry.wait == .zero ? "now" : "in \(retry.wait.shown)"
        note("\(redactor.redact(retry.reason)); trying again \(when) (\(retry.number) of \(retry.count))")
    }

    /// Writes a note about the call on stderr. The call goes on even if the note can't be written.
    func note(_ line: String) { try? notes?.write("\(subject): \(line.safeToShow)\n") }

    /// Stores the request that is about to be sent. Removes the response of an earlier one, such as that of the page
    /// before, because it says nothing about this request.
    func begin(_ request: Request) {
        update { log in
            log.request = request
            log.head = nil
        }
    }

    /// Removes what a failed attempt has written, so that another attempt can begin. Output on stdout can't be removed.
    ///
    /// - Parameter file: The file that the response is written to, which is emptied; nil if there is none.
    /// - Returns: Whether nothing is left of the attempt, so that the request may be sent again.
    func undoAttempt(writtenTo file: (any FileReplacement)?) -> Bool {
        current.withLock { log in
            if log.hasPrinted { return false }
            guard let file, log.fileBytes > 0 else { return true }
            // False for a pipe or a device, which can't be rewound. An error of rewinding counts as false too.
            let isRewound = (try? file.restart()) == true
            if isRewound { log.fileBytes = 0 }
            return isRewound
        }
    }

    /// Returns an output that writes to `output`, and reports to this log that something was written.
    func watching(_ output: any ByteOutput) -> any ByteOutput { WatchedOutput(output: output, log: self) }

    /// An output that reports to a log that something was written.
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
    /// Returns the first line of a request, with the method and URL, and a line for each header. The text has no
    /// secrets and no control characters.
    func shownHeaders(_ redactor: Redactor) -> String {
        let lines = ["\(method.rawValue) \(redactedURL)"] + headers.map(\.description)
        return lines.map { redactor.redact($0).safeToShow }.joined(separator: "\n")
    }
}

extension ResponseHead {
    /// The status line and the headers: `HTTP/1.1 200 OK`, `Content-Type: application/json`.
    var lines: [String] {
        let status = [version, String(status), reason].filter { !$0.isEmpty }.joined(separator: " ")
        return [status] + fields.map { "\($0.name): \($0.value)" }
    }

    /// Returns the status line and the headers for a person: without secrets and control characters, followed by an
    /// empty line.
    func shown(_ redactor: Redactor) -> String {
        lines.map { redactor.redact($0).safeToShow + "\n" }.joined() + "\n"
    }
}
