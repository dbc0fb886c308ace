import EndpointKit
import MockServer
import Synchronization
import TestSupport
import Testing

@testable import CurlTransport

/// Compressed responses as servers send them.
@Suite(.serialized) struct DecompressionWireTests {
    private typealias Samples = CompressedSamples

    private static func compressed(_ coding: String, _ body: [UInt8], status: Int = 200) -> MockResponse {
        .response(status, fields: [("Content-Encoding", coding)], body: body)
    }

    private static func request(_ server: MockServer, _ method: HTTPMethod = .get) throws -> Request {
        Request(method, try BaseURL(server.baseURL), path: "/")
    }

    struct Case: Row {
        let id: String
        let answer: MockResponse
        var method = HTTPMethod.get
        var received = Samples.text
        /// Whether the body ends with an error.
        var isDamaged = false
    }

    private static let chunks: MockResponse = {
        let steps = Samples.brotli.map { MockResponse.Step.bytes(Array("1\r\n".utf8) + [$0] + Array("\r\n".utf8)) }
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nTransfer-Encoding: chunked\r\n\r\n"
        return MockResponse(steps: [.bytes(Array(head.utf8))] + steps + [.bytes(Array("0\r\n\r\n".utf8))])
    }()

    static let cases = [
        Case(id: "gzip", answer: compressed("gzip", Samples.gzip)),
        Case(id: "br", answer: compressed("br", Samples.brotli)),
        Case(id: "two codings", answer: compressed("deflate, gzip", Samples.gzippedZlib)),
        Case(id: "br in chunks of a byte", answer: chunks),
        Case(id: "nothing", answer: compressed("gzip", []), received: []),
        Case(
            id: "HEAD", answer: .raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 52\r\n\r\n"),
            method: .head, received: []),
        Case(
            id: "204", answer: .raw("HTTP/1.1 204 No Content\r\nContent-Encoding: gzip\r\n\r\n"), received: []),
        Case(id: "deflate", answer: compressed("deflate", Samples.zlib)),
        Case(id: "deflate without zlib's format", answer: compressed("deflate", Samples.rawDeflate)),
        Case(id: "zstd", answer: compressed("zstd", Samples.zstd)),
        Case(id: "an old name in any case", answer: compressed("X-GZip", Samples.gzip)),
        Case(id: "none", answer: compressed("none", Samples.text)),
        Case(id: "identity", answer: compressed("Identity", Samples.text)),
        Case(id: "no name", answer: compressed(" ", Samples.text)),
        Case(id: "gzip and identity", answer: compressed("gzip, identity", Samples.gzip)),
        Case(id: "no gzip", answer: compressed("gzip", Samples.text), received: [], isDamaged: true),
        Case(id: "gzip and a byte", answer: compressed("gzip", Samples.gzip + [0]), isDamaged: true),
        Case(id: "an unknown coding", answer: compressed("gzip, rot13", Samples.gzip), received: [], isDamaged: true),
    ]

    @Test(arguments: cases) func compressedBodiesAreDecompressedOrRefused(_ row: Case) async throws {
        let server = try MockServer { _ in row.answer }
        let body = try await CurlTransport().send(Self.request(server, row.method), options: TransferOptions()).body
        var received: [UInt8] = []
        var failure: TransportError?
        do {
            for try await piece in body { received += piece }
        } catch {
            failure = error as? TransportError
        }
        #expect(received == row.received)
        #expect(failure?.cause == (row.isDamaged ? .contentCoding : nil), "\(String(describing: failure))")
        if row.isDamaged {
            #expect(failure?.message.hasPrefix("the response of 127.0.0.1 can't be decompressed (") == true)
        }
    }

    /// A request with an `Accept-Encoding` of its own wants the bytes as they are sent.
    @Test(arguments: ["identity", "gzip"]) func aBodyStaysCompressedIfTheRequestNamesItsCoding(_ coding: String)
        async throws
    {
        let server = try MockServer { _ in Self.compressed("gzip", Samples.gzip) }
        var request = try Self.request(server)
        request.headers.append(HTTPField("Accept-Encoding", coding))
        #expect(try await CurlTransport().fetch(request).body == Samples.gzip)
        #expect(server.received.first?["Accept-Encoding"] == coding)
    }

    @Test func requestsWhatLibcurlDecompresses() async throws {
        let server = try MockServer { _ in .response(200) }
        _ = try await CurlTransport().fetch(Self.request(server))
        #expect(server.received.first?["Accept-Encoding"]?.contains("gzip") == true)
    }

    /// Returns a server with 13 GB in 400 kB, and the request for them.
    ///
    /// libcurl decompresses a gigabyte of them at once. The server answers any other request with one byte.
    private static func bomb() throws -> (MockServer, Request) {
        let bytes = Samples.zstdBomb(blocks: 100_000)
        let server = try MockServer(recording: false) { request in
            request.path == "/bomb" ? compressed("zstd", bytes) : .response(200, body: [1])
        }
        return (server, Request(.get, try BaseURL(server.baseURL), path: "/bomb"))
    }

    /// libcurl does not hold it all. Others are served meanwhile.
    @Test func aBombEndsWithAnError() async throws {
        let (server, bomb) = try Self.bomb()
        let transport = CurlTransport()
        let body = try await transport.send(bomb, options: TransferOptions()).body
        async let end: (any Error)? = {
            do {
                for try await _ in body {}
                return nil
            } catch {
                return error
            }
        }()
        for _ in 0..<10 { #expect(try await transport.fetch(Self.request(server)).body == [1]) }
        #expect((await end as? TransportError)?.cause == .contentCoding)
    }

    @Test func aReaderThatGoesAwayEndsABomb() async throws {
        let bytes = try gzip([UInt8](repeating: 0, count: 100_000_000))
        let server = try MockServer(recording: false) { request in
            request.path == "/bomb" ? Self.compressed("gzip", bytes) : .response(200, body: [1])
        }
        let bomb = Request(.get, try BaseURL(server.baseURL), path: "/bomb")
        let transport = CurlTransport()
        var count = 0
        for try await piece in try await transport.send(bomb, options: TransferOptions()).body {
            count += piece.count
            if count > 1 << 20 { break }
        }
        #expect(try await transport.fetch(Self.request(server)).body == [1])
    }

    /// The server is not read to its end, which never comes.
    @Test func aBrokenBodyEndsTheConnection() async throws {
        let hasEnded = Atomic(false)
        let server = try RawServer { connection in
            _ = RawServer.receiveHead(connection)
            RawServer.send(connection, "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nno gzip")
            let block = String(repeating: "x", count: 65_536)
            while RawServer.send(connection, block) {}
            hasEnded.store(true, ordering: .sequentiallyConsistent)
        }
        let request = Request(.get, try BaseURL("http://127.0.0.1:\(server.port)"), path: "/")
        let error = await CurlTransport().failure(request) as? TransportError
        #expect(error?.cause == .contentCoding)
        #expect(try await eventually { hasEnded.load(ordering: .sequentiallyConsistent) })
    }

    /// No piece is lost or comes twice, whoever takes it.
    @Test func severalReadersShareABody() async throws {
        let compressed = try gzip([UInt8](repeating: UInt8(ascii: "a"), count: 10_000_000))
        let server = try MockServer { _ in Self.compressed("gzip", compressed) }
        let body = try await CurlTransport().send(Self.request(server), options: TransferOptions()).body
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    var count = 0
                    for try await piece in body { count += piece.count }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(count == 10_000_000)
    }
}
