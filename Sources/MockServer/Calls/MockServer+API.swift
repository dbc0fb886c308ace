import EndpointKit
import EndpointTools

extension MockServer {
    /// Starts a server that responds to the calls of `apis` with their samples, as `mock` does.
    ///
    /// The paths of all APIs are right under ``baseURL``.
    ///
    ///     let server = try MockServer(Movies.self, Shop.self)
    ///     try server.respond(to: Movies.popular(page: 2), with: .json(page))
    ///     // … the app calls server.baseURL …
    ///     try server.verify()
    ///
    /// A call without a sample gets status 501, anything else 404 or 405.
    ///
    /// The logins of the APIs work too: each endpoint of a login has its own path, such as `/token`, and any client is
    /// accepted. Once a token was given, calls with another token get status 401.
    ///
    /// - Parameters:
    ///   - apis: The enums of the APIs.
    ///   - port: The port. With 0, the system picks a free one.
    /// - Throws: An error if the port is taken. An error about an API whose conformance to `Codable` is not the
    ///   synthesised one, or whose first server is not a base URL.
    public convenience init(_ apis: any API.Type..., port: UInt16 = 0) throws {
        let routes = try CallRoutes(apis.map { try CallRoutes.Mount(CatalogueAPI($0)) })
        let logins = MockLogins(routes.mounts)
        try self.init(port: port) { request in
            if let response = logins.respond(to: request) { return MockResponse(response) }
            switch routes.match(request) {
            case .found(let receivedCall, others: _):
                // A call with an invalid access token is refused.
                return MockResponse(logins.refusal(of: receivedCall) ?? receivedCall.sample)
            case .none(let errorResponse, message: _):
                return MockResponse(errorResponse)
            }
        }
        core.logins.withLock { $0 = logins }
        core.servedRoutes.withLock { $0 = routes }
    }

    /// Makes all access tokens invalid that the logins of the APIs have given.
    ///
    /// Refresh tokens stay valid, so that an app has to refresh its login.
    public func expireTokens() { core.logins.withLock { $0?.expireTokens() } }

    /// From now on, responds to requests for exactly this call with `response`, whatever the server does otherwise.
    ///
    /// If a response was chosen for the same call before, the new one replaces it.
    ///
    ///     try server.respond(to: Movies.popular(page: 2), with: .response(503), .json(page))
    ///
    /// - Parameters:
    ///   - call: A case of the API's enum, with its associated values.
    ///   - response: The response to the first request.
    ///   - laterResponses: The responses to the requests after it, in order. Without any, or after the last one, the
    ///     last response is repeated.
    /// - Throws: An error about the declaration of the API.
    public func respond<A: API>(
        to call: A, with response: MockResponse, _ laterResponses: MockResponse...
    ) throws {
        try core.stubs.add(makeStub(for: call, responses: [response] + laterResponses))
    }

    /// Expects requests for exactly this call, and leaves the response to the server: that is the sample if the server
    /// was made of APIs.
    ///
    /// ``verify()`` throws an error if there is no request for the call.
    ///
    /// - Throws: An error about the declaration of the API.
    public func expect<A: API>(_ call: A) throws {
        try core.stubs.add(makeStub(for: call, responses: []))
    }

    /// Makes the stub for a call: how to recognize its requests, how to show one, and the chosen responses.
    ///
    /// - Parameters:
    ///   - call: A case of the API's enum, with its associated values.
    ///   - responses: The responses to its requests in order. Without any, the server responds as without the stub.
    /// - Throws: An error about the declaration of the API, and `EncodingError` for a value without a JSON form.
    private func makeStub<A: API>(for call: A, responses: [MockResponse]) throws -> CallStub {
        let routes = try core.routes(of: A.self)
        let expectedCall = EndpointCall(call)
        let expectedCommand = try curlCommand(of: expectedCall.endpoint, in: A.requestBuilder)
        let callIdentity = CallStub.Call(api: ObjectIdentifier(A.self), json: try Coding().encode(call))
        return CallStub(
            call: callIdentity, curlCommand: expectedCommand, responses: responses,
            matches: { request in
                let receivedCall = routes.receivedCall(of: request)
                return receivedCall?.isRequest(of: expectedCall) == true
            })
    }

    /// Returns the curl command of a request for an endpoint, as ``verify()`` shows it.
    ///
    /// It has no credentials, because a test need not set their variables.
    private func curlCommand(of endpoint: Endpoint, in builder: RequestBuilder) throws -> String {
        var options = RequestOptions()
        options.base = try BaseURL(baseURL)
        var endpointWithoutCredentials = endpoint
        endpointWithoutCredentials.credentials = []
        let request = try builder.request(endpointWithoutCredentials, options)
        return request.withoutHeadersOfClients.curlCommand
    }

    /// Returns the calls of that API among ``received``, in order.
    ///
    /// A value that a request does not show, such as the path of an uploaded file or a value that is computed with, is
    /// as in the first example, or nil if it may be left out.
    ///
    /// - Throws: An error about the declaration of the API.
    public func requests<A: API>(of api: A.Type) throws -> [A] {
        let routes = try core.routes(of: api)
        return received.compactMap { request in routes.receivedCall(of: request)?.call?.apiCase as? A }
    }
}

extension MockServer.Core {
    /// Returns the routes of one API, whose paths are right under the base URL.
    ///
    /// They are made once for each API, because that takes building requests for all its endpoints.
    fileprivate func routes(of api: any API.Type) throws -> CallRoutes {
        try routesByAPI.withLock { routesByAPI in
            if let routes = routesByAPI[ObjectIdentifier(api)] { return routes }
            let routes = try CallRoutes([CallRoutes.Mount(CatalogueAPI(api))])
            routesByAPI[ObjectIdentifier(api)] = routes
            return routes
        }
    }
}

extension CallRoutes {
    /// Returns a request as the best fitting endpoint understands it; nil if there is no endpoint for it.
    fileprivate func receivedCall(of request: ReceivedRequest) -> ReceivedCall? {
        if case .found(let receivedCall, others: _) = match(request) { receivedCall } else { nil }
    }
}
