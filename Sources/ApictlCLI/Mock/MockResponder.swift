import EndpointKit
import JSONText
import MockServer
import Synchronization

/// Responds to the requests that `mock` receives.
final class MockResponder: Sendable {
    let routes: CallRoutes
    let replies: EndpointReplies
    private let delivery: MockDelivery
    /// The time in seconds since 1970.
    private let now: @Sendable () -> Int
    /// Writes a line about a request.
    private let log: @Sendable (String) -> Void
    /// Locked until the port is known; a request that arrives before waits for it.
    private let hosts = Mutex<MockHosts?>(nil)

    init(
        _ routes: CallRoutes, _ replies: EndpointReplies, _ delivery: MockDelivery, now: @escaping @Sendable () -> Int,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.routes = routes
        self.replies = replies
        self.delivery = delivery
        self.now = now
        self.log = log
    }

    /// A server with these responses. Throws `MockServerError`.
    func start(host: String, port: UInt16) throws(MockServerError) -> MockServer {
        try hosts.withLock { hosts throws(MockServerError) in
            let server = try MockServer(
                host: host, port: port, limits: .init(head: 64 << 10, body: 16 << 20, idle: .seconds(60)),
                recording: false
            ) { self.response(to: $0) }
            hosts = MockHosts(host: host, port: server.port)
            return server
        }
    }

    private func response(to request: ReceivedRequest) -> MockResponse {
        let path = request.path
        let hosts = hosts.withLock(\.self)
        var reply: MockReply
        if let hosts, hosts.accept(request.authority) {
            reply = self.reply(to: request, path)
            // Pages of every origin may read the samples.
            reply.response.head.fields += [
                .init("Access-Control-Allow-Origin", "*"), .init("Access-Control-Expose-Headers", "*"),
            ]
        } else {
            let names = hosts?.names.joined(separator: ", ") ?? ""
            reply = MockReply(Response(421, message: "the Host header must be one of \(names)"))
        }
        if let date = HTTPDate.text(now()) { reply.response.head.fields.append(.init("Date", date)) }
        // The query may hold credentials.
        let line = "\(request.method) \(path.safeToShow) \(reply.response.head.status)"
        let about = ((reply.endpoint.map { [$0] } ?? []) + reply.notes).joined(separator: ", ")
        log("\(line)\(about.isEmpty ? "" : " " + about.safeToShow)\n")
        return delivery.response(reply, to: request)
    }

    private func reply(to request: ReceivedRequest, _ path: String) -> MockReply {
        if request.method == "OPTIONS", let method = request["Access-Control-Request-Method"] {
            return preflight(method, headers: request["Access-Control-Request-Headers"])
        }
        let segments = PathSegments(path)
        // Servers and proxies understand these differently.
        guard !segments.parts.contains(where: { [[0x2E], [0x2E, 0x2E]].contains($0) || $0.contains(0) }) else {
            return MockReply(Response(400, message: "the path has a dot segment or a zero byte"))
        }
        switch routes.match(request, segments) {
        case .found(let reading, let others):
            var reply = replies.reply(to: reading)
            if !others.isEmpty { reply.notes.append("fits \(others.joined(separator: ", ")) as well") }
            return reply
        case .otherMethods(let methods): return otherMethods(methods, request.method, path)
        case .unknownPath:
            // `OPTIONS *` asks about the whole server (RFC 9110, section 9.3.7).
            if request.method == "OPTIONS", path == "*" { return otherMethods(routes.methods, "OPTIONS", path) }
            let nearest = routes.nearest(to: path).map { [("nearest", JSONValue($0))] } ?? []
            return MockReply(Response(404, message: "no endpoint for \(request.method) \(path.safeToShow)", nearest))
        }
    }

    private func otherMethods(_ methods: [String], _ method: String, _ path: String) -> MockReply {
        let allow = (methods + ["OPTIONS"]).joined(separator: ", ")
        let fields = [ResponseHead.Field("Allow", allow)]
        if method == "OPTIONS" { return MockReply(Response(head: ResponseHead(status: 204, fields: fields), body: [])) }
        let message = "no endpoint for \(method) \(path.safeToShow), only for \(allow)"
        return MockReply(Response(405, message: message, fields: fields))
    }

    /// Tells a browser that its page may send that request (Fetch standard, section 3.2.2), whatever the response will be.
    private func preflight(_ method: String, headers: String?) -> MockReply {
        var head = ResponseHead(status: 204, fields: [.init("Access-Control-Allow-Methods", method)])
        // A `*` would not include Authorization.
        if let headers { head.fields.append(.init("Access-Control-Allow-Headers", headers)) }
        return MockReply(Response(head: head, body: []))
    }
}

extension CallRoutes {
    /// The methods of all endpoints, sorted.
    fileprivate var methods: [String] {
        let methods = Set(mounts.flatMap(\.endpoints).map(\.endpoint.method.rawValue))
        return (methods.contains("GET") ? methods.union(["HEAD"]) : methods).subtracting(["OPTIONS"]).sorted()
    }

    /// The route most similar to `path`, such as `GET /movie/{id}/videos`; nil if none is similar.
    fileprivate func nearest(to path: String) -> String? {
        guard path.utf8.count <= Nearest.maxLength else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let templates = mounts.flatMap { mount in
            mount.endpoints.map { (text: mount.path + $0.template, method: $0.endpoint.method.rawValue) }
        }
        // A value counts as no difference.
        let candidates = templates.map { template in
            let segments = template.text.split(separator: "/", omittingEmptySubsequences: false)
            return segments.enumerated().map { index, segment in
                segment.hasPrefix("{") && index < parts.count ? parts[index] : segment
            }.joined(separator: "/")
        }
        let index = Nearest.matches(path, in: candidates).first.flatMap(candidates.firstIndex)
        return index.map { "\(templates[$0].method) \(templates[$0].text)" }
    }
}

/// The values of `Host` that `mock` accepts.
///
/// A web page whose host name is made to resolve to this machine (DNS rebinding) sends its own name.
struct MockHosts: Sendable {
    let names: [String]
    /// Whether any IP address is accepted, because the server listens on all of the machine's; pages have no such name.
    private let acceptsAddresses: Bool

    /// The hosts of a server that listens on `host` and `port`.
    init(host: String, port: UInt16) {
        let address = host.contains(":") ? "[\(host)]" : host.lowercased()
        let names = ["127.0.0.1", "localhost", "[::1]"]
        let all = names.contains(address) ? names : names + [address]
        // Clients leave out the default port.
        self.names = all.map { "\($0):\(port)" } + (port == 80 ? all : [])
        acceptsAddresses = ["0.0.0.0", "[::]"].contains(address)
    }

    func accept(_ host: String?) -> Bool {
        guard let host = host?.lowercased() else { return false }
        if names.contains(host) { return true }
        let isAddress = host.hasPrefix("[") || host.utf8.allSatisfy { "0123456789.:".utf8.contains($0) }
        return acceptsAddresses && isAddress
    }
}
