import EndpointKit
import JSONText
import Testing

@testable import OpenAPI

/// Bodies of requests, byte by byte.
@Suite struct RequestBodyTests {
    /// Returns an operation with a body.
    ///
    /// - Parameters:
    ///   - contentType: The media type of the body.
    ///   - mediaType: The members of the Media Type Object.
    private static func operation(_ contentType: String, _ mediaType: String, isRequired: Bool = true) throws
        -> OperationRequest
    {
        try Calls.operationRequest(
            #""requestBody": {"required": \#(isRequired), "content": {"\#(contentType)": {\#(mediaType)}}}"#,
            method: "post")
    }

    private static let pet = #""schema": {"type": "object", "properties": {"a": {}, "b": {}, "c": {}}}"#

    @Test(arguments: [
        ("application/json", #"{"a": 1, "b": [ ]}"#, #"{"a":1,"b":[]}"#),
        ("application/merge-patch+json", #"{"a": null}"#, #"{"a":null}"#),
        ("application/json; charset=utf-8", "{}", "{}"),
    ])
    func `JSON is sent as it is given`(contentType: String, value: String, text: String) throws {
        let operation = try Self.operation(contentType, Self.pet)
        let body = Calls.body(try Calls.request(operation, #"{"_0": \#(value)}"#))
        #expect(body.contentType == contentType)
        #expect(body.text == text)
    }

    @Test(arguments: [("*/*", "application/json"), ("text/json", "text/json")])
    func `A range is sent as a media type`(contentType: String, sent: String) throws {
        let body = Calls.body(try Calls.request(Self.operation(contentType, #""schema": {}"#), #"{"body": [1]}"#))
        #expect(body.contentType == sent)
        #expect(body.text == "[1]")
    }

    @Test(arguments: [
        ("", #"{"a": "b c", "b": [1, 2], "c": {"d": 1}}"#, "a=b%20c&b=1&b=2&c=%7B%22d%22%3A1%7D"),
        ("", #"{"a": null, "b": "&="}"#, "b=%26%3D"),
        (#""a": {"style": "form", "explode": false}"#, #"{"a": ["x", "y"]}"#, "a=x,y"),
        (#""a": {"explode": false}"#, #"{"a": ["x", "y"]}"#, "a=x,y"),
        (#""a": {"style": "deepObject"}"#, #"{"a": {"x": 1, "y": [2]}}"#, "a%5Bx%5D=1&a%5By%5D=2"),
        (#""a": {"style": "spaceDelimited"}"#, #"{"a": ["x", "y"]}"#, "a=x%20y"),
        (#""a": {"style": "form"}"#, #"{"a": {"x": 1}}"#, "x=1"),
        (#""a": {"explode": true}"#, #"{"a": {"x": 1, "y": 2}}"#, "x=1&y=2"),
        (#""a": {"allowReserved": false}"#, #"{"a": {"x": 1}}"#, "x=1"),
        (#""a": {}"#, #"{"a": {"x": 1}}"#, "a=%7B%22x%22%3A1%7D"),
        (#""a": {"allowReserved": true}"#, #"{"a": "x/y&z"}"#, "a=x/y%26z"),
        (#""a": {"contentType": "application/json"}"#, #"{"a": ["x"]}"#, "a=%5B%22x%22%5D"),
    ])
    func `Fields of a form are written as their encodings say`(encoding: String, value: String, text: String) throws {
        let form = "application/x-www-form-urlencoded"
        let operation = try Self.operation(form, Self.pet + #", "encoding": {\#(encoding)}"#)
        let body = Calls.body(try Calls.request(operation, #"{"_0": \#(value)}"#))
        #expect(body.contentType == form)
        #expect(body.text == text)
    }

    /// The headers of a part without a content type.
    private static let field = "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n"
    /// The headers of a file.
    private static let file = "--x\r\nContent-Disposition: form-data; name=\"a\"; filename=\"c.png\"\r\nContent-Type: "

    @Test(arguments: [
        ("", "", #""b""#, [field + "\r\nb"]),
        ("", "", "1.0", [field + "\r\n1.0"]),
        ("", "", #"[1, "b"]"#, [field + "\r\n1", field + "\r\nb"]),
        ("", "", #"{"b": 1}"#, [field + "Content-Type: application/json\r\n\r\n{\"b\":1}"]),
        ("", "", #"[{"b": 1}]"#, [field + "Content-Type: application/json\r\n\r\n{\"b\":1}"]),
        (
            "", #""contentType": "application/json""#, #"[1, 2]"#,
            [field + "Content-Type: application/json\r\n\r\n[1,2]"]
        ),
        ("", #""contentType": "application/xml""#, #""<b/>""#, [field + "Content-Type: application/xml\r\n\r\n<b/>"]),
        ("", #""style": "form", "explode": false"#, "[1, 2]", [field + "\r\n1,2"]),
        (#""format": "binary""#, "", #""b/c.png""#, [file + "application/octet-stream\r\n\r\n<b/c.png>"]),
        (
            #""type": "string", "contentMediaType": "image/png""#, "", #""c.png""#,
            [file + "application/octet-stream\r\n\r\n<c.png>"]
        ),
        (
            #""format": "binary""#, #""contentType": "image/png""#, #""c.png""#,
            [file + "image/png\r\n\r\n<c.png>"]
        ),
        (
            #""format": "binary""#, #""contentType": "image/png, image/gif""#, #""c.png""#,
            [file + "application/octet-stream\r\n\r\n<c.png>"]
        ),
        (
            #""type": "array", "items": {"format": "binary"}"#, "", #"["c.png", "d/c.png"]"#,
            [
                file + "application/octet-stream\r\n\r\n<c.png>", file + "application/octet-stream\r\n\r\n<d/c.png>",
            ]
        ),
    ])
    func `Parts of a multipart body are written as their encodings say`(
        schema: String, encoding: String, value: String, parts: [String]
    ) throws {
        let operation = try Self.operation(
            "multipart/form-data",
            #""schema": {"properties": {"a": {\#(schema)}}}, "encoding": {"a": {\#(encoding)}}"#)
        let body = Calls.body(try Calls.request(operation, #"{"_0": {"a": \#(value)}}"#))
        #expect(body.contentType == "multipart/form-data; boundary=x")
        #expect(body.text == (parts + ["--x--\r\n"]).joined(separator: "\r\n"))
    }

    @Test func `A content type with a line break can't start another header`() throws {
        let operation = try Self.operation(
            "multipart/form-data",
            #""schema": {"properties": {"a": {}}}, "encoding": {"a": {"contentType": "a/b\r\nX: y"}}"#)
        let body = Calls.body(try Calls.request(operation, #"{"_0": {"a": 1}}"#))
        #expect(body.text == Self.field + "Content-Type: a/bX: y\r\n\r\n1\r\n--x--\r\n")
    }

    @Test func `The value of a text body is a string`() throws {
        let operation = try Self.operation("text/csv", #""schema": {"type": "object", "properties": {"a": {}}}"#)
        #expect(operation.shape.root == .object([.init(key: "body", shape: .scalar(.string), isOptional: false)]))
        let body = Calls.body(try Calls.request(operation, #"{"body": "a,b\n"}"#))
        #expect(body.contentType == "text/csv")
        #expect(body.text == "a,b\n")
    }

    @Test func `A body of bytes is not a parameter`() throws {
        let operation = try Self.operation("image/png", #""schema": {"type": "string", "format": "binary"}"#)
        #expect(operation.parameters.isEmpty)
        #expect(operation.shape.root == .object([]))
        #expect(try operation.endpoint(for: [:]).body?.contentType == "image/png")
    }

    @Test(arguments: ["*/*", "application/*"])
    func `A string of any media type is bytes`(contentType: String) throws {
        let operation = try Self.operation(contentType, #""schema": {"type": "string"}"#)
        #expect(operation.shape.root == .object([]))
        #expect(operation.needsBytes)
        #expect(try operation.endpoint(for: [:]).body?.contentType == "application/octet-stream")
    }

    @Test func `Form parameters of Swagger 2 are the fields of a form`() throws {
        let operation = try Calls.operationRequest(
            #""parameters": [{"in": "formData", "name": "a", "type": "file", "required": true},"#
                + #" {"in": "formData", "name": "b", "type": "array", "collectionFormat": "multi"},"#
                + #" {"in": "formData", "name": "c", "type": "array", "collectionFormat": "csv"}]"#,
            method: "post", version: #""swagger": "2.0""#)
        let request = try Calls.request(operation, #"{"_0": {"a": "p/q", "b": ["x", "y"], "c": ["x", "y"]}}"#)
        let text = Calls.body(request).text
        let names = request.body?.parts?.map { part in
            switch part {
            case .field(let name, let value): "\(name)=\(value)"
            case .text(let name, _, _): "\(name) as text"
            case .file(let name, let path, _, _): "\(name)@\(path)"
            case .bytes(let name, _, _, _): "\(name) as bytes"
            case .stream(let name, _, _, _): "\(name) as a stream"
            }
        }
        #expect(names == ["a@p/q", "b=x", "b=y", "c=x,y"])
        #expect(text.contains("<p/q>"))
    }

    // MARK: Required and missing

    @Test func `A required body needs a value, unless all its fields may be left out`() throws {
        let optionalFields = try Self.operation("application/json", Self.pet)
        #expect(Calls.body(try Calls.request(optionalFields, "{}")).text == "{}")
        let requiredFields = try Self.operation(
            "application/json", #""schema": {"properties": {"a": {}}, "required": ["a"]}"#)
        #expect(throws: CallValueError.missing(identifier: "_0")) { try requiredFields.endpoint(for: [:]) }
        let list = try Self.operation("application/json", #""schema": {"type": "array", "items": {}}"#)
        #expect(throws: CallValueError.missing(identifier: "body")) { try list.endpoint(for: [:]) }
    }

    @Test func `An optional body may be left out`() throws {
        let operation = try Self.operation("application/json", Self.pet, isRequired: false)
        #expect(try operation.endpoint(for: [:]).body == nil)
        #expect(try operation.endpoint(for: ["_0": .null]).body == nil)
    }

    @Test func `Null can be the body in JSON`() throws {
        let operation = try Self.operation("application/json", #""schema": {"type": ["string", "null"]}"#)
        #expect(Calls.body(try Calls.request(operation, #"{"body": null}"#)).text == "null")
        let text = try Self.operation("text/plain", "")
        #expect(throws: CallValueError.missing(identifier: "body")) { try text.endpoint(for: ["body": .null]) }
    }

    @Test func `The value of a form has to be an object`() throws {
        let operation = try Self.operation("application/x-www-form-urlencoded", #""schema": {}"#)
        #expect(throws: CallValueError.notObject(identifier: "body")) { try operation.endpoint(for: ["body": 1]) }
        #expect(Calls.body(try Calls.request(operation, #"{"body": {"a": 1}}"#)).text == "a=1")
    }

    // MARK: Media types

    private static func chosen(_ types: [String], _ bodyType: String? = nil) throws -> String? {
        let content = types.map { #""\#($0)": {}"# }.joined(separator: ", ")
        let operation = try Calls.operationRequest(
            #""requestBody": {"content": {\#(content)}}"#, method: "post", bodyType: bodyType)
        let values = #"{"body": {}}"#
        return Calls.body(try Calls.request(operation, values)).contentType
    }

    @Test(arguments: [
        (["text/csv", "application/xml", "image/png", "application/json"], "application/json"),
        (["text/plain", "application/x-www-form-urlencoded", "a/b+json"], "a/b+json"),
        (["text/plain", "application/x-www-form-urlencoded"], "application/x-www-form-urlencoded"),
        (["image/png", "text/plain"], "text/plain"), (["image/png", "*/*"], "application/json"),
        (["image/*"], "application/octet-stream"), (["a/b\\nX: y"], "application/octet-stream"),
    ])
    func `JSON goes before forms, text and bytes`(types: [String], chosen: String) throws {
        #expect(try Self.chosen(types) == chosen)
    }

    @Test(arguments: [
        (["application/json", "text/csv"], "text/csv", "text/csv"),
        (["application/json", "text/csv; charset=utf-8"], "TEXT/CSV", "text/csv; charset=utf-8"),
        (["application/json", "image/*"], "image/gif", "image/gif"), (["application/json", "*/*"], "a/b", "a/b"),
    ])
    func `The caller may choose a media type`(types: [String], bodyType: String, chosen: String) throws {
        #expect(try Self.chosen(types, bodyType) == chosen)
    }

    @Test func `Another media type is an error that names all`() throws {
        let error = BodyTypeError(requested: "a/b", available: ["application/json", "image/*"])
        #expect(throws: error) { try Self.chosen(["application/json", "image/*"], "a/b") }
        #expect(error.description == "the body can't be a/b: expected application/json, image/*")
        #expect(throws: BodyTypeError(requested: "a/b", available: [])) {
            try Calls.operationRequest("", bodyType: "a/b")
        }
    }
}
