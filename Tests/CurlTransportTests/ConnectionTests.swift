import CurlTransport
import EndpointKit
import MockServer
import TestSupport
import Testing

/// Many requests over one transport.
@Suite struct ConnectionTests {
    @Test func manyRequestsShareAConnection() async throws {
        let server = try MockServer { .response(200, body: Array($0.path.utf8)) }
        let transport = CurlTransport()
        for number in 0..<20 {
            let response = try await transport.fetch(try server.request(.get, "/\(number)"))
            #expect(response.body == Array("/\(number)".utf8))
        }
        #expect(server.connectionCount == 1)
    }

    @Test func manyTasksGetTheirOwnResponses() async throws {
        let server = try MockServer { .response(200, body: Array($0.path.utf8)) }
        let transport = CurlTransport()
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    var count = 0
                    for number in 0..<25 {
                        let path = "/\(task)/\(number)"
                        let response = try await transport.fetch(try server.request(.get, path))
                        if response.body == Array(path.utf8) { count += 1 }
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 200)
        #expect(server.received.count == 200)
        #expect(server.connectionCount <= 8)
    }

    @Test func aBodyOutlivesItsTransport() async throws {
        let server = try MockServer { _ in .repeating([UInt8](repeating: 7, count: 1000), count: 4000) }
        var transport: CurlTransport? = CurlTransport()
        let response = try #require(await transport?.send(try server.request(), options: TransferOptions()))
        transport = nil
        #expect(try await response.body.collect().count == 4_000_000)
    }

    @Test func transportsComeAndGoWithoutDisturbingOthers() async throws {
        let server = try MockServer { _ in .response(200, body: [1, 2, 3]) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<25 {
                        let transport = CurlTransport()
                        let response = try await transport.send(try server.request(), options: TransferOptions())
                        #expect(try await response.body.collect() == [1, 2, 3])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(server.received.count == 100)
    }

    @Test func aReleasedTransportClosesItsDescriptors() async throws {
        let server = try MockServer { _ in .response(200) }
        var transport: CurlTransport? = CurlTransport()
        _ = try await transport?.fetch(try server.request())
        let before = try #require(openDescriptors())
        transport = nil
        // The transport's one connection, its server's end of it, and what wakes its thread.
        #expect(try await eventually { (openDescriptors() ?? .max) < before })
    }

    @Test func aBodyCanBeReadAgainAtItsEnd() async throws {
        let server = try MockServer { _ in .response(200, body: [1]) }
        let body = try await CurlTransport().send(try server.request(), options: TransferOptions()).body
        #expect(try await body.collect() == [1])
        #expect(try await body.collect() == [])
    }

    @Test func eachWayOfConnectingHasItsOwnConnections() async throws {
        let server = try MockServer { _ in .response(200) }
        let transport = CurlTransport()
        let ways: [ConnectionOptions] = [
            .init(), .init(httpVersion: .http1), .init(verifiesCertificate: false), .init(proxy: ""),
        ]
        for _ in 0..<3 {
            for way in ways {
                _ = try await transport.fetch(try server.request(), options: TransferOptions(connection: way))
            }
        }
        #expect(server.connectionCount == 4)
    }

    @Test func connectionsOfRarelyUsedOptionsAreClosed() async throws {
        let server = try MockServer { _ in .response(200) }
        let transport = CurlTransport()
        _ = try await transport.fetch(try server.request())
        let before = try #require(openDescriptors())
        for number in 1...40 {
            let way = ConnectionOptions(resolve: ["api.invalid:\(number):127.0.0.1"])
            _ = try await transport.fetch(try server.request(), options: TransferOptions(connection: way))
        }
        // Both ends of four connections stay open, and what wakes the threads of these; other tests open some too.
        #expect(try await eventually { (openDescriptors() ?? .max) < before + 80 })
    }
}
