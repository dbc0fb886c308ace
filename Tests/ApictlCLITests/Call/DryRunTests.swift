import Testing

/// `--dry-run` and `--sample`: no network, no credentials.
struct DryRunTests {
    static let rows: [Row] = [
        Row(
            "no key", "call movies.popular --page 2 --dry-run", variables: [:],
            out: shown(
                "GET https://api.movies.test/3/movie/popular?page=2&api_key=(not set: MOVIES_KEY)", "X-Client: tests")),
        Row(
            "key", "call movies.popular --page 2 --dry-run",
            out: shown("GET https://api.movies.test/3/movie/popular?page=2&api_key=(redacted)", "X-Client: tests")),
        Row(
            "every type",
            [
                "call", "echo.types", "--small=-128", "--ratio=-0.5", "--price=19.90", "--link=https://h/a?b#c",
                "--id=6B29FC40-CA47-1067-B31D-00DD010662DA", "--level=9", "--dry-run",
            ],
            out: shown(
                "GET http://127.0.0.1:9/types?small=-128&ratio=-0.5&price=19.9&link=https%3A%2F%2Fh%2Fa%3Fb%23c&id=6B29FC40-CA47-1067-B31D-00DD010662DA&level=9"
            )),
        Row(
            "switches, arrays, dates",
            [
                "call", "movies.search", "--query", "a b", "--no-adult", "--sort", "release-date", "--genres=1",
                "--genres=-2", "--since", "2026-11-21T09:30:00.5+01:00", "--dry-run",
            ],
            variables: ["MOVIES_TOKEN": "t"],
            out: shown(
                "GET https://api.movies.test/3/search?query=a%20b&adult=false&sort=release-date&genre=1&genre=-2&since=2026-11-21T08%3A30%3A00.500Z",
                "X-Client: tests", "Authorization: Bearer (redacted)")),
        Row(
            "a parameter hides an option", ["call", "--query", "x=1", "movies.search", "--query", "y=2", "--dry-run"],
            variables: ["MOVIES_TOKEN": "t"],
            out: shown(
                "GET https://api.movies.test/3/search?query=y%3D2&x=1", "X-Client: tests",
                "Authorization: Bearer (redacted)")),
        Row(
            "fields added, replaced, left out",
            [
                "call", "movies.popular", "--dry-run", "-H", "x-client: mine", "-H", "Accept:", "-H", "User-Agent: me",
                "-H", "X-Empty;", "-H", "X:  a: b ",
            ], variables: ["MOVIES_TOKEN": "t"],
            out: """
                GET https://api.movies.test/3/movie/popular
                x-client: mine
                User-Agent: me
                X-Empty:\u{20}
                X: a: b\u{20}
                Authorization: Bearer (redacted)

                """),
        Row(
            "a field takes the place of a credential that is not set",
            ["call", "echo.login", "--dry-run", "-H", "authorization: Basic bWluZQ=="],
            out: shown("GET http://127.0.0.1:9/login", "authorization: (redacted)")),
        Row(
            "a query item takes the credential's place", "call movies.popular --dry-run --query api_key=mine",
            variables: ["MOVIES_KEY": "k", "MOVIES_TOKEN": "t"],
            out: shown("GET https://api.movies.test/3/movie/popular?api_key=(redacted)", "X-Client: tests")),
        Row(
            "a credential is left out", ["call", "movies.popular", "--dry-run", "-H", "Authorization:"],
            variables: ["MOVIES_TOKEN": "t"],
            out: shown("GET https://api.movies.test/3/movie/popular", "X-Client: tests")),
        Row(
            "typed credentials are not shown",
            ["call", "echo.head", "--dry-run", "-H", "Cookie: a=b; c=d", "-H", "Proxy-Authorization: Basic cHI="],
            out: shown("HEAD http://127.0.0.1:9/head", "Cookie: (redacted)", "Proxy-Authorization: (redacted)")),
        Row(
            "on a terminal", ["call", "echo.store", "--data", "a\u{1B}[2J\u{202E}\t\nb", "--dry-run"],
            variables: ["NO_COLOR": "1"],
            terminal: [.stdout],
            out: """
                PUT http://127.0.0.1:9/store
                Accept: application/json
                Content-Type: text/plain
                User-Agent: apictl/0.1.0

                a\\u001B[2J\\u202E\t
                b

                """),
    ]

    static let samples: [Row] = [
        Row(
            "sample with its head", "call movies.popular --sample --compact -i",
            out: """
                HTTP/1.1 200 OK
                Content-Type: application/json
                Content-Length: 161

                {"total_pages":7,"page":1,"results":[{"title":"Alien","id":348,"score":8.10},{"id":78,"title":"Blade Runner","released":null}]}

                """),
        Row("empty sample", "call movies.forget 5 --sample -i", out: "HTTP/1.1 204 No Content\n\n"),
        Row("text sample", "call echo.path a --sample", out: "hello"),
        Row(
            "binary sample on a terminal", "call movies.poster 1 --sample", terminal: [.stdout, .stderr], out: "",
            err: OutputFileTests.binary, code: 1),
        wrong("call echo.ping --sample", "echo.ping has no sample"),
    ]

    @Test(arguments: rows + samples)
    func row(_ row: Row) async { await row.check() }
}
