import APIImport
import Testing

/// The errors and notes about documents, and parts of documents, that an import cannot read.
@Suite struct UnreadableDocumentsTests {
    /// A document that cannot be imported, and a part of the error.
    struct UnreadableDocument: Sendable, CustomTestStringConvertible {
        let document: String
        let error: String

        var testDescription: String { error }
    }

    @Test(
        "A document that cannot be imported at all throws an error with its position",
        arguments: [
            UnreadableDocument(
                document: "openapi: 3.0.0",
                error: "api.json:1:1: #: expected a document with 'paths', found none"),
            UnreadableDocument(
                document: """
                    openapi: 4.0
                    paths: {}
                    """,
                error: """
                    api.json:1:10: #/openapi: expected version 3.0, 3.1 or 3.2 in 'openapi', or 2.0 in 'swagger', \
                    found number 4.0
                    """),
            UnreadableDocument(
                document: """
                    openapi: 3.0.0
                    paths: {}
                    """,
                error: "api.json: there is no operation in 'paths'"),
            UnreadableDocument(
                document: """
                    openapi: 3.1.0
                    webhooks: {order: {post: {}}}
                    """,
                error: """
                    api.json:2:11: #/webhooks: expected a document with 'paths', found only webhooks, which are \
                    requests that the API's provider sends, so there is nothing to call
                    """),
            UnreadableDocument(
                document: """
                    openapi: 3.1.0
                    paths: {}
                    webhooks: {order: {post: {}}}
                    """,
                error: "api.json:3:11: #/webhooks: expected a document"),
            UnreadableDocument(
                document: """
                    openapi: 3.0.0
                    paths:
                    - /a

                    """,
                error: "api.json:3:1: #/paths: expected an object of paths, found array"),
            UnreadableDocument(
                document: "openapi: [\n",
                error: "api.json:2:1: did not find expected node content"),
            UnreadableDocument(
                document: """
                    {"openapi": "3.0.0",
                     "paths"
                    """,
                error: "api.json:2:9: expected ':'"),
            UnreadableDocument(
                document: "{}",
                error: "api.json:1:1: #: expected version 3.0"),
            UnreadableDocument(
                document: #"{"openapi": "3.0.0", "paths": {"/a": {"get": 1}}}"#,
                error: "#/paths/~1a/get: expected an operation, which is an object, found number 1"),
            UnreadableDocument(
                document: #"{"openapi": "3.0.0", "paths": {"/a": {"$ref": "http://example.com/a.json"}}}"#,
                error: """
                    expected a file beside the document, found the URL 'http://example.com/a.json', which is not \
                    loaded
                    """),
            UnreadableDocument(
                document: #"{"openapi": "3.0.0", "paths": {"/a": {"$ref": "../a.json"}}}"#,
                error: "'../a.json' outside of it"),
            UnreadableDocument(
                document: #"{"openapi": "3.0.0", "paths": {"/a": {"$ref": "none.json"}}}"#,
                error: #"NoFile(name: "none.json")"#),
            UnreadableDocument(
                document: String(repeating: #"{"a":"#, count: 10_000),
                error: "api.json:1:50001: expected a value"),
            UnreadableDocument(
                document: String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000),
                error: "api.json:1:101: expected at most 100 levels of nested [ ] and { }, found more"),
        ])
    func documents(unreadable: UnreadableDocument) {
        let error = #expect(throws: ImportError.self) { try SmallDocument.imported(unreadable.document) }
        #expect(error?.text.contains(unreadable.error) == true, "\(error?.text ?? "")")
    }

    /// A path item with a part that cannot be read, and a part of the note about it.
    struct UnreadablePart: Sendable, CustomTestStringConvertible {
        let pathItem: String
        let note: String

        var testDescription: String { note }
    }

    /// In the document, `#/x-a` is a reference to itself.
    @Test(
        "A part that cannot be read has a note, and its operation and the others are imported",
        arguments: [
            UnreadablePart(
                pathItem: #"{"get": {"parameters": [{"name": "x", "in": "mind"}]}}"#,
                note: """
                    #/paths/~1a/get/parameters/0/in: expected 'in': path, query, header or cookie, found string "mind"
                    """),
            UnreadablePart(
                pathItem: ##"{"get": {"parameters": [{"$ref": "#/nowhere~1x"}]}}"##,
                note: "#/paths/~1a/get/parameters/0: expected a value at '#/nowhere~1x', found nothing there"),
            UnreadablePart(
                pathItem: ##"{"get": {"parameters": [{"$ref": "#/x-a"}]}}"##,
                note: """
                    #/paths/~1a/get/parameters/0: expected a reference to a value, found references that lead in a \
                    circle
                    """),
            UnreadablePart(
                pathItem: #"{"put": {"requestBody": "x"}}"#,
                note: #"#/paths/~1a/put/requestBody: expected an object, found string "x""#),
            UnreadablePart(
                pathItem: #"{"put": {"responses": {"200": "x"}}}"#,
                note: #"#/paths/~1a/put/responses/200: expected an object, found string "x""#),
            UnreadablePart(
                pathItem: #"{"put": {"requestBody": {"content": {"application/json": {"schema": "x"}}}}}"#,
                note: """
                    #/paths/~1a/put/requestBody/content/application~1json/schema: expected a schema, \
                    found string "x"
                    """),
        ])
    func parts(unreadable: UnreadablePart) throws {
        let imported = try SmallDocument.imported(
            ##"""
            {"openapi": "3.0.0", "x-a": {"$ref": "#/x-a"},
             "paths": {"/a": \##(unreadable.pathItem), "/good": {"get": {}}}}
            """##)
        #expect(imported.endpoints.map(\.path) == ["/a", "/good"])
        #expect(
            imported.notes.contains { $0.hasPrefix("not read: ") && $0.contains(unreadable.note) },
            "\(imported.notes)")
    }

    @Test("Only the first of many unreadable parts have a note each") func notesOnManyUnreadableParts() throws {
        let paths = (0..<50).map { #""/p\#($0)": {"get": {"parameters": [5]}}"# }
        let imported = try SmallDocument.imported(SmallDocument.text(paths.joined(separator: ", ")))
        #expect(imported.endpoints.count == 50)
        #expect(imported.notes.count <= 22, "\(imported.notes)")
    }

    /// A response with a schema that cannot be read, the type that the operation returns, and the end of the note.
    struct UnreadableSchema: Sendable, CustomTestStringConvertible {
        let schema: String
        let type: String
        let note: String

        var testDescription: String { schema }
    }

    @Test(
        "A schema that cannot be read is JSON, with a note on its position, and the rest is imported",
        arguments: [
            UnreadableSchema(
                schema: ##"{"$ref": "#/components/schemas/Missing"}"##,
                type: "JSONValue",
                note: """
                    #/paths/~1x/get/responses/200/content/application~1json/schema: expected a value at \
                    '#/components/schemas/Missing', found nothing there
                    """),
            UnreadableSchema(
                schema: #"""
                    {"properties": {
                      "ok": {"type": "boolean"}, "latest": {"items": [{"type": "integer"}, {"type": "null"}]}
                    }}
                    """#,
                type: "ShopX",
                note: "latest/items: expected a schema, found array"),
            UnreadableSchema(
                schema: #""x""#,
                type: "JSONValue",
                note: #"expected a schema, found string "x""#),
            UnreadableSchema(
                schema: #"{"type": "fish"}"#,
                type: "JSONValue",
                note: "expected a type such as string or object"),
            UnreadableSchema(
                schema: ##"{"properties": {"a": {}}, "allOf": [{"$ref": "#/components/schemas/Missing"}]}"##,
                type: "ShopX",
                note: "expected a value at '#/components/schemas/Missing', found nothing there"),
        ])
    func schemas(unreadable: UnreadableSchema) throws {
        let operation = SmallDocument.operation(unreadable.schema)
        let otherOperation = SmallDocument.operation(#"{"type": "integer"}"#)
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/x": {"get": \#(operation)}, "/y": {"get": \#(otherOperation)}"#))
        #expect(imported.endpoints.map(\.path) == ["/x", "/y"])
        let arm = imported.endpoints[0].arm
        #expect(arm.contains("returns: \(unreadable.type).self"), "\(arm)")
        #expect(
            imported.notes.contains { $0.hasPrefix("not read: ") && $0.hasSuffix(unreadable.note) },
            "\(imported.notes)")
    }

    @Test("A property whose schema cannot be read is JSON, and the others have their types")
    func unreadableProperties() throws {
        let operation = SmallDocument.operation(
            #"{"properties": {"ok": {"type": "boolean"}, "latest": {"items": [{"type": "integer"}]}}}"#)
        let imported = try SmallDocument.imported(SmallDocument.text(#""/x": {"get": \#(operation)}"#))
        #expect(imported.modelText.contains("let ok: Bool?\n"))
        #expect(imported.modelText.contains("let latest: JSONValue?\n"), "\(imported.modelText)")
    }
}
