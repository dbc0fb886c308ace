import Synchronization
import TestSupport
import Testing

@testable import EndpointKit

/// Tests of when a request is sent again, and of the callbacks of the policy.
struct RetryTests {
    /// Records the callbacks of a policy.
    final class RetryRecorder: Sendable {
        private let recordedRetries = Mutex<[RetryPolicy.Retry]>([])
        private let recordedDenials = Mutex<[RetryPolicy.Denial]>([])

        var retries: [RetryPolicy.Retry] { recordedRetries.withLock { $0 } }
        var denials: [RetryPolicy.Denial] { recordedDenials.withLock { $0 } }

        /// Returns a policy whose callbacks are recorded.
        func policy(_ count: Int, delay: Duration? = .zero, includesUnsafe: Bool = false) -> RetryPolicy {
            var policy = RetryPolicy(
                count: count, delay: delay, includesUnsafe: includesUnsafe,
                onRetry: { retry in self.recordedRetries.withLock { $0.append(retry) } })
            policy.onDenial = { denial in self.recordedDenials.withLock { $0.append(denial) } }
            return policy
        }
    }

    /// A request, the policy for it, and the responses that the client gets one after the other.
    struct Script: Sendable {
        var method = HTTPMethod.get
        /// The number of retries that the policy allows.
        var count = 2
        var includesUnsafe = false
        /// The responses. The client must ask for all of them.
        let responses: [StubTransport.Response]
    }

    /// The outcome of a script: the status or error of the call, and the recorded callbacks.
    struct Result: Sendable, Equatable {
        var status: Int?
        var error: TransportError?
        /// The reasons of the retries.
        var reasons: [String] = []
        var denials: [RetryPolicy.Denial] = []
    }

    private static let busy = StubTransport.Response(status: 503, reason: "Busy")

    static let scripts: [Row<Script, Result>] = [
        Row("success", Script(responses: [.status(200)]), Result(status: 200)),
        Row("503, then 200", Script(responses: [busy, .status(200)]), Result(status: 200, reasons: ["503 Busy"])),
        Row(
            "no more retries than allowed", Script(responses: [busy, busy, busy]),
            Result(status: 503, reasons: ["503 Busy", "503 Busy"])),
        Row("no retries", Script(count: 0, responses: [busy]), Result(status: 503)),
        Row(
            "no connection, then a status, then success",
            Script(responses: [.failing(.notConnected), busy, .status(204)]),
            Result(status: 204, reasons: ["could not connect to the server", "503 Busy"])),
        Row(
            "a failure after a retry",
            Script(count: 1, responses: [.failing(.nameNotResolved), .failing(.cutShort(.noResponse))]),
            Result(error: TransportError(.cutShort(.noResponse)), reasons: ["could not resolve the host name"])),
        Row(
            "a redirect to a server that is busy",
            Script(responses: [.redirect(302, "/a"), busy, .redirect(302, "/a"), .status(200)]),
            Result(status: 200, reasons: ["503 Busy"])),
        Row(
            "too many redirects", Script(responses: Array(repeating: .redirect(302, "/a"), count: 3)),
            Result(
                error: TransportError(
                    .tooManyRedirects(
                        limit: 2, chain: ["https://h.test/", "https://h.test/a", "https://h.test/a"]),
                    server: TransportError.Peer(host: "h.test", port: 443, usesTLS: true)))),
        Row(
            "POST is not retried", Script(method: .post, responses: [busy]),
            Result(status: 503, denials: [.unsafeMethod(.post)])),
        Row(
            "PATCH is retried without a connection, but not without a response",
            Script(method: .patch, responses: [.failing(.notConnected), .failing(.cutShort(.noResponse))]),
            Result(
                error: TransportError(.cutShort(.noResponse)), reasons: ["could not connect to the server"],
                denials: [.unsafeMethod(.patch)])),
        Row(
            "PATCH is not retried without a connection after a redirect",
            Script(method: .patch, responses: [.redirect(307, "/a"), .failing(.notConnected)]),
            Result(error: TransportError(.notConnected), denials: [.unsafeMethod(.patch)])),
        Row(
            "POST is retried if the policy includes unsafe methods",
            Script(method: .post, includesUnsafe: true, responses: [busy, .status(201)]),
            Result(status: 201, reasons: ["503 Busy"])),
    ]

    @Test(arguments: scripts)
    func `A request is sent again after a failure that may be temporary`(_ row: Row<Script, Result>) async throws {
        let stub = StubTransport(row.input.responses)
        let recorder = RetryRecorder()
        let client = Client(
            transport: stub, maxRedirects: 2,
            retry: recorder.policy(row.input.count, includesUnsafe: row.input.includesUnsafe))
        var result = Result()
        do {
            result.status = try await client.stream(try Self.request(row.input.method)).head.status
        } catch let error as TransportError {
            result.error = error
        }
        result.reasons = recorder.retries.map(\.reason)
        result.denials = recorder.denials
        #expect(result == row.expected)
        let numbers = recorder.retries.map(\.number)
        #expect(numbers == Array([1, 2, 3].prefix(numbers.count)))
        #expect(stub.done().count == row.input.responses.count)
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func `Some statuses are failures that may be temporary`(_ status: Int) {
        #expect(RetryPolicy().isTransient(ResponseHead(status: status)))
    }

    @Test(arguments: [200, 204, 301, 304, 400, 401, 403, 404, 409, 425, 501, 505, 507])
    func `Other statuses are final`(_ status: Int) {
        #expect(!RetryPolicy().isTransient(ResponseHead(status: status)))
    }

    @Test func `A 403 is retried if the server says when`() {
        let head = ResponseHead(status: 403, fields: [HTTPField("Retry-After", "60")])
        #expect(RetryPolicy().isTransient(head))
    }

    /// The number of a retry, and the bounds of the wait before it in milliseconds.
    static let waits: [Row<Int, ClosedRange<Int>>] = [
        Row("first", 1, 500...1000), Row("second", 2, 1000...2000), Row("third", 3, 2000...4000),
        Row("sixth", 6, 16_000...32_000), Row("seventh", 7, 30_000...60_000), Row("hundredth", 100, 30_000...60_000),
        Row("the greatest number", .max, 30_000...60_000),
    ]

    @Test(arguments: waits)
    func `The wait doubles with each retry up to a minute`(_ row: Row<Int, ClosedRange<Int>>) {
        for _ in 0..<100 {
            let wait = RetryPolicy(count: 9).makeRetry(row.input, reason: "", head: nil).wait
            #expect(wait >= .milliseconds(row.expected.lowerBound) && wait <= .milliseconds(row.expected.upperBound))
        }
    }

    /// The delay of the policy in seconds, the header `Retry-After` of the response, and the retry.
    static let requestedWaits: [Row<(delay: Int, retryAfter: String), RetryPolicy.Retry>] = [
        Row("longer", (1, "5"), .init(number: 2, count: 3, reason: "r", wait: .seconds(5), isRequestedByServer: true)),
        Row("shorter", (7, "5"), .init(number: 2, count: 3, reason: "r", wait: .seconds(7))),
        Row("as long", (5, "5"), .init(number: 2, count: 3, reason: "r", wait: .seconds(5))),
        Row("garbage", (1, "soon"), .init(number: 2, count: 3, reason: "r", wait: .seconds(1))),
    ]

    @Test(arguments: requestedWaits)
    func `A server may ask for a longer wait`(_ row: Row<(delay: Int, retryAfter: String), RetryPolicy.Retry>) {
        let head = ResponseHead(status: 503, fields: [.init("retry-after", row.input.retryAfter)])
        let policy = RetryPolicy(count: 3, delay: .seconds(row.input.delay))
        #expect(policy.makeRetry(2, reason: "r", head: head) == row.expected)
    }

    static func request(_ method: HTTPMethod = .get) throws -> Request {
        Request(method, try BaseURL("https://h.test"), path: "/")
    }
}
