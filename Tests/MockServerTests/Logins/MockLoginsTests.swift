import EndpointKit
import EndpointTools
import JSONText
import Testing

@testable import MockServer

/// An API with every kind of login.
private enum Orders: API {
    case list

    static let api = APIInfo(
        name: "orders",
        servers: [Server("production", url: "https://api.orders.test/v1")],
        credentials: [.bearer(variable: "ORDERS_TOKEN")],
        logins: [
            .oauth(
                "ORDERS_TOKEN", token: "https://id.orders.test/oauth/token", device: "https://id.orders.test/device",
                authorize: "https://id.orders.test/authorize?tenant=1", revoke: "https://id.orders.test/revoke",
                client: .id("orders-app"))
        ])
    static let examples: [Orders] = [.list]

    var endpoint: Endpoint {
        .get("/orders", returns: JSONValue.self, summary: "Orders", sample: .json(Array("[]".utf8)))
    }
}

/// An API that declares its token endpoint as one of its own.
private enum Parcels: API {
    case token

    static let api = APIInfo(
        name: "parcels",
        servers: [Server("production", url: "https://parcels.test")],
        credentials: [.bearer(variable: "PARCELS_TOKEN")],
        logins: [
            .oauth(
                "PARCELS_TOKEN", token: "https://parcels.test/token", client: .secret(id: "P_ID", secret: "P_SECRET"))
        ])
    static let examples: [Parcels] = [.token]

    var endpoint: Endpoint {
        .post("/token", returns: JSONValue.self, summary: "A token", credentials: [], sample: .json(Array("{}".utf8)))
    }
}

/// Tests of the OAuth server that a mock server plays.
@Suite struct MockLoginsTests {
    private let logins: MockLogins
    private let routes: CallRoutes

    init() throws {
        routes = try CallRoutes([CallRoutes.Mount(CatalogueAPI(Orders.self), at: "/shop")])
        logins = MockLogins(routes.mounts)
    }

    /// Sends a form to an endpoint and returns the status and the JSON of the response.
    private func post(
        _ path: String, _ form: String, fields: [HTTPField] = []
    ) throws -> (status: Int, body: JSONValue) {
        let request = ReceivedRequest(method: "POST", target: path, fields: fields, body: Array(form.utf8))
        let response = try #require(logins.respond(to: request))
        return (response.head.status, try JSONValue(text: response.body.isEmpty ? Array("null".utf8) : response.body))
    }

    /// Returns the status of a call with a token.
    private func call(_ token: String) throws -> Int {
        let request = ReceivedRequest(target: "/shop/orders", fields: [.init("Authorization", "Bearer \(token)")])
        guard case .found(let reading, _) = routes.match(request) else { return 404 }
        return logins.refusal(of: reading)?.head.status ?? 200
    }

    /// Logs in on a device and returns the tokens.
    private func deviceLogin() throws -> JSONValue {
        let code = try #require(try post("/shop/device", "client_id=a").body["device_code"]?.string)
        let grant = "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=a&device_code=\(code)"
        let pending = try post("/shop/oauth/token", grant)
        #expect(pending.status == 400)
        #expect(pending.body["error"] == "authorization_pending")
        let answer = try post("/shop/oauth/token", grant)
        #expect(answer.status == 200)
        return answer.body
    }

    @Test func `A device gets a token when it asks for the second time, and a call with it is accepted`() throws {
        #expect(try call("any") == 200)
        let tokens = try deviceLogin()
        #expect(tokens["expires_in"] == 3600)
        #expect(try call(#require(tokens["access_token"]?.string)) == 200)
        #expect(try call("any") == 401)
    }

    @Test func `A refresh token can be used once`() throws {
        let first = try #require(try deviceLogin()["refresh_token"]?.string)
        let form = "grant_type=refresh_token&client_id=a&refresh_token=\(first)"
        let second = try post("/shop/oauth/token", form)
        #expect(second.status == 200)
        #expect(second.body["refresh_token"]?.string != first)
        let again = try post("/shop/oauth/token", form)
        #expect(again.status == 400)
        #expect(again.body["error"] == "invalid_grant")
    }

    @Test func `An expired token is refused, and its refresh token is still good`() throws {
        let tokens = try deviceLogin()
        let token = try #require(tokens["access_token"]?.string)
        logins.expireTokens()
        #expect(try call(token) == 401)
        let refreshToken = try #require(tokens["refresh_token"]?.string)
        let form = "grant_type=refresh_token&client_id=a&refresh_token=\(refreshToken)"
        let refreshed = try post("/shop/oauth/token", form)
        #expect(try call(#require(refreshed.body["access_token"]?.string)) == 200)
    }

    @Test func `The oldest tokens and codes are forgotten`() {
        let issuer = TokenIssuer(tokenLifetime: .seconds(60))
        let oldest = issuer.issueTokensOfClient().accessToken
        let oldestCode = issuer.issueDeviceCode()
        let second = issuer.issueTokensOfClient().accessToken
        let secondCode = issuer.issueDeviceCode()
        for _ in 1..<TokenIssuer.capacity {
            _ = issuer.issueTokensOfClient()
            _ = issuer.issueDeviceCode()
        }
        #expect(!issuer.accepts(oldest) && issuer.accepts(second))
        guard case .unknown = issuer.answerDevice(code: oldestCode) else {
            Issue.record("the oldest code is known")
            return
        }
        guard case .pending = issuer.answerDevice(code: secondCode) else {
            Issue.record("the second code is not known")
            return
        }
    }

    @Test func `A token with no lifetime is never accepted`() throws {
        let issuer = TokenIssuer(tokenLifetime: .zero)
        #expect(!issuer.accepts(issuer.issueTokensOfClient().accessToken))
    }

    @Test func `A revoked token is refused, of either kind`() throws {
        let tokens = try deviceLogin()
        let token = try #require(tokens["access_token"]?.string)
        let refreshToken = try #require(tokens["refresh_token"]?.string)
        #expect(try post("/shop/revoke", "token=\(token)&client_id=a").status == 200)
        #expect(try call(token) == 401)
        #expect(try post("/shop/revoke", "token=\(refreshToken)&client_id=a").status == 200)
        let form = "grant_type=refresh_token&client_id=a&refresh_token=\(refreshToken)"
        let refreshed = try post("/shop/oauth/token", form)
        #expect(refreshed.body["error"] == "invalid_grant")
    }

    /// Requests a code as a browser does, and returns the status and the location of the response.
    private func authorize(_ query: String) throws -> (status: Int, location: String?) {
        let response = try #require(logins.respond(to: ReceivedRequest(target: "/shop/authorize?\(query)")))
        return (response.head.status, response.head["Location"])
    }

    @Test func `A code is exchanged once, by the client that has the proof`() throws {
        // The verifier and the challenge of RFC 7636, appendix B.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let query =
            "response_type=code&client_id=a&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2F&state=a%26b"
            + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"
        for (proof, redirect, status) in [
            (proof: verifier, redirect: "http://127.0.0.1:9/", status: 200),
            (proof: "wrong", redirect: "http://127.0.0.1:9/", status: 400),
            (proof: verifier, redirect: "http://127.0.0.1:8/", status: 400),
        ] {
            let (authorized, location) = try authorize(query)
            #expect(authorized == 302)
            let address = try #require(location)
            #expect(address.hasPrefix("http://127.0.0.1:9/?code=mock-"))
            #expect(address.hasSuffix("&state=a%26b"))
            let code = try #require(address.firstMatch(of: /code=([^&]+)/)?.1)
            let form =
                "grant_type=authorization_code&client_id=a&code=\(code)&redirect_uri=\(redirect)&code_verifier=\(proof)"
            #expect(try post("/shop/oauth/token", form).status == status)
            // The first exchange has used up the code.
            #expect(try post("/shop/oauth/token", form).status == 400)
        }
    }

    @Test(arguments: [
        "client_id=a&redirect_uri=http://h/", "response_type=code&redirect_uri=http://h/",
        "response_type=code&client_id=a",
        "response_type=code&client_id=a&redirect_uri=http://h/%0d%0aSet-Cookie:%20a=b",
        "response_type=code&client_id=a&redirect_uri=http://h/&code_challenge=x",
    ]) func `A browser with a wrong request is sent nowhere`(_ query: String) throws {
        let (status, location) = try authorize(query)
        #expect(status == 400)
        #expect(location == nil)
    }

    /// Invalid requests to the token endpoint, with the status and the error code of the response.
    static let wrongRequests: [(form: String, status: Int, error: String)] = [
        ("grant_type=client_credentials", 401, "invalid_client"),
        ("grant_type=client_credentials&client_id=a", 401, "invalid_client"),
        ("client_id=a", 400, "invalid_request"), ("grant_type=password&client_id=a", 400, "unsupported_grant_type"),
        ("grant_type=refresh_token&client_id=a&refresh_token=unknown", 400, "invalid_grant"),
        ("grant_type=authorization_code&client_id=a&code=unknown", 400, "invalid_grant"),
        ("grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=a&device_code=x", 400, "invalid_grant"),
    ]

    @Test(arguments: wrongRequests) func `A wrong request gets an error of RFC 6749`(
        _ row: (form: String, status: Int, error: String)
    ) throws {
        let answer = try post("/shop/oauth/token", row.form)
        #expect(answer.status == row.status)
        #expect(answer.body["error"]?.string == row.error)
    }

    @Test func `A client with its secret gets a token, and no refresh token`() throws {
        let basic = [HTTPField("Authorization", "Basic bWU6czNjcmV0")]
        let answer = try post("/shop/oauth/token", "grant_type=client_credentials&scope=read", fields: basic)
        #expect(answer.status == 200)
        #expect(answer.body["refresh_token"] == nil)
        #expect(answer.body["scope"] == "read")
    }

    @Test func `A token endpoint that the API declares itself responds with its sample`() throws {
        let parcels = MockLogins([try CallRoutes.Mount(CatalogueAPI(Parcels.self))])
        #expect(parcels.respond(to: ReceivedRequest(method: "POST", target: "/token")) == nil)
        #expect(parcels.routes(of: CatalogueAPI(Parcels.self)).isEmpty)
    }

    @Test func `Other requests are not for a login`() {
        for (method, path) in [("GET", "/shop/oauth/token"), ("POST", "/oauth/token"), ("POST", "/shop/orders")] {
            #expect(logins.respond(to: ReceivedRequest(method: method, target: path)) == nil)
        }
    }

    @Test func `The server of an app's test plays the logins of its APIs`() throws {
        let server = try MockServer(Orders.self)
        func status(_ lines: String..., body: String = "") throws -> String {
            let head = (lines + ["Host: x", "Connection: close", "Content-Length: \(body.utf8.count)"])
            let client = try server.sending(head.joined(separator: "\r\n") + "\r\n\r\n" + body)
            return client.readToEnd()
        }
        let form = "grant_type=client_credentials&client_id=a&client_secret=b"
        let answer = try status("POST /oauth/token HTTP/1.1", body: form)
        let token = try #require(answer.firstMatch(of: /"access_token": ?"([^"]+)"/)?.1)
        #expect(try status("GET /orders HTTP/1.1", "Authorization: Bearer \(token)").hasPrefix("HTTP/1.1 200 "))
        server.expireTokens()
        #expect(try status("GET /orders HTTP/1.1", "Authorization: Bearer \(token)").hasPrefix("HTTP/1.1 401 "))
    }
}
