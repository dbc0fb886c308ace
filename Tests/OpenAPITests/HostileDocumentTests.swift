import EndpointTools
import JSONText
import Testing

@testable import OpenAPI

/// Documents that are made to take long, or much memory. Each has a result within seconds in a debug build.
@Suite struct HostileDocumentTests {
    /// Returns the shape of the schema `S0` of a document with named schemas.
    private static func shape(_ schemas: [String]) throws -> SchemaShape {
        let document = try Documents.document(
            #"{"openapi": "3.1.0", "paths": {}, "components": {"schemas": {\#(schemas.joined(separator: ","))}}}"#)
        let root = try #require(document.references.root["components"]?["schemas"]?["S0"])
        return document.shape(of: .schema(root), direction: .response)
    }

    private static func reference(_ number: Int) -> String { ##"{"$ref": "#/components/schemas/S\##(number)"}"## }

    @Test(
        .timeLimit(.minutes(3)),
        arguments: [
            #"{"properties": {"a": REF, "b": REF}}"#, #"{"allOf": [REF, REF]}"#, #"{"oneOf": [REF, REF]}"#,
            #"{"anyOf": [{"items": REF}, {"additionalProperties": REF}]}"#,
            #"{"items": {"properties": {"a": REF, "b": REF}}}"#,
            #"{"properties": {"c": {}}, "oneOf": [REF, REF]}"#,
        ])
    func `References that double on each level`(schema: String) throws {
        let schemas = (0..<40).map { number in
            let parts = schema.split(separator: "REF", omittingEmptySubsequences: false)
            return #""S\#(number)": "# + parts.joined(separator: Self.reference(number + 1))
        }
        let shape = try Self.shape(schemas + [#""S40": {"properties": {"z": {"type": "string"}}}"#])
        #expect(shape.models.count <= 41)
        #expect("\(shape.models)".utf8.count < 200_000)
    }

    @Test(.timeLimit(.minutes(3))) func `A long chain of objects costs no stack`() throws {
        let schemas = (0..<20_000).map { #""S\#($0)": {"properties": {"n": \#(Self.reference($0 + 1))}}"# }
        #expect(try Self.shape(schemas + [#""S20000": {"type": "string"}"#]).models.count == 19_999)
    }

    @Test(
        .timeLimit(.minutes(3)),
        arguments: [#"{"items": "#, #"{"allOf": ["#, #"{"properties": {"a": "#, #"{"oneOf": [{"type": "null"}, "#])
    func `Schemas that are nested too deeply have a note`(opening: String) throws {
        let count = 150
        let brackets: [Character: String] = ["{": "}", "[": "]"]
        let inner = opening.replacing(#"{"type": "null"}"#, with: "")
        let closing = inner.reversed().compactMap { brackets[$0] }.joined()
        let schema = String(repeating: opening, count: count) + "{}" + String(repeating: closing, count: count)
        let notes = try Self.shape([#""S0": "# + schema]).notes
        #expect(!notes.isEmpty)
        #expect(notes.allSatisfy { $0.reason == .tooDeep })
    }

    @Test(.timeLimit(.minutes(3))) func `100,000 properties, all of them broken references`() throws {
        let properties = (0..<100_000).map { ##""p\##($0)": {"$ref": "#/x/\##($0)"}"## }
        let shape = try Self.shape([#""S0": {"properties": {\#(properties.joined(separator: ","))}}"#])
        #expect(shape.root.fields.count == 100_000)
        #expect(shape.notes.count == 100)
        #expect(shape.notes.last?.pointer == "#/components/schemas/S0/properties/p99")
    }

    @Test(.timeLimit(.minutes(3))) func `2,000 tags, and operations that are called alike`() throws {
        let paths = (0..<2_000).map { #""/p\#($0)": {"get": {"operationId": "x", "tags": ["t\#($0 % 2)"]}}"# }
        let tags = (0..<2_000).map { #"{"name": "t\#($0)"}"# }
        let document = try Documents.document(
            #"{"openapi": "3.1.0", "tags": [\#(tags.joined(separator: ","))],"#
                + #" "paths": {\#(paths.joined(separator: ","))}}"#)
        #expect(document.tags.count == 2_000)
        #expect(Set(EndpointNames.names(document.operations().parts)).count == 2_000)
    }

    @Test func `1,600 alternatives of security, and 40 variables that name each other`() throws {
        let alternatives = (0..<1_600).map { #"{"s\#($0)": []}"# }.joined(separator: ",")
        let operation = try Documents.operation(#""security": [\#(alternatives)]"#)
        #expect(operation.security.parts.count == 1_600)
        let variables = (0..<40).map { #""v\#($0)": {"default": "{v\#($0 + 1)}{v\#($0 + 1)}"}"# }
        let document = try Documents.document(
            #"{"openapi": "3.1.0", "paths": {}, "servers": [{"url": "{v0}","#
                + #" "variables": {\#(variables.joined(separator: ","))}}]}"#)
        #expect(document.servers.parts[0].url(with: [:]) == "{v1}{v1}")
    }

    @Test(.timeLimit(.minutes(3))) func `Many broken parameters have few errors`() throws {
        let parameters = Array(repeating: "1", count: 50_000).joined(separator: ",")
        let operation = try Documents.operation(#""parameters": [\#(parameters)]"#)
        #expect(operation.parameters.errors.count == 20)
    }

    @Test(.timeLimit(.minutes(3))) func `100,000 properties`() throws {
        let properties = (0..<100_000).map { #""p\#($0)": {"type": "string", "description": "d", "maxLength": 9}"# }
        let text = #"{"properties": {\#(properties.joined(separator: ","))}}"#
        let document = try Documents.document(#"{"openapi": "3.1.0", "paths": {}, "x": \#(text)}"#)
        let schema = try #require(document.references.root["x"])
        let shape = document.shape(of: .schema(schema), direction: .request)
        #expect(shape.root.fields.count == 100_000)
        #expect(shape.notes.count == 101)
        #expect(shape.notes.last?.reason == .furtherKeywords)
        #expect(document.fieldNotes(of: .schema(schema)).count == 1_000)
    }

    @Test(.timeLimit(.minutes(3))) func `2,000 schemas with the same 2,000 members in their allOf`() throws {
        let base = (0..<2_000).map { #""p\#($0)": {}"# }.joined(separator: ",")
        let schemas = (1...2_000).map { number in
            #""S\#(number)": {"allOf": [\#(Self.reference(9_999)), {"properties": {"q": {}}}]}"#
        }
        let properties = (1...2_000).map { #""s\#($0)": \#(Self.reference($0))"# }.joined(separator: ",")
        let shape = try Self.shape(
            [#""S0": {"properties": {\#(properties)}}"#, #""S9999": {"properties": {\#(base)}}"#] + schemas)
        // The first ones are whole; further ones lack members.
        #expect(shape.models.contains { $0.shape.fields.count == 2_001 })
        #expect(shape.models.reduce(0) { $0 + $1.shape.fields.count } < 200_000)
        #expect(shape.notes.contains { $0.reason == .tooManyMembers })
    }

    @Test(.timeLimit(.minutes(3))) func `A large member of 256 alternatives`() throws {
        let large = (0..<5_000).map { #""p\#($0)": {}"# }.joined(separator: ",")
        let alternatives = (0..<256).map { #"{"properties": {"b\#($0)": {}}}"# }.joined(separator: ",")
        let shape = try Self.shape(
            [#""S0": {"properties": {"a": {"properties": {\#(large)}}}, "oneOf": [\#(alternatives)]}"#])
        #expect(shape.root == .any)
        #expect(shape.notes.map(\.reason) == [.tooManyAlternatives])
    }

    @Test(.timeLimit(.minutes(3))) func `20,000 fields of a multipart body`() throws {
        let properties = (0..<20_000).map { #""f\#($0)": {"type": "string", "format": "binary"}"# }
        let encodings = (0..<20_000).map { #""f\#($0)": {"contentType": "image/png"}"# }
        let operation = try Documents.operation(
            #""requestBody": {"content": {"multipart/form-data": {"schema": {"properties": {"#
                + properties.joined(separator: ",") + #"}}, "encoding": {\#(encodings.joined(separator: ","))}}}}"#)
        let body = try #require(try operation.requestBody())
        #expect(body.content[0].encodings.count == 20_000)
        let parameters = (0..<20_000).map { #"{"in": "formData", "name": "f\#($0)", "type": "file"}"# }
        let swagger = try Documents.document(
            #"{"swagger": "2.0", "paths": {"/x": {"post": {"parameters": [\#(parameters.joined(separator: ","))]}}}}"#)
        let form = try #require(try swagger.operation(swagger.operations().parts[0]).requestBody()?.content[0].schema)
        #expect(swagger.shape(of: form, direction: .request).root.fields.count == 20_000)
        #expect(swagger.fieldNotes(of: form).isEmpty)
    }

    @Test(.timeLimit(.minutes(3))) func `Field notes of schemas that double, and of trees`() throws {
        let schemas = (0..<40).map { number in
            let next = Self.reference(number + 1)
            return #""S\#(number)": {"properties": {"a": \#(next), "b": \#(next)}, "anyOf": [\#(next), \#(next)]}"#
        }
        let document = try Documents.document(
            #"{"openapi": "3.1.0", "paths": {}, "components": {"schemas": {"#
                + schemas.joined(separator: ",") + #", "S40": {"properties": {"z": {"description": "d"}}}, "#
                + #""S99": {"description": "d", "properties": {"sub": \#(Self.reference(99))}}}}}"#)
        let root = try #require(document.references.root["components"]?["schemas"])
        let doubled = document.fieldNotes(of: .schema(try #require(root["S0"])))
        #expect(doubled.count <= 1_000)
        let tree = document.fieldNotes(of: .schema(try #require(root["S99"])))
        #expect(tree.map(\.path) == [["sub"]])
        #expect(!document.isFile(try #require(root["S0"])))
    }

    @Test(.timeLimit(.minutes(3))) func `1,000 responses with links, and broken ones`() throws {
        let responses = (0..<1_000).map { #""\#($0)": {"links": {"a": {}}}"# }.joined(separator: ",")
        let operation = try Documents.operation(#""callbacks": {"c": {}}, "responses": {\#(responses)}"#)
        #expect(operation.notes.count == 120)
    }
}
