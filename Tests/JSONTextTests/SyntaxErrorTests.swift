import Testing

@testable import JSONText

struct SyntaxErrorTests {
    static let messages: [(text: String, message: String)] = [
        ("", "line 1, column 1: expected a value, found end of input"),
        ("{\n  \"a\": [\n    1,\n  ]\n}", "line 4, column 3: expected a value, found ']'"),
        (#"{"a":1,}"#, "line 1, column 8: expected a key in quotes, found '}'"),
        ("[,", "line 1, column 2: expected a value or ']', found ','"),
        ("{'", "line 1, column 2: expected a key in quotes or '}', found \"'\""),
        (#"{"a"}"#, "line 1, column 5: expected ':', found '}'"),
        ("[1 2]", "line 1, column 4: expected ',' or ']', found '2'"),
        (#"{"a":1 "b"}"#, #"line 1, column 8: expected ',' or '}', found '"'"#),
        ("{} {}", "line 1, column 4: expected a line break or the end of input, found '{'"),
        ("[trve]", "line 1, column 4: expected 'true', found 'v'"),
        ("\n\"abc", "line 2, column 5: expected a character, an escape or the closing '\"', found end of input"),
        ("\"a\u{1B}[31m\"", "line 1, column 3: expected a character, an escape or the closing '\"', found byte 0x1B"),
        (#""\x""#, #"line 1, column 3: expected one of '"', '\', '/', 'b', 'f', 'n', 'r', 't', 'u', found 'x'"#),
        (#""\u12g4""#, "line 1, column 6: expected a hexadecimal digit, found 'g'"),
        ("-a", "line 1, column 2: expected a digit, found 'a'"),
        ("1ea", "line 1, column 3: expected a digit, '+' or '-', found 'a'"),
        ("[01]", "line 1, column 3: expected no digit after a leading zero, found '1'"),
        ("[é]", "line 1, column 2: expected a value or ']', found byte 0xC3"),
        ("[1,\n\"日本語\", \"é\" \"😀\"]", "line 2, column 12: expected ',' or ']', found '\"'"),
        ("\u{FEFF}x", "line 1, column 1: expected a value, found 'x'"),
    ]

    @Test(arguments: messages)
    func saysWhereAndWhatWasExpectedAndFound(_ text: String, _ message: String) {
        #expect(JSONFormatter.checking.run(text).error?.description == message)
        #expect(JSONFormatter.pretty.cutsThatDiffer(Array(text.utf8)) == [])
    }

    @Test func invalidUTF8PointsToTheCharacter() {
        let bytes = Array("[\"é".utf8) + [0xE2, 0x28, 0xA1] + Array("\"]".utf8)
        let error = JSONSyntaxError(offset: 4, line: 1, column: 4, expected: "valid UTF-8", found: "byte 0xE2")
        #expect(JSONFormatter.checking.run([bytes]).error == error)
        #expect(JSONFormatter.checking.cutsThatDiffer(bytes) == [])
    }

    @Test func aCharacterThatIsCutOffPointsToTheEnd() {
        let bytes = Array("\"é".utf8) + [0xF0, 0x9F, 0x98]
        let error = JSONSyntaxError(
            offset: 6, line: 1, column: 4, expected: "the rest of a UTF-8 character", found: "end of input")
        #expect(JSONFormatter.checking.run([bytes]).error == error)
        #expect(JSONFormatter.checking.cutsThatDiffer(bytes) == [])
    }

    @Test func everyCallAfterAnErrorThrowsTheSameError() throws {
        var formatter = JSONFormatter.compact
        var output: [UInt8] = []
        let error = try #require(throws: JSONSyntaxError.self) { try formatter.feed(Array("[1,]".utf8), into: &output) }
        #expect(throws: error) { try formatter.feed(Array("2]".utf8), into: &output) }
        #expect(throws: error) { try formatter.finish(into: &output) }
        #expect(output == Array("[1,".utf8))
    }
}
