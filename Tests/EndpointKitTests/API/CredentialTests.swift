import TestSupport
import Testing

@testable import EndpointKit

struct CredentialTests {
    static let keyOrToken = Credential.query("api_key", variable: "KEY").or(.bearer(variable: "TOKEN"))
    static let pair = Credential.basic(userVariable: "USER", passwordVariable: "PASSWORD")

    struct Setting: Sendable {
        let credential: Credential
        let variables: [String: String]
        var missing: Credential.MissingPolicy = .fail
    }

    static let keyScheme = Credential.query("api_key", variable: "KEY").alternatives[0]
    static let tokenScheme = Credential.bearer(variable: "TOKEN").alternatives[0]
    static let pairScheme = Credential.basic(userVariable: "USER", passwordVariable: "PASSWORD").alternatives[0]

    static let schemes: [Row<Setting, Credential.Scheme?>] = [
        Row("first of two", Setting(credential: keyOrToken, variables: ["KEY": "k"]), keyScheme),
        Row("second of two", Setting(credential: keyOrToken, variables: ["TOKEN": "t"]), tokenScheme),
        Row("both set: the first", Setting(credential: keyOrToken, variables: ["KEY": "k", "TOKEN": "t"]), keyScheme),
        Row("empty is not set", Setting(credential: keyOrToken, variables: ["KEY": "", "TOKEN": "t"]), tokenScheme),
        Row("a space is set", Setting(credential: keyOrToken, variables: ["KEY": " "]), keyScheme),
        Row("pair", Setting(credential: pair, variables: ["USER": "u", "PASSWORD": "p"]), pairScheme),
        Row("optional and set", Setting(credential: keyOrToken.optional, variables: ["TOKEN": "t"]), tokenScheme),
        Row("optional and not set", Setting(credential: keyOrToken.optional, variables: [:]), nil),
        Row("optional and empty", Setting(credential: pair.optional, variables: ["USER": "u", "PASSWORD": ""]), nil),
        Row(
            "optional needs no placeholder",
            Setting(credential: keyOrToken.optional, variables: [:], missing: .placeholder), nil),
        Row("placeholder", Setting(credential: keyOrToken, variables: [:], missing: .placeholder), keyScheme),
        Row(
            "no placeholder where one is set",
            Setting(credential: keyOrToken, variables: ["TOKEN": "t"], missing: .placeholder), tokenScheme),
    ]

    @Test(arguments: schemes)
    func `The first alternative that is set is used`(_ row: Row<Setting, Credential.Scheme?>) throws {
        let scheme = try row.input.credential.chooseScheme(
            variables: { row.input.variables[$0] }, ifMissing: row.input.missing)
        #expect(scheme == row.expected)
    }

    static let missing: [Row<Setting, [[String]]>] = [
        Row("one", Setting(credential: .bearer(variable: "TOKEN"), variables: [:]), [["TOKEN"]]),
        Row("empty", Setting(credential: .bearer(variable: "TOKEN"), variables: ["TOKEN": ""]), [["TOKEN"]]),
        Row("alternatives", Setting(credential: keyOrToken, variables: [:]), [["KEY"], ["TOKEN"]]),
        Row("half a pair", Setting(credential: pair, variables: ["USER": "u"]), [["USER", "PASSWORD"]]),
        Row(
            "a pair or a token", Setting(credential: pair.or(.bearer(variable: "TOKEN")), variables: [:]),
            [["USER", "PASSWORD"], ["TOKEN"]]),
    ]

    @Test(arguments: missing)
    func `The error names the variables of all alternatives`(_ row: Row<Setting, [[String]]>) {
        #expect(throws: MissingCredential(alternatives: row.expected)) {
            try row.input.credential.chooseScheme(variables: { row.input.variables[$0] }, ifMissing: .fail)
        }
    }

    static let signed: [Row<Credential, String>] = [
        Row("query", .query("api_key", variable: "KEY"), "https://h.test/a?x=1&api_key=k%20%2B []"),
        Row("header", .header("X-Key", variable: "KEY"), "https://h.test/a?x=1 [X-Key: k +]"),
        Row("prefix", .header("X-Key", prefix: "Token ", variable: "KEY"), "https://h.test/a?x=1 [X-Key: Token k +]"),
        Row("bearer", .bearer(variable: "KEY"), "https://h.test/a?x=1 [Authorization: Bearer k +]"),
        Row(
            "basic", .basic(userVariable: "USER", passwordVariable: "KEY"),
            "https://h.test/a?x=1 [Authorization: Basic dTprICs=]"),
        Row("cookie", .cookie("sid", variable: "KEY"), "https://h.test/a?x=1 [Cookie: sid=k +]"),
    ]

    @Test(arguments: signed)
    func `A credential is added to the request`(_ row: Row<Credential, String>) throws {
        let variables = ["KEY": "k +", "USER": "u"]
        var request = Request(.get, try BaseURL("https://h.test"), path: "/a", query: [QueryItem("x", "1")])
        let scheme = try #require(try row.input.chooseScheme(variables: { variables[$0] }, ifMissing: .fail))
        scheme.addCredential(to: &request, options: RequestOptions(variables: { variables[$0] }))
        let headers = try request.headers.map { "\($0.name): \(try $0.revealedValue())" }
        #expect("\(try request.revealedURL()) [\(headers.joined(separator: ", "))]" == row.expected)
        let values = ["k +", "k%20", "dTprICs="]
        for value in values { #expect(!"\(request)\(request.redactedURL)".contains(value)) }
    }

    @Test func `Cookies are joined in one header`() throws {
        var request = Request(.get, try BaseURL("https://h.test"), path: "/a")
        request.headers = [HTTPField("cookie", "theme=dark")]
        let options = RequestOptions(variables: { $0.lowercased() })
        for name in ["A", "B"] {
            Credential.cookie(name, variable: name).alternatives[0].addCredential(to: &request, options: options)
        }
        #expect(try request.headers.map { try $0.revealedValue() } == ["theme=dark; A=a; B=b"])
        #expect(request.headers.map(\.description) == ["cookie: (redacted); A=(redacted); B=(redacted)"])
    }

    enum Staged: API {
        case get

        static let api = APIInfo(
            name: "staged",
            servers: [
                Server("main", url: "https://h.test"),
                Server("staging", url: "https://staging.test/v2", credentials: [.bearer(variable: "STAGING")]),
            ],
            credentials: [Credential.bearer(variable: "MAIN")])
        static let examples = [Staged.get]
        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "") }
    }

    @Test(
        "A server has its own credentials however its URL is spelled",
        arguments: [
            ("https://staging.test/v2", "STAGING"), ("HTTPS://Staging.test:443/v2/", "STAGING"),
            ("https://staging.test", "MAIN"), ("https://staging.test:8443/v2", "MAIN"),
            ("http://staging.test/v2", "MAIN"),
        ])
    func servers(_ url: String, _ variable: String) throws {
        let credentials = Staged.requestBuilder.credentials(of: Staged.get.endpoint, at: try BaseURL(url))
        #expect(credentials == [.bearer(variable: variable)])
    }

    @Test func `A credential whose variables are not set is added without a value`() throws {
        var request = Request(.get, try BaseURL("https://h.test"), path: "/a")
        Self.pairScheme.addCredential(to: &request, options: RequestOptions(variables: { $0 == "USER" ? "" : nil }))
        #expect(request.secrets == [Secret(variable: "USER", value: nil), Secret(variable: "PASSWORD", value: nil)])
    }
}
