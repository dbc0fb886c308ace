import Synchronization
import TestSupport
import Testing

@testable import EndpointKit

/// `client.credentials` gives the values of variables when a request needs them.
struct CredentialProviderTests {
    enum Vault: API {
        case item
        case both
        case open
        case maybe
        case either
        case list

        static let api = APIInfo(
            name: "vault",
            servers: [Server("main", url: "https://vault.test")],
            credentials: [.bearer(variable: "TOKEN")])
        static let examples: [Vault] = []

        var endpoint: Endpoint {
            switch self {
            case .item: .get("/item", returns: RawResponse.self, summary: "")
            case .both:
                .get(
                    "/both", returns: RawResponse.self, summary: "",
                    credentials: [.bearer(variable: "TOKEN"), .query("key", variable: "KEY")])
            case .open: .get("/open", returns: RawResponse.self, summary: "", credentials: [])
            case .maybe:
                .get(
                    "/maybe", returns: RawResponse.self, summary: "",
                    credentials: [.bearer(variable: "TOKEN").optional])
            case .either:
                .get(
                    "/either", returns: RawResponse.self, summary: "",
                    credentials: [.bearer(variable: "TOKEN").or(.query("key", variable: "KEY"))])
            case .list: .get("/list", returns: [Int].self, summary: "", pages: .link())
            }
        }
    }

    /// A provider that returns scripted values and records the challenges.
    final class Provider: Sendable {
        private let state: Mutex<(script: [[String: String]], challenges: [CredentialChallenge])>

        init(_ script: [String: String]...) { state = Mutex((script, [])) }

        var challenges: [CredentialChallenge] { state.withLock(\.challenges) }

        func values(_ challenge: CredentialChallenge) -> [String: String] {
            state.withLock { state in
                state.challenges.append(challenge)
                return state.script.isEmpty ? [:] : state.script.removeFirst()
            }
        }
    }

    private static func client(
        _ stub: StubTransport, _ provider: Provider, variables: [String: String] = [:]
    ) -> Client {
        var client = Client(transport: stub, variables: variables)
        client.credentials = { provider.values($0) }
        return client
    }

    /// Returns the header `Authorization` (or `none`) and the URL of each request that the transport recorded.
    private static func sent(_ stub: StubTransport) throws -> [String] {
        try stub.done().map { request in
            let token = try request.headers.first { $0.isNamed("Authorization") }?.revealedValue() ?? "none"
            return try token + " " + request.revealedURL()
        }
    }

    private static func challenge(
        _ reason: CredentialChallenge.Reason, _ alternatives: [[String]] = [["TOKEN"]],
        rejected: [String: String] = [:]
    ) -> CredentialChallenge {
        CredentialChallenge(
            reason: reason, api: "vault", server: "https://vault.test", alternatives: alternatives,
            rejectedValues: rejected)
    }

    @Test func `The provider is asked for a missing value once`() async throws {
        let stub = StubTransport(.status(200), .status(200))
        let provider = Provider(["TOKEN": "a"])
        let client = Self.client(stub, provider)
        try await client.send(Vault.item)
        let copy = client
        try await copy.send(Vault.item)
        #expect(try Self.sent(stub) == ["Bearer a https://vault.test/item", "Bearer a https://vault.test/item"])
        #expect(provider.challenges == [Self.challenge(.missing)])
    }

    @Test func `The provider is not asked without need`() async throws {
        let stub = StubTransport(.status(200), .status(200), .status(401), .status(200))
        let provider = Provider()
        let client = Self.client(stub, provider, variables: ["TOKEN": "own"])
        try await client.send(Vault.item)
        try await client.send(Vault.open)
        #expect(try await client.rawResponse(to: Vault.open).head.status == 401)
        try await client.send(Vault.maybe)
        #expect(provider.challenges.isEmpty)
        #expect(stub.done().count == 4)
    }

    @Test func `The provider is asked for several credentials one after the other`() async throws {
        let stub = StubTransport(.status(200))
        let provider = Provider(["TOKEN": "a"], ["KEY": "k"])
        try await Self.client(stub, provider).send(Vault.both)
        #expect(try Self.sent(stub) == ["Bearer a https://vault.test/both?key=k"])
        #expect(provider.challenges == [Self.challenge(.missing), Self.challenge(.missing, [["KEY"]])])
    }

    @Test func `Without a value of the provider, the credential is missing`() async throws {
        let stub = StubTransport()
        let provider = Provider([:])
        let client = Self.client(stub, provider)
        let missing = MissingCredential(alternatives: [["TOKEN"]])
        await #expect(throws: RequestError.missingCredential(missing)) { try await client.send(Vault.item) }
        #expect(provider.challenges.count == 1)
        #expect(stub.done().isEmpty)
    }

    @Test func `After a 401, the request is sent once more with a new value`() async throws {
        let stub = StubTransport(.status(401), .json("[]"))
        let provider = Provider(["TOKEN": "b"])
        let client = Self.client(stub, provider, variables: ["TOKEN": "a"])
        #expect(try await client.send(Vault.item, as: RawResponse.self).bytes == "[]".bytes)
        #expect(try Self.sent(stub) == ["Bearer a https://vault.test/item", "Bearer b https://vault.test/item"])
        #expect(provider.challenges == [Self.challenge(.rejected, rejected: ["TOKEN": "a"])])
    }

    @Test func `The provider may renew any of several rejected credentials`() async throws {
        let stub = StubTransport(.status(401), .status(200))
        let provider = Provider(["KEY": "new"])
        try await Self.client(stub, provider, variables: ["TOKEN": "a", "KEY": "old"]).send(Vault.both)
        #expect(
            try Self.sent(stub) == [
                "Bearer a https://vault.test/both?key=old", "Bearer a https://vault.test/both?key=new",
            ])
        let rejected = ["TOKEN": "a", "KEY": "old"]
        #expect(provider.challenges == [Self.challenge(.rejected, [["TOKEN"], ["KEY"]], rejected: rejected)])
    }

    @Test func `The provider is asked for an optional credential before the first request`() async throws {
        let stub = StubTransport(.status(401), .status(200))
        let provider = Provider(["TOKEN": "a"], ["TOKEN": "b"])
        try await Self.client(stub, provider).send(Vault.maybe)
        #expect(try Self.sent(stub) == ["Bearer a https://vault.test/maybe", "Bearer b https://vault.test/maybe"])
        #expect(
            provider.challenges == [
                Self.challenge(.missing), Self.challenge(.rejected, rejected: ["TOKEN": "a"]),
            ])
    }

    @Test func `Without a value for an optional credential, requests are sent without it until a 401`() async throws {
        let stub = StubTransport(.status(200), .status(200), .status(401), .status(200))
        let provider = Provider([:], ["TOKEN": "b"])
        let client = Self.client(stub, provider)
        try await client.send(Vault.maybe)
        try await client.send(Vault.maybe)
        #expect(provider.challenges == [Self.challenge(.missing)])
        try await client.send(Vault.maybe)
        let without = "none https://vault.test/maybe"
        #expect(try Self.sent(stub) == [without, without, without, "Bearer b https://vault.test/maybe"])
        // The third request had no value that the server could reject, so the reason is not `rejected`.
        #expect(provider.challenges == [Self.challenge(.missing), Self.challenge(.missing)])
    }

    @Test func `The provider is not asked for an optional credential that the caller sets`() async throws {
        let stub = StubTransport(.status(200))
        let provider = Provider()
        var client = Self.client(stub, provider)
        client.options.headers = [HTTPField("Authorization", "Bearer own")]
        try await client.send(Vault.maybe)
        #expect(provider.challenges.isEmpty)
        #expect(stub.done().count == 1)
    }

    // MARK: Other people, other servers

    @Test func `After the credentials are forgotten, the next person gets their own token`() async throws {
        let stub = StubTransport(.status(200), .status(200), .status(200))
        let user = Mutex("ada")
        var client = Client(transport: stub)
        client.credentials = { _ in ["TOKEN": user.withLock { $0 }] }
        try await client.send(Vault.item)
        user.withLock { $0 = "bob" }
        try await client.send(Vault.item)
        let copy = client
        copy.forgetCredentials()
        try await client.send(Vault.item)
        let url = "https://vault.test/item"
        #expect(try Self.sent(stub) == ["Bearer ada \(url)", "Bearer ada \(url)", "Bearer bob \(url)"])
    }

    @Test func `The provider is asked again for an optional credential after it is forgotten`() async throws {
        let stub = StubTransport(.status(200), .status(200))
        let provider = Provider([:], ["TOKEN": "b"])
        let client = Self.client(stub, provider)
        try await client.send(Vault.maybe)
        client.forgetCredentials()
        try await client.send(Vault.maybe)
        #expect(try Self.sent(stub) == ["none https://vault.test/maybe", "Bearer b https://vault.test/maybe"])
    }

    @Test func `A value that arrives after the credentials are forgotten is not kept`() async throws {
        let provider = SlowProvider()
        var client = Client(transport: Gate(accepted: "new"))
        client.credentials = { _ in await provider.values() }
        let task = Task { [client] in try await client.send(Vault.item) }
        while provider.calls == 0 { await Task.yield() }
        client.forgetCredentials()
        let missing = MissingCredential(alternatives: [["TOKEN"]])
        await #expect(throws: RequestError.missingCredential(missing)) { try await task.value }
        provider.open()
        try await client.send(Vault.item)
        #expect(provider.calls == 2)
    }

    @Test func `A value is only sent to the server that it was requested for`() async throws {
        let stub = StubTransport(.status(200), .status(200), .status(200))
        var client = Client(transport: stub)
        client.credentials = { challenge in ["TOKEN": "for \(challenge.server)"] }
        try await client.send(Vault.item)
        let staging = try BaseURL("https://staging.test/v2")
        try await client.with { $0.options.base = staging }.send(Vault.item)
        try await client.send(Vault.item)
        let production = "Bearer for https://vault.test https://vault.test/item"
        #expect(
            try Self.sent(stub) == [
                production, "Bearer for https://staging.test/v2 https://staging.test/v2/item", production,
            ])
    }

    @Test func `A challenge recognizes the rejected value but does not show it`() {
        let challenge = Self.challenge(.rejected, rejected: ["TOKEN": "hunter2"])
        #expect(challenge.isRejected("hunter2", for: "TOKEN"))
        #expect(!challenge.isRejected("other", for: "TOKEN"))
        #expect(!challenge.isRejected("hunter2", for: "KEY"))
        #expect(!"\(challenge)".contains("hunter2"))
    }

    // MARK: Calls that the provider makes

    @Test func `A call that the provider makes does not ask the provider`() async throws {
        let stub = StubTransport(.status(200))
        let shared = Mutex<Client?>(nil)
        var client = Client(transport: stub)
        client.credentials = { _ in
            let missing = MissingCredential(alternatives: [["TOKEN"]])
            let client = try #require(shared.withLock { $0 })
            await #expect(throws: RequestError.missingCredential(missing)) { try await client.send(Vault.item) }
            return ["TOKEN": "a"]
        }
        shared.withLock { [client] in $0 = client }
        try await client.send(Vault.item)
        #expect(try Self.sent(stub) == ["Bearer a https://vault.test/item"])
    }

    @Test func `A 401 for a call that the provider makes is not sent again`() async throws {
        let stub = StubTransport(.status(401), .status(401), .status(200))
        let shared = Mutex<Client?>(nil)
        var client = Client(transport: stub, variables: ["TOKEN": "a"])
        client.credentials = { _ in
            let client = try #require(shared.withLock { $0 })
            #expect(try await client.rawResponse(to: Vault.item).head.status == 401)
            return ["TOKEN": "b"]
        }
        shared.withLock { [client] in $0 = client }
        try await client.send(Vault.item)
        let old = "Bearer a https://vault.test/item"
        #expect(try Self.sent(stub) == [old, old, "Bearer b https://vault.test/item"])
    }

    // MARK: Time limits

    /// A transport that records the deadline of each request and accepts one value.
    private final class DeadlineTransport: Transport {
        private let gate = Gate(accepted: "new")
        private let seen = Mutex<[ContinuousClock.Instant?]>([])

        var deadlines: [ContinuousClock.Instant?] { seen.withLock { $0 } }

        func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
            seen.withLock { $0.append(options.deadline) }
            return try await gate.send(request, options: options)
        }
    }

    @Test func `The time limit covers both requests`() async throws {
        let transport = DeadlineTransport()
        var client = Client(transport: transport, variables: ["TOKEN": "old"])
        client.transfer.maxTime = .seconds(1000)
        client.credentials = { _ in ["TOKEN": "new"] }
        try await client.send(Vault.item)
        let deadlines = transport.deadlines
        try #require(deadlines.count == 2)
        #expect(deadlines[0] != nil && deadlines[0] == deadlines[1])
    }

    @Test(arguments: [[:], ["TOKEN": "old"]])
    func `The time limit ends the wait for the provider`(_ variables: [String: String]) async throws {
        let provider = SlowProvider()
        var client = Client(transport: Gate(accepted: "new"), variables: variables)
        client.credentials = { _ in await provider.values() }
        client.transfer.maxTime = .milliseconds(20)
        let error = await #expect(throws: TransportError.self) { try await client.send(Vault.item) }
        #expect(error?.cause == .timedOut(.whole(.milliseconds(20))))
        // The provider goes on, and its values are kept.
        provider.open()
        client.transfer.maxTime = nil
        try await client.send(Vault.item)
        #expect(provider.calls == 1)
    }

    @Test func `A second 401 is final`() async throws {
        let stub = StubTransport(.status(401), .status(401))
        let provider = Provider(["TOKEN": "b"], ["TOKEN": "c"])
        let client = Self.client(stub, provider, variables: ["TOKEN": "a"])
        let error = try await statusError { try await client.send(Vault.item) }
        #expect(error.status == 401)
        #expect(provider.challenges.count == 1)
        #expect(stub.done().count == 2)
    }

    @Test func `If the provider repeats the rejected value, the 401 is the response`() async throws {
        let stub = StubTransport(.json(401, #"{"message":"no"}"#))
        let provider = Provider(["TOKEN": "a"])
        let client = Self.client(stub, provider, variables: ["TOKEN": "a"])
        let error = try await statusError { try await client.send(Vault.item) }
        #expect(error.serverMessage == "no")
        #expect(stub.done().count == 1)
    }

    @Test func `An error of the provider is thrown, after a 401 and before the first request`() async throws {
        struct LoggedOut: Error {}
        let stub = StubTransport(.status(401))
        var client = Client(transport: stub, variables: ["TOKEN": "a"])
        client.credentials = { _ in throw LoggedOut() }
        await #expect(throws: LoggedOut.self) { try await client.send(Vault.item) }
        client.options.variables = { _ in nil }
        await #expect(throws: LoggedOut.self) { try await client.send(Vault.item) }
        #expect(stub.done().count == 1)
    }

    @Test func `An error of the provider is not retried`() async throws {
        let stub = StubTransport(.status(401))
        var client = Client(transport: stub, variables: ["TOKEN": "a"])
        client.retry.count = 3
        // The client would retry this error if the request itself threw it.
        client.credentials = { _ in throw TransportError(.notConnected) }
        await #expect(throws: TransportError.self) { try await client.send(Vault.item) }
        #expect(stub.done().count == 1)
    }

    @Test func `Pages after a renewed value are requested with it`() async throws {
        func page(_ text: String, next: String?) -> StubTransport.Response {
            var response = StubTransport.Response.json(text)
            if let next { response.fields.append(.init("Link", "<\(next)>; rel=next")) }
            return response
        }
        let stub = StubTransport(
            page("[1]", next: "/list?page=2"), .status(401), page("[2]", next: "/list?page=3"), page("[3]", next: nil))
        let provider = Provider(["TOKEN": "b"])
        let client = Self.client(stub, provider, variables: ["TOKEN": "a"])
        var items: [Int] = []
        for try await item: Int in client.items(of: Vault.list) { items.append(item) }
        #expect(items == [1, 2, 3])
        #expect(
            try Self.sent(stub) == [
                "Bearer a https://vault.test/list", "Bearer a https://vault.test/list?page=2",
                "Bearer b https://vault.test/list?page=2", "Bearer b https://vault.test/list?page=3",
            ])
    }

    // MARK: Concurrent requests

    /// A transport that rejects every value but one.
    private struct Gate: Transport {
        let accepted: String
        let count = Counter()

        final class Counter: Sendable {
            let requests = Mutex(0)
        }

        func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
            count.requests.withLock { $0 += 1 }
            let token = try request.headers.first { $0.isNamed("Authorization") }?.revealedValue()
            let status = token == "Bearer \(accepted)" ? 200 : 401
            return StreamedResponse(head: ResponseHead(status: status), body: ResponseBody(bytes: []))
        }
    }

    /// A provider whose calls end when the test says so.
    private final class SlowProvider: Sendable {
        private let state = Mutex((calls: 0, isCancelled: false))
        private let gate: AsyncStream<Void>
        private let opener: AsyncStream<Void>.Continuation

        init() { (gate, opener) = AsyncStream.makeStream() }

        var calls: Int { state.withLock(\.calls) }
        var isCancelled: Bool { state.withLock(\.isCancelled) }

        func open() { opener.finish() }

        func values() async -> [String: String] {
            state.withLock { $0.calls += 1 }
            for await _ in gate {}
            if Task.isCancelled { state.withLock { $0.isCancelled = true } }
            return ["TOKEN": "new"]
        }
    }

    @Test(arguments: [[:], ["TOKEN": "old"]])
    func `Concurrent requests share one call of the provider`(_ variables: [String: String]) async throws {
        let provider = SlowProvider()
        let transport = Gate(accepted: "new")
        var client = Client(transport: transport, variables: variables)
        client.credentials = { _ in await provider.values() }
        try await withThrowingTaskGroup(of: Void.self) { [client] group in
            for _ in 0..<50 { group.addTask { try await client.send(Vault.item) } }
            while provider.calls == 0 { await Task.yield() }
            provider.open()
            try await group.waitForAll()
        }
        #expect(provider.calls == 1)
    }

    @Test func `Cancelling a request does not cancel the call of the provider for others`() async throws {
        let provider = SlowProvider()
        var client = Client(transport: Gate(accepted: "new"))
        client.credentials = { _ in await provider.values() }
        let first = Task { [client] in try await client.send(Vault.item) }
        while provider.calls == 0 { await Task.yield() }
        let second = Task { [client] in try await client.send(Vault.item) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        provider.open()
        try await second.value
        #expect(provider.calls == 1)
    }

    @Test func `The call of the provider continues after its only request is cancelled`() async throws {
        let provider = SlowProvider()
        var client = Client(transport: Gate(accepted: "new"))
        client.credentials = { _ in await provider.values() }
        let task = Task { [client] in try await client.send(Vault.item) }
        while provider.calls == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        provider.open()
        try await client.send(Vault.item)
        #expect(provider.calls == 1)
        #expect(!provider.isCancelled)
    }

    @Test func `Requests that share a variable share one call of the provider`() async throws {
        let provider = SlowProvider()
        var client = Client(transport: Gate(accepted: "new"))
        client.credentials = { _ in await provider.values() }
        try await withThrowingTaskGroup(of: Void.self) { [client] group in
            for _ in 0..<20 {
                group.addTask { try await client.send(Vault.item) }
                group.addTask { try await client.send(Vault.either) }
            }
            while provider.calls == 0 { await Task.yield() }
            for _ in 0..<1000 { await Task.yield() }
            provider.open()
            try await group.waitForAll()
        }
        // The first call returns the value that the other requests need.
        #expect(provider.calls == 1)
    }
}
