import EndpointKit
import EndpointTools
import Endpoints
import Testing

extension Catalogue {
    /// All endpoints of all APIs.
    static var declarations: [EndpointDeclaration] {
        apis.flatMap { (try? CatalogueAPI($0).declarations()) ?? [] }
    }

    /// The endpoint of that name, such as `movies.new-movies`.
    static func declaration(_ name: String) -> EndpointDeclaration? {
        declarations.first { $0.name == name }
    }

    /// The request of an endpoint's first example.
    static func firstRequest(_ name: String, _ options: RequestOptions = RequestOptions()) throws -> Request {
        let declaration = try #require(Self.declaration(name))
        return try declaration.api.requestBuilder.request(declaration.examples[0].endpoint, options)
    }

    /// The names of all endpoints, as arguments of a test.
    static var names: [String] { declarations.map(\.name) }
}
