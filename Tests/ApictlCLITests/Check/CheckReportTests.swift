import EndpointKit
import Testing

@testable import ApictlCLI

/// The reports of one run with every verdict, and with hostile text of a server.
struct CheckReportTests {
    private static let routes: [String: [StubResponse]] = [
        "GET /items/1": [.json(#"{"id": 1, "name": "a", "note": "b", "size": 1}"#)],
        "GET /items/2": [
            .json(#"{"message": "<b>&\"'`]]>\r\n::error::x ##[set] \u0000\u001b[31m\u202e # SKIP"}"#, 404, "Not Found")
        ],
    ]

    /// Returns the text that `--report-KIND` writes into a file, with all times as `T`.
    private static func report(_ kind: String, _ words: String = "*.item orders") async -> String {
        let files = MemoryFiles()
        let outcome = await check("\(words) --report-\(kind) out/report", routes, files: files)
        #expect(outcome.code == 1 && outcome.err.isEmpty)
        return files["out/report"]?.withoutTimes ?? ""
    }

    private static let message =
        #"status: expected 2xx, found 404 Not Found: <b>&\"'`]]>\r\n::error::x ##[set] \u0000\u001B[31m\u202E # SKIP. The example's data may be stale."#
        .replacingOccurrences(of: #"\""#, with: "\"")
    private static let curl =
        "curl --location --fail-with-body https://shop.test/v1/items/2 --header 'Accept: application/json' --compressed"

    @Test func theJSONReportHasEveryKey() async throws {
        let report = await Self.report("json")
        #expect(
            report == """
                {"version":1,"summary":{"passed":0,"failed":1,"drifted":1,"skipped":1,"interrupted":false,"milliseconds":0,"fixed":[],"seed":null},"checks":[
                {"name":"shop.item","example":1,"case":null,"caseFile":null,"caseLine":null,"verdict":"drifted","method":"GET","url":"https://shop.test/v1/items/1","status":200,"milliseconds":0,"attempts":1,"flaky":false,"reason":null,"known":0,"problems":[{"kind":"unexpected-key","path":"$.size","first":"$.size","expected":null,"found":"number 1","line":1,"count":1,"of":1,"hint":null,"caseLine":null,"excerpt":null}],"notCompared":[],"excerpt":null,"curl":"\(Self.curl.replacingOccurrences(of: "items/2", with: "items/1"))"},
                {"name":"shop.item","example":2,"case":null,"caseFile":null,"caseLine":null,"verdict":"failed","method":"GET","url":"https://shop.test/v1/items/2","status":404,"milliseconds":0,"attempts":1,"flaky":false,"reason":null,"known":0,"problems":[{"kind":"status","path":null,"first":null,"expected":"2xx","found":"404 Not Found: <b>&\\"'`]]>\\\\r\\\\n::error::x ##[set] \\\\u0000\\\\u001B[31m\\\\u202E # SKIP","line":null,"count":null,"of":null,"hint":"The example's data may be stale.","caseLine":null,"excerpt":null}],"notCompared":[],"excerpt":"{\\"message\\": \\"<b>&\\\\\\"'`]]>\\\\r\\\\n::error::x ##[set] \\\\u0000\\\\u001b[31m\\\\u202e # SKIP\\"}","curl":"\(Self.curl)"},
                {"name":"shop.orders","example":1,"case":null,"caseFile":null,"caseLine":null,"verdict":"skipped","method":"GET","url":null,"status":null,"milliseconds":null,"attempts":0,"flaky":false,"reason":"SHOP_TOKEN is not set","known":0,"problems":[{"kind":"credential","path":null,"first":null,"expected":"SHOP_TOKEN","found":"not set","line":null,"count":null,"of":null,"hint":null,"caseLine":null,"excerpt":null}],"notCompared":[],"excerpt":null,"curl":null}
                ]}

                """)
    }

    @Test func theJUnitReportHasATestCaseForEachCheck() async {
        let message = Self.message.escapedMarkup
        let report = await Self.report("junit")
        #expect(
            report == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="apictl check" tests="3" failures="1" errors="0" time="T">
                  <testsuite name="shop" tests="3" failures="1" errors="0" skipped="1" time="T">
                    <testcase classname="shop" name="item #1" time="T"><system-out>unexpected-key: $.size: found number 1 (line 1)</system-out></testcase>
                    <testcase classname="shop" name="item #2" time="T"><failure type="status" message="\(message)">\(message)
                \(Self.curl.escapedMarkup)</failure></testcase>
                    <testcase classname="shop" name="orders #1" time="T"><skipped>SHOP_TOKEN is not set</skipped></testcase>
                  </testsuite>
                </testsuites>

                """)
    }

    @Test(
        "A check that --fail-on-skipped fails has its reason",
        arguments: [
            (
                "json",
                #""verdict":"failed","method":"GET","url":null,"status":null,"milliseconds":null,"attempts":0,"#
                    + #""flaky":false,"reason":"there is no sample","#
            ),
            (
                "junit",
                #"<failure type="skipped" message="skipped: there is no sample">skipped: there is no sample</failure>"#
            ),
            ("md", "\n  - ` skipped: there is no sample `\n"),
            ("html", "<li><code>skipped: there is no sample</code></li>"),
        ])
    func skippedFailure(_ kind: String, _ text: String) async {
        let report = await Self.report(kind, "orders --sample --fail-on-skipped")
        #expect(report.contains(text), "\(report)")
        let gitHub = await check("orders --sample --fail-on-skipped", variables: ["GITHUB_ACTIONS": "true"])
        #expect(gitHub.out.contains("title=shop.orders::skipped: there is no sample\n"), "\(gitHub.out)")
    }

    @Test("Cases of the same name have different names in JUnit")
    func junitNames() async {
        let item = #"{"name": "a", "endpoint": "shop.logo"}"#
        let files = MemoryFiles(["c.json": Array(#"{"version": 1, "cases": [\#(item), \#(item)]}"#.utf8)])
        let report = await check("--cases c.json --report-junit -", files: files)
        #expect(report.out.contains(#"name="logo a""#) && report.out.contains(#"name="logo a #2""#))
    }

    @Test("A report is written although the reader of stdout has gone")
    func closedOutput() async {
        struct ClosedOutput: ByteOutput {
            let isTerminal = false
            func write(_ bytes: [UInt8]) throws { throw OutputClosed() }
        }
        let files = MemoryFiles()
        let environment = ProcessEnvironment.test(
            out: ClosedOutput(), files: files, transport: StubTransport(routes: [:]))
        let words = ["check", "shop.logo", "shop.item", "--report-junit", "r.xml"]
        let code = await Apictl.run(words, apis: [Shop.self], environment: environment)
        #expect(code == 141)
        #expect(files.texts["r.xml"]?.contains("name=\"logo #1\"") == true)
    }

    /// The report on a part without checks has the suite that the schema requires.
    @Test func theJUnitReportOfAnEmptyShardHasASuite() async {
        let empty = await check("logo --shard 2/2 --report-junit -")
        #expect(
            empty.out.withoutTimes.hasSuffix(
                """
                 tests="0" failures="0" errors="0" time="T">
                  <testsuite name="apictl" tests="0"/>
                </testsuites>

                """))
    }

    @Test func theMarkdownReportListsWhatDidNotPass() async {
        let report = await Self.report("md")
        #expect(
            report == """
                ## apictl check

                | passed | drifted | failed | skipped |
                |---:|---:|---:|---:|
                | 0 | 1 | 1 | 1 |

                ### Failed

                - ✗ ` shop.item #2 `, 404, T
                  - `` \(Self.message) ``
                  - ` \(Self.curl) `

                ### Drifted

                - ~ ` shop.item #1 `, 200, T
                  - ` unexpected-key: $.size: found number 1 (line 1) `

                ### Skipped

                - – ` shop.orders `: ` SHOP_TOKEN is not set `

                """)
    }

    @Test func htmlHoldsNoMarkupOfTheServer() async {
        let report = await Self.report("html")
        #expect(report.contains("<li><code>\(Self.message.escapedMarkup)</code></li>"))
        #expect(!report.contains("<b>") && !report.contains("<script") && !report.contains("\u{1B}"))
        #expect(report.contains("<p>0 passed, 1 drifted, 1 failed, 1 skipped</p>"))
        #expect(
            report.contains("<td>✗ failed</td><td>shop.item #2<br><code>GET https://shop.test/v1/items/2</code></td>"))
    }

    @Test(arguments: [
        ("json", #""attempts":2,"flaky":true,"#), ("junit", "><system-out>flaky: passed on attempt 2</system-out>"),
        ("html", "<li><code>flaky: passed on attempt 2</code></li>"),
        ("md", "\n### Flaky\n\n- ✓ ` shop.logo `, 200, T\n  - ` flaky: passed on attempt 2 `\n"),
    ]) func flakyChecksAreMarked(_ kind: String, _ mark: String) async {
        let outcome = await check(
            "logo --retry 1 --retry-delay 0 --report-\(kind) -",
            ["GET /logo": [.empty(503, "Service Unavailable"), .typed("a/b", "x")]],
            variables: ["GITHUB_ACTIONS": "true"])
        #expect(outcome.code == 0 && outcome.out.contains(mark))
        #expect(outcome.err.contains("title=shop.logo::flaky: passed on attempt 2\n"))
    }

    @Test(arguments: [
        (
            body: "<p>\u{9B}1m\nGone\u{202E}</p>", status: 410,
            excerpt: #""<p>\\u009B1m\nGone\\u202E</p>""#
        ),
        (body: "<p>", status: 200, excerpt: #""<p>""#),
        (
            body: String(repeating: "x", count: 600), status: 500,
            excerpt: "\"" + String(repeating: "x", count: 500) + "…\""
        ),
        (body: "\u{0}", status: 500, excerpt: "null"),
        (body: "", status: 500, excerpt: "null"),
        (body: #"{"id": "1", "name": "a"}"#, status: 200, excerpt: "null"),
    ]) func theJSONReportHasTheBeginningOfABodyThatFailed(_ body: String, _ status: Int, _ excerpt: String) async {
        let outcome = await check("*.item --shard 1/2 --report-json -", ["GET /items/1": [.json(body, status)]])
        #expect(outcome.code == 1 && outcome.out.contains(#","excerpt":\#(excerpt),"curl":"#))
    }

    @Test func responsesThatDidNotPassAreSaved() async {
        let files = MemoryFiles()
        let routes: [String: [StubResponse]] = [
            "GET /items/1": [.json(#"{"id": 1, "name": "a", "note": "b"}"#)],
            "GET /items/2": [.json("[]", 404, "Not Found").with("X-Request", "7").with("Set-Cookie", "s=c0okie")],
            "GET /orders": [.json(#"[{"id": 1, "name": "t0ken-1234", "note": "b", "size": 1}]"#)],
        ]
        let outcome = await check(
            "*.item orders --save-responses out", routes, variables: ["SHOP_TOKEN": "t0ken-1234"], files: files)
        #expect(outcome.code == 1)
        #expect(
            files.texts == [
                "out/2-shop.item.http":
                    "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nX-Request: 7\r\nSet-Cookie: (redacted)\r\n\r\n[]",
                "out/3-shop.orders.http":
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
                    + #"[{"id": 1, "name": "(redacted)", "note": "b", "size": 1}]"#,
            ])
        #expect(
            await check("*.item --save-responses no", routes)
                == Outcome(err: "apictl: can't write no: it is in memory\n", code: 1))
    }

    @Test func reportsOnStdoutLeaveTheLinesToStderr() async {
        let outcome = await check("logo --report-md -")
        #expect(outcome.out.hasPrefix("## apictl check\n"))
        #expect(outcome.err.hasPrefix("✓ shop.logo  200 T\n"))
    }

    @Test func withAReportOnStdoutAndJSONErrorsStderrHasOneLine() async {
        let failed = await check(
            "logo --report-md - --json-errors", ["GET /logo": [.empty(500)]])
        #expect(failed.err.hasPrefix(#"{"error":{"kind":"failure","#))
        #expect(failed.err.split(separator: "\n").count == 1)
    }

    @Test func theMarkdownReportSaysThatNothingWasChecked() async {
        let nothing = await check("orders --report-md -")
        #expect(nothing.out.contains("\n` Nothing was checked. `\n"))
    }

    @Test func aReportThatCanNotBeWrittenStopsBeforeSending() async {
        #expect(
            await check("logo --report-md no/where", transport: UntouchedTransport())
                == Outcome(err: "apictl: can't write no/where: no such file or directory\n", code: 1))
    }

    @Test func aReportIsNotWrittenOverTheFileOfCases() async {
        let files = MemoryFiles([
            "c.json": Array(#"{"version": 1, "cases": [{"name": "a", "endpoint": "shop.logo"}]}"#.utf8)
        ])
        let overwriting = await check(
            "--cases c.json --report-json ./c.json", transport: UntouchedTransport(), files: files)
        #expect(overwriting.err.hasPrefix("apictl: --report-json ./c.json and --cases c.json can't be used together\n"))
    }

    @Test(
        "On stdout, no report has a command for GitHub Actions or Azure Pipelines",
        arguments: ["junit", "json", "md", "html", "har"], ["GITHUB_ACTIONS", "TF_BUILD"])
    func commands(_ kind: String, _ variable: String) async {
        let outcome = await check("*.item --report-\(kind) -", Self.routes, variables: [variable: "true"])
        #expect(outcome.out.contains("::error::x ## [set]"))
        let lines = outcome.out.split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.allSatisfy { !$0.contains("##[") && !$0.hasPrefix("::") })
    }

    @Test func gitHubGetsAnnotationsAndASummary() async throws {
        let files = MemoryFiles(["summary": Array("# Earlier\n".utf8)])
        let outcome = await check(
            "*.item", Self.routes, variables: ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": "summary"], files: files
        )
        let commands = outcome.out.split(separator: "\n").filter { $0.hasPrefix("::") }.map(String.init)
        let source = Shop.item(1).endpoint.source
        let text = try String(contentsOfFile: source.file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(text[source.line - 2].contains("case .item(let id):"))
        let file = source.file
        #expect(
            commands == [
                "::error file=\(file),line=\(source.line),title=shop.item #2::"
                    + Self.message.replacingOccurrences(of: "%", with: "%25"),
                "::warning file=\(file),line=\(source.line),title=shop.item #1::unexpected-key: $.size: found number 1 (line 1)",
            ])
        #expect(!outcome.out.replacingOccurrences(of: commands[0], with: "").contains("##["))
        #expect(files["summary"]?.hasPrefix("# Earlier\n## apictl check\n") == true)
    }
}
