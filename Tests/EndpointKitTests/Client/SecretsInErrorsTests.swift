import EndpointKit
import TestSupport
import Testing

/// Tests that every error of a call can be printed without showing a secret.
struct SecretsInErrorsTests {
    static let variables = ["SHOP_KEY": "hunter2", "SHOP_USER": "user", "SHOP_PASSWORD": "hunter2"]

    /// A call that fails, and the responses that the client gets one after the other.
    struct Script: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let call: Shop
        let responses: [StubTransport.Response]
        let variables: [String: String]

        init(
            _ id: String, call: Shop, responses: [StubTransport.Response],
            variables: [String: String] = SecretsInErrorsTests.variables
        ) {
            testDescription = id
            self.call = call
            self.responses = responses
            self.variables = variables
        }
    }

    static let scripts: [Script] = [
        Script("a status", call: .item(id: 7, page: nil), responses: [.json(401, #"{"message":"no"}"#)]),
        Script("not JSON", call: .item(id: 7, page: nil), responses: [.json("<html>")]),
        Script("a mismatch", call: .item(id: 7, page: nil), responses: [.json("{}")]),
        Script(
            "too many redirects with a secret in the query", call: .item(id: 7, page: nil),
            responses: Array(repeating: .redirect(302, "/a"), count: 11)),
        Script("a redirect to a file", call: .item(id: 7, page: nil), responses: [.redirect(302, "file:///a")]),
        Script("a redirect to plain http", call: .account, responses: [.redirect(302, "http://b.test/")]),
        Script(
            "too many redirects with a secret in a header", call: .account,
            responses: Array(repeating: .redirect(302, "/a"), count: 11)),
        Script("a line break in a parameter", call: .localised(language: "a\n"), responses: []),
        Script(
            "a line break in a secret", call: .item(id: 7, page: nil), responses: [],
            variables: ["SHOP_TOKEN": "hunter2\n"]),
        Script("half a pair", call: .account, responses: [], variables: ["SHOP_PASSWORD": "hunter2"]),
    ]

    @Test(arguments: scripts)
    func `Errors show no secret`(_ script: Script) async throws {
        let stub = StubTransport(script.responses)
        let client = Client(transport: stub, variables: script.variables)
        let error = try await #require(throws: (any Error).self) {
            try await client.send(script.call, as: Shop.Item.self)
        }
        Self.expectNoSecret(in: error)
        #expect(stub.done().count == script.responses.count)
    }

    /// Expects that no form in which an error can be printed contains a secret.
    private static func expectNoSecret(in error: any Error) {
        var dumped = ""
        dump(error, to: &dumped)
        for shown in ["\(error)", String(reflecting: error), dumped] {
            for secret in ["hunter2", "dXNlcjpodW50ZXIy"] { #expect(!shown.contains(secret)) }
        }
    }

    @Test(
        arguments: [
            RuleViolation.mutuallyExclusive("a", "b"), ReportedFailure("x"), TransportError(.nameNotResolved),
            ResponseError.bodyTooLarge(limit: 9), RequestError.noServer(api: "shop"),
        ] as [any Error])
    func `Foundation shows the description of an error`(_ error: any Error) {
        #expect(error.localizedDescription == "\(error)")
    }

    /// A server that redirects to another path repeats the query of the request.
    @Test func `Errors show no secret that the server repeats`() async throws {
        let stub = StubTransport(Array(repeating: .redirect(301, "/v1/hunter2/hunter2/?key=hunter2"), count: 11))
        let client = Client(transport: stub, variables: Self.variables)
        let error = try await #require(throws: TransportError.self) { try await client.send(Shop.picture) }
        Self.expectNoSecret(in: error)
        let requests = stub.done()
        #expect(requests.count == 11)
        #expect(requests[1].redactedURL == "https://shop.test/v1/(redacted)/(redacted)/?key=(redacted)")
    }
}
