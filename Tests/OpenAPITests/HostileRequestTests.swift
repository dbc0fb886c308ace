import EndpointKit
import EndpointTools
import JSONText
import Testing

@testable import OpenAPI

/// Operations that are made to take long, or much memory. Each has a result within seconds in a debug build.
@Suite struct HostileRequestTests {
    @Test(.timeLimit(.minutes(3))) func `5,000 parameters with one large schema`() throws {
        let parameters = (0..<5_000).map {
            ##"{"name": "p\##($0)", "in": "query", "schema": {"$ref": "#/s"}}"##
        }
        let properties = (0..<2_000).map { #""m\#($0)": {"enum": [\#($0)]}"# }
        let operation = try Calls.operationRequest(
            #""parameters": [\#(parameters.joined(separator: ","))]"#,
            more: #", "s": {"properties": {\#(properties.joined(separator: ","))}}"#)
        #expect(operation.parameters.count == 5_000)
        #expect(operation.shape.models.count == 1)
        #expect(try operation.endpoint(for: ["p7": ["m1": 1]]).query.items(Coding()).map(\.name) == ["m1"])
    }

    @Test(.timeLimit(.minutes(3))) func `A path of 20,000 variables, and one of open braces`() throws {
        let path = (0..<20_000).map { "/{v\($0)}" }.joined()
        #expect(try Calls.operationRequest("", path: path).parameters.count == 20_000)
        let braces = try Calls.operationRequest("", path: "/" + String(repeating: "{", count: 100_000))
        #expect(braces.parameters.isEmpty)
        #expect(try Calls.request(braces, "{}").path.utf8.count == 300_001)
    }

    @Test(.timeLimit(.minutes(3))) func `5,000 security schemes with one variable`() throws {
        let schemes = (0..<5_000).map { number in
            let name = String(repeating: "-", count: number % 50) + "k" + String(repeating: "-", count: number / 50)
            return #""\#(name)": {"type": "http", "scheme": "basic"}"#
        }
        let (_, document) = try Calls.operation(
            "", more: #", "components": {"securitySchemes": {\#(schemes.joined(separator: ","))}}"#)
        let requirement = SecurityRequirement(schemes: [.init(name: "k", scopes: [])])
        let credentials = DocumentCredentials(document, api: "shop").credentials(of: [requirement]).credentials
        #expect(credentials.flatMap(\.alternatives).flatMap(\.variables).allSatisfy { $0.hasPrefix("SHOP_K_") })
        #expect(credentials.count == 1)
    }

    @Test(.timeLimit(.minutes(3))) func `5,000 servers with one name`() throws {
        let servers = Array(repeating: ServerObject(url: "https://a.example", summary: "Main"), count: 5_000)
        #expect(Set(try DocumentServers(servers).servers.map(\.name)).count == 5_000)
        let unnamed = Array(repeating: ServerObject(url: "/a"), count: 5_000)
        #expect(try DocumentServers(unnamed).problems.count == 5_000)
    }

    @Test(.timeLimit(.minutes(3))) func `A deeply nested value is sent as text`() throws {
        let depth = 400
        let value = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        #expect(try Calls.url(#""in": "query", "explode": false"#, "[\(value)]").utf8.count > depth)
        let object = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        #expect(try Calls.url(#""in": "query", "style": "deepObject""#, object).hasSuffix("=1"))
    }
}
