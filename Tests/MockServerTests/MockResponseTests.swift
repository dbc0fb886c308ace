import MockServer
import TestSupport
import Testing

@Suite struct MockResponseTests {
    /// A response and the bytes that the server sends for it.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: MockResponse
        let sent: String

        init(_ id: String, response: MockResponse, sent: String) {
            testDescription = id
            self.response = response
            self.sent = sent
        }
    }

    static let rows: [Row] = [
        Row("reason", response: .response(299, reason: "Fine"), sent: "HTTP/1.1 299 Fine\r\nContent-Length: 0\r\n\r\n"),
        Row("no reason known", response: .response(599), sent: "HTTP/1.1 599 \r\nContent-Length: 0\r\n\r\n"),
        Row(
            "fields in order",
            response: .response(404, fields: [("B", "1"), ("A", "2"), ("B", "3")], body: [0x78]),
            sent: "HTTP/1.1 404 Not Found\r\nB: 1\r\nA: 2\r\nB: 3\r\nContent-Length: 1\r\n\r\nx"),
        Row("204 has no length", response: .response(204, body: [0x78]), sent: "HTTP/1.1 204 No Content\r\n\r\n"),
        Row(
            "304 has no length",
            response: .response(304, fields: [("ETag", "\"a\"")]),
            sent: "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n"),
        Row(
            "json",
            response: .json("{}", status: 201),
            sent: "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"),
        Row(
            "length of the fields wins",
            response: .response(200, fields: [("content-length", "9")], body: [0x78]),
            sent: "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nx"),
        Row("raw", response: .raw("SSH-2.0-x\r\n"), sent: "SSH-2.0-x\r\n"),
        Row(
            "chunked",
            response: .chunked([Array("hello".utf8), [], [UInt8](repeating: 0x61, count: 17)]),
            sent: """
                HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\
                5\r\nhello\r\n11\r\naaaaaaaaaaaaaaaaa\r\n0\r\n\r\n
                """),
        Row(
            "repeating",
            response: MockResponse(steps: [.repeating(Array("ab".utf8), count: 3), .repeating([0x61], count: -1)]),
            sent: "ababab"),
        Row(
            "interim and final",
            response: .init(
                steps: MockResponse.raw("HTTP/1.1 103 Early Hints\r\n\r\n").steps + MockResponse.response(200).steps),
            sent: "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        Row(
            "closed by its own field",
            response: .response(200, fields: [("Connection", "close")]).then(.bytes([0x78])),
            sent: "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
        Row(
            "steps in order",
            response: MockResponse(steps: [.bytes([0x61]), .pause(.milliseconds(5)), .bytes([0x62])]),
            sent: "ab"),
        Row("nothing after close", response: MockResponse(steps: [.bytes([0x61]), .close, .bytes([0x62])]), sent: "a"),
    ]

    @Test(arguments: rows)
    func `A response is sent as it is declared`(_ row: Row) throws {
        let server = try MockServer { _ in row.response.then(.close) }
        let client = try server.sending()
        #expect(client.readToEnd() == row.sent)
    }

    @Test func `The server pauses between the chunks`() throws {
        let server = try MockServer { _ in
            .chunked([[0x61], [0x62]], pauseBetween: .milliseconds(150)).then(.close)
        }
        let client = try RawClient(port: server.port)
        let clock = ContinuousClock()
        let start = clock.now
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        _ = client.readHead()
        #expect(client.read(6) == "1\r\na\r\n")
        #expect(client.readToEnd() == "1\r\nb\r\n0\r\n\r\n")
        #expect(clock.now - start >= .milliseconds(150))
    }

    @Test func `A large body is sent completely`() throws {
        let piece = [UInt8](repeating: 0x61, count: 1000)
        let server = try MockServer { _ in MockResponse(steps: [.repeating(piece, count: 50_001), .close]) }
        let client = try server.sending()
        #expect(client.countToEnd() == 50_001_000)
    }

    @Test func `The reset step resets the connection`() throws {
        let server = try MockServer { _ in MockResponse(steps: [.reset]) }
        let client = try server.sending()
        #expect(client.end() == .reset)
    }

    @Test func `A response arrives even if the server does not read the whole body of the request`() throws {
        let server = try MockServer(limits: .init(body: 10)) { _ in .text("never") }
        let client = try server.sending("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n")
        #expect(client.send([UInt8](repeating: 0, count: 2_000_000)))
        client.endSending()
        #expect(client.readHead().hasPrefix("HTTP/1.1 413 Content Too Large\r\n"))
        #expect(client.end() == .closed)
    }
}
