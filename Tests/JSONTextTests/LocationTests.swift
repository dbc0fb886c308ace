import Testing

@testable import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

struct LocationTests {
    static let text = #"""
        {
          "results": [
            {"id": 1, "títle": "é\"}", "id": 2},
            [], {}, -1.5e3 ,
            true, null, "日本", [ 0 , 1.0 ]
          ],
          "\u0061\n\ud83d\ude00": false,
          "": {"": 7}
        }
        """#

    /// The path of a value in `text`, and where and how it is described.
    struct Row: Sendable, CustomTestStringConvertible {
        let path: [JSONPathComponent]
        let line: Int
        let column: Int
        /// The kind of the value and, for a scalar, the value as it is written.
        let text: String

        init(_ path: [JSONPathComponent], line: Int, column: Int, text: String) {
            self.path = path
            self.line = line
            self.column = column
            self.text = text
        }

        var testDescription: String { path.pathText }
    }

    static let rows: [Row] = [
        Row([], line: 1, column: 1, text: "object"),
        Row([.key("results")], line: 2, column: 14, text: "array"),
        Row([.key("results"), .index(0)], line: 3, column: 5, text: "object"),
        Row([.key("results"), .index(0), .key("id")], line: 3, column: 12, text: "number 1"),
        Row([.key("results"), .index(0), .key("títle")], line: 3, column: 24, text: #"string "é\"}""#),
        Row([.key("results"), .index(1)], line: 4, column: 5, text: "array"),
        Row([.key("results"), .index(2)], line: 4, column: 9, text: "object"),
        Row([.key("results"), .index(3)], line: 4, column: 13, text: "number -1.5e3"),
        Row([.key("results"), .index(4)], line: 5, column: 5, text: "boolean true"),
        Row([.key("results"), .index(5)], line: 5, column: 11, text: "null"),
        Row([.key("results"), .index(6)], line: 5, column: 17, text: "string \"日本\""),
        Row([.key("results"), .index(7), .index(0)], line: 5, column: 25, text: "number 0"),
        Row([.key("results"), .index(7), .index(1)], line: 5, column: 29, text: "number 1.0"),
        Row([.key("a\n😀")], line: 7, column: 27, text: "boolean false"),
        Row([.key(""), .key("")], line: 8, column: 12, text: "number 7"),
    ]

    @Test(arguments: rows)
    func knowsLineColumnAndText(_ row: Row) throws {
        let document = try JSONDocument(Array(Self.text.utf8))
        let slot = try #require(document.slot(at: row.path))
        let position = document.position(of: document.range(of: slot).lowerBound)
        #expect(position == (row.line, row.column))
        #expect(document.valueText(of: slot) == row.text)
    }

    @Test func aByteOrderMarkTakesNoColumn() throws {
        #expect(try JSONDocument([0xEF, 0xBB, 0xBF] + Array("[1,2]".utf8)).position(of: 6).column == 4)
    }

    @Test func aScalarOf80CharactersIsShownWhole() throws {
        let string = "\"\(String(repeating: "é", count: 78))\""
        #expect(string.count == 80)
        #expect(try Self.shownScalar(string) == string)
    }

    @Test func longerScalarsAreCutAfter80Characters() throws {
        let string = "\"\(String(repeating: "é", count: 79))\""
        #expect(try Self.shownScalar(string) == "\"\(String(repeating: "é", count: 79))…")
        let number = String(repeating: "7", count: 1000)
        #expect(try Self.shownScalar(number) == String(repeating: "7", count: 80) + "…")
    }

    /// Returns the description of a document that is one scalar, without the word for its kind.
    private static func shownScalar(_ text: String) throws -> String {
        let description = try JSONDocument(Array(text.utf8)).valueText(of: JSONDocument.root)
        return String(description.split(separator: " ", maxSplits: 1)[1])
    }

    @Test(
        arguments: [
            ([], "$"),
            ([.key("results"), .index(3), .key("id")], "$.results[3].id"),
            ([.key("odd key")], "$['odd key']"),
            ([.key("")], "$['']"),
            ([.key("1a")], "$['1a']"),
            ([.key("_a1")], "$._a1"),
            ([.key("é")], "$['é']"),
            ([.key("a\"'\\b\n")], #"$['a"\'\\b\n']"#),
            ([.key("\u{1B}\u{9B}\u{202E}")], #"$['\u001b\u009b\u202e']"#),
        ] as [([JSONPathComponent], String)])
    func pathsAreSafeToPrint(_ path: [JSONPathComponent], _ text: String) {
        #expect(path.pathText == text)
    }
}

extension JSONDocument {
    /// The slot of the value at `path`; nil if there is none.
    func slot(at path: [JSONPathComponent]) -> Int? {
        var slot = Self.root
        for component in path {
            guard let child = child(component, of: slot) else { return nil }
            slot = child
        }
        return slot
    }
}
