import EndpointKit
import Testing

/// `-q`: nothing is printed except errors in the command line.
struct QuietTests {

    private static func quiet(
        _ id: String, _ words: String, variables: [String: String] = testVariables, response: StubResponse? = nil,
        code: Int32
    ) -> Row {
        Row(id, "call \(words) -q", variables: variables, response: response, terminal: [.stdout, .stderr], code: code)
    }

    static let rows: [Row] = [
        quiet("success", "movies.details 1 -i", response: .json(#"{"id":1,"title":"t"}"#), code: 0),
        quiet("binary", "movies.poster 1", response: .typed("image/png", "\0"), code: 0),
        quiet("redirect", "movies.popular --max-redirects 0", response: .empty(302, "Found"), code: 3),
        quiet("refused", "movies.popular -i", response: .json(#"{"message":"no"}"#, 401, "No"), code: 4),
        quiet("server's fault", "movies.popular --raw", response: .typed("text/html", "<p>", 500, "Oops"), code: 5),
        quiet("transfer", "movies.popular", response: .failing(.notConnected), code: 6),
        quiet("no JSON", "movies.popular -i", response: .json("<html>"), code: 8),
        quiet(
            "reported by the response", "movies.rate 5 --rating.value 8", response: .json(#"{"status":"NO"}"#), code: 8),
        quiet("file that can't be read", "movies.rate 5 --rating @gone.json", code: 1),
        quiet("file that can't be written", "movies.popular -o gone/f", code: 1),
        wrong("call movies.popular -q --page two", "--page (argument 4): expected an integer, got 'two'"),
    ]

    @Test(arguments: rows)
    func quiet(_ row: Row) async { await row.check() }
}
