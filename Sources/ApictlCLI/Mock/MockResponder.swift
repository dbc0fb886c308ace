import EndpointKit
import JSONText
import MockServer

/// Responds to the requests that `mock` receives.
struct MockResponder: Sendable {
    /// The address of an API's server, and the path that the API is under here.
    private struct ServedAddress {
        let address: String
        let path: String
    }

    let routes: CallRoutes
    /// Chooses the requests that fail; nil if none do.
    let faults: MockFaults?
    /// Asks the real servers for `--record`; nil without it.
    let forwarder: MockForwarder?
    /// Plays the logins of the APIs; nil with `--record`, whose calls need real tokens.
    private let logins: MockLogins?
    private let samples: SampleDirectory?
    private let command: MockCommand
    private let context: CommandContext
    private let write: @Sendable (String) -> Void
    private let hosts: MockHosts
    /// The names, in lower case, under which the APIs' credentials are sent.
    private let credentialNames: Set<String>
    /// The addresses of all servers. Longer ones come first, because they may start with a shorter one.
    private let servers: [ServedAddress]

    /// Prepares the routes, samples and failures.
    ///
    /// - Parameters:
    ///   - command: The command, with the APIs to serve and the options.
    ///   - context: The context.
    ///   - write: Writes lines about requests and samples.
    /// - Throws: ``UsageError``, ``FileError`` and `RequestError` for APIs, samples or settings that can't be used.
    init(_ command: MockCommand, _ context: CommandContext, write: @escaping @Sendable (String) -> Void) throws {
        let options = command.options
        let files = context.environment.files
        let mounts = try command.subjects.flatMap { subject in
            try subject.apis.map { try CallRoutes.Mount($0, at: command.path(of: subject)) }
        }
        let routes = CallRoutes(mounts)
        self.routes = routes
        self.command = command
        self.context = context
        self.write = write
        hosts = MockHosts(options.host)
        faults = options.faults.rate.map { rate in
            // 32 random bits are enough, and short enough to type as `--seed`.
            let seed = options.faults.seed.map { UInt64($0) } ?? .random(in: 0...0xFFFF_FFFF)
            return MockFaults(rate: rate, seed: seed)
        }
        logins = options.record == nil ? MockLogins(mounts, tokenLifetime: options.tokenLifetime) : nil
        samples = try options.samples.map { path in
            try SampleDirectory(path, files, routes) { problem in
                write("\(context.tool): \(problem.safeToShow)\n")
            }
        }
        forwarder = try options.record.map { directory in
            try MockForwarder(command.apis, options.server, SampleRecorder(directory, files), context)
        }
        credentialNames = Self.credentialNames(of: mounts)
        servers = try Self.servers(of: mounts)
    }

    private var options: MockOptions { command.options }

    /// Returns the names, in lower case, of the headers and query items with the credentials of all endpoints.
    ///
    /// For the header `Authorization`, the name is `basic` or `bearer`. ``SecretName`` knows this header anyway.
    private static func credentialNames(of mounts: [CallRoutes.Mount]) -> Set<String> {
        var names: Set<String> = []
        for mount in mounts {
            for route in mount.endpoints {
                let credentials = mount.api.requestBuilder.allCredentials(of: route.endpoint)
                let schemes = credentials.flatMap(\.alternatives)
                names.formUnion(schemes.compactMap { $0.names.first?.lowercased() })
            }
        }
        return names
    }

    /// Returns the addresses of all servers, the longest first.
    private static func servers(of mounts: [CallRoutes.Mount]) throws -> [ServedAddress] {
        let servers = try mounts.flatMap { mount in
            try mount.api.servers.map { ServedAddress(address: try $0.base().text, path: mount.path) }
        }
        return servers.sorted { $0.address.utf8.count > $1.address.utf8.count }
    }

    // MARK: Routes

    /// The routes of each API, a line each: method, path, and the name of the endpoint.
    var listing: String {
        let recorded = samples?.endpoints ?? []
        return routes.mounts.map { mount in
            let rows = mount.endpoints.map { route in
                [route.endpoint.method.rawValue, mount.path + route.template, name(of: route, recorded)]
            }
            let loginRows = (logins?.routes(of: mount.api) ?? []).map { [$0.method, $0.path, "login: \($0.variable)"] }
            return "\(mount.api.name)\n" + context.table.text(rows + loginRows)
        }.joined()
    }

    /// Returns the name of an endpoint with remarks: `movies.video (status 503, no sample)`.
    ///
    /// - Parameters:
    ///   - route: The route of the endpoint.
    ///   - recorded: The names of the endpoints that have files in `--samples`.
    private func name(of route: CallRoute, _ recorded: Set<String>) -> String {
        let name = route.declaration.name
        var notes: [String] = []
        if let status = command.statuses[name] { notes.append("status \(status)") }
        let needsSample = route.endpoint.sample == nil && route.endpoint.response.kind != .empty
        if needsSample, !recorded.contains(name) { notes.append("no sample") }
        return notes.isEmpty ? name : "\(name) (\(notes.joined(separator: ", ")))"
    }

    // MARK: Responses

    /// Returns the response to a request, and writes a line about both to the log.
    ///
    /// The connection makes the pause of `--latency`, so that the time is only added in the log.
    func response(to request: ReceivedRequest) -> MockResponse {
        let start = ContinuousClock.now
        let latency = options.faults.latency
        let fails = faults?.drawFailure(for: request) ?? false
        var reply = sourceRefusal(of: request) ?? self.reply(to: request, fails: fails)
        let isOptions = request.method == "OPTIONS" && reply.response.head.isSuccess
        if isOptions, reply.response.head["Allow"] == nil, let methods = routes.allowedMethods(at: request.path) {
            reply.response.head.fields.append(.init("Allow", methods))
        }
        reply.response.head.fields += accessFields(for: request, status: reply.response.head.status) + date
        // The connection ends if the client asks for that (RFC 9112, section 9.6).
        if !request.keepsConnection { reply.response.head.fields.append(.init("Connection", "close")) }
        log(request, reply, ContinuousClock.now - start + latency)
        let pause: [MockResponse.Step] = latency > .zero ? [.pause(latency)] : []
        return MockResponse(steps: pause + MockResponse(reply.response).steps)
    }

    /// Returns the response to bytes that can't be read as a request, after which the connection is closed.
    func refusal(_ status: Int, _ reason: String) -> MockResponse {
        if !options.quiet { write("- \(status) \(reason.safeToShow)\n") }
        var response = Response(status, message: reason)
        response.head.fields += [.init("Connection", "close")] + date
        return MockResponse(response)
    }

    /// The header `Date`; empty if the clock is beyond what the format allows.
    private var date: [HTTPField] {
        guard let text = HTTPDate.text(Int64(context.environment.secondsSince1970())) else { return [] }
        return [.init("Date", text)]
    }

    /// Returns the reply to a request from an allowed source.
    private func reply(to request: ReceivedRequest, fails: Bool) -> MockReply {
        if let response = logins?.response(to: request) {
            return fails ? MockReply(503, "chosen to fail by --fail-rate") : MockReply(response, note: "login")
        }
        switch routes.match(request) {
        case .found(let reading, let others): return reply(to: reading, others, fails: fails)
        case .none(let response, let message): return replyWithoutEndpoint(to: request, response, message)
        }
    }

    // MARK: Calls of an endpoint

    /// Returns the reply to a call, with the endpoint's name in the log. An error becomes the status 500.
    ///
    /// - Parameters:
    ///   - reading: The call.
    ///   - others: The names of other endpoints that fit as well.
    ///   - fails: Whether the reply is a failure of `--fail-rate`.
    private func reply(to reading: CallReading, _ others: [String], fails: Bool) -> MockReply {
        var reply: MockReply
        do {
            reply = fails ? MockReply(503, "chosen to fail by --fail-rate") : try self.reply(to: reading)
        } catch {
            reply = MockReply(500, Failure(error).message)
        }
        let ambiguity = others.isEmpty ? nil : "fits \(others.joined(separator: ", ")) as well"
        reply.note = [reading.declaration.name, reply.note, ambiguity].compactMap(\.self).joined(separator: ", ")
        return reply
    }

    /// Returns the reply to a call, from the first of these that applies:
    ///
    /// 1. `--status` with a failure: a file with this status, or else a message
    /// 2. a refusal, if credentials or parameters are wrong
    /// 3. `--record`: the response of the real server
    /// 4. a file of `--samples`, or else the sample that the endpoint declares
    ///
    /// - Throws: ``UsageError`` and ``FileError`` if a file of `--samples` can't be used.
    private func reply(to reading: CallReading) throws -> MockReply {
        let status = command.statuses[reading.declaration.name]
        // A server that fails does so before it checks credentials and parameters.
        if let status, !(200..<300).contains(status) {
            if let response = try fileResponse(to: reading, status: status) { return MockReply(response) }
            return MockReply(status, "\(status) chosen by --status")
        }
        if let refusal = refusal(of: reading) { return refusal }
        if let forwarder { return forward(reading, with: forwarder) }
        let fileResponse = try fileResponse(to: reading, status: status)
        let sampled = samples?.parameters(of: reading.declaration.name) ?? []
        if fileResponse == nil, reading.sample.head.status == 501, !sampled.isEmpty {
            let calls = sampled.joined(separator: ", ")
            return MockReply(501, "\(reading.declaration.name) has no sample for this call, only for \(calls)")
        }
        var response = fileResponse ?? reading.sample
        // The chosen status is a success here. It must not hide a failure, such as 501 for an endpoint without a
        // sample.
        if let status, response.head.status < 300 { response.head.status = status }
        return MockReply(response)
    }

    /// Returns the response in a file of `--samples`, with links to this server; nil if no file fits the call.
    private func fileResponse(to reading: CallReading, status: Int?) throws -> Response? {
        guard let response = try samples?.response(to: reading, status: status) else { return nil }
        return withLocalLinks(response, for: reading.request)
    }

    /// Returns the refusal of a call without credentials or with a problem in its parameters; nil if the call is
    /// correct, or if options allow what is wrong.
    private func refusal(of reading: CallReading) -> MockReply? {
        let credentials = reading.declaration.api.requestBuilder.credentials(of: reading.route.endpoint, at: nil)
        if options.requiresCredentials {
            if let refusal = reading.request.refusal(without: credentials) { return refusal }
            if let refusal = logins?.refusal(of: reading) { return MockReply(refusal, note: "a token is not valid") }
        }
        if options.isStrict, let problem = reading.problem { return MockReply(problem.status, problem.message) }
        return nil
    }

    /// Returns the response of the real server, with links to this one.
    ///
    /// Without `--unsafe`, a method that may change data there is refused.
    private func forward(_ reading: CallReading, with forwarder: MockForwarder) -> MockReply {
        let method = reading.request.method
        guard options.includesUnsafe || HTTPMethod(rawValue: method).isSafe else {
            return MockReply(403, "\(method) may change data on the real server: it needs --unsafe")
        }
        var reply = forwarder.reply(to: reading, credentials(in: reading.request))
        reply.response = withLocalLinks(reply.response, for: reading.request)
        return reply
    }

    /// Returns a response whose links to the APIs' servers lead to this server instead.
    ///
    /// The address is the one that the client has used, which may be `localhost` or an address in the network.
    private func withLocalLinks(_ response: Response, for request: ReceivedRequest) -> Response {
        servers.reduce(response) { response, server in
            response.replacing(server.address, with: "http://\(request.authority ?? "")\(server.path)")
        }
    }

    // MARK: Other requests

    /// Returns the reply to a request that calls no endpoint: the list of routes at `/`, an answer to a browser's
    /// preflight request, or a failure that names the nearest route.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - notFound: The response that says so, or the methods of the path for OPTIONS.
    ///   - message: The reason, for the log.
    private func replyWithoutEndpoint(
        to request: ReceivedRequest, _ notFound: Response, _ message: String
    ) -> MockReply {
        var response = notFound
        if request.path == "/", response.head.status == 404 {
            if ["GET", "HEAD"].contains(request.method) { return MockReply(listingResponse, note: "the routes") }
            if request.method == "OPTIONS" { response = CallRoutes.allowing("GET, HEAD, OPTIONS") }
        }
        if let preflight = preflightResponse(to: request, allow: response.head["Allow"]) {
            return MockReply(preflight)
        }
        if response.head.status == 404, let nearest = routes.nearest(to: request.path) {
            response = Response(404, message: message, [("nearest", JSONValue(nearest))])
        }
        return MockReply(response, note: response.head.isSuccess ? nil : message)
    }

    /// The response to `GET /`: the routes as text.
    private var listingResponse: Response {
        let type = HTTPField("Content-Type", "text/plain; charset=utf-8")
        return Response(head: ResponseHead(status: 200, fields: [type]), body: listing.exactBytes)
    }

    /// Returns the response that lets a browser send a request of a web page (Fetch standard, section 3.2.2).
    ///
    /// - Parameter allow: The methods of the path.
    /// - Returns: The response; nil if `request` is not a browser's question.
    private func preflightResponse(to request: ReceivedRequest, allow: String?) -> Response? {
        guard request.method == "OPTIONS", let method = request["Access-Control-Request-Method"] else { return nil }
        var fields = [HTTPField("Access-Control-Allow-Methods", method)]
        if let allow { fields.insert(.init("Allow", allow), at: 0) }
        // The names are repeated, because `*` would not include Authorization.
        if let names = request["Access-Control-Request-Headers"] {
            fields.append(.init("Access-Control-Allow-Headers", names))
        }
        return Response(head: ResponseHead(status: 204, fields: fields), body: [])
    }

    // MARK: Web pages

    /// Returns the refusal of a request from a source that may not use the server; nil if it may.
    private func sourceRefusal(of request: ReceivedRequest) -> MockReply? {
        guard hosts.accept(request.authority) else {
            return MockReply(421, "the host in the Host header must be one of \(hosts.names.joined(separator: ", "))")
        }
        if forwarder != nil, isFromForeignPage(request) {
            return MockReply(403, "web pages of another origin may not use real credentials without --allow-origin")
        }
        return nil
    }

    /// Whether a web page of an origin that is not allowed sends the request.
    private func isFromForeignPage(_ request: ReceivedRequest) -> Bool {
        let origins = request.values(of: "Origin")
        // For an image or a script, browsers send no `Origin`, but they say in `Sec-Fetch-Site` where the page is from.
        if origins.isEmpty { return ["cross-site", "same-site"].contains(request["Sec-Fetch-Site"]) }
        let ownOrigin = "http://\(request.authority ?? "")"
        return !origins.allSatisfy { $0 == ownOrigin || options.allows(origin: $0) }
    }

    /// Returns the headers that let a web page read the response (Fetch standard, section 3.2.3).
    ///
    /// Pages of every origin may read samples. With `--record`, only pages of an allowed origin may read a response.
    private func accessFields(for request: ReceivedRequest, status: Int) -> [HTTPField] {
        // The status 421 refuses a wrong host, which may be an attack (see ``MockHosts``): the page must not read the
        // reason.
        if status == 421 { return [] }
        let exposed = HTTPField("Access-Control-Expose-Headers", "*")
        if forwarder == nil { return [.init("Access-Control-Allow-Origin", "*"), exposed] }
        guard let origin = request.values(of: "Origin").first(where: options.allows) else { return [] }
        return [.init("Access-Control-Allow-Origin", origin), exposed, .init("Vary", "Origin")]
    }

    // MARK: Log

    /// Writes a line such as `GET /movie/550 200 movies.details 3 ms`, without secrets.
    private func log(_ request: ReceivedRequest, _ reply: MockReply, _ time: Duration) {
        if options.quiet { return }
        let status = reply.response.head.status
        var redactor = Redactor()
        redactor.add(credentials(in: request).union(forwarder?.credentials ?? []))
        // With the status 422, the note is about a wrong parameter and may quote the body.
        if status == 422 {
            redactor.add(SecretRules.secrets(in: request.body, contentType: request["Content-Type"]))
        }
        let target = redactor.redact(SecretRules.redacted(request.target))
        let note = reply.note.map { " " + redactor.redact($0) } ?? ""
        let line = "\(request.method) \(target) \(status)\(note)"
        write("\(line.safeToShow) \(Int(time / .milliseconds(1))) ms\n")
    }

    /// Returns the credentials in a request: in its path, and in query items and headers with the name of a credential.
    private func credentials(in request: ReceivedRequest) -> Set<String> {
        var credentials = Set(routes.credentials(in: request.path))
        let items = request.queryItems.map { HTTPField($0.name, $0.value) }
        for field in items + request.fields {
            let isCredential =
                SecretName.isCredential(field.name) || credentialNames.contains(field.name.lowercased())
            guard isCredential else { continue }
            credentials.insert(field.value)
            // The token of `Bearer token` is a credential by itself too.
            if let token = field.value.split(separator: " ").last { credentials.insert(String(token)) }
        }
        return credentials.subtracting([""])
    }
}

extension ReceivedRequest {
    /// Returns the response 401 (RFC 9110, section 15.5.2) to a request without a required credential; nil if none is
    /// missing.
    ///
    /// Any value of a credential is accepted.
    fileprivate func refusal(without credentials: [Credential]) -> MockReply? {
        let missing = credentials.first { credential in
            !credential.isOptional && !credential.alternatives.contains(where: hasValue)
        }
        guard let names = missing?.alternatives.compactMap(\.names.first) else { return nil }
        let challenges = names.map { name in
            let scheme = ["basic", "bearer"].contains(name) ? name : "ApiKey"
            return HTTPField("WWW-Authenticate", "\(scheme) realm=\"mock\"")
        }
        return MockReply(
            401, "a credential is missing: \(names.joined(separator: ", or ")); any value is accepted",
            fields: challenges)
    }

    /// Returns whether the request has a value for a credential, in the query item or header where its scheme is sent.
    private func hasValue(of scheme: Credential.Scheme) -> Bool {
        queryItems.contains { scheme.sets(query: $0.name) && !$0.value.isEmpty }
            || fields.contains { scheme.sets(header: $0.name) && !$0.value.isEmpty }
    }
}
