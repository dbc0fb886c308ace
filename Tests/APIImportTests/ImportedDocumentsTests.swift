import APIImport
import Testing

/// The versions, formats and files of documents that an import reads.
@Suite struct ImportedDocumentsTests {
    @Test("The methods of all versions are imported, and a path that doesn't start with / has a note")
    func methodsOfAllVersions() throws {
        let document = ##"""
            {"openapi": "3.2.0", "info": {"title": "Shop API", "version": "1"},
             "servers": [{"url": "https://shop.example/v1/"}],
             "paths": {
               "pets": {"get": {}},
               "x-y": {"get": {}},
               "/r": {"$ref": "#/components/schemas/R"},
               "/a": {
                 "post": {},
                 "query": {},
                 "additionalOperations": {"COPY": {}},
                 "x-link": {"x-apictl-endpoints": []},
                 "x-z": {}
               }
             },
             "components": {"schemas": {"R": {"get": {}}}}}
            """##
        let imported = try SmallDocument.imported(document)
        #expect(
            imported.endpoints.map { "\($0.method) \($0.path)" }
                == ["GET /r", "POST /a", "QUERY /a", "COPY /a", "LINK /a"])
        #expect(imported.notes.contains { $0.contains("expected a path that starts with '/', found 'pets'") })
    }

    @Test("A reference in a file beside the document is relative to that file") func filesReferToEachOther() throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(##""/a": {"$ref": "paths/./a.json"}"##),
            others: [
                "paths/a.json": ##"""
                {"get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema":
                 {"$ref": "../schemas/Thing.json"}}}}}}}
                """##,
                "schemas/Thing.json": #"{"type": "object", "properties": {"size": {"type": "integer"}}}"#,
            ])
        #expect(imported.allText.contains("size: Int?"), "\(imported.files)")
    }

    @Test("A reference to a part of a file is followed, and the file of a schema gives the model its name")
    func referencesToPartsOfFiles() throws {
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                ##""/pets": {"get": {"responses": {"200": {"$ref": "parts/responses.json#/ok"}}}}"##),
            others: [
                "parts/responses.json":
                    ##"{"ok": {"content": {"application/json": {"schema": {"$ref": "pet.json"}}}}}"##,
                "parts/pet.json": #"{"properties": {"name": {"type": "string"}}}"#,
            ])
        #expect(
            imported.modelDeclarations == """
                struct Pet: Decodable
                let name: String?
                """)
    }

    @Test("A YAML document is imported like the same document in JSON") func yaml() throws {
        let json = #"""
            {"openapi": "3.1.0", "info": {"title": "Shop API", "version": "1"},
             "servers": [{"url": "https://shop.example/v1/"}],
             "paths": {"/a": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {
               "schema": {"type": "object", "properties": {"size": {"type": "integer"}}}
             }}}}}}},
             "components": {"schemas": {}}}
            """#
        let yaml = """
            # The same document.
            openapi: 3.1.0
            info: {title: Shop API, version: "1"}
            servers: [url: https://shop.example/v1/]
            paths:
              /a:
                get:
                  responses:
                    200:
                      description: ""
                      content: &json
                        application/json: {schema: {type: object, properties: {size: {type: integer}}}}
            components: {schemas: {}}
            x-unused: *json
            """
        let expected = try SmallDocument.imported(json).files.map { $0.path + $0.text }
        #expect(try SmallDocument.imported(yaml).files.map { $0.path + $0.text } == expected)
    }

    @Test("An error in a YAML file beside the document has its position in that file") func yamlErrors() {
        let document = """
            openapi: 3.0.0
            paths: {/a: {$ref: a.yaml}}
            """
        let error = #expect(throws: ImportError.self) {
            try SmallDocument.imported(document, others: ["a.yaml": "get: 1\npost: [\n"])
        }
        #expect(error?.text.contains("a.yaml:3:1: did not find expected node content") == true, "\(error?.text ?? "")")
    }

    /// A document of version 2 with a body parameter, form fields, a separator of lists and an example.
    private static let documentOfVersion2 = ##"""
        {"swagger": "2.0", "info": {"title": "Old"},
         "host": "old.example", "basePath": "/v1", "schemes": ["http", "https"],
         "securityDefinitions": {"k": {"type": "apiKey", "in": "header", "name": "X-Key"}},
         "security": [{"k": []}],
         "paths": {"/pets": {
           "get": {
             "tags": ["pet"], "operationId": "listPets", "produces": ["application/json"],
             "parameters": [{
               "name": "ids", "in": "query", "type": "array", "items": {"type": "integer"},
               "collectionFormat": "pipes"
             }],
             "responses": {"200": {
               "description": "", "schema": {"type": "array", "items": {"$ref": "#/definitions/Pet"}},
               "examples": {"application/json": [{"name": "Rex"}]}
             }}
           },
           "post": {
             "tags": ["pet"], "operationId": "addPet",
             "parameters": [{
               "name": "pet", "in": "body", "required": true, "schema": {"$ref": "#/definitions/Pet"}
             }]
           },
           "patch": {
             "tags": ["pet"], "operationId": "tagPet", "produces": ["text/plain"],
             "responses": {"200": {"schema": {"type": "string"}}},
             "parameters": [{"name": "tags", "in": "formData", "type": "array", "items": {"type": "string"}}]
           },
           "put": {
             "tags": ["pet"], "operationId": "sendPet",
             "parameters": [
               {"name": "photo", "in": "formData", "type": "file", "required": true},
               {"name": "name", "in": "formData", "type": "string"}
             ]
           }
         }},
         "definitions": {"Pet": {"properties": {"name": {"type": "string"}}}}}
        """##

    @Test("A document of version 2 is imported like one of version 3") func version2() throws {
        let imported = try SmallDocument.imported(Self.documentOfVersion2)
        let file = imported.text("Pets.swift")
        for declaration in [
            "case list(ids: [Int]?)",
            "case add(Pet)",
            "case send(SendPet)",
            #"body: body.map { Body.form(["tags": $0.tags?.joined(by: ",")]) }"#,
            #"query: ["ids": ids?.joined(by: "|")]"#,
            "returns: [Pet].self",
            "// import: the response is text/plain, as bytes",
        ] {
            #expect(file.contains(declaration), "\(file)")
        }
        #expect(imported.text("Old.swift").contains(#"Server("server-1", url: "https://old.example/v1"),"#))
        #expect(imported.variables.map(\.description) == ["OLD_K"])
        #expect(imported.text("Pets+Samples.swift").contains(#""name": "Rex""#))
    }

    @Test("Only the chosen operations are imported, with the models that they need") func chosenOperations() throws {
        func operation(returning model: String, more: String = "") -> String {
            SmallDocument.operation(##"{"$ref": "#/components/schemas/\##(model)"}"##, more: more)
        }
        var options = ImportChoices()
        options.isKept = { $0.contains("GET /a") || $0.contains("tag:two") }
        let imported = try SmallDocument.imported(
            SmallDocument.text(
                #"""
                "/a": {"get": \#(operation(returning: "A")), "put": {}},
                "/b": {"get": \#(operation(returning: "B", more: #""tags": ["two"], "#))},
                "/c": {"get": \#(operation(returning: "C"))}
                """#,
                schemas: #"""
                    "A": {"properties": {"x": {"type": "integer"}}},
                    "B": {"properties": {"x": {"type": "integer"}}},
                    "C": {"properties": {"x": {"type": "integer"}}}
                    """#),
            options: options)
        #expect(imported.endpoints.map { "\($0.method) \($0.path)" } == ["GET /a", "GET /b"])
        #expect(imported.modelNames == ["A", "B"])
    }

    @Test("Two imports of one document write the same files") func importsAreReproducible() throws {
        let schemas = (0..<30).map { #""S\#($0)": {"properties": {"a\#($0)": {"enum": ["x", "y"]}}}"# }
        let paths = (0..<30).map { index in
            let operation = SmallDocument.operation(##"{"$ref": "#/components/schemas/S\##(index)"}"##)
            return #""/p\#(index)": {"get": \#(operation)}"#
        }
        let document = SmallDocument.text(paths.joined(separator: ", "), schemas: schemas.joined(separator: ", "))
        let first = try SmallDocument.imported(document).files.map { $0.path + $0.text }
        #expect(try SmallDocument.imported(document).files.map { $0.path + $0.text } == first)
    }
}
