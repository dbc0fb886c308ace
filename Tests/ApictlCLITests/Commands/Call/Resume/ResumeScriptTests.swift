import EndpointKit
import Foundation
import MockServer
import Testing

@testable import ApictlCLI

/// `-C -o FILE` against servers that send a script of responses.
struct ResumeScriptTests {
    struct Script: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The directory's content before.
        var files: [String: String] = [:]
        var words: [String] = []
        let responses: [MockResponse]
        /// `Range` and `If-Range` of each request.
        let asked: [String]
        /// The directory's content afterwards.
        let left: [String: String]
        /// The last line that begins with the tool's name.
        var failure: String?
        var code: Int32 = 0
    }

    private static let digits = "0123456789"

    /// A part of the file of digits, `cut` behind so many bytes of it.
    private static func part(_ range: Range<Int>, _ total: String, _ etag: String? = nil, cut: Int? = nil)
        -> MockResponse
    {
        var fields = [("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(total)")]
        if let etag { fields.append(("ETag", "\"\(etag)\"")) }
        return body(206, fields, range, cut)
    }

    private static func body(_ status: Int, _ fields: [(String, String)], _ range: Range<Int>, _ cut: Int?)
        -> MockResponse
    {
        let bytes = range.map { Array(digits.utf8)[$0 % 10] }
        let head = MockResponse.response(status, fields: fields + [("Content-Length", "\(bytes.count)")])
        guard let cut else { return head.then(.content(bytes)) }
        return head.then(.content(Array(bytes.prefix(cut))), .pause(.milliseconds(50)), .close)
    }

    /// The whole file without its length, cut after five bytes.
    private static let openStart = MockResponse.response(
        200, fields: [("Transfer-Encoding", "chunked"), ("ETag", "\"v0\"")]
    )
    .then(.content(Array("5\r\n01234\r\n".utf8)), .pause(.milliseconds(50)), .close)

    private static let retry = ["--retry", "1", "--retry-delay", "1ms"]
    private static let misfit = "apictl: echo.path: the server sent part of a different version of the file; remove "

    static let otherStates: [Script] = [
        Script(
            testDescription: "of FILE itself, behind a cut", files: ["f": digits], words: retry,
            responses: [part(10..<30, "30", "v0", cut: 10), part(20..<30, "30", "v1")],
            asked: ["bytes=10- -", "bytes=20- \"v0\""], left: ["f": digits + digits],
            failure: misfit + "f to start over (2 attempts)", code: 8),
        Script(
            testDescription: "of FILE itself, behind a short part", files: ["f": digits],
            responses: [part(10..<20, "30", "v0"), part(20..<30, "30", "v1")],
            asked: ["bytes=10- -", "bytes=20- \"v0\""], left: ["f": digits + digits],
            failure: misfit + "f to start over", code: 8),
        Script(
            testDescription: "of FILE.part without a note", files: ["f.part": digits],
            responses: [part(10..<20, "30", "v0"), part(20..<30, "30", "v1")],
            asked: ["bytes=10- -", "bytes=20- \"v0\""],
            left: ["f.part": digits + digits, "f.part.entity": "ETag: \"v0\"\nContent-Length: 30\n"],
            failure: misfit + "f.part to start over", code: 8),
        Script(
            testDescription: "of FILE.part with a note of its length alone",
            files: ["f.part": digits, "f.part.entity": "Content-Length: 30\n"],
            responses: [part(10..<20, "30", "v0"), part(20..<30, "30", "v1")],
            asked: ["bytes=10- -", "bytes=20- \"v0\""],
            left: ["f.part": digits + digits, "f.part.entity": "ETag: \"v0\"\nContent-Length: 30\n"],
            failure: misfit + "f.part to start over", code: 8),
        Script(
            testDescription: "of which no byte came", files: ["f": digits], words: retry,
            responses: [part(10..<20, "20", "v0", cut: 0), part(10..<20, "20", "v1")],
            asked: ["bytes=10- -", "bytes=10- -"], left: ["f": digits + digits]),
        Script(
            testDescription: "the same one all along", files: ["f": digits],
            responses: [part(10..<20, "30", "v0"), part(20..<30, "30", "v0")],
            asked: ["bytes=10- -", "bytes=20- \"v0\""], left: ["f": digits + digits + digits]),
    ]

    static let wholes: [Script] = [
        Script(
            testDescription: "longer than allowed", files: ["f.part": digits, "f.part.entity": "ETag: \"v0\"\n"],
            words: ["--max-bytes", "20"], responses: [body(200, [("ETag", "\"v0\"")], 0..<50, nil)],
            asked: ["bytes=10- \"v0\""], left: ["f.part": digits, "f.part.entity": "ETag: \"v0\"\n"],
            failure: "apictl: echo.path: the response is longer than the 20 bytes of --max-bytes; "
                + "to read more: --max-bytes 1G", code: 8),
        Script(
            testDescription: "longer than allowed without saying so",
            files: ["f.part": digits, "f.part.entity": "ETag: \"v0\"\n"], words: ["--max-bytes", "0"],
            responses: [.chunked([Array("0".utf8)], fields: [("ETag", "\"v0\"")])],
            asked: ["bytes=10- \"v0\""], left: ["f.part": digits, "f.part.entity": "ETag: \"v0\"\n"],
            failure: "apictl: echo.path: the response is longer than the 0 bytes of --max-bytes; "
                + "to read more: --max-bytes 1G", code: 8),
        Script(
            testDescription: "of which no byte came", files: ["f.part": digits, "f.part.entity": "ETag: \"v0\"\n"],
            responses: [body(200, [("ETag", "\"v0\"")], 0..<50, 0)],
            asked: ["bytes=10- \"v0\""], left: ["f.part": digits, "f.part.entity": "ETag: \"v0\"\n"],
            failure: "apictl: echo.path: 127.0.0.1 closed the connection after 0 of 50 bytes", code: 6),
        Script(
            testDescription: "that is empty", files: ["f.part": digits, "f.part.entity": "ETag: \"v0\"\n"],
            responses: [.response(200, fields: [("ETag", "\"v1\"")])],
            asked: ["bytes=10- \"v0\""], left: ["f": ""]),
    ]

    static let unknownTotals: [Script] = [
        Script(
            testDescription: "a 416 tells it", words: retry,
            responses: [
                openStart, part(5..<15, "*", "v0"), part(15..<20, "*", "v0"),
                .response(416, fields: [("Content-Range", "bytes */20")]),
            ],
            asked: ["- -", "bytes=5- \"v0\"", "bytes=15- \"v0\"", "bytes=20- \"v0\""], left: ["f": digits + digits]),
        Script(
            testDescription: "a 416 without a number", words: retry,
            responses: [openStart, part(5..<15, "*", "v0"), .response(416)],
            asked: ["- -", "bytes=5- \"v0\"", "bytes=15- \"v0\""], left: ["f": digits + "01234"]),
        Script(
            testDescription: "the last part tells it", words: retry,
            responses: [openStart, part(5..<15, "*", "v0"), part(15..<20, "20", "v0")],
            asked: ["- -", "bytes=5- \"v0\"", "bytes=15- \"v0\""], left: ["f": digits + digits]),
        Script(
            testDescription: "a 416 that tells another one", words: retry,
            responses: [
                openStart, part(5..<15, "*", "v0"), .response(416, fields: [("Content-Range", "bytes */14")]),
            ],
            asked: ["- -", "bytes=5- \"v0\"", "bytes=15- \"v0\""],
            left: ["f.part": digits + "01234", "f.part.entity": "ETag: \"v0\"\n"],
            failure: "apictl: echo.path: the server sent status 416 for a file of 14 bytes, but 15 bytes are saved; "
                + "remove f.part to start over (2 attempts)", code: 8),
        Script(
            testDescription: "a 416 without a number behind a part that was cut",
            files: ["f.part": "01234", "f.part.entity": "ETag: \"v0\"\n"], words: retry,
            responses: [part(5..<10, "*", "v0"), part(10..<20, "*", "v0", cut: 5), .response(416)],
            asked: ["bytes=5- \"v0\"", "bytes=10- \"v0\"", "bytes=15- \"v0\""],
            left: ["f.part": digits + "01234", "f.part.entity": "ETag: \"v0\"\n"],
            failure: "apictl: echo.path: 416 Range Not Satisfiable (2 attempts)", code: 4),
    ]

    @Test("Two versions of the file are never mixed", arguments: otherStates)
    func otherState(_ script: Script) async throws { try await check(script) }

    @Test("A partial file is only replaced once a whole response has started", arguments: wholes)
    func whole(_ script: Script) async throws { try await check(script) }

    @Test("Without a known length, the file ends where a 416 says so", arguments: unknownTotals)
    func unknownTotal(_ script: Script) async throws { try await check(script) }

    private func check(_ script: Script) async throws {
        let directory = try TemporaryDirectory()
        for (name, text) in script.files { _ = try directory.write(name, text.utf8) }
        let server = try FileServer(FileServer.File(content: []))
        server.change { $0.script = script.responses + [.text("one request too many", status: 404)] }
        let outcome = await server.call(["-C", "-o", directory.path + "/f"] + script.words)
        let lines: [String] = outcome.err.split(separator: "\n").map(String.init)
        let failures: [String] = lines.filter { $0.hasPrefix("apictl: ") && !$0.contains("trying again") }
        let failure: String? = failures.last?.replacingOccurrences(of: directory.path + "/", with: "")
        #expect(failure == script.failure)
        #expect(outcome.code == script.code)
        #expect(server.asked == script.asked.map { $0 + " identity" })
        var left: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory.path) {
            let bytes = FileManager.default.contents(atPath: "\(directory.path)/\(name)") ?? Data()
            left[name] = String(decoding: bytes, as: UTF8.self)
        }
        #expect(left == script.left)
    }
}
