import EndpointKit
import Testing

@testable import ApictlCLI

/// `--all-pages`, `--max-pages` and `--max-items` over a server with three pages of two movies.
struct PagedCallTests {
    /// The page that `request` asks for; the page of number `broken` fails.
    private static func page(_ request: Request, pages: Int = 3, broken: Int? = nil) -> StubResponse {
        let number =
            request.query.last { $0.name == "page" || $0.name == "after" }.flatMap { Int($0.value.description) } ?? 1
        if number == broken { return .json(#"{"message": "out of order"}"#, 503, "Service Unavailable") }
        let results = [2 * number - 1, 2 * number].map { #"{"id":\#($0),"title":"M\#($0)","score":1.50,"new":0}"# }
        let next = number < pages ? ",\"next\":\"\(number + 1)\"" : ""
        return .json(
            #"{"page":\#(number),"results":[\#(results.joined(separator: ","))],"total_pages":\#(pages)\#(next)}"#)
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        var pages = 3
        var broken: Int?
        let requests: Int
        let expected: Outcome

        init(
            _ id: String, _ words: String, pages: Int = 3, broken: Int? = nil, requests: Int, out: String,
            err: String = "", code: Int32 = 0
        ) {
            testDescription = id
            self.words = words.split(separator: " ").map(String.init)
            self.pages = pages
            self.broken = broken
            self.requests = requests
            expected = Outcome(out: out, err: err, code: code)
        }
    }

    private static let failure = """
        {
          "message": "out of order"
        }
        apictl: movies.popular: 503 Service Unavailable: out of order

        """

    static let cases: [Case] = [
        Case(
            "one array of items", "popular --all-pages --select id --array", requests: 3, out: "[1,2,3,4,5,6]\n"),
        Case(
            "in the form of a single response", "popular --max-items 1", requests: 1,
            out: """
                [
                  {
                    "id": 1,
                    "title": "M1",
                    "score": 1.50
                  }
                ]

                """),
        Case(
            "one item a line", "popular --max-items 3 --compact", requests: 2,
            out: (1...3).map { "{\"id\":\($0),\"title\":\"M\($0)\",\"score\":1.50}\n" }.joined()),
        Case(
            "as the server sent it", "popular --max-items 1 --compact --raw", requests: 1,
            out: "{\"id\":1,\"title\":\"M1\",\"score\":1.50,\"new\":0}\n"),
        Case("from a page on", "popular --page 3 --all-pages --select title -r", requests: 1, out: "M5\nM6\n"),
        Case("a table", "popular --all-pages --table --columns id", requests: 3, out: "id\n 1\n 2\n 3\n 4\n 5\n 6\n"),
        Case(
            "CSV", "popular --max-pages 2 --csv --columns title", requests: 2, out: "title\r\nM1\r\nM2\r\nM3\r\nM4\r\n"),
        Case("by a cursor", "new-movies --all-pages --select id --array", requests: 3, out: "[1,2,3,4,5,6]\n"),
        Case(
            "25 pages unless more are asked for", "popular --all-pages --tsv --columns id", pages: 30, requests: 25,
            out: "id\n" + (1...50).map { "\($0)\n" }.joined(),
            err: "note: stopped after 25 pages; to go on: --page 26, or more with --max-pages N\n"),
        Case("more pages", "popular --max-pages 30 -q", pages: 30, requests: 30, out: ""),
        Case(
            "a page that fails ends a whole array", "popular --all-pages --select id --array", broken: 3, requests: 3,
            out: "[1,2,3,4]\n", err: failure + "2 pages were printed. To go on: --page 3\n", code: 5),
        Case(
            "the first page that fails", "popular --all-pages", broken: 1, requests: 1, out: "", err: failure, code: 5),
        Case(
            "a cursor to go on with", "new-movies --all-pages --select id", broken: 2, requests: 2, out: "1\n2\n",
            err: failure.replacing("popular", with: "new-movies") + "1 page was printed. To go on: --query after=2\n",
            code: 5),
    ]

    @Test(arguments: cases)
    func pages(_ example: Case) async {
        let transport = StubTransport { Self.page($0, pages: example.pages, broken: example.broken) }
        let outcome = await run(
            ["call", "movies." + example.words[0]] + example.words.dropFirst(), variables: ["MOVIES_KEY": "k"],
            transport: transport)
        #expect(outcome == example.expected)
        #expect(transport.requests.count == example.requests)
    }

    @Test("On a terminal, a limit that was asked for is told too")
    func note() async {
        let outcome = await run(
            ["call", "movies.popular", "--max-pages", "1", "--select", "id"], variables: ["MOVIES_KEY": "k"],
            transport: StubTransport { Self.page($0) }, terminal: .stderr)
        #expect(outcome.err == "note: stopped after 1 page; to go on: --page 2\n")
    }

    @Test(
        "Pages without items count too, and ten in a row are the last ones",
        arguments: [
            (
                "--max-items 5", 10,
                "note: stopped after 10 pages, the last 10 without items; to go on: --query after=11\n"
            ),
            (
                "--max-pages 50", 10,
                "note: stopped after 10 pages, the last 10 without items; to go on: --query after=11\n"
            ),
            ("--max-pages 4", 4, ""),
        ])
    func emptyPages(_ words: String, _ requests: Int, _ note: String) async {
        let transport = StubTransport { request in
            let page = request.query.last { $0.name == "after" }.flatMap { Int($0.value.description) } ?? 1
            return .json(#"{"page":1,"results":[],"total_pages":1,"next":"\#(page + 1)"}"#)
        }
        let outcome = await run(
            ["call", "movies.new-movies", "--compact"] + words.split(separator: " ").map(String.init),
            variables: ["MOVIES_KEY": "k"], transport: transport)
        #expect(outcome == Outcome(err: note))
        #expect(transport.requests.count == requests)
    }

    @Test("A server that sends the same page again")
    func samePage() async {
        let outcome = await run(
            ["call", "movies.popular", "--all-pages", "--select", "id"], variables: ["MOVIES_KEY": "k"],
            transport: StubTransport(.json(#"{"page":1,"results":[{"id":1,"title":"M"}],"total_pages":9}"#)))
        #expect(
            outcome
                == Outcome(
                    out: "1\n",
                    err: "apictl: movies.popular: page 2 is the same as an earlier one\n1 page was printed.\n", code: 8)
        )
    }

    static let wrongCommands: [Row] = [
        wrong("call movies.details 5 --all-pages", "movies.details declares no pages"),
        wrong("call movies.popular --all-pages -i", "--all-pages and --include can't be used together"),
        wrong("call movies.popular --max-items 0", "--max-items (argument 3): expected 1 or a higher number, got '0'"),
        Row(
            "a sample has one page", "call movies.popular --sample --all-pages --select id --array", out: "[348,78]\n"),
    ]

    @Test(arguments: wrongCommands)
    func command(_ row: Row) async { await row.check() }
}
