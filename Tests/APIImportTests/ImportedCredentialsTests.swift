import APIImport
import Testing

/// The credentials that an import declares for the security schemes and parameters of a document.
@Suite struct ImportedCredentialsTests {
    /// The security requirements of an operation, and the Swift that declares its credentials.
    struct OperationSecurity: Sendable, CustomTestStringConvertible {
        let requirements: String
        /// A part of the declaration on one line. A line break stands for a space.
        let declaration: String

        var testDescription: String { requirements }
    }

    /// The document requires a bearer token, which an operation without requirements of its own needs too.
    @Test(
        "An operation with other security requirements than the document declares its own credentials",
        arguments: [
            OperationSecurity(
                requirements: #"[{"key": []}]"#,
                declaration: #"credentials: [.query("api_key", variable: "SHOP_KEY")]"#),
            OperationSecurity(
                requirements: "[]",
                declaration: "credentials: []"),
            OperationSecurity(
                requirements: #"[{"key": []}, {"login": []}, {}]"#,
                declaration: #"""
                    .query("api_key", variable: "SHOP_KEY")
                    .or(.basic(userVariable: "SHOP_LOGIN_USER", passwordVariable: "SHOP_LOGIN_PASSWORD"))
                    .optional
                    """#),
        ])
    func securityOfOperations(security: OperationSecurity) throws {
        let imported = try SmallDocument.imported(
            #"""
            {"openapi": "3.1.0", "info": {"title": "Shop API", "version": "1"},
             "servers": [{"url": "https://shop.example/v1/"}],
             "paths": {"/items": {"get": {"security": \#(security.requirements)}, "put": {}}},
             "security": [{"token": []}],
             "components": {"securitySchemes": {
               "token": {"type": "http", "scheme": "bearer"},
               "login": {"type": "http", "scheme": "basic"},
               "key": {"type": "apiKey", "in": "query", "name": "api_key"}
             }}}
            """#)
        let arm = imported.endpoints[0].arm.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(arm.contains(security.declaration.replacing("\n", with: " ")), "\(arm)")
        #expect(!imported.endpoints[1].arm.contains("credentials"))
        #expect(imported.text("Shop.swift").contains(#"[.bearer(variable: "SHOP_TOKEN")]"#))
    }

    @Test("Each API key has a variable of its own, and two cookies are two header lines, with a note")
    func keysInDifferentPartsOfARequest() throws {
        let imported = try SmallDocument.imported(
            #"""
            {"openapi": "3.1.0", "info": {"title": "Shop"}, "paths": {"/a": {"get": {}}},
             "security": [{"k": [], "q": [], "s": [], "t": []}],
             "components": {"securitySchemes": {
               "k": {"type": "apiKey", "in": "header", "name": "X-Key"},
               "q": {"type": "apiKey", "in": "query", "name": "key"},
               "s": {"type": "apiKey", "in": "cookie", "name": "sid"},
               "t": {"type": "apiKey", "in": "cookie", "name": "tid"}
             }}}
            """#)
        #expect(imported.variables.map(\.description) == ["SHOP_K", "SHOP_Q", "SHOP_S", "SHOP_T"])
        #expect(imported.notes.last == "several cookies are sent in a line of their own each")
    }

    @Test("A credential whose name is too long for a line is divided into lines")
    func longNameOfACredential() throws {
        let name = String(repeating: "x", count: 150)
        let imported = try SmallDocument.imported(
            #"""
            {"openapi": "3.0.0", "info": {"title": "shop"}, "security": [{"key": []}],
             "servers": [{"url": "http://shop.test"}],
             "paths": {"/pets": {"get": {"responses": {"200": {"description": "OK"}}}}},
             "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "cookie", "name": "\#(name)"}}}}
            """#)
        let lines = imported.files.flatMap { $0.text.split(separator: "\n") }
        #expect(lines.contains { $0.contains("xxxx") })
        #expect(lines.allSatisfy { $0.count <= 120 }, "\(lines)")
    }

    /// The parameter `session_id` identifies the caller in the queries of three operations, and `X-Key` is the header
    /// of a security scheme. The other parameters with such names stay parameters.
    @Test("A parameter that identifies the caller is a credential if three operations have it, or a security scheme")
    func parametersThatIdentifyTheCaller() throws {
        func parameter(_ name: String, in location: String = "query", isRequired: Bool = false) -> String {
            #"{"in": "\#(location)", "name": "\#(name)", "required": \#(isRequired), "schema": {"type": "string"}}"#
        }
        func path(_ name: String, parameters: String...) -> String {
            #"""
            "/\#(name)": {"get": {
              "tags": ["x"], "operationId": "\#(name)", "responses": {"204": {}},
              "parameters": [\#(parameters.joined(separator: ", "))]
            }}
            """#
        }
        let paths = [
            path("a", parameters: parameter("session_id"), parameter("client_secret")),
            path(
                "b",
                parameters: parameter("session_id", isRequired: true), parameter("client_secret"), parameter("token")),
            path(
                "c",
                parameters: parameter("session_id"), parameter("client_secret"), parameter("X-Key", in: "header"),
                parameter("q")),
            path("d", parameters: parameter("access_token"), parameter("session_id", in: "header")),
            path("e", parameters: parameter("access_token"), parameter("Authorization", in: "header")),
        ]
        let imported = try SmallDocument.imported(
            #"""
            {"openapi": "3.1.0", "info": {"title": "Shop"}, "servers": [{"url": "https://shop.example"}],
             "paths": {\#(paths.joined(separator: ", "))},
             "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}}
            """#)
        let file = imported.text("X.swift")
        let lines = file.split(separator: "\n").map { line in line.drop { $0 == " " } }
        let cases = lines.filter { $0.hasPrefix("case ") && !$0.hasSuffix(":") }
        #expect(
            cases == [
                "case a(clientSecret: String?)",
                "case b(clientSecret: String?, token: String?)",
                "case c(clientSecret: String?, q: String?)",
                "case d(accessToken: String?, sessionID: String?)",
                "case e(accessToken: String?)",
            ])
        #expect(file.contains(#"credentials: [.query("session_id", variable: "SHOP_SESSION_ID").optional]"#))
        #expect(file.contains(#"credentials: [.query("session_id", variable: "SHOP_SESSION_ID")])"#))
        #expect(file.contains(#".header("X-Key", variable: "SHOP_KEY").optional"#))
        #expect(imported.variables.map(\.name) == ["SHOP_SESSION_ID", "SHOP_KEY"])
    }

    @Test("An enum has the credentials that most of its operations need, and the other operations declare theirs")
    func credentialsOfMostOperations() throws {
        let imported = try SmallDocument.imported(
            #"""
            {"openapi": "3.1.0", "info": {"title": "Shop"}, "servers": [{"url": "https://shop.example"}],
             "paths": {"/x": {
               "get": {"tags": ["x"], "responses": {"204": {}}, "security": [{"user": []}]},
               "put": {"tags": ["x"], "responses": {"204": {}}, "security": [{"user": []}]},
               "delete": {"tags": ["x"], "responses": {"204": {}}, "security": []}
             }},
             "components": {"securitySchemes": {"user": {"type": "http", "scheme": "bearer"}}}}
            """#)
        let file = imported.text("X.swift")
        #expect(file.contains(#"credentials: [.bearer(variable: "SHOP_USER")])"#), "\(file)")
        #expect(imported.endpoints.map { $0.arm.contains("credentials:") } == [false, false, true])
        #expect(imported.endpoints[2].arm.contains("credentials: []"))
    }

    /// The names of headers are compared without regard to case.
    @Test("A parameter with the location and name of a security scheme is the credential of that scheme")
    func parametersOfSecuritySchemes() throws {
        let parameter = #"{"in": "header", "name": "api_key", "schema": {"type": "string"}}"#
        let imported = try SmallDocument.imported(
            #"""
            {"openapi": "3.1.0", "info": {"title": "Shop"}, "servers": [{"url": "https://shop.example"}],
             "paths": {"/a": {
               "get": {"operationId": "find", "responses": {"204": {}}, "parameters": [\#(parameter)],
                 "security": [{"key": []}]},
               "delete": {"operationId": "remove", "responses": {"204": {}}, "parameters": [\#(parameter)],
                 "security": [{"user": []}]}}},
             "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "API_KEY"},
               "user": {"type": "http", "scheme": "bearer"}}}}
            """#)
        let arms = imported.endpoints.map(\.arm)
        #expect(arms[0].contains(#"credentials: [.header("API_KEY", variable: "SHOP_KEY")])"#))
        #expect(
            arms[1].contains(
                #"[.bearer(variable: "SHOP_USER"), .header("API_KEY", variable: "SHOP_KEY").optional]"#))
        #expect(!imported.allText.contains("apiKey"))
    }

    @Test("Credentials that all operations need are declared once, even if each operation requires them")
    func sharedCredentials() throws {
        let imported = try SmallDocument.imported(
            #"""
            {"openapi": "3.1.0", "info": {"title": "Shop"},
             "paths": {
               "/a": {"get": {"security": [{"key": []}]}, "put": {"security": [{"key": []}]}},
               "/b": {"get": {"security": [{"key": []}]}}
             },
             "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "k"}}}}
            """#)
        let declarationCount = imported.allText.split(separator: #"variable: "SHOP_KEY""#).count - 1
        #expect(declarationCount == 1)
        #expect(imported.text("Shop.swift").contains("SHOP_KEY"))
        #expect(!imported.endpoints.contains { $0.arm.contains("credentials:") })
    }
}
