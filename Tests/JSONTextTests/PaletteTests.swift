import JSONText
import Testing

struct PaletteTests {
    private static let formatter = JSONFormatter(style: .compact, isColored: true)

    /// Returns `text` with `\e` in place of each escape character.
    private func shown(_ text: String) -> String {
        String(text.flatMap { $0 == "\u{1B}" ? "\\e" : String($0) })
    }

    /// A colour is also reset where the text ends or is invalid. `\e` stands for the escape character.
    @Test(arguments: [
        (
            #"{"k":["s",-1.5,true,false,null]}"#,
            #"{\e[1;34m"k"\e[0m:[\e[32m"s"\e[0m,\e[36m-1.5\e[0m,"#
                + #"\e[35mtrue\e[0m,\e[35mfalse\e[0m,\e[90mnull\e[0m]}"# + "\n"
        ),
        ("12", #"\e[36m12\e[0m"# + "\n"),
        ("\"ab\u{1}", #"\e[32m"ab\e[0m"#),
        (#""ab"#, #"\e[32m"ab\e[0m"#),
        ("-x", #"\e[36m-\e[0m"#),
        ("nuX", #"\e[90mnu\e[0m"#),
        ("-", #"\e[36m-\e[0m"#),
    ])
    func eachTokenHasItsColourAndAReset(_ text: String, _ expected: String) {
        #expect(shown(Self.formatter.run(text).text) == expected)
        #expect(Self.formatter.cutsThatDiffer(Array(text.utf8)) == [])
    }
}
