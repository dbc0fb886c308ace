import EndpointKit
import MockServer
import Testing

/// Tests of `verify()`, which compares the received requests with the expected ones at the end of a test of an app.
@Suite struct VerifyTests {
    private static let clock = Shop.Item(shortName: "it's a clock", price: 2)

    /// Sends a request, and returns the status of the response.
    @discardableResult
    private func send(
        _ line: String, to server: MockServer, fields: [String] = [], body: String = ""
    ) throws -> String {
        let defaultFields = ["Host: x", "User-Agent: test", "Connection: close", "Content-Length: \(body.utf8.count)"]
        let head = ([line + " HTTP/1.1"] + defaultFields + fields).joined(separator: "\r\n")
        let response = try server.sending(head + "\r\n\r\n" + body).readToEnd()
        return String(response.split(separator: " ")[1])
    }

    /// Returns the text of the error that `verify()` throws, with `BASE` in place of the server's URL.
    private func problem(_ server: MockServer) throws -> String {
        let error = #expect(throws: UnmetExpectations.self) { try server.verify() }
        return try #require(error).description.replacing(server.baseURL, with: "BASE")
    }

    @Test func `Requests of expected calls are verified`() throws {
        let server = try MockServer(Shop.self)
        try server.respond(to: Shop.item(id: 9, language: nil), with: .response(404))
        try server.expect(Shop.books(query: "x"))
        #expect(try send("GET /items/9", to: server) == "404")
        #expect(try send("GET /items/9", to: server) == "404")
        // The response of an expected call is the sample.
        #expect(try send("GET /search?kind=book&q=x", to: server) == "200")
        try server.verify()
    }

    @Test func `A server without requests and expectations is verified`() throws {
        try MockServer(Shop.self).verify()
    }

    @Test func `The error lists expected calls without a request as curl commands`() throws {
        let server = try MockServer(Shop.self)
        try server.respond(to: Shop.add(item: Self.clock), with: .response(201))
        #expect(
            try problem(server) == #"""
                no request came for an expected call:
                  curl --header 'X-Version: 2' --header 'Content-Type: application/json' \#
                --data-raw '{"short_name":"it'\''s a clock","price":2}' BASE/items
                """#)
        try server.expect(Shop.change(id: 1, price: 3, inStock: nil, sizes: nil))
        #expect(try problem(server).hasPrefix("no requests came for 2 expected calls:\n  curl --header"))
        #expect(try problem(server).contains("\n  curl --request PATCH --header"))
    }

    @Test func `The error lists unexpected requests as curl commands`() throws {
        let server = try MockServer(Shop.self)
        try server.respond(to: Shop.item(id: 9, language: nil), with: .response(404))
        try send("GET /items/9", to: server)
        try send("HEAD /items?page=2", to: server)
        #expect(
            try problem(server) == """
                a request was not expected:
                  curl --head 'BASE/items?page=2'
                """)
        try send("POST /items", to: server, fields: ["Content-Type: application/json"], body: #"{"price": 1}"#)
        try send("PUT /nothing", to: server, body: "a\u{0}b")
        #expect(
            try problem(server) == """
                3 requests were not expected:
                  curl --head 'BASE/items?page=2'
                  curl --header 'Content-Type: application/json' --data-raw '{"price": 1}' BASE/items
                  curl --request PUT --data-binary @body BASE/nothing
                """)
    }

    @Test("A request that came before its call was expected was not expected")
    func lateExpectation() throws {
        let server = try MockServer(Shop.self)
        try send("GET /items/9", to: server)
        try server.expect(Shop.item(id: 9, language: nil))
        let error = try #require(throws: UnmetExpectations.self) { try server.verify() }
        #expect(error.unexpectedRequests == ["curl \(server.baseURL)/items/9"])
        #expect(error.missingRequests == ["curl --header 'X-Version: 2' \(server.baseURL)/items/9"])
    }

    @Test("A response that replaces another one is the one that must be used")
    func replacedResponse() throws {
        let server = try MockServer(Shop.self)
        try server.respond(to: Shop.item(id: 9, language: nil), with: .response(404))
        try server.respond(to: Shop.item(id: 9, language: nil), with: .response(503))
        #expect(try send("GET /items/9", to: server) == "503")
        try server.verify()
    }

    @Test("Responses to one call come one after the other, and the last one is repeated")
    func severalResponses() throws {
        let server = try MockServer(Shop.self)
        try server.respond(to: Shop.item(id: 9, language: nil), with: .response(503), .response(404), .response(200))
        let statuses = try (0..<4).map { _ in try send("GET /items/9", to: server) }
        #expect(statuses == ["503", "404", "200", "200"])
    }

    /// An API with a credential whose name is on no list, and a login.
    enum Vault: API {
        case open(door: String)

        static let api = APIInfo(
            name: "vault",
            servers: [Server("production", url: "https://vault.test")],
            credentials: [
                .query("k", variable: "VAULT_KEY"), .bearer(variable: "VAULT_TOKEN").optional,
            ],
            logins: [
                .oauth("VAULT_TOKEN", token: "https://id.vault.test/token", client: .id("vault-app"))
            ])
        static let examples: [Vault] = [.open(door: "a")]

        var endpoint: Endpoint {
            switch self {
            case .open(let door):
                .post(
                    "/doors/main", body: .object(["door": door, "password": "s3cret"]), returns: EmptyResponse.self,
                    summary: "Open")
            }
        }
    }

    @Test func `The error contains no secrets`() throws {
        let server = try MockServer(Vault.self)
        try server.expect(Vault.open(door: "front"))
        try send(
            "POST /doors/other?k=my-own-key&page=1&api_key=abc", to: server,
            fields: ["Authorization: Bearer t0ken", "Content-Type: application/json"],
            body: #"{"password": "s3cret", "copy": "my-own-key"}"#)
        let text = try problem(server)
        for secret in ["my-own-key", "abc", "t0ken", "s3cret"] { #expect(!text.contains(secret)) }
        #expect(text.contains("page=1"))
        #expect(text.contains(#""door":"front""#))
    }

    @Test("A login is no call of the API, and need not be expected")
    func logins() throws {
        let server = try MockServer(Vault.self)
        try send(
            "POST /token", to: server, fields: ["Content-Type: application/x-www-form-urlencoded"],
            body: "grant_type=refresh_token&refresh_token=r&client_id=vault-app")
        try server.verify()
    }

    @Test("Several APIs are served and checked together")
    func severalAPIs() throws {
        let server = try MockServer(Shop.self, Vault.self)
        try server.expect(Shop.list(page: 2, tags: nil, sort: nil, since: nil))
        try server.respond(to: Vault.open(door: "front"), with: .response(423))
        #expect(try send("GET /items?page=2", to: server) == "200")
        #expect(
            try send(
                "POST /doors/main?k=1", to: server, fields: ["Content-Type: application/json"],
                body: #"{"door": "front", "password": "s3cret"}"#) == "423")
        try server.verify()
        #expect(try server.requests(of: Shop.self).count == 1)
        #expect(try server.requests(of: Vault.self).count == 1)
    }
}
