import EndpointKit
import Testing

@testable import ApictlCLI

/// Keys that are known not to be in the models.
struct BaselineTests {
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

    @Test func whatIsNoLongerSeenIsReported() async {
        let outcome = await check("*.item --baseline b.json", files: Self.baseline(Self.size))
        #expect(outcome.out.hasSuffix("\nNo longer seen, remove it from the baseline: shop.item $.size\n"))
        #expect(outcome.code == 0)
        // What was not checked may still be there.
        let other = await check("logo --baseline b.json", files: Self.baseline(Self.size))
        #expect(!other.out.contains("No longer seen"))
    }

    @Test func updateKeepsWhatIsKnownAndRemovesWhatIsFixed() async {
        let files = Self.baseline(
            """
            {"name": "shop.logo", "path": "$.z"}, {"name": "shop.item", "path": "$.old"},
            {"name": "shop.item", "path": "$.size", "reason": "ticket 7"}
            """)
        let outcome = await check("*.item --baseline b.json --update-baseline", Self.drifted, files: files)
        #expect(outcome.out.hasSuffix("\nWrote b.json: 3 known keys, 1 new, 1 removed\n"))
        #expect(outcome.code == 0)
        #expect(
            files["b.json"] == """
                {
                  "version": 1,
                  "known": [
                    {
                      "name": "shop.item",
                      "path": "$.color"
                    },
                    {
                      "name": "shop.item",
                      "path": "$.size",
                      "reason": "ticket 7"
                    },
                    {
                      "name": "shop.logo",
                      "path": "$.z"
                    }
                  ]
                }

                """)
        #expect(await check("*.item --baseline b.json", Self.drifted, files: files).code == 0)
    }

    @Test func updateMakesTheFile() async {
        let files = MemoryFiles()
        let outcome = await check("*.item --baseline n.json --update-baseline", Self.drifted, files: files)
        #expect(outcome.code == 0 && outcome.out.hasSuffix("Wrote n.json: 2 known keys, 2 new, 0 removed\n"))
        #expect(files["n.json"]?.contains("$.size") == true)
        #expect(
            await check("*.item --baseline m.json", transport: UntouchedTransport())
                == Outcome(err: "apictl: can't read m.json: No such file or directory\n", code: 1))
    }

    @Test func aBaselineHoldsEveryKey() async {
        func keys(_ count: Int) -> [String: [StubResponse]] {
            let keys = (0..<count).map { ",\"k\($0)\":0" }.joined()
            return ["GET /items/1": [.json("{\"id\":1,\"name\":\"a\",\"note\":\"b\"\(keys)}")]]
        }
        let files = MemoryFiles()
        _ = await check("*.item --baseline n.json --update-baseline", keys(3000), files: files)
        let known = await check("*.item --baseline n.json", keys(3000), files: files)
        #expect(known.code == 0 && known.out.hasPrefix("~ shop.item #1  200 T  3000 keys in the baseline\n✓"))
        let new = await check("*.item --baseline n.json", keys(3001), files: files)
        #expect(new.code == 1 && new.out.contains("\n    unexpected-key: $.k3000: found number 0 (line 1)\n    curl"))
    }

    /// Long names that begin alike are different keys, and no part of a secret is written, wherever the name is cut.
    @Test func longNames() async {
        func drift(_ names: String...) -> [String: [StubResponse]] {
            let keys = names.map { #", "\#($0)": 0"# }.joined()
            return ["GET /orders": [.json(#"[{"id": 1, "name": "a", "note": "b"\#(keys)}]"#)]]
        }
        let files = MemoryFiles()
        let long = String(repeating: "x", count: 197)
        for (token, code) in [("t0ken-1234", 0), ("an0ther-567", 0)] as [(String, Int32)] {
            let update = token.hasPrefix("t0k") ? " --update-baseline" : ""
            let (name, other) = ("\(long)\(token) one", "\(long)\(token) two")
            let variables = ["SHOP_TOKEN": token]
            let known = await check(
                "orders --baseline b.json" + update, drift(name), variables: variables, files: files)
            #expect(known.code == code)
            let new = await check("orders --baseline b.json", drift(name, other), variables: variables, files: files)
            #expect(new.code == 1 && new.out.contains("  1 key in the baseline\n    unexpected-key: $[*]['xxx"))
        }
        #expect(files["b.json"]?.contains("xxx(re…") == true && files["b.json"]?.contains("t0") == false)
    }

    @Test func wrongFile() async {
        let outcome = await check(
            "*.item --baseline b.json", transport: UntouchedTransport(), files: Self.baseline(#"{"name": "a"}"#))
        #expect(
            outcome
                == Outcome(err: "apictl: b.json:1:26: $.known[0].path is missing\nSee 'apictl help check'.\n", code: 2))
    }
}
