import EndpointKit
import MockServer
import TestSupport
import Testing

@testable import ApictlCLI

/// `--dry-run` and `--sample`: no network, no credentials.
struct DryRunTests {
    static let rows: [Row] = [
        Row(
            "a credential that is not set is named", "call movies.popular --page 2 --dry-run", variables: [:],
            out: shown(
                "GET https://api.movies.test/3/movie/popular?page=2&api_key=(not set: MOVIES_KEY)", "X-Client: tests")),
        Row(
            "a credential that is set is redacted", "call movies.popular --page 2 --dry-run",
            out: shown("GET https://api.movies.test/3/movie/popular?page=2&api_key=(redacted)", "X-Client: tests")),
        Row(
            "values of every type are in the query",
            [
                "call", "echo.types", "--small=-128", "--ratio=-0.5", "--price=19.90", "--link=https://h/a?b#c",
                "--id=6B29FC40-CA47-1067-B31D-00DD010662DA", "--level=9", "--dry-run",
            ],
            out: shown(
                "GET http://127.0.0.1:9/types?small=-128&ratio=-0.5&price=19.9&link=https%3A%2F%2Fh%2Fa%3Fb%23c&id=6B29FC40-CA47-1067-B31D-00DD010662DA&level=9"
            )),
        Row(
            "a switch, an array and a date are in the query",
            [
                "call", "movies.search", "--query", "a b", "--no-adult", "--sort", "release-date", "--genres=1",
                "--genres=-2", "--since", "2026-11-21T09:30:00.5+01:00", "--dry-run",
            ],
            variables: ["MOVIES_TOKEN": "t"],
            out: shown(
                "GET https://api.movies.test/3/search?query=a%20b&adult=false&sort=release-date&genre=1&genre=-2&since=2026-11-21T08%3A30%3A00.500Z",
                "X-Client: tests", "Authorization: Bearer (redacted)")),
        Row(
            "after the endpoint, a parameter hides the option of its name",
            ["call", "--query", "x=1", "movies.search", "--query", "y=2", "--dry-run"],
            variables: ["MOVIES_TOKEN": "t"],
            out: shown(
                "GET https://api.movies.test/3/search?query=y%3D2&x=1", "X-Client: tests",
                "Authorization: Bearer (redacted)")),
        Row(
            "-H adds, replaces and removes headers",
            [
                "call", "movies.popular", "--dry-run", "-H", "x-client: mine", "-H", "Accept:", "-H", "User-Agent: me",
                "-H", "X-Empty;", "-H", "X:  a: b ",
            ], variables: ["MOVIES_TOKEN": "t"],
            out: """
                GET https://api.movies.test/3/movie/popular
                x-client: mine
                User-Agent: me
                X-Empty:\u{20}
                X: a: b\u{20}
                Authorization: Bearer (redacted)

                """),
        Row(
            "-H takes the place of a credential that is not set",
            ["call", "echo.login", "--dry-run", "-H", "authorization: Basic bWluZQ=="],
            out: shown("GET http://127.0.0.1:9/login", "authorization: (redacted)")),
        Row(
            "-H with a name alone leaves a credential out",
            ["call", "movies.popular", "--dry-run", "-H", "Authorization:"],
            variables: ["MOVIES_TOKEN": "t"],
            out: shown("GET https://api.movies.test/3/movie/popular", "X-Client: tests")),
        Row(
            "a terminal shows control characters of the body escaped",
            ["call", "echo.store", "--data", "a\u{1B}[2J\u{202E}\t\nb", "--dry-run"],
            variables: ["NO_COLOR": "1"],
            terminal: [.stdout],
            out: shown(
                "PUT http://127.0.0.1:9/store", type: "text/plain", body: "a\\u001B[2J\\u202E\t\nb")),
    ]

    static let samples: [Row] = [
        Row(
            "--sample -i prints the head and the body of the sample", "call movies.popular --sample --compact -i",
            out: "HTTP/1.1 200 OK\nContent-Type: application/json\nContent-Length: 161\n\n" + MoviePage.compactSample,
            err: "note: 1 key is not in MoviePage (--raw shows it)\n"),
        Row("a sample may have no body", "call movies.forget 5 --sample -i", out: "HTTP/1.1 204 No Content\n\n"),
        Row("a sample may be a text", "call echo.path a --sample", out: "hello"),
        wrong("call echo.ping --sample", "echo.ping has no sample"),
    ]

    @Test("--dry-run shows the request, and --sample the response, without sending anything", arguments: rows + samples)
    func row(_ row: Row) async { await row.check() }
}

/// `--body`: what is sent instead of the endpoint's body, and its content type.
struct BodyReplacementTests {
    /// `fields` come before the client's own headers.
    private static func dry(
        _ id: String, _ words: [String], stdin: String? = nil, files: [String: String] = [:], _ line: String,
        _ fields: [String], _ body: String
    ) -> Row {
        let lines = [line] + fields + ["User-Agent: apictl/0.1.0", "", body]
        return Row(
            id, ["call"] + words + ["--dry-run"], stdin: stdin, files: files, out: lines.map { $0 + "\n" }.joined())
    }

    static let rows: [Row] = [
        Row(
            "a text that names a file is sent, with a note that --body sends the file",
            "call echo.store --data @h.txt --dry-run", files: ["h.txt": "x"],
            out: shown("PUT http://127.0.0.1:9/store", type: "text/plain", body: "@h.txt"),
            err: "note: --data is the text '@h.txt'; to send the file as it is: --body @h.txt\n"),
        dry(
            "a text that names no file is sent without a note", ["echo.store", "--data", "@h.txt"],
            "PUT http://127.0.0.1:9/store",
            ["Accept: application/json", "Content-Type: text/plain"], "@h.txt"),
        dry(
            "a text replaces a body in JSON, whose parameter need not be given", ["echo.note", "--body", #"{"a":1}"#],
            "POST http://127.0.0.1:9/note", ["Accept: application/json", "Content-Type: application/json"],
            #"{"a":1}"#),
        dry(
            "a text in place of a multipart body is sent without its type, whose boundary it lacks",
            ["echo.upload", "--body", "x"],
            "POST http://127.0.0.1:9/upload", ["Accept: application/json"], "x"),
        dry(
            "a type that is given stays", ["echo.upload", "--body", "x", "-H", "Content-Type: multipart/mixed"],
            "POST http://127.0.0.1:9/upload", ["Content-Type: multipart/mixed", "Accept: application/json"], "x"),
        dry(
            "parameters of other places are still needed and sent",
            ["echo.all", "w", "--name", "n", "--body", "[]"], "PUT http://127.0.0.1:9/all/w?name=n",
            ["Accept: application/json", "Content-Type: application/json"], "[]"),
        dry(
            "@FILE is the content of a file", ["echo.note", "--body", "@in/f"], "POST http://127.0.0.1:9/note",
            ["Accept: application/json", "Content-Type: application/json"], "(the content of in/f)"),
        dry(
            "a file whose name starts with a combining mark", ["echo.ping", "--body", "@\u{301}"],
            "POST http://127.0.0.1:9/ping", ["Accept: application/json"], "(the content of \u{301})"),
        dry(
            "JSON has its type where no body is declared", ["echo.ping", "--body", "[1]"],
            "POST http://127.0.0.1:9/ping",
            ["Accept: application/json", "Content-Type: application/json"], "[1]"),
        dry(
            "- is stdin", ["echo.ping", "--body", "-"], stdin: "some\ntext", "POST http://127.0.0.1:9/ping",
            ["Accept: application/json"],
            "some\ntext"),
        wrong(["call", "echo.all", "w", "--body", "x"], "echo.all needs --name TEXT"),
        wrong(
            ["call", "echo.note", "--note.title", "t", "--body", "x"],
            "--body and --note.title can't be used together"),
        wrong(["call", "echo.ping", "--body", "@"], "--body (argument 3): expected a file name after '@'"),
    ]

    @Test("--body replaces the body of the endpoint, and its type", arguments: rows)
    func body(_ row: Row) async { await row.check() }

    /// An endless input of zeroes.
    private struct EndlessInput: ByteInput {
        var isTerminal: Bool { false }
        func read(until deadline: ContinuousClock.Instant?) throws -> [UInt8] { [UInt8](repeating: 0, count: 1 << 20) }
    }

    @Test("Stdin of more than 100 MB is an error")
    func longStdin() async {
        let err = BufferOutput()
        let environment = ProcessEnvironment.test(err: err, stdin: EndlessInput())
        #expect(await Apictl.run("call echo.ping --body -".words, apis: testAPIs, environment: environment) == 1)
        #expect(err.text == "apictl: can't read stdin: longer than 100.0 MB; put it into a file and use --body @FILE\n")
    }
}

/// Which server a request is sent to, and errors in choosing one.
struct CallServerChoiceTests {
    private static let url = ["APICTL_MOVIES_URL": "http://from.variable:81/base/"]
    private static let staging = ["APICTL_SERVER": "staging"]

    private static func request(_ id: String, _ words: String, variables: [String: String] = [:], to url: String) -> Row
    {
        Row(
            id, "call movies.details 1 --dry-run --auth none \(words)", variables: variables,
            out: shown("GET \(url)/movie/1", "X-Client: tests"))
    }

    static let choices: [Row] = [
        request("the API's first server is the default", "", to: "https://api.movies.test/3"),
        request("--base-url chooses a URL", "--base-url https://h.test", to: "https://h.test"),
        request(
            "slashes at the end of --base-url do not count", "--base-url https://h.test:8443/v1//",
            to: "https://h.test:8443/v1"),
        request("a variable of the API chooses a URL", "", variables: url, to: "http://from.variable:81/base"),
        request(
            "an empty variable chooses nothing", "", variables: ["APICTL_MOVIES_URL": ""],
            to: "https://api.movies.test/3"),
        request("--server chooses a server by its name", "--server staging", to: "https://staging.movies.test/3"),
        request(
            "APICTL_SERVER chooses a server by its name", "", variables: staging, to: "https://staging.movies.test/3"),
        request(
            "the API's variable counts more than APICTL_SERVER", "", variables: url.merging(staging) { $1 },
            to: "http://from.variable:81/base"),
        request(
            "--base-url counts more than a wrong APICTL_SERVER", "--base-url http://h",
            variables: ["APICTL_SERVER": "nowhere"],
            to: "http://h"),
    ]

    static let wrongs: [Row] = [
        wrong(
            "call echo.ping --base-url example",
            "--base-url (argument 3): 'example' is not a URL such as https://api.example.com"),
        wrong(
            "call echo.ping --base-url localhost:8080",
            "--base-url (argument 3): 'localhost:8080' has no scheme; did you mean http://localhost:8080?"),
        wrong(
            "call echo.ping --base-url :8080/a",
            "--base-url (argument 3): ':8080/a' has no scheme and no host; did you mean http://localhost:8080/a?"),
        wrong("call echo.ping --base-url http:///x", "--base-url (argument 3): 'http:///x' has no host"),
        wrong(
            "call echo.ping --base-url ftp://h/",
            "--base-url (argument 3): 'ftp://h/' has the scheme ftp; only http and https are supported"),
        wrong(
            ["call", "echo.ping", "--base-url", "http://h/\r\nX: y"],
            "--base-url (argument 3): 'http://h/\\r\\nX: y' is not a URL such as https://api.example.com"),
        wrong(
            "call echo.ping --base-url http://h/?x=1",
            "--base-url (argument 3): 'http://h/?…' has a query; use --query NAME=VALUE"),
        wrong(
            "call echo.ping --base-url http://h/#x",
            "--base-url (argument 3): 'http://h/#…' has a fragment, which is never sent"),
        wrong(
            "call echo.ping --base-url http://user:hunter2@h/",
            "--base-url (argument 3) holds credentials; they would show in process lists and logs"),
        wrong(
            "call echo.ping --base-url http://h:65536",
            "--base-url (argument 3): 'http://h:65536' has a port that is not from 1 to 65535"),
        wrong(
            "call echo.ping", variables: ["APICTL_ECHO_URL": "nonsense"],
            "APICTL_ECHO_URL is not a URL such as https://api.example.com"),
        wrong(
            "call echo.ping", variables: ["APICTL_ECHO_URL": "ftp://t0k3n/"],
            "APICTL_ECHO_URL has another scheme; only http and https are supported"),
        wrong(
            "call echo.ping", variables: ["APICTL_ECHO_URL": "http://h/?api_key=t0k3n"],
            "APICTL_ECHO_URL has a query; use --query NAME=VALUE"),
        wrong(
            "curl echo.ping", variables: ["APICTL_ECHO_URL": "http://u:hunter2@h"],
            "APICTL_ECHO_URL holds credentials; they would show in process lists and logs"),
        wrong(
            "call movies.popular --server stagin",
            "--server (argument 3): movies has no server 'stagin', only production, staging; did you mean 'staging'?"),
        wrong(
            "call movies.popular", variables: ["APICTL_SERVER": "qa"],
            "APICTL_SERVER: movies has no server 'qa', only production, staging"),
    ]

    @Test("An option or a variable chooses the server, and a wrong one is an error", arguments: choices + wrongs)
    func row(_ row: Row) async { await row.check() }
}

/// Connection options: what is rejected before anything is sent, and what the transport gets.
struct ConnectionOptionTests {
    private static let noProxy =
        "expected a proxy such as http://HOST:PORT, with the scheme http, https, socks4, socks4a, socks5 or socks5h"
    private static let noResolve = "expected HOST:PORT:ADDRESS[,ADDRESS]…"

    private static func refused(_ words: String, _ message: String) -> Row {
        wrong("call echo.head \(words)", message)
    }

    static let wrongLines: [Row] = [
        refused("--http1.1 --http2", "--http1.1 and --http2 can't be used together"),
        refused("-C", "--continue needs --output FILE or --remote-name"),
        refused("-C -o -", "--continue and -o - can't be used together"),
        refused("--key k.pem", "--key needs --cert FILE"),
        refused(
            "-i -x http://u:p@h:1",
            "--proxy (argument 4): the proxy URL holds credentials; they would show in process lists: set http_proxy or https_proxy instead"
        ),
        refused("-x ftp://h", "--proxy (argument 3): \(noProxy)"),
        wrong(["call", "echo.head", "-x", "h\nx"], "--proxy (argument 3): \(noProxy)"),
        refused("--resolve h:80", "--resolve (argument 3): \(noResolve)"),
        refused("--resolve h:80:x", "--resolve (argument 3): 'x' is not an IP address; \(noResolve)"),
        refused("--resolve :80:127.0.0.1", "--resolve (argument 3): \(noResolve)"),
        refused(
            "--unix-socket /\(String(repeating: "s", count: 107))",
            "--unix-socket (argument 3): a socket path can have at most 107 bytes; this one has 108"),
    ]

    @Test(
        "An option of the connection that is wrong is an error before anything is sent", arguments: wrongLines + files)
    func row(_ row: Row) async { await row.check() }

    static let proxies = [
        "", "h", "h:1", "h:65535", "http://h", "https://h:443/", "SOCKS5H://h:1080", "socks4://10.0.0.1:1",
        "socks4a://h", "socks5://[::1]:9", "[::1]:1", "[::1]", "bücher.test:1",
    ]

    @Test("A proxy may have any of these forms", arguments: proxies)
    func proxy(_ text: String) { #expect(OptionValueRules.problem(proxy: text) == nil) }

    private static let passphrase = ["APICTL_KEY_PASSPHRASE": "open sesame"]
    private static let secret = Secret(variable: "APICTL_KEY_PASSPHRASE", value: "open sesame")

    static let connections: [(words: String, variables: [String: String], expected: ConnectionOptions)] = [
        ("", passphrase, ConnectionOptions()),
        (
            "-k --cacert ca.pem -E me.pem --key key.pem", passphrase,
            ConnectionOptions(
                verifiesCertificate: false, certificateAuthorities: "ca.pem", clientCertificate: "me.pem",
                clientKey: "key.pem", keyPassphrase: secret)
        ),
        ("--cert me.pem", ["APICTL_KEY_PASSPHRASE": ""], ConnectionOptions(clientCertificate: "me.pem")),
        (
            "-x socks5h://h:1 --unix-socket /run/s --resolve a:1:10.0.0.1 --resolve b:2:[::1] --http2", [:],
            ConnectionOptions(
                proxy: "socks5h://h:1", unixSocket: "/run/s", resolve: ["a:1:10.0.0.1", "b:2:[::1]"],
                httpVersion: .http2)
        ),
    ]

    @Test("The transport gets the options of the connection", arguments: connections)
    func connection(_ words: String, _ variables: [String: String], _ expected: ConnectionOptions) async {
        let transport = StubTransport(.empty())
        let outcome = await run(
            ["call", "echo.head"] + words.words, variables: variables,
            files: MemoryFiles(["ca.pem": [], "me.pem": [], "key.pem": []]), transport: transport)
        #expect(outcome == Outcome())
        #expect(transport.options.map(\.connection) == [expected])
    }

    static let files: [Row] = [
        Row(
            "a missing file of certificates is reported before a missing credential",
            "call movies.popular --cacert gone.pem",
            err: "apictl: can't read gone.pem: no such file or directory\n", code: 1),
        Row(
            "a passphrase behind a certificate's name is not shown", "call echo.head -E cert.pem:s3cretpw",
            err:
                "apictl: can't read cert.pem:…: no such file or directory; put a passphrase into APICTL_KEY_PASSPHRASE\n",
            code: 1),
        Row(
            "a certificate's name may have a colon", "call echo.head -E a:b.pem", files: ["a:b.pem": ""],
            response: .empty()
        ),
        Row(
            "a sample needs no certificates",
            "call movies.forget 5 --sample --cacert gone.pem -k -x h:1 --unix-socket /s"),
    ]

    @Test("A passphrase in a library's message is not shown")
    func passphrase() async {
        let outcome = await run(
            ["call", "echo.head", "--cert", "me.pem", "-vv"], variables: Self.passphrase,
            files: MemoryFiles(["me.pem": []]),
            transport: StubTransport(
                StubResponse.failing(.tls, "no key").behind(.information("pass open sesame"))))
        #expect(outcome.err.contains("* pass (redacted)\n"))
        #expect(!outcome.err.contains("sesame"))
    }
}
