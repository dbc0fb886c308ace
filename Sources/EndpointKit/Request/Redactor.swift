/// Takes the secrets of a request out of text that may hold them: wire traffic, messages of servers and libraries.
public struct Redactor: Sendable {
    /// The secrets, the longest first, so that none is left half shown.
    private let secrets: [[UInt8]]
    /// Whether a byte may be the first of a secret, in one spelling or another.
    private let starts: [Bool]

    /// The shortest value of a cookie that is taken out wherever it stands, in bytes.
    private static let shortestCookie = 4

    /// Below this many bytes a secret is taken out only where it stands alone: `x` is in every other word.
    private static let shortest = 4

    /// A redactor of the secrets of `request` and of `others`.
    public init(_ request: Request? = nil, others: [Secret] = []) {
        var found: Set<String> = []
        for text in (request?.headers.map(\.value) ?? []) + (request?.query.map(\.value) ?? []) {
            for piece in text.pieces {
                switch piece {
                case .text, .date: break
                case .secret(let secret): found.insert(secret.reveal() ?? "")
                case .basic(_, let password):
                    // A user's name is no secret, and often a word that stands elsewhere too.
                    found.insert(password.reveal() ?? "")
                    found.insert((try? SensitiveText([piece]).reveal()) ?? "")
                }
            }
        }
        for secret in (request?.formerSecrets ?? []) + others { found.insert(secret.reveal() ?? "") }
        for header in request?.headers ?? [] where header.isConfidential { found.formUnion(Self.secrets(of: header)) }
        secrets = found.map(\.exactBytes).filter { !$0.isEmpty }.sorted { $0.count > $1.count }
        var starts = [Bool](repeating: false, count: 256)
        for secret in secrets { starts[Int(secret[0])] = true }
        if !secrets.isEmpty {
            for byte in "%+\\".utf8 { starts[Int(byte)] = true }
        }
        self.starts = starts
    }

    /// What of a typed field is confidential.
    private static func secrets(of header: Header) -> [String] {
        let value = header.value.description
        guard header.isNamed("Cookie") else {
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
            // Without its name a value of so few letters stands everywhere, and hides nothing.
            return String(bare.utf8.count < shortestCookie ? pair : bare)
        }
    }

    /// `text` with `(redacted)` where a secret stands in it, or the user information of a URL (a proxy's, for one).
    public func redact(_ text: String) -> String {
        Self.withoutUserInformation(String(exactBytes: redact(text.exactBytes)))
    }

    /// `bytes` with `(redacted)` where a secret stands in them: as it is, percent-encoded, or escaped as in JSON.
    public func redact(_ bytes: [UInt8]) -> [UInt8] {
        guard !secrets.isEmpty else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if starts[Int(bytes[index])],
                let length = secrets.lazy.compactMap({ Self.length(of: $0, in: bytes, at: index) }).first
            {
                result += Array("(redacted)".utf8)
                index += length
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    private static func length(of secret: [UInt8], in text: [UInt8], at start: Int) -> Int? {
        guard let length = SecretSpelling.length(of: secret, in: text, at: start) else { return nil }
        let isAlone =
            secret.count >= shortest
            || !SecretSpelling.endsInWord(text[..<start]) && !SecretSpelling.isWordByte(text[(start + length)...].first)
        return isAlone ? length : nil
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

    /// `error` without the secrets that a server or a library may have put into its words.
    public func redact(_ error: any Error) -> any Error {
        switch error {
        case let error as TransportError: error.mappingTexts(redact)
        case let error as ReportedFailure: ReportedFailure(redact(error.message))
        case let error as ModelMismatch:
            ModelMismatch(
                model: error.model, path: redact(error.path), problem: redact(error.problem), line: error.line,
                column: error.column)
        default: error
        }
    }
}
