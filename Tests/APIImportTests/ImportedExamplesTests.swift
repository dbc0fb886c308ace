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
}
