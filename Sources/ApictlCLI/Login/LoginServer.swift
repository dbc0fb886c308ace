import EndpointKit
import EndpointTools

/// How the server of a call belongs to a login with OAuth. This decides where the login asks for a token.
enum LoginServer: Equatable {
    /// The API declares the server, or the token endpoint is on it. The endpoints of the login count as declared.
    case declared
    /// The server is an address of this machine, such as that of `mock`, and nothing else of the login is. The
    /// endpoints of the login are expected at that address.
    case local
    /// Any other server. The endpoints count as declared, but a client logs in itself only after `login`.
    case other

    /// Decides how the server of a call belongs to a login of an API:
    ///
    /// - `declared`: The API or the login declares the server.
    /// - `local`: It is another server, but at this machine, such as `mock`.
    /// - `other`: It is another server elsewhere.
    ///
    /// - Parameters:
    ///   - server: The server that the call is sent to.
    ///   - api: The API that declares the login.
    ///   - oauth: The login, with its token endpoint.
    init(_ server: BaseURL, of api: CatalogueAPI, login oauth: OAuthLogin) {
        let tokenServer = try? BaseURL(oauth.endpoints.token)
        let isTokenServer = tokenServer?.origin == server.origin
        // A token endpoint on this machine is used as it is declared, although its port may be another one.
        let areBothLocal = server.isLoopback && tokenServer?.isLoopback == true
        if isTokenServer || areBothLocal || api.declares(server) {
            self = .declared
        } else {
            self = server.isLoopback ? .local : .other
        }
    }
}

extension OAuthLogin {
    /// Returns this login with the endpoints that give tokens for a server.
    ///
    /// The endpoints are the declared ones, except for a server at this machine such as `mock`, which plays them:
    /// `https://id.test/token` becomes `http://127.0.0.1:8080/token`.
    ///
    /// - Parameters:
    ///   - server: The server that calls are sent to.
    ///   - api: The API that declares this login.
    func serving(_ server: BaseURL, of api: CatalogueAPI) -> OAuthLogin {
        guard LoginServer(server, of: api, login: self) == .local else { return self }
        return OAuthLogin(
            endpoints: endpoints.moved(to: server.text), redirect: redirect, client: client, scopes: scopes,
            parameters: parameters)
    }
}

extension CatalogueAPI {
    /// Whether the API or one of its endpoints declares a server. An API that declares none accepts any.
    ///
    /// Servers are compared by their origins: scheme, host and port.
    fileprivate func declares(_ server: BaseURL) -> Bool {
        func hasSameOrigin(_ declared: Server) -> Bool { (try? declared.base())?.origin == server.origin }
        if servers.isEmpty || servers.contains(where: hasSameOrigin) { return true }
        let endpointServers = (try? declarations())?.compactMap(\.endpoint.server) ?? []
        return endpointServers.contains(where: hasSameOrigin)
    }
}

extension BaseURL {
    /// Whether the host is this machine: `localhost` (RFC 6761), `127.0.0.0/8` or `::1`.
    var isLoopback: Bool {
        let host = host.lowercased()
        if host == "localhost" || host.hasSuffix(".localhost") || host == "::1" { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && !numbers.contains(nil)
    }
}
