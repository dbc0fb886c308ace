extension API {
    /// The request of this case.
    ///
    /// The query holds the endpoint's items, then those of `options`, then the credentials'. Headers come in this order: endpoint and API,
    /// `options`, credentials, fallbacks, `Accept`, `Content-Type`; a header that is already set is not set again. An added header or
    /// query item that has a credential's name, or a name such as `X-Api-Key`, becomes a secret.
    ///
    /// Throws ``MissingCredential``, ``RuleViolation``, `RequestProblem`, and `EncodingError` for a value without a JSON form.
    public func request(_ options: RequestOptions = RequestOptions()) throws -> Request {
        let endpoint = placedEndpoint
        try checkRules(endpoint)
        return try Self.request(endpoint, options)
    }

    /// The request of `endpoint`, which is one of this API's. Throws as ``request(_:)`` does.
    package static func request(_ endpoint: Endpoint, _ options: RequestOptions) throws -> Request {
        if let url = endpoint.url { throw RequestProblem.otherServer(url: url) }
        let added = options.query.map { item in
            isCredential(queryItem: item.name, of: endpoint) ? QueryItem(item.name, item.value.asSecret) : item
        }
        var request = Request(
            endpoint.method, try options.base ?? Self.defaultBase(), path: try endpoint.path.encoded(coding),
            query: try endpoint.query.items(coding) + added)

        let replaced = options.headers.map(\.name) + options.withheldHeaders
        request.headers = Self.fields(of: endpoint).filter { header in !replaced.contains(where: header.isNamed) }
        request.headers += options.headers.map { header in
            // The auth scheme of `Authorization` stays visible; output redacts such headers by name.
            let isSecret =
                !Header.isConfidential(header.name) && isCredential(header: header.name, of: endpoint)
            return isSecret ? Header(header.name, header.value.asSecret) : header
        }
        request.withheldHeaders = options.withheldHeaders

        func value(_ variable: String) -> String? { options.sources(variable) ?? options.variables(variable) }
        // A header or query item that was given replaces the credential of the same name; a fallback header only one that is not set.
        func isReplaced(_ scheme: Credential.Scheme, by headers: [String]) -> Bool {
            headers.contains(where: scheme.sets(header:)) || options.query.contains { scheme.sets(query: $0.name) }
        }
        let given = replaced + options.fallbackHeaders.map(\.name)
        for credential in try chosenCredentials(of: endpoint, options) {
            let isGiven = credential.alternatives.contains { isReplaced($0, by: given) }
            let scheme = try credential.scheme(
                variables: value, missing: isGiven ? .placeholder : options.missingCredential)
            guard let scheme, !isReplaced(scheme, by: replaced) else { continue }
            if isGiven, !scheme.isSet(value) { continue }
            scheme.sign(&request, options)
        }

        for header in options.fallbackHeaders { request.add(header) }
        // Even if no response body is expected, because errors have one.
        if endpoint.response.kind != .bytes { request.add(Header("Accept", "application/json")) }
        if let body = options.body {
            if let own = endpoint.body, !own.isMultipart { request.add(Header("Content-Type", own.contentType)) }
            request.body = body
        } else if let body = endpoint.body {
            let encoded = try body.encoded(coding, boundary: options.boundary ?? Multipart.randomBoundary())
            request.add(Header("Content-Type", encoded.contentType))
            request.body = encoded.body
        }
        request.headers = try request.headers.map { try $0.checked() }
        return request
    }

    /// The credentials to use, with only the alternative that `options` choose. Throws ``RequestProblem``.
    private static func chosenCredentials(
        of endpoint: Endpoint, _ options: RequestOptions
    ) throws(RequestProblem) -> [Credential] {
        let all = credentials(of: endpoint, at: options.base)
        guard let name = options.credential else { return all }
        let chosen = all.map { ($0, $0.choosing(name)) }
        guard chosen.contains(where: { $0.1 != nil }) else {
            let known = all.flatMap(\.alternatives).compactMap(\.names.first)
            throw .credential(name: name, known: known)
        }
        return chosen.map { $1 ?? $0 }
    }

    /// Whether the query item `name` is a credential in requests for `endpoint`.
    package static func isCredential(queryItem name: String, of endpoint: Endpoint) -> Bool {
        SecretName.isCredential(name) || schemes(of: endpoint).contains { $0.sets(query: name) }
    }

    /// Whether the header `name` is a credential in requests for `endpoint`.
    package static func isCredential(header name: String, of endpoint: Endpoint) -> Bool {
        SecretName.isCredential(name) || schemes(of: endpoint).contains { $0.sets(header: name) }
    }

    /// The schemes of all credentials that requests for `endpoint` may have.
    private static func schemes(of endpoint: Endpoint) -> [Credential.Scheme] {
        allCredentials(of: endpoint).flatMap(\.alternatives)
    }

    /// The endpoint's own headers and those of the API that it does not replace.
    package static func fields(of endpoint: Endpoint) -> [Header] {
        let own = endpoint.headers.fields
        return own + headers.fields.filter { header in !own.contains { $0.isNamed(header.name) } }
    }

    private static func defaultBase() throws(RequestProblem) -> BaseURL {
        guard let server = servers.first else { throw .noServer(api: name) }
        return try server.base()
    }
}

extension Request {
    /// Adds a header unless one of that name is set or withheld.
    fileprivate mutating func add(_ header: Header) {
        guard !headers.contains(where: { $0.isNamed(header.name) }),
            !withheldHeaders.contains(where: header.isNamed)
        else { return }
        headers.append(header)
    }
}
