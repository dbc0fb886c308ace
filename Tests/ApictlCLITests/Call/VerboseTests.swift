import EndpointKit
import Testing

@testable import ApictlCLI

/// `-v` and `-vv`: the headers on stderr, without secrets and control characters.
struct VerboseTests {
    private static let page = StubResponse.json(#"{"page":1,"results":[],"total_pages":0}"#).with(
        "X-Note", "é\u{1B}[2J")
    private static let printed = "{\"page\":1,\"results\":[],\"total_pages\":0}\n"
    private static let key = ["MOVIES_KEY": "k &/y"]

    /// Lines of a head, each after `mark`.
    private static func head(_ mark: String, _ lines: String...) -> String {
        (lines + [""]).map { "\(mark) \($0)\n" }.joined()
    }

    /// The head of a request with `fields` and those of every request.
    private static func sent(_ line: String, _ fields: String...) -> String {
        shown(line + " HTTP/1.1", fields).split(separator: "\n").map { "> \($0)\n" }.joined() + "> \n"
    }

    private static let pageHead = head("<", "HTTP/1.1 200 OK", "Content-Type: application/json", "X-Note: é\\u001B[2J")

    static let rows: [Row] = [
        Row(
            "heads", "call movies.popular --compact -v", variables: key, response: page, out: printed,
            err: "* credential from MOVIES_KEY\n"
                + sent("GET /movie/popular?api_key=(redacted)", "X-Client: tests") + pageHead),
        Row(
            "the transfer's steps too", "call movies.popular --compact -vv", variables: key, response: page,
            out: printed,
            err: "* credential from MOVIES_KEY\n* Trying https://api.movies.test/3/movie/popular?api_key=(redacted)\n"
                + sent("GET /movie/popular?api_key=(redacted)", "X-Client: tests") + pageHead),
        Row(
            "bearer", "call movies.popular --compact -v", variables: ["MOVIES_TOKEN": "t0ken"], response: page,
            out: printed,
            err: "* credential from MOVIES_TOKEN\n"
                + sent("GET /movie/popular", "X-Client: tests", "Authorization: Bearer (redacted)")
                + pageHead),
        Row(
            "typed credentials are not shown",
            ["call", "echo.head", "-v", "-H", "Cookie: a=b; c=d", "-H", "Authorization: mine"],
            response: .empty().with("X-Echo", "mine"),
            err: sent("HEAD /head", "Cookie: (redacted)", "Authorization: (redacted)")
                + head("<", "HTTP/1.1 200 OK", "X-Echo: (redacted)")),
        Row(
            "a proxy's password", "call echo.head -vv",
            response: .empty().behind(
                .information("Uses proxy env variable http_proxy == 'http://anna:p@ss@proxy.test:3128'"),
                .requestHead(
                    "CONNECT h:443 HTTP/1.1\r\nHost: h\r\nProxy-Authorization: Basic YW5uYTpwQHNz\r\n\r\n".exactBytes)),
            err: "* Uses proxy env variable http_proxy == 'http://(redacted)@proxy.test:3128'\n"
                + head(">", "CONNECT h:443 HTTP/1.1", "Host: h", "Proxy-Authorization: Basic (redacted)")
                + "* Trying http://127.0.0.1:9/head\n" + sent("HEAD /head")
                + head("<", "HTTP/1.1 200 OK")),
        Row(
            "failure", "call movies.popular -v", variables: key, response: .empty(500, "Oops k &/y"),
            err: "* credential from MOVIES_KEY\n"
                + sent("GET /movie/popular?api_key=(redacted)", "X-Client: tests")
                + head("<", "HTTP/1.1 500 Oops (redacted)")
                + "apictl: movies.popular: 500 Oops (redacted)\n",
            code: 5),
        Row(
            "a value that is not UTF-8", ["call", "echo.header", "-v", "--value", String(exactBytes: [0x61, 0xFF])],
            response: .empty(204, "No Content"),
            err: head(">", "GET /header HTTP/1.1", "X-Value: a\\xFF", "User-Agent: apictl/0.1.0")
                + head("<", "HTTP/1.1 204 No Content")),
        Row(
            "a sample", "call movies.popular --sample -vv --compact",
            out:
                "{\"total_pages\":7,\"page\":1,\"results\":[{\"title\":\"Alien\",\"id\":348,\"score\":8.10},{\"id\":78,\"title\":\"Blade Runner\",\"released\":null}]}\n",
            err: """
                > GET https://api.movies.test/3/movie/popular?api_key=(redacted)
                > X-Client: tests
                > Accept: application/json
                > User-Agent: apictl/0.1.0
                < HTTP/1.1 200 OK
                < Content-Type: application/json
                < Content-Length: 161

                """),
    ]

    @Test(arguments: rows)
    func verbose(_ row: Row) async { await row.check() }

    @Test("A text body is shown after the headers that announce it, to 2 kB, without secrets")
    func sentBody() {
        func shown(_ body: String, head: String = "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n") -> String {
            let output = BufferOutput()
            let secret = SensitiveText([.secret(Secret(variable: "V", value: "s3cretpw"))])
            let log = WireView(
                output: output, verbosity: 1, redactor: Redactor(nil, others: [secret]), body: body.exactBytes)
            log.show(.requestHead(Array(head.utf8)))
            return String(output.text.drop { $0 != "\n" }.dropFirst())
        }
        let head = "> Content-Length: 9\n> \n"
        #expect(shown("{\"key\":\"s3cretpw\"}\nX: \u{1B}[2J") == head + "> {\"key\":\"(redacted)\"}\n> X: \\u001B[2J\n")
        #expect(
            shown(String(repeating: "a", count: 3000)) == head
                + "> \(String(repeating: "a", count: 2048))\n> … 3.0 kB in all\n")
        #expect(shown("a\0b") == head + "> (binary data, 3 B)\n")
        #expect(shown("a", head: "GET / HTTP/1.1\r\n\r\n") == "> \n")
    }
}
