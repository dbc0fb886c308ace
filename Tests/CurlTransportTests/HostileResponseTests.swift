import CurlTransport
import EndpointKit
import MockServer
import TestSupport
import Testing

/// Responses made to do harm: each ends in a response or an error, in bounded memory.
@Suite(.serialized) struct HostileResponseTests {
    @Test(arguments: [4_000, 10_000]) func manyHeadersAreDeliveredOrRefused(_ count: Int) async throws {
        let fields = (0..<count).map { "X-\($0): \($0)\r\n" }.joined()
        let server = try MockServer { _ in .raw("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 0\r\n\r\n") }
        do {
            let response = try await CurlTransport().fetch(try server.request())
            #expect(response.head.fields.count == count + 1)
            #expect(response.head["x-3999"] == "3999")
        } catch let error as TransportError {
            // Newer versions of libcurl take no more than 5,000.
            #expect(count > 5_000)
            #expect(error.cause == .headersTooLarge)
        }
    }

    /// libcurl before 8.1.1 adds such a line to the last field of the handle's previous response.
    @Test func aFoldedFirstLineDoesNotChangeTheResponseBefore() async throws {
        let server = try MockServer { request in
            request.path == "/folded"
                ? .raw("HTTP/1.1 200 OK\r\n\tX-A: \(String(repeating: "b", count: 3000))\r\nContent-Length: 1\r\n\r\nf")
                : .text("w", fields: (0..<20).map { ("X-\($0)", String(repeating: "v", count: 100 * $0)) })
        }
        let transport = CurlTransport()
        for path in (0..<10).flatMap({ _ in ["/", "/folded", "/folded"] }) {
            let request = Request(.get, try BaseURL(server.baseURL), path: path)
            do {
                #expect(try await transport.fetch(request).body == (path == "/" ? [0x77] : [0x66]))
            } catch let error as TransportError {
                #expect(path == "/folded" && error.message == "the response of 127.0.0.1 is not HTTP (invalid header)")
            }
        }
    }

    struct Case: Row {
        let id: String
        let answer: MockResponse
        let cause: TransportError.Cause
        let start: String
    }

    @Test(arguments: [
        Case(
            id: "100 MB of fields", answer: fields("X-A: \(String(repeating: "x", count: 994))\r\n", count: 100_000),
            cause: .headersTooLarge, start: "the response headers of 127.0.0.1 are too large"),
        Case(
            id: "a field of 2 MB", answer: fields("X-A: \(String(repeating: "x", count: 2 << 20))\r\n", count: 1),
            cause: .headersTooLarge, start: "the response headers of 127.0.0.1 are too large"),
        Case(
            id: "100 MB of a trailer",
            answer: repeating(
                "X-A: \(String(repeating: "x", count: 994))\r\n", count: 100_000,
                after: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n"),
            cause: .headersTooLarge, start: "the response headers of 127.0.0.1 are too large"),
    ])
    func failure(_ row: Case) async throws {
        let server = try MockServer { _ in row.answer }
        let request = Request(.get, try BaseURL(server.baseURL), path: "/secret")
        let error = await CurlTransport().failure(request, options: TransferOptions(maxTime: .seconds(60)))
        let failure = try #require(error as? TransportError)
        #expect(failure.cause == row.cause)
        #expect(failure.message.hasPrefix(row.start), "\(failure)")
    }

    private static func fields(_ field: String, count: Int) -> MockResponse {
        repeating(field, count: count, after: "HTTP/1.1 200 OK\r\n")
    }

    private static func repeating(_ text: String, count: Int, after start: String) -> MockResponse {
        MockResponse(steps: [
            .bytes(Array(start.utf8)), .repeating(Array(text.utf8), count: count), .bytes(Array("\r\n".utf8)), .close,
        ])
    }
}
