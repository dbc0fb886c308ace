import EndpointKit
import MockServer
import Synchronization

/// How `mock` sends its responses: what a client must survive.
struct MockDelivery: Sendable {
    var latency: ClosedRange<Duration>?
    var rate: Int?
    var isChunked = false
    var gzip: Gzip?
    var isCut = false

    /// Chunks of a body, at most; large ones have more.
    private static let maxChunks = 8
    private static let maxChunkSize = 16_384

    /// The pause before a response.
    func latency(_ reply: MockReply) -> Duration {
        latency.map { $0.lowerBound + ($0.upperBound - $0.lowerBound) * reply.latency } ?? .zero
    }

    func response(_ reply: MockReply, to request: ReceivedRequest) -> MockResponse {
        var response = reply.response
        // The length is that of what is sent.
        response.head.fields.removeAll { $0.name.isSameName(as: "Content-Length") }
        if let gzip, !response.body.isEmpty, response.head["Content-Encoding"] == nil,
            request.values(of: "Accept-Encoding").contains(where: Self.acceptsGzip),
            let compressed = gzip.compress(response.body)
        {
            response.body = compressed
            response.head.fields += [.init("Content-Encoding", "gzip"), .init("Vary", "Accept-Encoding")]
        }
        var steps: [MockResponse.Step] = []
        if latency != nil { steps.append(.pause(latency(reply))) }
        var body = response.body
        guard isChunked || isCut || rate != nil, !body.isEmpty, ![204, 304].contains(response.head.status) else {
            return MockResponse(steps: steps + MockResponse(response).steps)
        }
        var fields = response.head.fields.map { ($0.name, $0.value) }
        // Only HTTP/1.1 has chunks.
        if isChunked, request.version == "HTTP/1.1" {
            fields.append(("Transfer-Encoding", "chunked"))
            let size = min(max(body.count / Self.maxChunks, 1), Self.maxChunkSize)
            let starts = Array(stride(from: 0, to: body.count, by: size)) + [body.count]
            body = starts.flatMap { MockResponse.chunk(Array(body[$0...].prefix(size))) }
        } else {
            fields.append(("Content-Length", String(body.count)))
        }
        if isCut { body.removeLast((body.count + 1) / 2) }
        steps += MockResponse.response(response.head.status, fields: fields).steps
        if let rate, request.method != "HEAD" {
            // In parts of a twentieth of a second.
            for start in stride(from: 0, to: body.count, by: max(rate / 20, 1)) {
                let part = Array(body[start...].prefix(max(rate / 20, 1)))
                steps += [.content(part), .pause(.seconds(1) * part.count / rate)]
            }
        } else {
            steps.append(.content(body))
        }
        return MockResponse(steps: isCut ? steps + [.close] : steps)
    }

    /// Whether a value of `Accept-Encoding` includes gzip (RFC 9110, section 12.5.3).
    static func acceptsGzip(_ value: String) -> Bool {
        var accepted: [String: Bool] = [:]
        for item in value.split(separator: ",") {
            let parts = item.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";")
            // A weight of 0 refuses it.
            let isRefused = parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
            if let name = parts.first { accepted[String(name)] = !isRefused }
        }
        return accepted["gzip"] ?? accepted["x-gzip"] ?? accepted["*"] ?? false
    }
}

/// Chooses which requests fail and how long responses take: by the seed, the request and how often it came, not by the order of different
/// requests, so that a client that sends them all at once meets the same failures each time.
final class MockChance: Sendable {
    let seed: UInt64
    /// How often requests came, by the last bits of their hash: a table that does not grow with the requests.
    private let counts = Mutex([UInt64](repeating: 0, count: 4096))

    init(seed: UInt64) { self.seed = seed }

    /// Two numbers from 0 up to but not including 1 for a request to that endpoint, which is counted.
    func draw(_ request: ReceivedRequest, to endpoint: String) -> (failure: Double, latency: Double) {
        // The boundary of a multipart body is another one each time.
        let isMultipart = request["Content-Type"]?.lowercased().hasPrefix("multipart/") ?? false
        let bytes = "\(endpoint) \(request.method) \(request.target) ".utf8 + (isMultipart ? [] : request.body)
        let hash = bytes.hash64
        var state = counts.withLock { counts in
            counts[Int(hash % 4096)] += 1
            return hash ^ seed &* 0x9E37_79B9_7F4A_7C15 &+ counts[Int(hash % 4096)] &* 0xBF58_476D_1CE4_E5B9
        }
        return (Self.fraction(&state), Self.fraction(&state))
    }

    /// The next number of SplitMix64.
    private static func fraction(_ state: inout UInt64) -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return Double((bits ^ bits >> 31) >> 11) * 0x1p-53
    }
}

extension Sequence<UInt8> {
    /// A hash that is the same in every run: FNV-1a.
    var hash64: UInt64 { reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}
