import EndpointKit
import EndpointTools
import JSONText

/// Plays the OAuth servers of APIs, so that an app's login can be tested without a network.
///
/// Each endpoint of a login has its own path, below that of the API: a token endpoint `https://id.example.com/token` is
/// `/token`, or `/shop/token` if the API is under `/shop`. Nobody has to approve a login: the page for a browser sends
/// it back at once, and a device gets its token when it asks for the second time.
///
/// Any client and any secret are accepted. Any access token is accepted until a login gives the first one. From then
/// on, only tokens that were given are accepted, as long as they are valid.
package final class MockLogins: Sendable {
    /// A login with OAuth, at the paths of the server.
    private struct MountedLogin: Sendable {
        /// The name of the API.
        let api: String
        /// The variable of the API's credential that gets the access token.
        let variable: String
        /// The paths of the endpoints, without a query.
        let paths: OAuthLogin.Endpoints
        /// The memory of the OAuth server. Logins with the same token endpoint share it.
        let issuer: TokenIssuer
    }

    private let logins: [MountedLogin]

    /// Prepares to play the servers of all logins with OAuth.
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
                // An endpoint of the API itself responds with its sample.
                let isDeclaredByAPI = mount.endpoints.contains { route in
                    route.endpoint.method == .post && mount.path + route.template == paths.token
                }
                if isDeclaredByAPI { continue }
                let issuer = issuers[paths.token] ?? TokenIssuer(tokenLifetime: tokenLifetime)
                issuers[paths.token] = issuer
                logins.append(
                    MountedLogin(api: mount.api.name, variable: login.variable, paths: paths, issuer: issuer))
            }
        }
        self.logins = logins
    }

    /// Makes all access tokens invalid that were given. Refresh tokens stay valid.
    func expireTokens() {
        for login in logins { login.issuer.expireTokens() }
    }

    /// Returns the endpoints of the logins of an API: the method, the path and the variable of each.
    package func routes(of api: CatalogueAPI) -> [(method: String, path: String, variable: String)] {
        var routes: [(method: String, path: String, variable: String)] = []
        for login in logins where login.api == api.name {
            for path in [login.paths.token, login.paths.device, login.paths.revoke].compactMap(\.self) {
                routes.append((method: "POST", path: path, variable: login.variable))
            }
            if let path = login.paths.authorize {
                routes.append((method: "GET", path: path, variable: login.variable))
            }
        }
        return routes
    }

    // MARK: Access tokens

    /// Returns the response to a call whose access token is not valid: status 401 (RFC 6750, section 3.1).
    ///
    /// - Parameter receivedCall: A request, and the endpoint that it calls.
    /// - Returns: The response; nil if the call has no token, or a valid one.
    package func refusal(of receivedCall: ReceivedCall) -> Response? {
        let api = receivedCall.declaration.api
        let credentials = api.requestBuilder.credentials(of: receivedCall.route.endpoint, at: nil)
        for login in logins where login.api == api.name {
            // The login's token is sent as the credential whose variable it is the value of.
            let schemesOfLogin = credentials.flatMap(\.alternatives).filter { $0.variables == [login.variable] }
            let tokens = schemesOfLogin.flatMap { scheme in receivedCall.request.values(of: scheme) }
            let hasInvalidToken = !tokens.allSatisfy(login.issuer.accepts)
            guard hasInvalidToken else { continue }
            var response = Response(401, message: "the token is unknown or has expired")
            response.head.fields.append(.init("WWW-Authenticate", #"Bearer error="invalid_token""#))
            return response
        }
        return nil
    }

    // MARK: Endpoints

    /// Returns whether a request is for an endpoint of a login.
    func hasEndpoint(for request: ReceivedRequest) -> Bool {
        logins.contains { login in
            let paths = login.paths
            switch request.method {
            case "POST": return [paths.token, paths.device, paths.revoke].contains(request.path)
            case "GET": return [paths.device, paths.authorize].contains(request.path)
            default: return false
            }
        }
    }

    /// Gives or revokes the tokens that a request for an endpoint of a login asks for, and returns the response to it.
    ///
    /// - Returns: The response; nil if the request is for no endpoint of a login.
    package func respond(to request: ReceivedRequest) -> Response? {
        for login in logins {
            switch (request.method, request.path) {
            case ("POST", login.paths.token): return Self.tokenResponse(to: request, issuer: login.issuer)
            case ("POST", login.paths.device): return Self.deviceResponse(to: request, issuer: login.issuer)
            case ("GET", login.paths.device): return Self.page("The login is approved by itself.")
            case ("GET", login.paths.authorize): return Self.authorizationResponse(to: request, issuer: login.issuer)
            case ("POST", login.paths.revoke):
                login.issuer.revoke(Form(request)["token"] ?? "")
                // The response does not depend on whether the token was known (RFC 7009, section 2.2).
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

        /// Reads the form in the body of a request.
        init(_ request: ReceivedRequest) {
            items = FormText.items(request.bodyText)
            hasBasicClient = request["Authorization"]?.lowercased().hasPrefix("basic ") == true
        }

        /// Returns the value of a field; nil if the field is missing or empty.
        subscript(_ name: String) -> String? {
            guard let value = items.first(where: { $0.name == name })?.value, !value.isEmpty else { return nil }
            return value
        }

        /// Whether the request says which client sends it.
        var hasClient: Bool { hasBasicClient || self["client_id"] != nil }
        /// Whether the request has a client's secret.
        var hasSecret: Bool { hasBasicClient || self["client_secret"] != nil }
    }

    /// Issues the tokens that a request to the token endpoint asks for, and returns the response with them, or with an
    /// error (RFC 6749, section 5).
    ///
    /// The field `grant_type` of the request's form says what the client has in return for the tokens.
    private static func tokenResponse(to request: ReceivedRequest, issuer: TokenIssuer) -> Response {
        let form = Form(request)
        guard form.hasClient else { return failure("invalid_client", "the client is not named", status: 401) }
        // Nil if the code or the refresh token is not valid.
        let tokens: TokenIssuer.Tokens?
        switch form["grant_type"] {
        case "client_credentials":
            guard form.hasSecret else { return failure("invalid_client", "the client has no secret", status: 401) }
            tokens = issuer.issueTokensOfClient()
        case "refresh_token":
            tokens = issuer.issueTokens(refreshing: form["refresh_token"] ?? "")
        case "authorization_code":
            tokens = issuer.issueTokens(forCode: form["code"] ?? "") { authorization in
                form["redirect_uri"] == authorization.redirect && hasProof(form, for: authorization)
            }
        case "urn:ietf:params:oauth:grant-type:device_code":
            switch issuer.answerDevice(code: form["device_code"] ?? "") {
            case .pending: return failure("authorization_pending", "ask again")
            case .tokens(let deviceTokens): tokens = deviceTokens
            case .unknown: tokens = nil
            }
        case nil:
            return failure("invalid_request", "grant_type is missing")
        default:
            return failure("unsupported_grant_type", "this mock has no such grant")
        }
        guard let tokens else { return failure("invalid_grant", "it is unknown or was used before") }
        return responseWithTokens(tokens, lifetime: issuer.tokenLifetime, scope: form["scope"])
    }

    /// Returns the response with new tokens (RFC 6749, section 5.1).
    ///
    /// - Parameters:
    ///   - tokens: The access token, and maybe a refresh token.
    ///   - lifetime: How long the access token is valid.
    ///   - scope: The scopes that the client asked for, which are all granted; nil if it asked for none.
    private static func responseWithTokens(
        _ tokens: TokenIssuer.Tokens, lifetime: Duration, scope: String?
    ) -> Response {
        json([
            ("access_token", JSONValue(tokens.accessToken)), ("token_type", "Bearer"),
            ("expires_in", JSONValue(Int(lifetime.components.seconds))),
            ("refresh_token", tokens.refreshToken.map { JSONValue($0) }),
            ("scope", scope.map { JSONValue($0) }),
        ])
    }

    /// Returns whether a request for tokens has the proof that it comes from the client that asked for authorization
    /// (RFC 7636, section 4.6).
    ///
    /// The proof is a text whose SHA-256 digest is the challenge in the request for authorization. Without a challenge
    /// there, no proof is needed.
    private static func hasProof(_ form: Form, for authorization: TokenIssuer.Authorization) -> Bool {
        guard let challenge = authorization.challenge else { return true }
        let verifier = form["code_verifier"] ?? ""
        return challenge == Base64URL.encode(MessageDigest.sha256.digest(of: Array(verifier.utf8)))
    }

    /// Returns the response of the device authorization endpoint, with a new code (RFC 8628, section 3.2).
    private static func deviceResponse(to request: ReceivedRequest, issuer: TokenIssuer) -> Response {
        guard Form(request).hasClient else {
            return failure("invalid_client", "the client is not named", status: 401)
        }
        let approvalPage = "http://\(request.authority ?? "127.0.0.1")\(request.path)"
        // The device may ask for its token every second. The usual five seconds would make a test slow.
        return json([
            ("device_code", JSONValue(issuer.issueDeviceCode())), ("user_code", "MOCK-CODE"),
            ("verification_uri", JSONValue(approvalPage)), ("expires_in", 900), ("interval", 1),
        ])
    }

    /// Returns the response of the authorization endpoint: it sends the browser back with a new code (RFC 6749, section
    /// 4.1.2).
    private static func authorizationResponse(to request: ReceivedRequest, issuer: TokenIssuer) -> Response {
        func queryValue(_ name: String) -> String? { request.queryItems.first { $0.name == name }?.value }
        guard let redirect = queryValue("redirect_uri"), isRedirectURI(redirect) else {
            return page("redirect_uri is no URL", status: 400)
        }
        guard queryValue("response_type") == "code", queryValue("client_id")?.isEmpty == false else {
            return page("expected response_type=code and a client_id", status: 400)
        }
        // The challenge is the digest of a text with which the client proves later that it is the same one.
        let challenge = queryValue("code_challenge")
        if challenge != nil, queryValue("code_challenge_method") != "S256" {
            return page("expected code_challenge_method=S256", status: 400)
        }
        let code = issuer.issueCode(for: TokenIssuer.Authorization(redirect: redirect, challenge: challenge))
        let separator = redirect.contains("?") ? "&" : "?"
        var location = "\(redirect)\(separator)code=\(code)"
        if let state = queryValue("state") { location += "&state=\(PercentEncoding.encode(state))" }
        return Response(head: ResponseHead(status: 302, fields: [.init("Location", location)]), body: [])
    }

    /// Returns whether a text can be a redirect URI: an absolute URL without a fragment (RFC 6749, section 3.1.2).
    ///
    /// It becomes the value of a header, so it may have only printable ASCII characters.
    private static func isRedirectURI(_ text: String) -> Bool {
        let isPrintable = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isPrintable && text.contains(":") && !text.contains("#")
    }

    // MARK: Responses

    /// Returns a response with a JSON object of the members that are not nil.
    ///
    /// Caches must not keep it (RFC 6749, section 5.1).
    private static func json(_ members: [(name: String, value: JSONValue?)], status: Int = 200) -> Response {
        var setMembers: [(String, JSONValue)] = []
        for case (let name, let value?) in members { setMembers.append((name, value)) }
        let object = JSONValue(setMembers)
        let fields: [HTTPField] = [
            .init("Content-Type", "application/json"), .init("Cache-Control", "no-store"),
        ]
        return Response(head: ResponseHead(status: status, fields: fields), body: Array("\(object)\n".utf8))
    }

    /// Returns the response for an error of the token endpoint (RFC 6749, section 5.2).
    ///
    /// - Parameters:
    ///   - code: The error code, such as `invalid_grant`.
    ///   - description: The reason for a person.
    ///   - status: The status of the response.
    private static func failure(_ code: String, _ description: String, status: Int = 400) -> Response {
        var response = json(
            [("error", JSONValue(code)), ("error_description", JSONValue(description))], status: status)
        if status == 401 { response.head.fields.append(.init("WWW-Authenticate", #"Basic realm="mock""#)) }
        return response
    }

    /// Returns a page of plain text for a person with a browser.
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
    /// Returns the secrets that the request has for a credential: `abc` of `Authorization: Bearer abc`.
    ///
    /// - Parameter scheme: The way in which the credential is sent: in a header, maybe after a prefix such as
    ///   `Bearer `, or in a query item.
    func values(of scheme: Credential.Scheme) -> [String] {
        var values = queryItems.filter { scheme.sets(query: $0.name) }.map(\.value)
        let prefix = scheme.prefix.lowercased()
        for header in fields where scheme.sets(header: header.name) {
            guard header.value.lowercased().hasPrefix(prefix) else { continue }
            let valueAfterPrefix = header.value.dropFirst(prefix.count)
            values.append(String(valueAfterPrefix.drop { $0 == " " }))
        }
        return values
    }
}
