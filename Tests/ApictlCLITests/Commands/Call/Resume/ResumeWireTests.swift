import CurlTransport
import EndpointKit
import Foundation
import MockServer
import Testing

@testable import ApictlCLI

/// `-C -o FILE` over real sockets and on a real disk: what is kept, requested and printed.
struct ResumeWireTests {
    private static let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    private static let changed = content.map { ~$0 }
    private static let cut = 70_000

    private let directory: TemporaryDirectory
    private let server: FileServer

    init() throws {
        directory = try TemporaryDirectory()
        server = try FileServer(FileServer.File(content: Self.content))
    }

    private var file: String { directory.path + "/f" }
    private var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []).sorted()
    }
    private func bytes(_ name: String) -> [UInt8]? {
        FileManager.default.contents(atPath: "\(directory.path)/\(name)").map { Array($0) }
    }
    /// Not an expectation of its own: a message with all the bytes helps nobody.
    private func holds(_ name: String, _ bytes: some Sequence<UInt8>) -> Bool {
        self.bytes(name).map { $0.elementsEqual(bytes) } ?? false
    }
    private func run(_ words: String...) async -> Outcome { await server.call(["-C", "-o", file] + words) }

    /// A first run that is cut in the middle.
    private func begin() async {
        server.change { $0.cut = Self.cut }
        _ = await run()
        server.change { $0.cut = nil }
    }

    @Test("A new download is a plain request, and is not decompressed")
    func fresh() async {
        #expect(await run() == Outcome())
        #expect(holds("f", Self.content))
        #expect(names == ["f"])
        #expect(server.asked == ["- - identity"])
    }

    @Test("A download that is cut in the middle is kept, and the same command resumes it")
    func goesOn() async {
        server.change { $0.cut = Self.cut }
        let first = await run()
        #expect(
            first.err == """
                apictl: echo.path: 127.0.0.1 closed the connection after 70000 of 200000 bytes
                70.0 kB kept in \(file).part; run the same command to resume.
                To try again: --retry 3

                """)
        #expect(first.code == 6)
        #expect(names == ["f.part", "f.part.entity"])
        #expect(holds("f.part", Self.content.prefix(Self.cut)))
        #expect(bytes("f.part.entity") == Array("ETag: \"v1\"\nContent-Length: 200000\n".utf8))
        server.change { $0.cut = nil }
        #expect(await run() == Outcome())
        #expect(holds("f", Self.content))
        #expect(names == ["f"])
        #expect(server.asked == ["- - identity", "bytes=70000- \"v1\" identity"])
    }

    @Test("An existing FILE stays until the new one is complete")
    func old() async throws {
        _ = try directory.write("f.part", [])
        _ = try directory.write("f", "old".utf8)
        await begin()
        #expect(bytes("f") == Array("old".utf8))
        #expect(await run() == Outcome())
        #expect(holds("f", Self.content))
        #expect(names == ["f"])
    }

    @Test("A retry resumes where the previous attempt broke off")
    func retry() async throws {
        server.change { $0.cut = Self.cut }
        let download = ResumedDownload(
            file: try DiskFileSystem().resume(file), notes: nil, maxBytes: nil)
        let client = Client(
            transport: CurlTransport(), retry: RetryPolicy(count: 5, delay: .milliseconds(1)))
        let code = try await download.run(
            Request(.get, try BaseURL(server.baseURL), path: "/"), client,
            save: { response, _ in for try await piece in response.body { try download.file.write(piece) } },
            fail: { ExitCode(status: $0.head.status) })
        try download.file.commit()
        #expect(code == .success)
        #expect(holds("f", Self.content))
        #expect(
            server.asked == [
                "- - identity", "bytes=70000- \"v1\" identity", "bytes=140000- \"v1\" identity",
            ])
    }

    @Test("A changed file is downloaded from the start")
    func hasChanged() async {
        await begin()
        server.change { file in
            file.content = Self.changed
            file.etag = #""v2""#
        }
        #expect(await run() == Outcome(err: "the file has changed on the server; starting over\n"))
        #expect(holds("f", Self.changed))
        #expect(names == ["f"])
    }

    @Test("A server without range support is asked for the whole file")
    func noRanges() async {
        await begin()
        server.change { $0.hasRanges = false }
        #expect(await run() == Outcome(err: "the server does not support partial downloads; starting over\n"))
        #expect(holds("f", Self.content))
    }

    @Test(
        "Without an entity tag the date is the condition, where nothing can have changed within the same second",
        arguments: [("38", true), ("37", false)])
    func date(_ second: String, _ isCondition: Bool) async {
        let changed = "Sun, 06 Nov 1994 08:49:37 GMT"
        server.change { file in
            file.etag = nil
            file.lastModified = changed
            file.fields = [("Date", "Sun, 06 Nov 1994 08:49:\(second) GMT")]
        }
        await begin()
        #expect(await run() == Outcome())
        #expect(server.asked == ["- - identity", "bytes=70000- \(isCondition ? changed : "-") identity"])
        #expect(holds("f", Self.content))
    }

    @Test("A weak entity tag is not used as a condition, but it is compared")
    func weak() async {
        server.change { $0.etag = #"W/"v1""# }
        await begin()
        #expect(await run() == Outcome())
        #expect(server.asked.last == "bytes=70000- - identity")
        #expect(holds("f", Self.content))
    }

    @Test("A weak entity tag that differs means another file")
    func weakChanged() async {
        server.change { $0.etag = #"W/"v1""# }
        await begin()
        server.change { file in
            file.etag = #"W/"v2""#
            file.content = Self.changed
        }
        #expect(await run() == Outcome(err: "the file has changed on the server; starting over\n"))
        #expect(holds("f", Self.changed))
        #expect(Array(server.asked.dropFirst()) == ["bytes=70000- - identity", "- - identity"])
    }

    @Test("A complete FILE.part is moved to FILE without a download")
    func allThere() async throws {
        _ = try directory.write("f.part", Self.content)
        _ = try directory.write("f.part.entity", "ETag: \"v1\"\n".utf8)
        #expect(await run() == Outcome(err: "\(file).part is complete\n"))
        #expect(holds("f", Self.content))
        #expect(names == ["f"])
    }

    struct Unusable: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let response: MockResponse
        let message: String

        init(_ id: String, _ status: Int, _ fields: [(String, String)], body: String = "12345", _ message: String) {
            testDescription = id
            response = .response(status, fields: fields, body: Array(body.utf8))
            self.message = message
        }
    }

    static let unusable: [Unusable] = [
        Unusable(
            "another start", 206, [("Content-Range", "bytes 0-4/5"), ("ETag", "\"v1\"")],
            "a part from byte 0, not from byte 3 as requested"),
        Unusable("no range", 206, [("ETag", "\"v1\"")], "a 206 without a valid Content-Range"),
        Unusable(
            "an invalid range", 206, [("Content-Range", "bytes 3-2/5"), ("ETag", "\"v1\"")],
            "a 206 without a valid Content-Range"),
        Unusable(
            "another tag", 206, [("Content-Range", "bytes 3-7/8"), ("ETag", "\"v2\"")],
            "part of a different version of the file"),
        Unusable("no tag", 206, [("Content-Range", "bytes 3-7/8")], "part of a different version of the file"),
        Unusable(
            "another length", 206, [("Content-Range", "bytes 3-7/9"), ("ETag", "\"v1\"")],
            "part of a different version of the file"),
        Unusable(
            "compressed", 206, [("Content-Range", "bytes 3-7/8"), ("ETag", "\"v1\""), ("Content-Encoding", "gzip")],
            "a compressed part (gzip)"),
        Unusable(
            "several parts", 206, [("Content-Type", "multipart/byteranges; boundary=x"), ("ETag", "\"v1\"")],
            "a multipart/byteranges response"),
        Unusable(
            "beyond the announced end", 206, [("Content-Range", "bytes 3-8/*"), ("ETag", "\"v1\"")],
            body: "123456", "a part beyond the end of the file"),
        Unusable(
            "shorter", 416, [("Content-Range", "bytes */2")], "status 416 for a file of 2 bytes, but 3 bytes are saved"),
    ]

    @Test("A response that does not fit is rejected, and none of it is kept", arguments: unusable)
    func rejects(_ row: Unusable) async throws {
        _ = try directory.write("f.part", "abc".utf8)
        _ = try directory.write("f.part.entity", "ETag: \"v1\"\nContent-Length: 8\n".utf8)
        server.change { $0.response = row.response }
        let outcome = await run()
        #expect(
            outcome
                == Outcome(
                    err: "apictl: echo.path: the server sent \(row.message); remove \(file).part to start over\n",
                    code: 8))
        #expect(bytes("f.part") == Array("abc".utf8))
    }

    @Test("A server that sends less than requested is asked again")
    func smallParts() async {
        await begin()
        server.change { $0.partSize = 50_000 }
        #expect(await run() == Outcome())
        #expect(holds("f", Self.content))
        #expect(server.received.count == 4)
    }

    @Test("A FILE that another tool started is resumed")
    func foreign() async throws {
        _ = try directory.write("f", Self.content.prefix(Self.cut))
        #expect(
            await run()
                == Outcome(
                    err: "the server does not say whether the file has changed since \(file) was written; resuming\n"))
        #expect(holds("f", Self.content))
        #expect(names == ["f"])
        #expect(server.asked == ["bytes=70000- - identity"])
    }

    @Test("A FILE that another tool started is only extended if it is cut again")
    func foreignCut() async throws {
        _ = try directory.write("f", Self.content.prefix(Self.cut))
        server.change { $0.cut = Self.cut }
        let outcome = await run("-q")
        #expect(outcome == Outcome(code: 6))
        #expect(holds("f", Self.content.prefix(2 * Self.cut)))
        #expect(names == ["f"])
    }

    @Test("A FILE older than the server's counts as a different file")
    func foreignOld() async throws {
        _ = try directory.write("f", "old".utf8)
        server.change { $0.lastModified = "Fri, 01 Jan 2100 00:00:00 GMT" }
        server.change { $0.cut = Self.cut }
        let first = await run()
        #expect(first.err.hasPrefix("the file has changed on the server; starting over\n"))
        #expect(first.code == 6)
        #expect(bytes("f") == Array("old".utf8))
        server.change { $0.cut = nil }
        #expect(await run() == Outcome())
        #expect(holds("f", Self.content))
        #expect(names == ["f"])
    }

    @Test("A FILE newer than the server's is resumed without a note")
    func foreignNew() async throws {
        _ = try directory.write("f", Self.content.prefix(Self.cut))
        server.change { $0.lastModified = "Sun, 06 Nov 1994 08:49:37 GMT" }
        #expect(await run() == Outcome())
        #expect(holds("f", Self.content))
    }

    @Test("A FILE that is complete is left alone")
    func complete() async throws {
        _ = try directory.write("f", Self.content)
        #expect(await run() == Outcome(err: "\(file) is complete\n"))
        #expect(holds("f", Self.content))
        #expect(names == ["f"])
    }

    @Test("A failure status fails, and keeps the partial file")
    func failure() async {
        await begin()
        server.change { $0.response = .text("gone", status: 404) }
        let outcome = await run()
        #expect(outcome == Outcome(err: "gone\napictl: echo.path: 404 Not Found\n", code: 4))
        #expect(names == ["f.part", "f.part.entity"])
        server.change { $0.response = .text("busy", status: 503) }
        #expect(
            await run().err == """
                busy
                apictl: echo.path: 503 Service Unavailable
                70.0 kB kept in \(file).part; run the same command to resume.

                """)
    }

    @Test("A failure before the first byte leaves no file")
    func nothing() async {
        server.change { $0.response = .text("gone", status: 404) }
        #expect(await run().code == 4)
        #expect(names == [])
        server.change { $0.response = MockResponse(steps: [.reset]) }
        #expect(await run().code == 6)
        #expect(names == [])
    }

    @Test("A response that is compressed anyway is rejected")
    func packed() async {
        server.change { $0.fields = [("Content-Encoding", "gzip")] }
        let outcome = await run()
        #expect(
            outcome.err
                == "apictl: echo.path: the response is compressed (gzip) although it was requested uncompressed; leave out --continue\n"
        )
        #expect(outcome.code == 8)
        #expect(names == [])
    }

    @Test("The request is shown with its range, and no file is changed")
    func dryRun() async throws {
        _ = try directory.write("f.part", "abc".utf8)
        _ = try directory.write("f.part.entity", "ETag: \"v1\"\n".utf8)
        let outcome = await run("--dry-run")
        #expect(outcome.out.hasSuffix("Accept-Encoding: identity\nRange: bytes=3-\nIf-Range: \"v1\"\n"))
        #expect(server.received.isEmpty)
        #expect(names == ["f.part", "f.part.entity"])
    }

    @Test(
        "What it does not go with",
        arguments: [
            (["--any-status"], "--continue and --any-status can't be used together"),
            (["-H", "range: bytes=0-1"], "--continue and the header Range can't be used together"),
            (["-H", "If-Range: x"], "--continue and the header If-Range can't be used together"),
        ])
    func conflicts(_ words: [String], _ message: String) async {
        let outcome = await server.call(["-C", "-o", file] + words)
        #expect(outcome.err.hasPrefix("apictl: \(message)\n"))
        #expect(outcome.code == 2)
        #expect(server.received.isEmpty)
    }

    @Test("Only a GET can be resumed")
    func method() async {
        let outcome = await ApictlCLITests.run(["call", "echo.ping", "-C", "-o", "f"])
        #expect(outcome.err.hasPrefix("apictl: --continue and the method POST can't be used together\n"))
        #expect(outcome.code == 2)
    }
}
