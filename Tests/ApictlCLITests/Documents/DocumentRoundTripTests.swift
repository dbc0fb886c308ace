import EndpointKit
import EndpointTools
import JSONText
import OpenAPI
import Testing

@testable import ApictlCLI

@Suite("A document that `openapi` writes of a document is the same API")
struct DocumentRoundTripTests {
    static let documents: [(name: String, text: String)] = [
        ("OpenAPI 3.1", ShopDocument.json),
        (
            "OpenAPI 3.0: cookies, contents, forms, alternatives and null",
            #"""
            {"openapi": "3.0.3", "info": {"title": "Library", "version": "2.1", "description": "Books.\n\nAnd more."},
             "servers": [{"url": "https://library.example/v2", "description": "Main server"},
              {"url": "https://{zone}.library.example", "variables": {"zone": {"default": "eu"}}}],
             "tags": [{"name": "books", "description": "All about books"}],
             "security": [{"session": []}, {"login": ["read"]}, {}],
             "paths": {
              "/books/{book_id}": {
               "parameters": [{"name": "book_id", "in": "path", "required": true, "description": "Its number.\n\nEver.",
                "schema": {"type": "integer", "minimum": 0, "exclusiveMinimum": true}}],
               "get": {"operationId": "books/get", "tags": ["books"], "description": "One book.",
                "parameters": [
                 {"name": "theme", "in": "cookie", "schema": {"type": "string", "enum": ["dark", "light"]}},
                 {"name": "fields", "in": "query", "explode": false, "schema": {"type": "array", "items": {"type": \#
            "string"}}},
                 {"name": "where", "in": "query", "content": {"application/json": {"schema": {"$ref": \#
            "#/components/schemas/Filter"}}}},
                 {"name": "X-Trace", "in": "header", "deprecated": true, "schema": {"type": "string"}, "example": \#
            "abc"}],
                "responses": {"200": {"description": "ok", "content": {"application/json": {"schema": {"$ref": \#
            "#/components/schemas/Item"},
                 "examples": {"a": {"value": {"kind": "book", "title": "Emma"}}}}}},
                 "4XX": {"description": "bad", "content": {"text/plain": {}}}}},
               "put": {"operationId": "books/put", "tags": ["books"], "security": [],
                "requestBody": {"description": "The book to keep", "required": true, "content": {
                 "application/x-www-form-urlencoded": {"schema": {"$ref": "#/components/schemas/Filter"},
                  "encoding": {"tags": {"style": "pipeDelimited", "explode": false}}},
                 "multipart/form-data": {"schema": {"type": "object", "properties": {
                  "cover": {"type": "string", "format": "binary", "description": "A picture"}}}, "encoding": \#
            {"cover": {"contentType": "image/png"}}}}},
                "responses": {"204": {"description": "kept"}}}},
              "/items": {"post": {"tags": ["books"], "servers": [{"url": "https://items.example"}],
               "requestBody": {"content": {"application/merge-patch+json": {"schema": {"$ref": \#
            "#/components/schemas/Item"}}}},
               "responses": {"default": {"description": "any"}}}}},
             "components": {
              "securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": "SID"},
               "login": {"type": "oauth2", "flows": {"clientCredentials": {"tokenUrl": \#
            "https://library.example/token", "scopes": {"read": "Read"}}}}},
              "schemas": {
               "Filter": {"type": "object", "additionalProperties": {"type": "integer"}, "properties": {
                "tags": {"type": "array", "items": {"type": "string"}, "description": "Words of the book."},
                "until": {"type": "string", "format": "date-time", "nullable": true}}},
               "Item": {"oneOf": [{"$ref": "#/components/schemas/Book"}, {"$ref": "#/components/schemas/Disc"}],
                "discriminator": {"propertyName": "kind", "mapping": {"book": "#/components/schemas/Book", "disc": \#
            "Disc"}}},
               "Book": {"type": "object", "required": ["kind", "title"], "properties": {"kind": {"type": "string"},
                "title": {"type": "string", "pattern": "^[A-Z]"}, "next": {"$ref": "#/components/schemas/Alias"}, \#
            "id": {"type": "integer", "readOnly": true}}},
               "Alias": {"$ref": "#/components/schemas/Book"},
               "Disc": {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}, "length": \#
            {"type": "number", "maximum": 90}}}}}}
            """#
        ),
        (
            "Swagger 2.0: bodies and forms",
            #"""
            {"swagger": "2.0", "info": {"title": "Pets", "version": "1"}, "host": "pets.example", "basePath": "/v1", \#
            "schemes": ["https"],
             "securityDefinitions": {"key": {"type": "apiKey", "in": "query", "name": "key"}, "basic": {"type": \#
            "basic"}},
             "security": [{"key": [], "basic": []}],
             "paths": {
              "/pets": {
               "get": {"operationId": "findPets", "produces": ["application/json"],
                "parameters": [{"name": "tags", "in": "query", "type": "array", "items": {"type": "string"}, \#
            "collectionFormat": "pipes", "x-example": ["a"]},
                 {"name": "limit", "in": "query", "type": "integer", "default": 10, "maximum": 99}],
                "responses": {"200": {"description": "ok", "schema": {"type": "array", "items": {"$ref": \#
            "#/definitions/Pet"}}}}},
               "post": {"operationId": "addPet", "consumes": ["application/json"],
                "parameters": [{"name": "pet", "in": "body", "required": true, "description": "The pet", "schema": \#
            {"$ref": "#/definitions/Pet"}}],
                "responses": {"201": {"description": "made"}}}},
              "/pets/{id}/photo": {"post": {"operationId": "addPhoto", "consumes": ["multipart/form-data"],
               "parameters": [{"name": "id", "in": "path", "required": true, "type": "string"},
                {"name": "photo", "in": "formData", "type": "file", "required": true, "description": "A picture"},
                {"name": "words", "in": "formData", "type": "array", "items": {"type": "string"}, "collectionFormat": \#
            "multi"}],
               "responses": {"200": {"description": "ok", "schema": {"type": "file"}}}}}},
             "definitions": {"Pet": {"type": "object", "required": ["name"], "properties": {"name": {"type": \#
            "string", "description": "What it answers to."},
              "born": {"type": "string", "format": "date", "x-nullable": true}}}}}
            """#
        ),
    ]

    /// Returns the API of a document.
    private static func api(_ text: String) throws -> CatalogueAPI {
        let document = try OpenAPIDocument(SourceDocument(Array(text.utf8)), name: "shop.json") { name in
            throw MissingFile(name: name)
        }
        return CatalogueAPI(
            try DocumentCatalogue(
                document, name: "shop", documentURL: nil, options: DocumentCatalogue.Options(serverVariables: [:])))
    }

    private struct MissingFile: Error { let name: String }

    /// Returns the JSON of `list`, of `describe` for the API, and of `describe` for each endpoint.
    private static func descriptions(of api: CatalogueAPI) throws -> [String] {
        let catalogue = try APIDescription(api: api, endpoints: api.summaries())
        let objects = try [catalogue.json] + catalogue.details().map { $0.json(tool: "apictl") }
        return try objects.map { object in
            let members = try JSONValue(text: Coding().encode(object)).members ?? []
            // A written document has no parts that can't be read, so that `leftOut` differs.
            let others = members.filter { $0.key != "leftOut" }
            return "\(JSONValue(others.map { ($0.key, $0.value) }))"
        }
    }

    @Test("list and describe print the same for both documents", arguments: documents)
    func keepsDescriptions(_ row: (name: String, text: String)) throws {
        let api = try Self.api(row.text)
        let catalogue = try CatalogueDescription(apis: [APIDescription(api: api, endpoints: api.summaries())])
        let written = try OpenAPIWriter.document(catalogue, tool: "apictl", server: nil)
        let expected = try Self.descriptions(of: api)
        let found = try Self.descriptions(of: Self.api("\(written)"))
        #expect(expected.count > 3 && found.count == expected.count)
        for (found, expected) in zip(found, expected) { #expect(found == expected) }
        // A document that is written from the written document is the same.
        let again = try Self.api("\(written)")
        let writtenAgain = try OpenAPIWriter.document(
            CatalogueDescription(apis: [APIDescription(api: again, endpoints: again.summaries())]), tool: "apictl",
            server: nil)
        #expect(writtenAgain == written)
    }
}
