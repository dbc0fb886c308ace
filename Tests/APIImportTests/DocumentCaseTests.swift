import APIImport
import EndpointKit
import Testing

/// Documents as people publish them, and what must come out of their import.
@Suite struct DocumentCaseTests {
    // MARK: No harm

    /// A call that writes is never an example, which a check would send.
    @Test(arguments: [
        ("get", "examples"), ("head", "examples"), ("options", "examples"), ("post", "placeholders"),
        ("put", "placeholders"), ("patch", "placeholders"), ("delete", "placeholders"),
    ])
    func onlySafeCallsAreExamples(method: String, list: String) throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/buckets": {"\#(method)": {"operationId": "all"}}"#))
        let text = imported.text("Buckets.swift")
        #expect(text.contains("static let \(list): [Buckets] = [.all]"), "\(text)")
        if list != "examples" { #expect(text.contains("static let examples: [Buckets] = []")) }
    }

    /// Members beside the properties are kept, in both directions, if the schema allows them explicitly.
    @Test(arguments: [
        (#", "additionalProperties": {"type": "integer"}"#, "var additionalProperties: [String: Int]"),
        (#", "additionalProperties": true"#, "var additionalProperties: [String: JSONValue]"),
        (#", "additionalProperties": {}"#, "var additionalProperties: [String: JSONValue]"),
        (#", "additionalProperties": false"#, nil), ("", nil),
    ])
    func otherMembersAreKept(rule: String, property: String?) throws {
        let schema =
            #"{"required": ["id"], "properties": {"id": {"type": "integer"}, "a": {"type": "string"}}\#(rule)}"#
        let content = ##""content": {"application/json": {"schema": {"$ref": "#/components/schemas/Bucket"}}}"##
        let operation = #"{"requestBody": {\#(content)}, "responses": {"200": {\#(content)}}}"#
        let text = try SmallDocument.imported(
            SmallDocument.text(#""/b": {"post": \#(operation)}"#, schemas: #""Bucket": \#(schema)"#)
        ).text("Models/Bucket.swift")
        guard let property else {
            #expect(!text.contains("additionalProperties"))
            return
        }
        for line in [
            property, "additionalProperties: [String: ", " = [:]) {", "CodingKey, CaseIterable {",
            "self.id = try container.decode(Int.self, forKey: .id)",
            "self.additionalProperties = try decoder.additionalProperties(besides: CodingKeys.self)",
            "try container.encodeIfPresent(self.a, forKey: .a)", "try self.additionalProperties.encode(to: encoder)",
        ] {
            #expect(text.contains(line), "\(text)")
        }
    }

    /// A bad part becomes JSON of any kind, with a note that names its place; the rest is imported.
    @Test(arguments: [
        (
            ##"{"$ref": "#/components/schemas/Missing"}"##,
            "returns: JSONValue.self",
            "#/paths/~1x/get/responses/200/content/application~1json/schema: expected a value at "
                + "'#/components/schemas/Missing', found nothing there"
        ),
        (
            #"{"properties": {"ok": {"type": "boolean"}, "latest": {"items": [{"type": "integer"}, {"type": "null"}]}}}"#,
            "returns: ShopX.self", "latest/items: expected a schema, found array"
        ),
        (#""x""#, "returns: JSONValue.self", "expected a schema, found string \"x\""),
        (#"{"type": "fish"}"#, "returns: JSONValue.self", "expected a type such as string or object"),
        (
            ##"{"properties": {"a": {}}, "allOf": [{"$ref": "#/components/schemas/Missing"}]}"##, "returns: ShopX.self",
            "expected a value at '#/components/schemas/Missing', found nothing there"
        ),
    ])
    func badSchemas(schema: String, arm: String, note: String) throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #""/x": {"get": \#(SmallDocument.operation(schema))}, "/y": {"get": \#(SmallDocument.operation(#"{"type": "integer"}"#))}"#
            ))
        #expect(imported.endpoints.map(\.path) == ["/x", "/y"])
        #expect(imported.endpoints[0].arm.contains(arm), "\(imported.endpoints[0].arm)")
        #expect(imported.notes.contains { $0.hasPrefix("not read: ") && $0.hasSuffix(note) }, "\(imported.notes)")
    }

    @Test func itemsThatAreAList() throws {
        let schema = #"{"properties": {"ok": {"type": "boolean"}, "latest": {"items": [{"type": "integer"}]}}}"#
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/x": {"get": \#(SmallDocument.operation(schema))}"#))
        #expect(imported.modelText.contains("let ok: Bool?\n"))
        #expect(imported.modelText.contains("let latest: JSONValue?\n"), "\(imported.modelText)")
    }

    /// An example that contradicts its schema is left out. The schema stays.
    @Test(arguments: [(#"[{"id": "1"}]"#, false), (#"{"name": "x"}"#, false), (#"{"id": "1"}"#, true)])
    func examplesThatContradict(example: String, isSample: Bool) throws {
        let content = ##"{"schema": {"$ref": "#/components/schemas/Account"}, "example": \##(example)}"##
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #""/accounts/{id}": {"get": {"responses": {"200": {"content": {"application/json": \#(content)}}}}}"#,
                schemas:
                    #""Account": {"required": ["id"], "properties": {"id": {"type": "string"}, "name": {"type": "string"}}}"#
            ))
        #expect(imported.endpoints[0].arm.contains("returns: Account.self"))
        #expect(imported.modelText.contains("let id: String\n"))
        #expect(imported.files.contains { $0.path == "Accounts+Samples.swift" } == isSample)
        let note = "examples that contradict their schemas, and are left out: 1 (GET /accounts/{id})"
        #expect(imported.notes.contains(note) != isSample, "\(imported.notes)")
    }

    /// No file makes the target a program, whatever a schema is called.
    @Test(arguments: ["main", "Main", "MAIN"]) func noFileIsCalledMain(name: String) throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                ##""/\##(name)": {"get": \##(SmallDocument.operation(##"{"$ref": "#/components/schemas/\##(name)"}"##))}"##,
                schemas: #""\#(name)": {"properties": {"id": {"type": "integer"}}}"#))
        let files = imported.files.compactMap { $0.path.split(separator: "/").last?.lowercased() }
        #expect(!files.contains("main.swift"), "\(files)")
    }

    @Test func noEnumIsInAFileCalledMain() throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/main": {"get": {"tags": ["main"]}}"#).replacing("Shop API", with: "Main"))
        let files = imported.files.map { $0.path.lowercased() }
        #expect(imported.type == "Main" && !files.contains("main.swift"), "\(files)")
    }

    /// Secrets in URLs of servers, defaults and listed values are in no file.
    @Test func noSecretIsWritten() throws {
        let token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
        let parameters =
            #"[{"name": "key", "in": "query", "required": true, "schema": {"type": "string", "default": "\#(token)"}}, "#
            + #"{"name": "kind", "in": "query", "schema": {"enum": ["a", "\#(token)"]}}]"#
        let imported = try SmallDocument.imported(
            #"{"openapi": "3.1.0", "info": {"title": "Shop"}, "servers": [{"url": "https://a.example/\#(token)"}, {"url": "https://b.example"}], "#
                + #""paths": {"/x": {"get": {"description": "Use \#(token)", "parameters": \#(parameters)}}}}"#)
        #expect(!imported.allText.contains("ghp_"))
        #expect(!imported.notes.contains { $0.contains("ghp_") })
        #expect(imported.text("Shop.swift").contains("https://b.example"))
        #expect(imported.endpoints[0].arm.contains(#""kind": kind"#))
    }

    // MARK: Servers and credentials

    /// A server without a value for a variable is left out, and one note has the whole URL.
    @Test func serversWithoutValues() throws {
        let url = "https://device.example.com/v1/merchants/{merchantAccount}/sync"
        let imported = try SmallDocument.imported(
            #"{"openapi": "3.0.3", "info": {"title": "Shop"}, "servers": [{"url": "\#(url)"}, {"url": "<local-ip>"}], "#
                + #""paths": {"/x": {"get": {}}}}"#)
        #expect(imported.text("Shop.swift").contains("static let servers: [Server] = []\n"))
        #expect(
            imported.notes == [
                "left out of the servers: '\(url)' has no default for {merchantAccount}; '<local-ip>' has no host: "
                    + "declare one, or give --base-url URL"
            ])
    }

    /// Credentials that all operations need stand once, even if each operation declares them.
    @Test func sharedCredentialsStandOnce() throws {
        let security = #""security": [{"key": []}]"#
        let imported = try SmallDocument.imported(
            #"{"openapi": "3.1.0", "info": {"title": "Shop"}, "paths": {"/a": {"get": {\#(security)}, "put": {\#(security)}}, "/b": {"get": {\#(security)}}}, "#
                + #""components": {"securitySchemes": {"key": {"type": "apiKey", "in": "query", "name": "k"}}}}"#)
        let declarations = imported.allText.split(separator: #"variable: "SHOP_KEY""#).count - 1
        #expect(declarations == 1 && imported.text("Shop.swift").contains("SHOP_KEY"))
        #expect(!imported.endpoints.contains { $0.arm.contains("credentials:") })
    }

    // MARK: Bodies

    /// Parts that are objects are JSON, and dates are texts.
    @Test func partsOfMultipartBodies() throws {
        let schema = #"""
            {"required": ["attributes", "file"], "properties": {
              "attributes": {"required": ["name"], "properties": {"name": {"type": "string"}}},
              "file": {"type": "string", "format": "binary"}, "when": {"type": "string", "format": "date-time"},
              "meta": {"type": "string"}, "tags": {"type": "array", "items": {"type": "string"}}}}
            """#
        let encoding = #"{"meta": {"contentType": "application/json"}, "file": {"contentType": "image/png"}}"#
        let content = #"{"multipart/form-data": {"schema": \#(schema), "encoding": \#(encoding)}}"#
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/files": {"post": {"requestBody": {"required": true, "content": \#(content)}}}"#))
        let arm = imported.endpoints[0].arm
        for part in [
            #".json("attributes", body.attributes)"#,
            #".file("file", path: body.file, contentType: "image/png")"#,
            #"body.when.map { Part.field("when", $0.parameterText(Coding())) }"#,
            #"body.meta.map { Part.json("meta", $0) }"#,
            #"(body.tags ?? []).map { Part.field("tags", $0) }"#,
        ] {
            #expect(arm.contains(part), "\(arm)")
        }
        #expect(imported.endpoints[0].comments == [])
    }

    /// Each field of a form is written as its encoding says.
    @Test func encodingsOfForms() throws {
        let list = #"{"type": "array", "items": {"type": "string"}}"#
        let object = #"{"properties": {"x": {"type": "string"}}}"#
        let encoding = #"{"a": {"style": "form", "explode": false}, "d": {"style": "deepObject", "explode": true}}"#
        let content =
            #"{"application/x-www-form-urlencoded": {"encoding": \#(encoding), "schema": {"properties": {"a": \#(list), "b": \#(list), "d": \#(object)}}}}"#
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/f": {"post": {"requestBody": {"required": true, "content": \#(content)}}}"#))
        let arm = imported.endpoints[0].arm.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            arm.contains(
                #"["a": body.a?.joined(by: ","), "b": body.b] + Endpoint.Query.indexed(["d": body.d])"#), "\(arm)")
    }

    /// Without a format, Swagger 2.0 separates the elements of a list by commas, also in multipart bodies.
    @Test func listsOfSwagger2() throws {
        func list(_ name: String, _ format: String?) -> String {
            let format = format.map { #", "collectionFormat": "\#($0)""# } ?? ""
            return #"{"in": "formData", "name": "\#(name)", "type": "array", "items": {"type": "string"}\#(format)}"#
        }
        let parameters = [list("d", nil), list("c", "csv"), list("m", "multi"), list("p", "pipes")]
        func document(_ type: String) -> String {
            #"{"swagger": "2.0", "info": {"title": "Old"}, "host": "a.example", "paths": {"/m": {"post": {"consumes": ["\#(type)"], "parameters": [\#(parameters.joined(separator: ", "))]}}}}"#
        }
        let parts = try SmallDocument.imported(document("multipart/form-data")).endpoints[0].arm
        #expect(parts.contains(#"(body?.d).map { Part.field("d", $0.joined(separator: ",")) }"#), "\(parts)")
        #expect(parts.contains(#"(body?.p).map { Part.field("p", $0.joined(separator: "|")) }"#), "\(parts)")
        #expect(parts.contains(#"(body?.m ?? []).map { Part.field("m", $0) }"#), "\(parts)")
        let form = try SmallDocument.imported(document("application/x-www-form-urlencoded")).endpoints[0].arm
        #expect(form.contains(#""c": $0.c?.joined(by: ",")"#) && form.contains(#""m": $0.m"#), "\(form)")
    }

    /// A schema with properties that only responses or only requests have is two models if both use it.
    @Test func propertiesThatAreReadOnly() throws {
        let schema =
            #"{"required": ["id", "name"], "properties": {"id": {"type": "integer", "readOnly": true}, "name": {"type": "string"}}}"#
        let reference = ##"{"$ref": "#/components/schemas/Pet"}"##
        let sent = SmallDocument.sending(reference)
        let both = sent.dropLast() + "," + SmallDocument.operation(reference).dropFirst()
        func text(_ operation: some StringProtocol) throws -> String {
            try SmallDocument.imported(
                SmallDocument.text(#""/pets": {"post": \#(operation)}"#, schemas: #""Pet": \#(schema)"#)
            ).modelText
        }
        let alone = try text(sent)
        #expect(!alone.contains("id") && alone.contains("public init(name: String) {"), "\(alone)")
        let shared = try text(both)
        #expect(shared.contains("struct Pet: Decodable, Sendable {\n        public let id: Int\n"), "\(shared)")
        #expect(shared.contains("struct PetInput: Codable, Sendable {\n        public var name: String\n"), "\(shared)")
        #expect(shared.contains("public init(name: String) {"), "\(shared)")
    }

    /// A property that only requests have is in no model of responses.
    @Test func propertiesThatAreWriteOnly() throws {
        let schema =
            #"{"required": ["name", "password"], "properties": {"name": {"type": "string"}, "password": {"type": "string", "writeOnly": true}}}"#
        let reference = ##"{"$ref": "#/components/schemas/User"}"##
        let list = #"{"type": "array", "items": \#(reference)}"#
        let both = SmallDocument.sending(list).dropLast() + "," + SmallDocument.operation(list).dropFirst()
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/users": {"post": \#(both)}"#, schemas: #""User": \#(schema)"#))
        let user = imported.text("Models/User.swift")
        #expect(user.contains("let name: String\n") && !user.contains("password"), "\(user)")
        let input = imported.text("Models/UserInput.swift")
        #expect(input.contains("public init(name: String, password: String) {"), "\(input)")
        let api = imported.text("Users.swift")
        #expect(api.contains("body: [UserInput]") && api.contains("returns: [User].self"), "\(api)")
    }

    /// A GET that creates something or logs in is no example, which a check would send.
    @Test(arguments: [
        ("/session/new", "sessionNew", false), ("/sign-out", "end", false), ("/user", "createUser", false),
        ("/user/login", "start", false), ("/news", "newestEntries", true), ("/logins", "listLogins", true),
    ])
    func retrievalsThatWrite(path: String, id: String, isExample: Bool) throws {
        let text = try SmallDocument.imported(
            SmallDocument.text(#""\#(path)": {"get": {"operationId": "\#(id)", "tags": ["t"]}}"#)
        ).text("T.swift")
        #expect(text.contains("static let examples: [T] = []") != isExample, "\(text)")
    }

    /// The example of a body tells more than a schema that is only a stand-in, or than none.
    @Test(arguments: [
        (
            #""schema": {"properties": {"RAW_BODY": {"type": "string"}}}, "#,
            "its example has none of the schema's properties"
        ),
        ("", "the document doesn't say what is in it"),
    ])
    func bodiesWithoutSchema(schema: String, reason: String) throws {
        let content = #"{"application/json": {\#(schema)"example": {"media_id": 550}}}"#
        let text = try SmallDocument.imported(
            SmallDocument.text(
                #""/x": {"post": {"operationId": "add", "tags": ["t"], "requestBody": {"required": true, "content": \#(content)}}}"#
            )
        ).text("T.swift")
        #expect(text.contains("// import: the body is any JSON: \(reason)"), "\(text)")
        #expect(text.contains(#".add(body: ["media_id": 550])"#), "\(text)")
    }

    /// The bytes of an upload are a parameter.
    @Test func uploads() throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #""/x": {"post": {"operationId": "upload", "tags": ["t"], "requestBody": {"required": true, "content": {"image/png": {}}}}}"#
            ))
        let text = imported.text("T.swift")
        #expect(text.contains("case upload(content: [UInt8])"), "\(text)")
        #expect(text.contains(#"body: .data(content, contentType: "image/png")"#), "\(text)")
        #expect(imported.bytesCount == 1)
    }

    /// A private key in an example is redacted.
    @Test func privateKeys() throws {
        let example = #"{"pem": "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n", "id": 1}"#
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #""/x": {"get": {"tags": ["t"], "responses": {"200": {"content": {"application/json": {"schema": {"type": "object"}, "example": \#(example)}}}}}}"#
            ))
        #expect(imported.hasSamples)
        #expect(!imported.allText.contains("MIIE") && imported.allText.contains("(redacted)"), "\(imported.allText)")
    }

    /// The operations of a large tag whose paths repeat the tag are named after the first segment.
    @Test func segmentsThatRepeatTheTag() throws {
        let paths = (0..<61).map { number in
            let path = number < 30 ? "/actions/runs/\(number)" : "/repos/{id}/actions/\(number)"
            return #""\#(path)": {"get": {"operationId": "op\#(number)", "tags": ["actions"]}}"#
        }
        let imported = try SmallDocument.imported(SmallDocument.text(paths.joined(separator: ",")))
        #expect(Set(imported.endpoints.map(\.type)) == ["ActionsRuns", "ActionsRepos"])
    }

    /// Only files that name `Date` import Foundation.
    @Test(arguments: [("date-time", true), ("uuid", false)])
    func importsOfFoundation(format: String, isNeeded: Bool) throws {
        let schema = #"{"type": "string", "format": "\#(format)"}"#
        let parameter = #"{"name": "UpdateDate", "in": "query", "required": true, "schema": \#(schema)}"#
        let text = try SmallDocument.imported(
            SmallDocument.text(
                #""/x": {"get": {"operationId": "listUpdateDates", "tags": ["t"], "parameters": [\#(parameter)]}}"#)
        ).text("T.swift")
        #expect(text.contains("import Foundation") == isNeeded, "\(text)")
    }

    // MARK: Schemas

    /// A property in two branches of `allOf` has both schemas.
    @Test func propertiesInTwoBranches() throws {
        func branch(_ key: String) -> String {
            #"{"type": "object", "properties": {"path": {"type": "object", "properties": {"\#(key)": {"type": "string"}}}}}"#
        }
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                ##""/x": {"get": \##(SmallDocument.operation(##"{"$ref": "#/components/schemas/S"}"##))}"##,
                schemas:
                    ##""Base": \##(branch("id")), "S": {"allOf": [{"$ref": "#/components/schemas/Base"}, \##(branch("status"))]}"##
            ))
        #expect(
            imported.modelText.contains("let id: String?\n        public let status: String?\n"),
            "\(imported.modelText)")
    }

    /// Enums with different names are different, though their values are equal. The document names the cases.
    @Test func namesOfListedValues() throws {
        func titled(_ titles: [String]) -> String {
            let constants = titles.enumerated().map { #"{"title": "\#($1)", "const": \#($0)}"# }
            return #"{"type": "integer", "oneOf": [\#(constants.joined(separator: ", "))]}"#
        }
        let schemas = """
            "FilterTypes": \(titled(["INHERIT", "ALWAYS"])), "ReactionTypes": \(titled(["NORMAL", "BURST"])),
            "Level": {"type": "integer", "enum": [1, 2], "x-enum-varnames": ["LowLevel", "HighLevel"]},
            "Mode": {"type": "integer", "enum": [1, 2], "x-enumNames": ["Off", "On"]}
            """
        let names = ["FilterTypes", "ReactionTypes", "Level", "Mode"]
        let properties = names.map { ##""\##($0)": {"$ref": "#/components/schemas/\##($0)"}"## }
        let response = #"{"properties": {\#(properties.joined(separator: ", "))}}"#
        let text = try SmallDocument.imported(
            SmallDocument.text(#""/r": {"get": \#(SmallDocument.operation(response))}"#, schemas: schemas)
        ).modelText
        for (name, cases) in [
            ("FilterTypes", ["inherit = 0", "always = 1"]), ("ReactionTypes", ["normal = 0", "burst = 1"]),
            ("Level", ["lowLevel = 1", "highLevel = 2"]), ("Mode", ["off = 1", "on = 2"]),
        ] {
            let body = cases.map { "        case \($0)\n" }.joined()
            #expect(text.contains("enum \(name): Int, Codable, CaseIterable, Sendable {\n\(body)    }"), "\(text)")
        }
    }

    /// Unnamed objects of different operations are different, also if they are equal.
    @Test func objectsOfDifferentOperations() throws {
        let operation = SmallDocument.operation(
            #"{"properties": {"id": {"type": "integer"}}}"#, more: #""tags": ["t"], "#)
        let update = SmallDocument.operation(
            #"{"properties": {"id": {"type": "integer"}}}"#,
            more: #""tags": ["accounts"], "operationId": "patchAccountsUpdateCredentials", "#)
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #""/search": {"get": \#(operation)}, "/accounts/update_credentials": {"patch": \#(update)}"#))
        #expect(imported.modelNames.count == 2, "\(imported.modelNames)")
        #expect(imported.endpoints.last?.name == "shop.accounts.update-credentials")
        #expect(imported.endpoints.last?.arm.contains("Search") == false)
    }

    // MARK: Comments

    /// Comments keep the first paragraph, with its list.
    @Test func comments() throws {
        let long =
            "The recipient's phone number in [E.164](https://www.example.com/docs/glossary/what-e164) format "
            + "(for SMS) or [channel address](https://www.example.com/docs/messaging/channels), e.g. `whatsapp:+15552229999`."
        let schema = #"""
            {"properties": {"to": {"type": "string", "description": "\#(long)"},
              "state": {"type": "string", "description": "Possible values:\n* **on**\n* **off**\n\nMore."},
              "b": {"type": "string", "description": "Dr. Smith says e.g. so. Second."},
              "old": {"type": "string", "deprecated": true, "description": "Gone."}}}
            """#
        let operation = SmallDocument.operation(schema, more: #""deprecated": true, "operationId": "getX", "#)
        let imported = try SmallDocument.imported(SmallDocument.text(#""/x": {"get": \#(operation)}"#))
        let text = imported.modelText
        let words = text.replacing("        /// ", with: "").replacing("\n", with: " ")
        #expect(words.contains(long), "\(text)")
        #expect(
            text.contains("/// Possible values:\n        /// * **on**\n        /// * **off**\n        public let state")
        )
        #expect(text.contains("/// Dr. Smith says e.g. so. Second.\n"))
        #expect(text.contains("/// Gone.\n        @available(*, deprecated)\n        public let old: String?\n"))
        #expect(
            imported.text("XAPI.swift").contains("@available(*, deprecated)\n        case ")
                || imported.allText.contains("@available(*, deprecated)\n        case "))
    }

    /// No line is too long for the linter.
    @Test(arguments: ["", "readOnly"]) func longNames(word: String) throws {
        let title = "CreateSipAuthCallsCredentialListMappingApi20100401AuthCallsCredentialListMapping"
        let schema =
            #"{"title": "\#(title)", "required": ["Sid"], "properties": {"Sid": {"type": "string"}, "self": {"title": "\#(title)2", "properties": {"a": {"type": "integer"}}}}}"#
        let content = #"{"application/x-www-form-urlencoded": {"schema": \#(schema)}}"#
        let operation =
            #"{"operationId": "createSipAuthCallsCredentialListMapping", "tags": ["Api20100401AuthCallsCredentialListMapping"], "requestBody": {"content": \#(content)}}"#
        let imported = try SmallDocument.imported(SmallDocument.text(#""/x": {"post": \#(operation)}"#))
        let lines = imported.files.flatMap { $0.text.split(separator: "\n") }
        #expect(lines.filter { $0.count > 120 } == [])
    }

    /// Two runs write the same bytes.
    @Test func runsAreEqual() throws {
        let schemas = (0..<30).map { #""S\#($0)": {"properties": {"a\#($0)": {"enum": ["x", "y"]}}}"# }
        let paths = (0..<30).map {
            ##""/p\##($0)": {"get": \##(SmallDocument.operation(##"{"$ref": "#/components/schemas/S\##($0)"}"##))}"##
        }
        let document = SmallDocument.text(paths.joined(separator: ", "), schemas: schemas.joined(separator: ", "))
        let first = try SmallDocument.imported(document).files.map { $0.path + $0.text }
        #expect(try SmallDocument.imported(document).files.map { $0.path + $0.text } == first)
    }
}
