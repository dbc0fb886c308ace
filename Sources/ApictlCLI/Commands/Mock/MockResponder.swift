import EndpointKit
import JSONText
import MockServer
import Synchronization

/// Responds to the requests that `mock` receives.
final class MockResponder: Sendable {
    private let catalogue: MockCatalogue
    private let latency: Duration?
    private let failures: MockFailures?
    /// Writes a line about a request.
    private let log: @Sendable (String) -> Void
    /// The values of `Host` that are accepted.
    ///
    /// A web page whose host name is made to resolve to this machine (DNS rebinding) sends its own name.
    private let hosts = Mutex<[String]>([])

    init(
        _ catalogue: MockCatalogue, latency: Duration?, failures: MockFailures?,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.catalogue = catalogue
        self.latency = latency
        self.failures = failures
        self.log = log
    }

    /// A server with these responses on a port of 127.0.0.1. Throws `MockServerError`.
    func start(port: UInt16) throws(MockServerError) -> MockServer {
        // Requests that arrive before the port is known wait for the lock.
        try hosts.withLock { hosts throws(MockServerError) in
            let server = try MockServer(
                port: port, limits: .init(head: 64 << 10, body: 16 << 20), recording: false
            ) { self.response(to: $0) }
            let names = ["127.0.0.1", "localhost", "[::1]"]
            // Clients leave out the default port.
            hosts = names.map { "\($0):\(server.port)" } + (server.port == 80 ? names : [])
            return server
        }
    }

    private struct Reply {
        var status: Int
        var fields: [(String, String)] = []
        var body: [UInt8] = []
        var endpoint: String?
        var pause: Duration?

        init(_ status: Int) { self.status = status }

        /// A reply with an object in JSON.
        init(_ status: Int, _ members: [(String, JSONValue)], fields: [(String, String)] = []) {
            self.status = status
            self.fields = [("Content-Type", "application/json")] + fields
            body = Array("\(JSONValue(members))\n".utf8)
        }
    }

    private func response(to request: ReceivedRequest) -> MockResponse {
        let path = request.path
        let allowed = hosts.withLock { $0 }
        var reply: Reply
        if allowed.contains((request["Host"] ?? "").lowercased()) {
            reply = self.reply(to: request, path)
            // Pages of every origin may read the samples.
            reply.fields += [("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", "*")]
        } else {
            let message = "the Host header must be one of \(allowed.joined(separator: ", "))"
            reply = Reply(421, [("message", JSONValue(message))])
        }
        // The query may hold credentials.
        log("\(request.method) \(path.safeToShow) \(reply.status)\(reply.endpoint.map { " " + $0 } ?? "")\n")
        let response = MockResponse.response(reply.status, fields: reply.fields, body: reply.body)
        return MockResponse(steps: (reply.pause.map { [.pause($0)] } ?? []) + response.steps)
    }

    private func reply(to request: ReceivedRequest, _ path: String) -> Reply {
        if request.method == "OPTIONS", let method = request["Access-Control-Request-Method"] {
            return preflight(method, headers: request["Access-Control-Request-Headers"])
        }
        let shown = "\(request.method) \(path.safeToShow)"
        switch catalogue.match(request.method, path) {
        case .found(let endpoint):
            var reply = self.reply(endpoint, to: request)
            reply.endpoint = endpoint.name
            reply.pause = latency
            return reply
        case .otherMethods(let methods):
            let allow = (methods + ["OPTIONS"]).joined(separator: ", ")
            if request.method == "OPTIONS" {
                var reply = Reply(204)
                reply.fields = [("Allow", allow)]
                return reply
            }
            return Reply(
                405, [("message", JSONValue("no endpoint for \(shown), only for \(allow)"))], fields: [("Allow", allow)]
            )
        case .unknownPath:
            let nearest = catalogue.nearest(to: path).map { [("nearest", JSONValue($0))] } ?? []
            return Reply(404, [("message", JSONValue("no endpoint for \(shown)"))] + nearest)
        }
    }

    /// Tells a browser that its page may send that request (Fetch standard, section 3.2.2), whatever the response will be.
    private func preflight(_ method: String, headers: String?) -> Reply {
        var reply = Reply(204)
        reply.fields = [("Access-Control-Allow-Methods", method)]
        // A `*` would not include Authorization.
        if let headers { reply.fields.append(("Access-Control-Allow-Headers", headers)) }
        return reply
    }

    private func reply(_ endpoint: MockCatalogue.Served, to request: ReceivedRequest) -> Reply {
        if let failures, failures.fails(request.method, request.target) {
            return Reply(503, [("message", JSONValue("chosen to fail by --fail-rate"))])
        }
        if let status = endpoint.status, !(200..<300).contains(status) {
            return Reply(status, [("message", JSONValue("\(status) chosen by --status"))])
        }
        guard let sample = endpoint.sample else {
            return Reply(501, [("message", JSONValue("\(endpoint.name) has no sample"))])
        }
        var reply = Reply(endpoint.status ?? sample.head.status)
        reply.fields = sample.head.fields.map { ($0.name, $0.value) }
        reply.body = sample.body
        return reply
    }
}
