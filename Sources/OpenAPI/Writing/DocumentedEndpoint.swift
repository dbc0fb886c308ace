import EndpointKit
import EndpointTools

/// An endpoint in Swift, with everything that a document says about it.
package struct DocumentedEndpoint {
    let declaration: EndpointDeclaration
    /// The places of the endpoint's parameters in its requests. They were found by trying different values.
    let places: ParameterPlaces
    /// The texts in requests that contain the values of parameters.
    let bindings: CallBindings
    /// The shape of the endpoint's parameters: an object with a field for each parameter.
    let parameterShape: ModelShape
    /// The shape of a successful response; nil if it is not JSON.
    let responseShape: ModelShape?
    /// The shape of a failed response; nil if the API does not declare it.
    let errorShape: ModelShape?
    /// The servers of the endpoint.
    let servers: [Server]
    /// Descriptions of parameters by their Swift names.
    let remarks: [String: String]

    /// Creates the description of an endpoint.
    ///
    /// - Parameters:
    ///   - declaration: The endpoint.
    ///   - places: The places of its parameters in requests.
    ///   - parameterShape: The shape of the parameters: an object with a field for each parameter.
    ///   - responses: The shapes of a successful and of a failed response; nil for a shape that is not known.
    ///   - servers: The servers of the API. An endpoint with a server of its own ignores them.
    ///   - remarks: Descriptions of parameters by their Swift names.
    package init(
        _ declaration: EndpointDeclaration, places: ParameterPlaces, parameterShape: ModelShape,
        responses: (success: ModelShape?, failure: ModelShape?), servers: [Server], remarks: [String: String]
    ) {
        self.declaration = declaration
        self.places = places
        bindings = CallBindings(of: places.probe)
        self.parameterShape = parameterShape
        responseShape = responses.success
        errorShape = responses.failure
        self.servers = declaration.endpoint.server.map { [$0] } ?? servers
        self.remarks = remarks
    }

    var api: CatalogueAPI { declaration.api }
    var endpoint: Endpoint { declaration.endpoint }
    /// The shape of the body of requests; nil if there is no body, or if it is not JSON.
    var bodyShape: ModelShape? { bindings.bodyShape(parameterShape) }
    /// Whether the endpoint has a server of its own in place of the API's servers.
    var hasServerOfItsOwn: Bool { endpoint.server != nil }

    /// The names of the variables in the path. No two names are equal.
    ///
    ///     the value of the parameter id              →  id
    ///     a value from the parameters owner, repo    →  owner-repo
    ///     a value without a parameter                →  value
    var pathNames: [String] {
        places.owners.map { owner in
            let name = owner.replacing(",", with: "-")
            return name.isEmpty ? "value" : name
        }.numbered(separator: "-")
    }

    /// Returns the path with its variables in braces: `/pets/{id}`.
    ///
    /// - Parameter names: The names of the variables in the order of the path. An empty list gives `/pets/{}`, so that
    ///   paths can be compared without their names.
    func path(_ names: [String]) -> String {
        let path = ParameterPlaces.template(places.endpoint.path, owners: names).replacing("{+", with: "{")
        return path.hasPrefix("/") ? path : "/" + path
    }
}
