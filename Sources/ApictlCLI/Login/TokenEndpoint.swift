import EndpointKit
import JSONText

/// The OAuth server of a login: sends requests to its endpoints and reads the answers.
struct TokenEndpoint: Sendable {
    let oauth: OAuthLogin
    /// The name of the API, for messages.
    let api: String
    let clientIdentifier: String
    /// The secret of the client; nil if it has none.
    private let clientSecret: String?
    /// Secrets that requests do not have, but that the server knows and may repeat, such as an earlier token.
    var otherSecrets: Set<String> = []
    /// Sends the requests.
    private let client: Client

    /// The longest answer of a server, in bytes. Answers have some hundred bytes, or some thousand with long tokens.
    private static let maxAnswerLength = 1_000_000

    /// Prepares requests to the OAuth server of a login.
    ///
    /// - Parameters:
    ///   - oauth: The login, with the endpoints of the server.
    ///   - api: The name of the API, for messages.
    ///   - transport: Sends the requests.
    ///   - transfer: Time limits and connection of the requests.
    ///   - variableValue: Returns the value of a variable, such as that of the client's secret; nil if it is not set.
    /// - Throws: `MissingCredential` if a variable of the client is not set.
    init(
        _ oauth: OAuthLogin, api: String, transport: any Transport, transfer: TransferOptions,
        variableValue: (String) -> String?
    ) throws(MissingCredential) {
        func nonEmptyValue(_ variable: String) -> String? {
            guard let value = variableValue(variable), !value.isEmpty else { return nil }
            return value
        }
        let neededVariables = oauth.client.neededVariables
        let areAllSet = neededVariables.allSatisfy { nonEmptyValue($0) != nil }
        if !areAllSet { throw MissingCredential(alternatives: [neededVariables]) }
        switch oauth.client.identifier {
        case .text(let text): clientIdentifier = text
        // The variable is one of the needed ones, so that it is set.
        case .variable(let variable): clientIdentifier = nonEmptyValue(variable) ?? ""
        }
        self.oauth = oauth
        self.api = api
        clientSecret = oauth.client.secretVariable.flatMap(nonEmptyValue)
        var client = Client(transport: transport)
        client.transfer = transfer
        // A redirect would carry the secrets to another server.
        client.maxRedirects = 0
        client.maxBodySize = Self.maxAnswerLength
        self.client = client
    }

    // MARK: Grants

    /// Asks for a token (RFC 6749, section 4).
    ///
    /// - Parameters:
    ///   - grantType: The kind of proof that the client may have the token, such as `authorization_code`.
    ///   - fields: The proof, as the fields of the request that the grant type needs.
    ///   - step: The step of the login, for messages.
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    func requestToken(
        grantType: String, fields: [QueryItem], during step: LoginFailure.Step
    ) async throws -> TokenAnswer {
        let url = oauth.endpoints.token
        let form = [QueryItem("grant_type", grantType)] + fields + declaredFields
        let answer = try await post(form, to: url, during: step)
        guard let token = TokenAnswer(answer, from: url) else {
            throw failure(at: url, during: step, reason: .missing("access_token"))
        }
        return token
    }

    /// Asks for a token with the client's own secret (RFC 6749, section 4.4).
    ///
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    func requestClientToken() async throws -> TokenAnswer {
        try await requestToken(grantType: "client_credentials", fields: scopeFields, during: .token)
    }

    /// Asks for a new token with a refresh token (RFC 6749, section 6).
    ///
    /// - Returns: The answer. It has the old refresh token if the server sent no new one.
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    func requestRefreshedToken(with refreshToken: String) async throws -> TokenAnswer {
        let fields = [QueryItem("refresh_token", refreshToken)]
        var answer = try await requestToken(grantType: "refresh_token", fields: fields, during: .refresh)
        if answer.refreshToken == nil { answer.refreshToken = refreshToken }
        return answer
    }

    /// Revokes a token (RFC 7009). The answer of a success has no content.
    ///
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    func revoke(_ token: String, at url: String) async throws {
        _ = try await post([QueryItem("token", token)], to: url, during: .revocation, allowsEmptyAnswer: true)
    }

    /// The field `scope` of a request; empty if the login asks for no scopes.
    var scopeFields: [QueryItem] {
        oauth.scopes.isEmpty ? [] : [QueryItem("scope", oauth.scopes.joined(separator: " "))]
    }

    /// The fields that the API declares for each request, sorted by name so that requests are always the same.
    var declaredFields: [QueryItem] {
        oauth.parameters.sorted { $0.key < $1.key }.map { QueryItem($0.key, $0.value) }
    }

    // MARK: Requests

    /// Sends a form and returns the members of the answer, such as `access_token`.
    ///
    /// A server may repeat secrets in its answer. So the secrets of the request, of ``otherSecrets`` and of the answer
    /// are removed from messages.
    ///
    /// - Parameters:
    ///   - fields: The fields of the form, without those that identify the client.
    ///   - url: The URL of the endpoint.
    ///   - step: The step of the login, for messages.
    ///   - allowsEmptyAnswer: Whether a success may have no content. The result is then the JSON value null.
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    func post(
        _ fields: [QueryItem], to url: String, during step: LoginFailure.Step, allowsEmptyAnswer: Bool = false
    ) async throws -> JSONValue {
        let request = formRequest(with: fields, to: try securedURL(url, during: step))
        // The redactor knows the secrets of the request's header `Authorization`.
        var redactor = Redactor(request)
        redactor.add(Set(fields.filter { Self.secretFields.contains($0.name) }.map(\.value)))
        // In that header, the client's secret is percent-encoded. A server decodes it.
        if let clientSecret { redactor.add([clientSecret]) }
        redactor.add(otherSecrets)
        let response = try await send(request, to: url, during: step, redactor: redactor)
        redactor.add(SecretRules.secrets(in: response.body, contentType: response.head["Content-Type"]))
        let members = Self.members(of: response)
        if let reason = Self.refusal(in: response, members: members, redactor: redactor) {
            throw failure(at: url, during: step, reason: reason)
        }
        if let members { return members }
        if allowsEmptyAnswer { return .null }
        throw failure(at: url, during: step, reason: .unreadable)
    }

    /// The fields of requests whose values are secrets.
    private static let secretFields: Set = ["refresh_token", "code", "device_code", "code_verifier", "token"]

    /// Checks that a URL may get secrets, as ``securedURL(_:during:)`` says.
    ///
    /// - Throws: ``LoginFailure`` if it may not.
    func requireSecured(_ url: String, during step: LoginFailure.Step) throws(LoginFailure) {
        _ = try securedURL(url, during: step)
    }

    /// Returns a URL that may get secrets: with https (RFC 6749, section 3.2), or at this machine.
    ///
    /// With `--insecure`, any URL may get them, because whoever is in the network can read them anyway.
    ///
    /// - Throws: ``LoginFailure`` for any other URL.
    private func securedURL(_ url: String, during step: LoginFailure.Step) throws(LoginFailure) -> BaseURL {
        guard let base = try? BaseURL(url) else { throw failure(at: url, during: step, reason: .unusableURL) }
        let isSecured = base.scheme == "https" || base.isLoopback || !client.transfer.connection.verifiesCertificate
        guard isSecured else { throw failure(at: url, during: step, reason: .insecureURL) }
        return base
    }

    /// Returns a request that posts a form to an endpoint, and in which the client identifies itself.
    ///
    /// A client with a secret uses the header `Authorization`, in which identifier and secret are percent-encoded (RFC
    /// 6749, section 2.3.1). A client without one adds the field `client_id` to the form.
    private func formRequest(with fields: [QueryItem], to endpointURL: BaseURL) -> Request {
        // The path of the endpoint is part of its URL.
        var request = Request(.post, endpointURL, path: "")
        request.headers = [
            HTTPField("Accept", "application/json"), HTTPField("Content-Type", "application/x-www-form-urlencoded"),
        ]
        var form = fields
        if let clientSecret {
            let user = Secret(PercentEncoding.encode(clientIdentifier))
            let password = Secret(PercentEncoding.encode(clientSecret))
            let value = SensitiveText([.text("Basic "), .basic(user: user, password: password)])
            request.headers.append(HTTPField("Authorization", value))
        } else {
            form.append(QueryItem("client_id", clientIdentifier))
        }
        request.body = RequestBody(bytes: Array(form.formText.utf8))
        return request
    }

    /// Sends a request and returns the complete response, whatever its status is.
    ///
    /// - Parameters:
    ///   - request: The request with a form, which has secrets.
    ///   - url: The URL of the endpoint, for messages.
    ///   - step: The step of the login, for messages.
    ///   - redactor: Removes the secrets of the request from messages.
    /// - Throws: ``LoginFailure`` if there was no complete response, and `CancellationError`.
    private func send(
        _ request: Request, to url: String, during step: LoginFailure.Step, redactor: Redactor
    ) async throws -> Response {
        do {
            return try await client.exchange(request) { streamed in
                Response(head: streamed.head, body: try await streamed.wholeBody(limit: client.maxBodySize))
            }
        } catch let error as CancellationError {
            throw error
        } catch let error as TransportError {
            throw failure(at: url, during: step, reason: .transfer(redactor.redact(error.message), error.exitCode))
        } catch {
            throw failure(at: url, during: step, reason: .transfer(redactor.redact("\(error)"), .badResponse))
        }
    }

    // MARK: Answers

    /// Returns the reason for which the server refused a request; nil if its response is a success.
    ///
    /// A response with the member `error` (RFC 6749, section 5.2) is a refusal whatever its status is, because some
    /// servers report an error with the status 200.
    ///
    /// - Parameters:
    ///   - response: The complete response of the endpoint.
    ///   - members: The members of its body; nil if it has none.
    ///   - redactor: Removes secrets from the texts that the server sent.
    private static func refusal(
        in response: Response, members: JSONValue?, redactor: Redactor
    ) -> LoginFailure.Reason? {
        if let errorCode = members?["error"]?.string {
            let description = members?["error_description"]?.string.map(redactor.redact)
            return .refused(code: redactor.redact(errorCode), description: description)
        }
        if response.head.isSuccess { return nil }
        return .status(redactor.redact(response.head.statusText), response.head.status)
    }

    /// Returns the members of a response: those of a JSON object, or the fields of a form, which GitHub sends.
    ///
    /// - Returns: The members as a JSON object; nil if the response is neither.
    private static func members(of response: Response) -> JSONValue? {
        if let document = try? JSONDocument(response.body) {
            let value = JSONValue(document)
            // Written as `nil`, the result would be the JSON value null, because `JSONValue` has a nil literal.
            return value.members == nil ? Optional.none : value
        }
        guard response.head.mediaType == "application/x-www-form-urlencoded" else { return nil }
        let fields = FormText.items(String(exactBytes: response.body))
        return JSONValue(fields.map { ($0.name, JSONValue($0.value)) })
    }

    /// Returns the error that says which step of the login failed, where, and why.
    ///
    /// - Parameters:
    ///   - url: The URL of the endpoint. Its query is not shown, because the declaration may have a key there.
    ///   - step: The step of the login.
    ///   - reason: The cause, as the end of the message.
    func failure(
        at url: String, during step: LoginFailure.Step, reason: LoginFailure.Reason
    ) -> LoginFailure {
        let shownURL = String(url.prefix { $0 != "?" && $0 != "#" })
        return LoginFailure(api: api, url: shownURL, step: step, reason: reason)
    }
}

extension [QueryItem] {
    /// The items as the text of a query or form, with names and values in percent-encoding: `code=4%2FP7&state=x`.
    var formText: String {
        map { "\(PercentEncoding.encode($0.name))=\(PercentEncoding.encode($0.value))" }.joined(separator: "&")
    }
}
