import EndpointKit
import JSONText
import Testing

@testable import ApictlCLI

/// `--select` on `call` and `format`.
struct SelectionTests {
    private static let page = """
        {"page":1,"results":[{"id":1,"title":"Alien","vote_average":8.50},{"id":2,"title":"a \\"b\\"","vote_average":7}],
        "total_pages":1,"total_results":2,"extra":[{"n":1.0}]}
        """

    static func select(
        _ id: String, _ words: [String], body: String = page, out: String = "", err: String = "", code: Int32 = 0
    ) -> Row { Row(id, ["call", "movies.popular"] + words, response: .json(body), out: out, err: err, code: code) }

    static let rows: [Row] = [
        select("names walk through lists", ["--select", "results.title"], out: "\"Alien\"\n\"a \\\"b\\\"\"\n"),
        select("strings without quotes", ["--select", "results.title", "-r"], out: "Alien\na \"b\"\n"),
        select("an element", ["--select", "results.1.id"], out: "2\n"),
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
            ["call", "movies.popular", "--select", "$.results[*].titel"],
            "--select (argument 3): Movie has no 'titel'; did you mean 'title'?"),
        wrong(
            ["call", "movies.popular", "--select", "$.results[0]['titel']"],
            "--select (argument 3): Movie has no 'titel'; did you mean 'title'?"),
        wrong(
            ["call", "movies.popular", "--select", #"$.results.id"#],
            "--select (argument 3): a list has no 'id', its elements have: [*].id"),
        wrong(
            ["call", "movies.popular", "--select", #"$["page","nope"]"#],
            "--select (argument 3): MoviePage has no 'nope'"),
        wrong(
            ["call", "movies.popular", "--select", #"$.page[0]"#],
            "--select (argument 3): page is no list"),
        select("an element that is there or not", ["--select", "$.results[?@.id > 9].title"]),
        select("what may be anywhere", ["--select", "$..titel"]),
        wrong("call movies.popular --select results.title.foo", "--select (argument 3): results.title has no 'foo'"),
        wrong(
            "call movies.popular --all-pages --select results.id",
            "--select (argument 4): Movie has no 'results'; with --all-pages, paths begin at an item"),
        wrong("call movies.popular --tsv --columns title.foo", "--columns (argument 4): title has no 'foo'"),
        wrong(
            "call movies.popular --select results.-1.id",
            "--select (argument 3): column 9: expected a name or an index from 0 (from the end: [-1]; a name: \"-1\"), "
                + "found '-1'"),
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

    /// The document, the options of `format`, its stdout, and whether it refuses a function of jq.
    @Test(
        "A function of jq that finds nothing is refused",
        arguments: [
            (#"{"a": 1}"#, "--select length", "", true), (#"{"a": {"b": 1}}"#, "--select .a.keys --array", "", true),
            (#"[1]"#, "--select length --csv", "", true), (#"{"length": 1}"#, "--select length", "1\n", false),
            (#"{"a": 1}"#, #"--select "length""#, "", false), (#"{"a": 1}"#, "--select $.length", "", false),
            (#"{"a": 1}"#, "--select type", "", false),
        ])
    func functions(_ document: String, _ words: String, _ out: String, _ isRefused: Bool) async {
        let outcome = await run("format \(words)", stdin: document)
        #expect(outcome.out == out)
        #expect(outcome.err.hasPrefix(isRefused ? "apictl: --select (argument 2): found nothing called '" : ""))
        #expect(outcome.code == (isRefused ? 2 : 0))
    }

    @Test("With -e, a function of jq that finds nothing is only a failure")
    func functionThatMustBeFound() async {
        #expect(await run("format --select length -e", stdin: "{}") == Outcome(code: 1))
    }

    @Test("A document that is too deep is named as such in a stream too")
    func deepStream() async {
        let deep = String(repeating: "[", count: 513) + String(repeating: "]", count: 513)
        let outcome = await run(["format", "--select", "a"], stdin: "{}\n\(deep)")
        #expect(outcome.err.hasPrefix("apictl: stdin:2:513: expected at most 512 levels of nesting, found more"))
        #expect(outcome.code == 8)
    }

    @Test("A terminal obeys nothing in a string")
    func terminal() async {
        let outcome = await run(
            ["format", "--select", "$", "-r"], stdin: #""a\u001b[2Jb""#, terminal: .stdout)
        #expect(outcome.out == "a\\u001B[2Jb\n")
    }
}

/// `--table`, `--tsv`, `--csv` and `--columns` on `call` and `format`.
struct RowViewTests {
    private static let page = """
        {"page":1,"results":[{"id":10,"title":"Alien, \\"the\\" film","score":8.50},{"id":2,"title":"日本\\tb","score":null}],
        "total_pages":1,"total_results":2}
        """

    private static func call(_ id: String, _ words: [String], out: String = "", code: Int32 = 0) -> Row {
        SelectionTests.select(id, words, body: page, out: out, code: code)
    }

    private static func format(_ id: String, _ words: String, _ json: String, out: String, code: Int32 = 0) -> Row {
        Row(id, "format " + words, stdin: json, out: out, code: code)
    }

    static let rows: [Row] = [
        call(
            "columns of the model", ["--table"],
            out: """
                id  title              released  score
                10  Alien, "the" film             8.50
                 2  日本\\tb

                """),
        call(
            "CSV as in RFC 4180", ["--csv", "--columns", "title,id"],
            out: "title,id\r\n\"Alien, \"\"the\"\" film\",10\r\n日本\tb,2\r\n"),
        call("TSV", ["--tsv", "--columns", "id,title"], out: "id\ttitle\n10\tAlien, \"the\" film\n2\t日本\\tb\n"),
        call("a list that --select finds", ["--select", "results", "--tsv", "--columns", "id"], out: "id\n10\n2\n"),
        call(
            "several selections follow each other",
            ["--select", "results.1", "--select", "results.0", "--tsv", "--columns", "id"], out: "id\n2\n10\n"),
        call(
            "values of several names", ["--select", "results.id", "--select", "page", "--tsv"],
            out: "value\n10\n2\n1\n"),
        call("quietly", ["--table", "-q"]),
        call("nothing found", ["--select", "results.7", "--csv", "-e"], out: "id,title,released,score\r\n", code: 1),
        wrong(
            "call movies.popular --table --columns id,titel",
            "--columns (argument 4): Movie has no 'titel'; did you mean 'title'?"),
        wrong(
            "call movies.popular --csv --columns $.id",
            "--columns (argument 4): expected names separated by commas, such as id,owner.name"),
        wrong("call movies.popular --columns id", "--columns needs --table, --tsv or --csv"),
        wrong("call movies.popular --select results --csv --array", "--csv and --array can't be used together"),
        format(
            "an array", "--tsv", #"[{"a":1},{"b":[1, 2],"a":true},null,3,[4]]"#,
            out: "value\ta\tb\n\t1\t\n\ttrue\t[1,2]\n\t\t\n3\t\t\n[4]\t\t\n"),
        format("a key twice", "--tsv", #"[{"a":1,"a":2,"b":{"c":3}}]"#, out: "a\tb\n1\t{\"c\":3}\n"),
        format("no list", "--tsv", #"{"x":1,"y":{"z":2}}"#, out: "x\ty\n1\t{\"z\":2}\n"),
        format(
            "objects before values", "--tsv", #"{"names":["a"],"data":{"rows":[{"id":1}]}}"#, out: "id\n1\n"),
        format("an empty list", "--csv -e", #"{"rows":[]}"#, out: "", code: 1),
        format("an empty list of documents", "--tsv", "[]", out: ""),
        format("an empty list with columns", "--csv --columns a,b", "[]", out: "a,b\r\n"),
        format(
            "keys with dots and commas are named in quotes", "--csv --columns 'a.b',\"c,d\"", #"[{"a.b":1,"c,d":2}]"#,
            out: "a.b,\"c,d\"\r\n1,2\r\n"),
        format(
            "the longest list", "--tsv", #"{"facets":[{"n":1}],"rows":[[1,"a"],[2,"b"]]}"#,
            out: "rows\n[1,\"a\"]\n[2,\"b\"]\n"),
        format(
            "a column in a list is always a list", "--tsv --columns l.n,l.1.n",
            #"[{"l":[{"n":1}]},{"l":[{"n":1},{"n":2}]},{}]"#,
            out: "l.n\tl.1.n\n[1]\t\n[1,2]\t2\n\t\n"),
        format("key names are escaped", "--tsv", #"[{"a\tb":"\u001b[31m"}]"#, out: "a\\tb\n\u{1B}[31m\n"),
        format(
            "control characters in a table", "--table", #"[{"a":"\u001b[31m\u202e"}]"#,
            out: "a\n\\u001B[31m\\u202E\n"),
        Row(
            "several lists", "format --table", stdin: #"{"a":[{"x":1}],"b":[{"x":1}]}"#,
            err: "apictl: the result has several lists: a, b; choose one with --select\nSee 'apictl help format'.\n",
            code: 2),
    ]

    @Test(arguments: rows)
    func shown(_ row: Row) async { await row.check() }

    /// The table of `json` on a terminal of so many columns, and the note.
    private static func table(_ json: String, _ words: [String] = [], columns: Int) async -> [String] {
        let out = BufferOutput(isTerminal: true, columns: columns)
        let err = BufferOutput(isTerminal: true)
        let environment = ProcessEnvironment.test(out: out, err: err, stdin: MemoryInput(json.exactBytes))
        _ = await Apictl.run(
            ["format", "--table", "--color", "never"] + words, apis: [Movies.self], environment: environment)
        return (String(exactBytes: out.bytes) + String(exactBytes: err.bytes)).split(separator: "\n").map(String.init)
    }

    private static let wide = """
        [{"note":"\(String(repeating: "x", count: 50))","name":"\(String(repeating: "日", count: 30))","size":1000,"id":7,"z":"last"}]
        """

    @Test("A table fits the terminal: what tells rows apart comes first, long texts are cut, the last columns omitted")
    func narrow() async {
        let (notes, names) = (String(repeating: "x", count: 50), String(repeating: "日", count: 30))
        #expect(
            await Self.table(Self.wide, columns: 200) == [
                "id  name" + String(repeating: " ", count: 58) + "note" + String(repeating: " ", count: 48) + "size  z",
                " 7  \(names)  \(notes)  1000  last",
            ])
        #expect(
            await Self.table(Self.wide, columns: 80) == [
                "id  name                                  note                              size",
                " 7  日日日日日日日日日日日日日日日日日…   xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…  1000",
                "note: no space for z; choose columns with --columns",
            ])
        #expect(
            await Self.table(Self.wide, columns: 50) == [
                "id  name", " 7  日日日日日日日日日日日日日日日日日日日日日日…",
                "note: no space for note, size, z; choose columns with --columns",
            ])
    }

    private static let manyKeys = "[" + (1...1000).map { #"{"k\#($0)":\#($0)}"# }.joined(separator: ",") + "]"

    @Test(
        "Of many different keys 200 are columns, unless others are asked for", arguments: ["--table", "--tsv", "--csv"])
    func manyColumns(_ style: String) async throws {
        let outcome = await run(["format", style], stdin: Self.manyKeys)
        #expect(
            outcome.err == """
                note: only 200 columns are shown, not k201, k202, k203, k204, k205 and 795 more;
                choose columns with --columns

                """)
        let lines = outcome.out.split(whereSeparator: \.isNewline)
        #expect(outcome.out.utf8.count { $0 == 0x0A } == 1001)
        #expect(lines[0].hasSuffix("k200") && lines[200].contains("200"))
        #expect(outcome.out.utf8.count < 2_000_000)
        let chosen = await run(["format", style, "--columns", "k700"], stdin: Self.manyKeys)
        #expect(chosen.out.contains("700") && chosen.err.isEmpty)
        #expect(await run(["format", style, "--json-errors"], stdin: Self.manyKeys).err.isEmpty)
    }

    /// While rows are made, and while a table is written.
    @Test(arguments: [1, 1001, 2000]) func theTimeLimitHoldsForRows(_ number: Int) throws {
        var options = SelectionOptions()
        options.rowStyle = .table
        var printer = try ResultView(options).printer(.test(), CommonOptions())
        var calls = 0
        #expect(throws: CancellationError.self) {
            _ = try printer.print([JSONDocument(Array(Self.manyKeys.utf8))]) {
                calls += 1
                if calls == number { throw CancellationError() }
            }
        }
    }

    @Test("Columns that were asked for are all shown")
    func chosen() async {
        #expect(
            await Self.table(Self.wide, ["--columns", "z,note,name"], columns: 40) == [
                "z     note              name", "last  xxxxxxxxxxxxxxx…  日日日日日日日…",
            ])
    }
}
