import CurlTransport
import EndpointKit
import Endpoints
import Foundation
import JSONText
import MockServer
import SystemCalls
import TestSupport
import Testing

@testable import ApictlCLI

/// An API whose endpoints for GET and HEAD overlap.
private enum Members: API {
    case me
    case head(_ id: Int)

    static let api = APIInfo(name: "members", servers: [Server("local", url: "http://127.0.0.1:9")])
    static let examples: [Members] = [.me, .head(1)]

    var endpoint: Endpoint {
        switch self {
        case .me: .get("/users/me", returns: JSONValue.self, summary: "", sample: .json(Array("{}".utf8)))
        case .head(let id): Endpoint(.head, "/users/\(id)", returns: EmptyResponse.self, summary: "")
        }
    }
}

/// apictl itself against `mock`, at the addresses that it prints.
struct MockCallTests {
    private static let credentials = ["MOVIES_KEY": "k", "ECHO_USER": "u", "ECHO_PASSWORD": "p"]
    private static let declarations = (try? APIRegistry(apis: testAPIs).endpoints()) ?? []

    @Test(
        "A call of a mock prints what --sample prints, or fails with 501 if there is no sample",
        arguments: ["movies", "echo", "movies echo"], ["", "--prefix"])
    func calls(_ names: String, _ option: String) async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("a.txt", "a".utf8)
        let mock = try await RunningMock("\(names) \(option)")
        let variables = Self.credentials.merging(mock.variables) { $1 }
        for declaration in Self.declarations where names.contains(declaration.api.name) {
            let example = try #require(declaration.words(of: declaration.examples[0])).joined()
            let words =
                ["call"] + example.map { $0 == "a.txt" ? path : $0 }
                + (declaration.endpoint.pages == nil ? [] : ["--all-pages", "--max-pages", "1"])
            let sent = await run(words, variables: variables, transport: CurlTransport())
            if declaration.endpoint.sample != nil {
                let sample = await run(words + ["--sample"], variables: variables, transport: CurlTransport())
                #expect(sent == sample)
            } else if declaration.endpoint.response.kind == .empty {
                #expect(sent == Outcome())
            } else {
                #expect(sent.code == 5)
                #expect(sent.err.contains("apictl: \(declaration.name): 501 Not Implemented"), "\(sent)")
            }
        }
        if names.contains("movies") {
            let words = "call movies.popular --page 7 --select page"
            let sent = await run(words, variables: variables, transport: CurlTransport())
            #expect(sent == Outcome(out: "1\n"))
        }
        #expect(await mock.stop().code == 130)
    }

    @Test("A HEAD request calls an endpoint for GET if its path is more specific than that of one for HEAD")
    func head() async throws {
        let mock = try await RunningMock("members", apis: [Members.self])
        for (path, status) in [("/users/me", "200"), ("/users/7", "200"), ("/users/x", "422")] {
            #expect(try mock.request(["--head"], path).hasPrefix("HTTP/1.1 \(status) "), "\(path)")
        }
        _ = await mock.stop()
    }

    @Test("A response announces the end of the connection, and that to OPTIONS has the methods of the path")
    func connectionAndMethods() async throws {
        let mock = try await RunningMock("movies")
        #expect(try mock.request(["-H", "Connection: close"], "/").contains("\nConnection: close\n"))
        #expect(try !mock.request([], "/").contains("Connection"))
        #expect(try mock.request(["-X", "OPTIONS"], "/movie/popular").contains("\nAllow: GET, HEAD, OPTIONS\n"))
        _ = await mock.stop()
    }

    @Test("About as many requests fail as the rate says, whether their targets and bodies differ or are the same")
    func failureRate() {
        let faults = MockFaults(rate: 0.25, seed: 7)
        func failures(_ request: (Int) -> ReceivedRequest) -> Int {
            (0..<2000).count { faults.drawFailure(for: request($0)) }
        }
        #expect((430...570).contains(failures { ReceivedRequest(target: "/\($0)") }))
        #expect((430...570).contains(failures { ReceivedRequest(target: "/", body: Array("\($0)".utf8)) }))
        #expect((430...570).contains(failures { _ in ReceivedRequest(target: "/") }))
    }

    @Test("The order of requests does not change which of them fail")
    func failuresInAnyOrder() {
        let faultsInOrder = MockFaults(rate: 0.3, seed: 1)
        let faultsInReverse = MockFaults(rate: 0.3, seed: 1)
        let requests = (1...20).map { ReceivedRequest(target: "/\($0)") }
        let failuresInReverse = requests.reversed().map(faultsInReverse.drawFailure)
        #expect(requests.map(faultsInOrder.drawFailure) == failuresInReverse.reversed())
    }

    @Test("Seed, target and body choose the requests that fail, whatever the multipart boundary is")
    func failuresBySeedTargetAndBody() {
        /// Returns whether each of the first hundred requests with this target and body fails.
        func draw(_ byte: UInt8, _ target: String = "/", boundary: String? = nil) -> [Bool] {
            let type = boundary.map { HTTPField("content-type", "multipart/form-data; boundary=\($0)") }
            let request = ReceivedRequest(target: target, fields: type.map { [$0] } ?? [], body: [byte])
            let faults = MockFaults(rate: 0.5, seed: 1)
            return (0..<100).map { _ in faults.drawFailure(for: request) }
        }
        #expect(draw(1) == draw(1))
        #expect(draw(1) != draw(2))
        #expect(draw(1) != draw(1, "/x"))
        #expect(draw(1, boundary: "1") == draw(2, boundary: "2"))
    }
}

/// The requests to an endpoint that `mock` refuses, and the options that allow them.
struct MockRequestTests {
    private static func message(_ status: Int, _ text: String) -> String { "\(status) {\"message\":\"\(text)\"}\n" }

    private static let noCredential = message(
        401, "a credential is missing: api_key, or bearer; any value is accepted")

    static let refusals: [(id: String, options: [String], target: String, response: String)] = [
        ("no credential", [], "/movie/popular", noCredential),
        ("credential before parameters", [], "/search", noCredential),
        ("any token", ["-H", "authorization: bearer s3cret"], "/movie/550/poster", "200 "),
        ("missing", [], "/search?api_key=k", message(400, "query item query is missing")),
        (
            "two slashes", [], "//movie/popular",
            #"404 {"message":"no endpoint for GET //movie/popular","nearest":"GET /movie/popular"}"# + "\n"
        ),
    ]

    @Test("A request without its credential or parameters is refused, and a token is not logged", arguments: refusals)
    func refuses(id: String, options: [String], target: String, response: String) async throws {
        let mock = try await RunningMock("movies")
        let found = try mock.get(target, options)
        #expect(response == "200 " ? found.hasPrefix(response) : found == response, "\(id)")
        #expect(!mock.log.contains("s3cret"))
    }

    @Test("A response 401 has a challenge for each way to send the credential")
    func headers() async throws {
        let mock = try await RunningMock("")
        #expect(
            try mock.request([], "/movies/movie/popular").contains(
                "\nWWW-Authenticate: ApiKey realm=\"mock\"\nWWW-Authenticate: bearer realm=\"mock\"\n"))
        #expect(try mock.request([], "/echo/login").contains("\nWWW-Authenticate: basic realm=\"mock\"\n"))
        // The credential of this endpoint is optional.
        #expect(try mock.get("/echo/limits").hasPrefix("501 "))
    }

    @Test("--no-auth and --no-validate accept requests without credentials and with wrong parameters")
    func lenient() async throws {
        let mock = try await RunningMock("movies --no-auth --no-validate --latency 1ms")
        #expect(try mock.get("/movie/popular?page=two").hasPrefix("200 {\"total_pages\""))
        #expect(try mock.get("/search").hasPrefix("501 "))
    }

    @Test("The log names other endpoints that a request fits as well")
    func ambiguous() async throws {
        let mock = try await RunningMock("vault", apis: [Vault.self])
        #expect(try mock.get("/x").hasPrefix("204 "))
        #expect(mock.lines == ["GET /x 204 vault.one, fits vault.other as well"])
    }

    @Test("No token is logged, whether it is in the path, the query or the body")
    func tokens() async throws {
        let mock = try await RunningMock("--prefix", apis: [Vault.self])
        #expect(
            try mock.get("/vault/bot12:abc/send?count=x&token=d3f")
                == "422 {\"message\":\"query item count: expected an integer, got 'x'\"}\n")
        #expect(try mock.get("/vault/bot12%3Aabc/sent").hasPrefix("404 "))
        let body = ["--json", #"{"nickname": "n", "password": "pa55w", "age": "pa55w"}"#, "-X", "PUT"]
        #expect(try mock.get("/vault/settings", body).hasPrefix("422 "))
        #expect(
            mock.lines == [
                "GET /vault/bot(redacted)/send?count=x&token=(redacted) 422 vault.send, query item count: expected an integer, got 'x'",
                "GET /vault/bot(redacted)/sent 404 no endpoint for GET /vault/bot(redacted)/sent",
                #"PUT /vault/settings 422 vault.change, the body: $.age: expected integer, found string "(redacted)" (line 1, column 47)"#,
            ])
    }
}

/// The responses of `mock` to requests that are no plain calls, its output, and its end.
struct MockRuleTests {
    private static func json(_ status: String, _ text: String, _ fields: String = "") -> String {
        "\(status)\nContent-Type: application/json\n\(fields)\n\(text)\n"
    }

    /// Requests to `mock` and its responses. The options have `_` in place of a space within an option, and PORT in
    /// place of the port. The responses lack their length, and the headers that open them to pages of other origins.
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
            "other host", "-H Host:_evil.example:PORT", "/movie/popular",
            json(
                "421 Misdirected Request",
                #"{"message":"the host in the Host header must be one of 127.0.0.1, localhost, [::1]"}"#)
        ),
        (
            "a port that is none", "--head -H Host:_localhost:80x", "/movie/popular",
            "421 Misdirected Request\nContent-Type: application/json\n\n"
        ),
        ("localhost", "--head -H Host:_LocalHost:PORT", "/movie/popular", sample),
        ("path of the API's server", "--head", "/3/movie/popular?page=2", sample),
        (
            "chosen failure", "", "/movie/550/poster",
            json("503 Service Unavailable", #"{"message":"503 chosen by --status"}"#)
        ),
    ]
    private static let sample = "200 OK\nContent-Type: application/json\n\n"

    @Test("Requests that call no endpoint, preflight requests and wrong hosts get their responses", arguments: rules)
    func responds(id: String, options: String, target: String, response: String) async throws {
        let mock = try await RunningMock("movies --no-auth --status movies.poster=503")
        let port = String(mock.address.split(separator: ":").last ?? "")
        let options = options.replacing("PORT", with: port).split(separator: " ").map { $0.replacing("_", with: " ") }
        let actual = try mock.request(options.map(String.init), target).replacing(/Content-Length: [0-9]+\n/, with: "")
        let accessHeaders = "Access-Control-Allow-Origin: *\nAccess-Control-Expose-Headers: *\n"
        let isWrongHost = actual.contains(" 421 ")
        #expect(actual.contains(accessHeaders) != isWrongHost)
        #expect(actual.replacing(accessHeaders, with: "") == "HTTP/1.1 " + response, "\(id)")
    }

    @Test("A success that --status chooses comes with the sample, and the last --status of an endpoint counts")
    func chosenSuccess() async throws {
        let mock = try await RunningMock("movies --no-auth --status movies.*=500 --status movies.popular=201")
        #expect(try mock.get("/search").hasPrefix("500 "))
        let response = try mock.request([], "/movie/popular")
        #expect(response.hasPrefix("HTTP/1.1 201 Created\n") && response.hasSuffix("\n\n" + MoviePage.sample))
    }

    @Test("stdout has only the address; stderr has the routes, the variables and a line for each request")
    func output() async throws {
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
            export MOVIES_KEY=any


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

    @Test("Writing to the log never waits: messages without room are left out and counted, and its reader may go")
    func log() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = try Descriptor.makePipe()
        let log = MockLog(DescriptorStream(pipe.writing, name: "stderr", closesDescriptor: false))
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

    @Test("--host chooses the address to listen on, with or without the brackets of IPv6")
    func listeningAddress() async throws {
        let mock = try await RunningMock("movies --no-auth --host ::1")
        #expect(mock.address.hasPrefix("http://[::1]:"))
        #expect(try mock.get("/movie/popular").hasPrefix("200 "))
        let bracketed = try await RunningMock("movies --no-auth --host [::1]")
        #expect(bracketed.address.hasPrefix("http://[::1]:"))
    }

    @Test("With --host 0.0.0.0, the header Host may have any IP address or localhost, but no other name")
    func hostsOfAllAddresses() {
        let hostsOfAllAddresses = MockHosts("0.0.0.0")
        for host in ["10.0.0.1", "10.0.0.1:80", "[fe80::1]:80", "localhost", "LocalHost:81"] {
            #expect(hostsOfAllAddresses.accepts(host))
        }
        for host in ["evil.example", "10.evil:80", "[::1].evil", nil] {
            #expect(!hostsOfAllAddresses.accepts(host))
        }
    }

    @Test("With a name for --host, the header Host may have this name, or one of this machine")
    func hostsOfAName() {
        let hostsOfName = MockHosts("box.local")
        #expect(hostsOfName.names == ["127.0.0.1", "localhost", "[::1]", "box.local"])
        #expect(hostsOfName.accepts("[::1]:9"))
        #expect(!hostsOfName.accepts("10.0.0.1:81"))
    }

    @Test("The faults are announced at the start, and with --quiet no request is logged")
    func faultsAndQuiet() async throws {
        let mock = try await RunningMock("movies -q --no-auth --fail-rate 1 --seed 3 --latency 1ms")
        let introduction = mock.log
        #expect(introduction.contains("\nFaults: 100 % get 503 (--seed 3); latency 1.0 ms\n"))
        #expect(try mock.get("/movie/popular").hasPrefix("503 "))
        #expect(await mock.stop().err == introduction)
    }

    static let wrongLines = [
        wrong(
            "mock movies.popular", "expected an API, got 'movies.popular' (argument 2); did you mean 'movies'?",
            see: "list"),
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
        wrong("mock --server staging", "--server needs --record DIR"),
        wrong("mock --allow-origin http://a.test", "--allow-origin needs --record DIR"),
        wrong("mock --unsafe", "--unsafe needs --record DIR"),
        wrong("mock --record a --samples b", "--record and --samples can't be used together"),
    ]

    static let noOrigins = [
        "http://a.test/", "http://a.test/app", "a.test", "a.test:80", "http://a.test:80", "https://a.test:443", "://a",
        "ht tp://a", "1http://a", "http://A.test", "http://a.test ", "http:///", "http://a.test:", "http://u@a.test",
        "http://a.test?b", "NULL",
    ]

    @Test("--allow-origin refuses a text that no browser sends as an origin", arguments: noOrigins)
    func noOrigin(_ text: String) async {
        let outcome = await run(["mock", "--record", "d", "--allow-origin", text])
        let message =
            "expected an origin as browsers send it, such as http://localhost:3000 (scheme, host and port, in lower case, no path, no default port), '*' or null"
        let line = "apictl: --allow-origin (argument 4): \(message)\nSee 'apictl help mock'.\n"
        #expect(outcome == Outcome(err: line, code: 2))
    }

    @Test("A wrong option or name is an error before the server starts", arguments: wrongLines)
    func wrongCommandLine(_ row: Row) async { await row.check() }

    @Test("An address where nothing can listen is an error with a hint")
    func unusableAddress() async throws {
        let server = try MockServer { _ in .response(200) }
        let message = "apictl: could not listen on 127.0.0.1 port \(server.port): address already in use\n"
        let outcome = await run(["mock", "--port", String(server.port)])
        #expect(outcome == Outcome(err: message + "To use any free port: --port 0\n", code: 1))
        // An address for documentation (RFC 5737).
        let other = await run(["mock", "--host", "192.0.2.1", "--port", "0"])
        let hint = "--host takes an address of this machine: 127.0.0.1, or 0.0.0.0 for all of them."
        let reason = "apictl: could not listen on 192.0.2.1 port 0: cannot assign requested address"
        #expect(other == Outcome(err: "\(reason)\n\(hint)\n", code: 1))
    }

    @Test("A signal ends the server after the response under way", arguments: [SIGINT, SIGTERM])
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
