import CurlTransport
import EndpointKit
import MockServer
import Synchronization

@testable import ApictlCLI

/// A server with one file, which can change, with or without support for ranges (RFC 9110, section 14).
final class FileServer: Sendable {
    struct File: Sendable {
        var content: [UInt8]
        var etag: String? = #""v1""#
        var lastModified: String?
        /// Whether `Range` is known.
        var hasRanges = true
        /// The connection is reset after that many bytes of the body.
        var cut: Int?
        /// The longest chunk that is returned.
        var partSize = Int.max
        /// Additional headers of every response.
        var fields: [(String, String)] = []
        /// A response to send instead of the file.
        var response: MockResponse?
        /// The next responses, one per request, instead of the file.
        var script: [MockResponse] = []
    }

    /// What the connection's threads and the test both hold.
    private final class Shelf: Sendable {
        let file: Mutex<File>
        init(_ file: File) { self.file = Mutex(file) }
    }

    private let shelf: Shelf
    private let server: MockServer

    init(_ file: File) throws {
        let shelf = Shelf(file)
        self.shelf = shelf
        server = try MockServer { request in
            shelf.file.withLock { file in
                file.script.isEmpty ? FileServer.response(request, file) : file.script.removeFirst()
            }
        }
    }

    func change(_ change: (inout File) -> Void) { shelf.file.withLock { change(&$0) } }

    var baseURL: String { server.baseURL }
    var received: [ReceivedRequest] { server.received }

    /// `Range`, `If-Range` and `Accept-Encoding` of each request so far; `-` for a missing one.
    var asked: [String] {
        received.map { request in
            ["Range", "If-Range", "Accept-Encoding"].map { request[$0] ?? "-" }.joined(separator: " ")
        }
    }

    private static func response(_ request: ReceivedRequest, _ file: File) -> MockResponse {
        if let response = file.response { return response }
        var fields = file.fields
        if let etag = file.etag { fields.append(("ETag", etag)) }
        if let lastModified = file.lastModified { fields.append(("Last-Modified", lastModified)) }
        let condition = request["If-Range"]
        let holds = condition == nil || condition == file.etag || condition == file.lastModified
        guard file.hasRanges, holds, let range = request["Range"], let start = Int(range.dropFirst(6).dropLast()) else {
            return cutting(.response(200, fields: fields, body: file.content), file)
        }
        guard start < file.content.count else {
            return .response(416, fields: [("Content-Range", "bytes */\(file.content.count)")])
        }
        let end = start + min(file.partSize, file.content.count - start)
        fields.append(("Content-Range", "bytes \(start)-\(end - 1)/\(file.content.count)"))
        return cutting(.response(206, fields: fields, body: Array(file.content[start..<end])), file)
    }

    private static func cutting(_ response: MockResponse, _ file: File) -> MockResponse {
        guard let cut = file.cut else { return response }
        var steps = response.steps
        guard case .content(let body)? = steps.popLast() else { return response }
        // A pause, so that earlier bytes are not lost with the connection.
        return MockResponse(steps: steps + [.content(Array(body.prefix(cut))), .pause(.milliseconds(50)), .close])
    }

    /// `call echo.path a` followed by `words`, over a socket and on a real disk.
    func call(_ words: [String], stderrIsTerminal: Bool = false) async -> Outcome {
        let (out, err) = (BufferOutput(), BufferOutput(isTerminal: stderrIsTerminal))
        let environment = ProcessEnvironment(
            stdout: out, stderr: err, stdin: UntouchedInput(), variable: { _ in nil }, files: DiskFileSystem(),
            transport: CurlTransport())
        let code = await Apictl.run(
            ["call", "echo.path", "a", "--base-url", baseURL] + words, apis: [Echo.self], environment: environment)
        return Outcome(out: String(exactBytes: out.bytes), err: String(exactBytes: err.bytes), code: code)
    }
}
