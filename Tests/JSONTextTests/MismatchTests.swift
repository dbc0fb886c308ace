import Testing

@testable import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The description of a value that does not fit a model.
///
/// The tests of the client cover the texts of the decoder's own errors.
struct MismatchTests {
    struct Poster: Decodable {
        var posterPath: Int
        var names: [String: Int]?
        var pair: Pair?
        var word: Word?
    }

    /// Decodes two integers, and throws an error of its own unless the first one is below 10.
    struct Pair: Decodable {
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            let first = try container.decode(Int.self)
            _ = try container.decode(Int.self)
            guard first < 10 else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath + [PositionKey(intValue: 0)], debugDescription: "Too large."))
            }
        }
    }

    /// Refuses the value of its key whatever it is.
    struct Word: Decodable {
        enum CodingKeys: String, CodingKey { case oddWord }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            throw DecodingError.dataCorruptedError(
                forKey: .oddWord, in: container, debugDescription: "expected a colour")
        }
    }

    static let rows: [(text: String, description: String)] = [
        (#"{"poster_path":"x"}"#, #"$.poster_path: expected integer, found string "x" (line 1, column 16)"#),
        ("{\n}", #"$: missing key "posterPath" (line 1, column 1)"#),
        (
            #"{"poster_path":1,"names":{"a_b":1,"aB":"x"}}"#,
            #"$.names.aB: expected integer, found string "x" (line 1, column 40)"#
        ),
        (
            #"{"poster_path":1,"pair":[1]}"#,
            "$.pair[1]: expected integer, found the end of the array (line 1, column 25)"
        ),
        (#"{"poster_path":1,"pair":[11,1]}"#, "$.pair[0]: Too large; found number 11 (line 1, column 26)"),
        (
            #"{"poster_path":1,"word":{"odd_word":[]}}"#,
            "$.word.odd_word: expected a colour, found array (line 1, column 37)"
        ),
        (#"{"poster_path":1,"word":{}}"#, "$.word.oddWord: expected a colour"),
        (
            #"{"\ud800":1}"#,
            "$: expected object with keys without lone surrogates, found object (line 1, column 1)"
        ),
    ]

    @Test(arguments: rows)
    func namesPathExpectedAndFoundValue(_ text: String, _ description: String) throws {
        let coding = Coding(keys: .convertFromSnakeCase)
        let document = try JSONDocument(Array(text.utf8))
        let error = try #require(throws: DecodingError.self) {
            try JSONTextDecoder(coding: coding).decode(Poster.self, from: document)
        }
        #expect(JSONMismatch(error, in: document, coding: coding).description == description)
    }

    /// Each text is an element of an array here, but paths and positions are still those in the whole document.
    @Test(arguments: rows)
    func namesPathAndPositionInTheWholeDocument(_ text: String, _ description: String) throws {
        let coding = Coding(keys: .convertFromSnakeCase)
        let document = try JSONDocument(Array("{\n\"list\":[0,\n\(text)]}".utf8))
        let part = try #require(JSONValue(document)["list"]?.elements?[1])
        let error = try #require(throws: DecodingError.self) {
            try JSONTextDecoder(coding: coding).decode(Poster.self, from: document, at: part.slot)
        }
        let linesBefore = 2
        let line = description.contains("line 1") ? "line \(1 + linesBefore)" : "line 1"
        let inWhole = "$.list[1]" + description.dropFirst().replacing("line 1", with: line)
        #expect(JSONMismatch(error, in: document, at: part.slot, coding: coding).description == inWhole)
    }
}
