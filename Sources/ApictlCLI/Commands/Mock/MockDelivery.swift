import EndpointKit
import MockServer

/// How `mock` sends its responses: what a client must survive.
struct MockDelivery: Sendable {
    /// The wait before a response.
    var latency: ClosedRange<Duration>?
    /// The bytes of a body in a second.
    var rate: Int?
    var isChunked = false
    var isCompressed = false
    /// Whether bodies break off in the middle.
    var isCut = false

    /// Chunks of a body, at most; large ones have more.
    private static let chunks = 8
    private static let longestChunk = 16_384

    /// The response that sends `reply`.
    func response(_ reply: MockReply, to request: ReceivedRequest, _ gzip: Gzip?) -> MockResponse {
        var steps: [MockResponse.Step] = []
        if let latency, let place = reply.latency {
            steps.append(.pause(latency.lowerBound + (latency.upperBound - latency.lowerBound) * place))
        }
        var (fields, body) = (reply.fields, reply.body)
        if let gzip, let compressed = Self.compressed(body, fields, for: request, gzip) {
            body = compressed
            fields += [("Content-Encoding", "gzip"), ("Vary", "Accept-Encoding")]
        }
        guard isChunked || isCut || rate != nil, !body.isEmpty, ![204, 304].contains(reply.status) else {
            return MockResponse(
                steps: steps + MockResponse.response(reply.status, fields: fields, body: body).steps)
        }
        // Only HTTP/1.1 has chunks.
        let hasChunks = isChunked && request.version == "HTTP/1.1"
        fields.append(hasChunks ? ("Transfer-Encoding", "chunked") : ("Content-Length", String(body.count)))
        if hasChunks { body = Self.chunked(body) }
        if isCut { body.removeLast((body.count + 1) / 2) }
        steps += MockResponse.response(reply.status, fields: fields).steps
        steps.append(rate.map { .paced(body, bytesPerSecond: $0) } ?? .content(body))
        return MockResponse(steps: isCut ? steps + [.close] : steps)
    }

    private static func compressed(
        _ body: [UInt8], _ fields: [(name: String, value: String)], for request: ReceivedRequest, _ gzip: Gzip
    ) -> [UInt8]? {
        guard !body.isEmpty, !fields.contains(where: { $0.name.isSameName(as: "Content-Encoding") }),
            request.values(of: "Accept-Encoding").contains(where: acceptsGzip)
        else { return nil }
        return gzip.compress(body)
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
        let size = min(max(body.count / chunks, 1), longestChunk)
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
