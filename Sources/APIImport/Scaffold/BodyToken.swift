import EndpointKit
import JSONText

/// A credential in a body, by its name or its looks: what a server has just issued, or a client has sent.
package struct BodyToken {
    /// The shortest token that is looked for elsewhere, in bytes; shorter ones are in other words too.
    private static let shortest = 4

    /// The longest name that is looked at, in bytes.
    private static let longestName = 100

    static let placeholder = "(redacted)"

    /// The credentials that it is or holds, without escapes, as far as it is known where they end.
    let texts: [String]
    /// What of the body is left out, and what stands there instead.
    let range: Range<Int>
    let replacement: String

    /// The credentials in a form or in JSON, in their order; if nothing is said about the type, another text that holds one is one. Of a request,
    /// numbers and lines such as `token: …` are read too.
    static func all(in body: [UInt8], _ contentType: String?, isRequest: Bool = false) -> [BodyToken] {
        if contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
            return body.split(separator: UInt8(ascii: "&")).compactMap { pair in
                let item = FormText.item(Substring(String(exactBytes: pair)))
                guard let text = item.value, isSecret(item.name, text) else { return nil }
                let value = pair.drop { $0 != UInt8(ascii: "=") }.dropFirst()
                return BodyToken(texts: [text], range: value.indices, replacement: placeholder)
            }
        }
        guard let documents = try? JSONDocument.all(in: body) else {
            let texts = contentType == nil ? credentials(in: body, isRequest) : []
            return texts.isEmpty ? [] : [BodyToken(texts: texts, range: body.indices, replacement: placeholder)]
        }
        var start = 0
        return documents.flatMap { document in
            // Of several, blanks and the marks of records (RFC 7464) are between them.
            let gap =
                documents.count == 1 ? 0 : body[start...].prefix { " \t\r\n\u{1E}\u{FEFF}".utf8.contains($0) }.count
            defer { start += gap + document.bytes.count }
            return all(in: JSONValue(document), at: start + gap, isRequest)
        }
    }

    /// The text of a value of a request with a placeholder for each secret number, of which 0 is left; of one in JSON, `key` is its name.
    static func marked(_ text: String, _ key: String?) -> String {
        let start = key.map { "{\(JSONValue($0)):" } ?? ""
        let whole = (start + text + (key == nil ? "" : "}")).exactBytes
        let tokens = all(in: whole, nil, isRequest: true).filter { $0.replacement == "0" }
            .map { BodyToken(texts: [], range: $0.range, replacement: placeholder) }
        let marked = removing(tokens, from: whole).dropFirst(start.utf8.count)
        return String(exactBytes: key == nil ? marked : marked.dropLast())
    }

    /// The credentials in a document of JSON, which starts at `start` of the text.
    private static func all(in document: JSONValue, at start: Int, _ hasNumbers: Bool) -> [BodyToken] {
        var open = [(key: "", value: document, isElement: false, isInner: false, hasDigits: false)]
        var found: [BodyToken] = []
        // The elements of a list have the same keys.
        var credentials: [String: Bool] = [:]
        func isCredential(_ key: String) -> Bool {
            let known = credentials[key] ?? (opens(key) || areKeys(key))
            credentials[key] = known
            return known
        }
        let arguments = secretArguments(document)
        while let (key, value, isElement, isInner, hasDigits) = open.popLast() {
            open += value.elements?.map { (key, $0, true, isInner, hasDigits) } ?? []
            // `{"apiKey": {"prod": "…"}}`; but a session, or one of several tokens, has more than its secret.
            let others = ["pin", "pins", "session", "sessions"] + (isElement ? ["tokens"] : [])
            let isAll = isInner || isCredential(key) && Set(SwiftNames.words(key)).isDisjoint(with: others)
            // `{"otp": {"code": 123456}}`
            let haveDigits = hasDigits || isAll && isSecretAsNumber(key)
            for (name, member) in value.members ?? [] {
                var (owner, isPart) = (arguments.contains(member.slot) ? "secret" : name, isAll)
                // What it is of, says a name beside it or the one before it: `{"name": "X-Api-Key", "value": "…"}`.
                if name.isSameName(as: "value") {
                    let label = value["name"]?.string ?? value["key"]?.string ?? key
                    owner = isCredential(label) ? label : isCredential(key) ? key : name
                } else if isPlain(name) {
                    isPart = false
                } else if isCredential(key), !isAll {
                    // `{"session": {"id": "…"}}`, `{"sessions": {"ann": "…"}}`, `{"sessions": {"ann": ["…"]}}`
                    let isText = (member.elements ?? [member]).contains { $0.string != nil }
                    let isOwn = !isElement && key.last == "s" && isText
                    isPart = isOwn || contents.contains(name.lowercased())
                }
                open.append((owner, member, false, isPart, isPart && haveDigits))
                if isToken(name) {
                    let written = document.document.range(of: member.slot - 1)
                    found.append(
                        BodyToken(
                            texts: [name], range: start + written.lowerBound..<start + written.upperBound,
                            replacement: "\"\(placeholder)\""))
                }
            }
            guard let text = value.string ?? value.number, !text.isEmpty, text != placeholder else { continue }
            let (isNamed, isNumber) = (isCredential(key), value.number != nil)
            let isShort = !hasNumbers && text.utf8.count < 4
            let isUsual = isShort || !text.utf8.allSatisfy(\.isDigit) || !hasDigits && !isSecretAsNumber(key)
            if isNumber, !isNamed && !hasDigits || isUsual { continue }
            // A time is no secret, whatever it is the time of, nor is a kind of authentication.
            let isSecret = isNamed || isInner
            let isWhole = isToken(text) || isSecret && !kinds.contains(text.lowercased()) && DateText.parse(text) == nil
            let clean = isWhole ? placeholder : withoutTokens(text)
            if clean == text { continue }
            let range = start + value.written.startIndex..<start + value.written.endIndex
            let replacement = isNumber ? "0" : JSONValue(clean).description
            // A word below a secret's name is in other texts too.
            let isSought = isWhole && (!isInner || text.utf8.contains(where: \.isDigit))
            found.append(BodyToken(texts: isSought ? [text] : [], range: range, replacement: replacement))
        }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// The slots of variables of GraphQL that are passed on as credentials: `login(password: $p)`.
    private static func secretArguments(_ document: JSONValue) -> Set<Int> {
        guard let query = document["query"]?.string, let variables = document["variables"] else { return [] }
        let passed = query.matches(of: #/(\w+)\s*:\s*\$(\w+)/#).filter { opens(String($0.1)) }
        return Set(passed.compactMap { variables[String($0.2)]?.slot })
    }

    /// Words of names of credentials that may be numbers; `max_tokens` is none.
    private static let typed: Set = [
        "mfa", "otp", "passcode", "passwd", "password", "pin", "pwd", "secret", "token", "totp",
    ]

    /// Whether a credential's name says that also a number is one.
    private static func isSecretAsNumber(_ name: String) -> Bool {
        !typed.isDisjoint(with: SwiftNames.words(name)) || areKeys(name + "s")
    }

    /// Names of what an object is, that is called like a credential.
    private static let contents: Set = ["content", "hash", "id", "key", "plain", "plaintext", "raw", "secret", "text"]

    /// Whether a name is that of several keys that open something.
    private static func areKeys(_ name: String) -> Bool {
        ["accesskeys", "apikeys", "privatekeys", "secretkeys"].contains(SwiftNames.words(name).suffix(2).joined())
    }

    private static let kinds: Set = ["basic", "bearer", "digest", "none"]

    /// Last words of names of times, amounts and kinds, which are no secrets, whatever they are of.
    private static let plain: Set = [
        "amount", "at", "count", "created", "date", "digits", "exp", "expiration", "expires", "expiry", "iat", "in",
        "issued", "kind", "length", "limit", "name", "nbf", "period", "policy", "seconds", "size", "time", "timestamp",
        "total", "ttl", "type", "updated", "usage", "version",
    ]

    private static func isPlain(_ name: String) -> Bool { plain.contains(SwiftNames.words(name).last ?? "") }

    /// Whether a name is that of a credential. A bare `key` names a thing more often than it opens one.
    private static func opens(_ name: String) -> Bool {
        SecretName.isCredential(name) && name.lowercased() != "key" && !isPlain(name)
    }

    /// The credentials in a text that is neither JSON nor a form: what stands after a name, as in `token=…`, `token: "…"` and `<token>…`, up to the
    /// next delimiter, and words that look like one. In lines, any value after a colon counts. The cost is linear in the text.
    private static func credentials(in text: [UInt8], _ hasLines: Bool = false) -> [String] {
        let words = text.split { " \t\r\n\"'<>=&?;,(){}[]|\\".utf8.contains($0) }
        // Most words have no digit, which every token has.
        var found = zip(words, [[]] + words).filter { $0.0.contains(where: \.isDigit) }
            .map { (String(exactBytes: $0), String(exactBytes: $1)) }
            .filter { isToken($0) || isToken("\($1) \($0)") }.map(\.0)
        if text.firstRange(of: privateKey) != nil { found.append(String(exactBytes: text)) }
        var start = 0
        while let sign = text[start...].firstIndex(where: "=:<".utf8.contains) {
            let isTag = text[sign] == UInt8(ascii: "<")
            let rest = text[(sign + 1)...]
            let name =
                isTag
                ? rest.prefix(longestName + 1).prefix { !" \t\r\n>".utf8.contains($0) } : lastWord(text[start..<sign])
            start = sign + 1
            let value = rest.drop { " \t".utf8.contains($0) }
            let isQuoted = value.first.map("\"'".utf8.contains) ?? false
            let isItem = text[sign] == UInt8(ascii: "=") && !isQuoted
            guard isTag || isItem || isQuoted || hasLines, isCredential(name, isItem: isItem) else { continue }
            let inner = value.drop { "\"'".utf8.contains($0) }
            // Nothing is between two quotes, or after the sign.
            let ends = isItem ? "&\r\n" : inner.startIndex - value.startIndex == 2 ? " \t\r\n,;)]}>/&" : nil
            if !isTag, let ends, inner.first.map(ends.utf8.contains) ?? true { continue }
            let after = isTag ? rest.prefix(2 * longestName).drop { $0 != UInt8(ascii: ">") }.dropFirst() : inner
            let content = after.prefix { !"\"'&<\r\n".utf8.contains($0) }
            let credential = String(exactBytes: content.trimmingBlanks())
            if credential != placeholder { found.append(credential) }
            start = max(start, content.endIndex)
        }
        return found
    }

    /// Whether a part of a text is the name of a credential, and not of an element that ends. A bare `key` is one in items such as `key=…` only.
    private static func isCredential(_ name: ArraySlice<UInt8>, isItem: Bool) -> Bool {
        guard name.count <= longestName, name.first != UInt8(ascii: "/"), name.last != UInt8(ascii: "/") else {
            return false
        }
        let word = PercentEncoding.decode(String(exactBytes: name))
        return isItem ? SecretName.isCredential(word) : opens(word)
    }

    /// The name at the end of a text, without quotes and blanks after it.
    private static func lastWord(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let last = text.lastIndex { !" \t\"'\\".utf8.contains($0) } ?? text.startIndex - 1
        let start = text[..<(last + 1)].lastIndex {
            !$0.isLetterOrDigit && !"_-.$[]%+".utf8.contains($0) && $0 < 0x80
        }
        return text[(start.map { $0 + 1 } ?? text.startIndex)..<(last + 1)]
    }

    /// The texts of the credentials that are long enough to be looked for.
    package static func texts(in body: [UInt8], _ contentType: String?) -> Set<String> {
        Set(all(in: body, contentType).flatMap(\.texts).filter { $0.utf8.count >= shortest })
    }

    /// The body with a placeholder for each credential.
    package static func removed(from body: [UInt8], _ contentType: String?) -> [UInt8] {
        removing(all(in: body, contentType), from: body)
    }

    /// The body as `redact` leaves it. What of JSON is not between quotes and has a secret in it becomes 0, so that JSON stays JSON.
    package static func redacted(_ body: [UInt8], by redact: ([UInt8]) -> [UInt8]) -> [UInt8] {
        func isJSON(_ text: [UInt8]) -> Bool { (try? JSONDocument.all(in: text)) != nil }
        let text = redact(body)
        if text == body || !isJSON(body) || isJSON(text) { return text }
        var (isText, isEscaped) = (false, false)
        let words = body.split { byte in
            if byte == UInt8(ascii: "\""), !isEscaped { isText.toggle() }
            isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            return isText || " \t\r\n,:[]{}\"".utf8.contains(byte)
        }
        let tokens = words.filter { redact(Array($0)) != Array($0) }
            .map { BodyToken(texts: [], range: $0.indices, replacement: "0") }
        return redact(removing(tokens, from: body))
    }

    static func removing(_ tokens: [BodyToken], from body: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var start = 0
        for token in tokens {
            result += body[start..<token.range.lowerBound] + token.replacement.utf8
            start = token.range.upperBound
        }
        return result + body[start...]
    }

    /// The text, unless it is a token or holds one. Of a URL, all but the values of its query's credentials stays.
    package static func cleaned(_ text: String) -> String { isToken(text) ? placeholder : withoutTokens(text) }

    /// The same of a text that is no token as a whole.
    private static func withoutTokens(_ text: String) -> String {
        let text = withoutUser(text)
        func isSafe(_ text: String, depth: Int = 0) -> Bool {
            if holdsToken(text) || isWebhook(text) { return false }
            // A URL in a URL's query, and again in that one's.
            let decoded = text.utf8.contains(UInt8(ascii: "%")) ? PercentEncoding.decode(text) : text
            return decoded == text || depth > 3 || isSafe(decoded, depth: depth + 1)
        }
        if isSafe(text) { return text }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return placeholder }
        let items = parts[1].split(separator: "&", omittingEmptySubsequences: false).map { item in
            let (name, value) = FormText.item(item)
            let hasSecret = isSecret(name, value ?? "") || value.map { cleaned($0) != $0 } ?? false
            return hasSecret ? item.prefix { $0 != "=" } + "=" + placeholder : item
        }
        let rest = String(parts[0] + "?" + items.joined(separator: "&"))
        return isSafe(rest) ? rest : placeholder
    }

    /// A URL without user and password; a name alone, as in `ssh://git@host`, may stay.
    private static func withoutUser(_ text: String) -> String {
        // Most texts.
        guard text.utf8.contains(UInt8(ascii: "@")), let start = text.firstRange(of: "://")?.upperBound,
            let end = text[start...].prefix(while: { !"/?# ".contains($0) }).lastIndex(of: "@")
        else { return text }
        let user = text[start..<end]
        if user.utf8.count < 16, !user.contains(":") { return text }
        return text[..<start] + placeholder + text[end...]
    }

    /// Whether a text that is no token as a whole has one in it.
    private static func holdsToken(_ text: String) -> Bool {
        if text.utf8.firstRange(of: privateKey) != nil { return true }
        guard let first = text.utf8.first, text.utf8.contains(where: "=:<[".utf8.contains) else {
            return text.utf8.count > 20 && text.split(separator: " ").contains { isToken(String($0)) }
        }
        let bytes = text.exactBytes
        return "{[".utf8.contains(first) ? !all(in: bytes, nil).isEmpty : !credentials(in: bytes).isEmpty
    }

    /// Whether a value is a credential, by its name or its looks; a number of tokens is none.
    static func isSecret(_ name: String, _ value: String) -> Bool {
        let isCount = SwiftNames.words(name).last == "tokens" && value.utf8.allSatisfy(\.isDigit)
        return !value.isEmpty && (SecretName.isCredential(name) && !isCount || isToken(value))
    }
}
