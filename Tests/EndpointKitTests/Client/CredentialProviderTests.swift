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
            case .list: .get("/list", returns: [Int].self, summary: "", pages: .link())
            }
        }
    }

    /// A provider that gives scripted values and keeps what it was asked.
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

    /// The credentials that a transport was given, one text for each request.
    private static func sent(_ stub: StubTransport) throws -> [String] {
        try stub.done().map { request in
            let token = try request.headers.first { $0.isNamed("Authorization") }?.revealedValue() ?? "none"
            return try token + " " + request.revealedURL()
        }
    }

    private static func challenge(
        _ reason: CredentialChallenge.Reason, _ alternatives: [[String]] = [["TOKEN"]]
    ) -> CredentialChallenge {
        CredentialChallenge(reason: reason, api: "vault", alternatives: alternatives)
    }

    @Test func missingValuesAreAskedForOnce() async throws {
        let stub = StubTransport(.status(200), .status(200))
        let provider = Provider(["TOKEN": "a"])
        let client = Self.client(stub, provider)
        try await client.send(Vault.item)
        let copy = client
        try await copy.send(Vault.item)
        #expect(try Self.sent(stub) == ["Bearer a https://vault.test/item", "Bearer a https://vault.test/item"])
        #expect(provider.challenges == [Self.challenge(.missing)])
    }

    @Test func nothingIsAskedForWithoutNeed() async throws {
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

    @Test func severalCredentialsAreAskedForInTurn() async throws {
        let stub = StubTransport(.status(200))
        let provider = Provider(["TOKEN": "a"], ["KEY": "k"])
        try await Self.client(stub, provider).send(Vault.both)
        #expect(try Self.sent(stub) == ["Bearer a https://vault.test/both?key=k"])
        #expect(provider.challenges == [Self.challenge(.missing), Self.challenge(.missing, [["KEY"]])])
    }

    @Test func withoutAValueTheCredentialIsMissing() async throws {
        let stub = StubTransport()
        let provider = Provider([:])
        let client = Self.client(stub, provider)
        let missing = MissingCredential(alternatives: [["TOKEN"]])
        await #expect(throws: RequestError.missingCredential(missing)) { try await client.send(Vault.item) }
        #expect(provider.challenges.count == 1)
        #expect(stub.done().isEmpty)
    }

    @Test func aRejectedValueIsRenewedAndSentOnceMore() async throws {
        let stub = StubTransport(.status(401), .json("[]"))
        let provider = Provider(["TOKEN": "b"])
        let client = Self.client(stub, provider, variables: ["TOKEN": "a"])
        #expect(try await client.send(Vault.item, as: RawResponse.self).bytes == "[]".bytes)
        #expect(try Self.sent(stub) == ["Bearer a https://vault.test/item", "Bearer b https://vault.test/item"])
        #expect(provider.challenges == [Self.challenge(.rejected)])
    }

    @Test func anyOfSeveralCredentialsMayBeRenewed() async throws {
        let stub = StubTransport(.status(401), .status(200))
        let provider = Provider(["KEY": "new"])
        try await Self.client(stub, provider, variables: ["TOKEN": "a", "KEY": "old"]).send(Vault.both)
        #expect(
            try Self.sent(stub) == [
                "Bearer a https://vault.test/both?key=old", "Bearer a https://vault.test/both?key=new",
            ])
        #expect(provider.challenges == [Self.challenge(.rejected, [["TOKEN"], ["KEY"]])])
    }

    @Test func anOptionalCredentialIsAskedForAfterA401() async throws {
        let stub = StubTransport(.status(401), .status(200))
        let provider = Provider(["TOKEN": "b"])
        try await Self.client(stub, provider).send(Vault.maybe)
        #expect(try Self.sent(stub) == ["none https://vault.test/maybe", "Bearer b https://vault.test/maybe"])
    }

    @Test func thereIsOneMoreAttemptOnly() async throws {
        let stub = StubTransport(.status(401), .status(401))
        let provider = Provider(["TOKEN": "b"], ["TOKEN": "c"])
        let client = Self.client(stub, provider, variables: ["TOKEN": "a"])
        let error = try await statusError { try await client.send(Vault.item) }
        #expect(error.status == 401)
        #expect(provider.challenges.count == 1)
        #expect(stub.done().count == 2)
    }

    @Test func withoutAnotherValueThe401IsTheResponse() async throws {
        let stub = StubTransport(.json(401, #"{"message":"no"}"#))
        let provider = Provider(["TOKEN": "a"])
        let client = Self.client(stub, provider, variables: ["TOKEN": "a"])
        let error = try await statusError { try await client.send(Vault.item) }
        #expect(error.serverMessage == "no")
        #expect(stub.done().count == 1)
    }

    @Test func theErrorOfTheProviderIsThrown() async throws {
        struct LoggedOut: Error {}
        let stub = StubTransport(.status(401))
        var client = Client(transport: stub, variables: ["TOKEN": "a"])
        client.credentials = { _ in throw LoggedOut() }
        await #expect(throws: LoggedOut.self) { try await client.send(Vault.item) }
        client.options.variables = { _ in nil }
        await #expect(throws: LoggedOut.self) { try await client.send(Vault.item) }
        // An error that would be retried if it were one of the request itself.
        client.retry.count = 3
        client.options.variables = { _ in "a" }
        client.credentials = { _ in throw TransportError(.notConnected) }
        client.transport = StubTransport(.status(401))
        await #expect(throws: TransportError.self) { try await client.send(Vault.item) }
        #expect(stub.done().count == 1)
    }

    @Test func furtherPagesHaveTheNewValue() async throws {
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
    func concurrentRequestsShareOneCall(_ variables: [String: String]) async throws {
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

    @Test func aCancelledRequestDoesNotEndTheCallForOthers() async throws {
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
        #expect(provider.calls <= 2)
    }

    @Test func theCallEndsWithTheLastRequest() async throws {
        let provider = SlowProvider()
        var client = Client(transport: Gate(accepted: "new"))
        client.credentials = { _ in await provider.values() }
        let task = Task { [client] in try await client.send(Vault.item) }
        while provider.calls == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        while !provider.isCancelled { await Task.yield() }
    }
}
