import Testing

/// Unknown commands, APIs, endpoints and topics.
struct WrongNameTests {
    static let rows: [Row] = [
        wrong("cal movies.popular", "unknown command 'cal' (argument 1); did you mean 'call'?", see: "help"),
        wrong("frobnicate", "unknown command 'frobnicate' (argument 1)", see: "help"),
        wrong([""], "unknown command '' (argument 1)", see: "help"),
        wrong("CALL movies.popular", "unknown command 'CALL' (argument 1); did you mean 'call'?", see: "help"),
        wrong("--hlep", "unknown option '--hlep' (argument 1); did you mean '--help'?"),
        wrong(
            "--raw call movies.popular", "unknown option '--raw' (argument 1); options come after the command",
            see: "help"),
        wrong("--version now", "unexpected argument 'now' (argument 2)", see: "help"),
        wrong("call movis.popular", "unknown API 'movis' (argument 2); did you mean 'movies'?", see: "list"),
        wrong("call books.popular", "unknown API 'books' (argument 2)", see: "list"),
        wrong(
            "call movies.populr", "movies has no endpoint 'populr' (argument 2); did you mean 'movies.popular'?",
            see: "movies"),
        wrong("describe movies.zzz", "movies has no endpoint 'zzz' (argument 2)", see: "movies"),
        wrong(
            "call movies", "'movies' (argument 2) is an API; name one of its endpoints, such as movies.popular",
            see: "movies"),
        wrong(
            "curl movies.", "'movies.' (argument 2) is an API; name one of its endpoints, such as movies.popular",
            see: "movies"),
        wrong("call popular", "unknown API 'popular' (argument 2); did you mean 'movies.popular'?", see: "list"),
        wrong(
            "describe newMovies", "unknown API 'newMovies' (argument 2); did you mean 'movies.new-movies'?",
            see: "list"),
        wrong(
            "call movies.det", "movies has no endpoint 'det' (argument 2); did you mean 'movies.details'?",
            see: "movies"),
        wrong("call", "call needs an endpoint, such as movies.popular", see: "list"),
        wrong("curl --dry-run", "curl needs an endpoint, such as movies.popular", see: "list"),
        wrong("describe", "describe needs an endpoint, such as movies.popular", see: "list"),
        wrong("describe movies.popular movies.search", "unexpected argument 'movies.search' (argument 3)"),
        wrong("list zzz", "no endpoint matches 'zzz' (argument 2)", see: "list"),
        wrong("list movis", "no endpoint matches 'movis' (argument 2); did you mean 'movies'?", see: "list"),
        wrong("list --jsn", "unknown option '--jsn' (argument 2); did you mean '--json'?"),
        wrong("list --raw", "unknown option '--raw' (argument 2)"),
        wrong("list --color blue", "--color (argument 2): expected auto, always or never, got 'blue'"),
        wrong("list --json=yes", "--json (argument 2) takes no value, but was given 'yes'"),
        wrong("list --no-json", "unknown option '--no-json' (argument 2); did you mean '--json'?"),
        wrong("help exit-code", "unknown help topic 'exit-code' (argument 2); did you mean 'exit-codes'?", see: "help"),
        wrong("help weather", "unknown help topic 'weather' (argument 2)", see: "help"),
        wrong(
            "help movies.populr", "movies has no endpoint 'populr' (argument 2); did you mean 'movies.popular'?",
            see: "movies"),
        wrong("help call curl", "unknown API 'curl' (argument 3)", see: "list"),
        wrong("help format movies.popular", "unexpected argument 'movies.popular' (argument 3)", see: "help"),
        wrong(
            "call echo.not", "echo has no endpoint 'not' (argument 2); did you mean 'echo.note' or 'echo.notes'?",
            see: "echo"),
        wrong("movies --raw", "unknown option '--raw' (argument 2)"),
        wrong("help --all", "unknown option '--all' (argument 2)", see: "help"),
    ]

    @Test(arguments: rows)
    func name(_ row: Row) async { await row.check() }
}
