import EndpointKit
import EndpointTools
import JSONText
import OpenAPI
import Testing

/// Parameters of operations: identifiers, shapes, notes, examples; and the endpoint around a request.
@Suite struct OperationRequestTests {
    // MARK: Identifiers

    /// Returns the identifiers of parameters, each given as `in:name`.
    private static func identifiers(_ parameters: [String], more: String = "") throws -> [String] {
        let objects = parameters.map { parameter in
            let parts = parameter.split(separator: ":", maxSplits: 1)
            return #"{"in": "\#(parts[0])", "name": "\#(parts[1])"}"#
        }
        let operation = try Calls.operationRequest(
            #""parameters": [\#(objects.joined(separator: ", "))]\#(more)"#, path: "/x/{id}")
        return operation.parameters.map(\.identifier)
    }

    @Test(arguments: [
        ("X-Request-ID", "xRequestID", "x-request-id"), ("filter[name]", "filterName", "filter-name"),
        ("_limit", "limit", "limit"), ("$top", "top", "top"), ("user_ids[]", "userIds", "user-ids"),
        ("collectionID", "collectionId", "collection-id"), ("a.b", "aB", "a-b"), ("x_y_z", "x_y_z", "x-y-z"),
        ("HTTP-URL", "httpURL", "http-url"), ("X-URL-ID", "x_url_id", "x-url-id"), ("2fa", "value_2fa", "value-2fa"),
        ("0", "value_0", "value-0"), ("-", "value", "value"), ("größe", "größe", "größe"),
        ("line_2_text", "line_2_text", "line-2-text"), ("body", "body", "body"),
    ])
    func `An identifier is the name in Swift's spelling`(name: String, identifier: String, flag: String) throws {
        let identifiers = try Self.identifiers(["query:" + name])
        #expect(identifiers == ["id", identifier])
        #expect(KebabCase.text(identifier) == flag)
    }

    @Test(arguments: [
        (["query:id"], ["pathId", "queryId"]),
        (["query:ID", "header:Id"], ["pathId", "queryID", "headerId"]),
        // A name that needs no location keeps its flag.
        (["query:id", "query:path-id"], ["path_id_2", "queryId", "pathId"]),
        (["query:a_b", "query:aB"], ["id", "query_a_b_2", "query_a_b"]),
        (["query:aB", "query:a_b"], ["id", "query_a_b", "query_a_b_2"]),
    ])
    func `Parameters with the same flag get their location in front, in any order`(
        parameters: [String], identifiers: [String]
    ) throws {
        #expect(try Self.identifiers(parameters) == identifiers)
    }

    @Test func `No parameter has the flag of the body`() throws {
        let body = #", "requestBody": {"content": {"application/json": {}}}"#
        #expect(try Self.identifiers(["query:body"], more: body) == ["id", "queryBody", "body"])
    }

    @Test func `Many parameters with one name take little time`() throws {
        let names = (0..<2_000).map { "query:" + String(repeating: "_", count: $0) + "a" }
        #expect(Set(try Self.identifiers(names)).count == 2_001)
    }

    @Test func `Headers that other parts describe are not parameters`() throws {
        #expect(
            try Self.identifiers(["header:Accept", "header:content-type", "header:AUTHORIZATION", "header:X"])
                == ["id", "x"])
    }

    // MARK: Shape

    @Test func `The values of a call are an object of parameters, ordered by location`() throws {
        let operation = try Calls.operationRequest(
            #""parameters": [{"name": "c", "in": "cookie"}, {"name": "h", "in": "header", "required": true,"#
                + #" "schema": {"type": "integer"}}, {"name": "q", "in": "query", "content": {"application/json":"#
                + #" {"schema": {"type": "array", "items": {"type": "boolean"}}}}}, {"name": "p", "in": "path"}]"#,
            path: "/{p}")
        #expect(
            operation.shape.root
                == .object([
                    .init(key: "p", shape: .scalar(.string), isOptional: false),
                    .init(key: "q", shape: .array(.scalar(.boolean)), isOptional: true),
                    .init(key: "h", shape: .scalar(.integer(nil)), isOptional: false),
                    .init(key: "c", shape: .scalar(.string), isOptional: true),
                ]))
        #expect(operation.parameters.map(\.location) == [.path, .query, .header, .cookie])
    }

    private static let components =
        ##", "components": {"schemas": {"Pet": {"type": "object", "properties": {"name": {"type": "string"}}}}}"##

    @Test(arguments: [("name", true), ("other", false)])
    func `A body that is an object has no label unless a parameter has the flag of a field`(
        parameter: String, isLabelled: Bool
    ) throws {
        let operation = try Calls.operationRequest(
            ##""parameters": [{"name": "\##(parameter)", "in": "query"}],"##
                + ##" "requestBody": {"content": {"application/json": {"schema":"##
                + ##" {"$ref": "#/components/schemas/Pet"}}}}"##,
            method: "post", more: Self.components)
        #expect(operation.shape.root.fields.map(\.key) == [parameter, isLabelled ? "body" : "_0"])
        #expect(operation.parameters.map(\.identifier) == operation.shape.root.fields.map(\.key))
        #expect(operation.shape.root.fields[1].shape == .model("Pet"))
        #expect(operation.shape.root.fields[1].typeName == (isLabelled ? nil : "Pet"))
    }

    @Test(arguments: [
        (#"{"type": "array", "items": {}}"#, "body"), (#"{"type": "object"}"#, "body"), ("{}", "body"),
        (#"{"oneOf": [{"type": "string"}, {"type": "integer"}]}"#, "body"), (#"{"properties": {"a": {}}}"#, "_0"),
        (#"{"type": ["object", "null"], "properties": {"a": {}}}"#, "_0"),
    ])
    func `Only an object with fields has no label`(schema: String, key: String) throws {
        let operation = try Calls.operationRequest(
            #""requestBody": {"content": {"application/json": {"schema": \#(schema)}}}"#, method: "post")
        #expect(operation.shape.root.fields.map(\.key) == [key])
    }

    @Test(arguments: [(false, []), (true, ["body"])])
    func `An object without members is no parameter unless it is required`(
        isRequired: Bool, keys: [String]
    ) throws {
        let operation = try Calls.operationRequest(
            #""requestBody": {"required": \#(isRequired), "content": {"application/x-www-form-urlencoded":"#
                + #" {"schema": {"type": "object", "additionalProperties": false}}}}"#, method: "post")
        #expect(operation.parameters.map(\.identifier) == keys)
        #expect(operation.shape.root.fields.map(\.key) == keys)
    }

    @Test func `Models of different parameters have different names`() throws {
        let document = try Documents.document(
            ##"{"openapi": "3.1.0", "paths": {"/x": {"post": {"parameters": [{"name": "a", "in": "query","##
                + ##" "schema": {"$ref": "#/a/Pet"}}, {"name": "b", "in": "query", "schema": {"$ref": "#/b/Pet"}},"##
                + ##" {"name": "c", "in": "query", "schema": {"$ref": "#/a/Pet"}}]}}},"##
                + ##" "a": {"Pet": {"type": "object", "properties": {"x": {}}}},"##
                + ##" "b": {"Pet": {"type": "object", "properties": {"y": {}}}}}"##)
        let operation = document.operation(document.operations().parts[0])
        let shape = try OperationRequest(operation, in: document).shape
        #expect(shape.root.fields.map(\.shape) == [.model("Pet"), .model("Pet 2"), .model("Pet")])
        #expect(shape.models.map(\.name) == ["Pet", "Pet 2"])
    }

    // MARK: Notes and examples

    @Test func `Examples do not contain read-only members`() throws {
        let operation = try Calls.operationRequest(
            #""requestBody": {"content": {"application/json": {"schema": {"properties": {"#
                + ##""id": {"$ref": "#/components/schemas/Id"}, "at": {"readOnly": true, "example": 1},"##
                + #" "name": {"example": "Rex"}}}}}}"#,
            method: "post", more: #", "components": {"schemas": {"Id": {"readOnly": true, "example": 7}}}"#)
        #expect(operation.parameters.map { $0.example?.description } == [#"{"name":"Rex"}"#])
    }

    @Test func `Notes are the first paragraphs of descriptions`() throws {
        let operation = try Calls.operationRequest(
            #""summary": "Makes a pet", "parameters": [{"name": "a", "in": "query","#
                + #" "description": "\n One\n two.\n\nMore."}],"#
                + #" "requestBody": {"description": "A pet", "content": {"application/json": {"schema":"#
                + #" {"properties": {"name": {"description": "Its name"}}}}}}"#, method: "post")
        let endpoint = try operation.endpoint(for: [:])
        #expect(endpoint.summary == "Makes a pet")
        #expect(endpoint.notes == ["a": "One two.", "_0": "A pet", "name": "Its name"])
        #expect(operation.parameters.map(\.note) == ["One two.", "A pet"])
    }

    @Test(arguments: [
        (#""example": 1, "schema": {"default": 2}"#, "1"),
        (#""examples": {"e": {"value": null}, "f": {"value": [3]}}"#, "[3]"),
        (#""schema": {"default": 2, "enum": [4]}"#, "2"), (#""schema": {"enum": [null, 4]}"#, "4"),
        (#""schema": {"type": "array", "items": {"const": "a"}}"#, #"["a"]"#),
        (#""schema": {"examples": [5]}"#, "5"),
        (#""schema": {"properties": {"a": {"example": 1}}}"#, nil),
        (#""content": {"application/json": {"examples": {"e": {"serializedValue": "{\"a\":1}"}}}}"#, #"{"a":1}"#),
        (#""schema": {"type": "string"}"#, nil), (##""schema": {"$ref": "#/nowhere"}"##, nil),
        (##""schema": {"$ref": "#/s"}"##, "7"), (##""schema": {"$ref": "#/s", "default": 8}"##, "8"),
        (##""schema": {"$ref": "#/t"}"##, nil),
    ])
    func `An example is found in examples, default and allowed values`(members: String, example: String?) throws {
        let operation = try Calls.operationRequest(
            #""parameters": [{"name": "a", "in": "query", \#(members)}]"#,
            more: ##", "s": {"example": 7}, "t": {"properties": {"t": {"$ref": "#/t"}}}"##)
        #expect(operation.parameters.map { $0.example?.description } == [example])
    }

    @Test func `A body has the examples of its fields`() throws {
        let operation = try Calls.operationRequest(
            #""requestBody": {"content": {"application/json": {"schema":"#
                + #" {"properties": {"a": {"example": 1}, "b": {}, "c": {"enum": ["d"]}}}}}}"#, method: "post")
        #expect(operation.parameters.map(\.example) == [["a": 1, "c": "d"]])
    }

    @Test(arguments: [(2, true), (6, false)])
    func `Examples of schemas that multiply are limited`(levels: Int, hasExample: Bool) throws {
        let schemas = (0..<levels).map { level in
            let properties = (0..<40).map { ##""p\##($0)": {"$ref": "#/s\##(level + 1)"}"## }
            return #""s\#(level)": {"properties": {\#(properties.joined(separator: ","))}}"#
        }
        let operation = try Calls.operationRequest(
            ##""requestBody": {"content": {"application/json": {"schema": {"$ref": "#/s0"}}}}"##, method: "post",
            more: ", " + schemas.joined(separator: ", ") + #", "s\#(levels)": {"example": 1}"#)
        #expect(operation.parameters.map { $0.example != nil } == [hasExample])
    }

    // MARK: Endpoint

    @Test(
        arguments: [
            (#""200": {"content": {"application/json": {}}}"#, .json, nil),
            (#""200": {"content": {"application/json": {}, "text/csv": {}}}"#, .json, nil),
            (#""200": {"content": {"*/*": {"schema": {}}}}"#, .json, nil),
            (#""201": {"content": {"application/hal+json": {}}}"#, .json, "application/hal+json"),
            (#""2XX": {"content": {"text/csv": {}, "image/png": {}}}"#, .bytes, "text/csv, image/png"),
            (#""default": {"content": {"application/json": {}}}"#, .json, nil),
            // A default beside a success is an error's.
            (#""204": {"description": ""}, "default": {"content": {"application/json": {}}}"#, .empty, nil),
            (#""404": {"content": {"application/json": {}}}"#, .bytes, nil),
            (#""200": {"content": {"a/b\nX: y": {}}}"#, .bytes, nil),
        ] as [(String, ResponseModel.Kind, String?)])
    func `The success response determines the model`(
        responses: String, kind: ResponseModel.Kind, accept: String?
    ) throws {
        let endpoint = try Calls.operationRequest(#""responses": {\#(responses)}"#).endpoint(for: [:])
        #expect(endpoint.response.kind == kind)
        #expect(endpoint.headers.fields.first { $0.isNamed("Accept") }?.value.description == accept)
        #expect((endpoint.pages == .link()) == (kind == .json))
    }

    @Test func `Only a GET has pages, and HEAD has no body`() throws {
        let responses = #""responses": {"200": {"content": {"application/json": {}}}}"#
        #expect(try Calls.operationRequest(responses, method: "post").endpoint(for: [:]).pages == nil)
        let head = try Calls.operationRequest(responses, method: "head").endpoint(for: [:])
        #expect(head.method == .head)
        #expect(head.response.kind == .empty)
    }

    @Test func `A broken part is left out, and the rest can be called`() throws {
        let operation = try Calls.operationRequest(
            ##""parameters": [{"$ref": "#/p"}, {"name": "q", "in": "query"}], "requestBody": {"$ref": "#/b"}"##)
        #expect(operation.parameters.map(\.identifier) == ["q"])
        #expect(operation.bodyTypes.isEmpty)
    }

    @Test(arguments: ["GET / HTTP/1.1\\r\\nX: y", "", "A B"])
    func `A method that could hold another request is refused`(method: String) throws {
        let document = try Documents.document(
            #"{"openapi": "3.2.0", "paths": {"/x": {"additionalOperations": {"\#(method)": {}}}}}"#)
        let operation = document.operation(document.operations().parts[0])
        let request = try OperationRequest(operation, in: document)
        #expect(throws: CallValueError.method(operation.summary.method)) { try request.endpoint(for: [:]) }
    }

    @Test func `Unknown keys and null are ignored in the values of a call`() throws {
        let operation = try Calls.operationRequest(#""parameters": [{"name": "q", "in": "query"}]"#)
        let request = try Calls.request(operation, #"{"other": 1, "q": null}"#)
        #expect(try request.revealedURL() == "https://shop.example/x")
    }
}
