import EndpointKit
import Foundation
import Testing

@testable import ApictlCLI

/// Calls of a file with what is expected of their responses.
struct CaseFileTests {
    /// Runs the cases whose JSON is `cases`.
    private static func run(
        _ cases: String, _ routes: [String: [StubResponse]] = [:], words: String = "",
        transport: RoutedTransport? = nil
    ) async -> Outcome {
        let files = MemoryFiles(["c.json": Array(#"{"version": 1, "cases": [\#(cases)]}"#.utf8)])
        return await check("--cases c.json \(words)", transport: transport ?? RoutedTransport(routes), files: files)
    }

    private static let list: [String: [StubResponse]] = [
        "GET /items": [.json(#"{"items": [{"id": 7, "name": "Tea"}, {"id": 2, "name": "Milk"}], "next": "b"}"#)]
    ]

    /// An expectation of the list, and the problem that is told; nil if there is none.
    static let expectations: [(String, String?)] = [
        (#""items": {"count": 2}"#, nil), (#""items": {"count": {"min": 1}}"#, nil),
        (#""items": {"count": {"min": 3, "max": 9}}"#, "wrong-value: items: expected count 3 to 9, found 2"),
        (#""items.name": {"count": 2, "type": "string"}"#, nil),
        (#""items.name": {"equals": "Tea"}"#, #"wrong-value: items.name: expected "Tea", found "Milk" (1 of 2)"#),
        (#""items.0.id": {"equals": 7}"#, nil), (#""$.items[-1:].id": {"equals": 2}"#, nil),
        (#""items.name": {"matches": "[A-Z][a-z]+"}"#, nil),
        (
            #""items.name": {"matches": "T.*"}"#,
            #"wrong-value: items.name: expected text that matches T.*, found "Milk" (1 of 2)"#
        ),
        (#""items.id": {"matches": "7"}"#, "wrong-value: items.id: expected text that matches 7, found 7 (2 of 2)"),
        (#""items.id": {"type": "integer"}"#, nil), (#""items": {"type": "array"}"#, nil),
        (
            #""items": {"type": "object"}"#,
            #"wrong-type: items: expected object, found [{"id": 7, "name": "Tea"}, {"id": 2, "name": "Milk"}]"#
        ),
        (#""next": {"exists": true}"#, nil), (#""last": {"exists": true}"#, "missing-key: last"),
        (#""last": {"exists": false}"#, nil),
        (#""next": {"exists": false}"#, #"wrong-value: next: expected nothing, found "b""#),
        (#""last": {"equals": 1}"#, "missing-key: last"),
    ]

    @Test(arguments: expectations) func judges(_ expect: String, _ problem: String?) async {
        let outcome = await Self.run(#"{"endpoint": "shop.items", "expect": {\#(expect)}}"#, Self.list)
        let lines = problem.map { "    \($0)\n" } ?? ""
        #expect(outcome.out.hasPrefix("\(problem == nil ? "✓" : "✗") shop.items case 1  200 T\n\(lines)    "))
        #expect(outcome.code == (problem == nil ? 0 : 1))
    }

    @Test func statusAndLatency() async {
        let gone: [String: [StubResponse]] = ["GET /items/9": [.json(#"{"message": "gone"}"#, 410, "Gone")]]
        let call = #"{"endpoint": "shop.item", "arguments": {"_0": 9}"#
        #expect(await Self.run(call + #", "status": 410}"#, gone).code == 0)
        let other = await Self.run(call + #", "status": 404}"#, gone)
        #expect(other.out.contains("\n    status: expected 404, found 410 Gone: gone\n"))
        #expect(await Self.run(call + "}", gone).out.contains("found 410 Gone: gone\n"))
        let stale = await Self.run(call + "}", ["GET /items/9": [.empty(404, "Not Found")]])
        #expect(stale.out.contains("found 404 Not Found. The case's data may be stale.\n"))
        let slow = await Self.run(#"{"endpoint": "shop.logo", "maxLatency": "0ms"}"#)
        #expect(slow.out.contains("\n    latency: expected at most T, found T\n"))
    }

    @Test func argumentsReachTheRequest() async {
        let transport = RoutedTransport()
        let outcome = await Self.run(
            #"{"endpoint": "shop.items", "arguments": {"page": 3}}, {"endpoint": "shop.add", "arguments": {"name": "@a"}}"#,
            words: "--unsafe", transport: transport)
        #expect(outcome.code == 0)
        #expect(
            transport.requests.map(\.redactedURL) == [
                "https://shop.test/v1/items?page=3", "https://shop.test/v1/items",
            ])
        #expect(transport.requests[1].body?.bytes == Array(#"{"name":"@a"}"#.utf8))
    }

    private static let handOn: [String: [StubResponse]] = list.merging([
        "GET /items/7": [.json(#"{"id": 7, "name": "x", "note": "y"}"#)]
    ]) { $1 }

    /// Whatever `--jobs` is, one case runs after the other; `--repeat` repeats the whole.
    @Test func capturedValuesAreUsed() async {
        let transport = RoutedTransport(Self.handOn)
        let outcome = await Self.run(
            """
            {"endpoint": "shop.items", "capture": {"id": "items.1.id", "name": "items.1.name"}},
            {"endpoint": "shop.items", "capture": {"id": "items.0.id"}},
            {"endpoint": "shop.item", "arguments": {"_0": "{{id}}"}},
            {"endpoint": "shop.add", "arguments": {"name": "<{{name}}-{{id}}>"}}
            """, words: "--unsafe --report-json - --jobs 4 --repeat 2", transport: transport)
        #expect(outcome.code == 0)
        let sent = ["GET /items", "GET /items", "GET /items/7", "POST /items"]
        #expect(transport.requests.map { "\($0.method) \($0.path)" } == sent + sent)
        #expect(transport.requests[3].body?.bytes == Array(#"{"name":"<Milk-7>"}"#.utf8))
        #expect(
            outcome.out.contains(
                #""example":3,"run":2,"verdict":"passed","method":"GET","url":"https://shop.test/v1/items/7""#))
    }

    /// A file is divided where nothing that was captured before is used after.
    @Test(arguments: [
        (1, [["1", "2", "3", "4", "5", "6"]]), (2, [["1", "5"], ["2", "3", "4", "6"]]),
        (3, [["1", "6"], ["2", "3", "4"], ["5"]]), (5, [["1"], ["2", "3", "4"], ["5"], ["6"], []]),
    ]) func shardsHaveEveryCaseOnce(_ count: Int, _ expected: [[String]]) async {
        let cases = """
            {"endpoint": "shop.logo"}, {"endpoint": "shop.items", "capture": {"a": "items.0.id"}},
            {"endpoint": "shop.receipt"}, {"endpoint": "shop.item", "arguments": {"_0": "{{a}}"}},
            {"endpoint": "shop.items", "capture": {"b": "items.1.id"}}, {"endpoint": "shop.item", "arguments": {"_0": 1}}
            """
        var shards: [[String]] = []
        for number in 1...count {
            let outcome = await Self.run(cases, Self.handOn, words: "--shard \(number)/\(count)")
            let lines = outcome.out.split(separator: "\n").filter { $0.contains(" case ") }
            #expect(lines.allSatisfy { $0.hasPrefix("✓") })
            shards.append(lines.compactMap { $0.split(separator: " ").dropFirst(3).first.map(String.init) })
        }
        #expect(shards == expected)
    }

    @Test func aWrongCaseIsWrongInEveryShard() async {
        let cases = #"{"endpoint": "shop.logo"}, {"endpoint": "shop.item", "arguments": {"_0": "x"}}"#
        #expect(await Self.run(cases, words: "--shard 1/2").code == 2)
    }

    @Test func theExampleInTheHelpIsOne() throws {
        let files = MemoryFiles(["help": Array(CheckCommand.example.utf8)])
        let file = try SettingsFile(CaseFile.self, path: "help", files)
        #expect(file.content.cases.map(\.endpoint) == ["API.ENDPOINT", "API.OTHER"])
    }

    @Test func whatIsNotCapturedFailsAndSkipsWhatNeedsIt() async {
        let cases = """
            {"endpoint": "shop.items", "capture": {"id": "items.5.id", "all": "items"}},
            {"endpoint": "shop.item", "arguments": {"_0": "{{id}}"}}
            """
        let outcome = await Self.run(cases)
        #expect(outcome.out.contains("    missing-key: items.5.id: expected a value for {{id}}\n"))
        #expect(outcome.out.contains("    wrong-type: items: expected a value for {{all}}, found ["))
        #expect(outcome.out.contains("– shop.item case 2   skipped: {{id}} was not captured\n"))
        #expect(outcome.code == 1)
        let failed = await Self.run(cases, ["GET /items": [.empty(500)]])
        #expect(failed.out.contains("– shop.item case 2   skipped: {{id}} was not captured\n"))
    }

    @Test func aCapturedValueThatDoesNotFitFails() async {
        let outcome = await Self.run(
            #"{"endpoint": "shop.items", "capture": {"id": "items.0.name"}}, {"endpoint": "shop.item", "arguments": {"_0": "{{id}}"}}"#
        )
        let problem = "wrong-value: a captured value does not fit: the value: expected an integer, got 'Tea'\n"
        #expect(outcome.out.contains(problem))
        #expect(outcome.code == 1)
    }

    @Test(arguments: [
        (#"{"endpoint": "shop.nosuch"}"#, "1:39: shop has no endpoint 'nosuch'"),
        (
            #"{"endpoint": "shop.items", "arguments": {"pages": 1}}"#,
            "1:76: shop.items has no parameter 'pages'; did you mean 'page'?"
        ),
        (#"{"endpoint": "shop.items", "arguments": {"page": "x"}}"#, "1:66: --page: expected an integer, got 'x'"),
        (#"{"endpoint": "shop.items", "arguments": {"page": "{{n}}"}}"#, "1:66: no earlier case captures 'n'"),
        (
            #"{"endpoint": "shop.items", "arguments": {"page": "{{n}}"}, "capture": {"n": "next"}}"#,
            "1:66: no earlier case captures 'n'"
        ),
        (
            #"{"endpoint": "shop.items", "expect": {"$[": {}}}"#,
            "1:70: expected a path such as results.0.id or $.results[0].id, found '$['"
        ),
        (
            #"{"endpoint": "shop.items", "maxLatency": "soon"}"#,
            "1:67: expected a duration such as 2.5, 500ms or 20s, found 'soon'"
        ),
        (#"{"endpoint": "shop.items", "expects": {}}"#, "1:53: $.cases[*].expects is not known here"),
        (
            #"{"endpoint": "shop.items", "status": "200"}"#,
            #"1:63: $.cases[*].status: expected integer, found string "200""#
        ),
    ]) func wrongFiles(_ text: String, _ message: String) async {
        let outcome = await Self.run(text)
        #expect(outcome == Outcome(err: "apictl: c.json:\(message)\nSee 'apictl help check'.\n", code: 2))
    }

    @Test func theTemplateIsAFileThatPasses() async {
        let template = await check("--init", transport: UntouchedTransport())
        #expect(template.code == 0)
        let files = MemoryFiles(["c.json": Array(template.out.utf8)])
        let outcome = await check(
            "--cases c.json --unsafe", transport: RoutedTransport(), variables: ["SHOP_TOKEN": "t"], files: files)
        #expect(outcome.out.contains("7 checks: 7 passed, 0 drifted, 0 failed, 0 skipped\n"))
    }
}
