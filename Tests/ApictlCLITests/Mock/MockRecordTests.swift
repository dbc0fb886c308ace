import CurlTransport
import EndpointKit
import Foundation
import MockServer
import Synchronization
import Testing

@testable import ApictlCLI

/// `mock --record` and `call --record` against a server that stands in for the real one.
struct MockRecordTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var path: String { directory.path + "/new" }

    /// The files that were written, with their texts.
    private var files: [String: String] { (try? TemporaryDirectory.contents(of: path)) ?? [:] }

    /// Starts a server that stands in for the real one. Every third call of a page gets another title. The server
    /// repeats credentials, and sends tokens of its own.
    private func real() throws -> MockServer {
        let calls = Mutex(0)
        return try MockServer { request in
            switch (request.method, request.path) {
            case ("GET", "/3/movie/popular"):
                let number = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                return .json(
                    #"{"page":1,"total_pages":2,"results":[{"id":1,"title":"\#(number / 3)","key":"s3cret%2F"}],"new":1}"#,
                    fields: [
                        ("Set-Cookie", "session=abc"), ("ETag", "\"1\""), ("X-Echo", "key s3cret/"),
                        ("Date", "today"), ("X-Auth-Token", "t"), ("Access-Control-Allow-Origin", "https://x.test"),
                    ])
            case ("GET", "/3/movie/8"):
                let own = ["X-Api-Key", "X-Auth-Token", "Private-Token"].map { request[$0] ?? "" }
                let echo =
                    (own + [request.bodyText, request["Host"] ?? ""]).joined(separator: " ") + "\(request.queryItems)"
                let quoted = echo.replacing("\"", with: "'")
                return .json(
                    #"{"access_token": "fr3sh", "key": "public", "user": {"password": "pa55w"}, "echo": "\#(quoted)"}"#)
            case ("GET", "/3/movie/10"):
                return .response(
                    200, fields: [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
                    body: Array("scope=a+b&access_token=fr3sh%2B&password=pa55w&token=".utf8))
            case ("GET", "/3/movie/now_playing"):
                let base = "http://\(request["Host"] ?? "")/3"
                return .json(
                    #"{"page":1,"results":[],"total_pages":1,"next":"\#(request.queryItems.contains { $0.name == "after" } ? "" : "c2")","self":"\#(base)/x"}"#,
                    fields: [("Link", "<\(base)/movie/now_playing?after=c2>; rel=\"next\"")])
            case ("GET", "/3/movie/9"): return .json(#"{"message":"no such movie"}"#, status: 404)
            case ("GET", "/3/movie/550/poster"):
                return .response(200, fields: [("Content-Type", "image/png; x=1")], body: [0x89, 0x50])
            case ("POST", "/3/movie/7/rating"): return .json(request.bodyText, status: 201)
            case ("DELETE", _): return .response(204)
            default: return .text("not here", status: 404)
            }
        }
    }

    private func recording(
        _ real: MockServer, _ words: String = "", variables: [String: String] = ["MOVIES_KEY": "s3cret/"]
    ) async throws -> RunningMock {
        try await RunningMock(
            "movies --no-auth --record \(path) \(words)", files: DiskFileSystem(),
            variables: variables.merging(["APICTL_MOVIES_URL": real.baseURL + "/3"]) { $1 },
            transport: CurlTransport())
    }

    @Test("The configured time limit also limits the source of a credential")
    func configuredLimit() async throws {
        let pipe = directory.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let settings = #""max-time": "0.2", "credentials": {"MOVIES_KEY": {"file": "\#(pipe)"}}"#
        let text = #"{"version": 1, "apis": {"movies": {\#(settings)}}}"#
        let configuration = try directory.write("config", text.utf8)
        let server = try real()
        let mock = try await recording(server, variables: ["APICTL_CONFIG": configuration])
        let answer = try mock.request([], "/movie/popular?page=1")
        _ = await mock.stop()
        #expect(answer.contains("502") && answer.contains("it took longer than --max-time allows"), "\(answer)")
        withExtendedLifetime(server) {}
    }

    @Test("Responses are passed on and recorded without secrets and cookies, and --samples replays the same ones")
    func recordsAndReplays() async throws {
        let real = try real()
        let mock = try await recording(real, "--unsafe")
        // The response to the third request differs from that to the second.
        let targets: [(target: String, options: [String])] = [
            ("/movie/popular?page=1&api_key=mine", []), ("/movie/popular?page=1", []), ("/movie/popular?page=1", []),
            ("/movie/popular?page=2", []), ("/movie/9?language=en", []), ("/movie/550/poster", []),
            ("/movie/7/rating", ["--json", #"{"value":8.5}"#]), ("/movie/7/rating", ["-X", "DELETE"]),
        ]
        let live = try targets.map { try mock.request($0.options, $0.target) }
        _ = await mock.stop()

        #expect(real.received.first?.queryItems == [.init("page", "1"), .init("api_key", "s3cret/")])
        #expect(
            files.keys.filter { $0.hasSuffix(".headers") }.sorted() == [
                "movies.popular@page=1.2.headers", "movies.popular@page=1.headers", "movies.popular@page=2.headers",
                "movies.poster@value=550.headers",
            ])
        #expect(files["movies.popular@page=1.headers"] == "ETag: \"1\"\nX-Echo: key (redacted)\n")
        #expect(files["movies.poster@value=550.headers"] == "Content-Type: image/png; x=1\n")
        #expect(files["movies.popular@page=1.json"]?.contains("      \"key\": \"(redacted)\"\n") == true)
        #expect(
            mock.lines == [
                "GET /movie/popular?page=1&api_key=(redacted) 200 movies.popular, recorded as movies.popular@page=1.json",
                "GET /movie/popular?page=1 200 movies.popular, recorded as movies.popular@page=1.json",
                "GET /movie/popular?page=1 200 movies.popular, recorded as movies.popular@page=1.2.json",
                "GET /movie/popular?page=2 200 movies.popular, recorded as movies.popular@page=2.json",
                "GET /movie/9?language=en 404 movies.details, recorded as movies.details@value=9&language=en!404.json",
                "GET /movie/550/poster 200 movies.poster, recorded as movies.poster@value=550.png",
                "POST /movie/7/rating 201 movies.rate, recorded as movies.rate@value=7!201.json",
                "DELETE /movie/7/rating 204 movies.forget, recorded as movies.forget@value=7.txt",
            ])

        let replay = try await RunningMock("movies --no-auth --samples \(path)", files: DiskFileSystem())
        #expect(replay.notes == [])
        // The first two responses are equal, so that they are recorded once.
        let replayed = try targets.dropFirst().map { try replay.request($0.options, $0.target) }
        #expect(replayed.map(Self.withSortedHeaders) == live.dropFirst().map(Self.withSortedHeaders))
        #expect(!live[0].contains("Access-Control-"))
    }

    /// Returns a response with its headers in order, and without those for web pages.
    private static func withSortedHeaders(_ response: String) -> String {
        let headAndBody = response.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        let lines = headAndBody[0].split(separator: "\n").filter { !$0.hasPrefix("Access-Control-") }
        let body = headAndBody.dropFirst().first ?? ""
        return lines.sorted().joined(separator: "\n") + "\n\n" + body
    }

    @Test("Web pages of other origins need --allow-origin to use real credentials, and unsafe methods need --unsafe")
    func gates() async throws {
        let real = try real()
        let mock = try await recording(real)
        let foreign = [
            ["Origin: https://evil.test"], ["Origin: null"], ["Sec-Fetch-Site: cross-site"],
            ["Origin: https://evil.test", "Access-Control-Request-Method: GET"],
        ].map { $0.flatMap { ["-H", $0] } }
        for options in foreign + [foreign[3] + ["-X", "OPTIONS"]] {
            let response = try mock.request(options, "/movie/9")
            #expect(response.hasPrefix("HTTP/1.1 403 ") && !response.contains("Access-Control-"), "\(options)")
        }
        let message = "DELETE may change data on the real server: it needs --unsafe"
        #expect(try mock.get("/movie/7/rating", ["-X", "DELETE"]) == "403 {\"message\":\"\(message)\"}\n")
        #expect(mock.lines.last == "DELETE /movie/7/rating 403 movies.forget, \(message)")
        #expect(real.received.isEmpty)
        #expect(try mock.get("/movie/9", ["-H", "Origin: \(mock.address)"]).hasPrefix("404 {"))
        let open = try await recording(real, "--allow-origin https://app.test --allow-origin app+x://localhost:1")
        #expect(try open.get("/movie/9", foreign[0]).hasPrefix("403 "))
        let response = try open.request(["-H", "Origin: https://app.test"], "/movie/9")
        #expect(response.hasPrefix("HTTP/1.1 404 "))
        #expect(response.contains("\nAccess-Control-Allow-Origin: https://app.test\n"))
        let toAll = try await recording(real, "--allow-origin *").request(foreign[0], "/movie/9")
        #expect(toAll.contains("\nAccess-Control-Allow-Origin: https://evil.test\n"))
    }

    @Test("No file and no message has a client's own credentials, or those that the server issues")
    func tokens() async throws {
        let real = try real()
        defer { real.stop() }
        let mock = try await recording(real)
        let headers = ["X-Api-Key: m1ne-a", "X-Auth-Token: m1ne-b", "Private-Token: m1ne-c"].flatMap { ["-H", $0] }
        let live = try mock.get("/movie/8?token=m1ne-d", headers)
        #expect(live.contains("fr3sh") && live.contains("pa55w") && !live.contains("m1ne"))
        let file = files["movies.details@value=8.json"] ?? ""
        #expect(file.contains(#""access_token": "(redacted)","#) && file.contains(#""key": "public","#))
        for secret in ["fr3sh", "pa55w", "m1ne"] { #expect(!(file + mock.log).contains(secret)) }
        #expect(try mock.get("/movie/10").hasSuffix("access_token=fr3sh%2B&password=pa55w&token="))
        #expect(
            files["movies.details@value=10.bin"] == "scope=a+b&access_token=(redacted)&password=(redacted)&token=")
    }

    @Test("Each page has a file of its own, and links lead to the mock that records or replays")
    func pages() async throws {
        let real = try real()
        defer { real.stop() }
        let mock = try await recording(real)
        #expect(
            try mock.request([], "/movie/now_playing").contains(
                "\nLink: <http://127.0.0.1:PORT/movie/now_playing?after=c2>; rel=\"next\"\n"))
        let long = String(repeating: "%C3%A9", count: 60)
        for query in ["?after=c2", "?after=\(long)a", "?after=\(long)b"] {
            _ = try mock.get("/movie/now_playing" + query)
        }
        let names = files.keys.filter { $0.hasSuffix(".json") }.sorted()
        #expect(
            names.map { $0.replacing(/hash=[0-9a-f]{10,16}/, with: "hash=#") } == [
                "movies.new-movies.json", "movies.new-movies@after=c2.json", "movies.new-movies@hash=#.json",
                "movies.new-movies@hash=#.json",
            ])
        #expect(files["movies.new-movies.json"]?.contains("\"self\": \"https://api.movies.test/3/x\"") == true)
        let replay = try await RunningMock("movies --prefix --no-auth --samples \(path)", files: DiskFileSystem())
        #expect(replay.notes == [])
        for (query, next) in [("?after=c2", ""), ("", "c2"), ("?after=\(long)b", "")] {
            let response = try replay.request([], "/movies/movie/now_playing" + query)
            #expect(response.contains("\"next\": \"\(next)\",\n  \"self\": \"http://127.0.0.1:PORT/movies/x\""))
            #expect(response.contains("\nLink: <http://127.0.0.1:PORT/movies/movie/now_playing?after=c2>;"))
        }
    }

    @Test("A new recording removes the files of earlier runs for the same call, except for failures")
    func usedDirectory() async throws {
        let real = try real()
        do {
            let mock = try await recording(real)
            for _ in 0..<3 { _ = try mock.get("/movie/popular") }
        }
        #expect(files.keys.contains("movies.popular.2.json"))
        for name in ["movies.popular.txt", "movies.popular!503.json", "movies.popular@page=2.json"] {
            #expect(FileManager.default.createFile(atPath: "\(path)/\(name)", contents: nil))
        }
        let mock = try await recording(real)
        _ = try mock.get("/movie/popular")
        #expect(
            files.keys.sorted() == [
                "movies.popular!503.json", "movies.popular.headers", "movies.popular.json",
                "movies.popular@page=2.json",
            ])
    }

    @Test("The log of a recording mock does not show the real credential, whatever the response")
    func credentialInLog() async throws {
        let real = try real()
        defer { real.stop() }
        let mock = try await recording(real)
        for target in ["/movie/popular?page=s3cret%2F", "/movie/s3cret%2F", "/nix/s3cret%2F"] {
            _ = try mock.get(target)
            #expect(mock.lines.last?.contains("(redacted)") == true, "\(mock.lines)")
        }
        #expect(!mock.lines.contains { $0.contains("s3cret") })
    }

    @Test("Without a response from the real server, 502 or 504 says why")
    func failures() async throws {
        func recording(_ variables: [String: String]) async throws -> RunningMock {
            try await RunningMock(
                "movies --no-auth --record \(path)", files: DiskFileSystem(),
                variables: ["APICTL_MOVIES_URL": "http://127.0.0.1:1"].merging(variables) { $1 },
                transport: CurlTransport())
        }
        let response = try await recording(["MOVIES_KEY": "k"]).get("/movie/popular?page=1")
        #expect(response.hasPrefix("502 {\"message\":\"could not connect to 127.0.0.1"), "\(response)")
        #expect(files.isEmpty)
        let unsigned = try await recording([:])
        #expect(
            try unsigned.get("/movie/popular")
                == "502 {\"message\":\"a credential is missing: set MOVIES_KEY, or MOVIES_TOKEN\"}\n"
        )
    }

    @Test(
        "A response whose file can't be written is passed on, and the log says why; no file of headers stays alone"
    )
    func unwritable() async throws {
        let real = try real()
        let mock = try await recording(real)
        let file = "\(path)/movies.popular.json"
        try FileManager.default.createDirectory(atPath: file, withIntermediateDirectories: false)
        _ = try mock.get("/movie/popular")
        #expect(mock.lines.last?.contains("not recorded: can't write \(file): ") == true, "\(mock.lines)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["movies.popular.json"])
        try FileManager.default.removeItem(atPath: path)
        #expect(try mock.get("/movie/9").hasPrefix("404 {\n  \"message\": \"no such movie\""))
        let reason = "can't write \(path)/movies.details@value=9!404.json: no such file or directory"
        #expect(mock.lines.last == "GET /movie/9 404 movies.details, not recorded: \(reason)")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(try mock.get("/movie/9").hasPrefix("404 "))
        #expect(files.keys.sorted() == ["movies.details@value=9!404.json"])
    }

    @Test("A directory that can't be used is an error before anything is sent")
    func unusableDirectory() async throws {
        let real = try real()
        let file = try directory.write("file", [])
        let variables = ["APICTL_MOVIES_URL": real.baseURL + "/3", "MOVIES_KEY": "k"]
        for words in ["call movies.popular --record", "mock movies --record", "check movies --save-responses"] {
            for (path, reason) in [(path + "/new", "no such file or directory"), (file, "not a directory")] {
                let outcome = await run(
                    words.words + [path], variables: variables,
                    files: DiskFileSystem(), transport: CurlTransport(), apis: [Movies.self])
                #expect(outcome == Outcome(err: "apictl: can't write \(path): \(reason)\n", code: 1))
            }
        }
        #expect(real.received.isEmpty)
    }

    /// An API that counts how often its examples are read. Examining its endpoints reads them.
    private enum Counted: API {
        case ping

        static let api = APIInfo(name: "counted", servers: [Server("production", url: "https://counted.test")])
        static let reads = Mutex(0)
        static var examples: [Counted] {
            reads.withLock { $0 += 1 }
            return [.ping]
        }

        var endpoint: Endpoint {
            .get(
                "/ping", returns: RawResponse.self, summary: "A ping",
                credentials: [.bearer(variable: "COUNTED_TOKEN").optional])
        }
    }

    @Test("Recording a request does not examine the endpoints again")
    func examinesOnce() async throws {
        let mock = try await RunningMock(
            "counted --record \(path)", apis: [Counted.self], files: DiskFileSystem(),
            variables: ["COUNTED_TOKEN": "t0ken"], transport: StubTransport(.typed("text/plain", "pong t0ken")))
        let before = Counted.reads.withLock { $0 }
        for _ in 1...3 { #expect(try mock.get("/ping") == "200 pong (redacted)") }
        #expect(Counted.reads.withLock { $0 } == before)
        #expect(mock.lines.count == 3 && before > 0)
    }

    @Test("A mock server that would forward to itself is an error at the start")
    func servers() async throws {
        let free = try MockServer { _ in .response(200) }
        free.stop()
        let outcome = await run(
            "mock movies --port \(free.port) --record \(path)", variables: ["APICTL_MOVIES_URL": free.baseURL],
            files: DiskFileSystem(), transport: CurlTransport())
        let message = "apictl: APICTL_MOVIES_URL is the address of this mock server\nSee 'apictl help mock'.\n"
        #expect(outcome == Outcome(err: message, code: 2))
    }

    @Test("call --record writes the response into a file, whatever its status is")
    func call() async throws {
        let real = try real()
        let variables = ["APICTL_MOVIES_URL": real.baseURL + "/3", "MOVIES_KEY": "s3cret/"]
        for (words, expected) in [
            ("movies.popular --select total_pages", Outcome(out: "2\n")), ("movies.details 9 -q", Outcome(code: 4)),
        ] {
            let outcome = await run(
                "call \(words) --record \(path)", variables: variables, files: DiskFileSystem(),
                transport: CurlTransport())
            #expect(outcome == expected)
        }
        #expect(
            files.keys.sorted() == [
                "movies.details@value=9!404.json", "movies.popular.headers", "movies.popular.json",
            ])
    }
}
