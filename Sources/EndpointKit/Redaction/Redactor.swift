import JSONText
import Locking

/// Removes known secrets from text that may repeat them: wire traffic, messages of servers and libraries, recordings.
///
/// The secrets are found in the spellings of ``SecretSpellings``. Nothing is prepared before there is a text.
package struct Redactor: Sendable {
    /// The search for the secrets of the request and of the other texts that the redactor was created with.
    private let initialSearch: LazySearch
    /// The searches for secrets that were added later, in groups of which each has more secrets than the next one.
    private var addedSearches: [LazySearch] = []
    /// The values that the request's signers have added by the time a text is redacted; nil without signers.
    private var signedValues: SignedValues?

    /// A text up to this length may be a message, in which a server or a library cuts what it quotes, in bytes.
    private static let maxMessageLength = 4096

    /// A redactor of the secrets of `request` and of `others`.
    package init(_ request: Request? = nil, others: [SensitiveText] = []) {
        initialSearch = LazySearch {
            guard let request else { return Self.secrets(of: [], others: others) }
            return Self.secrets(of: [request], others: others)
        }
        signedValues = request?.signing?.signedValues
    }

    /// Makes this redactor remove `secrets` too.
    ///
    /// The secrets are kept in groups, because a search for a group has to be prepared. A group that is not larger
    /// than the new one is joined with it. So the groups double in size, and each of many secrets that are added one
    /// by one is prepared only a few times.
    package mutating func add(_ secrets: Set<String>) {
        var newGroup = secrets.filter { secret in !addedSearches.contains { $0.secrets.contains(secret) } }
        if newGroup.isEmpty { return }
        while let smallest = addedSearches.last, smallest.secrets.count <= newGroup.count {
            newGroup.formUnion(smallest.secrets)
            addedSearches.removeLast()
        }
        addedSearches.append(LazySearch { [newGroup] in newGroup })
    }

    /// Makes this redactor remove the values of cookies too.
    package mutating func add(cookies: CookieJar) {
        let pairs = cookies.cookies.map { "\($0.id.name)=\($0.value)" }
        add(Set(pairs.compactMap { Self.cookieSecret($0[...]) }))
    }

    /// A search for secrets, which is prepared when it is first needed.
    private final class LazySearch: Sendable {
        private let makeSecrets: @Sendable () -> Set<String>
        private let prepared = Lock<SecretSearch?>(nil)

        init(_ makeSecrets: @escaping @Sendable () -> Set<String>) { self.makeSecrets = makeSecrets }

        var secrets: Set<String> { makeSecrets() }

        /// The search for all spellings of the secrets, prepared at the first use.
        var search: SecretSearch {
            prepared.withLock { prepared in
                if let prepared { return prepared }
                let search = SecretSearch(Set(secrets.flatMap(SecretSpellings.all)))
                prepared = search
                return search
            }
        }
    }

    /// Returns the texts that must be removed from whatever may repeat a part of `requests`, such as a response.
    ///
    /// - Parameters:
    ///   - requests: Requests that were sent. The secrets of their headers and queries are returned. If a request is
    ///     the result of a redirect, so are the secrets of the request before it.
    ///   - others: Other texts that hold secrets.
    package static func secrets(of requests: [Request], others: [SensitiveText] = []) -> Set<String> {
        var secrets: Set<String> = []
        for text in others { secrets.formUnion(Self.secrets(in: text)) }
        for request in requests {
            for header in request.headers { secrets.formUnion(Self.secrets(in: header)) }
            for item in request.query { secrets.formUnion(Self.secrets(in: item.content)) }
            let unsentSecrets = request.signing?.signers.flatMap(\.secrets) ?? []
            for secret in request.formerSecrets + unsentSecrets {
                if let value = secret.reveal() { secrets.insert(value) }
            }
        }
        return secrets
    }

    /// Returns the secrets of a header, and those parts of it that a server may repeat alone.
    ///
    ///     Authorization: Bearer abc    →    abc
    ///
    /// Only a header that a person typed has such parts, because a declared credential keeps its secret apart from the
    /// text before it.
    private static func secrets(in header: HTTPField) -> [String] {
        var secrets = Self.secrets(in: header.content)
        if header.isConfidential { secrets += confidentialParts(of: header.name, header.value) }
        for case .secret(let secret) in header.content.pieces where secret.variable == nil {
            if let typedValue = secret.reveal() { secrets += confidentialParts(of: header.name, typedValue) }
        }
        return secrets
    }

    /// Returns the secrets of a text in plain form. For a user and password, these are the password alone, and the
    /// Base64 of both, which is sent (RFC 7617).
    private static func secrets(in text: SensitiveText) -> [String] {
        var secrets: [String] = []
        for piece in text.pieces {
            switch piece {
            case .text:
                continue
            case .secret(let secret):
                secrets.append(secret.reveal() ?? "")
            case .basic(_, let password):
                // A user name is not a secret, and is often a word that occurs elsewhere.
                secrets.append(password.reveal() ?? "")
                secrets.append((try? SensitiveText([piece]).reveal()) ?? "")
            }
        }
        return secrets
    }

    /// The shortest cookie value, in bytes, that is removed without its name too: shorter ones are parts of many texts.
    private static let shortestCookie = 4

    /// Returns the confidential parts of the value of a header that a person typed.
    ///
    ///     Bearer abc                             →    abc
    ///     Digest username="u", response="r"      →    username="u", response="r"    and    response="r"
    ///     a=first; b=second  (of a Cookie)       →    first    and    second
    private static func confidentialParts(of headerName: String, _ value: String) -> [String] {
        if headerName.isSameName(as: "Cookie") { return value.split(separator: ";").compactMap(cookieSecret) }
        let schemeAndCredentials = value.split(separator: " ", maxSplits: 1)
        var parts: [String] = []
        if let credentials = schemeAndCredentials.last { parts.append(String(credentials)) }
        if let lastWord = value.split(separator: " ").last { parts.append(String(lastWord)) }
        return parts
    }

    /// Returns the value of a cookie without its quotes, or `name=value` if the value is short; nil without a value.
    private static func cookieSecret(_ cookie: Substring) -> String? {
        let pair = cookie.drop { $0 == " " }
        let nameAndValue = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = nameAndValue.count == 2 ? nameAndValue[1] : pair
        let isQuoted = value.count > 1 && value.first == "\"" && value.last == "\""
        let unquoted = isQuoted ? value.dropFirst().dropLast() : value
        if unquoted.isEmpty { return nil }
        return String(unquoted.utf8.count < shortestCookie ? pair : unquoted)
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
        var cuts: Set<Int> = []
        if bytes.count <= Self.maxMessageLength { cuts = Self.ellipses(in: bytes) }
        if isCut { cuts.insert(bytes.count) }
        let findings = ranges(in: bytes, cuts: cuts).map { range in
            SecretFinding(range: range, values: [], replacement: SecretRules.markBytes)
        }
        return findings.applied(to: bytes)
    }

    /// Returns where secrets are in `bytes`: ranges in order that neither overlap nor touch.
    ///
    /// - Parameter cuts: Positions before which only the start of a secret may stand, such as `s3cr` of `s3cret` before
    ///   the `…` of a shortened message.
    private func ranges(in bytes: [UInt8], cuts: Set<Int> = []) -> [Range<Int>] {
        var unsorted: [Range<Int>] = []
        let signatureSearches = signedValues?.redactor.addedSearches ?? []
        for lazySearch in [initialSearch] + addedSearches + signatureSearches {
            unsorted += lazySearch.search.ranges(in: bytes, cuts: cuts)
        }
        var joined: [Range<Int>] = []
        for range in unsorted.sorted(by: { $0.upperBound < $1.upperBound }) { SecretSearch.append(range, to: &joined) }
        return joined
    }

    /// Returns a body with `(redacted)` in place of secrets. In JSON, a secret that is a number becomes `0`, because
    /// JSON has to stay valid.
    ///
    /// - Parameter isCut: Whether the body may end within a secret.
    package func redact(body: [UInt8], isCut: Bool = false) -> [UInt8] {
        let redactedBody = redact(body, isCut: isCut)
        let breaksJSON = redactedBody != body && Self.isJSON(body) && !Self.isJSON(redactedBody)
        return breaksJSON ? Self.replacingBareMarks(in: redactedBody) : redactedBody
    }

    /// Returns whether `bytes` contain a secret in any spelling.
    func finds(in bytes: [UInt8]) -> Bool { !ranges(in: bytes).isEmpty }

    /// Returns whether a text consists of one or more JSON documents.
    private static func isJSON(_ text: [UInt8]) -> Bool { (try? JSONDocument.all(in: text)) != nil }

    /// Returns redacted JSON in which each number that was a secret is `0`, so that it is valid JSON again.
    ///
    ///     {"pin": (redacted), "note": "(redacted)"}    →    {"pin": 0, "note": "(redacted)"}
    private static func replacingBareMarks(in json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var unread = json[...]
        while let first = unread.first {
            let token = jsonToken(atStartOf: unread)
            let isString = first == UInt8(ascii: "\"")
            if !isString, token.firstRange(of: SecretRules.markBytes) != nil {
                result.append(UInt8(ascii: "0"))
            } else {
                result += token
            }
            unread = unread[token.endIndex...]
        }
        return result
    }

    /// Returns what JSON text begins with: a string with its quotes, one space or punctuation character, or a number or
    /// word up to the next of these.
    private static func jsonToken(atStartOf text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let first = text.first else { return text }
        if first == UInt8(ascii: "\"") { return string(atStartOf: text) }
        if " \t\r\n,:[]{}".utf8.contains(first) { return text.prefix(1) }
        return text.prefix { !" \t\r\n,:[]{}\"".utf8.contains($0) }
    }

    /// Returns the JSON string that `text` starts with, including its quotes. Without a closing quote, that is all of
    /// `text`.
    private static func string(atStartOf text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var end = text.startIndex + 1
        while end < text.endIndex, text[end] != UInt8(ascii: "\"") { end += text[end] == UInt8(ascii: "\\") ? 2 : 1 }
        return text[..<min(end + 1, text.endIndex)]
    }

    /// Returns the positions of `…` and `...`, with which messages shorten what they quote: `invalid key 's3cr…'`.
    private static func ellipses(in bytes: [UInt8]) -> Set<Int> {
        let firstBytes = [UInt8(ascii: "."), 0xE2]
        var positions: Set<Int> = []
        for (position, byte) in bytes.enumerated() where firstBytes.contains(byte) {
            let tail = bytes[position...]
            if tail.starts(with: "…".utf8) || tail.starts(with: "...".utf8) { positions.insert(position) }
        }
        return positions
    }
}

extension ResponseHead {
    /// Returns these headers without the secrets that `redactor` knows, which a server may have repeated.
    package func redacted(by redactor: Redactor) -> ResponseHead {
        var head = self
        head.reason = redactor.redact(reason)
        head.fields = fields.map { field in
            let redactedField = HTTPField(redactor.redact(field.name), redactor.redact(field.value))
            // A secret with a colon may begin in the name and end in the value.
            let line = "\(redactedField.name):\(redactedField.value)"
            let holdsSecret = redactor.redact(line) != line
            return holdsSecret ? HTTPField("(redacted)", "(redacted)") : redactedField
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
