import MockServer
import TestSupport

extension Fault {
    /// What `movies.popular` prints for ``page``.
    static let shownPage = "{\n  \"page\": 1,\n  \"results\": [],\n  \"total_pages\": 1\n}\n"
    static let page = #"{"page":1,"results":[],"total_pages":1}"#

    /// Before there is a response.
    static let connections = [
        fault(
            "refused", .refusing, "movies.popular", code: 6,
            "could not connect to 127.0.0.1 port {port}: connection refused\nIs the server running?"),
        fault(
            "no such name", .refusing, "movies.popular --base-url http://nothing.invalid", code: 6,
            "could not resolve the host name nothing.invalid\nCheck the name and the network. "
                + "Skip the lookup with --resolve HOST:PORT:ADDRESS."),
        fault(
            "a queue that is full", .full, "movies.popular --connect-timeout 300ms", code: 7,
            "no connection to 127.0.0.1 within 300 ms\nTo wait longer: --connect-timeout 600ms"),
        fault(
            "no TLS", .json(page), "-k --base-url https://127.0.0.1:{port}", code: 6,
            "127.0.0.1 port {port} does not speak TLS (…)\n\(checkScheme)"),
        fault(
            "no proxy", .refusing, "movies.popular \(tunnel)", code: 6,
            "could not connect to the proxy at 127.0.0.1:{port}: connection refused\nTo use no proxy: -x ''"),
        fault(
            "a proxy that wants credentials",
            .response(407, fields: [("Proxy-Authenticate", "Basic realm=\"k3y/s3cret\"")], body: [0x61]), tunnel,
            code: 6,
            "the proxy at 127.0.0.1:{port} requires credentials (407)\n"
                + "Put user and password into http_proxy or https_proxy: http://USER:PASSWORD@HOST:PORT"),
        fault(
            "a proxy without a tunnel that wants credentials", .text("k3y/s3cret says no", status: 407),
            "--base-url http://api.movies.test -x http://127.0.0.1:{port}", code: 4, body: "(redacted) says no\n",
            "407 Proxy Authentication Required"),
        fault(
            "a proxy that does not speak TLS", .response(200),
            "--base-url https://api.movies.test -x https://127.0.0.1:{port}", code: 6,
            "the proxy at 127.0.0.1:{port} does not speak TLS (…)\n\(checkScheme)"),
        fault(
            "no head", MockResponse(steps: [.hang]), "--max-time 300ms", code: 7,
            "no complete response from 127.0.0.1 within 300 ms (0 bytes received)\nTo wait longer: --max-time 600ms"),
        fault(
            "a body byte by byte",
            MockResponse(steps: MockResponse.response(200, fields: [("Content-Length", "100")]).steps + trickle),
            "--max-time 500ms", code: 7,
            "no complete response from 127.0.0.1 within 500 ms (… bytes received)\nTo wait longer: --max-time 1s"),
    ]

    private static let checkScheme = "Check scheme and port."
    private static let again = "\nTo try again: --retry 3"
    /// To another server, which is never reached.
    private static let tunnel = "--base-url https://api.movies.test -x http://127.0.0.1:{port}"
    private static let trickle = Array(
        repeating: [MockResponse.Step.bytes([0x20]), .pause(.milliseconds(50))], count: 100
    ).flatMap(\.self)

    /// Several requests: redirects, reused connections, request bodies.
    static let exchanges = [
        redirected(
            "to a file", to: "file:///etc/passwd", "http://127.0.0.1:{port} redirects to file:, which is not followed"),
        redirected(
            "to a credential elsewhere", to: "http://localhost:1/?x=k3y%2Fs3cret",
            "http://127.0.0.1:{port} redirects a credential to another origin: http://localhost:1"),
        redirected(
            "to a place that a terminal would obey", to: "http://127.0.0.1:1/\u{1B}[2J",
            "could not connect to 127.0.0.1 port 1: connection refused\nIs the server running?"),
        fault(
            "closed at the second POST",
            .responding { request in
                if request.path != "/end" { return .response(307, fields: [("Location", "/end")]) }
                return request.connection == 1 ? MockResponse(steps: [.close]) : .json("{}")
            }, "echo.note --note.title x", code: 6,
            "127.0.0.1 closed the connection without a response; the POST is not repeated because the server may have processed it"
        ),
        fault(
            "refused while it is sent", .limited(body: 1000),
            "echo.store --data " + String(repeating: "x", count: 16 << 20), code: 4, body: "…\n",
            "413 Content Too Large"),
    ]

    private static func redirected(_ id: String, to location: String, _ message: String) -> Fault {
        fault(id, .response(302, fields: [("Location", location)]), code: 6, message)
    }

    /// A response's headers, its length, its body.
    static let responses = [
        fault(
            "cut in a field", .raw("HTTP/1.1 200 OK\r\nContent-Le").then(.close), code: 6,
            "127.0.0.1 closed the connection in the middle of the response headers" + again),
        fault(
            "another protocol", .raw("SSH-2.0-OpenSSH_9.2\r\n").then(.close), code: 6,
            "the response of 127.0.0.1 is not HTTP (Received HTTP/0.9 when not allowed)\n\(checkScheme)"),
        fault(
            "100 MB of fields",
            MockResponse(steps: [
                .bytes(Array("HTTP/1.1 200 OK\r\n".utf8)),
                .repeating(Array("X-A: 0123456789\r\n".utf8), count: 100_000_000 / 17),
            ]), code: 6, "the response headers of 127.0.0.1 are too large…"),
        fault(
            "too long", raw("Content-Length: 100", "0123456789"), code: 6,
            "127.0.0.1 closed the connection after 10 of 100 bytes" + again),
        fault(
            "too long by far", raw("Content-Length: 9223372036854775807", "0123456789"), code: 8,
            "the response is longer than 100.0 MB, the limit for decoding; use --raw or -o FILE, or --max-bytes 1G"),
        fault(
            "cut between chunks", raw("Transfer-Encoding: chunked", "3\r\nabc\r\n"), code: 6,
            "127.0.0.1 closed the connection before the end of the response (3 bytes received)" + again),
        fault(
            "a content coding with control characters",
            .response(200, fields: [("Content-Encoding", "a\u{1B}[2Jb")], body: [0x61]), code: 6,
            "the response of 127.0.0.1 can't be decompressed (the unknown coding a\\u001B[2Jb)"),
        fault(
            "a type that a terminal would obey",
            .response(200, fields: [("Content-Type", "text/\u{1B}[2J\u{9B}2J")], body: Array("<html>".utf8)), code: 8,
            body: "<html>\n", "the response is text/\\u001B[2j\\u009B2j, not JSON"),
        fault(
            "a million brackets and back",
            .json(String(repeating: "[", count: 1_000_000) + String(repeating: "]", count: 1_000_000)), code: 8,
            body: "…\n",
            "the response is not valid JSON: line 1, column 513: expected at most 512 levels of nesting, found more"
        ),
        fault(
            "a number of a million digits",
            .json(#"{"page":\#(String(repeating: "1", count: 1_000_000)),"results":[],"total_pages":1}"#), code: 8,
            body: "…\n",
            "the response does not fit MoviePage\n  $.page: expected integer from -9223372036854775808 to "
                + "9223372036854775807, found number 1111… (line 1, column 9)"),
        fault(
            "a failure that is longer than what is shown",
            .response(500, fields: [("Content-Length", "9000000")])
                .then(.repeating(Array("<p>no</p>".utf8), count: 1_000_000)), "-o -", code: 5, body: "…\n",
            "500 Internal Server Error"),
    ]

    private static func raw(_ fields: String, _ body: String) -> MockResponse {
        .raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(fields)\r\n\r\n\(body)").then(.close)
    }
}
