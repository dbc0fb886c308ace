import EndpointKit
import MockServer
import Testing
import URLSessionTransport

@Suite struct FailureTests {
    let transport = URLSessionTransport()

    static let rows: [(id: String, answer: Answer, kind: TransportError.Kind, message: String)] = [
        (
            "body cut short", .response(200, fields: [("Content-Length", "10")], body: [0x61]).then(.close), .cutShort,
            "the connection to SERVER ended before the answer did"
        ),
        (
            "chunks cut short", .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab").then(.close),
            .cutShort, "the connection to SERVER ended before the answer did"
        ),
        (
            "broken chunk", .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n").then(.close),
            .cutShort, "the connection to SERVER ended before the answer did"
        ),
        ("no answer", Answer(steps: [.close]), .cutShort, "the connection to SERVER ended before the answer did"),
        ("reset", Answer(steps: [.reset]), .cutShort, "the connection to SERVER ended before the answer did"),
        ("not HTTP", .raw("SSH-2.0-OpenSSH\r\n").then(.close), .notHTTP, "the answer of SERVER is not HTTP"),
    ]

    static let unreadable: [(id: String, answer: Answer)] = [
        ("broken compression", .response(200, fields: [("Content-Encoding", "gzip")], body: Array("not gzip".utf8))),
        ("broken head", .raw("HTTP/1.1 200 OK\r\nno field\r\n: x\r\n\r\n").then(.close)),
    ]

    @Test(arguments: unreadable)
    func unreadableAnswerIsAnError(id: String, answer: Answer) async throws {
        let server = try MockServer { _ in answer }
        let request = try server.request()
        let thrown = await failure { _ = try await transport.answer(to: request) }
        let error = try #require(thrown as? TransportError, "\(id)")
        #expect(error.kind == .other, "\(id): \(error)")
        #expect(error.message.hasPrefix("the transfer with 127.0.0.1 port \(server.port) failed: "), "\(id): \(error)")
    }

    @Test(arguments: rows)
    func brokenAnswerIsAnError(
        id: String, answer: Answer, kind: TransportError.Kind, message: String
    ) async throws {
        let server = try MockServer { _ in answer }
        let request = try server.request()
        let thrown = await failure { _ = try await transport.answer(to: request) }
        let parts = message.split(separator: "SERVER", omittingEmptySubsequences: false)
        #expect(
            thrown as? TransportError
                == TransportError(kind, parts.joined(separator: "127.0.0.1 port \(server.port)")),
            "\(id): \(String(describing: thrown))")
    }

    @Test func refusedConnectionNamesHostAndPort() async throws {
        let server = try MockServer { _ in .response(200) }
        let request = try server.request()
        server.stop()
        let thrown = await failure { _ = try await transport.answer(to: request) }
        #expect(
            thrown as? TransportError
                == TransportError(.notConnected, "could not connect to 127.0.0.1 port \(server.port)"))
    }

    @Test func tlsWithAPlainServerFails() async throws {
        let server = try MockServer { _ in .response(200) }
        let request = Request(.get, try BaseURL("https://127.0.0.1:\(server.port)"), path: "/")
        let thrown = await failure { _ = try await transport.answer(to: request) }
        let error = try #require(thrown as? TransportError)
        #expect(error.kind == .tls, "\(error)")
        #expect(error.message.hasPrefix("could not set up TLS with 127.0.0.1 port \(server.port): "))
    }

    @Test(arguments: [Answer(steps: [.hang]), .response(200, fields: [("Content-Length", "9")], body: [1]).then(.hang)])
    func maxTimeEndsTheTransfer(answer: Answer) async throws {
        let server = try MockServer { _ in answer }
        let request = try server.request()
        var thrown: (any Error)?
        let taken = await time {
            thrown = await failure {
                _ = try await transport.answer(to: request, TransferOptions(maxTime: .milliseconds(300)))
            }
        }
        #expect(
            thrown as? TransportError
                == TransportError(.timedOut, "127.0.0.1 port \(server.port) took longer than 0.3 seconds"))
        #expect(taken >= .milliseconds(300))
        #expect(taken < .seconds(60))
    }

    @Test func maxTimeThatIsNotNeededDoesNothing() async throws {
        let server = try MockServer { _ in .text("quick") }
        let request = try server.request()
        let taken = try await time {
            let response = try await transport.answer(to: request, TransferOptions(maxTime: .seconds(100_000_000_000)))
            #expect(String(decoding: response.body, as: UTF8.self) == "quick")
        }
        #expect(taken < .seconds(60))
    }

    @Test(arguments: [Answer(steps: [.hang]), .response(200, fields: [("Content-Length", "9")], body: [1]).then(.hang)])
    func cancelEndsTheTransferAtOnce(answer: Answer) async throws {
        let server = try MockServer(limits: .init(connections: 1)) { $0.path == "/hang" ? answer : .text("free") }
        let request = try server.request(.get, "/hang")
        let task = Task { try await transport.answer(to: request) }
        while server.received.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
        try await Task.sleep(for: .milliseconds(50))
        let taken = await time {
            task.cancel()
            let thrown = await failure { _ = try await task.value }
            #expect(thrown is CancellationError, "\(String(describing: thrown))")
        }
        #expect(taken < .seconds(60))
        #expect(try await isFree(server))
    }

    @Test func cancelledTaskSendsNothing() async throws {
        let server = try MockServer { _ in .response(200) }
        let request = try server.request()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            _ = try await transport.answer(to: request)
        }
        task.cancel()
        let thrown = await failure { try await task.value }
        #expect(thrown is CancellationError)
        #expect(server.received.isEmpty)
    }

    @Test func lettingGoOfTheBodyEndsTheTransfer() async throws {
        let answer = Answer.response(200, fields: [("Content-Length", "9")], body: [1]).then(.hang)
        let server = try MockServer(limits: .init(connections: 1)) { $0.path == "/hang" ? answer : .text("free") }
        _ = try await transport.send(try server.request(.get, "/hang"), options: TransferOptions())
        #expect(try await isFree(server))
    }

    /// Whether the server's only connection is given up within a minute.
    private func isFree(_ server: MockServer) async throws -> Bool {
        let clock = ContinuousClock()
        let deadline = clock.now + .seconds(60)
        let request = try server.request(.get, "/free")
        while clock.now < deadline {
            let other = URLSessionTransport()
            let response = try? await other.answer(to: request, TransferOptions(maxTime: .seconds(60)))
            if response?.head.status == 200 { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    @Test func bodyThatNobodyReadsIsBounded() async throws {
        let server = try MockServer { _ in .repeating([UInt8](repeating: 0x61, count: 1000), count: 8_000) }
        let transport = URLSessionTransport(bufferLimit: 1_000_000)
        let response = try await transport.send(try server.request(), options: TransferOptions())
        try await Task.sleep(for: .milliseconds(500))
        var count = 0
        let thrown = await failure { for try await piece in response.body { count += piece.count } }
        #if canImport(FoundationNetworking)
        #expect(
            thrown as? TransportError
                == TransportError(
                    .other,
                    "more than 1000000 bytes of the answer of 127.0.0.1 port \(server.port) wait to be read"))
        #expect(count < 2_000_000)
        #else
        #expect(thrown == nil)
        #expect(count == 8_000_000)
        #endif
    }
}
