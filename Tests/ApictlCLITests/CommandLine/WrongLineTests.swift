import EndpointKit
import Testing

/// Command lines that are wrong: what is wrong, where, what was probably meant, and where to read on.
struct WrongLineTests {
    private static func url(_ words: String, _ position: Int) -> Row {
        wrong(
            words, "expected an endpoint, got a URL (argument \(position)); to call one: apictl call http://HOST/PATH",
            see: "help call")
    }

    /// Unknown commands, APIs, endpoints and topics.
    static let names: [Row] = [
        wrong("cal movies.popular", "unknown command 'cal' (argument 1); did you mean 'call'?", see: "help"),
        wrong("popular", "unknown command 'popular' (argument 1); did you mean 'movies.popular'?", see: "list"),
        wrong(
            "movies:newMovies", "unknown command 'movies:newMovies' (argument 1); did you mean 'movies.new-movies'?",
            see: "list"),
        wrong(
            "curl movies/popular", "unknown API 'movies/popular' (argument 2); did you mean 'movies.popular'?",
            see: "list"),
        wrong(
            "describe https://staging.movies.test/3/movie/7/rating?key=s3cret",
            "expected an endpoint, got a URL (argument 2); did you mean 'movies.rate'?", see: "list"),
        wrong(
            "api.movies.test/3/movie/popular",
            "expected an endpoint, got a URL (argument 1); did you mean 'movies.popular'?", see: "list"),
        url("call u:s3cret@h:80/x", 2), url("call 127.0.0.1:18000/x?key=s3cret", 2), url("localhost:8000", 1),
        url("curl api.test/x", 2), url("diff http://api.test/x --env a --env b", 2), url("call FTP://u:s3cret@h/x", 2),
        wrong(
            "PUT https://u:s3cret@h/x",
            "unknown command 'PUT' (argument 1): endpoints are called by name, URLs by apictl call URL -X PUT",
            see: "list"),
        wrong(
            "post",
            "unknown command 'post' (argument 1): endpoints are called by name, URLs by apictl call URL -X POST",
            see: "list"),
        wrong(
            "-v", "unknown option '-v' (argument 1); -V prints the version, and -v comes after a command", see: "help"),
        wrong([""], "unknown command '' (argument 1)", see: "help"),
        wrong("CALL movies.popular", "unknown command 'CALL' (argument 1); did you mean 'call'?", see: "help"),
        wrong("--hlep", "unknown option '--hlep' (argument 1); did you mean '--help'?"),
        wrong(
            "--raw call movies.popular", "unknown option '--raw' (argument 1); options come after the command",
            see: "help"),
        wrong("--version now", "unexpected argument 'now' (argument 2)", see: "help"),
        wrong("call movis.popular", "unknown API 'movis' (argument 2); did you mean 'movies'?", see: "list"),
        wrong(
            "call movies.populr", "movies has no endpoint 'populr' (argument 2); did you mean 'movies.popular'?",
            see: "movies"),
        wrong(
            "call movies", "'movies' (argument 2) is an API; name one of its endpoints, such as movies.popular",
            see: "movies"),
        wrong(
            "call movies.det", "movies has no endpoint 'det' (argument 2); did you mean 'movies.details'?",
            see: "movies"),
        wrong("call", "call needs an endpoint or a URL, such as movies.popular", see: "list"),
        wrong("describe", "describe needs an endpoint or an API, such as movies.popular", see: "list"),
        wrong("describe movies.popular movies.search", "unexpected argument 'movies.search' (argument 3)"),
        wrong("list movis", "no endpoint matches 'movis' (argument 2); did you mean 'movies'?", see: "list"),
        wrong("list --jsn", "unknown option '--jsn' (argument 2); did you mean '--json'?"),
        wrong("list --color blue", "--color (argument 2): expected auto, always or never, got 'blue'"),
        wrong("list --json=yes", "--json (argument 2) takes no value, but was given 'yes'"),
        wrong("list --no-json", "unknown option '--no-json' (argument 2); did you mean '--json'?"),
        wrong("help exit-code", "unknown help topic 'exit-code' (argument 2); did you mean 'exit-codes'?", see: "help"),
        wrong("help call curl", "unknown API 'curl' (argument 3)", see: "list"),
        wrong("help format movies.popular", "unexpected argument 'movies.popular' (argument 3)", see: "help"),
        wrong(
            "call echo.not", "echo has no endpoint 'not' (argument 2); did you mean 'echo.note' or 'echo.notes'?",
            see: "echo"),
    ]

    /// Unknown options, and options with invalid values.
    static let options: [Row] = [
        wrong("call movies.popular --pgae 2", "unknown option '--pgae' (argument 3); did you mean '--page'?"),
        wrong("call movies.popular ---", "unknown option '---' (argument 3)"),
        wrong("call movies.popular -v=1", "-v (argument 3) takes no value, but was given '1'"),
        wrong("call movies.search --no-adult=1", "--no-adult (argument 3) takes no value, but was given '1'"),
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
        wrong(["call", "movies.popular", "--output="], "--output (argument 3) needs a value: --output FILE"),
        wrong("call movies.popular --no-raw", "unknown option '--no-raw' (argument 3); did you mean '--raw'?"),
        wrong(
            "call movies.popular -m soon",
            "--max-time (argument 3): expected a duration such as 2.5, 500ms or 20s, got 'soon'"),
        wrong(
            "call movies.popular --connect-timeout 99999999999",
            "--connect-timeout (argument 3): expected a duration such as 2.5, 500ms or 20s, got '99999999999'"),
        wrong(
            "call movies.popular --max-redirects many",
            "--max-redirects (argument 3): expected 0 or a higher number, got 'many'"),
        wrong("call movies.popular --query page", "--query (argument 3): expected NAME=VALUE, got 'page'"),
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
        wrong("call movies.popular --env staging --base-url http://h", "--env and --base-url can't be used together"),
    ]

    /// Parameters that are missing, repeated, or of the wrong type.
    static let values: [Row] = [
        wrong("call movies.search", "movies.search needs --query TEXT"),
        wrong("call movies.rate", "movies.rate needs a value (INTEGER) and --rating JSON|@FILE|-"),
        wrong("call movies.rate 5 --rating.comment good", "movies.rate needs --rating.value NUMBER"),
        wrong("call movies.rate 5 --rating.value 1 --rating.by.age 3", "movies.rate needs --rating.by.name TEXT"),
        wrong("call echo.raw", "echo.raw needs --raw or --no-raw"),
        wrong(
            "call movies.popular --page 1 --page 2", "--page is given a second time (argument 5); it takes one value"),
        wrong(
            "call movies.search --query x --adult --no-adult",
            "--adult is given a second time (argument 6); it takes one value"),
        wrong("call movies.details 1 2", "unexpected argument '2' (argument 4); did you mean --language 2?"),
        wrong("call movies.popular 2", "unexpected argument '2' (argument 3); did you mean --page 2?"),
        wrong("call echo.ping 2", "unexpected argument '2' (argument 3)"),
        wrong(
            "call movies.search --query x --adult false",
            "unexpected argument 'false' (argument 6); did you mean --adult=false?"),
        wrong("call movies.popular --page two", "--page (argument 3): expected an integer, got 'two'"),
        wrong("call echo.types --small 128", "--small (argument 3): expected an integer from -128 to 127, got '128'"),
        wrong("call echo.types --price 9.99EUR", "--price (argument 3): expected a number, got '9.99EUR'"),
        wrong("call echo.types --link http://[", "--link (argument 3): expected a URL, got 'http://['"),
        wrong("call echo.types --id 123", "--id (argument 3): expected a UUID, got '123'"),
        wrong(
            "call movies.search --query x --sort date",
            "--sort (argument 5): expected one of title, release-date, got 'date'"),
        wrong(
            "call movies.search --query x --adult=maybe", "--adult (argument 5): expected true or false, got 'maybe'"),
        wrong(
            "call movies.search --query x --since tomorrow",
            "--since (argument 5): expected an ISO 8601 date such as 2026-11-21 or 2026-11-21T09:30:00Z, got 'tomorrow'"
        ),
        wrong(
            ["call", "movies.popular", "--page", "1\u{1B}[2J\r\n\u{202E}"],
            "--page (argument 3): expected an integer, got '1\\u001B[2J\\r\\n\\u202E'"),
        wrong(
            ["call", "movies.popular", "--page", String(exactBytes: [0x31, 0xFF])],
            "--page (argument 3): expected an integer, got '1\\xFF'"),
        wrong(
            "call movies.details ..",
            "the value (argument 3): '..' can't be used in the path: servers resolve it to another path, even if encoded"
        ),
        wrong(
            "call movies.details .. --language ..",
            "'..' can't be used in the path: servers resolve it to another path, even if encoded"),
        wrong(
            ["call", "movies.details", ""],
            "the value (argument 3): '' can't be used in the path: it would name another resource"),
    ]

    @Test(arguments: names + options + values)
    func row(_ row: Row) async { await row.check() }

    @Test(
        "The printed curl command sends the same request as call", arguments: values.filter { $0.words.first == "call" }
    )
    func sameForCurl(_ row: Row) async {
        #expect(await run(["curl"] + row.words.dropFirst()) == row.expected)
    }
}
