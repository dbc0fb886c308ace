/// Takes the secrets of a request out of text that may hold them: wire traffic, messages of servers and libraries.
public struct Redactor: Sendable {
    /// The texts to look for, the longest first, so that no secret is left half shown.
    private let needles: [String]

    /// A redactor of the secrets of `request`.
    public init(_ request: Request? = nil) {
        var found: Set<String> = []
        for text in (request?.headers.map(\.value) ?? []) + (request?.query.map(\.value) ?? []) {
            for piece in text.pieces {
                switch piece {
                case .text: break
                case .secret(let secret): found.formUnion(Self.spellings(of: secret.reveal() ?? ""))
                case .basic(_, let password):
                    // A user's name is no secret, and often a word that stands elsewhere too.
                    found.formUnion(Self.spellings(of: password.reveal() ?? ""))
                    found.formUnion((try? SensitiveText([piece]).reveal()).map { [$0] } ?? [])
                }
            }
        }
        for secret in request?.formerSecrets ?? [] { found.formUnion(Self.spellings(of: secret.reveal() ?? "")) }
        for header in request?.headers ?? [] where header.isConfidential {
            // Of `Bearer token` the token is what is confidential.
            found.formUnion(
                Self.spellings(of: header.value.description.split(separator: " ").last.map(String.init) ?? ""))
        }
        found.remove("")
        needles = found.sorted { $0.utf8.count > $1.utf8.count }
    }

    /// The ways a server may write `value` when it echoes it: as it is, percent-encoded, within JSON.
    private static func spellings(of value: String) -> [String] {
        let encoded = PercentEncoding.encode(value)
        let quoted = value.replacingBytes(of: "\\", with: "\\\\").replacingBytes(of: "\"", with: "\\\"")
        // Some encoders keep a JSON text safe within HTML.
        let forHTML = ["&": "\\u0026", "<": "\\u003c", ">": "\\u003e", "+": "\\u002b", "'": "\\u0027"]
            .reduce(quoted) { $0.replacingBytes(of: $1.key, with: $1.value) }
        return [value, quoted, quoted.replacingBytes(of: "/", with: "\\/"), forHTML]
            + [encoded, lowercasingHex(encoded)].flatMap { [$0, $0.replacing("%20", with: "+")] }
    }

    /// `a%2Fb` becomes `a%2fb`.
    private static func lowercasingHex(_ encoded: String) -> String {
        let parts = encoded.split(separator: "%", omittingEmptySubsequences: false)
        let rest = parts.dropFirst().map { "%" + $0.prefix(2).lowercased() + $0.dropFirst(2) }
        return parts[0] + rest.joined()
    }

    /// `text` with `(redacted)` where a secret stands in it, or the user information of a URL (a proxy's, for one).
    public func redact(_ text: String) -> String {
        Self.withoutUserInformation(needles.reduce(text) { $0.replacingBytes(of: $1, with: "(redacted)") })
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
        case let error as TransportError: TransportError(error.kind, redact(error.message))
        case let error as ReportedFailure: ReportedFailure(redact(error.message))
        case let error as ModelMismatch:
            ModelMismatch(
                model: error.model, path: redact(error.path), problem: redact(error.problem), line: error.line,
                column: error.column)
        default: error
        }
    }
}
