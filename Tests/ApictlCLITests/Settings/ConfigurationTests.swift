import EndpointKit
import SystemCalls
import Testing

@testable import ApictlCLI

/// The configuration file and `--env-file`: what they set, what wins, and what is refused.
struct ConfigurationTests {
    private static let config = """
        {
          "version": 1,
          "apis": {
            "movies": {
              "server": "staging",
              "parameters": {"page": 3, "genres": [1, 2]},
              "options": {"header": ["X-A: 1", "X-B: 2"], "compact": true},
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
        shown("settings count", "call movies.popular", url: staging + "?page=3&api_key=(not set: MOVIES_KEY)"),
        shown(
            "a parameter wins", "call movies.popular --page 1", url: staging + "?page=1&api_key=(not set: MOVIES_KEY)"),
        shown(
            "a server that is given wins", "call movies.popular --env production",
            url: "https://api.movies.test/3/movie/popular?page=3&api_key=(not set: MOVIES_KEY)"),
        shown(
            "a variable wins", "call movies.popular", variables: ["APICTL_MOVIES_URL": "http://h"],
            url: "http://h/movie/popular?page=3&api_key=(not set: MOVIES_KEY)"),
        shown(
            "a file of variables wins", "call movies.popular --env-file e",
            files: ["e": "APICTL_ENV=production\nMOVIES_KEY=k"],
            url: "https://api.movies.test/3/movie/popular?page=3&api_key=(redacted)"),
        shown(
            "the last file of variables wins", "call movies.popular --env-file e --env-file f",
            files: ["e": "APICTL_ENV=staging", "f": "APICTL_ENV=production"],
            url: "https://api.movies.test/3/movie/popular?page=3&api_key=(not set: MOVIES_KEY)"),
        shown(
            "a credential from another variable", "call movies.popular", variables: ["OTHER": "k"],
            url: staging + "?page=3&api_key=(redacted)"),
        shown(
            "a credential from a file", "call movies.popular", files: ["dir/keys/token": "t\r\n"],
            url: staging + "?page=3",
            headers: "X-A: 1\nX-B: 2\nAuthorization: Bearer (redacted)\n"),
        Row(
            "a header that is given is one more", "call movies.popular -H X-A:9 --sample --select page",
            variables: ["APICTL_CONFIG": "c"], files: ["c": config], out: "3\n"),
        Row(
            "an option that excludes one of the file wins", "call movies.popular --sample --tsv --columns id",
            variables: ["APICTL_CONFIG": "c"], files: ["c": config], out: "id\n348\n78\n"),
        Row(
            "no file at the standard place", "call echo.head --dry-run", variables: ["HOME": "/h"],
            out: "HEAD http://127.0.0.1:9/head\nAccept: application/json\nUser-Agent: apictl/0.1.0\n"),
        Row(
            "the file that a variable names is missing", "call echo.head", variables: ["APICTL_CONFIG": "c"],
            err: "apictl: can't read c: No such file or directory; APICTL_CONFIG names it\n", code: 1),
        Row(
            "a file of variables that is missing", "call echo.head --env-file e",
            err: "apictl: can't read e: No such file or directory\n", code: 1),
    ]

    @Test(arguments: rows + refused + shownSettings)
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
            "a secret header", #"{"options":{"header":"Authorization: Bearer s3cret"}}"#,
            "2:39: a secret must not be in this file; name a variable, a file or a command under credentials"),
        wrongEntry(
            "a secret query", #"{"options":{"query":["a=1","api_key=s3cret"]}}"#,
            "2:38: a secret must not be in this file; name a variable, a file or a command under credentials"),
        wrongEntry(
            "an unknown server", #"{"server":"stagin"}"#,
            "2:28: movies has no server 'stagin', only production, staging"),
        wrongEntry(
            "an option of one command", #"{"options":{"body":"x"}}"#,
            "2:37: 'body' is not an option for this file"),
        wrongEntry(
            "a wrong value", #"{"options":{"retry":"x"}}"#, "2:38: --retry: expected 0 or a higher number, got 'x'"),
        wrongEntry(
            "a switch with a value", #"{"options":{"compact":"yes"}}"#, "2:40: --compact takes no value: expected true"),
        wrongEntry(
            "an unknown parameter", #"{"parameters":{"pag":1}}"#,
            "2:39: no endpoint of movies has a parameter 'pag'; did you mean 'page'?"),
        wrongEntry(
            "an unknown credential", #"{"credentials":{"MOVIES_KEI":{"file":"f"}}}"#,
            "2:47: movies has no credential 'MOVIES_KEI'; did you mean 'MOVIES_KEY'?"),
        wrongEntry("an unknown setting", #"{"servers":"x"}"#, "2:19: $.apis.movies.servers is not known here"),
    ]

    private static let commandConfig = """
        {"version":1,"apis":{"movies":{"credentials":{"MOVIES_KEY":{"command":["pass","movies"]}}}}}
        """

    @Test("A command gives the credential of the API that is called, once")
    func command() async {
        let transport = StubTransport(.json(MoviePage.sample))
        let outcome = await run(
            ["call", "movies.popular", "-q"], variables: ["APICTL_CONFIG": "c"],
            files: MemoryFiles(["c": Self.commandConfig.exactBytes]), transport: transport
        ) { words, _ in
            #expect(words == ["pass", "movies"])
            return "k3y\n"
        }
        #expect(outcome == Outcome())
        let url = try? transport.requests.first?.revealedURL()
        #expect(url == "https://api.movies.test/3/movie/popular?api_key=k3y")
    }

    @Test("A command is not run for another API, to show a request, for a sample, or for help")
    func noCommand() async {
        for words in [
            "call echo.head --dry-run", "call movies.popular --dry-run", "curl movies.popular",
            "call movies.popular --sample", "movies", "config", "help credentials",
        ] {
            let outcome = await run(
                words.words, variables: ["APICTL_CONFIG": "c"],
                files: MemoryFiles(["c": Self.commandConfig.exactBytes]))
            #expect(outcome.code == 0)
        }
    }

    /// Has the variable of `Movies`.
    private enum Cinema: API {
        case times
        static let name = "cinema"
        static let servers = [Server("production", "https://cinema.test")]
        static let credentials: [Credential] = [.query("key", variable: "MOVIES_KEY").optional]
        static let examples: [Cinema] = [.times]
        var endpoint: Endpoint { .get("/times", returns: JSONValue.self, summary: "When") }
    }

    @Test("What gives a variable of one API is not asked for another API that has the same variable")
    func ofOneAPI() async {
        let transport = StubTransport(.json("{}"))
        let outcome = await run(
            ["call", "cinema.times", "-q"], variables: ["APICTL_CONFIG": "c"],
            files: MemoryFiles(["c": Self.commandConfig.exactBytes]), transport: transport,
            apis: [Movies.self, Cinema.self])
        #expect(outcome == Outcome())
        #expect(transport.requests.first?.redactedURL == "https://cinema.test/times")
    }

    @Test("A file that is a pipe without a writer is waited for as long as a command")
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

    @Test("A command that fails, whose variable is named")
    func failure() async {
        let outcome = await run(
            ["call", "movies.popular"], variables: ["APICTL_CONFIG": "c"],
            files: MemoryFiles(["c": Self.commandConfig.exactBytes])
        ) { _, _ in throw CommandOutput.Failure.exited(1) }
        #expect(
            outcome
                == Outcome(
                    err:
                        "apictl: movies.popular: no value for MOVIES_KEY from command pass movies: it ended with exit code 1\n",
                    code: 9))
    }

    @Test("The file may say where a credential of one server comes from")
    func serverCredential() async {
        let file = #"{"version":1,"apis":{"zoo":{"credentials":{"ZOO_TEST":{"file":"t"}}}}}"#
        let outcome = await runZoo(
            ["config", "zoo"], variables: ["APICTL_CONFIG": "c"], files: MemoryFiles(["c": file.exactBytes]))
        #expect(outcome.out.contains("\n  ZOO_TEST   set               file t\n"))
        #expect(outcome.code == 0)
    }

    static let shownSettings: [Row] = [
        Row(
            "config", "config movies", variables: ["APICTL_CONFIG": "c", "MOVIES_KEY": "s3cret"], files: ["c": config],
            out: """
                Configuration file: c

                movies
                  server            https://staging.movies.test/3  c
                  MOVIES_KEY        set                            variable
                  MOVIES_TOKEN      set                            file keys/token
                  parameter genres  [1, 2]                         c
                  parameter page    3                              c
                  --compact         true                           c
                  --header          ["X-A: 1", "X-B: 2"]           c

                """),
        Row(
            "config with a wrong server", "config echo", variables: ["APICTL_ENV": "x", "APICTL_CONFIG": "c"],
            files: ["c": config],
            out: """
                Configuration file: c

                echo
                  server         x        APICTL_ENV: echo has no server 'x', only local
                  ECHO_USER      not set
                  ECHO_PASSWORD  not set
                  ECHO_TOKEN     not set

                """),
        Row(
            "config with a wrong URL", "config echo", variables: ["APICTL_ECHO_URL": "s3cret", "APICTL_CONFIG": "c"],
            files: ["c": config],
            out: """
                Configuration file: c

                echo
                  server         not a base URL  APICTL_ECHO_URL is not a URL such as
                                                 https://api.example.com
                  ECHO_USER      not set
                  ECHO_PASSWORD  not set
                  ECHO_TOKEN     not set

                """),
        Row(
            "config without a file", "config echo", variables: ["HOME": "/h"],
            out: """
                Configuration file: /h/.config/apictl/config.json (there is none)

                echo
                  server         http://127.0.0.1:9/  default (local)
                  ECHO_USER      not set
                  ECHO_PASSWORD  not set
                  ECHO_TOKEN     not set

                """),
        wrongEntry(
            "a source with another name", #"{"credentials":{"MOVIES_KEY":{"variabel":"X"}}}"#,
            #"2:47: expected {"variable": NAME}, {"file": PATH} or {"command": [PROGRAM, …]}"#),
        wrong("config movie", "unknown API 'movie' (argument 2); did you mean 'movies'?", see: "list"),
        wrong(
            "config", variables: ["APICTL_CONFIG": "c"], files: ["c": #"{"version":1,"apis":{"movie":{}}}"#],
            "c:1:30: there is no API 'movie'; did you mean 'movies'?"),
    ]
}
