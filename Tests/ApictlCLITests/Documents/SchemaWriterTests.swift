import EndpointKit
import Foundation
import JSONText
import Testing

@testable import ApictlCLI
@testable import EndpointTools
@testable import OpenAPI

@Suite("JSON Schema of models")
struct SchemaWriterTests {
    enum Size: String, Codable, CaseIterable { case small, large }
    enum Level: Int, Codable, CaseIterable { case one = 1, two }
    enum Event: Codable {
        case created(id: Int)
        case renamed(from: String)
    }

    @Test("An optional value may be null in a response")
    func response() {
        struct Leaf: Decodable {
            var id: UUID
            var size: Size?
            var made: Date?
            var child: [Leaf]?
            var names: [String: Int]
            var any: JSONValue?
            var level: Level
        }
        #expect(
            ModelShape.of([Leaf].self).jsonSchema(.response).description == """
                {"$schema":"https://json-schema.org/draft/2020-12/schema","type":"array",\
                "items":{"$ref":"#/$defs/Leaf"},\
                "$defs":{"Leaf":{"type":"object","properties":{"id":{"type":"string","format":"uuid"},\
                "size":{"type":["string","null"],"enum":["small","large",null]},"made":{"type":["string","null"],\
                "format":"date-time"},\
                "child":{"oneOf":[{"type":"array","items":{"$ref":"#/$defs/Leaf"}},{"type":"null"}]},\
                "names":{"type":"object","additionalProperties":{"type":"integer","format":"int64"}},"any":{},\
                "level":{"type":"integer","enum":[1,2]}},"required":["id","names","level"]}}}
                """)
    }

    static let shapes: [(shape: Shape, use: SchemaWriter.Use, schema: String)] = [
        (.nullable(.scalar(.string)), .request, #"{"type":["string","null"]}"#),
        // In a request, the format must not apply to null.
        (.nullable(.scalar(.date)), .request, #"{"oneOf":[{"type":"string","format":"date-time"},{"type":"null"}]}"#),
        (.nullable(.scalar(.date)), .response, #"{"type":["string","null"],"format":"date-time"}"#),
        // Null becomes one more alternative.
        (
            .nullable(.alternatives([.scalar(.string), .array(.any)])), .response,
            #"{"oneOf":[{"type":"string"},{"type":"array","items":{}},{"type":"null"}]}"#
        ),
        // A string may fit both alternatives: `anyOf` allows that, and `oneOf` does not.
        (
            .alternatives([.scalar(.string), .values(["open", "closed"])]), .response,
            #"{"anyOf":[{"type":"string"},{"type":"string","enum":["open","closed"]}]}"#
        ),
        // Each variant of an enum is an object with one required member.
        (
            .variants([
                Shape.Field(key: "a", shape: .scalar(.boolean), isOptional: true),
                Shape.Field(key: "b", shape: .any, isOptional: true),
            ]), .request,
            #"""
            {"oneOf":[\#
            {"type":"object","properties":{"a":{"type":"boolean"}},"required":["a"],"additionalProperties":false},\#
            {"type":"object","properties":{"b":{}},"required":["b"],"additionalProperties":false}]}
            """#
        ),
    ]

    @Test("Null, alternatives and variants of an enum have their schemas", arguments: shapes)
    func alternatives(_ row: (shape: Shape, use: SchemaWriter.Use, schema: String)) {
        let writer = SchemaWriter(row.use) { $0 }
        #expect(writer.schema(row.shape).description == row.schema)
    }

    @Test("The schema of an enum with associated values has an alternative for each case")
    func variants() {
        #expect(
            ModelShape.of(Event.self).jsonSchema(.response)["$defs"]?["Event"]?["oneOf"]?.description == """
                [{"type":"object","properties":{"created":{"type":"object",\
                "properties":{"id":{"type":"integer","format":"int64"}},"required":["id"]}},"required":["created"]},\
                {"type":"object","properties":{"renamed":{"type":"object",\
                "properties":{"from":{"type":"string"}},"required":["from"]}},"required":["renamed"]}]
                """)
    }
}
