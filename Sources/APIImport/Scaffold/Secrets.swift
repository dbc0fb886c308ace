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

    static let placeholder = "(redacted)"

    /// How tokens begin whose makers mark them so that they are found.
    private static let starts = [
        "AKIA", "ASIA", "AIza", "SG.", "eyJ", "gh", "github_pat_", "glpat-", "hf_", "npm_", "rk_", "shp", "sk-", "sk_",
        "xapp-", "xox", "ya29.",
    ]

    init(api: String) { prefix = SwiftNames.words(api).joined(separator: "_").uppercased() }

    /// Whether a text is a token by its looks.
    static func isToken(_ text: String) -> Bool {
        guard text.utf8.count >= 20, !text.utf8.contains(where: { $0 == 0x20 || $0 == UInt8(ascii: "/") }) else {
            return false
        }
        let hasDigit = text.utf8.contains(where: \.isDigit)
        // `bot123456:AbC…`, as Telegram's paths have it.
        let isBot = text.hasPrefix("bot") && text.dropFirst(3).first?.isNumber == true && text.contains(":")
        return isBot
            || hasDigit
                && starts.contains {
                    text.hasPrefix($0) && ($0 != "eyJ" || text.contains("."))
                        && ($0 != "gh" || text.dropFirst(3).first == "_")
                }
    }

    private static func isSecret(_ name: String, _ value: String?) -> Bool {
        guard let value, !value.isEmpty else { return false }
        return SecretName.isCredential(name) || isToken(value)
    }

    /// The credentials of a request, of which only the rest stays.
    mutating func take(from request: inout ImportedRequest) -> [DeclaredCredential] {
        var found: [DeclaredCredential] = []
        func add(_ text: String, _ variables: [String]) {
            found.append(DeclaredCredential(text: text, variables: variables))
        }
        if let user = request.user {
            let variables = [variable(user.name, "user", isSecret: false), variable(user.password, "password")]
            add(".basic(user: \"\(variables[0])\", password: \"\(variables[1])\")", variables)
            request.user = nil
        }
        request.headers.removeAll { header in
            let value = header.value ?? ""
            if header.name.isSameName(as: "Proxy-Authorization") { return true }
            guard Self.isSecret(header.name, value) else { return false }
            if header.name.isSameName(as: "Authorization") {
                // Credentials of a URL or of -u are replaced by the header.
                if found.isEmpty { found.append(authorization(value)) }
            } else {
                let variable = variable(value, header.name)
                add(".header(\(SwiftLiteral.string(header.name)), variable: \"\(variable)\")", [variable])
            }
            return true
        }
        var names: Set<String> = []
        request.query.removeAll { item in
            guard Self.isSecret(item.name, item.value) else { return false }
            let variable = variable(item.value ?? "", item.name)
            if names.insert(item.name).inserted {
                add(".query(\(SwiftLiteral.string(item.name)), variable: \"\(variable)\")", [variable])
            }
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
        if scheme.isSameName(as: "Basic") {
            let pair = Data(base64Encoded: secret).map { String(exactBytes: $0) } ?? ""
            keep(secret)
            keep(pair.split(separator: ":", maxSplits: 1).last.map(String.init) ?? "")
            let variables = ["\(prefix)_USER", "\(prefix)_PASSWORD"]
            return DeclaredCredential(
                text: ".basic(user: \"\(variables[0])\", password: \"\(variables[1])\")", variables: variables)
        }
        let variable = variable(secret, "token")
        if scheme == "Bearer" {
            return DeclaredCredential(text: ".bearer(variable: \"\(variable)\")", variables: [variable])
        }
        let start = scheme.isEmpty ? "" : "prefix: \(SwiftLiteral.string(scheme + " ")), "
        return DeclaredCredential(
            text: ".header(\"Authorization\", \(start)variable: \"\(variable)\")", variables: [variable])
    }

    /// Remembers a secret, which may be repeated elsewhere; a shorter one would be found in other words.
    private mutating func keep(_ secret: String) {
        if secret.utf8.count >= 6, ImportedRequest.variables(in: secret).isEmpty { redactor.add([secret]) }
    }

    /// The variable for a secret: the one that stands in its place in a shell's text, else one named after the API.
    private mutating func variable(_ value: String, _ name: String, isSecret: Bool = true) -> String {
        if let own = ImportedRequest.variables(in: value).first { return own }
        if isSecret {
            for part in [value]
                + value.split(separator: ";").compactMap({
                    $0.split(separator: "=", maxSplits: 1).last.map(String.init)
                })
            { keep(part) }
        }
        let words = SwiftNames.words(name)
        return ([prefix] + (words.first == "x" ? words.dropFirst() : words[...]).map { $0.uppercased() }).joined(
            separator: "_")
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
        var body = text
        for (value, text) in replacements(in: root).reversed() {
            body.replaceSubrange(value.written.startIndex..<value.written.endIndex, with: JSONValue(text).written)
        }
        let redacted = redactor.redact(body)
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
