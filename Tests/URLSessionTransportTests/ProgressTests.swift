import EndpointKit
import Foundation
import MockServer
import Synchronization
import TestSupport
import Testing
import URLSessionTransport

/// Progress of uploads and downloads, and forms with parts in memory, over real sockets.
struct ProgressTests {
    enum Album: API {
        case add(name: String)
        case picture

        static let api = APIInfo(name: "album", servers: [])
        static let examples: [Album] = []

        var endpoint: Endpoint {
            switch self {
            case .add(let name):
                .post(
                    "/pictures",
                    body: .multipart([
                        .field("name", name),
                        .bytes(
                            "picture", [UInt8](repeating: 7, count: 2_000_000), filename: "a.png",
                            contentType: "image/png"),
                    ]), returns: EmptyResponse.self, summary: "Adds a picture")
            case .picture: .get("/picture", returns: RawResponse.self, summary: "A picture")
            }
        }
    }

    private static func client(_ server: MockServer) throws -> Client {
        var client = Client(transport: URLSessionTransport())
        client.options.base = try BaseURL(server.baseURL)
        return client
    }

    @Test("The bytes that are sent are reported up to the length of the body")
    func sentBytesAreReported() async throws {
        let server = try MockServer { _ in .response(204) }
        let reports = Mutex<[[Int64]]>([])
        var client = try Self.client(server)
        client.transfer.onSent = { count, total in reports.withLock { $0.append([count, total]) } }
        try await client.send(Album.add(name: "cat"))
        let received = try #require(server.received.first)
        let length = Int64(received.body.count)
        #expect(length > 2_000_000)
        #expect(received.body.count { $0 == 7 } == 2_000_000)
        let last = reports.withLock { $0.last }
        #expect(last == [length, length])
    }

    private struct Broken: Error {}

    /// Returns a stream of 300,000 bytes in three chunks, which can be read several times.
    private static func stream(isBroken: Bool = false) -> BodyStream {
        BodyStream {
            AsyncThrowingStream<[UInt8], any Error> { sink in
                for _ in 0..<3 { sink.yield([UInt8](repeating: 9, count: 100_000)) }
                sink.finish(throwing: isBroken ? Broken() : nil)
            }
        }
    }

    @Test("Streams between bytes are sent with the length of the whole body, also a second time")
    func streamsAreSentWithTheirLength() async throws {
        let server = try MockServer { _ in .response(204) }
        let body = RequestBody([.bytes([1]), .stream(Self.stream()), .bytes([2]), .stream(Self.stream())])
        let request = Request(.put, try BaseURL(server.baseURL), path: "/", body: body)
        for _ in 0..<2 {
            let response = try await URLSessionTransport().send(request, options: TransferOptions())
            #expect(response.head.status == 204)
        }
        let content = [UInt8](repeating: 9, count: 300_000)
        #expect(server.received.map(\.body) == [[1] + content + [2] + content, [1] + content + [2] + content])
        #expect(server.received.allSatisfy { $0["Content-Length"] == "600002" })
    }

    @Test("A stream that can be read only once is an error in the second attempt")
    func aStreamThatCanBeReadOnceIsNotSentEmptyInTheSecondAttempt() async throws {
        let server = try MockServer { _ in .response(204) }
        let once = AsyncStream<[UInt8]> { sink in
            sink.yield([9, 9, 9])
            sink.finish()
        }
        let body = RequestBody([.stream(BodyStream { once })])
        let request = Request(.put, try BaseURL(server.baseURL), path: "/", body: body)
        _ = try await URLSessionTransport().send(request, options: TransferOptions())
        let error = await #expect(throws: TransportError.self) {
            try await URLSessionTransport().send(request, options: TransferOptions())
        }
        #expect(error?.cause == .invalidRequest)
        #expect(server.received.map(\.body) == [[9, 9, 9]])
    }

    @Test("A file that is the whole body is sent with its length, also through a link")
    func aSingleFileIsSentWithItsLength() async throws {
        let server = try MockServer { _ in .response(204) }
        let content = [UInt8](repeating: 9, count: 300_000)
        let directory = FileManager.default.temporaryDirectory.appending(path: "upload-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "a.bin").path
        let link = directory.appending(path: "link").path
        try Data(content).write(to: URL(fileURLWithPath: file))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
        for path in [file, link] {
            let body = RequestBody([.file(path: path)])
            let request = Request(.put, try BaseURL(server.baseURL), path: "/", body: body)
            _ = try await URLSessionTransport().send(request, options: TransferOptions())
        }
        #expect(server.received.map(\.body) == [content, content])
        #expect(server.received.allSatisfy { $0["Content-Length"] == "300000" })
        #expect(FileManager.default.fileExists(atPath: file))
    }

    @Test("The error about a file that does not exist names the file")
    func aFileThatDoesNotExistIsNamed() async throws {
        let body = RequestBody([.file(path: "/nowhere/a")])
        let request = Request(.put, try BaseURL("http://127.0.0.1:1"), path: "/", body: body)
        let error = await #expect(throws: TransportError.self) {
            try await URLSessionTransport().send(request, options: TransferOptions())
        }
        #expect(error?.cause == .unreadableBody(path: "/nowhere/a"))
    }

    @Test("The error of a stream is thrown, and nothing is sent")
    func theErrorOfAStreamIsThrownAndNothingIsSent() async throws {
        let server = try MockServer { _ in .response(204) }
        let body = RequestBody([.stream(Self.stream(isBroken: true))])
        let request = Request(.put, try BaseURL(server.baseURL), path: "/", body: body)
        await #expect(throws: Broken.self) {
            try await URLSessionTransport().send(request, options: TransferOptions())
        }
        #expect(server.received.isEmpty)
    }

    @Test("The bytes that are received are reported up to the length of the body")
    func receivedBytesAreReported() async throws {
        let picture = [UInt8](repeating: 7, count: 300_000)
        let server = try MockServer { _ in .response(200, body: picture) }
        let reports = Mutex<[[Int64?]]>([])
        var client = try Self.client(server)
        client.transfer.onReceived = { count, total in reports.withLock { $0.append([count, total]) } }
        let raw: RawResponse = try await client.send(Album.picture)
        #expect(raw.bytes == picture)
        #expect(reports.withLock(\.last) == [300_000, 300_000])
    }
}
