import EndpointKit
import Foundation
import MockServer
import Testing

@testable import ApictlCLI

/// What is said of a download into a file that breaks off and is gone.
struct DownloadHintTests {
    private static let gone = "Nothing was kept. With -C a partial download is kept and resumed.\n"
    private static let again = "--retry 3 tries again.\n"

    private static func cut(_ kind: TransportError.Kind, _ message: String) -> StubAnswer {
        StubAnswer(body: "abc".exactBytes, failureInBody: TransportError(kind, message))
    }

    static let rows: [Row] = [
        Row(
            "cut", "call echo.path a -o f", answer: cut(.cutShort, "it broke"),
            err: "apictl: echo.path: it broke\n\(again)\(gone)", code: 6),
        Row(
            "silent", "call echo.path a -o f", answer: cut(.timedOut, "h was silent for 30 s (3 bytes received)"),
            err: """
                apictl: echo.path: h was silent for 30 s (3 bytes received)
                --max-time 0 waits as long as it takes.
                \(gone)
                """, code: 7),
        Row(
            "out of time", "call echo.path a -o f -m 5", answer: cut(.timedOut, "no complete answer"),
            err: "apictl: echo.path: no complete answer\n--max-time 10s allows longer.\n\(gone)", code: 7),
        Row(
            "stdout", "call echo.path a -o -", answer: cut(.cutShort, "it broke"), out: "abc",
            err: "apictl: echo.path: it broke\n", code: 6),
        Row(
            "no file", "call echo.path a", answer: StubAnswer.failing(.cutShort, "it broke"),
            err: "apictl: echo.path: it broke\n\(again)", code: 6),
        Row(
            "POST", "call echo.ping -o f", answer: cut(.cutShort, "it broke"), err: "apictl: echo.ping: it broke\n",
            code: 6),
        Row(
            "refused", "call echo.path a -o f", answer: .failing(.notConnected, "could not connect"),
            err:
                "apictl: echo.path: could not connect\nIs the server running? --base-url or --env chooses another.\n",
            code: 6),
        Row("quiet", "call echo.path a -o f -q", answer: cut(.cutShort, "it broke"), code: 6),
    ]

    @Test(arguments: rows)
    func hint(_ row: Row) async { await row.check() }

    @Test("The file stays as it was")
    func file() async {
        let files = MemoryFiles(["f": "old".exactBytes])
        let outcome = await run(
            ["call", "echo.path", "a", "-o", "f"], files: files,
            transport: StubTransport(Self.cut(.cutShort, "it broke")))
        #expect(outcome.code == 6)
        #expect(files["f"] == "old")
    }

    @Test("With -C what came is kept, and nobody is told otherwise")
    func continued() async throws {
        let folder = try TemporaryFolder()
        let server = try FileServer(FileServer.File(content: []))
        let cut = Answer.response(200, fields: [("Content-Length", "10"), ("ETag", "\"v0\"")])
            .then(.content(Array("abc".utf8)), .pause(.milliseconds(50)), .close)
        server.change { $0.script = [cut] }
        let outcome = await server.call(["-C", "-o", folder.path + "/f"])
        #expect(outcome.err.contains("closed the connection after 3 of 10 bytes\n"))
        #expect(outcome.err.contains(Self.again))
        #expect(!outcome.err.contains("Nothing of it is kept"))
        #expect(outcome.code == 6)
        #expect(FileManager.default.contents(atPath: folder.path + "/f.part") == Data("abc".utf8))
    }

    static let keys: [Row] = [
        Row(
            "a certificate without its key", "call echo.head -E a.pem", files: ["a.pem": ""],
            answer: .failing(.tls, "can't use the client certificate a.pem (no key)"),
            err: """
                apictl: echo.head: can't use the client certificate a.pem (no key)
                Where its key is not in there, name it with --key FILE.

                """, code: 6),
        Row(
            "a certificate with a key", "call echo.head -E a.pem --key a.key", files: ["a.pem": "", "a.key": ""],
            answer: .failing(.tls, "can't use the client certificate a.pem (no certificate)"),
            err: "apictl: echo.head: can't use the client certificate a.pem (no certificate)\n", code: 6),
    ]

    @Test("The client's certificate", arguments: keys)
    func key(_ row: Row) async { await row.check() }
}
