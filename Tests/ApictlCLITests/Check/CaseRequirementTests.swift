import EndpointKit
import Testing

@testable import ApictlCLI

/// Cases for URLs and documents, and their requirements for headers, texts, bytes and lines.
struct CaseRequirementTests {
    private static func run(
        _ cases: String, _ transport: StubTransport, words: String = "", files: [String: String] = [:]
    ) async -> Outcome {
        let file = ["c.json": #"{"version": 1, "cases": [\#(cases)]}"#].merging(files) { $1 }
        return await check(
            "--cases c.json \(words)", transport: transport, files: MemoryFiles(file.mapValues { Array($0.utf8) }))
    }

    // MARK: URLs

    @Test func aHeaderOfTheCaseReplacesThatOfTheCommandLine() async throws {
        let transport = StubTransport { _ in .json("{}") }
        let cases = #"{"url": "https://a.test/", "headers": {"X-Team": "b"}}, {"url": "https://a.test/"}"#
        _ = await Self.run(cases, transport, words: "-H x-team:a --jobs 1")
        let teams = transport.requests.map { request in
            request.headers.filter { $0.isNamed("X-Team") }.map(\.value.description)
        }
        #expect(teams == [["b"], ["a"]])
    }

    @Test func aCaseCanCallAURL() async throws {
        let transport = StubTransport { request in
            request.method == .post ? .json(#"{"id": 7}"#, 201, "Created") : .typed("text/plain", "OK 7")
        }
        let outcome = await Self.run(
            """
            {"url": "https://a.test/items?x=1", "name": "create", "method": "POST", "query": {"y": [2, 3]},
             "headers": {"X-A": "b"}, "body": {"n": [1]}, "status": 201, "capture": {"id": "id"}},
            {"url": "http://a.test/items/{{id}}", "expect": {"$": {"equals": "OK 7"}}},
            {"url": "https://a.test/form", "body": "a=b", "headers": {"Content-Type": "text/x"}, "status": "2xx"},
            {"url": "https://a.test/json", "body": "a=b", "status": "2xx"}
            """, transport, words: "--unsafe")
        #expect(
            outcome.out == """
                ✓ https://a.test/items: create        201 T
                ✓ http://a.test/items/{{id}}: case 2  200 T
                ✓ https://a.test/form: case 3         201 T
                ✓ https://a.test/json: case 4         201 T

                4 checks: 4 passed, 0 drifted, 0 failed, 0 skipped

                """)
        #expect(outcome.err == "to send: 3 writes to https://a.test\n" && outcome.code == 0)
        let sent = transport.requests
        try #require(sent.count == 4)
        #expect(
            sent.map { "\($0.method) \($0.redactedURL)" } == [
                "POST https://a.test/items?x=1&y=2&y=3", "GET http://a.test/items/7", "POST https://a.test/form",
                "POST https://a.test/json",
            ])
        #expect(
            sent.map { $0.body.map { String(decoding: $0.bytes ?? [], as: UTF8.self) } } == [
                #"{"n": [1]}"#, nil, "a=b", #""a=b""#,
            ])
        let types = sent.map { request in request.headers.first { $0.isNamed("Content-Type") }?.value.description }
        #expect(types == ["application/json", nil, "text/x", "application/json"])
        #expect(sent[0].headers.contains { $0.isNamed("X-A") })
    }

    /// A write to a URL needs `--unsafe`, as that to an endpoint does.
    @Test func aWriteToAURLIsNotSent() async {
        let outcome = await Self.run(
            #"{"url": "https://a.test/", "method": "DELETE"}, {"url": "https://a.test/", "body": 1}"#, StubTransport([])
        )
        #expect(
            outcome.out.hasPrefix(
                """
                – https://a.test/: case 1  skipped: DELETE may change data on the server. To send it: --unsafe
                – https://a.test/: case 2  skipped: POST may change data on the server. To send it: --unsafe

                """))
        #expect(outcome.code == 1)
    }

    @Test(arguments: ["--base-url https://b.test/v2", "--base-url https://b.test/v2/"])
    func aPathIsOneOfTheBaseURL(_ words: String) async {
        let transport = StubTransport(.empty(200))
        let outcome = await Self.run(#"{"url": "/status?a=b"}"#, transport, words: words)
        #expect(outcome.out.hasPrefix("✓ /status: case 1  200 T\n"))
        #expect(transport.requests.map(\.redactedURL) == ["https://b.test/v2/status?a=b"])
    }

    /// Secrets of a URL are in no output.
    @Test func secretsOfAURLAreNotShown() async {
        let outcome = await Self.run(
            #"{"url": "https://a.test/s?api_key=s3cret-value", "status": 404}"#, StubTransport(.empty(200)),
            words: "--report-json -")
        #expect(outcome.code == 1 && outcome.out.contains(#""curl":"curl "#))
        #expect(!outcome.out.contains("s3cret") && !outcome.err.contains("s3cret"))
    }

    /// A captured value that is sent as a credential in a URL is shown nowhere.
    @Test func aCapturedCredentialInAURLIsNotShown() async {
        let transport = StubTransport(.json(#"{"t": "s3cret-value"}"#))
        let outcome = await Self.run(
            """
            {"url": "https://a.test/login", "capture": {"t": "t"}},
            {"url": "https://a.test/items?x=1&token={{t}}", "expect": {"t": {"equals": "b"}}}
            """, transport)
        #expect(transport.requests.last?.verbatimQuery == "x=1&token=s3cret-value")
        #expect(outcome.code == 1 && outcome.out.contains("(redacted)") && !outcome.out.contains("s3cret"))
    }

    /// Responses are saved under names without slashes.
    @Test func theResponseOfAURLIsSaved() async {
        let files = MemoryFiles(["c.json": Array(#"{"version": 1, "cases": [{"url": "https://a.test/x/y"}]}"#.utf8)])
        _ = await check(
            "--cases c.json --save-responses out", transport: StubTransport(.empty(500, "Error")), files: files)
        #expect(files.texts["out/1-URL.http"]?.hasPrefix("HTTP/1.1 500 Error\r\n") == true)
    }

    // MARK: Documents

    @Test func aCaseCanCallAnEndpointOfADocument() async {
        let document = """
            {"openapi": "3.1.0", "info": {"title": "Zoo", "version": "1"}, "servers": [{"url": "https://zoo.test"}],
             "paths": {"/animals/{id}": {"get": {"operationId": "animal",
               "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}}],
               "responses": {"200": {"description": "", "content": {"application/json": {"schema":
                 {"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}}}}}}}}}
            """
        let cases = #"{"endpoint": "zoo.animal", "arguments": {"id": 7}, "expect": {"name": {"equals": "Ed"}}}"#
        let passed = await Self.run(
            cases, StubTransport(.json(#"{"name": "Ed"}"#)), words: "--api zoo.json", files: ["zoo.json": document])
        #expect(passed.out.hasPrefix("✓ zoo.animal: case 1  200 T\n") && passed.code == 0, "\(passed.testDescription)")
        let wrong = await Self.run(
            cases.replacing(#""name""#, with: #""nmae""#), StubTransport([]), words: "--api zoo.json",
            files: ["zoo.json": document])
        #expect(wrong.err.contains("c.json:1:") && wrong.err.contains("did you mean 'name'?") && wrong.code == 2)
    }

    // MARK: Headers

    private static let headers = StubResponse.json("{}").with("X-Total", "12").with("Link", "<a>").with("link", "<b>")

    /// Runs a case that requires something of the headers.
    private static func judgeHeaders(_ requirements: String) async -> Outcome {
        await run(#"{"url": "https://a.test/", "expectHeaders": {\#(requirements)}}"#, StubTransport(headers))
    }

    @Test(arguments: [
        #""X-Total": {"equals": "12", "min": 12, "max": 12}"#, #""x-total": {"equals": 12.0}"#,
        #""Link": {"count": 2, "matches": "^<[ab]>$"}"#, #""X-None": {"exists": false}"#,
        #""Content-Type": {"contains": "json"}"#,
    ])
    func headersThatMeetTheirRequirementsPass(_ requirements: String) async {
        let outcome = await Self.judgeHeaders(requirements)
        #expect(outcome.out.contains("✓ https://a.test/: case 1  200 T\n"), "\(outcome.testDescription)")
        #expect(outcome.code == 0)
    }

    @Test(arguments: [
        (#""X-Total": {"max": 11}"#, #"wrong-value: header X-Total: expected at most 11, found "12""#),
        (#""X-None": {"exists": true}"#, "wrong-value: header X-None: expected a value, found no such header"),
        (#""Link": {"equals": "<a>"}"#, #"wrong-value: header Link: expected "<a>", found "<b>" (1 of 2)"#),
        (#""Link": {"min": 1}"#, #"wrong-value: header Link: expected at least 1, found "<a>" (2 of 2)"#),
        (#""X-Total": {"exists": false}"#, #"wrong-value: header X-Total: expected nothing, found "12""#),
    ])
    func aHeaderThatDoesNotMeetItsRequirementIsAProblem(_ requirement: String, _ problem: String) async {
        let outcome = await Self.judgeHeaders(requirement)
        #expect(outcome.out.contains("\n    \(problem) [c.json:1]\n"), "\(outcome.testDescription)")
        #expect(outcome.code == 1)
    }

    /// Cookies and tokens in headers are compared, and shown nowhere.
    @Test(arguments: [
        ("Set-Cookie", "sid=s3cret-value; Path=/", "(redacted)"),
        (
            "Location", "https://a.test/?access_token=s3cret-value&x=1",
            #""https://a.test/?access_token=(redacted)&x=1""#
        ),
    ]) func secretsOfHeadersAreNotShown(_ name: String, _ value: String, _ found: String) async {
        let transport = StubTransport(StubResponse.json("{}").with(name, value))
        let outcome = await Self.run(
            #"{"url": "https://a.test/", "expectHeaders": {"\#(name)": {"equals": "x"}}},"#
                + #"{"url": "https://a.test/", "expectHeaders": {"\#(name)": {"equals": "\#(value)"}}}"#, transport,
            words: "--report-json out/r")
        #expect(outcome.out.contains(#"header \#(name): expected "x", found \#(found) [c.json:1]"#), "\(outcome)")
        #expect(outcome.out.contains("2 checks: 1 passed, 0 drifted, 1 failed") && !outcome.out.contains("s3cret"))
    }

    /// The headers of an expected failure are compared too.
    @Test func headersOfAnExpectedFailureAreJudged() async {
        let response = StubResponse.empty(401).with("WWW-Authenticate", "Basic realm=x")
        let outcome = await Self.run(
            #"{"url": "https://a.test/", "status": 401, "expectHeaders": {"WWW-Authenticate": {"matches": "^Basic "}}}"#,
            StubTransport(response))
        #expect(outcome.code == 0)
    }

    // MARK: Texts, bytes, lines

    /// The SHA-256 digests of `hello` and of no bytes, computed with sha256sum.
    private static let hello = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
    private static let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    /// Runs a case that requires something of a body.
    private static func judge(_ type: String, _ body: String, _ requirements: String) async -> Outcome {
        await run(
            #"{"url": "https://a.test/", "expect": {\#(requirements)}}"#, StubTransport(.typed(type, body)))
    }

    /// A body that is two lines of JSON.
    private static let twoLines = "{\"n\": 1}\n{\"n\": 2}\n"

    @Test(arguments: [
        ("text/plain", "hello", #""$": {"length": 5, "sha256": "\#(hello)", "type": "string", "contains": "ell"}"#),
        ("text/plain", "hello", #""$": {"sha256": "\#(hello.uppercased())"}"#),
        ("text/plain", "", #""$": {"length": {"max": 0}, "sha256": "\#(nothing)"}"#),
        // The body is counted in bytes, a text inside it in characters.
        ("application/json", #""ü""#, #""$": {"length": 4, "equals": "ü"}"#),
        ("application/json", #"{"a": "ü", "b": "hello"}"#, #""a": {"length": 1}, "b": {"sha256": "\#(hello)"}"#),
        // Lines of JSON are one list.
        ("application/x-ndjson", twoLines, #""n": {"type": "integer", "max": 2, "count": 2}"#),
        ("application/x-ndjson", twoLines, #""$": {"count": 2}, "1.n": {"equals": 2}"#),
    ])
    func aBodyThatMeetsItsRequirementsPasses(_ type: String, _ body: String, _ requirements: String) async {
        let outcome = await Self.judge(type, body, requirements)
        #expect(outcome.out.contains("✓ https://a.test/: case 1  200 T\n"), "\(outcome.testDescription)")
        #expect(outcome.code == 0)
    }

    @Test(arguments: [
        (
            type: "text/plain", body: "hello", requirement: #""$": {"length": {"min": 6}}"#,
            problem: "wrong-value: $: expected length at least 6, found 5"
        ),
        (
            type: "text/plain", body: "hello", requirement: #""$": {"sha256": "\#(nothing)"}"#,
            problem: "wrong-value: $: expected sha256 \(nothing), found \(hello)"
        ),
        (
            type: "text/plain", body: "hello", requirement: #""$": {"matches": "^H"}"#,
            problem: #"wrong-value: $: expected text that matches ^H, found "hello""#
        ),
        (
            type: "application/json", body: #"{"a": 1}"#, requirement: #""a": {"length": 1}"#,
            problem: "wrong-type: a: expected a text, which has a length, found 1"
        ),
        (
            type: "application/json", body: #"{"a": 1}"#, requirement: #""a": {"sha256": "\#(hello)"}"#,
            problem: "wrong-type: a: expected a text, which has a sha256, found 1"
        ),
        (
            type: "text/plain", body: "hello", requirement: #""a": {"equals": 1}"#,
            problem: "not-json: expected JSON with the values of the case"
        ),
        (
            type: "application/x-ndjson", body: twoLines, requirement: #""$[*].n": {"max": 1}"#,
            problem: "wrong-value: $[*].n: expected at most 1, found 2 (1 of 2)"
        ),
    ])
    func aBodyThatDoesNotMeetItsRequirementIsAProblem(
        type: String, body: String, requirement: String, problem: String
    ) async {
        let outcome = await Self.judge(type, body, requirement)
        #expect(outcome.out.contains("\n    \(problem) [c.json:1]\n"), "\(outcome.testDescription)")
        #expect(outcome.code == 1)
    }

    @Test func aBodyThatIsNoTextHasALengthOnly() async {
        var response = StubResponse.typed("image/png", "")
        response.body = [0x89, 0x50, 0xFF, 0]
        let outcome = await Self.run(
            #"{"endpoint": "shop.logo", "expect": {"$": {"length": 4}}}, {"endpoint": "shop.logo", "expect": {"$": {"matches": "P"}}}"#,
            StubTransport(response))
        #expect(outcome.out.contains("✓ shop.logo: case 1  200 T\n"))
        #expect(outcome.out.contains("    wrong-value: $: expected text that matches P, found null [c.json:1]\n"))
    }

    /// A text can be captured as a whole.
    @Test func aWholeTextCanBeCaptured() async {
        let transport = StubTransport(.typed("text/plain", "abc"))
        let outcome = await Self.run(
            #"{"endpoint": "shop.logo", "capture": {"t": "$"}}, {"url": "https://a.test/{{t}}"}"#, transport)
        #expect(outcome.code == 0 && transport.requests.last?.redactedURL == "https://a.test/abc")
    }

    // MARK: Problems

    /// A problem has the line of its requirement, the part of the response that shows the reason, and the request.
    @Test func aProblemShowsItsLineAndThePartOfTheResponse() async {
        let routes = [
            "GET /items": [StubResponse.json(#"{"items": [{"id": 7, "name": "Tea"}], "next": "b"}"#)],
            "GET /items/1": [.json(#"{"name": "Tea", "note": "x"}"#)],
            "GET /items/2": [.typed("text/html", "<p>Oops", 500)],
        ]
        let outcome = await Self.run(
            """
            {
              "endpoint": "shop.items",
              "expect": {
                "items.0.note": {"exists": true},
                "next": {"equals": "c"}
              }
            },
            {
              "endpoint": "shop.item",
              "arguments": {"_0": 1}
            },
            {
              "endpoint": "shop.item",
              "arguments": {"_0": 2},
              "status": 200
            }
            """, StubTransport(routes: routes))
        let curl = "curl --location --fail-with-body https://shop.test/v1/items"
        let end = "--header 'Accept: application/json' --compressed"
        #expect(
            outcome.out == """
                ✗ shop.items: case 1  200 T
                    missing-key: items.0.note [c.json:4]
                      in the response: {"id":7,"name":"Tea"}
                    wrong-value: next: expected "c", found "b" [c.json:5]
                    \(curl) \(end)
                ✗ shop.item: case 2   200 T
                    missing-key: $.id (line 1) [c.json:8]
                      in the response: {"name":"Tea","note":"x"}
                    \(curl)/1 \(end)
                ✗ shop.item: case 3   500 T
                    status: expected 200, found 500 OK [c.json:15]
                      in the response: <p>Oops
                    \(curl)/2 \(end)

                3 checks: 0 passed, 0 drifted, 3 failed, 0 skipped
                1 optional key was in no response; -v names them.

                """)
    }

    @Test func reportsHaveTheLinesOfCases() async {
        let transport = StubTransport(.json(#"{"a": {"token": "s3cret-1234", "b": 1}}"#))
        let cases = "\n{\"url\": \"https://a.test/\",\n\"expect\": {\"a.c\": {\"exists\": true}}}"
        let json = await Self.run(cases, transport, words: "--report-json -")
        #expect(json.out.contains(#""case":"case 1","caseFile":"c.json","caseLine":2,"verdict":"failed""#))
        #expect(
            json.out.contains(#""caseLine":3,"excerpt":"{\"token\":\"(redacted)\",\"b\":1}"}]"#),
            "\(json.testDescription)")
        let gitHub = await check(
            "--cases c.json", transport: transport,
            variables: ["GITHUB_ACTIONS": "true"],
            files: MemoryFiles(["c.json": Array("{\"version\": 1, \"cases\": [\(cases)]}".utf8)]))
        #expect(gitHub.out.contains("::error file=c.json,line=3,title=https%3A//a.test/%3A case 1::missing-key: a.c"))
        #expect(!(json.out + gitHub.out).contains("s3cret"))
    }
}
