import MockServer

// Faults in an exchange of several requests: redirects, reused connections, request bodies.

extension Fault {
    static let redirects = [
        redirected(
            "in a loop, few", to: "/movie/popular", options: "--max-redirects 1",
            "more than 1 redirects, in a loop: http://127.0.0.1:{port}/movie/popular?api_key=(redacted) → http://127.0.0.1:{port}/movie/popular → http://127.0.0.1:{port}/movie/popular"
        ),
        redirected(
            "to a file", to: "file:///etc/passwd", "http://127.0.0.1:{port} redirects to file:, which is not followed"),
        redirected(
            "to where nobody listens", to: "http://127.0.0.1:1/",
            "could not connect to 127.0.0.1 port 1: connection refused" + Hint.running),
        redirected(
            "to a credential elsewhere", to: "http://localhost:1/?x=k3y%2Fs3cret",
            "http://127.0.0.1:{port} redirects a credential to another origin: http://localhost:1"),
        redirected(
            "to a place that a terminal would obey", to: "http://127.0.0.1:1/\u{1B}[2J",
            "could not connect to 127.0.0.1 port 1: connection refused" + Hint.running),
        redirected("to nowhere", to: nil, "302 Found", code: 3),
    ]

    private static func redirected(
        _ id: String, to location: String?, options: String = "", _ message: String, code: Int32 = 6
    ) -> Fault {
        fault(id, .response(302, fields: location.map { [("Location", $0)] } ?? []), options, code: code, message)
    }

    static let reuses = [
        fault(
            "closed at the second POST",
            .responding { request in
                if request.path != "/end" {
                    redirect
                } else {
                    request.connection == 1 ? MockResponse(steps: [.close]) : .json("{}")
                }
            }, "echo.note --note.title x", code: 6,
            err: """
                apictl: echo.note: 127.0.0.1 closed the connection without a response; the POST is not repeated because \
                the server may have processed it

                """)
    ]

    private static let redirect = MockResponse.response(307, fields: [("Location", "/end")])

    static let uploads = [
        fault(
            "refused while it is sent", .limited(body: 1000), "echo.store --data " + large, code: 4,
            err: "…\napictl: echo.store: 413 Content Too Large\n"),
        fault(
            "never read", .silent, "echo.store --max-time 500ms --data " + large, code: 7,
            err:
                "apictl: echo.store: no complete response from 127.0.0.1 within 500 ms (0 bytes received)\(Hint.longer("1s"))\n"
        ),
    ]

    private static let large = String(repeating: "x", count: 16 << 20)
}
