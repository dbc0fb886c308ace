import CurlTransport
import EndpointKit
import MockServer
import Testing

@testable import ApictlCLI

/// Calls that fail after they were sent. The body and the API's message go to stderr, nothing goes to stdout,
/// and each kind of failure has an exit code.
struct CallFailureTests {
    private static let secret = ["MOVIES_KEY": "k 3/y"]

    /// A call of `movies.popular` that fails. The expected stderr is `body`, if there is one, and the message.
    private static func failed(
        _ id: String, _ options: String = "", response: StubResponse, variables: [String: String] = testVariables,
        out: String = "", shown body: String? = nil, _ message: String, code: Int32
    ) -> Row {
        Row(
            id, "call movies.popular \(options)", variables: variables, response: response, out: out,
            err: (body.map { $0 + "\n" } ?? "") + "apictl: movies.popular: \(message)\n", code: code)
    }

    static let statuses: [Row] = [
        failed(
            "401 in the API's words", "--compact",
            response: .json(#"{"status_code":7,"status_message":"Invalid API key"}"#, 401, "Unauthorized"),
            shown: #"{"status_code":7,"status_message":"Invalid API key"}"#,
            "401 Unauthorized: Invalid API key\nThe request was sent with MOVIES_KEY.", code: 4),
        failed(
            "403 with HTML",
            response: .typed("text/html", "<html>\r\n<h1>Forbidden</h1>\r\n</html>\r\n", 403, "Forbidden"),
            shown: "<html>\r\n<h1>Forbidden</h1>\r\n</html>\r", "403 Forbidden\nThe request was sent with MOVIES_KEY.",
            code: 4),
        failed(
            "500", response: .typed("text/plain", "oops", 500, "Internal Server Error"), shown: "oops",
            "500 Internal Server Error", code: 5),
        failed(
            "redirect that is not followed", "--max-redirects 0",
            response: .empty(301, "Moved").with("Location", "https://other.test/"), "301 Moved to https://other.test/",
            code: 3),
        failed(
            "with the head", "-i --compact", response: .json(#"{"error":"no"}"#, 400, "Bad Request"),
            shown: #"HTTP/1.1 400 Bad Request\#nContent-Type: application/json\#n\#n{"error":"no"}"#,
            "400 Bad Request: no", code: 4),
        Row(
            "any status, the model is for success only", "call movies.popular --any-status --compact",
            response: .json("[1]", 404, "Not Found"), out: "[1]\n"),
        failed(
            "words with control characters", "--compact",
            response: .json(#"{"message":"a\u001b[2J\nb\u202e\u0085"}"#, 400, "Bad\u{1B}Request"),
            shown: #"{"message":"a\u001b[2J\nb\u202e\u0085"}"#, "400 Bad\\u001BRequest: a\\u001B[2J\\nb\\u202E\\u0085",
            code: 4),
    ]

    @Test(
        "A 401 without a credential says how to send one",
        arguments: [
            (options: "", isHinted: true), (options: "-H Authorization:x", isHinted: false),
            (options: "-H Authorization:", isHinted: false),
        ])
    func hintWithoutCredential(_ options: String, _ isHinted: Bool) async {
        let outcome = await run("call http://h.test/ \(options)", transport: StubTransport(.empty(401)))
        #expect(outcome.code == 4 && outcome.err.contains("-n takes one from ~/.netrc") == isHinted)
    }

    static let responses: [Row] = [
        failed("empty 200", response: .empty(), "the response (200 OK) has no body, expected MoviePage", code: 8),
        failed(
            "HTML", response: .typed("text/html; charset=utf-8", "<html>", 200, "OK"), shown: "<html>",
            "the response is text/html, not JSON", code: 8),
        failed(
            "text without a type", response: .typed("", "hello"), shown: "hello",
            "the response is not valid JSON: line 1, column 1: expected a value, found 'h'", code: 8),
        failed(
            "cut off, raw and one line", "--raw --compact", response: .json("{\"page\": 1,\n \"results\": [{\"id\": 1"),
            out: "{\"page\":1,\"results\":[{\"id\":1\n",
            """
            the response is not valid JSON: line 2, column 22: expected ',' or '}', found end of input\nAdd -o FILE to \
            keep what the server sent.
            """,
            code: 8),
        failed(
            "a type within", "--compact",
            response: .json(
                """
                {\"page\":1,\"total_pages\":1,\n\"results\":[{\"id\":1,\"title\":\"a\"},\n  {\"id\":\"x\",\
                \"title\":\"b\"}]}
                """
            ),
            shown: #"{"page":1,"total_pages":1,"results":[{"id":1,"title":"a"},{"id":"x","title":"b"}]}"#,
            """
            the response does not fit MoviePage\n  $.results[1].id: expected integer, found string \"x\" (line 3, \
            column 9)
            """,
            code: 8),
        Row(
            "a stream of events for a model", "call movies.popular --compact",
            response: .typed(
                "text/event-stream; charset=utf-8",
                """
                : hello\n\ndata: {\"page\":1,\"results\":[],\ndata:\"total_pages\":0}\r\n\r\ndata: [DONE]\n\ndata: cut \
                off
                """
            ),
            out: "{\"page\":1,\"results\":[],\"total_pages\":0}\n\"[DONE]\"\n"),
        Row(
            "an event that does not fit", "call movies.popular --compact --select page",
            response: .typed(
                "text/event-stream", "data: {\"page\":1,\"results\":[],\"total_pages\":0}\n\ndata: {}\n\n"),
            out: "1\n",
            err:
                """
                {}\napictl: movies.popular: the response does not fit MoviePage\n  $: missing key \"page\" (line 1, \
                column 1)\n
                """,
            code: 8),
        Row(
            "a selection from events without a model", "call https://e.test/s --select a.b",
            response: .typed(
                "text/event-stream", "event: x\rdata: {\"a\":{\"b\":1}}\r\rdata: none\n\ndata: {\"a\":{\"b\":2}}\n\n"
            )
            .inPieces(of: 1),
            out: "1\n2\n"),
        Row(
            "a stream without events", "call movies.popular", response: .typed("text/event-stream", ": nothing\n\n"),
            err: "apictl: movies.popular: the response (200 OK) has no body\n", code: 8),
        Row(
            "a stream of documents for a model", "call movies.popular",
            response: .typed("application/x-ndjson", "1\n2\n"),
            err:
                """
                1\n2\napictl: movies.popular: the response is a stream (application/x-ndjson), not one JSON \
                document\nAdd --raw to see what the server sent.\n
                """,
            code: 8),
        Row(
            "one document of a stream", "call movies.popular --compact",
            response: .typed("application/x-ndjson", #"{"page":1,"results":[],"total_pages":0}"#),
            out: "{\"page\":1,\"results\":[],\"total_pages\":0}\n"),
        Row(
            "failure that the response reports", "call movies.rate 5 --rating.value 8 --compact",
            response: .json(#"{"status":"DENIED","reason":"no\u001b[2J quota"}"#),
            err: #"{"status":"DENIED","reason":"no\u001b[2J quota"}"#
                + "\napictl: movies.rate: DENIED: no\\u001B[2J quota\n", code: 8),
        Row(
            "failure that the response reports, raw", "call movies.rate 5 --rating.value 8 --raw --compact",
            response: .json(#"{"status":"DENIED"}"#), out: "{\"status\":\"DENIED\"}\n"),
    ]

    static let transfers: [Row] = [
        failed("anything else", response: .failing(.other, "what\u{1B}[2J\nnow"), "what\\u001B[2J\\nnow", code: 6),
        failed(
            "a message with a proxy's password",
            response: .failing(.other, "http_proxy http://anna:p@ss:w%2F@proxy.test:3128/ refused; see https://h/a@b"),
            "http_proxy http://(redacted)@proxy.test:3128/ refused; see https://h/a@b", code: 6),
        failed(
            "in the body", response: .json("{\"page\":1").broken(.cutShort(.broken)),
            "the connection to the server broke before the end of the response\nTo try again: --retry 3", code: 6),
        failed(
            "in the body, raw", "--raw --compact",
            response: .json("{\"page\":1").broken(.cutShort(.broken)), out: "{\"page\":1\n",
            "the connection to the server broke before the end of the response", code: 6),
    ]

    /// Failure statuses whose body breaks off: the status determines the exit code.
    static let halves: [Row] = [
        Row(
            "401, behind the hint", "call echo.limits", response: .typed("text/plain", "half", 401, "Oops").broken(),
            err: """
                half
                apictl: echo.limits: 401 Oops
                The request was sent without ECHO_TOKEN.
                The body is incomplete: the server closed the connection without a response

                """, code: 4),
        Row(
            "no words are looked for in half a body", "call echo.limits --compact",
            response: .typed("text/plain", #"{"message":"no"}"#, 404, "Oops").broken(),
            err: """
                {"message":"no"}
                apictl: echo.limits: 404 Oops
                The body is incomplete: the server closed the connection without a response

                """, code: 4),
        Row(
            "before its first byte", "call echo.path a", response: .typed("text/plain", "", 404, "Oops").broken(),
            err:
                """
                apictl: echo.path: 404 Oops\nThe body is missing: the server closed the \
                connection without a response\n
                """,
            code: 4),
        Row("quiet, 500", "call echo.path a -q", response: .typed("text/plain", "half", 500, "Oops").broken(), code: 5),
        Row(
            "HTTP/2 has no reasons", "call echo.path a -i",
            response: StubResponse(head: ResponseHead(version: "HTTP/2", status: 404)),
            err: "HTTP/2 404\n\napictl: echo.path: 404 Not Found\n", code: 4),
    ]

    static let secrets: [Row] = [
        failed(
            "key and password in a place to go", "--max-redirects 0",
            response: .empty(302, "Found").with("Location", "https://u:p@other.test/?api_key=k%203%2Fy"),
            variables: secret, "302 Found to https://(redacted)@other.test/?api_key=(redacted)", code: 3),
        Row(
            "basic echoed", "call echo.login --compact", variables: ["ECHO_USER": "anna", "ECHO_PASSWORD": "pass"],
            response: .json(#"{"message":"Basic YW5uYTpwYXNz is anna:pass"}"#, 401, "No"),
            err: """
                {"message":"Basic (redacted) is anna:(redacted)"}
                apictl: echo.login: 401 No: Basic (redacted) is anna:(redacted)
                The request was sent with ECHO_USER and ECHO_PASSWORD.

                """, code: 4),
    ]

    static let unsent: [Row] = [
        Row(
            "missing key", "call movies.popular", variables: [:],
            err:
                """
                apictl: movies.popular: a credential is missing: set MOVIES_KEY, or MOVIES_TOKEN (--sample and \
                --dry-run need none)\n
                """,
            code: 9),
        Row(
            "password with an escape", "call echo.login", variables: ["ECHO_USER": "me", "ECHO_PASSWORD": "\u{1B}[2J"],
            err: """
                apictl: header 'Authorization': the value of ECHO_PASSWORD contains a line break or another control \
                character
                See 'apictl help echo.login'.

                """, code: 2),
    ]

    private static let checkProxy =
        "Put user and password into http_proxy or https_proxy: http://USER:PASSWORD@HOST:PORT"

    @Test(
        "A message over a socket names the server, and hides the key that the server repeats",
        arguments: [
            (
                .response(407, fields: [("Proxy-Authenticate", "Basic realm=\"k3y/s3cret\"")], body: [0x61]),
                "--base-url https://api.movies.test -x http://127.0.0.1:PORT", 6,
                "the proxy at 127.0.0.1:PORT requires credentials (407)\n" + checkProxy
            ),
            (
                .response(302, fields: [("Location", "/k3y/s3cret?a=k3y%2Fs3cret")]), "--max-redirects 1", 6,
                "more than 1 redirect, in a loop: http://127.0.0.1:PORT/movie/popular?api_key=(redacted) "
                    + "→ http://127.0.0.1:PORT/(redacted)?a=(redacted) → http://127.0.0.1:PORT/(redacted)?a=(redacted)"
            ),
            (
                .response(500, fields: [("Content-Length", "9000000")]).then(
                    .repeating(Array("<p>no</p>".utf8), count: 1_000_000)), "-o -", 5, "500 Internal Server Error"
            ),
        ] as [(MockResponse, String, Int32, String)])
    func overASocket(_ response: MockResponse, _ words: String, _ code: Int32, _ message: String) async throws {
        let server = try MockServer(recording: false) { _ in response }
        let port = "\(server.port)"
        let target = words.contains("--base-url") ? "" : " --base-url http://127.0.0.1:PORT"
        let outcome = await run(
            "call movies.popular \(words)\(target)".replacing("PORT", with: port),
            variables: ["MOVIES_KEY": "k3y/s3cret"], transport: CurlTransport())
        #expect(outcome.out == "" && outcome.code == code)
        #expect(
            outcome.err.replacing(port, with: "PORT").hasSuffix("apictl: movies.popular: \(message)\n"), "\(outcome)")
        #expect(
            !outcome.err.contains("s3cret") && !outcome.err.contains("\u{1B}") && outcome.err.utf8.count < 2_000_000)
    }

    @Test("The message about an unknown content coding says how to receive the body unchanged")
    func unknownCoding() async throws {
        let coding = ("Content-Encoding", "k3y/s3cret\u{1B}[2J")
        let server = try MockServer { _ in .response(200, fields: [coding], body: [0x61]) }
        let outcome = await run(
            "call movies.popular -vv --base-url \(server.baseURL)", variables: ["MOVIES_KEY": "k3y/s3cret"],
            transport: CurlTransport())
        #expect(outcome.out == "" && outcome.code == 6)
        // The text in parentheses is libcurl's.
        #expect(outcome.err.contains("apictl: movies.popular: the response of 127.0.0.1 can't be decompressed ("))
        #expect(outcome.err.hasSuffix(")\nTo receive the body as it is sent: -H 'Accept-Encoding: identity'\n"))
        #expect(!outcome.err.contains("s3cret") && !outcome.err.contains("\u{1B}"), "\(outcome)")
    }

    @Test(
        "A failure has a message, hints and an exit code",
        arguments: statuses + responses + transfers + halves + secrets + unsent)
    func row(_ row: Row) async { await row.check() }
}

/// Failures with `--json-errors`, whose stderr is one line of JSON.
struct JSONErrorTests {
    /// The members of an error about an exchange of `movies.popular`.
    private static let exchange =
        #"""
        "endpoint":"movies.popular","method":"GET",\#
        "url":"https://api.movies.test/3/movie/popular?api_key=(redacted)"
        """#

    /// A row with a failure. `members` are the members of its JSON error, in order.
    private static func row(
        _ id: String, _ words: String, variables: [String: String] = testVariables, response: StubResponse? = nil,
        terminal: Terminals = [.stdout, .stderr], out: String = "", _ members: String, code: Int32
    ) -> Row {
        Row(
            id, "call \(words)", variables: variables, response: response, terminal: terminal, out: out,
            err: "{\"error\":{\(members)}}\n", code: code)
    }

    static let rows: [Row] = [
        row(
            "a missing credential", "movies.popular --json-errors", variables: [:],
            #"""
            "kind":"credential","message":"movies.popular: a credential is missing: set MOVIES_KEY, or MOVIES_TOKEN \#
            (--sample and --dry-run need none)","hints":[],"exitCode":9,"endpoint":"movies.popular"
            """#,
            code: 9),
        row(
            "an invalid command line, the option last", "movies.popular --pge 1 --json-errors",
            #"""
            "kind":"usage","message":"unknown option '--pge' (argument 3); did you mean '--page'?","hints":["See \#
            'apictl help movies.popular'."],"exitCode":2
            """#,
            code: 2),
        row(
            "a status, with JSON", "movies.popular --json-errors -i",
            response: .json(#"{"message": "no k3y", "at": 1.0}"#, 404, "Not Found"),
            #"""
            "kind":"status","message":"movies.popular: 404 Not Found: no (redacted)","hints":[],"exitCode":4,\#
            \#(exchange),"status":404,"attempts":1,"body":{"message":"no (redacted)","at":1.0}
            """#,
            code: 4),
        row(
            "a status, with text", "movies.popular --json-errors",
            response: .typed("text/html", "<p>k3y</p>", 500, "Oops"),
            #"""
            "kind":"status","message":"movies.popular: 500 Oops","hints":[],"exitCode":5,\#(exchange),"status":500,\#
            "attempts":1,"body":"<p>(redacted)</p>"
            """#,
            code: 5),
        row(
            "a response that does not fit the model", "movies.popular --json-errors", response: .json(#"{"page":"x"}"#),
            #"""
            "kind":"bad-response","message":"movies.popular: the response does not fit MoviePage","hints":["$.page: \#
            expected integer, found string \"x\" (line 1, column 9)"],"exitCode":8,\#(exchange),"status":200,\#
            "attempts":1,"body":{"page":"x"}
            """#,
            code: 8),
        row(
            "no connection", "movies.popular --json-errors", response: .failing(.notConnected),
            #"""
            "kind":"network","message":"movies.popular: could not connect to the server","hints":["Is the server \#
            running?"],"exitCode":6,\#(exchange),"attempts":1
            """#,
            code: 6),
    ]

    static let others: [Row] = [
        Row(
            "no notes beside a success", "call movies.popular --json-errors -q",
            response: .json(#"{"page":1,"results":[],"total_pages":1,"more":1}"#), terminal: [.stderr]),
        Row("nothing with -q", "call movies.popular --json-errors -q", response: .empty(404), code: 4),
        row(
            "attempts are counted without notes", "movies.popular --json-errors --retry 1 --retry-delay 0 -m 0",
            #"""
            "kind":"status","message":"movies.popular: 503 OK (2 attempts)","hints":[],"exitCode":5,\#(exchange),\#
            "status":503,"attempts":2
            """#,
            code: 5
        ).responding([.empty(503), .empty(503)]),
        Row(
            "bytes that are not UTF-8",
            ["call", "movies.popular", "--page", String(exactBytes: [0x31, 0xFF]), "--json-errors"],
            err: #"{"error":{"kind":"usage","message":"--page (argument 3): expected an integer, got '1\\xFF'","#
                + #""hints":["See 'apictl help movies.popular'."],"exitCode":2}}"# + "\n", code: 2),
        Row(
            "nothing found, and where", "call movies.popular --raw -e --select x --json-errors", response: .json("{}"),
            err: #"{"error":{"kind":"failure","message":"nothing was found","hints":[],"exitCode":1,\#(exchange),"#
                + #""status":200,"attempts":1}}"# + "\n", code: 1),
        Row(
            "what stdout says is repeated", "format -e --select a --json-errors", stdin: "{}",
            err: #"""
                {"error":{"kind":"failure","message":"nothing was found","hints":[],\#
                "exitCode":1}}
                """# + "\n", code: 1),
        Row(
            "of several failures the first one", "format --check a b --json-errors", files: ["a": "[", "b": "["],
            err:
                #"""
                {"error":{"kind":"bad-response","message":"a:1:2: expected a value or ']', found end of input (byte \#
                offset 1)","hints":[],"exitCode":8}}
                """#
                    + "\n", code: 8),
        wrong(
            "call movies.popular -- --json-errors",
            "unexpected argument '--json-errors' (argument 4): options come before '--', which ends them"),
    ]

    @Test("With --json-errors, stderr has the failure as one line of JSON", arguments: rows + others)
    func row(_ row: Row) async { await row.check() }

    @Test("An interruption while a retry waits counts no further attempt")
    func interruptedWait() async {
        let words = "call echo.head --retry 2 --retry-delay 20s --json-errors -w %{stdout}%{num_retries}"
        let transport = StubTransport { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return .json("{}", 503)
        }
        let outcome = await run(words.words, transport: transport)
        #expect(outcome.out == "0" && outcome.err.hasSuffix(#","attempts":1}}"# + "\n"), "\(outcome)")
    }

    @Test(
        "An interruption is silent, except with --json-errors",
        arguments: [
            ("", ""),
            (
                "--json-errors",
                #"""
                {"error":{"kind":"interrupted","message":"interrupted","hints":[],"exitCode":130,\#
                "endpoint":"echo.head","method":"HEAD","url":"http://127.0.0.1:9/head","attempts":1}}
                """#
                    + "\n"
            ),
        ])
    func interrupted(_ option: String, _ message: String) async {
        let outcome = await run(
            "call echo.head \(option)".words, transport: StubTransport { _ in throw CancellationError() })
        #expect(outcome == Outcome(err: message, code: 130))
    }
}

/// The hints for errors of the connection.
struct TransportHintTests {
    private static func row(
        _ id: String, _ cause: TransportError.Cause, _ words: String = "", party: TransportError.Party = .server,
        phase: TransportError.Phase? = nil, code: Int32 = 6, hint: String?
    ) -> Row {
        let error = TransportError(cause, phase: phase, party: party)
        return Row(
            id, "call echo.head \(words)", response: StubResponse(failure: error),
            err: "apictl: echo.head: \(error.message)\n" + (hint.map { $0 + "\n" } ?? ""), code: code)
    }

    private static let connecting = TransportError.Cause.timedOut(.connecting(.seconds(10)))
    private static let whole = TransportError.Cause.timedOut(.whole(.seconds(30)))
    private static let trust = "To trust another issuer: --cacert FILE; -k skips the check."
    private static let server = "Is the server running?"
    private static let direct = "To use no proxy: -x ''"
    private static let scheme = "Does the server expect https on that port? Check scheme and port."

    static let rows: [Row] = [
        row(
            "name", .nameNotResolved,
            hint: "Check the name and the network. Skip the lookup with --resolve HOST:PORT:ADDRESS."),
        row("connection", .notConnected, hint: server),
        row("proxy", .proxy(.refused(status: 403)), hint: direct),
        row("the proxy's name", .nameNotResolved, party: .proxy, hint: direct),
        row(
            "the proxy's credentials", .proxy(.credentialsRequired(status: 407)),
            hint: "Put user and password into http_proxy or https_proxy: http://USER:PASSWORD@HOST:PORT"),
        row(
            "an issuer unknown of a proxy", .certificate(.unknownIssuer), party: .proxy,
            hint: "To trust another issuer: --cacert FILE"),
        row(
            "a part's file given like a body's", .unreadableBody(path: "@a.txt"), code: 1,
            hint: "The path is given without the @: a.txt"),
        row("a file that can't be read", .credentialFile(.clientKey, path: "a.key"), hint: nil),
        row(
            "a client certificate is required", .clientCertificateRequired,
            hint: "Use --cert FILE, and --key FILE if the key is separate."),
        row("the client certificate is rejected", .clientCertificateRejected, hint: nil),
        row(
            "TLS", .tls,
            hint: "Does the server speak https on that port? -vv shows how far the connection got."),
        row("expired", .certificate(.expired), hint: "Only its owner can renew it; -k skips the check."),
        row("not yet valid", .certificate(.notYetValid), hint: "Is this machine's clock right? -k skips the check."),
        row(
            "another host's", .certificate(.wrongHost),
            hint: "To keep the name for another address: --resolve HOST:PORT:ADDRESS; -k skips the check."),
        row("unknown issuer", .certificate(.unknownIssuer), hint: trust),
        row("unchecked already", .certificate(.other), "-k", hint: nil),
        row("time to connect", connecting, code: 7, hint: "To wait longer: --connect-timeout 20s"),
        row(
            "time for all while connecting", whole, "-m 1.2", phase: .connecting, code: 7,
            hint: "To wait longer: --max-time 2.4s"),
        row("time", whole, code: 7, hint: "To wait longer: --max-time 60s"),
        row("silence", .timedOut(.idle(.seconds(30))), code: 7, hint: "To wait as long as it takes: --max-time 0"),
        row("a time that was not set", .timedOut(.whole(nil)), "-m 0", code: 7, hint: nil),
        row("cut short", .cutShort(.noResponse), hint: "To try again: --retry 3"),
        row("not HTTP", .notHTTP, hint: scheme),
        row(
            "redirects", .tooManyRedirects(limit: 1, chain: ["a", "b"]), hint: "To follow more: --max-redirects N"),
        row("other", .other, hint: nil),
    ]

    private static let broken = StubResponse.failing(.cutShort(.noResponse))

    /// No hint suggests repeating a POST, or retrying a request that was retried.
    static let repeated: [Row] = [
        Row(
            "a POST", "call echo.ping", response: broken,
            err: "apictl: echo.ping: the server closed the connection without a response\n", code: 6),
        Row(
            "a retry", "call echo.head -m 0 --retry 1 --retry-delay 0",
            err: """
                apictl: echo.head: the server closed the connection without a response; trying again now (1 of 1)
                apictl: echo.head: the server closed the connection without a response (2 attempts)

                """, code: 6
        ).responding([broken, broken]),
    ]

    /// A client certificate without its key leads to `--key`, or to the passphrase if `--key` is given.
    static let keys: [Row] = [
        (
            "",
            "If its key is in another file: --key FILE. The passphrase of an encrypted key is read from "
                + "APICTL_KEY_PASSPHRASE.\n"
        ),
        (" --key a.key", "The passphrase of an encrypted key is read from APICTL_KEY_PASSPHRASE.\n"),
    ].map { key, hint in
        let error = TransportError(
            .credentialFile(.clientCertificate, path: "a.pem"), phase: .handshaking, detail: "no key")
        return Row(
            "key" + key, "call echo.head -E a.pem" + key, files: ["a.pem": "", "a.key": ""],
            response: StubResponse(failure: error),
            err: "apictl: echo.head: can't use the client certificate a.pem (no key)\n" + hint, code: 6)
    }

    /// A passphrase is never sent, so that an equal word in a message is not redacted.
    static let wrongPassphrase = Row(
        "a wrong passphrase", "call echo.head -E a.pem --key a.key", variables: ["APICTL_KEY_PASSPHRASE": "wrong"],
        files: ["a.pem": "", "a.key": ""],
        response: StubResponse(
            failure: TransportError(
                .credentialFile(.clientCertificate, path: "a.pem"), phase: .handshaking,
                detail: "no key found, wrong pass phrase, or wrong file format?")),
        err: "apictl: echo.head: can't use the client certificate a.pem (no key found, wrong pass phrase, or wrong "
            + "file format?)\nThe passphrase of an encrypted key is read from APICTL_KEY_PASSPHRASE.\n",
        code: 6)

    @Test(
        "An error of the connection has advice that names the option",
        arguments: rows + repeated + keys + [wrongPassphrase])
    func row(_ row: Row) async { await row.check() }
}
