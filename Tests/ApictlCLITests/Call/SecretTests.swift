import EndpointKit
import TestSupport
import Testing

@testable import ApictlCLI

/// A key that is sent, and all places where a server, a proxy or a library can repeat it: none shows any of it.
struct SecretPlaceTests {
    private struct Place: Sendable {
        var words = "movies.popular"
        var terminal: Terminals = []
        let response: @Sendable (String) -> StubResponse
    }

    private static let places: [Place] = [
        Place(words: "movies.popular -v") { .json("{}", 401, $0) },
        Place(words: "movies.popular -v -i") {
            .json(#"{"status_message":"no \#($0)"}"#, 403).with("X-Echo", $0).with("Set-Cookie", $0)
        },
        Place(words: "movies.popular -i") { .json("{}", 200, $0).with("X-Echo", "a \($0) b") },
        Place(words: "movies.popular -i -v -w %{header_json}%{json}") {
            .json("{}").with("X-\($0)", "1")
        },
        Place(words: "movies.popular -vv") {
            .empty(500).behind(
                .information("sending \($0) to"), .responseHead("HTTP/2 103\r\nlink: \($0)\r\n\r\n".exactBytes))
        },
        Place(words: "movies.popular --raw") { .typed("text/\($0)", "x \($0)", 500) },
        Place() { .typed("text/\($0)", "x") },
        Place() { .json(#"{"page":"\#($0)","results":[],"total_pages":1}"#) },
        Place(words: "movies.popular --max-redirects 0") {
            .empty(302).with("Location", "http://other.test/\($0)")
        },
        Place(words: "movies.popular --max-redirects 1") {
            .empty(302).with("Location", "http://127.0.0.1:9/\($0)")
        },
        Place(words: "movies.popular --retry 1 --retry-delay 1ms") { .empty(503, $0) },
        Place() { .failing(.other, "alert for \($0)") },
        Place() { .typed("text/plain", "half", 500).broken(.cutShort(.noResponse), $0) },
        Place(words: "movies.popular -w %{url_effective}%{json}") {
            var response = StubResponse.json("{}")
            var times = TransferTimes()
            times.url = "http://h/\($0)/x"
            times.status = 200
            response.times = times
            return response
        },
        // The next page, which the note and the failure name.
        Place(words: "movies.new-movies --max-pages 1", terminal: .stderr) {
            .json(#"{"page":1,"results":[],"total_pages":3,"next":\#(JSONValue($0))}"#)
        },
    ]

    /// The redactor's own tests have every secret in every spelling: what counts here is that each place uses it.
    @Test(
        "Wherever a server or a library repeats the key, no output shows a part of it",
        arguments: places.indices, ["ghp_16C7e42F292c6912E7710c838347Ae178B4a", #"it's {"k":"50% & +"}é"#])
    func nowhere(_ index: Int, _ secret: String) async throws {
        let place = Self.places[index]
        for spelling in SecretTable.spellings where ["as it is", "percent", "JSON", "HTML names"].contains(spelling.id)
        {
            let spelled = spelling.spell(secret)
            let transport = StubTransport(place.response(String(exactBytes: spelled)))
            let outcome = await run(
                "call " + place.words, variables: ["MOVIES_KEY": secret], transport: transport,
                terminal: place.terminal)
            #expect(!transport.requests.isEmpty)
            for part in [Array(secret.utf8), spelled] {
                #expect(
                    !SecretTable.holds((outcome.out + outcome.err).exactBytes, partOf: part),
                    "\(spelling.id): \(outcome)")
            }
        }
    }

    /// A parameter may be the key itself.
    static let typed: [Row] = [
        Row(
            "--dry-run redacts a parameter that is the key", "call movies.details k3y/k3y --language k3y/k3y --dry-run",
            variables: key,
            out: shown(
                "GET https://api.movies.test/3/movie/(redacted)?language=(redacted)&api_key=(redacted)",
                "X-Client: tests")),
        Row(
            "--json-errors and -w redact a parameter that is the key",
            "call movies.details k3y/k3y --json-errors -w %{stdout}%{url}", variables: key,
            response: .empty(404), out: "https://api.movies.test/3/movie/(redacted)?api_key=(redacted)",
            err: #"{"error":{"kind":"status","message":"movies.details: 404 OK","hints":[],"exitCode":4,"#
                + #""endpoint":"movies.details","method":"GET","#
                + #""url":"https://api.movies.test/3/movie/(redacted)?api_key=(redacted)","status":404,"attempts":1}}"#
                + "\n", code: 4),
        Row(
            "a failure redacts a secret of the body",
            ["call", "http://h.test/", "-X", "POST", "--body", #"{"password":"hunter2"}"#, "--json-errors"],
            response: .json(#"{"message":"no hunter2"}"#, 401),
            err:
                #"{"error":{"kind":"status","message":"http://h.test/: 401 OK: no (redacted)","hints":["The request had "#
                + #"no credential: -n takes one from ~/.netrc, -H 'NAME: VALUE' sends one."],"exitCode":4,"#
                + #""method":"POST","url":"http://h.test/","status":401,"attempts":1,"body":{"message":"no (redacted)"}}}"#
                + "\n", code: 4),
    ]

    private static let key = ["MOVIES_KEY": "k3y/k3y"]

    @Test("A secret that is a parameter or in the body is redacted", arguments: typed)
    func path(_ row: Row) async { await row.check() }

    @Test("The password of a proxy is redacted in everything that the proxy says")
    func proxy() async {
        let echo = StubResponse.json(#"{"message":"pr0xyp@ss am9lOnByMHh5cEBzcw== pr0xyp%40ss"}"#, 407, "pr0xyp@ss")
        for proxy in [
            "http://joe:pr0xyp%40ss@proxy.test:1", "joe:pr0xyp@ss@proxy.test:1", "socks5h://joe:pr0xyp%40ss@h",
        ] {
            for name in ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"] {
                let outcome = await run(
                    ["call", "echo.ping", "-v", "-i"], variables: [name: proxy], transport: StubTransport(echo))
                for part in ["pr0xyp", "am9lOnBy"] { #expect(!outcome.err.contains(part), "\(name): \(outcome.err)") }
            }
        }
    }
}

/// Secrets given under their usual names: sent unchanged, and never shown.
struct TypedSecretCallTests {
    /// An option, and how the header or the target is shown and sent.
    static let options: [(option: [String], shown: String, sent: String)] = [
        (["-H", "X-Api-Key: k3yk3y"], "X-Api-Key: (redacted)", "X-Api-Key: k3yk3y"),
        (["-H", "Private-Token: glpat k3yk3y"], "Private-Token: (redacted)", "Private-Token: glpat k3yk3y"),
        (["-H", "x_auth_token:k3yk3y"], "x_auth_token: (redacted)", "x_auth_token: k3yk3y"),
        // This name only begins like that of a secret.
        (["-H", "Token-Type: k3yk3y"], "Token-Type: k3yk3y", "Token-Type: k3yk3y"),
        (["--query", "access_token=k3y/k3y"], "access_token=(redacted)", "access_token=k3y%2Fk3y"),
        (["--query", "page_token=k3yk3y"], "page_token=k3yk3y", "page_token=k3yk3y"),
    ]

    @Test("A header of the endpoint itself is shown by the same rule")
    func ownHeader() async throws {
        let transport = StubTransport(.json(#"{"value": "k3yk3y"}"#))
        let outcome = await run("call vault.open --door k3yk3y -v", transport: transport, apis: [Vault.self])
        #expect(outcome.err.contains("X-Door-Token: (redacted)\n"), "\(outcome.err)")
        #expect(!outcome.err.contains("k3yk3y"))
        let sent = try #require(transport.requests.first?.headers.first { $0.isNamed("X-Door-Token") })
        #expect(try sent.revealedValue() == "k3yk3y")
    }

    @Test(
        "A header or query item with the usual name of a secret is sent, and redacted in what -v shows",
        arguments: options)
    func verbose(_ option: [String], _ shown: String, _ sent: String) async throws {
        let transport = StubTransport(.empty())
        let outcome = await run(["call", "echo.head", "-v"] + option, transport: transport)
        let isHeader = option[0] == "-H"
        let shownRequest = isHeader ? "> HEAD /head HTTP/1.1\n> \(shown)\n" : "> HEAD /head?\(shown) HTTP/1.1\n"
        let otherLines = "> Accept: application/json\n> User-Agent: apictl/0.1.0\n> \n< HTTP/1.1 200 OK\n< \n"
        #expect(outcome == Outcome(err: shownRequest + otherLines))
        let request = try #require(transport.requests.first)
        #expect(try request.revealedURL() == "http://127.0.0.1:9/head" + (isHeader ? "" : "?" + sent))
        let headers = try request.headers.map { "\($0.name): \(try $0.revealedValue())" }
        #expect(headers == (isHeader ? [sent] : []) + ["Accept: application/json", "User-Agent: apictl/0.1.0"])
    }

    @Test("A token of -H is redacted if the server repeats it")
    func echo() async {
        await Row(
            "-i redacts a token that the server repeats",
            ["call", "echo.head", "-H", "Authorization: Bearer s3cretpw", "-i"],
            response: .empty(200, "s3cretpw").with("X-You", "s3cretpw"),
            out: "HTTP/1.1 200 (redacted)\nX-You: (redacted)\n\n"
        ).check()
    }
}

/// `-v` and `-vv`: the headers on stderr, without secrets and control characters.
struct VerboseTests {
    private static let page = StubResponse.json(#"{"page":1,"results":[],"total_pages":0}"#).with(
        "X-Note", "é\u{1B}[2J")
    private static let printed = "{\"page\":1,\"results\":[],\"total_pages\":0}\n"
    private static let key = ["MOVIES_KEY": "k &/y"]

    /// Lines of a head, each after `mark`.
    private static func head(_ mark: String, _ lines: String...) -> String {
        (lines + [""]).map { "\(mark) \($0)\n" }.joined()
    }

    /// The head of a request with `fields` and those of every request.
    private static func sent(_ line: String, _ fields: String...) -> String {
        shown(([line + " HTTP/1.1"] + fields).joined(separator: "\n")).split(separator: "\n").map { "> \($0)\n" }
            .joined() + "> \n"
    }

    private static let pageHead = head("<", "HTTP/1.1 200 OK", "Content-Type: application/json", "X-Note: é\\u001B[2J")

    static let rows: [Row] = [
        Row(
            "-vv shows the transfer's steps", "call movies.popular --compact -vv", variables: key, response: page,
            out: printed,
            err: "* credential from MOVIES_KEY\n* Trying https://api.movies.test/3/movie/popular?api_key=(redacted)\n"
                + sent("GET /movie/popular?api_key=(redacted)", "X-Client: tests") + pageHead),
        Row(
            "-vv redacts a proxy's password", "call echo.head -vv",
            response: .empty().behind(
                .information("Uses proxy env variable http_proxy == 'http://anna:p@ss@proxy.test:3128'"),
                .requestHead(
                    "CONNECT h:443 HTTP/1.1\r\nHost: h\r\nProxy-Authorization: Basic YW5uYTpwQHNz\r\n\r\n".exactBytes)),
            err: "* Uses proxy env variable http_proxy == 'http://(redacted)@proxy.test:3128'\n"
                + head(">", "CONNECT h:443 HTTP/1.1", "Host: h", "Proxy-Authorization: Basic (redacted)")
                + "* Trying http://127.0.0.1:9/head\n" + sent("HEAD /head")
                + head("<", "HTTP/1.1 200 OK")),
        Row(
            "-vv shows the request and the response of a sample", "call movies.popular --sample -vv --compact",
            out: MoviePage.compactSample,
            err: """
                > GET https://api.movies.test/3/movie/popular?api_key=(redacted)
                > X-Client: tests
                > Accept: application/json
                > User-Agent: apictl/0.1.0
                < HTTP/1.1 200 OK
                < Content-Type: application/json
                < Content-Length: 161
                note: 1 key is not in MoviePage (--raw shows it)

                """),
    ]

    @Test("-vv shows the steps and the headers of a transfer, without secrets", arguments: rows)
    func verbose(_ row: Row) async { await row.check() }

    @Test("A text body is shown after the headers that announce it, to 2 kB, without secrets")
    func sentBody() {
        func shown(_ body: String, head: String = "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n") -> String {
            let output = BufferOutput()
            let secret = SensitiveText([.secret(Secret(variable: "V", value: "s3cretpw"))])
            let log = WireView(
                output: output, verbosity: 1, redactor: Redactor(nil, others: [secret]), body: body.exactBytes)
            log.show(.requestHead(Array(head.utf8)))
            return String(output.text.drop { $0 != "\n" }.dropFirst())
        }
        let head = "> Content-Length: 9\n> \n"
        #expect(shown("{\"key\":\"s3cretpw\"}\nX: \u{1B}[2J") == head + "> {\"key\":\"(redacted)\"}\n> X: \\u001B[2J\n")
        #expect(
            shown(String(repeating: "a", count: 3000)) == head
                + "> \(String(repeating: "a", count: 2048))\n> … 3.0 kB in all\n")
        #expect(shown("a\0b") == head + "> (binary data, 3 B)\n")
        #expect(shown("a", head: "GET / HTTP/1.1\r\n\r\n") == "> \n")
    }
}
