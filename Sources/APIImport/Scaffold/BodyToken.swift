import EndpointKit
import JSONText

/// A credential in a body, by its name or its looks: what a server has just issued, or a client has sent.
package struct BodyToken {
    /// The shortest token that is looked for elsewhere, in bytes; shorter ones are in other words too.
    private static let shortest = 4

    /// The longest name that is looked at, in bytes.
    private static let longestName = 100

    static let placeholder = "(redacted)"

    /// The value, without escapes; empty if only a part of it is secret.
    let text: String
    /// Where the value stands in the body, and what stands there instead.
    let range: Range<Int>
    let replacement: String

    /// The credentials in a form, in JSON or, if nothing is said about the type, in another text; in their order. Of a request, numbers and lines
    /// such as `token: …` are read too.
    static func all(in body: [UInt8], _ contentType: String?, isRequest: Bool = false) -> [BodyToken] {
        if contentType?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
            return body.split(separator: UInt8(ascii: "&")).compactMap { pair in
                let item = FormText.item(Substring(String(exactBytes: pair)))
                guard let text = item.value, isSecret(item.name, text) else { return nil }
                let value = pair.drop { $0 != UInt8(ascii: "=") }.dropFirst()
                return BodyToken(text: text, range: value.indices, replacement: placeholder)
            }
        }
        guard let documents = try? JSONDocument.all(in: body) else {
            return contentType == nil ? named(in: body, isRequest) : []
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

    /// The credentials in a document of JSON, which starts at `start` of the text.
    private static func all(in document: JSONValue, at start: Int, _ hasNumbers: Bool) -> [BodyToken] {
        var open = [(key: "", value: document)]
        var found: [BodyToken] = []
        // The elements of a list have the same keys.
        var credentials: [String: Bool] = [:]
        while let (key, value) = open.popLast() {
            open += value.elements?.map { (key, $0) } ?? value.members ?? []
            guard let text = value.string ?? (hasNumbers ? value.number : nil), !text.isEmpty else { continue }
            let isNamed = credentials[key] ?? opens(key)
            credentials[key] = isNamed
            let isNumber = value.number != nil
            if isNumber, !isNamed || typed.isDisjoint(with: SwiftNames.words(key)) { continue }
            // A time is no secret, whatever it is the time of.
            let isToken = isToken(text) || isNamed && DateText.parse(text) == nil
            let clean = isToken ? placeholder : withoutTokens(text)
            if clean == text { continue }
            let replacement = isNumber ? "0" : JSONValue(clean).description
            let range = start + value.written.startIndex..<start + value.written.endIndex
            found.append(BodyToken(text: isToken ? text : "", range: range, replacement: replacement))
        }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// Words of names of credentials that may be numbers; `max_tokens` is none.
    private static let typed: Set = ["mfa", "otp", "passcode", "passwd", "password", "pin", "pwd", "totp"]

    /// Whether a name is that of a credential. A bare `key` names a thing more often than it opens one.
    private static func opens(_ name: String) -> Bool { SecretName.isCredential(name) && name.lowercased() != "key" }

    /// The credentials after their names in any text: `token=…`, `token: "…"`, `<token>…</token>`, and in lines such as `token: …`. The cost is
    /// linear in the text.
    private static func named(in text: [UInt8], _ hasLines: Bool = false) -> [BodyToken] {
        var found: [BodyToken] = []
        // Where a name and a tag may begin, and where an item without quotes ends.
        var (start, tag, end) = (0, Int?.none, 0)
        while let sign = text[start...].firstIndex(where: "=:<>".utf8.contains) {
            var name = lastWord(text[start..<sign])
            var value = text[(sign + 1)...].drop { " \t".utf8.contains($0) }
            var (isItem, mayBeToken) = (false, true)
            start = sign + 1
            switch (Unicode.Scalar(text[sign]), value.first.map { Unicode.Scalar($0) }) {
            case ("<", _):
                tag = start
                continue
            case (">", _):
                guard let open = tag else { continue }
                name = text[open..<sign].prefix { !" \t\r\n".utf8.contains($0) }
                value = text[start...]
                // Of a section (CDATA) or after a comment, all that the element holds.
                let isSection =
                    name.count <= longestName && value.drop { " \t\r\n".utf8.contains($0) }.starts(with: "<!".utf8)
                    && opens(String(exactBytes: name))
                value =
                    isSection
                    ? value.prefix(before: "</" + String(exactBytes: name)) : value.prefix { $0 != UInt8(ascii: "<") }
                tag = nil
            case (_, "\"") where value.starts(with: "\"\"\"".utf8):
                value = value.dropFirst(3).prefix(before: "\"\"\"")
            case (_, "\""), (_, "'"):
                var isEscaped = false
                let quote = value.first
                value = value.dropFirst().prefix { byte in
                    defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
                    return byte != quote || isEscaped
                }
            case ("=", _):
                (isItem, mayBeToken) = (true, end < start)
                if mayBeToken { end = text[start...].firstIndex(where: "?&;#\r\n".utf8.contains) ?? text.count }
                value = text[start..<end]
            case (":", _) where hasLines:
                guard let own = self.value(value, after: name, of: text) else { continue }
                value = own
            default: continue
            }
            guard value.contains(where: { !" \t\r\n".utf8.contains($0) }), name.count <= longestName,
                name.first != UInt8(ascii: "/")
            else { continue }
            let word = PercentEncoding.decode(String(exactBytes: name))
            let isNamed = isItem ? SecretName.isCredential(word) : opens(word)
            guard isNamed || mayBeToken, case let secret = String(exactBytes: value).withoutSections,
                isToken(secret) || isNamed && DateText.parse(secret) == nil
            else { continue }
            found.append(BodyToken(text: secret, range: value.indices, replacement: placeholder))
            start = value.endIndex
        }
        return found
    }

    /// What a name at the start of a line or after a brace or comma has as its value in `rest`: one word, or the lines of a block of YAML; nil if it
    /// is neither.
    private static func value(
        _ rest: ArraySlice<UInt8>, after name: ArraySlice<UInt8>, of text: [UInt8]
    ) -> ArraySlice<UInt8>? {
        var value = rest.prefix { !"\r\n".utf8.contains($0) }
        if startsLine(name, of: text) {
            let isMark = value.first.map("|>".utf8.contains) ?? false
            guard isMark, value.dropFirst().allSatisfy({ " \t+-".utf8.contains($0) || $0.isDigit }),
                opens(String(exactBytes: name))
            else { return isWord(value, after: name) ? value.trimmingBlanks() : nil }
            let line = text[..<name.startIndex].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            let indent = text[line...].prefix { " -".utf8.contains($0) }.count
            // The lines that are empty or indented more.
            var end = value.endIndex
            while let line = text[end...].firstIndex(of: 0x0A).map({ text[($0 + 1)...].prefix { $0 != 0x0A } }) {
                let isBlank = line.allSatisfy { " \t\r".utf8.contains($0) }
                guard isBlank || line.prefix(while: { $0 == 0x20 }).count > indent else { break }
                end = line.endIndex
            }
            let block = text[value.endIndex..<end].drop { " \t\r\n".utf8.contains($0) }
            return block.prefix(through: block.lastIndex { !" \t\r\n".utf8.contains($0) } ?? block.startIndex - 1)
        }
        let before = text[..<name.startIndex].last { !" \t\r\n\"'".utf8.contains($0) }
        guard before.map("{,".utf8.contains) ?? false else { return nil }
        value = value.prefix { !",}()".utf8.contains($0) }
        let isClosed = value.endIndex < text.count && ",}".utf8.contains(text[value.endIndex])
        return isClosed && isWord(value, after: name) ? value.trimmingBlanks() : nil
    }

    /// Whether there are only blanks, quotes and the marks of lists and quotations before a part of a line.
    private static func startsLine(_ part: ArraySlice<UInt8>, of text: [UInt8]) -> Bool {
        text[..<part.startIndex].last { !(" \t-*>\"'.".utf8.contains($0) || $0.isDigit || $0 >= 0x80) }
            .map { $0 == 0x0A } ?? true
    }

    /// Whether a line is a name and one word, which may follow the scheme of a credential: not a sentence, and no variable, type or bracket as
    /// in GraphQL and YAML.
    private static func isWord(_ line: ArraySlice<UInt8>, after name: ArraySlice<UInt8>) -> Bool {
        let (text, name) = (String(exactBytes: line), String(exactBytes: name))
        let words = text.split(separator: " ")
        guard let word = words.last,
            words.count == 1 || ["basic", "bearer", "token"].contains(words[0].lowercased()) && words.count == 2
        else { return false }
        let type = word.drop { $0 == "[" }.prefix { !"]!".contains($0) }
        return name.first != "$" && word != "$" + name
            && !["true", "false", "null", "{", "|", ">", "Boolean", "Float", "ID", "Int", "String"].contains(type)
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
        Set(all(in: body, contentType).map(\.text).filter { $0.utf8.count >= shortest })
    }

    /// The body with a placeholder for each credential.
    package static func removed(from body: [UInt8], _ contentType: String?) -> [UInt8] {
        removing(all(in: body, contentType), from: body)
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

    /// A text without what looks like a token, and without what stands in it after a name like one.
    static func cleaned(_ text: String) -> String {
        isToken(text) ? placeholder : withoutTokens(text)
    }

    /// The same of a text that is no token as a whole.
    private static func withoutTokens(_ text: String) -> String {
        guard let first = text.utf8.first, text.utf8.contains(where: "=:>[".utf8.contains) else { return text }
        let body = text.exactBytes
        let tokens = "{[".utf8.contains(first) ? all(in: body, nil) : named(in: body)
        return tokens.isEmpty ? text : String(exactBytes: removing(tokens, from: body))
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
        guard text.utf8.contains(where: \.isDigit) else { return false }
        let words = text.split(separator: " ", maxSplits: 2)
        if words.count == 2, ["basic", "bearer"].contains(words[0].lowercased()) { return words[1].utf8.count >= 8 }
        guard text.utf8.count >= 20, !text.utf8.contains(where: " /".utf8.contains) else { return false }
        // `bot123456:AbC…`, as Telegram's paths have it, and JSON Web Tokens.
        let isBot = text.hasPrefix("bot") && text.dropFirst(3).first?.isNumber == true && text.contains(":")
        return isBot || text.hasPrefix("eyJ") && text.contains(".") || starts.contains(where: text.hasPrefix)
    }

    /// Whether a segment of a path is random: letters of both cases and digits, of which one kind follows the other more often than in words.
    static func isRandom(_ segment: String) -> Bool {
        let kinds = segment.utf8.map { byte in
            byte.isDigit ? 0 : (0x41...0x5A).contains(byte) ? 1 : (0x61...0x7A).contains(byte) ? 2 : 3
        }
        let changes = zip(kinds, kinds.dropFirst()).count { $0 != $1 }
        return kinds.count >= 20 && Set(kinds).isSuperset(of: [0, 1, 2]) && 3 * changes >= kinds.count
            && segment.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
    }

    /// The places of the segments of a webhook's path that make it secret, such as the last one of `/hooks/catch/1234567/bxq9k2z`.
    static func webhook(_ segments: [String]) -> Set<Int> {
        let hooks = ["hook", "hooks", "webhook", "webhooks"]
        func isHook(_ segment: String) -> Bool { hooks.contains(segment.lowercased()) }
        // The others are those of other things too.
        let words = hooks + ["services", "workflows", "triggers"]
        guard let start = segments.firstIndex(where: { words.contains($0.lowercased()) }) else { return [] }
        let rest = segments.indices.dropFirst(start + 1).filter { !segments[$0].isEmpty }
        let secret = rest.filter { place in
            let segment = segments[place]
            let hasLetter = segment.utf8.contains { $0.isLetterOrDigit && !$0.isDigit }
            let isMixed = segment.utf8.count >= 6 && hasLetter && segment.utf8.contains(where: \.isDigit)
            return isRandom(segment) || isHook(segments[start]) && (isMixed || segment.utf8.count >= 24)
        }
        // Where a token has its place it may be of letters alone: Zapier's `/hooks/catch/1234567/TOKEN`, Slack's `/services/T024BE7LH/B0AB1CD2F/TOKEN`.
        guard rest.count >= 3 else { return Set(secret) }
        let (first, second) = (segments[rest[0]], segments[rest[1]])
        let isZapier = first == "catch" && second.utf8.allSatisfy(\.isDigit)
        let isSlack =
            first.first == "T" && first.utf8.count >= 8 && first.utf8.contains(where: \.isDigit)
            && first.utf8.allSatisfy { $0.isDigit || (0x41...0x5A).contains($0) }
        return Set(secret + (isZapier || isSlack ? rest.suffix(1) : []))
    }
}

extension String {
    /// The text without the marks of sections (XML 1.0, section 2.7).
    fileprivate var withoutSections: String {
        replacingBytes(of: "<![CDATA[", with: "").replacingBytes(of: "]]>", with: "")
    }
}

extension ArraySlice<UInt8> {
    /// The start up to a text, or all of it.
    fileprivate func prefix(before end: String) -> Self {
        prefix(upTo: firstRange(of: end.utf8)?.lowerBound ?? endIndex)
    }
}
