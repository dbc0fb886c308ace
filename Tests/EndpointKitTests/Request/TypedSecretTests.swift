import EndpointKit
import TestSupport
import Testing

/// Tests of values that a caller gives in place of a credential. They are as secret as the credential.
struct TypedSecretTests {
    struct Given: Sendable {
        var call = Shop.item(id: 1, page: nil)
        var headers: [HTTPField] = []
        var query: [QueryItem] = []
        var fallback: [HTTPField] = []
        var withheld: [String] = []
        var variables: [String: String] = [:]
    }

    /// The request as it is sent, and as it is shown.
    struct Lines: Sendable, Equatable {
        var sent: [String]
        var shown: [String]
    }

    private static let basic = HTTPField(
        "Authorization",
        SensitiveText([.text("Basic "), .basic(user: Secret("ada"), password: Secret("lovelace"))]))

    static let rows: [Row<Given, Lines>] = [
        Row(
            "a query item", Given(query: [QueryItem("key", "a b"), QueryItem("other", "c")]),
            Lines(
                sent: ["https://shop.test/v1/items/1?key=a%20b&other=c"],
                shown: ["https://shop.test/v1/items/1?key=(redacted)&other=c"])),
        Row(
            "a query item where the endpoint has no credentials", Given(call: .open, query: [QueryItem("key", "ab")]),
            Lines(
                sent: ["https://shop.test/v1/open?key=ab"], shown: ["https://shop.test/v1/open?key=(redacted)"])),
        Row(
            "a field",
            Given(call: .account, headers: [HTTPField("x-org", "mine"), HTTPField("authorization", "Bearer b")]),
            Lines(
                sent: ["https://shop.test/v1/account", "x-org: mine", "authorization: Bearer b"],
                shown: ["https://shop.test/v1/account", "x-org: (redacted)", "authorization: (redacted)"])),
        Row(
            "a fallback in the place of a credential that is not set", Given(fallback: [basic]),
            Lines(
                sent: ["https://shop.test/v1/items/1", "Authorization: Basic YWRhOmxvdmVsYWNl"],
                shown: ["https://shop.test/v1/items/1", "Authorization: Basic (redacted)"])),
        Row(
            "a fallback beside a credential of another kind",
            Given(fallback: [basic], variables: ["SHOP_KEY": "k"]),
            Lines(
                sent: ["https://shop.test/v1/items/1?key=k", "Authorization: Basic YWRhOmxvdmVsYWNl"],
                shown: ["https://shop.test/v1/items/1?key=(redacted)", "Authorization: Basic (redacted)"])),
        Row(
            "no fallback where a credential is set", Given(fallback: [basic], variables: ["SHOP_TOKEN": "t"]),
            Lines(
                sent: ["https://shop.test/v1/items/1", "Authorization: Bearer t"],
                shown: ["https://shop.test/v1/items/1", "Authorization: Bearer (redacted)"])),
        Row(
            "no fallback where a field is added",
            Given(headers: [HTTPField("authorization", "mine")], fallback: [basic]),
            Lines(
                sent: ["https://shop.test/v1/items/1", "authorization: mine"],
                shown: ["https://shop.test/v1/items/1", "authorization: (redacted)"])),
        Row(
            "no fallback where the field is withheld", Given(fallback: [basic], withheld: ["AUTHORIZATION"]),
            Lines(sent: ["https://shop.test/v1/items/1"], shown: ["https://shop.test/v1/items/1"])),
        Row(
            "a fallback where nothing is signed", Given(call: .open, fallback: [basic]),
            Lines(
                sent: ["https://shop.test/v1/open", "Authorization: Basic YWRhOmxvdmVsYWNl"],
                shown: ["https://shop.test/v1/open", "Authorization: Basic (redacted)"])),
    ]

    @Test func `A printed request has no secret`() throws {
        var request = try Shop.open.request(RequestOptions())
        request.headers = [HTTPField("Cookie", "sid=T0KEN")]
        request.query = [QueryItem("key", SensitiveText([.secret(Secret("k3y"))]))]
        request.verbatimQuery = "key=k3y"
        #expect("\(request)" == "GET https://shop.test/v1/open?key=(redacted)\nCookie: (redacted)")
    }

    @Test(arguments: rows)
    func `A value in place of a credential is secret`(_ row: Row<Given, Lines>) throws {
        let given = row.input
        let request = try given.call.request(
            RequestOptions(
                variables: { given.variables[$0] }, missingCredential: .fail, headers: given.headers,
                withheldHeaders: given.withheld,
                query: given.query, fallbackHeaders: given.fallback))
        let usual = ["Accept", "Accept-Language", "X-Client"]
        let headers = request.headers.filter { !usual.contains($0.name) }
        let sent = [try request.revealedURL()] + (try headers.map { "\($0.name): \(try $0.revealedValue())" })
        #expect(Lines(sent: sent, shown: [request.redactedURL] + headers.map(\.description)) == row.expected)
    }

    @Test func `A fallback header does not replace a credential in the query`() {
        let missing = MissingCredential(alternatives: [["SHOP_ORG_KEY"]])
        #expect(throws: RequestError.missingCredential(missing)) {
            try Locked.door.request(RequestOptions(missingCredential: .fail, fallbackHeaders: [Self.basic]))
        }
    }

    /// An API whose credential is a query item only.
    private enum Locked: API {
        case door

        static let api = APIInfo(
            name: "locked",
            servers: [Server("production", url: "https://locked.test")],
            credentials: [.query("k", variable: "SHOP_ORG_KEY")])
        static let examples: [Locked] = [.door]

        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "A door") }
    }
}
