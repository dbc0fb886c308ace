/// A way to get the value of a credential's variable by logging in.
///
///     credentials: [.bearer(variable: "GITHUB_TOKEN").optional],
///     logins: [
///         .oauth(
///             "GITHUB_TOKEN", token: "https://github.com/login/oauth/access_token",
///             device: "https://github.com/login/device/code", client: .id("Iv1.0123456789abcdef"), scopes: ["repo"])
///     ]
///
/// Credentials still name variables. A login gives the value of a variable that nothing else sets: no option, no
/// environment, no file and no configuration. So a server that sets the variable in its environment never logs in.
public struct Login: Sendable {
    /// The way to log in.
    package enum Method: Sendable {
        /// With OAuth 2.
        case oauth(OAuthLogin)
        /// In the API's own way.
        case session(SessionLogin)
    }

    /// The variable to which the login gives a value.
    package let variable: String
    /// The way to log in.
    package let method: Method

    /// Returns a login with OAuth 2 (RFC 6749).
    ///
    /// The declared endpoints decide about the flow. With `authorize`, a person logs in with a browser (RFC 7636). With
    /// `device`, a person logs in on another device (RFC 8628). With neither, the client logs in itself with its
    /// secret.
    ///
    /// - Parameters:
    ///   - variable: The variable that gets the access token.
    ///   - token: The URL of the token endpoint.
    ///   - device: The URL of the device authorization endpoint.
    ///   - authorize: The URL of the authorization endpoint.
    ///   - redirect: The redirect URI that is registered for the client, at a loopback address. Without one, it is
    ///     `http://127.0.0.1` with a port that is free, as RFC 8252 recommends.
    ///   - revoke: The URL that revokes tokens (RFC 7009).
    ///   - client: The client that is registered with the server.
    ///   - scopes: The scopes to ask for.
    ///   - parameters: Other parameters of requests to the token and authorization endpoints, such as `audience`.
    public static func oauth(
        _ variable: String, token: String, device: String? = nil, authorize: String? = nil, redirect: String? = nil,
        revoke: String? = nil, client: OAuthClient, scopes: [String] = [], parameters: [String: String] = [:]
    ) -> Login {
        let endpoints = OAuthLogin.Endpoints(token: token, device: device, authorize: authorize, revoke: revoke)
        let oauth = OAuthLogin(
            endpoints: endpoints, redirect: redirect, client: client, scopes: scopes, parameters: parameters)
        return Login(variable: variable, method: .oauth(oauth))
    }

    /// Returns a login in the API's own way, written in Swift with the API's cases and models.
    ///
    ///     .session("TMDB_SESSION_ID", lifetime: .seconds(30 * 86_400)) { login in
    ///         let token = try await login.send(Movies.newToken, as: NewToken.self).requestToken
    ///         return try await login.approve(
    ///             "https://www.themoviedb.org/authenticate/\(token)", then: Movies.newSession(token), as: Session.self
    ///         ).sessionID
    ///     }
    ///
    /// - Parameters:
    ///   - variable: The variable that gets the value.
    ///   - lifetime: How long the value can be used.
    ///   - steps: Makes the calls of the login and returns the value.
    public static func session(
        _ variable: String, lifetime: Duration, _ steps: @escaping @Sendable (LoginSession) async throws -> String
    ) -> Login {
        Login(variable: variable, method: .session(SessionLogin(lifetime: lifetime, steps: steps)))
    }

    /// Whether a person must approve the login.
    package var needsPerson: Bool {
        switch method {
        case .oauth(let oauth): oauth.endpoints.device != nil || oauth.endpoints.authorize != nil
        case .session: true
        }
    }
}

/// A client that is registered with an OAuth server (RFC 6749, section 2).
public struct OAuthClient: Sendable, Hashable {
    /// The identifier of the client, which is no secret.
    package enum Identifier: Sendable, Hashable {
        /// The identifier itself.
        case text(String)
        /// The variable that holds the identifier.
        case variable(String)
    }

    /// The identifier of the client.
    package let identifier: Identifier
    /// The variable that holds the client's secret; nil for a client that never has one.
    package let secretVariable: String?
    /// Whether the client can't log in without its secret.
    package let needsSecret: Bool

    /// Creates a client.
    package init(identifier: Identifier, secretVariable: String?, needsSecret: Bool) {
        self.identifier = identifier
        self.secretVariable = secretVariable
        self.needsSecret = needsSecret
    }

    /// Returns a public client, which has no secret (RFC 6749, section 2.1).
    ///
    /// - Parameter identifier: The identifier that the server gave the client.
    public static func id(_ identifier: String) -> OAuthClient {
        OAuthClient(identifier: .text(identifier), secretVariable: nil, needsSecret: false)
    }

    /// Returns a public client, which has no secret (RFC 6749, section 2.1).
    ///
    /// - Parameter variable: The variable that holds the client's identifier.
    public static func id(variable: String) -> OAuthClient {
        OAuthClient(identifier: .variable(variable), secretVariable: nil, needsSecret: false)
    }

    /// Returns a confidential client, which has a secret (RFC 6749, section 2.1).
    ///
    /// - Parameters:
    ///   - id: The variable that holds the identifier.
    ///   - secret: The variable that holds the secret.
    public static func secret(id: String, secret: String) -> OAuthClient {
        OAuthClient(identifier: .variable(id), secretVariable: secret, needsSecret: true)
    }

    /// The variables that must be set to log in.
    package var neededVariables: [String] {
        var variables: [String] = []
        if case .variable(let name) = identifier { variables.append(name) }
        if needsSecret, let secretVariable { variables.append(secretVariable) }
        return variables
    }
}

/// A login with OAuth 2.
package struct OAuthLogin: Sendable, Hashable {
    /// The URLs of the server's endpoints.
    package struct Endpoints: Sendable, Hashable {
        /// The token endpoint.
        package let token: String
        /// The device authorization endpoint; nil if there is none.
        package let device: String?
        /// The authorization endpoint; nil if there is none.
        package let authorize: String?
        /// The endpoint that revokes tokens; nil if there is none.
        package let revoke: String?

        /// Creates the endpoints from their URLs.
        package init(token: String, device: String? = nil, authorize: String? = nil, revoke: String? = nil) {
            self.token = token
            self.device = device
            self.authorize = authorize
            self.revoke = revoke
        }

        /// Returns these endpoints at another address. Each keeps its path and query.
        ///
        ///     https://id.example.com/token    →    http://127.0.0.1:8080/token
        ///
        /// - Parameter base: The address without a slash at its end, or just a path to put before those of the
        ///   endpoints.
        package func moved(to base: String) -> Endpoints {
            func movedURL(_ url: String) -> String {
                let hostStart = url.utf8.firstRange(of: "://".utf8)?.upperBound ?? url.startIndex
                let pathAndQuery = url.utf8[hostStart...].drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
                return base + String(Substring(pathAndQuery))
            }
            return Endpoints(
                token: movedURL(token), device: device.map(movedURL), authorize: authorize.map(movedURL),
                revoke: revoke.map(movedURL))
        }
    }

    /// The URLs of the server's endpoints.
    package let endpoints: Endpoints
    /// The redirect URI that is registered for the client; nil for a loopback address with any port.
    package let redirect: String?
    /// The client that is registered with the server.
    package let client: OAuthClient
    /// The scopes to ask for.
    package let scopes: [String]
    /// Other parameters of requests to the token and authorization endpoints.
    package let parameters: [String: String]

    /// Creates a login.
    package init(
        endpoints: Endpoints, redirect: String? = nil, client: OAuthClient, scopes: [String] = [],
        parameters: [String: String] = [:]
    ) {
        self.endpoints = endpoints
        self.redirect = redirect
        self.client = client
        self.scopes = scopes
        self.parameters = parameters
    }
}

extension Login {
    /// Creates the login of an OAuth flow that a document describes.
    package init(variable: String, _ oauth: OAuthLogin) {
        self.init(variable: variable, method: .oauth(oauth))
    }
}

/// A login in an API's own way.
package struct SessionLogin: Sendable {
    /// How long the value can be used.
    package let lifetime: Duration
    /// Makes the calls of the login and returns the value.
    package let steps: @Sendable (LoginSession) async throws -> String
}
