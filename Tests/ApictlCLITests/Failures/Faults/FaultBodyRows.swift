import MockServer

// Faults in the body: compression, JSON, control characters.

extension Fault {
    static let bodies = [
        fault(
            "gzip, cut", gzip(Compressed.page.dropLast(20)), code: 6,
            cannotUnpack("gzip: it ends too early") + Hint.again),
        fault(
            "gzip, without its checksum", gzip(Compressed.page.dropLast(8)), code: 6,
            cannotUnpack("gzip: it ends too early") + Hint.again),
        fault(
            "gzip, without its checksum, --raw", .responding { _ in gzip(Compressed.page.dropLast(8)) },
            "movies.popular --raw --compact", code: 6, out: page + "\n",
            err: "apictl: movies.popular: \(cannotUnpack("gzip: it ends too early"))\n"),
        fault(
            "br, cut", compressed("br", Compressed.brotliPage.dropLast(1)), code: 6,
            cannotUnpack("br: it ends too early") + Hint.again),
        fault(
            "zstd, without its checksum", compressed("zstd", Compressed.zstdPage.dropLast(4)), code: 6,
            cannotUnpack("zstd: it ends too early") + Hint.again),
        fault(
            "gzip, with more behind it", gzip(Compressed.page + [0x61]), code: 6,
            cannotUnpack("gzip: there is data after its end")),
        fault(
            "gzip, twice", gzip(Compressed.page + Compressed.page), code: 8, body: "\(page)\(page)\n",
            "the response is not valid JSON: line 1, column 40: expected a line break or the end of input, found '{'"),
        fault(
            "gzip, cut with the connection",
            MockResponse.raw("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 100\r\n\r\n")
                .then(.bytes([0x1F, 0x8B, 8, 0]), .close), code: 6,
            "127.0.0.1 closed the connection after 4 of 100 bytes" + Hint.again),
        fault(
            "gzip, which it is not", gzip(Array(page.utf8)), code: 6, cannotUnpack("gzip: incorrect header check")),
        fault(
            "gzip, with another checksum", gzip(Compressed.page.dropLast(8) + [UInt8](repeating: 0, count: 8)), code: 6,
            cannotUnpack("gzip: incorrect data check")),
        fault("gzip", .responding { _ in gzip(Compressed.page) }, "movies.popular", code: 0, out: shownPage),
        fault(
            "br", .responding { _ in compressed("br", Compressed.brotliPage) }, "movies.popular", code: 0,
            out: shownPage),
        fault(
            "zstd", .responding { _ in compressed("zstd", Compressed.zstdPage) }, "movies.popular", code: 0,
            out: shownPage),
        fault(
            "deflate, which it is not", compressed("deflate", [0xFF, 0xFF, 0xFF, 0xFF]), code: 6,
            cannotUnpack("deflate: invalid block type")),
        fault(
            "br, which it is not", compressed("br", [0xFF, 0xFF, 0xFF, 0xFF]), code: 6, cannotUnpack("br: damaged data")
        ),
        fault(
            "zstd, which it is not", compressed("zstd", [0xFF, 0xFF, 0xFF, 0xFF]), code: 6,
            cannotUnpack("zstd: it does not start with a frame")),
        fault(
            "an unknown content coding", compressed("rot13", [0x61]), code: 6, cannotUnpack("the unknown coding rot13")),
        fault(
            "a content coding with control characters", compressed("a\u{1B}[2Jb", [0x61]), code: 6,
            cannotUnpack("the unknown coding a\\u001B[2Jb")),
        fault(
            "compressed 50 times", compressed(Array(repeating: "gzip", count: 50).joined(separator: ", "), [0x61]),
            code: 6, cannotUnpack("more than 5 codings")),
        fault(
            "deflate, 160 times as long", compressed("deflate", bomb), code: 8, body: "…\n",
            "the response is not valid JSON: line 1, column 5160002: expected a value, found end of input"),
        fault(
            "deflate, longer than what is decoded", compressed("deflate", Compressed.spaces(runs: 400_000)),
            "--max-time 0", code: 8,
            "the response is longer than 100.0 MB, the limit for decoding; use --raw or -o FILE, or --max-bytes 1G"),
        fault(
            "deflate, longer than --max-bytes", compressed("deflate", bomb), "--max-bytes 1M", code: 8,
            "the response is longer than the 1048576 bytes of --max-bytes; to read more: --max-bytes 1G"),
        fault(
            "deflate, 160 times as long, -o", .responding { _ in compressed("deflate", bomb) },
            "movies.popular -o - -q",
            code: 0),
        fault(
            "longer than --max-bytes", .json(page), "--max-bytes 10", code: 8,
            "the response is longer than the 10 bytes of --max-bytes; to read more: --max-bytes 1G"),

        fault(
            "a type that a terminal would obey",
            .response(200, fields: [("Content-Type", "text/\u{1B}[2J\u{9B}2J")], body: Array("<html>".utf8)), code: 8,
            body: "<html>\n",
            "the response is text/\\u001B[2j\\u009B2j, not JSON"),
        fault(
            "zeros for JSON, raw", .json([UInt8](repeating: 0, count: 1000)), "--raw", code: 8,
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
            "ten thousand brackets, raw", .responding { _ in .json(brackets(10_000)) },
            "movies.popular --raw --compact", code: 0, out: brackets(10_000) + "\n"),
        fault(
            "a number of a million digits",
            .json(#"{"page":\#(String(repeating: "1", count: 1_000_000)),"results":[],"total_pages":1}"#), code: 8,
            body: "…\n",
            misfit(
                "$.page: expected integer from -9223372036854775808 to 9223372036854775807, found number 1111… (line 1, column 9)"
            )
        ),
        fault(
            "a million members of one name",
            .json("{" + String(repeating: #""page":1,"#, count: 300_000) + #""page":1}"#), code: 8, body: "…\n",
            misfit(#"$: missing key "results" (line 1, column 1)"#)),
        fault(
            "a failure that is longer than what is shown",
            .responding { _ in
                .repeating(Array("<p>no</p>".utf8), count: 1_000_000, status: 500)
            }, "movies.popular -o -", code: 5, err: "…\napictl: movies.popular: 500 Internal Server Error\n"),
    ]

    private static func misfit(_ problem: String) -> String {
        "the response does not fit MoviePage\n  \(problem)"
    }

    private static func cannotUnpack(_ reason: String) -> String {
        "the response of 127.0.0.1 can't be decompressed (\(reason))"
    }

    /// 5 MB of spaces.
    private static let bomb = Compressed.spaces(runs: 20_000)

    private static func gzip(_ body: some Sequence<UInt8>) -> MockResponse { compressed("gzip", body) }

    private static func compressed(_ coding: String, _ body: some Sequence<UInt8>) -> MockResponse {
        .response(200, fields: [("Content-Type", "application/json"), ("Content-Encoding", coding)], body: Array(body))
    }

    private static func brackets(_ count: Int) -> String {
        String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
}
