import EndpointKit
import JSONText

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
        /// There is no such endpoint, and this response says so.
        case none(Response)
    }

    private struct Place: Sendable {
        let template: PathTemplate
        /// The path that the route is under.
        let prefix: String
        let route: Route
    }

    package let mounts: [Mount]
    private let places: [Place]

    /// Throws `RequestProblem` for an API whose first server is not a base URL.
    package init(_ mounts: [Mount]) throws {
        self.mounts = mounts
        // An app that only replaces scheme and host of its base URL keeps the path of the API's server, such as /3.
        places = try mounts.flatMap { mount in
            let serverPath = try mount.api.servers.first?.base().path ?? ""
            return (serverPath.isEmpty ? [""] : ["", serverPath]).flatMap { path in
                mount.endpoints.map {
                    Place(
                        template: PathTemplate(mount.path + path + $0.template), prefix: mount.path + path, route: $0)
                }
            }
        }
    }

    /// The endpoint that `request` calls. What is found for GET serves HEAD too.
    ///
    /// An endpoint fits if the request has its fixed query items and headers. Of several, the one with the most fixed segments does, then the
    /// one with the most fixed items, the one with more literal text in a segment, the one whose body and parameters fit, the one declared
    /// first.
    package func match(_ request: ReceivedRequest) -> Match {
        let path = PathSegments(request.path)
        // Servers and proxies understand these differently.
        guard !path.parts.contains(where: { [[0x2E], [0x2E, 0x2E]].contains($0) || $0.contains(0) }) else {
            return .none(Response(400, message: "the path has a dot segment or a zero byte"))
        }
        let isForAll = request.target == "*"
        let matching = places.compactMap { place in
            (isForAll ? [] : place.template.values(in: path)).map { (place: place, values: $0) }
        }
        var lacking: [String] = []
        for method in isForAll ? [] : request.method == "HEAD" ? ["HEAD", "GET"] : [request.method] {
            let readings = matching.filter { $0.place.route.endpoint.method.rawValue == method }.map { place, values in
                place.route.reader.read(request, on: place.route, under: place.prefix, place.template, values)
            }
            let fitting = readings.filter(\.lacking.isEmpty)
            lacking += readings.compactMap(\.lacking.first)
            guard let best = fitting.max(by: { $0.fit.lexicographicallyPrecedes($1.fit) }) else { continue }
            let others = fitting.filter { $0.fit == best.fit }.dropFirst()
            return .found(best, others: others.map(\.declaration.name))
        }
        let message = "no endpoint for \(request.method) \(request.path)"
        guard !matching.isEmpty, lacking.isEmpty else {
            let without = lacking.isEmpty ? "" : " without " + lacking.joined(separator: " or ")
            return .none(Response(404, message: TerminalText.escaped(message + without)))
        }
        var methods = Set(matching.map(\.place.route.endpoint.method.rawValue))
        if methods.contains("GET") { methods.insert("HEAD") }
        let allow = (methods.sorted() + ["OPTIONS"]).joined(separator: ", ")
        let fields = [ResponseHead.Field("Allow", allow)]
        if request.method == "OPTIONS" {
            return .none(Response(head: ResponseHead(status: 204, fields: fields), body: []))
        }
        return .none(
            Response(405, message: TerminalText.escaped("\(message), only for \(allow)"), fields: fields))
    }

    /// What stands in the path of a request where a route has a token.
    package func credentials(in path: String) -> [String] {
        let path = PathSegments(path)
        return places.flatMap { $0.template.credentials(in: path) }
    }
}
