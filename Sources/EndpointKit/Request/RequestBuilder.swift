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

    /// Creates the builder of an API's requests. Each parameter is the property with the same name.
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
        let base = try baseURL(of: endpoint, options: options)
        let path = try endpoint.path.encoded(coding)
        let query = try declaredAndAddedQueryItems(of: endpoint, options: options)
        var request = Request(endpoint.method, base, path: path, query: query)
        request.headers = declaredAndAddedHeaders(of: endpoint, options: options)
        request.withheldHeaders = options.withheldHeaders
        try addCredentials(to: &request, of: endpoint, options: options)
        for header in options.fallbackHeaders { request.addIfUnset(header) }
        // JSON is asked for even if no response body is expected, because errors have one.
        if endpoint.response.kind != .bytes { request.addIfUnset(HTTPField("Accept", "application/json")) }
        try addBody(to: &request, of: endpoint, options: options)
        request.headers = try request.headers.map { try $0.checked() }
        return request
    }

    /// Returns the query items of the endpoint, then those that the caller adds, without the API's credentials.
    ///
    /// The value of an item such as `password` is a secret, whoever adds it.
    ///
    /// - Throws: `EncodingError` for a value without a JSON form.
    private func declaredAndAddedQueryItems(
        of endpoint: Endpoint, options: RequestOptions
    ) throws -> [QueryItem] {
        let items = try endpoint.query.items(coding) + options.query
        return items.map { item in
            let isSecret = isCredential(queryItem: item.name, of: endpoint)
            return isSecret ? QueryItem(item.name, item.content.asSecret) : item
        }
    }

    /// Returns the headers of the endpoint and the API, then those that the caller adds, without the API's credentials.
    ///
    /// A header that the caller adds replaces those of the same name. The value of a header such as `X-Api-Key` is a
    /// secret, whoever adds it.
    private func declaredAndAddedHeaders(of endpoint: Endpoint, options: RequestOptions) -> [HTTPField] {
        let replacedNames = options.replacedHeaders
        let declaredHeaders = fields(of: endpoint).filter { header in
            let isReplaced = replacedNames.contains(where: header.isNamed)
            return !isReplaced
        }
        return (declaredHeaders + options.headers).map { header in
            // The value of `Authorization` stays as it is, because its auth scheme may be shown. Output redacts the
            // rest of such a header by its name.
            let isSecret = !HTTPField.isConfidential(header.name) && isCredential(header: header.name, of: endpoint)
            return isSecret ? HTTPField(header.name, header.content.asSecret) : header
        }
    }

    /// Adds the endpoint's credentials to a request, such as `Authorization: Bearer …`.
    ///
    /// A scheme is one way to send a credential, such as a header. Each credential chooses one of its schemes. If
    /// several credentials choose the same one, it is added once.
    ///
    /// - Parameters:
    ///   - request: The request, which has the headers and query items of the caller already.
    ///   - endpoint: The endpoint of the request.
    ///   - options: What the caller gives, and where the values of variables come from.
    /// - Throws: ``MissingCredential`` if the variables of a required credential are not set and nothing replaces it.
    ///   `RequestError` if there is no credential of the name that the caller chose.
    private func addCredentials(
        to request: inout Request, of endpoint: Endpoint, options: RequestOptions
    ) throws {
        var addedSchemes: Set<Credential.Scheme> = []
        for credential in try chosenCredentials(of: endpoint, options: options) {
            let hasSubstitute = credential.alternatives.contains(where: options.hasSubstitute(for:))
            // A missing credential is no error if a header of the caller takes its place.
            let missingPolicy = hasSubstitute ? .placeholder : options.missingCredential
            let chosenScheme = try credential.chooseScheme(variables: options.value, ifMissing: missingPolicy)
            guard let scheme = chosenScheme else { continue }
            // A header or query item of the caller replaces a credential of the same name.
            if options.replaces(scheme) { continue }
            // A fallback header of the caller replaces only a credential that is not set.
            if hasSubstitute, !scheme.isSet(options.value) { continue }
            let isNew = addedSchemes.insert(scheme).inserted
            if isNew { scheme.addCredential(to: &request, options: options) }
        }
    }

    /// Sets the body of a request, and its `Content-Type` unless a header has set that.
    ///
    /// A body that the caller gives is sent in place of the endpoint's, with the content type of the endpoint's. If
    /// that is multipart, no type is set, because it names a boundary that the caller's body does not have.
    private func addBody(
        to request: inout Request, of endpoint: Endpoint, options: RequestOptions
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

    /// Returns the credentials to send with a request.
    ///
    /// The caller may have chosen an alternative by its name, such as `bearer`. Then a credential that has such an
    /// alternative is sent only in this way. Credentials without an alternative of this name stay as they are.
    ///
    /// - Throws: ``RequestError`` if no credential has an alternative of this name.
    private func chosenCredentials(
        of endpoint: Endpoint, options: RequestOptions
    ) throws(RequestError) -> [Credential] {
        let declaredCredentials = credentials(of: endpoint, at: options.base)
        guard let chosenName = options.credential else { return declaredCredentials }
        var isNameDeclared = false
        var credentialsToSend: [Credential] = []
        for credential in declaredCredentials {
            if let restrictedCredential = credential.requiringAlternative(named: chosenName) {
                isNameDeclared = true
                credentialsToSend.append(restrictedCredential)
            } else {
                credentialsToSend.append(credential)
            }
        }
        if isNameDeclared { return credentialsToSend }
        let knownNames = declaredCredentials.flatMap(\.alternatives).compactMap(\.names.first)
        throw .unknownCredential(name: chosenName, known: knownNames)
    }

    /// Returns whether the value of the query item `name` is a secret in requests for `endpoint`.
    package func isCredential(queryItem name: String, of endpoint: Endpoint) -> Bool {
        SecretName.isCredential(name) || schemes(of: endpoint).contains { $0.sets(query: name) }
    }

    /// Returns whether the value of the header `name` is a secret in requests for `endpoint`.
    package func isCredential(header name: String, of endpoint: Endpoint) -> Bool {
        SecretName.isCredential(name) || schemes(of: endpoint).contains { $0.sets(header: name) }
    }

    /// Returns all ways in which requests for `endpoint` may send a credential.
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
    func baseURL(of endpoint: Endpoint, options: RequestOptions) throws(RequestError) -> BaseURL {
        // An endpoint still has a whole URL only if that URL is at none of the API's servers.
        if let url = endpoint.url { throw .urlOutsideServers(url: url) }
        if let base = options.base { return base }
        if let server = endpoint.server { return try server.base() }
        return try defaultBase()
    }

    /// Returns the URL of the API's first server.
    ///
    /// - Throws: ``RequestError`` if there is no server, or its URL is not valid.
    private func defaultBase() throws(RequestError) -> BaseURL {
        guard let server = servers.first else { throw .noServer(api: apiName) }
        return try server.base()
    }
}

// MARK: Credentials

extension RequestBuilder {
    /// Returns the credentials of requests for an endpoint: its own, or else those of the server, or else the API's.
    ///
    /// - Parameters:
    ///   - endpoint: One of this API's endpoints.
    ///   - base: The URL of the server. Nil is the API's first server. A URL that is none of the API's servers has no
    ///     credentials of its own.
    package func credentials(of endpoint: Endpoint, at base: BaseURL?) -> [Credential] {
        // Most servers have no credentials of their own. Then their URLs, which are slow to parse, are not needed.
        let hasServerCredentials = servers.contains { $0.credentials != nil }
        if !hasServerCredentials { return credentials(of: endpoint, on: nil) }
        guard let base else { return credentials(of: endpoint, on: servers.first) }
        let server = servers.first { server in
            guard let serverBase = try? server.base() else { return false }
            return base.isSame(as: serverBase)
        }
        return credentials(of: endpoint, on: server)
    }

    /// Returns the credentials of requests for an endpoint at one of the API's servers.
    ///
    /// - Parameters:
    ///   - endpoint: One of this API's endpoints.
    ///   - server: The server; nil stands for a server without credentials of its own.
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
    /// Returns the value of a credential's variable, or the place that it would come from, such as a file. Nil if the
    /// variable has neither.
    fileprivate func value(_ variable: String) -> String? { sources(variable) ?? variables(variable) }

    /// The names of headers that the caller sets or withholds, whatever the endpoint declares.
    fileprivate var replacedHeaders: [String] { headers.map(\.name) + withheldHeaders }

    /// Returns whether the caller sets or withholds the header or query item that a credential would be sent in.
    func replaces(_ scheme: Credential.Scheme) -> Bool {
        replacedHeaders.contains(where: scheme.sets(header:)) || query.contains { scheme.sets(query: $0.name) }
    }

    /// Returns whether the request can do without a credential: the caller replaces it, or a fallback header of the
    /// caller has the same name.
    fileprivate func hasSubstitute(for scheme: Credential.Scheme) -> Bool {
        replaces(scheme) || fallbackHeaders.contains { scheme.sets(header: $0.name) }
    }
}

extension Request {
    /// Adds a header unless a header of the same name is set or withheld.
    fileprivate mutating func addIfUnset(_ header: HTTPField) {
        if !specifies(header: header.name) { headers.append(header) }
    }
}
