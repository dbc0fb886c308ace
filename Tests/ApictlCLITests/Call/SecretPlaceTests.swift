import EndpointKit
import Foundation
import TestSupport
import Testing

@testable import ApictlCLI

/// A key that is sent, and all places where a server, a proxy or a library can repeat it: none shows any of it.
@Suite(.serialized) struct SecretPlaceTests {
    private struct Place: Sendable {
        var words: [String] = ["movies.popular"]
        var terminal: Terminals = []
        let response: @Sendable (String) -> StubResponse
    }

    private static let places: [Place] = [
        Place(words: ["movies.popular", "-v"]) { .json("{}", 401, $0) },
        Place(words: ["movies.popular", "-v", "-i"]) {
            .json(#"{"status_message":"no \#($0)"}"#, 403).with("X-Echo", $0).with("Set-Cookie", $0)
        },
        Place(words: ["movies.popular", "-i"]) { .json("{}", 200, $0).with("X-Echo", "a \($0) b") },
        Place(words: ["movies.popular", "-i", "-v", "-w", "%{header_json} %{json}"]) {
            .json("{}").with("X-\($0)", "1")
        },
        Place(words: ["movies.popular", "-vv"]) {
            .empty(500).behind(
                .information("sending \($0) to"), .responseHead("HTTP/2 103\r\nlink: \($0)\r\n\r\n".exactBytes))
        },
        Place(words: ["movies.popular", "--raw"]) { .typed("text/\($0)", "x \($0)", 500) },
        Place() { .typed("text/\($0)", "x") },
        Place() { .json(#"{"page":"\#($0)","results":[],"total_pages":1}"#) },
        Place(words: ["movies.popular", "--max-redirects", "0"]) {
            .empty(302).with("Location", "http://other.test/\($0)")
        },
        Place(words: ["movies.popular", "--max-redirects", "1"]) {
            .empty(302).with("Location", "http://127.0.0.1:9/\($0)")
        },
        Place(words: ["movies.popular", "--retry", "1", "--retry-delay", "1ms"]) { .empty(503, $0) },
        Place() { .failing(.other, "alert for \($0)") },
        Place(words: ["movies.popular", "-w", "%{url_effective} %{json}"]) {
            var response = StubResponse.json("{}")
            var times = TransferTimes()
            (times.url, times.status) = ("http://h/\($0)/x", 200)
            response.times = times
            return response
        },
        // The next page, which the note and the failure name.
        Place(words: ["movies.new-movies", "--max-pages", "1"], terminal: .stderr) {
            .json(#"{"page":1,"results":[],"total_pages":3,"next":\#(JSONValue($0))}"#)
        },
    ]

    @Test(arguments: SecretTable.secrets.indices)
    func nowhere(_ index: Int) async throws {
        for leak in try await onItsOwnThread({ await Self.leaks(index) }) { Issue.record("\(leak)") }
    }

    private static func leaks(_ index: Int) async -> [String] {
        let secret = SecretTable.secrets[index].text
        let bare = secret.trimmingCharacters(in: .whitespacesAndNewlines)
        var leaks: [String] = []
        for (number, place) in places.enumerated() {
            // Every fifth one, and the others in the next places.
            for (turn, spelling) in SecretTable.spellings.enumerated() where (turn + number + index) % 5 == 0 {
                let spelled = spelling.spell(secret)
                let transport = StubTransport(place.response(String(exactBytes: spelled)))
                let outcome = await run(
                    ["call"] + place.words, variables: ["MOVIES_KEY": secret, "TMDB_API_KEY": secret],
                    transport: transport, terminal: place.terminal)
                let shown = outcome.out + outcome.err
                let isLeak = [Array(bare.utf8), spelled].contains { SecretTable.holds(shown.exactBytes, partOf: $0) }
                if isLeak || transport.requests.isEmpty { leaks.append("place \(number), \(spelling.id): \(shown)") }
            }
        }
        return leaks
    }

    /// A parameter may be the key itself.
    static let typed: [Row] = [
        Row(
            "a dry run", "call movies.details k3y/k3y --language k3y%2Fk3y --dry-run", variables: key,
            out: shown(
                "GET https://api.movies.test/3/movie/(redacted)?language=(redacted)&api_key=(redacted)",
                "X-Client: tests")),
        Row(
            "a failure", "call movies.details k3y/k3y --json-errors -w %{url}", variables: key, response: .empty(404),
            err: "https://api.movies.test/3/movie/(redacted)?api_key=(redacted)"
                + #"{"error":{"kind":"status","message":"movies.details: 404 OK","hints":[],"exitCode":4,"#
                + #""endpoint":"movies.details","method":"GET","#
                + #""url":"https://api.movies.test/3/movie/(redacted)?api_key=(redacted)","status":404,"attempts":1}}"#
                + "\n", code: 4),
    ]

    private static let key = ["MOVIES_KEY": "k3y/k3y"]

    @Test(arguments: typed)
    func path(_ row: Row) async { await row.check() }

    @Test("The password of a proxy, in whatever the proxy says")
    func proxy() async {
        let echo = StubResponse.json(#"{"message":"pr0xyp@ss am9lOnByMHh5cEBzcw== pr0xyp%40ss"}"#, 407, "pr0xyp@ss")
        for proxy in [
            "http://joe:pr0xyp%40ss@proxy.test:1", "joe:pr0xyp@ss@proxy.test:1", "socks5h://joe:pr0xyp%40ss@h",
        ] {
            for name in ["http_proxy", "https_proxy", "all_proxy", "HTTPS_PROXY", "ALL_PROXY"] {
                let outcome = await run(
                    ["call", "echo.ping", "-v", "-i"], variables: [name: proxy], transport: StubTransport(echo))
                for part in ["pr0xyp", "am9lOnBy"] { #expect(!outcome.err.contains(part), "\(name): \(outcome.err)") }
            }
        }
    }

    @Test(
        "A base URL in a variable is not quoted, and of a typed one nothing that may be a secret",
        arguments: [
            "http://h/?api_key=t0k3n-secret", "t0k3n-secret", "ftp://t0k3n-secret/", "http://h/#t0k3n-secret",
            "http://me:t0k3n-secret@h/?a",
        ])
    func baseURL(_ url: String) async {
        let fromVariable = await run(["call", "movies.popular"], variables: ["APICTL_MOVIES_URL": url])
        #expect(fromVariable.code == 2)
        #expect(!fromVariable.err.contains("t0k3n"))
        guard url.contains("?") || url.contains("#") else { return }
        let typed = await run(["call", "movies.popular", "--base-url", url])
        #expect(typed.code == 2)
        #expect(!typed.err.contains("t0k3n"))
    }
}
