import Testing

/// The Swift types that an import declares for the schemas of a response.
@Suite struct ImportedTypesTests {
    /// The schema of the property `a` of a received object, and the lines of the models that declare it.
    struct PropertyType: Sendable, CustomTestStringConvertible {
        let schema: String
        let models: String

        var testDescription: String { schema }
    }

    /// Imports an operation that returns an `Item` whose property `a` has a schema, and expects the models of a row.
    private func expectModels(of property: PropertyType) throws {
        let schemas = ##"""
            "Item": {"properties": {"a": \##(property.schema)}},
            "Tag": {"properties": {"id": {"type": "integer"}, "name": {"type": "string"}}, "required": ["id"]},
            "Cat": {"properties": {"meow": {"type": "string"}}, "required": ["meow"]},
            "Shown": {"properties": {"n": {"type": "integer"}}, "example": {"n": "text"}},
            "Node": {"properties": {"next": {"$ref": "#/components/schemas/Node"}}},
            "Tree": {"properties": {"children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}},
            "Loop": {"type": "array", "items": {"$ref": "#/components/schemas/Loop"}},
            "Ring": {"properties": {"to": {"$ref": "#/components/schemas/Arc"}}},
            "Arc": {"properties": {
              "back": {"$ref": "#/components/schemas/Ring"}, "end": {"$ref": "#/components/schemas/Cat"}}}
            """##
        let operation = SmallDocument.operation(##"{"$ref": "#/components/schemas/Item"}"##)
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/items/{id}": {"get": \#(operation)}"#, schemas: schemas))
        #expect(imported.modelDeclarations == "struct Item: Decodable\n" + property.models)
    }

    @Test(
        "A schema with one type is that type",
        arguments: [
            PropertyType(
                schema: #"{"type": "string"}"#,
                models: "let a: String?"),
            PropertyType(
                schema: #"{"type": "string", "format": "date-time"}"#,
                models: "let a: Date?"),
            PropertyType(
                schema: #"{"type": "string", "format": "uuid"}"#,
                models: "let a: String?"),
            PropertyType(
                schema: #"{"type": "integer", "format": "int64"}"#,
                models: "let a: Int?"),
            PropertyType(
                schema: #"{"type": "number"}"#,
                models: "let a: Double?"),
            PropertyType(
                schema: #"{"type": "array", "items": {"type": "boolean"}}"#,
                models: "let a: [Bool]?"),
            PropertyType(
                schema: #"{"type": "object", "additionalProperties": {"type": "integer"}}"#,
                models: "let a: [String: Int]?"),
            PropertyType(
                schema: #"{"patternProperties": {"^x": {"type": "integer"}}, "type": "object"}"#,
                models: "let a: [String: Int]?"),
            PropertyType(
                schema: #"{"type": "object"}"#,
                models: "let a: [String: JSONValue]?"),
            PropertyType(
                schema: #"{}"#,
                models: "let a: JSONValue?"),
            PropertyType(
                schema: #"true"#,
                models: "let a: JSONValue?"),
            PropertyType(
                schema: #"false"#,
                models: "let a: JSONValue?"),
        ])
    func typesOfOneKind(property: PropertyType) throws {
        try expectModels(of: property)
    }

    @Test(
        "Each of the five spellings of null only makes a type optional",
        arguments: [
            PropertyType(
                schema: #"{"type": "integer", "nullable": true}"#,
                models: "let a: Int?"),
            PropertyType(
                schema: #"{"type": ["integer", "null"]}"#,
                models: "let a: Int?"),
            PropertyType(
                schema: #"{"oneOf": [{"type": "integer"}, {"type": "null"}]}"#,
                models: "let a: Int?"),
            PropertyType(
                schema: #"{"type": "integer", "enum": [1, -2, null]}"#,
                models: """
                    let a: OpenEnum<A>?
                    enum A: Int, Codable, CaseIterable
                    case value1 = 1
                    case minus2 = -2
                    """),
            PropertyType(
                schema: #"{"anyOf": [{"type": "integer"}, {"nullable": true}]}"#,
                models: "let a: Int?"),
        ])
    func spellingsOfNull(property: PropertyType) throws {
        try expectModels(of: property)
    }

    /// A single listed value declares no enum.
    @Test(
        "Two or more listed values are an enum, which stays open in a response",
        arguments: [
            PropertyType(
                schema: #"{"enum": ["on", "off", "stand-by"]}"#,
                models: """
                    let a: OpenEnum<A>?
                    enum A: String, Codable, CaseIterable
                    case on
                    case off
                    case standBy = "stand-by"
                    """),
            PropertyType(
                schema: #"{"allOf": [{"type": "string"}, {"enum": ["x", "y", "z"]}, {"enum": ["z", "y"]}]}"#,
                models: """
                    let a: OpenEnum<A>?
                    enum A: String, Codable, CaseIterable
                    case y
                    case z
                    """),
            PropertyType(
                schema: #"{"const": "on"}"#,
                models: "let a: String?"),
            PropertyType(
                schema: #"{"enum": ["on"]}"#,
                models: "let a: String?"),
            PropertyType(
                schema: #"{"enum": ["", "on"]}"#,
                models: """
                    let a: OpenEnum<A>?
                    enum A: String, Codable, CaseIterable
                    case empty = ""
                    case on
                    """),
            PropertyType(
                schema: #"{"enum": [1, 2]}"#,
                models: """
                    let a: OpenEnum<A>?
                    enum A: Int, Codable, CaseIterable
                    case value1 = 1
                    case value2 = 2
                    """),
            PropertyType(
                schema: #"{"oneOf": [{"const": 1}, {"const": 2.0}]}"#,
                models: """
                    let a: OpenEnum<A>?
                    enum A: Int, Codable, CaseIterable
                    case value1 = 1
                    case value2 = 2
                    """),
        ])
    func enums(property: PropertyType) throws {
        try expectModels(of: property)
    }

    @Test(
        "Alternatives of listed values are an enum only if all of them fit one",
        arguments: [
            PropertyType(
                schema: #"{"anyOf": [{"enum": [1, 2], "type": "integer"}, {"type": "integer"}]}"#,
                models: "let a: Int?"),
            PropertyType(
                schema: #"""
                    {"anyOf": [{"enum": [1, 2], "type": "integer"}, {"enum": [2, 3], "type": "integer"}]}
                    """#,
                models: """
                    let a: OpenEnum<A>?
                    enum A: Int, Codable, CaseIterable
                    case value1 = 1
                    case value2 = 2
                    case value3 = 3
                    """),
            PropertyType(
                schema: #"{"anyOf": [{"enum": ["x", "y"]}, {"type": "string"}]}"#,
                models: "let a: String?"),
            PropertyType(
                schema: #"{"type": "integer", "enum": [1, 9223372036854775808]}"#,
                models: "let a: Double?"),
            PropertyType(
                schema: #"{"enum": [{"a": 1}, {"a": 2}]}"#,
                models: "let a: [String: JSONValue]?"),
        ])
    func alternativesOfEnums(property: PropertyType) throws {
        try expectModels(of: property)
    }

    @Test(
        "Listed values take the declared type, whatever the example says",
        arguments: [
            PropertyType(
                schema: #"{"type": "string", "enum": [1, true], "example": 1}"#,
                models: """
                    let a: OpenEnum<A>?
                    enum A: String, Codable, CaseIterable
                    case value1 = "1"
                    case `true`
                    """),
            PropertyType(
                schema: #"{"type": "integer", "enum": ["1", 2], "example": "2"}"#,
                models: """
                    let a: OpenEnum<A>?
                    enum A: Int, Codable, CaseIterable
                    case value1 = 1
                    case value2 = 2
                    """),
        ])
    func typesOfListedValues(property: PropertyType) throws {
        try expectModels(of: property)
    }

    /// Equal objects without a name share one model.
    @Test(
        "Several schemas of one object are merged, and one schema keeps its name",
        arguments: [
            PropertyType(
                schema: ##"{"allOf": [{"$ref": "#/components/schemas/Tag"}]}"##,
                models: """
                    let a: Tag?
                    struct Tag: Decodable
                    let id: Int
                    let name: String?
                    """),
            PropertyType(
                schema: #"""
                    {"allOf": [
                      {"$ref": "#/components/schemas/Tag"},
                      {"properties": {"x": {"type": "string"}}, "required": ["name"]}
                    ]}
                    """#,
                models: """
                    let a: A?
                    struct A: Decodable
                    let id: Int
                    let name: String
                    let x: String?
                    """),
            PropertyType(
                schema: ##"{"allOf": [{"$ref": "#/components/schemas/Tag"}], "required": ["name"]}"##,
                models: """
                    let a: A?
                    struct A: Decodable
                    let id: Int
                    let name: String
                    """),
            PropertyType(
                schema: ##"{"allOf": [{"$ref": "#/components/schemas/Tag"}, {"required": ["name"]}]}"##,
                models: """
                    let a: A?
                    struct A: Decodable
                    let id: Int
                    let name: String
                    """),
            PropertyType(
                schema: #"""
                    {"properties": {"b": {"properties": {"x": {"type": "string"}}}, "c": {"properties": {"x": {
                      "type": "string"
                    }}}}}
                    """#,
                models: """
                    let a: A?
                    struct A: Decodable
                    let b: B?
                    let c: B?
                    struct B: Decodable
                    let x: String?
                    """),
        ])
    func mergedObjects(property: PropertyType) throws {
        try expectModels(of: property)
    }

    @Test(
        "Alternatives of different kinds are an enum with a case for each kind",
        arguments: [
            PropertyType(
                schema: ##"{"anyOf": [{"type": "string"}, {"$ref": "#/components/schemas/Tag"}]}"##,
                models: """
                    let a: A?
                    struct Tag: Decodable
                    let id: Int
                    let name: String?
                    enum A: Decodable
                    case object(Tag)
                    case string(String)
                    """),
            PropertyType(
                schema: #"{"oneOf": [{"type": "integer"}, {"type": "number"}]}"#,
                models: "let a: Double?"),
            PropertyType(
                schema: #"{"type": ["string", "array"], "items": {"type": "string"}}"#,
                models: """
                    let a: A?
                    enum A: Decodable
                    case array([String])
                    case string(String)
                    """),
            PropertyType(
                schema: #"{"type": ["object", "string"], "properties": {"x": {"type": "string"}}}"#,
                models: """
                    let a: A?
                    enum A: Decodable
                    case object(AObject)
                    case string(String)
                    struct AObject: Decodable
                    let x: String?
                    """),
        ])
    func alternativesOfKinds(property: PropertyType) throws {
        try expectModels(of: property)
    }

    @Test(
        "An example that contradicts a schema changes no type",
        arguments: [
            PropertyType(
                schema: ##"{"allOf": [{"$ref": "#/components/schemas/Tag"}], "example": {"id": null}}"##,
                models: """
                    let a: Tag?
                    struct Tag: Decodable
                    let id: Int
                    let name: String?
                    """),
            PropertyType(
                schema: ##"{"type": "array", "items": {"$ref": "#/components/schemas/Shown"}}"##,
                models: """
                    let a: [Shown]?
                    struct Shown: Decodable
                    let n: Int?
                    """),
        ])
    func examplesOfOtherTypes(property: PropertyType) throws {
        try expectModels(of: property)
    }

    /// Alternatives without any of these are JSON.
    @Test(
        "Alternatives of objects are distinguished by a constant, a discriminator or required keys",
        arguments: [
            PropertyType(
                schema: #"""
                    {"oneOf": [
                      {"properties": {"kind": {"const": "cat"}, "m": {"type": "string"}}},
                      {"properties": {"kind": {"const": "dog"}, "w": {"type": "string"}}}
                    ]}
                    """#,
                models: """
                    let a: A?
                    enum A: Decodable
                    case cat(CatA)
                    case dog(DogA)
                    case unknown(JSONValue)
                    case kind
                    struct CatA: Decodable
                    let kind: String?
                    let m: String?
                    struct DogA: Decodable
                    let kind: String?
                    let w: String?
                    """),
            PropertyType(
                schema: #"""
                    {
                      "oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Tag"}],
                      "discriminator": {"propertyName": "t", "mapping": {"c": "#/components/schemas/Cat"}}
                    }
                    """#,
                models: """
                    let a: A?
                    struct Cat: Decodable
                    let meow: String
                    struct Tag: Decodable
                    let id: Int
                    let name: String?
                    enum A: Decodable
                    case c(Cat)
                    case tag(Tag)
                    case unknown(JSONValue)
                    case t
                    """),
            PropertyType(
                schema: #"""
                    {"anyOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Tag"}]}
                    """#,
                models: """
                    let a: A?
                    struct Cat: Decodable
                    let meow: String
                    struct Tag: Decodable
                    let id: Int
                    let name: String?
                    enum A: Decodable
                    case cat(Cat)
                    case tag(Tag)
                    """),
            PropertyType(
                schema: #"""
                    {"anyOf": [{"properties": {"x": {"type": "string"}}}, {"properties": {"y": {"type": "string"}}}]}
                    """#,
                models: "let a: JSONValue?"),
        ])
    func alternativesOfObjects(property: PropertyType) throws {
        try expectModels(of: property)
    }

    /// A list of itself, without an object, is a list of JSON.
    @Test(
        "A schema that holds itself is a class, unless a list is in between",
        arguments: [
            PropertyType(
                schema: ##"{"$ref": "#/components/schemas/Node"}"##,
                models: """
                    let a: Node?
                    final class Node: Decodable
                    let next: Node?
                    """),
            PropertyType(
                schema: ##"{"$ref": "#/components/schemas/Tree"}"##,
                models: """
                    let a: Tree?
                    struct Tree: Decodable
                    let children: [Tree]?
                    """),
            PropertyType(
                schema: ##"{"$ref": "#/components/schemas/Loop"}"##,
                models: "let a: [JSONValue]?"),
            PropertyType(
                schema: ##"{"$ref": "#/components/schemas/Ring"}"##,
                models: """
                    let a: Ring?
                    final class Ring: Decodable
                    let to: Arc?
                    final class Arc: Decodable
                    let back: Ring?
                    let end: Cat?
                    struct Cat: Decodable
                    let meow: String
                    """),
        ])
    func recursiveSchemas(property: PropertyType) throws {
        try expectModels(of: property)
    }
}
