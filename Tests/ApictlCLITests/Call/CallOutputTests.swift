import CurlTransport
import EndpointKit
import MockServer
import Testing

@testable import ApictlCLI

/// The output of `call` for a successful response.
struct CallOutputTests {
    private static let page = StubResponse.json(MoviePage.sample)
    private static let text = StubResponse.typed("text/plain", "one\ntwo")

    static let decoded: [Row] = [
        Row(
            "order, numbers and nulls are as sent, and unknown keys are left out", "call movies.popular --compact",
            response: page,
            out: MoviePage.compactSample, err: "note: 1 key is not in MoviePage (--raw shows it)\n"),
        Row(
            "a body without a content type is decoded", "call echo.note --note.title a --compact",
            response: .typed("", #"{"title":"\u00e9"}"#),
            out: #"{"title":"é"}"# + "\n"),
        Row(
            "a body of another content type is decoded", "call echo.note --note.title a --compact",
            response: .typed("text/plain", #"{"title":"é"}"#), out: #"{"title":"é"}"# + "\n"),
        Row("a model of any JSON prints the whole body", "call echo.ping", response: .json("[]"), out: "[]\n"),
        Row(
            "escapes are decoded, except those of control characters", "call echo.note --note.title a --compact",
            response: .json(#"{"title":"\u0000\u001b\ud83c\udfac\"\\"}"#),
            out: #"{"title":"\u0000\u001B🎬\"\\"}"# + "\n"),
        Row(
            "a byte order mark is left out", "call echo.note --note.title a --compact",
            response: .json("\u{FEFF}{\"title\":\"a\"}"),
            out: #"{"title":"a"}"# + "\n"),
    ]

    static let raw: [Row] = [
        Row(
            "--raw prints everything that was sent", "call movies.popular --raw", response: page,
            out: MoviePage.indentedSample + "\n"),
        Row(
            "--raw keeps duplicate keys and the texts of numbers", "call echo.ping --raw --compact",
            response: .json(#"{"a":1.0,"a":1e5,"é":"\u00e9"}"#), out: #"{"a":1.0,"a":1e5,"é":"\u00e9"}"# + "\n"),
        Row(
            "--raw prints a body that does not fit the model", "call echo.login --raw --compact",
            variables: ["ECHO_USER": "u", "ECHO_PASSWORD": "p"], response: .json("[1]"), out: #"[1]"# + "\n"),
        Row(
            "--raw prints several documents", "call movies.popular --raw",
            response: .typed("application/x-ndjson", "{}\n[]\n"),
            out: "{}\n[]\n"),
        Row(
            "--raw --select reads JSON, whatever the content type", "call movies.popular --raw --select a",
            response: .typed("text/plain", "{\"a\":1}"), out: "1\n"),
        Row(
            "--raw --select shows the end of a stream that is not JSON", "call movies.popular --raw --select a",
            response: .typed("application/x-ndjson", "{\"a\":1}\nx\n"), out: "1\n",
            err: """
                {"a":1}
                x
                apictl: movies.popular: the response is not valid JSON: line 2, column 1: expected a value, found 'x'
                Add -o FILE to keep what the server sent.

                """, code: 8),
        Row(
            "--raw --select of an empty stream fails", "call movies.popular --raw --select a",
            response: .typed("application/x-ndjson", ""),
            err: "apictl: movies.popular: the response (200 OK) has no body\n", code: 8),
        Row(
            "--raw without the body that the model needs fails", "call movies.popular --raw", response: .empty(),
            err: "apictl: movies.popular: the response (200 OK) has no body, expected MoviePage\n", code: 8),
        Row(
            "--raw prints nothing for a 204", "call movies.popular --raw", response: .empty(204, "No Content"), out: ""),
    ]

    static let others: [Row] = [
        Row("an endpoint of bytes prints them unchanged", "call echo.path a", response: text, out: "one\ntwo"),
        Row(
            "an endpoint of bytes prints JSON unchanged", "call echo.path a", response: .json("{\"b\" : 1,\r\n}"),
            out: "{\"b\" : 1,\r\n}"),
        Row(
            "--compact prints bytes that are JSON on one line", "call echo.path a --compact",
            response: .json(#"{"b": 1}"#),
            out: #"{"b":1}"# + "\n"),
        Row(
            "-i prints the head before the body", "call echo.path a -i",
            response: text.with("X-A", "b").with("X-A", "c"),
            out: "HTTP/1.1 200 OK\nContent-Type: text/plain\nX-A: b\nX-A: c\n\none\ntwo"),
        Row(
            "-i prints the head before the selected part", "call movies.popular -i --raw --select a",
            response: .json(#"{"a":1}"#), out: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n1\n"),
        Row(
            "-i escapes control characters in the head", "call echo.ping -i",
            response: .empty().with("X", "a\u{1B}[2J\u{85}\u{202E}\u{7F}é"),
            out: "HTTP/1.1 200 OK\nX: a\\u001B[2J\\u0085\\u202E\\u007Fé\n\n"),
        Row(
            "-q prints nothing about a failed transfer", "call movies.popular -q -i", response: .failing(.notConnected),
            terminal: [.stdout, .stderr], code: 6),
        wrong("call movies.popular -q --page two", "--page (argument 4): expected an integer, got 'two'"),
    ]

    @Test("A response is printed as its model and the options say", arguments: decoded + raw + others)
    func row(_ row: Row) async { await row.check() }

    @Test("Binary data is unchanged, however it is split into chunks", arguments: [0, 1, 7])
    func binary(_ size: Int) async {
        let bytes = (0...255).map { UInt8($0) }
        let response = StubResponse(body: bytes, pieceSize: size).with("Content-Type", "image/png")
        let outcome = await run("call echo.path a", transport: StubTransport(response))
        #expect(outcome.out.exactBytes == bytes && outcome.code == 0)
    }
}

/// An API whose models refuse a response themselves, or are optional.
private enum Moody: API {
    case picky
    case maybe

    static let api = APIInfo(name: "moody", servers: [Server("production", url: "https://moody.test")])
    static let examples: [Moody] = [.picky, .maybe]

    var endpoint: Endpoint {
        switch self {
        case .picky: .get("/picky", returns: Picky.self, summary: "Refuses what it gets")
        case .maybe: .get("/maybe", returns: Person?.self, summary: "A person or nobody")
        }
    }

    struct Refusal: Error, CustomStringConvertible {
        let description = "too odd"
    }

    struct Picky: Codable, Sendable {
        var n: Int

        init(from decoder: any Decoder) throws {
            n = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .n)
            if n % 2 == 1 { throw Refusal() }
        }
    }
}

/// Responses that a model refuses by an error of its own, and responses without a body.
struct UnusualModelTests {
    static let rows: [Row] = [
        Row(
            "a body that fits is printed", "call moody.picky --compact", response: .json(#"{"n":2}"#),
            apis: [Moody.self], out: "{\"n\":2}\n"),
        Row(
            "an error of the model's own decoder is shown below the body", "call moody.picky --compact",
            response: .json(#"{"n":1}"#), apis: [Moody.self],
            err: "{\"n\":1}\napictl: moody.picky: the response does not fit Picky\n  too odd\n", code: 8),
        Row(
            "an optional model accepts a response without a body", "call moody.maybe",
            response: .empty(204, "No Content"), apis: [Moody.self]),
        Row(
            "a part of a response without a body is nothing", "call moody.maybe --select name", response: .empty(200),
            apis: [Moody.self]),
        Row(
            "a body in Latin-1 is printed as UTF-8", "call moody.maybe --compact",
            response: StubResponse(body: Array(#"{"name":""#.utf8) + [0xE9, 0x22, 0x7D]).with(
                "Content-Type", "application/json; charset=iso-8859-1"),
            apis: [Moody.self], out: "{\"name\":\"é\"}\n"),
        Row(
            "a status that HTTP does not have is a failure", "call moody.picky -q", response: .json("{}", 999, ""),
            apis: [Moody.self], code: 8),
        Row(
            "--any-status --select selects from the body of an error",
            "call moody.picky --any-status --select error.code",
            response: .json(#"{"error":{"code":7}}"#, 404, "Not Found"), apis: [Moody.self], out: "7\n"),
        Row(
            "--fail-with-body --select selects from the body of an error, and fails",
            "call moody.picky --fail-with-body --select error.code",
            response: .json(#"{"error":{"code":7}}"#, 404, "Not Found"), apis: [Moody.self], out: "7\n",
            err: "apictl: moody.picky: 404 Not Found\n", code: 4),
        Row(
            "options may stand before the endpoint", "--compact moody.picky", response: .json(#"{"n":2}"#),
            apis: [Moody.self],
            out: "{\"n\":2}\n"),
        Row(
            "options may stand before the URL", "-X PUT --compact http://a.test/x", response: .json(#"{"n":2}"#),
            out: "{\"n\":2}\n"),
    ]

    @Test("A response is printed, or the message says why it does not fit", arguments: rows)
    func row(_ row: Row) async { await row.check() }
}

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

    private static let html = StubResponse.typed("text/html", " \u{1B}<p>\r\n").inPieces(of: 2)

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
            row("-o f -q", .typed("", "abc").broken(.cutShort(.broken)), left: "old", code: 6),
            row("-o f -q --max-bytes 10", .typed("text/plain", "12345678901"), left: "old", code: 8),
            Row(
                "-o in a directory that does not exist fails", "call movies.popular -o gone/f",
                err: "apictl: can't write gone/f: no such file or directory\n", code: 1),
        ]

    @Test("Nothing is sent if the file can't be written", arguments: ["-o", "--save"])
    func unwritable(_ option: String) async {
        let outcome = await run(
            ["call", "movies.popular", option, "f"], files: MemoryFiles(["f": []], readOnly: ["f"]))
        #expect(outcome == Outcome(err: "apictl: can't write f: permission denied\n", code: 1))
    }

    static let binary =
        "apictl: can't write stdout: binary data would garble the terminal (-o FILE writes it to a file, | cat shows it)\n"

    /// `-` is stdout, where a terminal gets only safe text.
    static let stdout: [Row] = [
        Row("-o - writes exact bytes to stdout", "call echo.path a -o -", response: html, out: " \u{1B}<p>\r\n"),
        Row(
            "-o - writes safe text to a terminal", "call echo.path a -o -", response: html, terminal: .stdout,
            out: " \\u001B<p>\n"),
        Row(
            "-o - of binary data on a terminal fails", "call echo.path a -o -",
            response: .typed("image/png", "\u{89}P\0"),
            terminal: .stdout,
            err: binary, code: 1),
        Row(
            "--save - writes exact bytes to stdout, although the body does not fit", "call movies.popular -q --save -",
            response: .json(#"{"page" :1}"#), out: #"{"page" :1}"#,
            code: 8),
    ]

    /// A copy that can't be written costs nothing of the response, and nothing of the old file.
    static let full: [Row] = [
        Row(
            "--save on a full disk fails after the response is printed", "call echo.ping --save full",
            files: ["full": "old"], response: .json("[1,2]"),
            out: "[\n  1,\n  2\n]\n", err: "apictl: can't write full: no space left on device\n", code: 1
        ).leaving(["full": "old"]),
        Row(
            "--har on a full disk fails, and with -q without a message", "call echo.ping --har full -q",
            response: .json("1"), code: 1),
        Row(
            "--save of a failure on a full disk is mentioned after the failure", "call echo.ping --save full",
            files: ["full": "old"], response: .json("[1,2]", 500),
            err: "[\n  1,\n  2\n]\napictl: echo.ping: 500 OK\ncan't write full: no space left on device\n", code: 5
        ).leaving(["full": "old"]),
    ]

    @Test("-o and --save write the exact bytes, and keep an old file if that fails", arguments: rows + stdout + full)
    func row(_ row: Row) async { await row.check() }
}

/// `--max-bytes`: the longest body to read.
struct ResponseLimitTests {
    private static func text(_ count: Int, pieces: Int = 0) -> StubResponse {
        .typed("text/plain", String(repeating: "a", count: count)).inPieces(of: pieces)
    }

    private static let more = "To read more: a larger --max-bytes\n"

    static let rows: [Row] = [
        Row(
            "a body of exactly the limit is printed", "call echo.path a --max-bytes 10", response: text(10, pieces: 3),
            out: "aaaaaaaaaa"),
        Row(
            "a longer body fails when it exceeds the limit", "call echo.path a --max-bytes 10",
            response: text(11, pieces: 10), out: "aaaaaaaaaa",
            err: "apictl: echo.path: the response is longer than 10 B\n\(more)", code: 8),
        Row(
            "a longer body that is announced fails at once", "call echo.path a --max-bytes 10",
            response: text(11, pieces: 10).with("Content-Length", "11"),
            err: "apictl: echo.path: the response is longer than 10 B\n\(more)", code: 8),
        Row(
            "the announced length of a compressed body does not count", "call echo.path a --max-bytes 10",
            response: text(10).with("Content-Length", "30").with("Content-Encoding", "gzip"), out: "aaaaaaaaaa"),
        Row(
            "a longer body is not decoded", "call echo.query --name n --max-bytes 1k",
            response: .json("[" + String(repeating: " ", count: 1024)),
            err: "apictl: echo.query: the response is longer than 1.0 kB\n\(more)", code: 8),
        Row(
            "a longer body is printed up to the limit with --raw",
            "call echo.query --name n --raw --compact --max-bytes 4",
            response: .json("[1,2]").inPieces(of: 4), out: "[1,2\n",
            err: "apictl: echo.query: the response is longer than 4 B\n\(more)", code: 8),
        Row(
            "a decoded body has a limit without --max-bytes too", "call echo.query --name n",
            response: .json("{}").with("Content-Length", "100000001"),
            err: "apictl: echo.query: the response is longer than 100.0 MB\n"
                + "To read more: --raw, -o FILE, or --max-bytes 1G\n", code: 8),
        Row(
            "the length that a response to HEAD announces does not count", "call echo.head --max-bytes 10",
            response: .empty().with("Content-Length", "11")
        ),
    ]

    @Test("A body that is longer than --max-bytes fails", arguments: rows)
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

/// Notes on a terminal's stderr, and the body of a response that does not fit.
struct ResponseNoteTests {
    private static let page =
        #"{"page":1,"results":[{"id":7,"title":"A","adult":false}],"total_pages":1,"extra":{"a":1}}"#
    private static let shown = #"{"page":1,"results":[{"id":7,"title":"A"}],"total_pages":1}"# + "\n"

    static let notes: [Row] = [
        Row(
            "a terminal shows which keys the model does not have", "call movies.popular --compact",
            response: .json(page),
            terminal: .stderr,
            out: shown, err: "note: 2 keys are not in MoviePage: $.results[*].adult, $.extra (--raw shows them)\n"),
        Row(
            "a pipe gets the number of keys that the model does not have", "call movies.popular --compact",
            response: .json(page), out: shown,
            err: "note: 2 keys are not in MoviePage (--raw shows them)\n"),
        Row("with -q, there is no note about keys", "call movies.popular --compact -q", response: .json(page)),
        Row(
            "at most five keys are named", "call movies.popular --compact",
            response: .json("{\"page\":1,\"results\":[],\"total_pages\":1\((1...7).map { ",\"k\($0)\":0" }.joined())}"),
            terminal: .stderr, out: "{\"page\":1,\"results\":[],\"total_pages\":1}\n",
            err: "note: 7 keys are not in MoviePage: $.k1, $.k2, $.k3, $.k4, $.k5 and 2 more (--raw shows them)\n"),
        Row(
            "a terminal shows that there is no body", "call echo.ping", response: .empty(204, "No Content"),
            terminal: .stderr,
            err: "note: 204 No Content, no body\n"),
        Row(
            "a terminal shows the headers of a response to HEAD", "call echo.head", variables: ["NO_COLOR": "1"],
            response: .empty(200, "OK").with("X-A", "b"), terminal: .stderr,
            err: "HTTP/1.1 200 OK\nX-A: b\n\n"),
    ]

    @Test("Notes are for a terminal, and a failure prints its body as the options say", arguments: notes + bodies)
    func row(_ row: Row) async { await row.check() }

    static let bodies: [Row] = [
        Row(
            "--fail-with-body prints the body on stdout and fails", "call movies.popular --fail-with-body --compact",
            response: .json(#"{"status_message":"no"}"#, 404, "Not Found"), out: #"{"status_message":"no"}"# + "\n",
            err: "apictl: movies.popular: 404 Not Found: no\n", code: 4),
        Row(
            "--fail-with-body --select prints a part of the body",
            "call movies.popular --fail-with-body --compact --select message",
            response: .json(#"{"message":"no"}"#, 404, "Not Found"), out: "\"no\"\n",
            err: "apictl: movies.popular: 404 Not Found: no\n", code: 4),
        Row(
            "--fail-with-body prints a body that is not JSON unchanged", "call movies.popular --fail-with-body",
            response: .json("<h1>", 502, "Bad Gateway"), out: "<h1>",
            err: "apictl: movies.popular: 502 Bad Gateway\n", code: 5),
        Row(
            "--any-status prints a body that is not JSON unchanged", "call movies.popular --any-status --table",
            response: .json("<h1>", 502, "Bad Gateway"), out: "<h1>"),
        Row(
            "--any-status --table prints the body of a failure as a table", "call movies.popular --any-status --table",
            response: .json(#"{"message":"no"}"#, 404), out: "message\nno\n"),
        Row(
            "--any-status --raw --select prints a part of the body of a failure",
            "call movies.popular --any-status --raw --select a",
            response: .json(#"{"a":1}"#, 502, "Bad Gateway"), out: "1\n"),
        wrong(
            "call movies.popular --fail-with-body --any-status",
            "--fail-with-body and --any-status can't be used together"),
    ]

    @Test(
        "--save keeps the exact body, also of a response that does not fit and of a failure",
        arguments: [
            (body: #"{"page":1, "results":[],"total_pages":1,"x":0}"#, status: 200, code: 0),
            (body: "{ }", status: 200, code: 8), (body: "<html>", status: 200, code: 8),
            (body: #"{"a" :1}"#, status: 500, code: 5),
        ] as [(body: String, status: Int, code: Int32)])
    func save(_ body: String, _ status: Int, _ code: Int32) async {
        let row = Row("save", "call movies.popular -q --save copy", response: .json(body, status), code: code)
        await row.leaving(["copy": body]).check()
    }
}

/// Events and lines are printed as they arrive, not at the end.
struct StreamingTests {
    /// An output that stops the server at the first thing it is given.
    private final class StoppingOutput: ByteOutput {
        let isTerminal = false
        private let server: MockServer
        private let content = BufferOutput()

        init(_ server: MockServer) { self.server = server }

        func write(_ bytes: [UInt8]) throws {
            try content.write(bytes)
            server.stop()
        }

        var text: String { content.text }
    }

    /// The server sends nothing more until the first line has been printed, and then ends.
    @Test(
        "Each chunk is written before the next one arrives",
        arguments: [
            ("echo.path a", "text/event-stream", "data: 1\n\n", "data: 1\n\n"),
            ("echo.query --name n --raw", "application/x-ndjson", "{\"a\":1}\n", "{\n  \"a\": 1\n}\n"),
            ("echo.query --name n -o -", "application/x-ndjson", "1\n", "1\n"),
            ("echo.query --name n --raw --select a", "application/x-ndjson", "{\"a\":1}\n", "1\n"),
        ])
    func stream(_ words: String, _ type: String, _ sent: String, _ seen: String) async throws {
        let server = try MockServer { _ in
            .response(200, fields: [("Content-Type", type), ("Content-Length", "1000")]).then(
                .bytes(Array(sent.utf8)), .hang)
        }
        let out = StoppingOutput(server)
        let environment = ProcessEnvironment.test(out: out, transport: CurlTransport())
        let code = await Apictl.run(
            "call \(words) --base-url \(server.baseURL)".words, apis: [Echo.self], environment: environment)
        #expect(out.text == seen)
        // This is the exit code of a response that is cut short, not that of a timeout.
        #expect(code == 6)
    }

    @Test(
        "--max-items ends a stream of events, although the server goes on",
        arguments: [
            ("call URL/s --max-items 2", "{\n  \"name\": \"a\",\n  \"age\": 1\n}\n\"[DONE]\"\n"),
            ("call URL/s --max-items 1 --compact", "{\"name\":\"a\",\"age\":1}\n"),
            ("call URL/s --max-items 3 --select name", "\"a\"\n\"b\"\n"),
            ("call URL/s --max-items 1 --table --columns age,name", "age  name\n  1  a\n"),
            ("call echo.login --base-url URL --max-items 1 --compact", "{\"name\":\"a\",\"age\":1}\n"),
            ("call echo.login --base-url URL --max-items 3 --select age", "1\n2\n"),
            ("call echo.login --base-url URL --max-items 1 --raw --compact", "{\"name\":\"a\",\"age\":1}\n"),
        ])
    func limitedEvents(_ words: String, _ seen: String) async throws {
        let events = #"{"name":"a","age":1} [DONE] {"name":"b","age":2} {"name":"c","age":3}"#
        let sent = events.split(separator: " ").map { "data: \($0)\n\n" }.joined()
        let server = try MockServer { _ in
            .response(200, fields: [("Content-Type", "text/event-stream"), ("Content-Length", "1000")]).then(
                .bytes(Array(sent.utf8)), .hang)
        }
        let variables = ["ECHO_USER": "anna", "ECHO_PASSWORD": "pass"]
        let words = words.replacing("URL", with: server.baseURL)
        #expect(await run(words, variables: variables, transport: CurlTransport()) == Outcome(out: seen))
        #expect(server.received.count == 1)
    }
}
