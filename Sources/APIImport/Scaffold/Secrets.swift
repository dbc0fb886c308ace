import EndpointKit
import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A credential in a declaration, with the variables that hold its secrets.
struct DeclaredCredential: Hashable {
    /// `.bearer(variable: "SHOP_TOKEN")`
    let text: String
    let variables: [String]
}

/// Takes the secrets out of requests, and out of everything else that is written.
struct SecretSweep {
    /// The start of the variables' names.
    let prefix: String
    private var redactor = Redactor()
    /// What each variable is for.
    private var places: [String: String] = [:]

    static let placeholder = "(redacted)"

    /// How tokens begin whose makers mark them so that they are found.
    private static let starts = [
        "AKIA", "ASIA", "AIza", "SG.", "gho_", "ghp_", "ghs_", "ghu_", "github_pat_", "glpat-", "hf_", "npm_", "rk_",
        "shpat_", "sk-", "sk_", "xapp-", "xox", "ya29.",
    ]

    init(api: String) { prefix = SwiftNames.words(api).joined(separator: "_").uppercased() }

    /// Whether a text is a token by its looks.
    static func isToken(_ text: String) -> Bool {
        guard text.utf8.count >= 20, text.utf8.contains(where: \.isDigit),
            !text.utf8.contains(where: " /".utf8.contains)
        else { return false }
        // `bot123456:AbC…`, as Telegram's paths have it, and JSON Web Tokens.
        let isBot = text.hasPrefix("bot") && text.dropFirst(3).first?.isNumber == true && text.contains(":")
        return isBot || text.hasPrefix("eyJ") && text.contains(".") || starts.contains(where: text.hasPrefix)
    }

    private static func isSecret(_ name: String, _ value: String?) -> Bool {
        guard let value, !value.isEmpty else { return false }
        return SecretName.isCredential(name) || isToken(value)
    }

    /// The credentials of a request, of which only the rest stays.
    mutating func take(from request: inout ImportedRequest) -> [DeclaredCredential] {
        var found: [DeclaredCredential] = []
        if let user = request.user {
            found.append(basic(user.name, user.password))
            request.user = nil
        }
        request.headers.removeAll { header in
            let value = header.value ?? ""
            if header.name.isSameName(as: "Proxy-Authorization") { return true }
            guard Self.isSecret(header.name, value) else { return false }
            if !header.name.isSameName(as: "Authorization") {
                found.append(credential("header", header.name, value))
            } else if found.isEmpty {
                found.append(authorization(value))
            }
            return true
        }
        request.query.removeAll { item in
            guard Self.isSecret(item.name, item.value) else { return false }
            let credential = credential("query", item.name, item.value ?? "")
            if !found.contains(credential) { found.append(credential) }
            return true
        }
        request.content = without(request.content)
        return found
    }

    /// The content with a placeholder for each secret: no credential stands in a body.
    private mutating func without(_ content: ImportedRequest.Content) -> ImportedRequest.Content {
        switch content {
        case .none, .file: return content
        case .parts(let parts):
            return .parts(
                parts.map { part in
                    guard case .field(let name, let value) = part, Self.isSecret(name, value) else { return part }
                    keep(value)
                    return .field(name, Self.placeholder)
                })
        case .bytes(let bytes):
            if let root = try? JSONValue(text: bytes) {
                for (value, text) in replacements(in: root) where text == Self.placeholder { keep(value.string ?? "") }
                return .bytes(cleaned(json: bytes) ?? bytes)
            }
            let items = String(exactBytes: bytes).split(separator: "&", omittingEmptySubsequences: false).map { item in
                let field = ImportedRequest.items(String(item)).first
                guard let field, Self.isSecret(field.name, field.value) else { return String(item) }
                keep(field.value ?? "")
                return item.prefix { $0 != "=" } + "=" + PercentEncoding.encode(Self.placeholder)
            }
            return .bytes(items.joined(separator: "&").exactBytes)
        }
    }

    private mutating func authorization(_ value: String) -> DeclaredCredential {
        let parts = value.split(separator: " ", maxSplits: 1).map(String.init)
        let (scheme, secret) = parts.count > 1 ? (parts[0], parts[1]) : ("", value)
        if scheme.isSameName(as: "Basic"), let pair = Data(base64Encoded: secret) {
            let parts = String(exactBytes: pair).split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            keep(secret)
            return basic(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
        }
        let variable = variable(secret, "token", for: "Authorization")
        if scheme == "Bearer" {
            return DeclaredCredential(text: ".bearer(variable: \"\(variable)\")", variables: [variable])
        }
        let start = scheme.isEmpty ? "" : "prefix: \(SwiftLiteral.string(scheme + " ")), "
        return DeclaredCredential(
            text: ".header(\"Authorization\", \(start)variable: \"\(variable)\")", variables: [variable])
    }

    private mutating func basic(_ user: String, _ password: String) -> DeclaredCredential {
        if password.isEmpty {
            // An empty variable counts as not set, and the user is the key.
            keep(user)
            let variable = variable("", "basic", for: "Authorization")
            let text = ".header(\"Authorization\", prefix: \"Basic \", variable: \"\(variable)\")"
            return DeclaredCredential(text: text, variables: [variable + " (the Base64 text of USER:)"])
        }
        let variables = [variable(user, "user", for: "user"), variable(password, "password", for: "password")]
        return DeclaredCredential(
            text: ".basic(user: \"\(variables[0])\", password: \"\(variables[1])\")", variables: variables)
    }

    /// The credential in a header or query item of that name.
    private mutating func credential(_ kind: String, _ name: String, _ value: String) -> DeclaredCredential {
        let variable = variable(value, name, for: "\(kind) \(name)")
        return DeclaredCredential(
            text: ".\(kind)(\(SwiftLiteral.string(name)), variable: \"\(variable)\")", variables: [variable])
    }

    /// Remembers a secret, which may be repeated elsewhere; a shorter one would be found in other words.
    private mutating func keep(_ secret: String) {
        if secret.utf8.count >= 6, ImportedRequest.variables(in: secret).isEmpty { redactor.add([secret]) }
    }

    /// The variable for a secret: the one that stands in its place in a shell's text, else one named after the API, of its own for each `place`.
    private mutating func variable(_ value: String, _ name: String, for place: String) -> String {
        if let own = ImportedRequest.variables(in: value).first { return own }
        if place != "user" {
            // The values of cookies too.
            keep(value)
            for part in value.split(separator: ";") {
                keep(part.split(separator: "=", maxSplits: 1).last.map(String.init) ?? "")
            }
        }
        let words = SwiftNames.words(name).map { $0.uppercased() }
        let first = ([prefix] + (words.first == "X" ? words.dropFirst() : words[...])).joined(separator: "_")
        var (variable, number) = (first, 1)
        while let other = places[variable], other != place {
            number += 1
            variable = "\(first)_\(number)"
        }
        places[variable] = place
        return variable
    }
}

// MARK: Texts

extension SecretSweep {
    /// A text without secrets: those that were taken, what looks like one, and the values of items and members that are named like one.
    func cleaned(_ text: String) -> String {
        let text = ImportedRequest.filling(text)
        if Self.isToken(text) { return Self.placeholder }
        if text.first == "{" || text.first == "[", let json = cleaned(json: text.exactBytes) {
            return String(exactBytes: json)
        }
        var result = ""
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            let item = rest.prefix { !"?&;#".unicodeScalars.contains($0) }
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let isSecret = parts.count == 2 && Self.isSecret(PercentEncoding.decode(parts[0]), parts[1])
            result += isSecret ? parts[0] + "=" + Self.placeholder : String(item)
            rest = rest.dropFirst(item.count)
            if let separator = rest.popFirst() { result.unicodeScalars.append(separator) }
        }
        return redactor.redact(result)
    }

    /// JSON without secrets; nil if the text is not one document of JSON, also after they have been taken out.
    func cleaned(json text: [UInt8]) -> [UInt8]? {
        guard let root = try? JSONValue(text: text) else { return nil }
        var body: [UInt8] = []
        var start = 0
        for (value, replacement) in replacements(in: root) {
            body += text[start..<value.written.startIndex] + JSONValue(replacement).written
            start = value.written.endIndex
        }
        let redacted = redactor.redact(body + text[start...])
        return (try? JSONValue(text: redacted)) == nil ? nil : redacted
    }

    /// The strings in JSON that hold secrets, in their order, with what takes their place: credentials, by their keys or their looks, and texts
    /// with items in them.
    private func replacements(in root: JSONValue) -> [(value: JSONValue, text: String)] {
        var open: [(key: String, value: JSONValue)] = [("", root)]
        var found: [(JSONValue, String)] = []
        while let (key, value) = open.popLast() {
            if let elements = value.elements { open += elements.map { (key, $0) } }
            if let members = value.members { open += members }
            guard let text = value.string, !text.isEmpty else { continue }
            // A bare `key` names a thing more often than it opens one.
            if Self.isToken(text) || SecretName.isCredential(key) && key.lowercased() != "key" {
                found.append((value, Self.placeholder))
            } else if text.utf8.contains(UInt8(ascii: "=")) || text.first == "{" || text.first == "[" {
                let clean = cleaned(text)
                if clean != text { found.append((value, clean)) }
            }
        }
        return found.sorted { $0.0.written.startIndex < $1.0.written.startIndex }
    }
}
