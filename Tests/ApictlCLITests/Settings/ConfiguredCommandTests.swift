import EndpointKit
import SystemCalls
import Testing

@testable import ApictlCLI

/// What the configuration says counts for every command that sends requests, and less than what is typed.
struct ConfiguredCommandTests {
    private static let variables = ["APICTL_CONFIG": "c", "MOVIES_KEY": "k"]

    private static func file(_ entry: String) -> [String: String] {
        ["c": "{\"version\":1,\n\"apis\":{\"movies\":\(entry)}}"]
    }

    private static let files = file(#"{"options":{"header":["X-A: 1","X-B: 2"],"query":["q=1","r=2"]}}"#)

    static let sent: [(words: String, headers: [String], query: String)] = [
        ("call movies.popular -q", ["X-A: 1", "X-B: 2"], "q=1&r=2"),
        ("call movies.popular -q -H X-A:9 --query q=9", ["X-B: 2", "X-A: 9"], "r=2&q=9"),
        ("call movies.popular -q -H x-a:", ["X-B: 2"], "q=1&r=2"),
        ("check movies.popular -H X-A:9", ["X-B: 2", "X-A: 9"], "q=1&r=2"),
        ("diff movies.popular --env staging --env production --query q=9", ["X-A: 1", "X-B: 2"], "r=2&q=9"),
    ]

    @Test(arguments: sent)
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

    @Test func aRecordingMockObeys() async throws {
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

    /// An option that there is not, and one that a configuration can't have.
    @Test(arguments: [
        ("max-tim", "'max-tim' is not an option for this file; did you mean 'max-time'?"),
        ("no-pager", "'no-pager' is not an option for this file"),
        ("json-errors", "'json-errors' is not an option for this file"),
    ])
    func refuses(_ option: String, _ message: String) async {
        for words in [
            "call movies.popular", "curl movies.popular", "check movies.popular",
            "diff movies.popular --env staging --env production", "config",
        ] {
            let files = MemoryFiles(Self.file(#"{"options":{"\#(option)":"1"}}"#).mapValues(\.exactBytes))
            let outcome = await run(
                words.words, variables: Self.variables, files: files)
            #expect(outcome.err == "apictl: c:2:\(33 + option.count): \(message)\nSee 'apictl help config'.\n")
            #expect(outcome.code == 2 && outcome.out.isEmpty)
        }
    }

    static let values: [Row] = [
        wrong(
            "call movies.popular", variables: variables, files: file(#"{"parameters":{"page":"two"}}"#),
            "c:2:40: --page: expected an integer, got 'two'", see: "help config"),
        wrong(
            "call movies.popular", variables: variables, files: file(#"{"options":{"max-time":"soon"}}"#),
            "c:2:41: --max-time: expected a duration such as 2.5, 500ms or 20s, got 'soon'", see: "help config"),
        Row(
            "where a credential would come from", "call movies.popular --dry-run", variables: ["APICTL_CONFIG": "c"],
            files: file(#"{"credentials":{"MOVIES_KEY":{"command":["pass","movies"]}}}"#),
            out: shown(
                "GET https://api.movies.test/3/movie/popular?api_key=(from command pass movies)", "X-Client: tests")),
    ]

    @Test(arguments: values)
    func value(_ row: Row) async { await row.check() }

    @Test(
        "--max-time limits a credential's command, which is told the time that is left; without it, there are 10 s",
        arguments: ["call", "check", "diff --env staging --env production"],
        [("--max-time 2s", 2, "--max-time allows", 7), ("", 10, "10 s", 9)] as [(String, Int, String, Int32)])
    func limitedCommand(_ command: String, _ row: (words: String, seconds: Int, reason: String, code: Int32)) async {
        let outcome = await run(
            "\(command) movies.popular \(row.words)".words,
            variables: ["APICTL_CONFIG": "c"],
            files: MemoryFiles(
                Self.file(#"{"credentials":{"MOVIES_KEY":{"command":["pass"]}}}"#).mapValues(\.exactBytes)),
            program: { words, limit in
                #expect(words == ["pass"] && limit > .zero && limit <= .seconds(row.seconds))
                throw CommandOutput.Failure.timedOut
            })
        let message = "no value for MOVIES_KEY from command pass: it took longer than \(row.reason)"
        #expect(outcome == Outcome(err: "apictl: movies.popular: \(message)\n", code: row.code))
    }

    @Test("A duration in minutes reaches the transfer")
    func minutes() async {
        let transport = OptionKeeper()
        #expect(await run(["call", "echo.head", "--max-time", "2m"], transport: transport) == Outcome())
        #expect(transport.options.map(\.maxTime) == [.seconds(120)])
    }
}
