import EndpointKit
import Testing

@testable import ApictlCLI

/// `--all-pages`, `--max-pages` and `--max-items` over a server with three pages of two movies.
struct PagedCallTests {
    /// Pages of two movies each; the last one fails if `isBroken`.
    private static func pages(_ numbers: ClosedRange<Int> = 1...3, of count: Int = 3, isBroken: Bool = false)
        -> [StubResponse]
    {
        numbers.map { number in
            if isBroken, number == numbers.upperBound {
                return .json(#"{"message": "out of order"}"#, 503, "Service Unavailable")
            }
            let results = [2 * number - 1, 2 * number].map {
                #"{"id":\#($0),"title":"M\#($0)","score":1.50,"new":0}"#
            }
            let next = number < count ? ",\"next\":\"\(number + 1)\"" : ""
            return .json(
                #"{"page":\#(number),"results":[\#(results.joined(separator: ","))],"total_pages":\#(count)\#(next)}"#)
        }
    }

    private static func row(
        _ id: String, _ words: String, terminal: Terminals = [], _ pages: [StubResponse], out: String = "",
        err: String = "", code: Int32 = 0
    ) -> Row { Row(id, "call movies.\(words)", terminal: terminal, out: out, err: err, code: code).responding(pages) }

    private static let failure = """
        {
          "message": "out of order"
        }
        apictl: movies.popular: 503 Service Unavailable: out of order

        """

    static let rows: [Row] = [
        row(
            "the items of all pages are one array", "popular --all-pages --select id --array", pages(),
            out: "[1,2,3,4,5,6]\n"),
        row(
            "the array is indented as a single response is", "popular --max-items 1", pages(1...1),
            out: """
                [
                  {
                    "id": 1,
                    "title": "M1",
                    "score": 1.50
                  }
                ]

                """),
        row(
            "--compact prints the array on one line", "popular --max-items 3 --compact", pages(1...2),
            out: "[" + (1...3).map { "{\"id\":\($0),\"title\":\"M\($0)\",\"score\":1.50}" }.joined(separator: ",")
                + "]\n"),
        row(
            "--raw prints the items as the server sent them", "popular --max-items 1 --compact --raw", pages(1...1),
            out: "[{\"id\":1,\"title\":\"M1\",\"score\":1.50,\"new\":0}]\n"),
        row(
            "without a limit, 25 pages are followed", "popular --all-pages --tsv --columns id", pages(1...25, of: 30),
            out: "id\n" + (1...50).map { "\($0)\n" }.joined(),
            err: "note: stopped after 25 pages; to go on: --page 26, or more with --max-pages N\n"),
        row(
            "before the failure of a page, the array is ended", "popular --all-pages --select id --array",
            pages(isBroken: true), out: "[1,2,3,4]\n",
            err: failure + "2 pages were printed. To go on: --page 3\n", code: 5),
        row(
            "--json-errors reports the page that failed, and how to go on",
            "popular --all-pages --select id --json-errors",
            pages(1...2, isBroken: true), out: "1\n2\n",
            err:
                #"{"error":{"kind":"status","message":"movies.popular: 503 Service Unavailable: out of order","hints":["1 page was printed. To go on: --page 2"],"exitCode":5,"endpoint":"movies.popular","method":"GET","url":"https://api.movies.test/3/movie/popular?api_key=(redacted)&page=2","status":503,"attempts":1,"body":{"message":"out of order"}}}"#
                + "\n", code: 5),
        row(
            "a page that is not JSON is shown", "popular --all-pages --raw --select id",
            [.json("<p>")],
            err:
                "<p>\napictl: movies.popular: the response is not valid JSON: line 1, column 1: expected a value, found '<'\n",
            code: 8),
        row(
            "if the first page fails, nothing is printed", "popular --all-pages", pages(1...1, isBroken: true),
            err: failure, code: 5),
        row(
            "after a failure, the note names the cursor to go on with", "new-movies --all-pages --select id",
            pages(1...2, isBroken: true),
            out: "1\n2\n",
            err: failure.replacing("popular", with: "new-movies") + "1 page was printed. To go on: --query after=2\n",
            code: 5),
        row(
            "a terminal shows how to go on after --max-pages too", "popular --max-pages 1 --select id",
            terminal: .stderr, pages(1...1), out: "1\n2\n", err: "note: stopped after 1 page; to go on: --page 2\n"),
        row(
            "a page that repeats the one before fails", "popular --all-pages --select id",
            Array(repeating: .json(#"{"page":1,"results":[{"id":1,"title":"M"}],"total_pages":9}"#), count: 2),
            out: "1\n", err: "apictl: movies.popular: page 2 is the same as an earlier one\n1 page was printed.\n",
            code: 8),
        row(
            "a page without items is an empty array", "popular --all-pages --compact",
            [.json(#"{"page":1,"results":[],"total_pages":1}"#)],
            out: "[]\n"),
        row(
            "a table has the columns of the first page with a selected item",
            "popular --all-pages --tsv --select $[?@.id>3]",
            pages(),
            out: "id\ttitle\tscore\n4\tM4\t1.50\n5\tM5\t1.50\n6\tM6\t1.50\n"),
        row("a sample has one page", "popular --sample --all-pages --select id --array", [], out: "[348,78]\n"),
        wrong(
            "call movies.popular --items data", "--items needs --all-pages, --max-pages N or --max-items N",
            see: "help movies.popular"),
        wrong("call movies.popular --all-pages -i", "--all-pages and --include can't be used together"),
        wrong("call movies.popular --max-items 0", "--max-items (argument 3): expected 1 or a higher number, got '0'"),
    ]

    @Test("A call of several pages prints their items, and says how to go on", arguments: rows)
    func pages(_ row: Row) async { await row.check() }

    @Test(
        "Pages without items count too, and ten in a row are the last ones",
        arguments: [
            (
                "--max-items 5", 10,
                "note: stopped after 10 pages, the last 10 without items; to go on: --query after=11\n"
            ),
            ("--max-pages 4", 4, ""),
        ])
    func emptyPages(_ words: String, _ requests: Int, _ note: String) async {
        let transport = StubTransport { request in
            let page = request.query.last { $0.name == "after" }.flatMap { Int($0.value.description) } ?? 1
            return .json(#"{"page":1,"results":[],"total_pages":1,"next":"\#(page + 1)"}"#)
        }
        let outcome = await run(["call", "movies.new-movies", "--compact"] + words.words, transport: transport)
        #expect(outcome == Outcome(out: "[]\n", err: note))
        #expect(transport.requests.count == requests)
    }
}
