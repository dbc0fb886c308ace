import EndpointKit
import JSONText
import MockServer
import Synchronization

/// Writes exchanges to a file in the HTTP Archive format (HAR), version 1.2.
///
/// Every redirect becomes an entry. Of an exchange with retries, only the last attempt does.
///
/// An exchange is written as soon as it ends, so that a long run does not fill the memory. The file is complete after
/// ``finish()``.
final class HARLog: Sendable {
    private struct State {
        var isEmpty = true
        /// The first error of the file. Nothing is written after it.
        var failure: (any Error)?
    }

    private let file: any FileReplacement
    /// The beginning of the file, up to the first entry.
    private let head: String
    private let state = Mutex(State())

    /// Makes a log. Nothing is written yet.
    ///
    /// - Parameters:
    ///   - file: The new file, which replaces an old one in ``finish()``.
    ///   - context: The context, which tells name and version of the tool.
    init(_ file: any FileReplacement, _ context: CommandContext) {
        self.file = file
        let creator: JSONValue = ["name": JSONValue(context.tool), "version": JSONValue(context.version)]
        head = #"{"log":{"version":"1.2","creator":\#(creator.description),"entries":["#
    }

    /// Begins to record one exchange.
    ///
    /// - Parameter client: The client that would send the requests.
    /// - Returns: The recording, whose own client must send them instead.
    func recording(_ client: Client) -> HARRecording { HARRecording(client, self) }

    /// Adds entries, each on a line of its own.
    ///
    /// An error is kept for ``finish()``, because a call must not fail while it runs only because it can't be recorded.
    fileprivate func add(_ entries: [JSONValue]) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do {
                for entry in entries {
                    let separator = state.isEmpty ? head + "\n" : ",\n"
                    state.isEmpty = false
                    try file.write(separator.exactBytes + entry.written)
                }
            } catch {
                state.failure = error
            }
        }
    }

    /// Completes the file and puts it into place.
    ///
    /// - Throws: The file's first error.
    func finish() throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            // Without entries, the beginning of the file has not been written yet.
            try file.write((state.isEmpty ? head : "") + "]}}\n")
        }
        try file.commit()
    }

    /// Removes the incomplete file, after a run that failed before ``finish()``.
    func discard() { file.discard() }
}

/// The recording of one exchange. Its ``client`` must send the requests.
struct HARRecording: Sendable {
    /// Sends the requests of the exchange.
    let client: Client
    private let log: HARLog
    private let transport: HARTransport

    /// Makes a copy of the client that records what it sends. A retry begins a new attempt in the recording.
    fileprivate init(_ client: Client, _ log: HARLog) {
        let transport = HARTransport(client.transport)
        var recorded = client
        recorded.transport = transport
        recorded.retry.onRetry = { [onRetry = client.retry.onRetry] retry in
            transport.beginAttempt(after: retry.reason)
            onRetry?(retry)
        }
        self.client = recorded
        self.log = log
        self.transport = transport
    }

    /// Ends the exchange and adds its entries to the log.
    ///
    /// - Parameter redactors: The redactors that remove secrets from the entries.
    func end(_ redactors: [Redactor]) { log.add(transport.entries(redactors)) }
}
