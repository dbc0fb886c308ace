import EndpointKit
import EndpointTools
import MockServer
import URLSessionTransport

/// Ways to test an app without a network.
enum Testing {
    static func serveSamples() throws -> MockServer {
        try MockServer(Garden.self)
    }

    static func connectAClient(to server: MockServer) throws -> Client {
        var client = Client(transport: URLSessionTransport(), variables: ["GARDEN_TOKEN": "any"])
        client.options.base = try BaseURL(server.baseURL)
        return client
    }

    static func stubOneCall(_ server: MockServer) throws {
        try server.respond(to: Garden.remove(id: 7), with: .response(503))
    }

    static func failOnceAndThenSucceed(_ server: MockServer) throws {
        try server.respond(
            to: Garden.plant(7), with: .response(401), .json(#"{"id": 7, "name": "Rose", "kind": "flower"}"#))
    }

    static func respondSlowly(_ server: MockServer) throws {
        try server.respond(
            to: Garden.plants(status: nil, kinds: nil), with: MockResponse(steps: [.pause(.seconds(1)), .close]))
    }

    static func checkWhatWasSent(_ server: MockServer) throws -> [Garden] {
        try server.expect(Garden.log)
        try server.verify()
        return try server.requests(of: Garden.self)
    }

    static func respondInCode() throws -> MockServer {
        try MockServer { request in
            request.method == "GET" ? .json(#"{"path": "\#(request.path)"}"#) : .response(405)
        }
    }

    static func expireALogin(_ server: MockServer) {
        server.expireTokens()
    }

    static func findMistakesInTheDeclaration() -> [String] {
        Garden.lint().map { "\($0)" }
    }

    static func compareResponsesWithModels(_ client: Client) async throws {
        let results = try await Garden.check(with: client)
        for result in results { print(result) }
    }
}
