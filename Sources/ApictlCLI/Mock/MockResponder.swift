import EndpointKit
import JSONText
import MockServer

/// What `mock` responds to a request, before it is decided how that is sent.
struct MockReply: Sendable {
    var response: Response
    /// Where its latency is in the range, from 0 to 1.
    var latency = 0.0
    var notes: [String]

    init(_ response: Response, note: String? = nil) {
        self.response = response
        notes = [note].compactMap(\.self)
    }
}

/// Responds to the requests that `mock` receives.
struct MockResponder: Sendable {
    let routes: CallRoutes
    let chance: MockChance?
    let forwarder: MockForwarder?
    private let samples: SampleDirectory?
    private let command: MockCommand
    private let context: RunContext
    private let write: @Sendable (String) -> Void
    private let hosts: MockHosts

    /// Writes lines about requests and samples with `write`. Throws ``UsageError``, ``FileError`` and `RequestProblem`.
    init(_ command: MockCommand, _ context: RunContext, write: @escaping @Sendable (String) -> Void) throws {
        let (apis, options) = (command.apis, command.options)
        let isPrefixed = options.usesPrefix || apis.count > 1
        let routes = try CallRoutes(apis.map { try CallRoutes.Mount($0, at: isPrefixed ? "/" + $0.name : "") })
        let note: @Sendable (String) -> Void = { write("\(context.tool): \($0.safeToShow)\n") }
        let files = context.environment.files
        self.routes = routes
        self.command = command
        self.context = context
        self.write = write
        hosts = MockHosts(options.host)
        chance =
            options.isRandom ? MockChance(seed: options.seed.map { UInt64($0) } ?? .random(in: 0...0xFFFF_FFFF)) : nil
        samples = try options.samples.map { try SampleDirectory($0, files, routes, report: note) }
        forwarder = try options.record.map { directory in
            try MockForwarder(apis, options.server, SampleRecorder(directory, files, report: note), context)
        }
    }

    private var options: MockOptions { command.options }

    func response(to request: ReceivedRequest) -> MockResponse {
        let path = request.path
        var reply: MockReply
        if hosts.accept(request.authority) {
            reply = self.reply(to: request, path)
            // Pages of every origin may read the samples.
            reply.response.head.fields += [
                .init("Access-Control-Allow-Origin", "*"), .init("Access-Control-Expose-Headers", "*"),
            ]
        } else {
            let names = hosts.names.joined(separator: ", ")
            reply = MockReply(Response(421, message: "the host in the Host header must be one of \(names)"))
        }
        let date = HTTPDate.text(context.environment.secondsSince1970())
        reply.response.head.fields += date.map { [.init("Date", $0)] } ?? []
        if !options.quiet {
            let notes = reply.notes.isEmpty ? "" : " " + reply.notes.joined(separator: ", ").safeToShow
            // The query may hold credentials.
            write("\(request.method) \(path.safeToShow) \(reply.response.head.status)\(notes)\n")
        }
        return options.delivery.response(reply, to: request)
    }

    private func reply(to request: ReceivedRequest, _ path: String) -> MockReply {
        if request.method == "OPTIONS", let method = request["Access-Control-Request-Method"] {
            // A browser may send that request (Fetch standard, section 3.2.2). A `*` would not include Authorization.
            let headers = request["Access-Control-Request-Headers"]
            return MockReply(
                Response(
                    fields: [.init("Access-Control-Allow-Methods", method)]
                        + (headers.map { [.init("Access-Control-Allow-Headers", $0)] } ?? [])))
        }
        let message = "no endpoint for \(request.method) \(path.safeToShow)"
        let segments = PathSegments(path)
        // Servers and proxies understand these differently.
        guard !segments.parts.contains(where: { [[0x2E], [0x2E, 0x2E]].contains($0) || $0.contains(0) }) else {
            return MockReply(Response(400, message: "the path has a dot segment or a zero byte"))
        }
        switch routes.match(request, segments) {
        case .found(let reading, let others):
            var reply = reply(to: reading)
            if !others.isEmpty { reply.notes.append("fits \(others.joined(separator: ", ")) as well") }
            return reply
        case .otherMethods(let methods):
            let allow = (methods + ["OPTIONS"]).joined(separator: ", ")
            let fields = [ResponseHead.Field("Allow", allow)]
            return MockReply(
                request.method == "OPTIONS"
                    ? Response(fields: fields) : Response(405, message: "\(message), only for \(allow)", fields: fields)
            )
        case .unknownPath:
            let nearest = routes.nearest(to: path).map { [("nearest", JSONValue($0))] } ?? []
            return MockReply(Response(404, message: message, nearest))
        }
    }

    private func reply(to reading: CallReading) -> MockReply {
        let name = reading.declaration.name
        let draw = chance?.draw(reading.request, to: name)
        var reply: MockReply
        if let rate = options.failRate, let draw, draw.failure < rate {
            reply = MockReply(Response(503, message: "chosen to fail by --fail-rate"))
        } else {
            do {
                let preferred = reading.request.preferredStatus
                let source = preferred == nil ? "--status" : "Prefer"
                reply = try self.reply(to: reading, preferred ?? command.statuses[name], chosenBy: source)
            } catch {
                let message = Failure(error).message
                reply = MockReply(Response(500, message: message), note: message)
            }
        }
        reply.latency = draw?.latency ?? 0
        reply.notes.insert(name, at: 0)
        return reply
    }

    /// Throws ``UsageError`` and ``FileError`` if a file of `--samples` can't be used.
    private func reply(to reading: CallReading, _ status: Int?, chosenBy source: String) throws -> MockReply {
        // A server that fails checks nothing.
        if let status, !(200..<300).contains(status) {
            let file = try samples?.response(to: reading, status: status)
            return MockReply(file ?? Response(status, message: "\(status) chosen by \(source)"))
        }
        if options.requiresCredentials,
            let refusal = reading.request.refusal(
                without: reading.declaration.api.credentials(of: reading.route.endpoint, at: nil))
        {
            return MockReply(refusal)
        }
        if options.isStrict, !reading.problems.isEmpty {
            let isMissing = reading.problems.contains { $0.kind == .missing }
            let message = reading.problems.map(\.message).joined(separator: "; ")
            return MockReply(Response(isMissing ? 400 : 422, message: message))
        }
        if let forwarder { return forwarder.reply(to: reading) }
        if let status, let chosen = try samples?.response(to: reading, status: status) { return MockReply(chosen) }
        var response = try samples?.response(to: reading, status: nil) ?? reading.sample
        if let status, response.head.status < 300 { response.head.status = status }
        return MockReply(response)
    }
}

extension Response {
    fileprivate init(fields: [ResponseHead.Field]) {
        self.init(head: ResponseHead(status: 204, fields: fields), body: [])
    }
}

extension ReceivedRequest {
    /// The status in `Prefer: code=503` (RFC 7240); nil without one, or if it is not from 200 to 599.
    fileprivate var preferredStatus: Int? {
        values(of: "Prefer").flatMap { $0.split(separator: ",") }.lazy.compactMap { preference in
            let parts = preference.prefix { $0 != ";" }.filter { !" \t\"".contains($0) }.split(separator: "=")
            return parts.count == 2 && parts[0].lowercased() == "code" ? Int(parts[1]) : nil
        }.first { (200...599).contains($0) }
    }

    /// 401 (RFC 9110, section 15.5.2) if a required credential is missing, else nil. Any value of a credential is accepted.
    fileprivate func refusal(without credentials: [Credential]) -> Response? {
        let required = credentials.filter { !$0.isOptional }.map { $0.alternatives.map(place) }
        guard let missing = required.first(where: { !$0.contains(where: \.isSet) }) else { return nil }
        return Response(
            401, message: "a credential is missing: " + missing.map(\.name).joined(separator: ", or "),
            fields: missing.map { .init("WWW-Authenticate", "\($0.challenge) realm=\"mock\"") })
    }

    /// Where the credential is sent, the scheme of its challenge, and whether this request has it.
    private func place(of scheme: Credential.Scheme) -> (name: String, challenge: String, isSet: Bool) {
        var (header, prefix) = ("Authorization", "Basic ")
        switch scheme {
        case .query(let name, _):
            return ("query item \(name)", "ApiKey", queryItems.contains { $0.name == name && !$0.value.isEmpty })
        case .header(let name, let start, _): (header, prefix) = (name, start)
        case .basic: break
        }
        // The names of schemes are case-insensitive (RFC 9110, section 11.1).
        let isSet = values(of: header).contains { value in
            value.utf8.count > prefix.utf8.count && value.lowercased().hasPrefix(prefix.lowercased())
        }
        // An API's own scheme has no registered name.
        let isRegistered = header.isSameName(as: "Authorization") && !prefix.isEmpty && !prefix.hasPrefix(" ")
        let challenge = isRegistered ? String(prefix.prefix { $0 != " " }) : "ApiKey"
        return ("header \(header)" + (prefix.isEmpty ? "" : ": \(prefix)…"), challenge, isSet)
    }
}

extension CallRoutes {
    /// The route most similar to `path`, such as `GET /movie/{id}/videos`; nil if none is similar.
    fileprivate func nearest(to path: String) -> String? {
        guard path.utf8.count <= Nearest.maxLength else { return nil }
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let candidates = mounts.flatMap { mount in
            mount.endpoints.map { route in
                let template = mount.path + route.template
                let segments = template.split(separator: "/", omittingEmptySubsequences: false)
                // A value counts as no difference.
                let filled = segments.enumerated().map { index, segment in
                    segment.hasPrefix("{") && index < parts.count ? parts[index] : segment
                }
                return (path: filled.joined(separator: "/"), text: "\(route.endpoint.method.rawValue) \(template)")
            }
        }
        let nearest = Nearest.matches(path, in: candidates.map(\.path)).first
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
        let isAddress =
            host.hasPrefix("[") && host.hasSuffix("]") || host.utf8.allSatisfy { "0123456789.".utf8.contains($0) }
        return names.contains(String(host)) || acceptsAddresses && isAddress
    }
}
