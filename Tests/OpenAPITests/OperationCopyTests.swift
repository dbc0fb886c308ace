import EndpointKit
import EndpointTools
import JSONText
import Testing

@testable import OpenAPI

@Suite("Operations of documents are written as they are declared")
struct OperationCopyTests {
    /// Returns the document that is written of a document's API.
    private static func written(_ text: String, name: String = "shop") throws -> JSONValue {
        DocumentWriter.document([try documented(text, name: name)], title: "apictl")
    }

    private static func documented(_ text: String, name: String = "shop") throws -> DocumentedAPI {
        let options = DocumentCatalogue.Options()
        let catalogue = try DocumentCatalogue(
            Documents.document(text), name: name, documentURL: nil, options: options)
        let api = CatalogueAPI(catalogue)
        let names = try api.summaries().map(\.name)
        return try #require(DocumentedAPI(declared: api, endpoints: Set(names), servers: api.servers))
    }

    /// Returns the value at a path of keys.
    private static func value(_ value: JSONValue, _ keys: [String]) -> JSONValue? {
        keys.reduce(value) { value, key in value?[key] }
    }

    static let v2 = #""swagger": "2.0""#
    static let v31 = #""openapi": "3.1.0""#
    static let v32 = #""openapi": "3.2.0""#

    static let parameters: [(version: String, parameter: String, written: String)] = [
        // The style of the place is not written.
        (
            v31, #"{"name":"a","in":"query","style":"form","explode":true,"schema":{"type":"string"}}"#,
            #"{"name":"a","in":"query","schema":{"type":"string"}}"#
        ),
        (
            v31, #"{"name":"a","in":"query","explode":false,"allowReserved":true,"schema":{"type":"array"}}"#,
            #"{"name":"a","in":"query","style":"form","explode":false,"allowReserved":true,"schema":{"type":"array"}}"#
        ),
        (
            v31, #"{"name":"a","in":"header","deprecated":true,"required":true,"description":"D","schema":{}}"#,
            #"{"name":"a","in":"header","required":true,"deprecated":true,"schema":{},"description":"D"}"#
        ),
        (
            v31, #"{"name":"a","in":"cookie","schema":{},"example":1}"#,
            #"{"name":"a","in":"cookie","schema":{},"example":1}"#
        ),
        (
            v31, #"{"name":"a","in":"query","schema":{},"examples":{"x":{"value":1},"y":{"summary":"S","value":2}}}"#,
            #"{"name":"a","in":"query","schema":{},"examples":{"x":{"value":1},"y":{"summary":"S","value":2}}}"#
        ),
        // Without a schema, the value is a text.
        (v31, #"{"name":"a","in":"query"}"#, #"{"name":"a","in":"query","schema":{"type":"string"}}"#),
        (
            v31, #"{"name":"a","in":"query","content":{"application/json":{"schema":{"type":"object"},"example":{}}}}"#,
            #"{"name":"a","in":"query","content":{"application/json":{"schema":{"type":"object"},"example":{}}}}"#
        ),
        // Swagger 2.0 joins lists with commas, and has a separator that OpenAPI 3 does not have.
        (
            v2, #"{"name":"a","in":"query","type":"array","items":{"type":"string"}}"#,
            #"""
            {"name":"a","in":"query","style":"form","explode":false,\#
            "schema":{"type":"array","items":{"type":"string"}}}
            """#
        ),
        (
            v2, #"{"name":"a","in":"query","type":"array","collectionFormat":"tsv"}"#,
            #"{"name":"a","in":"query","schema":{"type":"string"}}"#
        ),
        // A style that the place does not have.
        (
            v31, #"{"name":"a","in":"header","style":"deepObject","schema":{"type":"object"}}"#,
            #"{"name":"a","in":"header","schema":{"type":"string"}}"#
        ),
        // OpenAPI 3.2 has the whole query as one value, and cookies that are not percent-encoded.
        (
            v32, #"{"name":"a","in":"querystring","content":{"application/json":{"schema":{"type":"object"}}}}"#,
            #"{"name":"a","in":"querystring","content":{"application/json":{"schema":{"type":"object"}}}}"#
        ),
        (
            v32, #"{"name":"a","in":"cookie","style":"cookie","schema":{}}"#,
            #"{"name":"a","in":"cookie","style":"cookie","explode":true,"schema":{}}"#
        ),
    ]

    @Test("Parameters", arguments: parameters)
    func writesParameters(_ row: (version: String, parameter: String, written: String)) throws {
        let text = #"{\#(row.version), "paths": {"/x": {"get": {"parameters": [\#(row.parameter)]}}}}"#
        let parameters = try Self.value(Self.written(text), ["paths", "/x", "get", "parameters"])
        #expect(parameters?.description == "[\(row.written)]")
    }

    @Test("A field of a form in a style of Swagger 2.0 alone is a text")
    func writesForms() throws {
        let text = #"""
            {"swagger": "2.0", "paths": {"/x": {"post": {"parameters": [
             {"name": "tabs", "in": "formData", "type": "array", "collectionFormat": "tsv"},
             {"name": "bars", "in": "formData", "type": "array", "collectionFormat": "pipes", "required": true,
              "description": "D"},
             {"name": "file", "in": "formData", "type": "file"}]}}}}
            """#
        let body = try Self.value(Self.written(text), ["paths", "/x", "post", "requestBody"])
        let expected = #"""
            {"required":true,"content":{"multipart/form-data":{"schema":{"type":"object","properties":{\#
            "tabs":{"type":"string"},"bars":{"type":"array","description":"D"},\#
            "file":{"type":"string","format":"binary"}},"required":["bars"]},\#
            "encoding":{"bars":{"style":"pipeDelimited","explode":false}}}}}
            """#
        #expect(body?.description == expected)
    }

    static let versions: [(operation: String, version: String)] = [
        (#""parameters": [{"name": "a", "in": "query"}]"#, "3.1.0"),
        (#""parameters": [{"name": "a", "in": "querystring", "content": {"application/json": {}}}]"#, "3.2.0"),
        (#""parameters": [{"name": "a", "in": "cookie", "style": "cookie"}]"#, "3.2.0"),
        (#""requestBody": {"content": {"application/jsonl": {"itemSchema": {}}}}"#, "3.2.0"),
        (#""responses": {"200": {"content": {"application/jsonl": {"itemSchema": {}}}}}"#, "3.2.0"),
        (#""responses": {"200": {"content": {"application/jsonl": {"schema": {}}}}}"#, "3.1.0"),
    ]

    @Test("The version is 3.2 if the document needs it", arguments: versions)
    func choosesVersion(_ row: (operation: String, version: String)) throws {
        let written = try Self.written(#"{"openapi": "3.2.0", "paths": {"/x": {"post": {\#(row.operation)}}}}"#)
        #expect(written["openapi"]?.string == row.version)
    }

    static let shop = #"""
        {"openapi": "3.0.0", "info": {"title": "The Shop", "description": "D", "version": "7"},
         "servers": [{
            "url": "https://{zone}.example", "description": "Main one", "variables": {"zone": {"default": "eu"}}
         }],
         "tags": [{"name": "pets", "description": "All pets"}], "security": [{"api key": []}, {"unknown": []}],
         "paths": {
          "/pets/{id}": {"get": {"operationId": "getPet", "tags": ["pets"], "description": "A pet.", "deprecated": true,
           "responses": {"200": {"$ref": "#/components/responses/Pet"}}}},
          "/pets/{name}": {"post": {"security": [], "servers": [{"url": "https://write.example"}]}}},
         "components": {
          "responses": {"Pet": {"description": "A pet", "content": {"application/json": {
           "schema": {"$ref": "#/components/schemas/Pet"}, "example": {"token": "t0p"}}}}},
          "schemas": {"Pet": {"type": "object"}, "Unused": {"type": "object"}},
          "securitySchemes": {"api key": {"type": "apiKey", "in": "header", "name": "X-Key", "description": "Ask us"},
           "unused": {"type": "http", "scheme": "basic"}}}}
        """#

    static let parts: [(keys: [String], json: String)] = [
        (["info"], #"{"title":"The Shop","description":"D","version":"7"}"#),
        (["servers"], #"[{"url":"https://eu.example","description":"main"}]"#),
        (["security"], #"[{"api_key":[]}]"#),
        (["tags"], #"[{"name":"pets","description":"All pets"}]"#),
        (["paths", "/pets/{id}", "get", "operationId"], #""getPet""#),
        (["paths", "/pets/{id}", "get", "description"], #""A pet.""#),
        (["paths", "/pets/{id}", "get", "deprecated"], "true"),
        (["paths", "/pets/{id}", "get", "tags"], #"["pets"]"#),
        (["paths", "/pets/{id}", "get", "security"], #"[{"api_key":[]}]"#),
        // A variable of the path that the document does not describe.
        (
            ["paths", "/pets/{id}", "get", "parameters"],
            #"[{"name":"id","in":"path","required":true,"schema":{"type":"string"}}]"#
        ),
        // Secrets of examples are not written.
        (
            ["paths", "/pets/{id}", "get", "responses", "200"],
            ##"""
            {"description":"A pet","content":{"application/json":{\##
            "schema":{"$ref":"#/components/schemas/Pet"},"example":{"token": "(redacted)"}}}}
            """##
        ),
        // Paths that differ in the names of variables alone stay as they are.
        (
            ["paths", "/pets/{name}", "post"],
            """
            {"tags":[],"x-apictl-endpoints":["shop.post-pets"],\
            "servers":[{"url":"https://write.example","description":"production"}],\
            "parameters":[{"name":"name","in":"path","required":true,"schema":{"type":"string"}}],"security":[]}
            """
        ),
        (["components", "schemas"], #"{"Pet":{"type":"object"}}"#),
        (
            ["components", "securitySchemes"],
            #"""
            {"api_key":{"type":"apiKey","in":"header","name":"X-Key","description":"Ask us",\#
            "x-apictl-variable":"SHOP_API_KEY"}}
            """#
        ),
    ]

    @Test("The API of a document alone keeps its names", arguments: parts)
    func keepsNames(_ row: (keys: [String], json: String)) throws {
        #expect(try Self.value(Self.written(Self.shop), row.keys)?.description == row.json)
    }

    @Test("Several APIs have a tag each, and the names of endpoints as ids")
    func writesSeveralAPIs() throws {
        let apis = [try Self.documented(Self.shop), try Self.documented(Self.shop, name: "zoo")]
        let document = DocumentWriter.document(apis, title: "apictl")
        #expect(document["info"]?["title"] == "apictl")
        #expect(document["tags"]?.elements?.compactMap { $0["name"]?.string } == ["shop", "zoo"])
        // Both APIs have the same paths.
        let operation = try #require(Self.value(document, ["paths", "/pets/{id}", "get"]))
        #expect(operation["operationId"] == "shop.get-pet")
        #expect(operation["x-apictl-endpoints"] == ["shop.get-pet", "zoo.get-pet"])
        #expect(operation["security"]?.description == #"[{"shop.api_key":[]},{"zoo.api_key":[]}]"#)
        let schemas = Self.value(document, ["components", "schemas"])?.members?.map(\.key)
        #expect(schemas == ["Pet", "Pet-2"])
        let schemes = Self.value(document, ["components", "securitySchemes"])?.members?.map(\.key)
        #expect(schemes == ["shop.api_key", "zoo.api_key"])
    }
}
