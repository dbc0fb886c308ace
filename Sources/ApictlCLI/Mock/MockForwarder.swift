import EndpointKit
import EndpointTools
import MockServer

/// Sends the requests that `mock --record` receives to the real server, and records the responses.
struct MockForwarder: Sendable {
    private let resolver: CallResolver
    private let recorder: SampleRecorder
    private let apis: [CatalogueAPI]
    /// The names of each API's credential variables. Finding them takes long, because every endpoint is examined.
    private let credentialVariables: [(api: CatalogueAPI, names: [String])]
    /// The server that is chosen for all APIs.
    private let server: CallServerName?

    /// Headers that belong to one connection, or that the transport sets.
    private static let hop = Header.ofConnection.union(["accept-encoding", "expect", "host", "proxy-authorization"])

    /// Sends to the server of that name; nil is the one that `call` would use. Throws ``UsageError`` and ``FileError``.
    init(_ apis: [CatalogueAPI], _ server: SourcedText?, _ recorder: SampleRecorder, _ context: CommandContext)
        throws
    {
        resolver = try CallResolver(context, environmentFiles: [], apis: apis)
        self.recorder = recorder
        self.apis = apis
        credentialVariables = apis.map { api in (api, CredentialVariable.all(of: [api]).map(\.name)) }
        self.server = server.map { CallServerName(word: $0) }
    }

    /// The real credentials as far as they are known, so that no log shows them. No command is run for it.
    var credentials: Set<String> {
        let values = credentialVariables.flatMap { api, names in
            names.compactMap { resolver.settings.variables(of: api).value($0) }
        }
        return Set(values).subtracting([""])
    }

    /// Throws ``UsageError`` if a real server can't be used, or is `mock` itself, as it is in a shell that has pasted the lines of an earlier
    /// run.
    func requireOthers(than mock: MockServer) throws {
        for api in apis {
            guard let choice = CallServerChoice(api, server, resolver.settings, resolver.context),
                case let base = try choice.base(), base.port == Int(mock.port),
                MockHosts(mock.host).accept(base.host)
            else { continue }
            throw UsageError("\(choice.sourceText) is the address of this mock server")
        }
    }

    /// The real server's response without the request's `secrets`; 502 or 504 with the reason if there is none. Waits for it.
    func reply(to reading: CallReading, _ secrets: Set<String>) -> MockReply {
        WaitingThread.run { await exchange(reading, secrets) }
    }

    private func exchange(_ reading: CallReading, _ secrets: Set<String>) async -> MockReply {
        var redactor = Redactor(others: resolver.context.environment.proxySecrets)
        do {
            let exchange = Exchange(try await plan(reading), resolver.context)
            redactor = exchange.redactor
            redactor.add(secrets)
            let response = try await exchange.client.exchange(exchange.plan.request) { streamed in
                Response(head: streamed.head, body: try await streamed.wholeBody(limit: exchange.client.maxBodySize))
            }
            var (kept, file) = recorder.record(
                response, to: reading.call, of: exchange.plan, pageItems: reading.pageItems, redactor)
            if let type = response.head["Content-Type"], kept.head["Content-Type"] == nil {
                kept.head.fields.insert(.init("Content-Type", type), at: 0)
            }
            let note =
                switch file {
                case .success(let name?): "recorded as \(name)"
                case .success(nil): "not recorded: too many of this call"
                case .failure(let error): "not recorded: \(Failure(error).message)"
                }
            return MockReply(kept, note: note)
        } catch {
            let text = redactor.redact(Failure(error).message)
            let isTimeout = if case .timedOut? = (error as? TransportError)?.cause { true } else { false }
            return MockReply(isTimeout ? 504 : 502, text)
        }
    }

    /// The request to the real server: as it was received, with the credentials that `call` would send in place of its own.
    private func plan(_ reading: CallReading) async throws -> CallPlan {
        let (request, declaration) = (reading.request, reading.declaration)
        var endpoint = reading.route.endpoint
        let schemes = declaration.api.requestBuilder.allCredentials(of: endpoint).flatMap(\.alternatives)
        let named = request.fields.members(of: "Connection").map { $0.lowercased() }
        endpoint.path = Endpoint.Path(stringLiteral: reading.path)
        endpoint.query = Endpoint.Query(
            request.queryItems.filter { item in !schemes.contains { $0.sets(query: item.name) } }
                .map { QueryItem($0.name, $0.value) })
        endpoint.headers = Headers(
            request.fields.filter { field in
                let name = field.name.lowercased()
                return !Self.hop.contains(name) && !named.contains(name) && name != "content-type"
                    && !schemes.contains { $0.sets(header: field.name) }
            }.map { Header($0.name, $0.value) })
        endpoint.body =
            request.body.isEmpty
            ? nil : .data(request.body, contentType: request["Content-Type"] ?? "application/octet-stream")
        var call = CallRequest(declaration)
        call.options.request.server = server
        call.call = reading.call ?? declaration.firstCall
        call.endpoint = endpoint
        call = try resolver.context.completed(call)
        return try await resolver.plan(call, until: call.options.transfer.deadline(from: .now))
    }
}
