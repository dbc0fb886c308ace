import EndpointKit
import Testing

@testable import ApictlCLI

/// `--json-errors`: stderr holds one line with what is known of the failure, and nothing else.
struct JSONErrorTests {
    /// What is known of an exchange of `movies.popular`.
    private static let exchange =
        #""endpoint":"movies.popular","method":"GET","url":"https://api.movies.test/3/movie/popular?api_key=(redacted)""#

    /// `members` are those of the error, in order.
    private static func row(
        _ id: String, _ words: String, variables: [String: String] = testVariables, response: StubResponse? = nil,
        terminal: Terminals = [.stdout, .stderr], out: String = "", _ members: String, code: Int32
    ) -> Row {
        Row(
            id, "call \(words)", variables: variables, response: response, terminal: terminal, out: out,
            err: "{\"error\":{\(members)}}\n", code: code)
    }

    static let rows: [Row] = [
        row(
            "a missing credential", "movies.popular --json-errors", variables: [:],
            #""kind":"credential","message":"movies.popular: a credential is missing: set MOVIES_KEY, or MOVIES_TOKEN (--sample and --dry-run need none)","hints":[],"exitCode":9,"endpoint":"movies.popular""#,
            code: 9),
        row(
            "an invalid command line, the option last", "movies.popular --pge 1 --json-errors",
            #""kind":"usage","message":"unknown option '--pge' (argument 3); did you mean '--page'?","hints":["See 'apictl help movies.popular'."],"exitCode":2"#,
            code: 2),
        row(
            "a status, with JSON", "movies.popular --json-errors -i",
            response: .json(#"{"message": "no k3y", "at": 1.0}"#, 404, "Not Found"),
            #""kind":"status","message":"movies.popular: 404 Not Found: no (redacted)","hints":[],"exitCode":4,\#(exchange),"status":404,"attempts":1,"body":{"message":"no (redacted)","at":1.0}"#,
            code: 4),
        row(
            "a status, with text", "movies.popular --json-errors",
            response: .typed("text/html", "<p>k3y</p>", 500, "Oops"),
            #""kind":"status","message":"movies.popular: 500 Oops","hints":[],"exitCode":5,\#(exchange),"status":500,"attempts":1,"body":"<p>(redacted)</p>""#,
            code: 5),
        row(
            "a response that does not fit the model", "movies.popular --json-errors", response: .json(#"{"page":"x"}"#),
            #""kind":"bad-response","message":"movies.popular: the response does not fit MoviePage","hints":["$.page: expected integer, found string \"x\" (line 1, column 9)"],"exitCode":8,\#(exchange),"status":200,"attempts":1,"body":{"page":"x"}"#,
            code: 8),
        row(
            "no connection", "movies.popular --json-errors", response: .failing(.notConnected),
            #""kind":"network","message":"movies.popular: could not connect to the server","hints":["Is the server running?"],"exitCode":6,\#(exchange),"attempts":1"#,
            code: 6),
    ]

    @Test(arguments: rows)
    func oneLine(_ row: Row) async { await row.check() }

    static let others: [Row] = [
        Row(
            "no notes beside a success", "call movies.popular --json-errors -q",
            response: .json(#"{"page":1,"results":[],"total_pages":1,"more":1}"#), terminal: [.stderr]),
        Row("nothing with -q", "call movies.popular --json-errors -q", response: .empty(404), code: 4),
        Row(
            "bytes that are not UTF-8",
            ["call", "movies.popular", "--page", String(exactBytes: [0x31, 0xFF]), "--json-errors"],
            err: #"{"error":{"kind":"usage","message":"--page (argument 3): expected an integer, got '1\\xFF'","#
                + #""hints":["See 'apictl help movies.popular'."],"exitCode":2}}"# + "\n", code: 2),
        wrong(
            "call movies.popular -- --json-errors",
            "unexpected argument '--json-errors' (argument 4); did you mean --page --json-errors?"),
    ]

    @Test(arguments: others)
    func other(_ row: Row) async { await row.check() }

    @Test func attemptsAreCountedWithoutNotes() async {
        let busy = StubResponse.empty(503, "Service Unavailable")
        let outcome = await run(
            "call movies.popular --json-errors --retry 1 --retry-delay 0 -m 0".words,
            transport: StubTransport([busy, busy]))
        let members =
            #""kind":"status","message":"movies.popular: 503 Service Unavailable (2 attempts)","hints":[],"exitCode":5,\#(Self.exchange),"status":503,"attempts":2"#
        #expect(outcome == Outcome(err: "{\"error\":{\(members)}}\n", code: 5))
    }
}
