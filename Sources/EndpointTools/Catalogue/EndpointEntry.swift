/// An endpoint whose parameters have not been examined yet. Listings need no more than that, and it is found fast.
package struct EndpointEntry: Sendable {
    package let api: CatalogueAPI
    /// The endpoint's own name on the command line: `new-movies`.
    package let endpointName: String
    private let examine: @Sendable () throws -> EndpointDeclaration?

    /// Makes the entry of an endpoint, whose parameters are only examined when they are needed.
    ///
    /// - Parameters:
    ///   - api: The API that has the endpoint.
    ///   - endpointName: The endpoint's own name: `new-movies`.
    ///   - examine: Examines the endpoint, as ``declaration()`` does.
    package init(
        _ api: CatalogueAPI, endpointName: String, examine: @escaping @Sendable () throws -> EndpointDeclaration?
    ) {
        self.api = api
        self.endpointName = endpointName
        self.examine = examine
    }

    /// The full name on the command line: `movies.new-movies`.
    package var name: String { api.name + "." + endpointName }

    /// Examines the endpoint's parameters.
    ///
    /// - Returns: The endpoint; nil if it can't be called, because no example shows values that its parameters accept.
    /// - Throws: `NotAnEnumCase` if the API is no enum with the synthesised `Codable`.
    package func declaration() throws -> EndpointDeclaration? { try examine() }
}

/// An endpoint as a listing shows it.
package struct EndpointSummary: Sendable, Encodable {
    /// The full name on the command line: `movies.new-movies`.
    package let name: String
    /// The method, such as `GET`; empty if the endpoint can't be called.
    package let method: String
    /// The path with `{name}` in place of parameters; empty if the endpoint can't be called.
    package let path: String
    /// A few words about the endpoint.
    package let summary: String

    package init(name: String, method: String, path: String, summary: String) {
        self.name = name
        self.method = method
        self.path = path
        self.summary = summary
    }
}
