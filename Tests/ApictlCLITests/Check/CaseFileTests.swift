import EndpointKit
import Testing

@testable import ApictlCLI

/// Calls of a file with what is expected of their responses.
struct CaseFileTests {
    /// Runs the cases whose JSON is `cases`.
    private static func run(
        _ cases: String, _ routes: [String: [StubResponse]] = [:], words: String = "",
        transport: StubTransport? = nil, variables: [String: String] = [:]
    ) async -> Outcome {
        let files = MemoryFiles(["c.json": Array(#"{"version": 1, "cases": [\#(cases)]}"#.utf8)])
        return await check(
            "--cases c.json \(words)", transport: transport ?? StubTransport(routes: routes), variables: variables,
            files: files)
    }

    private static let list: [String: [StubResponse]] = [
        "GET /items": [.json(#"{"items": [{"id": 7, "name": "Tea"}, {"id": 2, "name": "Milk"}], "next": "b"}"#)]
    ]

    /// Requirements that the list meets.
    static let metRequirements = [
        #""items.name": {"count": 2, "type": "string"}"#,
        #""items.name": {"matches": "i|ea"}"#,
        #""items.name": {"matches": "^[A-Z][a-z]+$"}"#,
        #""items": {"equals": [{"id": 7, "name": "Tea"}, {"id": 2.0, "name": "Milk"}]}"#,
        #""items": {"contains": {"id": 7.0, "name": "Tea"}}"#,
        #""next": {"contains": ""}"#,
        #""items.id": {"min": 2, "max": 7.0}"#,
        #""items.id": {"type": "integer"}"#,
        #""items": {"type": "array"}"#,
        #""next": {"exists": true}"#,
        #""items.note": {"exists": false}"#,
        #""items.note": {"count": 0}"#,
    ]

    @Test(arguments: metRequirements) func aRequirementThatIsMetPasses(_ requirement: String) async {
        let outcome = await Self.run(#"{"endpoint": "shop.items", "expect": {\#(requirement)}}"#, Self.list)
        #expect(outcome.out.hasPrefix("✓ shop.items: case 1  200 T\n\n1 check: "))
        #expect(outcome.code == 0)
    }

    /// Requirements that the list does not meet, and the problems that are reported.
    static let unmetRequirements: [(requirement: String, problem: String)] = [
        (#""items": {"count": {"min": 3, "max": 9}}"#, "wrong-value: items: expected count 3 to 9, found 2"),
        (#""items.name": {"equals": "Tea"}"#, #"wrong-value: items.name: expected "Tea", found "Milk" (1 of 2)"#),
        (
            #""items.name": {"matches": "^T"}"#,
            #"wrong-value: items.name: expected text that matches ^T, found "Milk" (1 of 2)"#
        ),
        (
            #""items.0.id": {"equals": 70000000000000000000000000000000000001e-37}"#,
            "wrong-value: items.0.id: expected 70000000000000000000000000000000000001e-37, found 7"
        ),
        (
            #""items.name": {"contains": "i"}"#,
            #"wrong-value: items.name: expected something that contains "i", found "Tea" (1 of 2)"#
        ),
        (
            #""items": {"contains": 7}"#,
            #"wrong-value: items: expected something that contains 7, found [{"id": 7, "name": "Tea"}, {"id": 2, "name": "Milk"}]"#
        ),
        (#""items.id": {"min": 2.5}"#, "wrong-value: items.id: expected at least 2.5, found 2 (1 of 2)"),
        (#""items.id": {"max": 5}"#, "wrong-value: items.id: expected at most 5, found 7 (1 of 2)"),
        (#""next": {"max": 5}"#, #"wrong-value: next: expected at most 5, found "b""#),
        (#""items": {"count": {"equals": 3}}"#, "wrong-value: items: expected count 3, found 2"),
        (#""items.id": {"matches": "7"}"#, "wrong-value: items.id: expected text that matches 7, found 7 (2 of 2)"),
        (
            #""items": {"type": "object"}"#,
            #"wrong-type: items: expected object, found [{"id": 7, "name": "Tea"}, {"id": 2, "name": "Milk"}]"#
        ),
        (#""items.note": {"exists": true}"#, "missing-key: items.note"),
        (#""next": {"exists": true, "equals": null}"#, #"wrong-value: next: expected null, found "b""#),
        (#""items.note": {"type": "array", "count": {"max": 9}}"#, "missing-key: items.note"),
        (#""next": {"exists": false}"#, #"wrong-value: next: expected nothing, found "b""#),
        (#""items.note": {"equals": 1}"#, "missing-key: items.note"),
    ]

    @Test(arguments: unmetRequirements)
    func aRequirementThatIsNotMetIsAProblem(_ requirement: String, _ problem: String) async {
        let outcome = await Self.run(#"{"endpoint": "shop.items", "expect": {\#(requirement)}}"#, Self.list)
        #expect(outcome.out.hasPrefix("✗ shop.items: case 1  200 T\n    \(problem) [c.json:1]\n"))
        #expect(outcome.code == 1)
    }

    /// Runs a case that requires something of a number in a response.
    private static func judge(_ number: String, _ requirement: String) async -> Outcome {
        await run(
            #"{"endpoint": "shop.logo", "expect": {"n": \#(requirement)}}"#,
            ["GET /logo": [.json(#"{"n": \#(number)}"#)]])
    }

    /// Numbers are compared by their values, whatever their size is.
    @Test(arguments: [
        ("123456789012345678901234567890", #"{"type": "integer", "min": 1, "max": 1e30}"#),
        ("-0.0e7", #"{"type": "integer", "equals": 0, "min": -1e-9, "max": 0.0}"#),
        ("9007199254740993", #"{"min": 9007199254740993, "max": 9007199254740993}"#),
        ("1e-400", #"{"min": 1e-401, "max": 1e400}"#),
        ("1e99999999999999999999", #"{"min": 1e9}"#),
        ("1e-99999999999999999999", #"{"max": 1e-9}"#),
    ])
    func aNumberMeetsWhatItsValueMeets(_ number: String, _ requirement: String) async {
        let outcome = await Self.judge(number, requirement)
        #expect(outcome.out.contains("✓ shop.logo: case 1  200 T\n"))
        #expect(outcome.code == 0)
    }

    @Test(arguments: [
        ("15e-1", #"{"type": "integer"}"#, "wrong-type: n: expected integer, found 15e-1"),
        (
            "9007199254740993", #"{"max": 9007199254740992}"#,
            "wrong-value: n: expected at most 9007199254740992, found 9007199254740993"
        ),
    ])
    func aNumberWhoseValueDoesNotFitIsAProblem(_ number: String, _ requirement: String, _ problem: String) async {
        let outcome = await Self.judge(number, requirement)
        #expect(outcome.out.contains("    \(problem) [c.json:1]\n    curl"))
        #expect(outcome.code == 1)
    }

    private static let nine = #"{"endpoint": "shop.item", "arguments": {"_0": 9}"#
    private static let gone: [String: [StubResponse]] = ["GET /items/9": [.json(#"{"message": "gone"}"#, 410, "Gone")]]
    private static let chain =
        #"{"endpoint": "shop.items", "capture": {"id": "items.5.id", "all": "items"}},"#
        + #"{"endpoint": "shop.item", "arguments": {"_0": "{{id}}"}}"#

    /// Cases that fail, the responses, and a line of the output.
    static let failures: [(cases: String, routes: [String: [StubResponse]], line: String)] = [
        (nine + #", "status": "5xx"}"#, ["GET /items/9": [.empty(200)]], "    status: expected 5xx, found 200 OK"),
        (nine + #", "status": 404}"#, gone, "    status: expected 404, found 410 Gone: gone"),
        (nine + "}", gone, "    status: expected 2xx, found 410 Gone: gone"),
        (
            nine + "}", ["GET /items/9": [.empty(404, "Not Found")]],
            "    status: expected 2xx, found 404 Not Found. The case's data may be stale."
        ), (#"{"endpoint": "shop.logo", "maxLatency": 0}"#, [:], "    latency: expected at most T, found T"),
        (
            #"{"endpoint": "shop.items", "capture": {"n": "next"}},"#
                + #"{"name": "after {{n}}", "endpoint": "shop.logo", "status": 404}"#,
            list.merging(["GET /logo": [.empty(200)]]) { $1 }, "✗ shop.logo: after b      200 T"
        ),
        // A case fails if its response lacks a value to capture. Later cases that need the value are skipped.
        (chain, [:], "    missing-key: items.5.id: expected a value for {{id}}"),
        (chain, [:], "– shop.item: case 2   skipped: {{id}} was not captured"),
        (chain, ["GET /items": [.empty(500)]], "– shop.item: case 2   skipped: {{id}} was not captured"),
        (
            chain.dropLast() + #", "query": {"a": "{{all}}"}}"#, ["GET /items": [.empty(500)]],
            "– shop.item: case 2   skipped: {{all}} and {{id}} were not captured"
        ),
        (
            chain.replacing("5.id", with: "0.name"), [:],
            "    wrong-value: a captured value does not fit: the value: expected an integer, got 'Tea'"
        ),
    ]

    @Test(arguments: failures)
    func aCaseThatFailsSaysWhy(_ cases: String, _ routes: [String: [StubResponse]], _ line: String) async {
        let outcome = await Self.run(cases, routes)
        // A problem is followed by the line of its requirement.
        let place = line.hasPrefix("    ") ? " [c.json:1]" : ""
        #expect(outcome.out.contains(line + place + "\n") && outcome.code == 1, "\(outcome)")
    }

    @Test func anExpectedStatusIsNotRetried() async {
        let transport = StubTransport(routes: ["GET /items/9": [.empty(503)]])
        let outcome = await Self.run(Self.nine + #", "status": 503, "retry": 3}"#, transport: transport)
        #expect(outcome.out.hasPrefix("✓ shop.item: case 1  503 T\n") && transport.requests.count == 1)
    }

    @Test func aCaseCanExpectAnErrorStatus() async {
        let outcome = await Self.run(Self.nine + #", "status": 410}, "# + Self.nine + #", "status": "4xx"}"#, Self.gone)
        #expect(outcome.code == 0)
    }

    @Test func theMembersOfACaseMakeItsRequest() async throws {
        let transport = StubTransport(routes: [
            "GET /receipt": [.empty(503), .json(#"{"status": "OK", "reason": "none"}"#)]
        ])
        let outcome = await Self.run(
            """
            {"endpoint": "shop.add", "arguments": {}, "query": {"a": [1, "b c"], "n": null}, "body": {"x": [1.50]},
             "headers": {"X-A": 1, "X-E": "", "Accept": null, "Authorization": "Bearer s3cret-token"}},
            {"endpoint": "shop.orders", "auth": "bearer"}, {"endpoint": "shop.orders", "auth": "none"},
            {"endpoint": "shop.receipt", "retry": 1}, {"endpoint": "shop.items", "arguments": {"page": 3}},
            {"endpoint": "shop.add", "arguments": {"name": "@a"}}
            """, words: "--unsafe --strict --retry-delay 0 --query q=1 -H X-B:2", transport: transport,
            variables: ["SHOP_TOKEN": "t"])
        #expect(outcome.code == 0, "\(outcome.testDescription)")
        #expect(!outcome.out.contains("s3cret"))
        let sent = transport.requests
        try #require(sent.count == 7, "\(outcome.testDescription)")
        #expect(sent[0].redactedURL == "https://shop.test/v1/items?q=1&a=1&a=b%20c")
        #expect(sent[0].body?.bytes == Array(#"{"x": [1.50]}"#.utf8))
        #expect(
            try sent[0].headers.map { "\($0.name): \(try $0.revealedValue())" } == [
                "X-B: 2", "Authorization: Bearer s3cret-token", "X-A: 1", "X-E: ", "Content-Type: application/json",
                "User-Agent: apictl/0.1.0",
            ])
        #expect(sent[1].specifies(header: "Authorization") && !sent[2].specifies(header: "Authorization"))
        #expect(sent[5].redactedURL == "https://shop.test/v1/items?page=3&q=1")
        #expect(sent[6].body?.bytes == Array(#"{"name":"@a"}"#.utf8))
    }

    /// A text that is nothing but `{{NAME}}` becomes the value, wherever it is; in a longer text, its text is inserted.
    @Test func capturedValuesAreUsedEverywhere() async throws {
        let transport = StubTransport(routes: [
            "GET /items": [
                .json(#"{"items": [{"id": 7, "name": "Te\"a", "note": null}], "next": "b", "x": {"l": [1, "s"]}}"#)
            ],
            "GET /items/7": [.json(#"{"id": 7, "name": "7: Te\"a", "note": "[1,\"s\"]"}"#)],
        ])
        let outcome = await Self.run(
            """
            {"endpoint": "shop.items", "capture": {"n": "items.0.id", "name": "items.0.name", "list": "x.l", "path": "next"}},
            {"endpoint": "shop.add", "body": {"{{path}}": ["{{n}}", "{{list}}", "n{{n}}{{list}}"]}, "retry": "{{n}}"},
            {"endpoint": "shop.item", "arguments": {"_0": "{{n}}"}, "query": {"q": "{{list}}", "x{{n}}": "{{name}}"},
             "headers": {"X-N": "{{n}}"}, "status": 200, "maxLatency": "{{n}}s",
             "expect": {"id": {"equals": "{{n}}", "min": "{{n}}"}, "name": {"matches": "^{{n}}: ", "contains": "{{name}}"},
                        "note": {"equals": "[1,\\"s\\"]"}, "$.items[:{{n}}]": {"count": 0}}}
            """, words: "--unsafe", transport: transport)
        #expect(outcome.code == 0, "\(outcome.testDescription)")
        try #require(transport.requests.count == 3)
        #expect(transport.requests[1].body?.bytes == Array(#"{"b":[7,[1,"s"],"n7[1,\"s\"]"]}"#.utf8))
        #expect(transport.requests[2].redactedURL == "https://shop.test/v1/items/7?q=1&q=s&x7=Te%22a")
    }

    /// A server can't switch an expectation off by a placeholder in a value that a case captures.
    @Test func aCapturedTextWithAPlaceholderFailsTheCase() async {
        let routes = ["GET /items": [StubResponse.json(#"{"items": [], "next": "{{x}}"}"#)]]
        let outcome = await Self.run(
            """
            {"endpoint": "shop.items", "capture": {"x": "next"}},
            {"endpoint": "shop.item", "arguments": {"_0": 1}, "expect": {"name": {"matches": "{{x}}"}}},
            {"endpoint": "shop.item", "arguments": {"_0": 1}, "expect": {"name": {"min": "{{x}}"}}},
            {"endpoint": "shop.item", "arguments": {"_0": 1}, "status": "{{x}}"}
            """, routes)
        #expect(
            outcome.out.components(separatedBy: "wrong-value: a captured value does not fit: it contains {{…}}").count
                == 4)
        #expect(outcome.out.contains("4 checks: 1 passed, 0 drifted, 3 failed"))
    }

    /// A case sees the value that was captured last before it. Whatever `--jobs` is, one case runs after the other.
    @Test func aCaseSeesWhatWasCapturedBefore() async {
        let items = [1, 2].map {
            StubResponse.json(#"{"items": [{"id": \#($0), "name": "a", "note": "b"}], "next": "c"}"#)
        }
        let transport = StubTransport(routes: ["GET /items": items + [.empty(500)]])
        let outcome = await Self.run(
            """
            {"endpoint": "shop.items", "capture": {"id": "items.0.id"}},
            {"endpoint": "shop.item", "arguments": {"_0": "{{id}}"}},
            {"endpoint": "shop.items", "capture": {"id": "items.0.id"}},
            {"endpoint": "shop.item", "arguments": {"_0": "{{id}}"}},
            {"endpoint": "shop.items", "capture": {"id": "items.0.id"}},
            {"endpoint": "shop.item", "arguments": {"_0": "{{id}}"}}
            """, words: "--jobs 4 --report-json -", transport: transport)
        #expect(transport.requests.map(\.path) == ["/items", "/items/1", "/items", "/items/2", "/items"])
        #expect(
            outcome.out.contains(
                #""case":"case 6","caseFile":"c.json","caseLine":6,"verdict":"skipped","method":"GET","url":null"#))
        #expect(outcome.out.contains(#""reason":"{{id}} was not captured""#))
    }

    @Test(arguments: [
        ("--case *logo", ["shop.logo: the logo"]),
        ("--case first --case shop.receipt", ["shop.items: first", "shop.receipt: case 4"]),
        // The case that a chosen case captures from is carried out too.
        ("--case second", ["shop.items: first", "shop.item: second"]),
        ("--case second --shard 2/2", []),
    ]) func caseNamesChooseCasesAndThoseTheyCaptureFrom(_ words: String, _ shown: [String]) async {
        let outcome = await Self.run(
            """
            {"endpoint": "shop.items", "name": "first", "capture": {"id": "items.0.id"}},
            {"endpoint": "shop.logo", "name": "the logo"},
            {"endpoint": "shop.item", "name": "second", "arguments": {"_0": "{{id}}"}}, {"endpoint": "shop.receipt"}
            """, Self.handOn, words: words)
        let lines = outcome.out.split(separator: "\n").filter { $0.hasPrefix("✓") }
        #expect(lines.map { $0.dropFirst(2).split(separator: "  ")[0] } == shown.map { Substring($0) })
        #expect(outcome.code == 0 && (shown.isEmpty == outcome.out.contains("no check falls into shard 2/2 of 2")))
    }

    @Test func aCaseNameThatMatchesNoCaseIsAnError() async {
        let outcome = await Self.run(#"{"endpoint": "shop.logo"}"#, words: "--case shop.logo --case x")
        #expect(outcome.err.hasPrefix("apictl: no case matches 'x'\n"))
    }

    /// Returns a file with these cases.
    private static func file(_ cases: String) -> String { #"{"version": 1, "cases": [\#(cases)]}"# }

    /// A file whose second case needs what the first one captures.
    private static var capturingFile: MemoryFiles {
        let cases =
            #"{"endpoint": "shop.items", "capture": {"n": "next"}}, "#
            + #"{"endpoint": "shop.receipt", "query": {"n": "{{n}}"}}"#
        return MemoryFiles(["a.json": Array(file(cases).utf8)])
    }

    @Test(.timeLimit(.minutes(1))) func filesRunSideBySide() async {
        let outcome = await check(
            "--cases a.json --cases - --jobs 4",
            transport: StubTransport(meeting: ["GET https://shop.test/v1/items", "GET https://shop.test/v1/logo"]),
            files: Self.capturingFile, stdin: Self.file(#"{"endpoint": "shop.logo", "name": "x"}"#))
        #expect(
            outcome.out.hasPrefix(
                """
                ✓ shop.items: a.json case 1    200 T
                ✓ shop.receipt: a.json case 2  200 T
                ✓ shop.logo: stdin x           200 T

                """))
    }

    @Test func aCaseDoesNotSeeWhatAnotherFileCaptured() async {
        let wrong = await check(
            "--cases a.json --cases -", files: Self.capturingFile,
            stdin: Self.file(#"{"endpoint": "shop.receipt", "query": {"n": "{{n}}"}}"#))
        #expect(
            wrong.err.hasPrefix(
                "apictl: stdin:1:70: {{n}} has no value: replace it, or capture it in an earlier case\n"))
    }

    /// A case costs as much after many others as after one.
    @Test(.timeLimit(.minutes(10))) func fourHundredCapturedCredentialsStaySecret() async {
        let cases = (0..<400).map {
            #"{"endpoint": "shop.receipt", "query": {"token": "{{t\#($0)}}"}, "capture": {"t\#($0 + 1)": "reason"}}"#
        }
        let first = #"{"endpoint": "shop.receipt", "capture": {"t0": "reason"}},"#
        let receipts = (0...400).map {
            StubResponse.json(#"{"status": "OK", "reason": "t0ken-\#($0)", "more": "t0ken-\#($0)"}"#)
        }
        let outcome = await Self.run(first + cases.joined(separator: ","), ["GET /receipt": receipts])
        #expect(outcome.out.contains("\n401 checks: 0 passed, 401 drifted, 0 failed, 0 skipped\n"))
        #expect(!outcome.out.contains("t0ken-1"))
    }

    private static let handOn: [String: [StubResponse]] = list.merging([
        "GET /items/7": [.json(#"{"id": 7, "name": "x", "note": "y"}"#)]
    ]) { $1 }

    /// A file whose cases hand something on is not divided.
    @Test func shardsHaveEveryCaseOnce() async {
        let alone = (0..<3).map { _ in #"{"endpoint": "shop.logo"}"# }.joined(separator: ",")
        let chained =
            #"{"endpoint": "shop.items", "capture": {"a": "items.0.id"}}, {"endpoint": "shop.logo"},"#
            + #"{"endpoint": "shop.item", "arguments": {"_0": "{{a}}"}}"#
        for (cases, expected) in [(alone, ["13", "2"]), (chained, ["123", ""])] {
            for number in 1...2 {
                let outcome = await Self.run(cases, Self.handOn, words: "--shard \(number)/2")
                let names = outcome.out.split(separator: "\n").filter { $0.hasPrefix("✓") }
                #expect(names.map { "\($0.split(separator: " ")[3])" }.joined() == expected[number - 1])
            }
        }
    }

    @Test func aWrongCaseIsAnErrorInEveryShard() async {
        let cases = #"{"endpoint": "shop.logo"}, {"endpoint": "shop.item", "arguments": {"_0": "x"}}"#
        #expect(await Self.run(cases, words: "--shard 1/2").code == 2)
    }

    @Test func theExampleInTheHelpIsAValidFile() throws {
        let file = try StrictDocument(CaseFile.self, Array(CheckCommand.example.utf8), path: "help")
        #expect(
            file.content.cases.map { $0.endpoint ?? $0.url ?? $0.include } == [
                "API.ENDPOINT", "API.OTHER", "API.ENDPOINT", "https://example.com/a", "https://example.com/b.txt",
                "other.json",
            ])
    }
}
