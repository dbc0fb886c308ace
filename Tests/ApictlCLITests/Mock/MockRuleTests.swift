import Foundation
import MockServer
import TestSupport
import Testing

@testable import ApictlCLI

/// How `mock` responds to requests that are not plain calls, what it writes, and how it ends.
struct MockRuleTests {
    struct Rule: CustomTestStringConvertible {
        let testDescription: String
        let options: [String]
        let target: String
        let response: String

        init(
            _ id: String, sending options: String = "", _ target: String, _ status: String, _ fields: [String],
            _ body: String, length: Int? = nil
        ) {
            testDescription = id
            self.options = options.split(separator: " ").map(String.init).map { $0.replacing("_", with: " ") }
            self.target = target
            let open = ["Access-Control-Allow-Origin: *", "Access-Control-Expose-Headers: *"]
            let length = length ?? (body.isEmpty ? nil : body.utf8.count)
            // Every response but a refusal of the host is open to pages of other origins.
            let all =
                ["HTTP/1.1 \(status)"] + fields + (status.hasPrefix("421") ? [] : open)
                + (length.map { ["Content-Length: \($0)"] } ?? [])
            response = (all + ["", body]).joined(separator: "\n")
        }

        /// A response with a JSON object.
        init(
            _ id: String, sending options: String = "", _ target: String, _ status: String, _ fields: [String] = [],
            json: String
        ) {
            self.init(id, sending: options, target, status, ["Content-Type: application/json"] + fields, json + "\n")
        }

        /// The headers of the sample.
        init(sample id: String, sending options: String = "", _ target: String, _ status: String = "200 OK") {
            self.init(
                id, sending: "--head " + options, target, status, ["Content-Type: application/json"], "",
                length: MoviePage.sample.utf8.count)
        }
    }

    static let rules: [Rule] = [
        Rule(
            "unknown path", "/serch", "404 Not Found",
            json: #"{"message":"no endpoint for GET /serch","nearest":"GET /search"}"#),
        Rule(
            "unknown path with a value", "/movie/550/postr", "404 Not Found",
            json: #"{"message":"no endpoint for GET /movie/550/postr","nearest":"GET /movie/{value}/poster"}"#),
        Rule(
            "nothing similar", "/%22?key=secret", "404 Not Found",
            json: #"{"message":"no endpoint for GET /%22"}"#),
        Rule(
            "wrong method", sending: "--request PATCH", "/movie/popular", "405 Method Not Allowed",
            ["Allow: GET, HEAD, OPTIONS"],
            json: #"{"message":"no endpoint for PATCH /movie/popular, only for GET, HEAD, OPTIONS"}"#),
        Rule(
            "OPTIONS", sending: "--request OPTIONS", "/movie/550/rating", "204 No Content",
            ["Allow: DELETE, POST, OPTIONS"], ""),
        Rule(
            "preflight",
            sending: "--request OPTIONS -H Access-Control-Request-Method:_PUT "
                + "-H Access-Control-Request-Headers:_authorization,x-client", "/x", "204 No Content",
            ["Access-Control-Allow-Methods: PUT", "Access-Control-Allow-Headers: authorization,x-client"], ""),
        Rule(
            "other host", sending: "-H Host:_evil.example:PORT", "/movie/popular", "421 Misdirected Request",
            json: #"{"message":"the Host header must be one of 127.0.0.1:PORT, localhost:PORT, [::1]:PORT"}"#),
        Rule(
            "other port", sending: "-H Host:_localhost:1", "/movie/popular", "421 Misdirected Request",
            json: #"{"message":"the Host header must be one of 127.0.0.1:PORT, localhost:PORT, [::1]:PORT"}"#),
        Rule(sample: "localhost", sending: "-H Host:_LocalHost:PORT", "/movie/popular"),
        Rule(sample: "path of the API's server", "/3/movie/popular?page=2"),
        Rule(
            "chosen status", "/movie/550/poster", "503 Service Unavailable",
            json: #"{"message":"503 chosen by --status"}"#),
        Rule(
            "no sample", "/search?query=x", "501 Not Implemented", json: #"{"message":"movies.search has no sample"}"#),
        Rule("no body", sending: "--request DELETE", "/movie/550/rating", "204 No Content", [], ""),
    ]

    @Test(arguments: rules)
    func responds(_ rule: Rule) async throws {
        let mock = try await RunningMock("movies --no-auth --status movies.poster=503")
        let port = String(mock.address.split(separator: ":").last ?? "")
        let response = try mock.curl(rule.options.map { $0.replacing("PORT", with: port) }, rule.target)
        // A longer port makes a longer body.
        func plain(_ text: String) -> String {
            text.replacing(/Content-Length: (88|91)\n/, with: "Content-Length: N\n")
        }
        #expect(plain(response) == plain(rule.response))
    }

    @Test func successStatusKeepsTheSample() async throws {
        let mock = try await RunningMock("movies --no-auth --status movies.new-movies=500 --status movies.popular=201")
        let rule = Rule(sample: "", "/movie/popular", "201 Created")
        #expect(try mock.curl(rule.options, rule.target) == rule.response)
    }

    @Test func latency() async throws {
        let mock = try await RunningMock("movies --no-auth --latency 300ms")
        let start = ContinuousClock.now
        _ = try mock.curl([], "/movie/popular")
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test func writes() async throws {
        let mock = try await RunningMock("movies --prefix --status movies.rate=500")
        _ = try mock.curl([], "/movies/movie/popular?api_key=secret")
        _ = try mock.curl(["-H", "Host: evil"], "/movies/search")
        _ = try mock.curl([], "/x?api_key=secret")
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
        let log = "GET /movies/movie/popular 200 movies.popular\nGET /movies/search 421\nGET /x 404\n"
        #expect(await mock.stop() == Outcome(out: mock.address + "\n", err: summary + log, code: 130))
    }

    @Test func quiet() async throws {
        let mock = try await RunningMock("movies -q --fail-rate 0.5 --seed 3")
        let before = mock.log
        #expect(before.contains("\nFailures: 0.5 of the requests, with --seed 3\n"))
        _ = try mock.curl([], "/movie/popular")
        #expect(await mock.stop().err == before)
    }

    static let wrongLines = [
        wrong("API", "mock moves", "unknown API 'moves' (argument 2); did you mean 'movies'?", see: "list"),
        wrong(
            "not served", "mock echo --status movies.rate=500", "--status (argument 3): movies.rate is not served",
            see: "help mock"),
        wrong(
            "unknown endpoint", "mock --status movies.rates=500",
            "movies has no endpoint 'rates' (argument 2); did you mean 'movies.rate'?", see: "movies"),
        wrong(
            "status", "mock --status movies.rate=99",
            "--status (argument 2): expected an endpoint and a status such as movies.video=503, got 'movies.rate=99'",
            see: "help mock"),
        wrong(
            "port", "mock --port 65536", "--port (argument 2): expected a port from 0 to 65535, got '65536'",
            see: "help mock"),
        wrong(
            "rate", "mock --fail-rate 30", "--fail-rate (argument 2): expected a number from 0 to 1, got '30'",
            see: "help mock"),
        wrong(
            "seed alone", "mock --seed 1", "--seed needs --fail-rate P or --latency D1..D2", see: "help mock"),
        wrong(
            "seed of one latency", "mock --seed 1 --latency 1s", "--seed needs --fail-rate P or --latency D1..D2",
            see: "help mock"),
        wrong(
            "latencies", "mock --latency 2s..1s",
            "--latency (argument 2): expected a duration such as 300ms, or two such as 100ms..2s, the shorter one first, got '2s..1s'",
            see: "help mock"),
        wrong(
            "bytes a second", "mock --rate 0",
            "--rate (argument 2): expected a size such as 65536, 64k, 10M or 1G, got '0'", see: "help mock"),
        wrong("server alone", "mock --env staging", "--env needs --record DIR", see: "help mock"),
        wrong(
            "files twice", "mock --record a --samples b", "--record and --samples can't be used together",
            see: "help mock"),
    ]

    @Test(arguments: wrongLines)
    func wrongCommandLine(_ row: Row) async { await row.check() }

    @Test func help() async {
        let text = """
            apictl mock [API…] [options]
              serve the samples of APIs on this machine

            Server
                  --port N                      the port; 0 picks a free one; default 8080
                  --host ADDRESS                the address to listen on; default 127.0.0.1:
                                                this machine only
                  --prefix                      serve an API under /API even if it is the
                                                only one
              -q, --quiet                       no line for each request

            Responses
                  --samples DIR                 respond with the files in DIR, such as
                                                movies.video@id=550.json
                  --status API.ENDPOINT=STATUS  respond to an endpoint with another status,
                                                such as movies.video=503
                  --no-validate                 accept missing and wrong parameters
                  --no-auth                     accept requests without credentials

            Recording
                  --record DIR                  ask the real server, and save each response
                                                in DIR as a file for --samples
                  --env NAME                    the server to ask, see describe

            Faults
                  --latency D|D1..D2            wait before each response, such as 300ms or
                                                100ms..2s
                  --rate SIZE                   send at most so many bytes of a body in a
                                                second
                  --chunked                     send bodies in chunks, without their length
                  --gzip                        compress bodies for clients that accept it
                  --cut                         close the connection in the middle of each
                                                body
                  --fail-rate P                 let this part of the requests fail with 503,
                                                such as 0.3
                  --seed N                      choose the same failures and latencies each
                                                time

            Help
              -h, --help                        show this help

            The address is the only line on stdout; the routes, the variables to set and a
            line for each request go to stderr.
            Files in --samples DIR are named after the calls that they respond to:
            movies.video.json, movies.video@id=550.json with that parameter,
            movies.video.2.json for the second call, movies.video!503.json with that status,
            and movies.video!503.headers with its headers.
            A client chooses a status with the header 'Prefer: code=503'. Any credential is
            accepted, and none is logged.
            One API is served at /, several under /API each; without a name, all are served.
            The path of an API's own server, such as /3, may be there or not.
            Ctrl-C stops the server when the responses under way have been sent, after 5
            seconds at the latest.

            """
        #expect(await run(["help", "mock"]) == Outcome(out: text))
    }

    @Test func portInUse() async throws {
        let server = try MockServer { _ in .response(200) }
        let message = "apictl: could not listen on 127.0.0.1 port \(server.port): Address already in use\n"
        let outcome = await run(["mock", "--port", String(server.port)])
        #expect(outcome == Outcome(err: message + "To use any free port: --port 0\n", code: 1))
    }

    @Test("A signal lets the response under way finish", arguments: [SIGINT, SIGTERM])
    func signal(_ number: Int32) async throws {
        let directory = try TemporaryDirectory()
        let tools = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent().path
        let process = try RunningProcess(
            "/bin/sh",
            [
                "-c",
                "exec \(tools)/apictl mock narcos --port 0 --latency 1 > \(directory.path)/out 2> \(directory.path)/err",
            ],
            environment: [:])
        func text(_ name: String) -> String {
            FileManager.default.contents(atPath: "\(directory.path)/\(name)").map {
                String(decoding: $0, as: UTF8.self)
            } ?? ""
        }
        func wait(_ isTrue: () -> Bool) async throws {
            let end = ContinuousClock.now + .seconds(120)
            while !isTrue() {
                try #require(ContinuousClock.now < end)
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        try await wait { text("out").hasSuffix("\n") }
        let address = String(text("out").dropLast())
        let curl = Task.detached {
            try ChildProcess.run(
                "/usr/bin/env", ["curl", "--silent", "--fail", address + "/3/police"],
                environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""])
        }
        try await wait { text("err").hasSuffix("GET /3/police 200 narcos.police\n") }
        process.signal(number)
        #expect(try await process.wait(for: .seconds(120)) == 128 + number)
        let response = try await curl.value
        #expect(response.status == 0)
        #expect(!response.output.isEmpty)
    }
}
