import JSONText
import Testing

@testable import OpenAPI

/// The version, index, servers and security schemes of documents, and errors.
@Suite struct OpenAPIDocumentTests {
    @Test(arguments: [
        ("[]", "apis/shop.json:1:1: #: expected an OpenAPI document, which is an object, found array"),
        (
            "{}",
            "apis/shop.json:1:1: #: expected version 3.0, 3.1 or 3.2 in 'openapi', or 2.0 in 'swagger', found neither"
        ),
        (
            #"{"openapi": "4.0.0"}"#,
            "apis/shop.json:1:13: #/openapi: expected version 3.0, 3.1 or 3.2 in 'openapi', or 2.0 in 'swagger', "
                + #"found string "4.0.0""#
        ),
        (#"{"openapi": "3.1.0"}"#, "apis/shop.json:1:1: #: expected a document with 'paths', found none"),
        (
            #"{"openapi": "3.1.0", "webhooks": {"order": {"post": {}}}}"#,
            """
            apis/shop.json:1:34: #/webhooks: expected a document with 'paths', found only webhooks, which are \
            requests that the API's provider sends, so there is nothing to call
            """
        ),
        (
            #"{"openapi": "3.1.0", "webhooks": {}}"#,
            "apis/shop.json:1:1: #: expected a document with 'paths', found none"
        ),
        (
            "{\"swagger\": 2.0,\n\"paths\": 1}",
            "apis/shop.json:2:10: #/paths: expected an object of paths, found number 1"
        ),
    ])
    func `A text that is not a document has a clear error`(text: String, message: String) {
        #expect(throws: OpenAPIError.self) { try Documents.document(text) }
        do {
            _ = try Documents.document(text)
        } catch {
            #expect("\(error)" == message)
        }
    }

    @Test(arguments: [
        (#""openapi": "3.0.3""#, ["GET"]), (#""openapi": "3.1.0""#, ["GET"]),
        (#""openapi": "3.2.0""#, ["GET", "QUERY", "LINK"]), (#""swagger": "2.0""#, ["GET"]),
    ])
    func `Each version has its methods`(version: String, methods: [String]) throws {
        let document = try Documents.document(
            #"{\#(version), "paths": {"/x": {"get": {}, "query": {}, "parameters": [],"#
                + #" "additionalOperations": {"LINK": {}}}}}"#)
        #expect(document.operations().parts.map(\.method) == methods)
    }

    @Test func `The index has summaries, and errors for what is not an operation`() throws {
        let document = try Documents.document(
            #"{"openapi": "3.1.0", "paths": {"/a": {"get": {"operationId": "list", "tags": ["t"], "summary": "S"},"#
                + #" "put": 1}, "/b": {"$ref": "b.json"}, "/c": {"$ref": "c.json"}, "x-y": 1}}"#,
            files: ["b.json": #"{"post": {"deprecated": true}}"#])
        let operations = document.operations()
        #expect(operations.parts.map(\.path) == ["/a", "/b"])
        #expect(operations.parts.map(\.operationID) == ["list", nil])
        #expect(operations.parts[0].tags == ["t"])
        #expect(operations.parts[0].summary == "S")
        #expect(operations.parts[1].isDeprecated)
        #expect(operations.errors.map(\.pointer) == ["#/paths/~1a/put", "#/paths/~1c"])
        #expect(operations.errors[1].found == "an error: no file 'c.json'")
    }

    @Test(
        arguments: [
            (
                #""servers": [{"url": "https://{h}:{p}/", "variables": {"h": {"default": "{p}"}, "#
                    + #""p": {"default": 80}}}]"#,
                ["https://{p}:80/"]
            ),
            (#""servers": [{"url": "/v1"}, {"url": "/{x}"}]"#, ["/v1", nil]),
            (#""x": 1"#, []),
        ] as [(String, [String?])])
    func `The URL of a server contains the values of its variables`(member: String, urls: [String?]) throws {
        let document = try Documents.document(#"{"openapi": "3.0.0", "paths": {}, \#(member)}"#)
        #expect(document.servers.parts.map { $0.url(with: [:]) } == urls)
    }

    @Test(arguments: [
        (#""host": "h", "basePath": "/v", "schemes": ["http", "https"]"#, ["https://h/v", "http://h/v"]),
        (#""host": "h""#, ["//h"]), (#""basePath": "/v""#, ["/v"]), (#""x": 1"#, []),
    ])
    func `Servers of Swagger 2 prefer https`(members: String, urls: [String]) throws {
        let document = try Documents.document(#"{"swagger": "2.0", "paths": {}, \#(members)}"#)
        #expect(document.servers.parts.map(\.url) == urls)
    }

    @Test(
        arguments: [
            (#"{"type": "apiKey", "in": "header", "name": "K"}"#, .apiKey(name: "K", location: .header)),
            (#"{"type": "http", "scheme": "Basic"}"#, .http(scheme: "basic")),
            (#"{"type": "mutualTLS"}"#, .mutualTLS),
            (#"{"type": "openIdConnect", "openIdConnectUrl": "u"}"#, .openIDConnect(url: "u")),
            (#"{"type": "apiKey", "in": "body", "name": "K"}"#, nil), (#"{"type": "x"}"#, nil), ("1", nil),
        ] as [(String, SecuritySchemeObject.Kind?)])
    func `A broken security scheme does not affect the others`(scheme: String, kind: SecuritySchemeObject.Kind?) throws
    {
        let document = try Documents.document(
            #"{"openapi": "3.1.0", "paths": {}, "components": {"securitySchemes": {"s": \#(scheme)}}}"#)
        #expect(document.securitySchemes.parts.first?.kind == kind)
        #expect(document.securitySchemes.errors.isEmpty == (kind != nil))
    }

    @Test func `OAuth flows of Swagger 2 get their names in OpenAPI 3`() throws {
        let document = try Documents.document(
            #"{"swagger": "2.0", "paths": {}, "securityDefinitions": {"b": {"type": "basic"},"#
                + #" "o": {"type": "oauth2", "flow": "accessCode", "tokenUrl": "t", "scopes": {"r": ""}}}}"#)
        let flow = SecuritySchemeObject.Flow(
            name: "authorizationCode", authorizationURL: nil, tokenURL: "t", deviceAuthorizationURL: nil, scopes: ["r"])
        #expect(document.securitySchemes.parts.map(\.kind) == [.http(scheme: "basic"), .oauth2([flow])])
    }

    @Test func `An error shows the value that was found, without secrets`() throws {
        let document = try Documents.document(
            #"{"openapi": "3.1.0", "paths": {"/x": "https://h.test/?token=s3cret"}}"#)
        #expect(document.operations().errors.map(\.found) == [#"string "https://h.test/?token=(redacted)""#])
    }

    @Test(arguments: [
        ("b.json#/a", #"{"a": {"get": {}}}"#, nil),
        ("./p/../b.json", #"{"get": {}}"#, nil),
        ("https://x.example/b.json", "", "the URL 'https://x.example/b.json', which is not loaded"),
        ("../b.json", "", "'../b.json' outside of it"), ("%2e%2e/b.json", "", "'../b.json' outside of it"),
        ("/b.json", "", "'/b.json' outside of it"), ("#x", "", "'#x'"), ("#/nowhere", "", "nothing there"),
        ("#/paths/~1x", "", "references that lead in a circle"),
    ])
    func `References can't leave the directory of the document`(reference: String, file: String, found: String?) throws
    {
        let document = try Documents.document(
            #"{"openapi": "3.1.0", "paths": {"/x": {"$ref": "\#(reference)"}}}"#, files: ["b.json": file])
        let operations = document.operations()
        #expect(operations.parts.count == (found == nil ? 1 : 0))
        #expect(operations.errors.first?.found == found)
    }
}
