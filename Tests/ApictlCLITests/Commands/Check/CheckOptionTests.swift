import EndpointKit
import Foundation
import Testing

@testable import ApictlCLI

/// The options of `check`.
struct CheckOptionTests {
    private static let drifted: [String: [StubResponse]] = [
        "GET /items/1": [.json(#"{"id": 1, "name": "a", "note": "b", "size": 1}"#)]
    ]

    @Test func strictFailsDrift() async {
        let outcome = await check("*.item --strict", Self.drifted)
        #expect(
            outcome.out.hasPrefix(
                "✗ shop.item #1  200 T\n    unexpected-key: $.size: found number 1 (line 1)\n    curl "))
        #expect(outcome.code == 1)
    }

    @Test func failOnSkipped() async {
        #expect(await check("").code == 0)
        #expect(await check("--fail-on skipped").code == 1)
        #expect(await check("logo --fail-on skipped").code == 0)
    }

    @Test func unsafeMethodsAreOnlySentOnRequest() async {
        let transport = RoutedTransport()
        _ = await check("add", transport: transport)
        #expect(transport.requests.isEmpty)
        _ = await check("add --unsafe", transport: transport)
        #expect(transport.requests.map(\.method) == [.post])
    }

    @Test func connectionOptionsAreThoseOfCall() async {
        let transport = RoutedTransport(["GET /items/1": [.json("{}")]])
        let outcome = await check("*.item --shard 1/2 --env staging -H X-Test:1 --query a=b", transport: transport)
        #expect(transport.requests.map(\.redactedURL) == ["https://staging.shop.test/items/1?a=b"])
        #expect(transport.requests[0].headers.contains { $0.isNamed("X-Test") })
        #expect(
            outcome.out.contains(
                "curl --location --fail-with-body 'https://staging.shop.test/items/1?a=b' --header 'X-Test: 1' --header 'Accept: application/json' --compressed\n"
            ))
    }

    @Test func sampleNeedsNoServer() async {
        #expect(
            await check("*.items orders --sample", transport: UntouchedTransport())
                == Outcome(
                    out: """
                        ✓ shop.items   200 T
                            optional, in no response: $.next, $.items[*].note
                        – shop.orders  skipped: there is no sample

                        2 checks: 1 passed, 0 drifted, 0 failed, 1 skipped

                        """))
    }

    @Test func repeatRunsEachCheck() async {
        let transport = RoutedTransport(["GET /items/1": [.json("{}"), .json(#"{"id": 1, "name": "a", "note": "b"}"#)]])
        let outcome = await check("*.item --repeat 3", transport: transport)
        #expect(
            transport.requests.map(\.path).sorted() == Array(repeating: "/items/1", count: 3)
                + Array(repeating: "/items/2", count: 3))
        #expect(outcome.out.contains("6 checks: 5 passed, 0 drifted, 1 failed, 0 skipped"))
    }

    /// Of a hundred checks at eight at once, each is shown once and in order.
    @Test func parallelChecksAreShownInOrder() async {
        let outcome = await check("*.item --repeat 50 --jobs 8")
        let names = outcome.out.split(separator: "\n").filter { $0.hasPrefix("✓") }.map {
            String($0.dropFirst(2).prefix(12))
        }
        #expect(names == Array(repeating: "shop.item #1", count: 50) + Array(repeating: "shop.item #2", count: 50))
    }

    @Test func aRetriedCheckIsFlaky() async {
        let outcome = await check(
            "logo --retry 1 --retry-delay 0", ["GET /logo": [.empty(503, "Service Unavailable"), .typed("a/b", "x")]])
        #expect(outcome.out.hasPrefix("✓ shop.logo  200 T  flaky: passed on attempt 2\n"))
        #expect(outcome.code == 0)
    }

    @Test func maxLatency() async {
        let outcome = await check("logo --max-latency 0")
        #expect(outcome.out.contains("latency: expected at most T, found T"))
        #expect(outcome.code == 1)
    }

    @Test func bailStopsAtTheFirstFailure() async {
        let transport = RoutedTransport(["GET /items/1": [.empty(500)]])
        let outcome = await check("--bail", transport: transport)
        #expect(transport.requests.map(\.path) == ["/items", "/items/1"])
        #expect(
            outcome.out.hasSuffix(
                """
                – shop.item #2  skipped: not run: a check before failed
                – shop.add      skipped: not run: a check before failed
                – shop.orders   skipped: not run: a check before failed
                – shop.receipt  skipped: not run: a check before failed
                – shop.logo     skipped: not run: a check before failed

                7 checks: 1 passed, 0 drifted, 1 failed, 5 skipped

                """))
        #expect(outcome.code == 1)
    }

    @Test(arguments: 1...9) func shardsHaveEveryCheckOnce(_ count: Int) async {
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

    @Test func waitAsksUntilTheServerResponds() async {
        let starting = StubResponse.failing(.notConnected)
        let transport = RoutedTransport(["HEAD /": [starting, .empty(404)]])
        #expect(await check("logo --wait 30", transport: transport).code == 0)
        #expect(transport.requests.map { "\($0.method) \($0.path)" } == ["HEAD /", "HEAD /", "GET /logo"])
    }

    static let wrong = [
        wrongCheck("--shard 0/2", "--shard (argument 2): expected a part such as 1/4, got '0/2'"),
        wrongCheck("--jobs 0", "--jobs (argument 2): expected 1 or a higher number, got '0'"),
        wrongCheck("--rate -1", "--rate (argument 2): expected a number above 0, got '-1'"),
        wrongCheck("--fail-on drifted", "--fail-on (argument 2): expected skipped, got 'drifted'"),
        wrongCheck("--update-baseline", "--update-baseline needs --baseline FILE"),
        wrongCheck("--report-tap - --report-json -", "--report-json - and --report-tap - can't be used together"),
        wrongCheck("--cases c.json items", "--cases and the pattern 'items' can't be used together"),
        wrongCheck("--body x", "unknown option '--body' (argument 2)"),
        wrongCheck("--env nowhere", "--env: shop has no server 'nowhere', only production, staging"),
        wrongCheck("items nosuch", "no endpoint matches 'nosuch' (argument 3)", see: "list"),
    ]

    @Test(arguments: wrong) func wrongCommandLines(_ row: (words: String, expected: Outcome)) async {
        #expect(await check(row.words, transport: UntouchedTransport()) == row.expected)
    }

    private static func wrongCheck(_ words: String, _ message: String, see help: String = "help check") -> (
        words: String, expected: Outcome
    ) {
        (words, Outcome(err: "apictl: \(message)\nSee 'apictl \(help)'.\n", code: 2))
    }
}
