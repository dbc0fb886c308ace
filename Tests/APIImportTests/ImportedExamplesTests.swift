import APIImport
import Testing

/// The calls and samples that an import takes from the examples of a document.
@Suite struct ImportedExamplesTests {
    /// The schema of a required parameter, perhaps with an example beside it.
    struct ParameterExample: Sendable, CustomTestStringConvertible {
        /// The members `schema` and `example` of the parameter.
        let members: String
        /// Whether the call is only a signature with invented values, and no example.
        let isPlaceholder: Bool

        var testDescription: String { members }
    }

    @Test(
        "A call with an invented value is a placeholder, and a call with values of the document is an example",
        arguments: [
            ParameterExample(members: #""schema": {"type": "integer"}"#, isPlaceholder: true),
            ParameterExample(members: #""schema": {"type": "integer"}, "example": 2"#, isPlaceholder: false),
            ParameterExample(members: #""schema": {"enum": ["a", "b"]}"#, isPlaceholder: false),
            ParameterExample(members: #""schema": {"enum": ["a", "b"]}, "example": "c""#, isPlaceholder: true),
            ParameterExample(
                members: #""schema": {"type": "array", "items": {"type": "integer"}}"#, isPlaceholder: true),
            ParameterExample(
                members: #""schema": {"type": "array", "items": {"type": "integer"}}, "example": [1]"#,
                isPlaceholder: false),
            ParameterExample(
                members: #""schema": {"type": "string"}, "example": "ghp_0123456789abcdefghijABCDEFGHIJ012345""#,
                isPlaceholder: true),
            ParameterExample(
                members: #"""
                    "schema": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"properties": {"a": {}}}]},
                    "example": 1
                    """#,
                isPlaceholder: true),
        ])
    func calls(parameter: ParameterExample) throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/items": {"get": {"parameters": [
                  {"name": "p", "in": "query", "required": true, \#(parameter.members)}
                ]}}
                """#))
        let file = imported.text("Items.swift")
        #expect(file.contains("static let placeholders: ") == parameter.isPlaceholder)
        #expect(!file.contains("ghp_"))
    }

    /// The media type object of a body, and a part of the call that sends such a body.
    struct BodyExample: Sendable, CustomTestStringConvertible {
        let mediaType: String
        /// A part of the call. Spaces do not matter.
        let call: String

        var testDescription: String { call }
    }

    /// A schema with objects in objects, of which the innermost holds an integer.
    private static let deeplyNestedSchema =
        String(repeating: #"{"required": ["a"], "properties": {"a": "#, count: 9)
        + #"{"type": "integer"}"#
        + String(repeating: "}}", count: 9)

    @Test(
        "A call with a body has the values of the document, and is never an example because it writes",
        arguments: [
            BodyExample(
                mediaType: #"""
                    {"schema": {"type": "object", "properties": {"n": {"type": "integer", "example": 1}}}}
                    """#,
                call: "CreateItem(n: 1)"),
            BodyExample(
                mediaType: #"{"schema": {}, "example": {"a": 1}}"#,
                call: #"body: ["a": 1]"#),
            BodyExample(
                mediaType: #"""
                    {"schema": {"type": "object", "additionalProperties": {"type": "string"}},
                     "example": {"PASSWORD": "s3cretword"}}
                    """#,
                call: "body: "),
            BodyExample(
                mediaType: #"{"schema": \#(deeplyNestedSchema)}"#,
                call: "CreateItem(a: A"),
        ])
    func bodies(body: BodyExample) throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/items": {"post": {"requestBody": {
                  "required": true, "content": {"application/json": \#(body.mediaType)}
                }}}
                """#))
        let file = imported.text("Items.swift")
        let placeholders = file.split(separator: "static let placeholders: ").last ?? ""
        let placeholdersWithoutSpaces = placeholders.split(whereSeparator: \.isWhitespace).joined()
        #expect(placeholdersWithoutSpaces.contains(body.call.filter { $0 != " " }), "\(file)")
        #expect(file.contains("static let examples: [Items] = []"))
        #expect(!file.contains("s3cretword"))
    }

    @Test("A placeholder call shows the optional fields of a multipart body") func optionalFieldsOfMultipart() throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/items": {"post": {"requestBody": {"content": {"multipart/form-data": {"schema": {"properties": {
                  "n": {"type": "integer"},
                  "tags": {"type": "array", "items": {"type": "string"}},
                  "owner": {"properties": {"x": {"type": "string"}}}
                }}}}}}}
                """#))
        #expect(
            imported.text("Items.swift").contains(#"[.create(CreateItem(n: 1, tags: ["tags"], owner: Owner()))]"#))
    }

    @Test("A sample has the example of the response without its secrets") func samplesHaveNoSecrets() throws {
        let path = #"""
            "/items": {"get": {"responses": {"200": {"content": {"application/json": {
              "schema": {
                "required": ["a"], "properties": {"a": {"type": "integer"}, "access_token": {"type": "string"}}
              },
              "example": {"a": 1, "access_token": "s3cretword"}
            }}}}}}
            """#
        let imported = try SmallDocument.imported(SmallDocument.text(path))
        #expect(imported.text("Items+Samples.swift").contains(#""a": 1"#))
        #expect(!imported.allText.contains("s3cretword"))
    }

    /// A method, and the list that holds the call.
    struct MethodOfCall: Sendable, CustomTestStringConvertible {
        let method: String
        /// The property of the enum: `examples` or `placeholders`.
        let list: String

        var testDescription: String { method }
    }

    /// A call with another method may write, and a check would send an example.
    @Test(
        "Only a call with a safe method is an example",
        arguments: [
            MethodOfCall(method: "get", list: "examples"),
            MethodOfCall(method: "head", list: "examples"),
            MethodOfCall(method: "options", list: "examples"),
            MethodOfCall(method: "post", list: "placeholders"),
            MethodOfCall(method: "put", list: "placeholders"),
            MethodOfCall(method: "patch", list: "placeholders"),
            MethodOfCall(method: "delete", list: "placeholders"),
        ])
    func onlySafeCallsAreExamples(call: MethodOfCall) throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/buckets": {"\#(call.method)": {"operationId": "all"}}"#))
        let file = imported.text("Buckets.swift")
        #expect(file.contains("static let \(call.list): [Buckets] = [.all]"), "\(file)")
        if call.list == "placeholders" {
            #expect(file.contains("static let examples: [Buckets] = []"))
        }
    }

    /// A GET operation, and whether its call is an example.
    struct Retrieval: Sendable, CustomTestStringConvertible {
        let path: String
        let operationID: String
        let isExample: Bool

        var testDescription: String { "\(path) \(operationID)" }
    }

    /// A check would send an example.
    @Test(
        "A GET operation whose path or name says that it creates something or logs in is no example",
        arguments: [
            Retrieval(path: "/session/new", operationID: "sessionNew", isExample: false),
            Retrieval(path: "/sign-out", operationID: "end", isExample: false),
            Retrieval(path: "/user", operationID: "createUser", isExample: false),
            Retrieval(path: "/user/login", operationID: "start", isExample: false),
            Retrieval(path: "/news", operationID: "newestEntries", isExample: true),
            Retrieval(path: "/logins", operationID: "listLogins", isExample: true),
        ])
    func retrievalsThatWrite(retrieval: Retrieval) throws {
        let operation = #"{"get": {"operationId": "\#(retrieval.operationID)", "tags": ["t"]}}"#
        let file = try SmallDocument.imported(SmallDocument.text(#""\#(retrieval.path)": \#(operation)"#))
            .text("T.swift")
        #expect(file.contains("static let examples: [T] = []") != retrieval.isExample, "\(file)")
    }

    /// The example of a response whose schema is an object with a required text `id`.
    struct ResponseExample: Sendable, CustomTestStringConvertible {
        let example: String
        let isSample: Bool

        var testDescription: String { example }
    }

    @Test(
        "An example that contradicts the schema of the response is left out, and the schema stays",
        arguments: [
            ResponseExample(example: #"[{"id": "1"}]"#, isSample: false),
            ResponseExample(example: #"{"name": "x"}"#, isSample: false),
            ResponseExample(example: #"{"id": "1"}"#, isSample: true),
        ])
    func examplesThatContradict(response: ResponseExample) throws {
        let mediaType = ##"{"schema": {"$ref": "#/components/schemas/Account"}, "example": \##(response.example)}"##
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/accounts/{id}": {"get": {"responses": {"200": {"content": {"application/json": \#(mediaType)}}}}}
                """#,
                schemas: #"""
                    "Account": {
                      "required": ["id"], "properties": {"id": {"type": "string"}, "name": {"type": "string"}}
                    }
                    """#))
        #expect(imported.endpoints[0].arm.contains("returns: Account.self"))
        #expect(imported.modelText.contains("let id: String\n"))
        #expect(imported.files.contains { $0.path == "Accounts+Samples.swift" } == response.isSample)
        let note = "examples that contradict their schemas, and are left out: 1 (GET /accounts/{id})"
        #expect(imported.notes.contains(note) != response.isSample, "\(imported.notes)")
    }

    /// A media type object with the example `{"media_id": 550}`, and the reason why the body is any JSON.
    struct BodyWithoutSchema: Sendable, CustomTestStringConvertible {
        let mediaType: String
        let reason: String

        var testDescription: String { reason }
    }

    @Test(
        "A body whose schema says nothing about its example is JSON, and the call has the example",
        arguments: [
            BodyWithoutSchema(
                mediaType: #"""
                    {"schema": {"properties": {"RAW_BODY": {"type": "string"}}}, "example": {"media_id": 550}}
                    """#,
                reason: "its example has none of the schema's properties"),
            BodyWithoutSchema(
                mediaType: #"{"example": {"media_id": 550}}"#,
                reason: "the document doesn't say what is in it"),
        ])
    func bodiesWithoutSchema(body: BodyWithoutSchema) throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/x": {"post": {
                  "operationId": "add", "tags": ["t"],
                  "requestBody": {"required": true, "content": {"application/json": \#(body.mediaType)}}
                }}
                """#))
        let file = imported.text("T.swift")
        #expect(file.contains("// import: the body is any JSON: \(body.reason)"), "\(file)")
        #expect(file.contains(#".add(body: ["media_id": 550])"#), "\(file)")
    }

    @Test("A private key in an example is redacted") func privateKeys() throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/x": {"get": {"tags": ["t"], "responses": {"200": {"content": {"application/json": {
                  "schema": {"type": "object"},
                  "example": {
                    "pem": "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n", "id": 1
                  }
                }}}}}}
                """#))
        #expect(imported.hasSamples)
        #expect(!imported.allText.contains("MIIE"), "\(imported.allText)")
        #expect(imported.allText.contains("(redacted)"), "\(imported.allText)")
    }

    @Test("Secrets in the URLs of servers, in defaults, in listed values and in descriptions are in no file or note")
    func secretsInDocuments() throws {
        let token = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
        let imported = try SmallDocument.imported(
            #"""
            {"openapi": "3.1.0", "info": {"title": "Shop"},
             "servers": [{"url": "https://a.example/\#(token)"}, {"url": "https://b.example"}],
             "paths": {"/x": {"get": {"description": "Use \#(token)", "parameters": [
               {"name": "key", "in": "query", "required": true, "schema": {"type": "string", "default": "\#(token)"}},
               {"name": "kind", "in": "query", "schema": {"enum": ["a", "\#(token)"]}}
             ]}}}}
            """#)
        #expect(!imported.allText.contains("ghp_"))
        #expect(!imported.notes.contains { $0.contains("ghp_") })
        #expect(imported.text("Shop.swift").contains("https://b.example"))
        #expect(imported.endpoints[0].arm.contains(#""kind": kind"#))
    }
}
