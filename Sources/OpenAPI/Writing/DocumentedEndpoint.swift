import EndpointKit
import EndpointTools

/// An endpoint with everything that a document says about it.
package struct DocumentedEndpoint {
    let declaration: EndpointDeclaration
    /// The places of the endpoint's parameters, as a probe has found them.
    let places: ParameterPlaces
    /// The texts of requests that hold the values of parameters, found by the same probe.
    let bindings: CallBindings
    /// The shape of an object with the endpoint's parameters as its fields.
    let parameterShape: ModelShape
    /// The shape of a successful response; nil if it is not JSON.
    let responseShape: ModelShape?
    /// The shape of a failed response; nil if the API does not tell.
    let errorShape: ModelShape?
    /// The servers that are written.
    let servers: [Server]
    /// Descriptions of parameters by their Swift names.
    let remarks: [String: String]

    /// Describes an endpoint.
    ///
    /// - Parameters:
    ///   - declaration: The endpoint.
    ///   - places: The places of its parameters.
    ///   - parameterShape: The shape of an object with the parameters as its fields.
    ///   - responses: The shapes of a successful and of a failed response, of which each is nil if it is not known.
    ///   - servers: The servers that are written.
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
        // An endpoint may have a server of its own.
        self.servers = declaration.endpoint.server.map { [$0] } ?? servers
        self.remarks = remarks
    }

    var api: CatalogueAPI { declaration.api }
    var endpoint: Endpoint { declaration.endpoint }
    /// The shape of a body that is JSON; nil if there is none.
    var bodyShape: ModelShape? { bindings.bodyShape(parameterShape) }
    /// Whether the endpoint names its server, so that the servers of the API do not count for it.
    var hasServerOfItsOwn: Bool { endpoint.server != nil }

    /// A different name for each value in the path: the parameters that the value is made of.
    ///
    /// The value of the parameter `id` is called `id`. A value of two parameters such as `owner,repo` is called
    /// `owner-repo`, and one without a parameter is called `value`.
    var pathNames: [String] {
        places.owners.map { owner in
            let name = owner.replacing(",", with: "-")
            return name.isEmpty ? "value" : name
        }.numbered("-")
    }

    /// Returns the path with names for its values: `/pets/{id}`. Without names, paths that differ in their names are
    /// equal.
    ///
    /// - Parameter names: The names of the values in the order of the path.
    func path(_ names: [String]) -> String {
        let path = ParameterPlaces.template(places.endpoint.path, owners: names).replacing("{+", with: "{")
        return path.hasPrefix("/") ? path : "/" + path
    }
}
