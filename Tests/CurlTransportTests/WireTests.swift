import EndpointKit
import MockServer
import Testing

@testable import CurlTransport

/// The bytes that a request is on the wire.
@Suite struct WireTests {
    struct Case: Row {
        let id: String
        var method = HTTPMethod.get
        var path = "/"
        /// The path on the wire; nil is ``path``.
        var target: String?
        var headers: [HTTPField] = []
        var withheld: [String] = []
        var body: String?
        var start = "Host: HOST\r\nAccept: */*\r\n"
        /// The header lines after those that libcurl adds.
        var end = ""
    }

    static let cases = [
        Case(id: "GET"), Case(id: "GET with a body", body: "abc", end: "Content-Length: 3\r\n"),
        Case(id: "HEAD", method: .head), Case(id: "DELETE", method: .delete),
        Case(id: "DELETE with a body", method: .delete, body: "{}", end: "Content-Length: 2\r\n"),
        Case(id: "OPTIONS", method: .options),
        Case(id: "POST", method: .post, body: "abc", end: "Content-Length: 3\r\n"),
        Case(id: "POST with an empty body", method: .post, body: "", end: "Content-Length: 0\r\n"),
        Case(id: "POST without a body", method: .post, end: "Content-Length: 0\r\n"),
        Case(id: "PUT", method: .put, body: "abc", end: "Content-Length: 3\r\n"),
        Case(id: "PUT without a body", method: .put, end: "Content-Length: 0\r\n"),
        Case(id: "PATCH", method: .patch, body: "abc", end: "Content-Length: 3\r\n"),
        Case(id: "a method of one's own", method: "report"), Case(id: "path as it is", path: "/a/../b/./c//d?e=%2f"),
        // libcurl encodes them, as RFC 3986 has it.
        Case(
            id: "raw bytes in the path", path: "/" + String(exactBytes: [0x66, 0xFF, 0xC3, 0xA9]),
            target: "/f%ff%c3%a9"),
        Case(
            id: "fields in order, twice, empty, blank",
            headers: [
                HTTPField("x-b", "1"), HTTPField("X-A", "2; q=\"a b\""), HTTPField("x-b", "3"),
                HTTPField("X-Empty", ""),
                HTTPField("X-Blank", "  "),
            ],
            end: "x-b: 1\r\nX-A: 2; q=\"a b\"\r\nx-b: 3\r\nX-Empty:\r\nX-Blank:\r\n"),
        Case(
            id: "raw bytes in a field", headers: [HTTPField("X-Raw", String(exactBytes: [0x66, 0x6F, 0xFF]))],
            end: "X-Raw: fo\u{FF}\r\n"),
        Case(
            id: "own Accept and Host", headers: [HTTPField("accept", "text/html"), HTTPField("Host", "example.org")],
            start: "Host: example.org\r\n", end: "accept: text/html\r\n"),
        Case(
            id: "withheld", method: .post, withheld: ["accept", "Content-Length"], body: "",
            start: "Host: HOST\r\n"),
        Case(
            id: "form", method: .post, headers: [HTTPField("Content-Type", "application/x-www-form-urlencoded")],
            body: "a=b", end: "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n"),
    ]

    @Test(arguments: cases) func requestsAreSentByteForByte(_ row: Case) async throws {
        let server = try MockServer { _ in .response(200) }
        var request = Request(
            row.method, try BaseURL(server.baseURL), path: row.path, headers: row.headers,
            body: row.body.map { RequestBody(bytes: Array($0.utf8)) })
        request.withheldHeaders = row.withheld + ["Accept-Encoding"]
        let response = try await CurlTransport().fetch(request)
        #expect(response.head.status == 200)
        #expect(server.received.count == 1)
        let received = try #require(server.received.first)
        let start = row.start.replacing("HOST", with: "127.0.0.1:\(server.port)")
        let expected = "\(row.method) \(row.target ?? row.path) HTTP/1.1\r\n\(start)\(row.end)\r\n"
        #expect(latin1(received.head) == expected)
        #expect(received.body == Array((row.body ?? "").utf8))
    }

    @Test(arguments: ["a\r\nX-Injected: 1", "a\0b", "a\nb"]) func refusesAValueThatEndsTheHead(_ value: String)
        async throws
    {
        let server = try MockServer { _ in .response(200) }
        let error = await CurlTransport().failure(try server.request(headers: [HTTPField("X-A", value)]))
        #expect(error as? RequestError == RequestError.invalidHeaderValue(name: "X-A"))
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1\r\nX:", "/"), ("", "/"), ("A B", "/"), ("GET", "/a b"), ("GET", "/a\0b"), ("GET", "/a\r\nb"),
    ])
    func refusesWhatEndsTheRequestLine(_ method: String, _ path: String) async throws {
        let server = try MockServer { _ in .response(200) }
        let error = await CurlTransport().failure(try server.request(HTTPMethod(rawValue: method), path))
        let problem = path == "/" ? "method is not one word" : "URL holds a space or a control character"
        #expect((error as? TransportError)?.message == "the request's \(problem)")
        #expect(server.connectionCount == 0)
    }

    @Test func aMissingCredentialIsNamedAndNothingSent() async throws {
        let server = try MockServer { _ in .response(200) }
        var request = try server.request()
        request.query = [QueryItem("key", SensitiveText([.secret(Secret(variable: "SOME_KEY", value: nil))]))]
        let error = await CurlTransport().failure(request)
        #expect(error as? MissingCredential == MissingCredential(alternatives: [["SOME_KEY"]]))
        #expect(server.connectionCount == 0)
    }

    private func latin1(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
