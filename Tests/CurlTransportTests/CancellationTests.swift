import CurlTransport
import EndpointKit
import MockServer
import TestSupport
import Testing

/// Transfers that nobody wants any more.
@Suite struct CancellationTests {
    @Test(arguments: ["/head", "/body"]) func aCancelledTaskEndsAtOnceAndSoDoesItsConnection(_ path: String)
        async throws
    {
        let server = try MockServer { request in
            switch request.path {
            case "/head": MockResponse(steps: [.hang])
            case "/body": MockResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc").then(.hang)
            default: .response(200)
            }
        }
        let transport = CurlTransport()
        let task = Task { try await transport.fetch(try server.request(.get, path)) }
        #expect(try await eventually { server.received.count == 1 })
        try await Task.sleep(for: .milliseconds(50))
        let clock = ContinuousClock()
        let start = clock.now
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.now - start < .seconds(60))
        // The connection is not left to the next request.
        _ = try await transport.fetch(try server.request())
        #expect(server.connectionCount == 2)
    }

    @Test func aTaskThatIsCancelledAlreadySendsNothing() async throws {
        let server = try MockServer { _ in .response(200) }
        let transport = CurlTransport()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await transport.fetch(try server.request())
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        _ = try await transport.fetch(try server.request(.get, "/next"))
        #expect(server.received.map(\.target) == ["/next"])
    }

    @Test func cancellingOneOfManyLeavesTheOthers() async throws {
        let server = try MockServer { request in
            request.path == "/hang" ? MockResponse(steps: [.hang]) : .response(200, body: [1])
        }
        let transport = CurlTransport()
        let hanging = (0..<10).map { _ in Task { try await transport.fetch(try server.request(.get, "/hang")) } }
        #expect(try await eventually { server.received.count == 10 })
        for task in hanging { task.cancel() }
        #expect(try await transport.fetch(try server.request()).body == [1])
        for task in hanging { await #expect(throws: CancellationError.self) { try await task.value } }
    }

    /// Cancels at every moment of a transfer's life: nothing may crash, hang or be left behind.
    @Test func cancellingAtAnyMomentLeavesNothingBehind() async throws {
        let server = try MockServer { _ in .repeating([UInt8](repeating: 1, count: 1000), count: 1000) }
        let transport = CurlTransport()
        var outcomes = (complete: 0, cancelled: 0)
        for step in 0..<100 {
            let task = Task { try await transport.fetch(try server.request()) }
            try await Task.sleep(for: .microseconds(step * 30))
            task.cancel()
            do {
                #expect(try await task.value.body.count == 1_000_000)
                outcomes.complete += 1
            } catch is CancellationError {
                outcomes.cancelled += 1
            }
        }
        #expect(outcomes.complete + outcomes.cancelled == 100)
        #expect(outcomes.cancelled > 0)
        #expect(try await transport.fetch(try server.request()).body.count == 1_000_000)
    }

    @Test func lettingGoOfABodyStopsItsTransfer() async throws {
        let server = try MockServer { _ in
            MockResponse.raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc").then(.hang)
        }
        let transport = CurlTransport()
        _ = try await transport.send(try server.request(), options: TransferOptions())
        let before = try #require(openDescriptors())
        #expect(try await eventually { (openDescriptors() ?? .max) < before })
    }
}
