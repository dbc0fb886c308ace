import EndpointKit
import Testing

@testable import ApictlCLI

/// Parsing of a server's and our own notes on a file, including hostile ones.
struct ResumePointTests {
    @Test(
        "Content-Range",
        arguments: [
            ("bytes 0-0/1", 0...0, 1), ("bytes 3-7/8", 3...7, 8), ("BYTES 3-7/*", 3...7, nil),
            ("bytes */8", nil, 8), ("bytes */0", nil, 0),
        ] as [(String, ClosedRange<Int>?, Int?)])
    func contentRange(_ text: String, _ range: ClosedRange<Int>?, _ total: Int?) throws {
        let read = try #require(ContentRange(text))
        #expect(read.range == range)
        #expect(read.total == total)
    }

    @Test(
        "No Content-Range",
        arguments: [
            "", "bytes", "bytes 1-2", "bytes */*", "bytes 2-1/8", "bytes 1-8/8", "bytes -1/8", "bytes 1-/8",
            "bytes 1/8",
            "bytes +1-2/8", "bytes 1-2/8/9", "bytes 1-2-3/8", "lines 1-2/8", "bytes 1-2/8 x",
            "bytes 0-99999999999999999999/*", "bytes 1-2/99999999999999999999", "bytes ١-٢/٨",
        ])
    func noContentRange(_ text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test("The note on a partial download is read back")
    func text() {
        let version = FileVersion(
            etag: #"W/"a:b""#, lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", date: "Sun, 06 Nov 1994 08:49:38 GMT",
            length: 8)
        #expect(
            version.text == """
                ETag: W/"a:b"
                Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT
                Date: Sun, 06 Nov 1994 08:49:38 GMT
                Content-Length: 8

                """)
        #expect(FileVersion(text: version.text) == version)
    }

    @Test(
        "What is broken is left out",
        arguments: [
            ("", nil), ("ETag: \"a\"", nil), ("ETag: \"a\"\nContent-Length: 1", FileVersion(etag: "\"a\"")),
            ("Content-Length: -1\n", nil), ("Content-Length: x\n", nil), ("ETag\n: x\nDate: x\n", nil),
            ("ETag: \"a\u{1B}\"\n", nil), ("ETag: \"a\"\r\n", nil),
            ("ETag:\"a\"\nETag: \"b\"\n", FileVersion(etag: "\"b\"")),
        ] as [(String, FileVersion?)])
    func brokenText(_ text: String, _ version: FileVersion?) {
        #expect(FileVersion(text: text) == version)
    }

    @Test("No URL and no secret is saved")
    func fields() {
        let head = ResponseHead(
            status: 200,
            fields: [
                .init("ETag", "\"a\""), .init("Content-Location", "/f?key=secret"), .init("Set-Cookie", "secret"),
                .init("Content-Length", "5"),
            ])
        #expect(FileVersion(head).text == "ETag: \"a\"\nContent-Length: 5\n")
    }

    @Test("The length of a compressed body is not the file's")
    func packed() {
        let head = ResponseHead(
            status: 200, fields: [.init("Content-Length", "5"), .init("Content-Encoding", "gzip")])
        #expect(FileVersion(head).length == nil)
        #expect(head.bodyLength == nil)
    }

    @Test(
        "Strong version tags",
        arguments: [("\"a\"", true), ("\"\"", true), ("W/\"a\"", false), ("a", false), ("\"", false), ("", false)])
    func strong(_ etag: String, _ isStrong: Bool) {
        #expect(FileVersion.isStrong(etag) == isStrong)
    }

    @Test("A 416 without a range is a failure unless the length is known")
    func unsatisfiable() throws {
        let head = ResponseHead(status: 416)
        var continuation = ResumePoint(path: "f.part", length: 8, version: nil, modified: 0)
        #expect(try continuation.action(for: head) == .failure)
        continuation.version = FileVersion(etag: "\"a\"", length: 9)
        #expect(try continuation.action(for: head) == .failure)
        continuation.version?.length = 8
        #expect(try continuation.action(for: head) == .complete(note: "f.part is complete"))
    }

    @Test("A 416 with another length than announced is not the end")
    func otherLength() throws {
        let head = ResponseHead(status: 416, fields: [.init("Content-Range", "bytes */8")])
        var continuation = ResumePoint(path: "f.part", length: 8, version: nil, modified: 0)
        #expect(try continuation.action(for: head) == .complete(note: "f.part is complete"))
        continuation.version = FileVersion(etag: "\"a\"", length: 20)
        #expect(throws: UnusableResponse.self) { try continuation.action(for: head) }
        continuation.version?.length = 8
        #expect(try continuation.action(for: head) == .complete(note: "f.part is complete"))
    }

    @Test("A response without a file is rejected", arguments: [201, 202, 204, 205, 207])
    func noFile(_ status: Int) {
        let continuation = ResumePoint(path: "f.part", length: 8, version: nil, modified: 0)
        #expect(throws: UnusableResponse.self) { try continuation.action(for: ResponseHead(status: status)) }
    }

    @Test(
        "An unrequested part",
        arguments: [
            (nil, "10", false, false), ("bytes 0-4/10", "5", false, false), ("bytes 0-9/10", "10", false, true),
            ("bytes 0-9/10", "5", false, false), ("bytes 0-9/10", nil, false, false),
            ("bytes 0-9/*", "10", false, false), ("bytes 1-9/10", "9", false, false), ("bytes 0-4/10", "5", true, true),
        ] as [(String?, String?, Bool, Bool)])
    func unaskedPart(_ range: String?, _ length: String?, _ isAsked: Bool, _ isTaken: Bool) throws {
        let request = Request(
            .get, try BaseURL("http://h"), path: "/", headers: isAsked ? [Header("range", "bytes=0-4")] : [])
        let fields = [("Content-Range", range), ("Content-Length", length)]
        let head = ResponseHead(
            status: 206, fields: fields.compactMap { name, value in value.map { ResponseHead.Field(name, $0) } })
        #expect(((try? ResumePoint.requireWhole(head, of: request)) != nil) == isTaken)
    }

    @Test("A complete file that has not changed is not downloaded again")
    func sameWhole() throws {
        let version = FileVersion(etag: "\"a\"", length: 8)
        let continuation = ResumePoint(path: "f.part", length: 8, version: version, modified: 0)
        let head = ResponseHead(status: 200, fields: [.init("ETag", "\"a\""), .init("Content-Length", "8")])
        #expect(try continuation.action(for: head) == .complete(note: "f.part is complete"))
    }

    @Test(
        "A whole of the same length is not fetched again only where it is older than what is there",
        arguments: [("37", true), ("38", true), ("39", false), (nil, false)])
    func foreignWhole(_ second: String?, _ isComplete: Bool) throws {
        let changed = second.map { "Sun, 06 Nov 1994 08:49:\($0) GMT" }
        let written = try #require(HTTPDate.parse("Sun, 06 Nov 1994 08:49:38 GMT"))
        let continuation = ResumePoint(path: "f", length: 8, version: nil, modified: written)
        let fields = [("Content-Length", "8")] + (changed.map { [("Last-Modified", $0)] } ?? [])
        let verdict = try continuation.action(
            for:
                ResponseHead(status: 200, fields: fields.map { ResponseHead.Field($0.0, $0.1) }))
        #expect((verdict == .complete(note: "f is complete")) == isComplete)
    }

    @Test("An unrequested 206 is rejected")
    func unasked() {
        let continuation = ResumePoint(path: "f.part", length: 0, version: nil, modified: 0)
        let head = ResponseHead(status: 206, fields: [.init("Content-Range", "bytes 0-7/8")])
        #expect(throws: UnusableResponse.self) { try continuation.action(for: head) }
    }
}
