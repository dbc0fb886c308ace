import Testing

@testable import APIImport

/// Texts of shells and the words in them.
struct ShellReaderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let words: [[String]]

        init(_ text: String, _ words: [String]...) { (self.text, self.words) = (text, words) }

        var testDescription: String { text }
    }

    private static let cmd = "this is text for cmd; copy the request with \"Copy as cURL (bash)\""
    private static let powerShell = "this is text for PowerShell; copy the request with \"Copy as cURL (bash)\""

    private static let mark = String(ShellReader.mark)

    static let rows: [Row] = [
        Row("curl  a\tb", ["curl", "a", "b"]),
        Row("curl 'a b' \"c d\" e\\ f", ["curl", "a b", "c d", "e f"]),
        Row("curl 'a\\n' \"\\\"x\\\" \\\\ \\n \\$y\"", ["curl", "a\\n", "\"x\" \\ \\n $y"]),
        Row("curl a'b'\"c\"$'d'", ["curl", "abcd"]),
        Row("curl '' \"\"", ["curl", "", ""]),
        Row(
            #"curl $'a\n\t\r\\\'\"\x41\u0021\u00e9\U0001F600\101\a\e\z'"#, ["curl", "a\n\t\r\\'\"A!é😀A\u{7}\u{1B}\\z"]),
        // Browsers write UTF-16 units.
        Row(#"curl $'\ud83d\ude00 \ud83d\u0041 \ud83dx \ude00'"#, ["curl", "😀 \u{FFFD}A \u{FFFD}x \u{FFFD}"]),
        Row(#"curl $'\cA\cz\c?b'"#, ["curl", "\u{1}\u{1A}\u{7F}b"]),
        Row("curl $\"a b\" a$ $", ["curl", "a b", "a$", "$"]),
        Row("curl a \\\n  -H b \\\r\n  c", ["curl", "a", "-H", "b", "c"]),
        Row("curl \"a\\\nb\" 'c\nd'", ["curl", "ab", "c\nd"]),
        Row("# first\ncurl a # rest\ncurl b#c", ["curl", "a"], ["curl", "b#c"]),
        Row(
            "curl a; curl b && curl c || curl d & curl e | jq .", ["curl", "a"], ["curl", "b"], ["curl", "c"],
            ["curl", "d"], ["curl", "e"], ["jq", "."]),
        Row("curl a > out.json 2>&1 -s 2>/dev/null b >> c", ["curl", "a", "-s", "b"]),
        Row("curl a &> out.txt -v", ["curl", "a", "-v"]),
        Row("curl $A \"x${B_1}y\" '$C'", ["curl", "\(mark)A\(mark)", "x\(mark)B_1\(mark)y", "$C"]),
        Row("curl '“a”' b“ &\ncurl c&\n", ["curl", "“a”", "b“"], ["curl", "c"]),
        Row("curl a\n---\n", ["curl", "a"], ["---"]),
        Row("", []),
        // In quotes, the carets and backticks of other shells are data.
        Row("curl '^\"x^\n`\n' \"^\n\" a^b^", ["curl", "^\"x^\n`\n", "^\n", "a^b^"]),
    ]

    @Test(arguments: rows)
    func words(_ row: Row) throws {
        #expect(try ShellReader.commands(row.text) == row.words.filter { !$0.isEmpty })
    }

    @Test(arguments: [
        ("curl 'a", "line 1: the quote ' is not closed"),
        ("curl a\ncurl \"b", "line 2: the quote \" is not closed"),
        ("curl $'a", "line 1: the quote $' is not closed"),
        ("curl $(pwd)", "line 1: the command in $(…) would have to be run; put what it prints in its place"),
        ("curl \"`pwd`\"", "line 1: a command in backticks would have to be run; put what it prints in its place"),
        ("curl ${A:-b}", "line 1: only $NAME and ${NAME} are read; put the value in the place of 'A'"),
        ("curl $1", "line 1: only $NAME and ${NAME} are read; put the value in the place of '1'"),
        (
            "curl -d @- <<EOF\nx\nEOF",
            "line 1: input from '<' is not read; write it as --data-raw '…' or --data-binary @FILE"
        ),
        ("curl a?b=1&c=2", "line 1: what follows '&' is another command; put the URL in quotes: 'https://…'"),
        (
            "curl 'a'\n-X POST\\\n-H 'B: c'",
            "line 2: a command can't begin with an option; is a \\ missing at the end of the line before?"
        ),
        ("curl “a”", "line 1: '“' (U+201C) is not a quote of the shell; write ' or \""),
        ("curl a -H ‘B: c’", "line 1: '‘' (U+2018) is not a quote of the shell; write ' or \""),
        ("(curl a)", "line 1: '(' is not part of a curl command"),
        ("Invoke-WebRequest -Uri \"https://a\" `\n-Method POST", powerShell),
        ("$session = New-Object Web\n$session.Add((New-Object \"a\"))", powerShell),
        ("curl \"https://a\" `\r\n -H \"B: c\"", powerShell),
        ("curl \"https://a?b=m^%^3A0\"", cmd), ("curl a --data-raw \"^{^\\^\"a^\\^\":1^}\"", cmd),
        ("curl ^\"https://a^\"", cmd), ("curl \"https://a\" ^\r\n  -H \"B: c\"", cmd),
        ("curl \u{10FFFD}A\u{10FFFD}", "the text has a private character, U+10FFFD"),
    ])
    func problem(_ text: String, _ problem: String) {
        #expect(throws: ImportError(problem)) { try ShellReader.commands(text) }
    }

    /// Long texts take time in proportion: in the square, each would take minutes.
    @Test(arguments: [("'", "'"), ("", ""), ("\"", "\""), ("$'", "'")])
    func longWord(_ start: String, _ end: String) throws {
        let long = String(repeating: "a", count: 1_000_000)
        #expect(try ShellReader.commands("curl \(start)\(long)\(end)")[0][1].utf8.count == long.utf8.count)
    }

    @Test func manyWords() throws {
        let text = String(repeating: "A=1\n", count: 50_000) + "curl " + String(repeating: "\\\n b$C", count: 50_000)
        #expect(try ShellReader.commands(text).last?.count == 50_001)
        #expect(throws: ImportError.self) {
            try CurlArguments.requests(text: text + " $B", ({ _ in [] }, { _ in nil }))
        }
    }
}
