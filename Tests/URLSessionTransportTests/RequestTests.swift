import EndpointKit
import Foundation
import MockServer
import Testing
import URLSessionTransport

@Suite struct RequestTests {
    let transport = URLSessionTransport()

    /// What the server gets of a request.
    private func received(_ make: (MockServer) throws -> Request) async throws -> ReceivedRequest {
        let server = try MockServer { _ in .response(204) }
        _ = try await transport.answer(to: try make(server))
        return try #require(server.received.first)
    }

    @Test func getIsSentAsItIs() async throws {
        let key = Secret(variable: "KEY", value: "a+b&c")
        let request = try await received {
            try $0.request(
                .get, "/3/movie/caf%C3%A9%2Fx",
                query: [QueryItem("q", "1 + 1"), QueryItem("key", .init([.secret(key)]))],
                headers: [
                    Header("Authorization", .init([.text("Bearer "), .secret(key)])), Header("X-Two", "1"),
                    Header("x-two", "2"), Header("Cookie", "a=1"), Header("Cookie", "b=2"), Header("X-Empty", ""),
                    Header("User-Agent", "app/1"),
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

    @Test func postIsSentAsItIs() async throws {
        let request = try await received {
            try $0.request(
                .post, "/3/narcs", headers: [Header("Content-Type", "application/json")],
                body: RequestBody([.bytes(Array(#"{"id":"#.utf8)), .bytes(Array("\"\u{E9}\"}".utf8))]))
        }
        #expect(request.method == "POST")
        #expect(request.target == "/3/narcs")
        #expect(request.values(of: "Content-Type") == ["application/json"])
        #expect(request["Content-Length"] == "11")
        #expect(request.bodyText == "{\"id\":\"\u{E9}\"}")
    }

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE", "PURGE"])
    func methodWithABody(name: String) async throws {
        let request = try await received {
            try $0.request(HTTPMethod(rawValue: name), body: RequestBody(bytes: Array("abc".utf8)))
        }
        #expect(request.method == name)
        #expect(request.bodyText == "abc")
    }

    @Test(arguments: ["GET", "POST", "PUT", "DELETE", "OPTIONS"])
    func methodWithAnEmptyBody(name: String) async throws {
        let request = try await received { try $0.request(HTTPMethod(rawValue: name), body: RequestBody(bytes: [])) }
        #expect(request.method == name)
        #expect(request.body.isEmpty)
    }

    @Test func fileIsSentBetweenBytes() async throws {
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
        #expect(try temporaryBodies().subtracting(before).isEmpty)
    }

    private func temporaryBodies() throws -> Set<String> {
        let names = try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
        return Set(names.filter { $0.hasPrefix("body-") })
    }

    @Test func withheldFieldIsEmpty() async throws {
        let request = try await received { server in
            var request = try server.request(headers: [Header("Accept", "text/plain")])
            request.withheldHeaders = ["User-Agent", "Accept", "Host", "Accept-Encoding"]
            return request
        }
        #expect(request["User-Agent", default: ""] == "")
        #expect(request["Accept-Encoding", default: ""] == "")
        #expect(request["Accept"] == "text/plain")
        #expect(request["Host"]?.hasPrefix("127.0.0.1:") == true)
    }

    @Test func cookiesAreNotKept() async throws {
        let server = try MockServer { _ in .response(204, fields: [("Set-Cookie", "session=1; Path=/")]) }
        for _ in 1...2 { _ = try await transport.answer(to: try server.request()) }
        #expect(server.received.map { $0["Cookie"] } == [nil, nil])
    }

    @Test func connectionIsUsedAgain() async throws {
        let server = try MockServer { _ in .text("x") }
        for _ in 1...5 { _ = try await transport.answer(to: try server.request()) }
        #expect(server.connectionCount == 1)
    }

    static let refused: [(id: String, change: @Sendable (inout Request) -> Void, error: TransportError)] = [
        (
            "body with GET", { $0.body = RequestBody(bytes: [1]) },
            TransportError(.invalidRequest, detail: "URLSession sends no body with GET")
        ),
        (
            "file with GET", { $0.body = RequestBody([.file(path: "/dev/null")]) },
            TransportError(.invalidRequest, detail: "URLSession sends no body with GET")
        ),
        (
            "line break in a header", { $0.headers = [Header("A", "b\r\nC: d")] },
            TransportError(.invalidRequest, detail: "the header A can't be sent: its value is not allowed")
        ),
        (
            "space in a header's name", { $0.headers = [Header("A b", "c")] },
            TransportError(.invalidRequest, detail: "the header A b can't be sent: its name is not allowed")
        ),
        (
            "header that is not UTF-8", { $0.headers = [Header("A", String(exactBytes: [0xFF]))] },
            TransportError(.invalidRequest, detail: "the header A can't be sent: URLSession accepts UTF-8 only")
        ),
        (
            "path that is not encoded", { $0.path = "/a b" },
            TransportError(.invalidRequest, detail: "URLSession does not accept the URL http://127.0.0.1:1/a b")
        ),
        (
            "missing file",
            {
                $0.method = .post
                $0.body = RequestBody([.file(path: "/nowhere/at all")])
            }, TransportError(.unreadableBody(path: "/nowhere/at all"))
        ),
        (
            "directory as a file",
            {
                $0.method = .post
                $0.body = RequestBody([.file(path: "/")])
            }, TransportError(.unreadableBody(path: "/"))
        ),
    ]

    @Test(arguments: refused)
    func requestIsRefused(
        id: String, change: @Sendable (inout Request) -> Void, error: TransportError
    ) async throws {
        var request = Request(.get, try BaseURL("http://127.0.0.1:1"), path: "/")
        change(&request)
        let thrown = await failure { _ = try await transport.answer(to: request) }
        #expect(thrown as? TransportError == error, "\(id): \(String(describing: thrown))")
    }

    @Test func missingCredentialIsNamed() async throws {
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
