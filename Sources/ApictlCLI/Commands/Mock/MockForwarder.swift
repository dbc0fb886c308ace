import EndpointKit
import MockServer

/// Sends the requests that `mock --record` receives to the real server, and records the responses.
final class MockForwarder: Sendable {
    private let context: RunContext
    private let options: CallOptions
    private let recorder: SampleRecorder
    /// The real server of each API; nil is the API's first.
    private let bases: [String: BaseURL]

    /// Headers that belong to one connection, or that the transport sets.
    private static let hop: Set<String> = [
        "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization",
        "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Throws ``UsageError`` and `RequestProblem` if a server can't be used.
    init(_ apis: [any API.Type], server: String?, _ recorder: SampleRecorder, _ context: RunContext) throws {
        self.context = context
        self.recorder = recorder
        var options = CallOptions()
        options.server = server
        options.maxTime = CallOptions.defaultTimeLimit
        self.options = options
        var bases: [String: BaseURL] = [:]
        for api in apis { bases[api.name] = try ServerResolver(api: api, context: context).base(options) }
        self.bases = bases
    }

    /// Throws ``UsageError`` if a real server is `mock` itself, as it is in a shell that has pasted the lines of an earlier run.
    func requireOthers(than mock: MockServer, _ names: VariableNames, _ apis: [any API.Type]) throws(UsageError) {
        for api in apis {
            guard let base = bases[api.name], base.port == Int(mock.port),
                MockHosts(host: mock.host, port: mock.port).accept("\(base.host):\(mock.port)")
            else { continue }
            throw .invalidBaseURL(nil, problem: "is the address of this mock server", source: names.url(of: api))
        }
    }

    /// The real server's response as it was recorded; 502 or 504 with the reason if there is none. Waits for it.
    func reply(to request: ReceivedRequest, _ reading: CallReading, _ route: CallRoutes.Route) -> MockReply {
        // Without the paths of this server and of the real one.
        let path = PathTemplate(route.template).path(reading.pathValues)
        return WaitingThread.run { [self] in await exchange(request, reading, path) }
    }

    private func exchange(_ request: ReceivedRequest, _ reading: CallReading, _ path: String) async -> MockReply {
        var redactor = Redactor(others: context.environment.proxySecrets)
        do {
            let sent = try forwarded(request, reading.declaration, path)
            redactor = Redactor(sent, others: context.environment.proxySecrets)
            let client = Client(
                transport: context.environment.transport,
                transfer: TransferOptions(
                    maxTime: options.maxTime, connectTimeout: options.connectTimeout, connection: options.connection),
                maxRedirects: options.maxRedirects)
            let response = try await client.exchange(sent) { streamed in
                Response(head: streamed.head, body: try await streamed.body.collect(limit: ResponseLimit.decoded))
            }
            let kept = try recorder.record(response, to: reading.call, of: reading.declaration, redactor)
            var reply = MockReply(kept.response.head.status)
            reply.fields = kept.response.head.fields.map { ($0.name, $0.value) }
            reply.body = kept.response.body
            let type = response.head["Content-Type"]
            if let type, kept.response.head["Content-Type"] == nil {
                reply.fields.insert(("Content-Type", type), at: 0)
            }
            reply.note = kept.name.map { "recorded as \($0)" } ?? "not recorded: too many of this call"
            return reply
        } catch {
            let text = FailureReport(error, context, topic: nil).description?.error.message ?? "\(error)"
            let isTimeout = if case .timedOut? = (error as? TransportError)?.cause { true } else { false }
            var reply = MockReply(isTimeout ? 504 : 502, message: redactor.redact(text))
            reply.note = redactor.redact(text)
            return reply
        }
    }

    /// The request to the real server: as it was received, with the credentials that `call` would send in place of its own.
    private func forwarded(
        _ request: ReceivedRequest, _ declaration: EndpointDeclaration, _ path: String
    ) throws -> Request {
        var endpoint = declaration.endpoint
        let schemes = (endpoint.credentials ?? declaration.api.credentials).flatMap(\.alternatives)
        let named = request.values(of: "Connection").flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " }.lowercased() }
        endpoint.path = Endpoint.Path(stringLiteral: path)
        endpoint.query = Endpoint.Query(
            request.queryItems.filter { item in !schemes.contains { $0.setsQuery(item.name) } }
                .map { QueryItem($0.name, $0.value) })
        endpoint.headers = Headers(
            request.fields.filter { field in
                let name = field.name.lowercased()
                return !Self.hop.contains(name) && !named.contains(name) && name != "content-type"
                    && !schemes.contains { $0.setsHeader(field.name) }
            }.map { Header($0.name, $0.value) })
        endpoint.body =
            request.body.isEmpty
            ? nil : .data(request.body, contentType: request["Content-Type"] ?? "application/octet-stream")
        return try declaration.api.request(
            endpoint, RequestOptions(base: bases[declaration.api.name], variables: context.environment.variable))
    }
}
