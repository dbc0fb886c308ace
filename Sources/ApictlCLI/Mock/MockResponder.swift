import APIImport
import EndpointKit
import JSONText
import MockServer

/// What `mock` responds to a request, before it is decided how that is sent.
struct MockReply: Sendable {
    var response: Response
    /// What the log says about it.
    var note: String?

    init(_ response: Response, note: String? = nil) { (self.response, self.note) = (response, note) }

    /// A failure of which the log has the message too.
    init(_ status: Int, _ message: String, fields: [ResponseHead.Field] = []) {
        self.init(Response(status, message: message), note: message)
        response.head.fields += fields
    }
}

/// Responds to the requests that `mock` receives.
struct MockResponder: Sendable {
    let routes: CallRoutes
    let faults: MockFaults?
    let forwarder: MockForwarder?
    private let samples: SampleDirectory?
    private let command: MockCommand
    private let context: CommandContext
    private let write: @Sendable (String) -> Void
    private let hosts: MockHosts
    /// The names, in lower case, under which the APIs' credentials are sent.
    private let credentialNames: Set<String>
    /// The addresses of the APIs' servers, the longest first, and the paths that the APIs are under here.
    private let servers: [(address: String, path: String)]

    /// Writes lines about requests and samples with `write`. Throws ``UsageError``, ``FileError`` and `RequestProblem`.
    init(_ command: MockCommand, _ context: CommandContext, write: @escaping @Sendable (String) -> Void) throws {
        let (apis, options) = (command.apis, command.options)
        let mounts = try command.subjects.flatMap { subject in
            try subject.apis.map { try CallRoutes.Mount($0, at: command.path(of: subject)) }
        }
        let routes = CallRoutes(mounts)
        let note: @Sendable (String) -> Void = { write("\(context.tool): \($0.safeToShow)\n") }
        let files = context.environment.files
        (self.routes, self.command, self.context, self.write) = (routes, command, context, write)
        hosts = MockHosts(options.host)
        faults = options.faults.rate.map { rate in
            MockFaults(rate: rate, seed: options.faults.seed.map { UInt64($0) } ?? .random(in: 0...0xFFFF_FFFF))
        }
        samples = try options.samples.map { try SampleDirectory($0, files, routes, report: note) }
        forwarder = try options.record.map { directory in
            try MockForwarder(apis, options.server, SampleRecorder(directory, files), context)
        }
        let schemes = routes.mounts.flatMap { mount in
            mount.endpoints.flatMap { mount.api.requestBuilder.allCredentials(of: $0.endpoint).flatMap(\.alternatives) }
        }
        credentialNames = Set(schemes.compactMap { $0.names.first?.lowercased() })
        servers = try routes.mounts.flatMap { mount in
            try mount.api.servers.map { (try $0.base().text, mount.path) }
        }.sorted { $0.0.utf8.count > $1.0.utf8.count }
    }

    private var options: MockOptions { command.options }

    /// The routes of each API, a line each.
    var listing: String {
        let recorded = samples?.endpoints ?? []
        return routes.mounts.map { mount in
            let rows = mount.endpoints.map { route in
                let name = route.declaration.name
                let hasSample =
                    route.endpoint.sample != nil || route.endpoint.response.kind == .empty || recorded.contains(name)
                let notes = [command.statuses[name].map { "status \($0)" }, hasSample ? nil : "no sample"]
                    .compactMap(\.self).joined(separator: ", ")
                let shown = name + (notes.isEmpty ? "" : " (\(notes))")
                return [route.endpoint.method.rawValue, mount.path + route.template, shown]
            }
            return "\(mount.api.name)\n" + context.table.text(rows)
        }.joined()
    }

    func response(to request: ReceivedRequest) -> MockResponse {
        let start = ContinuousClock.now
        let fails = faults?.fails(request) ?? false
        var reply = refusal(of: request) ?? self.reply(to: request, fails: fails)
        // Pages of every origin may read the samples.
        let origins = forwarder == nil ? ["*"] : request.values(of: "Origin").filter(options.allows)
        for origin in origins.prefix(reply.response.head.status == 421 ? 0 : 1) {
            reply.response.head.fields += [
                .init("Access-Control-Allow-Origin", origin), .init("Access-Control-Expose-Headers", "*"),
            ]
            if forwarder != nil { reply.response.head.fields.append(.init("Vary", "Origin")) }
        }
        reply.response.head.fields += date
        log(request, reply, ContinuousClock.now - start + options.faults.latency)
        let pause: [MockResponse.Step] = options.faults.latency > .zero ? [.pause(options.faults.latency)] : []
        return MockResponse(steps: pause + MockResponse(reply.response).steps)
    }

    /// The response to what can't be read as a request.
    func refusal(_ status: Int, _ reason: String) -> MockResponse {
        if !options.quiet { write("- \(status) \(reason.safeToShow)\n") }
        var response = Response(status, message: reason)
        response.head.fields += [.init("Connection", "close")] + date
        return MockResponse(response)
    }

    private var date: [ResponseHead.Field] {
        HTTPDate.text(Int64(context.environment.secondsSince1970())).map { [.init("Date", $0)] } ?? []
    }

    private func log(_ request: ReceivedRequest, _ reply: MockReply, _ time: Duration) {
        if options.quiet { return }
        var redactor = Redactor()
        redactor.add(secrets(of: request).union(forwarder?.credentials ?? []))
        // A message may quote the body.
        if reply.response.head.status == 422 {
            redactor.add(SecretRules.secrets(in: request.body, contentType: request["Content-Type"]))
        }
        let note = reply.note.map { " " + redactor.redact($0) } ?? ""
        let line =
            "\(request.method) \(redactor.redact(SecretRules.redacted(request.target))) \(reply.response.head.status)\(note)"
        write("\(line.safeToShow) \(Int(time / .milliseconds(1))) ms\n")
    }

    /// The credentials that a client has sent: in the path, and by the names of query items and headers.
    private func secrets(of request: ReceivedRequest) -> Set<String> {
        let named = (request.queryItems + request.fields).filter {
            SecretName.isCredential($0.name) || credentialNames.contains($0.name.lowercased())
        }
        // Of `Bearer token` the token is one.
        let words = named.flatMap { [$0.value, $0.value.split(separator: " ").last.map(String.init) ?? ""] }
        return Set(routes.credentials(in: request.path) + words).subtracting([""])
    }

    /// The response to a request that comes from a place that may not use the server.
    private func refusal(of request: ReceivedRequest) -> MockReply? {
        guard hosts.accept(request.authority) else {
            return MockReply(421, "the host in the Host header must be one of \(hosts.names.joined(separator: ", "))")
        }
        let own = "http://\(request.authority ?? "")"
        let origins = request.values(of: "Origin")
        // An image or a script has no Origin.
        let isForeign =
            origins.isEmpty
            ? ["cross-site", "same-site"].contains(request["Sec-Fetch-Site"])
            : !origins.allSatisfy { $0 == own || options.allows(origin: $0) }
        return forwarder != nil && isForeign
            ? MockReply(403, "web pages of another origin may not use real credentials without --allow-origin") : nil
    }

    private func reply(to request: ReceivedRequest, fails: Bool) -> MockReply {
        switch routes.match(request) {
        case .found(let reading, let others):
            var reply: MockReply
            do {
                reply = fails ? MockReply(503, "chosen to fail by --fail-rate") : try self.reply(to: reading)
            } catch {
                reply = MockReply(500, Failure(error).message)
            }
            let fits = others.isEmpty ? nil : "fits \(others.joined(separator: ", ")) as well"
            reply.note = [reading.declaration.name, reply.note, fits].compactMap(\.self).joined(separator: ", ")
            return reply
        case .none(var response, let message):
            if response.head.status == 404, request.path == "/" {
                if ["GET", "HEAD"].contains(request.method) {
                    let type = ResponseHead.Field("Content-Type", "text/plain; charset=utf-8")
                    let head = ResponseHead(status: 200, fields: [type])
                    return MockReply(Response(head: head, body: listing.exactBytes), note: "the routes")
                }
                if request.method == "OPTIONS" { response = CallRoutes.allowing("GET, HEAD, OPTIONS") }
            }
            if request.method == "OPTIONS", let method = request["Access-Control-Request-Method"] {
                // A browser may send that request (Fetch standard, section 3.2.2). A `*` would not include Authorization.
                let names = request["Access-Control-Request-Headers"]
                response = Response(
                    head: ResponseHead(status: 204, fields: response.head.fields.filter { $0.name == "Allow" }),
                    body: [])
                response.head.fields.append(.init("Access-Control-Allow-Methods", method))
                response.head.fields += names.map { [.init("Access-Control-Allow-Headers", $0)] } ?? []
            }
            if response.head.status == 404, let nearest = routes.nearest(to: request.path) {
                response = Response(404, message: message, [("nearest", JSONValue(nearest))])
            }
            return MockReply(response, note: response.head.isSuccess ? nil : message)
        }
    }

    /// Throws ``UsageError`` and ``FileError`` if a file of `--samples` can't be used.
    private func reply(to reading: CallReading) throws -> MockReply {
        let request = reading.request
        let status = command.statuses[reading.declaration.name]
        func file() throws -> Response? {
            try samples?.response(to: reading, status: status).map { local($0, request) }
        }
        // A server that fails checks nothing.
        if let status, !(200..<300).contains(status) {
            return try file().map { MockReply($0) } ?? MockReply(status, "\(status) chosen by --status")
        }
        let credentials = reading.declaration.api.requestBuilder.credentials(of: reading.route.endpoint, at: nil)
        if options.requiresCredentials, let refusal = request.refusal(without: credentials) { return refusal }
        if options.isStrict, let problem = reading.problem { return MockReply(problem.status, problem.message) }
        if let forwarder {
            guard options.includesUnsafe || HTTPMethod(rawValue: request.method).isSafe else {
                return MockReply(403, "\(request.method) may change data on the real server: it needs --unsafe")
            }
            var reply = forwarder.reply(to: reading, secrets(of: request))
            reply.response = local(reply.response, request)
            return reply
        }
        var response = try file() ?? reading.sample
        if let status, response.head.status < 300 { response.head.status = status }
        return MockReply(response)
    }

    /// A response whose links to the APIs' servers lead to this one, at the address that the client uses.
    private func local(_ response: Response, _ request: ReceivedRequest) -> Response {
        servers.reduce(response) { response, server in
            response.replacing(server.address, with: "http://\(request.authority ?? "")\(server.path)")
        }
    }
}

extension Response {
    /// This response with another server's address in the links of headers and text, also where JSON has `\/` for a slash.
    func replacing(_ address: String, with other: String) -> Response {
        if address == other { return self }
        var copy = self
        copy.head.fields = head.fields.map { field in
            .init(field.name, String(exactBytes: field.value.exactBytes.replacing(address, with: other)))
        }
        guard head.isJSON == true || head.mediaType?.hasPrefix("text/") == true else { return copy }
        func escaped(_ text: String) -> String { text.replacingBytes(of: "/", with: "\\/") }
        copy.body = body.replacing(address, with: other).replacing(escaped(address), with: escaped(other))
        return copy
    }
}

extension [UInt8] {
    /// These bytes with `other` in place of each `address` that does not go on with another host or port.
    fileprivate func replacing(_ address: String, with other: String) -> [UInt8] {
        let (address, other) = (Array(address.utf8), Array(other.utf8))
        var (result, rest) = ([UInt8](), self[...])
        while let found = rest.firstRange(of: address) {
            let after = found.upperBound < endIndex ? self[found.upperBound] : UInt8(ascii: " ")
            let goesOn = after.isLetterOrDigit || "-._~%:@".utf8.contains(after)
            result += rest[..<found.lowerBound] + (goesOn ? address : other)
            rest = rest[found.upperBound...]
        }
        return result + rest
    }
}

extension ReceivedRequest {
    /// 401 (RFC 9110, section 15.5.2) if a required credential is missing, else nil. Any value of a credential is accepted.
    fileprivate func refusal(without credentials: [Credential]) -> MockReply? {
        func isSet(_ scheme: Credential.Scheme) -> Bool {
            queryItems.contains { scheme.sets(query: $0.name) && !$0.value.isEmpty }
                || fields.contains { scheme.sets(header: $0.name) && !$0.value.isEmpty }
        }
        let missing = credentials.first { !$0.isOptional && !$0.alternatives.contains(where: isSet) }
        guard let names = missing?.alternatives.compactMap(\.names.first) else { return nil }
        return MockReply(
            401, "a credential is missing: \(names.joined(separator: ", or ")); any value is accepted",
            fields: names.map { name in
                let challenge = ["basic", "bearer"].contains(name) ? name : "ApiKey"
                return .init("WWW-Authenticate", "\(challenge) realm=\"mock\"")
            })
    }
}

extension CallRoutes {
    /// The route most similar to `path`, such as `GET /movie/{id}/videos`; nil if none is similar.
    fileprivate func nearest(to path: String) -> String? {
        guard path.utf8.count <= NearestWord.maxLength else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let candidates = mounts.flatMap { mount in
            // What the path lacks may be the API's own path here.
            let prefixes = mount.prefixes + mount.prefixes.map { String($0.dropFirst(mount.path.count)) }
            return mount.endpoints.flatMap { route in
                prefixes.map { prefix in
                    let segments = (prefix + route.template).split(separator: "/", omittingEmptySubsequences: false)
                    // A value counts as no difference.
                    let filled = segments.enumerated().map { index, segment in
                        segment.hasPrefix("{") && index < parts.count ? parts[index] : segment
                    }
                    let text = "\(route.endpoint.method.rawValue) \(mount.path + route.template)"
                    return (path: filled.joined(separator: "/"), text: text)
                }
            }
        }
        let nearest = NearestWord.matches(path, in: candidates.map(\.path)).first
        return candidates.first { $0.path == nearest }?.text
    }
}

/// The hosts that `mock` accepts in `Host`: a web page whose own host name is made to resolve to this machine (DNS rebinding) sends that.
struct MockHosts: Sendable {
    let names: [String]
    /// Whether any IP address is accepted, because the server listens on all of the machine's; pages have no such name.
    private let acceptsAddresses: Bool

    /// The hosts of a server that listens on `host`.
    init(_ host: String) {
        let address = host.contains(":") ? "[\(host)]" : host.lowercased()
        let local = ["127.0.0.1", "localhost", "[::1]"]
        names = local.contains(address) ? local : local + [address]
        acceptsAddresses = ["0.0.0.0", "[::]"].contains(address)
    }

    /// Whether `authority` is one of these hosts, with any port.
    func accept(_ authority: String?) -> Bool {
        guard let authority = authority?.lowercased() else { return false }
        let port = authority.hasSuffix("]") ? nil : authority.lastIndex(of: ":")
        let host = authority[..<(port ?? authority.endIndex)]
        if let port, !authority[port...].dropFirst().utf8.allSatisfy(\.isDigit) { return false }
        let isAddress =
            host.hasPrefix("[") && host.hasSuffix("]") || host.utf8.allSatisfy { "0123456789.".utf8.contains($0) }
        return names.contains(String(host)) || acceptsAddresses && isAddress
    }
}
