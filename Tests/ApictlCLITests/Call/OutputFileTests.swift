import EndpointKit
import Testing

/// `-o FILE`: exact bytes, all or nothing.
struct OutputFileTests {

    private static func row(
        _ words: String, _ response: StubResponse, files: [String: String] = ["f": "old"], left: String,
        in name: String = "f", out: String = "", err: String = "", code: Int32 = 0
    ) -> Row {
        let row = Row(
            words, "call movies.popular \(words)", files: files, response: response, out: out, err: err, code: code)
        return row.leaving(files.merging([name: left]) { $1 })
    }

    private static let html: StubResponse = {
        var response = StubResponse.typed("text/html", " \u{1B}<p>\r\n")
        response.pieceSize = 2
        return response
    }()

    static let rows: [Row] =
        ["-o f", "-of", "--output=f", "-o f --raw", "-o f -q", "-o f --compact"].map { words in
            row(words, html, left: " \u{1B}<p>\r\n")
        } + [
            row("-o out/new", .empty(204, "No Content"), files: [:], left: "", in: "out/new"),
            row(
                "-o f -i", .json("{}"), left: "{}", out: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n"),
            row(
                "-o f", .json(#"{"error":"no"}"#, 404, "Not Found"), left: "old",
                err: "{\n  \"error\": \"no\"\n}\napictl: movies.popular: 404 Not Found: no\n", code: 4),
            row("-o f -q", cut(.cutShort(.broken)), left: "old", code: 6),
            row("-o f -q --max-bytes 10", .typed("text/plain", "12345678901"), left: "old", code: 8),
            Row(
                "a directory that is not there", "call movies.popular -o gone/f",
                err: "apictl: can't write gone/f: No such file or directory\n", code: 1),
        ]

    @Test("Nothing is sent if the file can't be written", arguments: ["-o", "--save"])
    func unwritable(_ option: String) async {
        let outcome = await run(
            ["call", "movies.popular", option, "f"], files: MemoryFiles(["f": []], readOnly: ["f"]))
        #expect(outcome == Outcome(err: "apictl: can't write f: Permission denied\n", code: 1))
    }

    static let binary =
        "apictl: can't write stdout: binary data would garble the terminal (-o FILE writes it to a file, | cat shows it)\n"

    /// `-` is stdout, where a terminal gets only safe text.
    static let stdout: [Row] = [
        Row("-o -", "call echo.path a -o -", response: html, out: " \u{1B}<p>\r\n"),
        Row("-o - on a terminal", "call echo.path a -o -", response: html, terminal: .stdout, out: " \\u001B<p>\n"),
        Row(
            "-o - of binary data on a terminal", "call echo.path a -o -", response: .typed("image/png", "\u{89}P\0"),
            terminal: .stdout,
            err: binary, code: 1),
        Row(
            "--save -", "call movies.popular -q --save -", response: .json(#"{"page" :1}"#), out: #"{"page" :1}"#,
            code: 8),
    ]

    /// A copy that can't be written costs nothing of the response, and nothing of the old file.
    static let full: [Row] = [
        Row(
            "a full disk", "call echo.ping --save full", files: ["full": "old"], response: .json("[1,2]"),
            out: "[\n  1,\n  2\n]\n", err: "apictl: can't write full: No space left on device\n", code: 1
        ).leaving(["full": "old"]),
        Row(
            "of a failure", "call echo.ping --save full", files: ["full": "old"], response: .json("[1,2]", 500),
            err: "[\n  1,\n  2\n]\napictl: echo.ping: 500 OK\ncan't write full: No space left on device\n", code: 5
        ).leaving(["full": "old"]),
    ]

    private static func cut(_ cause: TransportError.Cause) -> StubResponse {
        StubResponse(body: "abc".exactBytes, failureInBody: TransportError(cause, receivedBytes: 3))
    }

    @Test(arguments: rows + stdout + full)
    func row(_ row: Row) async { await row.check() }
}
