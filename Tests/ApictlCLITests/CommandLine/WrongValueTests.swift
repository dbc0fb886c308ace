import EndpointKit
import Testing

/// Parameters that are missing, repeated, or of the wrong type.
struct WrongValueTests {
    static let rows: [Row] = [
        wrong("call movies.search", "movies.search needs --query TEXT"),
        wrong("call movies.details", "movies.details needs a value (TEXT)"),
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
        wrong(
            "call movies.popular --page 99999999999999999999",
            "--page (argument 3): expected an integer from -9223372036854775808 to 9223372036854775807, got '99999999999999999999'"
        ),
        wrong(
            "call movies.popular --page=-99999999999999999999",
            "--page (argument 3): expected an integer from -9223372036854775808 to 9223372036854775807, got '-99999999999999999999'"
        ),
        wrong(["call", "movies.popular", "--page", ""], "--page (argument 3): expected an integer, got ''"),
        wrong("call movies.popular --page 1.0", "--page (argument 3): expected an integer, got '1.0'"),
        wrong(["call", "movies.popular", "--page", " 1"], "--page (argument 3): expected an integer, got ' 1'"),
        wrong("call movies.popular --page ٣", "--page (argument 3): expected an integer, got '٣'"),
        wrong("call echo.types --small 128", "--small (argument 3): expected an integer from -128 to 127, got '128'"),
        wrong("call echo.types --ratio half", "--ratio (argument 3): expected a number, got 'half'"),
        wrong("call echo.types --ratio nan", "--ratio (argument 3): expected a number, got 'nan'"),
        wrong("call echo.types --ratio 1e999", "--ratio (argument 3): expected a number, got '1e999'"),
        wrong("call echo.types --price 9.99EUR", "--price (argument 3): expected a number, got '9.99EUR'"),
        wrong("call echo.types --link http://[", "--link (argument 3): expected a URL, got 'http://['"),
        wrong("call echo.types --id 123", "--id (argument 3): expected a UUID, got '123'"),
        wrong(
            "call movies.search --query x --sort date",
            "--sort (argument 5): expected one of title, release-date, got 'date'"),
        wrong("call echo.types --level 5", "--level (argument 3): expected one of 1, 9, got '5'"),
        wrong(
            "call movies.search --query x --genres 1 --genres two",
            "--genres (argument 7): expected an integer, got 'two'"),
        wrong(
            "call movies.search --query x --adult=maybe", "--adult (argument 5): expected true or false, got 'maybe'"),
        wrong(
            "call movies.search --query x --since tomorrow",
            "--since (argument 5): expected an ISO 8601 date such as 2026-11-21 or 2026-11-21T09:30:00Z, got 'tomorrow'"
        ),
        wrong(
            "call movies.search --query x --since 2026-02-30",
            "--since (argument 5): expected an ISO 8601 date such as 2026-11-21 or 2026-11-21T09:30:00Z, got '2026-02-30'"
        ),
        wrong("call movies.rate x --rating.value 1", "the value (argument 3): expected an integer, got 'x'"),
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
            "call echo.path .",
            "the value (argument 3): '.' can't be used in the path: servers resolve it to another path, even if encoded"
        ),
        wrong(
            ["call", "movies.details", ""],
            "the value (argument 3): '' can't be used in the path: it would name another resource"),
    ]

    @Test(arguments: rows)
    func value(_ row: Row) async { await row.check() }

    @Test(
        "The printed curl command sends the same request as call", arguments: rows.filter { $0.words.first == "call" })
    func sameForCurl(_ row: Row) async {
        #expect(await run(["curl"] + row.words.dropFirst()) == row.expected)
    }
}
