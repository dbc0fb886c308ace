import Foundation

@testable import JSONText

/// A value that encodes itself in one of the many ways in which `Encodable` types do, and the text that it should become.
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
    /// Each value is encoded in an encoder of its own.
    case supers([(key: String, value: RandomValue)])
    /// An object of arrays that are filled by turns, one value each, at the end with a key of the object itself.
    case turns([[RandomValue]])
    /// An array of objects of one member each, in nested containers.
    case nested([RandomValue])
    /// A member is encoded, and then others with the same key.
    case replaced(first: RandomValue, last: RandomValue, others: [RandomValue])
    /// A member and an element that fail after having written something, which is not the end of it.
    case failing(RandomValue)

    struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
        init(_ text: String) { stringValue = text }
    }

    private struct Failure: Error {}

    private struct Failing: Encodable {
        let value: RandomValue
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(value, forKey: Key("a"))
            var nested = container.nestedUnkeyedContainer(forKey: Key("b"))
            try container.encode(value, forKey: Key("c"))
            try nested.encode(value)
            throw Failure()
        }
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
        case .turns(let lists): try encodeByTurns(lists, encoder)
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
        case .failing(let value):
            var container = encoder.container(keyedBy: Key.self)
            var list = container.nestedUnkeyedContainer(forKey: Key("list"))
            try? list.encode(Failing(value: value))
            try list.encode(1)
            try? container.encode(Failing(value: value), forKey: Key("failing"))
            try container.encode(value, forKey: Key("after"))
        }
    }

    private func encodeByTurns(_ lists: [[RandomValue]], _ encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        var nested = lists.indices.map { container.nestedUnkeyedContainer(forKey: Key("list \($0)")) }
        for turn in 0..<(lists.map(\.count).max() ?? 0) {
            for (index, list) in lists.enumerated() where turn < list.count {
                if turn == 1 { nested[index] = container.nestedUnkeyedContainer(forKey: Key("list \(index)")) }
                try nested[index].encode(list[turn])
            }
        }
        try container.encode(lists.count, forKey: Key("count"))
    }

    /// As it should be encoded, on one line.
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
        case .turns(let lists):
            Self.object(
                lists.enumerated().map { ("list \($0)", "[" + $1.map(\.text).joined(separator: ",") + "]") }
                    + [("count", "\(lists.count)")])
        case .nested(let values):
            "[" + values.map { Self.object([("value", $0.text)]) }.joined(separator: ",") + "]"
        case .replaced(_, let last, let others):
            Self.object([("same", last.text)] + others.enumerated().map { ("other \($0)", $1.text) })
        case .failing(let value): Self.object([("list", "[1]"), ("after", value.text)])
        }
    }

    private static func text(_ value: Double) -> String {
        let text = value.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func object(_ members: [(String, String)]) -> String {
        "{" + members.map { quoted($0) + ":" + $1 }.joined(separator: ",") + "}"
    }

    private static func quoted(_ text: String) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case "\n": "\\n"
            case "\r": "\\r"
            case "\t": "\\t"
            case "\u{8}": "\\b"
            case "\u{C}": "\\f"
            case _ where scalar.value < 0x20: String(format: "\\u%04X", scalar.value)
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }
}

extension RandomText {
    /// A value of any kind, with distinct keys in each object.
    ///
    /// - Parameter forFoundation: Without what its encoder refuses or does in another way.
    mutating func value(depth: Int = 0, forFoundation: Bool = false) -> RandomValue {
        isForFoundation = isForFoundation || forFoundation
        let kind = number(below: depth >= 5 ? 7 : isForFoundation ? 14 : 15)
        switch kind {
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
        case 12: return .turns((0..<number(below: 4)).map { _ in values(depth) })
        case 13: return .nested(values(depth))
        default:
            if number(below: 2) == 0 { return .failing(value(depth: depth + 1)) }
            return .replaced(first: value(depth: depth + 1), last: value(depth: depth + 1), others: values(depth))
        }
    }

    private mutating func values(_ depth: Int) -> [RandomValue] {
        (0..<number(below: 4)).map { _ in value(depth: depth + 1) }
    }

    private mutating func members(_ depth: Int) -> [(key: String, value: RandomValue)] {
        // Many at times: from some number on, names are found in another way.
        let count = number(below: 50) == 0 && depth < 2 ? 100 : number(below: 4)
        return (0..<count).map {
            ("\($0)" + plainText(), depth < 2 && count < 100 ? value(depth: depth + 1) : value(depth: 9))
        }
    }

    /// Text with all that needs an escape, of lengths around those of blocks.
    private mutating func plainText() -> String {
        let parts = [
            "a", "key", "é", "€", "😀", "\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{7F}", "\u{85}", "\u{202E}",
            "sixteen bytes 16", "seven77",
        ]
        return (0..<number(below: 6)).map { _ in parts[number(below: parts.count)] }.joined()
    }
}
