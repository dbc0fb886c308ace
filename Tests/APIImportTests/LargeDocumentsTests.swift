import APIImport
import Testing

/// Documents for which a simple algorithm needs much more time or stack than their size suggests.
@Suite struct LargeDocumentsTests {
    /// The schemas `S0`, `S1` and so on, each of which refers to the next one several times. The last one is a text.
    struct MultiplyingSchemas: Sendable, CustomTestStringConvertible {
        let count: Int
        /// A schema in which `NEXT` stands for a reference to the next schema.
        let schema: String
        let modelCount: Int

        var testDescription: String { schema }
    }

    /// Without shared results, the time grows exponentially with the number of schemas.
    @Test(
        "Schemas that refer to the next one several times are read once each",
        .timeLimit(.minutes(1)),
        arguments: [
            MultiplyingSchemas(
                count: 40,
                schema: #"{"oneOf": [NEXT, NEXT]}"#,
                modelCount: 0),
            MultiplyingSchemas(
                count: 40,
                schema: #"{"allOf": [NEXT, NEXT]}"#,
                modelCount: 0),
            MultiplyingSchemas(
                count: 6,
                schema: #"""
                    {"properties": {
                      "a": NEXT, "b": NEXT, "c": NEXT, "d": NEXT, "e": NEXT,
                      "f": NEXT, "g": NEXT, "h": NEXT, "i": NEXT, "j": NEXT
                     },
                     "required": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]}
                    """#,
                modelCount: 6),
            // Schemas without a name hold the first schema again.
            MultiplyingSchemas(
                count: 1,
                schema: ##"""
                    {"properties": {"a": {"properties": {
                      "b": {"allOf": [{"$ref": "#/components/schemas/S0"}, {"properties": {"x": NEXT}}]},
                      "c": {"allOf": [{"$ref": "#/components/schemas/S0"}, {"properties": {"y": NEXT}}]}
                    }}}}
                    """##,
                modelCount: 4),
            MultiplyingSchemas(
                count: 60,
                schema: #"{"properties": {"x": {}}, "allOf": [NEXT, NEXT]}"#,
                modelCount: 1),
        ])
    func multiplyingSchemas(schemas: MultiplyingSchemas) throws {
        let chain = (0..<schemas.count).map { index in
            let next = ##"{"$ref": "#/components/schemas/S\##(index + 1)"}"##
            return #""S\#(index)": \#(schemas.schema.replacing("NEXT", with: next))"#
        }
        let content = ##""content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}"##
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #""/s": {"post": {"requestBody": {\#(content)}, "responses": {"200": {\#(content)}}}}"#,
                schemas: (chain + [#""S\#(schemas.count)": {"type": "string"}"#]).joined(separator: ", ")))
        #expect(imported.modelNames.count == schemas.modelCount)
    }

    @Test("A chain of 60 references and 40 schemas in allOf is followed to its end") func longChains() throws {
        let references = (0..<60).map { ##""R\##($0)": {"$ref": "#/components/schemas/R\##($0 + 1)"}"## }
        let schemas = (0..<40).map { index in
            ##"""
            "P\##(index)": {
              "properties": {"k\##(index)": {}}, "allOf": [{"$ref": "#/components/schemas/P\##(index + 1)"}]
            }
            """##
        }
        let ends = ##""R60": {"$ref": "#/components/schemas/P0"}, "P40": {"properties": {"last": {}}}"##
        let imported = try importedResponse(
            ##"{"$ref": "#/components/schemas/R0"}"##, schemas: references + schemas + [ends])
        #expect(
            imported.modelDeclarations.contains(
                """
                let k39: JSONValue?
                let last: JSONValue?
                """))
    }

    @Test("A circle of 12,000 models and a chain of 1,000 lists are imported", .timeLimit(.minutes(3)))
    func longCircle() throws {
        let models = (0..<12_000).map { index in
            let next = ##"{"$ref": "#/components/schemas/S\##((index + 1) % 12_000)"}"##
            return #""S\#(index)": {"properties": {"next": \#(next)}}"#
        }
        let lists = (0..<1000).map {
            ##""A\##($0)": {"type": "array", "items": {"$ref": "#/components/schemas/A\##($0 + 1)"}}"##
        }
        let imported = try importedResponse(
            ##"{"anyOf": [{"$ref": "#/components/schemas/S0"}, {"$ref": "#/components/schemas/A0"}]}"##,
            schemas: models + lists + [#""A1000": {}"#])
        #expect(imported.modelNames.count == 12_001)
        #expect(imported.files.contains { $0.text.contains("public final class S11999: Decodable") })
    }

    @Test("A schema with 3,000 schemas in allOf has the properties of all of them", .timeLimit(.minutes(3)))
    func manySchemasInAllOf() throws {
        let schemas = (0..<3000).map { ##""P\##($0)": {"properties": {"p\##($0)": {}}}"## }
        let references = (0..<3000).map { ##"{"$ref": "#/components/schemas/P\##($0)"}"## }
        let imported = try importedResponse(
            ##"{"anyOf": [{"$ref": "#/components/schemas/S0"}, {"$ref": "#/components/schemas/A0"}]}"##,
            schemas: schemas + [
                #""S0": {"allOf": [\#(references.joined(separator: ","))]}"#, #""A0": {"type": "string"}"#,
            ])
        #expect(imported.modelDeclarations.contains("let p2999: JSONValue?"))
    }

    @Test("Of 1,000 keys with the same Swift name, each gets a number", .timeLimit(.minutes(3)))
    func manyEqualNames() throws {
        let properties = (0..<1000).map { #""a\#(String(repeating: "-", count: $0))": {"type": "integer"}"# }
        let imported = try importedResponse(#"{"properties": {\#(properties.joined(separator: ","))}}"#)
        #expect(imported.modelDeclarations.contains("let a1000: Int?"))
    }

    @Test("An alternative of 20,000 enums is a text", .timeLimit(.minutes(3))) func manyAlternatives() throws {
        let enums = (0..<20_000).map { #"{"enum": ["x\#($0)", "y\#($0)"]}"# }
        let imported = try importedResponse(
            #"{"properties": {"a": {"oneOf": [\#(enums.joined(separator: ","))]}}}"#)
        #expect(imported.modelDeclarations.hasSuffix("\nlet a: String?"))
    }

    @Test("A path with 10,000 parameters is imported", .timeLimit(.minutes(3))) func manyPathParameters() throws {
        let path = (0..<10_000).map { "/{a\($0)}" }.joined()
        let imported = try SmallDocument.imported(SmallDocument.text(#""\#(path)": {"get": {}}"#))
        #expect(imported.endpoints[0].arm.contains(#"\(a9999Value)"#))
    }

    /// Imports the operation `GET /s` whose response has a schema.
    private func importedResponse(_ schema: String, schemas: [String] = []) throws -> OpenAPIImport {
        try SmallDocument.imported(
            SmallDocument.text(
                #""/s": {"get": \#(SmallDocument.operation(schema))}"#, schemas: schemas.joined(separator: ", ")))
    }
}
