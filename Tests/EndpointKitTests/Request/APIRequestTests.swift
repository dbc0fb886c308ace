import TestSupport
import Testing

@testable import EndpointKit

struct APIRequestTests {
    struct Call: Sendable {
        let shop: Shop
        let options: RequestOptions

        init(
            _ shop: Shop, base: String? = nil, variables: [String: String] = ["SHOP_KEY": "s3cret"],
            missing: Credential.MissingPolicy = .fail, headers: [HTTPField] = [], withheld: [String] = [],
            query: [QueryItem] = []
        ) {
            self.shop = shop
            options = RequestOptions(
                base: base.flatMap { try? BaseURL($0) }, variables: { variables[$0] }, missingCredential: missing,
                headers: headers, withheldHeaders: withheld, query: query, boundary: "XX")
        }
    }

    static let product = Shop.Product(title: "Tea & \"cups\"", price: .init(amount: 2.5, currency: "EUR"), tags: ["a"])

    static let calls: [Row<Call, [String]>] = [
        Row(
            "query and API headers", Call(.item(id: 7, page: 2)),
            [
                "GET https://shop.test/v1/items/7?page=2&key=s3cret", "X-Client: kit", "Accept-Language: en",
                "Accept: application/json",
            ]),
        Row(
            "nil parameter", Call(.item(id: -7, page: nil)),
            [
                "GET https://shop.test/v1/items/-7?key=s3cret", "X-Client: kit", "Accept-Language: en",
                "Accept: application/json",
            ]),
        Row(
            "another server", Call(.item(id: 7, page: nil), base: "http://[::1]:8080/mock/"),
            [
                "GET http://[::1]:8080/mock/items/7?key=s3cret", "X-Client: kit", "Accept-Language: en",
                "Accept: application/json",
            ]),
        Row(
            "nested structure as JSON", Call(.create(product: product)),
            [
                "POST https://shop.test/v1/items?key=s3cret", "X-Client: kit", "Accept-Language: en",
                "Accept: application/json", "Content-Type: application/json",
                #"{"title":"Tea & \"cups\"","price":{"amount":2.5,"currency":"EUR"},"tags":["a"]}"#,
            ]),
        Row(
            "form", Call(.login(user: "a b&c", note: nil)),
            [
                "POST https://shop.test/v1/login?key=s3cret", "X-Client: kit", "Accept-Language: en",
                "Accept: application/json", "Content-Type: application/x-www-form-urlencoded", "user=a%20b%26c",
            ]),
        Row(
            "multipart", Call(.upload(title: "t", path: "/tmp/a.png")),
            [
                "PUT https://shop.test/v1/pictures?key=s3cret", "X-Client: kit", "Accept-Language: en",
                "Accept: application/json", "Content-Type: multipart/form-data; boundary=XX",
                "--XX\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nt\r\n--XX\r\n"
                    + "Content-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n"
                    + "Content-Type: application/octet-stream\r\n\r\n<file /tmp/a.png>\r\n--XX--\r\n",
            ]),
        Row(
            "data", Call(.note(text: "hello")),
            [
                "PATCH https://shop.test/v1/note?key=s3cret", "X-Client: kit", "Accept-Language: en",
                "Accept: application/json", "Content-Type: text/plain", "hello",
            ]),
        Row(
            "media types that are set are not set again", Call(.typed),
            [
                "POST https://shop.test/v1/typed?key=s3cret", "content-type: application/vnd.shop+json",
                "ACCEPT: application/vnd.shop+json", "X-Client: kit", "Accept-Language: en", #"{"a":1}"#,
            ]),
        Row(
            "no Accept for bytes", Call(.picture),
            ["GET https://shop.test/v1/picture?key=s3cret", "X-Client: kit", "Accept-Language: en"]),
        Row(
            "Accept without a response body: errors have one", Call(.remove(id: 1)),
            [
                "DELETE https://shop.test/v1/items/1?key=s3cret", "X-Client: kit", "Accept-Language: en",
                "Accept: application/json",
            ]),
        Row(
            "no credentials of its own", Call(.open, variables: [:]),
            [
                "GET https://shop.test/v1/open", "X-Client: kit", "Accept-Language: en", "Accept: application/json",
            ]),
        Row(
            "credentials of its own",
            Call(.account, variables: ["SHOP_USER": "u", "SHOP_PASSWORD": "p", "SHOP_KEY": "s3cret", "SHOP_ORG": "o"]),
            [
                "GET https://shop.test/v1/account", "X-Client: kit", "Accept-Language: en",
                "Authorization: Basic dTpw", "X-Org: o", "Accept: application/json",
            ]),
        Row(
            "the other alternative, an optional credential left out",
            Call(.item(id: 1, page: nil), variables: ["SHOP_TOKEN": "t"]),
            [
                "GET https://shop.test/v1/items/1", "X-Client: kit", "Accept-Language: en", "Authorization: Bearer t",
                "Accept: application/json",
            ]),
        Row(
            "the endpoint's header in place of the API's", Call(.localised(language: "de")),
            [
                "GET https://shop.test/v1/text?q=a%20b&key=s3cret", "accept-language: de", "X-More: 1", "X-Client: kit",
                "Accept: application/json",
            ]),
        Row(
            "a nil header leaves the API's", Call(.localised(language: nil)),
            [
                "GET https://shop.test/v1/text?q=a%20b&key=s3cret", "X-More: 1", "X-Client: kit", "Accept-Language: en",
                "Accept: application/json",
            ]),
        Row(
            "added headers in place of both",
            Call(
                .localised(language: "de"),
                headers: [HTTPField("Accept-Language", "fr"), HTTPField("X-CLIENT", "me"), HTTPField("accept", "*/*")]),
            [
                "GET https://shop.test/v1/text?q=a%20b&key=s3cret", "X-More: 1", "Accept-Language: fr", "X-CLIENT: me",
                "accept: */*",
            ]),
        Row(
            "an added header twice", Call(.open, headers: [HTTPField("X-Client", "1"), HTTPField("X-Client", "2")]),
            [
                "GET https://shop.test/v1/open", "Accept-Language: en", "X-Client: 1", "X-Client: 2",
                "Accept: application/json",
            ]),
        Row(
            "withheld headers",
            Call(.create(product: product), withheld: ["accept", "CONTENT-TYPE", "x-client", "User-Agent"]),
            [
                "POST https://shop.test/v1/items?key=s3cret", "Accept-Language: en",
                #"{"title":"Tea & \"cups\"","price":{"amount":2.5,"currency":"EUR"},"tags":["a"]}"#,
            ]),
        Row(
            "added query items stand behind the endpoint's, credentials last",
            Call(.item(id: 7, page: 2), query: [QueryItem("page", "3"), QueryItem("a b", "&")]),
            [
                "GET https://shop.test/v1/items/7?page=2&page=3&a%20b=%26&key=s3cret", "X-Client: kit",
                "Accept-Language: en", "Accept: application/json",
            ]),
    ]

    @Test(arguments: calls)
    func `A call becomes a request`(_ row: Row<Call, [String]>) throws {
        #expect(try Self.lines(of: row.input.shop.request(row.input.options)) == row.expected)
    }

    /// Everything of a request as it is sent, one line a field.
    static func lines(of request: Request) throws -> [String] {
        let head = "\(request.method) \(try request.revealedURL())"
        let fields = try request.headers.map { "\($0.name): \(try $0.revealedValue())" }
        let body = request.body?.pieces.map { piece in
            switch piece {
            case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
            case .file(let path): "<file \(path)>"
            case .stream: "<stream>"
            }
        }
        return [head] + fields + (body.map { [$0.joined()] } ?? [])
    }

    @Test func `The names of withheld headers are kept`() throws {
        let request = try Shop.open.request(
            RequestOptions(missingCredential: .fail, withheldHeaders: ["User-Agent", "accept"]))
        #expect(request.withheldHeaders == ["User-Agent", "accept"])
    }

    @Test func `A header of the caller replaces the credential`() throws {
        let call = Call(
            .item(id: 1, page: nil), variables: ["SHOP_TOKEN": "t"], headers: [HTTPField("Authorization", "mine")])
        #expect(
            try Self.lines(of: call.shop.request(call.options)) == [
                "GET https://shop.test/v1/items/1", "X-Client: kit", "Accept-Language: en", "Authorization: mine",
                "Accept: application/json",
            ])
    }

    @Test func `A request shows no secret`() throws {
        let request = try Call(.item(id: 7, page: 2)).shop.request(Call(.open).options)
        #expect(request.redactedURL == "https://shop.test/v1/items/7?page=2&key=(redacted)")
        #expect(try request.revealedURL() == "https://shop.test/v1/items/7?page=2&key=s3cret")
        #expect(request.secrets == [Secret(variable: "SHOP_KEY", value: "s3cret")])
        #expect(!"\(request)".contains("s3cret"))
    }

    enum Accounts: String, API {
        case login
        static let api = APIInfo(name: "accounts", servers: [Server("main", url: "https://h.test")])
        static let examples: [Accounts] = [.login]
        var endpoint: Endpoint {
            .get(
                "/login", query: ["user": "ada", "password": "lovelace"], returns: EmptyResponse.self, summary: "Log in"
            )
        }
    }

    @Test func `The value of a query item with the name of a secret is not shown`() throws {
        let request = try Accounts.login.request()
        #expect(request.redactedURL == "https://h.test/login?user=ada&password=(redacted)")
        #expect(try request.revealedURL() == "https://h.test/login?user=ada&password=lovelace")
    }

    @Test func `A request without its credential can be shown`() throws {
        let call = Call(.account, variables: [:], missing: .placeholder)
        let request = try call.shop.request(call.options)
        #expect(request.headers[2].description == "Authorization: Basic (not set: SHOP_USER)")
        #expect(request.secrets.map(\.isSet) == [false, false])
        let query = try Shop.picture.request(call.options)
        #expect(query.redactedURL == "https://shop.test/v1/picture?key=(not set: SHOP_KEY)")
        #expect(throws: MissingCredential(alternatives: [["SHOP_KEY"]])) { try query.revealedURL() }
    }

    @Test func `A query that a server wrote replaces the items`() throws {
        var request = try Shop.picture.request(Call(.picture).options)
        request.verbatimQuery = "a=%20+"
        #expect(try request.revealedURL() == "https://shop.test/v1/picture?a=%20+")
        request.verbatimQuery = ""
        #expect(try request.revealedURL() == "https://shop.test/v1/picture?")
    }

    @Test func `The error names the variables of a missing credential`() {
        let either = MissingCredential(alternatives: [["SHOP_KEY"], ["SHOP_TOKEN"]])
        #expect(throws: RequestError.missingCredential(either)) { try Shop.picture.request() }
        let both = MissingCredential(alternatives: [["SHOP_USER", "SHOP_PASSWORD"]])
        #expect(throws: RequestError.missingCredential(both)) { try Shop.account.request() }
    }

    static let hostile: [Row<Call, RequestError>] = [
        Row(
            "added value", Call(.open, headers: [HTTPField("X", "a\r\nEvil: 1")]), .invalidHeaderValue(name: "X")
        ),
        Row(
            "added name", Call(.open, headers: [HTTPField("X\r\nEvil", "1")]),
            .invalidHeaderName("X\r\nEvil")),
        Row(
            "parameter", Call(.localised(language: "de\nEvil: 1")),
            .invalidHeaderValue(name: "accept-language")),
        // RFC 7617, section 2: no control characters, though base 64 would carry them.
        Row(
            "password", Call(.account, variables: ["SHOP_USER": "u", "SHOP_PASSWORD": "p\nq"]),
            .invalidHeaderValue(name: "Authorization", variable: "SHOP_PASSWORD")),
        Row(
            "secret", Call(.picture, variables: ["SHOP_TOKEN": "t\r\nEvil: 1"]),
            .invalidHeaderValue(name: "Authorization", variable: "SHOP_TOKEN")),
    ]

    @Test(arguments: hostile)
    func `A line break in a header is an error`(_ row: Row<Call, RequestError>) {
        #expect(throws: row.expected) { try row.input.shop.request(row.input.options) }
    }

    enum Homeless: String, API {
        case home
        static let api = APIInfo(name: "homeless", servers: [])
        static let examples = [Homeless.home]
        var endpoint: Endpoint { .get("/", returns: EmptyResponse.self, summary: "Nowhere") }
    }

    enum Lost: String, API {
        case home
        static let api = APIInfo(name: "lost", servers: [Server("main", url: "ftp://h.test")])
        static let examples = [Lost.home]
        var endpoint: Endpoint { .get("/\(rawValue)/\("..")", returns: EmptyResponse.self, summary: "Nowhere") }
    }

    @Test func `An API without a server is an error`() {
        #expect(throws: RequestError.noServer(api: "homeless")) { try Homeless.home.request() }
        #expect(throws: RequestError.invalidServer(name: "main", url: "ftp://h.test", .scheme("ftp"))) {
            try Lost.home.request()
        }
    }

    @Test func `A value of two dots is an error`() throws {
        let base = try BaseURL("http://h.test")
        #expect(throws: RequestError.dotSegment("..")) { try Lost.home.request(RequestOptions(base: base)) }
    }

    @Test func `An API needs only a name and a server`() {
        #expect(Lost.api.summary == "")
        #expect(Lost.api.credentials == [])
        #expect(Lost.api.headers.fields == [])
    }
}
