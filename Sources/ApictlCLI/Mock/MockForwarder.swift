import EndpointKit
import EndpointTools
import MockServer

/// Sends the requests that `mock --record` receives to the real server, and records the responses.
struct MockForwarder: Sendable {
    /// An API and the names of the variables that hold its credentials.
    private struct CredentialVariables {
        let api: CatalogueAPI
        let names: [String]
    }

    private let resolver: CallResolver
    private let recorder: SampleRecorder
    private let apis: [CatalogueAPI]
    /// The variables of each API's credentials. They are found once, because finding them examines every endpoint.
    private let credentialVariables: [CredentialVariables]
    /// The server that is chosen for all APIs; nil is the one that `call` would use.
    private let server: CallServerName?

    /// Headers that belong to one connection, or that the transport sets.
    private static let connectionHeaders = HTTPField.ofConnection.union([
        "accept-encoding", "expect", "host", "proxy-authorization",
    ])

    /// Reads the settings for calls of the real servers.
    ///
    /// - Parameters:
    ///   - apis: The APIs that are served.
    ///   - server: The name of the real server; nil is the one that `call` would use.
    ///   - recorder: Writes the responses.
    /// - Throws: ``UsageError`` and ``FileError`` if the settings can't be used.
    init(
        _ apis: [CatalogueAPI], server: SourcedText?, recorder: SampleRecorder, context: CommandContext
    ) throws {
        resolver = try CallResolver(context, environmentFiles: [], apis: apis)
        self.recorder = recorder
        self.apis = apis
        credentialVariables = apis.map { api in
            CredentialVariables(api: api, names: CredentialVariable.all(of: [api]).map(\.name))
        }
        self.server = server.map { CallServerName(word: $0) }
    }

    /// The values of the real credentials, so that no log shows them.
    ///
    /// A value that only a command of the configuration knows is missing: the command is not run for this.
    var credentials: Set<String> {
        var credentials: Set<String> = []
        for variables in credentialVariables {
            let values = resolver.settings.variables(of: variables.api)
            credentials.formUnion(variables.names.compactMap { values.value($0) })
        }
        credentials.remove("")
        return credentials
    }

    /// Checks that every real server can be used, and is not this mock server, which would call itself without end.
    ///
    /// A real server can be the mock server in a shell that has run the `export` lines of an earlier `mock`, because
    /// these set the variables that choose servers.
    ///
    /// - Throws: ``UsageError`` if a server can't be used or is `mock`.
    func requireOtherServers(than mock: MockServer) throws {
        for api in apis {
            // Without a choice, the first server that the API declares is asked, which is no mock server.
            guard let choice = CallServerChoice(api, server, resolver.settings, resolver.context) else { continue }
            let realServer = try choice.base()
            let hasSamePort = realServer.port == Int(mock.port)
            let hasSameHost = MockHosts(mock.host).accepts(realServer.host)
            if hasSamePort && hasSameHost {
                throw UsageError("\(choice.sourceText) is the address of this mock server")
            }
        }
    }

    // MARK: Requests

    /// Sends a call to the real server, waits for the response and records it. This blocks the calling thread.
    ///
    /// - Parameters:
    ///   - call: The call that the client made, with the received request.
    ///   - clientSecrets: The credentials of the received request, which the reply must not contain.
    /// - Returns: The response without secrets. If there is none, 504 after a timeout, or 502, with the reason.
    func forward(_ call: ReceivedCall, clientSecrets: Set<String>) -> MockReply {
        WaitingThread.run { await sendAndRecord(call, clientSecrets: clientSecrets) }
    }

    /// Sends a call to the real server, waits for the response and records it, without blocking the thread.
    ///
    /// - Parameters:
    ///   - call: The call that the client made, with the received request.
    ///   - clientSecrets: The credentials of the received request, which the reply must not contain.
    /// - Returns: The response without secrets. If there is none, 504 after a timeout, or 502, with the reason.
    private func sendAndRecord(_ call: ReceivedCall, clientSecrets: Set<String>) async -> MockReply {
        // If there is no plan because of an error, only the secrets of the proxy are known.
        var redactor = Redactor(others: resolver.context.environment.proxySecrets)
        do {
            let plan = try await planForRealServer(call)
            let realExchange = Exchange(plan, resolver.context)
            redactor = realExchange.redactor
            redactor.add(clientSecrets)
            let client = realExchange.client
            let response = try await client.exchange(plan.request) { streamed in
                Response(head: streamed.head, body: try await streamed.wholeBody(limit: client.maxBodySize))
            }
            return record(response, to: call, sentAs: plan, redactor: redactor)
        } catch {
            let message = redactor.redact(Failure(error).message)
            return MockReply(status: Self.isTimeout(error) ? 504 : 502, message: message)
        }
    }

    /// Records a response in a file, and returns it without secrets. The note for the log says whether it was recorded.
    ///
    /// An error of recording is only noted, because the client can use the response nevertheless.
    ///
    /// - Parameters:
    ///   - response: The response of the real server.
    ///   - call: The call that the client made, as it was read from the received request.
    ///   - plan: The plan of the request that was sent to the real server.
    ///   - redactor: Removes the secrets of the call.
    private func record(
        _ response: Response, to call: ReceivedCall, sentAs plan: CallPlan, redactor: Redactor
    ) -> MockReply {
        let recording = recorder.record(
            response, to: call.call, of: plan, pageItems: call.pageItems, redactor: redactor)
        var redactedResponse = recording.response
        // A recorded response lacks the type if the file's name tells it. The client needs the header.
        if let type = response.head["Content-Type"], redactedResponse.head["Content-Type"] == nil {
            redactedResponse.head.fields.insert(HTTPField("Content-Type", type), at: 0)
        }
        let note =
            switch recording.file {
            case .success(let name?): "recorded as \(name)"
            case .success(nil): "not recorded: too many of this call"
            case .failure(let error): "not recorded: \(Failure(error).message)"
            }
        return MockReply(redactedResponse, note: note)
    }

    /// Whether a request failed because of a time limit.
    private static func isTimeout(_ error: any Error) -> Bool {
        guard let error = error as? TransportError, case .timedOut = error.cause else { return false }
        return true
    }

    /// Plans the request to the real server: the received one, but with the credentials that `call` would send.
    private func planForRealServer(_ call: ReceivedCall) async throws -> CallPlan {
        var request = CallRequest(call.declaration)
        request.options.request.server = server
        // If the parameters can't be read, the call is forwarded nevertheless: the endpoint has the request as it came,
        // and the first call only fills in.
        request.call = call.call ?? call.declaration.firstCall
        request.endpoint = endpointAsReceived(call)
        request = try resolver.context.completed(request)
        return try await resolver.resolve(request, until: request.options.transfer.deadline(from: .now))
    }

    /// Returns the endpoint with path, query, headers and body as they were received.
    ///
    /// The client's credentials are left out, because the real ones are added later. So are the headers that belong to
    /// the client's connection: ``connectionHeaders``, and those that the header `Connection` lists (RFC 9110, section
    /// 7.6.1). The header `Content-Type` becomes a property of the body.
    private func endpointAsReceived(_ call: ReceivedCall) -> Endpoint {
        let request = call.request
        var endpoint = call.route.endpoint
        let credentials = call.declaration.api.requestBuilder.allCredentials(of: endpoint)
        let schemes = credentials.flatMap(\.alternatives)
        let listedInConnection = request.fields.members(of: "Connection").map { $0.lowercased() }
        let omittedHeaders = Self.connectionHeaders.union(listedInConnection + ["content-type"])

        let items = request.queryItems.filter { item in !schemes.contains { $0.sets(query: item.name) } }
        let fields = request.fields.filter { field in
            let isCredential = schemes.contains { $0.sets(header: field.name) }
            return !isCredential && !omittedHeaders.contains(field.name.lowercased())
        }
        endpoint.path = Endpoint.Path(stringLiteral: call.path)
        endpoint.query = Endpoint.Query(items)
        endpoint.headers = Headers(fields)
        if request.body.isEmpty {
            endpoint.body = nil
        } else {
            let type = request["Content-Type"] ?? "application/octet-stream"
            endpoint.body = .data(request.body, contentType: type)
        }
        return endpoint
    }
}
