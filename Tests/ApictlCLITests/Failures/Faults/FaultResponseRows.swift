import MockServer

// Faults in a response: its headers, its length, its body.

extension Fault {
    /// What `movies.popular` prints for ``page``.
    static let shownPage = """
        {
          "page": 1,
          "results": [],
          "total_pages": 1
        }

        """
    static let page = #"{"page":1,"results":[],"total_pages":1}"#

    static let heads = [
        fault(
            "cut in a field", .raw("HTTP/1.1 200 OK\r\nContent-Le").then(.close), code: 6,
            "127.0.0.1 closed the connection in the middle of the response headers" + Hint.again),
        fault(
            "another protocol", .raw("SSH-2.0-OpenSSH_9.2\r\n").then(.close), code: 6,
            notHTTP("Received HTTP/0.9 when not allowed") + Hint.scheme),
        fault("status 999", .raw("HTTP/1.1 999 Much\r\nContent-Length: 0\r\n\r\n").then(.close), code: 6, "999 Much"),
        fault(
            "100 MB of fields",
            MockResponse(steps: [
                .bytes(Array("HTTP/1.1 200 OK\r\n".utf8)),
                .repeating(Array("X-A: 0123456789\r\n".utf8), count: 100_000_000 / 17),
            ]), code: 6, "the response headers of 127.0.0.1 are too large…"),
    ]

    static let lengths = [
        fault(
            "too long", raw("Content-Length: 100", "0123456789").then(.close), code: 6,
            "127.0.0.1 closed the connection after 10 of 100 bytes" + Hint.again),
        fault(
            "too long by far", raw("Content-Length: 9223372036854775807", "0123456789").then(.close), code: 8,
            "the response is longer than 100.0 MB, the limit for decoding; use --raw or -o FILE, or --max-bytes 1G"),
        fault(
            "too short", raw("Content-Length: 10", page), code: 8, body: "{\"page\":1,\n",
            "the response is not valid JSON: line 1, column 11: expected …"),
        fault(
            "cut between chunks", raw("Transfer-Encoding: chunked", "3\r\nabc\r\n").then(.close), code: 6,
            "127.0.0.1 closed the connection before the end of the response (3 bytes received)" + Hint.again),
        fault(
            "chunked twice", raw("Transfer-Encoding: chunked, chunked", "0\r\n\r\n").then(.close), code: 8,
            "the response (200 OK) has no body, expected MoviePage"),
        fault(
            "cut in a failure's body",
            .raw("HTTP/1.1 500 Oops\r\nContent-Length: 100\r\n\r\n{\"message\":").then(.close), code: 5,
            body: "{\"message\":\n",
            "500 Oops\nThe body is incomplete: 127.0.0.1 closed the connection after 11 of 100 bytes"),
        fault(
            "cut in the response to a POST", .responding { _ in raw("Content-Length: 100", "01").then(.close) },
            "echo.note --note.title x", code: 6,
            err: "apictl: echo.note: 127.0.0.1 closed the connection after 2 of 100 bytes\n"),
    ]

    private static func raw(_ fields: String, _ body: String) -> MockResponse {
        .raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(fields)\r\n\r\n\(body)")
    }

    static let bodies = [
        fault(
            "an unknown content coding", compressed("rot13"), code: 6, cannotUnpack("the unknown coding rot13")),
        fault(
            "a content coding with control characters", compressed("a\u{1B}[2Jb"), code: 6,
            cannotUnpack("the unknown coding a\\u001B[2Jb")),
        fault(
            "longer than --max-bytes", .json(page), "--max-bytes 10", code: 8,
            "the response is longer than the 10 bytes of --max-bytes; to read more: --max-bytes 1G"),
        fault(
            "a type that a terminal would obey",
            .response(200, fields: [("Content-Type", "text/\u{1B}[2J\u{9B}2J")], body: Array("<html>".utf8)), code: 8,
            body: "<html>\n",
            "the response is text/\\u001B[2j\\u009B2j, not JSON"),
        fault(
            "zeros for JSON, raw", .json(String(repeating: "\0", count: 1000)), "--raw", code: 8,
            """
            the response is not valid JSON: line 1, column 1: expected a value, found …
            Add -o FILE to keep what the server sent.
            """),
        fault(
            "a million brackets", .json(String(repeating: "[", count: 1_000_000)), code: 8, body: "…\n",
            "the response is not valid JSON: line 1, column 1000001: expected a value or ']', found end of input"),
        fault(
            "a million brackets and back", .json(brackets(1_000_000)), code: 8, body: "…\n",
            misfit("$: expected at most 512 levels of nesting, found more (line 1, column 513)")),
        fault(
            "a number of a million digits",
            .json(#"{"page":\#(String(repeating: "1", count: 1_000_000)),"results":[],"total_pages":1}"#), code: 8,
            body: "…\n",
            misfit(
                "$.page: expected integer from -9223372036854775808 to 9223372036854775807, found number 1111… (line 1, column 9)"
            )
        ),
        fault(
            "a failure that is longer than what is shown",
            .responding { _ in
                .response(500, fields: [("Content-Length", "9000000")])
                    .then(.repeating(Array("<p>no</p>".utf8), count: 1_000_000))
            }, "movies.popular -o -", code: 5, err: "…\napictl: movies.popular: 500 Internal Server Error\n"),
    ]

    private static func misfit(_ problem: String) -> String {
        "the response does not fit MoviePage\n  \(problem)"
    }

    private static func compressed(_ coding: String) -> MockResponse {
        .response(200, fields: [("Content-Encoding", coding)], body: [0x61])
    }

    private static func cannotUnpack(_ reason: String) -> String {
        "the response of 127.0.0.1 can't be decompressed (\(reason))"
    }

    private static func brackets(_ count: Int) -> String {
        String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
}
