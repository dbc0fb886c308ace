import APIImport
import Testing

/// The models of an import, and the schemas that become a looser type.
@Suite struct ImportedModelsTests {
    /// A schema with an example of another type, and the Swift type that the schema alone has.
    struct ContradictingExample: Sendable, CustomTestStringConvertible {
        let schema: String
        let type: String

        var testDescription: String { schema }
    }

    @Test(
        "An example that contradicts its schema changes neither the type of a property nor that of a parameter",
        arguments: [
            ContradictingExample(schema: #"{"type": "integer", "example": 1.5}"#, type: "Int"),
            ContradictingExample(schema: #"{"type": "integer", "example": "x"}"#, type: "Int"),
            ContradictingExample(
                schema: #"{"type": "string", "format": "date-time", "example": "soon"}"#, type: "Date"),
            ContradictingExample(schema: #"{"type": "boolean", "example": "maybe"}"#, type: "Bool"),
            ContradictingExample(
                schema: #"{"type": "array", "items": {"type": "integer"}, "example": ["x"]}"#, type: "[Int]"),
            ContradictingExample(
                schema: #"{"type": "object", "additionalProperties": {"type": "boolean"}, "example": {"k": 1}}"#,
                type: "[String: Bool]"),
            ContradictingExample(schema: #"{"type": "integer", "examples": [1, 2.5]}"#, type: "Int"),
        ])
    func contradictions(contradiction: ContradictingExample) throws {
        let schema = contradiction.schema
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/items": {"post": {
                  "parameters": [{"name": "q", "in": "query", "schema": \#(schema)}],
                  "requestBody": {"content": {"application/json": {"schema": {"properties": {"p": \#(schema)}}}}}
                }}
                """#))
        #expect(
            imported.modelDeclarations == """
                struct CreateItem: Codable
                var p: \(contradiction.type)?
                """)
        #expect(imported.text("Items.swift").contains("q: \(contradiction.type)?"))
    }

    /// The media type object of a response, and the type that the operation returns.
    struct ResponseType: Sendable, CustomTestStringConvertible {
        let mediaType: String
        let type: String

        var testDescription: String { mediaType }
    }

    /// `Direction` is an enum with two values.
    @Test(
        "An enum in a response is open, and an example changes no type of a response",
        arguments: [
            ResponseType(
                mediaType: ##"{"schema": {"$ref": "#/components/schemas/Direction"}}"##,
                type: "OpenEnum<Direction>"),
            ResponseType(
                mediaType: ##"{"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Direction"}}}"##,
                type: "[OpenEnum<Direction>]"),
            ResponseType(
                mediaType: ##"{"schema": {"additionalProperties": {"$ref": "#/components/schemas/Direction"}}}"##,
                type: "[String: OpenEnum<Direction>]"),
            ResponseType(
                mediaType: #"{"schema": {"type": "integer"}, "example": "abc"}"#,
                type: "Int"),
            ResponseType(
                mediaType: #"{"schema": {"type": "string"}, "example": null}"#,
                type: "String"),
            ResponseType(
                mediaType: #"{"schema": {"type": "array", "items": {"type": "integer"}}, "example": ["1"]}"#,
                type: "[Int]"),
            ResponseType(
                mediaType: #"{"schema": {"type": "array", "items": {"type": "integer"}}, "example": "[1]"}"#,
                type: "[Int]"),
        ])
    func responses(response: ResponseType) throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/items": {"get": {"responses": {"200": {"content": {"application/json": \#(response.mediaType)}}}}}
                """#,
                schemas: #""Direction": {"enum": ["up", "down"]}"#))
        #expect(
            imported.endpoints[0].arm.contains("returns: \(response.type).self"), "\(imported.endpoints[0].arm)")
    }

    /// A number of objects that are alternatives, and the type of a property whose objects differ in required keys.
    struct AlternativeObjects: Sendable {
        let count: Int
        let typeOfKeys: String
    }

    @Test(
        "Up to 200 objects are distinguished by required keys, and any number by a constant",
        arguments: [
            AlternativeObjects(count: 200, typeOfKeys: "Keys"),
            AlternativeObjects(count: 201, typeOfKeys: "JSONValue"),
        ])
    func limitOfObjectsThatKeysDistinguish(alternatives: AlternativeObjects) throws {
        func list(_ text: (Int) -> String) -> String {
            (0..<alternatives.count).map(text).joined(separator: ", ")
        }
        let objectsWithKeys = list { #"{"required": ["k\#($0)"], "properties": {"k\#($0)": {"type": "integer"}}}"# }
        let objectsWithTags = list {
            #"{"properties": {"tag": {"const": "t\#($0)"}, "k\#($0)": {"type": "integer"}}}"#
        }
        let enums = list { #""e\#($0)": {"enum": ["x", "y\#($0)"]}"# }
        let operation = SmallDocument.operation(
            #"""
            {"properties": {"keys": {"oneOf": [\#(objectsWithKeys)]}, "tags": {"oneOf": [\#(objectsWithTags)]},
             \#(enums)}}
            """#)
        let imported = try SmallDocument.imported(SmallDocument.text(#""/items/{id}": {"get": \#(operation)}"#))
        #expect(
            imported.modelDeclarations.hasPrefix(
                """
                struct Item: Decodable
                let keys: \(alternatives.typeOfKeys)?
                let tags: Tags?
                """))
    }

    @Test("Listed integers beyond the range of Int are no enum") func valuesBeyondInt() throws {
        let operation = SmallDocument.operation(#"{"type": "integer", "enum": [1, 9223372036854775808]}"#)
        let imported = try SmallDocument.imported(SmallDocument.text(#""/items": {"get": \#(operation)}"#))
        #expect(imported.loose.map(\.reason) == ["its listed values do not all fit an Int"])
    }

    @Test("A listed text of more than 80 characters makes no enum") func longValues() throws {
        let longText = String(repeating: "x", count: 81)
        let operation = SmallDocument.operation(#"{"enum": ["\#(longText)", "y"]}"#)
        let imported = try SmallDocument.imported(SmallDocument.text(#""/items": {"get": \#(operation)}"#))
        #expect(imported.loose.map(\.reason) == ["its listed values are too many or too long for an enum"])
    }

    @Test("A PATCH request can send null for a field, and the placeholder call has its optional body")
    func bodiesOfPatchRequests() throws {
        let schema = #"""
            {"properties": {"note": {"type": ["string", "null"]}, "x": {"type": "string"}},
             "additionalProperties": true}
            """#
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/items/{id}": {"patch": \#(SmallDocument.sending(schema, required: false))}"#))
        #expect(
            imported.modelDeclarations == """
                struct UpdateItem: Codable
                var note: Nullable<String>?
                var x: String?
                var additionalProperties: [String: JSONValue]
                case note
                case x
                """)
        #expect(imported.text("Items.swift").contains(#"placeholders: [Items] = [.update(id: "id", UpdateItem())]"#))
        #expect(imported.loose.map(\.reason) == [])
    }

    /// A media type of a body with a required property `r` and an optional `s`, which may both be null.
    struct NullableBody: Sendable, CustomTestStringConvertible {
        let mediaType: String
        let models: String
        let call: String

        var testDescription: String { mediaType }
    }

    /// The response of the operation may be null as a whole.
    @Test(
        "A required property that may be null is sent as null in JSON, but not in a multipart body",
        arguments: [
            NullableBody(
                mediaType: "application/json",
                models: """
                    struct UpdateItem: Codable
                    var r: Nullable<String>
                    var s: String?
                    """,
                call: #".update(id: "id", UpdateItem(r: .null))"#),
            NullableBody(
                mediaType: "multipart/form-data",
                models: """
                    struct UpdateItem: Codable
                    var r: String?
                    var s: String?
                    """,
                call: #".update(id: "id", UpdateItem(r: "r", s: "s"))"#),
        ])
    func nulls(body: NullableBody) throws {
        let nullableText = #"{"type": "string", "nullable": true}"#
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/items/{id}": {"put": {
                  "requestBody": {"required": true, "content": {"\#(body.mediaType)": {
                    "example": {"r": null},
                    "schema": {"required": ["r"], "properties": {"r": \#(nullableText), "s": \#(nullableText)}}
                  }}},
                  "responses": {"200": {"content": {"application/json": {"schema": \#(nullableText)}}}}
                }}
                """#))
        #expect(imported.modelDeclarations == body.models)
        let file = imported.text("Items.swift")
        #expect(file.contains(body.call), "\(file)")
        #expect(file.contains("returns: String?.self"), "\(file)")
    }

    @Test("Two equal schemas with names are two models") func equalSchemasKeepTheirNames() throws {
        let schema = ##"""
            {"properties": {
              "Order": {"$ref": "#/components/schemas/Order"},
              "Direction": {"$ref": "#/components/schemas/Direction"}
            }}
            """##
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #""/x": {"post": {"requestBody": {"content": {"application/json": {"schema": \#(schema)}}}}}"#,
                schemas: #""Direction": {"enum": ["asc", "desc"]}, "Order": {"enum": ["asc", "desc"]}"#))
        #expect(Set(imported.modelNames) == ["CreateX", "Order", "Direction"])
    }

    /// A base lists its variants in `anyOf`, and each variant has the base in `allOf`. `Purged` is a variant of the
    /// variant `Deleted`.
    @Test("A variant has the fields of its base, and not those of other variants")
    func variantsHaveNoFieldsOfTheirSiblings() throws {
        func path(_ model: String) -> String {
            let operation = SmallDocument.operation(##"{"$ref": "#/components/schemas/\##(model)"}"##)
            return #""/\#(model)": {"get": \#(operation)}"#
        }
        let schemas = ##"""
            "Event": {
              "required": ["id"], "properties": {"id": {"type": "integer"}},
              "anyOf": [{"$ref": "#/components/schemas/Created"}, {"$ref": "#/components/schemas/Deleted"}]
            },
            "Created": {"allOf": [
              {"$ref": "#/components/schemas/Event"}, {"properties": {"by": {"type": "string"}}}
            ]},
            "Deleted": {"allOf": [
              {"$ref": "#/components/schemas/Event"}, {"properties": {"at": {"type": "string"}}}
            ]},
            "Purged": {"allOf": [
              {"$ref": "#/components/schemas/Deleted"}, {"properties": {"reason": {"type": "string"}}}
            ]}
            """##
        let paths = ["Event", "Created", "Deleted", "Purged"].map(path)
        let imported = try SmallDocument.imported(
            SmallDocument.text(paths.joined(separator: ", "), schemas: schemas))
        let purged = imported.modelDeclarations.split(separator: "struct ").first { $0.hasPrefix("Purged") }
        #expect(
            purged == """
                Purged: Decodable
                let id: Int
                let at: String?
                let reason: String?
                """)
    }

    @Test("Models are structures, however many there are") func manyModelsAreStructures() throws {
        let schemas = (0..<151).map {
            #""M\#($0)": {"required": ["a_b"], "properties": {"a_b": {"type": "integer"}}}"#
        }
        let paths = (0..<151).map { index in
            let operation = SmallDocument.operation(
                ##"{"$ref": "#/components/schemas/M\##(index)"}"##, more: #""tags": ["m"], "#)
            return #""/m\#(index)": {"get": \#(operation)}"#
        }
        let imported = try SmallDocument.imported(
            SmallDocument.text(paths.joined(separator: ", "), schemas: schemas.joined(separator: ", ")))
        let models = imported.modelText
        #expect(models.contains("public struct M150: Decodable, Sendable {\n"))
        #expect(models.contains("private enum CodingKeys: String, CodingKey {\n            case aB = \"a_b\"\n"))
        #expect(!models.contains("class"))
    }

    /// A schema of a body and a response, and the property for members that the schema doesn't name.
    struct AdditionalProperties: Sendable, CustomTestStringConvertible {
        let schema: String
        let property: String

        var testDescription: String { schema }
    }

    @Test(
        "A model keeps members that the schema doesn't name if the schema explicitly allows them",
        arguments: [
            AdditionalProperties(
                schema: #"""
                    {"required": ["id"], "properties": {"id": {"type": "integer"}, "a": {"type": "string"}},
                     "additionalProperties": {"type": "integer"}}
                    """#,
                property: "var additionalProperties: [String: Int]"),
            AdditionalProperties(
                schema: #"""
                    {"required": ["id"], "properties": {"id": {"type": "integer"}, "a": {"type": "string"}},
                     "additionalProperties": true}
                    """#,
                property: "var additionalProperties: [String: JSONValue]"),
            AdditionalProperties(
                schema: #"""
                    {"required": ["id"], "properties": {"id": {"type": "integer"}, "a": {"type": "string"}},
                     "additionalProperties": {}}
                    """#,
                property: "var additionalProperties: [String: JSONValue]"),
        ])
    func additionalProperties(model: AdditionalProperties) throws {
        let file = try importedBucket(model.schema)
        for code in [
            model.property,
            "additionalProperties: [String: ",
            " = [:]) {",
            "CodingKey, CaseIterable {",
            "self.id = try container.decode(Int.self, forKey: .id)",
            "self.additionalProperties = try decoder.additionalProperties(besides: CodingKeys.self)",
            "try container.encodeIfPresent(self.a, forKey: .a)",
            "try self.additionalProperties.encode(to: encoder)",
        ] {
            #expect(file.contains(code), "\(file)")
        }
    }

    @Test(
        "A model has no property for other members if the schema forbids them or doesn't mention them",
        arguments: [
            #"""
            {"required": ["id"], "properties": {"id": {"type": "integer"}, "a": {"type": "string"}},
             "additionalProperties": false}
            """#,
            #"{"required": ["id"], "properties": {"id": {"type": "integer"}, "a": {"type": "string"}}}"#,
        ])
    func noAdditionalProperties(schema: String) throws {
        #expect(try !importedBucket(schema).contains("additionalProperties"))
    }

    /// Imports an operation that sends and returns a `Bucket` with a schema, and returns the file of the model.
    private func importedBucket(_ schema: String) throws -> String {
        let content = ##""content": {"application/json": {"schema": {"$ref": "#/components/schemas/Bucket"}}}"##
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #""/b": {"post": {"requestBody": {\#(content)}, "responses": {"200": {\#(content)}}}}"#,
                schemas: #""Bucket": \#(schema)"#))
        return imported.text("Models/Bucket.swift")
    }

    /// A schema with a property that only responses have.
    private static let pet = #"""
        "Pet": {
          "required": ["id", "name"],
          "properties": {"id": {"type": "integer", "readOnly": true}, "name": {"type": "string"}}
        }
        """#

    @Test("A model that is only sent has no read-only properties") func readOnlyPropertiesOfRequests() throws {
        let operation = SmallDocument.sending(##"{"$ref": "#/components/schemas/Pet"}"##)
        let models = try SmallDocument.imported(
            SmallDocument.text(#""/pets": {"post": \#(operation)}"#, schemas: Self.pet)
        ).modelText
        #expect(!models.contains("id"), "\(models)")
        #expect(models.contains("public init(name: String) {"), "\(models)")
    }

    @Test("A schema with read-only properties is two models if it is sent and returned")
    func readOnlyPropertiesInBothDirections() throws {
        let reference = ##"{"$ref": "#/components/schemas/Pet"}"##
        let operation =
            SmallDocument.sending(reference).dropLast() + "," + SmallDocument.operation(reference).dropFirst()
        let models = try SmallDocument.imported(
            SmallDocument.text(#""/pets": {"post": \#(operation)}"#, schemas: Self.pet)
        ).modelText
        #expect(models.contains("struct Pet: Decodable, Sendable {\n        public let id: Int\n"), "\(models)")
        #expect(models.contains("struct PetInput: Codable, Sendable {\n        public var name: String\n"), "\(models)")
        #expect(models.contains("public init(name: String) {"), "\(models)")
    }

    @Test("A schema with write-only properties is two models if it is sent and returned")
    func writeOnlyPropertiesInBothDirections() throws {
        let list = ##"{"type": "array", "items": {"$ref": "#/components/schemas/User"}}"##
        let operation = SmallDocument.sending(list).dropLast() + "," + SmallDocument.operation(list).dropFirst()
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #""/users": {"post": \#(operation)}"#,
                schemas: #"""
                    "User": {
                      "required": ["name", "password"],
                      "properties": {"name": {"type": "string"}, "password": {"type": "string", "writeOnly": true}}
                    }
                    """#))
        let user = imported.text("Models/User.swift")
        #expect(user.contains("let name: String\n"), "\(user)")
        #expect(!user.contains("password"), "\(user)")
        let input = imported.text("Models/UserInput.swift")
        #expect(input.contains("public init(name: String, password: String) {"), "\(input)")
        let api = imported.text("Users.swift")
        #expect(api.contains("body: [UserInput]"), "\(api)")
        #expect(api.contains("returns: [User].self"), "\(api)")
    }

    @Test("A property in two branches of allOf has the properties of both schemas")
    func propertiesInTwoBranches() throws {
        let schemas = ##"""
            "Base": {"type": "object", "properties": {
              "path": {"type": "object", "properties": {"id": {"type": "string"}}}
            }},
            "S": {"allOf": [
              {"$ref": "#/components/schemas/Base"},
              {"type": "object", "properties": {
                "path": {"type": "object", "properties": {"status": {"type": "string"}}}
              }}
            ]}
            """##
        let operation = SmallDocument.operation(##"{"$ref": "#/components/schemas/S"}"##)
        let imported = try SmallDocument.imported(
            SmallDocument.text(#""/x": {"get": \#(operation)}"#, schemas: schemas))
        #expect(
            imported.modelText.contains("let id: String?\n        public let status: String?\n"),
            "\(imported.modelText)")
    }

    @Test("Equal objects without names in different operations are different models")
    func objectsOfDifferentOperations() throws {
        let operation = SmallDocument.operation(
            #"{"properties": {"id": {"type": "integer"}}}"#, more: #""tags": ["t"], "#)
        let update = SmallDocument.operation(
            #"{"properties": {"id": {"type": "integer"}}}"#,
            more: #""tags": ["accounts"], "operationId": "patchAccountsUpdateCredentials", "#)
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #""/search": {"get": \#(operation)}, "/accounts/update_credentials": {"patch": \#(update)}"#))
        #expect(imported.modelNames.count == 2, "\(imported.modelNames)")
        #expect(imported.endpoints.last?.name == "shop.accounts.update-credentials")
        #expect(imported.endpoints.last?.arm.contains("Search") == false)
    }
}
