import EndpointKit
import Testing

@testable import ApictlCLI

/// `--max-bytes`: the longest body to read.
struct ResponseLimitTests {
    private static func text(_ count: Int, pieces: Int = 0) -> StubResponse {
        var response = StubResponse.typed("text/plain", String(repeating: "a", count: count))
        response.pieceSize = pieces
        return response
    }

    static let rows: [Row] = [
        Row("fits", "call echo.path a --max-bytes 10", response: text(10, pieces: 3), out: "aaaaaaaaaa"),
        Row(
            "does not fit", "call echo.path a --max-bytes 10", response: text(11, pieces: 10), out: "aaaaaaaaaa",
            err: "apictl: echo.path: the response is longer than the 10 bytes of --max-bytes\n", code: 8),
        Row(
            "announced", "call echo.path a --max-bytes 10", response: text(11, pieces: 10).with("Content-Length", "11"),
            err: "apictl: echo.path: the response is longer than the 10 bytes of --max-bytes\n", code: 8),
        Row(
            "announced in its compressed form", "call echo.path a --max-bytes 10",
            response: text(10).with("Content-Length", "30").with("Content-Encoding", "gzip"), out: "aaaaaaaaaa"),
        Row(
            "decoded", "call echo.query --name n --max-bytes 1k",
            response: .json("[" + String(repeating: " ", count: 1024)),
            err: "apictl: echo.query: the response is longer than the 1024 bytes of --max-bytes\n", code: 8),
        Row(
            "raw", "call echo.query --name n --raw --compact --max-bytes 4",
            response: {
                var response = StubResponse.json("[1,2]")
                response.pieceSize = 4
                return response
            }(), out: "[1,2\n",
            err: "apictl: echo.query: the response is longer than the 4 bytes of --max-bytes\n", code: 8),
        Row(
            "decoded without being asked for", "call echo.query --name n",
            response: .json("{}").with("Content-Length", "100000001"),
            err: "apictl: echo.query: the response is longer than 100.0 MB, the limit for decoding; "
                + "use --raw or -o FILE, or --max-bytes 1G\n", code: 8),
        Row(
            "a head alone has no body", "call echo.head --max-bytes 10", response: .empty().with("Content-Length", "11")
        ),
    ]

    @Test(arguments: rows)
    func limit(_ row: Row) async { await row.check() }

    @Test("With --max-time 0, streams have no limit", arguments: ["--raw", "-o -", "-q", "-o f"])
    func unlimited(_ words: String) async {
        let response = StubResponse.json("{}").with("Content-Length", "100000001")
        let outcome = await run(
            ["call", "echo.query", "--name", "n"] + words.words,
            transport: StubTransport(response))
        #expect(outcome.code == (words == "-q" ? 8 : 0))
    }
}
