import EndpointKit
import MockServer
import Testing

@testable import CurlTransport

/// The bytes that a request is on the wire.
@Suite struct WireTests {
    struct Case: Row {
        let id: String
        let method: HTTPMethod
        var path = "/"
        var headers: [Header] = []
        var withheld: [String] = []
        var body: String?
        let head: String
    }

    static let cases = [
        Case(id: "GET", method: .get, head: "GET / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\n"),
        Case(
            id: "GET with a body", method: .get, body: "abc",
            head: "GET / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nContent-Length: 3\r\n"),
        Case(id: "HEAD", method: .head, head: "HEAD / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\n"),
        Case(id: "DELETE", method: .delete, head: "DELETE / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\n"),
        Case(
            id: "DELETE with a body", method: .delete, body: "{}",
            head: "DELETE / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nContent-Length: 2\r\n"),
        Case(id: "OPTIONS", method: .options, head: "OPTIONS / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\n"),
        Case(
            id: "POST", method: .post, body: "abc",
            head: "POST / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nContent-Length: 3\r\n"),
        Case(
            id: "POST with an empty body", method: .post, body: "",
            head: "POST / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nContent-Length: 0\r\n"),
        Case(
            id: "POST without a body", method: .post,
            head: "POST / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nContent-Length: 0\r\n"),
        Case(
            id: "PUT", method: .put, body: "abc",
            head: "PUT / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nContent-Length: 3\r\n"),
        Case(
            id: "PUT without a body", method: .put,
            head: "PUT / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nContent-Length: 0\r\n"),
        Case(
            id: "PATCH", method: .patch, body: "abc",
            head: "PATCH / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nContent-Length: 3\r\n"),
        Case(
            id: "a method of one's own", method: "report", head: "report / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\n"),
        Case(
            id: "path as it is", method: .get, path: "/a/../b/./c//d?e=%2f",
            head: "GET /a/../b/./c//d?e=%2f HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\n"),
        Case(
            // libcurl encodes them, as RFC 3986 has it.
            id: "raw bytes in the path", method: .get, path: "/" + String(exactBytes: [0x66, 0xFF, 0xC3, 0xA9]),
            head: "GET /f%ff%c3%a9 HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\n"),
        Case(
            id: "fields in order, twice, empty, blank", method: .get,
            headers: [
                Header("x-b", "1"), Header("X-A", "2; q=\"a b\""), Header("x-b", "3"), Header("X-Empty", ""),
                Header("X-Blank", "  "),
            ],
            head: """
                GET / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nx-b: 1\r\nX-A: 2; q="a b"\r\nx-b: 3\r\nX-Empty:\r\n\
                X-Blank:\r\n
                """),
        Case(
            id: "raw bytes in a field", method: .get,
            headers: [Header("X-Raw", String(exactBytes: [0x66, 0x6F, 0xFF]))],
            head: "GET / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nX-Raw: fo\u{FF}\r\n"),
        Case(
            id: "own Accept and Host", method: .get,
            headers: [Header("accept", "text/html"), Header("Host", "example.org")],
            head: "GET / HTTP/1.1\r\nHost: example.org\r\naccept: text/html\r\n"),
        Case(
            id: "withheld", method: .post, withheld: ["accept", "Content-Length"], body: "",
            head: "POST / HTTP/1.1\r\nHost: HOST\r\n"),
        Case(
            id: "form", method: .post, headers: [Header("Content-Type", "application/x-www-form-urlencoded")],
            body: "a=b",
            head: """
                POST / HTTP/1.1\r\nHost: HOST\r\nAccept: */*\r\nContent-Type: application/x-www-form-urlencoded\r\n\
                Content-Length: 3\r\n
                """),
    ]

    @Test(arguments: cases) func head(_ row: Case) async throws {
        let server = try MockServer { _ in .response(200) }
        var request = Request(
            row.method, try BaseURL(server.baseURL), path: row.path, headers: row.headers,
            body: row.body.map { RequestBody(bytes: Array($0.utf8)) })
        request.withheldHeaders = row.withheld + ["Accept-Encoding"]
        let response = try await CurlTransport().fetch(request)
        #expect(response.head.status == 200)
        #expect(server.received.count == 1)
        let received = try #require(server.received.first)
        let host = "127.0.0.1:\(server.port)"
        let expected = row.head.split(separator: "HOST").joined(separator: host) + "\r\n"
        #expect(latin1(received.head) == expected)
        #expect(received.body == Array((row.body ?? "").utf8))
    }

    @Test func asksForEveryCompressionItCanUnpack() async throws {
        let server = try MockServer { _ in .response(200) }
        _ = try await CurlTransport().fetch(Request(.get, BaseURL(server.baseURL), path: "/"))
        #expect(server.received.first?["Accept-Encoding"] == CodecLibraries.shared.acceptEncoding)
    }

    @Test(arguments: ["a\r\nX-Injected: 1", "a\0b", "a\nb"]) func refusesAValueThatEndsTheHead(_ value: String)
        async throws
    {
        let server = try MockServer { _ in .response(200) }
        let error = await CurlTransport().failure(try server.request(headers: [Header("X-A", value)]))
        #expect(error as? InvalidHeader == InvalidHeader(name: "X-A", reason: .value))
        #expect(server.connectionCount == 0)
    }

    @Test(arguments: ["GET / HTTP/1.1\r\nX:", "", "A B"]) func refusesAMethodThatIsNoWord(_ method: String) async throws
    {
        let server = try MockServer { _ in .response(200) }
        let error = await CurlTransport().failure(try server.request(HTTPMethod(rawValue: method)))
        #expect((error as? TransportError)?.message == "the request's method is not one word")
    }

    @Test(arguments: ["/a b", "/a\0b", "/a\r\nb"]) func refusesAURLWithControlCharacters(_ path: String) async throws {
        let server = try MockServer { _ in .response(200) }
        let error = await CurlTransport().failure(try server.request(.get, path))
        #expect(
            (error as? TransportError)?.message == "the request's URL holds a space or a control character")
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
