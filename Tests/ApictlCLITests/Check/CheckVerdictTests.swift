import EndpointKit
import Testing

@testable import ApictlCLI

/// The verdict on a response, as the terminal shows it, with the exit code.
struct CheckVerdictTests {
    @Test func checksThatSendNothingAreNamedAndAreNoSuccess() async {
        #expect(
            await check("shop.a* shop.orders")
                == Outcome(
                    out: """
                        – shop.add     skipped: POST may change data on the server. To send it: --unsafe
                        – shop.orders  skipped: SHOP_TOKEN is not set

                        2 checks: 0 passed, 0 drifted, 0 failed, 2 skipped
                        Nothing was checked.

                        """, code: 1))
    }

    private static let fitting = #"{"id": 1, "name": "Tea", "note": "hot"}"#

    /// A response to the check of `shop.item #1`, its mark, and the lines under it.
    static let rows: [(id: String, response: StubResponse, mark: String, lines: String)] = [
        ("fits", .json(fitting), "✓", ""),
        (
            "unexpected key", .json(#"{"id": 1, "name": "a", "note": "b", "size": "L"}"#), "~",
            #"unexpected-key: $.size: found string "L" (line 1)"#
        ),
        ("missing key", .json(#"{"name": "a", "note": "b"}"#), "✗", "missing-key: $.id (line 1)"),
        (
            "wrong type", .json("{\n\"id\": \"1\", \"name\": \"a\", \"note\": \"b\"}"), "✗",
            #"wrong-type: $.id: expected integer, found string "1" (line 2)"#
        ),
        (
            "wrong value", .json(#"{"id": 1e99, "name": "a", "note": "b"}"#), "✗",
            "wrong-value: $.id: expected integer from -9223372036854775808 to 9223372036854775807, found number 1e99 (line 1)"
        ),
        (
            "all of them", .json(#"{"id": "1", "name": 2, "note": "b"}"#), "✗",
            """
            wrong-type: $.id: expected integer, found string "1" (line 1)
                wrong-type: $.name: expected string, found number 2 (line 1)
            """
        ),
        ("not JSON", .typed("text/html", "<p>"), "✗", "not-json: expected Item, found text/html"),
        ("called JSON", .json("<p>"), "✗", "not-json: expected a value, found '<' (line 1)"),
        (
            "two documents", .json(fitting + "\n1"), "✗",
            "not-json: expected one JSON document, found a second one (line 2)"
        ),
        ("no body", .empty(204, "No Content"), "✗", "not-json: expected Item, found no body"),
        (
            "a stream", .typed("text/event-stream", "data: 1"), "✗",
            "not-json: expected Item, found a stream (text/event-stream)"
        ),
        (
            "404 of a parameter", .json(#"{"message": "no such item"}"#, 404, "Not Found"), "✗",
            "status: expected 2xx, found 404 Not Found: no such item. The example's data may be stale."
        ),
        ("304", .empty(304, "Not Modified"), "✗", "status: expected 2xx, found 304 Not Modified"),
        ("no connection", .failing(.notConnected), "✗", "network: could not connect to the server"),
        (
            "timeout", .failing(.timedOut(.whole(.seconds(3)))), "✗",
            "timeout: no complete response from the server within 3 s"
        ),
        (
            "hostile text", .json("{\"id\": 1, \"name\": \"a\", \"note\": \"b\", \"\\u001b[31m\\u202e\": 1}"), "~",
            "unexpected-key: $['\\u001b[31m\\u202e']: found number 1 (line 1)"
        ),
    ]

    /// The rows whose words do not show the reason, so that a part of the response follows.
    private static let rowsWithExcerpt: Set = ["missing key", "not JSON", "called JSON", "two documents"]

    @Test(arguments: rows)
    func eachResponseHasItsVerdict(_ id: String, _ response: StubResponse, _ mark: String, _ lines: String) async {
        let outcome = await check("*.item --shard 1/2", ["GET /items/1": [response]])
        let status = response.failure == nil ? "\(response.head.status)" : "  –"
        let curl =
            "curl --location --fail-with-body https://shop.test/v1/items/1 --header 'Accept: application/json' --compressed"
        var shown: [String] = []
        if !lines.isEmpty { shown.append(lines) }
        if mark == "✗" { shown.append(curl) }
        let excerpt = #/      in the response: .*\n/#
        #expect(
            outcome.out.replacing(excerpt, with: "").hasPrefix(
                "\(mark) shop.item #1  \(status) T\n\(shown.map { "    \($0)\n" }.joined())\n1 check: "), "\(outcome)")
        #expect(outcome.out.contains(excerpt) == Self.rowsWithExcerpt.contains(id))
        #expect(outcome.code == (mark == "✗" ? 1 : 0))
    }

    @Test(
        arguments: [
            (.json(#"{"status": "DENIED", "reason": "no"}"#), "reported-failure: DENIED: no"),
            (
                .empty(403, "Forbidden"),
                "status: expected 2xx, found 403 Forbidden. The request was sent without RECEIPT_TOKEN."
            ),
        ] as [(StubResponse, String)]) func theAPIsOwnReasonIsShown(_ response: StubResponse, _ line: String) async
    {
        let outcome = await check("receipt", ["GET /receipt": [response]])
        #expect(outcome.out.contains("\n    \(line)\n"))
        #expect(outcome.code == 1)
    }

    /// A key that may be absent is noted only if no response of the endpoint has it, and then fails nothing.
    @Test func aKeyThatNoResponseHasIsNoted() async {
        let routes: [String: [StubResponse]] = ["GET /items/1": [.json(#"{"id": 1, "name": "Tea"}"#)]]
        let lines = "✓ shop.item #1  200 T\n✓ shop.item #2  200 T\n\n"
        let counts = "2 checks: 2 passed, 0 drifted, 0 failed, 0 skipped\n"
        #expect(
            await check("*.item --strict", routes)
                == Outcome(out: lines + counts + "1 optional key was in no response; -v names them.\n"))
        #expect(
            await check("*.item -v", routes)
                == Outcome(out: lines + "shop.item: optional, in no response: $.note\n" + counts))
        #expect(await check("*.item", ["GET /items/2": [.json(#"{"id": 2, "name": "a", "note": "b"}"#)]]).err.isEmpty)
    }

    /// The elements of a list that is always empty were not compared. That is noted, and fails nothing.
    @Test func aListThatIsAlwaysEmptyIsNoted() async {
        let routes: [String: [StubResponse]] = ["GET /items": [.json(#"{"items": [], "next": "b"}"#)]]
        let outcome = await check("*.items orders", routes, variables: ["SHOP_TOKEN": "t"])
        #expect(
            outcome.out.contains(
                "\nshop.items: $.items was empty in every response, so its elements were not compared\n"))
        #expect(
            outcome.out.contains("\nshop.orders: $ was empty in every response, so its elements were not compared\n"))
        #expect(outcome.code == 0 && outcome.out.contains("2 passed, 0 drifted, 0 failed"))
        let report = await check("*.items --report-json -", routes)
        #expect(report.out.contains(#"{"kind":"empty-list","path":"$.items","#), "\(report)")
    }
}

/// `--baseline`: a file of keys that responses have and models lack, which pass.
struct CheckBaselineTests {
    private static let drifted: [String: [StubResponse]] = [
        "GET /items/1": [.json(#"{"id": 1, "name": "a", "note": "b", "size": 1, "color": 2}"#)]
    ]

    private static func baseline(_ entries: String) -> MemoryFiles {
        MemoryFiles(["b.json": Array(#"{"version": 1, "known": [\#(entries)]}"#.utf8)])
    }

    private static let size = #"{"name": "shop.item", "path": "$.size"}"#
    private static let color = #"{"name": "shop.item", "path": "$.color"}"#

    @Test func knownKeysPassAndOthersFail() async {
        let known = await check(
            "*.item --baseline b.json", Self.drifted, files: Self.baseline("\(Self.size), \(Self.color)"))
        #expect(known.out.hasPrefix("~ shop.item #1  200 T  2 keys in the baseline\n✓ "))
        #expect(known.code == 0)
        let typed = await check(
            "*.item --baseline -", Self.drifted, stdin: Self.baseline("\(Self.size), \(Self.color)")["b.json"])
        #expect(typed == known)
        let new = await check("*.item --baseline b.json", Self.drifted, files: Self.baseline(Self.size))
        #expect(
            new.out.hasPrefix(
                """
                ✗ shop.item #1  200 T  1 key in the baseline
                    unexpected-key: $.color: found number 2 (line 1)
                    curl 
                """))
        #expect(new.code == 1)
    }

    @Test func anEntryThatIsNotNeededAnyMoreIsReported() async {
        let outcome = await check("*.item --baseline b.json", files: Self.baseline(Self.size))
        #expect(outcome.out.hasSuffix("\nNo longer seen, remove it from the baseline: shop.item $.size\n"))
        #expect(outcome.code == 0)
    }

    @Test func anEntryOfAnEndpointThatWasNotCheckedIsNotReported() async {
        let other = await check("logo --baseline b.json", files: Self.baseline(Self.size))
        #expect(!other.out.contains("No longer seen"))
    }

    @Test func anEntryOfAnEndpointThatDoesNotExistIsReported() async {
        let removed = await check(
            "logo --baseline b.json", files: Self.baseline(#"{"name": "shop.gone", "path": "$.a"}"#))
        #expect(removed.out.hasSuffix("\nNo longer seen, remove it from the baseline: shop.gone $.a\n"))
    }

    @Test func aMissingBaselineIsAnErrorThatSaysHowToWriteIt() async {
        #expect(
            await check("logo --baseline b.json", transport: UntouchedTransport())
                == Outcome(
                    err: """
                        apictl: can't read b.json: no such file or directory
                        To write it with the keys of today: --update-baseline

                        """, code: 1))
    }

    @Test func updateKeepsEntriesAndRemovesThoseNotNeeded() async {
        let files = Self.baseline(
            """
            {"name": "shop.logo", "path": "$.z"}, {"name": "shop.item", "path": "$.old"},
            {"name": "shop.item", "path": "$.size", "reason": "ticket 7"}
            """)
        let outcome = await check("*.item --baseline b.json --update-baseline", Self.drifted, files: files)
        #expect(outcome.out.hasSuffix("\nWrote b.json: 3 known keys, 1 new, 1 removed\n"))
        #expect(outcome.code == 0)
        let known =
            #"{"version":1,"known":[{"name":"shop.item","path":"$.color"},"#
            + #"{"name":"shop.item","path":"$.size","reason":"ticket 7"},{"name":"shop.logo","path":"$.z"}]}"#
        #expect(await run("format --compact b.json", files: files) == Outcome(out: known + "\n"))
        #expect(await check("*.item --baseline b.json", Self.drifted, files: files).code == 0)
    }

    /// An element's key may still be there if the response had no element.
    @Test func anEntryThatNoResponseCouldShowStays() async {
        let files = Self.baseline(#"{"name": "shop.items", "path": "$.items[*].size"}"#)
        let empty: [String: [StubResponse]] = ["GET /items": [.json(#"{"items": [], "next": "b"}"#)]]
        #expect(await !check("*.items --baseline b.json", empty, files: files).out.contains("No longer seen"))
        let outcome = await check("*.items --baseline b.json --update-baseline", empty, files: files)
        #expect(outcome.out.hasSuffix("\nWrote b.json: 1 known key, 0 new, 0 removed\n"))
        #expect(await check("*.items --baseline b.json", files: files).out.contains("\nNo longer seen, remove it from"))
    }

    @Test(
        "A path may be written in any way",
        arguments: ["$['size']", #"$[ \"size\" ]"#, "$ .size"])
    func waysToWriteAPath(_ path: String) async {
        let files = Self.baseline(#"{"name": "shop.item", "path": "\#(path)"}, \#(Self.color)"#)
        let outcome = await check("*.item --baseline b.json", Self.drifted, files: files)
        #expect(outcome.out.hasPrefix("~ shop.item #1  200 T  2 keys in the baseline\n✓ "), "\(outcome)")
    }

    @Test func updateWritesAMissingFile() async {
        let files = MemoryFiles()
        let outcome = await check("*.item --baseline n.json --update-baseline", Self.drifted, files: files)
        #expect(outcome.code == 0 && outcome.out.hasSuffix("Wrote n.json: 2 known keys, 2 new, 0 removed\n"))
        #expect(files["n.json"]?.contains("$.size") == true)
    }

    /// A baseline holds every key; more than is compared never passes as if it had been.
    @Test func aBaselineHoldsEveryKeyThatIsCompared() async {
        func keys(_ count: Int) -> [String: [StubResponse]] {
            let keys = (0..<count).map { ",\"k\($0)\":0" }.joined()
            return ["GET /items/1": [.json("{\"id\":1,\"name\":\"a\",\"note\":\"b\"\(keys)}")]]
        }
        let files = MemoryFiles()
        for (count, update, code, start) in [
            (3000, " --update-baseline", 0, "~ shop.item #1  200 T  3000 keys in the baseline\n✓"),
            (
                3001, "", 1,
                "✗ shop.item #1  200 T  3000 keys in the baseline\n    unexpected-key: $.k3000: found number 0"
            ),
            (10_001, " --update-baseline", 1, "✗ shop.item #1  200 T"),
            (
                10_001, "", 1,
                "✗ shop.item #1  200 T  10000 keys in the baseline\n"
                    + "    incomplete: $: expected at most 10000 different problems and places, found more\n"
            ),
        ] as [(Int, String, Int32, String)] {
            let outcome = await check("*.item --baseline n.json" + update, keys(count), files: files)
            let again = update.isEmpty ? outcome : await check("*.item --baseline n.json", keys(count), files: files)
            #expect(outcome.code == code && again.out.hasPrefix(start), "\(again.out.prefix(300))")
        }
    }

    /// Long names that begin alike are different keys, and no part of a secret is written, wherever the name is cut.
    @Test func longNamesAreDifferentKeysAndHoldNoSecrets() async {
        func drift(_ names: String...) -> [String: [StubResponse]] {
            let keys = names.map { #", "\#($0)": 0"# }.joined()
            return ["GET /orders": [.json(#"[{"id": 1, "name": "a", "note": "b"\#(keys)}]"#)]]
        }
        let files = MemoryFiles()
        let long = String(repeating: "x", count: 197)
        for token in ["t0ken-1234", "an0ther-567"] {
            let update = token.hasPrefix("t0k") ? " --update-baseline" : ""
            let (name, other) = ("\(long)\(token) one", "\(long)\(token) two")
            let variables = ["SHOP_TOKEN": token]
            let known = await check(
                "orders --baseline b.json" + update, drift(name), variables: variables, files: files)
            #expect(known.code == 0)
            let new = await check("orders --baseline b.json", drift(name, other), variables: variables, files: files)
            #expect(new.code == 1 && new.out.contains("  1 key in the baseline\n    unexpected-key: $[*]['xxx"))
        }
        #expect(files["b.json"]?.contains("xxx(re…") == true && files["b.json"]?.contains("t0") == false)
    }

    @Test func aWrongBaselineIsAnErrorAtItsPlace() async {
        let outcome = await check(
            "*.item --baseline b.json", transport: UntouchedTransport(), files: Self.baseline(#"{"name": "a"}"#))
        #expect(
            outcome
                == Outcome(err: "apictl: b.json:1:26: $.known[0].path is missing\nSee 'apictl help check'.\n", code: 2))
        for path in ["$.a[", "size", "", "$[0].b", "$..b", "$[?@.b]", "$[0:1].b", "$['a','b']"] {
            let wrong = await check(
                "*.item --baseline -", transport: UntouchedTransport(),
                stdin: #"{"version": 1, "known": [{"name": "a", "path": "$['(redacted)']"}, "#
                    + #"{"name": "b", "path": "\#(path)"}]}"#)
            let message = "stdin:1:90: $.known[1].path: expected a JSON path such as $.results[*].id"
            #expect(wrong == Outcome(err: "apictl: \(message)\nSee 'apictl help check'.\n", code: 2))
        }
    }
}
