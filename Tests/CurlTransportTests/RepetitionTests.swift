import CurlTransport
import EndpointKit
import MockServer
import Synchronization
import Testing

/// Requests whose connection ends without a response: only what is idempotent is repeated (RFC 9110, section 9.2.2).
@Suite struct RepetitionTests {
    struct Case: Row {
        let id: String
        let method: HTTPMethod
        var body: RequestBody?
        let ending: MockResponse.Step
        let isRepeated: Bool
    }

    private static let small = RequestBody(bytes: [1, 2, 3])
    private static let large = RequestBody(bytes: [UInt8](repeating: 7, count: 300_000))

    @Test(arguments: [
        Case(id: "GET, closed", method: .get, ending: .close, isRepeated: true),
        Case(id: "DELETE", method: .delete, ending: .reset, isRepeated: true),
        Case(id: "PUT", method: .put, body: small, ending: .close, isRepeated: true),
        Case(id: "large PUT", method: .put, body: large, ending: .reset, isRepeated: true),
        Case(id: "POST without a body, closed", method: .post, ending: .close, isRepeated: false),
        Case(id: "POST, closed", method: .post, body: small, ending: .close, isRepeated: false),
        Case(id: "large POST", method: .post, body: large, ending: .close, isRepeated: false),
        Case(id: "a custom method", method: "REPORT", ending: .close, isRepeated: false),
    ])
    func onAUsedConnection(_ row: Case) async throws {
        let server = try MockServer { request in
            request.path == "/second" && request.connection == 1 ? MockResponse(steps: [row.ending]) : .response(200)
        }
        let transport = CurlTransport()
        _ = try await transport.fetch(try server.request(.get, "/first"))
        let error = await transport.failure(try server.request(row.method, "/second", body: row.body))
        let seconds = server.received.filter { $0.path == "/second" }
        if row.isRepeated {
            #expect(error == nil)
            #expect(seconds.map(\.connection) == [1, 2])
            #expect(seconds.map(\.body) == [row.body?.bytes ?? [], row.body?.bytes ?? []])
        } else {
            #expect((error as? TransportError)?.cause == .cutShort(.requestLost(method: row.method)))
            #expect(seconds.map(\.connection) == [1])
        }
    }

    @Test(arguments: [HTTPMethod.get, .post]) func aRequestOnANewConnectionIsNotRepeated(_ method: HTTPMethod)
        async throws
    {
        let server = try MockServer { _ in MockResponse(steps: [.close]) }
        let error = await CurlTransport().failure(try server.request(method))
        #expect(
            (error as? TransportError)?.cause == .cutShort(.noResponse))
        #expect(server.received.count == 1)
    }

    @Test func aRefusedExpectationIsNotARepetition() async throws {
        let count = 1_500_000
        let expectations = Mutex<[Bool]>([])
        let server = try RawServer { connection in
            var head = RawServer.receiveHead(connection)
            expectations.withLock { $0.append(head.text.contains("Expect: 100-continue")) }
            RawServer.send(connection, "HTTP/1.1 417 No\r\nContent-Length: 0\r\n\r\n")
            head = RawServer.receiveHead(connection)
            expectations.withLock { $0.append(head.text.contains("Expect: 100-continue")) }
            var missing = count - head.rest
            while missing > 0 {
                let bytes = RawServer.receive(connection)
                if bytes.isEmpty { return }
                missing -= bytes.count
            }
            RawServer.send(connection, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let request = Request(
            .post, try BaseURL("http://127.0.0.1:\(server.port)"), path: "/",
            body: RequestBody(bytes: [UInt8](repeating: 7, count: count)))
        #expect(try await CurlTransport().fetch(request).head.status == 200)
        #expect(expectations.withLock { $0 } == [true, false])
    }
}
