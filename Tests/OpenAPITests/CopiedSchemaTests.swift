import JSONText
import Testing

@testable import OpenAPI

@Suite("Schemas of documents are copied in the spelling of OpenAPI 3.1")
struct CopiedSchemaTests {
    /// A schema in a version of OpenAPI, and its copy.
    struct SchemaCopy: Sendable, CustomTestStringConvertible {
        /// The member of a document that states the version, such as `"openapi": "3.1.0"`.
        let version: String
        let schema: String
        let copy: String
        /// The schemas that the copy refers to, by name.
        var components: [String: String] = [:]

        var testDescription: String { schema }
    }

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

    static let keywords: [SchemaCopy] = [
        // Null is a type.
        SchemaCopy(version: v30, schema: #"{"type":"string","nullable":true}"#, copy: #"{"type":["string","null"]}"#),
        SchemaCopy(version: v30, schema: #"{"type":"string","nullable":false}"#, copy: #"{"type":"string"}"#),
        SchemaCopy(
            version: v2,
            schema: #"{"type":"string","x-nullable":true}"#,
            copy: #"{"type":["string","null"]}"#),
        SchemaCopy(version: v31, schema: #"{"type":["string","null"]}"#, copy: #"{"type":["string","null"]}"#),
        // Without a type, the keyword remains.
        SchemaCopy(
            version: v2,
            schema: #"{"enum":["a"],"x-nullable":true}"#,
            copy: #"{"enum":["a"],"nullable":true}"#),
        // Unknown types allow everything.
        SchemaCopy(version: v31, schema: #"{"type":"int","title":"T"}"#, copy: #"{"title":"T"}"#),
        SchemaCopy(version: v2, schema: #"{"type":"file"}"#, copy: #"{"type":"string","format":"binary"}"#),
        SchemaCopy(version: v2, schema: #"{"type":"file","format":"x"}"#, copy: #"{"type":"string","format":"x"}"#),
        // Bounds.
        SchemaCopy(version: v30, schema: #"{"minimum":0,"exclusiveMinimum":true}"#, copy: #"{"exclusiveMinimum":0}"#),
        SchemaCopy(version: v30, schema: #"{"maximum":9,"exclusiveMaximum":false}"#, copy: #"{"maximum":9}"#),
        SchemaCopy(
            version: v31,
            schema: #"{"minimum":0,"exclusiveMinimum":1}"#,
            copy: #"{"minimum":0,"exclusiveMinimum":1}"#),
        SchemaCopy(version: v30, schema: #"{"minimum":"0"}"#, copy: "{}"),
        // Arrays.
        SchemaCopy(
            version: v30,
            schema: #"{"items":[{"type":"string","nullable":true}]}"#,
            copy: #"{"prefixItems":[{"type":["string","null"]}],"items":{}}"#),
        SchemaCopy(version: v31, schema: #"{"items":{"type":"string"}}"#, copy: #"{"items":{"type":"string"}}"#),
        // Objects. The names of members are no keywords.
        SchemaCopy(
            version: v30,
            schema: #"{"properties":{"nullable":{"type":"integer"},"$ref":{}},"required":["a","a",1]}"#,
            copy: #"{"properties":{"nullable":{"type":"integer"},"$ref":{}},"required":["a"]}"#),
        SchemaCopy(version: v30, schema: #"{"required":true,"properties":1,"allOf":[],"enum":{}}"#, copy: "{}"),
        SchemaCopy(
            version: v31,
            schema: #"{"additionalProperties":false,"not":1}"#,
            copy: #"{"additionalProperties":false,"not":true}"#),
        // Examples are no schemas.
        SchemaCopy(
            version: v30,
            schema: ##"{"example":{"nullable":true,"$ref":"#/a"}}"##,
            copy: ##"{"example":{"nullable":true,"$ref":"#/a"}}"##),
        // A parameter of Swagger 2.0 is its own schema.
        SchemaCopy(
            version: v2,
            schema:
                #"{"name":"a","in":"query","required":true,"type":"integer","collectionFormat":"csv","x-example":1}"#,
            copy: #"{"type":"integer","x-example":1}"#),
        // Definitions inside of a schema are components.
        SchemaCopy(
            version: v31,
            schema: #"{"$id":"https://a.example","$defs":{"A":{}},"title":"T"}"#,
            copy: #"{"title":"T"}"#),
        // A value that is no schema allows everything.
        SchemaCopy(version: v31, schema: "true", copy: "true"),
        SchemaCopy(version: v31, schema: "false", copy: "false"),
        SchemaCopy(version: v31, schema: "[1]", copy: "true"),
    ]

    @Test("Keywords of all versions have the spelling of OpenAPI 3.1", arguments: keywords)
    func translatesKeywords(_ expected: SchemaCopy) throws {
        try expectCopy(expected)
    }

    static let references: [SchemaCopy] = [
        SchemaCopy(
            version: v31,
            schema: ##"{"$ref":"#/components/schemas/Pet"}"##,
            copy: ##"{"$ref":"#/components/schemas/Pet"}"##,
            components: ["Pet": #"{"type":"object"}"#]),
        SchemaCopy(
            version: v2,
            schema: ##"{"$ref":"#/definitions/Pet"}"##,
            copy: ##"{"$ref":"#/components/schemas/Pet"}"##,
            components: ["Pet": #"{"type":"object"}"#]),
        // A chain of references stays one.
        SchemaCopy(
            version: v31,
            schema: ##"{"$ref":"#/components/schemas/Alias"}"##,
            copy: ##"{"$ref":"#/components/schemas/Alias"}"##,
            components: ["Alias": ##"{"$ref":"#/components/schemas/Pet"}"##, "Pet": #"{"type":"object"}"#]),
        // The document's own component keeps its name.
        SchemaCopy(
            version: v31,
            schema: #"{"$ref":"parts.json#/Next"}"#,
            copy: ##"{"$ref":"#/components/schemas/Next"}"##,
            components: ["Next": ##"{"$ref":"#/components/schemas/Pet-2"}"##, "Pet-2": #"{"type":"string"}"#]),
        // A reference that leads nowhere allows everything.
        SchemaCopy(
            version: v31,
            schema: ##"{"$ref":"#/components/schemas/None","title":"T"}"##,
            copy: #"{"title":"T"}"#),
        SchemaCopy(version: v31, schema: ##"{"$ref":"#/components/schemas/Lost"}"##, copy: "{}"),
        SchemaCopy(version: v31, schema: #"{"$ref":"none.json"}"#, copy: "{}"),
        // Keywords beside a reference count since OpenAPI 3.1. Annotations always do.
        SchemaCopy(
            version: v30,
            schema: ##"{"$ref":"#/components/schemas/Pet","type":"string","description":"D"}"##,
            copy: ##"{"$ref":"#/components/schemas/Pet","description":"D"}"##,
            components: ["Pet": #"{"type":"object"}"#]),
        SchemaCopy(
            version: v31,
            schema: ##"{"$ref":"#/components/schemas/Pet","minProperties":1}"##,
            copy: ##"{"$ref":"#/components/schemas/Pet","minProperties":1}"##,
            components: ["Pet": #"{"type":"object"}"#]),
        // A mapping may name a component that nothing else does.
        SchemaCopy(
            version: v30,
            schema: ##"""
                {"discriminator":{"propertyName":"k",\##
                "mapping":{"a":"Pet","b":"#/components/schemas/Pet","c":"None"}}}
                """##,
            copy: ##"""
                {"discriminator":{"propertyName":"k",\##
                "mapping":{"a":"#/components/schemas/Pet","b":"#/components/schemas/Pet","c":"None"}}}
                """##,
            components: ["Pet": #"{"type":"object"}"#]),
        SchemaCopy(
            version: v2,
            schema: #"{"discriminator":"kind"}"#,
            copy: #"{"discriminator":{"propertyName":"kind"}}"#),
    ]

    @Test("A reference is to a component, which is copied too", arguments: references)
    func translatesReferences(_ expected: SchemaCopy) throws {
        try expectCopy(expected)
    }

    /// Copies the schema of a row, and expects its copy and its components.
    private func expectCopy(_ expected: SchemaCopy) throws {
        let copy = try Self.copy(expected.schema, version: expected.version)
        #expect("\(copy.schema)" == expected.copy)
        #expect(copy.components.mapValues { "\($0)" } == expected.components)
    }

    @Test("A schema that refers to itself is copied once")
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

    @Test(
        "A schema that is nested too deeply allows everything", arguments: [(100, "{}"), (101, "true"), (400, "true")])
    func boundsDepth(depth: Int, innermost: String) throws {
        let schema = String(repeating: #"{"not":"#, count: depth) + "{}" + String(repeating: "}", count: depth)
        let copy = try Self.copy(schema, version: Self.v31).schema
        let copiedDepth = min(depth, 101)
        #expect(
            "\(copy)" == String(repeating: #"{"not":"#, count: copiedDepth) + innermost
                + String(repeating: "}", count: copiedDepth))
    }
}
