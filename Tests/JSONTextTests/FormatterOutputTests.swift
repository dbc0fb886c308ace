import JSONText
import Testing

struct FormatterOutputTests {
    static let sample = #"{"b":1.50,"a":[1, [],{} ,"x\u00e9\/é",{"k":null}],"b":{"t":true,"f":false}}"#

    @Test func prettyTextHasAMemberOrElementPerLine() {
        let expected = #"""
            {
              "b": 1.50,
              "a": [
                1,
                [],
                {},
                "x\u00e9\/é",
                {
                  "k": null
                }
              ],
              "b": {
                "t": true,
                "f": false
              }
            }

            """#
        #expect(JSONFormatter.pretty.run(Self.sample) == Outcome(output: Array(expected.utf8)))
    }

    @Test(arguments: [(-1, ""), (0, ""), (1, " "), (4, "    "), (8, "        "), (1000, "        ")])
    func indentationIsBetweenNoneAnd8Spaces(_ count: Int, _ indent: String) {
        #expect(JSONFormatter(style: .pretty(indent: .spaces(count))).run("[1]").text == "[\n\(indent)1\n]\n")
    }

    @Test func eachOfSeveralDocumentsStartsALine() {
        let text = "\u{1E}{\"a\": 1}\n\u{1E}[ ]\n12\n\"x\"\n\n[2]"
        #expect(JSONFormatter.compact.run(text).text == "{\"a\":1}\n[]\n12\n\"x\"\n[2]\n")
        #expect(JSONFormatter.pretty.run(text).text == "{\n  \"a\": 1\n}\n[]\n12\n\"x\"\n[\n  2\n]\n")
    }

    /// The lengths are those around the size of a word (8 bytes), and longer than any buffer of the formatter.
    @Test func stringsAndNumbersOfAnyLengthStayAsTheyAre() {
        for length in Array(0...70) + [1023, 1024, 1025, 16_383, 16_384, 50_000] {
            let letters = String(repeating: "abcdefghi", count: length / 9 + 1).prefix(length)
            let text = "[\"\(letters)\",1\(String(repeating: "7", count: length)),\"\(letters)é\"]\n"
            #expect(JSONFormatter.compact.run(text).text == text)
            #expect(JSONFormatter.checking.run(text).error == nil)
        }
    }

    @Test func aMillionLevelsAreFormattedAndChecked() {
        let depth = 1_000_000
        let open = [UInt8](repeating: UInt8(ascii: "["), count: depth)
        let close = [UInt8](repeating: UInt8(ascii: "]"), count: depth)
        #expect(JSONFormatter.compact.run([open, close]) == Outcome(output: open + close + [0x0A]))
        let oneBracketTooMany = JSONFormatter.checking.run([open, close, [UInt8(ascii: "]")]])
        #expect(oneBracketTooMany.error?.offset == 2 * depth)
        #expect(JSONFormatter.checking.run([open]).error?.found == "end of input")
    }

    @Test func indentationStopsGrowingAt512Spaces() {
        let depth = 300
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let output = JSONFormatter.pretty.run(text).output
        let indentations = output.split(separator: 0x0A).map { line in line.prefix { $0 == 0x20 }.count }
        #expect(indentations.count == 2 * depth - 1)
        #expect(indentations.max() == 512)
        #expect(indentations[255...257] == [510, 512, 512])
        #expect(JSONFormatter.compact.run([output]).text == text + "\n")
    }

    /// Characters that a terminal would obey, and invisible ones that it would not.
    private static let controls = """
        ["a\u{7F}b\u{80}\u{9B}\u{9F}\u{A0}\u{61C}\u{200D}\u{200E}\u{200F}\u{2029}\u{202A}\u{202E}\u{202F}\
        \u{2065}\u{2066}\u{2069}\u{206A}é"]
        """

    @Test func escapesControlsForATerminal() {
        let escaped = """
            ["a\\u007Fb\\u0080\\u009B\\u009F\u{A0}\\u061C\u{200D}\\u200E\\u200F\\u2029\\u202A\\u202E\u{202F}\
            \u{2065}\\u2066\\u2069\u{206A}é"]

            """
        let formatter = JSONFormatter(style: .compact, escapesControls: true)
        #expect(formatter.run(Self.controls).text.unicodeScalars.elementsEqual(escaped.unicodeScalars))
        #expect(formatter.cutsThatDiffer(Array(Self.controls.utf8)) == [])
        #expect(formatter.run("{\"\u{9B}31m\":\"\u{7F}\"}").text == "{\"\\u009B31m\":\"\\u007F\"}\n")
    }

    @Test func controlsStayAsTheyAreWhereNoTerminalReadsThem() {
        let output = JSONFormatter.compact.run(Self.controls).text
        #expect(output.unicodeScalars.elementsEqual((Self.controls + "\n").unicodeScalars))
    }
}
