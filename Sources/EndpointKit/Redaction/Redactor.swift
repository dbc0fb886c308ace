import JSONText
import Synchronization

/// Removes known secrets from text that may repeat them: wire traffic, messages of servers and libraries, recordings.
///
/// The secrets are found in the spellings of ``SecretSpellings``. Nothing is prepared before there is a text.
package struct Redactor: Sendable {
    private let requests: [Request]
    private let others: [SensitiveText]
    private var added: Set<String> = []
    private var search: LazySearch

    /// A text up to this length may be a message, in which a server or a library cuts what it quotes, in bytes.
    private static let maxMessageLength = 4096

    /// A redactor of the secrets of `request` and of `others`.
    package init(_ request: Request? = nil, others: [SensitiveText] = []) {
        requests = request.map { [$0] } ?? []
        self.others = others
        search = LazySearch(requests, others, [])
    }

    /// Removes `secrets` from text too.
    package mutating func add(_ secrets: Set<String>) {
        if secrets.isSubset(of: added) { return }
        added.formUnion(secrets)
        search = LazySearch(requests, others, added)
    }

    /// A search that is prepared when it is first needed.
    private final class LazySearch: Sendable {
        private let requests: [Request]
        private let others: [SensitiveText]
        private let added: Set<String>
        private let prepared = Mutex<SecretSearch?>(nil)

        init(_ requests: [Request], _ others: [SensitiveText], _ added: Set<String>) {
            self.requests = requests
            self.others = others
            self.added = added
        }

        var value: SecretSearch {
            prepared.withLock { prepared in
                if let prepared { return prepared }
                let secrets = Redactor.secrets(of: requests, others: others).union(added)
                let search = SecretSearch(Set(secrets.flatMap(SecretSpellings.all)))
                prepared = search
                return search
            }
        }
    }

    /// The secrets of `requests`, and of `others`.
    package static func secrets(of requests: [Request], others: [SensitiveText] = []) -> Set<String> {
        var found: Set<String> = []
        for text in requests.flatMap({ $0.headers.map(\.value) + $0.query.map(\.value) }) + others {
            for piece in text.pieces {
                switch piece {
                case .text: break
                case .secret(let secret): found.insert(secret.reveal() ?? "")
                case .basic(_, let password):
                    // A user name is not a secret, and is often a word that occurs elsewhere.
                    found.insert(password.reveal() ?? "")
                    found.insert((try? SensitiveText([piece]).reveal()) ?? "")
                }
            }
        }
        for secret in requests.flatMap(\.formerSecrets) { found.insert(secret.reveal() ?? "") }
        for header in requests.flatMap(\.headers) {
            if header.isConfidential { found.formUnion(secrets(of: header.name, header.value.description)) }
            // Of one that was typed it is not known which part is the secret.
            for case .secret(let secret) in header.value.pieces where secret.variable == nil {
                found.formUnion(secrets(of: header.name, secret.reveal() ?? ""))
            }
        }
        return found
    }

    /// The shortest cookie value, in bytes, that is removed without its name too: shorter ones are parts of many texts.
    private static let shortestCookie = 4

    /// Returns the confidential parts of a header that was typed.
    private static func secrets(of name: String, _ value: String) -> [String] {
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
        return search.value.ranges(in: bytes, cuts: cuts)
            .map { SecretFinding(range: $0, values: [], replacement: SecretRules.markBytes) }.applied(to: bytes)
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
    func finds(in bytes: [UInt8]) -> Bool { !search.value.ranges(in: bytes).isEmpty }

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
