import EndpointKit
import EndpointTools
import JSONText

/// Removes the secrets of imported requests, and turns those in headers and queries into credentials with variables.
///
/// ``SecretRules`` says what a secret is. There are two steps, because a text may repeat a secret that another one
/// reveals:
/// 1. `learn` collects the secrets of all requests and responses.
/// 2. `credentials(of:)` and `cleaned` remove them, wherever they are.
struct SecretSweep {
    /// The start of the variables' names.
    let prefix: String
    private var redactor = Redactor()
    /// The secrets that have been learned, but are not removed yet.
    private var learned: Set<String> = []
    /// The variables by what they are for.
    private var variables: [String: String] = [:]
    private var names = NameTable()

    /// The lengths in bytes of the secrets that are removed elsewhere too: shorter ones are parts of other words,
    /// longer ones are documents.
    private static let knownLengths = 6...4096

    init(api: String) { prefix = SwiftNames.words(api).joined(separator: "_").uppercased() }

    /// Returns whether a header or query item becomes a credential: by its name, or because its value is a token.
    static func isCredential(_ name: String, _ value: String) -> Bool {
        !value.isEmpty && (SecretRules.isSecret(header: name) || SecretRules.isToken(value))
    }

    /// Remembers a secret that may be repeated elsewhere. A variable of the shell is not its value.
    private mutating func learn(secret: String) {
        guard Self.knownLengths.contains(secret.utf8.count), ImportedRequest.variables(in: secret).isEmpty else {
            return
        }
        learned.insert(secret)
    }
}

// MARK: Learning secrets

extension SecretSweep {
    /// Remembers the secrets of requests and of their responses.
    ///
    /// They are added at once, because a search for all of them reads a text once. The responses' own secrets are removed
    /// from their bodies at the same time.
    mutating func learn(_ requests: inout [ImportedRequest]) {
        for index in requests.indices {
            if var response = requests[index].response {
                learn(&response)
                requests[index].response = response
            }
            learn(requests[index])
        }
        redactor.add(learned)
        learned = []
    }

    /// Remembers what a response has issued: it may be in later requests.
    ///
    /// The secrets are removed from the body at the same time, because a recording may have many megabytes. Those of
    /// other texts are still in it.
    private mutating func learn(_ response: inout Response) {
        let (redacted, secrets) = SecretRules.separated(response.body, contentType: response.head["Content-Type"])
        response.body = redacted
        for secret in secrets { learn(secret: secret) }
        for field in response.head.fields where SecretRules.isSecret(header: field.name) {
            if field.name.isSameName(as: "Set-Cookie") {
                let pair = field.value.prefix { $0 != ";" }
                learn(secret: pair.split(separator: "=", maxSplits: 1).last.map(String.init) ?? "")
            } else {
                learn(secret: field.value.split(separator: " ").last.map(String.init) ?? "")
            }
        }
    }

    /// Remembers the secrets of a request.
    private mutating func learn(_ request: ImportedRequest) {
        switch request.authentication {
        case .none: break
        case .basic(let user, ""): learn(secret: user)
        case .basic(_, let password), .other(_, _, let password): learn(secret: password)
        }
        for (name, value) in request.headers + request.query {
            guard let value, Self.isCredential(name, value) else { continue }
            if name.isSameName(as: "Authorization") { learn(authorization: value) } else { learn(parts: value) }
        }
        for segment in ImportedPath.webhookKeys(request.path) { learn(secret: segment) }
        switch request.content {
        case .none, .file: break
        case .bytes(let bytes): learn(secretsOf: bytes, contentType: Self.contentType(of: request, bytes))
        case .parts(let parts): for part in parts { learn(part) }
        }
    }

    /// Remembers the secret of an `Authorization` header: what follows the scheme, and the password of Basic.
    private mutating func learn(authorization value: String) {
        let (scheme, secret) = Self.schemeAndSecret(value)
        learn(secret: secret)
        guard scheme.isSameName(as: "Basic"), let pair = Self.userAndPassword(secret) else { return }
        learn(secret: pair.password.isEmpty ? pair.user : pair.password)
    }

    /// Remembers a secret, and the values of the cookies in it: `a=first; b=second`.
    private mutating func learn(parts value: String) {
        learn(secret: value)
        for part in value.split(separator: ";") {
            learn(secret: part.split(separator: "=", maxSplits: 1).last?.filter { $0 != "\"" } ?? "")
        }
    }

    private mutating func learn(_ part: Part) {
        switch part {
        case .file: break
        case .field(let name, let value) where SecretName.isCredential(name): learn(secret: value)
        case .field(_, let value): learn(secretsOf: value.exactBytes, contentType: nil)
        case .text(_, let value, let type): learn(secretsOf: value.exactBytes, contentType: type)
        }
    }

    private mutating func learn(secretsOf body: [UInt8], contentType: String?) {
        for secret in SecretRules.secrets(in: body, contentType: contentType) { learn(secret: secret) }
    }

    /// Splits `Bearer abc` into scheme and secret. Without a space, all of it is the secret.
    private static func schemeAndSecret(_ value: String) -> (scheme: String, secret: String) {
        let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
        return parts.count > 1 ? (parts[0], parts[1]) : ("", value)
    }

    /// Decodes the secret of the Basic scheme (RFC 7617); nil if it is not Base64.
    private static func userAndPassword(_ base64: String) -> (user: String, password: String)? {
        guard let pair = Data(base64Encoded: base64) else { return nil }
        let parts = String(exactBytes: pair).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }

    /// Returns the media type by which the secrets of a body are found: a body without a declared type may be a form.
    private static func contentType(of request: ImportedRequest, _ body: [UInt8]) -> String? {
        let type = request.header("Content-Type")
        let mayBeForm = type == nil || ParameterTexts.Form(type, isEmpty: false) == .form
        return mayBeForm && ImportedBody.isForm(String(exactBytes: body)) ? "application/x-www-form-urlencoded" : nil
    }
}

// MARK: Requests

extension SecretSweep {
    /// Takes the secrets out of a request.
    ///
    /// - Returns: The credentials that stand for those in its headers and its query.
    mutating func credentials(of request: inout ImportedRequest) -> [Credential] {
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
        cleanContent(of: &request)
        removeSecretNames(of: &request)
        return credentials.grouped { $0 }.map(\.key)
    }

    /// Removes the headers that are credentials from a request, and returns the credentials.
    ///
    /// - Parameter hasUser: Whether the request has user and password, which take the place of an `Authorization`
    ///   header.
    private mutating func takeHeaders(of request: inout ImportedRequest, hasUser: Bool) -> [Credential] {
        var credentials: [Credential] = []
        var headers: [ImportedRequest.NameValue] = []
        for header in request.headers {
            guard let value = header.value, isCredential(header: header.name, value) else {
                headers.append(header)
                continue
            }
            if !header.name.isSameName(as: "Authorization") {
                let variable = variable(value, header.name, for: "header \(header.name)")
                credentials.append(.header(header.name, variable: variable))
            } else if !hasUser {
                credentials.append(authorization(value))
            }
        }
        request.headers = headers
        return credentials
    }

    /// Removes the query items that are credentials from a request, and returns the credentials.
    private mutating func takeQuery(of request: inout ImportedRequest) -> [Credential] {
        var credentials: [Credential] = []
        var query: [ImportedRequest.NameValue] = []
        for item in request.query {
            if let value = item.value, Self.isCredential(item.name, value) {
                let variable = variable(value, item.name, for: "query \(item.name)")
                credentials.append(.query(item.name, variable: variable))
            } else {
                query.append(item)
            }
        }
        request.query = query
        return credentials
    }

    /// Returns whether a header becomes a credential.
    ///
    /// Besides names and tokens, a value that repeats a known secret counts: the header could not be declared without
    /// it.
    private func isCredential(header name: String, _ value: String) -> Bool {
        Self.isCredential(name, value) || cleaned(value, keepsVariables: true) != value
    }

    /// Removes headers and query items whose names hold a secret: they can't be declared without it.
    private func removeSecretNames(of request: inout ImportedRequest) {
        let count = request.headers.count + request.query.count
        request.headers.removeAll { cleaned($0.name) != $0.name }
        request.query.removeAll { cleaned($0.name) != $0.name }
        if request.headers.count + request.query.count < count {
            request.notes.append("what has a secret in its name is left out")
        }
    }

    /// Returns the credential in the value of an `Authorization` header.
    private mutating func authorization(_ value: String) -> Credential {
        let (scheme, secret) = Self.schemeAndSecret(value)
        if scheme.isSameName(as: "Basic"), let pair = Self.userAndPassword(secret) {
            return basic(pair.user, pair.password)
        }
        return .header(
            "Authorization", prefix: scheme.isEmpty ? "" : scheme + " ",
            variable: variable(secret, "token", for: "Authorization \(scheme)"))
    }

    /// Returns the credential of the Basic scheme.
    ///
    /// If user or password is empty, one variable stands for the Base64 text of both, because an empty variable counts
    /// as not set.
    private mutating func basic(_ user: String, _ password: String) -> Credential {
        if user.isEmpty || password.isEmpty {
            return .header("Authorization", prefix: "Basic ", variable: variable("", "basic", for: "key of Basic"))
        }
        return .basic(
            userVariable: variable(user, "user", for: "user"),
            passwordVariable: variable(password, "password", for: "password"))
    }

    /// Returns the variable for a secret: the one in its place in a shell's text, or one named after the API, another
    /// for each `place`.
    private mutating func variable(_ value: String, _ name: String, for place: String) -> String {
        if let shellVariable = ImportedRequest.variables(in: value).first { return shellVariable }
        let place = place.lowercased()
        let known = variables[place] ?? names.unique(Credential.variable(prefix, SwiftNames.words(name)))
        variables[place] = known
        return known
    }

    // MARK: Content

    /// Redacts the content of a request: no credential stands for a secret in a body.
    private func cleanContent(of request: inout ImportedRequest) {
        switch request.content {
        case .none, .file: break
        case .parts(let parts): request.content = .parts(parts.map(cleaned))
        case .bytes(let bytes):
            request.content = .bytes(cleaned(bytes, contentType: Self.contentType(of: request, bytes)))
        }
    }

    private func cleaned(_ part: Part) -> Part {
        switch part {
        case .field(let name, let value):
            if SecretName.isCredential(name), !value.isEmpty, !Self.isVariable(value) {
                return .field(cleaned(name), SecretRules.mark)
            }
            return .field(cleaned(name), String(exactBytes: cleaned(value.exactBytes, contentType: nil)))
        case .text(let name, let value, let type):
            let cleanedValue = String(exactBytes: cleaned(value.exactBytes, contentType: type))
            return .text(cleaned(name), cleanedValue, contentType: type)
        case .file:
            return part
        }
    }

    private func cleaned(_ body: [UInt8], contentType: String?) -> [UInt8] {
        redactor.redact(body: SecretRules.redacted(body, contentType: contentType, except: Self.isVariable))
    }

    /// Returns whether a value is nothing but variables of the shell, which may stay.
    private static func isVariable(_ value: String) -> Bool {
        !ImportedRequest.variables(in: value).isEmpty && ImportedRequest.filling(value, { _ in "" }).isEmpty
    }
}

// MARK: Texts

extension SecretSweep {
    /// Returns a text without secrets: those that are known, and what ``SecretRules`` finds.
    func cleaned(_ text: String, keepsVariables: Bool = false) -> String {
        redactor.redact(SecretRules.redacted(keepsVariables ? text : ImportedRequest.filling(text)))
    }

    /// Returns a value without secrets; nil if it is no JSON after they have been removed.
    func cleaned(_ value: JSONValue) -> JSONValue? {
        cleaned(json: Array(value.written)).flatMap { try? JSONValue(text: $0) }
    }

    /// Returns JSON without secrets; nil if the text is no JSON, before or after they have been removed.
    func cleaned(json text: [UInt8]) -> [UInt8]? {
        guard (try? JSONDocument.all(in: text)) != nil else { return nil }
        return sample(SecretRules.redacted(text))?.text
    }

    /// JSON text without secrets, with the documents in it.
    typealias CleanSample = (text: [UInt8], documents: [JSONDocument])

    /// Returns JSON without secrets, parsed; nil if the text is no JSON.
    ///
    /// - Parameter text: The body of a response from which `learn` has removed its own secrets.
    func sample(_ text: [UInt8]) -> CleanSample? {
        let redacted = redactor.redact(body: text)
        return (try? JSONDocument.all(in: redacted)).map { (redacted, $0) }
    }
}
