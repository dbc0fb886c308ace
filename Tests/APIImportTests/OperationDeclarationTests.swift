import Testing

/// The Swift that declares an imported operation.
@Suite struct OperationDeclarationTests {
    /// An operation of `/items/{id}`, and the Swift that the import makes of it.
    struct Declaration: Sendable, CustomTestStringConvertible {
        /// The path item in the document, with one operation.
        let pathItem: String
        /// The case of the enum, without the keyword.
        let enumCase: String
        /// Text that the file contains once its lines are joined. A line break stands for a space.
        let text: String

        var testDescription: String { enumCase }
    }

    /// Imports a path item, and expects the case and the text of a row in the file of its enum.
    private func expect(_ declaration: Declaration) throws {
        let document = SmallDocument.text(
            #""/items/{id}": \#(declaration.pathItem)"#,
            schemas: #""A": {"properties": {"p": {}}}, "B": {"properties": {"q": {}}}"#)
        let file = try SmallDocument.imported(document).text("Items.swift")
        let lines = file.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.contains { $0 == "case \(declaration.enumCase)" }, "\(file)")
        let fileOnOneLine = lines.joined(separator: " ")
            .replacing("( ", with: "(").replacing("[ ", with: "[")
            .replacing(", ]", with: "]").replacing(" ]", with: "]")
        #expect(fileOnOneLine.contains(declaration.text.replacing("\n", with: " ")), "\(file)")
    }

    @Test(
        "Each method has a function, or else the general initializer",
        arguments: [
            Declaration(
                pathItem: #"{"get": {"operationId": "getItem"}}"#,
                enumCase: "get(id: String)",
                text: #"return .get("/items/\(id)", returns: EmptyResponse.self, summary: "Get")"#),
            Declaration(
                pathItem: #"{"trace": {}}"#,
                enumCase: "trace(id: String)",
                text: #"return Endpoint("TRACE", "/items/\(id)","#),
            Declaration(
                pathItem: #"{"head": {}}"#,
                enumCase: "head(id: String)",
                text: #"return .head("/items/\(id)", summary: "Head")"#),
        ])
    func methods(declaration: Declaration) throws {
        try expect(declaration)
    }

    /// Many query parameters are in a structure of their own.
    @Test(
        "Query parameters are parameters of the case, in the style that the document states",
        arguments: [
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "summary": "Finds\nit", "parameters": [
                      {"name": "id", "in": "path", "schema": {"type": "integer"}},
                      {
                        "name": "page-size",
                        "in": "query",
                        "required": true,
                        "description": "How many. At most 50.",
                        "schema": {"type": "integer"}
                      }
                    ]}}
                    """#,
                enumCase: "find(id: Int, pageSize: Int)",
                text: #"""
                    return .get("/items/\(id)", query: ["page-size": pageSize], returns: EmptyResponse.self,
                    summary: "Finds it", notes: ["pageSize": "How many. At most 50."])
                    """#),
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [
                      {"name": "ids", "in": "query", "explode": false, "schema": {"type": "array", "items": {
                        "type": "integer"
                      }}},
                      {"name": "tags", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}}
                    ]}}
                    """#,
                enumCase: "find(id: String, ids: [Int]?, tags: [String]?)",
                text: #"query: ["ids": ids?.joined(by: ","), "tags": tags]"#),
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [
                      {"name": "tags", "in": "query", "style": "pipeDelimited", "explode": true, "schema": {
                        "type": "array",
                        "items": {"type": "string"}
                      }}
                    ]}}
                    """#,
                enumCase: "find(id: String, tags: [String]?)",
                text: #"query: ["tags": tags]"#),
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [
                      {"name": "expand", "in": "query", "style": "deepObject", "explode": true, "schema": {
                        "type": "array",
                        "items": {"type": "string"}
                      }},
                      {"name": "limit", "in": "query", "schema": {"type": "integer"}}
                    ]}}
                    """#,
                enumCase: "find(id: String, expand: [String]?, limit: Int?)",
                text: #"query: .indexed(["expand": expand, "limit": limit])"#),
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [{"name": "a0", "in": "query", "schema": {
                      "type": "string"
                    }}]}}
                    """#,
                enumCase: "find(id: String, a0Value: String?)",
                text: #"query: ["a0": a0Value]"#),
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [
                      {"name": "p-0", "in": "query", "schema": {"type": "integer"}},
                      {"name": "p-1", "in": "query", "schema": {"type": "integer"}},
                      {"name": "p-2", "in": "query", "schema": {"type": "integer"}},
                      {"name": "p-3", "in": "query", "schema": {"type": "integer"}},
                      {"name": "p-4", "in": "query", "schema": {"type": "integer"}},
                      {"name": "p-5", "in": "query", "schema": {"type": "integer"}},
                      {"name": "p-6", "in": "query", "schema": {"type": "integer"}},
                      {"name": "p-7", "in": "query", "schema": {"type": "integer"}},
                      {"name": "X-Mode", "in": "header", "schema": {"type": "string"}}
                    ]}}
                    """#,
                enumCase: "find(id: String, xMode: String?, FindItemQuery)",
                text: #"return .get("/items/\(id)", query: Endpoint.Query(query), headers: ["X-Mode": xMode]"#),
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [{"name": "s", "in": "query", "schema": {
                      "oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]
                    }}]}}
                    """#,
                enumCase: "find(id: String, s: S?)",
                text: #"query: ["s": s]"#),
        ])
    func queryParameters(declaration: Declaration) throws {
        try expect(declaration)
    }

    /// Parameters in cookies are not imported.
    @Test(
        "The value of a header is text, whatever the type of its parameter",
        arguments: [
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [
                      {"name": "sort", "in": "query", "schema": {"enum": ["asc", "desc"]}},
                      {"name": "X-Mode", "in": "header", "schema": {"type": "boolean"}},
                      {"name": "c", "in": "cookie"}
                    ]}}
                    """#,
                enumCase: "find(id: String, sort: Sort?, xMode: Bool?)",
                text: #"query: ["sort": sort], headers: ["X-Mode": xMode.map { "\($0)" }]"#),
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [
                      {"name": "id", "in": "path", "schema": {"type": "integer", "enum": [1, 2]}, "example": 2},
                      {"name": "X-A", "in": "header", "schema": {"type": "integer", "enum": [1, 3]}},
                      {"name": "X-B", "in": "header", "required": true, "schema": {"type": "array", "items": {
                        "type": "integer",
                        "enum": [1, 3]
                      }}}
                    ]}}
                    """#,
                enumCase: "find(id: ID, xA: XA?, xB: [XB])",
                text: #"""
                    return .get("/items/\(id.rawValue)", headers: ["X-A": xA.map { "\($0.rawValue)" },
                    "X-B": xB.map { "\($0.rawValue)" }.joined(separator: ",")]
                    """#),
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [
                      {"name": "X-Any", "in": "header"},
                      {"name": "X-Tags", "in": "header", "schema": {"type": "array", "items": {"type": "string"}}}
                    ]}}
                    """#,
                enumCase: "find(id: String, xAny: String?, xTags: [String]?)",
                text: #"headers: ["X-Any": xAny, "X-Tags": xTags?.joined(separator: ",")]"#),
        ])
    func headers(declaration: Declaration) throws {
        try expect(declaration)
    }

    @Test(
        "A JSON body is a model or a dictionary, with a header for another media type",
        arguments: [
            Declaration(
                pathItem: #"""
                    {"put": {"requestBody": {"required": true, "content": {"application/json": {"schema": {
                      "properties": {"name": {"type": "string"}, "at": {"type": "integer", "readOnly": true}},
                      "required": ["name", "at"]
                    }}}}}}
                    """#,
                enumCase: "update(id: String, UpdateItem)",
                text: #"""
                    return .put("/items/\(id)", body: .json(body), returns: EmptyResponse.self,
                    summary: "Update")
                    """#),
            Declaration(
                pathItem: #"""
                    {"patch": {"requestBody": {"content": {"application/merge-patch+json": {
                      "schema": {"type": "object", "additionalProperties": {"type": "string"}}
                    }}}}}
                    """#,
                enumCase: "update(id: String, body: [String: String]?)",
                text: #"headers: ["Content-Type": "application/merge-patch+json"], body: body.map { Body.json($0) }"#),
        ])
    func jsonBodies(declaration: Declaration) throws {
        try expect(declaration)
    }

    /// A form that is no object is left out.
    @Test(
        "A form is a query of the body, whose fields are listed if their styles differ",
        arguments: [
            Declaration(
                pathItem: #"""
                    {"post": {"requestBody": {"required": true, "content": {"application/x-www-form-urlencoded": {
                      "schema": {"properties": {"a": {"type": "string"}}}
                    }}}}}
                    """#,
                enumCase: "update(id: String, UpdateItem)",
                text: "body: .form(Endpoint.Query(body))"),
            Declaration(
                pathItem: #"""
                    {"post": {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": {
                      "enum": ["x", "y"]
                    }}}}}}
                    """#,
                enumCase: "update(id: String)",
                text: "returns: EmptyResponse.self"),
            Declaration(
                pathItem: #"""
                    {"post": {"requestBody": {"content": {"application/x-www-form-urlencoded": {
                      "encoding": {"a": {"explode": false}, "j": {"contentType": "application/json"}},
                      "schema": {"properties": {
                        "a": {"type": "array", "items": {"type": "string"}},
                        "b": {"type": "array", "items": {"type": "string"}},
                        "j": {"properties": {"x": {"type": "string"}}}
                      }}
                    }}}}}
                    """#,
                enumCase: "update(id: String, UpdateItem?)",
                text: #"body: body.map { Body.form(["a": $0.a?.joined(by: ","), "b": $0.b, "j": $0.j]) }"#),
            Declaration(
                pathItem: #"""
                    {"post": {"requestBody": {"content": {"application/x-www-form-urlencoded": {
                      "encoding": {"o": {"style": "deepObject"}},
                      "schema": {"properties": {"a": {"type": "array", "items": {"type": "string"}}, "o": {
                        "properties": {"x": {"type": "string"}}
                      }}}
                    }}}}}
                    """#,
                enumCase: "update(id: String, UpdateItem?)",
                text: #"body: body.map { Body.form(["a": $0.a] + Endpoint.Query.indexed(["o": $0.o])) }"#),
        ])
    func formBodies(declaration: Declaration) throws {
        try expect(declaration)
    }

    @Test(
        "A multipart body has a part for each field, each element of a list and each file",
        arguments: [
            Declaration(
                pathItem: #"""
                    {"post": {"requestBody": {"required": true, "content": {"multipart/form-data": {"schema": {
                      "required": ["file"],
                      "properties": {"file": {"type": "string", "format": "binary"}, "n": {"type": "integer"}}
                    }}}}}}
                    """#,
                enumCase: "update(id: String, UpdateItem)",
                text: #"""
                    body: .multipart([Part?]([.file("file", path: body.file),
                    body.n.map { Part.field("n", "\($0)") }]).compactMap(\.self))
                    """#),
            Declaration(
                pathItem: #"""
                    {"post": {"requestBody": {"content": {"multipart/form-data": {
                      "schema": {"required": ["n"], "properties": {
                        "n": {"type": "integer"},
                        "tags": {"type": "array", "items": {"enum": ["x", "y"]}},
                        "files": {"type": "array", "items": {"type": "string", "format": "binary"}},
                        "at": {"type": "string", "format": "date-time"}
                      }}
                    }}}}}
                    """#,
                enumCase: "update(id: String, UpdateItem?)",
                text: #"""
                    body: .multipart([Part?]([(body?.n).map { Part.field("n", "\($0)") },
                    (body?.at).map { Part.field("at", $0.parameterText(Coding())) }]).compactMap(\.self)
                    + (body?.tags ?? []).map { Part.field("tags", $0.rawValue) }
                    + (body?.files ?? []).map { Part.file("files", path: $0) })
                    """#),
        ])
    func multipartBodies(declaration: Declaration) throws {
        try expect(declaration)
    }

    @Test(
        "A body of another media type is text or bytes",
        arguments: [
            Declaration(
                pathItem: #"""
                    {"post": {"requestBody": {"required": true, "content": {"text/csv": {"schema": {
                      "type": "string"
                    }}}}}}
                    """#,
                enumCase: "update(id: String, body: String)",
                text: #"body: .text(body, contentType: "text/csv")"#),
            Declaration(
                pathItem: #"""
                    {"post": {"requestBody": {"content": {"image/png": {}}}, "responses": {"200": {"content": {
                      "image/png": {}
                    }}}}}
                    """#,
                enumCase: "update(id: String, content: [UInt8]?)",
                text: #"body: content.map { Body.data($0, contentType: "image/png") }, returns: RawResponse.self"#),
            Declaration(
                pathItem: #"{"post": {"requestBody": {"required": true, "content": {"text/\"x\\y\"": {}}}}}"#,
                enumCase: "update(id: String, body: String)",
                text: #"body: .text(body, contentType: "text/xy")"#),
        ])
    func otherBodies(declaration: Declaration) throws {
        try expect(declaration)
    }

    @Test(
        "Example calls have the values of the document, except for secrets",
        arguments: [
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [
                      {"name": "m", "in": "query", "example": "none", "schema": {"enum": ["none", "all"]}}
                    ]}}
                    """#,
                enumCase: "find(id: String, m: M?)",
                text: #"[.find(id: "id", m: .noneValue)]"#),
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [
                      {"name": "auth", "in": "query", "required": true, "example": "basic", "schema": {
                        "enum": ["none", "basic"]
                      }}
                    ]}}
                    """#,
                enumCase: "find(id: String, auth: Auth)",
                text: #"[.find(id: "id", auth: .basic)]"#),
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [
                      {"name": "id", "in": "path", "example": "i"},
                      {"name": "api_key", "in": "query", "example": "s3cret"}
                    ]}}
                    """#,
                enumCase: "find(id: String, apiKey: String?)",
                text: #"examples: [Items] = [.find(id: "i", apiKey: nil)]"#),
            Declaration(
                pathItem: #"""
                    {"put": {"requestBody": {"required": true, "content": {
                      "application/json": {"example": {"note": "n", "password": "s3cret"}, "schema": {
                        "properties": {"note": {"type": "string"}, "password": {"type": "string"}},
                        "required": ["password"]
                      }}
                    }}}}
                    """#,
                enumCase: "update(id: String, UpdateItem)",
                text: #"UpdateItem(note: "n", password: "password")"#),
            Declaration(
                pathItem: #"""
                    {"post": {"requestBody": {"required": true, "content": {"application/json": {
                      "schema": {"required": ["c", "d"], "properties": {
                        "c": {"enum": ["only"]},
                        "d": {"type": "string", "default": "e"},
                        "n": {"type": "integer", "example": 7},
                        "o": {"type": "integer", "default": 1},
                        "r": {"type": "integer", "readOnly": true, "example": 1},
                        "x": {"type": "array", "items": {"type": "string"}, "examples": [["y"]]}
                      }}
                    }}}}}
                    """#,
                enumCase: "update(id: String, UpdateItem)",
                text: #"UpdateItem(c: "only", d: "e", n: 7, x: ["y"])"#),
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [
                      {"name": "on", "in": "query", "required": true, "schema": {"const": "yes"}}
                    ]}}
                    """#,
                enumCase: "find(id: String, on: String)",
                text: #"[.find(id: "id", on: "yes")]"#),
        ])
    func exampleCalls(declaration: Declaration) throws {
        try expect(declaration)
    }

    @Test(
        "A comment says what the declaration cannot express",
        arguments: [
            Declaration(
                pathItem: #"""
                    {"post": {"responses": {
                      "200": {"content": {"application/json": {"schema": {"type": "string"}}}},
                      "201": {"content": {"application/json": {"schema": {"type": "integer"}}}},
                      "202": {"content": {"application/json": {"schema": {"type": "string"}}}}
                    }}}
                    """#,
                enumCase: "update(id: String)",
                text: "// import: the response of status 201 is of another type case"),
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [
                      {"name": "f", "in": "query", "explode": false, "schema": {"type": "array", "items": {
                        "properties": {"x": {"type": "string"}}
                      }}}
                    ]}}
                    """#,
                enumCase: "find(id: String, f: [F]?)",
                text: """
                    // import: the elements of 'f' are sent each as an item
                    // import
                    """),
            Declaration(
                pathItem: #"""
                    {"get": {"operationId": "find", "parameters": [
                      {"name": "s", "in": "query", "schema": {
                        "oneOf": [{"type": "string"}, {"properties": {"x": {"type": "string"}}}]
                      }},
                      {"name": "o", "in": "query", "style": "pipeDelimited", "schema": {"properties": {"x": {
                        "type": "string"
                      }}}}
                    ]}}
                    """#,
                enumCase: "find(id: String, s: S?, o: O?)",
                text: """
                    // import: 's' is sent with its name, and with brackets if it is an object
                    // import: 'o' is sent with
                    """),
            Declaration(
                pathItem: #"""
                    {"put": {
                      "requestBody": {"required": true, "content": {"application/json": {"schema": {
                        "oneOf": [{"$ref": "#/components/schemas/A"}, {"$ref": "#/components/schemas/B"}]
                      }}}},
                      "responses": {"200": {"content": {"application/json": {"schema": {"type": "array", "items": {
                        "oneOf": [{"properties": {"p": {}}}, {"properties": {"q": {}}}]
                      }}}}}}
                    }}
                    """#,
                enumCase: "update(id: String, body: JSONValue)",
                text: """
                    // import: the body is any JSON: one of A, B
                    // import: the response holds any JSON: one of 2 kinds of object case
                    """),
            Declaration(
                pathItem: #"{"get": {"responses": {"200": {"content": {"application/json": {"schema": {}}}}}}}"#,
                enumCase: "get(id: String)",
                text: """
                    // import: the path's 'id' is not described
                    case get(id: String)
                    """),
        ])
    func commentsOnOmissions(declaration: Declaration) throws {
        try expect(declaration)
    }
}
