import EndpointKit
import JSONText

/// The texts of a value that a parameter style writes with its delimiters (OpenAPI 3.1, section 4.8.12.3).
enum StyledValue: Equatable {
    case text(String)
    /// The elements of an array. There is at least one.
    case list([String])
    /// The members of an object. There is at least one.
    case pairs([Pair])

    /// A member of an object.
    struct Pair: Equatable {
        let key: String
        let value: String
    }

    /// Creates the texts of a JSON value.
    ///
    ///     5                     →  .text("5")
    ///     [1, null, 2]          →  .list(["1", "2"])
    ///     {"R": 100}            →  .pairs([R: 100])
    ///     [[2, 3]]              →  .list(["[2,3]"])
    ///
    /// Null is left out. An array or object inside of another one becomes JSON text.
    ///
    /// - Returns: The texts. Nil if the value is undefined (RFC 6570, section 2.3): null, an empty array, or an empty
    ///   object.
    init?(_ value: JSONValue) {
        if let elements = value.elements {
            let texts = elements.filter { !$0.isNull }.map { Self.text(of: $0) }
            if texts.isEmpty { return nil }
            self = .list(texts)
        } else if let members = value.members {
            let pairs = members.filter { !$0.value.isNull }.map { Pair(key: $0.key, value: Self.text(of: $0.value)) }
            if pairs.isEmpty { return nil }
            self = .pairs(pairs)
        } else {
            if value.isNull { return nil }
            self = .text(Self.text(of: value))
        }
    }

    /// Returns a value as text: the plain text of a scalar, such as `blue`, or the JSON text of an array or object.
    static func text(of value: JSONValue) -> String {
        switch value.kind {
        case .array, .object: jsonText(of: value)
        case .string, .number, .boolean, .null: value.text
        }
    }

    /// Returns a value as JSON text without white space.
    static func jsonText(of value: JSONValue) -> String {
        // Encoding can't fail for a value that was read from JSON. The description is a fallback for the compiler.
        guard let bytes = try? Coding().encode(value) else { return value.description }
        return String(exactBytes: bytes)
    }

    /// The texts between which a style writes its delimiter if it is not exploded.
    ///
    ///     .list(["blue", "black"])      →  blue, black
    ///     .pairs([R: 100, G: 200])      →  R, 100, G, 200
    var flatTexts: [String] {
        switch self {
        case .text(let text): [text]
        case .list(let texts): texts
        case .pairs(let pairs): pairs.flatMap { [$0.key, $0.value] }
        }
    }
}

/// The characters of a text that are percent-encoded when it is sent.
enum TextEncoding {
    /// All characters except unreserved ones are encoded (RFC 6570, section 3.2.1).
    case unreserved
    /// Reserved characters are not encoded, unless they would end a segment of the path (`allowReserved`).
    case reservedInPath
    /// Reserved characters are not encoded, unless they would end an item of the query (`allowReserved`).
    case reservedInQuery
    /// No character is encoded, as in headers.
    case verbatim

    /// The reserved characters (RFC 3986, section 2.2) that are not encoded.
    private var keptCharacters: String {
        switch self {
        case .unreserved, .verbatim: ""
        // `/` would end the segment, and `?` and `#` the path. Brackets are not allowed (RFC 3986, section 3.3).
        case .reservedInPath: ":@!$&'()*+,;="
        // `&` would end the item, and `#` the query. `+` would be read as a space.
        case .reservedInQuery: ":/?@!$'()*,;="
        }
    }

    /// Returns the text in this encoding. With ``unreserved``, `a/b` becomes `a%2Fb`.
    func encoded(_ text: String) -> String {
        switch self {
        case .verbatim: text
        case .unreserved: PercentEncoding.encode(text)
        case .reservedInPath, .reservedInQuery: reservedExpansion(of: text)
        }
    }

    /// Percent-encodes a text except for ``keptCharacters`` and triplets such as `%2F` (RFC 6570, section 3.2.3).
    ///
    /// In a query, `a/b c%2F` becomes `a/b%20c%2F`: the slash and the triplet are kept, and the space is encoded.
    private func reservedExpansion(of text: String) -> String {
        let keptBytes = Array(keptCharacters.utf8)
        let bytes = text.exactBytes
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            // The digits of a triplet are unreserved, so `PercentEncoding` keeps them.
            let isPercentOfTriplet = byte == UInt8(ascii: "%") && Self.startsTriplet(bytes[index...])
            if keptBytes.contains(byte) || isPercentOfTriplet {
                result.append(byte)
            } else {
                result += PercentEncoding.encode(bytes: [byte]).utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether two hexadecimal digits follow the first byte, which is `%`.
    private static func startsTriplet(_ bytes: ArraySlice<UInt8>) -> Bool {
        let digits = bytes.dropFirst().prefix(2).compactMap(Hexadecimal.value)
        return digits.count == 2
    }
}
