import EndpointKit
import Testing

@testable import ApictlCLI

/// `--max-bytes`: the longest body that is read.
struct AnswerLimitTests {
    private static let more = "; to read more: --max-bytes 1G\n"

    private static func text(_ count: Int, pieces: Int = 0) -> StubAnswer {
        var answer = StubAnswer.typed("text/plain", String(repeating: "a", count: count))
        answer.pieceSize = pieces
        return answer
    }

    static let rows: [Row] = [
        Row("fits", "call echo.path a --max-bytes 10", answer: text(10, pieces: 3), out: "aaaaaaaaaa"),
        Row(
            "does not fit", "call echo.path a --max-bytes 10", answer: text(11, pieces: 10), out: "aaaaaaaaaa",
            err: "apictl: echo.path: the response is longer than the 10 bytes of --max-bytes\(more)", code: 8),
        Row(
            "onto stdout", "call echo.path a --max-bytes 10 -o -", answer: text(11, pieces: 4), out: "aaaaaaaa",
            err: "apictl: echo.path: the response is longer than the 10 bytes of --max-bytes\(more)", code: 8),
        Row(
            "announced", "call echo.path a --max-bytes 10", answer: text(11, pieces: 10).with("Content-Length", "11"),
            err: "apictl: echo.path: the response is longer than the 10 bytes of --max-bytes\(more)", code: 8),
        Row(
            "announced in its packed form", "call echo.path a --max-bytes 10",
            answer: text(10).with("Content-Length", "30").with("Content-Encoding", "gzip"), out: "aaaaaaaaaa"),
        Row("quietly", "call echo.path a --max-bytes 10 -q", answer: text(11), code: 8),
        Row(
            "decoded", "call echo.query --name n --max-bytes 1k",
            answer: .json("[" + String(repeating: " ", count: 1024)),
            err: "apictl: echo.query: the response is longer than the 1024 bytes of --max-bytes\(more)", code: 8),
        Row(
            "raw", "call echo.query --name n --raw --compact --max-bytes 4",
            answer: {
                var answer = StubAnswer.json("[1,2]")
                answer.pieceSize = 4
                return answer
            }(), out: "[1,2\n",
            err: "apictl: echo.query: the response is longer than the 4 bytes of --max-bytes\(more)", code: 8),
        Row(
            "not even a gigabyte", "call echo.path a --max-bytes 2G",
            answer: .typed("text/plain", "x").with("Content-Length", "3000000000"),
            err: "apictl: echo.path: the response is longer than the 2147483648 bytes of --max-bytes; "
                + "to read more: a larger --max-bytes\n", code: 8),
        Row("nothing at all", "call echo.path a --max-bytes 0", answer: .empty(), out: ""),
        Row(
            "decoded without being asked for", "call echo.query --name n",
            answer: .json("{}").with("Content-Length", "100000001"),
            err: "apictl: echo.query: the response is longer than the 100.0 MB that are decoded; "
                + "use --raw or -o FILE, or --max-bytes 1G\n", code: 8),
        Row("a head alone has no body", "call echo.head --max-bytes 10", answer: .empty().with("Content-Length", "11")),
    ]

    @Test(arguments: rows)
    func limit(_ row: Row) async { await row.check() }

    @Test("Without a limit nothing that streams has one", arguments: ["--raw", "-o -", "-q", "-o f"])
    func unlimited(_ words: String) async {
        let answer = StubAnswer.json("{}").with("Content-Length", "100000001")
        let outcome = await run(
            ["call", "echo.query", "--name", "n"] + words.split(separator: " ").map(String.init),
            transport: StubTransport(answer))
        #expect(outcome.code == (words == "-q" ? 8 : 0))
    }

    @Test("An old FILE stays")
    func file() async {
        let files = MemoryFiles(["f": Array("old".utf8)])
        let outcome = await run(
            ["call", "echo.path", "a", "-o", "f", "--max-bytes", "10"], files: files,
            transport: StubTransport(Self.text(11)))
        #expect(outcome.code == 8)
        #expect(files["f"] == "old")
    }
}
