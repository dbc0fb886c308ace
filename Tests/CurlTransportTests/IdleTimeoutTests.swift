import CurlTransport
import EndpointKit
import MockServer
import TestSupport
import Testing

/// A server that says nothing any more is given up; one that goes on, however slowly, is not.
@Suite struct IdleTimeoutTests {
    private static let second = TransferOptions(maxTime: .seconds(120), idleTimeout: .seconds(1))

    struct Case: Row {
        let id: String
        let answer: MockResponse
        let received: Int
    }

    @Test(arguments: [
        Case(id: "nothing at all", answer: MockResponse(steps: [.hang]), received: 0),
        Case(id: "half a head", answer: .raw("HTTP/1.1 200 OK\r\nContent-Le").then(.hang), received: 0),
        Case(
            id: "a head without its body", answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n").then(.hang),
            received: 0),
        Case(
            id: "some of a body", answer: .raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc").then(.hang),
            received: 3),
    ])
    func silence(_ row: Case) async throws {
        let server = try MockServer { _ in row.answer }
        let error = await CurlTransport().failure(try server.request(), options: Self.second)
        #expect(
            (error as? TransportError)?.message == "127.0.0.1 was silent for 1 s (\(row.received) bytes received)")
    }

    /// Libraries that count bytes a second take this for silence.
    @Test func rareBytesAreEnough() async throws {
        let server = try MockServer { _ in
            .chunked(Array(repeating: [0x61, 0x0A], count: 4), pauseBetween: .milliseconds(2000))
        }
        let options = TransferOptions(maxTime: .seconds(120), idleTimeout: .seconds(5))
        #expect(try await CurlTransport().fetch(try server.request(), options: options).body.count == 8)
    }
}
