import CurlTransport
import EndpointKit
import MockServer
import Synchronization
import TestSupport
import Testing

/// How long a transfer took, as it is told.
@Suite struct TransferTimesTests {
    private final class Log: Sendable {
        private let all = Mutex<[TransferTimes]>([])

        var times: [TransferTimes] { all.withLock { $0 } }

        func options(maxTime: Duration = .seconds(60)) -> TransferOptions {
            var options = TransferOptions(maxTime: maxTime)
            options.onTimes = { times in self.all.withLock { $0.append(times) } }
            return options
        }
    }

    private static func sum(_ times: TransferTimes) -> Duration {
        times.nameLookup + times.connect + (times.tls ?? .zero) + times.firstByte + times.content
    }

    @Test func phasesOfAResponseAddUpToTheTotal() async throws {
        let server = try MockServer { _ in
            MockResponse(steps: [
                .pause(.milliseconds(200)), .bytes(Array("HTTP/1.1 201 Created\r\nContent-Length: 6\r\n\r\nabc".utf8)),
                .pause(.milliseconds(300)), .bytes(Array("def".utf8)),
            ])
        }
        let log = Log()
        let transport = CurlTransport()
        for count in 1...2 {
            _ = try await transport.fetch(try server.request(), options: log.options())
            // They are there before the end is.
            #expect(log.times.count == count)
        }
        let times = log.times
        #expect(times.map(\.status) == [201, 201])
        #expect(times.map(\.receivedBytes) == [6, 6])
        #expect(times.map(\.reusedConnection) == [false, true])
        #expect(times.allSatisfy { "http://\($0.remoteIP):\($0.remotePort)" == server.baseURL })
        #expect(times.map(\.tls) == [nil, nil])
        #expect(times.map(Self.sum) == times.map(\.total))
        for time in times {
            #expect(time.firstByte >= .milliseconds(50))
            #expect(time.content >= .milliseconds(50))
        }
    }

    @Test func receivedBytesAreThoseBeforeDecompression() async throws {
        let packed = try gzip([UInt8](repeating: UInt8(ascii: "a"), count: 258_001))
        let server = try MockServer { _ in .response(200, fields: [("Content-Encoding", "gzip")], body: packed) }
        let log = Log()
        let request = Request(.get, try BaseURL(server.baseURL), path: "/")
        #expect(try await CurlTransport().fetch(request, options: log.options()).body.count == 258_001)
        #expect(log.times.map(\.receivedBytes) == [Int64(packed.count)])
    }

    @Test func aTransferThatIsCutOffHasTimes() async throws {
        let server = try MockServer { _ in .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc").then(.close) }
        let log = Log()
        _ = await CurlTransport().failure(try server.request(), options: log.options())
        #expect(log.times.map(\.status) == [200])
        #expect(log.times.map(\.receivedBytes) == [3])
        #expect(log.times.map(Self.sum) == log.times.map(\.total))
    }

    @Test func aRefusedConnectionHasTimes() async throws {
        let port = try RefusingPort()
        let request = Request(.get, try BaseURL("http://127.0.0.1:\(port.port)"), path: "/")
        let log = Log()
        _ = await CurlTransport().failure(request, options: log.options())
        withExtendedLifetime(port) {}
        let times = try #require(log.times.first)
        #expect(log.times.count == 1)
        #expect(times.status == nil)
        #expect(times.firstByte == .zero)
        #expect(times.content == .zero)
        #expect(Self.sum(times) == times.total)
    }

    @Test func timeThatRunsOutIsSpentWhereItWasWaitedFor() async throws {
        let silent = try SilentListener()
        let request = Request(.get, try BaseURL("https://127.0.0.1:\(silent.port)"), path: "/")
        let log = Log()
        var options = log.options(maxTime: .milliseconds(200))
        options.connection.verifiesCertificate = false
        _ = await CurlTransport().failure(request, options: options)
        let times = try #require(log.times.first)
        // libcurl does not tell whether it waited for the connection or for TLS.
        #expect(times.connect + (times.tls ?? .zero) >= .milliseconds(150))
        #expect(times.firstByte == .zero)
    }

    @Test func aCancelledTransferHasNoTimes() async throws {
        let server = try MockServer { request in
            request.path == "/hang" ? MockResponse(steps: [.hang]) : .response(200)
        }
        let log = Log()
        let transport = CurlTransport()
        let task = Task { try await transport.fetch(try server.request(.get, "/hang"), options: log.options()) }
        #expect(try await eventually { server.received.count == 1 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        // One thread handles all transfers, so it has ended the cancelled one when this one is complete.
        _ = try await transport.fetch(try server.request())
        #expect(log.times.isEmpty)
    }
}
