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

    /// The pause before a response that is at that place of the range, from 0 to 1.
    func latency(_ place: Double) -> Duration {
        latency.map { $0.lowerBound + ($0.upperBound - $0.lowerBound) * place } ?? .zero
    }

    func response(_ reply: Response, to request: ReceivedRequest, after pause: Duration = .zero) -> MockResponse {
        var response = reply
        // The length is that of what is sent.
        response.head.fields.removeAll { $0.name.isSameName(as: "Content-Length") }
        if let gzip, !response.body.isEmpty, response.head["Content-Encoding"] == nil, Self.acceptsGzip(request),
            let compressed = gzip.compress(response.body)
        {
            response.body = compressed
            response.head.fields += [.init("Content-Encoding", "gzip"), .init("Vary", "Accept-Encoding")]
        }
        var sent = MockResponse(response)
        let body = response.body
        if isChunked || isCut || rate != nil, !body.isEmpty, ![204, 304].contains(response.head.status) {
            // Only HTTP/1.1 has chunks.
            if isChunked, request.version == "HTTP/1.1" {
                let size = min(max(body.count / Self.maxChunks, 1), Self.maxChunkSize)
                let chunks = stride(from: 0, to: body.count, by: size).map { Array(body[$0...].prefix(size)) }
                let fields = response.head.fields.map { ($0.name, $0.value) }
                sent = .chunked(chunks, status: response.head.status, fields: fields)
            }
            var bytes = sent.steps.flatMap { if case .content(let bytes) = $0 { bytes } else { [UInt8]() } }
            if isCut { bytes.removeLast((bytes.count + 1) / 2) }
            // At a rate, in parts of a twentieth of a second.
            let size = request.method == "HEAD" ? bytes.count : max(rate.map { $0 / 20 } ?? bytes.count, 1)
            sent.steps.removeSubrange(1...)
            for start in stride(from: 0, to: bytes.count, by: max(size, 1)) {
                let part = Array(bytes[start...].prefix(size))
                sent.steps.append(.content(part))
                if let rate, request.method != "HEAD" { sent.steps.append(.pause(.seconds(1) * part.count / rate)) }
            }
            if isCut { sent.steps.append(.close) }
        }
        return MockResponse(steps: (pause > .zero ? [.pause(pause)] : []) + sent.steps)
    }

    /// Whether the client accepts gzip, which a weight of 0 refuses (RFC 9110, section 12.5.3).
    static func acceptsGzip(_ request: ReceivedRequest) -> Bool {
        request.fields.members(of: "Accept-Encoding").contains { item in
            let parts = item.lowercased().filter { $0 != " " && $0 != "\t" }.split(separator: ";")
            return parts.first == "gzip" && !parts.contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
        }
    }
}

/// Chooses which requests fail and how long responses take: by the seed, the request and how often it came, not by the order of different
/// requests, so that a client that sends them all at once meets the same failures each time.
final class MockChance: Sendable {
    let seed: UInt64
    /// How often requests came, by the last bits of their hash: a table that does not grow with the requests.
    private let counts = Mutex([UInt64](repeating: 0, count: 4096))

    init(seed: UInt64) { self.seed = seed }

    /// Two numbers from 0 up to but not including 1 for a request, which is counted.
    func draw(_ request: ReceivedRequest) -> (failure: Double, latency: Double) {
        // The boundary of a multipart body is another one each time.
        let isMultipart = request["Content-Type"]?.lowercased().hasPrefix("multipart/") ?? false
        let text = "\(seed) \(request.method) \(request.target) "
        let hash = (text.utf8 + (isMultipart ? [] : request.body)).hash64
        let count = counts.withLock { counts in
            counts[Int(hash % 4096)] += 1
            return counts[Int(hash % 4096)]
        }
        func number(_ use: String) -> Double { Double("\(hash) \(count) \(use)".utf8.hash64 >> 11) * 0x1p-53 }
        return (number("whether it fails"), number("how long it takes"))
    }
}
