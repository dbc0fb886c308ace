import EndpointKit
import JSONText
import Synchronization
import Testing

@testable import ApictlCLI

/// Cases that belong together: repeated until something happens, with generated values, with setup and cleanup.
struct CaseFlowTests {
    /// Runs files, of which `c.json` is named on the command line.
    private static func run(
        _ files: [String: String], _ routes: [String: [StubResponse]] = [:], words: String = "",
        transport: (any Transport)? = nil, memory: MemoryFiles? = nil
    ) async -> Outcome {
        await check(
            "--cases c.json \(words)", routes, transport: transport,
            files: memory ?? MemoryFiles(files.mapValues { Array($0.utf8) }))
    }

    private static func file(_ cases: String, _ others: String = "") -> [String: String] {
        ["c.json": #"{"version": 1, "cases": [\#(cases)]\#(others)}"#]
    }

    // MARK: Until

    private static let polled: [String: [StubResponse]] = [
        "GET /items": ["a", "b", "c"].map {
            .json(#"{"items": [{"id": 1, "name": "a", "note": "b"}], "next": "\#($0)"}"#)
        }
    ]
    private static let poll = #"{"endpoint": "shop.items", "until": "1m", "expect": {"next": {"equals": "c"}}}"#

    @Test func aCaseIsRepeatedUntilItPasses() async {
        let transport = StubTransport(routes: Self.polled)
        let outcome = await Self.run(Self.file(Self.poll), transport: transport)
        #expect(outcome.out.hasPrefix("✓ shop.items: case 1  200 T  until: met, carried out 3 times\n"), "\(outcome)")
        #expect(outcome.code == 0 && transport.requests.count == 3)
    }

    @Test(arguments: [
        ("json", #""attempts":3,"flaky":false,"#),
        ("junit", "<system-out>until: met, carried out 3 times</system-out>"),
        ("html", "<li><code>until: met, carried out 3 times</code></li>"),
        ("md", "\n### Repeated\n\n- ✓ ` shop.items: case 1 `, 200, T\n  - ` until: met, carried out 3 times `\n"),
    ]) func reportsSayHowOftenACaseWasCarriedOut(_ kind: String, _ words: String) async {
        let outcome = await Self.run(Self.file(Self.poll), Self.polled, words: "--report-\(kind) -")
        #expect(outcome.out.contains(words), "\(outcome.testDescription)")
    }

    /// The time is over before the first repetition could be, but one is made when it is over.
    @Test func aCaseFailsWhenTheTimeIsOver() async {
        let transport = StubTransport(routes: ["GET /items": [.empty(503)]])
        let outcome = await Self.run(Self.file(Self.poll.replacing("1m", with: "20ms")), transport: transport)
        #expect(
            outcome.out.hasPrefix("✗ shop.items: case 1  503 T  until: not met within T, carried out 2 times\n"),
            "\(outcome.testDescription)")
        #expect(outcome.code == 1 && transport.requests.count == 2)
    }

    @Test func theLastRepetitionCapturesTheValue() async {
        let transport = StubTransport(routes: Self.polled)
        let capturing = Self.poll.dropLast() + #", "capture": {"n": "next"}}"#
        let outcome = await Self.run(
            Self.file(capturing + #", {"endpoint": "shop.logo", "query": {"n": "{{n}}"}}"#), transport: transport)
        #expect(outcome.code == 0 && transport.requests.last?.redactedURL == "https://shop.test/v1/logo?n=c")
    }

    // MARK: Generated values

    private static let generated =
        #"{"endpoint": "shop.logo", "query": {"u": ["{{$uuid}}", "{{$uuid}}"], "r": "{{$random}}", "t": "{{$timestamp}}","#
        + #" "n": ["{{$now}}", "{{$now+1d}}", "{{$now-90m}}", "{{$now+5s}}", "{{$now-2h}}"]}}"#

    private static func queries(_ words: String, count: Int = 1) async throws -> [[String: [String]]] {
        let transport = StubTransport(routes: [:])
        let cases = Array(repeating: generated, count: count).joined(separator: ",")
        let outcome = await run(file(cases), words: words, transport: transport)
        try #require(outcome.code == 0, "\(outcome.testDescription)")
        return try transport.requests.map { request in
            var items: [String: [String]] = [:]
            for item in request.query { items[item.name, default: []].append(try item.content.reveal()) }
            return items
        }
    }

    @Test func generatedValuesHaveTheirForms() async throws {
        let query = try #require(try await Self.queries("").first)
        let uuids = query["u"] ?? []
        #expect(uuids.count == 2 && uuids[0] == uuids[1])
        #expect(uuids[0].wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/) != nil)
        #expect(query["r"].flatMap { Int($0[0]) }.map { (0..<1_000_000_000).contains($0) } == true)
        let times = try (query["n"] ?? []).map { text in
            #expect(text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil)
            return try #require(DateText.parse(text)).timeIntervalSince1970
        }
        try #require(times.count == 5)
        #expect(times.map { $0 - times[0] } == [0, 86400, -5400, 5, -7200])
        #expect(query["t"] == ["\(Int(times[0]))"])
    }

    @Test func aSeedRepeatsRandomValues() async throws {
        let first = try await Self.queries("--seed 7", count: 2)
        let again = try await Self.queries("--seed 7", count: 2)
        let other = try await Self.queries("--seed 8", count: 2)
        #expect(first.map { $0["u"] } == again.map { $0["u"] } && first.map { $0["r"] } == again.map { $0["r"] })
        #expect(first[0]["u"] != first[1]["u"] && first[0]["r"] != first[1]["r"])
        #expect(first[0]["u"] != other[0]["u"] && first[0]["r"] != other[0]["r"])
    }

    /// Without `--seed`, the run says which seed repeats it, if anything depends on it.
    @Test func aSeedThatWasChosenIsNamedIfItMatters() async throws {
        let outcome = await Self.run(Self.file(Self.generated), words: "--report-json out/r")
        let match = try #require(outcome.out.firstMatch(of: /\n--seed (\d+) repeats the random values of this run\.\n/))
        #expect(UInt32(match.1) != nil)
        for (cases, words) in [(Self.generated, "--seed 7"), (#"{"endpoint": "shop.logo", "name": "{{$now}}"}"#, "")] {
            let outcome = await Self.run(Self.file(cases), words: words)
            #expect(outcome.code == 0 && !outcome.out.contains("--seed"))
        }
        let json = await Self.run(Self.file(Self.generated), words: "--seed 7 --report-json -")
        #expect(json.out.contains(#""seed":7}"#))
    }

    @Test func aGeneratedValueKeepsItsType() async {
        let transport = StubTransport(routes: [:])
        let post =
            #"{"endpoint": "shop.add", "body": {"n": "{{$random}}", "t": "r{{$random}}", "at": "{{$timestamp}}"}}"#
        let outcome = await Self.run(Self.file(post), words: "--unsafe --seed 1", transport: transport)
        let body = String(decoding: transport.requests.first?.body?.bytes ?? [], as: UTF8.self)
        #expect(outcome.code == 0)
        let match = body.wholeMatch(of: /\{"n":(\d+),"t":"r(\d+)","at":\d{10}\}/)
        #expect(match.map { $0.1 == $0.2 } == true, "\(body)")
    }

    // MARK: Setup and cleanup

    private static let sections =
        #", "setup": [{"endpoint": "shop.items", "name": "list", "capture": {"id": "items.0.id"}}],"#
        + #" "cleanup": [{"endpoint": "shop.item", "name": "remove", "arguments": {"_0": "{{id}}"}}]"#
    private static let two = #"{"endpoint": "shop.logo"}, {"endpoint": "shop.receipt"}"#

    /// The lines of checks without their times.
    private static func lines(_ outcome: Outcome) -> [String] {
        outcome.out.split(separator: "\n").map(String.init).filter { "✓✗–~".contains($0.first ?? " ") }.map {
            $0.replacing(/\s+/, with: " ")
        }
    }

    @Test func sectionsRunInTheirOrder() async {
        let outcome = await Self.run(Self.file(Self.two, Self.sections))
        #expect(
            Self.lines(outcome) == [
                "✓ shop.items: list 200 T", "✓ shop.logo: case 1 200 T", "✓ shop.receipt: case 2 200 T",
                "✓ shop.item: remove 200 T",
            ], "\(outcome.testDescription)")
        #expect(outcome.code == 0)
    }

    @Test(arguments: ["--jobs 1", "--jobs 8"]) func aFailedSetupSkipsTheCases(_ words: String) async {
        let sections = Self.sections.replacing(
            #""setup": ["#, with: #""setup": [{"endpoint": "shop.logo", "status": 404},"#
        )
        .replacing(#""{{id}}""#, with: "1")
        let outcome = await Self.run(Self.file(Self.two, sections), words: words)
        #expect(
            Self.lines(outcome) == [
                "✗ shop.logo: setup 1 200 T", "– shop.items: list skipped: not run: setup 1 did not pass",
                "– shop.logo: case 1 skipped: not run: setup 1 did not pass",
                "– shop.receipt: case 2 skipped: not run: setup 1 did not pass", "✓ shop.item: remove 200 T",
            ], "\(outcome.testDescription)")
        #expect(outcome.code == 1)
    }

    @Test func aSetupThatIsSkippedSkipsTheCases() async {
        let setup = #", "setup": [{"endpoint": "shop.add", "name": "add", "arguments": {"name": "a"}}]"#
        let outcome = await Self.run(Self.file(Self.two, setup))
        #expect(Self.lines(outcome).filter { $0.hasSuffix("skipped: not run: add did not pass") }.count == 2)
        #expect(outcome.code == 1)
    }

    @Test func cleanupRunsAfterAFailureWithBail() async {
        let routes = ["GET /logo": [StubResponse.empty(500, "Error")]]
        let outcome = await Self.run(Self.file(Self.two, Self.sections), routes, words: "--bail")
        #expect(
            Self.lines(outcome) == [
                "✓ shop.items: list 200 T", "✗ shop.logo: case 1 500 T",
                "– shop.receipt: case 2 skipped: not run: an earlier check failed", "✓ shop.item: remove 200 T",
            ], "\(outcome.testDescription)")
        #expect(outcome.code == 1)
    }

    /// With `--bail`, the cases of other files that are running are cancelled, and their cleanup runs. Files that have
    /// not begun need none.
    @Test(.timeLimit(.minutes(1))) func cleanupOfEveryFileRuns() async {
        let slow =
            #"{"version": 1, "cases": [{"url": "https://a.test/slow"}], "cleanup": [{"url": "https://a.test/end"}]}"#
        let failing = #"{"version": 1, "cases": [{"url": "https://a.test/fail"}]}"#
        let late = slow.replacing("a.test", with: "late.test")
        let slowHasBegun = Mutex(false)
        let transport = StubTransport { request in
            switch request.path {
            case "/slow":
                slowHasBegun.withLock { $0 = true }
                try await Task.sleep(for: .seconds(600))
                return .empty(200)
            case "/fail":
                while !slowHasBegun.withLock(\.self) { try await Task.sleep(for: .milliseconds(1)) }
                return .empty(500)
            default: return .empty(200)
            }
        }
        let files = MemoryFiles(["a": Array(slow.utf8), "b": Array(failing.utf8), "c": Array(late.utf8)])
        let outcome = await check(
            "--cases a --cases b --cases c --bail --jobs 2", transport: transport, files: files)
        #expect(transport.requests.map(\.path).sorted() == ["/end", "/fail", "/slow"])
        #expect(transport.requests.allSatisfy { $0.base.text == "https://a.test" })
        #expect(outcome.code == 1)
    }

    /// A signal cancels the task of the command. The cleanup is carried out all the same.
    @Test(.timeLimit(.minutes(1))) func cleanupRunsAfterAnInterruption() async {
        let file =
            #"{"version": 1, "cases": [{"url": "https://a.test/slow"}, {"url": "https://a.test/next"}],"#
            + #" "cleanup": [{"url": "https://a.test/end"}]}"#
        let hasBegun = Mutex(false)
        let transport = StubTransport { request in
            try Task.checkCancellation()
            guard request.path == "/slow" else { return .empty(200) }
            hasBegun.withLock { $0 = true }
            try await Task.sleep(for: .seconds(600))
            return .empty(200)
        }
        let run = Task {
            await check("--cases c.json", transport: transport, files: MemoryFiles(["c.json": Array(file.utf8)]))
        }
        while !hasBegun.withLock(\.self) { try? await Task.sleep(for: .milliseconds(1)) }
        run.cancel()
        let outcome = await run.value
        #expect(
            Self.lines(outcome) == [
                "– https://a.test/slow: case 1 skipped: not run: interrupted",
                "– https://a.test/next: case 2 skipped: not run: interrupted",
                "✓ https://a.test/end: cleanup 1 200 T",
            ], "\(outcome.testDescription)")
        #expect(transport.requests.map(\.path) == ["/slow", "/end"])
    }

    @Test func cleanupWithoutItsValueIsSkipped() async {
        let outcome = await Self.run(
            Self.file(Self.two, Self.sections), ["GET /items": [.json(#"{"items": [], "next": null}"#)]])
        #expect(Self.lines(outcome).last == "– shop.item: remove skipped: {{id}} was not captured")
        #expect(outcome.code == 1)
    }

    @Test(arguments: [
        ("--case shop.receipt", ["list", "case 2", "remove"]), ("--shard 1/2", ["list", "case 1", "case 2", "remove"]),
        ("--shard 2/2", []),
    ]) func chosenCasesKeepSetupAndCleanup(_ words: String, _ names: [String]) async {
        let outcome = await Self.run(Self.file(Self.two, Self.sections), words: words)
        #expect(Self.lines(outcome).map { String($0.split(separator: ": ")[1].dropLast(" 200 T".count)) } == names)
    }

    // MARK: Included files

    private static let login =
        #"{"version": 1, "cases": [{"endpoint": "shop.items", "name": "log in", "capture": {"id": "items.0.id"}}],"#
        + #" "cleanup": [{"endpoint": "shop.receipt", "name": "log out"}]}"#

    @Test func includedCasesShareWhatTheyCapture() async {
        var files = Self.file(
            #"{"include": "out/login.json"}, {"endpoint": "shop.item", "arguments": {"_0": "{{id}}"}}"#,
            #", "cleanup": [{"endpoint": "shop.item", "name": "last", "arguments": {"_0": "{{id}}"}}]"#)
        files["out/login.json"] = Self.login
        let outcome = await Self.run(files)
        #expect(
            Self.lines(outcome) == [
                "✓ shop.items: out/login.json log in 200 T", "✓ shop.item: case 2 200 T", "✓ shop.item: last 200 T",
                "✓ shop.receipt: out/login.json log out 200 T",
            ], "\(outcome.testDescription)")
        // A file may be included twice. That is no cycle.
        files["c.json"] = #"{"version": 1, "cases": [{"include": "out/login.json"}, {"include": "out/login.json"}]}"#
        #expect(Self.lines(await Self.run(files)).count == 4)
    }

    /// A file that is included as a whole comes before setup, and must pass as setup must.
    @Test func aFileCanIncludeAnotherAtItsTop() async {
        var files = Self.file(Self.two, Self.sections + #", "include": "login.json""#)
        files["login.json"] = Self.login
        let passed = await Self.run(files)
        #expect(
            Self.lines(passed) == [
                "✓ shop.items: login.json log in 200 T", "✓ shop.items: list 200 T", "✓ shop.logo: case 1 200 T",
                "✓ shop.receipt: case 2 200 T", "✓ shop.item: remove 200 T", "✓ shop.receipt: login.json log out 200 T",
            ], "\(passed.testDescription)")
        let failed = await Self.run(files, ["GET /items": [.empty(500)]])
        #expect(Self.lines(failed).filter { $0.hasSuffix("not run: login.json log in did not pass") }.count == 3)
        #expect(Self.lines(failed).last == "✓ shop.receipt: login.json log out 200 T")
    }

    /// Paths are relative to the file that includes.
    @Test func includedPathsAreRelative() async {
        let files = [
            "c.json": #"{"version": 1, "cases": [{"include": "out/a.json"}]}"#,
            "out/a.json": #"{"version": 1, "setup": [{"include": "b.json"}], "cases": [{"endpoint": "shop.receipt"}]}"#,
            "out/b.json": #"{"version": 1, "cases": [{"endpoint": "shop.logo"}]}"#,
        ]
        let outcome = await Self.run(files)
        #expect(
            Self.lines(outcome) == [
                "✓ shop.logo: out/b.json case 1 200 T", "✓ shop.receipt: out/a.json case 1 200 T",
            ], "\(outcome.testDescription)")
    }

    @Test(arguments: [
        (
            #"{"version": 1, "cases": [{"include": "./c.json"}]}"#, "{}",
            "c.json:1:38: ./c.json includes itself"
        ),
        (
            #"{"version": 1, "cases": [{"include": "out/a"}]}"#,
            #"{"version": 1, "cases": [{"endpoint": "shop.logo"}], "cleanup": [{"include": "a"}]}"#,
            "out/a:1:78: out/a includes itself"
        ),
        (
            #"{"version": 1, "cases": [{"include": "nosuch.json"}]}"#, "{}",
            "c.json:1:38: can't read nosuch.json: no such file or directory"
        ),
        (
            #"{"version": 1, "cases": [{"include": "out/a"}]}"#, #"{"version": 1, "cases": [{"endpoint": "x.y"}]}"#,
            "out/a:1:39: unknown API 'x'"
        ),
    ]) func aWrongIncludeIsAnErrorAtItsPlace(_ file: String, _ included: String, _ message: String) async {
        let outcome = await Self.run(["c.json": file, "out/a": included])
        #expect(outcome.err.hasPrefix("apictl: \(message)"), "\(outcome.testDescription)")
        #expect(outcome.code == 2 && outcome.out.isEmpty)
    }
}
