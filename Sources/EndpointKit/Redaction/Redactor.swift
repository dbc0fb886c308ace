import Synchronization

/// Takes the secrets of a request out of text that may hold them: wire traffic, messages of servers and libraries.
///
/// They are found as they are, percent-encoded, escaped for JSON or HTML, in base 64, in hexadecimal digits; one encoding within another, and
/// several in one text. Nothing is prepared before there is a text.
package struct Redactor: Sendable {
    /// The secrets of requests, whose forms are made at the first search.
    private final class Own: Sendable {
        private let requests: [Request]
        private let others: [SensitiveText]
        private let made = Mutex<SecretForms?>(nil)

        init(_ requests: [Request], _ others: [SensitiveText]) { (self.requests, self.others) = (requests, others) }

        var forms: SecretForms {
            made.withLock { made in
                if let made { return made }
                var forms = SecretForms()
                for secret in Redactor.secrets(of: requests, others: others) { forms.insert(secret) }
                made = forms
                return forms
            }
        }
    }

    private let own: Own
    private var added = SecretForms()

    /// The shortest cookie value, in bytes, that is redacted outside its cookie too.
    private static let shortestCookie = 4

    /// A text up to this length may be a message, in which a server or a library cuts what it quotes, in bytes.
    private static let maxMessageLength = 4096

    /// A redactor of the secrets of `request` and of `others`.
    package init(_ request: Request? = nil, others: [SensitiveText] = []) {
        own = Own(request.map { [$0] } ?? [], others)
    }

    /// Takes `secrets` out of text too.
    package mutating func add(_ secrets: Set<String>) {
        for secret in secrets { added.insert(secret) }
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

    /// The confidential part of a typed header.
    private static func secrets(of name: String, _ value: String) -> [String] {
        guard name.isSameName(as: "Cookie") else {
            // Of `Bearer token` the token is, of `Digest username="u", response="r"` the whole rest too.
            let words = value.split(separator: " ", maxSplits: 1)
            return [words.last, value.split(separator: " ").last].compactMap { $0.map(String.init) }
        }
        return value.split(separator: ";").compactMap { pair in
            let pair = pair.drop { $0 == " " }
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let text = parts.count == 2 ? parts[1] : pair
            let bare = text.count > 1 && text.first == "\"" && text.last == "\"" ? text.dropFirst().dropLast() : text
            if bare.isEmpty { return nil }
            // Without its name, so short a value would be redacted all over the text.
            return String(bare.utf8.count < shortestCookie ? pair : bare)
        }
    }

    /// `text` with `(redacted)` in place of secrets and of the user information of a URL (a proxy's, for one).
    package func redact(_ text: String) -> String {
        Self.withoutUserInformation(String(exactBytes: redact(text.exactBytes)))
    }

    /// `bytes` with `(redacted)` in place of secrets; `isCut` if they may end within one.
    package func redact(_ bytes: [UInt8], isCut: Bool = false) -> [UInt8] {
        let cuts = bytes.count <= Self.maxMessageLength ? Self.ellipses(in: bytes) : []
        return redact(bytes, cuts: cuts.union(isCut ? [bytes.count] : []))
    }

    /// Whether `bytes` contain a secret in any spelling.
    func finds(in bytes: [UInt8]) -> Bool { !ranges(in: bytes).isEmpty }

    private func redact(_ bytes: [UInt8], cuts: Set<Int>) -> [UInt8] {
        let ranges = ranges(in: bytes, cuts: cuts)
        guard !ranges.isEmpty else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var start = 0
        for range in ranges {
            result += bytes[start..<range.lowerBound]
            result += Array("(redacted)".utf8)
            start = range.upperBound
        }
        return result + bytes[start...]
    }

    /// Where the secrets are: ranges that do not touch, in order, without the blanks at their ends, which would take the end of a line along.
    private func ranges(in bytes: [UInt8], cuts: Set<Int> = []) -> [Range<Int>] {
        let found = [own.forms, added].flatMap { SecretSearch.ranges(of: $0, in: bytes, cuts: cuts) }
        var result: [Range<Int>] = []
        for range in found.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = result.last, range.lowerBound <= last.upperBound {
                result[result.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                result.append(range)
            }
        }
        return result.map { range in
            guard let start = bytes[range].firstIndex(where: { !SecretForms.isBlank($0) }),
                let end = bytes[range].lastIndex(where: { !SecretForms.isBlank($0) })
            else { return range }
            return start..<end + 1
        }
    }

    /// The positions of `…` or `...`, which replace the rest of a quotation.
    private static func ellipses(in bytes: [UInt8]) -> Set<Int> {
        Set(bytes.indices.filter { bytes[$0...].starts(with: "…".utf8) || bytes[$0...].starts(with: "...".utf8) })
    }

    /// `http://user:password@host` becomes `http://(redacted)@host` (RFC 3986, section 3.2.1).
    private static func withoutUserInformation(_ text: String) -> String {
        let marker = Array("://".utf8)
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let range = rest.firstRange(of: marker) {
            result += rest[..<range.upperBound]
            rest = rest[range.upperBound...]
            let authority = rest.prefix { $0 > 0x20 && !"/?#\"'<>".utf8.contains($0) }
            if let at = authority.lastIndex(of: UInt8(ascii: "@")) {
                result += Array("(redacted)".utf8)
                rest = rest[at...]
            }
        }
        return String(decoding: result + rest, as: UTF8.self)
    }
}

extension ResponseHead {
    /// These headers without secrets of the request that the server repeated.
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

    /// The media type to show: of a type that is cut at its parameters, or is in lower case, half a secret would be left.
    package func mediaType(redactedBy redactor: Redactor) -> String? { redacted(by: redactor).mediaType }
}

extension Response {
    /// This response without the secrets that `redactor` knows.
    package func redacted(by redactor: Redactor) -> Response {
        Response(head: head.redacted(by: redactor), body: redactor.redact(body))
    }
}
