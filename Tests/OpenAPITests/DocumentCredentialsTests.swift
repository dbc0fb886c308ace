import EndpointKit
import JSONText
import Testing

@testable import OpenAPI

/// Credentials of operations.
@Suite struct DocumentCredentialsTests {
    private static let schemes = """
        "key": {"type": "apiKey", "in": "query", "name": "k"}, "id": {"type": "apiKey", "in": "header", "name": "X-Id"},
        "session": {"type": "apiKey", "in": "cookie", "name": "sid"},
        "csrf": {"type": "apiKey", "in": "cookie", "name": "csrf"},
        "login": {"type": "http", "scheme": "Basic"}, "apiToken": {"type": "http", "scheme": "bearer"},
        "digest": {"type": "http", "scheme": "digest"}, "auth": {"type": "oauth2", "flows": {}},
        "oidc": {"type": "openIdConnect", "openIdConnectUrl": "https://a.example"}, "tls": {"type": "mutualTLS"},
        "broken": {"type": "magic"}
        """

    /// Returns the credentials of an operation, with the operation's request.
    private static func credentials(_ security: String) throws -> (OperationCredentials, OperationRequest) {
        let (operation, document) = try Calls.operation(
            #""security": \#(security), "parameters": [{"name": "theme", "in": "cookie"}]"#,
            more: #", "components": {"securitySchemes": {\#(schemes)}}"#)
        let credentials = DocumentCredentials(document, api: "shop").credentials(of: operation.security.parts)
        return (credentials, try OperationRequest(operation, in: document))
    }

    /// Returns the query and the headers of a request without Accept.
    private static func sent(
        _ security: String, _ variables: [String: String], _ values: String = "{}"
    ) throws -> String {
        let (credentials, operation) = try credentials(security)
        let request = try Calls.request(
            operation, values, credentials: credentials.credentials, variables: variables)
        let query = try request.query.map { try $0.revealed() }
        let headers = request.headers.filter { !$0.isNamed("Accept") }
        let lines = try headers.map { "\($0.name): \(try $0.revealedValue())" }
        return (query + lines).joined(separator: "\n")
    }

    @Test(
        arguments: [
            (#"[{"key": []}]"#, ["SHOP_KEY": "s"], "k=s"),
            (#"[{"id": []}]"#, ["SHOP_ID": "s"], "X-Id: s"),
            (#"[{"session": []}]"#, ["SHOP_SESSION": "s"], "Cookie: sid=s"),
            (
                #"[{"login": []}]"#, ["SHOP_LOGIN_USER": "u", "SHOP_LOGIN_PASSWORD": "p"],
                "Authorization: Basic dTpw"
            ),
            (#"[{"apiToken": []}]"#, ["SHOP_API_TOKEN": "t"], "Authorization: Bearer t"),
            (#"[{"digest": []}]"#, ["SHOP_DIGEST": "Digest a=b"], "Authorization: Digest a=b"),
            (#"[{"auth": ["read"]}]"#, ["SHOP_AUTH": "t"], "Authorization: Bearer t"),
            (#"[{"oidc": []}]"#, ["SHOP_OIDC": "t"], "Authorization: Bearer t"),
            (#"[{"tls": []}]"#, [:], ""), ("[]", [:], ""),
            (#"[{"key": [], "id": []}]"#, ["SHOP_KEY": "s", "SHOP_ID": "i"], "k=s\nX-Id: i"),
            (#"[{"session": [], "csrf": []}]"#, ["SHOP_SESSION": "s", "SHOP_CSRF": "c"], "Cookie: sid=s; csrf=c"),
            (#"[{"key": []}, {"auth": []}]"#, ["SHOP_AUTH": "t"], "Authorization: Bearer t"),
            (#"[{"key": []}, {"auth": []}]"#, ["SHOP_KEY": "s", "SHOP_AUTH": "t"], "k=s"),
            (#"[{"key": []}, {}]"#, [:], ""), (#"[{}, {"key": []}]"#, ["SHOP_KEY": "s"], "k=s"),
            (#"[{"key": []}, {"tls": []}]"#, [:], ""),
            // Two schemes together, or one alone.
            (#"[{"key": [], "id": []}, {"auth": []}]"#, ["SHOP_AUTH": "t"], "Authorization: Bearer t"),
            (#"[{"key": [], "id": []}, {"auth": []}]"#, ["SHOP_KEY": "s", "SHOP_ID": "i"], "k=s\nX-Id: i"),
            (#"[{"nowhere": []}, {"key": []}]"#, ["SHOP_KEY": "s"], "k=s"),
        ] as [(String, [String: String], String)])
    func `Requests have the credentials whose variables are set`(
        security: String, variables: [String: String], sent: String
    ) throws {
        #expect(try Self.sent(security, variables) == sent)
    }

    @Test func `A credential joins the cookies of parameters, and hides them`() throws {
        let values = #"{"theme": "dark"}"#
        #expect(try Self.sent(#"[{"session": []}]"#, ["SHOP_SESSION": "s"], values) == "Cookie: theme=dark; sid=s")
        let (credentials, operation) = try Self.credentials(#"[{"session": []}]"#)
        let request = try Calls.request(
            operation, values, credentials: credentials.credentials, variables: ["SHOP_SESSION": "s"])
        #expect(!request.description.contains("dark"))
    }

    @Test(arguments: [
        (#"[{"key": []}, {"auth": []}]"#, [["SHOP_KEY"], ["SHOP_AUTH"]]),
        (#"[{"login": []}]"#, [["SHOP_LOGIN_USER", "SHOP_LOGIN_PASSWORD"]]),
        (#"[{"key": [], "id": []}, {"auth": []}]"#, [["SHOP_KEY"], ["SHOP_AUTH"]]),
    ])
    func `A missing credential is an error that names its variables`(security: String, variables: [[String]]) throws {
        #expect(throws: MissingCredential(alternatives: variables)) { try Self.sent(security, [:]) }
    }

    @Test func `Required schemes without a description are reported by name`() throws {
        let (credentials, _) = try Self.credentials(#"[{"nowhere": []}, {"broken": []}, {"nowhere": [], "key": []}]"#)
        #expect(credentials == OperationCredentials(credentials: [], unknownSchemes: ["nowhere", "broken"]))
    }

    @Test func `No two schemes share a variable, in any order of the document`() throws {
        let names = ["api_key", "api-key", "apiKey", "x-api_key"]
        for order in [names, names.reversed()] {
            let schemes = order.map { #""\#($0)": {"type": "apiKey", "in": "header", "name": "H"}"# }
            let (operation, document) = try Calls.operation(
                #""security": [{"apiKey": []}]"#,
                more: #", "components": {"securitySchemes": {\#(schemes.joined(separator: ","))}}"#)
            let credentials = DocumentCredentials(document, api: "my-shop").credentials(of: operation.security.parts)
            #expect(credentials.credentials == [.header("H", variable: "MY_SHOP_API_KEY_2")])
        }
    }

    @Test(
        arguments: [
            (
                #""clientCredentials": {"tokenUrl": "https://i.test/t", "authorizationUrl": "https://i.test/a"}"#,
                [nil, nil]
            ),
            (
                #""authorizationCode": {"tokenUrl": "https://i.test/t", "authorizationUrl": "https://i.test/a"}"#,
                [nil, "https://i.test/a"]
            ),
            (
                #"""
                "deviceAuthorization": {
                  "tokenUrl": "https://i.test/t", "deviceAuthorizationUrl": "https://i.test/d"
                }
                """#,
                ["https://i.test/d", nil]
            ),
            (#""authorizationCode": {"tokenUrl": "/t"}, "password": {"tokenUrl": "https://i.test/t"}"#, nil),
            (#""implicit": {"authorizationUrl": "https://i.test/a"}"#, nil),
        ] as [(String, [String?]?)])
    func `An OAuth flow becomes a login`(flows: String, pages: [String?]?) throws {
        let document = try Documents.document(
            #"{"openapi": "3.2.0", "paths": {}, "components": {"securitySchemes": "#
                + #"{"auth": {"type": "oauth2", "flows": {\#(flows)}}}}}"#)
        let logins = DocumentCredentials(document, api: "shop").logins
        guard let pages else { return #expect(logins.isEmpty) }
        let login = try #require(logins.first)
        #expect(login.variable == "SHOP_AUTH")
        guard case .oauth(let oauth) = login.method else { return #expect(Bool(false), "another login") }
        #expect(oauth.endpoints.token == "https://i.test/t")
        #expect([oauth.endpoints.device, oauth.endpoints.authorize] == pages)
    }

    @Test func `Many alternatives take little time`() throws {
        let count = 1_600
        let schemes = (0..<count).map { #""s\#($0)": {"type": "apiKey", "in": "header", "name": "H\#($0)"}"# }
        let security = (0..<count).map { #"{"s\#($0)": [], "s\#(($0 + 1) % count)": []}"# }
        let (operation, document) = try Calls.operation(
            #""security": [\#(security.joined(separator: ","))]"#,
            more: #", "components": {"securitySchemes": {\#(schemes.joined(separator: ","))}}"#)
        let requirements = operation.security.parts
        let credentials = DocumentCredentials(document, api: "shop").credentials(of: requirements).credentials
        #expect(credentials.count == 16)
        #expect(credentials.allSatisfy { $0.alternatives.count <= 100 })
    }
}
