import Foundation
import Testing

@testable import JSONText

/// A document is reduced to the members and elements that a model has read.
struct DecodedDocumentTests {
    /// A JSON text that was sent, and the part of it that a model reads.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Decodes the model and returns what it has read.
        let decoded: @Sendable () throws -> JSONValue
        let readText: String

        /// - Parameters:
        ///   - sent: The text that is decoded.
        ///   - read: The compact text of what the model reads.
        init<Model: Decodable & SendableMetatype>(
            _ id: String, _ model: Model.Type, sent: String, read: String, coding: Coding = Coding()
        ) {
            testDescription = id
            decoded = { JSONValue(try DecodedDocumentTests.decoded(model, from: sent, coding: coding)) }
            readText = read
        }
    }

    /// Decodes `model` from `text` and returns what it has read.
    static func decoded<Model: Decodable>(
        _ model: Model.Type, from text: String, coding: Coding
    ) throws -> JSONDocument {
        let document = try JSONDocument(Array(text.utf8))
        let marks = ReadMarks(document)
        _ = try JSONTextDecoder(coding: coding).decode(model, from: document, marks: marks)
        return document.decoded(marks)
    }

    struct Item: Decodable {
        var id: Double
        var name: String?
        var made: Date?
        var items: [Item]?
    }

    struct Snake: Decodable {
        enum CodingKeys: String, CodingKey { case id = "ID", dbSize, userName, labels }

        var id: Int?
        var dbSize: Int?
        var userName: String?
        var labels: [String: Snake]?
    }

    /// Tries to decode one model and then another from the decoder itself.
    enum SameDecoder: Decodable {
        case point(Point), item(Item)

        init(from decoder: any Decoder) throws {
            if let point = try? Point(from: decoder) {
                self = .point(point)
            } else {
                self = .item(try Item(from: decoder))
            }
        }
    }

    /// Tries to decode one model after the other from a single-value container.
    enum SingleValue: Decodable {
        case point(Point), item(Item), number(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let point = try? container.decode(Point.self) {
                self = .point(point)
            } else if let item = try? container.decode(Item.self) {
                self = .item(item)
            } else {
                self = .number(try container.decode(Int.self))
            }
        }
    }

    struct Point: Decodable { var id, x, y: Int }

    /// Skips two fields whose values do not fit. One of them is the last field.
    struct Lenient: Decodable {
        enum CodingKeys: String, CodingKey { case a, b, c }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            _ = try container.decode(Int.self, forKey: .a)
            _ = try? container.decode(Int.self, forKey: .b)
            _ = try? container.decode(Point.self, forKey: .c)
        }
    }

    /// Decodes another model from the same object after a field that does not fit.
    struct Flat: Decodable {
        enum CodingKeys: String, CodingKey { case id, age }

        struct Profile: Decodable { var name: String? }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            _ = try container.decode(Int.self, forKey: .id)
            _ = try? container.decode(Int.self, forKey: .age)
            _ = try Profile(from: decoder)
        }
    }

    class Base: Decodable { var name: String }

    /// Decodes its superclass from the same object after a field that does not fit.
    final class Derived: Base {
        enum CodingKeys: String, CodingKey { case id, age }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            _ = try container.decode(Int.self, forKey: .id)
            _ = try? container.decode(Int.self, forKey: .age)
            try super.init(from: decoder)
        }
    }

    /// Reads the first two elements of `pair`, `x` of the inner object, and whether `isNull` is null.
    struct Nested: Decodable {
        enum CodingKeys: String, CodingKey { case pair, inner, x, isNull }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            var pair = try container.nestedUnkeyedContainer(forKey: .pair)
            _ = try (pair.decode(Int.self), pair.decode(String.self))
            let inner = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
            _ = try inner.decode(Int.self, forKey: .x)
            _ = try container.decodeNil(forKey: .isNull)
            _ = container.contains(.x)
        }
    }

    static let snake = Coding(keys: .convertFromSnakeCase)
    static let rows: [Row] = [
        Row(
            "members in the order sent",
            Item.self,
            sent: #"{"x":[1],"name":"n","y":{},"id":1,"z":0}"#,
            read: #"{"name":"n","id":1}"#),
        Row("spaces and line feeds", Item.self, sent: "{ \"x\" : 1 ,\n \"id\" : 1 , \"y\" : 2 }", read: #"{"id":1}"#),
        Row("nothing but unknown members", [Snake].self, sent: #"[{"x":1},{"x":1,"y":2}]"#, read: "[{},{}]"),
        Row(
            "numbers as sent",
            [Item].self,
            sent: #"[{"id":1.0},{"id":1e2},{"id":-0}]"#,
            read: #"[{"id":1.0},{"id":1e2},{"id":-0}]"#),
        Row(
            "nulls that were sent",
            Item.self,
            sent: #"{"id":1,"name":null,"items":null}"#,
            read: #"{"id":1,"name":null,"items":null}"#),
        Row(
            "the first of two",
            Item.self,
            sent: #"{"id":1,"name":"a","id":2,"name":"b"}"#,
            read: #"{"id":1,"name":"a"}"#),
        Row(
            "fewest escapes",
            Item.self,
            sent: #"{"\u0069d":1,"name":"\u0041\/\n\u0000é\ud83d\ude00\"","x":"\u0041"}"#,
            read: "{\"id\":1,\"name\":\"A/\\n\\u0000é😀\\\"\"}"),
        Row(
            "half a surrogate pair",
            JSONValue.self,
            sent: #"["\ud800\u0041","\u0041"]"#,
            read: #"["\ud800\u0041","A"]"#),
        Row("any JSON", JSONValue.self, sent: #"{"a":[1,{"b":null}],"a":2}"#, read: #"{"a":[1,{"b":null}],"a":2}"#),
        Row(
            "dates",
            Item.self,
            sent: #"{"id":1,"made":"2026-11-22T00:00:00+01:00"}"#,
            read: #"{"id":1,"made":"2026-11-22T00:00:00+01:00"}"#),
        Row(
            "snake case",
            Snake.self,
            sent: #"{"ID":1,"dbSize":2,"user_name":"u","labels":{"a_b":{"db_size":3,"x":1}},"x":1}"#,
            read: #"{"ID":1,"dbSize":2,"user_name":"u","labels":{"a_b":{"db_size":3}}}"#,
            coding: snake),
        Row(
            "forms on one decoder: first",
            SameDecoder.self,
            sent: #"{"id":1,"x":2,"y":3,"z":4}"#,
            read: #"{"id":1,"x":2,"y":3}"#),
        Row(
            "forms on one decoder: second",
            SameDecoder.self,
            sent: #"{"x":2,"id":1,"y":"3","name":"n"}"#,
            read: #"{"id":1,"name":"n"}"#),
        Row(
            "forms in a container",
            [SingleValue].self,
            sent: #"[{"id":1,"x":2},7,{"id":1,"x":2,"y":3,"name":"n"}]"#,
            read: #"[{"id":1},7,{"id":1,"x":2,"y":3}]"#),
        Row("fields left out", Lenient.self, sent: #"{"a":1,"b":"x","c":{"id":1,"x":2}}"#, read: #"{"a":1}"#),
        Row(
            "a part of the same object",
            [Flat].self,
            sent: #"[{"id":1,"x":2,"name":"n"}]"#,
            read: #"[{"id":1,"name":"n"}]"#),
        Row(
            "a superclass of the same object",
            Derived.self,
            sent: #"{"id":1,"age":"x","name":"n"}"#,
            read: #"{"id":1,"name":"n"}"#),
        Row(
            "nested containers",
            Nested.self,
            sent: #"{"pair":[1,"a",3],"inner":{"y":1,"x":2},"isNull":null,"x":1}"#,
            read: #"{"pair":[1,"a"],"inner":{"x":2},"isNull":null}"#),
        Row("one scalar", Int.self, sent: " 1 ", read: "1"),
    ]

    @Test(arguments: rows)
    func hasExactlyWhatTheModelReads(_ row: Row) throws {
        let value = try row.decoded()
        #expect(String(decoding: try JSONTextEncoder().encode(value), as: UTF8.self) == row.readText)
    }

    /// Reads some members and elements, and keeps the compact text of what it has read.
    struct Picky: Decodable {
        let text: String

        init(from decoder: any Decoder) throws {
            let depth = decoder.codingPath.count
            if let object = try? decoder.container(keyedBy: PositionKey.self) {
                let keys = object.allKeys.filter { ($0.stringValue.utf8.count + depth) % 3 != 0 }
                let members = try keys.map { key in
                    try JSONQuoting.quoted(key.stringValue) + ":" + object.decode(Picky.self, forKey: key).text
                }
                text = "{" + members.joined(separator: ",") + "}"
            } else if var list = try? decoder.unkeyedContainer() {
                var elements: [String] = []
                while !list.isAtEnd {
                    if (list.currentIndex + depth) % 4 == 0 {
                        _ = try list.superDecoder()
                    } else {
                        elements.append(try list.decode(Picky.self).text)
                    }
                }
                text = "[" + elements.joined(separator: ",") + "]"
            } else {
                let value = try JSONValue(from: decoder)
                text = value.string.map(JSONQuoting.quoted) ?? value.description
            }
        }
    }

    @Test(arguments: 0..<4)
    func hasExactlyWhatAModelReadsOfRandomTexts(_ seed: Int) throws {
        var random = RandomText(seed: UInt64(seed) + 50)
        for _ in 0..<150 {
            let text = random.value().text
            let pretty = String(decoding: JSONFormatter.pretty.run(text).output, as: UTF8.self)
            for text in [
                text, pretty,
                text.replacingOccurrences(of: ",", with: " ,").replacingOccurrences(of: "e", with: "\\u0065"),
            ] {
                guard let document = try? JSONDocument(Array(text.utf8)) else { continue }
                let marks = ReadMarks(document)
                let expected = try JSONTextDecoder().decode(Picky.self, from: document, marks: marks).text
                let value = JSONValue(document.decoded(marks))
                let written = String(decoding: try JSONTextEncoder().encode(value), as: UTF8.self)
                #expect(written == expected, "\(text)")
            }
        }
    }

    @Test func aListIsCutAfterItsFirstElements() throws {
        let value = try JSONValue(text: Array(#"{"a":[1,"\/",[2],{"b":3}]}"#.utf8))
        let list = try #require(value["a"])
        let texts = (0...5).map { JSONValue(list.document(first: $0)).description }
        let all = #"[1,"\/",[2],{"b":3}]"#
        #expect(texts == ["[]", "[1]", #"[1,"\/"]"#, #"[1,"\/",[2]]"#, all, all])
    }

    @Test func aPartOfADocumentBecomesADocument() throws {
        let value = try JSONValue(text: Array(#"{"a":[1,"\/",[2],{"b":3}]}"#.utf8))
        let part = try #require(value["a"]?.elements?.dropFirst(3).first { _ in true })
        #expect(JSONValue(part.document()).description == #"{"b":3}"#)
    }

    @Test("A part of a document is decoded, and marked, without the rest")
    func decodesAndMarksAPartAlone() throws {
        let document = try JSONDocument(Array(#"{"page":1,"items":[{"id":1,"more":2},{"id":2,"name":"b"}]}"#.utf8))
        let items = try #require(JSONValue(document)["items"])
        let marks = ReadMarks(document)
        let decoded = try JSONTextDecoder().decode([Item].self, from: document, at: items.slot, marks: marks)
        #expect(decoded.map(\.id) == [1, 2])
        #expect(decoded.map(\.name) == [nil, "b"])
        let more = try #require(items.elements?[0]["more"])
        let name = try #require(items.elements?[1]["name"])
        #expect(!marks.isRead(JSONDocument.root) && !marks.isRead(more.slot))
        #expect(marks.isRead(items.slot) && marks.isRead(name.slot))
    }
}
