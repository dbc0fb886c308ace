import MockServer

// Faults in the headers of a response, and in its length.

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
            "none", MockResponse(steps: [.close]), code: 6,
            "127.0.0.1 closed the connection without a response" + Hint.again),
        fault(
            "reset", MockResponse(steps: [.reset]), code: 6,
            "the connection to 127.0.0.1 broke after 0 bytes of the response: connection reset by peer" + Hint.again),
        fault(
            "cut in the status line", .raw("HTTP/1.1 20").then(.close), code: 6,
            "127.0.0.1 closed the connection without a response" + Hint.again),
        fault(
            "cut in a field", .raw("HTTP/1.1 200 OK\r\nContent-Le").then(.close), code: 6,
            "127.0.0.1 closed the connection in the middle of the response headers" + Hint.again),
        fault(
            "cut behind a field", .raw("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n").then(.close), code: 6,
            "127.0.0.1 closed the connection in the middle of the response headers" + Hint.again),
        fault(
            "interim only", .raw("HTTP/1.1 100 Continue\r\n\r\n").then(.close), code: 6,
            "127.0.0.1 closed the connection without a response" + Hint.again),
        fault(
            "another protocol", .raw("SSH-2.0-OpenSSH_9.2\r\n").then(.close), code: 6,
            notHTTP("Received HTTP/0.9 when not allowed") + Hint.scheme),
        fault(
            "zeros", MockResponse(steps: [.repeating([0], count: 100_000), .close]), code: 6,
            notHTTP("Received HTTP/0.9 when not allowed") + Hint.scheme),
        fault(
            "a body without a head", .raw(page).then(.close), code: 6,
            notHTTP("Received HTTP/0.9 when not allowed") + Hint.scheme),
        fault("a version from the future", .raw("HTTP/9.9 200 OK\r\n\r\n").then(.close), code: 6, notHTTP("…")),
        fault("no status", .raw("HTTP/1.1 OK\r\n\r\n").then(.close), code: 6, notHTTP("…")),
        fault(
            "status 000", .raw("HTTP/1.1 000 Nothing\r\nContent-Length: 0\r\n\r\n").then(.close), code: 6,
            notHTTP("Unsupported response code in HTTP response")),
        fault("status 999", .raw("HTTP/1.1 999 Much\r\nContent-Length: 0\r\n\r\n").then(.close), code: 6, "999 Much"),
        fault(
            "status 1000", .raw("HTTP/1.1 1000 More\r\nContent-Length: 0\r\n\r\n").then(.close), code: 6, notHTTP("…")),
        fault(
            "a switch nobody asked for", .raw("HTTP/1.1 101 Switching Protocols\r\n\r\n").then(.close), code: 6,
            "101 Switching Protocols"),
        fault(
            "no reason", .responding { _ in .raw("HTTP/1.1 200\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)") },
            "movies.popular", code: 0, out: shownPage),
        fault(
            "line feeds alone",
            .responding { _ in .raw("HTTP/1.1 200 OK\nContent-Length: \(page.utf8.count)\n\n\(page)") },
            "movies.popular", code: 0, out: shownPage),
        fault(
            "a NUL in a field", .raw("HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 0\r\n\r\n"), code: 6,
            notHTTP("Nul byte in header")),
        fault(
            "100 MB of fields",
            MockResponse(steps: [
                .bytes(Array("HTTP/1.1 200 OK\r\n".utf8)),
                .repeating(Array("X-A: 0123456789\r\n".utf8), count: 100_000_000 / 17),
            ]), code: 6, "the response headers of 127.0.0.1 are too large…"),
        fault(
            "a field of 1 MB",
            .response(200, fields: [("X-A", String(repeating: "a", count: 1 << 20))], body: Array(page.utf8)), code: 6,
            "the response headers of 127.0.0.1 are too large"),
        fault(
            "a field without an end",
            MockResponse(steps: [
                .bytes(Array("HTTP/1.1 200 OK\r\nX-A: ".utf8)), .repeating(Array("0123456789".utf8), count: 1 << 20),
            ]), code: 6, "the response headers of 127.0.0.1 are too large"),
        fault(
            "interim heads without an end",
            MockResponse(steps: [.repeating(Array("HTTP/1.1 102 Processing\r\n\r\n".utf8), count: 1 << 20)]), code: 6,
            "the response headers of 127.0.0.1 are too large…"),
        fault(
            "10,000 fields",
            .responding { _ in
                .response(200, fields: (0..<10_000).map { ("X-\($0)", "v") }, body: Array(page.utf8))
            },
            "movies.popular", code: 0, out: shownPage),
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
        fault("no number", raw("Content-Length: many", page), code: 6, badLength),
        fault("negative", raw("Content-Length: -7", page), code: 6, badLength),
        fault("none", raw("Content-Length:", page), code: 6, badLength),
        fault(
            "more than 63 bits", raw("Content-Length: 9223372036854775808", page).then(.close), code: 6,
            notHTTP("a Content-Length beyond 63 bits")),
        fault(
            "more than 64 bits", raw("Content-Length: 99999999999999999999", page).then(.close), code: 6,
            notHTTP("a Content-Length beyond 63 bits")),
        fault(
            "a number and more", raw("Content-Length: 39 or so", page).then(.close), code: 6,
            notHTTP("a Content-Length that is not a number")),
        fault(
            "two in one field", raw("Content-Length: 39, 10", page).then(.close), code: 6,
            notHTTP("two different values of Content-Length")),
        fault(
            "two in one field that agree", .responding { _ in raw("Content-Length: 39, 39", page) }, "movies.popular",
            code: 0, out: shownPage),
        fault(
            "two", raw("Content-Length: 39\r\nContent-Length: 10", page).then(.close), code: 6,
            notHTTP("two different values of Content-Length")),
        fault(
            "two that agree", .responding { _ in raw("Content-Length: 39\r\nContent-Length: 39", page) },
            "movies.popular", code: 0, out: shownPage),
        fault(
            "of a chunked body, which does not count",
            .responding { _ in
                raw("Content-Length: 3\r\nTransfer-Encoding: chunked", "27\r\n\(page)\r\n0\r\n\r\n")
            },
            "movies.popular", code: 0, out: shownPage),
        fault(
            "of a 204, which has no body",
            .responding { _ in .raw("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n") }, "movies.forget 5",
            code: 0),
        fault(
            "two of a 204, which has no body",
            .responding { _ in .raw("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n") },
            "movies.forget 5", code: 0),
        fault(
            "two of a response to HEAD, which has no body",
            .responding { _ in raw("Content-Length: 1000\r\nContent-Length: 1001", "") }, "echo.head", code: 0),
        fault(
            "of a response to HEAD, which has no body", .responding { _ in raw("Content-Length: 1000", "") },
            "echo.head", code: 0),
        chunked("no number", "zz\r\n\r\n", notHTTP("…")),
        chunked("no line", String(repeating: "1", count: 100_000), notHTTP("…")),
        chunked("negative", "-1\r\nabc\r\n", notHTTP("…")),
        chunked("too large a number", "fffffffffffffffff\r\nabc\r\n", notHTTP("…")),
        chunked(
            "nothing", "",
            "127.0.0.1 closed the connection before the end of the response (0 bytes received)" + Hint.again),
        chunked(
            "cut in a chunk", "5\r\nabc",
            "127.0.0.1 closed the connection before the end of the response (3 bytes received)" + Hint.again),
        chunked(
            "cut between chunks", "3\r\nabc\r\n",
            "127.0.0.1 closed the connection before the end of the response (3 bytes received)" + Hint.again),
        chunked("longer than its number", "3\r\nabcdef\r\n0\r\n\r\n", notHTTP("…")),
        chunked(
            "a trailer without an end", "0\r\n" + String(repeating: "X-A: b\r\n", count: 1 << 18),
            "the response headers of 127.0.0.1 are too large…"),
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

    private static let badLength = notHTTP("Invalid Content-Length: value")

    private static func raw(_ fields: String, _ body: String) -> MockResponse {
        .raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(fields)\r\n\r\n\(body)")
    }

    private static func chunked(_ id: String, _ body: String, _ message: String) -> Fault {
        fault("chunked, \(id)", raw("Transfer-Encoding: chunked", body).then(.close), code: 6, message)
    }
}
