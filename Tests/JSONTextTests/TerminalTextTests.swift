import JSONText
import Testing

struct TerminalTextTests {
    @Test(arguments: [
        ("plain", "plain"),
        ("", ""),
        ("a\nb\r\tc", #"a\nb\r\tc"#),
        ("\r\n", #"\r\n"#),
        ("\u{1B}[31mred", #"\u001B[31mred"#),
        ("\u{0}\u{7}\u{7F}", #"\u0000\u0007\u007F"#),
        ("\u{80}\u{9B}\u{9F}", #"\u0080\u009B\u009F"#),
        ("\u{61C}\u{200E}\u{200F}\u{202A}\u{202E}\u{2066}\u{2069}", #"\u061C\u200E\u200F\u202A\u202E\u2066\u2069"#),
        ("a\\nb é 日本 👨‍👩‍👧 \u{A0}", "a\\nb é 日本 👨‍👩‍👧 \u{A0}"),
    ])
    func escapesCharactersThatATerminalWouldObey(_ text: String, _ expected: String) {
        #expect(TerminalText.escaped(text).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }
}
