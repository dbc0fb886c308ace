import Testing

@testable import ApictlCLI

/// Options of other tools lead to the options here that do the same.
struct ForeignOptionTests {
    static let words: [(typed: [String], shown: String, meant: String)] = [
        (["-d", "x"], "-d", "--body"),
        (["--data-raw", "x"], "--data-raw", "--body"), (["-O"], "-O", "--output"), (["-A", "x"], "-A", "--header"),
        (["--jq", "x"], "--jq", "--select"),
        (["-b", "a=b"], "-b", "--header"),
        (["--connect-to", "x"], "--connect-to", "--resolve"),
        (["--socks5", "h:1"], "--socks5", "--proxy"),
        (["--max-redirs", "1"], "--max-redirs", "--max-redirects"),

        (["--max-filesize", "1"], "--max-filesize", "--max-bytes"), (["--timeout", "1"], "--timeout", "--max-time"),
        (["--verify", "no"], "--verify", "--insecure"), (["--continue-at", "-"], "--continue-at", "--continue"),
        (["--url-query", "a=b"], "--url-query", "--query"), (["-T", "f"], "-T", "--body"),
        (["--download"], "--download", "--output"), (["--offline"], "--offline", "--dry-run"),
        (["--hostname", "h"], "--hostname", "--base-url"), (["-t", "x"], "-t", "--select"),
    ]

    @Test(arguments: words)
    func call(_ typed: [String], _ shown: String, _ meant: String) async {
        let message = "unknown option '\(shown)' (argument 3); did you mean '\(meant)'?"
        await wrong(["call", "echo.head"] + typed, message).check()
    }

    static let others: [Row] = [
        wrong(
            "call echo.head -kI",
            "unknown option '-I' (argument 3); the endpoint declares its method; -i prints the headers before the body"),
        wrong(
            "curl echo.head -sS",
            "unknown option '-s' (argument 3); only the result goes to stdout; -q prints nothing"),
        wrong(
            "call echo.head --user a:b",
            "unknown option '--user' (argument 3); credentials come from environment variables; --auth NAME chooses one, -n reads ~/.netrc"
        ),
        wrong(
            "call echo.head -L",
            "unknown option '-L' (argument 3); redirects are followed by default; --max-redirects 0 turns that off"),
        wrong(
            ["call", "movies.popular", "page:=a b;c"],
            "unexpected argument 'page:=a b;c' (argument 3); did you mean --page 'a b;c'?"),
        wrong(
            "call echo.note --title x", "unknown option '--title' (argument 3); did you mean '--note.title'?"),
        wrong("call movies.popular page==2", "unexpected argument 'page==2' (argument 3); did you mean --page 2?"),
        wrong("list --paginate", "unknown option '--paginate' (argument 2)"),
        // A word after one dash that is an option's whole name is taken for that.
        wrong("call echo.head -body x", "unknown option '-b' (argument 3); did you mean '--body'?"),
        wrong(["call", "echo.head", "-é"], "unknown option '-é' (argument 3)"),
    ]

    @Test(arguments: others)
    func other(_ row: Row) async { await row.check() }

    @Test("A parameter with the name of a foreign option is allowed")
    func parameter() async {
        let outcome = await run(["call", "echo.store", "--data", "x", "--dry-run"])
        #expect(outcome.err == "")
        #expect(outcome.out.hasSuffix("\n\nx\n"))
    }
}
