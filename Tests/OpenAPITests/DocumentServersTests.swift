import EndpointKit
import JSONText
import Testing

@testable import OpenAPI

/// Servers of documents.
@Suite struct DocumentServersTests {
    /// Returns the servers of a document, given as JSON.
    private static func servers(
        _ servers: String, variables: [String: String] = [:], documentURL: String? = nil
    ) throws -> DocumentServers {
        let document = try Documents.document(#"{"openapi": "3.1.0", "servers": [\#(servers)], "paths": {}}"#)
        return try DocumentServers(document.servers.parts, variables: variables, documentURL: documentURL)
    }

    @Test(arguments: [
        (#"{"url": "https://a.example"}"#, ["production"]),
        (#"{"url": "https://a.example", "description": "Staging server"}"#, ["staging"]),
        (
            #"{"url": "https://a.example", "description": "QA"}, {"url": "https://b.example", "description": "qa 2"}"#,
            ["qa", "qa-2"]
        ),
        (
            #"{"url": "https://a.example"}, {"url": "https://b.example"},"#
                + #" {"url": "https://c.example", "description": "-"}"#,
            ["server-1", "server-2", "server-3"]
        ),
    ])
    func `A server is named after the first word of its description`(servers: String, names: [String]) throws {
        #expect(try Self.servers(servers).servers.map(\.name) == names)
    }

    private static let regions =
        #"{"url": "https://{region}.a.example:{port}", "variables":"#
        + #" {"region": {"default": "eu", "enum": ["eu", "us"]}, "port": {"default": 443}}}"#

    @Test(arguments: [
        ([:], "https://eu.a.example:443"), (["region": "us"], "https://us.a.example:443"),
        (["port": "8443"], "https://eu.a.example:8443"),
    ])
    func `A server variable has its default or the value that the user sets`(variables: [String: String], url: String)
        throws
    {
        #expect(try Self.servers(Self.regions, variables: variables).servers.map(\.url) == [url])
    }

    @Test(arguments: [
        (["region": "cn"], "server variable 'region': expected eu, us, found 'cn'"),
        (["zone": "a"], "unknown server variable 'zone': expected region, port"),
    ])
    func `A value that no server allows is an error`(variables: [String: String], message: String) throws {
        let error = #expect(throws: ServerVariableError.self) {
            try Self.servers(Self.regions, variables: variables)
        }
        #expect(error?.description == message)
    }

    @Test(arguments: [
        ("/v2", "https://a.example/docs/openapi.json", "https://a.example/v2"),
        ("v2", "https://a.example/docs/openapi.json", "https://a.example/docs/v2"),
        ("../v2", "https://a.example/docs/openapi.json?x#y", "https://a.example/v2"),
        ("//b.example/v2", "http://a.example/openapi.json", "http://b.example/v2"),
        ("//b.example/v2", nil, "https://b.example/v2"),
        ("/", "https://user:secret@a.example/openapi.json", "https://a.example/"),
        ("http://b.example", "https://a.example", "http://b.example"),
    ])
    func `A relative server URL is resolved against the document's URL`(
        url: String, documentURL: String?, expected: String
    ) throws {
        let servers = try Self.servers(#"{"url": "\#(url)"}"#, documentURL: documentURL)
        #expect(servers.servers.map(\.url) == [expected])
        #expect(servers.problems.isEmpty)
    }

    @Test(
        arguments: [
            (#"{"url": "/v2"}"#, .relative(url: "/v2")), ("", .relative(url: "/")),
            (#"{"url": "https://{a}.example"}"#, .noValue(url: "https://{a}.example", variable: nil)),
            (
                #"{"url": "https://{a}.example", "variables": {"a": {}}}"#,
                .noValue(url: "https://{a}.example", variable: "a")
            ),
            (#"{"url": "https://a.example/?x"}"#, .invalid(url: "https://a.example/?x", .query)),
            (#"{"url": "ftp://a.example"}"#, .invalid(url: "ftp://a.example", .scheme("ftp"))),
        ] as [(String, ServerProblem)])
    func `A server that can't be used is left out`(server: String, problem: ServerProblem) throws {
        let servers = try Self.servers(server, documentURL: "apis/openapi.json")
        #expect(servers.servers.isEmpty)
        #expect(servers.problems == [problem])
    }

    @Test func `Without servers, requests go to the host of the document`() throws {
        #expect(try Self.servers("", documentURL: "https://a.example/b").servers.map(\.url) == ["https://a.example/"])
    }

    /// The examples of RFC 3986, section 5.4, with the base `http://a/b/c/d;p?q`.
    @Test(arguments: [
        ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
        ("/g", "http://a/g"), ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
        ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
        (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("g;x?y#s", "http://a/b/c/g;x?y#s"),
        ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"),
        ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../", "http://a/"),
        ("../../g", "http://a/g"), ("../../../g", "http://a/g"), ("../../../../g", "http://a/g"),
        ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
        ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
        ("./g/.", "http://a/b/c/g/"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
        ("g;x=1/./y", "http://a/b/c/g;x=1/y"), ("g;x=1/../y", "http://a/b/c/y"),
        ("g?y/./x", "http://a/b/c/g?y/./x"), ("g?y/../x", "http://a/b/c/g?y/../x"),
        ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
    ])
    func `References are resolved as RFC 3986 says`(reference: String, target: String) {
        #expect(URIReference(reference).resolved(against: URIReference("http://a/b/c/d;p?q")).text == target)
    }
}
