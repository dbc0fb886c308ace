import MockServer
import Testing

@Suite struct MalformedRequestTests {
    /// Returns a GET request with more header lines.
    private static func get(_ lines: String) -> String { "GET / HTTP/1.1\r\nHost: x\r\n\(lines)\r\n\r\n" }
    /// Returns the head of a POST request with more header lines.
    private static func post(_ lines: String) -> String { "POST / HTTP/1.1\r\nHost: x\r\n\(lines)\r\n\r\n" }
    /// Returns a POST request with a body in the chunked coding.
    private static func chunks(_ body: String) -> String { post("Transfer-Encoding: chunked") + body }

    /// A malformed request and the status of the response to it.
    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sent: String
        let status: Int

        init(_ id: String, sent: String, status: Int) {
            testDescription = id
            self.sent = sent
            self.status = status
        }
    }

    static let rows: [Refused] = [
        Refused("no HTTP", sent: "\u{16}\u{3}\u{1}\u{2}\r\n\r\n", status: 400),
        Refused("no version", sent: "GET /\r\n\r\n", status: 400),
        Refused("two spaces", sent: "GET  / HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        Refused("four words", sent: "GET / x HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        Refused("method is no token", sent: "G(T / HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        Refused("control character in the target", sent: "GET /\u{7F} HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        Refused("target without a slash", sent: "GET movies HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        Refused("target of another scheme", sent: "GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        Refused("target over TLS", sent: "GET https://x/ HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        Refused("asterisk", sent: "GET * HTTP/1.1\r\nHost: x\r\n\r\n", status: 400),
        Refused("chunked twice", sent: post("Transfer-Encoding: chunked, chunked"), status: 501),
        Refused("two codings", sent: post("Transfer-Encoding: chunked\r\nTransfer-Encoding: x"), status: 501),
        Refused("two lengths in one", sent: post("Content-Length: 1, 2"), status: 400),
        Refused("length with sign", sent: post("Content-Length: +1"), status: 400),
        Refused("bare line feed in a field", sent: get("A: b\nC: d"), status: 400),
        Refused("bare carriage return", sent: get("A: b\rC: d"), status: 400),
        Refused("other protocol", sent: "GET / RTSP/1.0\r\nHost: x\r\n\r\n", status: 400),
        Refused("other version", sent: "GET / HTTP/2.0\r\nHost: x\r\n\r\n", status: 505),
        Refused("long version", sent: "GET / HTTP/1.10\r\nHost: x\r\n\r\n", status: 505),
        Refused("bare line feed", sent: "GET / HTTP/1.1\nHost: x\n\n", status: 400),
        Refused("no host", sent: "GET / HTTP/1.1\r\n\r\n", status: 400),
        Refused("two hosts", sent: get("Host: x"), status: 400),
        Refused("field without colon", sent: get("foo"), status: 400),
        Refused("field without name", sent: get(": foo"), status: 400),
        Refused("blank before colon", sent: get("A : b"), status: 400),
        Refused("folded field", sent: get("A: b\r\n c"), status: 400),
        Refused("control character in a field", sent: get("A: \0"), status: 400),
        Refused("length no number", sent: post("Content-Length: -1"), status: 400),
        Refused("length empty", sent: post("Content-Length:"), status: 400),
        Refused("two lengths", sent: post("Content-Length: 1\r\nContent-Length: 2"), status: 400),
        Refused("length over the limit", sent: post("Content-Length: 101"), status: 413),
        Refused("length over all", sent: post("Content-Length: 99999999999999999999"), status: 413),
        Refused("length and chunked", sent: post("Content-Length: 1\r\nTransfer-Encoding: chunked"), status: 400),
        Refused("unknown coding", sent: post("Transfer-Encoding: gzip, chunked"), status: 501),
        Refused("coding in 1.0", sent: "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", status: 400),
        Refused("chunk without size", sent: chunks("\r\n"), status: 400),
        Refused("chunk with sign", sent: chunks("+1\r\na\r\n"), status: 400),
        Refused("chunk over the limit", sent: chunks("65\r\n"), status: 413),
        Refused("chunk over all", sent: chunks("7fffffffffffffff\r\n"), status: 400),
        Refused("chunks over the limit", sent: chunks("1\r\na\r\n64\r\n"), status: 413),
        Refused("chunk too long", sent: chunks("1\r\nabc\r\n"), status: 400),
        Refused("other expectation", sent: post("Expect: more\r\nContent-Length: 1"), status: 417),
        Refused("long line", sent: "GET /" + String(repeating: "a", count: 2000), status: 431),
        Refused("many fields", sent: "GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 300), status: 431),
        Refused("long chunk extension", sent: chunks("1;") + String(repeating: "a", count: 2000), status: 431),
        Refused("many trailer fields", sent: chunks("0\r\n") + String(repeating: "a: b\r\n", count: 300), status: 431),
    ]

    @Test(arguments: rows)
    func `A malformed request is refused and the connection is closed`(row: Refused) throws {
        let server = try MockServer(limits: .init(head: 1000, body: 100)) { _ in .text("accepted") }
        let client = try server.sending(row.sent)
        client.endSending()
        let answer = client.readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 \(row.status) "), "\(answer)")
        #expect(answer.contains("\r\nConnection: close\r\n"))
        #expect(server.received.isEmpty)
    }

    /// The rest of a POST request after its `Host`, and the body that the server reads from it.
    struct Accepted: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sent: String
        let body: String

        init(_ id: String, sent: String, body: String) {
            testDescription = id
            self.sent = sent
            self.body = body
        }
    }

    static let accepted: [Accepted] = [
        Accepted("the same length twice", sent: "Content-Length: 2\r\nContent-Length: 2\r\n\r\nab", body: "ab"),
        Accepted(
            "chunk extension and trailer",
            sent: "Transfer-Encoding: Chunked\r\n\r\n2;x=y\r\nab\r\n0\r\nT: 1\r\n\r\n",
            body: "ab"),
        Accepted(
            "chunk size with zeros",
            sent: "Transfer-Encoding: chunked\r\n\r\n000A\r\n0123456789\r\n00\r\n\r\n",
            body: "0123456789"),
        Accepted(
            "as much as allowed",
            sent: "Content-Length: 100\r\n\r\n" + String(repeating: "z", count: 100),
            body: String(repeating: "z", count: 100)),
    ]

    @Test(arguments: accepted)
    func `An unusual but valid request is accepted`(row: Accepted) throws {
        let server = try MockServer(limits: .init(head: 1000, body: 100)) { _ in .response(200) }
        let client = try server.sending("POST / HTTP/1.1\r\nHost: x\r\n" + row.sent)
        #expect(client.readHead().hasPrefix("HTTP/1.1 200 "))
        #expect(server.received.map(\.bodyText) == [row.body])
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
