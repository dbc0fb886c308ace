import EndpointKit
import TestSupport
import Testing

@testable import ApictlCLI

/// Quoted words, which a shell reads back as the same bytes.
struct ShellTextTests {
    @Test(arguments: [
        ("plain", "aZ0-./:@%+=,_", "aZ0-./:@%+=,_"), ("empty", "", "''"), ("space", "a b", "'a b'"),
        ("quote", "it's", #"'it'\''s'"#), ("quote with a combining mark", "'\u{301}", "''\\''\u{301}'"),
        ("dollar", "$HOME", "'$HOME'"), ("tilde", "~", "'~'"), ("star", "*", "'*'"), ("line break", "a\nb", "'a\nb'"),
        ("emoji", "🎬", "'🎬'"), ("equals sign", "=", "'='"), ("backslash", #"\"#, #"''"\\"''"#),
        ("backslash before a letter", #"\u00e9"#, #"'\u00e9'"#),
        ("backslashes", #"a\\b"#, #"'a'"\\\\"'b'"#), ("three", #"a\\\"#, #"'a'"\\\\"''"\\"''"#),
        ("bidi control", "a\u{202E}b", #""$(printf 'a\342\200\256b')""#),
        ("bidi isolate", "\u{2066}", #""$(printf '\342\201\246')""#),
        ("escape", "a\u{1B}[2J", #""$(printf 'a\033\1332J')""#), ("DEL", "\u{7F}", #""$(printf '\177')""#),
        ("C1", "\u{9B}2J", #""$(printf '\302\2332J')""#),
        ("line breaks after a control", "\u{1}%$\n\n", "\"$(printf '\\001%%\\044')\"'\n\n'"),
        ("not UTF-8", String(exactBytes: [0x61, 0xFF, 0x9B]), #""$(printf 'a\377\233')""#),
    ])
    func quoted(_ id: String, _ text: String, _ word: String) {
        #expect(Array(ShellText.quoted(text).utf8) == Array(word.utf8))
    }

    @Test(
        arguments: [
            ("variable alone", [.variable("KEY")], "\"$KEY\""),
            ("behind text", [.text("Authorization: Bearer "), .variable("KEY")], "\"Authorization: Bearer $KEY\""),
            ("before a letter", [.variable("KEY"), .text("s")], "\"$KEY\"s"),
            ("before an index", [.variable("KEY"), .text("[1]")], "\"$KEY\"'[1]'"),
            ("before a modifier", [.variable("KEY"), .text(":h")], "\"$KEY\":h"),
            ("before a sign", [.variable("A"), .text(":"), .variable("B")], "\"$A:$B\""),
            ("before another", [.variable("A"), .variable("B")], "\"$A$B\""),
            (
                "beside what double quotes would not keep", [.text("a$b'c "), .variable("KEY"), .text("`")],
                #"'a$b'\''c '"$KEY"'`'"#
            ),
            ("beside a history mark", [.text("!"), .variable("KEY")], #"'!'"$KEY""#),
        ] as [(String, [CurlInvocation.Argument.Piece], String)])
    func word(_ id: String, _ pieces: [CurlInvocation.Argument.Piece], _ word: String) {
        #expect(ShellText.word(CurlInvocation.Argument(pieces)) == word)
    }

    /// Every byte by itself, doubled, between letters, behind a quote, and before a variable; and marks that combine with a quote.
    private static let texts: [[UInt8]] =
        (1...255).flatMap { byte in
            [[byte], [byte, byte], [0x61, byte, 0x62], [0x27, byte], [byte, 0x27]]
        } + ["'\u{301}'", "'\u{200D}", "\r\n", "'\u{FE0F}; echo no; '", "\u{10FFFE}\u{FF}"].map { Array($0.utf8) }

    @Test("Every byte comes back next to a variable", arguments: Shell.paths)
    func everyByteBesideVariable(_ shell: String) throws {
        let value = Array("a b'c\"d$e`f\\g*h\ni\u{301}".utf8) + [0xFF]
        let script = Self.texts.map { text in
            let pieces: [CurlInvocation.Argument.Piece] = [
                .variable("KEY"), .text(String(exactBytes: text)), .variable("KEY"),
            ]
            return "printf '%s\\0' \(ShellText.word(CurlInvocation.Argument(pieces)))\n".exactBytes
        }
        let result = try Shell.run(
            Array(script.joined()), shell: shell, environment: ["KEY": value], in: TemporaryDirectory())
        #expect(result.status == 0)
        let expected = Self.texts.map { value + $0 + value }
        #expect(
            result.output.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init) == expected)
    }
}
