import EndpointKit
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

    @Test func sentBytesAreReported() async throws {
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

    @Test func receivedBytesAreReported() async throws {
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
