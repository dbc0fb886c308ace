import Synchronization
import TestSupport
import Testing

@testable import EndpointKit

/// What ends the attempts: time, what has been passed on, cancellation.
struct RetryBoundsTests {
    static let broken = StubTransport.Response(
        status: 200, body: ["ab".bytes], failureInBody: TransportError(.cutShort(.broken)))

    @Test func aWaitThatIsTooLongIsNotBegun() async throws {
        let stub = StubTransport(.status(503, ["Retry-After": "3600"]))
        let told = RetryTests.Told()
        let client = Client(
            transport: stub, transfer: TransferOptions(maxTime: .seconds(1800)), retry: told.policy(3))
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try await client.stream(RetryTests.request()).head.status == 503)
        #expect(clock.now - start < .seconds(1200))
        #expect(
            told.refusals == [
                .exceedsMaxTime(
                    .init(
                        number: 1, count: 3, reason: "503 Service Unavailable", wait: .seconds(3600),
                        isRequestedByServer: true))
            ])
        #expect(told.retries == [])
        #expect(stub.done().count == 1)
    }

    @Test func theTimeIsForAllAttempts() async throws {
        let transport = TimedTransport()
        let client = Client(
            transport: transport, transfer: TransferOptions(maxTime: .seconds(1000)),
            retry: RetryPolicy(count: 2, delay: .milliseconds(50)))
        #expect(try await client.stream(RetryTests.request()).head.status == 503)
        let times = transport.times
        try #require(times.count == 3)
        #expect(times[0] <= .seconds(1000))
        #expect(times[1] <= times[0] - .milliseconds(50))
        #expect(times[2] <= times[1] - .milliseconds(50))
    }

    @Test func aBodyThatBreaksOffIsAskedForAgain() async throws {
        let stub = StubTransport(Self.broken, .json("{}"))
        let client = Client(transport: stub, retry: RetryPolicy(count: 1, delay: .zero))
        let body = try await client.exchange(RetryTests.request()) { try await $0.body.collect() }
        #expect(body == "{}".bytes)
        #expect(stub.done().count == 2)
    }

    @Test func butNotOnceItHasBeenPassedOn() async throws {
        let stub = StubTransport(Self.broken)
        let told = RetryTests.Told()
        let client = Client(transport: stub, retry: told.policy(3))
        let passedOn = Mutex<[UInt8]>([])
        await #expect(throws: TransportError(.cutShort(.broken))) {
            try await client.exchange(
                RetryTests.request(), mayRetry: { passedOn.withLock(\.isEmpty) },
                consume: { for try await piece in $0.body { passedOn.withLock { $0 += piece } } })
        }
        #expect(passedOn.withLock { $0 } == "ab".bytes)
        #expect(told.refusals == [.partlyDelivered])
        #expect(stub.done().count == 1)
    }

    @Test func afterARefusalABodyThatBreaksOffIsTheEnd() async throws {
        var busy = StubTransport.Response.status(503, ["Retry-After": "3600"])
        busy.body = ["ab".bytes]
        busy.failureInBody = TransportError(.cutShort(.broken))
        let stub = StubTransport(busy)
        let told = RetryTests.Told()
        let client = Client(transport: stub, transfer: TransferOptions(maxTime: .seconds(1800)), retry: told.policy(3))
        await #expect(throws: TransportError(.cutShort(.broken))) {
            try await client.exchange(RetryTests.request()) { try await $0.body.collect() }
        }
        #expect(told.retries == [])
        #expect(told.refusals.count == 1)
        #expect(stub.done().count == 1)
    }

    struct Wait: Sendable {
        var method = HTTPMethod.get
        let delay: Duration
        var retryAfter: String?
        let longest: Duration?
    }

    private static func refused(_ wait: Duration, isRequestedByServer: Bool = false) -> [RetryPolicy.Denial] {
        [
            .exceedsMaxWait(
                .init(
                    number: 1, count: 1, reason: "503 Service Unavailable", wait: wait,
                    isRequestedByServer: isRequestedByServer))
        ]
    }

    static let longestWaits: [Row<Wait, [RetryPolicy.Denial]>] = [
        Row("as long as allowed", Wait(delay: .milliseconds(2), longest: .milliseconds(2)), []),
        Row("no limit", Wait(delay: .milliseconds(2), longest: nil), []),
        Row(
            "its own is longer", Wait(delay: .milliseconds(3), longest: .milliseconds(2)), refused(.milliseconds(3))),
        Row("none is allowed", Wait(delay: .milliseconds(1), longest: .zero), refused(.milliseconds(1))),
        Row("none is needed", Wait(delay: .zero, longest: .zero), []),
        Row(
            "longer than any client waits", Wait(delay: .zero, retryAfter: "21601", longest: nil),
            refused(.seconds(21_601), isRequestedByServer: true)),
        Row(
            "the server's is longer", Wait(delay: .zero, retryAfter: "31", longest: .seconds(30)),
            refused(.seconds(31), isRequestedByServer: true)),
        Row(
            "a method that must not be repeated anyway",
            Wait(method: .post, delay: .seconds(3), longest: .seconds(2)), [.unsafeMethod(.post)]),
    ]

    @Test(arguments: longestWaits)
    func noLongerThanTheLongestWait(_ row: Row<Wait, [RetryPolicy.Denial]>) async throws {
        let wait = row.input
        let busy = StubTransport.Response.status(503, wait.retryAfter.map { ["Retry-After": $0] } ?? [:])
        let stub = StubTransport(row.expected.isEmpty ? [busy, .status(200)] : [busy])
        let told = RetryTests.Told()
        var policy = told.policy(1, delay: wait.delay)
        policy.maxWait = wait.longest
        let status = try await Client(transport: stub, retry: policy).stream(RetryTests.request(wait.method)).head
            .status
        #expect(status == (row.expected.isEmpty ? 200 : 503))
        #expect(told.refusals == row.expected)
        #expect(stub.done().count == (row.expected.isEmpty ? 2 : 1))
    }

    @Test func nobodyIsAskedWhereItIsRefusedAnyway() async throws {
        let client = Client(
            transport: StubTransport(.status(503), .status(503)),
            transfer: TransferOptions(maxTime: .seconds(1800)), retry: RetryPolicy(count: 1, delay: .seconds(3600)))
        let asked = Mutex(0)
        func mayRetry() -> Bool {
            asked.withLock { $0 += 1 }
            return true
        }
        for method in [HTTPMethod.get, .post] {
            try await client.exchange(RetryTests.request(method), mayRetry: mayRetry, consume: { _ in })
        }
        #expect(asked.withLock { $0 } == 0)
    }

    @Test func anErrorOfTheReaderIsNoReason() async throws {
        struct Unreadable: Error {}
        let stub = StubTransport(.json("{}"))
        let client = Client(transport: stub, retry: RetryPolicy(count: 3, delay: .zero))
        await #expect(throws: Unreadable.self) {
            try await client.exchange(RetryTests.request()) { _ in throw Unreadable() }
        }
        #expect(stub.done().count == 1)
    }

    @Test(arguments: ["60": 2, "61": 1])
    func anAppWaitsAMinuteAtMost(_ retryAfter: String, _ requests: Int) async throws {
        let policy = RetryPolicy(count: 1, delay: .zero)
        let head = ResponseHead(status: 503, fields: [HTTPField("Retry-After", retryAfter)])
        var attempts = RetryAttempts(of: .get, policy: policy, deadline: nil)
        let retry = attempts.recordFailure(.status(head)) { true }
        #expect((retry == nil ? 1 : 2) == requests)
    }

    @Test func theResponseIsLetGoOfBeforeTheWait() async throws {
        let transport = HeldTransport()
        let isHeld = Mutex<Task<Bool, Never>?>(nil)
        let client = Client(
            transport: transport,
            retry: RetryPolicy(
                count: 1, delay: .milliseconds(300),
                onRetry: { _ in
                    let look = Task {
                        // Within the wait.
                        try? await Task.sleep(for: .milliseconds(50))
                        return transport.isFirstHeld
                    }
                    isHeld.withLock { $0 = look }
                }))
        #expect(try await client.stream(RetryTests.request()).head.status == 503)
        let look = try #require(isHeld.withLock { $0 })
        #expect(await look.value == false)
    }

    @Test(.timeLimit(.minutes(10)))
    func cancellationEndsTheWait() async throws {
        let stub = StubTransport(.status(503))
        let (waits, waiting) = AsyncStream<Void>.makeStream()
        let client = Client(
            transport: stub,
            retry: RetryPolicy(count: 1, delay: .seconds(3600), onRetry: { _ in waiting.yield() }))
        let task = Task { try await client.stream(RetryTests.request()) }
        for await _ in waits { break }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(stub.done().count == 1)
    }
}

/// Responses 503 and remembers the time that each request was given.
private final class TimedTransport: Transport {
    private let seen = Mutex<[Duration]>([])

    var times: [Duration] { seen.withLock { $0 } }

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        seen.withLock { $0.append(options.remainingTime ?? .zero) }
        return StreamedResponse(head: ResponseHead(status: 503), body: ResponseBody(bytes: []))
    }
}

/// Responses 503 and knows whether its first response is still held by anybody.
private final class HeldTransport: Transport {
    private final class Content: Sendable {}

    private struct Weak: Sendable {
        weak let content: Content?
    }

    private let first = Mutex<Weak?>(nil)

    var isFirstHeld: Bool { first.withLock { $0?.content != nil } }

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        let content = Content()
        first.withLock { $0 = $0 ?? Weak(content: content) }
        return StreamedResponse(
            head: ResponseHead(status: 503),
            body: ResponseBody {
                withExtendedLifetime(content) {}
                return nil
            })
    }
}
