import Testing

@testable import APIImport

/// The bodies that endpoints imported from curl commands send.
@Suite struct ScaffoldBodyTests {
    /// A request, and the argument of the endpoint that declares its body.
    struct RequestBody: Sendable, CustomTestStringConvertible {
        /// The arguments of curl.
        let curl: String
        /// The argument on one line, with the argument for its content type where there is one.
        let argument: String

        var testDescription: String { curl }
    }

    @Test(
        "A body is declared as form, JSON object, multipart body, text or bytes",
        arguments: [
            RequestBody(curl: "-d a=1 -d b=x%20y http://a.test", argument: #"body: .form(["a": a, "b": b])"#),
            RequestBody(curl: "-d 'a[b]=+1&t=12:00' http://a.test", argument: #"body: .form(["a[b]": aB, "t": t])"#),
            RequestBody(
                curl: "-d 'a=1%' http://a.test",
                argument: #"body: .text(body, contentType: "application/x-www-form-urlencoded")"#),
            RequestBody(curl: "-d a=1 -d a=2 http://a.test", argument: #"body: .form(["a": a])"#),
            RequestBody(
                curl: "-d 'x=1&y=2&x=3' http://a.test",
                argument: #"body: .text(body, contentType: "application/x-www-form-urlencoded")"#),
            RequestBody(
                curl: "-d 'a=1;b=2' http://a.test",
                argument: #"body: .text(body, contentType: "application/x-www-form-urlencoded")"#),
            RequestBody(
                curl: "-d 'chat=42&text=x y' http://a.test",
                argument: #"body: .form(["chat": chat, "text": text])"#),
            RequestBody(
                curl: "-d 'a b=x' http://a.test",
                argument: #"body: .text(body, contentType: "application/x-www-form-urlencoded")"#),
            RequestBody(
                curl: "--json '{\"a\": 9007199254740993}' http://a.test",
                argument: #"body: .object(["a": a])"#),
            RequestBody(
                curl: #"-d '{"a": 1}' http://a.test"#,
                argument: #"headers: ["Content-Type": "application/x-www-form-urlencoded"], body: .object(["a": a])"#),
            RequestBody(
                curl: #"--json '{"a": [1, 2], "b": {"c": 1}, "d": [], "e": null, "f": ["x"]}' http://a.test"#,
                argument: #"body: .object(["a": a, "b": b, "d": d, "e": e, "f": f])"#),
            RequestBody(curl: "--json {} http://a.test", argument: "body: .object([:])"),
            RequestBody(
                curl: #"--json '{"pin": 123456, "id": 1234567}' http://a.test"#,
                argument: #"body: .object(["pin": pin, "id": id])"#),
            RequestBody(
                curl: "--json '[1, 2]' http://a.test",
                argument: #"body: .text(body, contentType: "application/json")"#),
            RequestBody(
                curl: #"--json '{"a": 1, "a": 2}' http://a.test"#,
                argument: #"body: .text(body, contentType: "application/json")"#),
            RequestBody(
                curl: #"--json '{"a": 123456789012345678901234567890}' http://a.test"#,
                argument: #"body: .text(body, contentType: "application/json")"#),
            RequestBody(
                curl: "-d hello http://a.test",
                argument: #"body: .text(body, contentType: "application/x-www-form-urlencoded")"#),
            RequestBody(
                curl: "-H 'Content-Type: text/xml' -d '<a/>' http://a.test",
                argument: #"body: .text(body, contentType: "text/xml")"#),
            RequestBody(
                curl: "-H 'Content-Type: application/json; charset=utf-8' -d '{\"a\": 1}' http://a.test",
                argument: #"headers: ["Content-Type": "application/json; charset=utf-8"], body: .object(["a": a])"#),
            RequestBody(
                curl: "-F a=1 -F 'f=@y;type=text/csv' http://a.test",
                argument: #"body: .multipart([.field("a", "\(a)"), .file("f", path: f, contentType: "text/csv")])"#),
            RequestBody(
                curl: #"""
                    -H 'Content-Type: multipart/form-data; boundary=x' \#
                    --data-raw $'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\nc\r\n--x--\r\n' \#
                    http://a.test
                    """#,
                argument: #"body: .multipart([.field("a", a)])"#),
            RequestBody(
                curl: #"-F 'a={"b":1};type=application/json' http://a.test"#,
                argument: #"body: .multipart([.text("a", a, contentType: "application/json")])"#),
            RequestBody(
                curl: "-T photo.png http://a.test",
                argument: #"body: .data([], contentType: "application/octet-stream")"#),
        ])
    func bodiesAreDeclared(body: RequestBody) throws {
        let endpoint = try CurlImport.scaffold("curl " + body.curl).endpoints[0]
        #expect(endpoint.armOnOneLine.contains(body.argument + ", returns:"), "\(endpoint.arm)")
    }

    /// A JSON body with one member, the type of the parameter for this member, and its value in the example call.
    struct BodyObject: Sendable, CustomTestStringConvertible {
        let json: String
        let type: String
        /// The value in Swift, or nil if the test makes no statement about it.
        let value: String?

        var testDescription: String { json }
    }

    @Test(
        "An object in a body becomes a structure if the structure sends the same JSON",
        arguments: [
            BodyObject(
                json: #"{"owner": {"name": "Ann", "age": 3}}"#,
                type: "Owner",
                value: #"Owner(name: "Ann", age: 3)"#),
            BodyObject(
                json: #"{"tags": [{"a": 1}, {"a": 2, "b": true}]}"#,
                type: "[Tag]",
                value: "[Tag(a: 1), Tag(a: 2, b: true)]"),
            BodyObject(
                json: #"{"x": {"y": {"z": 9007199254740993}}}"#,
                type: "X",
                value: "X(y: Y(z: 9_007_199_254_740_993))"),
            BodyObject(
                json: #"{"x": {"price": 3, "note": "a"}}"#,
                type: "X",
                value: #"X(price: 3, note: "a")"#),
            BodyObject(
                json: #"{"x": {"a": [], "b": {}}}"#,
                type: "X",
                value: "X(a: [], b: [:])"),
            BodyObject(
                json: #"{"x": {"1": {"a": 1}, "2": {"a": 2}}}"#,
                type: "[String: X]",
                value: #"["1": X(a: 1), "2": X(a: 2)]"#),
            // A structure would not send null, a key twice, or a number with its spelling.
            BodyObject(
                json: #"{"x": {"a": null}}"#,
                type: "JSONValue",
                value: #"["a": .null]"#),
            BodyObject(
                json: #"{"x": {"a": 1, "a": 2}}"#,
                type: "JSONValue",
                value: nil),
            BodyObject(
                json: #"{"x": {"a": [1, "b"]}}"#,
                type: "JSONValue",
                value: #"["a": [1, "b"]]"#),
            BodyObject(
                json: #"{"x": {}}"#,
                type: "JSONValue",
                value: "[:]"),
        ])
    func objectsInBodies(body: BodyObject) throws {
        let scaffold = try CurlImport.scaffold("curl --json '\(body.json)' http://a.test")
        let parameter = body.json.dropFirst(2).prefix { $0 != "\"" }
        let text = scaffold.text(withModels: true)
        #expect(scaffold.endpoints[0].declaration == "post(\(parameter): \(body.type))", "\(text)")
        if let value = body.value {
            #expect(scaffold.endpoints[0].example == ".post(\(parameter): \(value))")
        }
        if body.type == "JSONValue" {
            #expect(!text.contains("public struct"))
        } else {
            #expect(text.contains("public struct"))
            #expect(text.contains("public init("))
        }
    }

    @Test("If all keys are in snake case, the coding strategy converts them") func keysInSnakeCase() throws {
        let text = try CurlImport.scaffold(#"curl --json '{"a": {"user_id": 1}}' http://a.test"#).text(withModels: true)
        #expect(text.contains("convertFromSnakeCase"), "\(text)")
        #expect(text.contains(#"userID = "userId""#), "\(text)")
    }

    /// With the coding strategy for snake case, `userId` would become `user_id`.
    @Test("If a key is in camel case, no coding strategy converts keys") func keysInCamelCase() throws {
        let text = try CurlImport.scaffold(#"curl --json '{"a": {"userId": 1, "user_name": "x"}}' http://a.test"#)
            .text(withModels: true)
        #expect(text.contains("public struct PostA"), "\(text)")
        #expect(text.contains(#"userName = "user_name""#), "\(text)")
        #expect(!text.contains("convertFromSnakeCase"))
    }
}
