import EndpointKit
import JSONText

/// A value as the styles of parameters write it (OpenAPI 3.1, section 4.8.12.3; RFC 6570, section 2.3).
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

    /// Makes a text of a scalar, a list of an array, or pairs of an object.
    ///
    ///     [1, null, [2, 3]]     list    "1", "[2,3]"
    ///     {"R": 100}            pairs   "R" "100"
    ///
    /// Arrays and objects inside of others are JSON text. Elements and members that are null are left out.
    ///
    /// - Returns: Nil if the value is undefined (RFC 6570, section 2.3): null, or without elements or members.
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

    /// Returns the text of a scalar, or JSON text without white space.
    static func text(of value: JSONValue) -> String {
        switch value.kind {
        case .array, .object: jsonText(of: value)
        case .string, .number, .boolean, .null: value.text
        }
    }

    /// Returns a value as JSON text without white space.
    static func jsonText(of value: JSONValue) -> String {
        // A value that was read from JSON can be written, so the description is never used in practice.
        guard let bytes = try? Coding().encode(value) else { return value.description }
        return String(exactBytes: bytes)
    }

    /// The parts that a style puts its delimiter between if it is not exploded: the elements, or keys and values in
    /// turn.
    var flatTexts: [String] {
        switch self {
        case .text(let text): [text]
        case .list(let texts): texts
        case .pairs(let pairs): pairs.flatMap { [$0.key, $0.value] }
        }
    }
}

/// The encoding of texts in one part of a request.
enum TextEncoding {
    /// Everything but unreserved characters is percent-encoded (RFC 6570, section 3.2.1).
    case unreserved
    /// Reserved characters are sent as they are, if they have no meaning in a path (`allowReserved`).
    case reservedInPath
    /// Reserved characters are sent as they are, if they have no meaning in a query or form (`allowReserved`).
    case reservedInQuery
    /// The text is sent as it is, as headers are.
    case verbatim

    /// The reserved characters (RFC 3986, section 2.2) that are not percent-encoded.
    private var keptCharacters: String {
        switch self {
        case .unreserved, .verbatim: ""
        // A segment ends at `/`, the path at `?` and `#`, and brackets are for addresses (RFC 3986, section 3.3).
        case .reservedInPath: ":@!$&'()*+,;="
        // A query ends at `#`, an item at `&`, and `+` is a space in forms.
        case .reservedInQuery: ":/?@!$'()*,;="
        }
    }

    /// Returns a text as it is sent.
    func encoded(_ text: String) -> String {
        switch self {
        case .verbatim: text
        case .unreserved: PercentEncoding.encode(text)
        case .reservedInPath, .reservedInQuery: reservedExpansion(of: text)
        }
    }

    /// Returns a text in which unreserved characters, ``keptCharacters`` and triplets such as `%2F` are kept, and
    /// everything else is percent-encoded (RFC 6570, section 3.2.3).
    ///
    /// In a query, `a/b c%2F` becomes `a/b%20c%2F`.
    private func reservedExpansion(of text: String) -> String {
        let kept = Array(keptCharacters.utf8)
        let bytes = text.exactBytes
        var result: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            // Only the `%` of a triplet is looked for: its digits are unreserved, and are kept anyway.
            let isPercentOfTriplet = byte == UInt8(ascii: "%") && Self.startsTriplet(bytes[index...])
            if kept.contains(byte) || isPercentOfTriplet {
                result.append(byte)
            } else {
                result += PercentEncoding.encode(bytes: [byte]).utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Whether bytes begin with `%` and two hexadecimal digits.
    private static func startsTriplet(_ bytes: ArraySlice<UInt8>) -> Bool {
        let digits = bytes.dropFirst().prefix(2).compactMap(Hexadecimal.value)
        return digits.count == 2
    }
}
