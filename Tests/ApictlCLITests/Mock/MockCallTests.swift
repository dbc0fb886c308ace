import EndpointKit
import Endpoints
import MockServer
import Testing

@testable import ApictlCLI

/// apictl itself against `mock`, at the addresses that it prints.
struct MockCallTests {
    private static let credentials = ["MOVIES_KEY": "k", "ECHO_USER": "u", "ECHO_PASSWORD": "p"]
    private static let apis: [any API.Type] = [Movies.self, Echo.self]
    private static let declarations = (try? Registry(apis: apis).endpoints()) ?? []

    @Test("call prints what --sample prints, or that there is no sample", arguments: ["", "--prefix"])
    func calls(_ option: String) async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("a.txt", "a".utf8)
        // Each API alone, and both at once.
        for names in ["movies", "echo", "movies echo"] {
            let mock = try await RunningMock("\(names) \(option)")
            let variables = Self.credentials.merging(mock.variables) { $1 }
            for declaration in Self.declarations where names.contains(declaration.api.name) {
                let words =
                    try ["call"]
                    + #require(ExampleCommand.words(declaration.examples[0])).map { $0 == "a.txt" ? path : $0 }
                let sent = await runOverNetwork(words, apis: Self.apis, variables: variables)
                if declaration.endpoint.sample == nil {
                    #expect(sent.code == 5)
                    #expect(sent.err.contains("apictl: \(declaration.name): 501 Not Implemented"), "\(sent)")
                } else {
                    let sample = await runOverNetwork(words + ["--sample"], apis: Self.apis, variables: variables)
                    #expect(sent == sample)
                }
            }
            #expect(await mock.stop().code == 130)
        }
    }

    /// `check` of the whole catalogue against `mock` with those options; the exit code, and each check's mark and name.
    private func check(_ words: String) async throws -> (code: Int32, checks: [String]) {
        let mock = try await RunningMock("--quiet \(words)", apis: Catalogue.apis)
        let credentials = [
            "TMDB_API_KEY": "k", "GOOGLE_PLACES_API_KEY": "k", "MARVEL_API_KEY": "k", "SHOPIFY_ACCESS_TOKEN": "k",
            "HTTPBIN_USER": "ada", "HTTPBIN_PASSWORD": "lovelace", "HTTPBIN_TOKEN": "k", "LANG": "C",
        ]
        let outcome = await runOverNetwork(
            ["check", "--unsafe"], apis: Catalogue.apis, variables: credentials.merging(mock.variables) { $1 })
        let lines = outcome.out.split(separator: "\n").filter { ["✓", "~", "✗", "–"].contains($0.first) }
        return (outcome.code, lines.map { $0.split(separator: " ").prefix(2).joined(separator: " ") })
    }

    @Test("check of the whole catalogue is green")
    func check() async throws {
        let (code, checks) = try await check("")
        #expect(code == 0)
        #expect(checks.count >= 60 && checks.allSatisfy { $0.hasPrefix("✓") }, "\(checks)")
    }

    @Test("With a seed, check fails the same checks each time")
    func failingChecks() async throws {
        let first = try await check("--fail-rate 0.3 --seed 1")
        let second = try await check("--fail-rate 0.3 --seed 1")
        #expect(first.code == 1)
        #expect(first.checks == second.checks)
        #expect((5...40).contains(first.checks.filter { $0.hasPrefix("✗") }.count))
    }

    @Test("The same seed fails the same calls, sent in another order")
    func failures() async throws {
        let pages = Array(1...20)
        func failed(_ pages: [Int], _ words: String) async throws -> Set<Int> {
            let mock = try await RunningMock("movies --no-auth \(words)")
            var failed: Set<Int> = []
            for page in pages {
                let response = try mock.curl(["--head"], "/movie/popular?page=\(page)")
                if response.hasPrefix("HTTP/1.1 503 ") { failed.insert(page) }
            }
            return failed
        }
        let some = try await failed(pages, "--fail-rate 0.3 --seed 1")
        #expect(!some.isEmpty && some.count < 20)
        #expect(try await failed(pages.reversed(), "--fail-rate 0.3 --seed 1") == some)
        #expect(try await failed(pages, "--fail-rate 0.3 --seed 2") != some)
        #expect(try await failed(pages, "--fail-rate 0") == [])
        #expect(try await failed(pages, "--fail-rate 1") == Set(pages))
    }

    @Test("The given part of the requests fails, and a repeated request is decided anew")
    func failureRate() {
        let chance = MockChance(seed: 7)
        func failures(_ requests: [ReceivedRequest]) -> Int {
            requests.filter { chance.draw($0, to: "a.b").failure < 0.25 }.count
        }
        #expect((430...570).contains(failures((0..<2000).map { ReceivedRequest(target: "/\($0)") })))
        #expect(
            (430...570).contains(failures((0..<2000).map { ReceivedRequest(target: "/", body: Array("\($0)".utf8)) })))
        #expect((430...570).contains(failures((0..<2000).map { _ in ReceivedRequest(target: "/") })))
    }

    @Test("What a request fails by is its endpoint and its content, except for a random boundary")
    func failureKeys() {
        func draw(_ request: ReceivedRequest, _ endpoint: String = "a.b") -> Double {
            MockChance(seed: 1).draw(request, to: endpoint).failure
        }
        let plain = ReceivedRequest(method: "POST", target: "/", body: [1])
        let other = ReceivedRequest(method: "POST", target: "/", body: [2])
        #expect(draw(plain) == draw(plain) && draw(plain) != draw(other) && draw(plain) != draw(plain, "a.c"))
        let parts = [1, 2].map { byte in
            ReceivedRequest(
                method: "POST", target: "/", fields: [.init("content-type", "multipart/form-data; boundary=\(byte)")],
                body: [byte])
        }
        #expect(draw(parts[0]) == draw(parts[1]))
    }
}
