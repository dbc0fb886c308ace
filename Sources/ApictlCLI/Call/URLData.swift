import EndpointKit

/// The data of a request to a URL, as the options `--data`, `--data-urlencode` and `--json` make it.
struct URLData: Sendable {
    let bytes: [UInt8]
    /// Whether the data is JSON and not a form.
    let isJSON: Bool

    var contentType: String { isJSON ? "application/json" : "application/x-www-form-urlencoded" }

    /// Reads the data. Parts of a form are joined with `&`, parts of JSON without anything between them.
    ///
    /// - Returns: The data; nil without such an option.
    /// - Throws: ``UsageError`` for `@` without a file name, and ``FileError`` for an input that can't be read.
    init?(_ pieces: [DataPiece], _ environment: ProcessEnvironment) throws {
        guard let first = pieces.first else { return nil }
        isJSON = first.kind == .json
        let parts = try pieces.map { try Self.bytes(of: $0, environment) }
        bytes = Array(parts.joined(separator: isJSON ? [] : [UInt8(ascii: "&")]))
    }

    /// Returns the bytes of one part.
    private static func bytes(of piece: DataPiece, _ environment: ProcessEnvironment) throws -> [UInt8] {
        switch piece.kind {
        case .form:
            let content = try environment.bytes(piece.word, of: "--data").bytes
            let isRead = piece.word.isStdin || piece.word.file != nil
            // As in curl, lines of a file become one.
            return isRead ? content.filter { !"\r\n\0".utf8.contains($0) } : content
        case .encodedForm: return try encoded(piece.word, environment)
        case .json: return try environment.bytes(piece.word, of: "--json").bytes
        }
    }

    /// Returns the value of `--data-urlencode`, percent-encoded. As in curl, and in forms of browsers, a space becomes
    /// a plus sign.
    ///
    /// | Value | Data |
    /// |---|---|
    /// | `a b` or `=a b` | `a+b` |
    /// | `name=a b` | `name=a+b` |
    /// | `@FILE` | the content of the file |
    /// | `name@FILE` | `name=` and the content of the file |
    private static func encoded(_ word: SourcedText, _ environment: ProcessEnvironment) throws -> [UInt8] {
        let scalars = word.text.unicodeScalars
        guard let separator = scalars.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
            return encoded(word.text.exactBytes).exactBytes
        }
        let name = String(scalars[..<separator])
        let rest = String(scalars[separator...].dropFirst())
        let content: [UInt8]
        if scalars[separator] == "@" {
            content = try environment.bytes(word.with("@" + rest), of: "--data-urlencode").bytes
        } else {
            content = rest.exactBytes
        }
        let start = name.isEmpty ? "" : name + "="
        return (start + encoded(content)).exactBytes
    }

    private static func encoded(_ bytes: [UInt8]) -> String {
        PercentEncoding.encode(bytes: bytes).replacing("%20", with: "+")
    }
}
