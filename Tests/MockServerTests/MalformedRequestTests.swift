import MockServer
import Testing

@Suite struct MalformedRequestTests {
    /// Returns a GET request with more header lines.
    private static func get(_ lines: String) -> String { "GET / HTTP/1.1\r\nHost: x\r\n\(lines)\r\n\r\n" }
    /// Returns the head of a POST request with more header lines.
    private static func post(_ lines: String) -> String { "POST / HTTP/1.1\r\nHost: x\r\n\(lines)\r\n\r\n" }
    /// Returns a POST request with a body in the chunked coding.
    private static func chunks(_ body: String) -> String { post("Transfer-Encoding: chunked") + body }

    static let rows: [(id: String, sent: String, status: Int)] = [
        ("no HTTP", "\u{16}\u{3}\u{1}\u{2}\r\n\r\n", 400),
        ("no version", "GET /\r\n\r\n", 400),
        ("two spaces", "GET  / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("four words", "GET / x HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("method is no token", "G(T / HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("control character in the target", "GET /\u{7F} HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("target without a slash", "GET movies HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("target of another scheme", "GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("target over TLS", "GET https://x/ HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("asterisk", "GET * HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        ("chunked twice", post("Transfer-Encoding: chunked, chunked"), 501),
        ("two codings", post("Transfer-Encoding: chunked\r\nTransfer-Encoding: x"), 501),
        ("two lengths in one", post("Content-Length: 1, 2"), 400),
        ("length with sign", post("Content-Length: +1"), 400),
        ("bare line feed in a field", get("A: b\nC: d"), 400),
        ("bare carriage return", get("A: b\rC: d"), 400),
        ("other protocol", "GET / RTSP/1.0\r\nHost: x\r\n\r\n", 400),
        ("other version", "GET / HTTP/2.0\r\nHost: x\r\n\r\n", 505),
        ("long version", "GET / HTTP/1.10\r\nHost: x\r\n\r\n", 505),
        ("bare line feed", "GET / HTTP/1.1\nHost: x\n\n", 400),
        ("no host", "GET / HTTP/1.1\r\n\r\n", 400),
        ("two hosts", get("Host: x"), 400),
        ("field without colon", get("foo"), 400),
        ("field without name", get(": foo"), 400),
        ("blank before colon", get("A : b"), 400),
        ("folded field", get("A: b\r\n c"), 400),
        ("control character in a field", get("A: \0"), 400),
        ("length no number", post("Content-Length: -1"), 400),
        ("length empty", post("Content-Length:"), 400),
        ("two lengths", post("Content-Length: 1\r\nContent-Length: 2"), 400),
        ("length over the limit", post("Content-Length: 101"), 413),
        ("length over all", post("Content-Length: 99999999999999999999"), 413),
        ("length and chunked", post("Content-Length: 1\r\nTransfer-Encoding: chunked"), 400),
        ("unknown coding", post("Transfer-Encoding: gzip, chunked"), 501),
        ("coding in 1.0", "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
        ("chunk without size", chunks("\r\n"), 400),
        ("chunk with sign", chunks("+1\r\na\r\n"), 400),
        ("chunk over the limit", chunks("65\r\n"), 413),
        ("chunk over all", chunks("7fffffffffffffff\r\n"), 400),
        ("chunks over the limit", chunks("1\r\na\r\n64\r\n"), 413),
        ("chunk too long", chunks("1\r\nabc\r\n"), 400),
        ("other expectation", post("Expect: more\r\nContent-Length: 1"), 417),
        ("long line", "GET /" + String(repeating: "a", count: 2000), 431),
        ("many fields", "GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 300), 431),
        ("long chunk extension", chunks("1;") + String(repeating: "a", count: 2000), 431),
        ("many trailer fields", chunks("0\r\n") + String(repeating: "a: b\r\n", count: 300), 431),
    ]

    @Test(arguments: rows)
    func `A malformed request is refused and the connection is closed`(id: String, sent: String, status: Int) throws {
        let server = try MockServer(limits: .init(head: 1000, body: 100)) { _ in .text("accepted") }
        let client = try server.sending(sent)
        client.endSending()
        let answer = client.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(id): \(answer)")
        #expect(answer.contains("\r\nConnection: close\r\n"), "\(id)")
        #expect(server.received.isEmpty, "\(id)")
    }

    static let accepted: [(id: String, sent: String, body: String)] = [
        ("the same length twice", "Content-Length: 2\r\nContent-Length: 2\r\n\r\nab", "ab"),
        ("chunk extension and trailer", "Transfer-Encoding: Chunked\r\n\r\n2;x=y\r\nab\r\n0\r\nT: 1\r\n\r\n", "ab"),
        ("chunk size with zeros", "Transfer-Encoding: chunked\r\n\r\n000A\r\n0123456789\r\n00\r\n\r\n", "0123456789"),
        ("as much as allowed", "Content-Length: 100\r\n\r\n" + String(repeating: "z", count: 100), "z*100"),
    ]

    @Test(arguments: accepted)
    func `An unusual but valid request is accepted`(id: String, sent: String, body: String) throws {
        let server = try MockServer(limits: .init(head: 1000, body: 100)) { _ in .response(200) }
        let client = try server.sending("POST / HTTP/1.1\r\nHost: x\r\n" + sent)
        #expect(client.readHead().hasPrefix("HTTP/1.1 200 "), "\(id)")
        let expected = body == "z*100" ? String(repeating: "z", count: 100) : body
        #expect(server.received.map(\.bodyText) == [expected], "\(id)")
    }

    @Test func `A later minor version is read as HTTP 1.1`() throws {
        let server = try MockServer { .text($0.version) }
        let client = try server.sending("POST / HTTP/1.2\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        #expect(client.readHead().hasPrefix("HTTP/1.1 200 "))
        #expect(client.read(8) == "HTTP/1.1")
    }

    @Test func `A request that the client breaks off is not recorded`() throws {
        let server = try MockServer { _ in .text("x") }
        do {
            let client = try server.sending(Self.post("Content-Length: 10") + "half")
            client.endSending()
            #expect(client.readToEnd() == "")
        }
        #expect(server.received.isEmpty)
    }
}
