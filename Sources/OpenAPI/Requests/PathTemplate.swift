import EndpointKit

/// A path of a document with variables, such as `/pets/{id}` or `/files/{name}.{extension}`.
///
/// The paths of some documents have a query, although OpenAPI does not allow it: `/objects?acl`. Every request has the
/// items of this query.
struct PathTemplate: Sendable {
    /// A part of the path: literal text, or the name of a variable in braces.
    enum Piece: Sendable, Equatable {
        case literal(String)
        case variable(String)
    }

    /// An item of the path's query. Both its name and its value may contain variables.
    private struct Item: Sendable {
        let name: [Piece]
        let value: [Piece]
    }

    private let path: [Piece]
    private let query: [Item]
    /// The names of the variables in the order of the path. A variable that occurs twice is listed once.
    let variables: [String]

    /// Reads a path and its query, such as `/objects/{id}?acl`. A fragment is left out, because it is never sent.
    ///
    /// The text is split at bytes. As characters, `?` and a combining accent after it would be one character that is
    /// different from `?`.
    init(_ text: String) {
        let reference = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        let pathText = reference.prefix { $0 != UInt8(ascii: "?") }
        let queryText = reference[pathText.endIndex...].dropFirst()
        path = Self.splitIntoPieces(Substring(pathText))
        query = queryText.split(separator: UInt8(ascii: "&")).map { pair in
            let item = FormText.item(Substring(pair))
            let value = item.value ?? ""
            return Item(name: Self.splitIntoPieces(item.name[...]), value: Self.splitIntoPieces(value[...]))
        }
        let allPieces = path + query.flatMap { $0.name + $0.value }
        let variableNames = allPieces.compactMap { piece -> String? in
            guard case .variable(let name) = piece else { return nil }
            return name
        }
        variables = variableNames.withoutRepetitions
    }

    /// The path and its query with `{}` for each variable: `/objects/{}?acl=`.
    var textWithoutNames: String {
        let pathText = Self.text(of: path) { _ in "{}" }
        if query.isEmpty { return pathText }
        let items = query.map { item in
            Self.text(of: item.name) { _ in "{}" } + "=" + Self.text(of: item.value) { _ in "{}" }
        }
        return pathText + "?" + items.joined(separator: "&")
    }

    /// Returns the text of some pieces, in which each variable is replaced by its value.
    ///
    /// - Parameters:
    ///   - pieces: The literals and variables.
    ///   - variableText: Returns the text that replaces the variable with a name.
    private static func text(of pieces: [Piece], variableText: (String) -> String) -> String {
        let texts = pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .variable(let name): variableText(name)
            }
        }
        return texts.joined()
    }

    /// Splits a text into literals and variables.
    ///
    ///     /files/{name}.txt    →  literal /files/, variable name, literal .txt
    ///
    /// A brace without its counterpart is literal text.
    private static func splitIntoPieces(_ text: Substring) -> [Piece] {
        var pieces: [Piece] = []
        func appendLiteral(_ bytes: Substring.UTF8View) {
            if !bytes.isEmpty { pieces.append(.literal(String(decoding: bytes, as: UTF8.self))) }
        }
        var unread = text.utf8
        while let start = unread.firstIndex(of: UInt8(ascii: "{")),
            let end = unread[start...].firstIndex(of: UInt8(ascii: "}"))
        {
            appendLiteral(unread[..<start])
            pieces.append(.variable(String(decoding: unread[start..<end].dropFirst(), as: UTF8.self)))
            unread = unread[end...].dropFirst()
        }
        appendLiteral(unread)
        return pieces
    }

    /// Returns the path of a request: `/pets/7` for `/pets/{id}`.
    ///
    /// - Parameter texts: The percent-encoded texts of the variables by name.
    func path(_ texts: [String: String]) -> Endpoint.Path {
        Endpoint.Path(
            path.map { piece in
                switch piece {
                case .literal(let text): .literal(Self.encodedLiteral(text))
                // A variable without a value becomes an empty text (RFC 6570, section 3.2.1).
                case .variable(let name): .encoded(texts[name] ?? "")
                }
            })
    }

    /// Returns the items of the path's query: `uploads` for `/objects?uploads`.
    ///
    /// - Parameter texts: The percent-encoded texts of the variables by name.
    func queryItems(_ texts: [String: String]) -> [QueryItem] {
        // The texts are encoded for a path. They are decoded here, and the request encodes them for a query.
        func decodedText(_ pieces: [Piece]) -> String {
            Self.text(of: pieces) { name in PercentEncoding.decode(texts[name] ?? "") }
        }
        return query.map { QueryItem(decodedText($0.name), decodedText($0.value)) }
    }

    /// Percent-encodes the characters that are not allowed in a path (RFC 3986, section 3.3).
    ///
    ///     /a b/ü     →  /a%20b/%C3%BC
    ///     /a%20b     →  /a%20b
    private static func encodedLiteral(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            // `%` is kept, because the document may have encoded the text itself.
            if byte.isLetterOrDigit || "-._~!$&'()*+,;=:@/%".utf8.contains(byte) {
                result.append(byte)
            } else {
                result += PercentEncoding.encode(bytes: [byte]).utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
