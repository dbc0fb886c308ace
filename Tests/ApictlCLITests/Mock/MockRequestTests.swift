import EndpointKit
import JSONText
import Testing

@testable import ApictlCLI

/// What `mock` refuses about a request to an endpoint, and what clients choose.
struct MockRequestTests {
    private static func message(_ status: Int, _ text: String) -> String { "\(status) {\"message\":\"\(text)\"}\n" }

    private static let noCredential = message(
        401, "a credential is missing: api_key, or bearer; any value is accepted")

    static let refusals: [(id: String, options: [String], target: String, response: String)] = [
        ("no credential", [], "/movie/popular", noCredential),
        ("empty credential", [], "/movie/popular?api_key=", noCredential),
        ("credential before parameters", [], "/search", noCredential),
        ("any query item", [], "/movie/550/poster?api_key=s3cret", "200 "),
        ("any token", ["-H", "authorization: bearer s3cret"], "/movie/550/poster", "200 "),
        ("missing", [], "/search?api_key=k", message(400, "query item query is missing")),
        (
            "wrong", [], "/search?api_key=k&query=x&sort=size",
            message(422, "query item sort: expected one of title, release-date, got 'size'")
        ),
        (
            "missing in the body", ["--json", "{}"], "/movie/550/rating?api_key=k",
            message(400, #"the body: $: missing key \"value\" (line 1, column 1)"#)
        ),
        (
            "two slashes", [], "//movie/popular",
            #"404 {"message":"no endpoint for GET //movie/popular","nearest":"GET /movie/popular"}"# + "\n"
        ),
        ("chosen", ["-H", "Prefer: code=503"], "/movie/550/poster", message(503, "503 chosen by Prefer")),
        (
            "chosen among others", ["-H", "Prefer: respond-async, CODE = \"404\"; x=y"], "/movie/550/poster",
            message(404, "404 chosen by Prefer")
        ),
        ("no status", ["-H", "Prefer: code=99, wait=1"], "/movie/550/poster?api_key=k", "200 "),
    ]

    @Test(arguments: refusals)
    func refuses(id: String, options: [String], target: String, response: String) async throws {
        let mock = try await RunningMock("movies")
        let found = try mock.get(target, options)
        #expect(response == "200 " ? found.hasPrefix(response) : found == response, "\(id)")
        #expect(!mock.log.contains("s3cret"))
    }

    @Test("A challenge for each way to send the credential")
    func headers() async throws {
        let mock = try await RunningMock("")
        #expect(
            try mock.request([], "/movies/movie/popular").contains(
                "\nWWW-Authenticate: ApiKey realm=\"mock\"\nWWW-Authenticate: bearer realm=\"mock\"\n"))
        #expect(try mock.request([], "/echo/login").contains("\nWWW-Authenticate: basic realm=\"mock\"\n"))
        // An optional credential.
        #expect(try mock.get("/echo/limits").hasPrefix("501 "))
        let preferred = try mock.request(
            ["-H", "Prefer: code=201", "-H", "Authorization: Bearer k"], "/movies/movie/popular")
        #expect(preferred.hasPrefix("HTTP/1.1 201 Created\n"))
    }

    @Test("--no-auth and --no-validate accept everything")
    func lenient() async throws {
        let mock = try await RunningMock("movies --no-auth --no-validate")
        #expect(try mock.get("/movie/popular?page=two").hasPrefix("200 {\"total_pages\""))
        #expect(try mock.get("/search").hasPrefix("501 "))
    }

    @Test("The log names endpoints that fit as well")
    func ambiguous() async throws {
        let mock = try await RunningMock("twins", apis: [Twins.self])
        #expect(try mock.get("/x").hasPrefix("204 "))
        #expect(mock.lines == ["GET /x 204 twins.one, fits twins.other as well"])
    }

    @Test("No token is logged, wherever it stands")
    func tokens() async throws {
        let mock = try await RunningMock("", apis: [Bots.self, Twins.self])
        #expect(
            try mock.get("/bots/bot12:abc/send?count=x&token=d3f")
                == "422 {\"message\":\"query item count: expected an integer, got 'x'\"}\n")
        #expect(try mock.get("/bots/bot12%3Aabc/sent").hasPrefix("404 "))
        let body = ["-X", "POST", "--json", #"{"password": "pa55w", "count": "pa55w"}"#]
        #expect(try mock.get("/bots/login", body).hasPrefix("422 "))
        #expect(
            mock.lines == [
                "GET /bots/bot(redacted)/send?count=x&token=(redacted) 422 bots.send, query item count: expected an integer, got 'x'",
                "GET /bots/bot(redacted)/sent 404 no endpoint for GET /bots/bot(redacted)/sent",
                "POST /bots/login 422 bots.login, $.count: expected an integer, got '\"(redacted)\"'",
            ])
    }
}

/// An API with tokens where they should not be.
private enum Bots: API {
    case send(token: String, count: Int?)
    case login(password: String, count: Int)

    static let name = "bots"
    static let servers = [Server("production", "https://bots.test")]
    static let examples: [Bots] = [.send(token: "1:a", count: 1), .login(password: "p", count: 1)]
    var endpoint: Endpoint {
        switch self {
        case .send(let token, let count):
            .get("/bot\(token)/send", query: ["count": count], returns: EmptyResponse.self, summary: "Send")
        case .login(let password, let count):
            .post(
                "/login", body: .json(["password": JSONValue(password), "count": JSONValue(count)]),
                returns: EmptyResponse.self, summary: "Log in")
        }
    }
}

/// An API with two endpoints that nothing tells apart.
private enum Twins: API {
    case one
    case other

    static let name = "twins"
    static let servers = [Server("production", "https://twins.test")]
    static let examples: [Twins] = [.one, .other]
    var endpoint: Endpoint {
        .get("/x", returns: EmptyResponse.self, summary: "A twin", sample: .empty)
    }
}
