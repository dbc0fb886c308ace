import CurlTransport
import EndpointKit
import MockServer
import Testing

/// Responses of every form: how their bodies end, their fields, and interim responses.
@Suite struct ResponseTests {
    struct Case: Row {
        let id: String
        var method = HTTPMethod.get
        var body: RequestBody?
        let answer: MockResponse
        let status: Int
        var reason = "OK"
        var fields: [HTTPField] = []
        var received = ""
    }

    static let cases = [
        Case(
            id: "length", answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc"), status: 200,
            fields: [.init("Content-Length", "3")], received: "abc"),
        Case(
            id: "empty", answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), status: 200,
            fields: [.init("Content-Length", "0")]),
        Case(
            id: "until the connection ends", answer: .raw("HTTP/1.1 200 OK\r\n\r\nabc").then(.close), status: 200,
            received: "abc"),
        Case(
            id: "HTTP/1.0, no reason", answer: .raw("HTTP/1.0 404\r\n\r\nabc").then(.close), status: 404, reason: "",
            received: "abc"),
        Case(
            id: "chunked with a trailer",
            answer: .raw(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=1\r\nab\r\n1\r\nc\r\n0\r\nX-Sum: 9\r\n\r\n"),
            status: 200, fields: [.init("Transfer-Encoding", "chunked")], received: "abc"),
        Case(
            id: "fields as sent",
            answer: .raw(
                """
                HTTP/1.1 200 All is well\r\nx-b:  2 \t\r\nX-B:1\r\nEmpty:\r\nFolded: a\r\n  b\r\n\tc\r\n\
                Raw: \u{E9}\r\nContent-Length: 0\r\n\r\n
                """),
            status: 200, reason: "All is well",
            fields: [
                .init("x-b", "2"), .init("X-B", "1"), .init("Empty", ""), .init("Folded", "a b c"),
                .init("Raw", "\u{E9}"), .init("Content-Length", "0"),
            ]),
        Case(
            id: "interim answers",
            answer: .raw(
                """
                HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n\
                HTTP/1.1 201 Created\r\nContent-Length: 1\r\n\r\nx
                """), status: 201, reason: "Created", fields: [.init("Content-Length", "1")], received: "x"),
        Case(
            id: "HEAD", method: .head, answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"), status: 200,
            fields: [.init("Content-Length", "100")]),
        Case(
            id: "HEAD with a body", method: .head, body: RequestBody(bytes: Array("abc".utf8)),
            answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n"), status: 200,
            fields: [.init("Content-Length", "100")]),
        Case(id: "204", answer: .raw("HTTP/1.1 204 No Content\r\n\r\n"), status: 204, reason: "No Content"),
        Case(
            id: "304 with a length", answer: .raw("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n"),
            status: 304,
            reason: "Not Modified", fields: [.init("Content-Length", "9")]),
        Case(
            id: "a redirect is not followed",
            answer: .raw("HTTP/1.1 302 Found\r\nLocation: /other\r\nContent-Length: 0\r\n\r\n"), status: 302,
            reason: "Found", fields: [.init("Location", "/other"), .init("Content-Length", "0")]),
        Case(
            id: "401 is not answered",
            answer: .raw("HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=x\r\nContent-Length: 1\r\n\r\nx"),
            status: 401,
            reason: "No", fields: [.init("WWW-Authenticate", "Basic realm=x"), .init("Content-Length", "1")],
            received: "x"),
        Case(
            id: "417 to a request with a body", method: .post, body: RequestBody(bytes: [1]),
            answer: .raw("HTTP/1.1 417 No\r\nContent-Length: 1\r\n\r\nx"), status: 417, reason: "No",
            fields: [.init("Content-Length", "1")], received: "x"),
        Case(
            id: "more than announced", answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabcdef").then(.close),
            status: 200, fields: [.init("Content-Length", "2")], received: "ab"),
    ]

    @Test(arguments: cases) func responsesAreDeliveredAsSent(_ row: Case) async throws {
        let server = try MockServer { _ in row.answer }
        let response = try await CurlTransport().fetch(try server.request(row.method, body: row.body))
        #expect(response.head.status == row.status)
        #expect(response.head.reason == row.reason)
        #expect(response.head.fields == row.fields)
        #expect(response.body == Array(row.received.utf8))
        #expect(server.received.count == 1)
    }

    @Test func aBodyStaysCompressedIfTheRequestAsksForItsCoding() async throws {
        let server = try MockServer { _ in .response(200, fields: [("Content-Encoding", "gzip")], body: [1, 2]) }
        let request = Request(
            .get, try BaseURL(server.baseURL), path: "/", headers: [HTTPField("accept-encoding", "gzip")])
        let response = try await CurlTransport().fetch(request)
        #expect(response.body == [1, 2])
    }

    @Test func bytesThatAreNotUTF8StayInAField() async throws {
        let server = try MockServer { _ in
            MockResponse(steps: [
                .bytes(Array("HTTP/1.1 200 O".utf8) + [0xFF] + Array("\r\nX-Raw: a".utf8) + [0xE9, 0x62]),
                .bytes(Array("\r\nContent-Length: 0\r\n\r\n".utf8)),
            ])
        }
        let response = try await CurlTransport().fetch(try server.request())
        #expect(response.head["X-Raw"]?.exactBytes == [0x61, 0xE9, 0x62])
        #expect(response.head.reason.exactBytes == [0x4F, 0xFF])
    }

    @Test func theHeadIsThereBeforeTheBody() async throws {
        let server = try MockServer { _ in
            MockResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab").then(.hang)
        }
        let response = try await CurlTransport().send(try server.request(), options: TransferOptions())
        #expect(response.head.status == 200)
        var pieces = response.body.makeAsyncIterator()
        let first = try await pieces.next()
        #expect(first == Array("ab".utf8))
    }
}
