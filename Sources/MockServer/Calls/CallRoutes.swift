import EndpointKit
import EndpointTools
import JSONText

/// The endpoints of APIs, found by the requests that call them.
package struct CallRoutes: Sendable {
    /// An API with the path that it is under.
    package struct Mount: Sendable {
        /// The API.
        package let api: CatalogueAPI
        /// The path that the API is under, such as `/movies`; empty for the root.
        package let path: String
        /// The paths that the API's routes are under: ``path``, with and without the path of the API's server.
        ///
        /// An app that only replaces scheme and host of its base URL keeps the path of the API's server, such as `/3`.
        package let prefixes: [String]
        /// The routes of the API's endpoints.
        package let endpoints: [CallRoute]

        /// Creates a mount of `api` at `path`, such as `/movies`, with a route for each of its endpoints.
        ///
        /// - Throws: `NotAnEnumCase`, and `RequestError` for an API whose first server is not a base URL.
        package init(_ api: CatalogueAPI, at path: String = "") throws {
            self.api = api
            self.path = path
            let serverPath = try api.servers.first?.base().path ?? ""
            let paths = serverPath.isEmpty ? [""] : ["", serverPath]
            prefixes = paths.map { path + $0 }
            endpoints = try api.declarations().map(CallRoute.init)
        }
    }

    /// The endpoint that a request calls, or the response if there is none.
    package enum Match: Sendable {
        /// The request as the best fitting endpoint reads it, and the names of others that fit equally well.
        case found(ReceivedCall, others: [String])
        /// There is no such endpoint, and this response says so.
        case none(Response, message: String)
    }

    /// A route at one of the paths that it is under.
    private struct PlacedRoute {
        /// The template of the whole path: `/movies/3/movie/{id}`.
        let template: PathTemplate
        /// The path before that of the endpoint: `/movies/3`.
        let prefix: String
        let route: CallRoute
    }

    /// The APIs with the paths that they are under.
    package let mounts: [Mount]
    /// Each route with each path that it is under.
    private let placedRoutes: [PlacedRoute]

    /// Creates the routes of several APIs: each endpoint at each path that its API is under.
    ///
    /// If a request fits several endpoints equally well, the order of `mounts` and of their endpoints decides.
    package init(_ mounts: [Mount]) {
        self.mounts = mounts
        var placedRoutes: [PlacedRoute] = []
        for mount in mounts {
            for prefix in mount.prefixes {
                for route in mount.endpoints {
                    let template = PathTemplate(prefix + route.template)
                    placedRoutes.append(PlacedRoute(template: template, prefix: prefix, route: route))
                }
            }
        }
        self.placedRoutes = placedRoutes
    }

    /// Returns the endpoint that `request` calls. An endpoint for GET serves HEAD too.
    ///
    /// An endpoint fits if the request has its path, its method, and its fixed query items and headers. An item such as
    /// `type=movie` is fixed if no parameter changes it. Of several endpoints that fit, the one with the greatest
    /// ``ReceivedCall/fit`` is returned, such as that of `/movie/popular` before that of `/movie/{id}`.
    ///
    /// - Returns: The endpoint as the request calls it, maybe with a problem of its parameters, or else the response
    ///   that says why there is no endpoint.
    package func match(_ request: ReceivedRequest) -> Match {
        let pathSegments = PathTemplate.segments(of: request.path)
        // A proxy may resolve `..`, or cut the path at a zero byte, so that the path means something else to the server
        // behind it.
        guard !pathSegments.contains(where: Self.isAmbiguous) else {
            return Self.refusal(status: 400, message: "the path has a dot segment or a zero byte")
        }
        // `OPTIONS *` asks for the methods of the server as a whole (RFC 9110, section 9.3.7).
        if request.target == "*" {
            return Self.matchWithoutEndpoint(for: request, methods: placedRoutes.map(\.route.endpoint.method))
        }
        let candidates = routes(matchingPath: pathSegments)
        let methods = request.method == "HEAD" ? ["HEAD", "GET"] : [request.method]
        let possibleCalls = Self.read(request, asCallOf: candidates, methods: methods)
        let fittingCalls = possibleCalls.filter(\.missingItems.isEmpty)
        if let match = Self.bestMatch(among: fittingCalls) { return match }
        let missingItems = possibleCalls.compactMap(\.missingItems.first)
        return Self.matchWithoutEndpoint(
            for: request, methods: candidates.map(\.method), missingItems: missingItems)
    }

    /// Reads a request as a call of each candidate whose method is one of `methods`.
    ///
    /// - Parameters:
    ///   - request: The request that was received.
    ///   - candidates: The endpoints that have the request's path.
    ///   - methods: The methods that an endpoint may have.
    /// - Returns: One call for each such candidate. It says what the request lacks for a call of the endpoint.
    private static func read(
        _ request: ReceivedRequest, asCallOf candidates: [Candidate], methods: [String]
    ) -> [ReceivedCall] {
        var possibleCalls: [ReceivedCall] = []
        for candidate in candidates where methods.contains(candidate.method.rawValue) {
            let placedRoute = candidate.placedRoute
            let possibleCall = placedRoute.route.read(
                request, under: placedRoute.prefix, template: placedRoute.template, pathValues: candidate.pathValues)
            possibleCalls.append(possibleCall)
        }
        return possibleCalls
    }

    /// Returns the call that fits best, with the names of the endpoints that fit equally well.
    ///
    /// Of calls that fit equally well, the one whose endpoint is declared first is returned.
    ///
    /// - Parameter fittingCalls: The request as a call of each endpoint that fits, in the order of declaration.
    /// - Returns: The match; nil if there are no calls.
    private static func bestMatch(among fittingCalls: [ReceivedCall]) -> Match? {
        guard let bestFit = fittingCalls.map(\.fit).max(by: { $0.lexicographicallyPrecedes($1) }) else { return nil }
        let bestCalls = fittingCalls.filter { $0.fit == bestFit }
        return .found(bestCalls[0], others: bestCalls.dropFirst().map(\.declaration.name))
    }

    /// Returns whether a segment is `.` or `..`, or has a zero byte.
    private static func isAmbiguous(_ segment: [UInt8]) -> Bool {
        let dot = UInt8(ascii: ".")
        return segment == [dot] || segment == [dot, dot] || segment.contains(0)
    }

    /// A route whose template matches the path of a request.
    private struct Candidate {
        let placedRoute: PlacedRoute
        /// The values of the template in the path: `7` in `/movie/7` for `/movie/{id}`.
        let pathValues: [String]

        /// The method of the route's endpoint.
        var method: HTTPMethod { placedRoute.route.endpoint.method }
    }

    /// Returns the routes whose template matches a path, whatever their methods are.
    ///
    /// - Parameter pathSegments: The segments of the path, decoded.
    private func routes(matchingPath pathSegments: [[UInt8]]) -> [Candidate] {
        placedRoutes.compactMap { placedRoute in
            guard let pathValues = placedRoute.template.values(in: pathSegments) else { return nil }
            return Candidate(placedRoute: placedRoute, pathValues: pathValues)
        }
    }

    /// Returns the match of a request for which there is no endpoint: the response that says why.
    ///
    /// It is 404 for an unknown path or a missing fixed item, and 405 for a path that has only endpoints with other
    /// methods. OPTIONS for such a path gets 204 with the methods in `Allow` (RFC 9110, section 9.3.7).
    ///
    /// - Parameters:
    ///   - request: The request that was received.
    ///   - methods: The methods of the endpoints at this path; empty if the path is unknown.
    ///   - missingItems: The fixed items, such as `query item type=movie`, without which endpoints of this path and
    ///     method do not fit.
    private static func matchWithoutEndpoint(
        for request: ReceivedRequest, methods: [HTTPMethod], missingItems: [String] = []
    ) -> Match {
        let message = "no endpoint for \(request.method) \(request.path)"
        if !missingItems.isEmpty {
            let shownItems = missingItems.joined(separator: " or ")
            return refusal(status: 404, message: "\(message) without \(shownItems)")
        }
        if methods.isEmpty { return refusal(status: 404, message: message) }
        let allowValue = allowedMethods(methods)
        if request.method == "OPTIONS" { return .none(allowing(allowValue), message: "") }
        return refusal(
            status: 405, message: "\(message), only for \(allowValue)", additionalFields: [.init("Allow", allowValue)])
    }

    /// Returns the value of the header `Allow` for a path: the methods of the endpoints at this path.
    ///
    /// - Returns: The value, such as `GET, HEAD, OPTIONS`; nil if there are no endpoints at this path.
    package func allowedMethods(at path: String) -> String? {
        let candidates = routes(matchingPath: PathTemplate.segments(of: path))
        return candidates.isEmpty ? nil : Self.allowedMethods(candidates.map(\.method))
    }

    /// Returns the value of `Allow` for a path with endpoints of these methods: `GET, HEAD, OPTIONS`.
    ///
    /// The server itself responds to OPTIONS, and an endpoint for GET serves HEAD too.
    private static func allowedMethods(_ methods: [HTTPMethod]) -> String {
        var names = Set(methods.map(\.rawValue))
        if names.contains("GET") { names.insert("HEAD") }
        // OPTIONS is allowed in any case, and always comes last.
        names.remove("OPTIONS")
        return (names.sorted() + ["OPTIONS"]).joined(separator: ", ")
    }

    /// Returns a match without an endpoint, with a response that says why.
    ///
    /// The message may contain what the client sent. So it is escaped for a terminal.
    private static func refusal(
        status: Int, message: String, additionalFields: [HTTPField] = []
    ) -> Match {
        let escapedMessage = TerminalText.escaped(message)
        var response = Response(status, message: escapedMessage)
        response.head.fields += additionalFields
        return .none(response, message: escapedMessage)
    }

    /// Returns the response to an OPTIONS request for a path: 204 with the methods of the path in `Allow`.
    package static func allowing(_ methods: String) -> Response {
        Response(head: ResponseHead(status: 204, fields: [.init("Allow", methods)]), body: [])
    }

    /// Returns the credentials in the path of a request: `1:a` for `/bot1:a/get` if a template is `/bot{token}/get`.
    package func credentials(in path: String) -> [String] {
        let pathSegments = PathTemplate.segments(of: path)
        return placedRoutes.flatMap { placedRoute in placedRoute.template.credentials(in: pathSegments) }
    }
}
