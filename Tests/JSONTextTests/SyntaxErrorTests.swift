import Testing

@testable import JSONText

struct SyntaxErrorTests {
    struct Message: Sendable, CustomTestStringConvertible {
        let id: String
        let text: String
        let message: String
        var testDescription: String { id }
    }

    static let messages = [
        Message(id: "nothing", text: "", message: "line 1, column 1: expected a value, found end of input"),
        Message(
            id: "trailing comma", text: "{\n  \"a\": [\n    1,\n  ]\n}",
            message: "line 4, column 3: expected a value, found ']'"),
        Message(
            id: "trailing comma in an object", text: #"{"a":1,}"#,
            message: "line 1, column 8: expected a key in quotes, found '}'"),
        Message(id: "first element", text: "[,", message: "line 1, column 2: expected a value or ']', found ','"),
        Message(id: "first key", text: "{'", message: "line 1, column 2: expected a key in quotes or '}', found \"'\""),
        Message(id: "colon", text: #"{"a"}"#, message: "line 1, column 5: expected ':', found '}'"),
        Message(id: "after an element", text: "[1 2]", message: "line 1, column 4: expected ',' or ']', found '2'"),
        Message(
            id: "after a member", text: #"{"a":1 "b"}"#, message: #"line 1, column 8: expected ',' or '}', found '"'"#),
        Message(
            id: "second document", text: "{} {}",
            message: "line 1, column 4: expected a line break or the end of input, found '{'"),
        Message(id: "literal", text: "[trve]", message: "line 1, column 4: expected 'true', found 'v'"),
        Message(
            id: "open string", text: "\n\"abc",
            message: "line 2, column 5: expected a character, an escape or the closing '\"', found end of input"),
        Message(
            id: "control character", text: "\"a\u{1B}[31m\"",
            message: "line 1, column 3: expected a character, an escape or the closing '\"', found byte 0x1B"),
        Message(
            id: "escape", text: #""\x""#,
            message: #"line 1, column 3: expected one of '"', '\', '/', 'b', 'f', 'n', 'r', 't', 'u', found 'x'"#),
        Message(
            id: "hexadecimal", text: #""\u12g4""#, message: "line 1, column 6: expected a hexadecimal digit, found 'g'"),
        Message(id: "minus", text: "-a", message: "line 1, column 2: expected a digit, found 'a'"),
        Message(id: "exponent", text: "1ea", message: "line 1, column 3: expected a digit, '+' or '-', found 'a'"),
        Message(
            id: "leading zero", text: "[01]",
            message: "line 1, column 3: expected no digit after a leading zero, found '1'"),
        Message(id: "not ASCII", text: "[é]", message: "line 1, column 2: expected a value or ']', found byte 0xC3"),
        Message(
            id: "columns count characters", text: "[1,\n\"日本語\", \"é\" \"😀\"]",
            message: "line 2, column 12: expected ',' or ']', found '\"'"),
        Message(
            id: "a byte order mark is no column", text: "\u{FEFF}x",
            message: "line 1, column 1: expected a value, found 'x'"),
    ]

    @Test(arguments: messages)
    func names(_ row: Message) {
        #expect(JSONFormatter.checking.run(row.text).error?.description == row.message)
        #expect(JSONFormatter.pretty.cutsThatDiffer(Array(row.text.utf8)) == [])
    }

    @Test func invalidUTF8PointsToTheCharacter() {
        let bytes = Array("[\"é".utf8) + [0xE2, 0x28, 0xA1] + Array("\"]".utf8)
        let error = JSONSyntaxError(offset: 4, line: 1, column: 4, expected: "valid UTF-8", found: "byte 0xE2")
        #expect(JSONFormatter.checking.run([bytes]).error == error)
        #expect(JSONFormatter.checking.cutsThatDiffer(bytes) == [])
    }

    @Test func characterCutAtTheEnd() {
        let bytes = Array("\"é".utf8) + [0xF0, 0x9F, 0x98]
        let error = JSONSyntaxError(
            offset: 6, line: 1, column: 4, expected: "the rest of a UTF-8 character", found: "end of input")
        #expect(JSONFormatter.checking.run([bytes]).error == error)
        #expect(JSONFormatter.checking.cutsThatDiffer(bytes) == [])
    }

    @Test func staysBroken() throws {
        var formatter = JSONFormatter.compact
        var output: [UInt8] = []
        let error = try #require(throws: JSONSyntaxError.self) { try formatter.feed(Array("[1,]".utf8), into: &output) }
        #expect(throws: error) { try formatter.feed(Array("2]".utf8), into: &output) }
        #expect(throws: error) { try formatter.finish(into: &output) }
        #expect(output == Array("[1,".utf8))
    }

    /// A long text without a line break, so that offset and column have come through many pieces.
    @Test func farAway() {
        let item = Array("\"aé€😀\",".utf8)
        let pieces = [[UInt8(ascii: "[")]] + Array(repeating: item, count: 1000) + [[UInt8(ascii: "]")]]
        let error = JSONSyntaxError(offset: 13_001, line: 1, column: 7_002, expected: "a value", found: "']'")
        #expect(JSONFormatter.checking.run(pieces).error == error)
        #expect(JSONFormatter.checking.run([pieces.flatMap { $0 }]).error == error)
    }
}
