import Testing

/// Unknown options, and options with invalid values.
struct WrongOptionTests {
    static let rows: [Row] = [
        wrong("call movies.popular --pgae 2", "unknown option '--pgae' (argument 3); did you mean '--page'?"),
        wrong("call movies.popular --frobnicate", "unknown option '--frobnicate' (argument 3)"),
        wrong("call movies.popular ---", "unknown option '---' (argument 3)"),
        wrong("call movies.popular --no-output", "unknown option '--no-output' (argument 3); did you mean '--output'?"),
        wrong("call movies.popular -v=1", "-v (argument 3) takes no value, but was given '1'"),
        wrong("call movies.search --no-adult=1", "--no-adult (argument 3) takes no value, but was given '1'"),
        wrong("call movies.search --query --no-adult", "--query (argument 3) needs a value: --query TEXT"),
        wrong("call movies.popular --page -- 2", "--page (argument 3) needs a value: --page INTEGER"),
        wrong("call movies.popular -z", "unknown option '-z' (argument 3)"),
        wrong("call movies.popular -page 2", "unknown option '-p' (argument 3); did you mean '--page'?"),
        wrong(
            "call --page 2 movies.popular",
            "unknown option '--page' (argument 2); parameters come after the endpoint's name"),
        wrong(
            "call --rwa movies.popular", "unknown option '--rwa' (argument 2); did you mean '--raw'?",
            see: "help call"),
        wrong("call movies.popular --page", "--page (argument 3) needs a value: --page INTEGER"),
        wrong("call movies.popular --page --raw", "--page (argument 3) needs a value: --page INTEGER"),
        wrong("call movies.popular -o", "-o (argument 3) needs a value: -o FILE"),
        wrong(["call", "movies.popular", "--output="], "--output (argument 3) needs a value: --output FILE"),
        wrong("call movies.popular --raw=yes", "--raw (argument 3) takes no value, but was given 'yes'"),
        wrong("call movies.popular --no-raw", "unknown option '--no-raw' (argument 3); did you mean '--raw'?"),
        wrong(
            "call movies.popular -m soon",
            "--max-time (argument 3): expected a duration such as 2.5, 500ms or 20s, got 'soon'"),
        wrong(
            "call movies.popular --max-time -1",
            "--max-time (argument 3): expected a duration such as 2.5, 500ms or 20s, got '-1'"),
        wrong(
            "call movies.popular --connect-timeout 99999999999",
            "--connect-timeout (argument 3): expected a duration such as 2.5, 500ms or 20s, got '99999999999'"),
        wrong(
            "call movies.popular --max-redirects many",
            "--max-redirects (argument 3): expected 0 or a higher number, got 'many'"),
        wrong(
            "call movies.popular --max-redirects=-1",
            "--max-redirects (argument 3): expected 0 or a higher number, got '-1'"),
        wrong("call movies.popular --color blue", "--color (argument 3): expected auto, always or never, got 'blue'"),
        wrong("call movies.popular --query page", "--query: expected NAME=VALUE, got 'page'"),
        wrong("call movies.popular --query =1", "--query: expected NAME=VALUE, got '=1'"),
        wrong("call movies.popular -H Accept", "header 'Accept': expected 'Name: value'"),
        wrong(["call", "movies.popular", "-H", ": x"], "header ':': expected 'Name: value'"),
        wrong(
            ["call", "movies.popular", "-H", "A B: x"],
            "header 'A B': the name may contain only letters, digits and !#$%&'*+-.^_`|~"),
        wrong(
            ["call", "movies.popular", "-H", "A: x\r\nB: y"],
            "header 'A': the value contains a line break or another control character"),
        wrong(
            ["call", "movies.popular", "-H", "A: \u{1B}[31mred"],
            "header 'A': the value contains a line break or another control character"),
        wrong(
            ["call", "movies.popular", "-H", "A; x"],
            "header 'A': expected 'Name: value', or 'Name;' for an empty one"),
        wrong(
            ["call", "echo.header", "--value", "a\nb"],
            "header 'X-Value': the value contains a line break or another control character"),
        wrong("call movies.popular --env staging --base-url http://h", "--env and --base-url can't be used together"),
    ]

    @Test(arguments: rows)
    func option(_ row: Row) async { await row.check() }
}
