import EndpointKit
import JSONText
import Testing

@testable import ApictlCLI

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

    @Test("Rows are printed as a table, as tab-separated or as comma-separated values", arguments: rows)
    func shown(_ row: Row) async { await row.check() }

    /// Returns the lines that `format --table` writes to stdout and stderr.
    ///
    /// - Parameters:
    ///   - json: The document.
    ///   - words: More options.
    ///   - columns: The width of the terminal.
    private static func table(_ json: String, _ words: [String] = [], columns: Int) async -> [String] {
        let out = BufferOutput(isTerminal: true, columns: columns)
        let err = BufferOutput(isTerminal: true)
        let environment = ProcessEnvironment.test(out: out, err: err, stdin: MemoryInput(json.exactBytes))
        _ = await Apictl.run(
            ["format", "--table", "--color", "never"] + words, apis: [Movies.self], environment: environment)
        return (String(exactBytes: out.bytes) + String(exactBytes: err.bytes)).split(separator: "\n").map(String.init)
    }

    /// A row whose columns do not fit a usual terminal.
    private static let wideRow = """
        [{"note":"\(String(repeating: "x", count: 50))","name":"\(String(repeating: "日", count: 30))","size":1000,"id":7,"z":"last"}]
        """

    @Test("A table fits the terminal: id and name come first, long texts are cut, and the last columns are omitted")
    func narrow() async {
        let (notes, names) = (String(repeating: "x", count: 50), String(repeating: "日", count: 30))
        #expect(
            await Self.table(Self.wideRow, columns: 200) == [
                "id  name" + String(repeating: " ", count: 58) + "note" + String(repeating: " ", count: 48) + "size  z",
                " 7  \(names)  \(notes)  1000  last",
            ])
        #expect(
            await Self.table(Self.wideRow, columns: 80) == [
                "id  name                                  note                              size",
                " 7  日日日日日日日日日日日日日日日日日…   xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…  1000",
                "note: no space for z; choose columns with --columns",
            ])
        #expect(
            await Self.table(Self.wideRow, columns: 50) == [
                "id  name", " 7  日日日日日日日日日日日日日日日日日日日日日日…",
                "note: no space for note, size, z; choose columns with --columns",
            ])
    }

    private static let manyKeys = "[" + (1...1000).map { #"{"k\#($0)":\#($0)}"# }.joined(separator: ",") + "]"

    @Test(
        "Of a thousand different keys, 200 become columns, unless --columns chooses others",
        arguments: ["--table", "--tsv", "--csv"])
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

    @Test("The time limit holds while rows are made and while a table is written", arguments: [1, 1001, 2000])
    func timeLimit(atCheck number: Int) throws {
        var options = SelectionOptions()
        options.rowStyle = .table
        var printer = try ResultView(options).printer(.test(), CommonOptions())
        var checkCount = 0
        #expect(throws: CancellationError.self) {
            _ = try printer.print([JSONDocument(Array(Self.manyKeys.utf8))]) {
                checkCount += 1
                if checkCount == number { throw CancellationError() }
            }
        }
    }

    @Test("Columns that --columns chooses are all shown")
    func chosen() async {
        #expect(
            await Self.table(Self.wideRow, ["--columns", "z,note,name"], columns: 40) == [
                "z     note              name", "last  xxxxxxxxxxxxxxx…  日日日日日日日…",
            ])
    }
}
