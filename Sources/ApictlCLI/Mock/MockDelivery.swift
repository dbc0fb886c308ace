import EndpointKit
import MockServer
import Synchronization

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
        if hasChunks { body = Self.chunked(body) }
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

    /// `body` in the chunked transfer coding (RFC 9112, section 7.1).
    private static func chunked(_ body: [UInt8]) -> [UInt8] {
        let size = min(max(body.count / maxChunks, 1), maxChunkSize)
        var result: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(size)
            result += Array((String(chunk.count, radix: 16) + "\r\n").utf8) + chunk + Array("\r\n".utf8)
            rest = rest.dropFirst(size)
        }
        return result + Array("0\r\n\r\n".utf8)
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
