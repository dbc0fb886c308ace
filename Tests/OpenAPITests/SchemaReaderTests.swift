import EndpointTools
import JSONText
import Testing

@testable import OpenAPI

/// Shapes of schemas.
@Suite struct SchemaReaderTests {
    private static let v30 = #""openapi": "3.0.3""#
    private static let v31 = #""openapi": "3.1.0""#
    private static let v2 = #""swagger": "2.0""#

    /// Returns the shape of a schema beside named ones.
    private static func shape(
        _ schema: String, named: String = "", version: String = v31, _ direction: SchemaDirection = .response
    ) throws -> SchemaShape {
        let document = try Documents.document(
            #"{\#(version), "paths": {}, "components": {"schemas": {\#(named)}}, "x": \#(schema)}"#)
        let value = try #require(document.references.root["x"])
        return document.shape(of: .schema(value), direction: direction)
    }

    private static func values(_ texts: String...) -> Shape { .values(texts.map { JSONValue($0) }) }

    private static func field(_ key: String, _ shape: Shape, isOptional: Bool = true) -> Shape.Field {
        Shape.Field(key: key, shape: shape, isOptional: isOptional)
    }

    // MARK: Scalars

    @Test(
        arguments: [
            (#"{"type": "boolean"}"#, .scalar(.boolean)),
            (#"{"type": "string"}"#, .scalar(.string)),
            (#"{"type": "string", "format": "uri"}"#, .scalar(.url)),
            (#"{"type": "string", "format": "uuid"}"#, .scalar(.uuid)),
            (#"{"type": "string", "format": "date"}"#, .scalar(.date)),
            (#"{"type": "string", "format": "byte"}"#, .scalar(.data)),
            (#"{"type": "string", "contentEncoding": "base64"}"#, .scalar(.data)),
            (#"{"type": "string", "format": "binary"}"#, .scalar(.string)),
            (#"{"type": "integer"}"#, .scalar(.integer(nil))),
            (#"{"type": "integer", "minimum": 1}"#, .scalar(.integer(1...Int.max))),
            (#"{"type": "integer", "minimum": 0.5, "exclusiveMaximum": 10}"#, .scalar(.integer(1...9))),
            (#"{"type": "integer", "minimum": 1, "exclusiveMinimum": true}"#, .scalar(.integer(2...Int.max))),
            (
                #"{"type": "integer", "format": "int32", "maximum": 1e30}"#,
                .scalar(.integer(Int(Int32.min)...Int(Int32.max)))
            ),
            (#"{"type": "number", "maximum": 1.5}"#, .scalar(.number(-Double.infinity...1.5))),
            (#"{"const": "a"}"#, values("a")),
            (#"{"type": "string", "enum": ["a", "b"]}"#, values("a", "b")),
            (#"{"type": "string", "enum": ["a", null]}"#, .nullable(values("a"))),
            (#"{"enum": [null]}"#, .null), ("{}", .any), ("true", .any), (#"{"nullable": true}"#, .any),
            (#"{"type": ["string", "null"]}"#, .nullable(.scalar(.string))),
            (#"{"type": ["string", "integer"]}"#, .alternatives([.scalar(.string), .scalar(.integer(nil))])),
            (#"{"type": "null"}"#, .null),
        ] as [(String, Shape)])
    func `Scalars have bounds, formats and values`(schema: String, shape: Shape) throws {
        let result = try Self.shape(schema)
        #expect(result.root == shape)
        #expect(result.notes.isEmpty)
    }

    @Test(arguments: [(v30, "nullable"), (v31, "nullable"), (v2, "x-nullable")])
    func `Each version has its own keyword for null`(version: String, key: String) throws {
        let nullable = Shape.nullable(.scalar(.string))
        #expect(try Self.shape(#"{"type": "string", "\#(key)": true}"#, version: version).root == nullable)
    }

    // MARK: Containers

    @Test(
        arguments: [
            (#"{"type": "array", "items": {"type": "string"}}"#, .array(.scalar(.string))),
            (#"{"items": {}}"#, .array(.any)),
            (#"{"type": "object"}"#, .dictionary(.any)),
            (#"{"type": "object", "additionalProperties": false}"#, .object([])),
            (#"{"additionalProperties": {"type": "string"}}"#, .dictionary(.scalar(.string))),
            (
                #"{"properties": {"b": {"type": "string"}, "a": {}}, "required": ["b"]}"#,
                .object([field("b", .scalar(.string), isOptional: false), field("a", .any)])
            ),
            // Beside fields, other keys are data if the schema says so.
            (#"{"properties": {"a": {}}, "additionalProperties": false}"#, .object([field("a", .any)])),
            (#"{"properties": {"a": {}}, "additionalProperties": true}"#, .open([field("a", .any)], others: .any)),
            (#"{"properties": {"a": {}}, "additionalProperties": {}}"#, .open([field("a", .any)], others: .any)),
            (
                #"{"properties": {"a": {}}, "additionalProperties": {"type": "integer"}}"#,
                .open([field("a", .any)], others: .scalar(.integer(nil)))
            ),
            // A response has no write-only fields.
            (
                #"{"properties": {"a": {"writeOnly": true}}, "additionalProperties": {"type": "integer"}}"#,
                .dictionary(.scalar(.integer(nil)))
            ),
            // In an `allOf`, the narrowest rule counts.
            (
                #"{"allOf": [{"properties": {"a": {}}}, {"additionalProperties": true}]}"#,
                .open([field("a", .any)], others: .any)
            ),
            (
                #"""
                {"properties": {"a": {}},
                 "allOf": [{"additionalProperties": true}, {"additionalProperties": false}]}
                """#,
                .object([field("a", .any)])
            ),
            (
                #"""
                {"properties": {"a": {}}, "additionalProperties": true,
                 "allOf": [{"additionalProperties": {"const": 1}}]}
                """#,
                .open([field("a", .any)], others: .values([1]))
            ),
        ] as [(String, Shape)])
    func `Objects have fields, or any keys`(schema: String, shape: Shape) throws {
        let result = try Self.shape(schema)
        #expect(result.root == shape)
        #expect(result.notes.isEmpty)
    }

    @Test func `Read-only members are not sent, write-only ones not received`() throws {
        let schema =
            #"{"properties": {"id": {"readOnly": true}, "secret": {"writeOnly": true}, "name": {"readOnly": false}}}"#
        #expect(try Self.shape(schema, .request).root.fields.map(\.key) == ["secret", "name"])
        #expect(try Self.shape(schema, .response).root.fields.map(\.key) == ["id", "name"])
    }

    @Test(
        arguments: [
            // Beside a reference, in the schema that it names, behind two references, and in an `allOf`.
            ##"{"$ref": "#/components/schemas/Plain", "KEY": true}"##, ##"{"$ref": "#/components/schemas/Marked"}"##,
            ##"{"$ref": "#/components/schemas/Link"}"##, ##"{"$ref": "#/components/schemas/Marked", "maxLength": 9}"##,
            ##"{"allOf": [{"$ref": "#/components/schemas/Plain"}, {"KEY": true}]}"##,
            ##"{"allOf": [{"$ref": "#/components/schemas/Marked"}], "KEY": false}"##,
        ],
        [("readOnly", SchemaDirection.request, SchemaDirection.response), ("writeOnly", .response, .request)])
    func `A member is read-only or write-only if any of its schemas says so`(
        member: String, keyword: (name: String, hiddenIn: SchemaDirection, shownIn: SchemaDirection)
    ) throws {
        let schema = #"{"required": ["a"], "properties": {"a": \#(member), "b": {}}}"#
        let named =
            #""Plain": {"type": "string"}, "Marked": {"type": "string", "KEY": true},"#
            + ##" "Link": {"$ref": "#/components/schemas/Marked"}"##
        func keys(_ direction: SchemaDirection) throws -> [String] {
            let shape = try Self.shape(
                schema.replacing("KEY", with: keyword.name), named: named.replacing("KEY", with: keyword.name),
                direction)
            return shape.root.fields.map(\.key)
        }
        #expect(try keys(keyword.hiddenIn) == ["b"])
        #expect(try keys(keyword.shownIn) == ["a", "b"])
    }

    // MARK: Combinations

    @Test(
        arguments: [
            (
                #"{"allOf": [{"properties": {"a": {}}, "required": ["a"]}, {"properties": {"b": {}}}]}"#,
                .object([field("a", .any, isOptional: false), field("b", .any)])
            ),
            (
                #"{"allOf": [{"type": "integer", "minimum": 1}, {"type": "number", "maximum": 3}]}"#,
                .scalar(.integer(1...3))
            ),
            (#"{"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}"#, values("b")),
            (#"{"oneOf": [{"type": "string"}, {"type": "string"}, {"type": "null"}]}"#, .nullable(.scalar(.string))),
            (#"{"anyOf": [{"type": "string"}, {}]}"#, .any),
            (
                #"{"properties": {"a": {}, "b": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
                .object([field("a", .any), field("b", .any)])
            ),
            (
                #"{"properties": {"a": {}}, "oneOf": [{"properties": {"b": {}}}, {"properties": {"c": {}}}]}"#,
                .alternatives([
                    .object([field("a", .any), field("b", .any)]), .object([field("a", .any), field("c", .any)]),
                ])
            ),
            (
                #"{"type": "string", "oneOf": [{"title": "x"}, {"enum": ["a"]}]}"#,
                .alternatives([.scalar(.string), values("a")])
            ),
        ] as [(String, Shape)])
    func `allOf merges schemas, and oneOf and anyOf are alternatives`(schema: String, shape: Shape) throws {
        #expect(try Self.shape(schema).root == shape)
    }

    @Test func `Named objects become models, and other named schemas are inlined`() throws {
        let named = ##""A": {"properties": {"e": {"$ref": "#/components/schemas/E"}}}, "E": {"enum": ["x"]}"##
        let result = try Self.shape(##"{"items": {"$ref": "#/components/schemas/A"}}"##, named: named)
        #expect(result.root == .array(.model("A")))
        #expect(result.models == [ModelShape.Model(name: "A", shape: .object([Self.field("e", Self.values("x"))]))])
    }

    @Test func `Recursive schemas become models`() throws {
        let named = ##"""
            "Tree": {"properties": {"sub": {"$ref": "#/components/schemas/Trees"}}},
            "Trees": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}},
            "List": {"type": "array", "items": {"$ref": "#/components/schemas/List"}}
            """##
        let tree = try Self.shape(##"{"$ref": "#/components/schemas/Tree"}"##, named: named)
        #expect(tree.root == .model("Tree"))
        #expect(tree.models.map(\.shape) == [.object([Self.field("sub", .array(.model("Tree")))])])
        let list = try Self.shape(##"{"$ref": "#/components/schemas/List"}"##, named: named)
        #expect(list.root == .model("List"))
        #expect(list.models.map(\.shape) == [.array(.model("List"))])
    }

    @Test func `A recursive nullable object is nullable wherever it is referred to`() throws {
        let named = ##""N": {"type": ["object", "null"], "properties": {"n": {"$ref": "#/components/schemas/N"}}}"##
        let result = try Self.shape(##"{"$ref": "#/components/schemas/N"}"##, named: named)
        #expect(result.root == .nullable(.model("N")))
        #expect(result.models.map(\.shape) == [.object([Self.field("n", .nullable(.model("N")))])])
    }

    @Test(arguments: [(v31, true), (v30, false)])
    func `Keywords beside a reference are ignored before OpenAPI 3.1`(version: String, isNarrowed: Bool) throws {
        let schema = ##"{"$ref": "#/components/schemas/I", "maximum": 5}"##
        let result = try Self.shape(schema, named: #""I": {"type": "integer"}"#, version: version)
        #expect(result.root == .scalar(.integer(isNarrowed ? Int.min...5 : nil)))
    }

    @Test func `A discriminator fixes the identifying member of each alternative`() throws {
        let named = #""Cat": {"properties": {"kind": {"type": "string"}}}, "Dog": {"properties": {"n": {}}}"#
        let result = try Self.shape(
            ##"""
            {"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Dog"}],
             "discriminator": {"propertyName": "kind", "mapping": {"cat": "#/components/schemas/Cat"}}}
            """##, named: named)
        #expect(result.root == .alternatives([.model("Cat"), .model("Dog")]))
        let shapes = Dictionary(uniqueKeysWithValues: result.models.map { ($0.name, $0.shape) })
        #expect(shapes["Cat"] == .object([Self.field("kind", Self.values("cat"), isOptional: false)]))
        let dog = [Self.field("n", .any), Self.field("kind", Self.values("Dog"), isOptional: false)]
        #expect(shapes["Dog"] == .object(dog))
    }

    // MARK: Notes

    @Test(
        arguments: [
            (#"{"type": "wavy"}"#, .any, "#/x/type", .unknownType),
            ("false", .any, "#/x", .nothingAllowed), ("1", .any, "#/x", .noSchema),
            (#"{"items": [{}]}"#, .array(.any), "#/x/items", .noSchema),
            (#"{"type": "string", "not": {}}"#, .scalar(.string), "#/x", .ignoredKeyword("not")),
            (#"{"type": "integer", "minimum": 2, "maximum": 1}"#, .scalar(.integer(nil)), "#/x", .invalidBounds),
            (#"{"type": "number", "minimum": 2, "maximum": 1}"#, .scalar(.number(nil)), "#/x", .invalidBounds),
            (
                ##"{"$ref": "#/x"}"##, .any, "#/x",
                .unresolved(expected: "a reference to a value", found: "references that lead in a circle")
            ),
            (
                ##"{"properties": {"a": {"$ref": "#/y"}, "b": {"type": "string"}}}"##,
                .object([field("a", .any), field("b", .scalar(.string))]), "#/x/properties/a",
                .unresolved(expected: "a value at '#/y'", found: "nothing there")
            ),
            (##"{"type": "object", "allOf": [{"$ref": "#/x"}]}"##, .dictionary(.any), "#/x", .holdsItself),
            (
                #"{"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": false}"#,
                .dictionary(.scalar(.string)), "#/x", .ignoredKeyword("patternProperties")
            ),
            // A key that matches no pattern may have any value.
            (
                #"{"properties": {"a": {}}, "patternProperties": {"^x": {"type": "string"}}}"#,
                .open([field("a", .any)], others: .any), "#/x", .ignoredKeyword("patternProperties")
            ),
            (
                #"{"properties": {"a": {}}, "patternProperties": {"^x": {"const": 1}}, "additionalProperties": false}"#,
                .open([field("a", .any)], others: .values([1])), "#/x", .ignoredKeyword("patternProperties")
            ),
        ] as [(String, Shape, String, SchemaNote.Reason)])
    func `Each part of a schema that is not understood has a note`(
        schema: String, shape: Shape, pointer: String, reason: SchemaNote.Reason
    ) throws {
        let result = try Self.shape(schema)
        #expect(result.root == shape)
        #expect(result.notes.map(\.pointer) == [pointer])
        #expect(result.notes.map(\.reason) == [reason])
    }

    @Test(
        arguments: [
            "minLength", "maxLength", "pattern", "multipleOf", "minItems", "maxItems", "uniqueItems", "contains",
            "minContains", "maxContains", "prefixItems", "additionalItems", "unevaluatedItems", "minProperties",
            "maxProperties", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies",
            "unevaluatedProperties", "contentSchema", "not", "if", "then", "else", "$dynamicRef",
        ])
    func `Keywords that a shape can't express have a note`(keyword: String) throws {
        let result = try Self.shape(#"{"title": "t", "x-\#(keyword)": 1, "\#(keyword)": 1}"#)
        #expect(result.notes.map(\.reason) == [.ignoredKeyword(keyword)])
        #expect(result.notes.map(\.isIgnoredKeyword) == [true])
        // Beside a reference, too.
        let named = try Self.shape(
            ##"{"$ref": "#/components/schemas/A", "\##(keyword)": 1}"##, named: #""A": {"type": "string"}"#)
        #expect(named.notes.map(\.reason) == [.ignoredKeyword(keyword)])
    }

    @Test func `Many ignored keywords do not hide other notes`() throws {
        let strings = (0..<200).map { #""s\#($0)": {"type": "string", "maxLength": 1, "pattern": "a"}"# }
        let notes = try Self.shape(
            #"{"properties": {\#(strings.joined(separator: ",")), "z": {"type": "wavy"}}}"#
        ).notes
        #expect(notes.count(where: \.isIgnoredKeyword) == 100)
        #expect(notes.prefix(2).map(\.reason) == [.ignoredKeyword("maxLength"), .ignoredKeyword("pattern")])
        #expect(notes.filter { $0.reason == .furtherKeywords }.map(\.pointer) == ["#/x/properties/s50"])
        #expect(notes.last?.reason == .unknownType)
    }

    @Test(arguments: [(100, 0), (101, 1)])
    func `Ignored keywords above the limit share one note`(count: Int, further: Int) throws {
        let strings = (0..<count).map { #""s\#($0)": {"type": "string", "pattern": "a"}"# }
        let named = #""A": {"properties": {\#(strings.joined(separator: ","))}}"#
        // The schema is met twice, and its keywords are counted once.
        let schema = ##"{"items": {"$ref": "#/components/schemas/A"}, "allOf": [{"$ref": "#/components/schemas/A"}]}"##
        let notes = try Self.shape(schema, named: named).notes
        #expect(notes.count(where: \.isIgnoredKeyword) == 100)
        #expect(notes.count { $0.reason == .furtherKeywords } == further)
    }

    @Test func `A shape contains the models of additionalProperties`() throws {
        let result = try Self.shape(
            ##"{"properties": {"a": {}}, "additionalProperties": {"$ref": "#/components/schemas/Pet"}}"##,
            named: ##""Pet": {"properties": {"b": {}}, "additionalProperties": {"$ref": "#/components/schemas/Pet"}}"##)
        #expect(result.root == .open([Self.field("a", .any)], others: .model("Pet")))
        #expect(result.models.map(\.shape) == [.open([Self.field("b", .any)], others: .model("Pet"))])
    }

    // MARK: Several shapes of a document

    /// Returns a document with two schemas `Pet`, and schemas that name one or both of them.
    private static func pets() throws -> OpenAPIDocument {
        try Documents.document(
            ##"""
            {"openapi": "3.1.0", "paths": {},
             "components": {"schemas": {"Pet": {"properties": {"a": {"type": "string", "pattern": "x"}}}}},
             "other": {"Pet": {"properties": {"b": {"$ref": "#/components/schemas/Pet"}}},
                       "Tree": {"properties": {"pet": {"$ref": "#/other/Pet"}, "tree": {"$ref": "#/other/Tree"}}}},
             "one": {"items": {"$ref": "#/components/schemas/Pet"}},
             "both": {"items": {"$ref": "#/other/Pet"}},
             "tree": {"$ref": "#/other/Tree"}}
            """##)
    }

    @Test(arguments: [["one", "both", "tree"], ["tree", "both", "one"], ["both", "tree", "one", "both"]])
    func `A shape doesn't depend on the shapes before it`(keys: [String]) throws {
        let document = try Self.pets()
        for key in keys {
            let schema = try #require(document.references.root[key])
            let shape = document.shape(of: .schema(schema), direction: .response)
            let fresh = try Self.pets()
            let freshSchema = try #require(fresh.references.root[key])
            let expected = fresh.shape(of: .schema(freshSchema), direction: .response)
            #expect(shape.modelShape == expected.modelShape)
            #expect(shape.notes.map(\.pointer) == expected.notes.map(\.pointer))
            #expect(shape.notes.map(\.pointer) == ["#/components/schemas/Pet/properties/a"])
        }
    }

    @Test func `Two models with the same name get different names`() throws {
        let document = try Self.pets()
        let one = document.shape(of: .schema(try #require(document.references.root["one"])), direction: .response)
        #expect(one.models == [ModelShape.Model(name: "Pet", shape: .object([Self.field("a", .scalar(.string))]))])
        let both = document.shape(of: .schema(try #require(document.references.root["both"])), direction: .response)
        #expect(both.root == .array(.model("Pet")))
        #expect(
            both.models == [
                ModelShape.Model(name: "Pet", shape: .object([Self.field("b", .model("Pet 2"))])),
                ModelShape.Model(name: "Pet 2", shape: .object([Self.field("a", .scalar(.string))])),
            ])
        let tree = document.shape(of: .schema(try #require(document.references.root["tree"])), direction: .response)
        #expect(tree.models.map(\.name) == ["Tree", "Pet", "Pet 2"])
    }

    @Test func `Members of the same schema differ between requests and responses`() throws {
        let document = try Documents.document(
            ##"""
            {"openapi": "3.1.0", "paths": {}, "x": {"$ref": "#/components/schemas/A"},
             "components": {"schemas": {"A": {"properties": {"id": {"readOnly": true}, "n": {}}}}}}
            """##)
        let schema = BodySchema.schema(try #require(document.references.root["x"]))
        #expect(document.shape(of: schema, direction: .response).models[0].shape.fields.map(\.key) == ["id", "n"])
        #expect(document.shape(of: schema, direction: .request).models[0].shape.fields.map(\.key) == ["n"])
        #expect(document.shape(of: schema, direction: .response).models[0].shape.fields.map(\.key) == ["id", "n"])
    }
}
