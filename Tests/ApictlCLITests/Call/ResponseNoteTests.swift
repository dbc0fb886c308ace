import EndpointKit
import Testing

@testable import ApictlCLI

/// Notes on a terminal's stderr, and the body of a response that does not fit.
struct ResponseNoteTests {
    private static let page =
        #"{"page":1,"results":[{"id":7,"title":"A","adult":false}],"total_pages":1,"extra":{"a":1}}"#
    private static let shown = """
        {
          "page": 1,
          "results": [
            {
              "id": 7,
              "title": "A"
            }
          ],
          "total_pages": 1
        }

        """

    static let notes: [Row] = [
        Row(
            "keys that the model does not have", "call movies.popular", response: .json(page), terminal: .stderr,
            out: shown, err: "note: 2 keys are not in MoviePage: $.results[*].adult, $.extra (--raw shows them)\n"),
        Row("none of them in a pipe", "call movies.popular", response: .json(page), out: shown),
        Row(
            "no body", "call echo.ping", response: .empty(204, "No Content"), terminal: .stderr,
            err: "note: 204 No Content, no body\n"),
        Row(
            "headers of HEAD", "call echo.head", variables: ["NO_COLOR": "1"],
            response: .empty(200, "OK").with("X-A", "b"), terminal: .stderr,
            err: "HTTP/1.1 200 OK\nX-A: b\n\n"),
    ]

    @Test(arguments: notes + bodies)
    func row(_ row: Row) async { await row.check() }

    @Test("At most five keys are named")
    func manyKeys() async {
        let extra = (1...7).map { #","k\#($0)":0"# }.joined()
        let outcome = await run(
            ["call", "movies.popular"],
            transport: StubTransport(.json(#"{"page":1,"results":[],"total_pages":1\#(extra)}"#)), terminal: .stderr)
        let names = "$.k1, $.k2, $.k3, $.k4, $.k5 and 2 more"
        #expect(outcome.err == "note: 7 keys are not in MoviePage: \(names) (--raw shows them)\n")
    }

    static let bodies: [Row] = [
        Row(
            "--fail-with-body", "call movies.popular --fail-with-body --compact",
            response: .json(#"{"status_message":"no"}"#, 404, "Not Found"), out: #"{"status_message":"no"}"# + "\n",
            err: "apictl: movies.popular: 404 Not Found\n", code: 4),
        Row(
            "with another meaning of a failure", "call movies.popular --fail-with-body --any-status",
            err:
                "apictl: --fail-with-body and --any-status can't be used together\nSee 'apictl help movies.popular'.\n",
            code: 2),
    ]

    @Test(
        "--save keeps the exact body, also of a response that does not fit and of a failure",
        arguments: [
            (#"{"page":1, "results":[],"total_pages":1,"x":0}"#, 200, 0 as Int32), ("{ }", 200, 8), ("<html>", 200, 8),
            ("{\"a\" :1}", 500, 5),
        ])
    func save(_ body: String, _ status: Int, _ code: Int32) async {
        let row = Row("save", "call movies.popular -q --save copy", response: .json(body, status), code: code)
        await row.leaving(["copy": body]).check()
    }
}
