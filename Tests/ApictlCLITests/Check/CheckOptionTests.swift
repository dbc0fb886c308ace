import EndpointKit
import Foundation
import Testing

@testable import ApictlCLI

/// The options of `check`: words → a part of stdout, the exit code, and the paths that were asked for.
struct CheckOptionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var routes: [String: [StubResponse]] = [:]
        let out: String
        var code: Int32 = 0
        /// `METHOD PATH`, in order; nil is any.
        var sent: [String]?

        init(
            _ words: String, given routes: [String: [StubResponse]] = [:], _ out: String, code: Int32 = 0,
            sent: [String]? = nil
        ) {
            (testDescription, self.routes, self.out, self.code, self.sent) = (words, routes, out, code, sent)
        }
    }

    private static let failing: [String: [StubResponse]] = ["GET /items/1": [.empty(500)]]

    static let rows = [
        Row(
            "*.item --strict", given: ["GET /items/1": [.json(#"{"id": 1, "name": "a", "note": "b", "size": 1}"#)]],
            "✗ shop.item #1  200 T\n    unexpected-key: $.size: found number 1 (line 1)\n    curl ", code: 1),
        Row("", "7 checks: 5 passed, 0 drifted, 0 failed, 2 skipped\n"),
        Row("--fail-on skipped", "2 skipped\n", code: 1), Row("logo --fail-on skipped", "0 skipped\n"),
        Row("add", "– shop.add  skipped: POST", code: 1, sent: []),
        Row("add --unsafe", "✓ shop.add", sent: ["POST /items"]),
        Row(
            "*.item --shard 1/2 --env staging -H X-Test:1 --query a=b", given: ["GET /items/1": [.json("{}")]],
            "curl --location --fail-with-body 'https://staging.shop.test/items/1?a=b' --header 'X-Test: 1' --header 'Accept: application/json' --compressed\n",
            code: 1, sent: ["GET /items/1"]),
        Row(
            "*.items orders --sample",
            """
            ✓ shop.items   200 T
                optional, in no response: $.next, $.items[*].note
            – shop.orders  skipped: there is no sample

            2 checks: 1 passed, 0 drifted, 0 failed, 1 skipped

            """, sent: []),
        Row(
            "*.item --repeat 2",
            given: ["GET /items/1": [.json("{}"), .json(#"{"id": 1, "name": "a", "note": "b"}"#)]],
            "4 checks: 3 passed, 0 drifted, 1 failed, 0 skipped", code: 1,
            sent: ["GET /items/1", "GET /items/1", "GET /items/2", "GET /items/2"]),
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
    ]

    @Test(arguments: rows) func option(_ row: Row) async {
        let transport = RoutedTransport(row.routes)
        let outcome = await check(row.testDescription, transport: transport)
        #expect(outcome.out.contains(row.out) && outcome.err.isEmpty)
        #expect(outcome.code == row.code)
        if let sent = row.sent { #expect(transport.requests.map { "\($0.method) \($0.path)" } == sent) }
    }

    /// Of a hundred checks at eight at once, each is shown once and in order.
    @Test func parallelChecksAreShownInOrder() async {
        let outcome = await check("*.item --repeat 50 --jobs 8")
        let names = outcome.out.split(separator: "\n").filter { $0.hasPrefix("✓") }.map { $0.dropFirst(2).prefix(12) }
        #expect(names == Array(repeating: "shop.item #1", count: 50) + Array(repeating: "shop.item #2", count: 50))
    }

    @Test(arguments: [1, 2, 9]) func shardsHaveEveryCheckOnce(_ count: Int) async {
        var shown: [String] = []
        for number in 1...count {
            let outcome = await check("--sample --shard \(number)/\(count)")
            let lines = outcome.out.split(separator: "\n").filter { $0.hasPrefix("✓") || $0.hasPrefix("–") }
            shown += lines.map { String($0.dropFirst(2).prefix(12)) }
            // A part without checks is no failure, one that only skips is.
            #expect(outcome.code == (outcome.out.contains("✓") || lines.isEmpty ? 0 : 1))
        }
        #expect(shown.count == Shop.examples.count && Set(shown).count == shown.count)
    }

    @Test func rateLimitsStarts() async {
        let start = ContinuousClock.now
        _ = await check("logo --repeat 5 --rate 20 --jobs 4")
        #expect(ContinuousClock.now - start >= .milliseconds(200))
    }

    private static let rate = "--rate (argument 2): expected a number from 0.001 to 1000000, got"

    @Test(arguments: [
        ("--shard 0/2", "--shard (argument 2): expected a part such as 1/4, got '0/2'"),
        ("--jobs 0", "--jobs (argument 2): expected 1 or a higher number, got '0'"),
        ("--rate -1", "\(rate) '-1'"), ("--rate 1e-300", "\(rate) '1e-300'"), ("--rate 1000001", "\(rate) '1000001'"),
        (
            "--repeat 1000000000",
            "--repeat (argument 2): expected a number from 1 to 1000000, got '1000000000'"
        ),
        ("--fail-on drifted", "--fail-on (argument 2): expected skipped, got 'drifted'"),
        ("--update-baseline", "--update-baseline needs --baseline FILE"),
        ("--report-tap - --report-json -", "--report-json - and --report-tap - can't be used together"),
        ("--report-json x --report-junit x", "--report-junit x and --report-json x can't be used together"),
        ("--cases c.json items", "--cases and the pattern 'items' can't be used together"),
        ("--body x", "unknown option '--body' (argument 2)"),
        ("--env nowhere", "--env: shop has no server 'nowhere', only production, staging"),
        ("items nosuch", "no endpoint matches 'nosuch' (argument 3)"),
    ]) func wrongCommandLines(_ words: String, _ message: String) async {
        let outcome = await check(words, transport: UntouchedTransport())
        let help = words == "items nosuch" ? "list" : "help check"
        #expect(outcome == Outcome(err: "apictl: \(message)\nSee 'apictl \(help)'.\n", code: 2))
    }
}
