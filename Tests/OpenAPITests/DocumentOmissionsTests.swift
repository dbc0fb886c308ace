import Testing

@testable import OpenAPI

/// The sentences about parts of operations that are left out.
@Suite struct DocumentOmissionsTests {
    /// Returns the sentences about a document, then those about its operation `GET /x`.
    private static func omissions(
        _ operation: String, more: String, variables: [String: String] = [:]
    ) throws -> [String] {
        let document = try Documents.document(
            #"{"openapi": "3.1.0", "paths": {"/x": {"get": {\#(operation)}}}, \#(more)}"#)
        let options = DocumentCatalogue.Options(serverVariables: variables)
        let catalogue = try DocumentCatalogue(document, name: "shop", documentURL: nil, options: options)
        let summary = document.operations().parts[0]
        let endpoint = try DocumentEndpoint(document.operation(summary), of: catalogue)
        return catalogue.omissions() + endpoint.omissions
    }

    private static let scheme = #""components": {"securitySchemes": {"key": {"type": "magic"}}}"#

    @Test(arguments: [
        (#""security": [{"key": []}, {"id": []}]"#, ["root", "key", "id"]), (#""security": []"#, ["root"]),
        (#""x": 1"#, ["root"]),
    ])
    func `Security schemes that are unknown or can't be read are named`(operation: String, names: [String]) throws {
        let more = #""servers": [{"url": "https://a.example"}], "security": [{"root": []}], \#(Self.scheme)"#
        let omissions = try Self.omissions(operation, more: more)
        // The first one is about the scheme that can't be read.
        #expect(omissions.dropFirst() == names.map { "there is no security scheme '\($0)' that can be read" }[...])
    }

    private static let server = #"{"url": "https://{r}.example", "variables": {"r": {"enum": ["eu"]}}}"#
    private static let problem =
        "the server 'https://{r}.example' needs a value: give --server-variable r=VALUE, or --base-url URL"

    @Test(
        arguments: [
            (#""x": 1"#, server, [:], [problem]), (#""x": 1"#, server, ["r": "eu"], []),
            (#""servers": [\#(server)]"#, #"{"url": "https://a.example"}"#, [:], [problem]),
            (#""servers": [{"url": "https://a.example"}]"#, server, [:], [problem]),
            (
                #""x": 1"#, #"{"url": "/v1"}"#, [:],
                ["the server '/v1' is relative to the document, which has no URL: give --base-url URL"]
            ),
        ] as [(String, String, [String: String], [String])])
    func `Servers that can't be used are explained`(
        operation: String, server: String, variables: [String: String], problems: [String]
    ) throws {
        let omissions = try Self.omissions(operation, more: #""servers": [\#(server)]"#, variables: variables)
        #expect(omissions == problems)
    }

    @Test func `A path without a slash is an error`() throws {
        let document = try Documents.document(
            #"{"openapi": "3.1.0", "paths": {"x": {"get": {}}, "x-a": 1, "/y": {"get": {}}}}"#)
        let operations = document.operations()
        #expect(operations.parts.map(\.path) == ["/y"])
        #expect(
            operations.errors.map(\.description)
                == ["apis/shop.json:1:37: #/paths/x: expected a path that starts with '/', found 'x'"])
    }
}
