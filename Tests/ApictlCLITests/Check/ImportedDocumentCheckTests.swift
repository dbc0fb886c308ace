import EndpointKit
import EndpointTools
import JSONText
import OpenAPI
import Testing

@testable import ApictlCLI

/// `check --document` right after an import: the Swift that is made of a document does not differ from it.
struct ImportedDocumentCheckTests {
    /// Returns the problems that a comparison of a document with an API finds, and how many endpoints passed.
    private static func compare<A: API>(_ document: String, _ api: A.Type) throws -> (problems: [String], count: Int) {
        let source = try SourceDocument(Array(document.utf8))
        let read = try OpenAPIDocument(source, name: "shop.json") { _ in throw CancellationError() }
        let catalogue = try DocumentCatalogue(
            read, name: "document", documentURL: nil, options: DocumentCatalogue.Options())
        let comparison = DeclarationComparison(
            document: try DocumentCheck.endpoints(of: CatalogueAPI(catalogue)),
            api: try DocumentCheck.endpoints(of: CatalogueAPI(api)), isStrict: false)
        let problems = comparison.results.flatMap(\.differences).map(\.difference.problem.description)
        return (problems, comparison.results.count { $0.endpoint != nil })
    }

    /// An enum that responses and requests use is open in one model and closed in another.
    @Test func anEnumThatIsOpenInOneModelDoesNotDiffer() throws {
        let result = try Self.compare(
            ##"""
            {"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://shop.test"}],
            "paths": {"/x": {"post": {"operationId": "doX", "tags": ["t"],
            "requestBody": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Req"}}}},
            "responses": {"200": {"description": "ok", "content": {"application/json": {"schema":
            {"$ref": "#/components/schemas/A"}}}}}}}},
            "components": {"schemas": {
            "E": {"type": "string", "enum": ["a", "b"]},
            "A": {"type": "object", "required": ["e"], "properties":
            {"e": {"$ref": "#/components/schemas/E"}, "n": {"type": "string"}}},
            "B": {"type": "object", "required": ["e", "after"], "properties":
            {"e": {"$ref": "#/components/schemas/E"}, "after": {"type": "string"}}},
            "Req": {"type": "object", "properties": {"a": {"$ref": "#/components/schemas/A"},
            "list": {"type": "array", "items": {"$ref": "#/components/schemas/B"}}}}}}}
            """##, OpenAndClosed.self)
        #expect(result.problems == [])
        #expect(result.count == 1)
    }

    /// Two paths that differ only by the name of a variable are two endpoints.
    @Test func pathsThatDifferInAVariablesNameAreTwoEndpoints() throws {
        func login(_ id: String, _ variable: String, _ field: String) -> String {
            #"""
            "/auth/{\#(variable)}/login": {"post": {"operationId": "\#(id)", "tags": ["t"], "parameters":
            [{"name": "\#(variable)", "in": "path", "required": true, "schema": {"type": "string"}}],
            "requestBody": {"content": {"application/json": {"schema":
            {"type": "object", "properties": {"\#(field)": {"type": "string"}}}}}},
            "responses": {"200": {"description": "ok", "content": {"application/json": {"schema":
            {"type": "object", "properties": {"token": {"type": "string"}}}}}}}}}
            """#
        }
        let result = try Self.compare(
            #"""
            {"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://shop.test"}],
            "paths": {\#(login("aLogin", "a_mount", "role")), \#(login("bLogin", "b_mount", "user"))}}
            """#, SamePaths.self)
        #expect(result.problems == [])
        #expect(result.count == 2)
    }

    /// A form without properties may have any fields. Swift code may leave it out if the document says so.
    @Test func aFormWithoutPropertiesMayHaveAnyFields() throws {
        let form = #"{"application/x-www-form-urlencoded": {"schema": {"type": "object", "properties": {}}}}"#
        let result = try Self.compare(
            #"""
            {"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://shop.test"}],
            "paths": {"/x": {
            "get": {"operationId": "find", "tags": ["t"], "requestBody": {"content": \#(form)},
            "responses": {"204": {"description": "ok"}}},
            "post": {"operationId": "save", "tags": ["t"], "requestBody": {"required": true, "content": \#(form)},
            "responses": {"204": {"description": "ok"}}}}}}
            """#, FormsOfAnyFields.self)
        #expect(result.problems == [])
        #expect(result.count == 2)
    }

    /// The Swift code has no example of a deprecated endpoint, because its use would be a warning.
    @Test func anEndpointWithoutExamplesDoesNotDiffer() throws {
        let result = try Self.compare(
            #"""
            {"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://shop.test"}],
            "paths": {"/a/{a}/b/{b}": {"get": {"operationId": "find", "tags": ["t"], "deprecated": true, "parameters": [
            {"name": "a", "in": "path", "required": true, "schema": {"type": "string"}},
            {"name": "b", "in": "path", "required": true, "schema": {"type": "string"}},
            {"name": "limit", "in": "query", "schema": {"type": "integer"}},
            {"name": "tags", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}}],
            "responses": {"204": {"description": "ok"}}}}}}
            """#, WithoutExamples.self)
        #expect(result.problems == [])
        #expect(result.count == 1)
    }

    /// A call of made-up values can be sent: no text in its path is empty.
    @Test func aMadeUpCallHasNoEmptyTextInItsPath() throws {
        let declaration = try #require(try CatalogueAPI(WithoutExamples.self).declarations().first)
        #expect(declaration.firstCall.endpoint.path.values(Coding()) == ["a", "b"])
    }

    /// A part of a form has several kinds of values, so that made-up ones do not fit all parts at once.
    @Test func aPartWithAlternativesDoesNotDiffer() throws {
        let result = try Self.compare(
            #"""
            {"openapi": "3.0.3", "info": {"title": "Shop", "version": "1"}, "servers": [{"url": "https://shop.test"}],
            "paths": {"/files": {"post": {"operationId": "save", "tags": ["t"], "requestBody": {"required": true,
            "content": {"multipart/form-data": {"schema": {"type": "object", "required": ["file", "purpose"], "properties": {
            "expand": {"type": "array", "items": {"type": "string"}},
            "file": {"type": "string"},
            "link": {"type": "object", "required": ["create"], "properties": {"create": {"type": "boolean"},
              "metadata": {"anyOf": [{"type": "object", "additionalProperties": {"type": "string"}}, {"type": "string"}]}}},
            "purpose": {"type": "string", "enum": ["icon", "logo"]}}},
            "encoding": {"expand": {"style": "form", "explode": false}}}}},
            "responses": {"204": {"description": "ok"}}}}}}
            """#, PartsWithAlternatives.self)
        #expect(result.problems == [])
        #expect(result.count == 1)
    }
}

/// The import of the document of `anEnumThatIsOpenInOneModelDoesNotDiffer`.
private enum OpenAndClosed: API {
    case doX(Req?)

    static let api = APIInfo(name: "shop.t", summary: "T", servers: [Server("production", url: "https://shop.test")])
    static let examples: [OpenAndClosed] = []
    static let placeholders: [OpenAndClosed] = [.doX(Req())]

    var endpoint: Endpoint {
        switch self {
        case .doX(let body):
            return .post("/x", body: body.map { Body.json($0) }, returns: A.self, summary: "Do x")
        }
    }

    struct Req: Codable, Sendable {
        var a: A?
        var list: [B]?
    }

    struct A: Codable, Sendable {
        var e: OpenEnum<E>
        var n: String?
    }

    struct B: Codable, Sendable {
        var e: E
        var after: String
    }

    enum E: String, Codable, CaseIterable, Sendable {
        case a
        case b
    }
}

/// The import of the document of `pathsThatDifferInAVariablesNameAreTwoEndpoints`.
private enum SamePaths: API {
    case aLogin(aMount: String, ALoginT?)
    case bLogin(bMount: String, BLoginT?)

    static let api = APIInfo(name: "shop.t", summary: "T", servers: [Server("production", url: "https://shop.test")])
    static let examples: [SamePaths] = []
    static let placeholders: [SamePaths] = [
        .aLogin(aMount: "aMount", ALoginT()), .bLogin(bMount: "bMount", BLoginT()),
    ]

    var endpoint: Endpoint {
        switch self {
        case .aLogin(let aMount, let body):
            return .post(
                "/auth/\(aMount)/login", body: body.map { Body.json($0) }, returns: Login.self, summary: "A login")
        case .bLogin(let bMount, let body):
            return .post(
                "/auth/\(bMount)/login", body: body.map { Body.json($0) }, returns: Login.self, summary: "B login")
        }
    }

    struct ALoginT: Codable, Sendable {
        var role: String?
    }

    struct BLoginT: Codable, Sendable {
        var user: String?
    }

    struct Login: Decodable, Sendable {
        let token: String?
    }
}

/// The import of the document of `aFormWithoutPropertiesMayHaveAnyFields`.
private enum FormsOfAnyFields: API {
    case find(body: [String: JSONValue]?)
    case save(body: [String: JSONValue])

    static let api = APIInfo(name: "shop.t", summary: "T", servers: [Server("production", url: "https://shop.test")])
    static let examples: [FormsOfAnyFields] = []
    static let placeholders: [FormsOfAnyFields] = [.find(body: [:]), .save(body: [:])]

    var endpoint: Endpoint {
        switch self {
        case .find(let body):
            return Endpoint(
                "GET", "/x", body: body.map { Body.form(Endpoint.Query($0)) }, returns: EmptyResponse.self,
                summary: "Find")
        case .save(let body):
            return .post(
                "/x", body: .form(Endpoint.Query(body)), returns: EmptyResponse.self, summary: "Save")
        }
    }
}

/// The import of the document of `anEndpointWithoutExamplesDoesNotDiffer`.
private enum WithoutExamples: API {
    case find(a: String, b: String, limit: Int?, tags: [String]?)

    static let api = APIInfo(name: "shop.t", summary: "T", servers: [Server("production", url: "https://shop.test")])
    static let examples: [WithoutExamples] = []

    var endpoint: Endpoint {
        switch self {
        case .find(let a, let b, let limit, let tags):
            return .get(
                "/a/\(a)/b/\(b)", query: ["limit": limit, "tags": tags], returns: EmptyResponse.self, summary: "Find")
        }
    }
}

/// The import of the document of `aPartWithAlternativesDoesNotDiffer`.
private enum PartsWithAlternatives: API {
    case save(SaveT)

    static let api = APIInfo(name: "shop.t", summary: "T", servers: [Server("production", url: "https://shop.test")])
    static let examples: [PartsWithAlternatives] = []
    static let placeholders: [PartsWithAlternatives] = [
        .save(SaveT(expand: ["expand"], file: "file", link: Link(create: false), purpose: .icon))
    ]

    var endpoint: Endpoint {
        switch self {
        case .save(let body):
            return .post(
                "/files",
                body: .multipart(
                    [Part?]([
                        body.expand.map { Part.field("expand", $0.joined(separator: ",")) }, .field("file", body.file),
                        body.link.map { Part.json("link", $0) }, .field("purpose", body.purpose.rawValue),
                    ]).compactMap(\.self)),
                returns: EmptyResponse.self, summary: "Save")
        }
    }

    struct SaveT: Codable, Sendable {
        var expand: [String]?
        var file: String
        var link: Link?
        var purpose: Purpose
    }

    struct Link: Codable, Sendable {
        var create: Bool
        var metadata: Metadata?
    }

    enum Metadata: Codable, Sendable {
        case object([String: String])
        case string(String)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let value = try? container.decode([String: String].self) {
                self = .object(value)
            } else {
                self = .string(try container.decode(String.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .object(let value): try value.encode(to: encoder)
            case .string(let value): try value.encode(to: encoder)
            }
        }
    }

    enum Purpose: String, Codable, CaseIterable, Sendable {
        case icon
        case logo
    }
}
