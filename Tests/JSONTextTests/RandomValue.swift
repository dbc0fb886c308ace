import Foundation

@testable import JSONText

/// A value that encodes itself in one of the many ways of `Encodable` types, and the text that is expected of it.
indirect enum RandomValue: Encodable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case date(Date)
    case data(Data)
    case list([RandomValue])
    case dictionary([String: RandomValue])
    case object([(key: String, value: RandomValue)])
    /// An object. Each of its values is encoded by a `superEncoder(forKey:)` of its own, the last one first.
    case supers([(key: String, value: RandomValue)])
    /// An array of objects of one member each, in nested containers.
    case nested([RandomValue])
    /// An object whose key `same` is encoded several times. The last value counts.
    case replaced(first: RandomValue, last: RandomValue, others: [RandomValue])

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
        init(_ text: String) { stringValue = text }
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value): try value.encode(to: encoder)
        case .int(let value): try value.encode(to: encoder)
        case .double(let value): try value.encode(to: encoder)
        case .string(let value): try value.encode(to: encoder)
        case .date(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .data(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .list(let values): try values.encode(to: encoder)
        case .dictionary(let values):
            var container = encoder.singleValueContainer()
            try container.encode(values)
        case .object(let members):
            var container = encoder.container(keyedBy: Key.self)
            for (key, value) in members { try container.encode(value, forKey: Key(key)) }
        case .supers(let members):
            var container = encoder.container(keyedBy: Key.self)
            let encoders = members.map { container.superEncoder(forKey: Key($0.key)) }
            for (encoder, member) in zip(encoders, members).reversed() { try member.value.encode(to: encoder) }
        case .nested(let values):
            var container = encoder.unkeyedContainer()
            for value in values {
                var object = container.nestedContainer(keyedBy: Key.self)
                try object.encode(value, forKey: Key("value"))
            }
        case .replaced(let first, let last, let others):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(first, forKey: Key("same"))
            for (index, value) in others.enumerated() {
                try container.encode(value, forKey: Key("other \(index)"))
                try container.encode(value, forKey: Key("same"))
            }
            try container.encode(last, forKey: Key("same"))
        }
    }

    /// The compact JSON text that the value should be encoded to.
    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value): Self.text(value)
        case .string(let value): Self.quoted(value)
        case .date(let value): Self.quoted(DateText.iso8601(value) ?? "")
        case .data(let value): Self.quoted(value.base64EncodedString())
        case .list(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .dictionary(let values): Self.object(values.sorted { $0.key < $1.key }.map { ($0.key, $0.value.text) })
        case .object(let members), .supers(let members): Self.object(members.map { ($0.key, $0.value.text) })
        case .nested(let values):
            "[" + values.map { Self.object([("value", $0.text)]) }.joined(separator: ",") + "]"
        case .replaced(_, let last, let others):
            Self.object([("same", last.text)] + others.enumerated().map { ("other \($0)", $1.text) })
        }
    }

    private static func text(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { quoted($0) + ":" + $1 }.joined(separator: ",") + "}"
    }

    private static func quoted(_ text: String) -> String { JSONQuoting.quoted(text) }
}

extension RandomText {
    /// Returns a value of any kind, with distinct keys in each object.
    mutating func value(depth: Int = 0) -> RandomValue {
        switch number(below: depth >= 5 ? 7 : 14) {
        case 0: return .null
        case 1: return .bool(number(below: 2) == 0)
        case 2:
            return .int(
                number(below: 2) == 0 ? number(below: 1000) - 500 : number(below: .max) &* (number(below: 2) * 2 - 1))
        case 3:
            return .double(
                Double(number(below: 2_000_000) - 1_000_000) / [1.0, 8, 1000, 1e-20, 1e30][number(below: 5)])
        case 4: return .string(plainText())
        case 5:
            return .date(
                Date(timeIntervalSince1970: Double(number(below: 4_000_000_000)) + [0, 0.5, 0.001][number(below: 3)]))
        case 6: return .data(Data((0..<number(below: 20)).map { UInt8($0) }))
        case 7, 8: return .list(values(depth))
        case 9: return .dictionary(Dictionary(members(depth).map { ($0.key, $0.value) }) { $1 })
        case 10: return .object(members(depth))
        case 11: return .supers(members(depth))
        case 12: return .nested(values(depth))
        default:
            return .replaced(first: value(depth: depth + 1), last: value(depth: depth + 1), others: values(depth))
        }
    }

    private mutating func values(_ depth: Int) -> [RandomValue] {
        (0..<number(below: 4)).map { _ in value(depth: depth + 1) }
    }

    private mutating func members(_ depth: Int) -> [(key: String, value: RandomValue)] {
        // A large object at times, because the encoder finds the keys of large objects in another way.
        let count = number(below: 50) == 0 && depth < 2 ? 100 : number(below: 4)
        return (0..<count).map {
            ("\($0)" + plainText(), depth < 2 && count < 100 ? value(depth: depth + 1) : value(depth: 9))
        }
    }

    /// Returns a text with characters that need an escape, often as long as a multiple of 8 or 16 bytes.
    private mutating func plainText() -> String {
        let parts = [
            "a", "key", "é", "€", "😀", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{7F}", "\u{85}", "\u{202E}",
            "sixteen bytes 16", "seven77",
        ]
        return (0..<number(below: 6)).map { _ in parts[number(below: parts.count)] }.joined()
    }
}
