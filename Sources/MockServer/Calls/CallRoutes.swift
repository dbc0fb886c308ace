import EndpointKit
import EndpointTools
import JSONText

/// The endpoints of APIs, found by the requests that call them.
package struct CallRoutes: Sendable {
    /// An API and the path that it is under: empty, or such as `/movies`.
    package struct Mount: Sendable {
        package let api: any API.Type
        package let path: String
        /// The paths that its routes are under. An app that only replaces scheme and host of its base URL keeps the path of the API's server,
        /// such as /3.
        package let prefixes: [String]
        package let endpoints: [CallRoute]

        /// Throws `Signature.NotACase`, and `RequestProblem` for an API whose first server is not a base URL.
        package init(_ api: any API.Type, at path: String = "") throws {
            (self.api, self.path) = (api, path)
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
    /// Each route with each path that it is under.
    private let places: [(template: PathTemplate, prefix: String, route: CallRoute)]

    package init(_ mounts: [Mount]) {
        self.mounts = mounts
        places = mounts.flatMap { mount in
            mount.prefixes.flatMap { prefix in
                mount.endpoints.map { (PathTemplate(prefix + $0.template), prefix, $0) }
            }
        }
    }

    /// The endpoint that `request` calls. What is found for GET serves HEAD too.
    ///
    /// An endpoint fits if the request has its fixed query items and headers. Of several, the one with the most fixed segments does, then the
    /// one with the most fixed items, the one with more literal text in a segment, the one whose body and parameters fit, the one declared
    /// first.
    package func match(_ request: ReceivedRequest) -> Match {
        let path = PathTemplate.segments(of: request.path)
        // Servers and proxies understand these differently.
        guard !path.contains(where: { [[0x2E], [0x2E, 0x2E]].contains($0) || $0.contains(0) }) else {
            return Self.none(400, "the path has a dot segment or a zero byte")
        }
        let isForAll = request.target == "*"
        let matching = places.compactMap { place in
            (isForAll ? [] : place.template.values(in: path)).map { (place: place, values: $0) }
        }
        var lacking: [String] = []
        for method in isForAll ? [] : request.method == "HEAD" ? ["HEAD", "GET"] : [request.method] {
            let readings = matching.filter { $0.place.route.endpoint.method.rawValue == method }.map { place, values in
                place.route.read(request, under: place.prefix, place.template, values)
            }
            let fitting = readings.filter(\.lacking.isEmpty)
            lacking += readings.compactMap(\.lacking.first)
            guard let best = fitting.max(by: { $0.fit.lexicographicallyPrecedes($1.fit) }) else { continue }
            let others = fitting.filter { $0.fit == best.fit }.dropFirst()
            return .found(best, others: others.map(\.declaration.name))
        }
        let message = "no endpoint for \(request.method) \(request.path)"
        guard !matching.isEmpty, lacking.isEmpty else {
            return Self.none(404, message + (lacking.isEmpty ? "" : " without " + lacking.joined(separator: " or ")))
        }
        var methods = Set(matching.map(\.place.route.endpoint.method.rawValue))
        if methods.contains("GET") { methods.insert("HEAD") }
        let allow = (methods.subtracting(["OPTIONS"]).sorted() + ["OPTIONS"]).joined(separator: ", ")
        if request.method == "OPTIONS" { return .none(Self.allowing(allow), message: "") }
        return Self.none(405, "\(message), only for \(allow)", [.init("Allow", allow)])
    }

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

    /// What stands in the path of a request where a route has a token.
    package func credentials(in path: String) -> [String] {
        let path = PathTemplate.segments(of: path)
        return places.flatMap { $0.template.credentials(in: path) }
    }
}
