import JSONText
import Testing

@testable import OpenAPI

@Suite("Schemas of documents are copied in the spelling of OpenAPI 3.1")
struct CopiedSchemaTests {
    /// A schema in a version of OpenAPI, and its copy.
    typealias Row = (version: String, schema: String, copy: String)

    static let schemas =
        ##""Pet": {"type": "object"}, "Alias": {"$ref": "#/components/schemas/Pet"}, "Lost": {"$ref": "#/none"}"##
    static let files = ["parts.json": ##"{"Pet": {"type": "string"}, "Next": {"$ref": "#/Pet"}}"##]

    /// Returns the copy of a schema, and the components that it refers to.
    private static func copy(_ schema: String, version: String) throws -> (
        schema: JSONValue, components: [String: JSONValue]
    ) {
        let text = #"""
            {\#(version), "paths": {}, "x": \#(schema), "components": {"schemas": {\#(schemas)}},
             "definitions": {\#(schemas)}}
            """#
        let document = try Documents.document(text, files: files)
        let value = try #require(document.references.root["x"])
        var copies = CopiedSchemas(besides: [])
        copies.reserveNames(of: document)
        let copy = copies.copy(value, of: document)
        return (copy, Dictionary(copies.copyPendingComponents()) { first, _ in first })
    }

    static let v2 = #""swagger": "2.0""#
    static let v30 = #""openapi": "3.0.3""#
    static let v31 = #""openapi": "3.1.0""#

    static let keywords: [Row] = [
        // Null is a type.
        (v30, #"{"type":"string","nullable":true}"#, #"{"type":["string","null"]}"#),
        (v30, #"{"type":"string","nullable":false}"#, #"{"type":"string"}"#),
        (v2, #"{"type":"string","x-nullable":true}"#, #"{"type":["string","null"]}"#),
        (v31, #"{"type":["string","null"]}"#, #"{"type":["string","null"]}"#),
        // Without a type, the keyword remains.
        (v2, #"{"enum":["a"],"x-nullable":true}"#, #"{"enum":["a"],"nullable":true}"#),
        // Unknown types allow everything.
        (v31, #"{"type":"int","title":"T"}"#, #"{"title":"T"}"#),
        (v2, #"{"type":"file"}"#, #"{"type":"string","format":"binary"}"#),
        (v2, #"{"type":"file","format":"x"}"#, #"{"type":"string","format":"x"}"#),
        // Bounds.
        (v30, #"{"minimum":0,"exclusiveMinimum":true}"#, #"{"exclusiveMinimum":0}"#),
        (v30, #"{"maximum":9,"exclusiveMaximum":false}"#, #"{"maximum":9}"#),
        (v31, #"{"minimum":0,"exclusiveMinimum":1}"#, #"{"minimum":0,"exclusiveMinimum":1}"#),
        (v30, #"{"minimum":"0"}"#, "{}"),
        // Arrays.
        (
            v30, #"{"items":[{"type":"string","nullable":true}]}"#,
            #"{"prefixItems":[{"type":["string","null"]}],"items":{}}"#
        ),
        (v31, #"{"items":{"type":"string"}}"#, #"{"items":{"type":"string"}}"#),
        // Objects. The names of members are no keywords.
        (
            v30, #"{"properties":{"nullable":{"type":"integer"},"$ref":{}},"required":["a","a",1]}"#,
            #"{"properties":{"nullable":{"type":"integer"},"$ref":{}},"required":["a"]}"#
        ),
        (v30, #"{"required":true,"properties":1,"allOf":[],"enum":{}}"#, "{}"),
        (v31, #"{"additionalProperties":false,"not":1}"#, #"{"additionalProperties":false,"not":true}"#),
        // Examples are no schemas.
        (v30, ##"{"example":{"nullable":true,"$ref":"#/a"}}"##, ##"{"example":{"nullable":true,"$ref":"#/a"}}"##),
        // A parameter of Swagger 2.0 is its own schema.
        (
            v2, #"{"name":"a","in":"query","required":true,"type":"integer","collectionFormat":"csv","x-example":1}"#,
            #"{"type":"integer","x-example":1}"#
        ),
        // Definitions inside of a schema are components.
        (v31, #"{"$id":"https://a.example","$defs":{"A":{}},"title":"T"}"#, #"{"title":"T"}"#),
        // What is no schema.
        (v31, "true", "true"), (v31, "false", "false"), (v31, "[1]", "true"),
    ]

    @Test("Keywords", arguments: keywords)
    func translatesKeywords(_ row: Row) throws {
        let copy = try Self.copy(row.schema, version: row.version)
        #expect("\(copy.schema)" == row.copy)
        #expect(copy.components.isEmpty)
    }

    static let references: [(version: String, schema: String, copy: String, components: [String: String])] = [
        (
            v31, ##"{"$ref":"#/components/schemas/Pet"}"##, ##"{"$ref":"#/components/schemas/Pet"}"##,
            ["Pet": #"{"type":"object"}"#]
        ),
        (
            v2, ##"{"$ref":"#/definitions/Pet"}"##, ##"{"$ref":"#/components/schemas/Pet"}"##,
            ["Pet": #"{"type":"object"}"#]
        ),
        // A chain of references stays one.
        (
            v31, ##"{"$ref":"#/components/schemas/Alias"}"##, ##"{"$ref":"#/components/schemas/Alias"}"##,
            ["Alias": ##"{"$ref":"#/components/schemas/Pet"}"##, "Pet": #"{"type":"object"}"#]
        ),
        // The document's own component keeps its name.
        (
            v31, #"{"$ref":"parts.json#/Next"}"#, ##"{"$ref":"#/components/schemas/Next"}"##,
            ["Next": ##"{"$ref":"#/components/schemas/Pet-2"}"##, "Pet-2": #"{"type":"string"}"#]
        ),
        // A reference that leads nowhere allows everything.
        (v31, ##"{"$ref":"#/components/schemas/None","title":"T"}"##, #"{"title":"T"}"#, [:]),
        (v31, ##"{"$ref":"#/components/schemas/Lost"}"##, "{}", [:]),
        (v31, #"{"$ref":"none.json"}"#, "{}", [:]),
        // Keywords beside a reference count since OpenAPI 3.1. Annotations always do.
        (
            v30, ##"{"$ref":"#/components/schemas/Pet","type":"string","description":"D"}"##,
            ##"{"$ref":"#/components/schemas/Pet","description":"D"}"##, ["Pet": #"{"type":"object"}"#]
        ),
        (
            v31, ##"{"$ref":"#/components/schemas/Pet","minProperties":1}"##,
            ##"{"$ref":"#/components/schemas/Pet","minProperties":1}"##, ["Pet": #"{"type":"object"}"#]
        ),
        // A mapping may name a component that nothing else does.
        (
            v30,
            ##"{"discriminator":{"propertyName":"k","mapping":{"a":"Pet","b":"#/components/schemas/Pet","c":"None"}}}"##,
            ##"{"discriminator":{"propertyName":"k","mapping":{"a":"#/components/schemas/Pet","b":"#/components/schemas/Pet","c":"None"}}}"##,
            ["Pet": #"{"type":"object"}"#]
        ),
        (v2, #"{"discriminator":"kind"}"#, #"{"discriminator":{"propertyName":"kind"}}"#, [:]),
    ]

    @Test("References", arguments: references)
    func translatesReferences(
        _ row: (version: String, schema: String, copy: String, components: [String: String])
    ) throws {
        let copy = try Self.copy(row.schema, version: row.version)
        #expect("\(copy.schema)" == row.copy)
        #expect(copy.components.mapValues { "\($0)" } == row.components)
    }

    @Test("A schema is copied once, and one that holds itself ends")
    func copiesOnce() throws {
        let document = try Documents.document(
            #"""
            {"openapi": "3.1.0", "paths": {}, "components": {"schemas": {"Node": {"properties": {
             "left": {"$ref": "#/components/schemas/Node"}, "right": {"$ref": "#/components/schemas/Node"}}}}}}
            """#)
        let node = try #require(document.references.root["components"]?["schemas"]?["Node"])
        var copies = CopiedSchemas(besides: ["Node"])
        copies.reserveNames(of: document)
        let reference = ##"{"$ref":"#/components/schemas/Node-2"}"##
        #expect("\(copies.copy(node, of: document))" == #"{"properties":{"left":\#(reference),"right":\#(reference)}}"#)
        #expect(copies.copyPendingComponents().map(\.0) == ["Node-2"])
        #expect(copies.copyPendingComponents().isEmpty)
    }

    @Test("Deep schemas end in one that allows everything", arguments: [(100, "{}"), (101, "true"), (400, "true")])
    func boundsDepth(depth: Int, innermost: String) throws {
        let schema = String(repeating: #"{"not":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
        let copy = try Self.copy(schema, version: Self.v31).schema
        let kept = min(depth, 101)
        #expect(
            "\(copy)" == String(repeating: #"{"not":"#, count: kept) + innermost + String(repeating: "}", count: kept))
    }
}
