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

    struct Row: Sendable, CustomTestStringConvertible {
        let path: [JSONPathComponent]
        let line: Int
        let column: Int
        let text: String
        init(_ path: [JSONPathComponent], _ line: Int, _ column: Int, _ text: String) {
            (self.path, self.line, self.column, self.text) = (path, line, column, text)
        }
        var testDescription: String { path.pathText }
    }

    static let rows: [Row] = [
        Row([], 1, 1, "object"),
        Row([.key("results")], 2, 14, "array"),
        Row([.key("results"), .index(0)], 3, 5, "object"),
        Row([.key("results"), .index(0), .key("id")], 3, 12, "number 1"),
        Row([.key("results"), .index(0), .key("títle")], 3, 24, #"string "é\"}""#),
        Row([.key("results"), .index(1)], 4, 5, "array"),
        Row([.key("results"), .index(2)], 4, 9, "object"),
        Row([.key("results"), .index(3)], 4, 13, "number -1.5e3"),
        Row([.key("results"), .index(4)], 5, 5, "boolean true"),
        Row([.key("results"), .index(5)], 5, 11, "null"),
        Row([.key("results"), .index(6)], 5, 17, "string \"日本\""),
        Row([.key("results"), .index(7), .index(0)], 5, 25, "number 0"),
        Row([.key("results"), .index(7), .index(1)], 5, 29, "number 1.0"),
        Row([.key("a\n😀")], 7, 27, "boolean false"),
        Row([.key(""), .key("")], 8, 12, "number 7"),
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

    @Test func longScalarsAreCutAfter80Characters() throws {
        func text(_ value: String) throws -> String {
            let text = try JSONDocument(Array(value.utf8)).valueText(of: JSONDocument.root)
            return String(text.split(separator: " ", maxSplits: 1)[1])
        }
        let quoted = "\"\(String(repeating: "é", count: 78))\""
        #expect(try text(quoted) == quoted)
        let longer = "\"\(String(repeating: "é", count: 79))\""
        #expect(try text(longer) == "\"\(String(repeating: "é", count: 79))…")
        #expect(try text(String(repeating: "7", count: 1000)) == String(repeating: "7", count: 80) + "…")
    }

    @Test(
        arguments: [
            ([], "$"), ([.key("results"), .index(3), .key("id")], "$.results[3].id"),
            ([.key("odd key")], "$['odd key']"), ([.key("")], "$['']"), ([.key("1a")], "$['1a']"),
            ([.key("_a1")], "$._a1"), ([.key("é")], "$['é']"), ([.key("a\"'\\b\n")], #"$['a"\'\\b\n']"#),
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
