import CurlTransport
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
                    + #require(declaration.words(of: declaration.examples[0])).joined().map {
                        $0 == "a.txt" ? path : $0
                    } + (declaration.endpoint.pages == nil ? [] : ["--all-pages"])
                let sent = await run(
                    words, variables: variables,
                    transport: CurlTransport(), apis: Self.apis)
                if declaration.endpoint.sample == nil, declaration.endpoint.response.kind == .empty {
                    #expect(sent.code == 0 && sent.out == "", "\(sent)")
                } else if declaration.endpoint.sample == nil {
                    #expect(sent.code == 5)
                    #expect(sent.err.contains("apictl: \(declaration.name): 501 Not Implemented"), "\(sent)")
                } else {
                    let sample = await run(
                        words + ["--sample"], variables: variables,
                        transport: CurlTransport(), apis: Self.apis)
                    #expect(sent == sample)
                }
            }
            if names.contains("movies") {
                let words = ["call", "movies.popular", "--page", "7", "--select", "page"]
                let sent = await run(
                    words, variables: variables,
                    transport: CurlTransport(), apis: Self.apis)
                #expect(sent.out == "7\n")
            }
            #expect(await mock.stop().code == 130)
        }
    }

    @Test("The same seed fails the same calls, sent in another order")
    func failures() async throws {
        let pages = Array(1...20)
        func failed(_ pages: [Int], _ words: String) async throws -> Set<Int> {
            let mock = try await RunningMock("movies --no-auth \(words)")
            var failed: Set<Int> = []
            for page in pages {
                let response = try mock.request(["--head"], "/movie/popular?page=\(page)")
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

    @Test(
        "A part of the requests fails, by target and content except for a random boundary; a repeated one is decided anew"
    )
    func failureRate() {
        let faults = MockFaults(rate: 0.25, seed: 7)
        func failures(_ request: (Int) -> ReceivedRequest) -> Int {
            (0..<2000).count { faults.fails(request($0)) }
        }
        #expect((430...570).contains(failures { ReceivedRequest(target: "/\($0)") }))
        #expect((430...570).contains(failures { ReceivedRequest(target: "/", body: Array("\($0)".utf8)) }))
        #expect((430...570).contains(failures { _ in ReceivedRequest(target: "/") }))
        /// Which of a request's first hundred attempts fail.
        func draw(_ byte: UInt8, _ target: String = "/", boundary: String? = nil) -> [Bool] {
            let type = boundary.map { ResponseHead.Field("content-type", "multipart/form-data; boundary=\($0)") }
            let request = ReceivedRequest(target: target, fields: type.map { [$0] } ?? [], body: [byte])
            let faults = MockFaults(rate: 0.5, seed: 1)
            return (0..<100).map { _ in faults.fails(request) }
        }
        #expect(draw(1) == draw(1) && draw(1) != draw(2) && draw(1) != draw(1, "/x"))
        #expect(draw(1, boundary: "1") == draw(2, boundary: "2"))
    }
}
