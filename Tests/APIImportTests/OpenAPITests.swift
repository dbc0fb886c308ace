import APIImport
import EndpointKit
import JSONText
import Testing

/// OpenAPI documents, and the Swift that is made of them.
@Suite struct OpenAPITests {
    /// The imported document; `others` are files beside it.
    private static func imported(
        _ document: String, options: ImportChoices = ImportChoices(), others: [String: String] = [:]
    ) throws -> OpenAPIImport {
        try SmallDocument.imported(document, options: options, others: others)
    }

    /// A document with these paths and schemas.
    private static func document(_ paths: String, schemas: String = "", more: String = "") -> String {
        SmallDocument.text(paths, schemas: schemas, more: more)
    }

    private static func text(_ imported: OpenAPIImport, _ file: String) -> String {
        imported.files.first { $0.path == file }?.text ?? ""
    }

    /// The lines of models that tell a type.
    private static func models(_ imported: OpenAPIImport) -> String {
        let files = imported.files.filter { $0.path.hasPrefix("Models/") }.map(\.text)
        let lines = files.joined().split(separator: "\n").map { String($0.drop { $0 == " " }) }
        let starts = [
            "public let ", "public var ", "public struct ", "public enum ", "public final class ", "case ",
        ]
        let told = lines.filter { line in
            starts.contains { line.hasPrefix($0) } && !line.hasSuffix(":") && !line.contains("self = ")
        }
        return told.map { $0.replacing("public ", with: "").replacing(", Sendable {", with: "") }
            .joined(separator: "; ")
    }

    /// A schema of the property `a` of an item that is received, and the lines of the models.
    @Test(arguments: [
        (#"{"type": "string"}"#, "let a: String?"),
        (#"{"type": "string", "format": "date-time"}"#, "let a: Date?"),
        (#"{"type": "string", "format": "uuid"}"#, "let a: String?"),
        (#"{"type": "integer", "format": "int64"}"#, "let a: Int?"),
        (#"{"type": "number"}"#, "let a: Double?"),
        (#"{"type": "array", "items": {"type": "boolean"}}"#, "let a: [Bool]?"),
        (#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, "let a: [String: Int]?"),
        (#"{"patternProperties": {"^x": {"type": "integer"}}, "type": "object"}"#, "let a: [String: Int]?"),
        (#"{"type": "object"}"#, "let a: [String: JSONValue]?"), (#"{}"#, "let a: JSONValue?"),
        (#"true"#, "let a: JSONValue?"), (#"false"#, "let a: JSONValue?"),
        // Five spellings of null.
        (#"{"type": "integer", "nullable": true}"#, "let a: Int?"),
        (#"{"type": ["integer", "null"]}"#, "let a: Int?"),
        (#"{"oneOf": [{"type": "integer"}, {"type": "null"}]}"#, "let a: Int?"),
        (
            #"{"type": "integer", "enum": [1, -2, null]}"#,
            "let a: OpenEnum<A>?; enum A: Int, Codable, CaseIterable; case value1 = 1; case minus2 = -2"
        ),
        (#"{"anyOf": [{"type": "integer"}, {"nullable": true}]}"#, "let a: Int?"),
        // Enums stay open in responses; one value tells nothing.
        (
            #"{"enum": ["on", "off", "stand-by"]}"#,
            #"let a: OpenEnum<A>?; enum A: String, Codable, CaseIterable; case on; case off; case standBy = "stand-by""#
        ),
        (
            #"{"allOf": [{"type": "string"}, {"enum": ["x", "y", "z"]}, {"enum": ["z", "y"]}]}"#,
            "let a: OpenEnum<A>?; enum A: String, Codable, CaseIterable; case y; case z"
        ),
        (#"{"const": "on"}"#, "let a: String?"), (#"{"enum": ["on"]}"#, "let a: String?"),
        (
            #"{"enum": ["", "on"]}"#,
            #"let a: OpenEnum<A>?; enum A: String, Codable, CaseIterable; case empty = ""; case on"#
        ),
        (#"{"anyOf": [{"enum": [1, 2], "type": "integer"}, {"type": "integer"}]}"#, "let a: Int?"),
        (
            #"{"anyOf": [{"enum": [1, 2], "type": "integer"}, {"enum": [2, 3], "type": "integer"}]}"#,
            "let a: OpenEnum<A>?; enum A: Int, Codable, CaseIterable; case value1 = 1; case value2 = 2; case value3 = 3"
        ),
        (#"{"anyOf": [{"enum": ["x", "y"]}, {"type": "string"}]}"#, "let a: String?"),
        (
            #"{"enum": [1, 2]}"#,
            "let a: OpenEnum<A>?; enum A: Int, Codable, CaseIterable; case value1 = 1; case value2 = 2"
        ),
        (
            #"{"oneOf": [{"const": 1}, {"const": 2.0}]}"#,
            "let a: OpenEnum<A>?; enum A: Int, Codable, CaseIterable; case value1 = 1; case value2 = 2"
        ),
        (
            #"{"type": "string", "enum": [1, true], "example": 1}"#,
            #"let a: OpenEnum<A>?; enum A: String, Codable, CaseIterable; case value1 = "1"; case `true`"#
        ),
        (
            #"{"type": "integer", "enum": ["1", 2], "example": "2"}"#,
            "let a: OpenEnum<A>?; enum A: Int, Codable, CaseIterable; case value1 = 1; case value2 = 2"
        ),
        (#"{"type": "integer", "enum": [1, 9223372036854775808]}"#, "let a: Double?"),
        (#"{"enum": [{"a": 1}, {"a": 2}]}"#, "let a: [String: JSONValue]?"),
        // Objects: one of several is itself, several are merged, equal ones are one.
        (
            ##"{"allOf": [{"$ref": "#/components/schemas/Tag"}]}"##,
            "let a: Tag?; struct Tag: Decodable; let id: Int; let name: String?"
        ),
        (
            ##"{"allOf": [{"$ref": "#/components/schemas/Tag"}, {"properties": {"x": {"type": "string"}}, "required": ["name"]}]}"##,
            "let a: A?; struct A: Decodable; let id: Int; let name: String; let x: String?"
        ),
        (
            ##"{"allOf": [{"$ref": "#/components/schemas/Tag"}], "required": ["name"]}"##,
            "let a: A?; struct A: Decodable; let id: Int; let name: String"
        ),
        (
            ##"{"allOf": [{"$ref": "#/components/schemas/Tag"}, {"required": ["name"]}]}"##,
            "let a: A?; struct A: Decodable; let id: Int; let name: String"
        ),
        (
            #"{"properties": {"b": {"properties": {"x": {"type": "string"}}}, "c": {"properties": {"x": {"type": "string"}}}}}"#,
            "let a: A?; struct A: Decodable; let b: B?; let c: B?; struct B: Decodable; let x: String?"
        ),
        // By kind.
        (
            ##"{"anyOf": [{"type": "string"}, {"$ref": "#/components/schemas/Tag"}]}"##,
            "let a: A?; struct Tag: Decodable; let id: Int; let name: String?; enum A: Decodable; case object(Tag); case string(String)"
        ),
        (#"{"oneOf": [{"type": "integer"}, {"type": "number"}]}"#, "let a: Double?"),
        (
            #"{"type": ["string", "array"], "items": {"type": "string"}}"#,
            "let a: A?; enum A: Decodable; case array([String]); case string(String)"
        ),
        (
            #"{"type": ["object", "string"], "properties": {"x": {"type": "string"}}}"#,
            "let a: A?; enum A: Decodable; case object(AObject); case string(String); struct AObject: Decodable; let x: String?"
        ),
        // An example that contradicts a schema changes nothing.
        (
            ##"{"allOf": [{"$ref": "#/components/schemas/Tag"}], "example": {"id": null}}"##,
            "let a: Tag?; struct Tag: Decodable; let id: Int; let name: String?"
        ),
        (
            ##"{"type": "array", "items": {"$ref": "#/components/schemas/Shown"}}"##,
            "let a: [Shown]?; struct Shown: Decodable; let n: Int?"
        ),
        // By a constant, by a discriminator, by keys; else JSON.
        (
            #"{"oneOf": [{"properties": {"kind": {"const": "cat"}, "m": {"type": "string"}}}, {"properties": {"kind": {"const": "dog"}, "w": {"type": "string"}}}]}"#,
            "let a: A?; enum A: Decodable; case cat(CatA); case dog(DogA); case unknown(JSONValue); case kind; struct CatA: Decodable; let kind: String?; let m: String?; struct DogA: Decodable; let kind: String?; let w: String?"
        ),
        (
            ##"{"oneOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Tag"}], "discriminator": {"propertyName": "t", "mapping": {"c": "#/components/schemas/Cat"}}}"##,
            "let a: A?; struct Cat: Decodable; let meow: String; struct Tag: Decodable; let id: Int; let name: String?; enum A: Decodable; case c(Cat); case tag(Tag); case unknown(JSONValue); case t"
        ),
        (
            ##"{"anyOf": [{"$ref": "#/components/schemas/Cat"}, {"$ref": "#/components/schemas/Tag"}]}"##,
            "let a: A?; struct Cat: Decodable; let meow: String; struct Tag: Decodable; let id: Int; let name: String?; enum A: Decodable; case cat(Cat); case tag(Tag)"
        ),
        (
            ##"{"anyOf": [{"properties": {"x": {"type": "string"}}}, {"properties": {"y": {"type": "string"}}}]}"##,
            "let a: JSONValue?"
        ),
        // What holds itself is a class; a list between suffices.
        (##"{"$ref": "#/components/schemas/Node"}"##, "let a: Node?; final class Node: Decodable; let next: Node?"),
        (##"{"$ref": "#/components/schemas/Tree"}"##, "let a: Tree?; struct Tree: Decodable; let children: [Tree]?"),
        (##"{"$ref": "#/components/schemas/Loop"}"##, "let a: [JSONValue]?"),
        (
            ##"{"$ref": "#/components/schemas/Ring"}"##,
            "let a: Ring?; final class Ring: Decodable; let to: Arc?; final class Arc: Decodable; let back: Ring?; let end: Cat?; struct Cat: Decodable; let meow: String"
        ),
    ])
    func types(schema: String, expected: String) throws {
        let schemas = ##"""
            "Item": {"properties": {"a": \##(schema)}},
            "Tag": {"properties": {"id": {"type": "integer"}, "name": {"type": "string"}}, "required": ["id"]},
            "Cat": {"properties": {"meow": {"type": "string"}}, "required": ["meow"]},
            "Shown": {"properties": {"n": {"type": "integer"}}, "example": {"n": "text"}},
            "Node": {"properties": {"next": {"$ref": "#/components/schemas/Node"}}},
            "Tree": {"properties": {"children": {"type": "array", "items": {"$ref": "#/components/schemas/Tree"}}}},
            "Loop": {"type": "array", "items": {"$ref": "#/components/schemas/Loop"}},
            "Ring": {"properties": {"to": {"$ref": "#/components/schemas/Arc"}}},
            "Arc": {"properties": {"back": {"$ref": "#/components/schemas/Ring"}, "end": {"$ref": "#/components/schemas/Cat"}}}
            """##
        let path =
            ##""/items/{id}": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/Item"}}}}}}}"##
        let imported = try Self.imported(Self.document(path, schemas: schemas))
        #expect(Self.models(imported) == "struct Item: Decodable; " + expected)
    }

    /// Up to 200 types of objects are told apart by their required keys, and any number by a tag.
    @Test(arguments: [(200, true), (201, false)])
    func objectsAreToldApartByKeysUpToALimit(count: Int, areTold: Bool) throws {
        func list(_ text: (Int) -> String) -> String { (0..<count).map(text).joined(separator: ", ") }
        let keys = list { #"{"required": ["k\#($0)"], "properties": {"k\#($0)": {"type": "integer"}}}"# }
        let tags = list { #"{"properties": {"tag": {"const": "t\#($0)"}, "k\#($0)": {"type": "integer"}}}"# }
        let content = #"{"content": {"application/json": {"schema": {"properties": {"keys": {"oneOf": [\#(keys)]}, "#
        let more = #""tags": {"oneOf": [\#(tags)]}, \#(list { #""e\#($0)": {"enum": ["x", "y\#($0)"]}"# })}}}}}"#
        let path = #""/items/{id}": {"get": {"responses": {"200": \#(content + more)}}}"#
        let models = Self.models(try Self.imported(Self.document(path)))
        #expect(
            models.hasPrefix("struct Item: Decodable; let keys: \(areTold ? "Keys" : "JSONValue")?; let tags: Tags?"))
    }

    /// An operation of `/items/{id}`, its case, and its declaration.
    @Test(arguments: [
        (
            #""get": {"operationId": "getItem"}"#, "get(id: String)",
            #"return .get("/items/\(id)", returns: EmptyResponse.self, summary: "Get")"#
        ),
        (
            #""get": {"operationId": "find", "summary": "Finds\nit", "parameters": [{"name": "id", "in": "path", "schema": {"type": "integer"}}, {"name": "page-size", "in": "query", "required": true, "description": "How many. At most 50.", "schema": {"type": "integer"}}]}"#,
            "find(id: Int, pageSize: Int)",
            #"return .get("/items/\(id)", query: ["page-size": pageSize], returns: EmptyResponse.self, summary: "Finds it", notes: ["pageSize": "How many. At most 50."])"#
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "ids", "in": "query", "explode": false, "schema": {"type": "array", "items": {"type": "integer"}}}, {"name": "tags", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}}]}"#,
            "find(id: String, ids: [Int]?, tags: [String]?)", #"query: ["ids": ids?.joined(by: ","), "tags": tags]"#
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "tags", "in": "query", "style": "pipeDelimited", "explode": true, "schema": {"type": "array", "items": {"type": "string"}}}]}"#,
            "find(id: String, tags: [String]?)", #"query: ["tags": tags]"#
        ),
        (
            #""post": {"responses": {"200": {"content": {"application/json": {"schema": {"type": "string"}}}}, "201": {"content": {"application/json": {"schema": {"type": "integer"}}}}, "202": {"content": {"application/json": {"schema": {"type": "string"}}}}}}"#,
            "update(id: String)", "// import: the response of status 201 is of another type case"
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "expand", "in": "query", "style": "deepObject", "explode": true, "schema": {"type": "array", "items": {"type": "string"}}}, {"name": "limit", "in": "query", "schema": {"type": "integer"}}]}"#,
            "find(id: String, expand: [String]?, limit: Int?)", #"query: .indexed(["expand": expand, "limit": limit])"#
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "sort", "in": "query", "schema": {"enum": ["asc", "desc"]}}, {"name": "X-Mode", "in": "header", "schema": {"type": "boolean"}}, {"name": "c", "in": "cookie"}]}"#,
            "find(id: String, sort: Sort?, xMode: Bool?)",
            #"query: ["sort": sort], headers: ["X-Mode": xMode.map { "\($0)" }]"#
        ),
        (
            #""put": {"requestBody": {"required": true, "content": {"application/json": {"schema": {"properties": {"name": {"type": "string"}, "at": {"type": "integer", "readOnly": true}}, "required": ["name", "at"]}}}}}"#,
            "update(id: String, UpdateItem)",
            #"return .put("/items/\(id)", body: .json(body), returns: EmptyResponse.self, summary: "Update")"#
        ),
        (
            #""patch": {"requestBody": {"content": {"application/merge-patch+json": {"schema": {"type": "object", "additionalProperties": {"type": "string"}}}}}}"#,
            "update(id: String, body: [String: String]?)",
            #"headers: ["Content-Type": "application/merge-patch+json"], body: body.map { Body.json($0) }"#
        ),
        (
            #""post": {"requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {"schema": {"properties": {"a": {"type": "string"}}}}}}}"#,
            "update(id: String, UpdateItem)", "body: .form(Endpoint.Query(body))"
        ),
        (
            #""post": {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {"enum": ["x", "y"]}}}}}"#,
            "update(id: String)", "returns: EmptyResponse.self"
        ),
        (
            #""post": {"requestBody": {"required": true, "content": {"multipart/form-data": {"schema": {"required": ["file"], "properties": {"file": {"type": "string", "format": "binary"}, "n": {"type": "integer"}}}}}}}"#,
            "update(id: String, UpdateItem)",
            #"body: .multipart([Part?]([.file("file", path: body.file), body.n.map { Part.field("n", "\($0)") }]).compactMap(\.self))"#
        ),
        (
            #""post": {"requestBody": {"content": {"multipart/form-data": {"schema": {"required": ["n"], "properties": {"n": {"type": "integer"}, "tags": {"type": "array", "items": {"enum": ["x", "y"]}}, "files": {"type": "array", "items": {"type": "string", "format": "binary"}}, "at": {"type": "string", "format": "date-time"}}}}}}}"#,
            "update(id: String, UpdateItem?)",
            #"body: .multipart([Part?]([(body?.n).map { Part.field("n", "\($0)") }, (body?.at).map { Part.field("at", $0.parameterText(Coding())) }]).compactMap(\.self) + (body?.tags ?? []).map { Part.field("tags", $0.rawValue) } + (body?.files ?? []).map { Part.file("files", path: $0) })"#
        ),
        (
            #""post": {"requestBody": {"required": true, "content": {"text/csv": {"schema": {"type": "string"}}}}}"#,
            "update(id: String, body: String)", #"body: .text(body, contentType: "text/csv")"#
        ),
        (
            #""post": {"requestBody": {"content": {"image/png": {}}}, "responses": {"200": {"content": {"image/png": {}}}}}"#,
            "update(id: String, content: [UInt8]?)",
            #"body: content.map { Body.data($0, contentType: "image/png") }, returns: RawResponse.self"#
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "a0", "in": "query", "schema": {"type": "string"}}]}"#,
            "find(id: String, a0Value: String?)", #"query: ["a0": a0Value]"#
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "m", "in": "query", "example": "none", "schema": {"enum": ["none", "all"]}}]}"#,
            "find(id: String, m: M?)", #"[.find(id: "id", m: .noneValue)]"#
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "auth", "in": "query", "required": true, "example": "basic", "schema": {"enum": ["none", "basic"]}}]}"#,
            "find(id: String, auth: Auth)", #"[.find(id: "id", auth: .basic)]"#
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "f", "in": "query", "explode": false, "schema": {"type": "array", "items": {"properties": {"x": {"type": "string"}}}}}]}"#,
            "find(id: String, f: [F]?)", "// import: the elements of 'f' are sent each as an item // import"
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "id", "in": "path", "example": "i"}, {"name": "api_key", "in": "query", "example": "s3cret"}]}"#,
            "find(id: String, apiKey: String?)", #"examples: [Items] = [.find(id: "i", apiKey: nil)]"#
        ),
        (
            #""put": {"requestBody": {"required": true, "content": {"application/json": {"example": {"note": "n", "password": "s3cret"}, "schema": {"properties": {"note": {"type": "string"}, "password": {"type": "string"}}, "required": ["password"]}}}}}"#,
            "update(id: String, UpdateItem)", #"UpdateItem(note: "n", password: "password")"#
        ),
        // Examples of properties; what there must be is one of those listed.
        (
            #""post": {"requestBody": {"required": true, "content": {"application/json": {"schema": {"required": ["c", "d"], "properties": {"c": {"enum": ["only"]}, "d": {"type": "string", "default": "e"}, "n": {"type": "integer", "example": 7}, "o": {"type": "integer", "default": 1}, "r": {"type": "integer", "readOnly": true, "example": 1}, "x": {"type": "array", "items": {"type": "string"}, "examples": [["y"]]}}}}}}}"#,
            "update(id: String, UpdateItem)", #"UpdateItem(c: "only", d: "e", n: 7, x: ["y"])"#
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "on", "in": "query", "required": true, "schema": {"const": "yes"}}]}"#,
            "find(id: String, on: String)", #"[.find(id: "id", on: "yes")]"#
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "id", "in": "path", "schema": {"type": "integer", "enum": [1, 2]}, "example": 2}, {"name": "X-A", "in": "header", "schema": {"type": "integer", "enum": [1, 3]}}, {"name": "X-B", "in": "header", "required": true, "schema": {"type": "array", "items": {"type": "integer", "enum": [1, 3]}}}]}"#,
            "find(id: ID, xA: XA?, xB: [XB])",
            #"return .get("/items/\(id.rawValue)", headers: ["X-A": xA.map { "\($0.rawValue)" }, "X-B": xB.map { "\($0.rawValue)" }.joined(separator: ",")]"#
        ),
        (
            #""post": {"requestBody": {"required": true, "content": {"text/\"x\\y\"": {}}}}"#,
            "update(id: String, body: String)", #"body: .text(body, contentType: "text/xy")"#
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "p-0", "in": "query", "schema": {"type": "integer"}}, {"name": "p-1", "in": "query", "schema": {"type": "integer"}}, {"name": "p-2", "in": "query", "schema": {"type": "integer"}}, {"name": "p-3", "in": "query", "schema": {"type": "integer"}}, {"name": "p-4", "in": "query", "schema": {"type": "integer"}}, {"name": "p-5", "in": "query", "schema": {"type": "integer"}}, {"name": "p-6", "in": "query", "schema": {"type": "integer"}}, {"name": "p-7", "in": "query", "schema": {"type": "integer"}}, {"name": "X-Mode", "in": "header", "schema": {"type": "string"}}]}"#,
            "find(id: String, xMode: String?, FindItemQuery)",
            #"return .get("/items/\(id)", query: Endpoint.Query(query), headers: ["X-Mode": xMode]"#
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "X-Any", "in": "header"}, {"name": "X-Tags", "in": "header", "schema": {"type": "array", "items": {"type": "string"}}}]}"#,
            "find(id: String, xAny: String?, xTags: [String]?)",
            #"headers: ["X-Any": xAny, "X-Tags": xTags?.joined(separator: ",")]"#
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "s", "in": "query", "schema": {"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}}]}"#,
            "find(id: String, s: S?)", #"query: ["s": s]"#
        ),
        (
            #""get": {"operationId": "find", "parameters": [{"name": "s", "in": "query", "schema": {"oneOf": [{"type": "string"}, {"properties": {"x": {"type": "string"}}}]}}, {"name": "o", "in": "query", "style": "pipeDelimited", "schema": {"properties": {"x": {"type": "string"}}}}]}"#,
            "find(id: String, s: S?, o: O?)",
            "// import: 's' is sent with its name, and with brackets if it is an object // import: 'o' is sent with"
        ),
        (
            #""post": {"requestBody": {"content": {"application/x-www-form-urlencoded": {"encoding": {"a": {"explode": false}, "j": {"contentType": "application/json"}}, "schema": {"properties": {"a": {"type": "array", "items": {"type": "string"}}, "b": {"type": "array", "items": {"type": "string"}}, "j": {"properties": {"x": {"type": "string"}}}}}}}}}"#,
            "update(id: String, UpdateItem?)",
            #"body: body.map { Body.form(["a": $0.a?.joined(by: ","), "b": $0.b, "j": $0.j]) }"#
        ),
        (
            #""post": {"requestBody": {"content": {"application/x-www-form-urlencoded": {"encoding": {"o": {"style": "deepObject"}}, "schema": {"properties": {"a": {"type": "array", "items": {"type": "string"}}, "o": {"properties": {"x": {"type": "string"}}}}}}}}}"#,
            "update(id: String, UpdateItem?)",
            #"body: body.map { Body.form(["a": $0.a] + Endpoint.Query.indexed(["o": $0.o])) }"#
        ),
        (
            ##""put": {"requestBody": {"required": true, "content": {"application/json": {"schema": {"oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}]}}}}, "responses": {"200": {"content": {"application/json": {"schema": {"type": "array", "items": {"oneOf": [{"properties": {"p": {}}}, {"properties": {"q": {}}}]}}}}}}}"##,
            "update(id: String, body: JSONValue)",
            "// import: the body is any JSON: one of A, B // import: the response holds any JSON: one of 2 kinds of object case"
        ),
        (
            #""get": {"responses": {"200": {"content": {"application/json": {"schema": {}}}}}}"#, "get(id: String)",
            "// import: the path's 'id' is not described case get(id: String)"
        ),
        (#""trace": {}"#, "trace(id: String)", #"return Endpoint("TRACE", "/items/\(id)","#),
        (#""head": {}"#, "head(id: String)", #"return .head("/items/\(id)", summary: "Head")"#),
    ])
    func operations(operation: String, declaration: String, arm: String) throws {
        let text = Self.document(
            "\"/items/{id}\": {\(operation)}",
            schemas: #""A": {"properties": {"p": {}}}, "B": {"properties": {"q": {}}}"#)
        let imported = try Self.imported(text)
        let file = Self.text(imported, "Items.swift")
        let lines = file.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.contains { $0 == "case \(declaration)" }, "\(file)")
        // As one line, whatever its layout.
        let joined = lines.joined(separator: " ").replacing("( ", with: "(").replacing("[ ", with: "[").replacing(
            ", ]", with: "]"
        )
        .replacing(" ]", with: "]")
        #expect(joined.contains(arm), "\(file)")
    }

    /// The credentials of an operation, beside another operation that has those of the document.
    @Test(arguments: [
        (#"[{"key": []}]"#, #"credentials: [.query("api_key", variable: "SHOP_KEY")]"#), ("[]", "credentials: []"),
        (
            #"[{"key": []}, {"login": []}, {}]"#,
            #".query("api_key", variable: "SHOP_KEY") .or(.basic(userVariable: "SHOP_LOGIN_USER", passwordVariable: "SHOP_LOGIN_PASSWORD")) .optional"#
        ),
    ])
    func credentials(security: String, arm: String) throws {
        let schemes =
            #"{"token": {"type": "http", "scheme": "bearer"}, "login": {"type": "http", "scheme": "basic"}, "key": {"type": "apiKey", "in": "query", "name": "api_key"}}"#
        let imported = try Self.imported(
            Self.document(#""/items": {"get": {"security": \#(security)}, "put": {}}"#).replacing(
                #""components": {"#,
                with: #""security": [{"token": []}], "components": {"securitySchemes": \#(schemes), "#))
        let text = imported.endpoints[0].arm.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains(arm), "\(text)")
        #expect(!imported.endpoints[1].arm.contains("credentials"))
        #expect(Self.text(imported, "Shop.swift").contains(#"[.bearer(variable: "SHOP_TOKEN")]"#))
    }

    /// An example of which a part is made up is only a signature.
    @Test(arguments: [
        (#"{"type": "integer"}"#, "", false), (#"{"type": "integer"}"#, #", "example": 2"#, true),
        (#"{"enum": ["a", "b"]}"#, "", true), (#"{"enum": ["a", "b"]}"#, #", "example": "c""#, false),
        (#"{"type": "array", "items": {"type": "integer"}}"#, "", false),
        (#"{"type": "array", "items": {"type": "integer"}}"#, #", "example": [1]"#, true),
        (#"{"type": "string"}"#, #", "example": "ghp_0123456789abcdefghijABCDEFGHIJ012345""#, false),
        (
            #"{"anyOf": [{"type": "array", "items": {"type": "string"}}, {"properties": {"a": {}}}]}"#,
            #", "example": 1"#, false
        ),
    ])
    func examples(schema: String, example: String, isReal: Bool) throws {
        let parameter = #"{"name": "p", "in": "query", "required": true, "schema": \#(schema)\#(example)}"#
        let imported = try Self.imported(Self.document(#""/items": {"get": {"parameters": [\#(parameter)]}}"#))
        #expect(Self.text(imported, "Items.swift").contains("static let placeholders: ") != isReal)
        #expect(!Self.text(imported, "Items.swift").contains("ghp_"))
    }

    /// Values of bodies, as far as a document gives them. A call with a body writes, and is never an example.
    @Test(arguments: [
        (#"{"type": "object", "properties": {"n": {"type": "integer", "example": 1}}}"#, "", "CreateItem(n: 1)"),
        ("{}", #", "example": {"a": 1}"#, #"body: ["a": 1]"#),
        (
            #"{"type": "object", "additionalProperties": {"type": "string"}}"#,
            #", "example": {"PASSWORD": "s3cretword"}"#, "body: "
        ),
        (
            String(repeating: #"{"required": ["a"], "properties": {"a": "#, count: 9) + #"{"type": "integer"}"#
                + String(repeating: "}}", count: 9), "", "CreateItem(a: A"
        ),
    ])
    func valuesOfBodies(schema: String, example: String, value: String) throws {
        let content = #"{"application/json": {"schema": \#(schema)\#(example)}}"#
        let body = #""requestBody": {"required": true, "content": \#(content)}"#
        let imported = try Self.imported(Self.document(#""/items": {"post": {\#(body)}}"#))
        let text = Self.text(imported, "Items.swift")
        let placeholders = text.split(separator: "static let placeholders: ").last ?? ""
        #expect(
            placeholders.split(whereSeparator: \.isWhitespace).joined().contains(value.filter { $0 != " " }), "\(text)")
        #expect(text.contains("static let examples: [Items] = []") && !text.contains("s3cretword"))
    }

    /// An example that contradicts its schema changes no type.
    @Test(arguments: [
        (#"{"type": "integer", "example": 1.5}"#, "Int"), (#"{"type": "integer", "example": "x"}"#, "Int"),
        (#"{"type": "string", "format": "date-time", "example": "soon"}"#, "Date"),
        (#"{"type": "boolean", "example": "maybe"}"#, "Bool"),
        (#"{"type": "array", "items": {"type": "integer"}, "example": ["x"]}"#, "[Int]"),
        (#"{"type": "object", "additionalProperties": {"type": "boolean"}, "example": {"k": 1}}"#, "[String: Bool]"),
        (#"{"type": "integer", "examples": [1, 2.5]}"#, "Int"),
    ])
    func contradictions(schema: String, type: String) throws {
        let body =
            #""requestBody": {"content": {"application/json": {"schema": {"properties": {"p": \#(schema)}}}}}"#
        let query = #""parameters": [{"name": "q", "in": "query", "schema": \#(schema)}]"#
        let imported = try Self.imported(Self.document(#""/items": {"post": {\#(query), \#(body)}}"#))
        #expect(Self.models(imported) == "struct CreateItem: Codable; var p: \(type)?")
        #expect(Self.text(imported, "Items.swift").contains("q: \(type)?"))
    }

    /// A schema, the members beside it, and the type of the response: an enum is open, and examples change nothing.
    @Test(arguments: [
        (##"{"$ref": "#/components/schemas/Direction"}"##, "", "OpenEnum<Direction>"),
        (##"{"type": "array", "items": {"$ref": "#/components/schemas/Direction"}}"##, "", "[OpenEnum<Direction>]"),
        (
            ##"{"additionalProperties": {"$ref": "#/components/schemas/Direction"}}"##, "",
            "[String: OpenEnum<Direction>]"
        ),
        (#"{"type": "integer"}"#, #", "example": "abc""#, "Int"),
        (#"{"type": "string"}"#, #", "example": null"#, "String"),
        (#"{"type": "array", "items": {"type": "integer"}}"#, #", "example": ["1"]"#, "[Int]"),
        (#"{"type": "array", "items": {"type": "integer"}}"#, #", "example": "[1]""#, "[Int]"),
    ])
    func responses(schema: String, example: String, type: String) throws {
        let responses = #"{"200": {"content": {"application/json": {"schema": \#(schema)\#(example)}}}}"#
        let imported = try Self.imported(
            Self.document(
                #""/items": {"get": {"responses": \#(responses)}}"#,
                schemas: #""Direction": {"enum": ["up", "down"]}"#))
        #expect(imported.endpoints[0].arm.contains("returns: \(type).self"), "\(imported.endpoints[0].arm)")
    }

    /// Methods of all versions are imported. A path that can't be one has a note.
    @Test func methodsOfAllVersionsAreImported() throws {
        let imported = try Self.imported(
            Self.document(
                ##""pets": {"get": {}}, "x-y": {"get": {}}, "/r": {"$ref": "#/components/schemas/R"}, "##
                    + #""/a": {"post": {}, "query": {}, "additionalOperations": {"COPY": {}}, "x-link": {"x-apictl-endpoints": []}, "x-z": {}}"#,
                schemas: #""R": {"get": {}}"#
            ).replacing("3.1.0", with: "3.2.0"))
        #expect(
            imported.endpoints.map { "\($0.method) \($0.path)" }
                == ["GET /r", "POST /a", "QUERY /a", "COPY /a", "LINK /a"])
        #expect(imported.notes.contains { $0.contains("expected a path that starts with '/', found 'pets'") })
    }

    @Test func valuesBeyondIntAreNoEnum() throws {
        let schema = #"{"type": "integer", "enum": [1, 9223372036854775808]}"#
        let content = #"{"200": {"content": {"application/json": {"schema": \#(schema)}}}}"#
        let imported = try Self.imported(Self.document(#""/items": {"get": {"responses": \#(content)}}"#))
        #expect(imported.loose.map(\.reason) == ["its listed values do not all fit an Int"])
    }

    @Test func longValuesAreNoEnum() throws {
        let long = String(repeating: "x", count: 81)
        let schema = #"{"enum": ["\#(long)", "y"]}"#
        let content = #"{"200": {"content": {"application/json": {"schema": \#(schema)}}}}"#
        let imported = try Self.imported(Self.document(#""/items": {"get": {"responses": \#(content)}}"#))
        #expect(imported.loose.map(\.reason) == ["its listed values are too many or too long for an enum"])
    }

    /// A PATCH request can send null for a field, and its optional body is part of the example.
    @Test func bodiesOfPatchRequestsCanSendNull() throws {
        let body =
            #""requestBody": {"content": {"application/json": {"schema": {"properties": {"note": {"type": ["string", "null"]}, "x": {"type": "string"}}, "additionalProperties": true}}}}"#
        let imported = try Self.imported(Self.document(#""/items/{id}": {"patch": {\#(body)}}"#))
        #expect(
            Self.models(imported) == "struct UpdateItem: Codable; var note: Nullable<String>?; var x: String?; "
                + "var additionalProperties: [String: JSONValue]; case note; case x")
        #expect(
            Self.text(imported, "Items.swift").contains(
                #"placeholders: [Items] = [.update(id: "id", UpdateItem())]"#))
        #expect(imported.loose.map(\.reason) == [])
    }

    /// What must be there and may be null is sent as null, but not in parts; a response may be null as a whole.
    @Test(arguments: [
        ("application/json", "var r: Nullable<String>; var s: String?", ".update(id: \"id\", UpdateItem(r: .null))"),
        (
            "multipart/form-data", "var r: String?; var s: String?",
            ".update(id: \"id\", UpdateItem(r: \"r\", s: \"s\"))"
        ),
    ])
    func nulls(type: String, fields: String, example: String) throws {
        let text = #"{"type": "string", "nullable": true}"#
        let body =
            #""requestBody": {"required": true, "content": {"\#(type)": {"example": {"r": null}, "schema": {"required": ["r"], "properties": {"r": \#(text), "s": \#(text)}}}}}"#
        let responses = #""responses": {"200": {"content": {"application/json": {"schema": \#(text)}}}}"#
        let imported = try Self.imported(Self.document(#""/items/{id}": {"put": {\#(body), \#(responses)}}"#))
        #expect(Self.models(imported) == "struct UpdateItem: Codable; " + fields)
        let file = Self.text(imported, "Items.swift")
        #expect(file.contains(example) && file.contains("returns: String?.self"), "\(file)")
    }

    /// What parts a body has, only an example shows.
    @Test func partsThatMayBeLeftOutAreShown() throws {
        let body =
            #""requestBody": {"content": {"multipart/form-data": {"schema": {"properties": {"n": {"type": "integer"}, "tags": {"type": "array", "items": {"type": "string"}}, "owner": {"properties": {"x": {"type": "string"}}}}}}}}"#
        let imported = try Self.imported(Self.document(#""/items": {"post": {\#(body)}}"#))
        #expect(
            Self.text(imported, "Items.swift").contains(#"[.create(CreateItem(n: 1, tags: ["tags"], owner: Owner()))]"#)
        )
    }

    /// The name that is given, or the title's.
    @Test(arguments: [
        (nil, "GitHub v3 REST API", "github", "GitHub"), ("GitHub", "x", "github", "GitHub"),
        ("my-shop", "x", "my-shop", "MyShop"), (nil, "", "imported", "Imported"),
    ])
    func names(chosen: String?, title: String, name: String, type: String) throws {
        var options = ImportChoices()
        options.api = chosen
        let text = #"{"openapi": "3.0.0", "info": {"title": "\#(title)"}, "paths": {"/a": {"get": {}}}}"#
        let imported = try Self.imported(text, options: options)
        #expect([imported.name, imported.type] == [name, type])
    }

    /// No line of the generated code is too long for the linter, whatever the path holds.
    @Test func longPathsAreDividedIntoLines() throws {
        let long = String(repeating: "\\\"", count: 200)
        let imported = try Self.imported(
            Self.document(#""/\#(long)/{id}/\#(String(repeating: "x/", count: 80)){id2}{id3}": {"get": {}}"#))
        let lines = imported.files.flatMap { $0.text.split(separator: "\n") }.filter { !$0.contains("//") }
        #expect(lines.filter { $0.count > SwiftLiteral.lineLength } == [])
        #expect(imported.endpoints[0].arm.contains(#"/\(id2)\(id3)"#))
    }

    // MARK: Documents

    @Test func filesReferToEachOther() throws {
        let imported = try Self.imported(
            Self.document(##""/a": {"$ref": "paths/./a.json"}"##),
            others: [
                "paths/a.json": ##"""
                {"get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema":
                 {"$ref": "../schemas/Thing.json"}}}}}}}
                """##,
                "schemas/Thing.json": #"{"type": "object", "properties": {"size": {"type": "integer"}}}"#,
            ])
        #expect(imported.files.contains { $0.text.contains("size: Int?") }, "\(imported.files)")
    }

    @Test func yamlIsReadAsJSONIs() throws {
        let json = Self.document(
            #""/a": {"get": {"responses": {"200": {"description": "", "content": {"application/json": {"schema": "#
                + #"{"type": "object", "properties": {"size": {"type": "integer"}}}}}}}}}"#)
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
        let expected = try Self.imported(json).files.map { $0.path + $0.text }
        #expect(try Self.imported(yaml).files.map { $0.path + $0.text } == expected)
        let error = #expect(throws: ImportError.self) {
            try Self.imported("openapi: 3.0.0\npaths: {/a: {$ref: a.yaml}}", others: ["a.yaml": "get: 1\npost: [\n"])
        }
        #expect(error?.text.contains("a.yaml:3:1: did not find expected node content") == true, "\(error?.text ?? "")")
    }

    /// Documents that can't be imported at all.
    @Test(arguments: [
        ("openapi: 3.0.0", "api.json:1:1: #: expected a document with 'paths', found none"),
        (
            "openapi: 4.0\npaths: {}",
            "api.json:1:10: #/openapi: expected version 3.0, 3.1 or 3.2 in 'openapi', or 2.0 in 'swagger', found number 4.0"
        ),
        ("openapi: 3.0.0\npaths: {}", "api.json: there is no operation in 'paths'"),
        (
            "openapi: 3.1.0\nwebhooks: {order: {post: {}}}",
            "api.json:2:11: #/webhooks: expected a document with 'paths', found only webhooks, which are requests that "
                + "the API's provider sends, so there is nothing to call"
        ),
        ("openapi: 3.1.0\npaths: {}\nwebhooks: {order: {post: {}}}", "api.json:3:11: #/webhooks: expected a document"),
        ("openapi: 3.0.0\npaths:\n- /a\n", "api.json:3:1: #/paths: expected an object of paths, found array"),
        ("openapi: [\n", "api.json:2:1: did not find expected node content"),
        ("{\"openapi\": \"3.0.0\",\n \"paths\"", "api.json:2:9: expected ':'"),
        ("{}", "api.json:1:1: #: expected version 3.0"),
        (
            #"{"openapi": "3.0.0", "paths": {"/a": {"get": 1}}}"#,
            "#/paths/~1a/get: expected an operation, which is an object, found number 1"
        ),
        (
            ##"{"openapi": "3.0.0", "paths": {"/a": {"$ref": "http://example.com/a.json"}}}"##,
            "expected a file beside the document, found the URL 'http://example.com/a.json', which is not loaded"
        ),
        (##"{"openapi": "3.0.0", "paths": {"/a": {"$ref": "../a.json"}}}"##, "'../a.json' outside of it"),
        (##"{"openapi": "3.0.0", "paths": {"/a": {"$ref": "none.json"}}}"##, "NoFile(name: \"none.json\")"),
        (String(repeating: #"{"a":"#, count: 10_000), "api.json:1:50001: expected a value"),
        (
            String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000),
            "api.json:1:101: expected at most 100 levels of nested [ ] and { }, found more"
        ),
    ])
    func unreadableDocuments(document: String, expected: String) {
        let error = #expect(throws: ImportError.self) { try Self.imported(document) }
        #expect(error?.text.contains(expected) == true, "\(error?.text ?? "")")
    }

    /// Parts that can't be read, beside an operation that is imported.
    @Test(arguments: [
        (
            #""get": {"parameters": [{"name": "x", "in": "mind"}]}"#,
            "#/paths/~1a/get/parameters/0/in: expected 'in': path, query, header or cookie, found string \"mind\""
        ),
        (
            ##""get": {"parameters": [{"$ref": "#/nowhere~1x"}]}"##,
            "#/paths/~1a/get/parameters/0: expected a value at '#/nowhere~1x', found nothing there"
        ),
        (
            ##""get": {"parameters": [{"$ref": "#/x-a"}]}"##,
            "#/paths/~1a/get/parameters/0: expected a reference to a value, found references that lead in a circle"
        ),
        (#""put": {"requestBody": "x"}"#, "#/paths/~1a/put/requestBody: expected an object, found string \"x\""),
        (
            #""put": {"responses": {"200": "x"}}"#,
            "#/paths/~1a/put/responses/200: expected an object, found string \"x\""
        ),
        (
            #""put": {"requestBody": {"content": {"application/json": {"schema": "x"}}}}"#,
            "#/paths/~1a/put/requestBody/content/application~1json/schema: expected a schema, found string \"x\""
        ),
    ])
    func unreadableParts(operation: String, expected: String) throws {
        let imported = try Self.imported(
            ##"{"openapi": "3.0.0", "x-a": {"$ref": "#/x-a"}, "paths": {"/a": {\##(operation)}, "/good": {"get": {}}}}"##
        )
        #expect(imported.endpoints.map(\.path) == ["/a", "/good"])
        #expect(imported.notes.contains { $0.hasPrefix("not read: ") && $0.contains(expected) }, "\(imported.notes)")
    }

    /// A document with more bad parts than people read has a note for each of the first ones.
    @Test func notesOnUnreadablePartsAreLimited() throws {
        let paths = (0..<50).map { #""/p\#($0)": {"get": {"parameters": [5]}}"# }
        let imported = try Self.imported(Self.document(paths.joined(separator: ", ")))
        #expect(imported.endpoints.count == 50)
        #expect(imported.notes.count <= 22, "\(imported.notes)")
    }

    @Test func filesBesideADocumentAreRead() throws {
        let text = Self.document(##""/pets": {"get": {"responses": {"200": {"$ref": "parts/responses.json#/ok"}}}}"##)
        let others = [
            "parts/responses.json":
                ##"{"ok": {"content": {"application/json": {"schema": {"$ref": "pet.json"}}}}}"##,
            "parts/pet.json": #"{"properties": {"name": {"type": "string"}}}"#,
        ]
        let imported = try Self.imported(text, others: others)
        #expect(Self.models(imported) == "struct Pet: Decodable; let name: String?")
    }

    @Test func aDocumentOfVersion2IsReadAsOneOfVersion3() throws {
        let imported = try Self.imported(
            ##"""
            {"swagger": "2.0", "info": {"title": "Old"}, "host": "old.example", "basePath": "/v1", "schemes": ["http", "https"],
             "securityDefinitions": {"k": {"type": "apiKey", "in": "header", "name": "X-Key"}}, "security": [{"k": []}],
             "paths": {"/pets": {
               "get": {"tags": ["pet"], "operationId": "listPets", "produces": ["application/json"], "parameters": [{"name": "ids", "in": "query", "type": "array", "items": {"type": "integer"}, "collectionFormat": "pipes"}],
                       "responses": {"200": {"description": "", "schema": {"type": "array", "items": {"$ref": "#/definitions/Pet"}}, "examples": {"application/json": [{"name": "Rex"}]}}}},
               "post": {"tags": ["pet"], "operationId": "addPet", "parameters": [{"name": "pet", "in": "body", "required": true, "schema": {"$ref": "#/definitions/Pet"}}]},
               "patch": {"tags": ["pet"], "operationId": "tagPet", "produces": ["text/plain"], "responses": {"200": {"schema": {"type": "string"}}}, "parameters": [{"name": "tags", "in": "formData", "type": "array", "items": {"type": "string"}}]},
               "put": {"tags": ["pet"], "operationId": "sendPet", "parameters": [{"name": "photo", "in": "formData", "type": "file", "required": true}, {"name": "name", "in": "formData", "type": "string"}]}}},
             "definitions": {"Pet": {"properties": {"name": {"type": "string"}}}}}
            """##)
        let file = Self.text(imported, "Pets.swift")
        for line in [
            "case list(ids: [Int]?)", "case add(Pet)", "case send(SendPet)",
            #"body: body.map { Body.form(["tags": $0.tags?.joined(by: ",")]) }"#,
            #"query: ["ids": ids?.joined(by: "|")]"#,
            "returns: [Pet].self",
        ] {
            #expect(file.contains(line), "\(file)")
        }
        #expect(Self.text(imported, "Old.swift").contains(#"Server("server-1", url: "https://old.example/v1"),"#))
        #expect(imported.variables.map(\.description) == ["OLD_K"])
        #expect(Self.text(imported, "Pets+Samples.swift").contains(#""name": "Rex""#))
        #expect(file.contains("// import: the response is text/plain, as bytes"))
    }

    @Test func samplesHaveNoSecrets() throws {
        let path = #"""
            "/items": {"get": {"responses": {"200": {"content": {"application/json": {
                "schema": {"required": ["a"], "properties": {"a": {"type": "integer"}, "access_token": {"type": "string"}}},
                "example": {"a": 1, "access_token": "s3cretword"}}}}}}}
            """#
        let imported = try Self.imported(Self.document(path))
        #expect(Self.text(imported, "Items+Samples.swift").contains(#""a": 1"#))
        #expect(!imported.files.contains { $0.text.contains("s3cretword") })
    }

    @Test func enumsAreSplitAndNamesAreUnique() throws {
        let paths = (0..<70).map {
            #""/repos/{id}/\#($0 < 30 ? "branches" : "tags")/x\#($0)": {"get": {"tags": ["repos"], "operationId": "same"}}"#
        }
        let imported = try Self.imported(Self.document(paths.joined(separator: ", ")))
        #expect(Set(imported.endpoints.map(\.type)) == ["ReposBranches", "ReposTags"])
        #expect(Set(imported.endpoints.map(\.name)).count == 70)
    }

    /// Two schemas that are equal are two models.
    @Test func equalSchemasKeepTheirNames() throws {
        let named = ["Direction", "Order"].map { #""\#($0)": {"enum": ["asc", "desc"]}"# }.joined(separator: ", ")
        let holder = ["Order", "Direction"].map { ##""\##($0)": {"$ref": "#/components/schemas/\##($0)"}"## }
        let properties = #"{"schema": {"properties": {\#(holder.joined(separator: ", "))}}}"#
        let equal = try Self.imported(
            Self.document(
                #""/x": {"post": {"requestBody": {"content": {"application/json": \#(properties)}}}}"#, schemas: named))
        #expect(Set(equal.modelNames) == ["CreateX", "Order", "Direction"])
    }

    /// Cases and models get the names that people chose. A derived name that is equal to one gets a number.
    @Test func chosenNamesComeBeforeDerivedOnes() throws {
        let schema = #"{"properties": {"pet": {"properties": {"a": {"type": "string"}}}}}"#
        let responses = #"{"200": {"content": {"application/json": {"schema": \#(schema)}}}}"#
        let paths = ["x", "y"].map {
            #""/pets/\#($0)": {"get": {"tags": ["pets"], "operationId": "mine", "responses": \#(responses)}}"#
        }
        var options = ImportChoices()
        options.operationNames = ["GET /pets/y": "mine"]
        options.typeNames = ["Pet": "Animal"]
        let imported = try Self.imported(Self.document(paths.joined(separator: ", ")), options: options)
        #expect(imported.endpoints.map(\.name) == ["shop.pets.mine2", "shop.pets.mine"])
        #expect(imported.modelNames.contains("Animal") && !imported.modelNames.contains("Pet"))
    }

    /// An enum, its samples, its models and a schema of a similar name have a file each, and no case has the name of
    /// another member.
    @Test(arguments: [1, 61]) func filesAndCasesHaveDistinctNames(models: Int) throws {
        let content =
            ##""content": {"application/json": {"example": {"at": "x"}, "schema": {"$ref": "#/components/schemas/"##
        let paths = (0..<models).map { index in
            let id = index == 0 ? "sampleText" : "get\(index)"
            let name = index == 0 ? "PetSamples" : "M\(index)"
            return
                #""/p\#(index)": {"get": {"operationId": "\#(id)", "tags": ["pet"], "responses": {"200": {\#(content)\#(name)"}}}}}}}"#
        }
        let schemas = (["PetSamples"] + (1..<max(models, 2)).map { "M\($0)" }).map {
            #""\#($0)": {"properties": {"at": {"type": "string"}}}"#
        }
        let date =
            #""/d": {"get": {"tags": ["pet models"], "responses": {"200": {"content": {"application/json": {"schema": {"type": "string", "format": "date-time"}}}}}}}"#
        let imported = try Self.imported(
            Self.document((paths + [date]).joined(separator: ", "), schemas: schemas.joined(separator: ", ")))
        let names = imported.files.compactMap { $0.path.split(separator: "/").last?.lowercased() }
        #expect(Set(names).count == names.count, "\(names)")
        #expect(imported.endpoints[0].name.hasSuffix(".sample-text2"))
        #expect(Self.text(imported, "PetModels.swift").contains("import Foundation\n"))
    }

    @Test func operationsOfAnotherServerAreAnEnumOfTheirOwn() throws {
        let imported = try Self.imported(
            Self.document(
                #""/files": {"get": {"servers": [{"url": "https://shop.example/v1/"}]}, "post": {"servers": [{"url": "https://up.example/"}]}}"#
            ))
        #expect(imported.endpoints.map(\.name) == ["shop.files.list", "shop.files-on-up.create"])
        let servers = #"servers: [Server("production", url: "https://up.example")]"#
        #expect(Self.text(imported, "FilesOnUp.swift").contains(servers))
    }

    /// The URLs of servers, those that are declared, and the note.
    @Test(arguments: [
        (["//a.example/x/"], ["https://a.example/x"], nil),
        (
            ["https://a.example", "/v1", "ftp://b.example"], ["https://a.example"],
            "left out of the servers: '/v1' has no host; 'ftp://b.example' is not a base URL"
        ),
        (
            ["https://u:s3cret@a.example/?token=s3cret", "https://a.example/" + String(repeating: "x", count: 100)],
            ["https://a.example/" + String(repeating: "x", count: 100)], "left out of the servers: 'https://(redacted)@"
        ),
        (["/v1"], [], "left out of the servers: '/v1' has no host: declare one, or give --base-url URL"),
        ([], [], "the document names no server: declare one, or give --base-url URL"),
    ])
    func servers(urls: [String], expected: [String], note: String?) throws {
        let servers = urls.map { #"{"url": "\#($0)"}"# }.joined(separator: ", ")
        let imported = try Self.imported(
            #"{"openapi": "3.1.0", "info": {"title": "Shop"}, "servers": [\#(servers)], "paths": {"/a": {"get": {}}}}"#)
        let text = Self.text(imported, "Shop.swift").replacing("\\\n", with: "")
        let parts = text.filter { $0 != " " }.replacing("\\\n", with: "").split(whereSeparator: {
            "\"\n".contains($0)
        }).map(String.init)
        #expect(parts.filter { $0.contains("://") } == expected, "\(text)")
        #expect(imported.notes.count == (note == nil ? 0 : 1))
        if let note { #expect(imported.notes.first?.hasPrefix(note) == true, "\(imported.notes)") }
        #expect(!imported.notes.contains { $0.contains("s3cret") })
    }

    /// API keys in different parts of a request have a variable each. Two cookies become two lines, with a note.
    @Test func keysOfOneNameHaveDistinctVariables() throws {
        let schemes = [("k", "header", "X-Key"), ("q", "query", "key"), ("s", "cookie", "sid"), ("t", "cookie", "tid")]
        let declared = schemes.map { #""\#($0)": {"type": "apiKey", "in": "\#($1)", "name": "\#($2)"}"# }
        let imported = try Self.imported(
            #"{"openapi": "3.1.0", "info": {"title": "Shop"}, "paths": {"/a": {"get": {}}}, "security": [{"k": [], "q": [], "s": [], "t": []}], "#
                + #""components": {"securitySchemes": {\#(declared.joined(separator: ", "))}}}"#)
        #expect(imported.variables.map(\.description) == ["SHOP_K", "SHOP_Q", "SHOP_S", "SHOP_T"])
        #expect(imported.notes.last == "several cookies are sent in a line of their own each")
    }

    @Test func onlyWhatIsChosenIsImported() throws {
        var options = ImportChoices()
        options.isKept = { $0.contains("GET /a") || $0.contains("tag:two") }
        let schema = { (name: String) in
            ##""responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/\##(name)"}}}}}"##
        }
        let imported = try Self.imported(
            Self.document(
                #""/a": {"get": {\#(schema("A"))}, "put": {}}, "/b": {"get": {"tags": ["two"], \#(schema("B"))}}, "/c": {"get": {\#(schema("C"))}}"#,
                schemas: ["A", "B", "C"].map { #""\#($0)": {"properties": {"x": {"type": "integer"}}}"# }.joined(
                    separator: ", ")),
            options: options)
        #expect(imported.endpoints.map { "\($0.method) \($0.path)" } == ["GET /a", "GET /b"])
        #expect(imported.modelNames == ["A", "B"])
    }

    /// Models are structures, however many there are.
    @Test func manyModelsAreStructures() throws {
        let schemas = (0..<151).map { #""M\#($0)": {"required": ["a_b"], "properties": {"a_b": {"type": "integer"}}}"# }
        let paths = (0..<151).map {
            ##""/m\##($0)": {"get": {"tags": ["m"], "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/M\##($0)"}}}}}}}"##
        }
        let imported = try Self.imported(
            Self.document(paths.joined(separator: ", "), schemas: schemas.joined(separator: ", ")))
        let models = imported.files.filter { $0.path.hasPrefix("Models/") }.map(\.text).joined()
        #expect(models.contains("public struct M150: Decodable, Sendable {\n"))
        #expect(models.contains("private enum CodingKeys: String, CodingKey {\n            case aB = \"a_b\"\n"))
        #expect(!models.contains("class"))
    }

    /// The response of a list, its parameters, and its pages.
    @Test(arguments: [
        (
            #""page": "integer""#, #""results": [], "total_pages": 1"#,
            #".number("page", last: "total_pages", items: "results")"#
        ),
        (
            #""page_token": "string""#, #""items": [], "next_page_token": """#,
            #".cursor("page_token", from: "next_page_token", items: "items")"#
        ),
        (
            #""starting_after": "string""#, #""data": [], "has_more": true"#,
            #".cursor("starting_after", from: "data.id", more: "has_more", items: "data")"#
        ),
        (#""x": "string""#, #""calls": [], "next_page_uri": """#, #".link(from: "next_page_uri", items: "calls")"#),
        (#""pageNumber": "integer""#, #""results": []"#, #".number("pageNumber", items: "results")"#),
        // Numbers of pages are integers, and a list of pages is no number.
        (#""page": "string""#, #""results": []"#, nil),
        (#""page": "integer""#, #""results": [], "pages": """#, #".number("page", items: "results")"#),
        (
            #""cursor": "string""#, #""items": [], "meta": {"next_cursor": ""}"#,
            #".cursor("cursor", from: "meta.next_cursor", items: "items")"#
        ),
        // `next` may hold a URL or a text, which the document does not say.
        (#""cursor": "string""#, #""items": [], "next": """#, nil),
        (#""x": "string""#, #""calls": []"#, nil),
    ])
    func pages(parameter: String, response: String, expected: String?) throws {
        let parts = parameter.split(separator: "\"")
        let example = try JSONValue(text: Array("{\(response)}".utf8))
        let imported = try Self.imported(
            Self.document(
                #""/list": {"get": {"parameters": [{"name": "\#(parts[0])", "in": "query", "schema": {"type": "\#(parts[2])"}}], "responses": {"200": {"content": {"application/json": {"schema": \#(Self.schema(of: example))}}}}}}"#
            ))
        let text = imported.endpoints[0].arm
        if let expected {
            #expect(text.contains("pages: \(expected)"), "\(text)")
        } else {
            #expect(!text.contains("pages:"))
        }
    }

    /// Returns a schema of values like this one. A list has elements with an `id`.
    private static func schema(of value: JSONValue) -> String {
        switch value.kind {
        case .array: return #"{"type": "array", "items": {"properties": {"id": {"type": "string"}}}}"#
        case .object:
            let properties = (value.members ?? []).map { #""\#($0.key)": \#(schema(of: $0.value))"# }
            return #"{"type": "object", "properties": {\#(properties.joined(separator: ", "))}}"#
        case .number: return #"{"type": "integer"}"#
        case .boolean: return #"{"type": "boolean"}"#
        case .string, .null: return #"{"type": "string"}"#
        }
    }

    /// Pages by offset and limit are declared if the response has a list, and nothing else tells about pages.
    @Test(arguments: [
        (["offset", "limit"], #".offset("offset", limit: "limit", items: "")"#), (["limit"], nil), (["offset"], nil),
        (["skip", "page_size"], #".offset("skip", limit: "page_size", items: "")"#),
        (["offset", "limit", "page"], #".number("page", items: "")"#),
    ])
    func pagesByOffset(parameters: [String], expected: String?) throws {
        let arm = try Self.pagedArm(parameters, schema: #"{"type": "array", "items": {"type": "string"}}"#)
        #expect(expected.map { arm.contains("pages: \($0)") } ?? !arm.contains("pages:"), "\(arm)")
    }

    @Test func pagesByOffsetHaveATotal() throws {
        let example = try JSONValue(text: Array(#"{"data": {"total_count": 1}, "results": []}"#.utf8))
        let arm = try Self.pagedArm(["offset", "limit"], schema: Self.schema(of: example))
        let expected = #".offset("offset", limit: "limit", total: "data.total_count", items: "results")"#
        #expect(arm.contains("pages: \(expected)"), "\(arm)")
        let noListSchema = #"{"type": "object", "properties": {"total": {}}}"#
        let noList = try Self.pagedArm(["offset", "limit"], schema: noListSchema)
        #expect(!noList.contains("pages:"))
    }

    /// Returns the declaration of a list with integer parameters and a response of this schema.
    private static func pagedArm(_ parameters: [String], schema: String) throws -> String {
        let parameters = parameters.map { #"{"name": "\#($0)", "in": "query", "schema": {"type": "integer"}}"# }
        let responses = #"{"200": {"content": {"application/json": {"schema": \#(schema)}}}}"#
        let operation = #"{"parameters": [\#(parameters.joined(separator: ", "))], "responses": \#(responses)}"#
        return try Self.imported(Self.document(#""/list": {"get": \#(operation)}"#)).endpoints[0].arm
    }

    @Test("A credential whose name is too long for a line is divided into lines")
    func longNameOfACredential() throws {
        let name = String(repeating: "x", count: 150)
        let scheme = #"{"type": "apiKey", "in": "cookie", "name": "\#(name)"}"#
        let imported = try Self.imported(
            #"{"openapi": "3.0.0", "info": {"title": "shop"}, "security": [{"key": []}], "#
                + #""servers": [{"url": "http://shop.test"}], "#
                + #""paths": {"/pets": {"get": {"responses": {"200": {"description": "OK"}}}}}, "#
                + #""components": {"securitySchemes": {"key": \#(scheme)}}}"#)
        let lines = imported.files.flatMap { $0.text.split(separator: "\n") }
        #expect(lines.contains { $0.contains("xxxx") })
        #expect(lines.allSatisfy { $0.count <= 120 }, "\(lines)")
    }

    /// Parameters that say who calls are credentials if three operations have them, or if they are a scheme's.
    @Test func parametersThatSayWhoCallsAreCredentials() throws {
        func operation(_ path: String, _ parameters: String...) -> String {
            let parameters = parameters.map { parameter in
                let parts = parameter.split(separator: " ")
                return #"""
                    {"in": "\#(parts[0])", "name": "\#(parts[1])", "required": \#(parts.count > 2),
                    "schema": {"type": "string"}}
                    """#
            }
            return #"""
                "\#(path)": {"get": {"tags": ["x"], "operationId": "\#(path.dropFirst())", "responses": {"204": {}},
                "parameters": [\#(parameters.joined(separator: ", "))]}}
                """#
        }
        let document = #"""
            {"openapi": "3.1.0", "info": {"title": "Shop"}, "servers": [{"url": "https://shop.example"}],
             "paths": {
               \#(operation("/a", "query session_id", "query client_secret")),
               \#(operation("/b", "query session_id required", "query client_secret", "query token")),
               \#(operation("/c", "query session_id", "query client_secret", "header X-Key", "query q")),
               \#(operation("/d", "query access_token", "header session_id")),
               \#(operation("/e", "query access_token", "header Authorization"))
             },
             "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}}}
            """#
        let imported = try Self.imported(document)
        let text = imported.text("X.swift")
        let lines = text.split(separator: "\n").map { $0.drop { $0 == " " } }
        let cases = lines.filter { $0.hasPrefix("case ") && !$0.hasSuffix(":") }
        #expect(
            cases == [
                "case a(clientSecret: String?)", "case b(clientSecret: String?, token: String?)",
                "case c(clientSecret: String?, q: String?)",
                "case d(accessToken: String?, sessionID: String?)", "case e(accessToken: String?)",
            ])
        #expect(text.contains(#"credentials: [.query("session_id", variable: "SHOP_SESSION_ID").optional]"#))
        #expect(text.contains(#"credentials: [.query("session_id", variable: "SHOP_SESSION_ID")])"#))
        #expect(text.contains(#".header("X-Key", variable: "SHOP_KEY").optional"#))
        #expect(imported.variables.map(\.name) == ["SHOP_SESSION_ID", "SHOP_KEY"])
    }

    /// An enum has the credentials that most of its operations need. The others state their own.
    @Test func enumsHaveTheCredentialsOfMostOperations() throws {
        func operation(_ method: String, _ security: String) -> String {
            #""\#(method)": {"tags": ["x"], "responses": {"204": {}}, "security": \#(security)}"#
        }
        let operations = [
            operation("get", #"[{"user": []}]"#), operation("put", #"[{"user": []}]"#), operation("delete", "[]"),
        ]
        let imported = try Self.imported(
            #"""
            {"openapi": "3.1.0", "info": {"title": "Shop"}, "servers": [{"url": "https://shop.example"}],
             "paths": {"/x": {\#(operations.joined(separator: ", "))}},
             "components": {"securitySchemes": {"user": {"type": "http", "scheme": "bearer"}}}}
            """#)
        let text = imported.text("X.swift")
        #expect(
            text.contains(#"credentials: [.bearer(variable: "SHOP_USER")])"#),
            "\(text)")
        #expect(imported.endpoints.map { $0.arm.contains("credentials:") } == [false, false, true])
        #expect(imported.endpoints[2].arm.contains("credentials: []"))
    }

    /// A summary that only repeats the name is no comment.
    @Test func summariesThatRepeatNamesAreNoComments() throws {
        let imported = try Self.imported(
            Self.document(
                #"""
                "/a": {"get": {"tags": ["movies"], "operationId": "list-videos", "summary": "List Videos"},
                "put": {"tags": ["movies"], "operationId": "rate", "summary": "Rates a movie."}}
                """#))
        #expect(
            imported.text("Movies.swift").contains(
                """
                    public enum Movies: API {
                        case listVideos
                        /// Rates a movie.
                        case rate

                """))
        #expect(!imported.text("Movies.swift").contains("/// Movies."))
    }

    /// A parameter with the place and name of a security scheme is that scheme's credential.
    @Test func parametersOfSecuritySchemesAreCredentials() throws {
        let parameter = #"{"in": "header", "name": "api_key", "schema": {"type": "string"}}"#
        let imported = try Self.imported(
            #"""
            {"openapi": "3.1.0", "info": {"title": "Shop"}, "servers": [{"url": "https://shop.example"}],
             "paths": {"/a": {
               "get": {"operationId": "find", "responses": {"204": {}}, "parameters": [\#(parameter)],
                 "security": [{"key": []}]},
               "delete": {"operationId": "remove", "responses": {"204": {}}, "parameters": [\#(parameter)],
                 "security": [{"user": []}]}}},
             "components": {"securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "API_KEY"},
               "user": {"type": "http", "scheme": "bearer"}}}}
            """#)
        let arms = imported.endpoints.map(\.arm)
        #expect(arms[0].contains(#"credentials: [.header("API_KEY", variable: "SHOP_KEY")])"#))
        #expect(
            arms[1].contains(
                #"[.bearer(variable: "SHOP_USER"), .header("API_KEY", variable: "SHOP_KEY").optional]"#))
        #expect(!imported.allText.contains("apiKey"))
    }

    /// Schemas that name others several times, or that hold themselves without a name, take no time of their own: each named like the next one, and
    /// the last a text.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (40, ##"{"oneOf": [NEXT, NEXT]}"##, 0), (40, ##"{"allOf": [NEXT, NEXT]}"##, 0),
            (
                6,
                ##"{"properties": {"a": NEXT, "b": NEXT, "c": NEXT, "d": NEXT, "e": NEXT, "f": NEXT, "g": NEXT, "h": NEXT, "i": NEXT, "j": NEXT}, "required": ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]}"##,
                6
            ),
            (
                1,
                ##"{"properties": {"a": {"properties": {"b": {"allOf": [{"$ref": "#/components/schemas/S0"}, {"properties": {"x": NEXT}}]}, "c": {"allOf": [{"$ref": "#/components/schemas/S0"}, {"properties": {"y": NEXT}}]}}}}}"##,
                4
            ), (60, ##"{"properties": {"x": {}}, "allOf": [NEXT, NEXT]}"##, 1),
        ])
    func namesThatMultiply(count: Int, schema: String, models: Int) throws {
        let schemas = (0..<count).map { index in
            #""S\#(index)": "# + schema.replacing("NEXT", with: ##"{"$ref": "#/components/schemas/S\##(index + 1)"}"##)
        }
        let content = ##""content": {"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}}"##
        let imported = try Self.imported(
            Self.document(
                #""/s": {"post": {"requestBody": {\#(content)}, "responses": {"200": {\#(content)}}}}"#,
                schemas: (schemas + [#""S\#(count)": {"type": "string"}"#]).joined(separator: ", ")))
        #expect(imported.modelNames.count == models)
    }

    /// A base lists its variants in `anyOf`, and each variant has the base in `allOf`. It gets the fields of the base, and
    /// not those of the other variants.
    @Test func variantsHaveNoFieldsOfTheirSiblings() throws {
        func variant(_ base: String, _ key: String) -> String {
            ##"{"allOf": [{"$ref": "#/components/schemas/\##(base)"}, {"properties": {"\##(key)": {"type": "string"}}}]}"##
        }
        let event = ##"""
            {"required": ["id"], "properties": {"id": {"type": "integer"}},
             "anyOf": [{"$ref": "#/components/schemas/Created"}, {"$ref": "#/components/schemas/Deleted"}]}
            """##
        let paths = ["Event", "Created", "Deleted", "Purged"].map { name in
            let content = ##""content": {"application/json": {"schema": {"$ref": "#/components/schemas/\##(name)"}}}"##
            return #""/\#(name)": {"get": {"responses": {"200": {\#(content)}}}}"#
        }
        let imported = try Self.imported(
            Self.document(
                paths.joined(separator: ", "),
                schemas: #""Event": \#(event), "Created": \#(variant("Event", "by")), "#
                    + #""Deleted": \#(variant("Event", "at")), "Purged": \#(variant("Deleted", "reason"))"#))
        let purged = Self.models(imported).split(separator: "struct ").first { $0.hasPrefix("Purged") }
        #expect(purged == "Purged: Decodable; let id: Int; let at: String?; let reason: String?")
    }

    /// A chain of references is followed to its end, and so is a chain of schemas that have the next one in `allOf`.
    @Test func longChainsOfReferencesAreFollowed() throws {
        let references = (0..<60).map { ##""R\##($0)": {"$ref": "#/components/schemas/R\##($0 + 1)"}"## }
        let parts = (0..<40).map {
            ##""P\##($0)": {"properties": {"k\##($0)": {}}, "allOf": [{"$ref": "#/components/schemas/P\##($0 + 1)"}]}"##
        }
        let last = [##""R60": {"$ref": "#/components/schemas/P0"}, "P40": {"properties": {"last": {}}}"##]
        let path =
            ##""/s": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/R0"}}}}}}}"##
        let imported = try Self.imported(
            Self.document(path, schemas: (references + parts + last).joined(separator: ", ")))
        #expect(Self.models(imported).contains("let k39: JSONValue?; let last: JSONValue?"))
    }

    /// Nothing grows faster than the document, and no chain of references is too long for the stack.
    @Test(.timeLimit(.minutes(3))) func longChainsAndManyEqualNames() throws {
        let schemas = (0..<12_000).map {
            ##""S\##($0)": {"properties": {"next": {"$ref": "#/components/schemas/S\##(($0 + 1) % 12_000)"}}}"##
        }
        let arrays = (0..<1000).map {
            ##""A\##($0)": {"type": "array", "items": {"$ref": "#/components/schemas/A\##($0 + 1)"}}"##
        }
        let path =
            ##""/s": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"anyOf": [{"$ref": "#/components/schemas/S0"}, {"$ref": "#/components/schemas/A0"}]}}}}}}}"##
        let imported = try Self.imported(
            Self.document(path, schemas: (schemas + arrays + [#""A1000": {}"#]).joined(separator: ",")))
        #expect(imported.modelNames.count == 12_001)
        #expect(imported.files.contains { $0.text.contains("public final class S11999: Decodable") })
        let parts = (0..<3000).map { ##""P\##($0)": {"properties": {"p\##($0)": {}}}"## }
        let references = (0..<3000).map { ##"{"$ref": "#/components/schemas/P\##($0)"}"## }.joined(separator: ",")
        let whole = try Self.imported(
            Self.document(
                path,
                schemas: (parts + [#""S0": {"allOf": [\#(references)]}, "A0": {"type": "string"}"#]).joined(
                    separator: ",")))
        #expect(Self.models(whole).contains("let p2999: JSONValue?"))
        let equal = (0..<1000).map { #""a\#(String(repeating: "-", count: $0))": {"type": "integer"}"# }.joined(
            separator: ",")
        let many = try Self.imported(
            Self.document(
                #""/s": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"properties": {\#(equal)}}}}}}}}"#
            ))
        #expect(Self.models(many).contains("let a1000: Int?"))
        let alternatives = (0..<20_000).map { #"{"enum": ["x\#($0)", "y\#($0)"]}"# }.joined(separator: ",")
        let texts = try Self.imported(
            Self.document(
                #""/s": {"get": {"responses": {"200": {"content": {"application/json": {"schema": {"properties": {"a": {"oneOf": [\#(alternatives)]}}}}}}}}}"#
            ))
        #expect(Self.models(texts).hasSuffix("; let a: String?"))
        let long = try Self.imported(Self.document(#""\#((0..<10_000).map { "/{a\($0)}" }.joined())": {"get": {}}"#))
        #expect(long.endpoints[0].arm.contains(#"\(a9999Value)"#))
    }
}
