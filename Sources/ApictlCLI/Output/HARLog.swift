import EndpointKit
import JSONText
import MockServer
import Synchronization

/// Writes exchanges to a file in the HTTP Archive format (HAR), version 1.2.
///
/// Each transfer becomes an entry, so that a call with two redirects has three. If a call was retried, only the last
/// attempt is written.
///
/// An exchange is written as soon as it ends, so that a long run does not fill the memory. The file is complete after
/// ``finish()``.
final class HARLog: Sendable {
    private struct State {
        /// Whether no entry has been written yet.
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
    ///   - context: The context of the command, which has the name and version of the tool.
    init(_ file: any FileReplacement, _ context: CommandContext) {
        self.file = file
        let creator: JSONValue = ["name": JSONValue(context.tool), "version": JSONValue(context.version)]
        head = #"{"log":{"version":"1.2","creator":\#(creator.description),"entries":["#
    }

    /// Begins to record one exchange.
    ///
    /// - Parameter client: The client that would send the requests.
    /// - Returns: The recording, whose own client must send them instead.
    func recording(_ client: Client) -> HARRecording { HARRecording(client, log: self) }

    /// Writes entries to the file, each on a line of its own.
    ///
    /// An error of the file is kept for ``finish()``, because a call must not fail only because it can't be recorded.
    fileprivate func add(_ entries: [JSONValue]) {
        state.withLock { state in
            guard state.failure == nil else { return }
            do {
                for entry in entries {
                    // The beginning of the file comes before the first entry, and a comma before each other one.
                    let textBefore = state.isEmpty ? head + "\n" : ",\n"
                    state.isEmpty = false
                    try file.write(textBefore.exactBytes + entry.written)
                }
            } catch {
                state.failure = error
            }
        }
    }

    /// Completes the JSON of the archive, and puts the file into place.
    ///
    /// - Throws: The first error of writing the file, which may come from an earlier entry.
    func finish() throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            // The first entry has written the beginning of the file, unless there is no entry.
            if state.isEmpty { try file.write(head) }
            // This closes the array `entries`, the object `log` and the whole document.
            try file.write("]}}\n")
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

    /// Makes a copy of the client that records what it sends.
    ///
    /// Whenever the copy retries a request, the recording forgets the failed attempt except for its reason.
    ///
    /// - Parameters:
    ///   - client: The client.
    ///   - log: The log to which the exchange is added at its end.
    fileprivate init(_ client: Client, log: HARLog) {
        let transport = HARTransport(client.transport)
        var recordedClient = client
        recordedClient.transport = transport
        recordedClient.retry.onRetry = { [onRetry = client.retry.onRetry] retry in
            transport.beginAttempt(after: retry.reason)
            onRetry?(retry)
        }
        self.client = recordedClient
        self.log = log
        self.transport = transport
    }

    /// Ends the exchange and adds its entries to the log.
    ///
    /// - Parameter redactors: The redactors that remove the secrets of the call from the entries.
    func end(_ redactors: [Redactor]) { log.add(transport.entries(redactors)) }
}
