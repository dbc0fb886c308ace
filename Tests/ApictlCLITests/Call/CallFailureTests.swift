import EndpointKit
import Testing

/// Calls that fail after they were sent: the body and the API's message on stderr, nothing on stdout, an exit code for each kind.
struct CallFailureTests {
    private static let key = CallOutputTests.key
    private static let secret = ["MOVIES_KEY": "k 3/y"]

    private static func popular(
        _ id: String, _ options: String = "", response: StubResponse, variables: [String: String] = key,
        out: String = "",
        err: String, code: Int32
    ) -> Row {
        Row(
            id, "call movies.popular \(options)", variables: variables, response: response, out: out, err: err,
            code: code)
    }

    static let statuses: [Row] = [
        popular(
            "401 in the API's words",
            response: .json(#"{"status_code":7,"status_message":"Invalid API key"}"#, 401, "Unauthorized"),
            err: """
                {
                  "status_code": 7,
                  "status_message": "Invalid API key"
                }
                apictl: movies.popular: 401 Unauthorized: Invalid API key
                The request was sent with MOVIES_KEY.

                """,
            code: 4),
        popular(
            "404, one line", "--compact", response: .json(#"{"message":"Not found"}"#, 404, "Not Found"),
            err: """
                {"message":"Not found"}
                apictl: movies.popular: 404 Not Found: Not found

                """,
            code: 4),
        popular(
            "404 without a body", response: .empty(404, "Not Found"), err: "apictl: movies.popular: 404 Not Found\n",
            code: 4),
        popular(
            "404 without a reason", response: .empty(404, ""), err: "apictl: movies.popular: 404 Not Found\n", code: 4),
        popular(
            "422 by field",
            response: .json(#"{"errors":{"title":["can't be blank","is short"]}}"#, 422, "Unprocessable Content"),
            err: """
                {
                  "errors": {
                    "title": [
                      "can't be blank",
                      "is short"
                    ]
                  }
                }
                apictl: movies.popular: 422 Unprocessable Content: title: can't be blank; is short

                """, code: 4),
        popular(
            "403 with HTML",
            response: .typed("text/html", "<html>\r\n<h1>Forbidden</h1>\r\n</html>\r\n", 403, "Forbidden"),
            err: """
                <html>\r
                <h1>Forbidden</h1>\r
                </html>\r
                apictl: movies.popular: 403 Forbidden
                The request was sent with MOVIES_KEY.

                """,
            code: 4),
        popular(
            "403 with HTML, raw", "--raw", response: .typed("text/html", "<h1>Forbidden</h1>", 403, "Forbidden"),
            err: """
                <h1>Forbidden</h1>
                apictl: movies.popular: 403 Forbidden
                The request was sent with MOVIES_KEY.

                """, code: 4),
        popular(
            "500", response: .typed("text/plain", "oops", 500, "Internal Server Error"),
            err: """
                oops
                apictl: movies.popular: 500 Internal Server Error

                """, code: 5),
        popular(
            "503 with JSON cut off", response: .json(#"{"error":"bus"#, 503, "Service Unavailable"),
            err: """
                {"error":"bus
                apictl: movies.popular: 503 Service Unavailable

                """, code: 5),
        popular(
            "304", response: .empty(304, "Not Modified"), err: "apictl: movies.popular: 304 Not Modified\n", code: 3),
        popular(
            "redirect that is not followed", "--max-redirects 0",
            response: .empty(301, "Moved").with("Location", "https://other.test/"),
            err: "apictl: movies.popular: 301 Moved to https://other.test/\n", code: 3),
        popular(
            "redirect without a place", response: .empty(302, "Found"), err: "apictl: movies.popular: 302 Found\n",
            code: 3),
        popular(
            "with the head", "-i", response: .json(#"{"error":"no"}"#, 400, "Bad Request"),
            err: """
                HTTP/1.1 400 Bad Request
                Content-Type: application/json

                {
                  "error": "no"
                }
                apictl: movies.popular: 400 Bad Request: no

                """, code: 4),
        popular("quiet failure", "-q", response: .json(#"{"error":"no"}"#, 400, "Bad Request"), err: "", code: 4),
        popular(
            "any status", "--any-status", response: .json(#"{"error":"no"}"#, 500, "Oops"),
            out: """
                {
                  "error": "no"
                }

                """, err: "", code: 0),
        popular(
            "any status, HTML", "--any-status", response: .typed("text/html", "<p>", 403, "Forbidden"), out: "<p>",
            err: "",
            code: 0),
        popular("any status, empty", "--any-status", response: .empty(404, "Not Found"), err: "", code: 0),
        popular(
            "any status, the model is for success only", "--any-status", response: .json("[1]", 404, "Not Found"),
            out: """
                [
                  1
                ]

                """, err: "", code: 0),
        popular(
            "words with control characters",
            response: .json(#"{"message":"a\u001b[2J\nb\u202e\u0085"}"#, 400, "Bad\u{1B}Request"),
            err: """
                {
                  "message": "a\\u001b[2J\\nb\\u202e\\u0085"
                }
                apictl: movies.popular: 400 Bad\\u001BRequest: a\\u001B[2J\\nb\\u202E\\u0085

                """, code: 4),
        Row(
            "401 and an optional credential", "call echo.limits", response: .empty(401, "Unauthorized"),
            err: """
                apictl: echo.limits: 401 Unauthorized
                ECHO_TOKEN is not set; the request was sent without it.

                """,
            code: 4),
        Row(
            "403 and an optional credential that is set", "call echo.limits", variables: ["ECHO_TOKEN": "t"],
            response: .empty(403, "Forbidden"),
            err: "apictl: echo.limits: 403 Forbidden\nThe request was sent with ECHO_TOKEN.\n", code: 4),
    ]

    static let responses: [Row] = [
        popular(
            "empty 200", response: .empty(),
            err: "apictl: movies.popular: the response (200 OK) has no body, expected MoviePage\n", code: 8),
        popular(
            "204 for a model", response: .empty(204, "No Content"),
            err: "apictl: movies.popular: the response (204 No Content) has no body, expected MoviePage\n",
            code: 8),
        popular(
            "HTML", response: .typed("text/html; charset=utf-8", "<html>", 200, "OK"),
            err: """
                <html>
                apictl: movies.popular: the response is text/html, not JSON

                """, code: 8),
        popular(
            "HTML behind a line break", response: .typed("text/html", "\n\n<html>", 200, "OK"),
            err: """


                <html>
                apictl: movies.popular: the response is text/html, not JSON

                """, code: 8),
        popular(
            "text without a type", response: .typed("", "hello"),
            err: """
                hello
                apictl: movies.popular: the response is not valid JSON: line 1, column 1: expected a value, found 'h'

                """, code: 8),
        popular(
            "HTML that says it is JSON", response: .json("<html>"),
            err: """
                <html>
                apictl: movies.popular: the response is not valid JSON: line 1, column 1: expected a value, found '<'

                """, code: 8),
        popular(
            "HTML that says it is JSON, raw", "--raw", response: .json("<html>"),
            err: """
                apictl: movies.popular: the response is not valid JSON: line 1, column 1: expected a value, found '<'
                Add -o FILE to keep what the server sent.

                """,
            code: 8),
        popular(
            "cut off", response: .json("{\"page\": 1,\n \"results\": [{\"id\": 1"),
            err: """
                {"page": 1,
                 "results": [{"id": 1
                apictl: movies.popular: the response is not valid JSON: line 2, column 22: expected ',' or '}', found end of input

                """, code: 8),
        popular(
            "cut off, raw", "--raw", response: .json("{\"page\": 1,\n \"results\": [{\"id\": 1"),
            out: """
                {
                  "page": 1,
                  "results": [
                    {
                      "id": 1

                """,
            err: """
                apictl: movies.popular: the response is not valid JSON: line 2, column 22: expected ',' or '}', found end of input
                Add -o FILE to keep what the server sent.

                """,
            code: 8),
        popular(
            "cut off, raw and one line", "--raw --compact", response: .json("{\"page\": 1,\n \"results\": [{\"id\": 1"),
            out: "{\"page\":1,\"results\":[{\"id\":1\n",
            err: """
                apictl: movies.popular: the response is not valid JSON: line 2, column 22: expected ',' or '}', found end of input
                Add -o FILE to keep what the server sent.

                """,
            code: 8),
        popular(
            "not UTF-8", response: .json("{\"page\": \"" + String(exactBytes: [0xFF]) + "\"}"),
            err: """
                {"page": "\(String(exactBytes: [0xFF]))"}
                apictl: movies.popular: the response is not valid JSON: line 1, column 11: expected valid UTF-8, found byte 0xFF

                """, code: 8),
        popular(
            "a type within",
            response: .json(
                "{\"page\":1,\"total_pages\":1,\n\"results\":[{\"id\":1,\"title\":\"a\"},\n  {\"id\":\"x\",\"title\":\"b\"}]}"
            ),
            err: """
                {
                  "page": 1,
                  "total_pages": 1,
                  "results": [
                    {
                      "id": 1,
                      "title": "a"
                    },
                    {
                      "id": "x",
                      "title": "b"
                    }
                  ]
                }
                apictl: movies.popular: the response does not fit MoviePage
                  $.results[1].id: expected integer, found string "x" (line 3, column 9)

                """, code: 8),
        popular(
            "a key missing", response: .json("{\"page\":1,\"total_pages\":1,\"results\":[{\"id\":1}]}"),
            err: """
                {
                  "page": 1,
                  "total_pages": 1,
                  "results": [
                    {
                      "id": 1
                    }
                  ]
                }
                apictl: movies.popular: the response does not fit MoviePage
                  $.results[0]: missing key "title" (line 1, column 38)

                """,
            code: 8),
        popular(
            "null", response: .json("{\"page\":null,\"total_pages\":1,\"results\":[]}"),
            err: """
                {
                  "page": null,
                  "total_pages": 1,
                  "results": []
                }
                apictl: movies.popular: the response does not fit MoviePage
                  $.page: expected integer, found null (line 1, column 9)

                """, code: 8),
        popular(
            "an array for an object", response: .json("[]"),
            err: """
                []
                apictl: movies.popular: the response does not fit MoviePage
                  $: expected object, found array (line 1, column 1)

                """, code: 8),
        popular(
            "control characters in what was found",
            response: .json("{\"page\":\"\\u001b[2J\\u202e\u{85}\",\"results\":[]}"),
            err: """
                {
                  "page": "\\u001b[2J\\u202e",
                  "results": []
                }
                apictl: movies.popular: the response does not fit MoviePage
                  $.page: expected integer, found string "\\u001b[2J\\u202e\\u0085" (line 1, column 9)

                """, code: 8),
        popular(
            "the head is on stderr too", "-i", response: .json("[]"),
            err: """
                HTTP/1.1 200 OK
                Content-Type: application/json

                []
                apictl: movies.popular: the response does not fit MoviePage
                  $: expected object, found array (line 1, column 1)

                """, code: 8),
        Row(
            "failure that the response reports", "call movies.rate 5 --rating.value 8", variables: key,
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
            variables: key, response: .json(#"{"status":"DENIED"}"#), out: "{\"status\":\"DENIED\"}\n"),
    ]

    static let transfers: [Row] = [
        popular(
            "name", response: .failing(.nameNotResolved),
            err: """
                apictl: movies.popular: could not resolve the host name
                Check the name and the network. Skip the lookup with --resolve HOST:PORT:ADDRESS.

                """,
            code: 6),
        popular(
            "connection", response: .failing(.notConnected),
            err: """
                apictl: movies.popular: could not connect to the server
                Is the server running? --base-url or --env sets another.

                """,
            code: 6),
        popular(
            "TLS", response: .failing(.tls(.failed)),
            err: """
                apictl: movies.popular: no secure connection to the server
                Does the server speak https on that port? -vv shows how far the connection got.

                """,
            code: 6),
        popular(
            "time", response: .failing(.timedOut(.whole(.seconds(30)))),
            err:
                "apictl: movies.popular: no complete response from the server within 30 s\nTo wait longer: --max-time 60s\n",
            code: 7),
        popular(
            "not HTTP", response: .failing(.notHTTP(.noStatusLine)),
            err: """
                apictl: movies.popular: the response of the server is not HTTP
                Does that port speak HTTP, and is the scheme right? --base-url sets another server.

                """,
            code: 6),
        popular(
            "unreadable body", response: .failing(.unreadableBody(path: "a.txt")),
            err: "apictl: movies.popular: can't read a.txt\n", code: 1),
        popular(
            "no library", response: .failing(.libraryMissing, "libcurl is not there"),
            err: "apictl: movies.popular: libcurl is not there\n", code: 6),
        popular(
            "anything else", response: .failing(.other, "what\u{1B}[2J\nnow"),
            err: "apictl: movies.popular: what\\u001B[2J\\nnow\n", code: 6),
        popular(
            "a message with the key", response: .failing(.other, "GET /?api_key=k3y failed"),
            err: "apictl: movies.popular: GET /?api_key=(redacted) failed\n", code: 6),
        popular(
            "a message with a proxy's password",
            response: .failing(.other, "http_proxy http://anna:p@ss:w%2F@proxy.test:3128/ refused; see https://h/a@b"),
            err:
                "apictl: movies.popular: http_proxy http://(redacted)@proxy.test:3128/ refused; see https://h/a@b\n",
            code: 6),
        popular(
            "in the body",
            response: StubResponse(
                head: ResponseHead(status: 200, fields: [.init("Content-Type", "application/json")]),
                body: Array("{\"page\":1".utf8), failureInBody: TransportError(.cutShort(.broken))),
            err:
                "apictl: movies.popular: the connection to the server broke before the end of the response\nTo try again: --retry 3\n",
            code: 6),
        popular(
            "in the body, raw", "--raw --compact",
            response: StubResponse(
                head: ResponseHead(status: 200, fields: [.init("Content-Type", "application/json")]),
                body: Array("{\"page\":1".utf8), failureInBody: TransportError(.cutShort(.broken))),
            out: "{\"page\":1\n",
            err: "apictl: movies.popular: the connection to the server broke before the end of the response\n", code: 6),
    ]

    static let secrets: [Row] = [
        popular(
            "key in the body of a failure",
            response: .json(#"{"message":"key k 3/y is wrong: k%203%2Fy, k+3%2Fy, k%203%2fy"}"#, 401, "No"),
            variables: secret,
            err: """
                {
                  "message": "key (redacted) is wrong: (redacted), (redacted), (redacted)"
                }
                apictl: movies.popular: 401 No: key (redacted) is wrong: (redacted), (redacted), (redacted)
                The request was sent with MOVIES_KEY.

                """, code: 4),
        popular(
            "key in a field", "-i", response: .empty(401, "k 3/y").with("X-Key", "k%203%2Fy"), variables: secret,
            err: """
                HTTP/1.1 401 (redacted)
                X-Key: (redacted)

                apictl: movies.popular: 401 (redacted)
                The request was sent with MOVIES_KEY.

                """, code: 4),
        popular(
            "key where a type is wrong", response: .json(#"{"page":"k 3/y"}"#), variables: secret,
            err: """
                {
                  "page": "(redacted)"
                }
                apictl: movies.popular: the response does not fit MoviePage
                  $.page: expected integer, found string "(redacted)" (line 1, column 9)

                """, code: 8),
        popular(
            "key with a combining mark behind", response: .json("{\"message\":\"k 3/y\u{301}\"}", 401, "No"),
            variables: secret,
            err: """
                {
                  "message": "(redacted)\u{301}"
                }
                apictl: movies.popular: 401 No: (redacted)\u{301}
                The request was sent with MOVIES_KEY.

                """, code: 4),
        popular(
            "key escaped in JSON", response: .json(#"{"message":"k 3\/y"}"#, 401, "No"), variables: secret,
            err: """
                {
                  "message": "(redacted)"
                }
                apictl: movies.popular: 401 No: (redacted)
                The request was sent with MOVIES_KEY.

                """,
            code: 4),
        popular(
            "key escaped for HTML", response: .json(#"{"message":"a\"b\\c\u003cd\u003e\u0026"}"#, 401, "No"),
            variables: ["MOVIES_KEY": "a\"b\\c<d>&"],
            err: """
                {
                  "message": "(redacted)"
                }
                apictl: movies.popular: 401 No: (redacted)
                The request was sent with MOVIES_KEY.

                """, code: 4),
        popular(
            "key in capitals", response: .json(#"{"message":"AbC%2fd"}"#, 401, "No"),
            variables: ["MOVIES_KEY": "AbC/d"],
            err: """
                {
                  "message": "(redacted)"
                }
                apictl: movies.popular: 401 No: (redacted)
                The request was sent with MOVIES_KEY.

                """, code: 4),
        popular(
            "key and password in a place to go", "--max-redirects 0",
            response: .empty(302, "Found").with("Location", "https://u:p@other.test/?api_key=k%203%2Fy"),
            variables: secret,
            err: "apictl: movies.popular: 302 Found to https://(redacted)@other.test/?api_key=(redacted)\n", code: 3),
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
            "missing key", "call movies.popular",
            err:
                "apictl: movies.popular: a credential is missing: set MOVIES_KEY, or MOVIES_TOKEN (--sample and --dry-run need none)\n",
            code: 9),
        Row(
            "empty key", "call movies.popular", variables: ["MOVIES_KEY": "", "MOVIES_TOKEN": ""],
            err:
                "apictl: movies.popular: a credential is missing: set MOVIES_KEY, or MOVIES_TOKEN (--sample and --dry-run need none)\n",
            code: 9),
        Row(
            "missing password", "call echo.login", variables: ["ECHO_USER": "me"],
            err:
                "apictl: echo.login: a credential is missing: set ECHO_USER and ECHO_PASSWORD (--sample and --dry-run need none)\n",
            code: 9),
        Row(
            "password with an escape", "call echo.login", variables: ["ECHO_USER": "me", "ECHO_PASSWORD": "\u{1B}[2J"],
            err: """
                apictl: header 'Authorization': the value of ECHO_PASSWORD contains a line break or another control character
                See 'apictl help echo.login'.

                """, code: 2),
        Row(
            "key with a line break", "call movies.popular", variables: ["MOVIES_TOKEN": "a\nb"],
            err: """
                apictl: header 'Authorization': the value of MOVIES_TOKEN contains a line break or another control character
                See 'apictl help movies.popular'.

                """, code: 2),
    ]

    @Test(
        "What no message is promised for fails all the same",
        arguments: [
            #"{"page":1.5,"total_pages":1,"results":[]}"#,
            #"{"page":99999999999999999999,"total_pages":1,"results":[]}"#, "{}\n{}",
        ])
    func misfit(_ body: String) async {
        let outcome = await run(
            ["call", "movies.popular"], variables: Self.key, transport: StubTransport(.json(body)))
        #expect(outcome.err.contains("\napictl: movies.popular: the response does not fit MoviePage\n"))
        #expect(outcome.out == "")
        #expect(outcome.code == 8)
    }

    @Test(arguments: statuses)
    func status(_ row: Row) async { await row.check() }

    @Test(arguments: responses)
    func response(_ row: Row) async { await row.check() }

    @Test(arguments: transfers)
    func transfer(_ row: Row) async { await row.check() }

    @Test(arguments: secrets)
    func redaction(_ row: Row) async { await row.check() }

    @Test(arguments: unsent)
    func credential(_ row: Row) async { await row.check() }
}
