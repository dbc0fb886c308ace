import EndpointKit
import Foundation
import MockServer
import Testing

@testable import ApictlCLI

/// The hint after a download that broke off and was not kept.
struct DownloadHintTests {
    private static let gone = "Nothing was kept. With -C a partial download is kept and resumed.\n"
    private static let again = "To try again: --retry 3\n"

    private static func cut(_ cause: TransportError.Cause) -> StubResponse {
        StubResponse(body: "abc".exactBytes, failureInBody: TransportError(cause, receivedBytes: 3))
    }

    static let rows: [Row] = [
        Row(
            "cut", "call echo.path a -o f", response: cut(.cutShort(.noResponse)),
            err: "apictl: echo.path: the server closed the connection without a response\n\(again)\(gone)", code: 6),
        Row(
            "silent", "call echo.path a -o f", response: cut(.timedOut(.idle(.seconds(30)))),
            err: """
                apictl: echo.path: the server was silent for 30 s (3 bytes received)
                To wait as long as it takes: --max-time 0
                \(gone)
                """, code: 7),
        Row(
            "out of time", "call echo.path a -o f -m 5", response: cut(.timedOut(.whole(nil))),
            err:
                "apictl: echo.path: no complete response from the server in time (3 bytes received)\nTo wait longer: --max-time 10s\n\(gone)",
            code: 7),
        Row(
            "stdout", "call echo.path a -o -", response: cut(.cutShort(.noResponse)), out: "abc",
            err: "apictl: echo.path: the server closed the connection without a response\n", code: 6),
        Row(
            "no file", "call echo.path a", response: StubResponse.failing(.cutShort(.noResponse)),
            err: "apictl: echo.path: the server closed the connection without a response\n\(again)", code: 6),
        Row(
            "POST", "call echo.ping -o f", response: cut(.cutShort(.noResponse)),
            err: "apictl: echo.ping: the server closed the connection without a response\n",
            code: 6),
        Row(
            "refused", "call echo.path a -o f", response: .failing(.notConnected),
            err:
                "apictl: echo.path: could not connect to the server\nIs the server running? --base-url or --env sets another.\n",
            code: 6),
        Row("quiet", "call echo.path a -o f -q", response: cut(.cutShort(.noResponse)), code: 6),
    ]

    @Test(arguments: rows)
    func hint(_ row: Row) async { await row.check() }

    @Test("The file stays unchanged")
    func file() async {
        let files = MemoryFiles(["f": "old".exactBytes])
        let outcome = await run(
            ["call", "echo.path", "a", "-o", "f"], files: files,
            transport: StubTransport(Self.cut(.cutShort(.noResponse))))
        #expect(outcome.code == 6)
        #expect(files["f"] == "old")
    }

    @Test("With -C the partial download is kept, and no hint says otherwise")
    func continued() async throws {
        let directory = try TemporaryDirectory()
        let server = try FileServer(FileServer.File(content: []))
        let cut = MockResponse.response(200, fields: [("Content-Length", "10"), ("ETag", "\"v0\"")])
            .then(.content(Array("abc".utf8)), .pause(.milliseconds(50)), .close)
        server.change { $0.script = [cut] }
        let outcome = await server.call(["-C", "-o", directory.path + "/f"])
        #expect(outcome.err.contains("closed the connection after 3 of 10 bytes\n"))
        #expect(outcome.err.contains(Self.again))
        #expect(!outcome.err.contains("Nothing of it is kept"))
        #expect(outcome.code == 6)
        #expect(FileManager.default.contents(atPath: directory.path + "/f.part") == Data("abc".utf8))
    }

    static let keys: [Row] = [
        Row(
            "a certificate without its key", "call echo.head -E a.pem", files: ["a.pem": ""],
            response: StubResponse(
                failure: TransportError(
                    .credentialFile(.clientCertificate, path: "a.pem"), phase: .handshaking, detail: "no key")),
            err: """
                apictl: echo.head: can't use the client certificate a.pem (no key)
                If its key is in another file: --key FILE

                """, code: 6),
        Row(
            "a certificate with a key", "call echo.head -E a.pem --key a.key", files: ["a.pem": "", "a.key": ""],
            response: StubResponse(
                failure: TransportError(
                    .credentialFile(.clientCertificate, path: "a.pem"), phase: .handshaking, detail: "no certificate")),
            err: "apictl: echo.head: can't use the client certificate a.pem (no certificate)\n", code: 6),
    ]

    @Test("The client's certificate", arguments: keys)
    func key(_ row: Row) async { await row.check() }
}
