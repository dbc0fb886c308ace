import JSONText
import Testing

@testable import OpenAPI

/// Descriptions of schemas and fields, and schemas of files.
@Suite struct SchemaDescriptionTests {
    /// Returns a document with a schema at `x`, beside named schemas.
    private static func document(
        _ schema: String, named: String = "", version: String = #""openapi": "3.1.0""#
    ) throws -> (OpenAPIDocument, JSONValue) {
        let document = try Documents.document(
            #"{\#(version), "paths": {}, "components": {"schemas": {\#(named)}}, "x": \#(schema)}"#)
        return (document, try #require(document.references.root["x"]))
    }

    private static func reference(_ name: String) -> String { ##"{"$ref": "#/components/schemas/\##(name)"}"## }

    // MARK: Fields

    @Test(
        arguments: [
            ("One\n  two.\n\nThree.", "One two."), ("\n  A\r\nB", "A B"), (" \n ", nil), ("", nil), ("A\n \nB", "A"),
            ("A\r\n\r\nB", "A"), ("\u{A0}Ä\t\u{2003}€ ", "Ä €"),
        ] as [(String, String?)])
    func `A first paragraph ends at an empty line, and becomes one line`(text: String, paragraph: String?) {
        #expect(text.firstParagraph == paragraph)
    }

    @Test(
        arguments: [
            (#"{"description": "D. E", "title": "T"}"#, "D. E"), (#"{"description": " ", "title": "T"}"#, nil),
            (#"{"type": "string"}"#, nil), ("true", nil), (reference("A"), "named"), (reference("B"), nil),
            (##"{"$ref": "#/components/schemas/A", "description": "own"}"##, "own"),
            (##"{"allOf": [{"$ref": "#/components/schemas/A"}], "description": "own"}"##, "own"),
        ] as [(String, String?)])
    func `A field is described by its schema, or by the one that it refers to`(schema: String, text: String?) throws {
        let (document, value) = try Self.document(
            #"{"properties": {"f": \#(schema)}}"#, named: #""A": {"description": "named"}"#)
        let notes = document.fieldNotes(of: .schema(value))
        #expect(notes.map(\.text) == (text.map { [$0] } ?? []))
        #expect(notes.allSatisfy { $0.path == ["f"] })
    }

    @Test func `Fields inside of fields are described`() throws {
        let (document, value) = try Self.document(
            """
            {"allOf": [{"properties": {"a": {"description": "A a. More"}, "none": {}}}],
             "properties": {
               "id": {"readOnly": true, "description": "I"},
               "lines": {"type": "array", "items": {"properties": {"price": {"description": "P"}}}},
               "owner": \(Self.reference("Owner")),
               "kind": {"oneOf": [{"properties": {"x": {"description": "X"}}}, \(Self.reference("Owner"))]}}}
            """,
            named: """
                "Owner": {"description": "O", "properties": {"name": {"description": "N"},
                    "parent": \(Self.reference("Owner"))}}
                """)
        let texts = document.fieldNotes(of: .schema(value)).map { $0.path.joined(separator: ".") + ": " + $0.text }
        #expect(
            texts == [
                "owner: O", "a: A a. More", "owner.name: N", "owner.parent: O", "lines.price: P", "kind.x: X",
                "kind.name: N",
                "kind.parent: O",
            ])
    }

    @Test func `Fields are described on eight levels`() throws {
        var schema = "{}"
        for level in (1...12).reversed() {
            schema = #"{"properties": {"l\#(level)": {"description": "d", "allOf": [\#(schema)]}}}"#
        }
        let (document, value) = try Self.document(schema)
        #expect(document.fieldNotes(of: .schema(value)).map(\.path.count) == Array(1...8))
    }

    @Test func `Fields of a form have the descriptions of their parameters`() throws {
        let document = try Documents.document(
            #"{"swagger": "2.0", "paths": {"/x": {"post": {"parameters": [{"in": "formData", "name": "f","#
                + #" "type": "file", "description": "F. G"}, {"in": "formData", "name": "g", "type": "array","#
                + #" "items": {"type": "file"}}]}}}}"#)
        let body = try document.operation(document.operations().parts[0]).requestBody()
        guard case .form(let fields)? = body?.content.first?.schema else { throw Documents.NoFile(name: "form") }
        let notes = document.fieldNotes(of: .form(fields))
        #expect(notes.map(\.path) == [["f"]])
        #expect(notes.map(\.text) == ["F. G"])
        #expect(fields.map { document.isFile($0.schema) } == [true, false])
        #expect(fields.map { document.isListOfFiles($0.schema) } == [false, true])
    }

    // MARK: Files

    @Test(
        arguments: [
            (#"{"type": "string", "format": "binary"}"#, true), (#"{"format": "binary"}"#, true),
            (#"{"type": "string", "contentMediaType": "image/png"}"#, true),
            (#"{"type": "string", "contentMediaType": "image/png", "contentEncoding": "base64"}"#, false),
            (#"{"type": "string", "contentMediaType": "application/json"}"#, false),
            (#"{"type": "string", "contentMediaType": "text/html"}"#, false),
            (#"{"type": ["string", "null"], "format": "binary"}"#, true), (#"{"type": "file"}"#, true),
            (#"{"type": "string"}"#, false), ("{}", false), ("true", false),
            (#"{"type": "integer", "format": "binary"}"#, false),
            (#"{"anyOf": [{"type": "string", "format": "binary"}, {"type": "null"}]}"#, true),
            (#"{"anyOf": [{"type": "string", "format": "binary"}, {"type": "string"}]}"#, false),
            (#"{"anyOf": [{"type": "null"}]}"#, false), (#"{"anyOf": []}"#, false),
            (reference("File"), true), (#"{"allOf": [\#(reference("File"))]}"#, true), (reference("None"), false),
        ])
    func `Binary strings are files`(schema: String, isFile: Bool) throws {
        let named = #""File": {"type": "string", "format": "binary"}"#
        let (document, value) = try Self.document(schema, named: named)
        #expect(document.isFile(value) == isFile)
        #expect(!document.isListOfFiles(value))
        let (list, listValue) = try Self.document(#"{"type": "array", "items": \#(schema)}"#, named: named)
        #expect(list.isListOfFiles(listValue) == isFile)
        #expect(!list.isFile(listValue))
    }
}
