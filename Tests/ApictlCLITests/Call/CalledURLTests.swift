import CurlTransport
import EndpointKit
import Foundation
import MockServer
import TestSupport
import Testing

@testable import ApictlCLI

/// `call URL`: a request without an API.
struct CalledURLTests {
    private static let json = StubResponse.json(#"{"a":[{"id":1.50,"t":"\u00e9"}],"b":null}"#)
    private static let indented = """
        {
          "a": [
            {
              "id": 1.50,
              "t": "\\u00e9"
            }
          ],
          "b": null
        }

        """

    static let rows: [Row] = [
        Row("JSON is indented", "call http://h.test/x", response: json, out: indented),
        Row("a URL needs no word call", "https://h.test", response: json, out: indented),
        Row(
            "a body that is not JSON is unchanged", "call http://h.test/", response: .typed("text/html", "<p>\r\n"),
            out: "<p>\r\n"),
        Row("--select prints a part", "call http://h.test/ --select a.id", response: json, out: "1.50\n"),
        Row("--table prints a table", "call http://h.test/ --table", response: json, out: "  id  t\n1.50  é\n"),
        Row(
            "a failure has no secrets of the query", "call http://h.test/a/b?api_key=s3cret",
            response: .json(#"{"message":"no s3cret"}"#, 404, "Not Found"),
            err: "{\n  \"message\": \"no (redacted)\"\n}\napictl: http://h.test/a/b: 404 Not Found: no (redacted)\n",
            code: 4),
        Row(
            "--json-errors reports the URL without secrets",
            "call http://h.test/?q=1&api_key=s3cret --json-errors -X PUT",
            response: .failing(.notConnected),
            err: #"{"error":{"kind":"network","message":"http://h.test/: could not connect to the server","#
                + #""hints":["Is the server running?"],"exitCode":6,"method":"PUT","#
                + #""url":"http://h.test/?q=1&api_key=(redacted)","attempts":1}}"# + "\n", code: 6),
        Row(
            "the URL of an endpoint is called without its model",
            "call https://staging.movies.test/3/movie/550/rating?x=1 -X POST",
            response: .json("1"), out: "1\n"),
        Row(
            "the URL of an API's server is sent as typed, without the API's credential",
            "call HTTPS://Api.Movies.test:443/3/movie/popular?page=2 --dry-run",
            out: "GET HTTPS://Api.Movies.test:443/3/movie/popular?page=2\nUser-Agent: apictl/0.1.0\n"),
        Row(
            "--select of a response without a body fails", "call http://h.test/ --select a",
            response: .empty(204, "No Content"),
            err: "apictl: http://h.test/: the response (204 No Content) has no body\n", code: 8),
        Row(
            "the query is sent as typed, with items of --query after it",
            ["call", "http://h.test/a b?q=é&&api_key=s3cret#f", "--dry-run", "--query", "c=d e"],
            out: "GET http://h.test/a%20b?q=%C3%A9&&api_key=(redacted)&c=d%20e\nUser-Agent: apictl/0.1.0\n"),
        Row(
            "a body in JSON has its type", ["call", "-X", "POST", "http://h.test", "--body", "[1]", "--dry-run"],
            out: "POST http://h.test/\nContent-Type: application/json\nUser-Agent: apictl/0.1.0\n\n[1]\n"),
        Row(
            "a type that is given replaces that of JSON",
            ["call", "http://h.test", "-XPOST", "--body", "[1]", "--dry-run", "-H", "content-type: a/b"],
            out: "POST http://h.test/\ncontent-type: a/b\nUser-Agent: apictl/0.1.0\n\n[1]\n"),
        Row(
            "a printed curl command has the URL as typed",
            ["curl", "https://h.test/a/../b?key=s3cret&q=[1]", "-X", "PUT", "--body", "@b.json", "-k"],
            out: "curl --location --fail-with-body --request PUT --globoff 'https://h.test/b?key=s3cret&q=[1]' "
                + "--header 'Content-Type: application/json' --compressed --data-binary @b.json --insecure\n"),
        Row(
            "a body that claims to be JSON is shown with the place of the mistake", "call http://h.test/",
            response: .json("<p>"),
            err:
                "<p>\napictl: http://h.test/: the response is not valid JSON: line 1, column 1: expected a value, found '<'\n",
            code: 8),
        Row("-q does not show a broken body", "call http://h.test/ -q", response: .json("<p>"), code: 8),
        Row(
            "--raw --save keeps a broken body and fails", "call echo.ping --raw --save f", files: ["f": ""],
            response: .json("{"), out: "{\n",
            err:
                "apictl: echo.ping: the response is not valid JSON: line 1, column 2: expected a key in quotes or '}', found end of input\n",
            code: 8),
    ]

    private static let form = "Content-Type: application/x-www-form-urlencoded\n"

    /// Options as in curl, and the request of `--dry-run`.
    static let data: [Row] = [
        data("-d a=1 -d b=2", "POST http://h.test/", form, body: "a=1&b=2"),
        data("-d @form.txt -d c", "POST http://h.test/", form, body: "a=1b=2&c"),
        data("-d -", "POST http://h.test/", form, body: "from stdin"),
        data("--data-urlencode n=a+b&c -X PUT", "PUT http://h.test/", form, body: "n=a%2Bb%26c"),
        data("--data-urlencode n@form.txt", "POST http://h.test/", form, body: "n=a%3D1%0Ab%3D2%0A"),
        data("--data-urlencode @form.txt -H X-A:", "POST http://h.test/", form, body: "a%3D1%0Ab%3D2%0A"),
        Row(
            "--data-urlencode encodes a space as a plus sign",
            ["call", "http://h.test/", "-G", "--data-urlencode", "q=a b", "--dry-run"],
            out: "GET http://h.test/?q=a+b\nUser-Agent: apictl/0.1.0\n"),
        data("-G -d a=1 -d b=é", "GET http://h.test/?a=1&b=%C3%A9", ""),
        data(
            "--json [1] --json ,2", "POST http://h.test/",
            "Accept: application/json\nContent-Type: application/json\n", body: "[1],2"),
        data("-b a=1 -b b=s3cret;c=d", "GET http://h.test/", "Cookie: (redacted)\n"),
        data("-u ada", "GET http://h.test/", "Authorization: Basic (redacted)\n"),
    ]

    private static func data(_ words: String, _ start: String, _ headers: String, body: String? = nil) -> Row {
        Row(
            words, "call http://h.test/ \(words) --dry-run", variables: ["APICTL_PASSWORD": "l0velace"],
            stdin: "from\n stdin", files: ["form.txt": "a=1\nb=2\n"],
            out: start + "\n" + headers + "User-Agent: apictl/0.1.0\n" + (body.map { "\n\($0)\n" } ?? ""))
    }

    @Test("--data and its relatives make the data of a request as curl does", arguments: data)
    func dataOptions(_ row: Row) async { await row.check() }

    @Test("The password of a user comes from a variable, or from the netrc file")
    func passwords() async throws {
        let netrc = "machine h.test login ada password n3trc\ndefault login grace password h0pper"
        let rows: [(user: String, variable: String?, sent: String?)] = [
            ("ada", "l0velace", "ada:l0velace"), ("ada", nil, "ada:n3trc"), ("grace", nil, "grace:h0pper"),
            ("eve", nil, nil),
        ]
        for (user, variable, sent) in rows {
            let transport = StubTransport(.json("1"))
            var variables = ["NETRC": "netrc"]
            variables["APICTL_PASSWORD"] = variable
            let outcome = await run(
                ["call", "http://h.test/", "-u", user], variables: variables,
                files: MemoryFiles(["netrc": Array(netrc.utf8)]),
                transport: transport)
            let headers = try transport.requests.map {
                try $0.headers.first { $0.isNamed("Authorization") }?.revealedValue()
            }
            if let sent {
                #expect(headers == ["Basic " + Data(sent.utf8).base64EncodedString()])
            } else {
                #expect(headers.isEmpty)
                #expect(
                    outcome
                        == Outcome(
                            err: "apictl: a credential is missing: set APICTL_PASSWORD (--dry-run needs none)\n",
                            code: 9))
            }
        }
    }

    private static let formFiles = ["cat.png": "PNG", "notes.txt": "a\r\nb"]

    /// The values of `--form` in one request, and the parts that are sent.
    static let forms: [(words: [String], parts: [String])] = [
        (["a=1", "b="], ["name=\"a\"\r\n\r\n1", "name=\"b\"\r\n\r\n"]),
        (["photo=@cat.png"], ["name=\"photo\"; filename=\"cat.png\"\r\nContent-Type: image/png\r\n\r\nPNG"]),
        (
            ["photo=@cat.png;type=image/webp;filename=tom.webp"],
            ["name=\"photo\"; filename=\"tom.webp\"\r\nContent-Type: image/webp\r\n\r\nPNG"]
        ),
        (["a=<notes.txt", "b=<-"], ["name=\"a\"\r\n\r\na\r\nb", "name=\"b\"\r\n\r\nfrom stdin"]),
        ([#"a={"b":1};type=application/json"#], ["name=\"a\"\r\nContent-Type: application/json\r\n\r\n{\"b\":1}"]),
    ]

    @Test("The values of --form are the parts of a form", arguments: forms)
    func form(_ words: [String], _ parts: [String]) async throws {
        let transport = StubTransport(.json("1"))
        _ = await run(
            ["http://h.test/"] + words.flatMap { ["-F", $0] }, stdin: "from stdin",
            files: MemoryFiles(Self.formFiles.mapValues { Array($0.utf8) }), transport: transport)
        let request = try #require(transport.requests.first)
        let type = request.headers.first { $0.isNamed("Content-Type") }?.value.description ?? ""
        let boundary = try #require(type.split(separator: "=").last)
        #expect(request.method == .post && type == "multipart/form-data; boundary=\(boundary)")
        let content = (request.body?.pieces ?? []).map { piece in
            switch piece {
            case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
            case .file(let path): Self.formFiles[path] ?? ""
            case .stream: "a stream"
            }
        }.joined()
        let start = "--\(boundary)\r\nContent-Disposition: form-data; "
        #expect(content == parts.map { start + $0 + "\r\n" }.joined() + "--\(boundary)--\r\n")
    }

    @Test("An archive has the parts of a form with files, without secrets")
    func recordedForm() async throws {
        let files = MemoryFiles(["cat.png": [1]])
        _ = await run(
            ["http://h.test/", "-F", "photo=@cat.png", "-F", "password=s3cret", "-F", "a=1", "--har", "h"],
            files: files, transport: StubTransport(.json("1")))
        let har = try #require(files["h"])
        #expect(har.contains(#""fileName":"cat.png""#) && har.contains(#""contentType":"image/png""#))
        #expect(har.contains(#""value":"1""#) && !har.contains("s3cret"))
    }

    @Test("A URL is called, and its response is printed, without an API", arguments: rows)
    func row(_ row: Row) async { await row.check() }

    @Test("Credentials of an API are not sent, settings of one do not count")
    func noCredentials() async throws {
        let transport = StubTransport(.json("1"))
        _ = await run(
            ["call", "https://api.movies.test/3/movie/popular?page=2"],
            variables: ["MOVIES_KEY": "k3y", "APICTL_SERVER": "staging", "APICTL_MOVIES_URL": "http://other.test"],
            transport: transport)
        #expect(
            try transport.requests.map { try $0.revealedURL() } == ["https://api.movies.test/3/movie/popular?page=2"])
        #expect(transport.requests.map { $0.headers.map(\.description) } == [["User-Agent: apictl/0.1.0"]])
    }

    private static let body = "--body needs the method: -X POST (-X GET, if it is meant for a GET)"

    static let wrongLines: [Row] =
        [
            "--record d", "--server staging", "--base-url http://x",
            "--auth none", "--sample",
        ].map { words in
            wrong(
                "call http://h.test/ \(words)",
                "\(words.prefix { $0 != " " }) is for an endpoint of an API, not for a URL", see: "help call")
        } + [
            wrong("http://h.test/ --body {}", body, see: "help call"),
            wrong("curl http://h.test/ --body {}", body, see: "help curl"),
            wrong(
                "call http://h.test X-A:1", "unexpected argument 'X-A:1' (argument 3); did you mean -H 'X-A: 1'?",
                see: "help call"),
            wrong(
                "call -X POST movies.popular",
                "--request is for a URL; the endpoint declares its method, data and credentials",
                see: "help movies.popular"),
            wrong(
                ["call", "http://h.test", "-X", "A B"],
                "--request (argument 3): expected a method such as POST, got 'A B'", see: "help call"),
            wrong(
                "call http://h.test/ a=1", "unexpected argument 'a=1' (argument 3); did you mean -d a=1?",
                see: "help call"),
            wrong(
                "https://u:s3cret@h/x",
                "the URL (argument 1): it holds a user or a password, which would show in process lists; -n takes them from ~/.netrc",
                see: "help call"),
            wrong(
                "call http://h.test/ -u ada:s3cret",
                "--user (argument 3): it holds a password, which would show in process lists; give the user's name alone, and the password in a variable (see help environment) or in ~/.netrc",
                see: "help call"),
            wrong(
                "call http://h.test/ -b cookies.txt",
                "--cookie (argument 3): expected NAME=VALUE; a file of cookies is not read", see: "help call"),
            wrong(
                "call http://h.test/ -G", "--get needs --data DATA|@FILE|- or --data-urlencode NAME=TEXT",
                see: "help call"),
            wrong(
                "call http://h.test/ -F a", "--form (argument 3): expected NAME=TEXT, NAME=@FILE or NAME=<FILE",
                see: "help call"),
            wrong(
                "call http://h.test/ -F a=@b,c",
                "--form (argument 3): it has several files; give each with a --form of its own", see: "help call"),
            wrong(
                "call http://h.test/ -F a=@-",
                "--form (argument 3): a file can't come from stdin; NAME=<- sends stdin as a field", see: "help call"),
            wrong(
                "call http://h.test/ -F a=b;filename=c",
                "--form (argument 3): only a file has 'filename='; send one with NAME=@FILE", see: "help call"),
            wrong(
                "call http://h.test/ -F a=b;headers=c",
                "--form (argument 3): 'headers=' is not supported; only type= and filename= are", see: "help call"),
            wrong("call http://h.test/ -d a -F b=1", "--form and --data can't be used together", see: "help call"),
            wrong("call http://h.test/ -d a --json 1", "--data and --json can't be used together", see: "help call"),
            wrong(
                "call -d a=1 movies.popular",
                "--data is for a URL; the endpoint declares its method, data and credentials",
                see: "help movies.popular"),
            wrong(
                "call u:s3cret@h:80/x",
                "the URL (argument 2): it holds a user or a password, which would show in process lists; -n takes them from ~/.netrc",
                see: "help call"),
            wrong("call http:/u:s3cret@h", "the URL (argument 2): expected '//' after 'http:'", see: "help call"),
            wrong(
                "call FTP://u:s3cret@h/x",
                "the URL (argument 2): it has another scheme; only http and https are supported", see: "help call"),
            wrong(
                ["call", "http://h.test", #"{"a":1}"#],
                #"unexpected argument '{"a":1}' (argument 3); did you mean --json '{"a":1}'?"#, see: "help call"),
            wrong(
                "call ./x.json",
                "the URL (argument 2): it is the path of a file, not a host; -d @FILE and --json @FILE send a file",
                see: "help call"),
            wrong(
                "call https://u@Bücher.example:80/x",
                "the URL (argument 2): its host has letters outside ASCII; in the DNS, its name is xn--bcher-kva.example",
                see: "help call"),
            wrong(
                "call müller-straße.例え/x",
                "the URL (argument 2): its host has letters outside ASCII; in the DNS, its name is xn--mller-strae-46a18a.xn--r8jz45g",
                see: "help call"),
            wrong("call http:///s3cret", "the URL (argument 2): it has no host", see: "help call"),
            wrong(
                "call http://u:s3/cret@h", "the URL (argument 2): it has a port that is not from 1 to 65535",
                see: "help call"),
        ]

    @Test("A wrong URL, or an option that does not fit it, is an error", arguments: wrongLines)
    func wrongLine(_ row: Row) async { await row.check() }

    static let targets: [(typed: String, target: String)] = [
        ("", "/"), ("/", "/"), ("?", "/?"), ("?a", "/?a"), ("/a%2Fb;c=1", "/a%2Fb;c=1"), ("/a[1]{b}|c", "/a[1]{b}|c"),
        ("/a b?c d", "/a%20b?c%20d"), ("/é\t?ü", "/%C3%A9%09?%C3%BC"), ("/%zz?q=%&+", "/%zz?q=%&+"),
        ("/a/../b/./c/..", "/b/"), ("/..", "/"), ("/../../x/.", "/x/"), ("/a//../b", "/a/b"),
        ("/%2e%2e/a", "/%2e%2e/a"),
        ("/a/..?b=/../c", "/?b=/../c"), ("/a?b#c", "/a?b"), ("#a/b?c", "/"), ("/a:b@c", "/a:b@c"),
    ]

    @Test("The request target is the path and query as typed, without dot segments", arguments: targets)
    func target(_ typed: String, _ target: String) async throws {
        let server = try MockServer { _ in .text("done") }
        let words = ["\(server.baseURL)\(typed)", "-H", "Accept:", "-H", "X-Api-Key: k3y"]
        #expect(await run(["call"] + words, transport: CurlTransport()) == Outcome(out: "done"))
        #expect(server.received.map(\.target) == [target])
        #expect(server.received[0]["X-Api-Key"] == "k3y" && server.received[0]["Accept"] == nil)
    }

    static let untyped: [(typed: String, url: String)] = [
        (":3000/x", "http://localhost:3000/x"), (":3000", "http://localhost:3000/"), ("localhost", "http://localhost/"),
        ("localhost/x?q=1", "http://localhost/x?q=1"), ("LOCALHOST:80/", "http://LOCALHOST:80/"),
        ("api.localhost/x", "http://api.localhost/x"), ("127.0.0.1:8080/x", "http://127.0.0.1:8080/x"),
        ("10.1.2.3/", "http://10.1.2.3/"), ("172.16.0.1/", "http://172.16.0.1/"),
        ("172.32.0.1/", "https://172.32.0.1/"), ("192.168.1.1/", "http://192.168.1.1/"),
        ("169.254.169.254/", "http://169.254.169.254/"), ("[::1]:8080/x", "http://[::1]:8080/x"),
        ("[fe80::1]/", "http://[fe80::1]/"), ("[fd00::1]/", "http://[fd00::1]/"),
        ("[2001:db8::1]/", "https://[2001:db8::1]/"),
        ("example.com/x", "https://example.com/x"), ("example.com:8443", "https://example.com:8443/"),
        ("1.2.3.4.example.com/", "https://1.2.3.4.example.com/"), ("10.1.2/", "https://10.1.2/"),
    ]

    @Test("A URL without a scheme is https, but http on this machine and in private networks", arguments: untyped)
    func scheme(_ typed: String, _ url: String) async throws {
        let transport = StubTransport(.json("1"))
        let outcome = await run(["call", typed], transport: transport)
        let start = url.prefix { $0 != "?" }
        // For this machine, http is what everybody means.
        let isLocal = ["localhost", "127.0.0.1", "[::1]"].contains { url.lowercased().contains($0) }
        let note = isLocal ? "" : "note: the URL has no scheme; requesting \(start)\n"
        #expect(outcome == Outcome(out: "1\n", err: note))
        #expect(try transport.requests.map { try $0.revealedURL() } == [url])
        #expect(await run([typed, "-q"], transport: StubTransport(.json("1"))) == Outcome())
    }

    @Test("Pages are followed over links, on other origins only if asked for and then without what the user sent")
    func pages() async throws {
        let other = try MockServer { _ in .json(#"{"data":{"items":[3]}}"#) }
        let server = try MockServer { request in
            let next = request.target == "/a" ? "</b?n=2>; rel=next" : "<\(other.baseURL)/c>; rel=\"next\""
            let items = request.target == "/a" ? "1" : "2"
            return .json(#"{"data":{"items":[\#(items)]}}"#, fields: [("Link", next)])
        }
        let words = [
            "call", "\(server.baseURL)/a", "--items", "data.items", "--compact", "-H", "Authorization: Bearer t",
        ]
        let stopped = await run(words + ["--all-pages"], transport: CurlTransport())
        #expect(
            stopped
                == Outcome(
                    out: "[1,2]\n",
                    err: "apictl: \(server.baseURL)/a: the next page is on another server, \(other.baseURL)\n"
                        + "2 pages were printed.\n", code: 8))
        let all = await run(words + ["--all-pages", "--follow-other-origins"], transport: CurlTransport())
        #expect(all == Outcome(out: "[1,2,3]\n"))
        #expect(other.received.map { $0["Authorization"] } == [nil])
        #expect(server.received.map(\.target) == ["/a", "/b?n=2", "/a", "/b?n=2"])
    }

    @Test("The pages of a response without a list at its top need --items")
    func pagesWithoutList() async throws {
        let server = try MockServer { _ in
            .json(#"{"data":{"items":[1]}}"#, fields: [("Link", "</b?n=2>; rel=next")])
        }
        let noList = await run(["call", "\(server.baseURL)/a", "--max-pages", "1"], transport: CurlTransport())
        #expect(
            noList
                == Outcome(
                    err: "apictl: \(server.baseURL)/a: the response has no list\n"
                        + "--items PATH says where the list of a page's items is.\n", code: 8))
    }

    @Test("A redirect is followed, to another origin without what the user sent to the first")
    func redirect() async throws {
        let other = try MockServer { _ in .text("there") }
        let server = try MockServer { request in
            request.target.hasPrefix("/a")
                ? .response(302, fields: [("Location", "../b?x=1")])
                : .response(307, fields: [("Location", other.baseURL + "/c")])
        }
        let words = ["call", "\(server.baseURL)/a/[1]?key=s3cret", "-H", "Authorization: Bearer t0ken"]
        #expect(await run(words, transport: CurlTransport()) == Outcome(out: "there"))
        #expect(server.received.map(\.target) == ["/a/[1]?key=s3cret", "/b?x=1"])
        #expect(server.received.map { $0["Authorization"] } == ["Bearer t0ken", "Bearer t0ken"])
        #expect(other.received.map { $0["Authorization"] } == [nil])
    }
}
