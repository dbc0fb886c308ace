import CurlTransport
import EndpointKit
import Foundation
import MockServer
import Synchronization
import Testing

@testable import ApictlCLI

/// `-C -o FILE` over real sockets and on a real disk: what is requested, kept and printed.
struct CallDownloadTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The directory's content before.
        var files: [String: String] = [:]
        var words: [String] = []
        var terminal = false
        /// The server's responses, one per request.
        var responses: [MockResponse] = []
        /// `Range` and `If-Range` of each request.
        var asked: [String] = []
        /// The directory's content afterwards; nil is the content before.
        var left: [String: String]?
        /// Stderr without the directory, stdout being empty.
        var err = ""
        var code: Int32 = 0
    }

    private static let digits = "0123456789"
    private static let tag = [("ETag", "\"v0\"")]
    /// The first ten bytes of a file, and the note of its version.
    private static let kept = ["f.part": digits, "f.part.entity": "\"v0\"\n"]
    private static let rest = ["bytes=10- \"v0\""]
    private static let retry = ["--retry", "2", "--retry-delay", "1ms", "-q"]

    /// Bytes of a file that repeats the digits, `cut` after so many of them.
    private static func body(
        _ range: Range<Int>, _ fields: [(String, String)] = tag, status: Int = 200, cut: Int? = nil
    ) -> MockResponse {
        let bytes = range.map { Array(digits.utf8)[$0 % 10] }
        let head = MockResponse.response(status, fields: fields + [("Content-Length", "\(bytes.count)")])
        guard let cut else { return head.then(.content(bytes)) }
        // A pause, so that earlier bytes are not lost with the connection.
        return head.then(.content(Array(bytes.prefix(cut))), .pause(.milliseconds(50)), .close)
    }

    private static func part(
        _ range: Range<Int>, of total: String = "20", _ fields: [(String, String)] = tag, cut: Int? = nil
    ) -> MockResponse {
        let content = ("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)")
        return body(range, fields + [content], status: 206, cut: cut)
    }

    private static let cutShort = "apictl: echo.path: 127.0.0.1 closed the connection after 10 of 20 bytes\n"
    private static let resume = "10 B kept in f.part; run the same command to resume.\n"
    private static let tryAgain = "To try again: --retry 3\n"

    static let downloads: [Case] = [
        Case(
            testDescription: "A new download asks for the bytes after the existing file", files: ["f": "old"],
            responses: [body(0..<20)],
            asked: ["bytes=3- -"], left: ["f": digits + digits]),
        Case(
            testDescription: "A complete file is not fetched again", files: ["f": digits],
            responses: [.response(416, fields: [("Content-Range", "bytes */10")])], asked: ["bytes=10- -"],
            err: "f is complete\n"),
        Case(
            testDescription: "A file of another length is fetched again", files: ["f": "old"],
            responses: [part(3..<20), body(0..<20)], asked: ["bytes=3- -", "- -"], left: ["f": digits + digits]),
        Case(
            testDescription: "A file that is longer than the server's is fetched again", files: ["f": digits],
            responses: [.response(416, fields: [("Content-Range", "bytes */4")]), body(0..<4)],
            asked: ["bytes=10- -", "- -"], left: ["f": "0123"]),
        Case(
            testDescription: "A terminal shows how much was saved", terminal: true, responses: [body(0..<20)],
            asked: ["- -"], left: ["f": digits + digits], err: "note: 20 B saved in f\n"),
        Case(
            testDescription: "A download that is cut is kept, and FILE stays", files: ["f": "old"],
            responses: [body(0..<20, cut: 10)], asked: ["bytes=3- -"],
            left: ["f": "old", "f.part": digits, "f.part.entity": "\"v0\"\n20\n"], err: cutShort + resume + tryAgain,
            code: 6),
        Case(
            testDescription: "The same command resumes it", files: kept, responses: [part(10..<20)], asked: rest,
            left: ["f": digits + digits], err: "resuming at 10 B of 20 B\n"),
        Case(
            testDescription: "A part of another version starts over", files: kept,
            responses: [part(10..<20, [("ETag", "\"v1\"")]), body(5..<20, [("ETag", "\"v1\"")])],
            asked: rest + ["- -"], left: ["f": "56789" + digits],
            err: "the file has changed on the server; starting over\n"),
        Case(
            testDescription: "A retry resumes where the last attempt ended", words: retry,
            responses: [body(0..<30, cut: 10), part(10..<30, of: "30", cut: 10), part(20..<30, of: "30")],
            asked: ["- -", "bytes=10- \"v0\"", "bytes=20- \"v0\""], left: ["f": digits + digits + digits]),
        Case(
            testDescription: "A changed file is downloaded from the start", files: kept,
            responses: [body(5..<20, [("ETag", "\"v1\"")])], asked: rest, left: ["f": "56789" + digits],
            err: startingOver),
        Case(
            testDescription: "A complete FILE.part becomes FILE", files: kept,
            responses: [.response(416, fields: [("Content-Range", "bytes */10")])], asked: rest, left: ["f": digits],
            err: "f.part is complete\n"),
        Case(
            testDescription: "Nothing is kept without a strong tag",
            responses: [body(0..<20, [("ETag", "W/\"v0\"")], cut: 10)],
            asked: ["- -"], left: [:], err: cutShort + tryAgain, code: 6),
    ]

    /// Texts in FILE.part.entity that identify no version.
    static let noVersions: [Case] =
        ["", "W/\"v0\"\n", "v0\n", "\"v\u{1B}0\"\n", "\"v0\""].map { text in
            Case(
                testDescription: "FILE.part with the note \(text) is somebody else's",
                files: ["f.part": digits, "f.part.entity": text],
                // An empty note is nobody's.
                left: text.isEmpty ? ["f.part": digits] : nil,
                err: "apictl: can't write f.part: it is no download of this tool; move it away to download anew\n",
                code: 1)
        } + [
            Case(
                testDescription: "FILE.part of a server without versions starts anew",
                files: ["f.part": digits, "f.part.entity": "\n20\n"], responses: [body(0..<20)], asked: ["- -"],
                left: ["f": digits + digits], err: startingOver)
        ]

    private static let startingOver = "the server sent the whole file; starting over\n"
    private static let other = "another part of the file than what is missing"

    /// Responses that are not of the rest of the file: none of them is kept.
    static let refused: [Case] = [
        (other, part(0..<20)), (other, body(10..<20, status: 206)), (other, part(10..<20, of: "*")),
        ("more bytes than its Content-Range announced", part(10..<20, of: "19")),
        (other, part(10..<20, [])),
        (
            "status 416 for a file of another length",
            .response(416, fields: [("Content-Range", "bytes */9")])
        ), ("status 416 for a file of another length", .response(416)),
    ].map { message, response in
        Case(
            testDescription: message, files: kept, responses: [response], asked: rest,
            err: (message.hasPrefix("more") ? "resuming at 10 B of 19 B\n" : "")
                + "apictl: echo.path: the server sent \(message); remove f.part to start over\n", code: 8)
    }

    /// Responses that contradict the length which the server has announced before.
    static let shorter: [Case] = [
        (
            "status 416 for a file of another length",
            MockResponse.response(416, fields: [("Content-Range", "bytes */10")])
        ),
        ("a part of a file of another length", part(10..<15, of: "15")), ("no content (204)", .response(204)),
    ].map { message, response in
        Case(
            testDescription: message + " as announced", files: ["f.part": digits, "f.part.entity": "\"v0\"\n20\n"],
            responses: [response], asked: rest,
            err: "apictl: echo.path: the server sent \(message); remove f.part to start over\n", code: 8)
    }

    static let failures: [Case] = [
        Case(
            testDescription: "A part that was not requested is refused", responses: [part(0..<10)], asked: ["- -"],
            err: "apictl: echo.path: the server sent a part (206) instead of the whole\n", code: 8),
        Case(
            testDescription: "A compressed response is refused", files: kept,
            responses: [part(10..<20, tag + [("Content-Encoding", "gzip")])],
            asked: rest,
            err: "apictl: echo.path: the response is compressed (gzip) although it was requested uncompressed; "
                + "leave out --continue\n", code: 8),
        Case(
            testDescription: "A whole file that is longer than --max-bytes is not kept", files: kept,
            words: ["--max-bytes", "20"],
            responses: [body(0..<50)], asked: rest, left: [:],
            err: startingOver
                + "apictl: echo.path: the response is longer than 20 B\nTo read more: a larger --max-bytes\n",
            code: 8),
        Case(
            testDescription: "Of a file of which no byte came, nothing is kept", files: kept, words: ["-q"],
            responses: [body(0..<20, cut: 0)], asked: rest, left: [:], code: 6),
        Case(
            testDescription: "After a 404, the kept bytes stay", files: kept, responses: [.text("gone", status: 404)],
            asked: rest,
            err: "gone\napictl: echo.path: 404 Not Found\n", code: 4),
        Case(
            testDescription: "If the connection breaks before the first byte, nothing is kept", words: ["-q"],
            responses: [MockResponse(steps: [.reset])],
            asked: ["- -"], code: 6),
    ]

    static let conflicts: [Case] = [
        (["--any-status"], "--any-status"), (["-H", "range: bytes=0-1"], "the header Range"),
        (["-H", "If-Range: x"], "the header If-Range"),
    ].map { words, what in
        Case(
            testDescription: what, words: words,
            err: "apictl: --continue and \(what) can't be used together\nSee 'apictl help echo.path'.\n", code: 2
        )
    }

    @Test(
        "-C -o FILE keeps, resumes and refuses downloads",
        arguments: downloads + noVersions + refused + shorter + failures + conflicts)
    func call(_ row: Case) async throws {
        let directory = try TemporaryDirectory()
        for (name, text) in row.files { _ = try directory.write(name, text.utf8) }
        let responses = Mutex(row.responses[...])
        let server = try MockServer { _ in
            responses.withLock { $0.popFirst() } ?? .text("one request too many", status: 404)
        }
        let words = ["call", "echo.path", "a", "--base-url", server.baseURL, "-C", "-o", directory.path + "/f"]
        var outcome = await run(
            words + row.words, variables: ["TERM": "dumb"], files: DiskFileSystem(), transport: CurlTransport(),
            terminal: row.terminal ? .stderr : [])
        outcome.err = outcome.err.replacingOccurrences(of: directory.path + "/", with: "")
        #expect(outcome == Outcome(err: row.err, code: row.code))
        let asked = server.received.map { "\($0["Range"] ?? "-") \($0["If-Range"] ?? "-")" }
        #expect(asked == row.asked)
        #expect(server.received.allSatisfy { $0["Accept-Encoding"] == "identity" })
        #expect(try directory.contents() == row.left ?? row.files)
    }

    @Test("Without -C, a part that was not requested is refused")
    func unrequestedPart() async {
        let response = StubResponse(head: ResponseHead(status: 206), body: Array(Self.digits.utf8))
        let error = Self.digits + "\napictl: echo.path: the server sent a part (206) instead of the whole\n"
        for (words, expected) in [
            ([], Outcome(err: error, code: 8)), (["-H", "Range: bytes=0-9"], Outcome(out: Self.digits)),
        ] {
            let outcome = await run(["call", "echo.path", "a"] + words, transport: StubTransport(response))
            #expect(outcome == expected)
        }
    }
}

/// FILE.part on a real disk, where others may have put something else.
struct PartialFileTests {
    private let directory: TemporaryDirectory
    private let files = DiskFileSystem()
    private var path: String { directory.path + "/f" }

    init() throws { directory = try TemporaryDirectory() }

    @Test("Two runs don't write the same file, and an empty one is not kept")
    func locked() throws {
        let first = try files.resume(path)
        try first.begin(validator: nil)
        #expect(try directory.contents() == ["f.part": "", "f.part.entity": "\n\n"])
        #expect(throws: FileError(.write, path + ".part", reason: "another run is writing it")) {
            try files.resume(path)
        }
        first.discard()
        try files.resume(path).discard()
        #expect(try directory.contents() == [:])
    }

    @Test("A link or a pipe in the place of a file is neither followed nor waited for", arguments: [true, false])
    func strangers(_ isPipe: Bool) throws {
        let target = try directory.write("target", "\"v0\"\n".utf8)
        let reason = isPipe ? "it is not a regular file" : "too many levels of symbolic links"
        func place(_ suffix: String) throws {
            if isPipe { return #expect(mkfifo(path + suffix, 0o600) == 0) }
            try FileManager.default.createSymbolicLink(atPath: path + suffix, withDestinationPath: target)
        }
        for suffix in [".part.entity", ".part"] {
            try place(suffix)
            #expect(throws: FileError(.write, path + suffix, reason: reason)) { try files.resume(path) }
            unlink(path + suffix)
        }
        #expect(FileManager.default.contents(atPath: target) == Data("\"v0\"\n".utf8))
    }

    @Test("Only a regular file that can be written is resumed")
    func refused() throws {
        let irregular = "only a regular file can be continued"
        let rows = [
            (directory.path, irregular), ("/dev/null", irregular), ("/dev/fd/1", irregular),
            (directory.path + "/gone/f", "no such file or directory"), (path, "permission denied"),
        ]
        _ = try directory.write("f", "old".utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        for (path, reason) in rows {
            #expect { try files.resume(path) } throws: { ($0 as? FileError)?.reason == reason }
        }
    }
}
