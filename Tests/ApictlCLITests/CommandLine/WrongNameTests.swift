import Testing

/// Unknown commands, APIs, endpoints and topics.
struct WrongNameTests {
    static let rows: [Row] = [
        wrong(
            "unknown command", "cal movies.popular",
            "unknown command 'cal' (argument 1); did you mean 'call'?", see: "help"),
        wrong(
            "unknown command, far off", "frobnicate",
            "unknown command 'frobnicate' (argument 1)", see: "help"),
        wrong(
            "empty command", [""],
            "unknown command '' (argument 1)", see: "help"),
        wrong(
            "command in capitals", "CALL movies.popular",
            "unknown command 'CALL' (argument 1); did you mean 'call'?", see: "help"),
        wrong(
            "unknown option as a command", "--hlep",
            "unknown option '--hlep' (argument 1); did you mean '--help'?", see: "help"),
        wrong(
            "option before the command", "--raw call movies.popular",
            "unknown option '--raw' (argument 1); options come after the command", see: "help"),
        wrong(
            "word behind --version", "--version now",
            "unexpected argument 'now' (argument 2)", see: "help"),
        wrong(
            "unknown API", "call movis.popular",
            "unknown API 'movis' (argument 2); did you mean 'movies'?", see: "list"),
        wrong(
            "unknown API, far off", "call books.popular",
            "unknown API 'books' (argument 2)", see: "list"),
        wrong(
            "unknown endpoint", "call movies.populr",
            "movies has no endpoint 'populr' (argument 2); did you mean 'movies.popular'?", see: "movies"),
        wrong(
            "unknown endpoint, far off", "describe movies.zzz",
            "movies has no endpoint 'zzz' (argument 2)", see: "movies"),
        wrong(
            "API alone", "call movies",
            "'movies' (argument 2) is an API; name one of its endpoints, such as movies.popular",
            see: "movies"),
        wrong(
            "API with a dot", "curl movies.",
            "'movies.' (argument 2) is an API; name one of its endpoints, such as movies.popular",
            see: "movies"),
        wrong(
            "endpoint without its API", "call popular",
            "unknown API 'popular' (argument 2); did you mean 'movies.popular'?", see: "list"),
        wrong(
            "endpoint without its API, in Swift's spelling", "describe newMovies",
            "unknown API 'newMovies' (argument 2); did you mean 'movies.new-movies'?", see: "list"),
        wrong(
            "endpoint broken off", "call movies.det",
            "movies has no endpoint 'det' (argument 2); did you mean 'movies.details'?", see: "movies"),
        wrong(
            "no endpoint for call", "call",
            "call needs an endpoint, such as movies.popular", see: "list"),
        wrong(
            "no endpoint for curl", "curl --dry-run",
            "curl needs an endpoint, such as movies.popular", see: "list"),
        wrong(
            "no endpoint for describe", "describe",
            "describe needs an endpoint, such as movies.popular", see: "list"),
        wrong(
            "two endpoints for describe", "describe movies.popular movies.search",
            "unexpected argument 'movies.search' (argument 3)", see: "help describe"),
        wrong(
            "nothing matches", "list zzz",
            "no endpoint matches 'zzz' (argument 2)", see: "list"),
        wrong(
            "nothing matches, but nearly", "list movis",
            "no endpoint matches 'movis' (argument 2); did you mean 'movies'?", see: "list"),
        wrong(
            "unknown option of list", "list --jsn",
            "unknown option '--jsn' (argument 2); did you mean '--json'?", see: "help list"),
        wrong(
            "option of call on list", "list --raw",
            "unknown option '--raw' (argument 2)", see: "help list"),
        wrong(
            "wrong colour of list", "list --color blue",
            "--color (argument 2): expected auto, always or never, got 'blue'", see: "help list"),
        wrong(
            "value for a switch of list", "list --json=yes",
            "--json (argument 2) takes no value, but was given 'yes'", see: "help list"),
        wrong(
            "negated switch of list", "list --no-json",
            "unknown option '--no-json' (argument 2); did you mean '--json'?", see: "help list"),
        wrong(
            "unknown topic", "help exit-code",
            "unknown help topic 'exit-code' (argument 2); did you mean 'exit-codes'?", see: "help"),
        wrong(
            "unknown topic, far off", "help weather",
            "unknown help topic 'weather' (argument 2)", see: "help"),
        wrong(
            "topic is an unknown endpoint", "help movies.populr",
            "movies has no endpoint 'populr' (argument 2); did you mean 'movies.popular'?", see: "movies"),
        wrong(
            "two topics", "help call curl",
            "unknown API 'curl' (argument 3)", see: "list"),
        wrong(
            "a word after a topic", "help format movies.popular",
            "unexpected argument 'movies.popular' (argument 3)", see: "help"),
        wrong(
            "several near names", "call echo.not",
            "echo has no endpoint 'not' (argument 2); did you mean 'echo.note' or 'echo.notes'?", see: "echo"),
        wrong(
            "an API's page with a stray option", "movies --raw",
            "unknown option '--raw' (argument 2)", see: "help movies"),
        wrong(
            "unknown option of help", "help --all",
            "unknown option '--all' (argument 2)", see: "help"),
    ]

    @Test(arguments: rows)
    func name(_ row: Row) async { await row.check() }
}
