import EndpointKit
import Testing

/// Hostile values never change the structure of a request, as shown by `--dry-run`.
struct HostileValueTests {
    /// A value, its percent-encoded form for paths, queries and forms, and its escaped form for JSON.
    static let values: [(id: String, text: String, encoded: String, json: String)] = [
        ("way up", "../../etc/passwd", "..%2F..%2Fetc%2Fpasswd", "../../etc/passwd"),
        ("query", "a?b=c&d", "a%3Fb%3Dc%26d", "a?b=c&d"),
        ("fragment", "a#b", "a%23b", "a#b"),
        ("encoded NUL", "%00", "%2500", "%00"),
        ("encoded slash", "a%2Fb", "a%252Fb", "a%2Fb"),
        ("line breaks", "a\r\nHost: evil\r\n\r\n", "a%0D%0AHost%3A%20evil%0D%0A%0D%0A", #"a\r\nHost: evil\r\n\r\n"#),
        ("space and plus", " +", "%20%2B", " +"),
        ("quotes", #"'"\"#, "%27%22%5C", #"'\"\\"#),
        ("brackets", "[]{}", "%5B%5D%7B%7D", "[]{}"),
        ("host", "//evil.test@x:1", "%2F%2Fevil.test%40x%3A1", "//evil.test@x:1"),
        ("matrix", ";a=b,c", "%3Ba%3Db%2Cc", ";a=b,c"),
        ("emoji", "🎬é", "%F0%9F%8E%AC%C3%A9", "🎬é"),
        ("combining mark first", "\u{301}/", "%CC%81%2F", "\u{301}/"),
        ("control characters", "\u{1B}[2J\u{7F}\u{85}", "%1B%5B2J%7F%C2%85", "\\u001B[2J\u{7F}\u{85}"),
        ("unreserved", "aZ09-._~", "aZ09-._~", "aZ09-._~"),
        ("three dots", "...", "...", "..."),
        ("dot and slash", "./", ".%2F", "./"),
    ]

    @Test("Any text is percent-encoded in paths and queries, and escaped in JSON", arguments: values)
    func pathQueryAndJSON(_ id: String, _ text: String, _ encoded: String, _ json: String) async {
        let words = ["call", "echo.all", "--dry-run", "--name=\(text)", "--note.title=\(text)"]
        let outcome = await run(words + ["--query=q=\(text)", "--", text])
        #expect(
            outcome.out == """
                PUT http://127.0.0.1:9/all/\(encoded)?name=\(encoded)&q=\(encoded)
                Accept: application/json
                Content-Type: application/json
                User-Agent: apictl/0.1.0

                {"title":"\(json)"}

                """)
    }

    @Test("A header value with a control character is rejected, any other is sent unchanged", arguments: values)
    func header(_ id: String, _ text: String, _ encoded: String, _ json: String) async {
        let outcome = await run(["call", "echo.header", "--dry-run", "--value=\(text)"])
        if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            #expect(outcome.out.isEmpty)
            #expect(outcome.code == 2)
        } else {
            #expect(
                outcome.out == "GET http://127.0.0.1:9/header\nX-Value: \(text)\nUser-Agent: apictl/0.1.0\n")
        }
    }

    static let raw = String(exactBytes: [0x61, 0xFF, 0xC3, 0x28, 0xE2, 0x82])

    static let notUTF8: [Row] = [
        Row(
            "path and query", ["call", "echo.path", "--dry-run", raw, "--query", "q=\(raw)"],
            out: """
                GET http://127.0.0.1:9/path/a%FF%C3%28%E2%82/end?q=a%FF%C3%28%E2%82
                User-Agent: apictl/0.1.0

                """),
        Row(
            "header", ["call", "echo.header", "--dry-run", "--value", raw],
            out: "GET http://127.0.0.1:9/header\nX-Value: a\\xFF\\xC3(\\xE2\\x82\nUser-Agent: apictl/0.1.0\n"),
        Row(
            "added header", ["call", "echo.ping", "--dry-run", "-H", "X: \(raw)"],
            out: """
                POST http://127.0.0.1:9/ping
                X: a\\xFF\\xC3(\\xE2\\x82
                Accept: application/json
                User-Agent: apictl/0.1.0

                """),
        wrong(
            ["call", "echo.note", "--dry-run", "--note.title", raw],
            "the body can't be written as JSON: it contains text that is not UTF-8"),
    ]

    @Test("Bytes that are not UTF-8 are encoded or escaped, and refused in JSON", arguments: notUTF8)
    func bytes(_ row: Row) async { await row.check() }

    @Test("Bytes that are not UTF-8 are sent unchanged in a body of any type")
    func rawData() async {
        let outcome = await run(["call", "echo.store", "--dry-run", "--data", Self.raw])
        #expect(outcome.out.exactBytes.suffix(7) == Self.raw.exactBytes + [0x0A])
    }

    @Test("A file's path is shown escaped, its name is sent unchanged")
    func filePath() async {
        let path = Self.raw + "\u{1B}[2J/a\r\n\"b"
        let outcome = await run(["call", "echo.upload", "--dry-run", "--title", "t\"", "--file", path])
        #expect(outcome.out.contains("\r\n(the content of a\\xFF\\xC3(\\xE2\\x82\\u001B[2J/a\\r\\n\"b)\r\n"))
        #expect(outcome.out.contains("; name=\"file\"; filename=\"a%0D%0A%22b\"\r\n"))
    }
}
