import JSONText
import Testing

struct PaletteTests {
    static let full = JSONPalette(key: "1", string: "2", number: "3", literal: "4", null: "5", punctuation: "6")

    /// `\e` stands for the escape character.
    private func shown(_ text: String) -> String {
        String(text.flatMap { $0 == "\u{1B}" ? "\\e" : String($0) })
    }

    @Test func everyKindOfToken() {
        let formatter = JSONFormatter(style: .compact, palette: Self.full)
        let expected =
            #"\e[6m{\e[0m\e[1m"k"\e[0m\e[6m:\e[0m\e[6m[\e[0m\e[2m"s"\e[0m\e[6m,\e[0m\e[3m-1.5\e[0m\e[6m,\e[0m"#
            + #"\e[4mtrue\e[0m\e[6m,\e[0m\e[4mfalse\e[0m\e[6m,\e[0m\e[5mnull\e[0m\e[6m]\e[0m\e[6m}\e[0m"#
        #expect(shown(formatter.run(#"{"k":["s",-1.5,true,false,null]}"#).text) == expected + "\n")
    }

    @Test func standardLeavesPunctuationPlain() {
        let formatter = JSONFormatter(style: .pretty(indent: .spaces(2)), palette: .standard)
        let expected =
            "{\n  \\e[1;34m\"k\"\\e[0m: \\e[32m\"s\"\\e[0m,\n  \\e[1;34m\"n\"\\e[0m: [\n    \\e[36m1\\e[0m\n  ]\n}\n"
        #expect(shown(formatter.run(#"{"k":"s","n":[1]}"#).text) == expected)
    }

    @Test func numberAtTheEndIsReset() {
        let formatter = JSONFormatter(style: .compact, palette: Self.full)
        #expect(shown(formatter.run("12").text) == "\\e[3m12\\e[0m\n")
    }

    @Test(arguments: [
        ("\"ab\u{1}", #"\e[2m"ab\e[0m"#), ("\"ab", #"\e[2m"ab\e[0m"#), ("-x", #"\e[3m-\e[0m"#),
        ("nuX", #"\e[5mnu\e[0m"#), ("-", #"\e[3m-\e[0m"#),
    ])
    func errorsSwitchTheColourOff(_ text: String, _ expected: String) {
        let formatter = JSONFormatter(style: .compact, palette: Self.full)
        #expect(shown(formatter.run(text).text) == expected)
        #expect(formatter.cutsThatDiffer(Array(text.utf8)) == [])
    }

    @Test func checkingPrintsNoColour() {
        #expect(JSONFormatter(style: .none, palette: Self.full).run("[1]").output == [])
    }
}
