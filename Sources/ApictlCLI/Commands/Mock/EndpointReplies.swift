import EndpointKit
import MockServer

/// What `mock` responds to a call of an endpoint.
struct EndpointReplies: Sendable {
    /// The statuses from `--status`, by endpoint.
    var statuses: [String: Int] = [:]
    var failRate: Double?
    /// Whether missing and wrong parameters are refused.
    var isStrict = true
    var requiresCredentials = true
    /// The files of `--samples`.
    var samples: SampleDirectory?
    /// The real server, for `--record`.
    var forwarder: MockForwarder?

    func reply(
        to request: ReceivedRequest, _ reading: CallReading, _ route: CallRoutes.Route, _ draw: MockChance.Draw?
    ) -> MockReply {
        if let failRate, let draw, draw.failure < failRate {
            return MockReply(503, message: "chosen to fail by --fail-rate")
        }
        guard let preferred = request.preferredStatus else {
            return reply(statuses[reading.declaration.name], chosenBy: "--status", to: request, reading, route)
        }
        var reply = reply(preferred, chosenBy: "Prefer", to: request, reading, route)
        // RFC 7240, section 3.
        if reply.status == preferred { reply.fields.append(("Preference-Applied", "code=\(preferred)")) }
        return reply
    }

    private func reply(
        _ status: Int?, chosenBy source: String, to request: ReceivedRequest, _ reading: CallReading,
        _ route: CallRoutes.Route
    ) -> MockReply {
        // A server that fails checks nothing.
        if let status, !(200..<300).contains(status) {
            return file(for: reading, status) ?? MockReply(status, message: "\(status) chosen by \(source)")
        }
        if requiresCredentials {
            let credentials = reading.declaration.api.credentials(of: route.endpoint, at: nil)
            if let refusal = CredentialCheck(credentials, in: request).refusal { return refusal }
        }
        if isStrict, !reading.problems.isEmpty {
            let isMissing = reading.problems.contains { $0.kind == .missing }
            return MockReply(isMissing ? 400 : 422, message: reading.problems.map(\.message).joined(separator: "; "))
        }
        if let forwarder { return forwarder.reply(to: request, reading, route) }
        if let status, let file = file(for: reading, status) { return file }
        var reply = file(for: reading, nil) ?? sample(route, request)
        if let status, reply.status < 300 { reply.status = status }
        return reply
    }

    /// The reply from a file; nil if there is none.
    private func file(for reading: CallReading, _ status: Int?) -> MockReply? {
        samples.flatMap { samples in
            let parameters = SampleParameter.all(of: reading.signature)
            return samples.reply(to: reading.declaration.name, parameters, status: status)
        }
    }

    private func sample(_ route: CallRoutes.Route, _ request: ReceivedRequest) -> MockReply {
        guard let sample = route.endpoint.sampleResponse else {
            return MockReply(501, message: "\(route.declaration.name) has no sample")
        }
        var reply = MockReply(sample.head.status)
        // The length is that of what is sent, which may be compressed.
        reply.fields = sample.head.fields.filter { $0.name != "Content-Length" }.map { ($0.name, $0.value) }
        reply.body = sample.body
        if let paging = route.endpoint.pages {
            let items = request.queryItems.map { ($0.name, $0.value) }
            let page = paging.page(of: sample.body, query: request.query, items: items)
            reply.body = page.body
            if let header = page.header { reply.fields.append((header.name, header.value)) }
        }
        return reply
    }
}
