import CurlTransport
import EndpointKit
import Foundation
import JSONText
import MockServer
import TestSupport
import Testing

@testable import ApictlCLI

/// `--har FILE`: the exchanges as an HTTP archive.
struct HARTests {
    /// The entries of the file that a run leaves, after the whole is found to be HAR 1.2.
    private static func entries(
        _ words: [String], _ transport: any Transport, variables: [String: String] = testVariables,
        stdin: String? = nil,
        code: Int32 = 0
    ) async throws -> [JSONValue] {
        let files = MemoryFiles()
        let outcome = await run(
            ["call"] + words + ["--har", "f"], variables: variables, stdin: stdin, files: files, transport: transport)
        #expect(outcome.code == code)
        return try Self.entries(in: files)
    }

    /// A schema of HAR 1.2 judges the files of the release build.
    private static func entries(in files: MemoryFiles) throws -> [JSONValue] {
        let file = try JSONValue(text: #require(files["f"]).exactBytes)
        #expect(
            file.text("log.version") == "1.2" && file.text("log.creator") == #"{"name":"apictl","version":"0.1.0"}"#)
        return Array(try #require(file.value(at: "log.entries")?.elements))
    }

    @Test("An entry has the request, the response and the timings")
    func entry() async throws {
        var times = TransferTimes()
        times.nameLookup = .milliseconds(1)
        times.connect = .milliseconds(2)
        times.tls = .milliseconds(4)
        times.firstByte = .milliseconds(8)
        times.content = .microseconds(500)
        times.receivedBytes = 22
        let response = StubResponse(body: Array("ab".utf8), times: times)
        let entry = try #require(try await Self.entries(["http://h.test/", "-q"], StubTransport(response)).first)
        #expect(DateText.parse(entry.text("startedDateTime")) != nil)
        let shown = String(decoding: try Coding().encode(entry), as: UTF8.self)
        #expect(
            shown.replacing(entry.text("startedDateTime"), with: "T") == """
                {"startedDateTime":"T","time":15.5,"request":{"method":"GET","url":"http://h.test/","httpVersion":"HTTP/1.1",\
                "cookies":[],"headers":[{"name":"User-Agent","value":"apictl/0.1.0"}],"queryString":[],"headersSize":-1,"bodySize":0},\
                "response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"headers":[],\
                "content":{"size":2,"mimeType":"","text":"ab"},"redirectURL":"","headersSize":-1,"bodySize":22},"cache":{},\
                "timings":{"blocked":-1.0,"dns":1.0,"connect":6.0,"send":0.0,"wait":8.0,"receive":0.5,"ssl":4.0}}
                """)
    }

    @Test("An entry has cookies that were sent and set, with redacted values")
    func cookies() async throws {
        let server = try MockServer { request in
            request.target == "/a"
                ? .response(302, fields: [("Location", "/b"), ("Set-Cookie", "sid=s3cret; Path=/; HttpOnly")])
                : .text("you are s3cret")
        }
        let entries = try await Self.entries(["\(server.baseURL)/a", "-b", "theme=dark", "-q"], CurlTransport())
        #expect(server.received.map { $0["Cookie"] } == ["theme=dark", "sid=s3cret; theme=dark"])
        let redacted = #"","value":"(redacted)"}"#
        #expect(
            entries.map { $0.text("request.cookies") } == [
                #"[{"name":"theme\#(redacted)]"#, #"[{"name":"sid\#(redacted),{"name":"theme\#(redacted)]"#,
            ])
        #expect(entries.map { $0.text("response.cookies") } == [#"[{"name":"sid\#(redacted)]"#, "[]"])
        for entry in entries {
            #expect(entry.text("request.headers").contains(#"{"name":"Cookie\#(redacted)"#))
            #expect(!entry.description.contains("s3cret"))
        }
    }

    @Test("Credentials in bodies are redacted by their names")
    func bodies() async throws {
        let transport = StubTransport(.json(#"{"access_token":"t0kt0k","n":1}"#))
        let entry = try #require(
            try await Self.entries(
                ["http://h.test/", "-X", "POST", "--body", #"{"password":"hunter2","a":1}"#, "-q"], transport
            ).first)
        #expect(entry.text("request.postData.text") == #"{"password":"(redacted)","a":1}"#)
        #expect(entry.text("response.content.text") == #"{"access_token":"(redacted)","n":1}"#)
    }

    @Test("Each redirect is an entry")
    func redirect() async throws {
        let transport = StubTransport([
            .empty(302, "Found").with("Location", "/b?x=1&token=s3cr3t"),
            .json(#"{"a":"é"}"#).with("Set-Cookie", "sid=s3ss; Path=/"),
        ])
        let words = [
            "http://h.test/a?q=c%20d&q=&api_key=s3cret", "-H", "Cookie: a=c00kie; b=c00kie2", "-X", "POST", "--body",
            "[1]",
        ]
        let entries = try await Self.entries(words, transport)
        #expect(entries.map { $0.text("request.method") } == ["POST", "GET"])
        #expect(entries.map { $0.text("request.url") } == ["http://h.test/a?q=c%20d&q=", "http://h.test/b?x=1"])
        #expect(
            entries[0].text("request.queryString") == #"[{"name":"q","value":"c d"},{"name":"q","value":""}]"#)
        #expect(entries[0].text("request.postData") == #"{"mimeType":"application/json","text":"[1]"}"#)
        #expect(entries.map { $0.text("request.bodySize") } == ["3", "0"])
        #expect(entries.map { $0.text("request.httpVersion") } == ["HTTP/1.1", "HTTP/1.1"])
        #expect(entries.map { $0.text("response.redirectURL") } == ["/b?x=1&token=(redacted)", ""])
        #expect(
            entries[0].text("response.content") == #"{"size":-1,"mimeType":"","comment":"not read to its end"}"#)
        #expect(
            entries[1].text("response.headers")
                == #"[{"name":"Content-Type","value":"application/json"},{"name":"Set-Cookie","value":"(redacted)"}]"#)
        #expect(
            entries[1].text("response.content")
                == #"{"size":10,"mimeType":"application/json","text":"{\"a\":\"é\"}"}"#)
    }

    @Test("The last of several attempts is an entry, with the failures of the others")
    func retries() async throws {
        let responses: [StubResponse] = [.empty(503, "Busy k3y"), .failing(.notConnected), .json("1")]
        let entries = try await Self.entries(
            ["movies.popular", "--raw", "--retry", "2", "--retry-delay", "0"], StubTransport(responses))
        #expect(entries.map { $0.text("response.status") } == ["200"])
        #expect(
            entries.map { $0.text("comment") } == [
                "attempt 1: 503 Busy (redacted); attempt 2: could not connect to the server"
            ])
    }

    @Test("Each page is an entry")
    func pages() async throws {
        let transport = StubTransport { request in
            let next = request.query.contains { $0.name == "after" } ? "" : #","next":"2""#
            return .json(#"{"page":1,"results":[],"total_pages":1\#(next)}"#)
        }
        let urls = try await Self.entries(["movies.new-movies", "--all-pages"], transport).map {
            $0.text("request.url")
        }
        let first = "https://api.movies.test/3/movie/now_playing"
        #expect(urls == [first, first + "?after=2"])
    }

    static let contents: [(StubResponse, content: String, bodySize: String, code: Int32)] = [
        (StubResponse(body: [0xFF, 0, 1]), #"{"size":3,"mimeType":"","text":"/wAB","encoding":"base64"}"#, "-1", 0),
        (.empty(204, "No Content"), #"{"size":0,"mimeType":""}"#, "-1", 0),
        (.typed(String(exactBytes: [0x61, 0xFF]), "b"), #"{"size":1,"mimeType":"a\\xFF","text":"b"}"#, "-1", 0),
        (
            StubResponse(body: Array(repeating: 0x61, count: 1 << 20 | 1), pieceSize: 1 << 18),
            #"{"size":1048577,"mimeType":"","comment":"1.0 MB, left out: longer than 1 MiB"}"#, "-1", 0
        ),
        (
            StubResponse(body: Array("ab".utf8), failureInBody: TransportError(.cutShort(.broken))),
            #"{"size":-1,"mimeType":"","text":"ab","comment":"not read to its end"}"#, "-1", 6
        ),
    ]

    @Test("The content of a response: text, Base64, or a comment why it is missing", arguments: contents)
    func content(_ response: StubResponse, _ content: String, _ bodySize: String, _ code: Int32) async throws {
        let entries = try await Self.entries(["http://h.test/", "-q"], StubTransport(response), code: code)
        #expect(entries.map { $0.text("response.content") } == [content])
        #expect(entries.map { $0.text("response.bodySize") } == [bodySize])
    }

    @Test("A failure without a response is an entry, and a body that is not text is left out")
    func failure() async throws {
        let entries = try await Self.entries(
            "http://h.test/ -X POST --body -".words, StubTransport(.failing(.notConnected)),
            stdin: String(exactBytes: [0xFF]), code: 6)
        #expect(entries.map { $0.text("response.status") } == ["0"])
        #expect(entries.map { $0.text("comment") } == ["could not connect to the server"])
        let sent = #"{"mimeType":"","text":"","comment":"1 B, left out: not text"}"#
        #expect(entries.map { $0.text("request.postData") } == [sent])
    }

    @Test("No entry has a secret in any spelling, although the server repeats everything")
    func secrets() async throws {
        let (key, token) = ("k3y+/&é\"x", "t0ken==s3cret")
        let server = try MockServer { request in
            var fields = request.fields.map { HTTPField("X-\($0.name)", $0.value) }
            fields += [("X-Target", request.target), ("Content-Type", "text/plain")].map { .init($0, $1) }
            let base64 = Data(key.utf8).base64EncodedString()
            return .response(
                200, fields: fields.map { ($0.name, $0.value) }, body: Array("\(key) \(base64) \(token)".utf8))
        }
        let entries = try await Self.entries(
            [
                "movies.details", "a", "--base-url", server.baseURL, "--raw", "-H", "Authorization: Bearer \(token)",
                "-H", "Proxy-Authorization: Basic \(token)x", "-H", "Cookie: sid=\(token)y",
                "--query", "access_token=\(token)z",
            ], CurlTransport(), variables: ["MOVIES_KEY": key])
        let text = entries.map(\.description).joined()
        for secret in [
            key, token, "k3y", Data(key.utf8).base64EncodedString(), PercentEncoding.encode(key),
            PercentEncoding.encode(token),
        ] { #expect(!text.contains(secret)) }
        #expect(entries.map { $0.text("request.url") } == ["\(server.baseURL)/movie/a"])
        #expect(entries.map { $0.text("request.queryString") } == ["[]"])
        #expect(entries[0].text("request.headers").contains(#"{"name":"Authorization","value":"(redacted)"}"#))
    }

    @Test("check --report-har has the exchanges of all checks")
    func checks() async throws {
        let files = MemoryFiles()
        let busy = StubResponse.empty(503, "Busy")
        let outcome = await check(
            "--jobs 3 --retry 1 --retry-delay 0 --report-har f",
            ["GET /logo": [busy, .typed("image/png", "x")]], files: files)
        #expect(outcome.code == 0)
        let entries = try Self.entries(in: files)
        let paths = entries.map { $0.text("request.url").dropFirst("https://shop.test/v1".count) }
        #expect(paths.sorted() == ["/items/1", "/items/2", "/items?page=1", "/logo", "/receipt"])
        #expect(entries.filter { $0.text("comment") == "attempt 1: 503 Busy" }.count == 1)
        #expect(entries.allSatisfy { $0.text("response.status") == "200" })
    }

    /// A file whose content can be read while it is being written.
    private final class WatchedFile: FileReplacement {
        let isTerminal = false
        private let content = BufferOutput()

        var text: String { content.text }

        func write(_ bytes: [UInt8]) throws { try content.write(bytes) }
        func restart() -> Bool { false }
        func commit() {}
        func discard() {}
    }

    @Test("An exchange is written as soon as it ends")
    func writtenAtOnce() async throws {
        let file = WatchedFile()
        let context = CommandContext(
            tool: "apictl", version: "1", registry: APIRegistry(apis: []), commands: [], environment: .test())
        let log = HARLog(file, context)
        let base = try BaseURL("http://h.test")
        for count in 1...2 {
            let recording = log.recording(Client(transport: StubTransport(.json("1"))))
            let start = file.text
            _ = try await recording.client.exchange(Request(.get, base, path: "/\(count)")) { response in
                try await response.body.collect(limit: 100)
            }
            #expect(file.text == start)
            recording.end([])
            #expect(file.text.matches(of: /"startedDateTime"/).count == count && !file.text.contains("]}}\n"))
        }
        try log.finish()
        let urls = try JSONValue(text: file.text.exactBytes).value(at: "log")?["entries"]?.elements?.map {
            $0.text("request.url")
        }
        #expect(urls == ["http://h.test/1", "http://h.test/2"])
    }

    @Test("A file that can't be written fails the command after all else")
    func fullDisk() async {
        let message = "apictl: can't write full: no space left on device\n"
        let called = await run("call http://h.test/ --har full", transport: StubTransport(.json("1")))
        #expect(called == Outcome(out: "1\n", err: message, code: 1))
        let checked = await check("logo --report-har full")
        #expect(checked.out.contains("1 check: 1 passed") && checked.err == message && checked.code == 1)
    }

    @Test("On stdout, the archive follows the response")
    func stdout() async throws {
        let transport = StubTransport { request in
            let next = request.query.contains { $0.name == "after" } ? "" : #","next":"2""#
            return .json(#"{"page":1,"results":[{"id":1,"title":"a"}],"total_pages":1\#(next)}"#)
        }
        let outcome = await run(
            "call movies.new-movies --all-pages --compact --select id --har -", variables: testVariables,
            transport: transport)
        #expect(outcome.code == 0)
        #expect(outcome.out.hasPrefix("1\n1\n{\"log\":{") && outcome.out.hasSuffix("]}}\n"), "\(outcome)")
        let checked = await check("logo --report-har -")
        #expect(checked.out.hasPrefix("{\"log\":{") && checked.out.hasSuffix("]}}\n"), "\(checked)")
    }

    @Test("The file is for its owner only, also in place of another one")
    func file() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("f.har", "old".utf8)
        #expect(chmod(path, 0o644) == 0)
        let outcome = await run(
            ["call", "http://h.test/", "--har", path], files: DiskFileSystem(), transport: StubTransport(.json("1")))
        #expect(outcome == Outcome(out: "1\n"))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    }

    static let wrongLines: [Row] = [
        Row(
            "--har in a directory that does not exist fails", "call http://h.test/ --har gone/f",
            err: "apictl: can't write gone/f: no such file or directory\n", code: 1),
        wrong(
            "call http://h.test/ --har f --dry-run", "--har and --dry-run can't be used together", see: "help call"),
        wrong(
            "call movies.popular --record d/ --save ./d/x", "--record d/ and --save ./d/x can't be used together",
            see: "help movies.popular"),
        wrong(
            "call http://h.test/ --har f --save ./f", "--save ./f and --har f can't be used together",
            see: "help call"),
    ]

    @Test("An archive that can't be written, or for which there is no use, is an error", arguments: wrongLines)
    func wrongLine(_ row: Row) async { await row.check() }
}

extension JSONValue {
    /// Returns the value at a path: the content of a string, or else the JSON of the value.
    fileprivate func text(_ path: String) -> String {
        let value = value(at: path)
        return value?.string ?? String(decoding: (try? Coding().encode(value)) ?? [], as: UTF8.self)
    }
}
