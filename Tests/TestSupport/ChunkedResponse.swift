import MockServer

extension MockResponse {
    /// A response in the chunked transfer coding; empty chunks are left out (RFC 9112, section 7.1).
    package static func chunked(
        _ chunks: [[UInt8]], pauseBetween pause: Duration = .zero, fields: [(String, String)] = []
    ) -> MockResponse {
        var steps: [Step] = []
        for bytes in chunks where !bytes.isEmpty {
            if !steps.isEmpty, pause > .zero { steps.append(.pause(pause)) }
            steps.append(.content(chunk(bytes)))
        }
        let head = response(200, fields: fields + [("Transfer-Encoding", "chunked")]).steps
        return MockResponse(steps: head + steps + [.content(chunk([]))])
    }

    /// One chunk of the chunked transfer coding; an empty one is the last.
    private static func chunk(_ bytes: [UInt8]) -> [UInt8] {
        Array((String(bytes.count, radix: 16) + "\r\n").utf8) + bytes + Array("\r\n".utf8)
    }
}
