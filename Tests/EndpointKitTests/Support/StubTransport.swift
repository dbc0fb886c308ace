import EndpointKit
import Synchronization
import Testing

/// A transport that gives scripted answers, one after the other, and keeps what it was asked.
///
/// Being asked for more than the script holds is a failure of the test; so is an answer that nobody asked for, which
/// ``done()`` reports.
final class StubTransport: Transport {
    struct Answer: Sendable {
        var status: Int
        var reason = ""
        var fields: [ResponseHead.Field] = []
        var body: [[UInt8]] = []
        /// Thrown in place of an answer.
        var failure: TransportError?
        /// Thrown behind the body.
        var failureInBody: TransportError?

        static func json(_ text: String) -> Answer { json(200, text) }

        static func json(_ status: Int, _ text: String, reason: String = "") -> Answer {
            Answer(
                status: status, reason: reason, fields: [.init("Content-Type", "application/json")], body: [text.bytes])
        }

        static func failing(_ cause: TransportError.Cause) -> Answer {
            Answer(status: 0, failure: TransportError(cause))
        }

        /// A status with fields, and no body.
        static func status(_ status: Int, _ fields: [String: String] = [:]) -> Answer {
            Answer(status: status, fields: fields.map { .init($0.key, $0.value) })
        }

        static func redirect(_ status: Int, _ location: String) -> Answer {
            Answer(status: status, fields: [.init("location", location)])
        }
    }

    struct Unasked: Error {}

    private struct State {
        var script: [Answer]
        var requests: [Request] = []
        var connections: [ConnectionOptions] = []
    }

    private let state: Mutex<State>

    init(_ script: Answer...) { state = Mutex(State(script: script)) }
    init(_ script: [Answer]) { state = Mutex(State(script: script)) }

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            state.connections.append(options.connection)
            return state.script.isEmpty ? nil : state.script.removeFirst()
        }
        guard let answer else {
            Issue.record("nobody expected \(request.method) \(request.redactedURL)")
            throw Unasked()
        }
        if let failure = answer.failure { throw failure }
        let pieces = Pieces(answer.body)
        return StreamedResponse(
            head: ResponseHead(status: answer.status, reason: answer.reason, fields: answer.fields),
            body: ResponseBody {
                if let piece = pieces.next() { return piece }
                if let failure = answer.failureInBody { throw failure }
                return nil
            })
    }

    /// How each request was to be connected.
    var connections: [ConnectionOptions] { state.withLock { $0.connections } }

    /// The requests that came. Call it last: what is left of the script is a failure.
    func done(sourceLocation: SourceLocation = #_sourceLocation) -> [Request] {
        state.withLock { state in
            #expect(state.script.isEmpty, "answers that nobody asked for", sourceLocation: sourceLocation)
            return state.requests
        }
    }

    private final class Pieces: Sendable {
        private let rest: Mutex<ArraySlice<[UInt8]>>

        init(_ pieces: [[UInt8]]) { rest = Mutex(pieces[...]) }
        func next() -> [UInt8]? { rest.withLock { $0.popFirst() } }
    }
}
