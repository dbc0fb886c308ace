import CurlTransport
import EndpointKit
import MockServer
import Synchronization
import TestSupport
import Testing

/// The events of a transfer, which tell what is sent and received.
@Suite struct EventTests {
    @Test func eventsHaveTheHeadsAsSentAndReceived() async throws {
        let server = try MockServer { _ in
            .raw("HTTP/1.1 103 Early Hints\r\nX-A: 1\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody")
        }
        let log = Log()
        let response = try await CurlTransport().fetch(
            try server.request(.post, "/a?b=c", body: RequestBody(bytes: [0x78])),
            options: TransferOptions { event in log.add(event) })
        #expect(response.body == Array("body".utf8))
        let heads = log.events.filter { if case .information = $0 { false } else { true } }
        #expect(
            heads == [
                .requestHead(try #require(server.received.first).head),
                .responseHead(Array("HTTP/1.1 103 Early Hints\r\nX-A: 1\r\n\r\n".utf8)),
                .responseHead(Array("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n".utf8)),
            ])
        #expect(log.lines.contains { $0.hasPrefix("Connected to 127.0.0.1") })
        #expect(log.lines.allSatisfy { $0.last?.isWhitespace == false && !$0.contains("\n") })
    }

    /// Collects events.
    final class Log: Sendable {
        private let all = Mutex<[TransferEvent]>([])

        func add(_ event: TransferEvent) { all.withLock { $0.append(event) } }

        var events: [TransferEvent] { all.withLock { $0 } }

        /// The lines of information from libcurl.
        var lines: [String] {
            events.compactMap { if case .information(let line) = $0 { line } else { nil } }
        }
    }
}
