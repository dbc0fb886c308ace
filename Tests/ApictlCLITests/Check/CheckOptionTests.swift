import EndpointKit
import Foundation
import Synchronization
import Testing

@testable import ApictlCLI

/// The options of `check`: words → a part of stdout, the exit code, and the paths that were asked for.
struct CheckOptionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var routes: [String: [StubResponse]] = [:]
        let out: String
        var code: Int32 = 0
        var err = ""
        /// The requests that are sent, each `METHOD PATH`, in order. With nil, any requests may be sent.
        var sent: [String]?

        init(
            _ words: String, given routes: [String: [StubResponse]] = [:], _ out: String, err: String = "",
            code: Int32 = 0, sent: [String]? = nil
        ) {
            testDescription = words
            self.routes = routes
            self.out = out
            self.code = code
            self.sent = sent
            self.err = err
        }
    }

    private static let failing: [String: [StubResponse]] = ["GET /items/1": [.empty(500)]]

    static let rows = [
        Row(
            "*.item --strict", given: ["GET /items/1": [.json(#"{"id": 1, "name": "a", "note": "b", "size": 1}"#)]],
            "✗ shop.item #1  200 T\n    unexpected-key: $.size: found number 1 (line 1)\n    curl ", code: 1),
        Row("", "7 checks: 5 passed, 0 drifted, 0 failed, 2 skipped\n"),
        Row(
            "--fail-on-skipped", "\n7 checks: 5 passed, 0 drifted, 2 failed, 0 skipped\nFailed by --fail-on-skipped.\n",
            code: 1),
        Row(
            "--fail-on skipped", "\n7 checks: 5 passed, 0 drifted, 2 failed, 0 skipped\nFailed by --fail-on-skipped.\n",
            code: 1),
        Row(
            "orders --sample --fail-on-skipped",
            """
            ✗ shop.orders
                skipped: there is no sample

            1 check: 0 passed, 0 drifted, 1 failed, 0 skipped
            Failed by --fail-on-skipped.
            """, code: 1),
        // With --bail, the checks after a failure are skipped. --fail-on-skipped does not make them failures.
        Row(
            "*.item add --bail --fail-on-skipped", given: failing,
            "3 checks: 0 passed, 0 drifted, 1 failed, 2 skipped\n", code: 1),
        Row("logo --fail-on-skipped", "0 skipped\n"),
        Row("add", "– shop.add  skipped: POST", code: 1, sent: []),
        Row(
            "add --unsafe", "✓ shop.add", err: "to send: 1 write to https://shop.test/v1\n", sent: ["POST /items"]),
        Row(
            "*.item --shard 1/2 --server staging -H X-Test:1 --query a=b", given: ["GET /items/1": [.json("{}")]],
            "curl --location --fail-with-body 'https://staging.shop.test/items/1?a=b' --header 'X-Test: 1' --header 'Accept: application/json' --compressed\n",
            code: 1, sent: ["GET /items/1"]),
        Row(
            "*.items orders --sample",
            """
            ✓ shop.items   200 T
            – shop.orders  skipped: there is no sample

            2 checks: 1 passed, 0 drifted, 0 failed, 1 skipped
            2 optional keys were in no response; -v names them.

            """, sent: []),
        Row(
            "logo --retry 1 --retry-delay 0",
            given: ["GET /logo": [.empty(503, "Service Unavailable"), .typed("a/b", "x")]],
            "✓ shop.logo  200 T  flaky: passed on attempt 2\n"),
        Row("logo --max-latency 0", "latency: expected at most T, found T", code: 1),
        Row(
            "--bail", given: failing,
            """
            – shop.item #2  skipped: not run: an earlier check failed
            – shop.add      skipped: not run: an earlier check failed
            – shop.orders   skipped: not run: an earlier check failed
            – shop.receipt  skipped: not run: an earlier check failed
            – shop.logo     skipped: not run: an earlier check failed

            7 checks: 1 passed, 0 drifted, 1 failed, 5 skipped

            """, code: 1, sent: ["GET /items", "GET /items/1"]),
        Row(
            "logo --wait 30", given: ["HEAD /": [.failing(.notConnected), .empty(404)]], "✓ shop.logo",
            sent: ["HEAD /", "HEAD /", "GET /logo"]),
        Row(
            "logo --wait 0.1", given: ["HEAD /": [.failing(.notConnected)]],
            "--wait gave up after T: no response from https://shop.test/v1\n"),
    ]

    @Test(arguments: rows) func eachOptionDoesWhatItSays(_ row: Row) async {
        let transport = StubTransport(routes: row.routes)
        let outcome = await check(row.testDescription, transport: transport)
        #expect(outcome.out.contains(row.out) && outcome.err == row.err, "\(outcome)")
        #expect(outcome.code == row.code)
        if let sent = row.sent { #expect(transport.requests.map { "\($0.method) \($0.path)" } == sent) }
    }

    /// An API with a hundred examples.
    private enum Numbers: API {
        case get(_ number: Int)

        static let api = APIInfo(name: "numbers", servers: [Server("production", url: "https://numbers.test")])
        static let examples = (1...100).map { Numbers.get($0) }

        var endpoint: Endpoint {
            switch self {
            case .get(let number): .get("/\(number)", returns: RawResponse.self, summary: "A number")
            }
        }
    }

    /// Each of a hundred checks, eight at once, is shown once and in order, whichever response comes first.
    @Test func parallelChecksAreShownInOrder() async {
        let slow = StubTransport { request in
            // The first check waits longest, so that others wait for it.
            try await Task.sleep(for: .milliseconds(request.path == "/1" ? 50 : Int.random(in: 0...2)))
            return .typed("text/plain", "x")
        }
        let outcome = await check("--jobs 8", transport: slow, apis: [Numbers.self])
        let numbers = outcome.out.matches(of: /numbers\.get #(\d+)/).compactMap { Int($0.1) }
        #expect(numbers == Array(1...100))
    }

    @Test(arguments: [1, 2, 9]) func shardsHaveEveryCheckOnce(_ count: Int) async {
        var shown: [String] = []
        for number in 1...count {
            let outcome = await check("--sample --shard \(number)/\(count)")
            let lines = outcome.out.split(separator: "\n").filter { $0.hasPrefix("✓") || $0.hasPrefix("–") }
            shown += lines.map { String($0.dropFirst(2).prefix(12)) }
            // A shard without checks is no failure. A shard whose checks are all skipped is one.
            #expect(outcome.out.contains("no check falls into shard \(number)/\(count) of 7\n") == lines.isEmpty)
            #expect(outcome.code == (outcome.out.contains("✓") || lines.isEmpty ? 0 : 1))
        }
        #expect(shown.count == Shop.examples.count && Set(shown).count == shown.count)
    }

    /// A transport whose responses take a while, and that counts how many requests are in flight at once.
    private final class SlowTransport: Transport {
        private let routes: StubTransport
        private let running = Mutex((now: 0, most: 0))

        init(_ routes: StubTransport) { self.routes = routes }

        /// The greatest number of requests that were in flight at once.
        var most: Int { running.withLock(\.most) }

        func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
            running.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            defer { running.withLock { $0.now -= 1 } }
            try await Task.sleep(for: .milliseconds(5))
            return try await routes.send(request, options: options)
        }
    }

    /// With `--unsafe`, the calls of an API are sent one after the other, in the order of its examples. Reports have
    /// the order of the catalogue.
    @Test func callsThatChangeDataFollowTheExamples() async {
        let routes = StubTransport(routes: ["GET /items/2": [.empty(404, "Not Found")]])
        let slow = SlowTransport(routes)
        let outcome = await check("*.item add --unsafe --jobs 8", transport: slow)
        #expect(routes.requests.map { "\($0.method) \($0.path)" } == ["GET /items/1", "POST /items", "GET /items/2"])
        #expect(slow.most == 1)
        let lines = outcome.out.split(separator: "\n").filter { !$0.hasPrefix("    curl") }
        #expect(
            lines.prefix(4) == [
                "✓ shop.item #1  200 T", "✗ shop.item #2  404 T",
                "    status: expected 2xx, found 404 Not Found. Changed by an earlier check of this run?",
                "✓ shop.add      201 T",
            ])
        #expect(outcome.code == 1)
    }

    /// The checks of each API run one after the other, and those of two APIs side by side.
    @Test func theChecksOfEachAPIRunInOrderBesideThoseOfOthers() async {
        let routes = StubTransport(routes: Self.snake)
        let slow = SlowTransport(routes)
        let outcome = await check("--unsafe --jobs 8", transport: slow, apis: [Snake.self, Shop.self])
        let sent = routes.requests.filter { $0.base.host == "shop.test" }.map { "\($0.method) \($0.path)" }
        #expect(sent.count == 6 && sent[2] == "POST /items")
        #expect(slow.most == 2)
        #expect(outcome.out.contains("\n9 checks: "))
    }

    private static let snake: [String: [StubResponse]] = [
        "GET /": [.json(#"{"ID": "a", "user_name": "b", "dbSize": 1}"#)], "POST /0": [.empty(204)],
    ]

    /// Each server is asked although the other one has not responded yet.
    @Test(.timeLimit(.minutes(1))) func serversAreWaitedForSideBySide() async {
        let transport = StubTransport(
            meeting: ["HEAD https://shop.test/v1/", "HEAD https://snake.test/"],
            ["HEAD /": [.empty(204)]].merging(Self.snake) { $1 })
        let outcome = await check("logo snake.get --wait 50", transport: transport, apis: [Shop.self, Snake.self])
        #expect(outcome.out.hasPrefix("✓ shop.logo") && !outcome.out.contains("gave up"), "\(outcome.testDescription)")
    }

    @Test(arguments: [
        ("--shard 0/2", "--shard (argument 2): expected a part such as 1/4, got '0/2'"),
        ("--jobs 0", "--jobs (argument 2): expected 1 or a higher number, got '0'"),
        ("--fail-on drifted", "--fail-on (argument 2): expected skipped, got 'drifted'"),
        ("--update-baseline", "--update-baseline needs --baseline FILE"),
        (
            "--report-md - --report-json /dev/stdout",
            "--report-json /dev/stdout and --report-md - can't be used together"
        ),
        ("--report-md - --report-json -", "--report-json - and --report-md - can't be used together"),
        ("--report-json ./x --report-junit x", "--report-junit x and --report-json ./x can't be used together"),
        (
            "--baseline b --update-baseline --report-json ./b",
            "--report-json ./b and --baseline b can't be used together"
        ),
        ("--case x", "--case needs --cases FILE"),
        ("--cases - --cases -", "'-' (argument 4) would read stdin a second time"),
        ("--cases - --env-file -", "'-' (argument 4) would read stdin a second time"),
        ("--baseline - --env-file -", "'-' (argument 4) would read stdin a second time"),
        ("--baseline - --update-baseline", "--baseline - and --update-baseline can't be used together"),
        ("--cases c.json items", "--cases and the pattern 'items' can't be used together"),
        ("--body x", "unknown option '--body' (argument 2)"),
        ("--server nowhere", "--server (argument 2): shop has no server 'nowhere', only production, staging"),
    ]) func aWrongCommandLineSendsNothing(_ words: String, _ message: String) async {
        let outcome = await check(words, transport: UntouchedTransport())
        #expect(outcome == Outcome(err: "apictl: \(message)\nSee 'apictl help check'.\n", code: 2))
    }
}
