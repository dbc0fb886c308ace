import EndpointKit

extension SampleRoutes {
    /// A route for every endpoint that has a sample, at its method and path template.
    package init(_ endpoints: [EndpointDeclaration], basePath: String = "") {
        let routes = endpoints.compactMap { declaration in
            declaration.endpoint.sampleResponse.map { sample in
                Route(declaration.endpoint.method.rawValue, ParameterPlaces.template(of: declaration), .sample(sample))
            }
        }
        self.init(routes, basePath: basePath)
    }
}
