import EndpointKit
import TestSupport
import Testing

/// Whatever goes wrong, the error can be printed.
struct SecretsInErrorsTests {
    static let variables = ["SHOP_KEY": "hunter2", "SHOP_USER": "user", "SHOP_PASSWORD": "hunter2"]

    struct Script: Sendable {
        let call: Shop
        let responses: [StubTransport.Response]
        var variables = SecretsInErrorsTests.variables
    }

    static let scripts: [Row<Script, Bool>] = [
        Script(call: .item(id: 7, page: nil), responses: [.json(401, #"{"message":"no"}"#)]),
        Script(call: .item(id: 7, page: nil), responses: [.json("<html>")]),
        Script(call: .item(id: 7, page: nil), responses: [.json("{}")]),
        Script(call: .item(id: 7, page: nil), responses: Array(repeating: .redirect(302, "/a"), count: 11)),
        Script(call: .item(id: 7, page: nil), responses: [.redirect(302, "file:///a")]),
        Script(call: .account, responses: [.redirect(302, "http://b.test/")]),
        Script(call: .account, responses: Array(repeating: .redirect(302, "/a"), count: 11)),
        Script(call: .localised(language: "a\n"), responses: []),
        Script(call: .item(id: 7, page: nil), responses: [], variables: ["SHOP_TOKEN": "hunter2\n"]),
        Script(call: .account, responses: [], variables: ["SHOP_PASSWORD": "hunter2"]),
    ].enumerated().map { Row("\($0) \($1.call)", $1, true) }

    @Test(arguments: scripts)
    func `Errors show no secret`(_ row: Row<Script, Bool>) async throws {
        let stub = StubTransport(row.input.responses)
        let client = Client(transport: stub, variables: row.input.variables)
        let error = try await #require(throws: (any Error).self) {
            try await client.send(row.input.call, as: Shop.Item.self)
        }
        Self.check(error)
        #expect(stub.done().count == row.input.responses.count)
    }

    private static func check(_ error: any Error) {
        var dumped = ""
        dump(error, to: &dumped)
        for shown in ["\(error)", String(reflecting: error), dumped] {
            for secret in ["hunter2", "dXNlcjpodW50ZXIy"] { #expect(!shown.contains(secret)) }
        }
    }

    /// A server that adds a slash, or goes to another path, repeats the query it was asked with.
    @Test(
        arguments: [
            RuleViolation.mutuallyExclusive("a", "b"), ReportedFailure("x"), TransportError(.nameNotResolved),
            ResponseError.bodyTooLarge(limit: 9), RequestError.noServer(api: "shop"),
        ] as [any Error])
    func `Foundation shows the description of an error`(_ error: any Error) {
        #expect(error.localizedDescription == "\(error)")
    }

    @Test func `Errors show no secret that the server repeats`() async throws {
        let stub = StubTransport(Array(repeating: .redirect(301, "/v1/hunter2/hunter2/?key=hunter2"), count: 11))
        let client = Client(transport: stub, variables: Self.variables)
        let error = try await #require(throws: TransportError.self) { try await client.send(Shop.picture) }
        Self.check(error)
        let requests = stub.done()
        #expect(requests.count == 11)
        #expect(requests[1].redactedURL == "https://shop.test/v1/(redacted)/(redacted)/?key=(redacted)")
    }
}
