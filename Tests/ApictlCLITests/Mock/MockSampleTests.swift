import Endpoints
import Foundation
import Testing

@testable import ApictlCLI

/// The files of `mock --samples`.
struct MockSampleTests {
    /// Names of files, and their parts as text: endpoint, parameters, number, status and extension. Without parts, the
    /// name has another form.
    static let names: [(fileName: String, parts: String?)] = [
        ("movies.video.json", "movies.video [] 1 - json"),
        ("movies.newMovies.json", "movies.new-movies [] 1 - json"),
        ("movies.video@id=550.json", "movies.video [id=550] 1 - json"),
        ("movies.video@movieID=1&b=%2E%26x%2F.2!503.headers", "movies.video [movie-id=1 b=.&x/] 2 503 headers"),
        ("movies.video!404.json", "movies.video [] 1 404 json"),
        ("movies.video@id=.json", "movies.video [id=] 1 - json"),
        ("movies.json", nil), ("movies.video", nil), ("movies.video.", nil), ("movies.video!99.json", nil),
        ("movies.video!x.json", nil), ("movies.video@id.json", nil), ("movies.video@=1.json", nil), ("README", nil),
    ]

    @Test("The name of a file says endpoint, parameters, number and status", arguments: names)
    func parts(_ row: (fileName: String, parts: String?)) {
        let parts = SampleName(row.fileName).map { name in
            let parameters = name.parameters.map { "\($0.name)=\($0.text)" }.joined(separator: " ")
            let status = name.status.map(String.init) ?? "-"
            return "\(name.endpoint) [\(parameters)] \(name.number) \(status) \(name.fileExtension)"
        }
        #expect(parts == row.parts)
    }

    @Test("A name is written as it was read")
    func writtenName() {
        let text = "movies.details@value=%2E%2E%2Fa%2Eb%211%402%26c%3Dd.3!404.json"
        #expect(SampleName(text)?.text == text)
        #expect(SampleName(text)?.parameters.first?.text == "../a.b!1@2&c=d")
    }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func mock(_ words: String = "") async throws -> RunningMock {
        try await RunningMock("movies --no-auth --samples \(directory.path) \(words)", files: DiskFileSystem())
    }

    private func write(_ files: [String: String]) throws {
        for (name, text) in files { _ = try directory.write(name, text.utf8) }
    }

    @Test("A pipe among the files is no sample, so that nobody waits for its writer", .timeLimit(.minutes(2)))
    func pipe() async throws {
        try #require(mkfifo(directory.path + "/movies.video.json", 0o600) == 0)
        #expect(try await mock().notes == [])
    }

    @Test("The responses of an HTTP archive are samples as files are, whichever server was asked")
    func archive() async throws {
        func entry(_ url: String, _ response: String) -> String {
            #"{"request":{"method":"GET","url":"\#(url)"},"response":\#(response)}"#
        }
        let entries = [
            entry(
                "https://staging.movies.test/3/movie/popular?page=2",
                ##"""
                {"status":200,"headers":[{"name":"Content-Encoding","value":"gzip"},{"name":"X-Total","value":"9"}],
                 "content":{"mimeType":"application/json","text":"{\"n\":1}"}}
                """##),
            entry("https://qa.test/movie/popular?page=2", #"{"status":200,"content":{"text":"{\"n\":2}"}}"#),
            entry(
                "https://qa.test/movie/popular?page=3", #"{"status":503,"content":{"text":"e30=","encoding":"base64"}}"#
            ),
            entry("https://qa.test/movie/popular?page=4", #"{"status":304}"#),
            entry("https://qa.test/logo.png", #"{"status":200,"content":{"text":"x"}}"#),
            entry(
                "https://staging.movies.test/3/movie/popular?page=5",
                #"{"status":200,"content":{"mimeType":"application/json","text":"{\"next\":\"https://staging.movies.test/3/movie/popular?page=6\"}"}}"#
            ),
        ]
        let text = #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#
        let files = MemoryFiles(["f.har": text.exactBytes])
        let mock = try await RunningMock("movies --no-auth --samples f.har", files: files)
        #expect(
            mock.notes == [
                "apictl: f.har: requests of no endpoint: 1, left out",
                "apictl: f.har: requests without a recorded body: 1, left out",
            ])
        #expect(try mock.get("/movie/popular?page=2") == "200 {\n  \"n\": 1\n}\n")
        #expect(try mock.get("/movie/popular?page=2") == "200 {\"n\":2}")
        #expect(try mock.get("/movie/popular?page=3") == "503 {}")
        // Links lead to the mock, not to the server that was recorded.
        let link = "http://127.0.0.1:PORT/movie/popular?page=6"
        #expect(try mock.get("/movie/popular?page=5") == "200 {\n  \"next\": \"\(link)\"\n}\n")
    }

    @Test("The file with the most parameters that fit responds, or else the declared sample")
    func parameters() async throws {
        try write([
            "movies.popular@page=2.json": "[2]", "movies.search.json": "[0]", "movies.search@query=a.json": "[1]",
            "movies.search@query=a&adult=true.json": "[2]", "movies.search@genres=1,2.json": "[3]",
            "movies.poster.png": "png", "movies.details.html": "<p>", "movies.rate.json": #"{"status": "OK"}"#,
        ])
        let mock = try await mock()
        #expect(mock.notes == [])
        let routes = try mock.get("/").split(separator: "\n").filter { $0.hasSuffix(" (no sample)") }
        #expect(routes == ["  GET     /movie/now_playing     movies.new-movies (no sample)"])
        #expect(try mock.get("/movie/popular?page=2") == "200 [2]")
        #expect(try mock.get("/movie/popular?page=3").hasPrefix("200 {\"total_pages\""))
        #expect(try mock.get("/search?query=b") == "200 [0]")
        #expect(try mock.get("/search?query=a") == "200 [1]")
        #expect(try mock.get("/search?adult=true&query=a") == "200 [2]")
        #expect(try mock.get("/search?query=b&genre=1&genre=2") == "200 [3]")
        #expect(try mock.get("/movie/1/rating", ["--json", #"{"value": 1}"#]) == #"200 {"status": "OK"}"#)
        #expect(try mock.request([], "/movie/1/poster").contains("\nContent-Type: image/png\n"))
        #expect(try mock.request([], "/movie/1").contains("\nContent-Type: text/html; charset=utf-8\n"))
    }

    @Test("Values of numbers are compared as numbers, even if several share a query item")
    func values() async throws {
        try write(["places.nearby@latitude=3.json": "[1]", "places.nearby@latitude=3%2E0&longitude=-4%2E5.json": "[2]"])
        let mock = try await RunningMock(
            "places --no-auth --samples \(directory.path)", apis: [Places.self], files: DiskFileSystem())
        #expect(mock.notes == [])
        #expect(try mock.get("/maps/api/place/nearbysearch/json?location=3.0,5") == "200 [1]")
        #expect(try mock.get("/maps/api/place/nearbysearch/json?location=3,-4.50") == "200 [2]")
        #expect(try mock.get("/maps/api/place/nearbysearch/json?location=5,3").hasPrefix("200 {"))
        #expect(try mock.get("/maps/api/place/nearbysearch/json?location=5").hasPrefix("422 "))
    }

    @Test("Numbered files respond in turn, and a failure only if its number has no success")
    func sequence() async throws {
        try write([
            "movies.popular.json": "[1]", "movies.popular.2!503.json": "[2]", "movies.popular.3.json": "[3]",
            "movies.popular!500.json": "[500]", "movies.poster@value=1!404.json": "{}",
        ])
        let mock = try await mock("--status movies.poster=500")
        let calls = try (0..<4).map { _ in
            _ = try mock.request(["--head"], "/movie/popular")
            return try mock.get("/movie/popular")
        }
        #expect(calls == ["200 [1]", "503 [2]", "200 [3]", "200 [1]"])
        #expect(try mock.get("/movie/1/poster") == "500 {\"message\":\"500 chosen by --status\"}\n")
    }

    @Test("With --status, a file with that status responds")
    func chosenStatus() async throws {
        try write([
            "movies.popular.json": "[1]", "movies.popular!500.json": "[500]",
            "movies.popular!503.headers": "Retry-After: 1\r\nContent-Length: 9\n", "movies.popular.2!503.json": "[2]",
            "movies.popular.2!503.headers": "retry-after: 7", "movies.poster@value=1!404.json": "{}",
        ])
        for (status, target, response) in [
            ("popular=500", "/movie/popular", "500 [500]"),
            ("popular=429", "/movie/popular", "429 {\"message\":\"429 chosen by --status\"}\n"),
            ("popular=201", "/movie/popular", "201 [1]"), ("poster=404", "/movie/1/poster", "404 {}"),
        ] {
            #expect(try await mock("--status movies.\(status)").get(target) == response)
        }
        let failing = try await mock("--status movies.popular=503")
        #expect(try failing.request([], "/movie/popular").contains("\nretry-after: 7\n"))
        let fine = try await mock("--status movies.poster=200")
        #expect(try fine.request([], "/movie/1/poster").hasPrefix("HTTP/1.1 200 OK\n"))
    }

    @Test("Files that can't be used are reported at the start, and in the response to a call that needs one")
    func invalidFiles() async throws {
        try write([
            "movies.popular.json": "{\n  \"a\": tru\n}", "movies.search.json": "[1]", "movies.poplar.json": "1",
            "movies.details@langage=en.json": "{}", "movies.video": "", "other.api.json": "", ".hidden": "",
            "movies.search.headers": "a b: c", "movies.new-movies.json": "", "movies.new-movies!404.json": "",
            "movies.details.json": "[1] [2]",
        ])
        let mock = try await mock("--status movies.new-movies=404")
        #expect(
            mock.notes.map { $0.replacing(directory.path, with: "DIR") } == [
                "apictl: DIR/movies.details.json:1:5: expected a line break or the end of input, found '['",
                "apictl: DIR/movies.details@langage=en.json: no parameter 'langage'; did you mean 'language'?",
                "apictl: DIR/movies.new-movies.json:1:1: expected a value, found end of input",
                "apictl: DIR/movies.poplar.json: no endpoint 'movies.poplar'; did you mean 'movies.popular'?",
                "apictl: DIR/movies.popular.json:2:11: expected 'true', found byte 0x0A",
                "apictl: DIR/movies.search.headers:1:1: expected 'Name: value'",
                "apictl: DIR/movies.video: expected a name such as movies.video@id=550.json",
            ])
        #expect(try mock.get("/movie/now_playing") == "404 ")
        let problem = "movies.popular.json:2:11: expected 'true', found byte 0x0A"
        #expect(try mock.get("/movie/popular") == "500 {\"message\":\"\(directory.path)/\(problem)\"}\n")
        #expect(try mock.get("/search?query=x").hasPrefix("500 "))
        #expect(mock.lines.first?.hasSuffix("404 movies.new-movies") == true)
        #expect(mock.lines.contains("GET /movie/popular 500 movies.popular, \(directory.path)/\(problem)"))
    }

    @Test("A changed, new or removed file counts from the next request on")
    func changes() async throws {
        try write(["movies.popular.json": "[1]"])
        let mock = try await mock()
        #expect(try mock.get("/movie/popular") == "200 [1]")
        try write(["movies.popular.json": "[2]"])
        #expect(try mock.get("/movie/popular") == "200 [2]")
        try write(["movies.popular@page=1.json": "[3]"])
        #expect(try mock.get("/movie/popular?page=1") == "200 [3]")
        try FileManager.default.removeItem(atPath: directory.path)
        let problem = "can't read \(directory.path): no such file or directory"
        #expect(try mock.get("/movie/popular") == "500 {\"message\":\"\(problem)\"}\n")
    }

    /// Command lines with a directory or archive that can't be used.
    static let unusable: [Row] = [
        wrong(
            "mock movies --samples f.har", files: ["f.har": "[]"],
            "f.har: this is not a HAR file: it has no list at log.entries"),
        Row(
            "no directory", "mock --samples nowhere", err: "apictl: can't read nowhere: no such file or directory\n",
            code: 1),
    ]

    @Test("A directory or archive that can't be used is an error before the server starts", arguments: unusable)
    func unusableSamples(_ row: Row) async { await row.check() }
}
