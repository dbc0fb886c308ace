import CurlTransport
import EndpointKit
import Endpoints
import MockServer
import Testing

@testable import ApictlCLI

/// Every example of the catalogue over a real socket, against a server that responds with the catalogue's own samples.
struct CatalogueWireTests {
    private static let variables = [
        "TMDB_API_KEY": "tmdb", "GOOGLE_PLACES_API_KEY": "places", "MARVEL_API_KEY": "marvel",
        "SHOPIFY_ACCESS_TOKEN": "shopify", "GITHUB_TOKEN": "github", "HTTPBIN_USER": "ada",
        "HTTPBIN_PASSWORD": "lovelace", "HTTPBIN_TOKEN": "token", "LANG": "C",
    ]
    private static let endpoints = (try? Registry(apis: Catalogue.apis).endpoints()) ?? []

    /// An example as the words of a command line, without the tool's name.
    struct Example: CustomTestStringConvertible {
        let endpoint: EndpointDeclaration
        let words: [String]
        var testDescription: String { words.joined(separator: " ") }
    }

    private static let examples: [Example] = endpoints.flatMap { endpoint in
        endpoint.examples.compactMap { example in
            endpoint.words(of: example).map { Example(endpoint: endpoint, words: $0.flatMap(\.self)) }
        }
    }

    @Test("There are examples of every API")
    func hasExamples() {
        #expect(Set(Self.examples.map { $0.endpoint.api.name }).count == 8)
        #expect(Self.examples.count >= Self.endpoints.count)
    }

    @Test("call prints over a socket what --sample prints", arguments: examples)
    func call(_ example: Example) async throws {
        let server = try MockServer(example.endpoint.api)
        // A list comes in pages, each item once.
        let words = ["call"] + example.words + (example.endpoint.endpoint.pages == nil ? [] : ["--all-pages"])
        let sent = await Self.run(words + ["--base-url", server.baseURL])
        let sample = await Self.run(words + ["--sample"])
        #expect(sent.code == 0)
        #expect(sent.err == "")
        if Self.hasRouteOfItsOwn(example.endpoint) { #expect(sent == sample) }
    }

    @Test("The curl command sends what call sends", .runsCurl, arguments: examples)
    func curl(_ example: Example) async throws {
        let server = try MockServer(example.endpoint.api)
        let target = ["--base-url", server.baseURL]
        #expect(await Self.run(["call"] + example.words + target).code == 0)
        let command = await Self.run(["curl"] + example.words + target)
        let directory = try TemporaryDirectory()
        let script = Array("set -e\n".utf8) + command.out.dropLast().utf8 + Array(" --silent --output body\n".utf8)
        let result = try Shell.run(script, environment: Self.variables.mapValues { Array($0.utf8) }, in: directory)
        #expect(result.status == 0, "\(String(decoding: result.output, as: UTF8.self))")
        let received = server.received.map(Received.init)
        #expect(received.count == 2)
        #expect(received.first == received.last)
    }

    private static func run(_ words: [String]) async -> Outcome {
        await ApictlCLITests.run(words, variables: variables, transport: CurlTransport(), apis: Catalogue.apis)
    }

    /// Whether no other endpoint responds at the same method and path: a server can't tell those apart.
    private static func hasRouteOfItsOwn(_ endpoint: EndpointDeclaration) -> Bool {
        func route(_ endpoint: EndpointDeclaration) -> String {
            endpoint.endpoint.method.rawValue + " " + ParameterPlaces.template(of: endpoint)
        }
        return endpoints.filter { route($0) == route(endpoint) }.count == 1
    }

    /// What a server sees of a request, but for the name of the client and the boundary that it makes up.
    private struct Received: Equatable {
        let line: String
        let fields: Set<String>
        let body: String

        init(_ request: ReceivedRequest) {
            let boundary = request["Content-Type"]?.split(separator: "boundary=").dropFirst().first.map(String.init)
            func plain(_ text: String) -> String { boundary.map { text.replacing($0, with: "BOUNDARY") } ?? text }
            line = "\(request.method) \(request.target)"
            let shown = request.fields.filter { $0.name.lowercased() != "user-agent" }
            fields = Set(shown.map { "\($0.name.lowercased()): \(plain($0.value))" })
            body = plain(String(decoding: request.body, as: UTF8.self))
        }
    }
}
