import Synchronization
import TestSupport
import Testing

@testable import EndpointKit

/// When a request is sent again, and what is told of it.
struct RetryTests {
    /// What a policy told.
    final class Told: Sendable {
        private let state = Mutex<(retries: [RetryPolicy.Retry], refusals: [RetryPolicy.Denial])>(([], []))

        var retries: [RetryPolicy.Retry] { state.withLock { $0.retries } }
        var refusals: [RetryPolicy.Denial] { state.withLock { $0.refusals } }

        func policy(_ count: Int, delay: Duration? = .zero, includesUnsafe: Bool = false) -> RetryPolicy {
            var policy = RetryPolicy(
                count: count, delay: delay, includesUnsafe: includesUnsafe,
                onRetry: { retry in self.state.withLock { $0.retries.append(retry) } })
            policy.onDenial = { refusal in self.state.withLock { $0.refusals.append(refusal) } }
            return policy
        }
    }

    struct Script: Sendable {
        var method = HTTPMethod.get
        var count = 2
        var includesUnsafe = false
        /// The responses that are asked for, all of them.
        let responses: [StubTransport.Response]
    }

    /// What comes of a script: the status or the kind of error, and the reasons told.
    struct Result: Sendable, Equatable {
        var status: Int?
        var error: TransportError?
        var reasons: [String] = []
        var refusals: [RetryPolicy.Denial] = []
    }

    private static let busy = StubTransport.Response(status: 503, reason: "Busy")

    static let scripts: [Row<Script, Result>] = [
        Row("success", Script(responses: [.status(200)]), Result(status: 200)),
        Row("503, then 200", Script(responses: [busy, .status(200)]), Result(status: 200, reasons: ["503 Busy"])),
        Row(
            "as often as allowed", Script(responses: [busy, busy, busy]),
            Result(status: 503, reasons: ["503 Busy", "503 Busy"])),
        Row("no retries", Script(count: 0, responses: [busy]), Result(status: 503)),
        Row(
            "no connection, then a status, then success",
            Script(responses: [.failing(.notConnected), busy, .status(204)]),
            Result(status: 204, reasons: ["could not connect to the server", "503 Busy"])),
        Row(
            "a failure stays one",
            Script(count: 1, responses: [.failing(.nameNotResolved), .failing(.cutShort(.noResponse))]),
            Result(error: TransportError(.cutShort(.noResponse)), reasons: ["could not resolve the host name"])),
        Row(
            "a redirect to what fails",
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
            "POST", Script(method: .post, responses: [busy]), Result(status: 503, refusals: [.unsafeMethod(.post)])),
        Row(
            "PATCH that is not connected, and then not answered",
            Script(method: .patch, responses: [.failing(.notConnected), .failing(.cutShort(.noResponse))]),
            Result(
                error: TransportError(.cutShort(.noResponse)), reasons: ["could not connect to the server"],
                refusals: [.unsafeMethod(.patch)])),
        Row(
            "PATCH that is redirected to what is not connected",
            Script(method: .patch, responses: [.redirect(307, "/a"), .failing(.notConnected)]),
            Result(error: TransportError(.notConnected), refusals: [.unsafeMethod(.patch)])),
        Row(
            "POST where told", Script(method: .post, includesUnsafe: true, responses: [busy, .status(201)]),
            Result(status: 201, reasons: ["503 Busy"])),
    ]

    @Test(arguments: scripts)
    func sendsAgain(_ row: Row<Script, Result>) async throws {
        let stub = StubTransport(row.input.responses)
        let told = Told()
        let client = Client(
            transport: stub, maxRedirects: 2,
            retry: told.policy(row.input.count, includesUnsafe: row.input.includesUnsafe))
        var result = Result()
        do {
            result.status = try await client.stream(try Self.request(row.input.method)).head.status
        } catch let error as TransportError {
            result.error = error
        }
        result.reasons = told.retries.map(\.reason)
        result.refusals = told.refusals
        #expect(result == row.expected)
        #expect(told.retries.map(\.number) == Array(1...3).prefix(told.retries.count).map(\.self))
        #expect(stub.done().count == row.input.responses.count)
    }

    static let statuses: [Row<Int, Bool>] =
        [200, 204, 301, 304, 400, 401, 403, 404, 409, 425, 501, 505, 507].map { Row("\($0)", $0, false) }
        + [408, 429, 500, 502, 503, 504].map { Row("\($0)", $0, true) }

    @Test(arguments: statuses)
    func transientStatuses(_ row: Row<Int, Bool>) {
        #expect(RetryPolicy().isTransient(ResponseHead(status: row.input)) == row.expected)
    }

    @Test("A 403 is retried if the server says when")
    func forbiddenForAWhile() {
        let head = ResponseHead(status: 403, fields: [HTTPField("Retry-After", "60")])
        #expect(RetryPolicy().isTransient(head))
    }

    static let waits: [Row<Int, ClosedRange<Int>>] = [
        Row("first", 1, 500...1000), Row("second", 2, 1000...2000), Row("third", 3, 2000...4000),
        Row("sixth", 6, 16_000...32_000), Row("seventh", 7, 30_000...60_000), Row("hundredth", 100, 30_000...60_000),
        Row("the last there may be", .max, 30_000...60_000),
    ]

    @Test(arguments: waits)
    func waitsLongerEachTime(_ row: Row<Int, ClosedRange<Int>>) {
        for _ in 0..<100 {
            let wait = RetryPolicy(count: 9).retry(row.input, reason: "", head: nil).wait
            #expect(wait >= .milliseconds(row.expected.lowerBound) && wait <= .milliseconds(row.expected.upperBound))
        }
    }

    static let asked: [Row<(delay: Int, asked: String), RetryPolicy.Retry>] = [
        Row("longer", (1, "5"), .init(number: 2, count: 3, reason: "r", wait: .seconds(5), isRequestedByServer: true)),
        Row("shorter", (7, "5"), .init(number: 2, count: 3, reason: "r", wait: .seconds(7))),
        Row("as long", (5, "5"), .init(number: 2, count: 3, reason: "r", wait: .seconds(5))),
        Row("garbage", (1, "soon"), .init(number: 2, count: 3, reason: "r", wait: .seconds(1))),
    ]

    @Test(arguments: asked)
    func theServerMayAskForMore(_ row: Row<(delay: Int, asked: String), RetryPolicy.Retry>) {
        let head = ResponseHead(status: 503, fields: [.init("retry-after", row.input.asked)])
        let policy = RetryPolicy(count: 3, delay: .seconds(row.input.delay))
        #expect(policy.retry(2, reason: "r", head: head) == row.expected)
    }

    static func request(_ method: HTTPMethod = .get) throws -> Request {
        Request(method, try BaseURL("https://h.test"), path: "/")
    }
}
