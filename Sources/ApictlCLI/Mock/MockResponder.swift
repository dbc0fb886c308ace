import EndpointKit
import JSONText
import MockServer

/// Responds to the requests that `mock` receives.
struct MockResponder: Sendable {
    private let routes: CallRoutes
    /// Chooses the requests that fail; nil if none do.
    let faults: MockFaults?
    /// Asks the real servers for `--record`; nil without it.
    let forwarder: MockForwarder?
    /// Plays the logins of the APIs; nil with `--record`, whose calls need real tokens.
    private let logins: MockLogins?
    /// The files of `--samples`; nil without it.
    private let samples: SampleDirectory?
    private let command: MockCommand
    private let context: CommandContext
    private let writeLog: @Sendable (String) -> Void
    private let webAccess: MockWebAccess
    private let credentialFinder: ReceivedCredentials
    private let localLinks: LocalLinks

    private var options: MockOptions { command.options }

    /// Prepares the routes, samples and failures. With `--record`, this makes the directory for samples.
    ///
    /// - Parameters:
    ///   - command: The command, with the APIs to serve and the options.
    ///   - writeLog: Writes lines about requests and samples.
    /// - Throws: ``UsageError``, ``FileError`` and `RequestError` for APIs, samples or settings that can't be used.
    init(
        for command: MockCommand, context: CommandContext, writeLog: @escaping @Sendable (String) -> Void
    ) throws {
        let options = command.options
        let files = context.environment.files
        let mounts = try command.subjects.flatMap { subject in
            try subject.apis.map { try CallRoutes.Mount($0, at: command.mountPath(of: subject)) }
        }
        let routes = CallRoutes(mounts)
        self.routes = routes
        self.command = command
        self.context = context
        self.writeLog = writeLog
        let recordsRealResponses = options.record != nil
        webAccess = MockWebAccess(
            hosts: MockHosts(options.host), protectsResponses: recordsRealResponses, allowedOrigins: options.origins)
        faults = options.faults.rate.map { MockFaults(rate: $0, seed: options.faults.seed) }
        // With `--record`, calls are sent with real credentials, so the mock server issues no tokens.
        logins = recordsRealResponses ? nil : MockLogins(mounts, tokenLifetime: options.tokenLifetime)
        samples = try options.samples.map { path in
            try SampleDirectory(path, in: files, routes: routes) { problem in
                writeLog("\(context.tool): \(problem.safeToShow)\n")
            }
        }
        forwarder = try options.record.map { directory in
            try MockForwarder(
                command.apis, server: options.server, recorder: SampleRecorder(directory, files), context: context)
        }
        credentialFinder = ReceivedCredentials(of: routes)
        localLinks = try LocalLinks(mounts)
    }

    // MARK: Routes

    /// The routes of each API, a line each: method, path, and the name of the endpoint.
    ///
    ///     movies
    ///       GET  /movie/{id}/videos  movies.video (no sample)
    var routeList: String {
        let endpointsWithFiles = samples?.endpoints ?? []
        return routes.mounts.map { mount in
            let endpointRows = mount.endpoints.map { route in
                let name = annotatedName(of: route, hasFile: endpointsWithFiles.contains(route.declaration.name))
                return [route.endpoint.method.rawValue, mount.path + route.template, name]
            }
            let loginRoutes = logins?.routes(of: mount.api) ?? []
            let loginRows = loginRoutes.map { [$0.method, $0.path, "login: \($0.variable)"] }
            return "\(mount.api.name)\n" + context.table.text(endpointRows + loginRows)
        }.joined()
    }

    /// Returns the name of an endpoint with notes about its responses: `movies.video (status 503, no sample)`.
    ///
    /// - Parameters:
    ///   - route: The route of the endpoint.
    ///   - hasFile: Whether `--samples` has a file for the endpoint.
    private func annotatedName(of route: CallRoute, hasFile: Bool) -> String {
        let name = route.declaration.name
        var notes: [String] = []
        if let status = command.statuses[name] { notes.append("status \(status)") }
        let needsSample = route.endpoint.sample == nil && route.endpoint.response.kind != .empty
        if needsSample && !hasFile { notes.append("no sample") }
        return notes.isEmpty ? name : "\(name) (\(notes.joined(separator: ", ")))"
    }

    // MARK: Responses

    /// Makes the response to a request, counts the request, and writes a line about both to the log.
    ///
    /// With `--latency`, the response begins with a pause. The connection makes it later, so that the log adds its
    /// time.
    func respond(to request: ReceivedRequest) -> MockResponse {
        let start = ContinuousClock.now
        // The request is counted even if it is refused, so that a seed always chooses the same failures.
        let fails = faults?.drawFailure(for: request) ?? false
        var reply = webAccess.refusal(of: request) ?? replyFromAllowedPage(to: request, fails: fails)
        addFields(to: &reply.response.head, for: request)
        let latency = options.faults.latency
        log(reply, to: request, duration: ContinuousClock.now - start + latency)
        let response = MockResponse(reply.response)
        if latency == .zero { return response }
        return MockResponse(steps: [.pause(latency)] + response.steps)
    }

    /// Adds the headers that all responses have: the allowed methods after OPTIONS, those for web pages, the date, and
    /// the end of the connection.
    private func addFields(to head: inout ResponseHead, for request: ReceivedRequest) {
        let isAnsweredOptions = request.method == "OPTIONS" && head.isSuccess
        if isAnsweredOptions, head["Allow"] == nil, let methods = routes.allowedMethods(at: request.path) {
            head.fields.append(HTTPField("Allow", methods))
        }
        head.fields += webAccess.headersForPage(of: request, status: head.status) + dateField
        // The connection ends if the client asks for that (RFC 9112, section 9.6).
        if !request.keepsConnection { head.fields.append(HTTPField("Connection", "close")) }
    }

    /// Returns the response to bytes that can't be read as a request, after which the connection is closed, and writes
    /// a line about it to the log.
    func refuse(status: Int, reason: String) -> MockResponse {
        if !options.quiet { writeLog("- \(status) \(reason.safeToShow)\n") }
        var response = Response(status, message: reason)
        response.head.fields += [HTTPField("Connection", "close")] + dateField
        return MockResponse(response)
    }

    /// The header `Date`; empty if the clock is beyond what the format allows.
    private var dateField: [HTTPField] {
        guard let text = HTTPDate.text(Int64(context.environment.secondsSince1970())) else { return [] }
        return [HTTPField("Date", text)]
    }

    /// Returns the reply to a request that comes from an allowed web page or from no page.
    ///
    /// - Parameters:
    ///   - request: The request: a request of a login, a call of an endpoint, or anything else.
    ///   - fails: Whether the request is one that `--fail-rate` chose. Only logins and calls fail.
    private func replyFromAllowedPage(to request: ReceivedRequest, fails: Bool) -> MockReply {
        if let response = logins?.respond(to: request) {
            return fails ? .chosenFailure : MockReply(response, note: "login")
        }
        switch routes.match(request) {
        case .found(let call, let alternatives):
            return callReply(to: call, alternatives: alternatives, fails: fails)
        case .none(let notFound, let message):
            return replyWithoutEndpoint(to: request, notFound: notFound, message: message)
        }
    }

    // MARK: Calls of an endpoint

    /// Returns the reply to a call, whose note for the log begins with the endpoint's name. An error becomes the status
    /// 500.
    ///
    /// - Parameters:
    ///   - call: The call that the request makes.
    ///   - alternatives: The names of other endpoints that the request fits as well. The log names them.
    ///   - fails: Whether the request is one that `--fail-rate` chose.
    private func callReply(to call: ReceivedCall, alternatives: [String], fails: Bool) -> MockReply {
        var reply: MockReply
        do {
            reply = fails ? .chosenFailure : try endpointReply(to: call)
        } catch {
            reply = MockReply(status: 500, message: Failure(error).message)
        }
        var notes = [call.declaration.name]
        if let note = reply.note { notes.append(note) }
        if !alternatives.isEmpty { notes.append("fits \(alternatives.joined(separator: ", ")) as well") }
        reply.note = notes.joined(separator: ", ")
        return reply
    }

    /// Returns the reply of an endpoint to a call, from the first of these that applies:
    ///
    /// 1. `--status` with a failure: a file with this status, or else a message
    /// 2. a refusal, if credentials or parameters are wrong
    /// 3. `--record`: the response of the real server
    /// 4. a file of `--samples`, or else the sample that the endpoint declares
    ///
    /// - Throws: ``UsageError`` and ``FileError`` if a file of `--samples` can't be used.
    private func endpointReply(to call: ReceivedCall) throws -> MockReply {
        let chosenStatus = command.statuses[call.declaration.name]
        // A server that fails does so before it checks credentials and parameters.
        if let chosenStatus, !(200..<300).contains(chosenStatus) {
            if let response = try takeFileResponse(to: call, chosenStatus: chosenStatus) { return MockReply(response) }
            return MockReply(status: chosenStatus, message: "\(chosenStatus) chosen by --status")
        }
        if let refusal = refusal(of: call) { return refusal }
        if let forwarder { return forward(call, with: forwarder) }
        return try sampleReply(to: call, chosenStatus: chosenStatus)
    }

    /// Returns the reply with a file of `--samples`, or else with the sample that the endpoint declares.
    ///
    /// - Parameters:
    ///   - call: The call, whose credentials and parameters are correct or accepted.
    ///   - chosenStatus: The status of a success (2xx) that `--status` chooses; nil without it.
    /// - Throws: ``UsageError`` and ``FileError`` if a file of `--samples` can't be used.
    private func sampleReply(to call: ReceivedCall, chosenStatus: Int?) throws -> MockReply {
        let fileResponse = try takeFileResponse(to: call, chosenStatus: chosenStatus)
        // If an endpoint declares no sample, the response 501 stands in for it.
        let isWithoutSample = fileResponse == nil && call.sample.head.status == 501
        if isWithoutSample {
            let name = call.declaration.name
            let sampledCalls = samples?.parameters(of: name) ?? []
            if !sampledCalls.isEmpty {
                let calls = sampledCalls.joined(separator: ", ")
                return MockReply(status: 501, message: "\(name) has no sample for this call, only for \(calls)")
            }
        }
        var response = fileResponse ?? call.sample
        // The chosen status replaces another success, but must not hide a failure such as 501.
        if let chosenStatus, response.head.status < 300 { response.head.status = chosenStatus }
        return MockReply(response)
    }

    /// Takes the response in the file of `--samples` whose turn it is, and makes its links lead to this server.
    ///
    /// - Returns: The response; nil if no file fits the call.
    private func takeFileResponse(to call: ReceivedCall, chosenStatus: Int?) throws -> Response? {
        guard let response = try samples?.takeNextResponse(to: call, chosenStatus: chosenStatus) else { return nil }
        return localLinks.applied(to: response, for: call.request)
    }

    /// Returns the refusal of a call without credentials or with a problem in its parameters; nil if the call is
    /// correct, or if `--no-auth` and `--no-validate` allow what is wrong.
    private func refusal(of call: ReceivedCall) -> MockReply? {
        let credentials = call.declaration.api.requestBuilder.credentials(of: call.route.endpoint, at: nil)
        if options.requiresCredentials {
            if let refusal = call.request.refusal(ifWithout: credentials) { return refusal }
            if let refusal = logins?.refusal(of: call) { return MockReply(refusal, note: "a token is not valid") }
        }
        if options.isStrict, let problem = call.problem {
            return MockReply(status: problem.status, message: problem.message)
        }
        return nil
    }

    /// Sends a call to the real server, and returns its response with links to this server.
    ///
    /// Without `--unsafe`, a method that may change data there is refused.
    private func forward(_ call: ReceivedCall, with forwarder: MockForwarder) -> MockReply {
        let method = call.request.method
        guard options.includesUnsafe || HTTPMethod(rawValue: method).isSafe else {
            return MockReply(status: 403, message: "\(method) may change data on the real server: it needs --unsafe")
        }
        var reply = forwarder.forward(call, clientSecrets: credentialFinder.values(in: call.request))
        reply.response = localLinks.applied(to: reply.response, for: call.request)
        return reply
    }

    // MARK: Other requests

    /// Returns the reply to a request that calls no endpoint: the list of routes at `/`, an answer to a browser's
    /// preflight request, or a failure that names the nearest route.
    ///
    /// - Parameters:
    ///   - request: The request, whose path and method fit no endpoint.
    ///   - notFound: The response 404 or 405. For OPTIONS it is a success with the methods of the path.
    ///   - message: The reason, for the log.
    private func replyWithoutEndpoint(
        to request: ReceivedRequest, notFound: Response, message: String
    ) -> MockReply {
        var response = notFound
        if request.path == "/", response.head.status == 404 {
            if ["GET", "HEAD"].contains(request.method) { return MockReply(routeListResponse, note: "the routes") }
            if request.method == "OPTIONS" { response = CallRoutes.allowing("GET, HEAD, OPTIONS") }
        }
        let allowedMethods = response.head["Allow"]
        if let preflight = webAccess.preflightResponse(to: request, allowedMethods: allowedMethods) {
            return MockReply(preflight)
        }
        if response.head.status == 404, let nearest = routes.nearest(to: request.path) {
            response = Response(404, message: message, [("nearest", JSONValue(nearest))])
        }
        return MockReply(response, note: response.head.isSuccess ? nil : message)
    }

    /// The response to `GET /`: the routes as text.
    private var routeListResponse: Response {
        let type = HTTPField("Content-Type", "text/plain; charset=utf-8")
        return Response(head: ResponseHead(status: 200, fields: [type]), body: routeList.exactBytes)
    }

    // MARK: Log

    /// Writes a line such as `GET /movie/550 200 movies.details 3 ms` to the log, without secrets.
    private func log(_ reply: MockReply, to request: ReceivedRequest, duration: Duration) {
        if options.quiet { return }
        let status = reply.response.head.status
        let redactor = makeLogRedactor(for: request, status: status)
        // The redactor knows the credentials of the request. The rules find other secrets by their names and forms.
        let target = redactor.redact(SecretRules.redacted(request.target))
        let note = reply.note.map { " " + redactor.redact($0) } ?? ""
        let line = "\(request.method) \(target) \(status)\(note)"
        writeLog("\(line.safeToShow) \(Int(duration / .milliseconds(1))) ms\n")
    }

    /// Makes a redactor of the secrets that a line of the log could show: the credentials that the client sent, and
    /// those that were sent to the real server.
    private func makeLogRedactor(for request: ReceivedRequest, status: Int) -> Redactor {
        var redactor = Redactor()
        redactor.add(credentialFinder.values(in: request).union(forwarder?.credentials ?? []))
        // With the status 422, the note is about a wrong parameter and may quote the body.
        if status == 422 {
            redactor.add(SecretRules.secrets(in: request.body, contentType: request["Content-Type"]))
        }
        return redactor
    }
}

extension MockReply {
    /// The reply to a request that `--fail-rate` has chosen.
    fileprivate static let chosenFailure = MockReply(status: 503, message: "chosen to fail by --fail-rate")
}
