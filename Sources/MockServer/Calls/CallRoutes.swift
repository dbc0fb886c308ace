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
        let reader: CallReader

        fileprivate init(_ declaration: EndpointDeclaration) {
            self.declaration = declaration
            endpoint = declaration.endpoint
            template = ParameterPlaces.template(of: declaration)
            reader = CallReader(declaration)
        }
    }

    package enum Match: Sendable {
        /// The reading of the endpoint that fits best, and the names of others that fit as well.
        case found(CallReading, Route, others: [String])
        /// The path has only these methods, sorted.
        case otherMethods([String])
        case unknownPath
    }

    package let mounts: [Mount]
    private let table: RouteTable<Route>

    /// Throws `RequestProblem` for an API whose first server is not a base URL.
    package init(_ mounts: [Mount]) throws {
        self.mounts = mounts
        // An app that only replaces scheme and host of its base URL keeps the path of the API's server, such as /3.
        table = RouteTable(
            try mounts.flatMap { mount in
                let serverPath = try mount.api.servers.first?.base().path ?? ""
                return (serverPath.isEmpty ? [""] : ["", serverPath]).flatMap { path in
                    mount.endpoints.map { route in
                        RouteTable<Route>.Entry(
                            route.endpoint.method.rawValue, PathTemplate(mount.path + path + route.template), route)
                    }
                }
            })
    }

    /// The endpoint that `request` calls, whose path is `path`.
    ///
    /// Endpoints of one route are told apart by their queries, headers and body; if that does not help, it is the one declared first.
    package func match(_ request: ReceivedRequest, _ path: PathSegments) -> Match {
        switch table.match(request.method, path) {
        case .otherMethods(let methods): return .otherMethods(methods)
        case .unknownPath: return .unknownPath
        case .found(let found):
            var best = (
                route: found[0].value, reading: found[0].value.reader.read(request, pathValues: found[0].pathValues)
            )
            var others: [String] = []
            for candidate in found.dropFirst() {
                let reading = candidate.value.reader.read(request, pathValues: candidate.pathValues)
                if reading.fits(betterThan: best.reading) {
                    best = (candidate.value, reading)
                    others = []
                } else if reading.fits(asWellAs: best.reading) {
                    others.append(reading.declaration.name)
                }
            }
            return .found(best.reading, best.route, others: others)
        }
    }
}
