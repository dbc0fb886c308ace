import CurlTransport
import EndpointKit
import MockServer
import Synchronization
import Testing

/// A body is received only as fast as it is read, so that memory never holds all of it.
@Suite(.serialized) struct BackPressureTests {
    /// The server sends a gigabyte. A slow reader takes a megabyte and releases the body.
    @Test func aSlowReaderSlowsTheServerDown() async throws {
        let sent = Mutex(0)
        let server = try RawServer { connection in
            _ = RawServer.receiveHead(connection)
            let block = String(repeating: "x", count: 65_536)
            RawServer.send(connection, "HTTP/1.1 200 OK\r\nContent-Length: \(16_384 * block.utf8.count)\r\n\r\n")
            while RawServer.send(connection, block) { sent.withLock { $0 += block.utf8.count } }
        }
        let transport = CurlTransport()
        let request = Request(.get, try BaseURL("http://127.0.0.1:\(server.port)"), path: "/")
        var body: ResponseBody? = try await transport.send(request, options: TransferOptions()).body
        var pieces = body?.makeAsyncIterator()
        var taken = 0
        while taken < 1 << 20, let piece = try await pieces?.next() {
            taken += piece.count
            try await Task.sleep(for: .milliseconds(50))
        }
        // The limit covers the bytes that wait in the transport and in the system's buffers for both ends.
        #expect(sent.withLock { $0 } < 64 << 20)
        pieces = nil
        body = nil
        // The transport is free for others, and the connection is gone: the server notices, and takes the next.
        _ = try await transport.send(request, options: TransferOptions())
    }

    @Test func everyByteArrivesInOrder() async throws {
        let block = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let server = try MockServer { _ in .repeating(block, count: 16) }
        let body = try await CurlTransport().send(try server.request(), options: TransferOptions()).body
        var position = 0
        var isSame = true
        for try await piece in body {
            for byte in piece {
                isSame = isSame && byte == block[position & (block.count - 1)]
                position += 1
            }
            if position < 4 << 20 { try await Task.sleep(for: .milliseconds(5)) }
        }
        #expect(isSame)
        #expect(position == 16 << 20)
    }

    /// The body of 60 MB is 60 kB in gzip's format. It is read slowly, so that the transfer often has to wait.
    @Test func aCompressedBodyIsDecompressedAsItIsRead() async throws {
        let compressed = try gzip([UInt8](repeating: UInt8(ascii: "a"), count: 60_000_000))
        #expect(compressed.count < 100_000)
        let server = try MockServer(recording: false) { _ in
            .response(200, fields: [("Content-Encoding", "gzip")], body: compressed)
        }
        let request = Request(.get, try BaseURL(server.baseURL), path: "/")
        var count = 0
        for try await piece in try await CurlTransport().send(request, options: TransferOptions()).body {
            #expect(piece.first == UInt8(ascii: "a"))
            count += piece.count
            if count < 5 << 20 { try await Task.sleep(for: .milliseconds(5)) }
        }
        #expect(count == 60_000_000)
    }

    @Test func othersGoOnWhileOneWaits() async throws {
        let server = try MockServer { request in
            request.path == "/large"
                ? .repeating([UInt8](repeating: 7, count: 65_536), count: 1024) : .response(200, body: [1])
        }
        let transport = CurlTransport()
        let large = try await transport.send(try server.request(.get, "/large"), options: TransferOptions()).body
        try await Task.sleep(for: .milliseconds(50))
        for _ in 0..<20 { #expect(try await transport.fetch(try server.request()).body == [1]) }
        #expect(try await large.collect().count == 64 << 20)
    }
}
