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
    private var files: [String: String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let texts = names.map { FileManager.default.contents(atPath: "\(path)/\($0)") ?? Data() }
        return Dictionary(uniqueKeysWithValues: zip(names, texts.map { String(decoding: $0, as: UTF8.self) }))
    }

    /// The real server: each call of a page gets another title.
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
            case ("GET", "/3/movie/9"): return .json(#"{"message":"no such movie"}"#, status: 404)
            case ("GET", "/3/movie/550/poster"):
                return .response(200, fields: [("Content-Type", "image/png; x=1")], body: [0x89, 0x50])
            case ("POST", "/3/movie/7/rating"): return .json(request.bodyText, status: 201)
            case ("DELETE", _): return .response(204)
            default: return .text("not here", status: 404)
            }
        }
    }

    private func recording(_ real: MockServer, _ words: String = "") async throws -> RunningMock {
        try await RunningMock(
            "movies --no-auth --record \(path) \(words)", files: DiskFileSystem(),
            variables: ["APICTL_MOVIES_URL": real.baseURL + "/3", "MOVIES_KEY": "s3cret/"], transport: CurlTransport())
    }

    @Test("Responses are passed on and written, without secrets and cookies; replaying them gives the same responses")
    func recordsAndReplays() async throws {
        let real = try real()
        let mock = try await recording(real)
        // The third one differs.
        let targets: [(target: String, options: [String])] = [
            ("/movie/popular?page=1&api_key=mine", []), ("/movie/popular?page=1", []), ("/movie/popular?page=1", []),
            ("/movie/popular?page=2", []), ("/movie/9?language=en", []), ("/movie/550/poster", []),
            ("/movie/7/rating", ["--json", #"{"value":8.5}"#]), ("/movie/7/rating", ["-X", "DELETE"]),
        ]
        let live = try targets.map { try mock.curl($0.options, $0.target) }
        _ = await mock.stop()

        #expect(real.received.first?.queryItems == [.init("page", "1"), .init("api_key", "s3cret/")])
        #expect(
            files.keys.sorted()
                == [
                    "movies.details@value=9&language=en!404.json", "movies.forget@value=7.txt",
                    "movies.popular@page=1.2.headers", "movies.popular@page=1.2.json",
                    "movies.popular@page=1.headers", "movies.popular@page=1.json", "movies.popular@page=2.headers",
                    "movies.popular@page=2.json", "movies.poster@value=550.headers", "movies.poster@value=550.png",
                    "movies.rate@value=7!201.json",
                ].sorted())
        #expect(files["movies.popular@page=1.headers"] == "ETag: \"1\"\nX-Echo: key (redacted)\n")
        #expect(files["movies.poster@value=550.headers"] == "Content-Type: image/png; x=1\n")
        #expect(
            files["movies.popular@page=1.json"] == """
                {
                  "page": 1,
                  "total_pages": 2,
                  "results": [
                    {
                      "id": 1,
                      "title": "0",
                      "key": "(redacted)"
                    }
                  ],
                  "new": 1
                }

                """)
        #expect(
            mock.lines == [
                "apictl: movies.popular: absent-key: $.results[*].released was in no response",
                "apictl: movies.popular: absent-key: $.results[*].score was in no response",
                "apictl: movies.popular: unexpected-key: $.results[*].key: found string \"(redacted)\" (line 8)",
                "apictl: movies.popular: unexpected-key: $.new: found number 1 (line 11)",
                "GET /movie/popular 200 movies.popular, recorded as movies.popular@page=1.json",
                "GET /movie/popular 200 movies.popular, recorded as movies.popular@page=1.json",
                "GET /movie/popular 200 movies.popular, recorded as movies.popular@page=1.2.json",
                "GET /movie/popular 200 movies.popular, recorded as movies.popular@page=2.json",
                "GET /movie/9 404 movies.details, recorded as movies.details@value=9&language=en!404.json",
                "GET /movie/550/poster 200 movies.poster, recorded as movies.poster@value=550.png",
                "POST /movie/7/rating 201 movies.rate, recorded as movies.rate@value=7!201.json",
                "DELETE /movie/7/rating 204 movies.forget, recorded as movies.forget@value=7.txt",
            ])

        let replay = try await RunningMock("movies --no-auth --samples \(path)", files: DiskFileSystem())
        #expect(replay.notes == [])
        // What was the same as the response before is there once.
        let replayed = try targets.dropFirst().map { try replay.curl($0.options, $0.target) }
        #expect(replayed.map(Self.sorted) == live.dropFirst().map(Self.sorted))
    }

    /// A response with its headers in order.
    private static func sorted(_ response: String) -> String {
        let parts = response.split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        return parts[0].split(separator: "\n").sorted().joined(separator: "\n") + "\n\n"
            + (parts.dropFirst().first ?? "")
    }

    @Test("Without a response from the real server, 502 or 504 says why")
    func failures() async throws {
        let stopped = try MockServer { _ in .response(200) }
        stopped.stop()
        let mock = try await recording(stopped)
        let response = try mock.get("/movie/popular?page=1")
        #expect(response.hasPrefix("502 {\"message\":\"could not connect to 127.0.0.1"), "\(response)")
        #expect(files.isEmpty)
        let unsigned = try await RunningMock(
            "movies --no-auth --record \(path)", files: DiskFileSystem(),
            variables: ["APICTL_MOVIES_URL": "http://127.0.0.1:1"])
        #expect(
            try unsigned.get("/movie/popular")
                == "502 {\"message\":\"a credential is missing: set MOVIES_KEY, or MOVIES_TOKEN\"}\n"
        )
    }

    @Test("What can't be written is passed on all the same, and the log says why")
    func unwritable() async throws {
        let real = try real()
        let mock = try await recording(real)
        try FileManager.default.removeItem(atPath: path)
        #expect(try mock.get("/movie/9").hasPrefix("404 {\n  \"message\": \"no such movie\""))
        let reason = "can't write \(path)/movies.details@value=9!404.json: No such file or directory"
        #expect(mock.lines == ["GET /movie/9 404 movies.details, not recorded: \(reason)"])
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(try mock.get("/movie/9").hasPrefix("404 "))
        #expect(files.keys.sorted() == ["movies.details@value=9!404.json"])

        try FileManager.default.removeItem(atPath: directory.path)
        let variables = ["APICTL_MOVIES_URL": real.baseURL + "/3", "MOVIES_KEY": "k"]
        let outcome = await run(
            ["call", "movies.popular", "--record", path], variables: variables, files: DiskFileSystem(),
            transport: CurlTransport(), apis: [Movies.self])
        #expect(
            outcome
                == Outcome(err: "apictl: can't write \(path): No such file or directory\n", code: 1))
        #expect(real.received.filter { $0.path == "/3/movie/popular" }.isEmpty)
    }

    @Test("The real server must not be this one")
    func servers() async throws {
        let free = try MockServer { _ in .response(200) }
        free.stop()
        let outcome = await run(
            ["mock", "movies", "--port", "\(free.port)", "--record", path],
            variables: ["APICTL_MOVIES_URL": free.baseURL], files: DiskFileSystem(),
            transport: CurlTransport(), apis: [Movies.self])
        #expect(
            outcome
                == Outcome(
                    err: "apictl: APICTL_MOVIES_URL: is the address of this mock server\nSee 'apictl help mock'.\n",
                    code: 2))
    }

    @Test("call --record writes one response, whatever its status")
    func call() async throws {
        let real = try real()
        let variables = ["APICTL_MOVIES_URL": real.baseURL + "/3", "MOVIES_KEY": "s3cret/"]
        let files = DiskFileSystem()
        let popular = await run(
            ["call", "movies.popular", "--record", path, "--select", "total_pages"], variables: variables, files: files,
            transport: CurlTransport(), apis: [Movies.self])
        #expect(popular.out == "2\n")
        #expect(popular.err.hasPrefix("apictl: movies.popular: absent-key: $.results[*].released was in no response\n"))
        let missing = await run(
            ["call", "movies.details", "9", "--record", path, "-q"], variables: variables, files: files,
            transport: CurlTransport(), apis: [Movies.self])
        #expect(missing.code == 4)
        #expect(
            self.files.keys.sorted() == [
                "movies.details@value=9!404.json", "movies.popular.headers", "movies.popular.json",
            ])
    }
}
