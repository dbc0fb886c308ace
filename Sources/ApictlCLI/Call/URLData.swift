import EndpointKit

/// The data of a request to a URL, as the options `--data`, `--data-urlencode` and `--json` make it.
struct URLData: Sendable {
    let bytes: [UInt8]
    /// Whether the data is JSON and not a form.
    let isJSON: Bool

    var contentType: String { isJSON ? "application/json" : "application/x-www-form-urlencoded" }

    /// Reads the data, and the files and stdin that it refers to. Values of `--data` and `--data-urlencode` are joined
    /// with `&`, and values of `--json` without anything between them, as in curl.
    ///
    /// - Parameter pieces: The values of the options, which are all JSON or all parts of a form.
    /// - Returns: The data; nil without any value.
    /// - Throws: ``UsageError`` for `@` without a file name, and ``FileError`` for an input that can't be read.
    init?(_ pieces: [DataPiece], environment: ProcessEnvironment) throws {
        guard let first = pieces.first else { return nil }
        isJSON = first.kind == .json
        let contents = try pieces.map { try Self.readContent(of: $0, environment: environment) }
        bytes = Array(contents.joined(separator: isJSON ? [] : [UInt8(ascii: "&")]))
    }

    /// Returns the bytes that a value of `--data`, `--data-urlencode` or `--json` adds to the data. Reads the file or
    /// stdin that the value refers to.
    private static func readContent(of piece: DataPiece, environment: ProcessEnvironment) throws -> [UInt8] {
        switch piece.kind {
        case .form:
            let content = try environment.readBytes(of: piece.word, for: "--data")
            let isFromFile = piece.word.isStdin || piece.word.filePath != nil
            // As in curl, line breaks and null bytes of a file are left out.
            return isFromFile ? content.filter { !"\r\n\0".utf8.contains($0) } : content
        case .encodedForm: return try readEncoded(piece.word, environment: environment)
        case .json: return try environment.readBytes(of: piece.word, for: "--json")
        }
    }

    /// Returns the value of `--data-urlencode`, percent-encoded. Reads the file that it refers to. As in curl, and in
    /// forms of browsers, a space becomes a plus sign.
    ///
    /// | Value | Data |
    /// |---|---|
    /// | `a b` or `=a b` | `a+b` |
    /// | `name=a b` | `name=a+b` |
    /// | `@FILE` | the content of the file |
    /// | `name@FILE` | `name=` and the content of the file |
    private static func readEncoded(_ word: SourcedText, environment: ProcessEnvironment) throws -> [UInt8] {
        let scalars = word.text.unicodeScalars
        guard let separator = scalars.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
            return formEncoded(word.text.exactBytes).exactBytes
        }
        let name = String(scalars[..<separator])
        let textOrPath = String(scalars[separator...].dropFirst())
        let content: [UInt8]
        if scalars[separator] == "@" {
            content = try environment.readBytes(of: word.with("@" + textOrPath), for: "--data-urlencode")
        } else {
            content = textOrPath.exactBytes
        }
        let prefix = name.isEmpty ? "" : name + "="
        return (prefix + formEncoded(content)).exactBytes
    }

    /// Returns bytes as they are in a form: percent-encoded, with a plus sign for each space.
    private static func formEncoded(_ bytes: [UInt8]) -> String {
        PercentEncoding.encode(bytes: bytes).replacing("%20", with: "+")
    }
}
