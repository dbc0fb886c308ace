import EndpointKit
import EndpointTools
import JSONText

extension Credential {
    /// The variable for a secret: `SHOP_API_KEY` for `X-Api-Key`.
    static func variable(_ prefix: String, _ words: [String]) -> String {
        ([prefix] + words.dropFirst(words.first == "x" ? 1 : 0).map { $0.uppercased() }).joined(separator: "_")
    }

    /// How it is declared: `.bearer(variable: "SHOP_TOKEN")`.
    var declaration: SwiftText {
        let texts = alternatives.map { scheme -> SwiftText in
            let variable = "variable: \"\(scheme.variables[0])\""
            switch scheme.httpScheme {
            case "basic": return ".basic(user: \"\(scheme.variables[0])\", password: \"\(scheme.variables[1])\")"
            case "bearer": return ".bearer(\(variable))"
            default: break
            }
            var items: [SwiftText] = ["\(SwiftLiteral.string(scheme.name))", "\(variable)"]
            if !scheme.prefix.isEmpty { items.insert("prefix: \(SwiftLiteral.string(scheme.prefix))", at: 1) }
            return .list(scheme.isQuery ? ".query(" : ".header(", items, ")")
        }
        let others = texts.dropFirst().map { SwiftText.list(".or(", [$0], ")") }
        return .sum(texts.prefix(1) + others + (isOptional ? [".optional"] : []), by: "")
    }
}

/// A variable that must be set.
package struct NeededVariable: Hashable, CustomStringConvertible {
    package let name: String
    /// Whether its value is user and password in Base64, of which one is empty, not the secret alone.
    var isPair = false

    /// The name, with what belongs into it if that is more than the secret.
    package var description: String { name + (isPair ? " (the Base64 text of USER: or :PASSWORD)" : "") }
}

extension [NeededVariable] {
    /// Adds the variables of credentials that are new.
    mutating func add(_ credentials: [Credential]) {
        for scheme in credentials.flatMap(\.alternatives) {
            let isPair = scheme.prefix == "Basic " && scheme.httpScheme == nil
            self += scheme.variables.map { NeededVariable(name: $0, isPair: isPair) }.filter { !contains($0) }
        }
    }
}

extension [Credential] {
    /// The array literal.
    var list: SwiftText { .list("[", map(\.declaration), "]") }
}

/// Takes the secrets out of requests, and out of everything else that is written.
struct SecretSweep {
    /// The start of the variables' names.
    let prefix: String
    private var redactor = Redactor()
    /// The secrets of digits alone.
    private var numbers: Set<String> = []
    /// The variables by what they are for.
    private var variables: [String: String] = [:]
    private var names = NameTable()

    init(api: String) { prefix = SwiftNames.words(api).joined(separator: "_").uppercased() }

    /// Remembers what a response has issued: it may be in later requests.
    mutating func take(from response: Response) {
        for text in BodyToken.texts(in: response.body, nil) { keep(text) }
        for field in response.head.fields {
            if field.name.isSameName(as: "Set-Cookie") {
                keep(field.value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1).last.map(String.init) ?? "")
            } else if SecretName.isCredential(field.name) {
                keep(field.value.split(separator: " ").last.map(String.init) ?? "")
            }
        }
    }

    /// The credentials of a request, of which only the rest stays.
    mutating func take(from request: inout ImportedRequest) -> [Credential] {
        let user = request.user
        var found = user.map { [basic($0.name, $0.password)] } ?? []
        request.user = nil
        request.headers.removeAll { $0.name.isSameName(as: "Proxy-Authorization") }
        for (kind, fields) in [("header", \ImportedRequest.headers), ("query", \.query)] {
            request[keyPath: fields].removeAll { name, value in
                guard let value, BodyToken.isSecret(name, value) else { return false }
                let isStandard = kind == "header" && name.isSameName(as: "Authorization")
                if isStandard, user != nil { return true }
                let made = isStandard ? authorization(value) : credential(kind, name, value)
                if !found.contains(made) { found.append(made) }
                return true
            }
        }
        // Variables of GraphQL may be an item of the query.
        func item(_ name: String) -> String? { request.query.first { $0.name == name }?.value }
        if let query = item("query"), let variables = item("variables").flatMap({ try? JSONValue(text: $0.exactBytes) })
        {
            let body: JSONValue = ["query": JSONValue(query), "variables": variables]
            for text in BodyToken.all(in: Array(body.written), nil).flatMap(\.texts) { keep(text) }
        }
        let segments = PathTemplate.split(request.path)
        for place in BodyToken.secretSegments(segments) { keep(segments[place]) }
        clean(&request)
        // No name stands for a credential: what has one in its name can't be declared without it.
        for fields in [\ImportedRequest.headers, \.query] {
            let count = request[keyPath: fields].count
            request[keyPath: fields].removeAll { cleaned($0.name) != $0.name }
            if request[keyPath: fields].count < count {
                request.notes.append("what has a secret in its name is left out")
            }
        }
        return found
    }

    /// Puts a placeholder in the place of each secret in the content: no credential stands in a body.
    private mutating func clean(_ request: inout ImportedRequest) {
        let type = request.header("Content-Type")
        let form = RequestParts.Form(type, isEmpty: false)
        if case .bytes(let bytes) = request.content, form == .multipart {
            // What was copied for cmd has no carriage returns.
            let lines = bytes.contains(0x0D) ? bytes : bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] }
            if let parts = RequestParts.parts(multipart: lines, type ?? "") { request.content = .parts(parts) }
        }
        // A field of GraphQL may have a line of its own, after another name for it.
        let hasLines = type?.lowercased().contains("graphql") != true
        switch request.content {
        case .none, .file: break
        case .parts(let parts):
            request.content = .parts(
                parts.map { part in
                    guard case .field(let name, let value) = part else { return part }
                    let isSecret = BodyToken.isSecret(name, value)
                    if isSecret { keep(value) }
                    let text = isSecret ? BodyToken.placeholder.exactBytes : clean(value.exactBytes, hasLines: hasLines)
                    return .field(cleaned(name), String(exactBytes: text))
                })
        case .bytes(let bytes):
            let isForm = (type == nil || form == .form) && ImportedBody.isForm(String(exactBytes: bytes))
            request.content = .bytes(
                clean(bytes, isForm ? "application/x-www-form-urlencoded" : nil, hasLines: hasLines))
        }
    }

    private mutating func clean(_ bytes: [UInt8], _ contentType: String? = nil, hasLines: Bool) -> [UInt8] {
        let tokens = BodyToken.all(in: bytes, contentType, isRequest: hasLines).filter { token in
            // A variable of the shell may stay.
            token.texts.first.map { !$0.isEmpty && ImportedRequest.filling($0, { _ in "" }).isEmpty } != true
        }
        for text in tokens.flatMap(\.texts) { keep(text) }
        let text = BodyToken.redacted(BodyToken.removing(tokens, from: bytes)) { redactor.redact($0) }
        return withoutNumbers(text, isJSON: (try? JSONDocument.all(in: text)) != nil)
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

    /// The credential in a header or query item of that name.
    private mutating func credential(_ kind: String, _ name: String, _ value: String) -> Credential {
        let variable = variable(value, name, for: "\(kind) \(name)")
        return kind == "query" ? .query(name, variable: variable) : .header(name, variable: variable)
    }

    /// Remembers a secret, which may be repeated elsewhere; a shorter one would be found in other words, and none as long as a document is repeated.
    private mutating func keep(_ secret: String) {
        guard (6...4096).contains(secret.utf8.count), ImportedRequest.variables(in: secret).isEmpty else { return }
        if secret.utf8.allSatisfy(\.isDigit) { numbers.insert(secret) } else { redactor.add([secret]) }
    }

    /// The variable for a secret: the one that stands in its place in a shell's text, else one named after the API, of its own for each `place`.
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
}

// MARK: Texts

extension SecretSweep {
    /// A text without secrets: those that were taken, and what looks like one.
    func cleaned(_ text: String, keepsVariables: Bool = false) -> String {
        let text = redactor.redact(BodyToken.cleaned(keepsVariables ? text : ImportedRequest.filling(text)))
        return String(exactBytes: withoutNumbers(text.exactBytes, isJSON: false))
    }

    /// A text without the secrets of digits, where they stand alone: they may be in other numbers too. A number of JSON stays one.
    private func withoutNumbers(_ text: [UInt8], isJSON: @autoclosure () -> Bool) -> [UInt8] {
        if numbers.isEmpty { return text }
        let isJSON = isJSON()
        let found = text.split { !$0.isLetterOrDigit }.filter { numbers.contains(String(exactBytes: $0)) }
        let tokens = found.map { word in
            let isText = !isJSON || text[..<word.startIndex].last == UInt8(ascii: "\"")
            return BodyToken(texts: [], range: word.indices, replacement: isText ? BodyToken.placeholder : "0")
        }
        return BodyToken.removing(tokens, from: text)
    }

    /// A value without secrets; nil if it is none after they have been taken out.
    func cleaned(_ value: JSONValue) -> JSONValue? {
        cleaned(json: Array(value.written)).flatMap { try? JSONValue(text: $0) }
    }

    /// JSON without secrets; nil if the text is not JSON, also after they have been taken out.
    func cleaned(json text: [UInt8]) -> [UInt8]? {
        guard (try? JSONDocument.all(in: text)) != nil else { return nil }
        let known = BodyToken.redacted(BodyToken.removed(from: text, nil)) { redactor.redact($0) }
        let redacted = withoutNumbers(known, isJSON: true)
        return (try? JSONDocument.all(in: redacted)) == nil ? nil : redacted
    }
}
