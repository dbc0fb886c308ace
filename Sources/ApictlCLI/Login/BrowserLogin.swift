import EndpointKit
import JSONText
import MockServer

/// A login in a browser: an authorization code (RFC 6749, section 4.1) with a proof of the client (RFC 7636).
///
/// The person logs in on a page of the server, which then sends the browser back to an address at this machine, where
/// this process waits for it (RFC 8252, section 7.3).
struct BrowserLogin {
    let server: TokenEndpoint
    /// The URL of the authorization endpoint.
    let page: String
    let environment: ProcessEnvironment
    /// Shows a person a line.
    let show: (String) throws -> Void
    /// Whether the person pastes the address that the browser was sent to.
    let pastesRedirect: Bool

    /// How long the browser is waited for.
    private static let timeLimit = Duration.seconds(600)
    /// The address of a redirect that nobody waits for.
    private static let unservedRedirect = "http://127.0.0.1/"

    /// A request for authorization, with the secrets that belong to it.
    struct Authorization: Sendable {
        /// The text that the server repeats, so that no other page can send a code.
        let state = Base64URL.encode(BrowserLogin.randomBytes(16))
        /// The secret that only the client that asked for the code knows.
        let verifier = Base64URL.encode(BrowserLogin.randomBytes(32))
        let redirect: String

        /// The value that the server compares with the verifier later (RFC 7636, section 4.2).
        var challenge: String { Base64URL.encode(MessageDigest.sha256.digest(of: Array(verifier.utf8))) }
    }

    /// Logs in.
    ///
    /// - Throws: ``LoginFailure``, ``UsageError``, ``FileError``, and `CancellationError`.
    func run() async throws -> TokenAnswer {
        // A program gets the address, for which another text could be an option.
        guard DeviceLogin.isPage(page) else { throw server.failure(page, .authorization, .unusableURL) }
        // A page may have a query, which no base URL has (RFC 6749, section 3.1).
        _ = try server.securedURL(String(page.prefix { $0 != "?" }), .authorization)
        _ = try server.securedURL(server.oauth.endpoints.token, .token)
        if pastesRedirect {
            let authorization = Authorization(redirect: server.oauth.redirect ?? Self.unservedRedirect)
            try show("To log in to \(server.api), open \(address(authorization))")
            try show("Then paste the address that the browser was sent to:")
            return try await token(try await pastedCode(authorization), authorization)
        }
        let receiver = try RedirectReceiver(server.oauth.redirect, api: server.api)
        defer { receiver.stop() }
        let authorization = Authorization(redirect: receiver.redirect)
        receiver.expect(authorization)
        let address = address(authorization)
        try show("To log in to \(server.api), open \(address)")
        environment.openPage(address)
        return try await token(try code(try await receiver.answer(within: Self.timeLimit)), authorization)
    }

    /// Returns the address of the page on which the person logs in.
    private func address(_ authorization: Authorization) -> String {
        let items =
            [
                ("response_type", "code"), ("client_id", server.identifier), ("redirect_uri", authorization.redirect),
                ("state", authorization.state), ("code_challenge", authorization.challenge),
                ("code_challenge_method", "S256"),
            ] + server.scopeFields + server.oauth.parameters.sorted { $0.key < $1.key }
        let query = items.map { "\(PercentEncoding.encode($0.0))=\(PercentEncoding.encode($0.1))" }
        return page + (page.contains("?") ? "&" : "?") + query.joined(separator: "&")
    }

    /// Reads the address that a person pastes, and returns the code in it.
    private func pastedCode(_ authorization: Authorization) async throws -> String {
        let stdin = environment.stdin
        let text = try await BlockingWork.run {
            var bytes: [UInt8] = []
            while !bytes.contains(UInt8(ascii: "\n")), bytes.count < 65_536 {
                let more = try stdin.read(until: nil)
                if more.isEmpty { break }
                bytes += more
            }
            return String(line: bytes)
        }
        if text.isEmpty { throw server.failure(page, .authorization, .expired) }
        let address = text.prefix { $0 != "#" && $0 != " " }
        let query = address.split(separator: "?", maxSplits: 1).last ?? ""
        guard let answer = RedirectAnswer(query: String(query), state: authorization.state) else {
            throw server.failure(page, .authorization, .missing("state"))
        }
        return try code(answer)
    }

    /// Returns the code of an answer.
    ///
    /// - Throws: ``LoginFailure`` if the server refused, or if no answer came.
    private func code(_ answer: RedirectAnswer?) throws -> String {
        switch answer {
        case .code(let code)?: return code
        case .refused(let code, let description)?:
            throw server.failure(page, .authorization, .refused(code: code, description: description))
        case nil: throw server.failure(page, .authorization, .expired)
        }
    }

    /// Exchanges a code for a token (RFC 6749, section 4.1.3).
    private func token(_ code: String, _ authorization: Authorization) async throws -> TokenAnswer {
        try await server.token(
            "authorization_code",
            [
                ("code", code), ("redirect_uri", authorization.redirect), ("code_verifier", authorization.verifier),
            ], .token)
    }

    /// Returns random bytes that nobody can guess.
    fileprivate static func randomBytes(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}

/// The answer that the server sent with the browser (RFC 6749, sections 4.1.2 and 4.1.2.1).
enum RedirectAnswer: Sendable, Equatable {
    case code(String)
    case refused(code: String, description: String?)

    /// Reads the query of an address; nil if it is not an answer to the request with this state.
    init?(query: String, state: String) {
        let items = FormText.items(query)
        func value(_ name: String) -> String? { items.first { $0.name == name }?.value }
        guard value("state") == state else { return nil }
        if let code = value("code"), !code.isEmpty {
            self = .code(code)
        } else if let error = value("error") {
            self = .refused(code: error, description: value("error_description"))
        } else {
            return nil
        }
    }
}

/// Waits at an address of this machine for the browser that a server sends back. The HTTP server of `mock` listens
/// there.
private final class RedirectReceiver: Sendable {
    /// The address to which the server sends the browser.
    let redirect: String
    private let mock: MockServer
    private let answers: AsyncStream<RedirectAnswer>
    private let expected: ExpectedRedirect

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - declared: The address that is registered for the client; nil for any port of 127.0.0.1.
    ///   - api: The name of the API, for messages.
    /// - Throws: ``UsageError`` for an address that is not at this machine, and `MockServerError`.
    init(_ declared: String?, api: String) throws {
        let base = try declared.map { text throws(UsageError) in try Self.loopbackURL(text, api: api) }
        let (answers, continuation) = AsyncStream.makeStream(of: RedirectAnswer.self)
        let expected = ExpectedRedirect(path: base?.path ?? "", continuation)
        // `localhost` is served at 127.0.0.1. Port 0 is any free one.
        let host = base?.host == "::1" ? "::1" : "127.0.0.1"
        mock = try MockServer(host: host, port: UInt16(clamping: base.map { $0.port ?? 80 } ?? 0), recording: false) {
            expected.response(to: $0)
        }
        redirect = declared ?? mock.baseURL + "/"
        self.answers = answers
        self.expected = expected
    }

    /// Returns the URL of a redirect that this process can receive.
    ///
    /// - Throws: ``UsageError`` for an address that is not at this machine.
    private static func loopbackURL(_ text: String, api: String) throws(UsageError) -> BaseURL {
        guard let url = try? BaseURL(text), url.scheme == "http", ["127.0.0.1", "localhost", "::1"].contains(url.host)
        else {
            throw UsageError("the redirect of \(api)'s login is no http address of this machine; use --redirect -")
        }
        return url
    }

    /// Sets the request whose answer is accepted.
    func expect(_ authorization: BrowserLogin.Authorization) { expected.set(state: authorization.state) }

    /// Waits for the answer.
    ///
    /// - Returns: The answer; nil if none came in time.
    /// - Throws: `CancellationError`.
    func answer(within limit: Duration) async throws -> RedirectAnswer? {
        let timer = Task { [expected] in
            try await Task.sleep(for: limit)
            expected.finish()
        }
        defer { timer.cancel() }
        for await answer in answers { return answer }
        try Task.checkCancellation()
        return nil
    }

    func stop() { mock.stop() }
}
