import MockServer
import Synchronization
import TestSupport
import Testing

@Suite struct StopTests {
    @Test func `Stopping the server ends connections that hang, pause, send or wait`() throws {
        let server = try MockServer { request in
            switch request.path {
            case "/hang": MockResponse(steps: [.bytes([0x61]), .hang])
            case "/pause": MockResponse(steps: [.bytes([0x61]), .pause(.seconds(600))])
            default: MockResponse(steps: [.repeating([UInt8](repeating: 0x61, count: 1 << 20), count: 1 << 20)])
            }
        }
        let clients = try ["/hang", "/pause", "/flood"].map { path in
            let client = try server.sending("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(client.read(1) == "a")
            return client
        }
        let idle = try RawClient(port: server.port)
        let clock = ContinuousClock()
        let start = clock.now
        server.stop()
        server.stop()
        #expect(clock.now - start < .seconds(60))
        for client in clients + [idle] { #expect(client.end() != .nothing) }
        #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
    }

    @Test func `Releasing the server stops it`() throws {
        var server: MockServer? = try MockServer { _ in MockResponse(steps: [.bytes([0x61]), .hang]) }
        let port = try #require(server?.port)
        let client = try RawClient(port: port)
        client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(client.read(1) == "a")
        server = nil
        #expect(client.end() != .nothing)
        #expect(throws: RawClient.Failure.self) { try RawClient(port: port) }
    }

    @Test func `The function that responds may stop the server`() throws {
        let holder = Mutex<MockServer?>(nil)
        let server = try MockServer { _ in
            holder.withLock { $0 }?.stop()
            return .text("stopped")
        }
        holder.withLock { $0 = server }
        let client = try server.sending()
        #expect(client.end() != .nothing)
        server.stop()
        holder.withLock { $0 = nil }
        #expect(throws: RawClient.Failure.self) { try RawClient(port: server.port) }
    }

    @Test func `The error names a host that cannot be listened on`() {
        let error = #expect(throws: MockServerError.self) {
            try MockServer(host: "not an address") { _ in .text("x") }
        }
        #expect(error?.description.hasPrefix("could not listen on not an address port 0: ") == true)
    }
}
