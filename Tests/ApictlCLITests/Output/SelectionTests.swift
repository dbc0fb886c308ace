import Testing

@testable import ApictlCLI

/// `--select` on `call` and `format`.
struct SelectionTests {
    private static let page = """
        {"page":1,"results":[{"id":1,"title":"Alien","vote_average":8.50},{"id":2,"title":"a \\"b\\"","vote_average":7}],
        "total_pages":1,"total_results":2,"extra":[{"n":1.0}]}
        """

    private static func select(
        _ id: String, _ words: [String], body: String = page, out: String = "", err: String = "", code: Int32 = 0
    ) -> Row { Row(id, ["call", "movies.popular"] + words, response: .json(body), out: out, err: err, code: code) }

    static let rows: [Row] = [
        select("names walk through lists", ["--select", "results.title"], out: "\"Alien\"\n\"a \\\"b\\\"\"\n"),
        select("strings without quotes", ["--select", "results.title", "-r"], out: "Alien\na \"b\"\n"),
        select("an element", ["--select", "results.1.id"], out: "2\n"),
        select("an element from the end, as in jq", ["--select", ".results[-1].id"], out: "2\n"),
        select("each element", ["--select", "results[].id"], out: "1\n2\n"),
        select("one array", ["--select", "results.id", "--array"], out: "[1,2]\n"),
        select("nothing in an array", ["--select", "results.7.id", "--array"], out: "[]\n"),
        select("JSONPath", ["--select", "$.results[?@.id > 1].title"], out: "\"a \\\"b\\\"\"\n"),
        select("number text of the body", ["--raw", "--select", "results.0.vote_average"], out: "8.50\n"),
        select("what the model does not have", ["--raw", "--select", "extra.n"], out: "1.0\n"),
        select("nothing found", ["--select", "results.7"]),
        select("nothing found, with -e", ["--select", "results.7", "-e"], code: 1),
        select("quietly", ["--select", "results.id", "-q"]),
        wrong(
            "call movies.popular --select results.titel",
            "--select (argument 3): Movie has no 'titel'; did you mean 'title'?"),
        wrong(
            "call movies.popular --select results[0].titel",
            "--select (argument 3): Movie has no 'titel'; did you mean 'title'?"),
        wrong(
            "call movies.popular --select results.-1.id",
            "--select (argument 3): column 9: expected a name or an index from 0 (from the end: [-1]; a name: \"-1\"), "
                + "found '-1'"),
        wrong(
            "call movies.popular --select resluts.title",
            "--select (argument 3): MoviePage has no 'resluts'; did you mean 'results'?"),
        wrong(
            "call movies.popular --select page --select results.id",
            "a second --select (argument 5) needs --table, --tsv or --csv"),
        wrong(
            "call movies.popular --select $[",
            "--select (argument 3): column 3: expected a name in quotes, an index, a slice, '*' or '?', "
                + "found the end of the query"),
        wrong("call movies.popular --array", "--array needs --select PATH"),
        wrong("call movies.popular --select page -o f", "--select and --output can't be used together"),
        Row(
            "format", "format --select a.b", stdin: #"{"a":[{"b":1e2},{"c":0},{"b":[ 2 ]}]}"#, out: "1e2\n[2]\n"),
        Row(
            "format, with a file that is not JSON", "format --select a f g", files: ["f": "{", "g": #"{"a":1}"#],
            out: "1\n", err: "f:1:2: expected a key in quotes or '}', found end of input (byte offset 1)\n", code: 8),
        Row("each document", "format --select a", stdin: "{\"a\":1}\n{}\n{\n\"a\":[2]}", out: "1\n[2]\n"),
        Row(
            "documents as rows", "format --tsv", stdin: "\u{1E}{\"a\":1,\"b\":[0]}\n\u{1E}{\"a\":2}\n",
            out: "a\tb\n1\t[0]\n2\t\n"),
        Row(
            "rows in each document", "format --csv --select b", stdin: "{\"b\":[0]}\n{\"b\":[1,2]}",
            out: "b\r\n0\r\n1\r\n2\r\n"),
        select(
            "each document of a response", ["--raw", "--select", "$.a"], body: "{\"a\":1}\n{\"a\":2}", out: "1\n2\n"),
        select(
            "what is too deep to be selected from", ["--raw", "--select", "$.a", "--json-errors"],
            body: String(repeating: "[", count: 513) + String(repeating: "]", count: 513),
            err: #"{"error":{"kind":"bad-response","message":"movies.popular: the response is not valid JSON: line 1, "#
                + #"column 513: expected at most 512 levels of nesting, found more","#
                + #""hints":["Add -o FILE to keep what the server sent."],"exitCode":8,"endpoint":"movies.popular","#
                + #""method":"GET","url":"https://api.movies.test/3/movie/popular?api_key=(redacted)","status":200,"#
                + #""attempts":1,"body":"\#(String(repeating: "[", count: 513) + String(repeating: "]", count: 513))"}}"#
                + "\n", code: 8),
        select(
            "too much work", ["--raw", "--select", "$.items[?@ == $.long]"], body: long,
            err: "apictl: movies.popular: \(tooMuch)\n", code: 1),
        Row(
            "format, with too much work", ["format", "--select", "$.items[?@ == $.long]"], stdin: long,
            err: "apictl: \(tooMuch)\n", code: 1),
    ]

    /// Reading the long number once for each item takes minutes.
    private static let long =
        "{\"long\":1\(String(repeating: "0", count: 1_000_000)),\"items\":[1\(String(repeating: ",1", count: 50_000))]}"
    private static let tooMuch = """
        the query is too much work in this document: more than 28800176 values visited and bytes compared; \
        name fewer values, or compare shorter ones
        """

    @Test(arguments: rows)
    func selection(_ row: Row) async { await row.check() }

    @Test("A terminal obeys nothing in a string")
    func terminal() async {
        let outcome = await run(
            ["format", "--select", "$", "-r"], stdin: #""a\u001b[2Jb""#, terminal: .stdout)
        #expect(outcome.out == "a\\u001B[2Jb\n")
    }
}
