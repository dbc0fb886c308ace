import EndpointKit
import Synchronization
import SystemCalls
import Testing

@testable import ApictlCLI

/// The configuration file and `--env-file`: the settings that they make, which one counts, and errors in them.
struct ConfigurationTests {
    private static let config = """
        {
          "version": 1,
          "apis": {
            "movies": {
              "server": "staging",
              "parameters": {"page": 3, "genres": [1, 2]},
              "headers": {"X-A": 1, "X-B": "2"}, "retry": 2,
              "credentials": {"MOVIES_KEY": {"variable": "OTHER"}, "MOVIES_TOKEN": {"file": "keys/token"}}
            }
          }
        }
        """

    private static func shown(
        _ id: String, _ words: String, variables: [String: String] = [:], files: [String: String] = [:],
        url: String, headers: String = "X-A: 1\nX-B: 2\n"
    ) -> Row {
        Row(
            id, words + " --dry-run", variables: ["APICTL_CONFIG": "dir/c.json"].merging(variables) { $1 },
            files: ["dir/c.json": config].merging(files) { $1 },
            out: "GET \(url)\nX-Client: tests\n\(headers)Accept: application/json\nUser-Agent: apictl/0.1.0\n")
    }

    private static let staging = "https://staging.movies.test/3/movie/popular"

    static let rows: [Row] = [
        shown(
            "a parameter on the command line wins", "call movies.popular --page 1",
            url: staging + "?page=1&api_key=(from variable OTHER)"),
        shown(
            "a server on the command line wins, even over a wrong one in the file",
            "call movies.popular --server production",
            files: ["dir/c.json": config.replacing("staging", with: "stagin")],
            url: "https://api.movies.test/3/movie/popular?page=3&api_key=(from variable OTHER)"),
        shown(
            "a variable for the server wins over the file", "call movies.popular",
            variables: ["APICTL_MOVIES_URL": "http://h"],
            url: "http://h/movie/popular?page=3&api_key=(from variable OTHER)"),
        shown(
            "a file of variables wins over the configuration", "call movies.popular --env-file e",
            files: ["e": "APICTL_SERVER=production\nMOVIES_KEY=k"],
            url: "https://api.movies.test/3/movie/popular?page=3&api_key=(redacted)"),
        shown(
            "a credential from another variable", "call movies.popular", variables: ["OTHER": "k"],
            url: staging + "?page=3&api_key=(from variable OTHER)"),
        shown(
            "a credential from a file", "call movies.popular --auth bearer",
            url: staging + "?page=3",
            headers: "X-A: 1\nX-B: 2\nAuthorization: Bearer (from file keys/token)\n"),
        Row(
            "variables on stdin", "call movies.popular --page 1 --env-file - --dry-run",
            stdin: "APICTL_SERVER=staging\nMOVIES_KEY=s3cret",
            out:
                "GET \(staging)?page=1&api_key=(redacted)\nX-Client: tests\nAccept: application/json\nUser-Agent: apictl/0.1.0\n"
        ),
        Row(
            "a curl command has the credential of the call", "curl movies.popular", variables: ["APICTL_CONFIG": "c"],
            files: ["c": #"{"version":1,"apis":{"movies":{"credentials":{"MOVIES_KEY":{"variable":"NONE"}}}}}"#],
            out:
                "curl --location --fail-with-body --get https://api.movies.test/3/movie/popular --data-urlencode \"api_key=$MOVIES_KEY\" --header 'X-Client: tests' --header 'Accept: application/json' --compressed\n",
            err: "note: MOVIES_KEY is not set; the command will send an empty value\n"),
        shown(
            "a dry run says which command would give a credential", "call movies.popular",
            files: ["dir/c.json": commandConfig],
            url: "https://api.movies.test/3/movie/popular?api_key=(from command pass movies)", headers: ""),
        shown(
            "url is the base URL of the server", "call movies.popular --page 1",
            files: ["dir/c.json": #"{"version":1,"apis":{"movies":{"url":"http://h:1/x"}}}"#],
            url: "http://h:1/x/movie/popular?page=1&api_key=(not set: MOVIES_KEY)", headers: ""),
        Row(
            "an API's own settings win over those of all, each header and query item by its name",
            "call movies.popular --page 1 --dry-run", variables: ["APICTL_CONFIG": "dir/c.json", "MOVIES_KEY": "k"],
            files: [
                "dir/c.json": #"""
                {"version":1,"url":"http://all","headers":{"x-a":"0","X-C":null,"X-D":"","User-Agent":null},
                 "query":{"q":[1,2],"r":true},"parameters":{"page":7},
                 "apis":{"movies":{"server":"staging","headers":{"X-A":"1"},"query":{"q":"own"}}}}
                """#
            ],
            out:
                "GET \(staging)?page=1&r=true&q=own&api_key=(redacted)\nX-Client: tests\nX-D: \nX-A: 1\nAccept: application/json\n"
        ),
        Row(
            "--no-insecure turns off a setting of the file", "curl echo.head --no-insecure",
            variables: ["APICTL_CONFIG": "c"],
            files: ["c": #"{"version":1,"apis":{"echo":{"insecure":true,"retry":2}}}"#],
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed --retry 2 --retry-connrefused\n"
        ),
        Row(
            "options of the connection, with paths from the file's directory", "curl echo.head --max-time 3",
            variables: ["APICTL_CONFIG": "dir/c", "HOME": "/h"],
            files: [
                "dir/c": #"""
                {"version":1,"max-time":"1s","connect-timeout":2.5,
                 "apis":{"echo":{"insecure":false,"proxy":"","unix-socket":"s","resolve":["h:1:127.0.0.1","i:2:::1"],
                 "cacert":"ca","cert":"~/cert","key":"/key"}}}
                """#
            ],
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed --max-time 3.0 --connect-timeout 2.5 --cacert dir/ca --cert /h/cert --key /key --proxy '' --unix-socket dir/s --resolve h:1:127.0.0.1 --resolve i:2:::1\n"
        ),
        Row(
            "a URL takes the settings for all APIs that are not about requests", "curl http://h/",
            variables: ["APICTL_CONFIG": "c"],
            files: [
                "c": #"{"version":1,"url":"http://all","headers":{"X-A":"1"},"query":{"q":1},"proxy":"http://p:1"}"#
            ],
            out: "curl --location --fail-with-body http://h/ --compressed --proxy http://p:1\n"),
        Row(
            "a credential is for the endpoints that have it", "call echo.head --dry-run",
            variables: ["APICTL_CONFIG": "c"],
            files: ["c": #"{"version":1,"apis":{"echo":{"auth":"bearer"}}}"#],
            out: "HEAD http://127.0.0.1:9/head\nAccept: application/json\nUser-Agent: apictl/0.1.0\n"),
        Row(
            "the last of a switch and its opposite counts",
            "curl echo.head --insecure --no-insecure --no-netrc -n --http1.1 --no-http2 -vv --no-verbose",
            out:
                "curl --location --fail-with-body --head http://127.0.0.1:9/head --header 'Accept: application/json' --compressed --netrc --http1.1\n"
        ),
        Row(
            "an option that is turned off excludes no other",
            "call movies.popular --sample --no-table --no-csv --tsv --columns id",
            out: "id\n348\n78\n"),
        Row(
            "the file that a variable names is missing", "call echo.head", variables: ["APICTL_CONFIG": "c"],
            err: "apictl: can't read c: no such file or directory; APICTL_CONFIG names it\n", code: 1),
        Row(
            "a file of variables that is missing", "call echo.head --env-file e",
            err: "apictl: can't read e: no such file or directory\n", code: 1),
    ]

    @Test(
        "A command line wins over variables, and those over the file; a wrong file is an error",
        arguments: rows + refused + wrongValues + shownSettings)
    func row(_ row: Row) async { await row.check() }

    /// A command line with a wrong `movies` entry in the file.
    private static func wrongEntry(_ id: String, _ entry: String, _ message: String) -> Row {
        wrong(
            "call movies.popular", variables: ["HOME": "/h"],
            files: ["/h/.config/apictl/config.json": "{\"version\":1,\n\"apis\":{\"movies\":\(entry)}}"],
            "/h/.config/apictl/config.json:\(message)", see: "help config")
    }

    static let refused: [Row] = [
        wrongEntry(
            "a secret", #"{"credentials":{"MOVIES_KEY":"s3cret"}}"#,
            "2:47: a secret must not be in this file, which may end up in backups and repositories; expected "
                + #"{"variable": NAME}, {"file": PATH} or {"command": [PROGRAM, …]}"#),
        wrongEntry(
            "a secret header", #"{"headers":{"Authorization":"Bearer s3cret"}}"#,
            "2:46: a secret must not be in this file; name a variable, a file or a command under credentials"),
        wrongEntry(
            "a secret query", #"{"query":{"a":1,"api_key":"s3cret"}}"#,
            "2:44: a secret must not be in this file; name a variable, a file or a command under credentials"),
        wrongEntry(
            "an unknown server", #"{"server":"stagin"}"#,
            "2:28: movies has no server 'stagin', only production, staging; did you mean 'staging'?"),
        wrongEntry(
            "a URL as the name of a server", #"{"server":"https://u:s3cret@h"}"#,
            "2:28: expected the name of a server; a URL belongs under url"),
        wrongEntry(
            "a wrong URL", #"{"url":"ftp://s3cret"}"#,
            "2:25: the URL has another scheme; only http and https are supported"),
        wrongEntry(
            "a server and a URL", #"{"url":"http://h","server":"staging"}"#,
            "2:25: server and url can't be used together"),
        wrongEntry(
            "a wrong header", #"{"headers":{"a b":"x"}}"#,
            "2:36: header 'a b': the name may contain only letters, digits and !#$%&'*+-.^_`|~"),
        wrongEntry(
            "a wrong value", #"{"retry":"x"}"#, "2:27: expected 0 or a higher number"),
        wrongEntry(
            "an unknown parameter", #"{"parameters":{"pag":1}}"#,
            "2:33: no endpoint of movies has a parameter 'pag'; did you mean 'page'?"),
        wrongEntry(
            "an unknown credential", #"{"credentials":{"MOVIES_KEI":{"file":"f"}}}"#,
            "2:34: movies has no credential 'MOVIES_KEI'; did you mean 'MOVIES_KEY'?"),
        wrongEntry(
            "a null that is not sent", #"{"parameters":{"page":null}}"#,
            "2:40: --page: null would not be sent; leave it out"),
        wrong(
            "call shelf.lists --dry-run", variables: ["APICTL_CONFIG": "c"],
            files: ["c": #"{"version":1,"apis":{"shelf":{"parameters":{"tags":["a",null]}}}}"#], apis: [Shelf.self],
            "c:1:52: --tags: null would not be sent; leave it out", see: "help config"),
        wrongEntry(
            "a wrong parameter", #"{"parameters":{"page":"two"}}"#, "2:40: --page: expected an integer, got 'two'"),
        wrongEntry(
            "a file that is missing",
            #"{"cacert":"gone.pem","credentials":{"MOVIES_KEY":{"variable":"HOME"}}}"#,
            "2:28: can't read /h/.config/apictl/gone.pem: no such file or directory"),
        wrongEntry(
            "a certificate and a passphrase", #"{"cert":"/gone:s3cret"}"#,
            "2:26: can't read /gone:…: no such file or directory; put a passphrase into APICTL_KEY_PASSPHRASE"),
        wrongEntry(
            "a credential that nothing has", #"{"auth":"nope"}"#,
            "2:26: expected api_key, bearer or none, got 'nope'"),
        wrongEntry("a key alone", #"{"key":"k"}"#, "2:25: key needs cert"),
        wrongEntry("an unknown setting", #"{"servers":"x"}"#, "2:19: unknown key 'servers'; did you mean 'server'?"),
        wrongEntry("an option that is no setting", #"{"retry":1,"select":"a"}"#, "2:29: unknown key 'select'"),
        wrongEntry("a setting given twice", #"{"retry":1,"retry":2}"#, "2:29: 'retry' is given twice"),
        wrongEntry("an API whose settings are no object", "7", "2:18: expected an object"),
        wrongFile("{", "1:2: expected a key in quotes or '}', found end of input"),
        wrongFile("{}", "1:1: version is missing: expected \"version\": 1"),
        wrongFile(#"{"version":2}"#, "1:12: expected version 1"),
        wrongFile(#"{"version":1,"movies":{}}"#, "1:14: unknown key 'movies'"),
        wrongFile(
            #"{"version":1,"logins":{}}"#, #"1:23: expected "store" with the program that keeps logins"#),
        wrongFile(
            #"{"version":1,"logins":{"store":[]}}"#, "1:32: expected a list: the program and its first arguments"),
        wrongFile(
            #"{"version":1,"logins":{"store":"pass"}}"#,
            "1:32: expected a list: the program and its first arguments"),
        wrongFile(#"{"version":1,"apis":{"movie":{}}}"#, "1:22: there is no API 'movie'; did you mean 'movies'?"),
        wrongFile(#"{"version":1,"max-time":"soon"}"#, "1:25: expected a duration such as 2.5, 500ms or 20s"),
    ]

    /// A command line with a wrong configuration file.
    private static func wrongFile(_ text: String, _ message: String) -> Row {
        wrong(
            "call movies.popular", variables: ["APICTL_CONFIG": "c"], files: ["c": text], "c:" + message,
            see: "help config")
    }

    /// Values of the wrong kind, and what is expected in their place.
    static let wrongValues: [Row] = [
        ("retry", "false", "expected 0 or a higher number"), ("retry", "-1", "expected 0 or a higher number"),
        ("retry", "1.5", "expected 0 or a higher number"),
        ("max-time", "true", "expected a duration such as 2.5, 500ms or 20s"),
        ("connect-timeout", "-1", "expected a duration such as 2.5, 500ms or 20s"),
        ("insecure", #""yes""#, "expected true or false"), ("cacert", "1", "expected a string"),
        ("color", #""red""#, "expected one of auto, always, never"), ("pager", "false", "expected a string"),
        ("headers", "[]", "expected an object"), ("credentials", "null", "expected an object"),
        ("resolve", #""h:1""#, "expected HOST:PORT:ADDRESS[,ADDRESS]…"),
        (
            "proxy", #""http://u:p@h""#,
            "the proxy URL holds credentials; they would show in process lists: set http_proxy or https_proxy instead"
        ),
    ].map { key, value, message in
        wrongEntry("\(key): \(value)", #"{"\#(key)":\#(value)}"#, "2:\(22 + key.count): \(message)")
    }

    @Test(
        "Help works with a broken configuration, and a note says what is wrong with it",
        arguments: [
            (words: "help", start: "apictl calls", isNoted: true),
            (words: "", start: "apictl calls", isNoted: true),
            (words: "--version", start: "apictl ", isNoted: false),
            (words: "help movies", start: "movies", isNoted: true),
            (words: "movies --help", start: "movies", isNoted: true),
            (words: "help call", start: "apictl call", isNoted: true),
            (words: "help movies.popular", start: "movies.popular", isNoted: true),
            (words: "help credentials", start: "", isNoted: true),
            (words: "__complete hel", start: "help", isNoted: false),
        ])
    func helpWithoutConfiguration(_ words: String, _ start: String, _ isNoted: Bool) async {
        let outcome = await run(
            words.split(separator: " ").map(String.init), variables: ["APICTL_CONFIG": "c"],
            files: MemoryFiles(["c": "{".exactBytes]))
        #expect(outcome.out.hasPrefix(start) && !outcome.out.isEmpty)
        #expect(outcome.err == (isNoted ? "note: c:1:2: expected a key in quotes or '}', found end of input\n" : ""))
        #expect(outcome.code == 0)
    }

    @Test("An error has its place as data")
    func place() throws {
        let files = MemoryFiles(["c": "{\"version\":1,\n \"retry\": []}".exactBytes])
        let environment = ProcessEnvironment.test(variables: ["APICTL_CONFIG": "c"], files: files)
        let context = CommandContext(
            tool: "apictl", version: "1", registry: APIRegistry(apis: []), commands: [], environment: environment)
        let error = #expect(throws: UsageError.self) { try Configuration(context) }
        #expect(error?.location == SourceLocation(file: "c", line: 2, column: 11))
        #expect(error?.problem == "expected 0 or a higher number")
    }

    @Test(
        "config shows the server of an API and where it comes from",
        arguments: [
            (["APICTL_SERVER": "x"], "  server         x        APICTL_SERVER: echo has no server 'x', only local\n"),
            (
                ["APICTL_ECHO_URL": "s3cret"],
                "  server         not a base URL  APICTL_ECHO_URL is not a URL such as\n"
                    + "                                 https://api.example.com\n"
            ), (["APICTL_CONFIG": "c"], "  server         x        c:1:39: echo has no server 'x', only local\n"),
            ([:], "  server         http://127.0.0.1:9/  default (local)\n"),
        ])
    func shownServer(_ variables: [String: String], _ line: String) async {
        let file = variables["APICTL_CONFIG"] ?? "/h/.config/apictl/config.json (there is none)"
        let files = MemoryFiles(["c": #"{"version":1,"apis":{"echo":{"server":"x"}}}"#.exactBytes])
        let out = await run("config echo", variables: variables.merging(["HOME": "/h"]) { $1 }, files: files).out
        #expect(out.hasPrefix("Configuration file: \(file)\n\necho\n" + line))
        #expect(out.contains("\n  ECHO_TOKEN     not set\n") && !out.contains("s3cret"))
    }

    private static let commandConfig = """
        {"version":1,"apis":{"movies":{"credentials":{"MOVIES_KEY":{"command":["pass","movies"]}}}}}
        """

    private static func configured(
        _ words: String, config: String = commandConfig, transport: any Transport = UntouchedTransport(),
        apis: [any API.Type] = testAPIs, program: (@Sendable ([String], Duration) throws -> String)? = nil
    ) async -> Outcome {
        await run(
            words, variables: ["APICTL_CONFIG": "c"], files: MemoryFiles(["c": config.exactBytes]),
            transport: transport, apis: apis, program: program)
    }

    @Test("A command gives the credential of the API that is called, once")
    func command() async {
        let transport = StubTransport(.json(MoviePage.sample))
        let outcome = await Self.configured("call movies.popular -q", transport: transport) { words, _ in
            #expect(words == ["pass", "movies"])
            return "k3y\n"
        }
        #expect(outcome == Outcome())
        let url = try? transport.requests.first?.revealedURL()
        #expect(url == "https://api.movies.test/3/movie/popular?api_key=k3y")
    }

    @Test("A check takes the parameters that its example leaves out")
    func check() async {
        let transport = StubTransport(.json("{}"))
        let config = #"{"version":1,"apis":{"movies":{"parameters":{"language":"mi","page":9}}}}"#
        _ = await Self.configured(
            "check movies.details movies.popular --auth none --jobs 1", config: config, transport: transport)
        #expect(
            transport.requests.map(\.redactedURL).sorted() == [
                "https://api.movies.test/3/movie/550?language=mi", "https://api.movies.test/3/movie/popular?page=1",
            ])
    }

    @Test("A command is not run for another API, to show a request, for a sample, or for help")
    func noCommand() async {
        for words in [
            "call echo.head --dry-run", "call movies.popular --dry-run", "curl movies.popular",
            "call movies.popular --sample", "movies", "config", "help credentials",
        ] {
            #expect(await Self.configured(words).code == 0)
        }
    }

    @Test("The source of a variable of one API is not asked for another API with the same variable")
    func ofOneAPI() async {
        let transport = StubTransport(.json(#"{"ID":"a","user_name":"b","dbSize":1}"#))
        let outcome = await Self.configured("call snake.get -q", transport: transport, apis: [Movies.self, Snake.self])
        #expect(outcome == Outcome())
        #expect(transport.requests.first?.redactedURL == "https://snake.test/")
    }

    @Test("A pipe without a writer is waited for as long as a command")
    func pipe() async throws {
        let directory = try TemporaryDirectory()
        let pipe = directory.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let config = #"{"version":1,"apis":{"movies":{"credentials":{"MOVIES_KEY":{"file":"pipe"}}}}}"#
        let path = try directory.write("c", config.utf8)
        let outcome = try await onItsOwnThread {
            await run(
                ["call", "movies.popular", "-m", "300ms"], variables: ["APICTL_CONFIG": path], files: DiskFileSystem())
        }
        let message = "no value for MOVIES_KEY from file pipe: it took longer than --max-time allows"
        #expect(outcome == Outcome(err: "apictl: movies.popular: \(message)\n", code: 7))
    }

    @Test("The file may say where a credential of one server comes from")
    func serverCredential() async {
        let file = #"{"version":1,"apis":{"zoo":{"credentials":{"ZOO_TEST":{"command":["t"]}}}}}"#
        let outcome = await Self.configured("config zoo", config: file, apis: [Zoo.self])
        #expect(outcome.out.contains("\n  ZOO_TEST   set               command t\n"))
        #expect(outcome.code == 0)
    }

    static let shownSettings: [Row] = [
        Row(
            "config", "config movies", variables: ["APICTL_CONFIG": "c", "MOVIES_KEY": "s3cret"], files: ["c": config],
            out: """
                Configuration file: c

                movies
                  server            https://staging.movies.test/3
                                                        c:5:17
                  MOVIES_KEY        set                 variable
                  MOVIES_TOKEN      not set             file keys/token: no such file or
                                                        directory
                  parameter page    3                   c:6:30
                  parameter genres  [1, 2]              c:6:43
                  header X-A        1                   c:7:26
                  header X-B        "2"                 c:7:36
                  retry             2                   c:7:51

                """),
        Row(
            "config as JSON", "config echo --json", variables: ["APICTL_CONFIG": "c", "ECHO_TOKEN": "s3cret"],
            files: ["c": #"{"version":1,"retry":2}"#],
            out: """
                {
                  "version": 1,
                  "file": "c",
                  "apis": [
                    {
                      "name": "echo",
                      "settings": [
                        {
                          "name": "server",
                          "value": "http://127.0.0.1:9/",
                          "source": "default (local)"
                        },
                        {
                          "name": "ECHO_USER",
                          "value": "not set",
                          "source": ""
                        },
                        {
                          "name": "ECHO_PASSWORD",
                          "value": "not set",
                          "source": ""
                        },
                        {
                          "name": "ECHO_TOKEN",
                          "value": "set",
                          "source": "variable"
                        },
                        {
                          "name": "retry",
                          "value": "2",
                          "source": "c:1:22"
                        }
                      ]
                    }
                  ]
                }

                """),
        wrongEntry(
            "a source with another name", #"{"credentials":{"MOVIES_KEY":{"variabel":"X"}}}"#,
            #"2:47: expected {"variable": NAME}, {"file": PATH} or {"command": [PROGRAM, …]}"#),
        wrong("config movie", "unknown API 'movie' (argument 2); did you mean 'movies'?", see: "list"),
        wrong(
            "config", variables: ["APICTL_CONFIG": "c"], files: ["c": #"{"version":1,"apis":{"movie":{}}}"#],
            "c:1:22: there is no API 'movie'; did you mean 'movies'?"),
    ]
}

/// The configuration applies to every command that sends requests, and the command line overrides it.
struct ConfiguredCommandTests {
    private static let variables = ["APICTL_CONFIG": "c", "MOVIES_KEY": "k"]

    private static func file(_ entry: String) -> [String: String] {
        ["c": "{\"version\":1,\n\"apis\":{\"movies\":\(entry)}}"]
    }

    private static let files = file(#"{"headers":{"X-A":"1","X-B":"2"},"query":{"q":1,"r":"2"}}"#)

    static let sent: [(words: String, headers: [String], query: String)] = [
        ("call movies.popular -q", ["X-A: 1", "X-B: 2"], "q=1&r=2"),
        ("call movies.popular -q -H X-A:9 --query q=9", ["X-B: 2", "X-A: 9"], "r=2&q=9"),
        ("call movies.popular -q -H x-a:", ["X-B: 2"], "q=1&r=2"),
        ("check movies.popular -H X-A:9", ["X-B: 2", "X-A: 9"], "q=1&r=2"),
        ("diff movies.popular --server staging --server production --query q=9", ["X-A: 1", "X-B: 2"], "r=2&q=9"),
    ]

    @Test("Headers and query items are sent, unless the command line has the same ones", arguments: sent)
    func sends(_ words: String, _ headers: [String], _ query: String) async throws {
        let transport = StubTransport(.json(MoviePage.sample))
        let outcome = await run(
            words.words, variables: Self.variables,
            files: MemoryFiles(Self.files.mapValues(\.exactBytes)), transport: transport)
        #expect(outcome.code == 0 && !transport.requests.isEmpty, "\(outcome.err)")
        for request in transport.requests {
            #expect(
                request.headers.map { "\($0.name): \($0.value)" }.filter { $0.hasPrefix("X-") } == ["X-Client: tests"]
                    + headers)
            #expect(try request.revealedURL().contains(query))
        }
    }

    @Test("A mock that records sends the headers of the configuration")
    func aRecordingMockObeys() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write("c", (Self.files["c"] ?? "").utf8)
        let transport = StubTransport(.json(MoviePage.sample))
        let mock = try await RunningMock(
            "movies --no-auth --record \(directory.path)/new", files: DiskFileSystem(),
            variables: ["APICTL_CONFIG": path, "MOVIES_KEY": "k"], transport: transport)
        #expect(try mock.get("/movie/popular").hasPrefix("200 "))
        let headers = transport.requests.flatMap(\.headers).filter { ["X-A", "X-B"].contains($0.name) }
        #expect(headers.map { "\($0.name): \($0.value)" } == ["X-A: 1", "X-B: 2"])
    }

    @Test("Every command that sends requests refuses a wrong file, and others that show results work")
    func refuses() async {
        let files = MemoryFiles(Self.file(#"{"max-tim":1}"#).mapValues(\.exactBytes))
        for words in [
            "call movies.popular", "curl movies.popular", "check movies.popular",
            "diff movies.popular --server staging --server production", "config", "mcp", "movies",
        ] {
            let outcome = await run(words.words, variables: Self.variables, files: files)
            let message = "c:2:19: unknown key 'max-tim'; did you mean 'max-time'?"
            #expect(outcome == Outcome(err: "apictl: \(message)\nSee 'apictl help config'.\n", code: 2))
        }
        for words in ["list", "help", "help config", "--version"] {
            #expect(await run(words.words, variables: Self.variables, files: files).code == 0)
        }
    }

    @Test(
        "The colour of results is that of the API, else that of all; --color wins",
        arguments: [
            (words: "call movies.popular --sample --select page", isColored: true),
            (words: "list --json", isColored: false),
            (words: "call movies.popular --sample --select page --color never", isColored: false),
        ])
    func color(_ words: String, _ isColored: Bool) async {
        let file = #"{"version":1,"color":"never","apis":{"movies":{"color":"always"}}}"#
        let outcome = await run(words.words, variables: Self.variables, files: MemoryFiles(["c": file.exactBytes]))
        #expect(outcome.out.contains("\u{1B}[") == isColored)
    }

    @Test("A call with settings learns its API once more than a call without")
    func learnsOnce() async {
        func count(_ variables: [String: String]) async -> Int {
            CountedAPI.count.withLock { $0 = 0 }
            let file = #"{"version":1,"apis":{"counted":{"parameters":{"page":2},"auth":"none","credentials":{}}}}"#
            let outcome = await run(
                "call counted.list --page 1 --dry-run", variables: variables,
                files: MemoryFiles(["c": file.exactBytes]),
                apis: [CountedAPI.self])
            #expect(outcome.code == 0)
            return CountedAPI.count.withLock { $0 }
        }
        let plain = await count([:])
        #expect(await count(["APICTL_CONFIG": "c"]) == plain + 1)
    }

    @Test(
        "--max-time limits a credential's command, which is told the time that is left; without it, there are 10 s",
        arguments: ["call", "check", "diff --server staging --server production"],
        [
            ("--max-time 2s", 2, .timedOut, "it took longer than --max-time allows", 7),
            ("", 10, .timedOut, "it took longer than 10 s", 9), ("", 10, .exited(1), "it ended with exit code 1", 9),
        ] as [(String, Int, CommandOutput.Failure, String, Int32)])
    func limitedCommand(
        _ command: String,
        _ row: (words: String, seconds: Int, failure: CommandOutput.Failure, reason: String, code: Int32)
    ) async {
        let outcome = await run(
            "\(command) movies.popular \(row.words)".words,
            variables: ["APICTL_CONFIG": "c"],
            files: MemoryFiles(
                Self.file(#"{"credentials":{"MOVIES_KEY":{"command":["pass"]}}}"#).mapValues(\.exactBytes)),
            program: { words, limit in
                #expect(words == ["pass"] && limit > .zero && limit <= .seconds(row.seconds))
                throw row.failure
            })
        if command == "check" {
            let reason = "skipped: MOVIES_KEY is not set: command pass: \(row.reason)"
            return #expect(outcome.out.hasPrefix("– movies.popular  \(reason)\n") && outcome.code == 1)
        }
        let message = "no value for MOVIES_KEY from command pass: \(row.reason)"
        #expect(outcome == Outcome(err: "apictl: movies.popular: \(message)\n", code: row.code))
    }
}

/// An API that counts how often its examples are asked for.
private enum CountedAPI: API {
    case list(page: Int)

    static let count = Mutex(0)
    static let api = APIInfo(name: "counted", servers: [Server("local", url: "http://h")])
    static var examples: [CountedAPI] {
        count.withLock { $0 += 1 }
        return [.list(page: 1)]
    }

    var endpoint: Endpoint {
        switch self {
        case .list(let page): .get("/list", query: ["page": page], returns: RawResponse.self, summary: "a list")
        }
    }
}
