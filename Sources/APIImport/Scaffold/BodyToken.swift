import EndpointKit
import JSONText

/// A credential in a body, by its name or its looks: what a server has just issued, or a client has sent.
package struct BodyToken {
    /// The shortest token that is looked for elsewhere, in bytes; shorter ones are in other words too.
    private static let shortest = 4

    static let placeholder = "(redacted)"

    /// The value, without escapes; empty if only a part of it is secret.
    let text: String
    /// Where the value stands in the body, and what stands there instead.
    let range: Range<Int>
    let replacement: String

    /// The credentials in a form, or in JSON, in their order.
    static func all(in body: [UInt8], _ contentType: String?) -> [BodyToken] {
        if contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
            return body.split(separator: UInt8(ascii: "&")).compactMap { pair in
                let item = ImportedRequest.items(String(exactBytes: pair)).first
                guard let item, let text = item.value, isSecret(item.name, text) else { return nil }
                let value = pair.drop { $0 != UInt8(ascii: "=") }.dropFirst()
                return BodyToken(text: text, range: value.indices, replacement: placeholder)
            }
        }
        var open = (try? JSONValue(text: body)).map { [(key: "", value: $0)] } ?? []
        var found: [BodyToken] = []
        // The elements of a list have the same keys.
        var credentials: [String: Bool] = [:]
        while let (key, value) = open.popLast() {
            open += value.elements?.map { (key, $0) } ?? value.members ?? []
            guard let text = value.string, !text.isEmpty else { continue }
            // A bare `key` names a thing more often than it opens one.
            // A time is no secret, whatever it is the time of.
            let isNamed = credentials[key] ?? (SecretName.isCredential(key) && key.lowercased() != "key")
            credentials[key] = isNamed
            let isToken = isToken(text) || isNamed && DateText.parse(text) == nil
            let clean = isToken ? placeholder : withoutTokens(text)
            if clean == text { continue }
            let replacement = JSONValue(clean).description
            found.append(BodyToken(text: isToken ? text : "", range: value.written.indices, replacement: replacement))
        }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The texts of the credentials that are long enough to be looked for.
    package static func texts(in body: [UInt8], _ contentType: String?) -> Set<String> {
        Set(all(in: body, contentType).map(\.text).filter { $0.utf8.count >= shortest })
    }

    /// The body with a placeholder for each credential.
    package static func removed(from body: [UInt8], _ contentType: String?) -> [UInt8] {
        var result: [UInt8] = []
        var start = 0
        for token in all(in: body, contentType) {
            result += body[start..<token.range.lowerBound] + token.replacement.utf8
            start = token.range.upperBound
        }
        return result + body[start...]
    }

    /// A text without what looks like a token, and without the values of items and members that are named like one.
    static func cleaned(_ text: String) -> String {
        isToken(text) ? placeholder : withoutTokens(text)
    }

    /// The same of a text that is no token as a whole.
    private static func withoutTokens(_ text: String) -> String {
        if let first = text.utf8.first, "{[".utf8.contains(first) {
            return String(exactBytes: removed(from: text.exactBytes, nil))
        }
        guard text.utf8.contains(UInt8(ascii: "=")) else { return text }
        var result = ""
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            let item = rest.prefix { !"?&;#".unicodeScalars.contains($0) }
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let isSecret = parts.count == 2 && isSecret(PercentEncoding.decode(parts[0]), parts[1])
            result += isSecret ? parts[0] + "=" + placeholder : String(item)
            rest = rest.dropFirst(item.count)
            if let separator = rest.popFirst() { result.unicodeScalars.append(separator) }
        }
        return result
    }

    /// Whether a value is a credential, by its name or its looks.
    static func isSecret(_ name: String, _ value: String) -> Bool {
        !value.isEmpty && (SecretName.isCredential(name) || isToken(value))
    }

    /// How tokens begin whose makers mark them so that they are found.
    private static let starts = [
        "AKIA", "ASIA", "AIza", "SG.", "gho_", "ghp_", "ghs_", "ghu_", "github_pat_", "glpat-", "hf_", "npm_", "rk_",
        "shpat_", "sk-", "sk_", "xapp-", "xox", "ya29.",
    ]

    /// Whether a text is a token by its looks.
    static func isToken(_ text: String) -> Bool {
        guard text.utf8.count >= 20, text.utf8.contains(where: \.isDigit),
            !text.utf8.contains(where: " /".utf8.contains)
        else { return false }
        // `bot123456:AbC…`, as Telegram's paths have it, and JSON Web Tokens.
        let isBot = text.hasPrefix("bot") && text.dropFirst(3).first?.isNumber == true && text.contains(":")
        return isBot || text.hasPrefix("eyJ") && text.contains(".") || starts.contains(where: text.hasPrefix)
    }
}
