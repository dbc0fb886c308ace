import TestSupport

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Models for every way of asking a decoder, whose values can be compared by their description.
enum DecoderModels {
    struct Numbers: Codable {
        var int: Int?
        var int8: Int8?
        var int16: Int16?
        var int32: Int32?
        var int64: Int64?
        var uint: UInt?
        var uint8: UInt8?
        var uint16: UInt16?
        var uint32: UInt32?
        var uint64: UInt64?
        var int128: Int128?
        var uint128: UInt128?
        var double: Double?
        var float: Float?
        var decimal: Decimal?
        var bool: Bool?
        var string: String?
        var url: URL?
        var data: Data?
        var uuid: UUID?
    }

    struct Required: Codable {
        var int: Int
        var int8: Int8
        var int16: Int16
        var int32: Int32
        var int64: Int64
        var uint: UInt
        var uint8: UInt8
        var uint16: UInt16
        var uint32: UInt32
        var uint64: UInt64
        var int128: Int128
        var uint128: UInt128
        var double: Double
        var float: Float
        var decimal: Decimal
        var bool: Bool
        var string: String
    }

    struct Lists: Codable {
        var ints: [Int]?
        var bytes: [UInt8]?
        var doubles: [Double?]?
        var strings: [String]
        var grid: [[Float]]?
        var flags: Set<String>?
        var urls: [URL]?
        var items: [Item]?
        var byName: [String: Item]?
        var byNumber: [Int: Bool]?
        var byKind: [Kind: Int]?
        var table: [String: [String: Int?]]?
    }

    struct Item: Codable {
        var itemID: Int
        var itemTitle: String?
        var kind: Kind?
        var level: Level?
        var inner: [Item]?
    }

    enum Kind: String, Codable, CodingKeyRepresentable, CaseIterable { case small, large, veryLarge = "very-large" }
    enum Level: Int, Codable { case low = 1, high = 10 }

    enum Event: Codable {
        case created(id: Int, name: String?)
        case renamed(String, [Int])
        case deleted
    }

    class Base: Codable {
        var base: Int
    }

    final class Derived: Base {
        var own: String

        private enum CodingKeys: String, CodingKey { case own, base }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            own = try container.decode(String.self, forKey: .own)
            try super.init(from: container.superDecoder(forKey: .base))
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(own, forKey: .own)
            try super.encode(to: container.superEncoder(forKey: .base))
        }
    }

    /// Asks in the ways that no synthesised model asks, and notes what it is told.
    struct Questions: Decodable {
        var notes: [String] = []

        enum Key: String, CodingKey { case a, b, c, `super` }

        init(from decoder: any Decoder) throws {
            notes.append("path \(Self.text(decoder.codingPath)) info \(decoder.userInfo.count)")
            if let container = try? decoder.container(keyedBy: Key.self) {
                notes.append("keys \(Set(container.allKeys.map(\.stringValue)).sorted())")
                for key in [Key.a, .b, .c, .super] {
                    note("contains \(key)") { container.contains(key) }
                    note("nil \(key)") { try container.decodeNil(forKey: key) }
                    note("int \(key)") { try container.decode(Int.self, forKey: key) }
                    note("int? \(key)") { try container.decodeIfPresent(Int.self, forKey: key) as Any }
                    note("list \(key)") { try container.decodeIfPresent([UInt8].self, forKey: key) as Any }
                    note("text? \(key)") { try container.decodeIfPresent(String.self, forKey: key) as Any }
                    note("optional \(key)") { try container.decode(Double?.self, forKey: key) as Any }
                    note("nested \(key)") {
                        Set(try container.nestedContainer(keyedBy: Key.self, forKey: key).allKeys.map(\.stringValue))
                            .sorted()
                    }
                    note("array \(key)") { try container.nestedUnkeyedContainer(forKey: key).count as Any }
                    note("super \(key)") {
                        try container.superDecoder(forKey: key).singleValueContainer().decode(Int.self)
                    }
                }
                note("super") { try container.superDecoder().singleValueContainer().decodeNil() }
                note("super path") { Self.text(try container.superDecoder().codingPath) }
            }
            if var array = try? decoder.unkeyedContainer() {
                notes.append("count \(array.count ?? -1)")
                let questions: [(String, (inout any UnkeyedDecodingContainer) throws -> Any)] = [
                    ("nil", { try $0.decodeNil() }), ("bool", { try $0.decode(Bool.self) }),
                    ("int8", { try $0.decode(Int8.self) }),
                    ("double?", { try $0.decodeIfPresent(Double.self) as Any }),
                    ("float", { try $0.decode(Float.self) }),
                    ("text?", { try $0.decodeIfPresent(String.self) as Any }),
                    ("kind?", { try $0.decodeIfPresent(Kind.self) as Any }),
                    ("array", { try $0.nestedUnkeyedContainer().count as Any }),
                    ("object", { Set(try $0.nestedContainer(keyedBy: Key.self).allKeys.map(\.stringValue)).sorted() }),
                    ("super", { Self.text(try $0.superDecoder().codingPath) }),
                ]
                // At the end, Foundation counts on with each question, so only the first one's path is compared.
                for (name, ask) in questions + questions + questions where !array.isAtEnd {
                    notes.append("at \(array.currentIndex)")
                    note(name) { try ask(&array) }
                }
                note("end") { try array.decode(Int.self) }
                note("end nil") { try array.decodeIfPresent(Int.self) as Any }
            }
            let single = try decoder.singleValueContainer()
            note("single nil") { single.decodeNil() }
            note("single int") { try single.decode(Int.self) }
            note("single text") { try single.decode(String.self) }
            note("single list") { try single.decode([Int].self) }
            note("single kind") { try single.decode(Kind.self) }
        }

        private mutating func note<Value>(_ question: String, _ ask: () throws -> Value) {
            do {
                notes.append("\(question): \(try ask())")
            } catch {
                notes.append("\(question): \(DecoderOutcome.text(error))")
            }
        }

        private static func text(_ path: [any CodingKey]) -> String {
            path.map { "\($0.stringValue)/\($0.intValue.map(String.init) ?? "-")" }.joined(separator: " ")
        }
    }

    /// Takes what it can get.
    struct Lenient: Decodable {
        var value: Double
        var words: String

        enum CodingKeys: String, CodingKey { case value, words }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            value = (try? container.decode(Double.self, forKey: .value)) ?? -1
            do {
                words = try container.decode(String.self, forKey: .words)
            } catch is DecodingError {
                words = "none"
            }
        }
    }
}
