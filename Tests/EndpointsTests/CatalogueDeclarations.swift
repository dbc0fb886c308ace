import EndpointKit
import EndpointTools
import Endpoints

extension Catalogue {
    /// All endpoints of all APIs.
    static var declarations: [EndpointDeclaration] {
        apis.flatMap { (try? EndpointDeclaration.all(of: $0)) ?? [] }
    }

    /// The endpoint of that name, such as `movies.new-movies`.
    static func declaration(_ name: String) -> EndpointDeclaration? {
        declarations.first { $0.name == name }
    }

    /// The names of all endpoints, as arguments of a test.
    static var names: [String] { declarations.map(\.name) }
}
