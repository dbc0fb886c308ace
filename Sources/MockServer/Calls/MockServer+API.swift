import EndpointKit

extension MockServer {
    /// A server that responds to the calls of `apis` with their samples, as `mock` does, at the API's paths right under ``baseURL``.
    ///
    ///     let server = try MockServer(Movies.self)
    ///     server.respond(to: Movies.popular(page: 2), with: .json(page))
    ///     // … the app calls server.baseURL …
    ///     #expect(server.requests(of: Movies.self).count == 1)
    ///
    /// A call without a sample gets status 501, anything else 404 or 405. Throws ``MockServerError``, and `RequestProblem` for an API whose
    /// first server is not a base URL.
    public convenience init(_ apis: any API.Type..., port: UInt16 = 0) throws {
        let routes = try CallRoutes(apis.map { try CallRoutes.Mount($0) })
        try self.init(port: port) { request in
            switch routes.match(request, PathSegments(request.path)) {
            case .found(let reading, _): return MockResponse(reading.sample)
            case .otherMethods(let methods):
                let allowed = methods.joined(separator: ", ")
                let message = "no endpoint for \(request.method) \(request.path), only for \(allowed)"
                return MockResponse(Response(405, message: message, fields: [.init("Allow", allowed)]))
            case .unknownPath:
                return MockResponse(Response(404, message: "no endpoint for \(request.method) \(request.path)"))
            }
        }
    }

    /// From now on, responds to exactly that call with `response`, whatever the server does otherwise.
    ///
    /// - Precondition: The API's conformance to `Codable` is the synthesised one, and its servers are base URLs.
    public func respond<A: API>(to call: A, with response: MockResponse) {
        let routes = Self.routes(of: A.self)
        core.stubs.withLock { $0.insert(Stub(call: call, routes: routes, response: response), at: 0) }
    }

    /// The calls of that API among ``received``, in order.
    ///
    /// What of a call is not in its request, such as the path of an uploaded file, is as in the example.
    ///
    /// - Precondition: The API's conformance to `Codable` is the synthesised one, and its servers are base URLs.
    public func requests<A: API>(of api: A.Type) -> [A] {
        let routes = Self.routes(of: api)
        return received.compactMap { routes.call(of: $0) as? A }
    }

    private static func routes(of api: any API.Type) -> CallRoutes {
        do {
            return try CallRoutes([CallRoutes.Mount(api)])
        } catch {
            preconditionFailure("\(api): \(error)")
        }
    }

    /// A response to one call.
    struct Stub: Sendable {
        let call: any API
        let routes: CallRoutes
        let response: MockResponse

        func responds(to request: ReceivedRequest) -> Bool {
            routes.call(of: request)?.isSameCall(as: call) == true
        }
    }
}

extension CallRoutes {
    /// The call that `request` makes; nil if it makes none.
    fileprivate func call(of request: ReceivedRequest) -> (any API)? {
        if case .found(let reading, _) = match(request, PathSegments(request.path)) { reading.call } else { nil }
    }
}
