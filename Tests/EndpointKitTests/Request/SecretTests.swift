import EndpointKit
import TestSupport
import Testing

/// Tests that no value shows a secret that it holds, however it is printed.
struct SecretTests {
    static let value = "hunter2"
    /// `user:hunter2` in base 64.
    static let encoded = "dXNlcjpodW50ZXIy"

    static let secret = Secret(variable: "TOKEN", value: value)
    static let text = SensitiveText([
        .text("Bearer "), .secret(secret), .basic(user: Secret(variable: "USER", value: "user"), password: secret),
    ])
    static let request: Request = {
        var request = Request(.get, base, path: "/a", query: [QueryItem("key", text)], headers: [HTTPField("X", text)])
        request.withheldHeaders = ["User-Agent"]
        return request
    }()
    static let base: BaseURL = {
        do { return try BaseURL("https://h.test") } catch { preconditionFailure("\(error)") }
    }()

    static let holders: [Row<any Sendable, String>] = [
        Row("secret", secret, "TOKEN"),
        Row("optional secret", Optional(secret), "TOKEN"),
        Row("text", text, "Bearer "),
        Row("piece", SensitiveText.Piece.secret(secret), "TOKEN"),
        Row("basic piece", SensitiveText.Piece.basic(user: secret, password: secret), "TOKEN"),
        Row("header", HTTPField("X", text), "X"),
        Row("query item", QueryItem("key", text), "key"),
        Row("headers", Headers([HTTPField("X", text)]), "X"),
        Row("query", Endpoint.Query([QueryItem("key", text)]), "Query"),
        Row("request", request, "h.test"),
        Row("options", RequestOptions(headers: [HTTPField("X", text)], query: [QueryItem("key", text)]), "key"),
        Row("list", [secret, secret], "TOKEN"),
        Row("dictionary", ["a": secret], "TOKEN"),
    ]

    @Test(arguments: holders)
    func `Printing never shows the value of a secret`(_ row: Row<any Sendable, String>) {
        var dumped = ""
        dump(row.input, to: &dumped)
        #expect(dumped.contains(row.expected), "the dump shows something")
        for shown in [String(describing: row.input), String(reflecting: row.input), "\(row.input)", dumped] {
            #expect(!shown.contains(Self.value))
            #expect(!shown.contains(Self.encoded))
        }
        #expect(!Self.leaves(of: row.input).contains(Self.value))
    }

    @Test func `A secret prints as redacted`() {
        #expect("\(Self.secret)" == "(redacted)")
        #expect(String(reflecting: Self.secret) == "(redacted)")
        #expect(
            Mirror(reflecting: Self.secret).children.map { "\($0.label ?? ""): \($0.value)" } == ["variable: TOKEN"])
    }

    /// Returns every string in the mirror of `value` and, recursively, in the mirrors of its children.
    private static func leaves(of value: Any) -> [String] {
        let children = Mirror(reflecting: value).children
        let own = (value as? String).map { [$0] } ?? []
        return own + children.flatMap { leaves(of: $0.value) }
    }
}
