import Testing

/// Unknown options, and options with invalid values.
struct WrongOptionTests {
    static let rows: [Row] = [
        wrong(
            "unknown flag", "call movies.popular --pgae 2",
            "unknown option '--pgae' (argument 3); did you mean '--page'?", see: "help movies.popular"),
        wrong(
            "unknown flag, far off", "call movies.popular --frobnicate",
            "unknown option '--frobnicate' (argument 3)", see: "help movies.popular"),
        wrong(
            "unknown letter", "call movies.popular -z",
            "unknown option '-z' (argument 3)", see: "help movies.popular"),
        wrong(
            "one dash for two", "call movies.popular -page 2",
            "unknown option '-p' (argument 3); did you mean '--page'?", see: "help movies.popular"),
        wrong(
            "flag of a parameter before the endpoint", "call --page 2 movies.popular",
            "unknown option '--page' (argument 2); parameters come after the endpoint's name",
            see: "help call"),
        wrong(
            "mistyped option before the endpoint", "call --rwa movies.popular",
            "unknown option '--rwa' (argument 2); did you mean '--raw'?", see: "help call"),
        wrong(
            "parameter without its value", "call movies.popular --page",
            "--page (argument 3) needs a value: --page INTEGER", see: "help movies.popular"),
        wrong(
            "parameter before an option", "call movies.popular --page --raw",
            "--page (argument 3) needs a value: --page INTEGER", see: "help movies.popular"),
        wrong(
            "option without its value", "call movies.popular -o",
            "-o (argument 3) needs a value: -o FILE", see: "help movies.popular"),
        wrong(
            "empty value of an option", ["call", "movies.popular", "--output="],
            "--output (argument 3) needs a value: --output FILE", see: "help movies.popular"),
        wrong(
            "switch with a value", "call movies.popular --raw=yes",
            "--raw (argument 3) takes no value, but was given 'yes'", see: "help movies.popular"),
        wrong(
            "switch negated", "call movies.popular --no-raw",
            "unknown option '--no-raw' (argument 3); did you mean '--raw'?", see: "help movies.popular"),
        wrong(
            "max-time is no duration", "call movies.popular -m soon",
            "--max-time (argument 3): expected a duration such as 2.5, 500ms or 20s, got 'soon'",
            see: "help movies.popular"),
        wrong(
            "max-time is negative", "call movies.popular --max-time -1",
            "--max-time (argument 3): expected a duration such as 2.5, 500ms or 20s, got '-1'",
            see: "help movies.popular"),
        wrong(
            "connect-timeout is too long", "call movies.popular --connect-timeout 99999999999",
            "--connect-timeout (argument 3): expected a duration such as 2.5, 500ms or 20s, got '99999999999'",
            see: "help movies.popular"),
        wrong(
            "max-redirects is no number", "call movies.popular --max-redirects many",
            "--max-redirects (argument 3): expected 0 or a higher number, got 'many'", see: "help movies.popular"),
        wrong(
            "max-redirects is negative", "call movies.popular --max-redirects=-1",
            "--max-redirects (argument 3): expected 0 or a higher number, got '-1'", see: "help movies.popular"),
        wrong(
            "color", "call movies.popular --color blue",
            "--color (argument 3): expected auto, always or never, got 'blue'", see: "help movies.popular"),
        wrong(
            "query without =", "call movies.popular --query page",
            "--query: expected NAME=VALUE, got 'page'", see: "help movies.popular"),
        wrong(
            "query without a name", "call movies.popular --query =1",
            "--query: expected NAME=VALUE, got '=1'", see: "help movies.popular"),
        wrong(
            "header without a colon", "call movies.popular -H Accept",
            "header 'Accept': expected 'Name: value'", see: "help movies.popular"),
        wrong(
            "header without a name", ["call", "movies.popular", "-H", ": x"],
            "header ':': expected 'Name: value'", see: "help movies.popular"),
        wrong(
            "header with a space in its name", ["call", "movies.popular", "-H", "A B: x"],
            "header 'A B': the name may contain only letters, digits and !#$%&'*+-.^_`|~", see: "help movies.popular"),
        wrong(
            "header with a line break", ["call", "movies.popular", "-H", "A: x\r\nB: y"],
            "header 'A': the value contains a line break or another control character", see: "help movies.popular"),
        wrong(
            "header with an escape", ["call", "movies.popular", "-H", "A: \u{1B}[31mred"],
            "header 'A': the value contains a line break or another control character", see: "help movies.popular"),
        wrong(
            "header with text behind ;", ["call", "movies.popular", "-H", "A; x"],
            "header 'A': expected 'Name: value', or 'Name;' for an empty one", see: "help movies.popular"),
        wrong(
            "header of the API with a line break", ["call", "echo.header", "--value", "a\nb"],
            "header 'X-Value': the value contains a line break or another control character", see: "help echo.header"),
        wrong(
            "environment and base URL", "call movies.popular --env staging --base-url http://h",
            "--env and --base-url can't be used together", see: "help movies.popular"),
    ]

    @Test(arguments: rows)
    func option(_ row: Row) async { await row.check() }
}
