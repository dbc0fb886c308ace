import Foundation
import MockServer
import SystemCalls
import TestSupport
import Testing

@testable import ApictlCLI

/// How `mock` responds to requests that are not plain calls, what it writes, and how it ends.
struct MockRuleTests {
    private static func json(_ status: String, _ text: String, _ fields: String = "") -> String {
        "\(status)\nContent-Type: application/json\n\(fields)\n\(text)\n"
    }

    /// Responses with their length and what opens them to pages of other origins left out; `_` is a space in an option.
    static let rules: [(id: String, options: String, target: String, response: String)] = [
        (
            "unknown path", "", "/serch",
            json("404 Not Found", #"{"message":"no endpoint for GET /serch","nearest":"GET /search"}"#)
        ),
        (
            "unknown path with a value", "", "/movie/550/postr",
            json(
                "404 Not Found",
                #"{"message":"no endpoint for GET /movie/550/postr","nearest":"GET /movie/{value}/poster"}"#)
        ),
        (
            "unknown path under that of the server", "", "/3/serch",
            json(
                "404 Not Found",
                #"{"message":"no endpoint for GET /3/serch","nearest":"GET /search"}"#)
        ),
        (
            "nothing similar", "", "/%22?key=secret",
            json("404 Not Found", #"{"message":"no endpoint for GET /%22"}"#)
        ),
        (
            "wrong method", "--request PATCH", "/movie/popular",
            json(
                "405 Method Not Allowed",
                #"{"message":"no endpoint for PATCH /movie/popular, only for GET, HEAD, OPTIONS"}"#,
                "Allow: GET, HEAD, OPTIONS\n")
        ),
        (
            "OPTIONS", "--request OPTIONS", "/movie/550/rating",
            "204 No Content\nAllow: DELETE, POST, OPTIONS\n\n"
        ),
        (
            "preflight",
            "--request OPTIONS -H Access-Control-Request-Method:_PUT -H Access-Control-Request-Headers:_authorization,x-client",
            "/x",
            "204 No Content\nAccess-Control-Allow-Methods: PUT\nAccess-Control-Allow-Headers: authorization,x-client\n\n"
        ),
        (
            "preflight of a route", "--request OPTIONS -H Access-Control-Request-Method:_GET", "/movie/popular",
            "204 No Content\nAllow: GET, HEAD, OPTIONS\nAccess-Control-Allow-Methods: GET\n\n"
        ),
        ("OPTIONS of the routes", "--request OPTIONS", "/", "204 No Content\nAllow: GET, HEAD, OPTIONS\n\n"),
        ("routes", "--head", "/", "200 OK\nContent-Type: text/plain; charset=utf-8\n\n"),
        (
            "no request", "-H Host:_a -H Host:_b", "/movie/popular",
            json("400 Bad Request", #"{"message":"there must be one Host field"}"#, "Connection: close\n")
        ),
        (
            "other host", "-H Host:_evil.example:PORT", "/movie/popular",
            json(
                "421 Misdirected Request",
                #"{"message":"the host in the Host header must be one of 127.0.0.1, localhost, [::1]"}"#)
        ),
        ("localhost", "--head -H Host:_LocalHost:PORT", "/movie/popular", sample),
        ("path of the API's server", "--head", "/3/movie/popular?page=2", sample),
        (
            "chosen failure", "", "/movie/550/poster",
            json("503 Service Unavailable", #"{"message":"503 chosen by --status"}"#)
        ),
        (
            "no sample", "", "/search?query=x",
            json("501 Not Implemented", #"{"message":"movies.search has no sample"}"#)
        ),
        ("no body", "--request DELETE", "/movie/550/rating", "204 No Content\n\n"),
    ]
    private static let sample = "200 OK\nContent-Type: application/json\n\n"

    @Test(arguments: rules)
    func responds(id: String, options: String, target: String, response: String) async throws {
        let mock = try await RunningMock("movies --no-auth --status movies.poster=503")
        let port = String(mock.address.split(separator: ":").last ?? "")
        let options = options.replacing("PORT", with: port).split(separator: " ").map { $0.replacing("_", with: " ") }
        var found = try mock.request(options.map(String.init), target).replacing(/Content-Length: [0-9]+\n/, with: "")
        let open = "Access-Control-Allow-Origin: *\nAccess-Control-Expose-Headers: *\n"
        #expect(found.contains(open) != (found.contains(" 421 ") || found.contains(" 400 ")))
        found = found.replacing(open, with: "")
        #expect(found == "HTTP/1.1 " + response, "\(id)")
    }

    @Test func successStatusKeepsTheSample() async throws {
        let mock = try await RunningMock("movies --no-auth --status movies.*=500 --status movies.popular=201")
        #expect(try mock.get("/search").hasPrefix("500 "))
        let response = try mock.request([], "/movie/popular")
        #expect(response.hasPrefix("HTTP/1.1 201 Created\n") && response.hasSuffix("\n\n" + MoviePage.firstPage))
    }

    @Test func latency() async throws {
        let mock = try await RunningMock("movies --no-auth --latency 300ms")
        let start = ContinuousClock.now
        _ = try mock.request([], "/movie/popular")
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test func writes() async throws {
        let mock = try await RunningMock("movies --prefix --status movies.rate=500")
        _ = try mock.request([], "/movies/movie/popular?api_key=secret")
        _ = try mock.request(["-H", "Host: evil"], "/movies/search")
        _ = try mock.request([], "/x?api_key=secret")
        let summary = """
            movies
              GET     /movies/movie/popular         movies.popular
              GET     /movies/movie/now_playing     movies.new-movies (no sample)
              GET     /movies/movie/{value}         movies.details (no sample)
              GET     /movies/search                movies.search (no sample)
              POST    /movies/movie/{value}/rating  movies.rate (status 500, no sample)
              DELETE  /movies/movie/{value}/rating  movies.forget
              GET     /movies/movie/{value}/poster  movies.poster

            To call it from a shell:
            export APICTL_MOVIES_URL=\(mock.address)/movies


            """
        #expect(try mock.get("/").hasSuffix(" " + summary.components(separatedBy: "\nTo call")[0]))
        let log = [
            "GET /movies/movie/popular?api_key=(redacted) 200 movies.popular",
            "GET /movies/search 421 the host in the Host header must be one of 127.0.0.1, localhost, [::1]",
            "GET /x?api_key=(redacted) 404 no endpoint for GET /x", "GET / 200 the routes",
        ]
        #expect(mock.lines == log.map { $0[...] })
        let outcome = await mock.stop()
        #expect(outcome.out == mock.address + "\n" && outcome.code == 130)
        #expect(outcome.err.hasPrefix(summary) && outcome.err.matches(of: /\ \d+ ms\n/).count == 4)
    }

    @Test("The log never stops the server: what finds no room is left out, and its reader may go")
    func log() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = try Descriptor.makePipe()
        let log = MockLog(DescriptorOutput(descriptor: pipe.writing, name: "stderr"))
        func read() throws -> String {
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            let count = try buffer.withUnsafeMutableBytes { try Descriptor.read(pipe.reading, into: $0) }
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
        for _ in 0..<300 { log.write(String(repeating: "x", count: 999) + "\n") }
        #expect(try read().count < 300_000)
        log.write("next\n")
        #expect(try read().contains(/^\(\d+ messages left out: stderr was not read\)\nnext\n$/))
        close(pipe.reading)
        log.write("unread\n")
        close(pipe.writing)
    }

    @Test("The address to listen on, and the hosts that are accepted there")
    func hosts() async throws {
        let mock = try await RunningMock("movies --no-auth --host ::1")
        #expect(mock.address.hasPrefix("http://[::1]:"))
        #expect(try mock.get("/movie/popular").hasPrefix("200 "))
        let bracketed = try await RunningMock("movies --no-auth --host [::1]")
        #expect(bracketed.address.hasPrefix("http://[::1]:"))
        let all = MockHosts("0.0.0.0")
        for host in ["10.0.0.1", "10.0.0.1:80", "[fe80::1]:80", "localhost", "LocalHost:81"] {
            #expect(all.accept(host))
        }
        for host in ["evil.example", "10.evil:80", "[::1].evil", nil] { #expect(!all.accept(host)) }
        let one = MockHosts("box.local")
        #expect(one.names == ["127.0.0.1", "localhost", "[::1]", "box.local"])
        #expect(one.accept("[::1]:9") && !one.accept("10.0.0.1:81"))
    }

    @Test func quiet() async throws {
        let mock = try await RunningMock("movies -q --fail-rate 0.5 --seed 3")
        let before = mock.log
        #expect(before.contains("\nFailures: 0.5 of the requests, with --seed 3\n"))
        _ = try mock.request([], "/movie/popular")
        #expect(await mock.stop().err == before)
    }

    static let wrongLines = [
        wrong(
            "mock movies.popular", "expected an API, got 'movies.popular' (argument 2); did you mean 'movies'?",
            see: "list"),
        wrong("mock moves", "unknown API 'moves' (argument 2); did you mean 'movies'?", see: "list"),
        wrong("mock echo --status movies.rate=500", "--status (argument 3): movies.rate is not served"),
        wrong(
            "mock --status movies.rates=500",
            "movies has no endpoint 'rates' (argument 2); did you mean 'movies.rate'?", see: "movies"),
        wrong(
            "mock --status movies.rate=99",
            "--status (argument 2): expected an endpoint and a status such as movies.video=503, got 'movies.rate=99'"),
        wrong("mock --port 65536", "--port (argument 2): expected a port from 0 to 65535, got '65536'"),
        wrong("mock --fail-rate 30", "--fail-rate (argument 2): expected a number from 0 to 1, got '30'"),
        wrong("mock --seed 1 --latency 1s", "--seed needs --fail-rate N"),
        wrong("mock echo --status movies.*=500", "--status (argument 3): movies.popular is not served"),
        wrong("mock --env staging", "--env needs --record DIR"),
        wrong("mock --allow-origin http://a.test", "--allow-origin needs --record DIR"),
        wrong("mock --unsafe", "--unsafe needs --record DIR"),
        wrong("mock --record a --samples b", "--record and --samples can't be used together"),
    ]

    @Test(arguments: wrongLines)
    func wrongCommandLine(_ row: Row) async { await row.check() }

    @Test func help() async {
        let text = await run(["help", "mock"]).out
        #expect(text.hasPrefix("apictl mock [API…] [options]\n  serve the samples of APIs on this machine\n\nServer\n"))
        #expect(text.contains("\n      --status API.ENDPOINT=STATUS  respond to an endpoint with another status,\n"))
        #expect(text.contains("\nThe address is the only line on stdout; the routes, the variables to set and a\n"))
    }

    @Test func portInUse() async throws {
        let server = try MockServer { _ in .response(200) }
        let message = "apictl: could not listen on 127.0.0.1 port \(server.port): Address already in use\n"
        let outcome = await run(["mock", "--port", String(server.port)])
        #expect(outcome == Outcome(err: message + "To use any free port: --port 0\n", code: 1))
    }

    @Test("A signal lets the response under way finish", arguments: [SIGINT, SIGTERM])
    func endsBySignal(_ number: Int32) async throws {
        let directory = try TemporaryDirectory()
        let command = "cd \(directory.path); exec \(builtTool) mock narcos --port 0 --latency 1 > out 2> err"
        let process = try RunningProcess("/bin/sh", ["-c", command], environment: [:])
        func wait(_ name: String, _ end: String) async throws -> String {
            let deadline = ContinuousClock.now + .seconds(120)
            while true {
                let bytes = FileManager.default.contents(atPath: "\(directory.path)/\(name)") ?? Data()
                let text = String(decoding: bytes, as: UTF8.self)
                if text.hasSuffix(end) { return text }
                try #require(ContinuousClock.now < deadline)
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        let address = try await wait("out", "\n").dropLast()
        let call = Task.detached {
            try ChildProcess.run(
                builtTool, ["call", "narcos.police", "--base-url", String(address)], environment: [:])
        }
        _ = try await wait("err", " ms\n")
        process.signal(number)
        #expect(try await process.wait(for: .seconds(120)) == 128 + number)
        let response = try await call.value
        #expect(response.status == 0 && !response.output.isEmpty)
    }
}
