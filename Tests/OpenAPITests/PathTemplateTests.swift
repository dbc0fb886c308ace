import EndpointKit
import JSONText
import OpenAPI
import Testing

/// Paths with variables.
@Suite struct PathTemplateTests {
    /// Returns the URL without its server for a path whose variables the document does not describe.
    private static func url(_ path: String, _ values: String) throws -> String {
        let operation = try Calls.operationRequest("", path: path)
        return String(try Calls.request(operation, values).revealedURL().dropFirst("https://shop.example".count))
    }

    @Test(arguments: [
        ("/a/{x}.{y}", #"{"x": 1, "y": "b"}"#, "/a/1.b"),
        ("/a/{x}/{x}", #"{"x": "c"}"#, "/a/c/c"),
        ("/a/{x-y}", #"{"xY": "c"}"#, "/a/c"),
        ("/a/{}", #"{"value": "c"}"#, "/a/c"),
        ("/a/{x", "{}", "/a/%7Bx"),
        ("/a}{x}", #"{"x": 1}"#, "/a%7D1"),
        ("/ü b", "{}", "/%C3%BC%20b"),
        ("/a?acl&x={x}", #"{"x": "c&d"}"#, "/a?acl=&x=c%26d"),
        ("/a#b", "{}", "/a"),
        ("/a/{x}:cancel", #"{"x": "p/q"}"#, "/a/p%2Fq:cancel"),
    ])
    func `A path variable without a parameter is a required string`(path: String, values: String, url: String) throws {
        #expect(try Self.url(path, values) == url)
    }

    @Test func `A variable needs a value`() throws {
        let operation = try Calls.operationRequest("", path: "/a/{x}")
        #expect(operation.parameters.map(\.isRequired) == [true])
        #expect(throws: CallValueError.missing(identifier: "x")) { try operation.endpoint(for: [:]) }
        #expect(throws: CallValueError.missing(identifier: "x")) { try operation.endpoint(for: ["x": .null]) }
        #expect(throws: CallValueError.notCallValues) { try operation.endpoint(for: []) }
    }

    @Test(arguments: ["..", ".", "", "%2e%2e"])
    func `A value can't turn a path into another path`(value: String) throws {
        let operation = try Calls.operationRequest(
            #""parameters": [{"name": "x", "in": "path", "allowReserved": true}]"#, path: "/a/{x}")
        let values = #"{"x": "\#(value)"}"#
        #expect(throws: RequestError.self) { try Calls.request(operation, values) }
        // Two values in a segment can't make dots together.
        #expect(throws: RequestError.self) { try Self.url("/{x}{y}", #"{"x": ".", "y": "."}"#) }
    }

    @Test(arguments: [
        ("../b", "/a/..%2Fb"), ("b?c", "/a/b%3Fc"), ("b#c", "/a/b%23c"), ("b%2fc", "/a/b%252fc"),
        (#"b\u0000\nc"#, "/a/b%00%0Ac"), (#"b\\c"#, "/a/b%5Cc"), (#"/\u0301"#, "/a/%2F%CC%81"),
    ])
    func `A value never ends its segment`(value: String, url: String) throws {
        #expect(try Self.url("/a/{x}", #"{"x": "\#(value)"}"#) == url)
    }

    @Test func `A path parameter that the path does not contain is ignored`() throws {
        let operation = try Calls.operationRequest(#""parameters": [{"name": "y", "in": "path"}]"#, path: "/a")
        #expect(operation.parameters.isEmpty)
    }

    @Test(arguments: [#"a\nb"#, #"a\u0000"#, #"a\r\nX: y"#])
    func `A header can't hold another one`(value: String) throws {
        let operation = try Calls.operationRequest(#""parameters": [{"name": "h", "in": "header"}]"#)
        #expect(throws: RequestError.invalidHeaderValue(name: "h")) {
            try Calls.request(operation, #"{"h": "\#(value)"}"#)
        }
    }

    @Test func `A cookie can't hold another one`() throws {
        let operation = try Calls.operationRequest(
            #""parameters": [{"name": "c", "in": "cookie", "style": "cookie"}]"#, version: #""openapi": "3.2.0""#)
        #expect(throws: CallValueError.cookie(identifier: "c")) {
            try Calls.request(operation, #"{"c": "a; admin=1"}"#)
        }
    }
}
