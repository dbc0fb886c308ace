import MockServer
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Tests of the time limits of requests, with clients on raw sockets.
@Suite struct LimitTests {
    @Test(
        "Half a request gets 408 after the idle time, wherever it stops",
        arguments: [
            "GET /", "GET / HTTP/1.1\r\nHost: x\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab",
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        ])
    func halfRequest(_ sent: String) throws {
        let server = try MockServer(limits: .init(idle: .milliseconds(200))) { _ in .text("never") }
        let answer = try Self.firstAnswer {
            let client = try server.sending(sent)
            return client.readToEnd()
        }
        #expect(answer.hasPrefix("HTTP/1.1 408 Request Timeout\r\n"))
        #expect(answer.contains("\r\nConnection: close\r\n"))
        #expect(server.received.isEmpty)
    }

    @Test("A connection that is idle between requests just ends")
    func idleConnection() throws {
        let server = try MockServer(limits: .init(idle: .milliseconds(200))) { _ in .text("x") }
        let fresh = try RawClient(port: server.port)
        #expect(fresh.readToEnd() == "")
        let answer = try Self.firstAnswer {
            let used = try server.sending()
            return used.readToEnd()
        }
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\nx"))
    }

    /// Returns the answer of the first attempt that has one.
    ///
    /// If the test itself is held up before it sends, the server sees an idle client and closes the connection.
    private static func firstAnswer(_ attempt: () throws -> String) throws -> String {
        for _ in 0..<20 {
            let answer = try attempt()
            if !answer.isEmpty { return answer }
        }
        return ""
    }

    @Test("A client that sends slowly is not idle")
    func slowClient() throws {
        let server = try MockServer(limits: .init(idle: .seconds(2))) { _ in .text("x") }
        let client = try RawClient(port: server.port)
        for byte in "GET / HTTP/1.1\r\nHost: x\r\n\r\n".utf8 { client.send([byte]) }
        #expect(client.readHead().hasPrefix("HTTP/1.1 200 "))
    }

    @Test("A request has a time limit as a whole, its response has none")
    func wholeRequest() throws {
        let server = try MockServer(limits: .init(request: .milliseconds(300))) { _ in
            .text("x").then(.pause(.milliseconds(600)), .bytes([0x79]), .close)
        }
        let client = try RawClient(port: server.port)
        // The client sends bytes until the server has closed the connection.
        var sent = 0
        while sent < 10_000, client.send([0x61]) {
            sent += 1
            usleep(1000)
        }
        #expect(client.readToEnd().hasPrefix("HTTP/1.1 408 ") && sent > 10)
        #expect(try Self.firstAnswer { try server.sending().readToEnd() }.hasSuffix("\r\n\r\nxy"))
    }

    @Test("A client that reads no more is given up")
    func deafClient() throws {
        let server = try MockServer(limits: .init(idle: .milliseconds(300))) { _ in
            .response(200, fields: [("Content-Length", "\(1 << 28)")])
                .then(.repeating([UInt8](repeating: 0, count: 1 << 16), count: 1 << 12))
        }
        let client = try server.sending()
        // One byte shows that the response has begun.
        _ = client.read(1)
        // The thread of the connection ends when it gives up. This call waits for it.
        server.drain()
        #expect(client.countToEnd() < 1 << 28)
    }
}
