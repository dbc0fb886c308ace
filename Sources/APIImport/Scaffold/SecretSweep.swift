import EndpointKit
import EndpointTools
import JSONText

/// Removes the secrets of imported requests, and turns those in headers and queries into credentials with variables.
///
/// ``SecretRules`` says what a secret is. Those that were found are also removed where other requests and responses
/// repeat them.
struct SecretSweep {
    /// The start of the variables' names.
    let prefix: String
    private var redactor = Redactor()
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

    // MARK: Learning secrets

    /// Remembers what a response has issued: it may be in later requests.
    mutating func take(from response: Response) {
        for secret in SecretRules.secrets(in: response.body, contentType: response.head["Content-Type"]) {
            keep(secret)
        }
        for field in response.head.fields where SecretRules.isSecret(header: field.name) {
            if field.name.isSameName(as: "Set-Cookie") {
                let pair = field.value.prefix { $0 != ";" }
                keep(pair.split(separator: "=", maxSplits: 1).last.map(String.init) ?? "")
            } else {
                keep(field.value.split(separator: " ").last.map(String.init) ?? "")
            }
        }
    }

    /// Removes the secrets of a request.
    ///
    /// - Returns: The credentials that stand for those in its headers and its query.
    mutating func take(from request: inout ImportedRequest) -> [Credential] {
        let user = request.user
        var credentials = user.map { [basic($0.name, $0.password)] } ?? []
        request.user = nil
        request.headers.removeAll { $0.name.isSameName(as: "Proxy-Authorization") }
        for (kind, fields) in [("header", \ImportedRequest.headers), ("query", \.query)] {
            request[keyPath: fields].removeAll { name, value in
                guard let value, Self.isCredential(name, value) else { return false }
                let isStandard = kind == "header" && name.isSameName(as: "Authorization")
                if isStandard, user != nil { return true }
                let made = isStandard ? authorization(value) : credential(kind, name, value)
                if !credentials.contains(made) { credentials.append(made) }
                return true
            }
        }
        cleanContent(of: &request)
        removeSecretNames(of: &request)
        return credentials
    }

    /// Removes headers and query items whose names hold a secret: they can't be declared without it.
    private func removeSecretNames(of request: inout ImportedRequest) {
        for fields in [\ImportedRequest.headers, \.query] {
            let count = request[keyPath: fields].count
            request[keyPath: fields].removeAll { cleaned($0.name) != $0.name }
            if request[keyPath: fields].count < count {
                request.notes.append("what has a secret in its name is left out")
            }
        }
    }

    private mutating func authorization(_ value: String) -> Credential {
        let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
        let (scheme, secret) = parts.count > 1 ? (parts[0], parts[1]) : ("", value)
        if scheme.isSameName(as: "Basic"), let pair = Data(base64Encoded: secret) {
            let parts = String(exactBytes: pair).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            keep(secret)
            return basic(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
        return .header(
            "Authorization", prefix: scheme.isEmpty ? "" : scheme + " ",
            variable: variable(secret, "token", for: "Authorization \(scheme)"))
    }

    private mutating func basic(_ user: String, _ password: String) -> Credential {
        if user.isEmpty || password.isEmpty {
            // An empty variable counts as not set, and the other one is the key.
            keep(user + password)
            return .header("Authorization", prefix: "Basic ", variable: variable("", "basic", for: "key of Basic"))
        }
        return .basic(
            user: variable(user, "user", for: "user"), password: variable(password, "password", for: "password"))
    }

    /// Returns the credential in a header or query item with this name.
    private mutating func credential(_ kind: String, _ name: String, _ value: String) -> Credential {
        let variable = variable(value, name, for: "\(kind) \(name)")
        return kind == "query" ? .query(name, variable: variable) : .header(name, variable: variable)
    }

    /// Returns the variable for a secret: the one in its place in a shell's text, or one named after the API, another
    /// for each `place`.
    private mutating func variable(_ value: String, _ name: String, for place: String) -> String {
        if let own = ImportedRequest.variables(in: value).first { return own }
        if place != "user" {
            // The values of cookies too.
            keep(value)
            for part in value.split(separator: ";") {
                keep(part.split(separator: "=", maxSplits: 1).last?.filter { $0 != "\"" } ?? "")
            }
        }
        let place = place.lowercased()
        let known = variables[place] ?? names.unique(Credential.variable(prefix, SwiftNames.words(name)))
        variables[place] = known
        return known
    }

    /// Remembers a secret that may be repeated elsewhere.
    private mutating func keep(_ secret: String) {
        guard Self.knownLengths.contains(secret.utf8.count), ImportedRequest.variables(in: secret).isEmpty else {
            return
        }
        redactor.add([secret])
    }

    // MARK: Content

    /// Redacts the content of a request: no credential stands for a secret in a body.
    private mutating func cleanContent(of request: inout ImportedRequest) {
        let type = request.header("Content-Type")
        let form = ParameterTexts.Form(type, isEmpty: false)
        if case .bytes(let bytes) = request.content, form == .multipart {
            if let parts = MultipartReader.parts(bytes, contentType: type ?? "") { request.content = .parts(parts) }
        }
        switch request.content {
        case .none, .file: break
        case .parts(let parts): request.content = .parts(parts.map { cleaned($0) })
        case .bytes(let bytes):
            let isForm = (type == nil || form == .form) && ImportedBody.isForm(String(exactBytes: bytes))
            request.content = .bytes(cleaned(bytes, contentType: isForm ? "application/x-www-form-urlencoded" : nil))
        }
    }

    private mutating func cleaned(_ part: Part) -> Part {
        switch part {
        case .field(let name, let value):
            if SecretName.isCredential(name), !value.isEmpty, !Self.isVariable(value) {
                keep(value)
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

    private mutating func cleaned(_ body: [UInt8], contentType: String?) -> [UInt8] {
        for secret in SecretRules.secrets(in: body, contentType: contentType) { keep(secret) }
        return redactor.redact(
            body: SecretRules.redacted(body, contentType: contentType, except: Self.isVariable))
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
        let redacted = redactor.redact(body: SecretRules.redacted(text))
        return (try? JSONDocument.all(in: redacted)) == nil ? nil : redacted
    }
}
