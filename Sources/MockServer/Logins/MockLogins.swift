import EndpointKit
import EndpointTools
import JSONText

/// Plays the OAuth servers of APIs, so that an app's login can be tested without a network.
///
/// Each endpoint of a login has its own path, below that of the API: a token endpoint `https://id.example.com/token` is
/// `/token`, or `/shop/token` if the API is under `/shop`. Nobody has to approve a login: the page for a browser sends
/// it back at once, and a device gets its token when it asks for the second time.
///
/// Any client and any secret are accepted. So is any access token until the first one was given. From then on only
/// those that were given are, as long as they are valid.
package final class MockLogins: Sendable {
    /// A login, at the paths of the server.
    private struct MountedLogin: Sendable {
        let api: String
        let variable: String
        /// The paths of the endpoints, without a query.
        let paths: OAuthLogin.Endpoints
        let issuer: TokenIssuer
    }

    private let logins: [MountedLogin]

    /// Plays the servers of all logins with OAuth.
    ///
    /// Logins with the same token endpoint have the same server. If the API itself declares the token endpoint, its
    /// sample plays that part.
    ///
    /// - Parameters:
    ///   - mounts: The APIs, with the paths that they are under.
    ///   - tokenLifetime: How long an access token is valid.
    package init(_ mounts: [CallRoutes.Mount], tokenLifetime: Duration = .seconds(3600)) {
        var logins: [MountedLogin] = []
        var issuers: [String: TokenIssuer] = [:]
        for mount in mounts {
            for login in mount.api.logins {
                guard case .oauth(let oauth) = login.method else { continue }
                let paths = oauth.endpoints.moved(to: mount.path).withoutQueries
                let isOwnEndpoint = mount.endpoints.contains { route in
                    route.endpoint.method == .post && mount.path + route.template == paths.token
                }
                if isOwnEndpoint { continue }
                let issuer = issuers[paths.token] ?? TokenIssuer(tokenLifetime: tokenLifetime)
                issuers[paths.token] = issuer
                let mounted = MountedLogin(
                    api: mount.api.name, variable: login.variable, paths: paths, issuer: issuer)
                logins.append(mounted)
            }
        }
        self.logins = logins
    }

    /// Makes all access tokens that were given invalid. Refresh tokens stay valid.
    func expireTokens() {
        for login in logins { login.issuer.expireTokens() }
    }

    /// Returns the endpoints of the logins of an API: the method, the path and the variable of each.
    package func routes(of api: CatalogueAPI) -> [(method: String, path: String, variable: String)] {
        logins.filter { $0.api == api.name }.flatMap { login in
            let posts = [login.paths.token, login.paths.device, login.paths.revoke].compactMap(\.self)
            let gets = [login.paths.authorize].compactMap(\.self)
            return posts.map { ("POST", $0, login.variable) } + gets.map { ("GET", $0, login.variable) }
        }
    }

    // MARK: Access tokens

    /// Returns the refusal of a call with an access token that is not valid (RFC 6750, section 3.1).
    ///
    /// - Returns: The response; nil if the call has no such token.
    package func refusal(of reading: CallReading) -> Response? {
        let api = reading.declaration.api
        let credentials = api.requestBuilder.credentials(of: reading.route.endpoint, at: nil)
        for login in logins where login.api == api.name {
            let schemes = credentials.flatMap(\.alternatives).filter { $0.variables == [login.variable] }
            let tokens = schemes.flatMap { reading.request.values(of: $0) }
            if tokens.contains(where: { !login.issuer.accepts($0) }) {
                var response = Response(401, message: "the token is unknown or has expired")
                response.head.fields.append(.init("WWW-Authenticate", #"Bearer error="invalid_token""#))
                return response
            }
        }
        return nil
    }

    // MARK: Endpoints

    /// Returns whether a request is for an endpoint of a login.
    func haveEndpoint(for request: ReceivedRequest) -> Bool {
        logins.contains { login in
            let paths = login.paths
            switch request.method {
            case "POST": return [paths.token, paths.device, paths.revoke].contains(request.path)
            case "GET": return [paths.device, paths.authorize].contains(request.path)
            default: return false
            }
        }
    }

    /// Returns the response of an endpoint of a login; nil if the request is for none.
    package func response(to request: ReceivedRequest) -> Response? {
        for login in logins {
            switch (request.method, request.path) {
            case ("POST", login.paths.token): return Self.tokenResponse(to: request, login.issuer)
            case ("POST", login.paths.device): return Self.deviceResponse(to: request, login.issuer)
            case ("GET", login.paths.device): return Self.page("The login is approved by itself.")
            case ("GET", login.paths.authorize): return Self.authorizationResponse(to: request, login.issuer)
            case ("POST", login.paths.revoke):
                login.issuer.revoke(Form(request)["token"] ?? "")
                return Response(head: ResponseHead(status: 200, fields: []), body: [])
            default: continue
            }
        }
        return nil
    }

    /// The fields of a request's form, and the client that it names.
    private struct Form {
        private let items: [QueryItem]
        /// Whether the header `Authorization` has a client with its secret (RFC 6749, section 2.3.1).
        private let hasBasicClient: Bool

        init(_ request: ReceivedRequest) {
            items = FormText.items(request.bodyText)
            hasBasicClient = request["Authorization"]?.lowercased().hasPrefix("basic ") == true
        }

        /// The value of a field; nil if it is not there or empty.
        subscript(_ name: String) -> String? {
            items.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
        }

        /// Whether the request says which client sends it.
        var hasClient: Bool { hasBasicClient || self["client_id"] != nil }
        /// Whether the request has a client's secret.
        var hasSecret: Bool { hasBasicClient || self["client_secret"] != nil }
    }

    /// Returns the response of the token endpoint (RFC 6749, section 5).
    private static func tokenResponse(to request: ReceivedRequest, _ issuer: TokenIssuer) -> Response {
        let form = Form(request)
        guard form.hasClient else { return failure("invalid_client", "the client is not named", 401) }
        let tokens: TokenIssuer.Tokens?
        switch form["grant_type"] {
        case "client_credentials":
            guard form.hasSecret else { return failure("invalid_client", "the client has no secret", 401) }
            tokens = issuer.tokensOfClient()
        case "refresh_token":
            tokens = issuer.tokens(refreshing: form["refresh_token"] ?? "")
        case "authorization_code":
            tokens = issuer.tokens(forCode: form["code"] ?? "") { authorization in
                let hasProof = authorization.challenge.map { $0 == challenge(form["code_verifier"] ?? "") } ?? true
                return hasProof && form["redirect_uri"] == authorization.redirect
            }
        case "urn:ietf:params:oauth:grant-type:device_code":
            switch issuer.answer(forDeviceCode: form["device_code"] ?? "") {
            case .pending: return failure("authorization_pending", "ask again")
            case .tokens(let given): tokens = given
            case .unknown: tokens = nil
            }
        case nil: return failure("invalid_request", "grant_type is missing")
        default: return failure("unsupported_grant_type", "this mock has no such grant")
        }
        guard let tokens else { return failure("invalid_grant", "it is unknown or was used before") }
        return json([
            ("access_token", JSONValue(tokens.accessToken)), ("token_type", "Bearer"),
            ("expires_in", JSONValue(Int(issuer.tokenLifetime.components.seconds))),
            ("refresh_token", tokens.refreshToken.map { JSONValue($0) }),
            ("scope", form["scope"].map { JSONValue($0) }),
        ])
    }

    /// Returns the challenge of a client's proof (RFC 7636, section 4.2).
    private static func challenge(_ verifier: String) -> String {
        Base64URL.encode(MessageDigest.sha256.digest(of: Array(verifier.utf8)))
    }

    /// Returns the response of the device authorization endpoint (RFC 8628, section 3.2).
    private static func deviceResponse(to request: ReceivedRequest, _ issuer: TokenIssuer) -> Response {
        guard Form(request).hasClient else { return failure("invalid_client", "the client is not named", 401) }
        let page = "http://\(request.authority ?? "127.0.0.1")\(request.path)"
        return json([
            ("device_code", JSONValue(issuer.deviceCode())), ("user_code", "MOCK-CODE"),
            ("verification_uri", JSONValue(page)), ("expires_in", 900), ("interval", 1),
        ])
    }

    /// Returns the response of the authorization endpoint: it sends the browser back with a code (RFC 6749, section
    /// 4.1.2).
    private static func authorizationResponse(to request: ReceivedRequest, _ issuer: TokenIssuer) -> Response {
        func item(_ name: String) -> String? { request.queryItems.first { $0.name == name }?.value }
        // It becomes a header, which must not have other characters.
        guard let redirect = item("redirect_uri"), redirect.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            redirect.contains(":"), !redirect.contains("#")
        else { return page("redirect_uri is no URL", status: 400) }
        guard item("response_type") == "code", item("client_id")?.isEmpty == false else {
            return page("expected response_type=code and a client_id", status: 400)
        }
        let challenge = item("code_challenge")
        if challenge != nil, item("code_challenge_method") != "S256" {
            return page("expected code_challenge_method=S256", status: 400)
        }
        let code = issuer.code(for: TokenIssuer.Authorization(redirect: redirect, challenge: challenge))
        var target = redirect + (redirect.contains("?") ? "&" : "?") + "code=\(code)"
        if let state = item("state") { target += "&state=\(PercentEncoding.encode(state))" }
        return Response(head: ResponseHead(status: 302, fields: [.init("Location", target)]), body: [])
    }

    // MARK: Responses

    /// Returns a response with the members that have a value. It must not be kept by a cache (RFC 6749, section 5.1).
    private static func json(_ members: [(String, JSONValue?)], status: Int = 200) -> Response {
        let object = JSONValue(members.compactMap { name, value in value.map { (name, $0) } })
        let fields: [HTTPField] = [
            .init("Content-Type", "application/json"), .init("Cache-Control", "no-store"),
        ]
        return Response(head: ResponseHead(status: status, fields: fields), body: Array("\(object)\n".utf8))
    }

    /// Returns an error of the token endpoint (RFC 6749, section 5.2).
    private static func failure(_ code: String, _ description: String, _ status: Int = 400) -> Response {
        var response = json(
            [("error", JSONValue(code)), ("error_description", JSONValue(description))], status: status)
        if status == 401 { response.head.fields.append(.init("WWW-Authenticate", #"Basic realm="mock""#)) }
        return response
    }

    /// Returns a page for a person.
    private static func page(_ text: String, status: Int = 200) -> Response {
        let type = HTTPField("Content-Type", "text/plain; charset=utf-8")
        return Response(head: ResponseHead(status: status, fields: [type]), body: Array((text + "\n").utf8))
    }
}

extension OAuthLogin.Endpoints {
    /// The endpoints without the queries of their URLs.
    fileprivate var withoutQueries: OAuthLogin.Endpoints {
        func path(_ url: String) -> String {
            let path = String(url.prefix { $0 != "?" })
            return path.isEmpty ? "/" : path
        }
        return OAuthLogin.Endpoints(
            token: path(token), device: device.map(path), authorize: authorize.map(path), revoke: revoke.map(path))
    }
}

extension ReceivedRequest {
    /// Returns the secrets of a credential in the request: query items, or headers without the prefix of the scheme.
    func values(of scheme: Credential.Scheme) -> [String] {
        let items = queryItems.filter { scheme.sets(query: $0.name) }.map(\.value)
        let headers = fields.filter { scheme.sets(header: $0.name) }.map(\.value)
        let prefix = scheme.prefix.lowercased()
        let secrets = headers.filter { $0.lowercased().hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
        return items + secrets.map { String($0.drop { $0 == " " }) }
    }
}
