import EndpointKit
import Synchronization
import Testing

/// A transport that gives scripted responses, one after the other, and records the requests.
///
/// A request beyond the end of the script fails the test. ``done()`` fails the test if a response is left in the
/// script.
final class StubTransport: Transport {
    struct Response: Sendable {
        var status: Int
        var reason = ""
        var fields: [HTTPField] = []
        var body: [[UInt8]] = []
        /// The error that is thrown instead of a response.
        var failure: TransportError?
        /// The error that is thrown after the body.
        var failureInBody: TransportError?

        static func json(_ text: String) -> Response { json(200, text) }

        static func json(_ status: Int, _ text: String, reason: String = "") -> Response {
            Response(
                status: status, reason: reason, fields: [.init("Content-Type", "application/json")], body: [text.bytes])
        }

        static func failing(_ cause: TransportError.Cause) -> Response {
            Response(status: 0, failure: TransportError(cause))
        }

        /// Returns a response with a status and header fields but no body.
        static func status(_ status: Int, _ fields: [String: String] = [:]) -> Response {
            Response(status: status, fields: fields.map { .init($0.key, $0.value) })
        }

        static func redirect(_ status: Int, _ location: String) -> Response {
            Response(status: status, fields: [.init("location", location)])
        }
    }

    struct Unasked: Error {}

    private struct State {
        var script: [Response]
        var requests: [Request] = []
        var connections: [ConnectionOptions] = []
    }

    private let state: Mutex<State>

    init(_ script: Response...) { state = Mutex(State(script: script)) }
    init(_ script: [Response]) { state = Mutex(State(script: script)) }

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        let response = state.withLock { state in
            state.requests.append(request)
            state.connections.append(options.connection)
            return state.script.isEmpty ? nil : state.script.removeFirst()
        }
        guard let response else {
            Issue.record("nobody expected \(request.method) \(request.redactedURL)")
            throw Unasked()
        }
        if let failure = response.failure { throw failure }
        let pieces = Pieces(response.body)
        return StreamedResponse(
            head: ResponseHead(status: response.status, reason: response.reason, fields: response.fields),
            body: ResponseBody {
                if let piece = pieces.next() { return piece }
                if let failure = response.failureInBody { throw failure }
                return nil
            })
    }

    /// The connection options of each request, in order.
    var connections: [ConnectionOptions] { state.withLock { $0.connections } }

    /// The number of requests so far.
    var requestCount: Int { state.withLock { $0.requests.count } }

    /// Returns the recorded requests. Call this last, because it fails the test if responses are left in the script.
    func done(sourceLocation: SourceLocation = #_sourceLocation) -> [Request] {
        state.withLock { state in
            #expect(state.script.isEmpty, "responses that nobody asked for", sourceLocation: sourceLocation)
            return state.requests
        }
    }

    private final class Pieces: Sendable {
        private let rest: Mutex<ArraySlice<[UInt8]>>

        init(_ pieces: [[UInt8]]) { rest = Mutex(pieces[...]) }
        func next() -> [UInt8]? { rest.withLock { $0.popFirst() } }
    }
}
