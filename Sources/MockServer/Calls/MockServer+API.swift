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
            case .found(_, let route, _): return MockResponse(route.sample(for: request))
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
        let calls = Self.calls(of: A.self)
        guard let signature = try? Signature(of: call) else {
            preconditionFailure("\(A.self) is not a synthesised enum")
        }
        core.stubs.withLock { $0.insert(Stub(signature: signature, calls: calls, response: response), at: 0) }
        core.hasStubs.store(true, ordering: .releasing)
    }

    /// The calls of that API among ``received``, in order.
    ///
    /// What of a call is not in its request, such as the path of an uploaded file, is as in the example.
    ///
    /// - Precondition: The API's conformance to `Codable` is the synthesised one, and its servers are base URLs.
    public func requests<A: API>(of api: A.Type) -> [A] {
        let calls = Self.calls(of: api)
        return received.compactMap { calls.call(of: $0) as? A }
    }

    private static func calls(of api: any API.Type) -> CallLog {
        do {
            return try CallLog(api)
        } catch {
            preconditionFailure("\(api): \(error)")
        }
    }

    /// A response to one call.
    struct Stub: Sendable {
        let signature: Signature
        let calls: CallLog
        let response: MockResponse
    }

    /// Reads the calls of one API out of requests.
    struct CallLog: Sendable {
        private let routes: CallRoutes

        init(_ api: any API.Type) throws { routes = try CallRoutes([CallRoutes.Mount(api)]) }

        /// The call that `request` makes; nil if it makes none of the API's.
        func call(of request: ReceivedRequest) -> (any API)? {
            guard case .found(let reading, _, _) = routes.match(request, PathSegments(request.path)) else { return nil }
            return reading.call
        }
    }
}

extension [MockServer.Stub] {
    /// The response that was chosen for the call of `request`; nil if none was.
    func response(to request: ReceivedRequest) -> MockResponse? {
        first { stub in
            stub.calls.call(of: request).flatMap { try? Signature(of: $0) } == stub.signature
        }?.response
    }
}
