import EndpointKit

/// A path of a document with its variables, such as `/pets/{id}` or `/files/{name}.{extension}`.
///
/// OpenAPI has no queries in paths, but some documents have: `/objects?acl`. Their items are part of every request.
struct PathTemplate: Sendable {
    /// Literal text, or a variable between braces.
    enum Piece: Sendable, Equatable {
        case literal(String)
        case variable(String)
    }

    /// An item of the query in a path. Both its name and its value may have variables.
    private struct Item: Sendable {
        let name: [Piece]
        let value: [Piece]
    }

    private let path: [Piece]
    private let query: [Item]
    /// The names of the variables, each once, in the order of the path.
    let variables: [String]

    /// Reads a path and the query after it. A fragment is left out, because it is never sent.
    ///
    /// The text is split by its bytes, because a combining character after a delimiter would hide the delimiter.
    init(_ text: String) {
        let reference = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        let pathText = reference.prefix { $0 != UInt8(ascii: "?") }
        let queryText = reference[pathText.endIndex...].dropFirst()
        path = Self.pieces(Substring(pathText))
        query = queryText.split(separator: UInt8(ascii: "&")).map { pair in
            let item = FormText.item(Substring(pair))
            return Item(name: Self.pieces(item.name[...]), value: Self.pieces((item.value ?? "")[...]))
        }
        let pieces = path + query.flatMap { $0.name + $0.value }
        var seenNames: Set<String> = []
        variables = pieces.compactMap { piece in
            guard case .variable(let name) = piece, seenNames.insert(name).inserted else { return nil }
            return name
        }
    }

    /// The path with `{}` in place of variables, and with its query: `/objects/{}?acl=`.
    var textWithoutNames: String {
        let pathText = Self.text(path) { _ in "{}" }
        if query.isEmpty { return pathText }
        let items = query.map { item in
            Self.text(item.name) { _ in "{}" } + "=" + Self.text(item.value) { _ in "{}" }
        }
        return pathText + "?" + items.joined(separator: "&")
    }

    /// Returns the text of literals and variables.
    ///
    /// - Parameters:
    ///   - pieces: The literals and variables.
    ///   - value: Returns the text of the variable with a name.
    private static func text(_ pieces: [Piece], _ value: (String) -> String) -> String {
        let texts = pieces.map { piece in
            switch piece {
            case .literal(let text): text
            case .variable(let name): value(name)
            }
        }
        return texts.joined()
    }

    /// Returns the literals and variables of a text: `/files/`, `name` and `.txt` for `/files/{name}.txt`.
    ///
    /// A brace without its partner is literal.
    private static func pieces(_ text: Substring) -> [Piece] {
        var pieces: [Piece] = []
        var unread = text.utf8
        var literal: [UInt8] = []
        while let start = unread.firstIndex(of: UInt8(ascii: "{")) {
            guard let end = unread[start...].firstIndex(of: UInt8(ascii: "}")) else { break }
            literal += unread[..<start]
            if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
            literal = []
            pieces.append(.variable(String(decoding: unread[start..<end].dropFirst(), as: UTF8.self)))
            unread = unread[end...].dropFirst()
        }
        literal += unread
        if !literal.isEmpty { pieces.append(.literal(String(decoding: literal, as: UTF8.self))) }
        return pieces
    }

    /// Returns the path of a request.
    ///
    /// - Parameter texts: The texts of variables by name, percent-encoded.
    func path(_ texts: [String: String]) -> Endpoint.Path {
        Endpoint.Path(
            path.map { piece in
                switch piece {
                case .literal(let text): .literal(Self.encodedLiteral(text))
                // An undefined value is an empty text (RFC 6570, section 3.2.1).
                case .variable(let name): .encoded(texts[name] ?? "")
                }
            })
    }

    /// Returns the items of the path's query: `uploads` for `/objects?uploads`.
    ///
    /// Values are decoded, because the items of a query are encoded when the request is made.
    ///
    /// - Parameter texts: The texts of variables by name, percent-encoded.
    func queryItems(_ texts: [String: String]) -> [QueryItem] {
        // The text of a variable was encoded for a path. A query has another encoding.
        func decodedText(_ pieces: [Piece]) -> String {
            Self.text(pieces) { name in PercentEncoding.decode(texts[name] ?? "") }
        }
        return query.map { QueryItem(decodedText($0.name), decodedText($0.value)) }
    }

    /// Returns literal text in which characters that a path must not have are percent-encoded (RFC 3986, section 3.3).
    ///
    /// `/a b/ü` becomes `/a%20b/%C3%BC`.
    private static func encodedLiteral(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            // A percent sign is kept, because the document may have encoded the text already.
            if byte.isLetterOrDigit || "-._~!$&'()*+,;=:@/%".utf8.contains(byte) {
                result.append(byte)
            } else {
                result += PercentEncoding.encode(bytes: [byte]).utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
