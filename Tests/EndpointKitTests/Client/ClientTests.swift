import JSONText
import TestSupport
import Testing

@testable import EndpointKit

struct ClientTests {
    static let secrets = ["SHOP_KEY": "hunter2", "SHOP_USER": "user", "SHOP_PASSWORD": "hunter2"]
    static let item = Shop.item(id: 7, page: 2)

    struct Verdict: Codable, Sendable, Equatable, Validated {
        var status: String

        func validate() throws(ReportedFailure) {
            if status != "OK" { throw ReportedFailure(status) }
        }
    }

    @Test func `A response is decoded as the model`() async throws {
        let stub = StubTransport(
            .json(#"{"id":7}"#), StubTransport.Response(status: 201, body: ["{\"i".bytes, [], "d\":7}".bytes]))
        let client = Client(transport: stub, variables: Self.secrets)
        #expect(try await client.send(Self.item, as: Shop.Item.self) == Shop.Item(id: 7))
        let inferred: Shop.Item = try await client.send(Self.item)
        #expect(inferred == Shop.Item(id: 7))
        // An inferred model must be the model of the endpoint too.
        await #expect(throws: RequestError.self) { let _: [Shop.Item] = try await client.send(Self.item) }
        let url = "https://shop.test/v1/items/7?page=2&key=hunter2"
        #expect(try stub.done().map { try $0.revealedURL() } == [url, url])
    }

    @Test func `A response is decoded as an optional of the model`() async throws {
        let stub = StubTransport(.json(#"{"id":7}"#), .json(#"{"id":8}"#))
        var client = Client(transport: stub, variables: Self.secrets)
        client.transfer.maxTime = Duration(attoseconds: .max)
        var item: Shop.Item? = try await client.send(Self.item)
        #expect(item == Shop.Item(id: 7))
        item = try? await client.send(Self.item)
        #expect(item == Shop.Item(id: 8))
    }

    @Test func `An endpoint without a response body ignores the body`() async throws {
        let stub = StubTransport(
            StubTransport.Response(status: 204), StubTransport.Response(status: 200, body: ["OK".bytes]))
        let client = Client(transport: stub, variables: Self.secrets)
        #expect(try await client.send(Shop.remove(id: 7), as: EmptyResponse.self) == EmptyResponse())
        #expect(try await client.send(Shop.remove(id: 7), as: EmptyResponse.self) == EmptyResponse())
        #expect(stub.done().map(\.method) == [.delete, .delete])
    }

    @Test func `A raw response has the bytes of the body`() async throws {
        let stub = StubTransport(StubTransport.Response(status: 200, body: [[0xFF, 0x00], [0x0A]]))
        let client = Client(transport: stub, variables: Self.secrets)
        #expect(try await client.send(Shop.picture, as: RawResponse.self) == RawResponse(bytes: [0xFF, 0x00, 0x0A]))
        #expect(stub.done().count == 1)
    }

    @Test func `A raw response is returned whatever the status is`() async throws {
        let stub = StubTransport(.json(404, #"{"message":"gone"}"#, reason: "Not Found"))
        let response = try await Client(transport: stub, variables: Self.secrets).rawResponse(to: Self.item)
        #expect(response.head.status == 404 && !response.head.isSuccess)
        #expect(response.head.mediaType == "application/json")
        #expect(response.body == #"{"message":"gone"}"#.bytes)
        #expect(stub.done().count == 1)
    }

    static let failures: [Row<StubTransport.Response, String>] = [
        Row(
            "words", .json(404, #"{"status_message":"No such film."}"#, reason: "Not Found"),
            "404 Not Found: No such film."),
        Row("no words", .json(500, "{}", reason: "Internal Server Error"), "500 Internal Server Error"),
        Row("HTML", .json(502, "<html>", reason: "Bad Gateway"), "502 Bad Gateway"),
        Row("empty body", StubTransport.Response(status: 401, reason: "Unauthorized"), "401 Unauthorized"),
        Row("not modified", StubTransport.Response(status: 304, reason: "Not Modified"), "304 Not Modified"),
        Row("interim as final", StubTransport.Response(status: 199, reason: "Odd"), "199 Odd"),
    ]

    @Test(arguments: failures)
    func `A status other than 2xx is an error`(_ row: Row<StubTransport.Response, String>) async throws {
        let stub = StubTransport(row.input)
        let client = Client(transport: stub, variables: Self.secrets)
        let error = try await statusError {
            _ = try await client.send(Self.item, as: Shop.Item.self)
        }
        #expect(error.description == row.expected)
        #expect(error.response.head.status == row.input.status)
        #expect(stub.done().count == 1)
    }

    @Test func `A status other than 2xx is an error for every kind of model`() async throws {
        let stub = StubTransport(StubTransport.Response(status: 403), StubTransport.Response(status: 403))
        let client = Client(transport: stub, variables: Self.secrets)
        let empty = try await statusError { _ = try await client.send(Shop.remove(id: 1), as: EmptyResponse.self) }
        let raw = try await statusError { _ = try await client.send(Shop.picture, as: RawResponse.self) }
        #expect([empty.status, raw.status] == [403, 403])
        #expect(stub.done().count == 2)
    }

    @Test func `Without a model, only the status counts`() async throws {
        let stub = StubTransport(
            StubTransport.Response(status: 204), .json(200, "no JSON"), .json(404, #"{"message":"gone"}"#))
        var client = Client(transport: stub, variables: Self.secrets)
        client.maxBodySize = 30
        try await client.send(Shop.remove(id: 7))
        try await client.send(Self.item)
        let error = try await statusError { _ = try await client.send(Shop.remove(id: 1)) }
        #expect(error.response.head.status == 404 && error.serverMessage == "gone")
        #expect(stub.done().count == 3)
    }

    @Test func `Without a model, a body of any length is received`() async throws {
        let long = Array(repeating: UInt8(ascii: "x"), count: 100)
        let stub = StubTransport(
            StubTransport.Response(status: 200, body: [long, long]), StubTransport.Response(status: 500, body: [long]))
        var client = Client(transport: stub, variables: Self.secrets)
        client.maxBodySize = 10
        try await client.send(Shop.remove(id: 7))
        let error = try await statusError { try await client.send(Shop.remove(id: 7)) }
        #expect(error.status == 500 && error.response.body == Array(long.prefix(10)))
        #expect(stub.done().count == 2)
    }

    @Test func `A failed response has its status even if its body breaks off`() async throws {
        var response = StubTransport.Response.json(502, "<html>")
        response.failureInBody = TransportError(.cutShort(.noResponse))
        let stub = StubTransport(response)
        let client = Client(transport: stub, variables: Self.secrets)
        let error = try await statusError { _ = try await client.send(Self.item, as: Shop.Item.self) }
        #expect(error.status == 502 && error.response.body == "<html>".bytes)
        #expect(stub.done().count == 1)
    }

    private enum Orders: API {
        case pay

        static let api = APIInfo(name: "orders", servers: [Server("main", url: "https://orders.test")])
        static let examples: [Orders] = []

        var endpoint: Endpoint { .post("/pay", returns: Verdict.self, summary: "") }
    }

    @Test func `Without a model, a response that may report a failure is decoded`() async throws {
        let stub = StubTransport(.json(#"{"status":"OK"}"#), .json(#"{"status":"no money"}"#), .json(#"{"status":1}"#))
        let client = Client(transport: stub)
        try await client.send(Orders.pay)
        await #expect(throws: ResponseError.reportedFailure(ReportedFailure("no money"))) {
            try await client.send(Orders.pay)
        }
        do {
            try await client.send(Orders.pay)
            Issue.record("the body does not fit the model")
        } catch ResponseError.modelMismatch(let mismatch) {
            #expect(mismatch.path == "$.status")
        }
        #expect(stub.done().count == 3)
    }

    @Test func `Bodies are available as Data`() async throws {
        let stub = StubTransport(StubTransport.Response(status: 200, body: [[1], [2]]), .json(#"{"id":7}"#))
        let client = Client(transport: stub, variables: Self.secrets)
        #expect(try await client.send(Shop.picture, as: RawResponse.self).data == Data([1, 2]))
        let response = try await client.rawResponse(to: Self.item)
        #expect(try Coding().decode(Shop.Item.self, from: response.data) == Shop.Item(id: 7))
        #expect(stub.done().count == 2)
    }

    @Test func `The model is inferred from the type of the response`() async throws {
        let stub = StubTransport(.json(#"{"id":7}"#))
        let client = Client(transport: stub, variables: Self.secrets)
        let response: TypedResponse<Shop.Item> = try await client.response(to: Self.item)
        #expect(response.head.status == 200 && response.body == Shop.Item(id: 7))
        #expect(stub.done().count == 1)
    }

    /// HTTP/2 has no reason phrases.
    @Test func `A status without a reason phrase has the standard one`() {
        let response = Response(head: ResponseHead(status: 404), body: [])
        #expect(HTTPStatusError(response: response, serverMessage: nil).description == "404 Not Found")
        #expect(HTTPStatusError(response: response, serverMessage: "gone").description == "404 Not Found: gone")
    }

    enum Court: API {
        case verdict
        case lines
        case failing

        struct Problem: ErrorModel {
            var code: Int
            var reason: String
            var message: String { "\(reason) (\(code))" }
        }

        static let api = APIInfo(
            name: "court",
            servers: [Server("main", url: "https://court.test")],
            errorModel: Problem.self)
        static let examples: [Court] = [.verdict, .lines, .failing]

        var endpoint: Endpoint {
            switch self {
            case .verdict: .get("/verdict", returns: Verdict.self, summary: "")
            case .lines: .get("/lines", returns: [Shop.Item].self, summary: "")
            case .failing: .get("/failing", returns: EmptyResponse.self, summary: "")
            }
        }
    }

    @Test func `A response has its headers and the decoded model`() async throws {
        let stub = StubTransport(.json(#"{"status":"OK"}"#))
        let response = try await Client(transport: stub, variables: [:]).response(to: Court.verdict, as: Verdict.self)
        #expect(response.body == Verdict(status: "OK"))
        #expect(response.head.status == 200)
        #expect(response.head["content-type"] == "application/json")
    }

    @Test func `A model that the endpoint does not declare is an error, and nothing is sent`() async {
        let stub = StubTransport()
        await #expect(throws: RequestError.wrongModel(declared: "Verdict", given: "[Item]")) {
            try await Client(transport: stub, variables: [:]).send(Court.verdict, as: [Shop.Item].self)
        }
        #expect(stub.done().isEmpty)
    }

    @Test(arguments: [
        ("application/x-ndjson", "{\"id\":1}\n\n{\"id\":2}\n"),
        ("application/jsonl; charset=utf-8", "{\"id\":1}\r\n{\"id\":2}"),
        ("application/json-seq", "\u{1E}{\"id\":\n1}\n\u{1E}{\"id\":2}\n"),
        ("application/json", "[{\"id\":1},{\"id\":2}]"), ("application/json", "{\"id\":1}\n\n{\n\"id\":2}\n"),
    ])
    func `Several documents are a list`(_ type: String, _ body: String) async throws {
        var response = StubTransport.Response.json(body)
        response.fields = [.init("Content-Type", type)]
        let client = Client(transport: StubTransport(response), variables: [:])
        #expect(try await client.send(Court.lines, as: [Shop.Item].self) == [Shop.Item(id: 1), Shop.Item(id: 2)])
    }

    @Test func `The error names the line that does not fit the model`() async throws {
        var response = StubTransport.Response.json("{\"id\":1}\n {\"id\":\"x\"}\n")
        response.fields = [.init("Content-Type", "application/x-ndjson")]
        let client = Client(transport: StubTransport(response), variables: [:])
        let error = try await modelMismatch {
            _ = try await client.send(Court.lines, as: [Shop.Item].self)
        }
        #expect(error.mismatch.path.pathText == "$[1].id")
        #expect(error.mismatch.line == 2 && error.mismatch.column == 8)
    }

    @Test func `A failure has the message of the API's error model`() async throws {
        let bodies = [#"{"code":7,"reason":"sealed"}"#, #"{"message":"other"}"#]
        let client = Client(transport: StubTransport(bodies.map { .json(403, $0) }), variables: [:])
        let error = try await statusError {
            _ = try await client.send(Court.failing, as: EmptyResponse.self)
        }
        #expect(error.serverMessage == "sealed (7)")
        #expect(try error.body(as: Court.Problem.self).code == 7)
        let other = try await statusError {
            _ = try await client.send(Court.failing, as: EmptyResponse.self)
        }
        #expect(other.serverMessage == "other")
    }

    @Test func `A model may report a failure`() async throws {
        let stub = StubTransport(.json(#"{"status":"OK"}"#), .json(#"{"status":"REQUEST_DENIED"}"#))
        let client = Client(transport: stub, variables: Self.secrets)
        #expect(try await client.send(Court.verdict, as: Verdict.self) == Verdict(status: "OK"))
        await #expect(throws: ResponseError.reportedFailure(ReportedFailure("REQUEST_DENIED"))) {
            try await client.send(Court.verdict, as: Verdict.self)
        }
        #expect(stub.done().count == 2)
    }

    @Test func `A response that does not fit the model is an error`() async throws {
        let stub = StubTransport(.json(#"{"id":"x"}"#), .json("<html>"))
        let client = Client(transport: stub, variables: Self.secrets)
        let error = try await modelMismatch { _ = try await client.send(Self.item, as: Shop.Item.self) }
        #expect(error.description == #"$.id: expected integer, found string "x" (line 1, column 7)"#)
        let text = await #expect(throws: ResponseError.self) { try await client.send(Self.item, as: Shop.Item.self) }
        guard case .notJSON(let problem) = text else { throw try #require(text) }
        #expect(problem.line == 1 && problem.column == 1)
        #expect(stub.done().count == 2)
    }

    @Test(arguments: [9, 10])
    func `A body that is as long as allowed is returned`(_ length: Int) async throws {
        let body = Array(repeating: UInt8(ascii: "x"), count: length)
        let stub = StubTransport(StubTransport.Response(status: 200, body: [Array(body[..<5]), Array(body[5...])]))
        var client = Client(transport: stub, variables: Self.secrets)
        client.maxBodySize = 10
        #expect(try await client.rawResponse(to: Self.item).body == body)
        #expect(stub.done().count == 1)
    }

    @Test func `A body that is longer than allowed is an error`() async throws {
        let body = Array(repeating: UInt8(ascii: "x"), count: 11)
        let stub = StubTransport(StubTransport.Response(status: 200, body: [Array(body[..<5]), Array(body[5...])]))
        var client = Client(transport: stub, variables: Self.secrets)
        client.maxBodySize = 10
        await #expect(throws: ResponseError.bodyTooLarge(limit: 10)) { try await client.rawResponse(to: Self.item) }
        #expect(stub.done().count == 1)
    }

    @Test func `Nothing is sent if a credential is missing`() async throws {
        let stub = StubTransport()
        let client = Client(transport: stub, variables: ["SHOP_KEY": ""])
        let missing = MissingCredential(alternatives: [["SHOP_KEY"], ["SHOP_TOKEN"]])
        await #expect(throws: RequestError.missingCredential(missing)) {
            try await client.send(Self.item, as: Shop.Item.self)
        }
        #expect(stub.done() == [])
    }

    @Test func `The options of the client are added to every request`() async throws {
        let stub = StubTransport(.json("{}"))
        var client = Client(transport: stub, variables: Self.secrets)
        client.options.base = try BaseURL("http://127.0.0.1:8080")
        client.options.query = [QueryItem("debug", "1")]
        _ = try await client.send(Shop.open)
        let requests = stub.done()
        #expect(requests.map(\.redactedURL) == ["http://127.0.0.1:8080/open?debug=1"])
    }
}
