import EndpointKit
import Testing

/// What `call` prints for a successful response.
struct CallOutputTests {
    private static let page = StubResponse.json(MoviePage.sample)
    private static let text = StubResponse.typed("text/plain", "one\ntwo")

    static let decoded: [Row] = [
        Row(
            "order, numbers and nulls as sent, unknown keys left out", "call movies.popular", response: page,
            out: """
                {
                  "total_pages": 7,
                  "page": 1,
                  "results": [
                    {
                      "title": "Alien",
                      "id": 348,
                      "score": 8.10
                    },
                    {
                      "id": 78,
                      "title": "Blade Runner",
                      "released": null
                    }
                  ]
                }

                """),
        Row(
            "one line", "call movies.popular --compact", response: page,
            out:
                "{\"total_pages\":7,\"page\":1,\"results\":[{\"title\":\"Alien\",\"id\":348,\"score\":8.10},{\"id\":78,\"title\":\"Blade Runner\",\"released\":null}]}\n"
        ),
        Row(
            "no content type", "call echo.note --note.title a --compact", response: .typed("", #"{"title":"\u00e9"}"#),
            out: #"{"title":"é"}"# + "\n"),
        Row(
            "other content type", "call echo.note --note.title a --compact",
            response: .typed("text/plain", #"{"title":"é"}"#), out: #"{"title":"é"}"# + "\n"),
        Row(
            "own JSON type", "call echo.note --note.title a --compact",
            response: .typed("application/vnd.api+json", #"{"title":"\/"}"#), out: #"{"title":"/"}"# + "\n"),
        Row("any JSON", "call echo.ping", response: .json("[]"), out: "[]\n"),
        Row(
            "escapes", "call echo.note --note.title a --compact",
            response: .json(#"{"title":"\u0000\u001b\ud83c\udfac\"\\"}"#),
            out: #"{"title":"\u0000\u001B🎬\"\\"}"# + "\n"),
        Row(
            "byte order mark", "call echo.note --note.title a --compact", response: .json("\u{FEFF}{\"title\":\"a\"}"),
            out: #"{"title":"a"}"# + "\n"),
    ]

    static let raw: [Row] = [
        Row("as sent", "call movies.popular --raw", response: page, out: MoviePage.indentedSample + "\n"),
        Row(
            "duplicate keys and numbers", "call echo.ping --raw --compact",
            response: .json(#"{"a":1.0,"a":1e5,"é":"\u00e9"}"#), out: #"{"a":1.0,"a":1e5,"é":"\u00e9"}"# + "\n"),
        Row(
            "of another shape than the model", "call echo.login --raw --compact",
            variables: ["ECHO_USER": "u", "ECHO_PASSWORD": "p"], response: .json("[1]"), out: #"[1]"# + "\n"),
        Row(
            "several documents", "call movies.popular --raw", response: .typed("application/x-ndjson", "{}\n[]\n"),
            out: "{}\n[]\n"),
        Row(
            "selected from, whatever the content type", "call movies.popular --raw --select a",
            response: .typed("text/plain", "{\"a\":1}"), out: "1\n"),
        Row("raw text", "call movies.popular --raw", response: text, out: "one\ntwo"),
        Row(
            "raw and empty", "call movies.popular --raw", response: .empty(),
            err: "apictl: movies.popular: the response (200 OK) has no body, expected MoviePage\n", code: 8),
        Row("204", "call movies.popular --raw", response: .empty(204, "No Content"), out: ""),
    ]

    static let others: [Row] = [
        Row("bytes", "call echo.path a", response: text, out: "one\ntwo"),
        Row("bytes that are JSON", "call echo.path a", response: .json("{\"b\" : 1,\r\n}"), out: "{\"b\" : 1,\r\n}"),
        Row(
            "bytes that are JSON, in a form", "call echo.path a --compact", response: .json(#"{"b": 1}"#),
            out: #"{"b":1}"# + "\n"), Row("something for nothing", "call echo.ping", response: text, out: "one\ntwo"),
        Row(
            "head", "call echo.path a -i", response: text.with("X-A", "b").with("X-A", "c"),
            out: "HTTP/1.1 200 OK\nContent-Type: text/plain\nX-A: b\nX-A: c\n\none\ntwo"),
        Row(
            "head before JSON", "call movies.details 1 -i --compact", response: .json(#"{"title":"t","id":1}"#),
            out: "HTTP/1.1 200 OK\nContent-Type: application/json\n\n{\"title\":\"t\",\"id\":1}\n"),
        Row(
            "head with control characters", "call echo.ping -i",
            response: .empty().with("X", "a\u{1B}[2J\u{85}\u{202E}\u{7F}é"),
            out: "HTTP/1.1 200 OK\nX: a\\u001B[2J\\u0085\\u202E\\u007Fé\n\n"),
        Row(
            "on stdout", "call movies.popular -o -", response: page,
            out: """
                {"total_pages": 7, "page": 1, "extra": true, "results": [
                  {"title": "Alien", "id": 348, "score": 8.10}, {"id": 78, "title": "Blade Runner", "released": null}]}
                """),
    ]

    @Test(arguments: decoded + raw + others)
    func row(_ row: Row) async { await row.check() }

    @Test("Binary data is unchanged, however it is split into chunks")
    func binary() async {
        let bytes = (0...255).map { UInt8($0) }
        for size in [0, 1, 7] {
            var response = StubResponse.empty().with("Content-Type", "image/png")
            response.body = bytes
            response.pieceSize = size
            let outcome = await run(["call", "echo.path", "a"], transport: StubTransport(response))
            #expect(outcome.out.exactBytes == bytes)
            #expect(outcome.code == 0)
        }
    }
}
