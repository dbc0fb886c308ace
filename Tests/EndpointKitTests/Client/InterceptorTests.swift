import Synchronization
import TestSupport
import Testing

@testable import EndpointKit

/// Tests of interceptors, progress, logs, and the options of a single call.
struct InterceptorTests {
    private static func client(_ stub: StubTransport, _ interceptors: [Interceptor]) -> Client {
        var client = Client(transport: stub, variables: ClientTests.secrets)
        client.interceptors = interceptors
        return client
    }

    /// Returns an interceptor that appends `word` to the header `X-Trace` of the request.
    ///
    /// The response gets a header `X-Seen` with the word.
    private static func trace(_ word: String) -> Interceptor {
        Interceptor { request, next in
            var request = request
            let old = request.headers.first { $0.name == "X-Trace" }?.description.dropFirst("X-Trace: ".count) ?? ""
            request.setHeader("X-Trace", old + word)
            var response = try await next(request)
            response.head.fields.append(.init("X-Seen", word))
            return response
        }
    }

    @Test func `The first interceptor is the outermost one`() async throws {
        let stub = StubTransport(.status(200))
        let response = try await Self.client(stub, [Self.trace("a"), Self.trace("b")]).rawResponse(to: Shop.open)
        #expect(stub.done()[0].headers.last?.description == "X-Trace: ab")
        #expect(response.head.fields.map(\.value) == ["b", "a"])
    }

    @Test func `Interceptors run for every attempt`() async throws {
        let stub = StubTransport(.status(503), .status(200))
        var client = Self.client(stub, [Self.trace("a")])
        client.retry.count = 1
        client.retry.delay = .zero
        try await client.send(Shop.open)
        #expect(stub.done().map { $0.headers.last?.description } == ["X-Trace: a", "X-Trace: a"])
    }

    @Test func `Interceptors run once for a request that is redirected`() async throws {
        let stub = StubTransport(.redirect(302, "/b"), .redirect(302, "https://other.test/c"), .status(200))
        try await Self.client(stub, [Self.trace("a")]).send(Shop.open)
        let traces = stub.done().map { request in request.headers.contains { $0.name == "X-Trace" } }
        // A header of any name could be a credential, so another origin does not get it.
        #expect(traces == [true, true, false])
    }

    @Test func `An interceptor may return a response of its own`() async throws {
        let stub = StubTransport()
        let cached = Interceptor { _, _ in
            StreamedResponse(head: ResponseHead(status: 200), body: ResponseBody(bytes: Array(#"{"id":9}"#.utf8)))
        }
        let item: Shop.Item = try await Self.client(stub, [cached]).send(ClientTests.item)
        #expect(item == Shop.Item(id: 9))
        #expect(stub.done().isEmpty)
    }

    @Test func `The error of an interceptor is thrown`() async throws {
        struct Offline: Error {}
        let stub = StubTransport()
        let client = Self.client(stub, [Interceptor { _, _ in throw Offline() }])
        await #expect(throws: Offline.self) { try await client.send(Shop.open) }
        #expect(stub.done().isEmpty)
    }

    @Test func `Received bytes are reported`() async throws {
        let chunks: [[UInt8]] = [[0x7B], Array(#""id":7"#.utf8), [0x7D]]
        var known = StubTransport.Response.json("")
        known.body = chunks
        known.fields.append(.init("Content-Length", "8"))
        var unknown = StubTransport.Response.json("")
        unknown.body = chunks
        let reports = Mutex<[[Int64?]]>([])
        var client = Client(transport: StubTransport(known, unknown), variables: ClientTests.secrets)
        client.transfer.onReceived = { count, total in reports.withLock { $0.append([count, total]) } }
        _ = try await client.send(ClientTests.item, as: Shop.Item.self)
        _ = try await client.send(ClientTests.item, as: Shop.Item.self)
        #expect(reports.withLock(\.self) == [[1, 8], [7, 8], [8, 8], [1, nil], [7, nil], [8, nil]])
    }

    @Test func `A call may have options of its own`() async throws {
        let stub = StubTransport(.status(200), .status(200))
        let client = Client(transport: stub)
        try await client.with { $0.options.query = [QueryItem("debug", "1")] }.send(Shop.open)
        try await client.send(Shop.open)
        #expect(stub.done().map(\.redactedURL) == ["https://shop.test/v1/open?debug=1", "https://shop.test/v1/open"])
    }

    @Test func `The log has no secrets`() async throws {
        let lines = Mutex<[String]>([])
        let stub = StubTransport(.redirect(302, "/b?key=hunter2"), .failing(.notConnected))
        var client = Client(transport: stub, variables: ["SHOP_KEY": "hunter2"])
        client.log = ClientLog { line in lines.withLock { $0.append(line) } }
        await #expect(throws: TransportError.self) { try await client.send(Shop.picture) }
        let log = lines.withLock(\.self).map { $0.replacing(/after \d+ ms/, with: "after 1 ms") }
        #expect(log.count == 4)
        #expect(log[0].hasPrefix("curl ") && log[0].hasSuffix(" 'https://shop.test/v1/picture?key=(redacted)'"))
        #expect(log[1] == "302 Found from https://shop.test/v1/picture?key=(redacted) after 1 ms")
        #expect(log[2].hasSuffix(" 'https://shop.test/b?key=(redacted)'"))
        #expect(log[3].hasPrefix("no response from https://shop.test/b?key=(redacted) after 1 ms: could not connect"))
        #expect(!log.joined().contains("hunter2"))
    }

    static let commands: [Row<RequestBody?, String>] = [
        Row("no body", nil, "curl --head --header 'X-Token: (redacted)' --header 'X-A: b'\\''c' https://a.test/x"),
        Row(
            "JSON", RequestBody(bytes: Array(#"{"password":"hunter2","name":"Rex"}"#.utf8)),
            "curl --request HEAD --header 'X-Token: (redacted)' --header 'X-A: b'\\''c' --data-raw "
                + #"'{"password":"(redacted)","name":"Rex"}' https://a.test/x"#),
        Row(
            "bytes", RequestBody(bytes: [0xFF]),
            "curl --request HEAD --header 'X-Token: (redacted)' --header 'X-A: b'\\''c' --data-binary @body "
                + "https://a.test/x"),
        Row(
            "a form with a file",
            RequestBody(
                [.file(path: "cat.png")],
                parts: [.field("password", "hunter2"), .file("photo", path: "cat.png", contentType: "image/png")]),
            "curl --request HEAD --header 'X-Token: (redacted)' --header 'X-A: b'\\''c' "
                + "--form 'password=(redacted)' --form 'photo=@cat.png;type=image/png' https://a.test/x"),
        Row(
            "a form whose parts have secrets in them",
            RequestBody(
                [.bytes([])],
                parts: [
                    .json("pet", ["password": "hunter2"]), .field("note", "ghp_hunter2"),
                    .text("long", String(repeating: "a", count: 10_001), contentType: "text/plain"),
                ]),
            "curl --request HEAD --header 'X-Token: (redacted)' --header 'X-A: b'\\''c' "
                + #"--form 'pet={"password":"(redacted)"};type=application/json' --form 'note=(redacted)' "#
                + "--form 'long=<long;type=text/plain' https://a.test/x"),
        Row(
            "more than 10 kB", RequestBody([.bytes([UInt8](repeating: 0x61, count: 10_000)), .bytes([0x61])]),
            "curl --request HEAD --header 'X-Token: (redacted)' --header 'X-A: b'\\''c' --data-binary @body "
                + "https://a.test/x"),
    ]

    @Test(arguments: commands)
    func `The log shows a request as a curl command`(_ row: Row<RequestBody?, String>) throws {
        let headers = [HTTPField("X-Token", "hunter2"), HTTPField("X-A", "b'c")]
        let request = Request(
            .head, try BaseURL("https://a.test"), path: "/x", headers: headers, body: row.input)
        #expect(request.curlCommand == row.expected)
    }

    @Test func `Secrets that an interceptor sets are not shown`() throws {
        var request = Request(.get, try BaseURL("https://a.test"), path: "/x")
        request.setQueryItem("access_token", "hunter2")
        request.setQueryItem("page", "2")
        request.setSecretQueryItem("who", "hunter2")
        request.setHeader("X-Ticket", "eyJh.hunter2.c")
        request.setSecretHeader("X-Who", "hunter2")
        let url = "https://a.test/x?access_token=(redacted)&page=2&who=(redacted)"
        #expect(
            request.curlCommand == "curl --header 'X-Ticket: (redacted)' --header 'X-Who: (redacted)' '\(url)'")
        #expect("\(request)" == "GET \(url)\nX-Ticket: (redacted)\nX-Who: (redacted)")
        let sentURL = "https://a.test/x?access_token=hunter2&page=2&who=hunter2"
        #expect(try request.revealedURL() == sentURL)
        #expect(try request.headers.map { try $0.revealedValue() } == ["eyJh.hunter2.c", "hunter2"])
    }

    @Test func `A log without bodies has no text of them`() async throws {
        let lines = Mutex<[String]>([])
        let log = ClientLog(bodies: false) { line in lines.withLock { $0.append(line) } }
        let bodies = [
            RequestBody(bytes: Array("Ada".utf8)),
            RequestBody([.bytes([])], parts: [.field("name", "Ada"), .json("pet", ["name": "Ada"])]),
        ]
        for body in bodies {
            let request = Request(.post, try BaseURL("https://a.test"), path: "/x", body: body)
            _ = try? await log.sendAndLog(request, with: { throw TransportError(.notConnected) })
        }
        let commands = lines.withLock { $0.filter { $0.hasPrefix("curl") } }
        #expect(
            commands == [
                "curl --data-binary @body https://a.test/x",
                "curl --form 'name=<name' --form 'pet=<pet;type=application/json' https://a.test/x",
            ])
    }
}
