extension API {
    /// The request of this case.
    ///
    /// The query holds the endpoint's items, then the added ones, then the credentials'. Header fields stand in the order:
    /// endpoint and API, additions, credentials, fallbacks, `Accept`, `Content-Type`; one that is set is not set again. An addition
    /// with a credential's name, or one such as `X-Api-Key`, is kept as a secret.
    ///
    /// Throws ``MissingCredential``, ``InvalidHeader``, ``Endpoint/Path/InvalidValue``, ``RequestProblem``, and `EncodingError` for a body
    /// without a JSON form.
    public func request(_ options: RequestOptions = RequestOptions()) throws -> Request {
        try Self.request(resolvedEndpoint, options)
    }

    /// The request of `endpoint`, a case's. Throws as ``request(_:)`` does.
    package static func request(_ endpoint: Endpoint, _ options: RequestOptions) throws -> Request {
        let schemes = (Self.credentials + (endpoint.credentials ?? [])).flatMap(\.alternatives)
        let added = options.query.map { item in
            SecretName.isCredential(item.name) || schemes.contains { $0.sets(query: item.name) }
                ? QueryItem(item.name, item.value.asSecret) : item
        }
        var request = Request(
            endpoint.method, try options.base ?? Self.defaultBase(), path: try endpoint.path.encoded(),
            query: endpoint.query.items + added)

        let replaced = options.headers.map(\.name) + options.withheldHeaders
        request.headers = Self.fields(of: endpoint).filter { header in !replaced.contains(where: header.isNamed) }
        request.headers += options.headers.map { header in
            // Of `Authorization` the scheme may be seen; what hides the rest knows the field by its name.
            let isSecret =
                !Header.isConfidential(header.name)
                && (SecretName.isCredential(header.name) || schemes.contains { $0.sets(header: header.name) })
            return isSecret ? Header(header.name, header.value.asSecret) : header
        }
        request.withheldHeaders = options.withheldHeaders

        for credential in endpoint.credentials ?? Self.credentials {
            // What is given takes the place of the credential: the two together would be two answers to one question.
            let given = replaced + options.fallbackHeaders.map(\.name)
            let isGiven = credential.alternatives.contains { scheme in
                given.contains(where: scheme.sets(header:)) || options.query.contains { scheme.sets(query: $0.name) }
            }
            let missing = isGiven ? .placeholder : options.missingCredential
            guard let scheme = try credential.scheme(variables: options.variables, missing: missing) else { continue }
            let isReplaced =
                replaced.contains(where: scheme.sets(header:)) || options.query.contains { scheme.sets(query: $0.name) }
            let isSet = scheme.variables.allSatisfy { !(options.variables($0) ?? "").isEmpty }
            if isReplaced || isGiven && !isSet { continue }
            scheme.sign(&request, variables: options.variables)
        }

        for header in options.fallbackHeaders { request.add(header) }
        // Also without a response body: errors have one.
        if endpoint.response.kind != .bytes { request.add(Header("Accept", "application/json")) }
        if let body = options.body {
            if let contentType = endpoint.body?.contentType { request.add(Header("Content-Type", contentType)) }
            request.body = body
        } else if let body = endpoint.body {
            let encoded = try body.encoded(coding, boundary: options.boundary ?? Multipart.randomBoundary())
            request.add(Header("Content-Type", encoded.contentType))
            request.body = encoded.body
        }
        request.headers = try request.headers.map { try $0.checked() }
        return request
    }

    /// The endpoint's own header fields and those of the API that it does not replace.
    public static func fields(of endpoint: Endpoint) -> [Header] {
        let own = endpoint.headers.fields
        return own + headers.fields.filter { header in !own.contains { $0.isNamed(header.name) } }
    }

    private static func defaultBase() throws(RequestProblem) -> BaseURL {
        guard let server = servers.first else { throw .noServer(api: name) }
        return try server.base()
    }
}

extension Server {
    /// The URL, read. Throws ``RequestProblem`` where it is none.
    public func base() throws(RequestProblem) -> BaseURL {
        do {
            return try BaseURL(url)
        } catch {
            throw .server(name: name, url: url, error)
        }
    }
}

extension Request {
    /// Adds a field unless one of that name is there or withheld.
    fileprivate mutating func add(_ header: Header) {
        guard !headers.contains(where: { $0.isNamed(header.name) }),
            !withheldHeaders.contains(where: header.isNamed)
        else { return }
        headers.append(header)
    }
}
