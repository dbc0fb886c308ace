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
    static func isCredential(_ name: String, _ value: String) -> Bool {
        !value.isEmpty && (SecretRules.isSecret(header: name) || SecretRules.isToken(value))
    }
}

// MARK: Learning secrets

extension ImportSecrets {
    /// Remembers the secrets of requests and of their responses, and removes those of each response from its body.
    ///
    /// All secrets are given to the redactor at once, because it then searches a text once for all of them.
    mutating func learn(from requests: inout [ImportedRequest]) {
        for index in requests.indices {
            if var response = requests[index].response {
                learn(from: &response)
                requests[index].response = response
            }
            learn(from: requests[index])
        }
        redactor.add(learned)
        learned = []
    }

    /// Remembers the secrets that a response has issued, because later requests may send them.
    ///
    /// They are removed from the body at the same time, because a recording may have many megabytes. Secrets of other
    /// requests and responses stay in the body until ``sample(_:)`` removes them.
    private mutating func learn(from response: inout Response) {
        let (redacted, secrets) = SecretRules.separated(response.body, contentType: response.head["Content-Type"])
        response.body = redacted
        for secret in secrets { learn(secret: secret) }
        for field in response.head.fields where SecretRules.isSecret(header: field.name) {
            if field.name.isSameName(as: "Set-Cookie") {
                // `session=abc; Path=/` → `abc`
                let cookie = field.value.prefix { $0 != ";" }
                learn(secret: cookie.split(separator: "=", maxSplits: 1).last.map(String.init) ?? "")
            } else {
                // `Bearer abc` → `abc`
                learn(secret: field.value.split(separator: " ").last.map(String.init) ?? "")
            }
        }
    }

    /// Remembers the secrets of a request: in its URL, its headers, its query and its content.
    private mutating func learn(from request: ImportedRequest) {
        switch request.authentication {
        case .none: break
        case .basic(let user, ""): learn(secret: user)
        case .basic(_, let password), .other(_, _, let password): learn(secret: password)
        }
        for (name, value) in request.headers + request.query {
            guard let value, Self.isCredential(name, value) else { continue }
            if name.isSameName(as: "Authorization") {
                learn(fromAuthorization: value)
            } else {
                learn(fromCookies: value)
            }
        }
        for key in ImportedPath.webhookKeys(request.path) { learn(secret: key) }
        switch request.content {
        case .none, .file: break
        case .bytes(let bytes): learn(fromBody: bytes, contentType: Self.contentType(of: request, bytes))
        case .parts(let parts): for part in parts { learn(from: part) }
        }
    }

    /// Remembers the secret of an `Authorization` header: the text after the scheme, and the password of Basic.
    private mutating func learn(fromAuthorization value: String) {
        let (scheme, secret) = Self.schemeAndSecret(value)
        learn(secret: secret)
        guard scheme.isSameName(as: "Basic"), let pair = Self.userAndPassword(secret) else { return }
        learn(secret: pair.password.isEmpty ? pair.user : pair.password)
    }

    /// Remembers the value of a header or query item, and the value of each cookie in it: `a=first; b=second`.
    private mutating func learn(fromCookies value: String) {
        learn(secret: value)
        for cookie in value.split(separator: ";") {
            learn(secret: cookie.split(separator: "=", maxSplits: 1).last?.filter { $0 != "\"" } ?? "")
        }
    }

    /// Remembers the secrets of a part of a multipart body. A field that is called like a credential is a secret.
    private mutating func learn(from part: Part) {
        switch part {
        case .file, .bytes, .stream: break
        case .field(let name, let value) where SecretName.isCredential(name): learn(secret: value)
        case .field(_, let value): learn(fromBody: value.exactBytes, contentType: nil)
        case .text(_, let value, let type): learn(fromBody: value.exactBytes, contentType: type)
        }
    }

    /// Remembers the secrets that ``SecretRules`` finds in a body.
    private mutating func learn(fromBody body: [UInt8], contentType: String?) {
        for secret in SecretRules.secrets(in: body, contentType: contentType) { learn(secret: secret) }
    }

    /// Remembers a secret, unless it is too short, too long, or only the name of a variable.
    private mutating func learn(secret: String) {
        let hasVariable = !ImportedRequest.variables(in: secret).isEmpty
        guard Self.learnedLengths.contains(secret.utf8.count), !hasVariable else { return }
        learned.insert(secret)
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

    /// Returns the content type by which secrets in a body are found.
    ///
    /// - Returns: The type of a form if the body looks like one and no other type is declared. Otherwise nil, so that
    ///   the type is told by the bytes.
    private static func contentType(of request: ImportedRequest, _ body: [UInt8]) -> String? {
        let type = request.header("Content-Type")
        let mayBeForm = type == nil || ParameterTexts.Form(type, isEmpty: false) == .form
        return mayBeForm && ImportedBody.isForm(String(exactBytes: body)) ? "application/x-www-form-urlencoded" : nil
    }
}

// MARK: Taking credentials out of requests

extension ImportSecrets {
    /// Removes all secrets from a request, and returns credentials for those in its headers and its query.
    ///
    /// No credential stands for a secret in a body. It is replaced by a mark.
    mutating func takeCredentials(from request: inout ImportedRequest) -> [Credential] {
        var credentials: [Credential] = []
        var hasUser = false
        if case .basic(let user, let password) = request.authentication {
            hasUser = true
            credentials.append(basic(user, password))
        }
        request.authentication = .none
        request.headers.removeAll { $0.name.isSameName(as: "Proxy-Authorization") }
        credentials += takeHeaders(of: &request, hasUser: hasUser)
        credentials += takeQuery(of: &request)
        removeFromContent(of: &request)
        removeSecretNames(of: &request)
        return credentials.grouped { $0 }.map(\.key)
    }

    /// Removes the headers that are credentials from a request, and returns the credentials.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - hasUser: Whether the request has user and password. They replace an `Authorization` header.
    private mutating func takeHeaders(of request: inout ImportedRequest, hasUser: Bool) -> [Credential] {
        var credentials: [Credential] = []
        var keptHeaders: [ImportedRequest.NameValue] = []
        for header in request.headers {
            guard let value = header.value, isCredential(header: header.name, value) else {
                keptHeaders.append(header)
                continue
            }
            if !header.name.isSameName(as: "Authorization") {
                let variable = variable(for: value, named: header.name, at: "header \(header.name)")
                credentials.append(.header(header.name, variable: variable))
            } else if !hasUser {
                credentials.append(authorization(value))
            }
        }
        request.headers = keptHeaders
        return credentials
    }

    /// Removes the query items that are credentials from a request, and returns the credentials.
    private mutating func takeQuery(of request: inout ImportedRequest) -> [Credential] {
        var credentials: [Credential] = []
        var keptItems: [ImportedRequest.NameValue] = []
        for item in request.query {
            if let value = item.value, Self.isCredential(item.name, value) {
                let variable = variable(for: value, named: item.name, at: "query \(item.name)")
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
    private func isCredential(header name: String, _ value: String) -> Bool {
        Self.isCredential(name, value) || removed(from: value, keepsVariables: true) != value
    }

    /// Removes the headers and query items that have a secret in their names, and adds a note about them.
    private func removeSecretNames(of request: inout ImportedRequest) {
        let count = request.headers.count + request.query.count
        request.headers.removeAll { removed(from: $0.name) != $0.name }
        request.query.removeAll { removed(from: $0.name) != $0.name }
        if request.headers.count + request.query.count < count {
            request.notes.append("what has a secret in its name is left out")
        }
    }

    /// Returns the credential for the value of an `Authorization` header.
    private mutating func authorization(_ value: String) -> Credential {
        let (scheme, secret) = Self.schemeAndSecret(value)
        if scheme.isSameName(as: "Basic"), let pair = Self.userAndPassword(secret) {
            return basic(pair.user, pair.password)
        }
        return .header(
            "Authorization", prefix: scheme.isEmpty ? "" : scheme + " ",
            variable: variable(for: secret, named: "token", at: "Authorization \(scheme)"))
    }

    /// Returns the credential of the Basic scheme.
    ///
    /// If user or password is empty, one variable stands for the Base64 text of both, because a variable that is empty
    /// counts as not set.
    private mutating func basic(_ user: String, _ password: String) -> Credential {
        if user.isEmpty || password.isEmpty {
            let variable = variable(for: "", named: "basic", at: "key of Basic")
            return .header("Authorization", prefix: "Basic ", variable: variable)
        }
        return .basic(
            userVariable: variable(for: user, named: "user", at: "user"),
            passwordVariable: variable(for: password, named: "password", at: "password"))
    }

    /// Returns the name of the variable for a secret: `SHOP_API_KEY` for the header `X-Api-Key` of an API `shop`.
    ///
    /// A secret that was written as a variable of the shell keeps that variable.
    ///
    /// - Parameters:
    ///   - secret: The secret.
    ///   - name: The name of the header or query item.
    ///   - place: The place of the secret in requests. Equal places have one variable.
    private mutating func variable(for secret: String, named name: String, at place: String) -> String {
        if let shellVariable = ImportedRequest.variables(in: secret).first { return shellVariable }
        let place = place.lowercased()
        if let known = variables[place] { return known }
        let variable = names.unique(Credential.variable(prefix, SwiftNames.words(name)))
        variables[place] = variable
        return variable
    }

    // MARK: Content

    /// Replaces the secrets in the content of a request by marks.
    private func removeFromContent(of request: inout ImportedRequest) {
        switch request.content {
        case .none, .file: break
        case .parts(let parts): request.content = .parts(parts.map { removed(fromPart: $0) })
        case .bytes(let bytes):
            let contentType = Self.contentType(of: request, bytes)
            request.content = .bytes(removed(fromBody: bytes, contentType: contentType))
        }
    }

    /// Returns a part of a multipart body without secrets. A field that is called like a credential loses its value.
    private func removed(fromPart part: Part) -> Part {
        switch part {
        case .field(let name, let value):
            if SecretName.isCredential(name), !value.isEmpty, !Self.isVariable(value) {
                return .field(removed(from: name), SecretRules.mark)
            }
            let text = String(exactBytes: removed(fromBody: value.exactBytes, contentType: nil))
            return .field(removed(from: name), text)
        case .text(let name, let value, let type):
            let text = String(exactBytes: removed(fromBody: value.exactBytes, contentType: type))
            return .text(removed(from: name), text, contentType: type)
        case .file, .bytes, .stream:
            return part
        }
    }

    /// Returns a body without the secrets that ``SecretRules`` finds in it, and without those that are known.
    private func removed(fromBody body: [UInt8], contentType: String?) -> [UInt8] {
        redactor.redact(body: SecretRules.redacted(body, contentType: contentType, except: Self.isVariable))
    }

    /// Whether a value consists of variables of the shell. It is no secret, and may stay.
    private static func isVariable(_ value: String) -> Bool {
        !ImportedRequest.variables(in: value).isEmpty && ImportedRequest.filling(value, { _ in "" }).isEmpty
    }
}

// MARK: Removing secrets from texts

extension ImportSecrets {
    /// Returns a text without the secrets that are known, and without those that ``SecretRules`` finds in it.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - keepsVariables: Whether variables of the shell stay between marks. Otherwise they become `$NAME`.
    func removed(from text: String, keepsVariables: Bool = false) -> String {
        redactor.redact(SecretRules.redacted(keepsVariables ? text : ImportedRequest.filling(text)))
    }

    /// Returns a JSON value without secrets; nil if it is no JSON any more without them.
    func removed(from value: JSONValue) -> JSONValue? {
        removed(fromJSON: Array(value.written)).flatMap { try? JSONValue(text: $0) }
    }

    /// Returns the text of JSON without secrets; nil if it is no JSON, before or after they have been removed.
    func removed(fromJSON text: [UInt8]) -> [UInt8]? {
        guard (try? JSONDocument.all(in: text)) != nil else { return nil }
        return sample(SecretRules.redacted(text))?.text
    }

    /// The text of JSON without secrets, with the documents in it.
    typealias CleanSample = (text: [UInt8], documents: [JSONDocument])

    /// Returns the body of a response without the secrets that are known, and parses it.
    ///
    /// - Parameter body: The body, from which ``learn(from:)`` has removed the response's own secrets.
    /// - Returns: The body with its documents; nil if it is no JSON.
    func sample(_ body: [UInt8]) -> CleanSample? {
        let redacted = redactor.redact(body: body)
        return (try? JSONDocument.all(in: redacted)).map { (redacted, $0) }
    }
}
