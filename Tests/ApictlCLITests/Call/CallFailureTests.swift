import CurlTransport
import EndpointKit
import MockServer
import Testing

/// Calls that fail after they were sent: the body and the API's message on stderr, nothing on stdout, an exit code for each kind.
struct CallFailureTests {
    private static let secret = ["MOVIES_KEY": "k 3/y"]

    private static func popular(
        _ id: String, _ options: String = "", response: StubResponse, variables: [String: String] = testVariables,
        out: String = "", err: String, code: Int32
    ) -> Row {
        Row(
            id, "call movies.popular \(options)", variables: variables, response: response, out: out, err: err,
            code: code)
    }

    /// The same for a call that fails: stderr is `body` on a line as it is shown, and the message.
    private static func failed(
        _ id: String, _ options: String = "", response: StubResponse, variables: [String: String] = testVariables,
        out: String = "", shown body: String? = nil, _ message: String, code: Int32
    ) -> Row {
        popular(
            id, options, response: response, variables: variables, out: out,
            err: (body.map { $0 + "\n" } ?? "") + "apictl: movies.popular: \(message)\n", code: code)
    }

    static let statuses: [Row] = [
        failed(
            "401 in the API's words", "--compact",
            response: .json(#"{"status_code":7,"status_message":"Invalid API key"}"#, 401, "Unauthorized"),
            shown: #"{"status_code":7,"status_message":"Invalid API key"}"#,
            "401 Unauthorized: Invalid API key\nThe request was sent with MOVIES_KEY.", code: 4),
        failed("404 without a body", response: .empty(404, "Not Found"), "404 Not Found", code: 4),
        failed(
            "422 by field", "--compact",
            response: .json(#"{"errors":{"title":["can't be blank","is short"]}}"#, 422, "Unprocessable Content"),
            shown: #"{"errors":{"title":["can't be blank","is short"]}}"#,
            "422 Unprocessable Content: title: can't be blank; is short", code: 4),
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
        popular("quiet failure", "-q", response: .json(#"{"error":"no"}"#, 400, "Bad Request"), err: "", code: 4),
        popular(
            "any status", "--any-status --compact", response: .json(#"{"error":"no"}"#, 500, "Oops"),
            out: #"{"error":"no"}"# + "\n", err: "", code: 0),
        popular(
            "any status, the model is for success only", "--any-status --compact",
            response: .json("[1]", 404, "Not Found"), out: #"[1]"# + "\n", err: "", code: 0),
        failed(
            "words with control characters", "--compact",
            response: .json(#"{"message":"a\u001b[2J\nb\u202e\u0085"}"#, 400, "Bad\u{1B}Request"),
            shown: #"{"message":"a\u001b[2J\nb\u202e\u0085"}"#, "400 Bad\\u001BRequest: a\\u001B[2J\\nb\\u202E\\u0085",
            code: 4),
        Row(
            "401 and an optional credential", "call echo.limits", response: .empty(401, "Unauthorized"),
            err: "apictl: echo.limits: 401 Unauthorized\nThe request was sent without ECHO_TOKEN.\n",
            code: 4),
    ]

    static let responses: [Row] = [
        failed("empty 200", response: .empty(), "the response (200 OK) has no body, expected MoviePage", code: 8),
        failed(
            "204 for a model", response: .empty(204, "No Content"),
            "the response (204 No Content) has no body, expected MoviePage", code: 8),
        failed(
            "HTML", response: .typed("text/html; charset=utf-8", "<html>", 200, "OK"), shown: "<html>",
            "the response is text/html, not JSON", code: 8),
        failed(
            "text without a type", response: .typed("", "hello"), shown: "hello",
            "the response is not valid JSON: line 1, column 1: expected a value, found 'h'", code: 8),
        failed(
            "HTML that says it is JSON, raw", "--raw", response: .json("<html>"),
            "the response is not valid JSON: line 1, column 1: expected a value, found '<'\nAdd -o FILE to keep what the server sent.",
            code: 8),
        failed(
            "cut off, raw and one line", "--raw --compact", response: .json("{\"page\": 1,\n \"results\": [{\"id\": 1"),
            out: "{\"page\":1,\"results\":[{\"id\":1\n",
            "the response is not valid JSON: line 2, column 22: expected ',' or '}', found end of input\nAdd -o FILE to keep what the server sent.",
            code: 8),
        failed(
            "a type within", "--compact",
            response: .json(
                "{\"page\":1,\"total_pages\":1,\n\"results\":[{\"id\":1,\"title\":\"a\"},\n  {\"id\":\"x\",\"title\":\"b\"}]}"
            ),
            shown: #"{"page":1,"total_pages":1,"results":[{"id":1,"title":"a"},{"id":"x","title":"b"}]}"#,
            "the response does not fit MoviePage\n  $.results[1].id: expected integer, found string \"x\" (line 3, column 9)",
            code: 8),
        failed(
            "control characters in what was found", "--compact",
            response: .json("{\"page\":\"\\u001b[2J\\u202e\u{85}\",\"results\":[]}"),
            shown: #"{"page":"\u001b[2J\u202e","results":[]}"#,
            "the response does not fit MoviePage\n  $.page: expected integer, found string \"\\u001b[2J\\u202e\\u0085\" (line 1, column 9)",
            code: 8),
        failed(
            "the head is on stderr too", "-i", response: .json("[]"),
            shown: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n[]",
            "the response does not fit MoviePage\n  $: expected object, found array (line 1, column 1)", code: 8),
        Row(
            "failure that the response reports", "call movies.rate 5 --rating.value 8",
            response: .json(#"{"status":"DENIED","reason":"no\u001b[2J quota"}"#),
            err: """
                {
                  "status": "DENIED",
                  "reason": "no\\u001b[2J quota"
                }
                apictl: movies.rate: DENIED: no\\u001B[2J quota

                """, code: 8),
        Row(
            "failure that the response reports, raw", "call movies.rate 5 --rating.value 8 --raw --compact",
            response: .json(#"{"status":"DENIED"}"#), out: "{\"status\":\"DENIED\"}\n"),
    ]

    static let transfers: [Row] = [
        failed("anything else", response: .failing(.other, "what\u{1B}[2J\nnow"), "what\\u001B[2J\\nnow", code: 6),
        failed(
            "a message with the key", response: .failing(.other, "GET /?api_key=k3y failed"),
            "GET /?api_key=(redacted) failed", code: 6),
        failed(
            "a message with a proxy's password",
            response: .failing(.other, "http_proxy http://anna:p@ss:w%2F@proxy.test:3128/ refused; see https://h/a@b"),
            "http_proxy http://(redacted)@proxy.test:3128/ refused; see https://h/a@b", code: 6),
        failed(
            "in the body",
            response: StubResponse(
                head: ResponseHead(status: 200, fields: [.init("Content-Type", "application/json")]),
                body: Array("{\"page\":1".utf8), failureInBody: TransportError(.cutShort(.broken))),
            "the connection to the server broke before the end of the response\nTo try again: --retry 3", code: 6),
        failed(
            "in the body, raw", "--raw --compact",
            response: StubResponse(
                head: ResponseHead(status: 200, fields: [.init("Content-Type", "application/json")]),
                body: Array("{\"page\":1".utf8), failureInBody: TransportError(.cutShort(.broken))),
            out: "{\"page\":1\n", "the connection to the server broke before the end of the response", code: 6),
    ]

    static let secrets: [Row] = [
        failed(
            "key in the body of a failure", "--compact",
            response: .json(#"{"message":"key k 3/y is wrong: k%203%2Fy, k+3%2Fy, k%203%2fy"}"#, 401, "No"),
            variables: secret, shown: #"{"message":"key (redacted) is wrong: (redacted), (redacted), (redacted)"}"#,
            "401 No: key (redacted) is wrong: (redacted), (redacted), (redacted)\nThe request was sent with MOVIES_KEY.",
            code: 4),
        failed(
            "key with a combining mark behind", "--compact",
            response: .json("{\"message\":\"k 3/y\u{301}\"}", 401, "No"), variables: secret,
            shown: "{\"message\":\"(redacted)\u{301}\"}",
            "401 No: (redacted)\u{301}\nThe request was sent with MOVIES_KEY.", code: 4),
        failed(
            "key and password in a place to go", "--max-redirects 0",
            response: .empty(302, "Found").with("Location", "https://u:p@other.test/?api_key=k%203%2Fy"),
            variables: secret, "302 Found to https://(redacted)@other.test/?api_key=(redacted)", code: 3),
        Row(
            "basic echoed", "call echo.login", variables: ["ECHO_USER": "anna", "ECHO_PASSWORD": "pass"],
            response: .json(#"{"message":"Basic YW5uYTpwYXNz is anna:pass"}"#, 401, "No"),
            err: """
                {
                  "message": "Basic (redacted) is anna:(redacted)"
                }
                apictl: echo.login: 401 No: Basic (redacted) is anna:(redacted)
                The request was sent with ECHO_USER and ECHO_PASSWORD.

                """, code: 4),
    ]

    static let unsent: [Row] = [
        Row(
            "missing key", "call movies.popular", variables: [:],
            err:
                "apictl: movies.popular: a credential is missing: set MOVIES_KEY, or MOVIES_TOKEN (--sample and --dry-run need none)\n",
            code: 9),
        Row(
            "password with an escape", "call echo.login", variables: ["ECHO_USER": "me", "ECHO_PASSWORD": "\u{1B}[2J"],
            err: """
                apictl: header 'Authorization': the value of ECHO_PASSWORD contains a line break or another control character
                See 'apictl help echo.login'.

                """, code: 2),
    ]

    @Test(
        "What no message is promised for fails all the same",
        arguments: [
            #"{"page":1.5,"total_pages":1,"results":[]}"#,
            #"{"page":99999999999999999999,"total_pages":1,"results":[]}"#,
        ])
    func misfit(_ body: String) async {
        let outcome = await run(["call", "movies.popular"], transport: StubTransport(.json(body)))
        #expect(outcome.err.contains("\napictl: movies.popular: the response does not fit MoviePage\n"))
        #expect(outcome.out == "")
        #expect(outcome.code == 8)
    }

    private static let checkProxy =
        "Put user and password into http_proxy or https_proxy: http://USER:PASSWORD@HOST:PORT"

    @Test(
        "Over a socket: the server is named, and nothing of the key that it repeats is shown",
        arguments: [
            (
                MockResponse(steps: [.hang]), "--max-time 300ms", 7,
                "no complete response from 127.0.0.1 within 300 ms (0 bytes received)\nTo wait longer: --max-time 600ms"
            ),
            (
                .response(407, fields: [("Proxy-Authenticate", "Basic realm=\"k3y/s3cret\"")], body: [0x61]),
                "--base-url https://api.movies.test -x http://127.0.0.1:PORT", 6,
                "the proxy at 127.0.0.1:PORT requires credentials (407)\n" + checkProxy
            ),
            (
                .response(302, fields: [("Location", "/k3y/s3cret?a=k3y%2Fs3cret")]), "--max-redirects 1", 6,
                "more than 1 redirects, in a loop: http://127.0.0.1:PORT/movie/popular?api_key=(redacted) "
                    + "→ http://127.0.0.1:PORT/(redacted)?a=(redacted) → http://127.0.0.1:PORT/(redacted)?a=(redacted)"
            ),
            (
                .response(200, fields: [("Content-Encoding", "k3y/s3cret\u{1B}[2J")], body: [0x61]), "-vv", 6,
                "the response of 127.0.0.1 can't be decompressed (the unknown coding (redacted)\\u001B[2J)"
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
        #expect(!outcome.err.contains("s3cret") && !outcome.err.contains("\u{1B}") && outcome.err.utf8.count < 2_000_000)
    }

    @Test(arguments: statuses + responses + transfers + secrets + unsent)
    func row(_ row: Row) async {
        await row.check()
    }
}
