import EndpointKit
import Testing

/// Hostile values never change the structure of a request, as shown by `--dry-run`.
struct HostileValueTests {
    struct Value: Sendable, CustomTestStringConvertible {
        let id: String
        let text: String
        /// The value in a path, a query or a form.
        let encoded: String
        /// The value in JSON.
        let json: String

        var testDescription: String { id }
    }

    static let values: [Value] = [
        Value(id: "way up", text: "../../etc/passwd", encoded: "..%2F..%2Fetc%2Fpasswd", json: "../../etc/passwd"),
        Value(id: "query", text: "a?b=c&d", encoded: "a%3Fb%3Dc%26d", json: "a?b=c&d"),
        Value(id: "fragment", text: "a#b", encoded: "a%23b", json: "a#b"),
        Value(id: "encoded NUL", text: "%00", encoded: "%2500", json: "%00"),
        Value(id: "encoded slash", text: "a%2Fb", encoded: "a%252Fb", json: "a%2Fb"),
        Value(
            id: "line breaks", text: "a\r\nHost: evil\r\n\r\n", encoded: "a%0D%0AHost%3A%20evil%0D%0A%0D%0A",
            json: #"a\r\nHost: evil\r\n\r\n"#),
        Value(id: "space and plus", text: " +", encoded: "%20%2B", json: " +"),
        Value(id: "quotes", text: #"'"\"#, encoded: "%27%22%5C", json: #"'\"\\"#),
        Value(id: "brackets", text: "[]{}", encoded: "%5B%5D%7B%7D", json: "[]{}"),
        Value(id: "host", text: "//evil.test@x:1", encoded: "%2F%2Fevil.test%40x%3A1", json: "//evil.test@x:1"),
        Value(id: "matrix", text: ";a=b,c", encoded: "%3Ba%3Db%2Cc", json: ";a=b,c"),
        Value(id: "emoji", text: "🎬é", encoded: "%F0%9F%8E%AC%C3%A9", json: "🎬é"),
        Value(id: "combining mark first", text: "\u{301}/", encoded: "%CC%81%2F", json: "\u{301}/"),
        Value(
            id: "control characters", text: "\u{1B}[2J\u{7F}\u{85}", encoded: "%1B%5B2J%7F%C2%85",
            json: "\\u001B[2J\u{7F}\u{85}"),
        Value(id: "unreserved", text: "aZ09-._~", encoded: "aZ09-._~", json: "aZ09-._~"),
        Value(id: "three dots", text: "...", encoded: "...", json: "..."),
        Value(id: "dot and slash", text: "./", encoded: ".%2F", json: "./"),
    ]

    @Test(arguments: values)
    func pathQueryAndJSON(_ value: Value) async {
        let words = ["call", "echo.all", "--dry-run", "--name=\(value.text)", "--note.title=\(value.text)"]
        let outcome = await run(words + ["--query=q=\(value.text)", "--", value.text])
        #expect(
            outcome.out == """
                PUT http://127.0.0.1:9/all/\(value.encoded)?name=\(value.encoded)&q=\(value.encoded)
                Accept: application/json
                Content-Type: application/json
                User-Agent: apictl/0.1.0

                {"title":"\(value.json)"}

                """)
    }

    @Test("A header value with a control character is rejected, any other is sent unchanged", arguments: values)
    func header(_ value: Value) async {
        let outcome = await run(["call", "echo.header", "--dry-run", "--value=\(value.text)"])
        if value.text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            #expect(outcome.out.isEmpty)
            #expect(outcome.code == 2)
        } else {
            #expect(
                outcome.out == "GET http://127.0.0.1:9/header\nX-Value: \(value.text)\nUser-Agent: apictl/0.1.0\n")
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

    @Test("Bytes that are not UTF-8", arguments: notUTF8)
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
