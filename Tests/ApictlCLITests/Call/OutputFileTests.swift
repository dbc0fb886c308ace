import EndpointKit
import Testing

/// `-o FILE`: exact bytes, all or nothing.
struct OutputFileTests {
    private static let key = CallOutputTests.key

    private func call(_ words: String, _ files: MemoryFiles, _ response: StubResponse) async -> (Outcome, sent: Int) {
        let transport = StubTransport(response)
        let outcome = await run(
            ["call", "movies.popular"] + words.split(separator: " ").map(String.init), variables: Self.key,
            files: files,
            transport: transport)
        return (outcome, transport.requests.count)
    }

    @Test(
        "The bytes as they came, whatever they are",
        arguments: ["-o f", "-of", "--output=f", "-o f --raw", "-o f -q", "-o f --compact"])
    func exact(_ words: String) async {
        let files = MemoryFiles(["f": Array("old".utf8)])
        var response = StubResponse.typed("text/html", " \u{1B}<p>\r\n")
        response.pieceSize = 2
        let (outcome, sent) = await call(words, files, response)
        #expect(outcome == Outcome())
        #expect(sent == 1)
        #expect(files["f"] == " \u{1B}<p>\r\n")
    }

    @Test("An empty response makes an empty file")
    func empty() async {
        let files = MemoryFiles()
        #expect(await call("-o out/new", files, .empty(204, "No Content")).0 == Outcome())
        #expect(files["out/new"] == "")
    }

    @Test("With -i the headers are on stdout")
    func head() async {
        let files = MemoryFiles()
        let (outcome, _) = await call("-o f -i", files, .json("{}"))
        #expect(outcome == Outcome(out: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n"))
        #expect(files["f"] == "{}")
    }

    @Test("A failure leaves the existing file")
    func failure() async {
        let files = MemoryFiles(["f": Array("old".utf8)])
        let (outcome, _) = await call("-o f", files, .json(#"{"error":"no"}"#, 404, "Not Found"))
        #expect(outcome.err == "{\n  \"error\": \"no\"\n}\napictl: movies.popular: 404 Not Found: no\n")
        #expect(outcome.out == "")
        #expect(outcome.code == 4)
        #expect(files["f"] == "old")
        let cut = Self.cut(.cutShort(.broken))
        #expect(await call("-o f -q", files, cut).0 == Outcome(code: 6))
        #expect(files["f"] == "old")
    }

    @Test("With --any-status an error's body goes into the file")
    func anyStatus() async {
        let files = MemoryFiles()
        #expect(await call("-o f --any-status", files, .json("{}", 500, "Oops")).0 == Outcome())
        #expect(files["f"] == "{}")
    }

    @Test("Nothing is sent if the file can't be written")
    func unwritable() async {
        let missing = await call("-o gone/f", MemoryFiles(), .json("{}"))
        #expect(missing.0 == Outcome(err: "apictl: can't write gone/f: No such file or directory\n", code: 1))
        #expect(missing.sent == 0)
        let readOnly = await call("-o f", MemoryFiles(["f": []], readOnly: ["f"]), .json("{}"))
        #expect(readOnly.0 == Outcome(err: "apictl: can't write f: Permission denied\n", code: 1))
        #expect(readOnly.sent == 0)
    }

    private static let kept = "Nothing was kept. With -C a partial download is kept and resumed.\n"
    private static let again = "To try again: --retry 3\n"
    private static let closed = "the server closed the connection without a response\n"

    private static func cut(_ cause: TransportError.Cause) -> StubResponse {
        StubResponse(body: "abc".exactBytes, failureInBody: TransportError(cause, receivedBytes: 3))
    }

    static let hints: [Row] = [
        Row(
            "cut", "call echo.path a -o f", response: cut(.cutShort(.noResponse)),
            err: "apictl: echo.path: \(closed)\(again)\(kept)", code: 6),
        Row(
            "silent", "call echo.path a -o f", response: cut(.timedOut(.idle(.seconds(30)))),
            err: "apictl: echo.path: the server was silent for 30 s (3 bytes received)\n"
                + "To wait as long as it takes: --max-time 0\n\(kept)", code: 7),
        Row(
            "out of time", "call echo.path a -o f -m 5", response: cut(.timedOut(.whole(nil))),
            err: "apictl: echo.path: no complete response from the server in time (3 bytes received)\n"
                + "To wait longer: --max-time 10s\n\(kept)", code: 7),
        Row(
            "stdout", "call echo.path a -o -", response: cut(.cutShort(.noResponse)), out: "abc",
            err: "apictl: echo.path: \(closed)", code: 6),
        Row(
            "POST", "call echo.ping -o f", response: cut(.cutShort(.noResponse)), err: "apictl: echo.ping: \(closed)",
            code: 6),
    ]

    @Test("The hint at -C, if it would have kept something", arguments: hints)
    func hint(_ row: Row) async { await row.check() }
}
