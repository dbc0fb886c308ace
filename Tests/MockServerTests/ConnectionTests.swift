import MockServer
import TestSupport
import Testing

@Suite struct ConnectionTests {
    @Test func `One connection carries many requests`() throws {
        let server = try MockServer { .text("you asked for \($0.target)") }
        let client = try RawClient(port: server.port)
        for number in 1...3 {
            client.send("GET /\(number) HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(
                client.readHead()
                    == "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 16\r\n\r\n")
            #expect(client.read(16) == "you asked for /\(number)")
        }
        #expect(server.connectionCount == 1)
        #expect(server.received.map(\.target) == ["/1", "/2", "/3"])
        #expect(server.received.map(\.connection) == [1, 1, 1])
    }

    @Test func `Each of several requests sent at once keeps its own body`() throws {
        let server = try MockServer { .text($0.bodyText) }
        let client = try RawClient(port: server.port)
        client.send(
            "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\noneGET /b HTTP/1.1\r\nHost: x\r\n\r\n"
                + "POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\ntwo\r\n0\r\n\r\n"
                + "POST /d HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\nthree")
        // Each part after the first one is a body, followed by the head of the next response, which starts with `HTTP`.
        let bodies = client.readToEnd().split(separator: "\r\n\r\n").map { $0.prefix { $0 != "H" } }
        #expect(bodies == ["", "one", "", "two", "three"])
        #expect(server.received.map(\.bodyText) == ["one", "", "two", "three"])
    }

    @Test func `A request is recorded byte by byte`() throws {
        let server = try MockServer { _ in .response(204) }
        let client = try RawClient(port: server.port)
        let head = "PATCH /%7Ea?b=c+d HTTP/1.1\r\nhost:x\r\nX-Two: 1\r\nx-two:\t 2 \r\nContent-Length: 2\r\n\r\n"
        client.send("\r\n" + head + "{}")
        #expect(client.readHead() == "HTTP/1.1 204 No Content\r\n\r\n")
        let request = try #require(server.received.first)
        #expect(
            request
                == ReceivedRequest(
                    method: "PATCH", target: "/%7Ea?b=c+d",
                    fields: [
                        .init("host", "x"), .init("X-Two", "1"), .init("x-two", "2"), .init("Content-Length", "2"),
                    ],
                    body: Array("{}".utf8), head: Array(head.utf8), connection: 1))
        #expect(request["X-TWO"] == "1")
        #expect(request.values(of: "x-two") == ["1", "2"])
    }

    @Test(arguments: [
        ("HTTP/1.1", "Connection: close\r\n"), ("HTTP/1.1", "Connection: TE, Close\r\n"), ("HTTP/1.0", ""),
    ])
    func `The server closes the connection if the client asks for it`(version: String, field: String) throws {
        let server = try MockServer { _ in .text("bye") }
        let client = try server.sending("GET / \(version)\r\nHost: x\r\n\(field)\r\n")
        #expect(client.readToEnd().hasSuffix("\r\n\r\nbye"))
    }

    @Test func `The response to HEAD has the header fields but no body`() throws {
        let big = MockResponse.response(200, fields: [("Content-Length", "7")]).then(.repeating([1], count: 7))
        let server = try MockServer { request in request.target == "/big" ? big : .text("body") }
        let client = try server.sending(
            "HEAD / HTTP/1.1\r\nHost: x\r\n\r\nHEAD /big HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(
            client.readToEnd()
                == "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 4\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n")
    }

    @Test func `A client that expects 100 Continue gets it before it sends the body`() throws {
        let server = try MockServer { .text($0.bodyText) }
        let client = try server.sending(
            "PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(client.readHead() == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("ok")
        #expect(client.readHead().hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(client.read(2) == "ok")
    }

    @Test func `Without recording, no request is kept`() throws {
        let server = try MockServer(recording: false) { _ in .text("x") }
        let client = try server.sending("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(client.readToEnd().hasSuffix("x"))
        #expect(server.received.isEmpty)
    }

    @Test func `A connection over the limit gets 503`() throws {
        let server = try MockServer(limits: .init(connections: 1)) { _ in .text("x") }
        let first = try server.sending()
        #expect(first.readHead().hasPrefix("HTTP/1.1 200"))
        let answer = try server.sending().readToEnd()
        #expect(answer.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(answer.hasSuffix("\r\n\r\nthere are 1 connections already\n"))
        #expect(server.received.count == 1)
    }
}
