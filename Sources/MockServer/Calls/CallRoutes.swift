import EndpointKit

/// The endpoints of APIs, found by the requests that call them.
package struct CallRoutes: Sendable {
    /// An API and the path that it is under: empty, or such as `/movies`.
    package struct Mount: Sendable {
        package let api: any API.Type
        package let path: String
        package let endpoints: [Route]

        /// Throws `Signature.NotACase`.
        package init(_ api: any API.Type, at path: String = "") throws {
            self.api = api
            self.path = path
            endpoints = try EndpointDeclaration.all(of: api).map(Route.init)
        }
    }

    /// An endpoint and where it is.
    package struct Route: Sendable {
        package let declaration: EndpointDeclaration
        /// The endpoint of the first example.
        package let endpoint: Endpoint
        /// The path template, as in `list`.
        package let template: String
        fileprivate let reader: CallReader

        fileprivate init(_ declaration: EndpointDeclaration) {
            self.declaration = declaration
            endpoint = declaration.endpoint
            template = ParameterPlaces.template(of: declaration)
            reader = CallReader(declaration)
        }
    }

    package enum Match: Sendable {
        /// The reading of the endpoint that fits best, and the names of others that fit as well.
        case found(CallReading, others: [String])
        /// The path has only these methods, sorted.
        case otherMethods([String])
        case unknownPath
    }

    package let mounts: [Mount]
    /// Each route, and the path that it is under.
    private let places: [(template: PathTemplate, prefix: String, route: Route)]

    /// Throws `RequestProblem` for an API whose first server is not a base URL.
    package init(_ mounts: [Mount]) throws {
        self.mounts = mounts
        // An app that only replaces scheme and host of its base URL keeps the path of the API's server, such as /3.
        places = try mounts.flatMap { mount in
            let serverPath = try mount.api.servers.first?.base().path ?? ""
            return (serverPath.isEmpty ? [""] : ["", serverPath]).flatMap { path in
                mount.endpoints.map { (PathTemplate(mount.path + path + $0.template), mount.path + path, $0) }
            }
        }
    }

    /// The endpoint that `request` calls, whose path is `path`. What is found for GET serves HEAD too.
    ///
    /// Literal segments win over values. Endpoints of one template are told apart by their queries, headers and body; if that does not
    /// help, it is the one declared first.
    package func match(_ request: ReceivedRequest, _ path: PathSegments) -> Match {
        let matching = places.filter { $0.template.matches(path) }
        for method in request.method == "HEAD" ? ["HEAD", "GET"] : [request.method] {
            let withMethod = matching.filter { $0.route.endpoint.method.rawValue == method }
            let candidates = withMethod.filter { place in
                !withMethod.contains { $0.template.isMoreSpecific(than: place.template) }
            }
            let readings = candidates.map { place in
                place.route.reader.read(
                    request, on: place.route, under: place.prefix, pathValues: place.template.values(in: path) ?? [])
            }
            guard let best = readings.max(by: { $0.fit.lexicographicallyPrecedes($1.fit) }) else { continue }
            let others = readings.filter { $0.fit == best.fit }.dropFirst()
            return .found(best, others: others.map(\.declaration.name))
        }
        guard !matching.isEmpty else { return .unknownPath }
        var methods = Set(matching.map(\.route.endpoint.method.rawValue))
        if methods.contains("GET") { methods.insert("HEAD") }
        return .otherMethods(methods.sorted())
    }
}
