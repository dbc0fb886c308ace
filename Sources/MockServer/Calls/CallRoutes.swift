import EndpointKit
import EndpointTools
import JSONText

/// The endpoints of APIs, found by the requests that call them.
package struct CallRoutes: Sendable {
    /// An API and the path that it is under: empty, or such as `/movies`.
    package struct Mount: Sendable {
        package let api: any API.Type
        package let path: String
        /// The paths that its routes are under.
        ///
        /// An app that only replaces scheme and host of its base URL keeps the path of the API's server, such as `/3`.
        package let prefixes: [String]
        package let endpoints: [CallRoute]

        /// Creates a mount of `api` at `path`.
        ///
        /// - Throws: `NotACase`, and `RequestProblem` for an API whose first server is not a base URL.
        package init(_ api: any API.Type, at path: String = "") throws {
            self.api = api
            self.path = path
            prefixes = Set(["", try api.servers.first?.base().path ?? ""]).sorted().map { path + $0 }
            endpoints = try EndpointDeclaration.all(of: api).map(CallRoute.init)
        }
    }

    package enum Match: Sendable {
        /// The reading of the endpoint that fits best, and the names of others that fit as well.
        case found(CallReading, others: [String])
        /// There is no such endpoint, and this response says so.
        case none(Response, message: String)
    }

    package let mounts: [Mount]
    /// A route at one of the paths that it is under.
    private struct Place {
        let template: PathTemplate
        let prefix: String
        let route: CallRoute
    }

    /// Each route with each path that it is under.
    private let places: [Place]

    package init(_ mounts: [Mount]) {
        self.mounts = mounts
        places = mounts.flatMap { mount in
            mount.prefixes.flatMap { prefix in
                mount.endpoints.map { route in
                    Place(template: PathTemplate(prefix + route.template), prefix: prefix, route: route)
                }
            }
        }
    }

    /// Returns the endpoint that `request` calls. An endpoint for GET serves HEAD too.
    ///
    /// An endpoint fits if the request has its fixed query items and headers. Of several that fit, these decide in
    /// turn:
    ///
    /// 1. the most path segments without a value: `/movie/popular` before `/movie/{id}`
    /// 2. the most fixed query items, form fields and headers
    /// 3. the most literal text in a segment, from left to right
    /// 4. a body of the expected form
    /// 5. parameters without a problem
    /// 6. the fewest query items that the endpoint does not know
    /// 7. the order of declaration
    ///
    /// - Returns: The endpoint as the request calls it, maybe with a problem of its parameters, or else the response
    ///   that says why there is no endpoint.
    package func match(_ request: ReceivedRequest) -> Match {
        let path = PathTemplate.segments(of: request.path)
        // Servers and proxies understand these differently.
        guard !path.contains(where: Self.isAmbiguous) else {
            return Self.none(400, "the path has a dot segment or a zero byte")
        }
        // `OPTIONS *` is about the server as a whole (RFC 9110, section 9.3.7).
        let isForServer = request.target == "*"
        let candidates = isForServer ? places.map { (place: $0, values: []) } : candidates(for: path)
        var lacking: [String] = []
        let methods = request.method == "HEAD" ? ["HEAD", "GET"] : [request.method]
        for method in isForServer ? [] : methods {
            let readings = candidates.filter { $0.place.route.endpoint.method.rawValue == method }.map { candidate in
                candidate.place.route.read(
                    request, under: candidate.place.prefix, candidate.place.template, candidate.values)
            }
            let fitting = readings.filter(\.lacking.isEmpty)
            lacking += readings.compactMap(\.lacking.first)
            guard let best = fitting.max(by: { $0.fit.lexicographicallyPrecedes($1.fit) }) else { continue }
            let others = fitting.filter { $0.fit == best.fit }.dropFirst()
            return .found(best, others: others.map(\.declaration.name))
        }
        return Self.noEndpoint(for: request, methods: candidates.map(\.place.route.endpoint.method), lacking)
    }

    /// Whether a segment is `.`, `..`, or has a zero byte.
    private static func isAmbiguous(_ segment: [UInt8]) -> Bool {
        let dot = UInt8(ascii: ".")
        return segment == [dot] || segment == [dot, dot] || segment.contains(0)
    }

    /// The routes whose template matches a path, with the values in it.
    private func candidates(for path: [[UInt8]]) -> [(place: Place, values: [String])] {
        places.compactMap { place in
            guard let values = place.template.values(in: path) else { return nil }
            return (place, values)
        }
    }

    /// Returns the response to a request for which there is no endpoint.
    ///
    /// It is 404 for an unknown path or a missing fixed item, and 405 for a path that has only endpoints with other
    /// methods. OPTIONS for such a path gets 204 with the methods in `Allow` (RFC 9110, section 9.3.7).
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - methods: The methods of the endpoints at this path; empty if the path is unknown.
    ///   - lacking: The fixed items, such as `query item type=movie`, without which endpoints of this path and method
    ///     do not fit.
    private static func noEndpoint(
        for request: ReceivedRequest, methods: [HTTPMethod], _ lacking: [String]
    ) -> Match {
        let message = "no endpoint for \(request.method) \(request.path)"
        if !lacking.isEmpty { return none(404, "\(message) without \(lacking.joined(separator: " or "))") }
        if methods.isEmpty { return none(404, message) }
        var allowed = Set(methods.map(\.rawValue))
        if allowed.contains("GET") { allowed.insert("HEAD") }
        let allow = (allowed.subtracting(["OPTIONS"]).sorted() + ["OPTIONS"]).joined(separator: ", ")
        if request.method == "OPTIONS" { return .none(allowing(allow), message: "") }
        return none(405, "\(message), only for \(allow)", [.init("Allow", allow)])
    }

    /// A match with a response that has `message`, escaped for a terminal.
    private static func none(_ status: Int, _ message: String, _ fields: [ResponseHead.Field] = []) -> Match {
        let message = TerminalText.escaped(message)
        var response = Response(status, message: message)
        response.head.fields += fields
        return .none(response, message: message)
    }

    /// The response to an OPTIONS request to a place that has those methods.
    package static func allowing(_ methods: String) -> Response {
        Response(head: ResponseHead(status: 204, fields: [.init("Allow", methods)]), body: [])
    }

    /// Returns the values in the path of a request whose names in a template are those of credentials.
    package func credentials(in path: String) -> [String] {
        let path = PathTemplate.segments(of: path)
        return places.flatMap { $0.template.credentials(in: path) }
    }
}
