import EndpointKit
import Testing

/// Parameters that are missing, repeated, or of the wrong type.
struct WrongValueTests {
    static let rows: [Row] = [
        wrong(
            "missing parameter", "call movies.search",
            "movies.search needs --query TEXT", see: "help movies.search"),
        wrong(
            "missing value", "call movies.details",
            "movies.details needs a value (TEXT)", see: "help movies.details"),
        wrong(
            "two missing", "call movies.rate",
            "movies.rate needs a value (INTEGER) and --rating JSON|@FILE|-", see: "help movies.rate"),
        wrong(
            "missing field", "call movies.rate 5 --rating.comment good",
            "movies.rate needs --rating.value NUMBER", see: "help movies.rate"),
        wrong(
            "missing field of a field", "call movies.rate 5 --rating.value 1 --rating.by.age 3",
            "movies.rate needs --rating.by.name TEXT", see: "help movies.rate"),
        wrong(
            "missing switch", "call echo.raw",
            "echo.raw needs --raw or --no-raw", see: "help echo.raw"),
        wrong(
            "parameter twice", "call movies.popular --page 1 --page 2",
            "--page is given a second time (argument 5); it takes one value", see: "help movies.popular"),
        wrong(
            "switch twice", "call movies.search --query x --adult --no-adult",
            "--adult is given a second time (argument 6); it takes one value", see: "help movies.search"),
        wrong(
            "value twice", "call movies.details 1 2",
            "unexpected argument '2' (argument 4); did you mean --language 2?", see: "help movies.details"),
        wrong(
            "value without a flag", "call movies.popular 2",
            "unexpected argument '2' (argument 3); did you mean --page 2?", see: "help movies.popular"),
        wrong(
            "value without a flag, none left", "call echo.ping 2",
            "unexpected argument '2' (argument 3)", see: "help echo.ping"),
        wrong(
            "value behind a switch", "call movies.search --query x --adult false",
            "unexpected argument 'false' (argument 6); did you mean --adult=false?", see: "help movies.search"),
        wrong(
            "integer", "call movies.popular --page two",
            "--page (argument 3): expected an integer, got 'two'", see: "help movies.popular"),
        wrong(
            "integer beyond its bounds", "call movies.popular --page 99999999999999999999",
            "--page (argument 3): expected an integer from -9223372036854775808 to 9223372036854775807, got '99999999999999999999'",
            see: "help movies.popular"),
        wrong(
            "integer beyond its bounds, negative", "call movies.popular --page=-99999999999999999999",
            "--page (argument 3): expected an integer from -9223372036854775808 to 9223372036854775807, got '-99999999999999999999'",
            see: "help movies.popular"),
        wrong(
            "integer is empty", ["call", "movies.popular", "--page", ""],
            "--page (argument 3): expected an integer, got ''", see: "help movies.popular"),
        wrong(
            "integer with a fraction", "call movies.popular --page 1.0",
            "--page (argument 3): expected an integer, got '1.0'", see: "help movies.popular"),
        wrong(
            "integer with a space", ["call", "movies.popular", "--page", " 1"],
            "--page (argument 3): expected an integer, got ' 1'", see: "help movies.popular"),
        wrong(
            "integer in other digits", "call movies.popular --page ٣",
            "--page (argument 3): expected an integer, got '٣'", see: "help movies.popular"),
        wrong(
            "small integer", "call echo.types --small 128",
            "--small (argument 3): expected an integer from -128 to 127, got '128'", see: "help echo.types"),
        wrong(
            "number", "call echo.types --ratio half",
            "--ratio (argument 3): expected a number, got 'half'", see: "help echo.types"),
        wrong(
            "number that is none", "call echo.types --ratio nan",
            "--ratio (argument 3): expected a number, got 'nan'", see: "help echo.types"),
        wrong(
            "number beyond all bounds", "call echo.types --ratio 1e999",
            "--ratio (argument 3): expected a number, got '1e999'", see: "help echo.types"),
        wrong(
            "decimal with text behind", "call echo.types --price 9.99EUR",
            "--price (argument 3): expected a number, got '9.99EUR'", see: "help echo.types"),
        wrong(
            "URL", "call echo.types --link http://[",
            "--link (argument 3): expected a URL, got 'http://['", see: "help echo.types"),
        wrong(
            "UUID", "call echo.types --id 123",
            "--id (argument 3): expected a UUID, got '123'", see: "help echo.types"),
        wrong(
            "choice", "call movies.search --query x --sort date",
            "--sort (argument 5): expected one of title, release-date, got 'date'", see: "help movies.search"),
        wrong(
            "choice of numbers", "call echo.types --level 5",
            "--level (argument 3): expected one of 1, 9, got '5'", see: "help echo.types"),
        wrong(
            "element of an array", "call movies.search --query x --genres 1 --genres two",
            "--genres (argument 7): expected an integer, got 'two'", see: "help movies.search"),
        wrong(
            "switch with a word", "call movies.search --query x --adult=maybe",
            "--adult (argument 5): expected true or false, got 'maybe'", see: "help movies.search"),
        wrong(
            "date", "call movies.search --query x --since tomorrow",
            "--since (argument 5): expected an ISO 8601 date such as 2026-11-21 or 2026-11-21T09:30:00Z, got 'tomorrow'",
            see: "help movies.search"),
        wrong(
            "date that is none", "call movies.search --query x --since 2026-02-30",
            "--since (argument 5): expected an ISO 8601 date such as 2026-11-21 or 2026-11-21T09:30:00Z, got '2026-02-30'",
            see: "help movies.search"),
        wrong(
            "unlabelled integer", "call movies.rate x --rating.value 1",
            "the value (argument 3): expected an integer, got 'x'", see: "help movies.rate"),
        wrong(
            "control characters in a value", ["call", "movies.popular", "--page", "1\u{1B}[2J\r\n\u{202E}"],
            "--page (argument 3): expected an integer, got '1\\u001B[2J\\r\\n\\u202E'", see: "help movies.popular"),
        wrong(
            "a value that is not UTF-8", ["call", "movies.popular", "--page", String(exactBytes: [0x31, 0xFF])],
            "--page (argument 3): expected an integer, got '1\\xFF'", see: "help movies.popular"),
        wrong(
            "dot segment", "call movies.details ..",
            "the value (argument 3): '..' can't be used in the path: servers resolve it to another path, even if encoded",
            see: "help movies.details"),
        wrong(
            "dot segment, or another parameter with that value", "call movies.details .. --language ..",
            "'..' can't be used in the path: servers resolve it to another path, even if encoded",
            see: "help movies.details"),
        wrong(
            "single dot segment", "call echo.path .",
            "the value (argument 3): '.' can't be used in the path: servers resolve it to another path, even if encoded",
            see: "help echo.path"),
        wrong(
            "empty segment", ["call", "movies.details", ""],
            "the value (argument 3): '' can't be used in the path: it would name another resource",
            see: "help movies.details"),
    ]

    @Test(arguments: rows)
    func value(_ row: Row) async { await row.check() }

    @Test(
        "The printed curl command sends the same request as call", arguments: rows.filter { $0.words.first == "call" })
    func sameForCurl(_ row: Row) async {
        #expect(await run(["curl"] + row.words.dropFirst()) == row.expected)
    }
}
