import EndpointKit
import JSONText

/// The OAuth server of a login: sends requests to its endpoints and reads the answers.
struct TokenEndpoint: Sendable {
    let oauth: OAuthLogin
    /// The name of the API, for messages.
    let api: String
    /// The identifier of the client.
    let identifier: String
    /// The secret of the client; nil if it has none.
    let secret: String?
    /// Secrets that requests do not have, but that the server knows and may repeat, such as an earlier token.
    var otherSecrets: Set<String> = []
    /// Sends the requests.
    private let client: Client

    /// The longest answer of a server, in bytes. Answers have some hundred bytes, or some thousand with long tokens.
    private static let maxAnswerLength = 1_000_000

    /// Makes the server of a login.
    ///
    /// - Parameters:
    ///   - transfer: Time limits and connection of the requests.
    ///   - value: Returns the value of a variable.
    /// - Throws: `MissingCredential` if a variable of the client is not set.
    init(
        _ oauth: OAuthLogin, api: String, transport: any Transport, transfer: TransferOptions,
        value: (String) -> String?
    ) throws(MissingCredential) {
        func setValue(_ name: String) -> String? { value(name).flatMap { $0.isEmpty ? nil : $0 } }
        if oauth.client.neededVariables.contains(where: { setValue($0) == nil }) {
            throw MissingCredential(alternatives: [oauth.client.neededVariables])
        }
        switch oauth.client.identifier {
        case .text(let text): identifier = text
        case .variable(let name): identifier = setValue(name) ?? ""
        }
        self.oauth = oauth
        self.api = api
        secret = oauth.client.secretVariable.flatMap(setValue)
        var client = Client(transport: transport)
        client.transfer = transfer
        // A redirect would carry the secrets to another place.
        client.maxRedirects = 0
        client.maxBodySize = Self.maxAnswerLength
        self.client = client
    }

    // MARK: Grants

    /// Asks for a token with a grant (RFC 6749, section 4).
    ///
    /// - Parameters:
    ///   - type: The value of `grant_type`.
    ///   - fields: The other fields of the request.
    ///   - step: The step, for messages.
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    func token(
        _ type: String, _ fields: [(String, String)], _ step: LoginFailure.Step
    ) async throws -> TokenAnswer {
        let url = oauth.endpoints.token
        let sent = [("grant_type", type)] + fields + oauth.parameters.sorted { $0.key < $1.key }
        let answer = try await post(sent, to: url, step)
        guard var token = TokenAnswer(answer) else { throw failure(url, step, .missing("access_token")) }
        token.tokenURL = url
        return token
    }

    /// Asks for a token with the client's own secret (RFC 6749, section 4.4).
    ///
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    func clientCredentials() async throws -> TokenAnswer {
        try await token("client_credentials", scopeFields, .token)
    }

    /// Asks for a token with a refresh token (RFC 6749, section 6).
    ///
    /// - Returns: The answer, with the old refresh token if the server sent no new one.
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    func refreshed(_ refreshToken: String) async throws -> TokenAnswer {
        var answer = try await token("refresh_token", [("refresh_token", refreshToken)], .refresh)
        answer.refreshToken = answer.refreshToken ?? refreshToken
        return answer
    }

    /// Revokes a token (RFC 7009). The answer of a success has no content.
    ///
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    func revoke(_ token: String, at url: String) async throws {
        _ = try await post([("token", token)], to: url, .revocation, allowsEmptyAnswer: true)
    }

    /// The field `scope` of a request; none if the login asks for no scopes.
    var scopeFields: [(String, String)] {
        oauth.scopes.isEmpty ? [] : [("scope", oauth.scopes.joined(separator: " "))]
    }

    // MARK: Requests

    /// Sends a form and returns the answer of a success.
    ///
    /// - Parameter allowsEmptyAnswer: Whether a success needs no content. Without any, the result is null.
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    func post(
        _ fields: [(String, String)], to url: String, _ step: LoginFailure.Step, allowsEmptyAnswer: Bool = false
    ) async throws -> JSONValue {
        let request = request(fields, to: try securedURL(url, step))
        // A server may repeat what it got, the header `Authorization` included.
        var redactor = Redactor(request)
        redactor.add(Set(fields.filter { Self.secretFields.contains($0.0) }.map(\.1)))
        // In the request, the secret is percent-encoded. A server decodes it.
        if let secret { redactor.add([secret]) }
        redactor.add(otherSecrets)
        if let answer = try await answer(to: request, url, step, redactor) { return answer }
        if allowsEmptyAnswer { return .null }
        throw failure(url, step, .unreadable("something else"))
    }

    /// Returns a URL that may get secrets: with https (RFC 6749, section 3.2), or at this machine.
    ///
    /// With `--insecure`, whoever is in the network can read the secrets anyway.
    ///
    /// - Throws: ``LoginFailure`` for any other URL.
    func securedURL(_ url: String, _ step: LoginFailure.Step) throws(LoginFailure) -> BaseURL {
        guard let base = try? BaseURL(url) else { throw failure(url, step, .unusableURL) }
        let isSecured = base.scheme == "https" || base.isLoopback || !client.transfer.connection.verifiesCertificate
        guard isSecured else { throw failure(url, step, .insecureURL) }
        return base
    }

    /// Returns a request with a form.
    ///
    /// The client identifies itself with the header `Authorization` if it has a secret, else with the field
    /// `client_id`. In the header, identifier and secret are percent-encoded (RFC 6749, section 2.3.1).
    private func request(_ fields: [(String, String)], to base: BaseURL) -> Request {
        var request = Request(.post, base, path: "")
        request.headers = [
            HTTPField("Accept", "application/json"), HTTPField("Content-Type", "application/x-www-form-urlencoded"),
        ]
        var form = fields
        if let secret {
            let user = Secret(PercentEncoding.encode(identifier))
            let password = Secret(PercentEncoding.encode(secret))
            let value = SensitiveText([.text("Basic "), .basic(user: user, password: password)])
            request.headers.append(HTTPField("Authorization", value))
        } else {
            form.append(("client_id", identifier))
        }
        let items = form.map { "\(PercentEncoding.encode($0.0))=\(PercentEncoding.encode($0.1))" }
        request.body = RequestBody(bytes: Array(items.joined(separator: "&").utf8))
        return request
    }

    /// The fields of requests whose values are secrets.
    private static let secretFields: Set = ["refresh_token", "code", "device_code", "code_verifier", "token"]

    /// Sends a request and returns the members of a success; nil if it has none.
    private func answer(
        to request: Request, _ url: String, _ step: LoginFailure.Step, _ redactor: Redactor
    ) async throws -> JSONValue? {
        let response: Response
        do {
            response = try await client.exchange(request) { streamed in
                Response(head: streamed.head, body: try await streamed.wholeBody(limit: client.maxBodySize))
            }
        } catch let error as CancellationError {
            throw error
        } catch let error as TransportError {
            throw failure(url, step, .transfer(redactor.redact(error.message), error.exitCode))
        } catch {
            throw failure(url, step, .transfer(redactor.redact("\(error)"), .badResponse))
        }
        var redactor = redactor
        redactor.add(SecretRules.secrets(in: response.body, contentType: response.head["Content-Type"]))
        let answer = Self.members(response)
        // Some servers report an error with the status of a success.
        if let code = answer?["error"]?.string {
            let description = answer?["error_description"]?.string.map(redactor.redact)
            throw failure(url, step, .refused(code: redactor.redact(code), description: description))
        }
        guard response.head.isSuccess else {
            throw failure(url, step, .status(redactor.redact(response.head.statusText), response.head.status))
        }
        return answer
    }

    /// Returns the members of an answer: those of a JSON object, or the fields of a form, which GitHub sends.
    ///
    /// - Returns: The object; nil if the answer is neither.
    private static func members(_ response: Response) -> JSONValue? {
        if let document = try? JSONDocument(response.body) {
            let value = JSONValue(document)
            // Without its type, nil would be the JSON value null here.
            return value.members == nil ? Optional.none : value
        }
        guard response.head.mediaType == "application/x-www-form-urlencoded" else { return nil }
        let fields = FormText.items(String(exactBytes: response.body))
        return JSONValue(fields.map { ($0.name, JSONValue($0.value)) })
    }

    /// Returns the failure of a step at a URL.
    func failure(_ url: String, _ step: LoginFailure.Step, _ reason: LoginFailure.Reason) -> LoginFailure {
        // A query of the declaration may hold a key, so only what stands before it is shown.
        let shownURL = String(url.prefix { $0 != "?" && $0 != "#" })
        return LoginFailure(api: api, url: shownURL, step: step, reason: reason)
    }
}

/// The answer of a token endpoint (RFC 6749, section 5.1).
struct TokenAnswer: Sendable, Equatable {
    let accessToken: String
    var refreshToken: String?
    /// The seconds until the token expires; nil if the server does not say.
    let lifetime: Int?
    /// The scopes that were granted; nil if they are those that were asked for.
    let scopes: [String]?
    /// The URL of the endpoint that gave the token.
    var tokenURL: String?

    /// The longest token, and the longest list of scopes, in bytes.
    private static let maxLength = CredentialSource.maxValueLength

    /// Reads an answer; nil if it has no token that can be sent in a header and stored.
    init?(_ answer: JSONValue) {
        guard let token = answer["access_token"]?.string, Self.isToken(token) else { return nil }
        accessToken = token
        refreshToken = answer["refresh_token"]?.string
        if let refreshToken, !Self.isToken(refreshToken) { return nil }
        lifetime = Self.seconds(answer["expires_in"])
        let scope = answer["scope"]?.string.flatMap { $0.utf8.count > Self.maxLength ? nil : $0 }
        scopes = scope?.split { $0 == " " || $0 == "," }.map(String.init)
    }

    /// Whether a text can be a token: visible ASCII characters and spaces (RFC 6749, appendix A.12).
    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.count <= maxLength && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Returns a number of seconds that a server wrote as a number or as a text; nil for anything else.
    static func seconds(_ value: JSONValue?) -> Int? {
        guard let value else { return nil }
        let number = Double(value.string ?? value.description)
        guard let number, number >= 0, number < 1e10 else { return nil }
        return Int(number)
    }

    /// Returns the login to store.
    ///
    /// - Parameters:
    ///   - now: The time, in seconds since 1970.
    ///   - usualLifetime: The lifetime if the server does not say one; nil is an unknown one.
    func stored(at now: Int, usualLifetime: Int? = nil) -> StoredLogin {
        let lifetime = lifetime ?? usualLifetime
        return StoredLogin(
            value: accessToken, refreshToken: refreshToken, expires: lifetime.map { now + $0 }, scopes: scopes,
            tokenURL: tokenURL)
    }
}
