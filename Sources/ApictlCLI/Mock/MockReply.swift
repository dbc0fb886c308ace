import EndpointKit
import MockServer
import Synchronization

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

    func reply(to reading: CallReading) -> MockReply {
        let draw = chance?.draw(reading.request, to: reading.declaration.name)
        let fails = options.failRate.flatMap { rate in draw.map { $0.failure < rate } } ?? false
        var reply =
            fails
            ? MockReply(Response(503, message: "chosen to fail by --fail-rate"))
            : chosenReply(to: reading)
        reply.latency = draw?.latency ?? 0
        reply.endpoint = reading.declaration.name
        return reply
    }

    private func chosenReply(to reading: CallReading) -> MockReply {
        guard let preferred = reading.request.preferredStatus else {
            return reply(to: reading, statuses[reading.declaration.name], chosenBy: "--status")
        }
        var reply = reply(to: reading, preferred, chosenBy: "Prefer")
        if reply.response.head.status == preferred {
            // RFC 7240, section 3.
            reply.response.head.fields.append(.init("Preference-Applied", "code=\(preferred)"))
        }
        return reply
    }

    private func reply(to reading: CallReading, _ status: Int?, chosenBy source: String) -> MockReply {
        func file(_ status: Int?) -> Response? {
            samples?.response(to: reading.declaration.name, SampleParameter.all(of: reading.signature), status: status)
        }
        // A server that fails checks nothing.
        if let status, !(200..<300).contains(status) {
            return MockReply(file(status) ?? Response(status, message: "\(status) chosen by \(source)"))
        }
        if let refusal = refusal(of: reading) { return MockReply(refusal) }
        if let forwarder { return forwarder.reply(to: reading) }
        if let status, let chosen = file(status) { return MockReply(chosen) }
        var response = file(nil) ?? reading.sample
        if let status, response.head.status < 300 { response.head.status = status }
        return MockReply(response)
    }

    /// The response to a request that is not a call of the endpoint; nil if it is one.
    private func refusal(of reading: CallReading) -> Response? {
        if options.requiresCredentials {
            let credentials = reading.declaration.api.credentials(of: reading.route.endpoint, at: nil)
            if let refusal = reading.request.refusal(without: credentials) { return refusal }
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

/// How `mock` sends its responses: what a client must survive.
struct MockDelivery: Sendable {
    /// The wait before a response.
    var latency: ClosedRange<Duration>?
    /// The bytes of a body in a second.
    var rate: Int?
    var isChunked = false
    /// Compresses bodies for clients that accept it.
    var gzip: Gzip?
    /// Whether bodies break off in the middle.
    var isCut = false

    /// Chunks of a body, at most; large ones have more.
    private static let maxChunks = 8
    private static let maxChunkSize = 16_384

    /// The response that sends `reply`.
    func response(_ reply: MockReply, to request: ReceivedRequest) -> MockResponse {
        var response = reply.response
        // The length is that of what is sent.
        response.head.fields.removeAll { $0.name.isSameName(as: "Content-Length") }
        if let gzip, let compressed = Self.compressed(response, for: request, gzip) {
            response.body = compressed
            response.head.fields += [.init("Content-Encoding", "gzip"), .init("Vary", "Accept-Encoding")]
        }
        var steps: [MockResponse.Step] = []
        if let latency, let place = reply.latency {
            steps.append(.pause(latency.lowerBound + (latency.upperBound - latency.lowerBound) * place))
        }
        var body = response.body
        guard isChunked || isCut || rate != nil, !body.isEmpty, ![204, 304].contains(response.head.status) else {
            return MockResponse(steps: steps + MockResponse(response).steps)
        }
        // Only HTTP/1.1 has chunks.
        let hasChunks = isChunked && request.version == "HTTP/1.1"
        response.head.fields.append(
            hasChunks ? .init("Transfer-Encoding", "chunked") : .init("Content-Length", String(body.count)))
        if hasChunks {
            let size = min(max(body.count / Self.maxChunks, 1), Self.maxChunkSize)
            let starts = Array(stride(from: 0, to: body.count, by: size)) + [body.count]
            body = starts.flatMap { MockResponse.chunk(Array(body[$0...].prefix(size))) }
        }
        if isCut { body.removeLast((body.count + 1) / 2) }
        let fields = response.head.fields.map { ($0.name, $0.value) }
        steps += MockResponse.response(response.head.status, fields: fields).steps
        steps.append(rate.map { .paced(body, bytesPerSecond: $0) } ?? .content(body))
        return MockResponse(steps: isCut ? steps + [.close] : steps)
    }

    private static func compressed(_ response: Response, for request: ReceivedRequest, _ gzip: Gzip) -> [UInt8]? {
        guard !response.body.isEmpty, response.head["Content-Encoding"] == nil,
            request.values(of: "Accept-Encoding").contains(where: acceptsGzip)
        else { return nil }
        return gzip.compress(response.body)
    }

    /// Whether a value of `Accept-Encoding` includes gzip (RFC 9110, section 12.5.3).
    static func acceptsGzip(_ value: String) -> Bool {
        var named: Bool?
        var any = false
        for item in value.split(separator: ",") {
            let parts = item.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";")
            // A weight of 0 refuses it.
            let accepts = !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
            switch parts.first {
            case "gzip", "x-gzip": named = accepts
            case "*": any = accepts
            default: break
            }
        }
        return named ?? any
    }
}

/// Chooses which requests fail and how long responses take.
///
/// The choice depends on the seed, the request and how often it came, not on the order of different requests, so that a client that
/// sends them all at once meets the same failures each time.
final class MockChance: Sendable {
    let seed: UInt64
    /// How often requests came, by the last bits of their hash: a table that does not grow with the requests.
    private let counts = Mutex([UInt64](repeating: 0, count: 4096))

    init(seed: UInt64) { self.seed = seed }

    /// Two numbers from 0 up to but not including 1 for a request to that endpoint, which is counted.
    func draw(_ request: ReceivedRequest, to endpoint: String) -> (failure: Double, latency: Double) {
        // FNV-1a.
        func hash(_ bytes: some Sequence<UInt8>, _ start: UInt64) -> UInt64 {
            bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        // The boundary of a multipart body is another one each time.
        let isMultipart = request["Content-Type"]?.lowercased().hasPrefix("multipart/") ?? false
        let head = hash("\(endpoint) \(request.method) \(request.target) ".utf8, 0xCBF2_9CE4_8422_2325)
        let hash = isMultipart ? head : hash(request.body, head)
        let number = counts.withLock { counts in
            counts[Int(hash % 4096)] += 1
            return counts[Int(hash % 4096)]
        }
        let bits = Self.mixed(Self.mixed(Self.mixed(seed) ^ hash) ^ number)
        return (Self.fraction(bits), Self.fraction(Self.mixed(bits)))
    }

    private static func fraction(_ bits: UInt64) -> Double { Double(bits >> 11) * 0x1p-53 }

    /// The next value of SplitMix64 after the state `value`.
    private static func mixed(_ value: UInt64) -> UInt64 {
        var bits = value &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }
}
