import EndpointKit
import EndpointTools
import Testing

@testable import ApictlCLI

/// The servers that get tokens, and the endpoints that give them.
@Suite struct LoginServerTests {
    private static let oauth = OAuthLogin(
        endpoints: .init(token: "https://id.shop.test/token"), client: .id("c"))

    /// Servers of the API `shop`, whose token endpoint is `https://id.shop.test/token`.
    static let servers: [(server: String, LoginServer)] = [
        ("https://shop.test", .declared), ("https://shop.test:443/v2", .declared), ("HTTPS://SHOP.test", .declared),
        ("https://id.shop.test", .declared),
        ("http://shop.test", .other), ("https://shop.test:8443", .other), ("https://shop.test.evil.test", .other),
        ("http://id.shop.test", .other), ("http://10.0.0.1", .other), ("http://127.evil.test", .other),
        ("http://127.0.0.1:8080", .local), ("http://localhost:1/shop", .local), ("http://[::1]:9", .local),
        ("http://a.localhost", .local),
    ]

    @Test(arguments: servers) func `A server is the API's own, of this machine, or another one`(
        _ row: (server: String, expected: LoginServer)
    ) throws {
        let server = try BaseURL(row.server)
        #expect(LoginServer(server, of: CatalogueAPI(ClientShop.self), login: Self.oauth) == row.expected)
    }

    @Test func `A token endpoint of this machine gives tokens for all servers there`() throws {
        let oauth = OAuthLogin(endpoints: .init(token: "http://localhost:9/token"), client: .id("c"))
        let server = try BaseURL("http://127.0.0.1:8080")
        #expect(LoginServer(server, of: CatalogueAPI(ClientShop.self), login: oauth) == .declared)
    }

    @Test func `Endpoints at another address keep their paths and queries`() {
        let endpoints = OAuthLogin.Endpoints(
            token: "https://id.test/a/token", device: "https://id.test", authorize: "https://other.test/b?tenant=1")
        let moved = endpoints.moved(to: "http://127.0.0.1:8080/shop")
        #expect(moved.token == "http://127.0.0.1:8080/shop/a/token")
        #expect(moved.device == "http://127.0.0.1:8080/shop")
        #expect(moved.authorize == "http://127.0.0.1:8080/shop/b?tenant=1")
        #expect(moved.revoke == nil)
    }

    private static let client = ["SHOP_ID": "me", "SHOP_SECRET": "s3cret"]

    @Sendable private static func respond(_ line: String) -> StubResponse {
        line.contains("/token") ? .json(#"{"access_token": "t1"}"#) : .json("[]")
    }

    @Test func `A client asks the server of this machine itself for a token`() async throws {
        var runner = LoginRunner()
        runner.variables = Self.client
        let (outcome, requests) = try await runner.run(
            "call shop.items --base-url http://127.0.0.1:8080/shop", Self.respond)
        #expect(outcome == Outcome(out: "[]\n"))
        #expect(
            requests == [
                "POST http://127.0.0.1:8080/shop/token grant_type=client_credentials Basic bWU6czNjcmV0",
                "GET http://127.0.0.1:8080/shop/items Bearer t1",
            ])
    }

    @Test func `Another server gets a client's token only after a login for it`() async throws {
        var runner = LoginRunner()
        runner.variables = Self.client
        let refused = try await runner.run("call shop.items --base-url https://other.test", Self.respond)
        #expect(refused.outcome.code == 9)
        #expect(refused.outcome.err.hasSuffix("To log in: apictl login shop --base-url https://other.test\n"))
        #expect(refused.requests.isEmpty)
        let login = try await runner.run("login shop --base-url https://other.test", Self.respond)
        #expect(login.outcome.code == 0)
        #expect(login.requests == ["POST https://id.shop.test/token grant_type=client_credentials Basic bWU6czNjcmV0"])
        let call = try await runner.run("call shop.items --base-url https://other.test", Self.respond)
        #expect(call.requests == ["GET https://other.test/items Bearer t1"])
    }

    /// URLs of token endpoints, whether `--insecure` is given, and whether secrets are sent there.
    static let tokenURLs: [(url: String, insecure: Bool, isSent: Bool)] = [
        (url: "https://id.test/token", insecure: false, isSent: true),
        (url: "http://127.0.0.1:9/token", insecure: false, isSent: true),
        (url: "http://localhost/token", insecure: false, isSent: true),
        (url: "http://id.test/token", insecure: false, isSent: false),
        (url: "http://10.0.0.1/token", insecure: false, isSent: false),
        (url: "http://id.test/token", insecure: true, isSent: true),
    ]

    @Test(arguments: tokenURLs) func `Secrets are only sent with encryption, or to this machine`(
        _ row: (url: String, insecure: Bool, isSent: Bool)
    ) async throws {
        var transfer = TransferOptions()
        transfer.connection.verifiesCertificate = !row.insecure
        let endpoint = try TokenEndpoint(
            OAuthLogin(endpoints: .init(token: row.url), client: .id("c")), api: "shop",
            transport: StubTransport { _ in .json(#"{"access_token": "t"}"#) }, transfer: transfer,
            variableValue: { _ in nil })
        do {
            _ = try await endpoint.requestRefreshedToken(with: "r")
            #expect(row.isSent)
        } catch let failure as LoginFailure {
            #expect(!row.isSent)
            #expect(failure.reason == .insecureURL)
            #expect(failure.sentence.hasSuffix("secrets are only sent to https URLs and to this machine"))
        }
    }
}
