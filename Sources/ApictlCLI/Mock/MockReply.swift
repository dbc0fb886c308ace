import EndpointKit
import MockServer

/// What `mock` responds to a request, before it is decided how that is sent.
struct MockReply: Sendable {
    var response: Response
    /// Where its latency is in the range, from 0 to 1; nil if it has none.
    var latency: Double?
    /// The endpoint's name, for the log.
    var endpoint: String?
    /// What else the log says.
    var notes: [String] = []

    init(_ response: Response, note: String? = nil) {
        self.response = response
        notes = note.map { [$0] } ?? []
    }
}

/// What `mock` responds to a call of an endpoint.
struct EndpointReplies: Sendable {
    let options: MockOptions
    /// The statuses from `--status`, by endpoint.
    var statuses: [String: Int] = [:]
    /// The files of `--samples`.
    var samples: SampleDirectory?
    /// The real server, for `--record`.
    var forwarder: MockForwarder?
    /// Nil if nothing is left to chance.
    var chance: MockChance?

    func reply(to request: ReceivedRequest, _ reading: CallReading, _ route: CallRoutes.Route) -> MockReply {
        let draw = chance?.draw(request, to: reading.declaration.name)
        let fails = options.failRate.flatMap { rate in draw.map { $0.failure < rate } } ?? false
        var reply =
            fails
            ? MockReply(Response(503, message: "chosen to fail by --fail-rate"))
            : chosenReply(to: request, reading, route)
        reply.latency = draw?.latency ?? 0
        reply.endpoint = reading.declaration.name
        return reply
    }

    private func chosenReply(
        to request: ReceivedRequest, _ reading: CallReading, _ route: CallRoutes.Route
    ) -> MockReply {
        guard let preferred = request.preferredStatus else {
            return reply(statuses[reading.declaration.name], chosenBy: "--status", to: request, reading, route)
        }
        var reply = reply(preferred, chosenBy: "Prefer", to: request, reading, route)
        if reply.response.head.status == preferred {
            // RFC 7240, section 3.
            reply.response.head.fields.append(.init("Preference-Applied", "code=\(preferred)"))
        }
        return reply
    }

    private func reply(
        _ status: Int?, chosenBy source: String, to request: ReceivedRequest, _ reading: CallReading,
        _ route: CallRoutes.Route
    ) -> MockReply {
        func file(_ status: Int?) -> Response? {
            samples?.response(to: reading.declaration.name, SampleParameter.all(of: reading.signature), status: status)
        }
        // A server that fails checks nothing.
        if let status, !(200..<300).contains(status) {
            return MockReply(file(status) ?? Response(status, message: "\(status) chosen by \(source)"))
        }
        if let refusal = refusal(of: request, reading, route) { return MockReply(refusal) }
        if let forwarder { return forwarder.reply(to: request, reading, route) }
        if let status, let chosen = file(status) { return MockReply(chosen) }
        var response = file(nil) ?? route.sample(for: request)
        if let status, response.head.status < 300 { response.head.status = status }
        return MockReply(response)
    }

    /// The response to a request that is not a call of the endpoint; nil if it is one.
    private func refusal(of request: ReceivedRequest, _ reading: CallReading, _ route: CallRoutes.Route) -> Response? {
        if options.requiresCredentials {
            let credentials = reading.declaration.api.credentials(of: route.endpoint, at: nil)
            if let refusal = request.refusal(without: credentials) { return refusal }
        }
        guard options.isStrict, !reading.problems.isEmpty else { return nil }
        let isMissing = reading.problems.contains { $0.kind == .missing }
        return Response(isMissing ? 400 : 422, message: reading.problems.map(\.message).joined(separator: "; "))
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
        // An API's own scheme has no registered name.
        let unregistered = "ApiKey"
        switch scheme {
        case .basic: return place(of: .header(name: "Authorization", prefix: "Basic ", variable: ""))
        case .query(let name, _):
            let isSet = queryItems.contains { $0.name == name && !$0.value.isEmpty }
            return ("query item \(name)", unregistered, isSet)
        case .header(let name, let prefix, _):
            // The names of schemes are case-insensitive (RFC 9110, section 11.1).
            let isSet = values(of: name).contains { value in
                value.utf8.count > prefix.utf8.count && value.lowercased().hasPrefix(prefix.lowercased())
            }
            let scheme = name.isSameName(as: "Authorization") ? String(prefix.prefix { $0 != " " }) : ""
            return (
                "header \(name)" + (prefix.isEmpty ? "" : ": \(prefix)…"), scheme.isEmpty ? unregistered : scheme, isSet
            )
        }
    }
}
