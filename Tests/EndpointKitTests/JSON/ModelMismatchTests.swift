import JSONText
import TestSupport
import Testing

@testable import EndpointKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct ModelMismatchTests {
    struct Page: Codable, Sendable {
        var results: [Result]
        var next: URL?

        struct Result: Codable, Sendable {
            var id: Int
            var small: UInt8?
            var score: Double?
            var price: Decimal?
            var title: String?
            var adult: Bool?
            var released: Date?
            var genre: Everything.Genre?
            var key: UUID?
            var tags: [String]?
            var names: [String: String]?
            var box: Everything.Product.Box?
            var odd: Int?

            enum CodingKeys: String, CodingKey {
                case id, small, score, price, title, adult, released, genre, key, tags, names, box
                case odd = "odd key"
            }
        }
    }

    /// `member` as a member of the only result, at line 2 from column 12 on.
    static func page(_ member: String) -> String { "{\"results\": [\n  {\"id\":1,\(member)}]}" }

    /// An enum whose cases are objects with one key each.
    enum Animal: Codable, Sendable { case cat(lives: Int), dog(name: String) }

    @Test func `The message about an object that is no case of an enum lists the cases`() throws {
        let error = try #require(throws: ModelMismatch.self) {
            try Coding().decode([Animal].self, from: #"[{"flew":{}}]"#.bytes)
        }
        #expect(
            error.description
                == #"$[0]: expected object with one of the keys "cat", "dog", found object (line 1, column 2)"#)
    }

    @Test func `The message about a key that is no number names the key`() throws {
        let error = try #require(throws: ModelMismatch.self) {
            try Coding().decode([Int: String].self, from: #"{"x":"a"}"#.bytes)
        }
        #expect(error.description == #"$.x: Expected Int key but found String key instead (line 1, column 6)"#)
    }

    static let mismatches: [Row<String, String>] = [
        Row(
            "text for an integer", #"{"results": [{"id":1},{"id":2},{"id":3},{"id":"x"}]}"#,
            #"$.results[3].id: expected integer, found string "x" (line 1, column 47)"#),
        Row(
            "missing key", "{\"results\": [\n  {}]}",
            "$.results[0]: missing key \"id\" (line 2, column 3)"),
        Row("missing key at the root", "{}", "$: missing key \"results\" (line 1, column 1)"),
        Row("list at the root", "[]", "$: expected object, found array (line 1, column 1)"),
        Row("number at the root", " 7", "$: expected object, found number 7 (line 1, column 2)"),
        Row(
            "number for an object", #"{"results": [7]}"#,
            "$.results[0]: expected object, found number 7 (line 1, column 14)"),
        Row(
            "list for an object", #"{"results": [[]]}"#,
            "$.results[0]: expected object, found array (line 1, column 14)"),
        Row(
            "boolean for an integer", page(#""small":true"#),
            "$.results[0].small: expected integer, found boolean true (line 2, column 19)"),
        Row(
            "text for a number", page(#""score":"NaN""#),
            #"$.results[0].score: expected number, found string "NaN" (line 2, column 19)"#),
        Row(
            "number for a text", page(#""title":7"#),
            "$.results[0].title: expected string, found number 7 (line 2, column 19)"),
        Row(
            "text for a boolean", page(#""adult":"true""#),
            #"$.results[0].adult: expected boolean, found string "true" (line 2, column 19)"#),
        Row(
            "wrong element of a list", page(#""tags":["a",1]"#),
            "$.results[0].tags[1]: expected string, found number 1 (line 2, column 23)"),
        Row(
            "wrong value of a dictionary", page(#""names":{"a b":1}"#),
            #"$.results[0].names['a b']: expected string, found number 1 (line 2, column 26)"#),
        Row(
            "wrong field of a structure", page(#""box":{"width":"w"}"#),
            #"$.results[0].box.width: expected integer, found string "w" (line 2, column 26)"#),
        Row(
            "odd key", page(#""odd key":"x""#),
            #"$.results[0]['odd key']: expected integer, found string "x" (line 2, column 21)"#),
        Row(
            "control characters are escaped", page(#""small":"\u001b[2J""# + ""),
            #"$.results[0].small: expected integer, found string "\u001b[2J" (line 2, column 19)"#),
        Row(
            "characters that reorder text are escaped", page("\"small\":\"\u{202E}x\""),
            #"$.results[0].small: expected integer, found string "\u202Ex" (line 2, column 19)"#),
    ]

    @Test(arguments: mismatches)
    func `The message says where the mismatch is, what was expected and what was found`(_ row: Row<String, String>)
        throws
    {
        let error = try #require(throws: ModelMismatch.self) { try Coding().decode(Page.self, from: row.input.bytes) }
        #expect(error.description == row.expected)
        #expect(error.model == "Page")
    }
}
