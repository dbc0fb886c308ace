import JSONText
import Testing

@testable import OpenAPI

/// Parameters, bodies, responses and security of operations.
@Suite struct OperationObjectTests {
    private static let swagger = #""swagger": "2.0""#

    @Test(
        arguments: [
            (#""in": "query""#, .form, true, false), (#""in": "path""#, .simple, false, true),
            (#""in": "header", "required": true"#, .simple, false, true), (#""in": "cookie""#, .form, true, false),
            (#""in": "query", "style": "deepObject""#, .deepObject, false, false),
            (#""in": "query", "explode": false"#, .form, false, false),
        ] as [(String, ParameterObject.Style, Bool, Bool)])
    func `Parameters have the defaults of their location`(
        members: String, style: ParameterObject.Style, isExploded: Bool, isRequired: Bool
    ) throws {
        let operation = try Documents.operation(#""parameters": [{"name": "p", \#(members)}]"#)
        let parameter = try #require(operation.parameters.parts.first)
        #expect(parameter.style == style)
        #expect(parameter.isExploded == isExploded)
        #expect(parameter.isRequired == isRequired)
    }

    @Test(
        arguments: [
            ("csv", .form, false), ("ssv", .spaceDelimited, false), ("tsv", .tabDelimited, false),
            ("pipes", .pipeDelimited, false), ("multi", .form, true),
        ] as [(String, ParameterObject.Style, Bool)])
    func `A collectionFormat becomes a style`(
        format: String, style: ParameterObject.Style, isExploded: Bool
    ) throws {
        let operation = try Documents.operation(
            #""parameters": [{"name": "p", "in": "query", "type": "array", "collectionFormat": "\#(format)"}]"#,
            version: Self.swagger)
        #expect(operation.parameters.parts.map(\.style) == [style])
        #expect(operation.parameters.parts.map(\.isExploded) == [isExploded])
    }

    @Test func `A broken parameter does not affect the others`() throws {
        let operation = try Documents.operation(
            ##""parameters": [{"$ref": "#/p"}, {"name": "q", "in": "query", "style": "wavy"}, 1, {"in": "query"},"##
                + #" {"name": "ok", "in": "query"}]"#)
        #expect(operation.parameters.parts.map(\.name) == ["ok"])
        let pointers = operation.parameters.errors.map(\.pointer).sorted()
        #expect(
            pointers == [
                "#/paths/~1x/get/parameters/0", "#/paths/~1x/get/parameters/1/style", "#/paths/~1x/get/parameters/2",
                "#/paths/~1x/get/parameters/3",
            ])
    }

    @Test func `A parameter of an operation replaces the parameter of its path`() throws {
        let document = try Documents.document(
            #"{"openapi": "3.1.0", "paths": {"/x": {"parameters": [{"name": "a", "in": "query"},"#
                + #" {"name": "b", "in": "query"}], "get": {"parameters": [{"name": "a", "in": "query","#
                + #" "required": true}, {"name": "a", "in": "header"}]}}}}"#)
        let parameters = document.operation(document.operations().parts[0]).parameters.parts
        #expect(parameters.map(\.name) == ["a", "b", "a"])
        #expect(parameters.map(\.isRequired) == [true, false, false])
    }

    @Test func `A body is read with its content types, encodings and examples`() throws {
        let operation = try Documents.operation(
            #""requestBody": {"required": true, "content": {"application/json": {"schema": {},"#
                + ##" "examples": {"e": {"value": 1}, "f": {"$ref": "#/nowhere"}}},"##
                + #" "multipart/form-data": {"encoding": {"a": {"contentType": "image/png, image/gif"}}}}}"#)
        let body = try #require(try operation.requestBody())
        #expect(body.isRequired)
        #expect(body.content.map(\.contentType) == ["application/json", "multipart/form-data"])
        #expect(body.content[0].examples.map(\.name) == ["e"])
        #expect(body.content[1].encodings["a"]?.contentTypes == ["image/png", "image/gif"])
    }

    @Test func `A broken body is an error with its place`() throws {
        let operation = try Documents.operation(##""requestBody": {"$ref": "#/b"}"##)
        #expect(throws: OpenAPIError.self) { try operation.requestBody() }
        #expect(operation.parameters.errors.isEmpty)
    }

    @Test(arguments: [
        (#"{"in": "body", "name": "b", "required": true, "schema": {}}"#, "application/json"),
        (#"{"in": "formData", "name": "b", "required": true, "type": "string"}"#, "application/x-www-form-urlencoded"),
        (#"{"in": "formData", "name": "b", "required": true, "type": "file"}"#, "multipart/form-data"),
    ])
    func `Swagger 2 describes bodies as parameters`(parameter: String, contentType: String) throws {
        let operation = try Documents.operation(#""parameters": [\#(parameter)]"#, version: Self.swagger)
        #expect(operation.parameters.parts.isEmpty)
        let body = try #require(try operation.requestBody())
        #expect(body.isRequired)
        #expect(body.content.map(\.contentType) == [contentType])
    }

    @Test(arguments: [(200, "a"), (204, "b"), (404, "c")])
    func `A status code selects its own response, the response of its range, or the default`(code: Int, summary: String)
        throws
    {
        let operation = try Documents.operation(
            #""responses": {"default": {"description": "c"}, "2XX": {"description": "b"},"#
                + #" "200": {"description": "a"}, "x-y": 1}"#)
        #expect(operation.responses.errors.isEmpty)
        #expect(operation.responses.parts.response(for: code)?.summary == summary)
    }

    @Test(arguments: ["20", "2000", "999", "2xY", "+20", "２"])
    func `A key that is not a status is an error`(status: String) throws {
        let operation = try Documents.operation(#""responses": {"\#(status)": {}}"#)
        #expect(operation.responses.errors.map(\.found) == ["'\(status)'"])
    }

    @Test(arguments: [
        (#""security": []"#, []), (#""x": 1"#, [["root"]]),
        (#""security": [{}, {"a": [], "b": ["s"]}]"#, [[], ["a", "b"]]),
    ])
    func `An operation's security replaces the document's`(members: String, schemes: [[String]]) throws {
        let operation = try Documents.operation(members, more: #", "security": [{"root": []}]"#)
        #expect(operation.security.parts.map { $0.schemes.map(\.name) } == schemes)
    }

    // MARK: Notes

    @Test(
        arguments: [
            (#""parameters": [{"name": "a", "in": "query"}], "responses": {"200": {"links": {}}}"#, [], []),
            (#""callbacks": {"a": {}}"#, ["#/paths/~1x/get/callbacks"], [.callbacks]),
            (#""responses": {"200": {"links": {"a": {}}}}"#, ["#/paths/~1x/get/responses/200/links"], [.links]),
            (
                #""parameters": [{"name": "a", "in": "path", "style": "deepObject"}]"#,
                ["#/paths/~1x/get/parameters/0/style"],
                [.undefinedStyle(parameter: "a", .deepObject, .path)]
            ),
            (
                #""parameters": [{"name": "a", "in": "query", "content": {"text/a": {}, "text/b": {}}}]"#,
                ["#/paths/~1x/get/parameters/0/content"], [.severalMediaTypes(parameter: "a")]
            ),
        ] as [(String, [String], [OperationNote.Reason])])
    func `Parts that are left out have notes`(
        members: String, pointers: [String], reasons: [OperationNote.Reason]
    ) throws {
        let notes = try Documents.operation(members).notes
        #expect(notes.map(\.pointer) == pointers)
        #expect(notes.map(\.reason) == reasons)
    }

    @Test(arguments: [
        (#""parameters": [1]"#, "#/paths/~1x/get/parameters/0"),
        (#""requestBody": {"content": 1}"#, "#/paths/~1x/get/requestBody/content"),
        (#""responses": {"20": {}}"#, "#/paths/~1x/get/responses/20"),
        (#""responses": "none""#, "#/paths/~1x/get/responses"),
        (#""servers": [{}]"#, "#/paths/~1x/get/servers/0"), (#""servers": {}"#, "#/paths/~1x/get/servers"),
        (#""security": {}"#, "#/paths/~1x/get/security"), (#""security": ["a"]"#, "#/paths/~1x/get/security/0"),
    ])
    func `Parts that can't be read have notes`(members: String, pointer: String) throws {
        let notes = try Documents.operation(members).notes
        #expect(notes.map(\.pointer) == [pointer])
        guard case .unreadable(let error)? = notes.first?.reason else { throw Documents.NoFile(name: "error") }
        #expect(error.pointer == pointer)
    }

    @Test func `Swagger 2 allows each collectionFormat at all locations`() throws {
        let formats = ["csv", "ssv", "tsv", "pipes", "multi"]
        let parameters = ["path", "query", "header"].flatMap { location in
            formats.map { #"{"name": "\#($0)", "in": "\#(location)", "type": "array", "collectionFormat": "\#($0)"}"# }
        }
        let operation = try Documents.operation(
            #""parameters": [\#(parameters.joined(separator: ","))]"#, version: #""swagger": "2.0""#)
        #expect(operation.notes.isEmpty)
        #expect(operation.parameters.parts.count == 15)
    }

    @Test(
        arguments: [
            ("matrix", "path", true), ("label", "query", false), ("simple", "header", true), ("simple", "query", false),
            ("form", "cookie", true), ("form", "path", false), ("deepObject", "query", true),
            ("pipeDelimited", "header", false), ("cookie", "cookie", true), ("cookie", "query", false),
        ])
    func `OpenAPI defines each style for some locations`(style: String, location: String, isDefined: Bool) throws {
        let operation = try Documents.operation(
            #""parameters": [{"name": "a", "in": "\#(location)", "style": "\#(style)"}]"#)
        #expect(operation.notes.isEmpty == isDefined)
    }
}
