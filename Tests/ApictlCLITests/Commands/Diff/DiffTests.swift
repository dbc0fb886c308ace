import EndpointKit
import Testing

@testable import ApictlCLI

/// The command `diff`, which sends one call to two servers and compares the responses.
struct DiffTests {
    private static func diff(_ one: StubResponse, _ other: StubResponse, _ words: String = "") async -> Outcome {
        await run(
            "diff shop.item 1 --server production --server staging \(words)",
            transport: StubTransport { $0.base.host == "shop.test" ? one : other }, apis: [Shop.self])
    }

    private static func diff(_ one: String, _ other: String, _ words: String = "") async -> Outcome {
        await diff(.json(one), .json(other), words)
    }

    /// The lines that name the two servers.
    private static let header = "--- production\n+++ staging\n"

    static let rows: [(one: String, other: String, shapes: String, values: String)] = [
        (#"{"a": 1}"#, #"{"a": 1}"#, "", ""), (#"{"a": 1, "b": 2}"#, #"{"b": 2, "a": 1}"#, "", ""),
        (#"{"a": 1}"#, #"{"a": 2}"#, "", "~ $.a: 1 -> 2\n"),
        (
            #"{"a": 1}"#, #"{"a": "1"}"#, "~ $.a: number -> string\n",
            "~ $.a: 1 -> \"1\"\n"
        ),
        (
            #"{"a": 1}"#, #"{"b": {"c": 1}}"#, "- $.a: number\n+ $.b: object\n",
            "- $.a: 1\n+ $.b: {\"c\":1}\n"
        ),
        (#"{"a": [1, 2]}"#, #"{"a": [1]}"#, "", "- $.a[1]: 2\n"),
        (#"{"a": [{"b": 1}]}"#, #"{"a": []}"#, "- $.a[*]: object\n", "- $.a[0]: {\"b\":1}\n"),
        (#"{"a": "x"}"#, #"{"a": null}"#, "~ $.a: string -> null\n", "~ $.a: \"x\" -> null\n"),
        (#"{"a": ["x", null]}"#, #"{"a": ["y"]}"#, "", "~ $.a[0]: \"x\" -> \"y\"\n- $.a[1]: null\n"),
        (
            #"{"a": [{"b": 1}, {"c": true}]}"#, #"{"a": [{"b": 1}]}"#, "- $.a[*].c: boolean\n",
            "- $.a[1]: {\"c\":true}\n"
        ),
        (#"{"+1": 1}"#, "{}", "- $['+1']: number\n", "- $['+1']: 1\n"),
        ("[]", "{}", "~ $: array -> object\n", "~ $: [] -> {}\n"),
    ]

    @Test("Differences of the shape are printed, and with --values those of the values", arguments: rows)
    func compares(_ row: (one: String, other: String, shapes: String, values: String)) async {
        for (words, lines) in [("", row.shapes), ("--values", row.values)] {
            let expected = lines.isEmpty ? Outcome() : Outcome(out: Self.header + lines, code: 1)
            #expect(await Self.diff(row.one, row.other, words) == expected)
        }
    }

    @Test("A response that is not JSON is an error that names the server")
    func brokenResponses() async {
        for (one, other) in [("{bad", "{bad"), ("{bad", "{}"), ("{}", "{bad")] {
            let outcome = await Self.diff(one, other)
            #expect(outcome.code == 8 && outcome.out.isEmpty)
            let brokenServer = one == "{}" ? "staging" : "production"
            #expect(outcome.err.hasPrefix("apictl: shop.item: \(brokenServer): the response is"))
        }
    }

    /// Two documents, the options, and the output.
    static let options: [(one: String, other: String, words: String, out: String)] = [
        // Items of a list are matched by an identifying field, in any order. Without one, they are matched by position.
        (
            #"[{"id": 1, "n": "a"}, {"id": 2}]"#, #"[{"id": 2}, {"id": 1, "n": "b"}]"#, "--values",
            "~ $[?@.id == 1].n: \"a\" -> \"b\"\n"
        ),
        (
            #"{"l": [{"k": "x", "id": 1}]}"#, #"{"l": [{"k": "y", "id": 1}, {"k": "x", "id": 1.0}]}"#,
            "--values --by k",
            "+ $.l[?@.k == \"y\"]: {\"k\":\"y\",\"id\":1}\n"
        ),
        (
            #"[{"id": 1}, {"id": 1}]"#, #"[{"id": 1}, {"id": 2}]"#, "--values",
            "~ $[1].id: 1 -> 2\n"
        ),
        (
            #"[{"id": 1}, 2]"#, "[3]", "--values",
            "~ $[0]: {\"id\":1} -> 3\n- $[1]: 2\n"
        ),
        (
            #"{"a": 1, "t": {"now": 1}, "l": [{"x": 1, "y": 1}]}"#,
            #"{"a": 2, "t": {"now": 2, "z": 1}, "l": [{"x": 2}]}"#,
            "--values --ignore t.now --ignore $..x",
            "~ $.a: 1 -> 2\n+ $.t.z: 1\n- $.l[0].y: 1\n"
        ),
        (#"{"a": 1}"#, #"{"b": 2}"#, "--ignore a --ignore b", ""), (#"{"a": 1}"#, "[]", "--ignore $", ""),
        (
            #"[{"id": 1, "n": 1}, {"id": "\u0041"}]"#, #"[{"id": "A"}, {"id": 1.0, "n": 2}, {"id": 0.5}]"#, "--values",
            "~ $[?@.id == 1].n: 1 -> 2\n+ $[?@.id == 0.5]: {\"id\":0.5}\n"
        ),
        // A key may occur twice.
        (#"{"a": 1, "a": 2}"#, #"{"a": 1, "a": 3}"#, "--values", "~ $.a: 1 and 2 -> 1 and 3\n"),
        (
            #"{"a": [1], "a": [2]}"#, #"{"a": [1, 2]}"#, "--values",
            "~ $.a: [1] and [2] -> [1,2]\n"
        ),
        (
            #"{"a": 1, "b": {"c": [1.50]}}"#, #"{"a": "1"}"#, "--json --values",
            #"""
            {"version":1,"servers":["production","staging"],"statuses":[200,200],"differences":[{"kind":"changed",\#
            "path":"$.a","values":[1,"1"]},{"kind":"missing","path":"$.b","values":[{"c":[1.50]},null]}]}
            """#
        ),
        (
            "{}", "{}", "--json",
            #"{"version":1,"servers":["production","staging"],"statuses":[200,200],"differences":[]}"#
        ),
    ]

    @Test("Items are matched, paths are ignored, and the output may be JSON", arguments: options)
    func option(_ one: String, _ other: String, _ words: String, _ out: String) async {
        let isAlike = out.isEmpty || out.contains(#""differences":[]"#)
        let isJSON = words.hasPrefix("--json")
        var outcome = await Self.diff(one, other, words)
        if isJSON { outcome.out.removeAll(where: \.isWhitespace) }
        let header = isAlike || isJSON ? "" : Self.header
        #expect(outcome == Outcome(out: header + out, code: isAlike ? 0 : 1))
    }

    @Test("One server may be a URL and the other one a name")
    func aServerByItsNameAndOneByURL() async {
        let outcome = await run(
            "diff shop.item 1 --base-url http://127.0.0.1:9 --server production",
            transport: StubTransport { .json($0.base.host == "shop.test" ? "{}" : "[]") }, apis: [Shop.self])
        #expect(outcome == Outcome(out: "--- http://127.0.0.1:9\n+++ production\n~ $: array -> object\n", code: 1))
    }

    /// The server chooses how deep and how long its documents are.
    @Test("Deep and long documents are compared quickly", .timeLimit(.minutes(1)))
    func hostileDocuments() async {
        let deep = String(repeating: #"{"a":["#, count: 255) + "1" + String(repeating: "]}", count: 255)
        let path = String(repeating: ".a[0]", count: 255)
        let outcome = await Self.diff(deep, deep.replacing("1", with: "2"), "--values")
        #expect(outcome.out == Self.header + "~ $\(path): 1 -> 2\n")
        let long = "[" + (0..<20_000).map { #"{"id":\#($0)}"# }.joined(separator: ",")
        #expect(await Self.diff(long + "]", long + ",1]", "--values").out.hasPrefix(Self.header + "+ $[20000]: 1\n"))
    }

    static let wrongs: [Row] = [
        Row(
            "a missing credential", "diff shop.orders --server production --server staging", apis: [Shop.self],
            err: "apictl: shop.orders: a credential is missing: set SHOP_TOKEN\n", code: 9),
        wrong(
            "diff shop.orders --server production --server stagin", apis: [Shop.self],
            "--server (argument 5): shop has no server 'stagin', only production, staging; did you mean 'staging'?"),
        wrong(
            "diff shop.item 1 --server production --server staging --by id", apis: [Shop.self], "--by needs --values"),
        wrong(
            "diff shop.item 1 --server production --server staging --ignore $[", apis: [Shop.self],
            """
            --ignore (argument 8): column 3: expected a name in quotes, an index, a slice, '*' or '?', found the end \
            of the query
            """
        ),
        wrong(
            "diff shop.item 1 --server production --server staging --server staging", apis: [Shop.self],
            "diff needs two servers (each a URL, --base-url URL or --server NAME), got 3"),
    ]

    @Test("A missing credential and wrong options are refused", arguments: wrongs)
    func wrongLine(_ row: Row) async { await row.check() }

    /// A document, a field for `--by`, and the end of the message that no list has the field, or nil if a list has it.
    @Test(
        "--by names a field of an item of some list",
        arguments: [
            (#"[{"id": 1, "name": 1}]"#, "nmae", "; did you mean 'name'?"), (#"[{"id": 1}]"#, "id", nil),
            (#"{"a": {"nosuch": 1}, "l": [{"id": 1}]}"#, "nosuch", ""),
            (#"{"l": [[{"k": {"other": 1}}]]}"#, "other", ""),
            (#"{"l": [[1, {"k": 1}]]}"#, "k", nil), ("{}", "k", nil), ("[1, []]", "k", nil),
        ] as [(document: String, field: String, end: String?)])
    func namesAFieldOfItems(_ document: String, _ field: String, _ end: String?) async {
        let outcome = await Self.diff(document, document, "--values --by \(field)")
        let problem = end.map {
            "apictl: --by (argument 9): no item of a list in the responses has a field '\(field)'\($0)\n"
        }
        #expect(outcome.err.hasPrefix(problem ?? ""))
        #expect(outcome.code == (problem == nil ? 0 : 2))
        #expect(outcome.out.isEmpty)
    }

    @Test("Servers may be URLs without an option; a path that selects nothing is noted")
    func serversAsWords() async {
        let transport = StubTransport { _ in .json(#"[{"id": 1, "n": 1}]"#) }
        let outcome = await run(
            ["diff", "shop.logo", "http://a.test", "http://b.test", "--values", "--ignore", "x.y"],
            transport: transport, apis: [Shop.self])
        #expect(outcome == Outcome(err: "note: --ignore 'x.y' selects nothing\n"))
        #expect(transport.requests.map(\.base.host).sorted() == ["a.test", "b.test"])
    }

    /// Two equal documents of an item, a path of `--ignore`, and the message about it; empty if there is none.
    @Test(
        "A path of --ignore that the responses lack is noted, and is an error if the model does not have it either",
        arguments: [
            (#"{"id": 1}"#, "id", "", 0),
            (#"{"id": 1, "time": 2}"#, "time", "", 0),
            (#"{"id": 1}"#, "name", "note: --ignore 'name' selects nothing\n", 0),
            (#"{"id": 1}"#, "nmae", "apictl: --ignore (argument 9): Item has no 'nmae'; did you mean 'name'?\n", 2),
            (#"{"id": 1}"#, "$..time", "note: --ignore '$..time' selects nothing\n", 0),
        ] as [(document: String, path: String, message: String, code: Int32)])
    func ignoredPaths(_ document: String, _ path: String, _ message: String, _ code: Int32) async {
        let outcome = await Self.diff(document, document, "--values --ignore \(path)")
        #expect(outcome.err.hasPrefix(message) && outcome.code == code, "\(outcome)")
        #expect(outcome.out.isEmpty)
    }

    @Test("Both servers get the body that stdin holds")
    func bothGetWhatStdinHolds() async {
        let transport = StubTransport(.json("{}"))
        let outcome = await run(
            "diff echo.note --note - --base-url http://a.test --base-url http://b.test", stdin: #"{"title": "t"}"#,
            transport: transport)
        #expect(outcome == Outcome())
        #expect(transport.requests.map(\.body?.bytes) == Array(repeating: Array(#"{"title":"t"}"#.utf8), count: 2))
    }

    @Test(
        "Responses that are not JSON, and failures, have their message and exit code",
        arguments: [
            (
                .typed("text/plain", "abc"), .typed("text/plain", "x", 404, "Not Found"),
                """
                --- production
                +++ staging
                ~ status: 200 OK -> 404 Not Found
                ~ body: 3 bytes -> 1 other bytes

                """, "staging answered 404 Not Found", 4
            ),
            (
                .typed("text/html", "<p>"), .typed("text/html", "<p>"), "",
                "production: the response is not valid JSON: line 1, column 1: expected a value, found '<'", 8
            ),
            (unauthorized, unauthorized, "", "both answered 401 Unauthorized", 4),
            (.json("{}"), .failing(.notConnected), "", "could not connect to the server", 6),
        ] as [(StubResponse, StubResponse, String, String, Int32)])
    func failures(
        _ one: StubResponse, _ other: StubResponse, _ out: String, _ message: String, _ code: Int32
    ) async {
        var outcome = await Self.diff(one, other)
        outcome.err.replace("Is the server running?\n", with: "")
        #expect(outcome == Outcome(out: out, err: "apictl: shop.item: \(message)\n", code: code))
    }

    private static let unauthorized = StubResponse.json(#"{"a": 1}"#, 401, "Unauthorized")
}
