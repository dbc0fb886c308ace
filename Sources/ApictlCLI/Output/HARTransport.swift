import EndpointKit
import JSONText
import Synchronization

/// Sends the requests of one exchange through another transport, and keeps what is sent and received.
///
/// The kept transfers contain secrets. ``entries(_:)`` removes them.
final class HARTransport: Transport {
    /// A request and what is known about its response.
    struct Transfer {
        let request: Request
        let start = Date()
        /// The header `Cookie` as it was sent: the cookies of the request and those that servers have set. Nil without
        /// cookies.
        var sentCookies: String?
        /// The head of the response; nil if none was received.
        var head: ResponseHead?
        /// The received body; empty if it is longer than ``HAREntry/maxBody``.
        var body: [UInt8] = []
        /// The received bytes, including those of a body that is not kept.
        var receivedSize = 0
        /// Whether the body was received to its end.
        var isComplete = false
        var times: TransferTimes?
        /// Why the transfer failed; nil if it did not.
        var problem: String?

        /// Keeps the next bytes of the response's body.
        ///
        /// A body that gets longer than ``HAREntry/maxBody`` is dropped, and from then on only its size is counted.
        ///
        /// - Parameter chunk: The bytes; nil at the end of the body.
        fileprivate mutating func receive(_ chunk: [UInt8]?) {
            guard let chunk else {
                isComplete = true
                return
            }
            isComplete = false
            receivedSize += chunk.count
            if receivedSize > HAREntry.maxBody {
                body = []
            } else {
                body += chunk
            }
        }
    }

    /// Identifies a transfer among those of all attempts.
    private struct TransferID {
        /// The number of attempts before the one of the transfer.
        let attempt: Int
        /// The index of the transfer among those of the attempt.
        let index: Int
    }

    private struct State {
        /// The transfers of the current attempt: one, and one more for each redirect.
        var transfers: [Transfer] = []
        /// The reasons why earlier attempts were repeated.
        var failures: [String] = []

        /// The number of attempts before the current one.
        var attempt: Int { failures.count }
    }

    private let base: any Transport
    private let state = Mutex(State())

    /// Makes a transport that sends requests through `base`.
    init(_ base: any Transport) { self.base = base }

    /// Begins an attempt after one that failed. The transfers of the failed attempt are forgotten.
    ///
    /// - Parameter failure: The reason why the attempt failed, which is kept.
    func beginAttempt(after failure: String) {
        state.withLock { state in
            state = State(failures: state.failures + [failure])
        }
    }

    /// Sends a request through the other transport, and keeps what is sent and received.
    ///
    /// - Returns: The response. Its body is kept while the caller reads it.
    /// - Throws: The error of the other transport, whose message is kept.
    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        let id = beginTransfer(request)
        do {
            var response = try await base.send(request, options: recordingOptions(of: id, from: options))
            let head = response.head
            update(id) { $0.head = head }
            response.body = response.body.tap { [self] chunk in
                update(id) { $0.receive(chunk) }
            }
            return response
        } catch {
            let problem = (error as? TransportError)?.message ?? "not sent"
            update(id) { $0.problem = problem }
            throw error
        }
    }

    /// Returns options that also keep the times and the sent cookies of a transfer.
    ///
    /// - Parameters:
    ///   - id: The transfer.
    ///   - options: The options of the caller, whose functions still receive every report.
    private func recordingOptions(of id: TransferID, from options: TransferOptions) -> TransferOptions {
        var recordingOptions = options
        recordingOptions.onTimes = { [self] times in
            update(id) { $0.times = times }
            options.onTimes?(times)
        }
        recordingOptions.onEvent = { [self] event in
            if case .requestHead(let head) = event {
                update(id) { $0.sentCookies = Self.cookies(inHead: head) }
            }
            options.onEvent?(event)
        }
        return recordingOptions
    }

    /// Returns the value of the header `Cookie` in the head of a request; nil if it has none.
    ///
    /// - Parameter head: The request line and the headers, as they were sent.
    private static func cookies(inHead head: [UInt8]) -> String? {
        let lines = head.split { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
        for line in lines {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(exactBytes: line[..<colon])
            if name.isSameName(as: "Cookie") {
                return String(exactBytes: line[colon...].dropFirst().drop { $0 == UInt8(ascii: " ") })
            }
        }
        return nil
    }

    /// Adds a transfer to the current attempt, about which only its request is known.
    private func beginTransfer(_ request: Request) -> TransferID {
        state.withLock { state in
            state.transfers.append(Transfer(request: request))
            return TransferID(attempt: state.attempt, index: state.transfers.count - 1)
        }
    }

    /// Changes a kept transfer.
    ///
    /// A report about a transfer may come after its attempt has failed and another one has begun. Such a report is
    /// ignored, because the transfers of the failed attempt are forgotten.
    private func update(_ id: TransferID, _ change: (inout Transfer) -> Void) {
        state.withLock { state in
            guard id.attempt == state.attempt else { return }
            change(&state.transfers[id.index])
        }
    }

    /// Returns the transfers of the last attempt as HAR entries without secrets.
    ///
    /// The first entry has a comment about the attempts that failed.
    ///
    /// - Parameter redactors: The redactors that remove the secrets of the call.
    func entries(_ redactors: [Redactor]) -> [JSONValue] {
        let state = state.withLock { $0 }
        let failureComments = state.failures.enumerated().map { index, reason in "attempt \(index + 1): \(reason)" }
        return state.transfers.enumerated().map { index, transfer in
            let entry = HAREntry(transfer: transfer, redactors: redactors)
            return entry.json(comments: index == 0 ? failureComments : [])
        }
    }
}
