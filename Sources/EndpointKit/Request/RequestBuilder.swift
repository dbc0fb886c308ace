extension API {
    /// Returns the request of this case.
    ///
    /// - The query holds the endpoint's items, then those of `options`, then those of credentials.
    /// - Headers come in this order: endpoint and API, `options`, credentials, fallbacks, `Accept`, `Content-Type`. A
    ///   header that is already set is not set again.
    /// - A query item and a header become secrets if they have a credential's name, or a name such as `X-Api-Key`.
    ///
    /// - Parameter options: The server, the variables of credentials, extra headers and query items.
    /// - Throws: ``RequestError``.
    public func request(_ options: RequestOptions = RequestOptions()) throws -> Request {
        do {
            let endpoint = placedEndpoint
            try checkRules(endpoint)
            return try Self.requestBuilder.request(endpoint, options)
        } catch {
            // A value's own `encode(to:)` may throw any error, which is thrown as it is.
            throw RequestError(cause: error) ?? error
        }
    }

    /// The builder of requests for this API's endpoints.
    package static var requestBuilder: RequestBuilder { RequestBuilder(Self.self) }
}

/// Builds the requests of an API out of its endpoints and of what all of its requests share.
///
/// The values come from an ``API``, or from a description of an API that is read at run time.
package struct RequestBuilder: Sendable {
    /// The name of the API, for errors.
    package let apiName: String
    /// The servers, the default one first.
    package let servers: [Server]
    /// The credentials of every request; a server or an endpoint can replace them.
    package let credentials: [Credential]
    /// Headers of every request; an endpoint's header of the same name replaces one of these.
    package let headers: Headers
    /// How values are written in paths, queries and JSON.
    package let coding: Coding

    package init(
        apiName: String, servers: [Server], credentials: [Credential] = [], headers: Headers = [:],
        coding: Coding = Coding()
    ) {
        self.apiName = apiName
        self.servers = servers
        self.credentials = credentials
        self.headers = headers
        self.coding = coding
    }

    /// Returns the builder of the requests that an enum declares.
    package init<A: API>(_ type: A.Type) {
        let api = A.api
        self.init(
            apiName: api.name, servers: api.servers, credentials: api.credentials, headers: api.headers,
            coding: api.coding)
    }
}

extension RequestBuilder {
    /// Returns the request of an endpoint, without checking the endpoint's rules for the values of parameters.
    ///
    /// - Parameters:
    ///   - endpoint: One of the API's endpoints, with the values of a call.
    ///   - options: The server, the variables of credentials, and extra headers and query items of the caller.
    /// - Throws: ``MissingCredential``, ``RequestError``, and `EncodingError` for a value without a JSON form.
    package func request(_ endpoint: Endpoint, _ options: RequestOptions) throws -> Request {
        let base = try base(of: endpoint, options)
        let path = try endpoint.path.encoded(coding)
        let query = try queryItems(of: endpoint, options)
        var request = Request(endpoint.method, base, path: path, query: query)
        request.headers = uncredentialedHeaders(of: endpoint, options)
        request.withheldHeaders = options.withheldHeaders
        try addCredentials(to: &request, of: endpoint, options)
        for header in options.fallbackHeaders { request.addIfUnset(header) }
        // JSON is asked for even if no response body is expected, because errors have one.
        if endpoint.response.kind != .bytes { request.addIfUnset(HTTPField("Accept", "application/json")) }
        try addBody(to: &request, of: endpoint, options)
        request.headers = try request.headers.map { try $0.checked() }
        return request
    }

    /// Returns the query items of the endpoint and those that the caller adds, without the API's credentials.
    ///
    /// The value of an item such as `password` is a secret, whoever adds it.
    private func queryItems(of endpoint: Endpoint, _ options: RequestOptions) throws -> [QueryItem] {
        let items = try endpoint.query.items(coding) + options.query
        return items.map { item in
            let isSecret = isCredential(queryItem: item.name, of: endpoint)
            return isSecret ? QueryItem(item.name, item.content.asSecret) : item
        }
    }

    /// Returns the headers of the endpoint, the API and the caller. A header of the caller replaces those of the same
    /// name.
    ///
    /// The value of a header such as `X-Api-Key` is a secret, whoever adds it.
    private func uncredentialedHeaders(of endpoint: Endpoint, _ options: RequestOptions) -> [HTTPField] {
        let replacedNames = options.replacedHeaders
        let declared = fields(of: endpoint).filter { header in !replacedNames.contains(where: header.isNamed) }
        return (declared + options.headers).map { header in
            // The auth scheme of `Authorization` stays visible; output redacts such headers by name.
            let isSecret = !HTTPField.isConfidential(header.name) && isCredential(header: header.name, of: endpoint)
            return isSecret ? HTTPField(header.name, header.content.asSecret) : header
        }
    }

    /// Adds the endpoint's credentials to a request, such as `Authorization: Bearer …`.
    ///
    /// A scheme that several credentials choose is added once.
    ///
    /// A header or query item that the caller gives replaces a credential of the same name. A fallback header of the
    /// caller replaces a credential only if the variables of the credential are not set.
    ///
    /// - Parameters:
    ///   - request: The request, which has the headers and query items of the caller already.
    ///   - endpoint: The endpoint of the request.
    ///   - options: What the caller gives, and where the values of variables come from.
    /// - Throws: ``MissingCredential`` if the variables of a required credential are not set and nothing replaces it.
    ///   `RequestError` if there is no credential of the name that the caller chose.
    private func addCredentials(
        to request: inout Request, of endpoint: Endpoint, _ options: RequestOptions
    ) throws {
        var added: Set<Credential.Scheme> = []
        for credential in try chosenCredentials(of: endpoint, options) {
            let isReplaceable = credential.alternatives.contains(where: options.hasStandIn)
            var missingPolicy = options.missingCredential
            // The error for a missing credential would be wrong, because the caller's header takes its place.
            if isReplaceable { missingPolicy = .placeholder }
            guard let scheme = try credential.scheme(variables: options.value, missing: missingPolicy) else { continue }
            if options.replaces(scheme) { continue }
            if isReplaceable, !scheme.isSet(options.value) { continue }
            if added.insert(scheme).inserted { scheme.sign(&request, options) }
        }
    }

    /// Sets the body of a request, and its `Content-Type` unless a header has set that.
    ///
    /// A body that the caller gives is sent in place of the endpoint's, with the content type of the endpoint's. If
    /// that is multipart, no type is set, because it names a boundary that the caller's body does not have.
    private func addBody(
        to request: inout Request, of endpoint: Endpoint, _ options: RequestOptions
    ) throws {
        if let callersBody = options.body {
            if let declaredBody = endpoint.body, !declaredBody.isMultipart {
                request.addIfUnset(HTTPField("Content-Type", declaredBody.contentType))
            }
            request.body = callersBody
            return
        }
        guard let declaredBody = endpoint.body else { return }
        let encoded = try declaredBody.encoded(coding, boundary: options.boundary ?? Multipart.randomBoundary())
        request.addIfUnset(HTTPField("Content-Type", encoded.contentType))
        request.body = encoded.body
    }

    /// Returns the credentials to use. If the caller chose one by name, it has that alternative alone.
    ///
    /// - Throws: ``RequestError`` if no credential has the name.
    private func chosenCredentials(
        of endpoint: Endpoint, _ options: RequestOptions
    ) throws(RequestError) -> [Credential] {
        let declared = credentials(of: endpoint, at: options.base)
        guard let name = options.credential else { return declared }
        guard declared.contains(where: { $0.choosing(name) != nil }) else {
            let knownNames = declared.flatMap(\.alternatives).compactMap(\.names.first)
            throw .unknownCredential(name: name, known: knownNames)
        }
        return declared.map { $0.choosing(name) ?? $0 }
    }

    /// Whether the query item `name` is a credential in requests for `endpoint`.
    package func isCredential(queryItem name: String, of endpoint: Endpoint) -> Bool {
        SecretName.isCredential(name) || schemes(of: endpoint).contains { $0.sets(query: name) }
    }

    /// Whether the header `name` is a credential in requests for `endpoint`.
    package func isCredential(header name: String, of endpoint: Endpoint) -> Bool {
        SecretName.isCredential(name) || schemes(of: endpoint).contains { $0.sets(header: name) }
    }

    /// Returns the schemes of all credentials that requests for `endpoint` may have.
    private func schemes(of endpoint: Endpoint) -> [Credential.Scheme] {
        allCredentials(of: endpoint).flatMap(\.alternatives)
    }

    /// Returns the endpoint's own headers, then those of the API that it does not replace.
    package func fields(of endpoint: Endpoint) -> [HTTPField] {
        let endpointHeaders = endpoint.headers.fields
        let apiHeaders = headers.fields.filter { header in !endpointHeaders.contains { $0.isNamed(header.name) } }
        return endpointHeaders + apiHeaders
    }

    /// Returns the URL of the server that requests for an endpoint go to.
    ///
    /// - Throws: ``RequestError`` if there is no server, or its URL is not valid.
    func base(of endpoint: Endpoint, _ options: RequestOptions) throws(RequestError) -> BaseURL {
        // An endpoint keeps its URL only if that is at none of the API's servers.
        if let url = endpoint.url { throw .urlOutsideServers(url: url) }
        if let base = options.base { return base }
        if let server = endpoint.server { return try server.base() }
        return try defaultBase()
    }

    /// Returns the URL of the API's first server.
    private func defaultBase() throws(RequestError) -> BaseURL {
        guard let server = servers.first else { throw .noServer(api: apiName) }
        return try server.base()
    }
}

// MARK: Credentials

extension RequestBuilder {
    /// Returns the credentials of requests for an endpoint: its own, else those of the server, else the API's.
    ///
    /// - Parameters:
    ///   - endpoint: One of this API's endpoints.
    ///   - base: The URL of the server. Nil is the API's first one. A URL that is not one of the API's has no
    ///     credentials of its own.
    package func credentials(of endpoint: Endpoint, at base: BaseURL?) -> [Credential] {
        // Parsing the servers' URLs takes longer than everything else, and is seldom needed.
        guard servers.contains(where: { $0.credentials != nil }) else { return credentials(of: endpoint, on: nil) }
        guard let base else { return credentials(of: endpoint, on: servers.first) }
        let server = servers.first { server in
            guard let serverBase = try? server.base() else { return false }
            return base.isSame(as: serverBase)
        }
        return credentials(of: endpoint, on: server)
    }

    /// Returns the credentials of requests for an endpoint at one of the API's servers; nil is a server without its
    /// own.
    package func credentials(of endpoint: Endpoint, on server: Server?) -> [Credential] {
        if let endpointCredentials = endpoint.credentials { return endpointCredentials }
        return server?.credentials ?? credentials
    }

    /// Returns every credential that a request for `endpoint` may have, on any server.
    package func allCredentials(of endpoint: Endpoint) -> [Credential] {
        credentials + servers.flatMap { $0.credentials ?? [] } + (endpoint.credentials ?? [])
    }
}

extension RequestOptions {
    /// Returns the value of a credential's variable, or where it would come from.
    fileprivate func value(_ variable: String) -> String? { sources(variable) ?? variables(variable) }

    /// The names of headers that the caller sets or withholds, whatever the endpoint declares.
    fileprivate var replacedHeaders: [String] { headers.map(\.name) + withheldHeaders }

    /// Whether the caller sets or withholds what the scheme would set.
    func replaces(_ scheme: Credential.Scheme) -> Bool {
        replacedHeaders.contains(where: scheme.sets(header:)) || query.contains { scheme.sets(query: $0.name) }
    }

    /// Whether the request can do without the scheme: the caller replaces it, or a fallback header takes its place.
    fileprivate func hasStandIn(_ scheme: Credential.Scheme) -> Bool {
        replaces(scheme) || fallbackHeaders.contains { scheme.sets(header: $0.name) }
    }
}

extension Request {
    /// Adds a header unless one of that name is set or withheld.
    fileprivate mutating func addIfUnset(_ header: HTTPField) {
        if !specifies(header: header.name) { headers.append(header) }
    }
}
