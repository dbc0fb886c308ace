import Foundation
import Testing

@testable import JSONText

/// What is left of a document when only what a model has read is kept.
struct DecodedDocumentTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let decoded: @Sendable () throws -> JSONValue
        let expected: String

        init<Model: Decodable & SendableMetatype>(
            _ id: String, _ model: Model.Type, _ text: String, _ expected: String, _ coding: Coding = Coding()
        ) {
            testDescription = id
            decoded = { JSONValue(try DecodedDocumentTests.decoded(model, text, coding)) }
            self.expected = expected
        }
    }

    static func decoded<Model: Decodable>(
        _ model: Model.Type, _ text: String, _ coding: Coding = Coding()
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

    /// The forms are tried on the decoder itself.
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

    /// The forms are tried in a single-value container.
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

    /// A field that does not fit is left out, also the last one.
    struct Lenient: Decodable {
        enum CodingKeys: String, CodingKey { case a, b, c }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            _ = try container.decode(Int.self, forKey: .a)
            _ = try? container.decode(Int.self, forKey: .b)
            _ = try? container.decode(Point.self, forKey: .c)
        }
    }

    /// A part of the object itself is read after a field that does not fit.
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

    final class Derived: Base {
        enum CodingKeys: String, CodingKey { case id, age }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            _ = try container.decode(Int.self, forKey: .id)
            _ = try? container.decode(Int.self, forKey: .age)
            try super.init(from: decoder)
        }
    }

    /// The first two elements, and the inner object's `x`.
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
            "members in the order sent", Item.self, #"{"x":[1],"name":"n","y":{},"id":1,"z":0}"#,
            #"{"name":"n","id":1}"#),
        Row("the same with spaces", Item.self, "{ \"x\" : 1 ,\n \"id\" : 1 , \"y\" : 2 }", #"{"id":1}"#),
        Row("nothing but unknown members", [Snake].self, #"[{"x":1},{"x":1,"y":2}]"#, "[{},{}]"),
        Row(
            "numbers as sent", [Item].self, #"[{"id":1.0},{"id":1e2},{"id":-0}]"#,
            #"[{"id":1.0},{"id":1e2},{"id":-0}]"#),
        Row(
            "nulls that were sent", Item.self, #"{"id":1,"name":null,"items":null}"#,
            #"{"id":1,"name":null,"items":null}"#),
        Row("the first of two", Item.self, #"{"id":1,"name":"a","id":2,"name":"b"}"#, #"{"id":1,"name":"a"}"#),
        Row(
            "fewest escapes", Item.self, #"{"\u0069d":1,"name":"\u0041\/\n\u0000é\ud83d\ude00\"","x":"\u0041"}"#,
            "{\"id\":1,\"name\":\"A/\\n\\u0000é😀\\\"\"}"),
        Row("half a surrogate pair", JSONValue.self, #"["\ud800\u0041","\u0041"]"#, #"["\ud800\u0041","A"]"#),
        Row("any JSON", JSONValue.self, #"{"a":[1,{"b":null}],"a":2}"#, #"{"a":[1,{"b":null}],"a":2}"#),
        Row(
            "dates", Item.self, #"{"id":1,"made":"2026-11-22T00:00:00+01:00"}"#,
            #"{"id":1,"made":"2026-11-22T00:00:00+01:00"}"#),
        Row(
            "snake case", Snake.self,
            #"{"ID":1,"dbSize":2,"user_name":"u","labels":{"a_b":{"db_size":3,"x":1}},"x":1}"#,
            #"{"ID":1,"dbSize":2,"user_name":"u","labels":{"a_b":{"db_size":3}}}"#, snake),
        Row("forms on one decoder: first", SameDecoder.self, #"{"id":1,"x":2,"y":3,"z":4}"#, #"{"id":1,"x":2,"y":3}"#),
        Row(
            "forms on one decoder: second", SameDecoder.self, #"{"x":2,"id":1,"y":"3","name":"n"}"#,
            #"{"id":1,"name":"n"}"#),
        Row(
            "forms in a container", [SingleValue].self, #"[{"id":1,"x":2},7,{"id":1,"x":2,"y":3,"name":"n"}]"#,
            #"[{"id":1},7,{"id":1,"x":2,"y":3}]"#),
        Row("fields left out", Lenient.self, #"{"a":1,"b":"x","c":{"id":1,"x":2}}"#, #"{"a":1}"#),
        Row("a part of the same object", [Flat].self, #"[{"id":1,"x":2,"name":"n"}]"#, #"[{"id":1,"name":"n"}]"#),
        Row(
            "a superclass of the same object", Derived.self, #"{"id":1,"age":"x","name":"n"}"#, #"{"id":1,"name":"n"}"#),
        Row(
            "nested containers", Nested.self, #"{"pair":[1,"a",3],"inner":{"y":1,"x":2},"isNull":null,"x":1}"#,
            #"{"pair":[1,"a"],"inner":{"x":2},"isNull":null}"#),
        Row("one scalar", Int.self, " 1 ", "1"),
    ]

    @Test(arguments: rows)
    func hasExactlyWhatTheModelReads(_ row: Row) throws {
        let value = try row.decoded()
        #expect(String(decoding: try JSONTextEncoder().encode(value), as: UTF8.self) == row.expected)
    }

    /// Reads some members and elements, and tells how they are written.
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
    func hasAnyPartsOfAnyText(_ seed: Int) throws {
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
                let found = String(decoding: try JSONTextEncoder().encode(value), as: UTF8.self)
                #expect(found == expected, "\(text)")
            }
        }
    }

    @Test func cutsAListAfterItsFirstElements() throws {
        let value = try JSONValue(text: Array(#"{"a":[1,"\/",[2],{"b":3}]}"#.utf8))
        let list = try #require(value["a"])
        let texts = (0...5).map { JSONValue(list.document(first: $0)).description }
        let all = #"[1,"\/",[2],{"b":3}]"#
        #expect(texts == ["[]", "[1]", #"[1,"\/"]"#, #"[1,"\/",[2]]"#, all, all])
        #expect(
            JSONValue(try #require(value["a"]?.elements?.dropFirst(3).first { _ in true }).document()).description
                == #"{"b":3}"#)
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
