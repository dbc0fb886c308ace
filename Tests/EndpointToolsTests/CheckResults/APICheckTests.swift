import EndpointKit
import EndpointTools
import Testing

/// An app's tests call `API.check(with:)` and read the results.
@Suite struct APICheckTests {
    private enum Zoo: API {
        case animals
        case animal(_ id: Int)
        case feed
        case keeper

        static let api = APIInfo(name: "zoo", servers: [Server("s", url: "http://zoo.test")])
        static let examples: [Zoo] = [.animals, .animal(1), .animal(2), .feed, .keeper]

        struct Animal: Codable, Sendable {
            var id: Int
            var name: String?
        }

        var endpoint: Endpoint {
            switch self {
            case .animals: .get("/animals", returns: [Animal].self, summary: "")
            case .animal(let id): .get("/animals/\(id)", returns: Animal.self, summary: "")
            case .feed: .post("/feed", returns: EmptyResponse.self, summary: "")
            case .keeper:
                .get("/keeper", returns: Animal.self, summary: "", credentials: [.bearer(variable: "ZOO_TOKEN")])
            }
        }
    }

    /// A transport with a body for each path. Other paths get 404.
    private struct Bodies: Transport {
        let bodies: [String: String]

        func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
            guard let body = bodies[request.path] else {
                return StreamedResponse(
                    head: ResponseHead(status: 404, reason: "Not Found"), body: ResponseBody(bytes: []))
            }
            return StreamedResponse(head: ResponseHead(status: 200), body: ResponseBody(bytes: Array(body.utf8)))
        }
    }

    /// A list with an unexpected key, and an animal whose identifier has the wrong type.
    private static let driftedBodies = Bodies(bodies: [
        "/animals": #"[{"id": 1, "legs": 4}, {"id": 2, "name": "x"}]"#, "/animals/1": #"{"id": "1"}"#,
    ])

    @Test("A result has the endpoint, the example, the verdict, the status and the URL")
    func resultsAreValues() async throws {
        let results = try await Zoo.check(with: Client(transport: Self.driftedBodies, variables: [:]))
        #expect(results.map(\.name) == ["zoo.animals", "zoo.animal", "zoo.animal", "zoo.feed", "zoo.keeper"])
        #expect(results.map(\.example) == [1, 1, 2, 1, 1])
        #expect(results.map(\.outcome.verdict) == [.drifted, .failed, .failed, .skipped, .skipped])
        #expect(results.map(\.outcome.status) == [200, 200, 404, nil, nil])
        #expect(
            results.map(\.url) == [
                "http://zoo.test/animals", "http://zoo.test/animals/1", "http://zoo.test/animals/2", nil, nil,
            ])
    }

    @Test("A problem has its kind, path, line, and the number of places")
    func problemsAreValues() async throws {
        let results = try await Zoo.check(with: Client(transport: Self.driftedBodies, variables: [:]))
        let drift = try #require(results[0].outcome.problems.first)
        #expect((drift.kind, drift.path, drift.first) == (.unexpectedKey, "$[*].legs", "$[0].legs"))
        #expect((drift.line, drift.count, drift.total) == (1, 1, 2))
    }

    @Test("The description of a result has the verdict, the request and the problems")
    func resultsDescribeThemselves() async throws {
        let transport = Bodies(bodies: ["/animals/1": #"{"id": "\u001b"}"#])
        let results = try await Zoo.check(with: Client(transport: transport, variables: [:]))
        #expect(
            results.map(\.description) == [
                "zoo.animals #1 failed (GET http://zoo.test/animals)\n  status: expected 2xx, found 404 Not Found",
                """
                zoo.animal #1 failed (GET http://zoo.test/animals/1)
                  wrong-type: $.id: expected integer, found string "\\u001b" (line 1)
                  absent-key: $.name was in no response
                """,
                """
                zoo.animal #2 failed (GET http://zoo.test/animals/2)
                  status: expected 2xx, found 404 Not Found. The example's data may be stale.
                """,
                "zoo.feed #1 skipped\n  method: POST may change data on the server",
                "zoo.keeper #1 skipped\n  credential: ZOO_TOKEN is not set",
            ])
    }

    @Test("A missing credential names each alternative once")
    func missingCredentialNamesAlternatives() {
        let missing = MissingCredential(alternatives: [["A", "B"], ["C"], ["A", "B"]])
        #expect("\(missing)" == "a credential is missing: set A and B, or C")
    }

    @Test("Unsafe methods are called if asked for, and credentials are used if they are set")
    func unsafeMethodsAndCredentials() async throws {
        let transport = Bodies(bodies: ["/feed": "", "/keeper": #"{"id": 1, "name": "K"}"#])
        let client = Client(transport: transport, variables: ["ZOO_TOKEN": "t"])
        let results = try await Zoo.check(with: client, includingUnsafe: true)
        #expect(results.suffix(2).map(\.outcome.verdict) == [.passed, .passed])
    }

    /// A transport that is cancelled while it waits.
    private struct Hanging: Transport {
        func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
            try await Task.sleep(for: .seconds(1000))
            throw CancellationError()
        }
    }

    @Test("Cancelling the task cancels the check")
    func cancelling() async throws {
        let task = Task { try await Zoo.check(with: Client(transport: Hanging(), variables: [:])) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}
