import JSONText
import Synchronization

/// Removes known secrets from text that may repeat them: wire traffic, messages of servers and libraries, recordings.
///
/// The secrets are found in the spellings of ``SecretSpellings``. Nothing is prepared before there is a text.
package struct Redactor: Sendable {
    /// The secrets of the request and of other texts.
    private let own: LazySearch
    /// The secrets that were added, in groups of which each has more than the next one.
    private var added: [LazySearch] = []

    /// A text up to this length may be a message, in which a server or a library cuts what it quotes, in bytes.
    private static let maxMessageLength = 4096

    /// A redactor of the secrets of `request` and of `others`.
    package init(_ request: Request? = nil, others: [SensitiveText] = []) {
        own = LazySearch { Self.secrets(of: request.map { [$0] } ?? [], others: others) }
    }

    /// Removes `secrets` from text too.
    ///
    /// A group that is not larger than the new one is joined with it. So the groups double in size, and of many
    /// secrets that are added one by one, each is prepared a few times only.
    package mutating func add(_ secrets: Set<String>) {
        var group = secrets.filter { secret in !added.contains { $0.secrets.contains(secret) } }
        if group.isEmpty { return }
        while let last = added.last, last.secrets.count <= group.count {
            group.formUnion(last.secrets)
            added.removeLast()
        }
        added.append(LazySearch { [group] in group })
    }

    /// A search for secrets, which is prepared when it is first needed.
    private final class LazySearch: Sendable {
        private let makeSecrets: @Sendable () -> Set<String>
        private let prepared = Mutex<SecretSearch?>(nil)

        init(_ makeSecrets: @escaping @Sendable () -> Set<String>) { self.makeSecrets = makeSecrets }

        var secrets: Set<String> { makeSecrets() }

        var search: SecretSearch {
            prepared.withLock { prepared in
                if let prepared { return prepared }
                let search = SecretSearch(Set(secrets.flatMap(SecretSpellings.all)))
                prepared = search
                return search
            }
        }
    }

    /// Returns the secrets of `requests`, also of earlier ones that were redirected to them, and of `others`.
    package static func secrets(of requests: [Request], others: [SensitiveText] = []) -> Set<String> {
        let headers = requests.flatMap(\.headers)
        let texts = headers.map(\.value) + requests.flatMap(\.query).map(\.value) + others
        var secrets = Set(texts.flatMap(\.pieces).flatMap { Self.secrets(in: $0) })
        secrets.formUnion(requests.flatMap(\.formerSecrets).compactMap { $0.reveal() })
        for header in headers {
            if header.isConfidential { secrets.formUnion(parts(of: header.name, header.value.description)) }
            // A typed header is a secret as a whole, and a server may repeat a part of it.
            for case .secret(let secret) in header.value.pieces where secret.variable == nil {
                secrets.formUnion(parts(of: header.name, secret.reveal() ?? ""))
            }
        }
        return secrets
    }

    private static func secrets(in piece: SensitiveText.Piece) -> [String] {
        switch piece {
        case .text: return []
        case .secret(let secret): return [secret.reveal() ?? ""]
        case .basic(_, let password):
            // A user name is not a secret, and is often a word that occurs elsewhere.
            let encodedPair = (try? SensitiveText([piece]).reveal()) ?? ""
            return [password.reveal() ?? "", encodedPair]
        }
    }

    /// The shortest cookie value, in bytes, that is removed without its name too: shorter ones are parts of many texts.
    private static let shortestCookie = 4

    /// Returns the confidential parts of a header that was typed.
    private static func parts(of name: String, _ value: String) -> [String] {
        if name.isSameName(as: "Cookie") { return value.split(separator: ";").compactMap(cookieSecret) }
        // The token of `Bearer token`; of `Digest username="u", response="r"`, all after the scheme and the last item.
        let words = value.split(separator: " ", maxSplits: 1)
        return [words.last, value.split(separator: " ").last].compactMap { $0.map(String.init) }
    }

    /// Returns the value of a cookie without its quotes, or `name=value` if the value is short; nil without a value.
    private static func cookieSecret(_ pair: Substring) -> String? {
        let pair = pair.drop { $0 == " " }
        let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? parts[1] : pair
        let isQuoted = value.count > 1 && value.first == "\"" && value.last == "\""
        let bare = isQuoted ? value.dropFirst().dropLast() : value
        if bare.isEmpty { return nil }
        return String(bare.utf8.count < shortestCookie ? pair : bare)
    }
}

// MARK: Texts

extension Redactor {
    /// Returns `text` with `(redacted)` in place of secrets, and of user and password in a URL such as a proxy's.
    package func redact(_ text: String) -> String {
        let bytes = redact(text.exactBytes)
        return String(exactBytes: PlainTextSecrets(bytes).users(in: bytes.indices).applied(to: bytes))
    }

    /// Returns `bytes` with `(redacted)` in place of secrets.
    ///
    /// - Parameter isCut: Whether the bytes may end within a secret.
    package func redact(_ bytes: [UInt8], isCut: Bool = false) -> [UInt8] {
        var cuts = bytes.count <= Self.maxMessageLength ? Self.ellipses(in: bytes) : []
        if isCut { cuts.insert(bytes.count) }
        return ranges(in: bytes, cuts: cuts)
            .map { SecretFinding(range: $0, values: [], replacement: SecretRules.markBytes) }.applied(to: bytes)
    }

    /// Returns where the secrets are, as ``SecretSearch/ranges(in:cuts:)`` does.
    private func ranges(in bytes: [UInt8], cuts: Set<Int> = []) -> [Range<Int>] {
        let all = ([own] + added).flatMap { $0.search.ranges(in: bytes, cuts: cuts) }
        var joined: [Range<Int>] = []
        for range in all.sorted(by: { $0.upperBound < $1.upperBound }) { SecretSearch.append(range, to: &joined) }
        return joined
    }

    /// Returns a body without secrets, in which a number of JSON that is one becomes `0`, so that JSON stays JSON.
    ///
    /// - Parameter isCut: Whether the body may end within a secret.
    package func redact(body: [UInt8], isCut: Bool = false) -> [UInt8] {
        let shown = redact(body, isCut: isCut)
        guard shown != body, Self.isJSON(body), !Self.isJSON(shown) else { return shown }
        return Self.replacingBareMarks(in: shown)
    }

    /// Returns whether `bytes` contain a secret in any spelling.
    func finds(in bytes: [UInt8]) -> Bool { !ranges(in: bytes).isEmpty }

    private static func isJSON(_ text: [UInt8]) -> Bool { (try? JSONDocument.all(in: text)) != nil }

    /// Returns JSON with `0` in place of what holds ``SecretRules/mark`` outside of strings.
    private static func replacingBareMarks(in text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = text[...]
        while let first = rest.first {
            let part: ArraySlice<UInt8>
            if first == UInt8(ascii: "\"") {
                part = string(atStartOf: rest)
                result += part
            } else if " \t\r\n,:[]{}".utf8.contains(first) {
                part = rest.prefix(1)
                result += part
            } else {
                part = rest.prefix { !" \t\r\n,:[]{}\"".utf8.contains($0) }
                let holdsMark = part.firstRange(of: SecretRules.markBytes) != nil
                result += holdsMark ? [UInt8(ascii: "0")] : Array(part)
            }
            rest = rest[part.endIndex...]
        }
        return result
    }

    /// Returns the string of JSON that `text` starts with, with its quotes.
    private static func string(atStartOf text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = text.startIndex + 1
        while end < text.endIndex, text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return text[..<min(end + 1, text.endIndex)]
    }

    /// Returns the positions of `…` or `...`, which stand for the rest of a quotation.
    private static func ellipses(in bytes: [UInt8]) -> Set<Int> {
        Set(bytes.indices.filter { bytes[$0...].starts(with: "…".utf8) || bytes[$0...].starts(with: "...".utf8) })
    }
}

extension ResponseHead {
    /// Returns these headers without the secrets that `redactor` knows, which a server may have repeated.
    package func redacted(by redactor: Redactor) -> ResponseHead {
        var head = self
        head.reason = redactor.redact(reason)
        head.fields = fields.map { field in
            let shown = ResponseHead.Field(redactor.redact(field.name), redactor.redact(field.value))
            // A secret with a colon may begin in the name.
            let line = "\(shown.name):\(shown.value)"
            return redactor.redact(line) == line ? shown : ResponseHead.Field("(redacted)", "(redacted)")
        }
        return head
    }

    /// Returns the media type to show. Secrets are removed first: a type is cut at its parameters and in lower case,
    /// which could leave half of one.
    package func mediaType(redactedBy redactor: Redactor) -> String? { redacted(by: redactor).mediaType }
}

extension Response {
    /// Returns this response without the secrets that `redactor` knows.
    package func redacted(by redactor: Redactor) -> Response {
        Response(head: head.redacted(by: redactor), body: redactor.redact(body: body))
    }
}
