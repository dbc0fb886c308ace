import EndpointKit
import EndpointTools
import JSONText

/// Removes the secrets of imported requests, and turns those in headers and queries into credentials with variables.
///
/// ``SecretRules`` says what a secret is. There are two steps, because a text may repeat a secret that only another
/// text shows to be one:
///
/// 1. ``learn(from:)`` collects the secrets of all requests and responses.
/// 2. ``takeCredentials(from:)`` and ``removed(from:)`` remove these secrets, wherever they are.
struct ImportSecrets {
    /// The start of the variables' names: `SHOP` for an API `shop`.
    let prefix: String
    private var redactor = Redactor()
    /// The secrets that have been learned, but that the redactor does not know yet.
    private var learned: Set<String> = []
    /// The variables by the places of their secrets, such as `header x-api-key`.
    private var variables: [String: String] = [:]
    private var names = NameTable()

    /// The lengths in bytes of the secrets that are removed wherever they occur. A shorter one could be part of a word,
    /// and a longer one is a document.
    private static let learnedLengths = 6...4096

    init(api: String) { prefix = SwiftNames.words(api).joined(separator: "_").uppercased() }

    /// Returns whether a header or query item becomes a credential: by its name, or because its value is a token.
    static func isCredential(_ name: String, value: String) -> Bool {
        !value.isEmpty && (SecretRules.isSecret(header: name) || SecretRules.isToken(value))
    }
}

// MARK: Learning secrets

extension ImportSecrets {
    /// Remembers the secrets of requests and of their responses, so that they can be removed from any text later.
    ///
    /// The secrets that a response issues, such as the token of a session, are removed from its body at once.
    mutating func learn(from requests: inout [ImportedRequest]) {
        for index in requests.indices {
            if var response = requests[index].response {
                takeIssuedSecrets(from: &response)
                requests[index].response = response
            }
            rememberSecrets(of: requests[index])
        }
        // The redactor gets all secrets in one call, because it then searches a text only once for all of them.
        redactor.add(learned)
        learned = []
    }

    /// Remembers the secrets that a response has issued, such as a session's token, and removes them from the body.
    ///
    /// One pass over the body finds and removes these secrets, because a recording may have many megabytes. Secrets of
    /// other requests and responses stay in the body until ``sample(_:)`` removes them.
    private mutating func takeIssuedSecrets(from response: inout Response) {
        let contentType = response.head["Content-Type"]
        let (redactedBody, secrets) = SecretRules.separated(response.body, contentType: contentType)
        response.body = redactedBody
        for secret in secrets { remember(secret) }
        for header in response.head.fields where SecretRules.isSecret(header: header.name) {
            if header.name.isSameName(as: "Set-Cookie") {
                // `session=abc; Path=/` → `session=abc`
                let cookie = header.value.prefix { $0 != ";" }
                remember(Self.cookieValue(cookie))
            } else {
                // `Bearer abc` → `abc`. An empty text is too short to be remembered.
                remember(header.value.split(separator: " ").last.map(String.init) ?? "")
            }
        }
    }

    /// Returns the value of a cookie: `session=abc` → `abc`. A text without `=` is a value itself.
    private static func cookieValue(_ cookie: Substring) -> String {
        cookie.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
    }

    /// Remembers the secrets of a request: its password, and those in its headers, its query, its path and its content.
    private mutating func rememberSecrets(of request: ImportedRequest) {
        switch request.authentication {
        case .none: break
        // Some APIs take a key as the user, with an empty password.
        case .basic(let user, ""): remember(user)
        case .basic(_, let password), .other(_, _, let password): remember(password)
        }
        for (name, value) in request.headers + request.query {
            guard let value, Self.isCredential(name, value: value) else { continue }
            if name.isSameName(as: "Authorization") {
                rememberAuthorization(value)
            } else {
                rememberCookies(in: value)
            }
        }
        for key in ImportedPath.webhookKeys(request.path) { remember(key) }
        switch request.content {
        // The bytes of a file are not imported.
        case .none, .file: break
        case .bytes(let bytes): rememberSecrets(inBody: bytes, contentType: Self.contentType(of: request, bytes))
        case .parts(let parts): for part in parts { rememberSecrets(of: part) }
        }
    }

    /// Remembers the secret of an `Authorization` header: the text after the scheme, and the password of Basic.
    private mutating func rememberAuthorization(_ value: String) {
        let (scheme, secret) = Self.schemeAndSecret(value)
        remember(secret)
        guard scheme.isSameName(as: "Basic"), let pair = Self.userAndPassword(secret) else { return }
        // Some APIs take a key as the user, with an empty password.
        remember(pair.password.isEmpty ? pair.user : pair.password)
    }

    /// Remembers the value of a header or query item, and the value of each cookie in it: `a=first; b=second`.
    private mutating func rememberCookies(in value: String) {
        remember(value)
        for cookie in value.split(separator: ";") {
            // The value may be in quotes (RFC 6265, section 4.1.1).
            remember(Self.cookieValue(cookie).filter { $0 != "\"" })
        }
    }

    /// Remembers the secrets of a part of a multipart body. A field that is called like a credential is a secret.
    private mutating func rememberSecrets(of part: Part) {
        switch part {
        // The bytes of these parts are not imported.
        case .file, .bytes, .stream: break
        case .field(let name, let value) where SecretName.isCredential(name): remember(value)
        case .field(_, let value): rememberSecrets(inBody: value.exactBytes, contentType: nil)
        case .text(_, let value, let type): rememberSecrets(inBody: value.exactBytes, contentType: type)
        }
    }

    /// Remembers the secrets that ``SecretRules`` finds in a body.
    private mutating func rememberSecrets(inBody body: [UInt8], contentType: String?) {
        for secret in SecretRules.secrets(in: body, contentType: contentType) { remember(secret) }
    }

    /// Remembers a secret, so that it is removed wherever it occurs.
    ///
    /// A secret is ignored if its length is not one of ``learnedLengths``. One with a variable of the shell is ignored
    /// too, because the variable stands for the secret.
    private mutating func remember(_ secret: String) {
        let hasVariable = !ImportedRequest.variables(in: secret).isEmpty
        let hasUsualLength = Self.learnedLengths.contains(secret.utf8.count)
        if hasUsualLength, !hasVariable { learned.insert(secret) }
    }

    /// Returns the scheme and the secret of an `Authorization` header: `Bearer abc` → `Bearer`, `abc`.
    ///
    /// Without a space, all of the value is the secret, and the scheme is empty.
    private static func schemeAndSecret(_ value: String) -> (scheme: String, secret: String) {
        let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
        return parts.count > 1 ? (parts[0], parts[1]) : ("", value)
    }

    /// Returns user and password of the Basic scheme (RFC 7617): `YW5uOnB3` → `ann`, `pw`.
    ///
    /// - Returns: User and password; nil if the text is not Base64.
    private static func userAndPassword(_ base64: String) -> (user: String, password: String)? {
        guard let pair = Data(base64Encoded: base64) else { return nil }
        let parts = String(exactBytes: pair).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }

    /// Returns the content type with which ``SecretRules`` searches a body for secrets.
    ///
    /// - Returns: The type of a form if the body looks like a form, and the request declares no other type. Otherwise
    ///   nil, so that the body is searched like JSON or any other text.
    private static func contentType(of request: ImportedRequest, _ body: [UInt8]) -> String? {
        let declaredType = request.header("Content-Type")
        let isDeclaredAsForm = ParameterTexts.BodyFormat(declaredType, isEmpty: false) == .form
        let mayBeForm = declaredType == nil || isDeclaredAsForm
        let isForm = mayBeForm && ImportedBody.isForm(String(exactBytes: body))
        return isForm ? "application/x-www-form-urlencoded" : nil
    }
}

// MARK: Taking credentials out of requests

extension ImportSecrets {
    /// Removes the secrets from a request, except those in its path, and returns the credentials that replace them.
    ///
    /// The user and password, secret headers and secret query items become credentials. A secret in the body becomes
    /// ``SecretRules/mark``. A secret in the path stays, because ``ImportedPath`` makes a parameter of it.
    mutating func takeCredentials(from request: inout ImportedRequest) -> [Credential] {
        var credentials: [Credential] = []
        var hasUserAndPassword = false
        if case .basic(let user, let password) = request.authentication {
            hasUserAndPassword = true
            credentials.append(makeBasicCredential(user: user, password: password))
        }
        // No credential can send another scheme, such as Digest.
        request.authentication = .none
        // This header is for a proxy, and not for the API.
        request.headers.removeAll { $0.name.isSameName(as: "Proxy-Authorization") }
        credentials += takeCredentialHeaders(of: &request, hasUserAndPassword: hasUserAndPassword)
        credentials += takeCredentialItems(of: &request)
        redactContent(of: &request)
        removeFieldsWithSecretNames(of: &request)
        return credentials.withoutRepetitions
    }

    /// Removes the headers that are credentials from a request, and returns the credentials.
    ///
    /// - Parameters:
    ///   - request: The request, which keeps all other headers.
    ///   - hasUserAndPassword: Whether the request has user and password. They replace an `Authorization` header, which
    ///     is then removed without a credential.
    private mutating func takeCredentialHeaders(
        of request: inout ImportedRequest, hasUserAndPassword: Bool
    ) -> [Credential] {
        var credentials: [Credential] = []
        var keptHeaders: [ImportedRequest.NameValue] = []
        for header in request.headers {
            guard let value = header.value, isCredential(header: header.name, value: value) else {
                keptHeaders.append(header)
                continue
            }
            if !header.name.isSameName(as: "Authorization") {
                let variable = assignVariable(for: value, named: header.name, at: "header \(header.name)")
                credentials.append(.header(header.name, variable: variable))
            } else if !hasUserAndPassword {
                credentials.append(makeAuthorizationCredential(for: value))
            }
        }
        request.headers = keptHeaders
        return credentials
    }

    /// Removes the query items that are credentials from a request, and returns the credentials.
    private mutating func takeCredentialItems(of request: inout ImportedRequest) -> [Credential] {
        var credentials: [Credential] = []
        var keptItems: [ImportedRequest.NameValue] = []
        for item in request.query {
            if let value = item.value, Self.isCredential(item.name, value: value) {
                let variable = assignVariable(for: value, named: item.name, at: "query \(item.name)")
                credentials.append(.query(item.name, variable: variable))
            } else {
                keptItems.append(item)
            }
        }
        request.query = keptItems
        return credentials
    }

    /// Returns whether a header becomes a credential.
    ///
    /// Besides names and tokens, a value that repeats a known secret counts, because the header could not be declared
    /// as a constant.
    private func isCredential(header name: String, value: String) -> Bool {
        if Self.isCredential(name, value: value) { return true }
        let hasKnownSecret = removed(from: value, keepsVariables: true) != value
        return hasKnownSecret
    }

    /// Removes the headers and query items that have a secret in their names, because names get into the code.
    ///
    /// If there are any, a note is added to the request.
    private func removeFieldsWithSecretNames(of request: inout ImportedRequest) {
        let countBefore = request.headers.count + request.query.count
        request.headers.removeAll { findsSecret(in: $0.name) }
        request.query.removeAll { findsSecret(in: $0.name) }
        if request.headers.count + request.query.count < countBefore {
            request.notes.append("headers and query items with a secret in their names are left out")
        }
    }

    /// Returns the credential for the value of an `Authorization` header, such as `Bearer abc` or `Basic YW5uOnB3`.
    ///
    /// New variables are added to ``variables``.
    private mutating func makeAuthorizationCredential(for value: String) -> Credential {
        let (scheme, secret) = Self.schemeAndSecret(value)
        if scheme.isSameName(as: "Basic"), let pair = Self.userAndPassword(secret) {
            return makeBasicCredential(user: pair.user, password: pair.password)
        }
        let variable = assignVariable(for: secret, named: "token", at: "Authorization \(scheme)")
        return .header("Authorization", prefix: scheme.isEmpty ? "" : scheme + " ", variable: variable)
    }

    /// Returns the credential of the Basic scheme.
    ///
    /// If user or password is empty, one variable stands for the Base64 text of both, because a variable that is empty
    /// counts as not set.
    private mutating func makeBasicCredential(user: String, password: String) -> Credential {
        if user.isEmpty || password.isEmpty {
            // A shell's variable in the user or password would not hold the Base64 text, so none is passed on.
            let variable = assignVariable(for: "", named: "basic", at: "key of Basic")
            return .header("Authorization", prefix: "Basic ", variable: variable)
        }
        return .basic(
            userVariable: assignVariable(for: user, named: "user", at: "user"),
            passwordVariable: assignVariable(for: password, named: "password", at: "password"))
    }

    /// Returns the name of the variable for a secret: `SHOP_API_KEY` for the header `X-Api-Key` of an API `shop`.
    ///
    /// A secret that was written as a variable of the shell keeps that variable.
    ///
    /// - Parameters:
    ///   - secret: The secret, or the name of a variable of the shell between marks.
    ///   - name: The name of the header or query item.
    ///   - place: The place of the secret in requests, such as `header X-Api-Key`. Equal places have one variable,
    ///     which is remembered in ``variables``.
    private mutating func assignVariable(for secret: String, named name: String, at place: String) -> String {
        if let shellVariable = ImportedRequest.variables(in: secret).first { return shellVariable }
        // Names of headers are the same in any case.
        let placeKey = place.lowercased()
        if let knownVariable = variables[placeKey] { return knownVariable }
        let newVariable = names.unique(Credential.variableName(prefix: prefix, words: SwiftNames.words(name)))
        variables[placeKey] = newVariable
        return newVariable
    }

    // MARK: Content

    /// Replaces the secrets in the content of a request by marks.
    private func redactContent(of request: inout ImportedRequest) {
        switch request.content {
        case .none, .file: break
        case .parts(let parts): request.content = .parts(parts.map { redacted($0) })
        case .bytes(let bytes):
            let contentType = Self.contentType(of: request, bytes)
            request.content = .bytes(redactedBody(bytes, contentType: contentType))
        }
    }

    /// Returns a part of a multipart body without secrets. A field that is called like a credential loses its value.
    private func redacted(_ part: Part) -> Part {
        switch part {
        case .field(let name, let value):
            let mayBeSecret = !value.isEmpty && !Self.consistsOfVariables(value)
            let isSecretField = mayBeSecret && SecretName.isCredential(name)
            if isSecretField { return .field(removed(from: name), SecretRules.mark) }
            let publicValue = String(exactBytes: redactedBody(value.exactBytes, contentType: nil))
            return .field(removed(from: name), publicValue)
        case .text(let name, let value, let type):
            let publicValue = String(exactBytes: redactedBody(value.exactBytes, contentType: type))
            return .text(removed(from: name), publicValue, contentType: type)
        // The bytes of these parts are not imported.
        case .file, .bytes, .stream:
            return part
        }
    }

    /// Returns a body without the secrets that ``SecretRules`` finds in it, and without those that are known.
    private func redactedBody(_ body: [UInt8], contentType: String?) -> [UInt8] {
        redactor.redact(body: SecretRules.redacted(body, contentType: contentType, except: Self.consistsOfVariables))
    }

    /// Whether a value consists of variables of the shell. It is no secret, and may stay.
    private static func consistsOfVariables(_ value: String) -> Bool {
        !ImportedRequest.variables(in: value).isEmpty && ImportedRequest.filling(value, { _ in "" }).isEmpty
    }
}

// MARK: Removing secrets from texts

extension ImportSecrets {
    /// Returns a text without the secrets that are known, and without those that ``SecretRules`` finds in it.
    ///
    /// - Parameters:
    ///   - text: The text, in which variables of the shell are between marks.
    ///   - keepsVariables: Whether variables of the shell stay between marks. Otherwise they become `$NAME`.
    func removed(from text: String, keepsVariables: Bool = false) -> String {
        redactor.redact(SecretRules.redacted(keepsVariables ? text : ImportedRequest.filling(text)))
    }

    /// Whether a text has a secret, or a variable of the shell that may stand for one.
    func findsSecret(in text: String) -> Bool { removed(from: text) != text }

    /// Returns a JSON value without secrets; nil if it is no JSON any more without them.
    func removed(from value: JSONValue) -> JSONValue? {
        guard let publicText = removed(fromJSON: Array(value.written)) else { return nil }
        return try? JSONValue(text: publicText)
    }

    /// Returns the text of JSON without secrets; nil if it is no JSON, before or after they have been removed.
    func removed(fromJSON text: [UInt8]) -> [UInt8]? {
        let isJSON = (try? JSONDocument.all(in: text)) != nil
        return isJSON ? sample(SecretRules.redacted(text))?.text : nil
    }

    /// The text of JSON without secrets, with the documents in it.
    typealias CleanSample = (text: [UInt8], documents: [JSONDocument])

    /// Returns the body of a response without the secrets that are known, and parses it.
    ///
    /// - Parameter body: The body, from which ``learn(from:)`` has removed the response's own secrets.
    /// - Returns: The body with its documents; nil if it is no JSON.
    func sample(_ body: [UInt8]) -> CleanSample? {
        let redactedBody = redactor.redact(body: body)
        guard let documents = try? JSONDocument.all(in: redactedBody) else { return nil }
        return (redactedBody, documents)
    }
}
