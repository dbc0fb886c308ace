import EndpointKit
import JSONText

/// A login in a browser: an authorization code (RFC 6749, section 4.1) with a proof of the client (RFC 7636).
///
/// The person logs in on a page of the server. The server then sends the browser to an address at this machine, where
/// this process waits for it (RFC 8252, section 7.3). That address, the redirect, has the code as a query item. The
/// code is exchanged for a token.
struct BrowserLogin {
    let tokenEndpoint: TokenEndpoint
    /// The URL of the authorization endpoint, which is the page on which the person logs in.
    let authorizationURL: String
    let environment: ProcessEnvironment
    /// Shows a person a line.
    let showLine: (String) throws -> Void

    /// How long the browser is waited for.
    private static let timeLimit = Duration.seconds(600)
    /// The redirect if the person pastes it and the API declares none. Nobody listens there, so that the browser shows
    /// an error, but with the address that the person needs.
    private static let unservedRedirect = "http://127.0.0.1/"
    /// The longest line that a person may paste, in bytes. Browsers send no longer addresses.
    private static let maxPastedLength = 65_536

    /// A request for authorization, with the secrets that belong to it.
    struct Authorization: Sendable {
        /// The text that the server repeats in the redirect, so that no other page can send a code.
        let state = Base64URL.encode(BrowserLogin.randomBytes(count: 16))
        /// The secret that only the client that asked for the code knows.
        let verifier = Base64URL.encode(BrowserLogin.randomBytes(count: 32))
        /// The address to which the server sends the browser.
        let redirect: String

        /// The value that the server compares with the verifier later (RFC 7636, section 4.2).
        var challenge: String { Base64URL.encode(MessageDigest.sha256.digest(of: Array(verifier.utf8))) }
    }

    // MARK: Running

    /// Opens the page in a browser, listens at this machine until the server sends the browser back, and gets the
    /// token.
    ///
    /// - Throws: ``LoginFailure``, ``UsageError`` for a redirect that is not at this machine, `MockServerError` if
    ///   nothing can listen there, and `CancellationError`.
    func run() async throws -> TokenAnswer {
        try requireUsableURLs()
        let receiver = try RedirectReceiver(registeredRedirect: tokenEndpoint.oauth.redirect, api: tokenEndpoint.api)
        defer { receiver.stop() }
        let authorization = Authorization(redirect: receiver.redirect)
        receiver.expect(state: authorization.state)
        let address = pageAddress(for: authorization)
        try showLine("To log in to \(tokenEndpoint.api), open \(address)")
        environment.openPage(address)
        guard let answer = try await receiver.waitForAnswer(atMost: Self.timeLimit) else { throw failure(.expired) }
        return try await exchange(code: try code(in: answer), of: authorization)
    }

    /// Shows the address of the page, reads the redirect that the person pastes, and gets the token.
    ///
    /// This is for a browser on another machine, from which the redirect can't reach this process.
    ///
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    func runWithPastedRedirect() async throws -> TokenAnswer {
        try requireUsableURLs()
        let authorization = Authorization(redirect: tokenEndpoint.oauth.redirect ?? Self.unservedRedirect)
        try showLine("To log in to \(tokenEndpoint.api), open \(pageAddress(for: authorization))")
        try showLine("Then paste the address that the browser was sent to:")
        let redirect = try await readPastedLine()
        if redirect.isEmpty { throw failure(.expired) }
        guard let answer = RedirectAnswer(redirect: redirect, state: authorization.state) else {
            throw failure(.missing("state"))
        }
        return try await exchange(code: try code(in: answer), of: authorization)
    }

    // MARK: Steps

    /// Checks that the page can be opened, and that neither the page nor the token endpoint gets secrets without
    /// encryption.
    ///
    /// - Throws: ``LoginFailure`` for a URL that can't be used.
    private func requireUsableURLs() throws(LoginFailure) {
        // The page becomes an argument of the program that opens it. A text that is no URL could be an option there.
        guard authorizationURL.isPageAddress else { throw failure(.unusableURL) }
        // The page may have a query (RFC 6749, section 3.1). The check does not accept any.
        let pageWithoutQuery = String(authorizationURL.prefix { $0 != "?" })
        try tokenEndpoint.requireSecured(pageWithoutQuery, during: .authorization)
        try tokenEndpoint.requireSecured(tokenEndpoint.oauth.endpoints.token, during: .token)
    }

    /// Returns the address of the page on which the person logs in.
    ///
    /// It is the authorization endpoint with a query that asks for an authorization code (RFC 6749, section 4.1.1). The
    /// challenge in it ties the code to this login (PKCE; RFC 7636, section 4.3).
    private func pageAddress(for authorization: Authorization) -> String {
        let items =
            [
                QueryItem("response_type", "code"),
                QueryItem("client_id", tokenEndpoint.clientIdentifier),
                QueryItem("redirect_uri", authorization.redirect),
                QueryItem("state", authorization.state),
                QueryItem("code_challenge", authorization.challenge),
                QueryItem("code_challenge_method", "S256"),
            ] + tokenEndpoint.scopeFields + tokenEndpoint.declaredFields
        let separator = authorizationURL.contains("?") ? "&" : "?"
        return authorizationURL + separator + items.formText
    }

    /// Reads a line from stdin without blocking a thread of Swift's own tasks.
    ///
    /// - Returns: The line; empty at the end of stdin.
    private func readPastedLine() async throws -> String {
        let stdin = environment.stdin
        return try await BlockingWork.run {
            var bytes: [UInt8] = []
            while !bytes.contains(UInt8(ascii: "\n")), bytes.count < Self.maxPastedLength {
                let chunk = try stdin.read(until: nil)
                let isAtEnd = chunk.isEmpty
                if isAtEnd { break }
                bytes += chunk
            }
            return String(line: bytes)
        }
    }

    /// Returns the authorization code in the server's answer.
    ///
    /// - Throws: ``LoginFailure`` if the server refused the login.
    private func code(in answer: RedirectAnswer) throws(LoginFailure) -> String {
        switch answer {
        case .code(let code): return code
        case .refused(let errorCode, let description):
            throw failure(.refused(code: errorCode, description: description))
        }
    }

    /// Exchanges an authorization code for a token (RFC 6749, section 4.1.3).
    ///
    /// The verifier proves that this process has asked for the code (RFC 7636, section 4.5).
    private func exchange(code: String, of authorization: Authorization) async throws -> TokenAnswer {
        let fields = [
            QueryItem("code", code), QueryItem("redirect_uri", authorization.redirect),
            QueryItem("code_verifier", authorization.verifier),
        ]
        return try await tokenEndpoint.requestToken(grantType: "authorization_code", fields: fields, during: .token)
    }

    /// Returns the error that the person could not approve the login on the page, with its reason.
    private func failure(_ reason: LoginFailure.Reason) -> LoginFailure {
        tokenEndpoint.failure(at: authorizationURL, during: .authorization, reason: reason)
    }

    /// Returns random bytes that nobody can guess.
    private static func randomBytes(count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
