import MockServer
import TestSupport

// Faults before there is a response.

extension Fault {
    static let connections = [
        fault(
            "refused", .refusing, "movies.popular", code: 6,
            err:
                "apictl: movies.popular: could not connect to 127.0.0.1 port {port}: connection refused\(Hint.server)\n"
        ),
        fault(
            "no such name", .refusing, "movies.popular --base-url http://nothing.invalid", code: 6,
            err: "apictl: movies.popular: could not resolve the host name nothing.invalid\(Hint.name)\n"),
        fault(
            "a queue that is full", .full, "movies.popular --connect-timeout 300ms", code: 7,
            err: "apictl: movies.popular: no connection to 127.0.0.1 within 300 ms\(Hint.connecting)\n"),
        fault(
            "no handshake", .silent,
            "movies.popular -k --base-url https://127.0.0.1:{port} --connect-timeout 300ms", code: 7,
            err: "apictl: movies.popular: no connection to 127.0.0.1 within 300 ms\(Hint.connecting)\n"),
        fault(
            "no TLS", .responding { _ in .json(page) }, "movies.popular -k --base-url https://127.0.0.1:{port}",
            code: 6,
            err: "apictl: movies.popular: 127.0.0.1 port {port} does not speak TLS (…)\(Hint.port)\n"),
    ]

    static let proxies =
        [
            proxied(
                "refused", .refusing,
                "could not connect to the proxy at 127.0.0.1:{port}: connection refused" + Hint.direct
            ),
            proxied(
                "wants credentials",
                .response(407, fields: [("Proxy-Authenticate", "Basic realm=\"k3y/s3cret\"")], body: [0x61]),
                "the proxy at 127.0.0.1:{port} requires credentials (407)" + Hint.credentials),
            proxied(
                "resets", MockResponse(steps: [.reset]),
                "the proxy at 127.0.0.1:{port} did not connect to api.movies.test port 443: connection reset by peer"
                    + Hint.direct),
            fault(
                "plain, wants credentials", .responding { _ in .text("k3y/s3cret says no", status: 407) },
                "movies.popular --base-url http://api.movies.test -x http://127.0.0.1:{port}", code: 4,
                err: "(redacted) says no\napictl: movies.popular: 407 Proxy Authentication Required\n"),
            fault(
                "does not speak TLS", .responding { _ in .response(200) },
                "movies.popular --base-url https://api.movies.test -x https://127.0.0.1:{port}", code: 6,
                err: "apictl: movies.popular: the proxy at 127.0.0.1:{port} does not speak TLS (…)\n"),
        ]

    /// A row for a tunnel through the server, to another server that is never reached.
    private static func proxied(_ id: String, _ response: MockResponse, _ message: String, code: Int32 = 6) -> Fault {
        proxied(id, .responding { _ in response }, message, code: code)
    }

    private static func proxied(_ id: String, _ server: Server, _ message: String, code: Int32 = 6) -> Fault {
        fault(
            id, server,
            "movies.popular --base-url https://api.movies.test -x http://127.0.0.1:{port} --connect-timeout "
                + (code == 7 ? "300ms" : "10s"), code: code, err: "apictl: movies.popular: \(message)\n")
    }

    static let times = [
        fault(
            "no head", MockResponse(steps: [.hang]), "--max-time 300ms", code: 7,
            "no complete response from 127.0.0.1 within 300 ms (0 bytes received)" + Hint.longer("600ms")),
        fault(
            "a body byte by byte",
            MockResponse(
                steps: MockResponse.response(200, fields: [("Content-Length", "100")]).steps
                    + trickle(String(repeating: " ", count: 20))),
            "--max-time 500ms", code: 7,
            "no complete response from 127.0.0.1 within 500 ms (… bytes received)" + Hint.longer("1s")),
        fault(
            "no end of a failure's body", .raw("HTTP/1.1 500 Oops\r\n\r\n{}").then(.hang), "--max-time 300ms",
            code: 5, body: "{}\n",
            "500 Oops\nThe body is incomplete: no complete response from 127.0.0.1 within … ms (2 bytes received)"),
    ]

    /// The text in chunks, endlessly.
    private static func trickle(_ text: String, pieces: Int? = nil) -> [MockResponse.Step] {
        let bytes = Array(text.utf8)
        let size = max(1, bytes.count / (pieces ?? bytes.count))
        let once = stride(from: 0, to: bytes.count, by: size).flatMap { start in
            [MockResponse.Step.bytes(Array(bytes[start..<min(start + size, bytes.count)])), .pause(.milliseconds(50))]
        }
        return Array(repeating: once, count: 1 + 200 / once.count).flatMap(\.self)
    }
}
