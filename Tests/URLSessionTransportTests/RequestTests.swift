import EndpointKit
import Foundation
import MockServer
import TestSupport
import Testing
import URLSessionTransport

@Suite struct RequestTests {
    let transport = URLSessionTransport()

    /// Sends a request to a new server and returns the request as the server received it.
    private func received(_ make: (MockServer) throws -> Request) async throws -> ReceivedRequest {
        let server = try MockServer { _ in .response(204) }
        _ = try await transport.answer(to: try make(server))
        return try #require(server.received.first)
    }

    @Test("A GET request is sent with its path, query and headers unchanged")
    func getIsSentAsItIs() async throws {
        let key = Secret(variable: "KEY", value: "a+b&c")
        let request = try await received {
            try $0.request(
                .get, "/3/movie/caf%C3%A9%2Fx",
                query: [QueryItem("q", "1 + 1"), QueryItem("key", .init([.secret(key)]))],
                headers: [
                    HTTPField("Authorization", .init([.text("Bearer "), .secret(key)])), HTTPField("X-Two", "1"),
                    HTTPField("x-two", "2"), HTTPField("Cookie", "a=1"), HTTPField("Cookie", "b=2"),
                    HTTPField("X-Empty", ""),
                    HTTPField("User-Agent", "app/1"),
                ])
        }
        #expect(request.method == "GET")
        #expect(request.target == "/3/movie/caf%C3%A9%2Fx?q=1%20%2B%201&key=a%2Bb%26c")
        #expect(request["Authorization"] == "Bearer a+b&c")
        #expect(request.values(of: "X-Two").joined(separator: ", ") == "1, 2")
        #expect(request["Cookie"] == "a=1; b=2")
        #expect(request["X-Empty"] == "")
        #expect(request.values(of: "User-Agent") == ["app/1"])
        #expect(request["Content-Length"] == nil)
        #expect(request.body.isEmpty)
    }

    @Test(
        "A body is sent with any method and its length",
        arguments: [
            ("POST", "{\"id\":\"\u{E9}\"}"), ("PUT", "abc"), ("PATCH", "abc"), ("DELETE", "abc"), ("PURGE", "abc"),
            ("GET", ""),
            ("POST", ""), ("PUT", ""), ("DELETE", ""), ("OPTIONS", ""),
        ])
    func methodWithABody(_ name: String, _ body: String) async throws {
        let request = try await received {
            try $0.request(
                HTTPMethod(rawValue: name), "/3/x", headers: [HTTPField("Content-Type", "application/json")],
                body: RequestBody(bytes: Array(body.utf8)))
        }
        #expect(request.method == name && request.target == "/3/x" && request.bodyText == body)
        #expect(request.values(of: "Content-Type") == ["application/json"])
        if !body.isEmpty { #expect(request["Content-Length"] == "\(body.utf8.count)") }
    }

    @Test("A file between bytes is sent with the length of the whole body, and leaves no temporary file")
    func fileIsSentBetweenBytes() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("upload-\(UUID().uuidString)")
        let content = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try content.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let before = try temporaryBodies()
        let request = try await received {
            try $0.request(
                .post, body: RequestBody([.bytes([0x3C]), .file(path: file.path), .bytes([0x3E])]))
        }
        #expect(request["Content-Length"] == "3000002")
        #expect(request.body == [0x3C] + [UInt8](content) + [0x3E])
        // Other tests make such files at the same time. They are removed too, but maybe later.
        let newBodies = try temporaryBodies().subtracting(before)
        #expect(try await eventually { try temporaryBodies().isDisjoint(with: newBodies) })
    }

    /// Returns the names of the temporary files that hold bodies.
    private func temporaryBodies() throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
        return Set(names.filter { $0.hasPrefix("body-") })
    }

    @Test("A header that is withheld is absent or empty, unless the request sets it")
    func withheldFieldIsEmpty() async throws {
        let request = try await received { server in
            var request = try server.request(headers: [HTTPField("Accept", "text/plain")])
            request.withheldHeaders = ["User-Agent", "Accept", "Host", "Accept-Encoding"]
            return request
        }
        #expect(request["User-Agent", default: ""] == "")
        #expect(request["Accept-Encoding", default: ""] == "")
        #expect(request["Accept"] == "text/plain")
        #expect(request["Host"]?.hasPrefix("127.0.0.1:") == true)
    }

    @Test("Cookies are not kept")
    func cookiesAreNotKept() async throws {
        let server = try MockServer { _ in .response(204, fields: [("Set-Cookie", "session=1; Path=/")]) }
        for _ in 1...2 { _ = try await transport.answer(to: try server.request()) }
        #expect(server.received.map { $0["Cookie"] } == [nil, nil])
    }

    @Test("Requests to one server use one connection")
    func connectionIsUsedAgain() async throws {
        let server = try MockServer { _ in .text("x") }
        for _ in 1...5 { _ = try await transport.answer(to: try server.request()) }
        #expect(server.connectionCount == 1)
    }

    /// A change that makes a request invalid, and the detail of the error.
    static let invalidRequests: [Row<@Sendable (inout Request) -> Void, String>] = [
        Row(
            "bytes with GET", { $0.body = RequestBody(bytes: [1]) },
            "URLSession sends no body with GET"),
        Row(
            "a file with GET", { $0.body = RequestBody([.file(path: "/dev/null")]) },
            "URLSession sends no body with GET"),
        Row(
            "a line break in a header's value", { $0.headers = [HTTPField("A", "b\r\nC: d")] },
            "the header A can't be sent: its value is not allowed"),
        Row(
            "a space in a header's name", { $0.headers = [HTTPField("A b", "c")] },
            "the header A b can't be sent: its name is not allowed"),
        Row(
            "a header that is not UTF-8", { $0.headers = [HTTPField("A", String(exactBytes: [0xFF]))] },
            "the header A can't be sent: URLSession accepts UTF-8 only"),
        Row(
            "a space in the path", { $0.path = "/a b" },
            "URLSession does not accept the URL http://127.0.0.1:1/a b"),
    ]

    @Test("A request that URLSession can't send is refused with the reason", arguments: invalidRequests)
    func requestIsRefused(_ row: Row<@Sendable (inout Request) -> Void, String>) async throws {
        var request = Request(.get, try BaseURL("http://127.0.0.1:1"), path: "/")
        row.input(&request)
        let thrown = await failure { _ = try await transport.answer(to: request) }
        #expect(thrown as? TransportError == TransportError(.invalidRequest, detail: row.expected))
    }

    @Test("A body from a missing file or a directory is refused", arguments: ["/nowhere/at all", "/"])
    func fileIsRefused(_ path: String) async throws {
        let body = RequestBody([.file(path: path)])
        let request = Request(.post, try BaseURL("http://127.0.0.1:1"), path: "/", body: body)
        let thrown = await failure { _ = try await transport.answer(to: request) }
        #expect(thrown as? TransportError == TransportError(.unreadableBody(path: path)))
    }

    @Test("A credential that is not set is named")
    func missingCredentialIsNamed() async throws {
        let secret = Secret(variable: "API_KEY", value: nil)
        let request = Request(
            .get, try BaseURL("http://127.0.0.1:1"), path: "/", query: [QueryItem("k", .init([.secret(secret)]))])
        let thrown = await failure { _ = try await transport.answer(to: request) }
        #expect(thrown as? MissingCredential == MissingCredential(alternatives: [["API_KEY"]]))
    }
}

extension ReceivedRequest {
    fileprivate subscript(_ name: String, default value: String) -> String { self[name] ?? value }
}
