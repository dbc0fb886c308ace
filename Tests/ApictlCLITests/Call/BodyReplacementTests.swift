import CurlTransport
import EndpointKit
import MockServer
import Testing

@testable import ApictlCLI

/// `--body`: what is sent instead of the endpoint's body, and its content type.
struct BodyReplacementTests {
    private static func shown(_ line: String, _ fields: [String], _ body: String) -> String {
        ([line] + fields + ["User-Agent: apictl/0.1.0", "", body]).map { $0 + "\n" }.joined()
    }

    /// `fields` come before the client's own headers.
    private static func dry(
        _ id: String, _ words: [String], stdin: String? = nil, files: [String: String] = [:], _ line: String,
        _ fields: [String], _ body: String
    ) -> Row {
        Row(
            id, ["call"] + words + ["--dry-run"], stdin: stdin, files: files, out: shown(line, fields, body))
    }

    static let rows: [Row] = [
        Row(
            "a text that is the name of a file", "call echo.store --data @h.txt --dry-run", files: ["h.txt": "x"],
            out:
                "PUT http://127.0.0.1:9/store\nAccept: application/json\nContent-Type: text/plain\nUser-Agent: apictl/0.1.0\n\n@h.txt\n",
            err: "note: --data is the text '@h.txt'; to send the file as it is: --body @h.txt\n"),
        Row(
            "a text that only looks like it", "call echo.store --data @h.txt --dry-run",
            out:
                "PUT http://127.0.0.1:9/store\nAccept: application/json\nContent-Type: text/plain\nUser-Agent: apictl/0.1.0\n\n@h.txt\n"
        ),
        dry(
            "a text for JSON; the parameter need not be given", ["echo.note", "--body", #"{"a":1}"#],
            "POST http://127.0.0.1:9/note", ["Accept: application/json", "Content-Type: application/json"],
            #"{"a":1}"#),
        dry(
            "a multipart body's type has a boundary that is not in this one", ["echo.upload", "--body", "x"],
            "POST http://127.0.0.1:9/upload", ["Accept: application/json"], "x"),
        dry(
            "but a type that is given stays", ["echo.upload", "--body", "x", "-H", "Content-Type: multipart/mixed"],
            "POST http://127.0.0.1:9/upload", ["Content-Type: multipart/mixed", "Accept: application/json"], "x"),
        dry(
            "an empty body", ["echo.note", "--body", ""], "POST http://127.0.0.1:9/note",
            ["Accept: application/json", "Content-Type: application/json"], ""),
        dry(
            "parameters of other places are still needed and sent",
            ["echo.all", "w", "--name", "n", "--body", "[]"], "PUT http://127.0.0.1:9/all/w?name=n",
            ["Accept: application/json", "Content-Type: application/json"], "[]"),
        dry(
            "a file", ["echo.note", "--body", "@in/f"], "POST http://127.0.0.1:9/note",
            ["Accept: application/json", "Content-Type: application/json"], "(the content of in/f)"),
        dry(
            "a file whose name starts with a combining mark", ["echo.ping", "--body", "@\u{301}"],
            "POST http://127.0.0.1:9/ping", ["Accept: application/json"], "(the content of \u{301})"),
        dry(
            "stdin", ["echo.ping", "--body", "-"], stdin: "some\ntext", "POST http://127.0.0.1:9/ping",
            ["Accept: application/json"],
            "some\ntext"),
        wrong(["call", "echo.all", "w", "--body", "x"], "echo.all needs --name TEXT"),
        wrong(
            ["call", "echo.note", "--note.title", "t", "--body", "x"],
            "--body and --note.title can't be used together"),
        wrong(["call", "echo.ping", "--body", "@"], "--body (argument 3): expected a file name after '@'"),
    ]

    @Test(arguments: rows)
    func body(_ row: Row) async { await row.check() }

    @Test("stdin is read once", arguments: ["-", "@-"])
    func stdinTwice(_ word: String) async {
        let outcome = await run(["call", "movies.rate", "5", "--rating", "-", "--body", word, "--dry-run"])
        #expect(outcome.err.contains("would read stdin a second time"))
        #expect(outcome.code == 2)
        #expect(outcome.out == "")
    }

    /// An endless input of zeroes.
    private struct EndlessInput: ByteInput {
        var isTerminal: Bool { false }
        func read(until deadline: ContinuousClock.Instant?) throws -> [UInt8] { [UInt8](repeating: 0, count: 1 << 20) }
    }

    @Test("Too much input on stdin")
    func longStdin() async {
        let err = BufferOutput()
        let environment = ProcessEnvironment.test(err: err, stdin: EndlessInput())
        let code = await Apictl.run(["call", "echo.ping", "--body", "-"], apis: [Echo.self], environment: environment)
        #expect(code == 1)
        #expect(
            err.text
                == "apictl: can't read stdin: longer than 100.0 MB; put it into a file and use --body @FILE\n")
    }

    /// What a server gets of `call` with `words`.
    private func sent(_ words: [String], stdin: String = "") async throws -> ReceivedRequest {
        let server = try MockServer { _ in .json("{}") }
        let outcome = await run(
            ["call"] + words + ["--base-url", server.baseURL], stdin: stdin, files: DiskFileSystem(),
            transport: CurlTransport())
        #expect(outcome.code == 0)
        return try #require(server.received.first)
    }

    @Test("A file is sent from the disk, unchanged")
    func file() async throws {
        let directory = try TemporaryDirectory()
        let content = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let path = try directory.write("f", content)
        let request = try await sent(["echo.ping", "--body", "@\(path)"])
        #expect(request.method == "POST")
        #expect(request["Content-Length"] == "300000")
        #expect(request["Content-Type"] == nil)
        #expect(request.body.elementsEqual(content))
    }

    @Test("A GET with a body stays a GET, without a form's content type")
    func get() async throws {
        let request = try await sent(["echo.path", "w", "--body", "-"], stdin: "some text")
        #expect(request.method == "GET")
        #expect(request["Content-Type"] == nil)
        #expect(request["Transfer-Encoding"] == nil)
        #expect(request.bodyText == "some text")
    }

    @Test("An empty body is sent as an empty body", arguments: [["--body", ""], ["--body="]])
    func empty(_ words: [String]) async throws {
        let request = try await sent(["echo.store"] + words)
        #expect(request.method == "PUT")
        #expect(request["Content-Length"] == "0")
        #expect(request["Content-Type"] == "text/plain")
        #expect(request.body.isEmpty)
    }

    @Test("A missing file is reported before anything is sent")
    func noFile() async throws {
        let outcome = await run(["call", "echo.ping", "--body", "@/gone/f"], transport: CurlTransport())
        #expect(outcome.err.lowercased() == "apictl: echo.ping: can't read /gone/f: no such file or directory\n")
        #expect(outcome.code == 1)
    }
}
