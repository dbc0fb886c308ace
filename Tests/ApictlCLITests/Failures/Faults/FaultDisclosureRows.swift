import MockServer

// Servers that send back secrets, or control characters.

extension Fault {
    static let disclosures = [
        fault(
            "the key in a field", .responding { _ in .json(page, fields: [("X-Key", "k3y/s3cret and k3y%2Fs3cret")]) },
            "movies.popular -i", code: 0,
            out: """
                HTTP/1.1 200 OK
                Content-Type: application/json
                X-Key: (redacted) and (redacted)
                Content-Length: 39


                """ + shownPage),
        fault(
            "the key in a field, on stderr", .responding { _ in .json(page, fields: [("Set-Cookie", "a=k3y/s3cret")]) },
            "movies.popular -v -q", code: 0,
            err: """
                * credential from MOVIES_KEY
                > GET /movie/popular?api_key=(redacted) HTTP/1.1
                > Host: 127.0.0.1:{port}
                > Accept-Encoding: …
                > X-Client: tests
                > Accept: application/json
                > User-Agent: apictl/0.1.0
                > …
                < HTTP/1.1 200 OK
                < Content-Type: application/json
                < Set-Cookie: a=(redacted)
                < Content-Length: 39
                < …

                """),
        fault(
            "the key in many places to go", .response(302, fields: [("Location", "/k3y/s3cret?a=k3y%2Fs3cret")]),
            "--max-redirects 1", code: 6,
            "more than 1 redirects, in a loop: http://127.0.0.1:{port}/movie/popular?api_key=(redacted) → http://127.0.0.1:{port}/(redacted)?a=(redacted) → http://127.0.0.1:{port}/(redacted)?a=(redacted)"
        ),
        fault(
            "the key for a length", .raw("HTTP/1.1 200 OK\r\nContent-Length: k3y/s3cret\r\n\r\n").then(.close),
            "-vv -q", code: 6, nil),
        fault(
            "the key as a content coding", .response(200, fields: [("Content-Encoding", "k3y/s3cret")], body: [0x61]),
            code: 6, "the response of 127.0.0.1 can't be decompressed (the unknown coding (redacted))"),
        fault(
            "escapes in the head",
            .responding { _ in
                .raw(
                    "HTTP/1.1 200 \u{1B}[2J\u{9B}\r\nX-A: \u{1B}]0;owned\u{7}\rX-B: c\r\nContent-Length: 39\r\n\r\n\(page)"
                )
            }, "movies.popular -i", code: 0,
            out: """
                HTTP/1.1 200 \\u001B[2J\\u009B
                X-A: \\u001B]0;owned\\u0007\\rX-B: c
                Content-Length: 39


                """ + shownPage),
        fault(
            "escapes in the head, on stderr",
            .responding { _ in .raw("HTTP/1.1 404 \u{1B}[2J\r\nX-A: \u{9D}0;\u{202E}\u{7}\r\nContent-Length: 0\r\n\r\n")
            },
            "movies.popular -i", code: 4,
            err: """
                HTTP/1.1 404 \\u001B[2J
                X-A: \\u009D0;\\u202E\\u0007
                Content-Length: 0

                apictl: movies.popular: 404 \\u001B[2J

                """),
    ]
}
