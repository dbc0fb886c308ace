import EndpointKit
import Testing

/// Wrong command lines, whose messages say what is wrong, where, what was probably meant, and where to read on.
struct WrongLineTests {
    private static func url(_ words: String, _ position: Int) -> Row {
        wrong(
            words, "expected an endpoint, got a URL (argument \(position)); to call one: apictl call http://HOST/PATH",
            see: "help call")
    }

    /// Unknown commands, APIs, endpoints and topics.
    static let names: [Row] =
        [
            wrong("cal movies.popular", "unknown command 'cal' (argument 1); did you mean 'call'?", see: "help"),
            wrong("popular", "unknown command 'popular' (argument 1); did you mean 'movies.popular'?", see: "list"),
            wrong(
                "movies:newMovies",
                "unknown command 'movies:newMovies' (argument 1); did you mean 'movies.new-movies'?",
                see: "list"),
            wrong(
                "describe https://staging.movies.test/3/movie/7/rating?key=s3cret",
                "expected an endpoint, got a URL (argument 2); did you mean 'movies.rate'?", see: "list"),
            url("diff http://api.test/x --server a --server b", 2),
            wrong(
                ["call", "http://a.test/x", #"{"name":"x"}"#],
                #"unexpected argument '{"name":"x"}' (argument 3); did you mean --json '{"name":"x"}'?"#,
                see: "help call"),
            wrong(
                ["call", "echo.note", #"{"title":"x"}"#],
                #"unexpected argument '{"title":"x"}' (argument 3); did you mean --note '{"title":"x"}'?"#),
            wrong(
                "call http://a.test/x --q a", "unknown option '--q' (argument 3); did you mean '--query'?",
                see: "help call"),
            wrong(
                "PUT https://u:s3cret@h/x",
                "unknown command 'PUT' (argument 1): endpoints are called by name, URLs by apictl call URL -X PUT",
                see: "list"),
            wrong(
                "post",
                "unknown command 'post' (argument 1): endpoints are called by name, URLs by apictl call URL -X POST",
                see: "list"),
            wrong(
                "-v", "unknown option '-v' (argument 1); -V prints the version, and -v comes after a command",
                see: "help"),
            wrong([""], "unknown command '' (argument 1)", see: "help"),
            wrong("--hlep", "unknown option '--hlep' (argument 1); did you mean '--help'?"),
            wrong(
                "--raw call movies.popular", "unknown option '--raw' (argument 1); options come after the command",
                see: "help"),
            wrong(
                "-s http://h.test/a",
                """
                unknown option '-s' (argument 1); only the result goes to stdout; -q \
                prints nothing
                """, see: "help call"),
            wrong(
                "call call movies.popular",
                "unexpected argument 'call' (argument 2); a command line has one command", see: "help call"),
            wrong(
                "example.com", "unknown command 'example.com' (argument 1); did you mean 'https://example.com'?",
                see: "help"),
            wrong(
                "call example.com --raw",
                "unknown API 'example.com' (argument 2); did you mean 'https://example.com'?", see: "list"),
            wrong("--version now", "unexpected argument 'now' (argument 2)", see: "help"),
            Row("the version with a common option", "--version --color=never", out: "apictl 0.1.0\n"),
            wrong("call movis.popular", "unknown API 'movis' (argument 2); did you mean 'movies'?", see: "list"),
            wrong(
                "call movies.populr", "movies has no endpoint 'populr' (argument 2); did you mean 'movies.popular'?",
                see: "movies"),
            wrong(
                "call movies", "'movies' (argument 2) is an API; name one of its endpoints, such as movies.popular",
                see: "movies"),
            wrong("call", "call needs an endpoint or a URL, such as movies.popular", see: "list"),
            wrong("describe", "describe needs an endpoint or an API, such as movies.popular", see: "list"),
            wrong("describe movies.popular movies.search", "unexpected argument 'movies.search' (argument 3)"),
            wrong("list movis", "no endpoint matches 'movis' (argument 2); did you mean 'movies'?", see: "list"),
            wrong("list --color blue", "--color (argument 2): expected auto, always or never, got 'blue'"),
            wrong("list --json=yes", "--json (argument 2) takes no value, but was given 'yes'"),
            wrong("list --no-jsno", "unknown option '--no-jsno' (argument 2); did you mean '--no-json'?"),
            wrong("movie.popular", "unknown command 'movie' (argument 1); did you mean 'movies'?", see: "help"),
            wrong(
                "help exit-code", "unknown help topic 'exit-code' (argument 2); did you mean 'exit-codes'?", see: "help"
            ),
            wrong("help call curl", "unknown API 'curl' (argument 3)", see: "list"),
            wrong(
                "call echo.not", "echo has no endpoint 'not' (argument 2); did you mean 'echo.note' or 'echo.notes'?",
                see: "echo"),
        ]
        + ["check", "docs", "openapi", "mcp"].map {
            wrong("\($0) nosuch", "no endpoint matches 'nosuch' (argument 2)", see: "list")
        }
        + ["list", "check"].map {
            wrong([$0, ""], "no endpoint matches '' (argument 2)", see: "list")
        }
        + [
            wrong(
                "openapi --server stagin", "there is no server 'stagin' (argument 2); did you mean 'staging'?",
                see: "list"
            ),
            wrong(
                "mcp movies --server stagin",
                """
                --server (argument 3): movies has no server 'stagin', only production, staging; \
                did you mean 'staging'?
                """
            ),
        ]

    /// Unknown options, and options with invalid values.
    static let options: [Row] = [
        wrong("call movies.popular --pgae 2", "unknown option '--pgae' (argument 3); did you mean '--page'?"),
        wrong("call movies.popular ---", "unknown option '---' (argument 3)"),
        wrong(
            "call movies.popular --no-sampel",
            "unknown option '--no-sampel' (argument 3); did you mean '--no-sample'?"),
        wrong(
            "call movies.popular --no-retri", "unknown option '--no-retri' (argument 3); did you mean '--retry'?"),
        wrong("call movies.popular -v=1", "-v (argument 3) takes no value, but was given '1'"),
        wrong("call movies.search --query --no-adult", "--query (argument 3) needs a value: --query TEXT"),
        wrong("call movies.popular --page -- 2", "--page (argument 3) needs a value: --page INTEGER"),
        wrong("call movies.popular -page 2", "unknown option '-p' (argument 3); did you mean '--page'?"),
        wrong(
            "call --page 2 movies.popular",
            "unknown option '--page' (argument 2); parameters come after the endpoint's name"),
        wrong(
            "call --rwa movies.popular", "unknown option '--rwa' (argument 2); did you mean '--raw'?",
            see: "help call"),
        wrong("call movies.popular -o", "-o (argument 3) needs a value: -o FILE"),
        wrong("docs --format xml", "--format (argument 2): expected html or markdown, got 'xml'"),
        wrong(
            "call movies.popular -m soon",
            "--max-time (argument 3): expected a duration such as 2.5, 500ms or 20s, got 'soon'"),
        wrong(
            "call movies.popular --max-redirects many",
            "--max-redirects (argument 3): expected 0 or a higher number, got 'many'"),
        wrong(
            ["call", "movies.popular", "--query", "page s3cret"],
            "--query (argument 3): expected NAME=VALUE, got 'page'"),
        wrong("call movies.popular -H Accept", "--header (argument 3): expected 'Name: value', got 'Accept'"),
        wrong(
            ["call", "movies.popular", "-H", "A B: x"],
            "--header (argument 3): the name may contain only letters, digits and !#$%&'*+-.^_`|~, in 'A B'"),
        wrong(
            ["call", "movies.popular", "-H", "A: x\r\nB: y"],
            "--header (argument 3): the value contains a line break or another control character, in 'A'"),
        wrong(
            ["call", "movies.popular", "-H", "A; x"],
            "--header (argument 3): expected 'Name: value', or 'Name;' for an empty one, got 'A'"),
        wrong(
            ["call", "echo.header", "--value", "a\nb"],
            "header 'X-Value': the value contains a line break or another control character"),
        wrong(
            "call movies.popular --server staging --base-url http://h", "--server and --base-url can't be used together"
        ),
    ]

    /// Parameters that are missing, or of the wrong type.
    static let values: [Row] = [
        wrong("call movies.search", "movies.search needs --query TEXT"),
        wrong(
            "call movies.rate",
            "movies.rate needs a value (INTEGER) and --rating JSON|@FILE|- (or --rating.value NUMBER …)"),
        wrong("call movies.rate 5 --rating.comment good", "movies.rate needs --rating.value NUMBER"),
        wrong("call echo.raw", "echo.raw needs --raw or --no-raw"),
        wrong(
            "call movies.search --query x --genres 1,2",
            "--genres (argument 5): expected an integer, got '1,2'; for several, give --genres several times"),
        wrong("call movies.details 1 2", "unexpected argument '2' (argument 4); did you mean --language 2?"),
        wrong("call movies.popular 2", "unexpected argument '2' (argument 3); did you mean --page 2?"),
        // All parameters that have no value yet are numbers, and the word is none.
        wrong("call movies.popular abc", "unexpected argument 'abc' (argument 3)"),
        wrong(
            "call movies.popular movies.search",
            "unexpected argument 'movies.search' (argument 3); a command line calls one endpoint"),
        wrong(
            "movies.popular check", "unexpected argument 'check' (argument 2); a command line has one command"),
        wrong("call movies.popular q==1", "unexpected argument 'q==1' (argument 3); did you mean --query q=1?"),
        wrong("call movies.popular a=b", "unexpected argument 'a=b' (argument 3)"),
        wrong("call echo.ping --body - -w @-", "'@-' (argument 5) would read stdin a second time"),
        wrong(
            "mcp --max-bytes 10",
            "--max-bytes (argument 2): expected a size such as 65536, 64k, 10M or 1G, at least 1024, got '10'"),
        wrong("call echo.ping --body - --env-file -", "'-' (argument 5) would read stdin a second time"),
        wrong("mcp --env-file -", "'-' (argument 2) would read stdin a second time"),
        wrong("format - -", "'-' (argument 3) would read stdin a second time"),
        wrong("call echo.ping 2", "unexpected argument '2' (argument 3)"),
        wrong(
            "call movies.search --query x --adult false",
            "unexpected argument 'false' (argument 6); did you mean --adult=false?"),
        wrong(
            ["call", "movies.popular", "--page", "1\u{1B}[2J\r\n\u{202E}"],
            "--page (argument 3): expected an integer, got '1\\u001B[2J\\r\\n\\u202E'"),
        wrong(
            "call movies.details ..",
            """
            the value (argument 3): '..' can't be used in the path: servers resolve it to another \
            path, even if encoded
            """
        ),
        wrong(
            "call movies.details .. --language ..",
            "'..' can't be used in the path: servers resolve it to another path, even if encoded"),
        wrong(
            ["call", "movies.details", ""],
            "the value (argument 3): '' can't be used in the path: it would name another resource"),
    ]

    @Test(
        "A message about a wrong word names the word, its position and the nearest valid one",
        arguments: names + options + values)
    func row(_ row: Row) async { await row.check() }

    @Test(
        "The command curl refuses the same values as call", arguments: values.filter { $0.words.first == "call" }
    )
    func sameForCurl(_ row: Row) async {
        #expect(await run(["curl"] + row.words.dropFirst()) == row.expected)
    }
}

/// Options of other tools lead to the options here that do the same.
struct ForeignOptionTests {
    static let words: [(typed: [String], unknownOption: String, replacement: String)] = [
        (["-d", "x"], "-d", "--body"),
        (["--data-raw", "x"], "--data-raw", "--body"), (["-A", "x"], "-A", "--header"),
        (["--jq", "x"], "--jq", "--select"),
        (["-b", "a=b"], "-b", "--header"),
        (["--connect-to", "x"], "--connect-to", "--resolve"),
        (["--verify", "no"], "--verify", "--insecure"), (["--continue-at", "-"], "--continue-at", "--continue"),
        (["--url-query", "a=b"], "--url-query", "--query"), (["-T", "f"], "-T", "--body"),
        (["--hostname", "h"], "--hostname", "--base-url"), (["-t", "x"], "-t", "--select"),
    ]

    @Test("An option of another tool leads to the option that does the same", arguments: words)
    func leadsToReplacement(_ typed: [String], _ unknownOption: String, _ replacement: String) async {
        let message = "unknown option '\(unknownOption)' (argument 3); did you mean '\(replacement)'?"
        await wrong(["call", "echo.head"] + typed, message).check()
    }

    static let advice: [Row] = [
        wrong(
            "call echo.head -kI",
            """
            unknown option '-I' (argument 3); the endpoint declares its method, for a URL: -X HEAD; -i prints the \
            headers before the body
            """
        ),
        wrong(
            "curl echo.head -sS",
            "unknown option '-s' (argument 3); only the result goes to stdout; -q prints nothing"),
        wrong(
            "call echo.head --user a:b",
            """
            unknown option '--user' (argument 3); credentials come from environment variables; --auth NAME chooses \
            one, -n reads ~/.netrc
            """
        ),
        wrong(
            "call echo.head -L",
            "unknown option '-L' (argument 3); redirects are followed by default; --max-redirects 0 turns that off"),
        wrong(
            ["call", "movies.popular", "page:=a b;c"],
            "unexpected argument 'page:=a b;c' (argument 3); did you mean --page 'a b;c'?"),
        wrong(
            "call echo.note --title x", "unknown option '--title' (argument 3); did you mean '--note.title'?"),
        wrong("list --paginate", "unknown option '--paginate' (argument 2)"),
        // A word after one dash that is the whole name of an option leads to that option.
        wrong("call echo.head -body x", "unknown option '-b' (argument 3); did you mean '--body'?"),
        wrong(["call", "echo.head", "-é"], "unknown option '-é' (argument 3)"),
    ]

    @Test("An option of another tool that needs no replacement leads to advice", arguments: advice)
    func leadsToAdvice(_ row: Row) async { await row.check() }
}
