import EndpointKit
import Testing

@testable import ApictlCLI

/// The same call to two servers.
struct DiffTests {
    /// Responds by host.
    private struct Servers: Transport {
        let production: StubResponse
        let staging: StubResponse

        func send(_ request: Request, options: TransferOptions) async throws -> StreamedResponse {
            let response = request.base.host == "shop.test" ? production : staging
            return try await StubTransport(response).send(request, options: options)
        }
    }

    private static func diff(_ one: StubResponse, _ other: StubResponse, _ words: String = "") async -> Outcome {
        let words =
            ["diff", "shop.item", "1", "--env", "production", "--env", "staging"]
            + words.split(separator: " ").map(String.init)
        return await run(words, transport: Servers(production: one, staging: other), apis: [Shop.self])
    }

    private static func diff(_ one: String, _ other: String, _ words: String = "") async -> Outcome {
        await diff(.json(one), .json(other), words)
    }

    static let rows: [(one: String, other: String, shapes: String, values: String)] = [
        (#"{"a": 1}"#, #"{"a": 1}"#, "", ""), (#"{"a": 1, "b": 2}"#, #"{"b": 2, "a": 1}"#, "", ""),
        (#"{"a": 1}"#, #"{"a": 2}"#, "", "~ $.a: 1 in production, 2 in staging\n"),
        (
            #"{"a": 1}"#, #"{"a": "1"}"#, "~ $.a: number in production, string in staging\n",
            "~ $.a: 1 in production, \"1\" in staging\n"
        ),
        (
            #"{"a": 1}"#, #"{"b": {"c": 1}}"#, "- $.a: number; only in production\n+ $.b: object; only in staging\n",
            "- $.a: 1; only in production\n+ $.b: {\"c\": 1}; only in staging\n"
        ),
        (#"{"a": [1, 2]}"#, #"{"a": [1]}"#, "", "- $.a[1]: 2; only in production\n"),
        (#"{"a": [{"b": 1}]}"#, #"{"a": []}"#, "", "- $.a[0]: {\"b\": 1}; only in production\n"),
        (
            #"{"a": [{"b": 1}, {"c": true}]}"#, #"{"a": [{"b": 1}]}"#, "- $.a[*].c: boolean; only in production\n",
            "- $.a[1]: {\"c\": true}; only in production\n"
        ),
        (#"{"a": null}"#, #"{"a": 1.5}"#, "", "~ $.a: null in production, 1.5 in staging\n"),
        (#"{"+1": 1}"#, "{}", "- $['+1']: number; only in production\n", "- $['+1']: 1; only in production\n"),
        ("[]", "{}", "~ $: array in production, object in staging\n", "~ $: [] in production, {} in staging\n"),
    ]

    @Test(arguments: rows) func compares(_ row: (one: String, other: String, shapes: String, values: String)) async {
        #expect(await Self.diff(row.one, row.other) == Outcome(out: row.shapes, code: row.shapes.isEmpty ? 0 : 1))
        #expect(
            await Self.diff(row.one, row.other, "--values")
                == Outcome(out: row.values, code: row.values.isEmpty ? 0 : 1))
    }

    @Test func bothGetWhatStdinHolds() async {
        let transport = StubTransport(.json("{}"))
        let words = "diff echo.note --note - --base-url http://a.test --base-url http://b.test"
        let outcome = await run(
            words.split(separator: " ").map(String.init), stdin: #"{"title": "t"}"#, transport: transport)
        #expect(outcome == Outcome())
        #expect(transport.requests.map(\.body?.bytes) == Array(repeating: Array(#"{"title":"t"}"#.utf8), count: 2))
    }

    @Test func statusesAndOtherBodies() async {
        let outcome = await Self.diff(.typed("text/plain", "abc"), .typed("text/plain", "x", 404, "Not Found"))
        #expect(
            outcome
                == Outcome(
                    out: """
                        ~ status: 200 OK in production, 404 Not Found in staging
                        ~ body: 3 bytes in production, 1 other bytes in staging

                        """, err: "apictl: shop.item: staging answered 404 Not Found\n", code: 4))
    }

    @Test func twoServersThatBothFail() async {
        let failure = StubResponse.json(#"{"a": 1}"#, 401, "Unauthorized")
        #expect(
            await Self.diff(failure, failure)
                == Outcome(err: "apictl: shop.item: both answered 401 Unauthorized\n", code: 4))
    }

    @Test func aServerThatDoesNotRespond() async {
        let outcome = await Self.diff(.json("{}"), .failing(.notConnected))
        #expect(
            outcome.code == 6 && outcome.out.isEmpty && outcome.err.hasPrefix("apictl: shop.item: could not connect"))
    }

    @Test func twoServersAreNeeded() async {
        let outcome = await Self.diff(.json("{}"), .json("{}"), "--env staging")
        #expect(
            outcome
                == Outcome(
                    err: """
                        apictl: diff compares two servers (--env NAME --env NAME, or --base-url URL --base-url URL), not 3
                        See 'apictl help diff'.

                        """, code: 2))
    }
}
