import Synchronization
import TestSupport
import Testing

@testable import EndpointKit

/// Tests of the reasons why no further attempt is made: the time is over, a part of the response has been delivered,
/// the wait is too long, or the task is cancelled.
struct RetryBoundsTests {
    static let broken = StubTransport.Response(
        status: 200, body: ["ab".bytes], failureInBody: TransportError(.cutShort(.broken)))

    @Test func `A wait that is longer than the time left is not begun`() async throws {
        let stub = StubTransport(.status(503, ["Retry-After": "3600"]))
        let recorder = RetryTests.RetryRecorder()
        let client = Client(
            transport: stub, transfer: TransferOptions(maxTime: .seconds(1800)), retry: recorder.policy(3))
        let clock = ContinuousClock()
        let start = clock.now
        #expect(try await client.stream(RetryTests.request()).head.status == 503)
        #expect(clock.now - start < .seconds(1200))
        #expect(
            recorder.denials == [
                .exceedsMaxTime(
                    .init(
                        number: 1, count: 3, reason: "503 Service Unavailable", wait: .seconds(3600),
                        isRequestedByServer: true))
            ])
        #expect(recorder.retries == [])
        #expect(stub.done().count == 1)
    }

    @Test func `The time limit is for all attempts together`() async throws {
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

    @Test func `A request is sent again after a body that breaks off`() async throws {
        let stub = StubTransport(Self.broken, .json("{}"))
        let client = Client(transport: stub, retry: RetryPolicy(count: 1, delay: .zero))
        let body = try await client.exchange(RetryTests.request()) { try await $0.body.collect() }
        #expect(body == "{}".bytes)
        #expect(stub.done().count == 2)
    }

    @Test func `A request is not sent again once a part of the body has been delivered`() async throws {
        let stub = StubTransport(Self.broken)
        let recorder = RetryTests.RetryRecorder()
        let client = Client(transport: stub, retry: recorder.policy(3))
        let deliveredBytes = Mutex<[UInt8]>([])
        await #expect(throws: TransportError(.cutShort(.broken))) {
            try await client.exchange(
                RetryTests.request(), mayRetry: { deliveredBytes.withLock(\.isEmpty) },
                consume: { for try await chunk in $0.body { deliveredBytes.withLock { $0 += chunk } } })
        }
        #expect(deliveredBytes.withLock { $0 } == "ab".bytes)
        #expect(recorder.denials == [.partlyDelivered])
        #expect(stub.done().count == 1)
    }

    @Test func `A denied retry is final, even if the body of the response breaks off`() async throws {
        var busy = StubTransport.Response.status(503, ["Retry-After": "3600"])
        busy.body = ["ab".bytes]
        busy.failureInBody = TransportError(.cutShort(.broken))
        let stub = StubTransport(busy)
        let recorder = RetryTests.RetryRecorder()
        let client = Client(
            transport: stub, transfer: TransferOptions(maxTime: .seconds(1800)), retry: recorder.policy(3))
        await #expect(throws: TransportError(.cutShort(.broken))) {
            try await client.exchange(RetryTests.request()) { try await $0.body.collect() }
        }
        #expect(recorder.retries == [])
        #expect(recorder.denials.count == 1)
        #expect(stub.done().count == 1)
    }

    /// The waits that a policy and a server ask for, and the longest wait that the policy allows.
    struct Wait: Sendable {
        var method = HTTPMethod.get
        let delay: Duration
        var retryAfter: String?
        let maxWait: Duration?
    }

    /// Returns the denials if the first retry would be after a wait that is too long.
    private static func tooLong(_ wait: Duration, isRequestedByServer: Bool = false) -> [RetryPolicy.Denial] {
        [
            .exceedsMaxWait(
                .init(
                    number: 1, count: 1, reason: "503 Service Unavailable", wait: wait,
                    isRequestedByServer: isRequestedByServer))
        ]
    }

    static let waits: [Row<Wait, [RetryPolicy.Denial]>] = [
        Row("as long as allowed", Wait(delay: .milliseconds(2), maxWait: .milliseconds(2)), []),
        Row("no limit", Wait(delay: .milliseconds(2), maxWait: nil), []),
        Row(
            "the policy's own delay is longer", Wait(delay: .milliseconds(3), maxWait: .milliseconds(2)),
            tooLong(.milliseconds(3))),
        Row("no wait is allowed", Wait(delay: .milliseconds(1), maxWait: .zero), tooLong(.milliseconds(1))),
        Row("no wait is needed", Wait(delay: .zero, maxWait: .zero), []),
        Row(
            "longer than any client waits", Wait(delay: .zero, retryAfter: "21601", maxWait: nil),
            tooLong(.seconds(21_601), isRequestedByServer: true)),
        Row(
            "the server asks for a longer wait", Wait(delay: .zero, retryAfter: "31", maxWait: .seconds(30)),
            tooLong(.seconds(31), isRequestedByServer: true)),
        Row(
            "a method that must not be repeated anyway",
            Wait(method: .post, delay: .seconds(3), maxWait: .seconds(2)), [.unsafeMethod(.post)]),
    ]

    @Test(arguments: waits)
    func `No wait is longer than the policy allows`(_ row: Row<Wait, [RetryPolicy.Denial]>) async throws {
        let wait = row.input
        let busy = StubTransport.Response.status(503, wait.retryAfter.map { ["Retry-After": $0] } ?? [:])
        let stub = StubTransport(row.expected.isEmpty ? [busy, .status(200)] : [busy])
        let recorder = RetryTests.RetryRecorder()
        var policy = recorder.policy(1, delay: wait.delay)
        policy.maxWait = wait.maxWait
        let client = Client(transport: stub, retry: policy)
        let response = try await client.stream(RetryTests.request(wait.method))
        #expect(response.head.status == (row.expected.isEmpty ? 200 : 503))
        #expect(recorder.denials == row.expected)
        #expect(stub.done().count == (row.expected.isEmpty ? 2 : 1))
    }

    @Test func `The caller is not asked about a retry that the policy denies`() async throws {
        let client = Client(
            transport: StubTransport(.status(503), .status(503)),
            transfer: TransferOptions(maxTime: .seconds(1800)), retry: RetryPolicy(count: 1, delay: .seconds(3600)))
        let questionCount = Mutex(0)
        func mayRetry() -> Bool {
            questionCount.withLock { $0 += 1 }
            return true
        }
        for method in [HTTPMethod.get, .post] {
            try await client.exchange(RetryTests.request(method), mayRetry: mayRetry, consume: { _ in })
        }
        #expect(questionCount.withLock { $0 } == 0)
    }

    @Test func `An error of the code that reads the response is no reason for a retry`() async throws {
        struct Unreadable: Error {}
        let stub = StubTransport(.json("{}"))
        let client = Client(transport: stub, retry: RetryPolicy(count: 3, delay: .zero))
        await #expect(throws: Unreadable.self) {
            try await client.exchange(RetryTests.request()) { _ in throw Unreadable() }
        }
        #expect(stub.done().count == 1)
    }

    @Test func `By default, a policy waits a minute at most`() {
        #expect(Self.defaultPolicyRetries(after: "60"))
        #expect(!Self.defaultPolicyRetries(after: "61"))
    }

    /// Returns whether a policy with the default limit retries a 503 with this value of `Retry-After`.
    private static func defaultPolicyRetries(after retryAfter: String) -> Bool {
        let policy = RetryPolicy(count: 1, delay: .zero)
        let head = ResponseHead(status: 503, fields: [HTTPField("Retry-After", retryAfter)])
        var attempts = RetryAttempts(of: .get, policy: policy, deadline: nil)
        return attempts.recordFailure(.status(head)) { true } != nil
    }

    @Test func `The response is released before the wait`() async throws {
        let transport = HeldTransport()
        let isHeld = Mutex<Task<Bool, Never>?>(nil)
        let client = Client(
            transport: transport,
            retry: RetryPolicy(
                count: 1, delay: .milliseconds(300),
                onRetry: { _ in
                    let look = Task {
                        // The client waits for 300 ms, so this moment is within the wait.
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
    func `Cancelling the task ends the wait`() async throws {
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

/// Responds with 503, and records the time that is left for each request.
private final class TimedTransport: Transport {
    private let recordedTimes = Mutex<[Duration]>([])

    var times: [Duration] { recordedTimes.withLock { $0 } }

    func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
        recordedTimes.withLock { $0.append(options.remainingTime ?? .zero) }
        return StreamedResponse(head: ResponseHead(status: 503), body: ResponseBody(bytes: []))
    }
}

/// Responds with 503, and knows whether anything still holds its first response.
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
