import EndpointKit
import JSONText
import MockServer
import Synchronization

/// Responds to the requests that `mock` receives.
final class MockResponder: Sendable {
    private let catalogue: MockCatalogue
    private let replies: EndpointReplies
    private let delivery: MockDelivery
    private let gzip: Gzip?
    /// Nil if nothing is left to chance.
    private let chance: MockChance?
    /// The time in seconds since 1970.
    private let now: @Sendable () -> Int
    /// Writes a line about a request.
    private let log: @Sendable (String) -> Void
    /// Not behind a lock, which every request would take.
    private let hosts = AtomicLazyReference<MockHosts>()
    /// Locked until ``hosts`` are known.
    private let starting = Mutex(())

    /// Throws ``UsageError`` if bodies are to be compressed and can't be.
    init(
        _ catalogue: MockCatalogue, _ replies: EndpointReplies, _ delivery: MockDelivery, _ chance: MockChance?,
        now: @escaping @Sendable () -> Int, log: @escaping @Sendable (String) -> Void
    ) throws(UsageError) {
        self.catalogue = catalogue
        self.replies = replies
        self.delivery = delivery
        self.chance = chance
        self.now = now
        self.log = log
        gzip = delivery.isCompressed ? Gzip() : nil
        if delivery.isCompressed, gzip == nil { throw .optionMissing("zlib, which is not installed", for: "--gzip") }
    }

    /// A server with these responses. Throws `MockServerError`.
    func start(host: String, port: UInt16) throws(MockServerError) -> MockServer {
        try starting.withLock { _ throws(MockServerError) in
            let server = try MockServer(
                host: host, port: port, limits: .init(head: 64 << 10, body: 16 << 20, idle: .seconds(60)),
                recording: false
            ) { self.response(to: $0) }
            _ = hosts.storeIfNil(MockHosts(host: host, port: server.port))
            return server
        }
    }

    /// The hosts; a request that arrives before the port is known waits for them.
    private var knownHosts: MockHosts? { hosts.load() ?? starting.withLock { _ in hosts.load() } }

    private func response(to request: ReceivedRequest) -> MockResponse {
        let path = request.path
        let hosts = knownHosts
        var reply: MockReply
        if let hosts, hosts.accept(request.authority) {
            reply = self.reply(to: request, path)
            // Pages of every origin may read the samples.
            reply.fields += [("Access-Control-Allow-Origin", "*"), ("Access-Control-Expose-Headers", "*")]
        } else {
            let names = hosts?.names.joined(separator: ", ") ?? ""
            reply = MockReply(421, message: "the Host header must be one of \(names)")
        }
        reply.fields.append(("Date", MockDate.text(now())))
        // The query may hold credentials.
        let about = [reply.endpoint, reply.note].compactMap(\.self).joined(separator: ", ")
        log("\(request.method) \(path.safeToShow) \(reply.status)\(about.isEmpty ? "" : " " + about.safeToShow)\n")
        return delivery.response(reply, to: request, gzip)
    }

    private func reply(to request: ReceivedRequest, _ path: String) -> MockReply {
        if request.method == "OPTIONS", let method = request["Access-Control-Request-Method"] {
            return preflight(method, headers: request["Access-Control-Request-Headers"])
        }
        let shown = "\(request.method) \(path.safeToShow)"
        let segments = PathSegments(path)
        // Servers and proxies understand these differently.
        guard !segments.parts.contains(where: { [[0x2E], [0x2E, 0x2E]].contains($0) || $0.contains(0) }) else {
            return MockReply(400, message: "the path has a dot segment or a zero byte")
        }
        switch catalogue.routes.match(request, segments) {
        case .found(let reading, let route, let others):
            let draw = chance?.draw(request, to: reading.declaration.name)
            var reply = replies.reply(to: request, reading, route, draw)
            reply.latency = draw?.latency ?? 0
            reply.endpoint = reading.declaration.name
            if !others.isEmpty {
                let note = "fits \(others.joined(separator: ", ")) as well"
                reply.note = reply.note.map { "\($0), \(note)" } ?? note
            }
            return reply
        case .otherMethods(let methods):
            return otherMethods(methods, request.method, shown)
        case .unknownPath:
            // `OPTIONS *` asks about the whole server (RFC 9110, section 9.3.7).
            if request.method == "OPTIONS", path == "*" { return otherMethods(catalogue.methods, "OPTIONS", shown) }
            let nearest = catalogue.nearest(to: path).map { [("nearest", JSONValue($0))] } ?? []
            return MockReply(404, message: "no endpoint for \(shown)", nearest)
        }
    }

    private func otherMethods(_ methods: [String], _ method: String, _ shown: String) -> MockReply {
        let allow = (methods + ["OPTIONS"]).joined(separator: ", ")
        guard method == "OPTIONS" else {
            return MockReply(405, message: "no endpoint for \(shown), only for \(allow)", fields: [("Allow", allow)])
        }
        var reply = MockReply(204)
        reply.fields = [("Allow", allow)]
        return reply
    }

    /// Tells a browser that its page may send that request (Fetch standard, section 3.2.2), whatever the response will be.
    private func preflight(_ method: String, headers: String?) -> MockReply {
        var reply = MockReply(204)
        reply.fields = [("Access-Control-Allow-Methods", method)]
        // A `*` would not include Authorization.
        if let headers { reply.fields.append(("Access-Control-Allow-Headers", headers)) }
        return reply
    }
}
