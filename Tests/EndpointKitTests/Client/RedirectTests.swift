import TestSupport
import Testing

@testable import EndpointKit

struct RedirectTests {
    struct Step: Sendable {
        let status: Int
        let method: HTTPMethod
    }

    static let methods: [Row<Step, HTTPMethod>] = [
        (301, .get, .get), (302, .get, .get), (303, .get, .get), (307, .get, .get), (308, .get, .get),
        (301, .post, .get), (302, .post, .get), (303, .post, .get), (307, .post, .post), (308, .post, .post),
        (301, .head, .head), (302, .head, .head), (303, .head, .head), (307, .head, .head), (308, .head, .head),
        (301, .put, .put), (302, .put, .put), (303, .put, .get), (307, .put, .put), (308, .put, .put),
        (301, .delete, .delete), (303, .delete, .get), (307, .delete, .delete),
    ].map { status, method, expected in
        Row("\(status) \(method)", Step(status: status, method: method), expected)
    }

    static func request(
        _ method: HTTPMethod = .get, _ base: String = "https://a.test/v1", headers: [HTTPField] = [],
        query: [QueryItem] = [],
        body: RequestBody? = nil
    ) throws -> Request {
        Request(method, try BaseURL(base), path: "/x/y", query: query, headers: headers, body: body)
    }

    @Test(arguments: methods)
    func `The status of a redirect decides about the method`(_ row: Row<Step, HTTPMethod>) throws {
        let body = row.input.method == .get || row.input.method == .head ? nil : RequestBody(bytes: "{}".bytes)
        let accept = HTTPField("Accept", "a/b")
        let headers = [accept] + (body == nil ? [] : [HTTPField("content-type", "application/json")])
        let request = try Self.request(row.input.method, headers: headers, body: body)
        let next = try #require(try request.redirected(by: Self.head(row.input.status, "/z")))
        #expect(next.method == row.expected)
        let keeps = row.expected == row.input.method
        #expect(next.body == (keeps ? body : nil))
        #expect(next.headers == (keeps ? headers : [accept]))
    }

    /// The rule comes from RFC 9110, section 15.4.
    @Test func `Headers that describe the body are removed with it`() throws {
        let names = ["Content-Encoding", "Content-Language", "Content-Location", "Content-Length"]
        let request = try Self.request(.post, headers: names.map { HTTPField($0, "1") }, body: RequestBody(bytes: [1]))
        let next = try #require(try request.redirected(by: Self.head(302, "/z")))
        #expect(next.headers == [])
    }

    static func head(_ status: Int, _ location: String?) -> ResponseHead {
        ResponseHead(status: status, fields: location.map { [.init("Location", $0)] } ?? [])
    }

    @Test(arguments: [200, 201, 300, 304, 305, 306, 404])
    func `A response with another status is not a redirect`(_ status: Int) throws {
        #expect(try Self.request().redirected(by: Self.head(status, "/z")) == nil)
    }

    @Test func `A response without a location is not a redirect`() throws {
        #expect(try Self.request().redirected(by: Self.head(302, nil)) == nil)
        #expect(try Self.request().redirected(by: Self.head(302, "")) == nil)
    }

    /// Locations, and the URLs to which they redirect `https://a.test/v1/x/y?q=1`.
    static let places: [Row<String, String>] = [
        Row("absolute", "https://a.test/z", "https://a.test/z"),
        Row("absolute path", "/z", "https://a.test/z"),
        Row("relative", "z", "https://a.test/v1/x/z"),
        Row("upwards", "../z", "https://a.test/v1/z"),
        Row("beyond the root", "../../../../z", "https://a.test/z"),
        Row("query", "?page=2", "https://a.test/v1/x/y?page=2"),
        Row("query as it is", "/z?a=%20+b&c=%2B", "https://a.test/z?a=%20+b&c=%2B"),
        Row("empty query", "/z?", "https://a.test/z?"),
        Row("fragment is dropped", "/z?a=1#top", "https://a.test/z?a=1"),
        Row("another host", "https://b.test/z", "https://b.test/z"),
        Row("another host, same scheme", "//b.test/z", "https://b.test/z"),
        Row("host alone", "https://b.test", "https://b.test/"),
        Row("case of the scheme", "HTTPS://b.test/z", "https://b.test/z"),
        Row("port", "https://a.test:8443/z", "https://a.test:8443/z"),
        Row("IPv6", "http://[::1]:8080/z", "http://[::1]:8080/z"),
        Row("user and password are dropped", "https://me:pass@a.test/z", "https://a.test/z"),
        Row("space", "/a b?c d", "https://a.test/a%20b?c%20d"),
        Row("text beyond ASCII", "/é", "https://a.test/%C3%A9"),
        Row("raw bytes", "/" + String(exactBytes: [0xFF]), "https://a.test/%FF"),
        Row("line break", "/a\r\nEvil: 1", "https://a.test/a%0D%0AEvil:%201"),
        Row("NUL", "/a\0b", "https://a.test/a%00b"),
        Row("encoded slash stays", "/a%2Fb", "https://a.test/a%2Fb"),
        Row("half an escape", "/100%", "https://a.test/100%25"),
        Row("brackets", "/a?b[]=1", "https://a.test/a?b%5B%5D=1"),
        Row("brackets and an escape", "/a?b[c]=x%20y", "https://a.test/a?b%5Bc%5D=x%20y"),
        Row("quote and an escape", "/a?b=\"%20", "https://a.test/a?b=%22%20"),
        Row("raw bytes, a bar and an escape", "/café?q=%C3%A9|x", "https://a.test/caf%C3%A9?q=%C3%A9%7Cx"),
        Row("brackets behind a host", "//b.test?c[]=[::1]", "https://b.test/?c%5B%5D=%5B::1%5D"),
        Row("backslash", "/a\\b", "https://a.test/a%5Cb"),
        Row("escape cut off at the end", "/a%2", "https://a.test/a%252"),
        Row("two fragments", "/a#b#c", "https://a.test/a"),
        Row("fragment that looks like a host", "/a#//b.test/[", "https://a.test/a"),
        Row("slashes within a path", "/a//b.test[/c", "https://a.test/a//b.test%5B/c"),
    ]

    @Test(arguments: places)
    func `A location is resolved against the URL of the request`(_ row: Row<String, String>) throws {
        let request = try Self.request(query: [QueryItem("q", "1")])
        let next = try #require(try request.redirected(by: Self.head(302, row.input)))
        #expect(try next.revealedURL() == row.expected)
    }

    static let forbidden: [Row<String, String>] = [
        Row("file", "file:///etc/passwd", "https://a.test/v1 redirects to file:, which is not followed"),
        Row("ftp", "ftp://b.test/", "https://a.test/v1 redirects to ftp:, which is not followed"),
        Row("javascript", "javascript:alert(1)", "https://a.test/v1 redirects to javascript:, which is not followed"),
        Row("data", "data:text/plain,x", "https://a.test/v1 redirects to data:, which is not followed"),
        Row("no host", "https://", "https://a.test/v1 redirects to an invalid URL"),
        Row("port out of range", "https://b.test:65536/", "https://a.test/v1 redirects to an invalid URL"),
        Row("port that is no number", "https://b.test:x/", "https://a.test/v1 redirects to an invalid URL"),
        Row("no address in a bracket", "http://[bad/", "https://a.test/v1 redirects to an invalid URL"),
        Row("unclosed bracket", "http://[::1/", "https://a.test/v1 redirects to an invalid URL"),
    ]

    @Test(arguments: forbidden)
    func `An invalid location is an error`(_ row: Row<String, String>) throws {
        let request = try Self.request()
        let error = #expect(throws: TransportError.self) { try request.redirected(by: Self.head(302, row.input)) }
        #expect(error?.message == row.expected)
    }

    @Test func `A port of many digits is an error`() throws {
        let request = try Self.request()
        #expect(throws: TransportError.self) {
            try request.redirected(by: Self.head(302, "https://b.test:99999999999999999999999/"))
        }
    }

    static let secret = SensitiveText([.text("Bearer "), .secret(Secret(variable: "TOKEN", value: "hunter2"))])
    static let headers = [
        HTTPField("X-Client", "kit"), HTTPField("X-Key", secret), HTTPField("AUTHORIZATION", "Basic mine"),
        HTTPField("Cookie", "a=1"), HTTPField("proxy-authorization", "Basic am9lOnMzY3JldHB3"),
        HTTPField("Host", "a.test"), HTTPField("Accept", "a/b"),
    ]

    static let origins: [Row<String, [String]>] = [
        Row(
            "same origin", "/z",
            ["X-Client", "X-Key", "AUTHORIZATION", "Cookie", "proxy-authorization", "Host", "Accept"]),
        Row(
            "default port written out", "https://A.test:443/z",
            ["X-Client", "X-Key", "AUTHORIZATION", "Cookie", "proxy-authorization", "Host", "Accept"]),
        Row("another host", "https://b.test/z", ["Accept"]),
        Row("another host without a scheme", "//b.test/z", ["Accept"]),
        Row("subdomain", "https://b.a.test/z", ["Accept"]),
        Row("another port", "https://a.test:444/z", ["Accept"]),
        Row("this host as a user", "https://a.test@b.test/z", ["Accept"]),
    ]

    @Test(arguments: origins)
    func `Secrets are not sent to another origin`(_ row: Row<String, [String]>) throws {
        let request = try Self.request(headers: Self.headers, query: [QueryItem("key", Self.secret)])
        let next = try #require(try request.redirected(by: Self.head(307, row.input)))
        #expect(next.headers.map(\.name) == row.expected)
        #expect(!(try next.revealedURL()).contains("hunter2"))
    }

    /// Locations in which a server repeats the key `k3y/s3cret+1` in some spelling.
    static let carriers = [
        "https://b.test/?key=k3y/s3cret+1", "https://b.test/?key=k3y%2Fs3cret%2B1",
        "https://b.test/?a=1;key=k3y%2fs3cret%2b1",
        "https://b.test/k3y%2Fs3cret+1/x",
        "https://b.test/k3y/s3cret+1", "https://b.test/?k3y/s3cret+1",
        "https://b.test/?key=prefix-k3y%2Fs3cret%2B1-suffix",
        "https://b.test/?t=azN5L3MzY3JldCsx", "//b.test/k3y%2Fs3cret%2B1",
        "https://b.test/\"k3y\\/s3cret+1\"",
    ]

    @Test(arguments: carriers)
    func `A location that repeats a secret in any spelling is an error`(_ location: String) throws {
        let key = SensitiveText([.secret(Secret(variable: "KEY", value: "k3y/s3cret+1"))])
        let request = try Self.request(query: [QueryItem("key", key)])
        #expect(
            throws: TransportError(
                .unsafeRedirect, server: TransportError.Peer(host: "a.test", port: 443, usesTLS: true),
                detail: "https://a.test/v1 redirects a credential to another origin: https://b.test")
        ) {
            try request.redirected(by: Self.head(302, location))
        }
        // A redirect to the same origin keeps the secret.
        let own = location.replacing("https://b.test", with: "").replacing("//b.test", with: "")
        let next = try #require(try request.redirected(by: Self.head(302, own)))
        // A second redirect must not take it to another origin either.
        #expect(throws: TransportError.self) { try next.redirected(by: Self.head(302, location)) }
    }

    @Test("A key is found even if its end would be the fragment of the location")
    func aKeyUpToTheFragment() throws {
        let key = SensitiveText([.secret(Secret(variable: "KEY", value: "k3y-s3cret#tail1"))])
        let request = try Self.request(query: [QueryItem("key", key)])
        let error = #expect(throws: TransportError.self) {
            try request.redirected(by: Self.head(302, "https://b.test/?key=k3y-s3cret#tail1"))
        }
        #expect(error?.detail == "https://a.test/v1 redirects a credential to another origin: https://b.test")
    }

    @Test func `A secret in the host or the body is not sent to another origin`() throws {
        let key = SensitiveText([.secret(Secret(variable: "KEY", value: "K3ys3cret"))])
        let request = try Self.request(
            .post, headers: [HTTPField("Authorization", key)], body: RequestBody(bytes: "{\"key\":\"K3ys3cret\"}".bytes)
        )
        let error = #expect(throws: TransportError.self) {
            try request.redirected(by: Self.head(302, "https://k3ys3cret.b.test/"))
        }
        #expect(
            error?.detail == "https://a.test/v1 redirects a credential to another origin: https://(redacted).b.test")
        #expect(throws: TransportError.self) { try request.redirected(by: Self.head(307, "https://b.test/")) }
        #expect(try request.redirected(by: Self.head(303, "https://b.test/")) != nil)
    }

    @Test func `Headers of any name that could be credentials are not sent to another origin`() throws {
        let names = [
            "X-Auth-Key", "Ocp-Apim-Subscription-Key", "X-Auth", "X-Session-Id", "Authentication",
            "X-Client",
            "Referer", "Origin",
            "Foo",
        ]
        let request = try Self.request(headers: (names + ["Accept", "User-Agent"]).map { HTTPField($0, "v4lue") })
        let next = try #require(try request.redirected(by: Self.head(302, "https://b.test/")))
        #expect(next.headers.map(\.name) == ["Accept", "User-Agent"])
    }

    @Test func `The client certificate is only for the first origin`() async throws {
        let stub = StubTransport(
            .redirect(302, "/b"), .redirect(302, "https://other.test/c"), .redirect(302, "https://shop.test/d"),
            .json("{}"))
        let connection = ConnectionOptions(
            certificateAuthorities: "ca", clientCertificate: "c", clientKey: "k", keyPassphrase: Secret("p"))
        var client = Client(transport: stub, variables: [:])
        client.transfer.connection = connection
        _ = try await client.send(Shop.open)
        let anonymous = ConnectionOptions(certificateAuthorities: "ca")
        #expect(stub.connections == [connection, connection, anonymous, connection])
        _ = stub.done()
    }

    @Test func `A change from http to https is a change of the origin`() throws {
        let request = try Self.request(.get, "http://a.test", headers: Self.headers)
        let next = try #require(try request.redirected(by: Self.head(301, "https://a.test/x/y")))
        #expect(next.headers.map(\.name) == ["Accept"])
    }

    @Test func `A request with credentials is not redirected to plain http`() throws {
        let request = try Self.request(headers: [HTTPField("X-Key", Self.secret)])
        let error = #expect(throws: TransportError.self) {
            try request.redirected(by: Self.head(302, "http://a.test/z"))
        }
        #expect(
            error?.message == "https://a.test/v1 redirects a request with credentials to plain http: http://a.test")
    }

    @Test func `A request without credentials may be redirected to plain http`() throws {
        let next = try #require(try Self.request().redirected(by: Self.head(302, "http://a.test/z")))
        #expect(next.base.text == "http://a.test")
    }

    @Test func `A request with credentials in the query is not redirected to plain http`() throws {
        let request = try Self.request(query: [QueryItem("key", Self.secret)])
        #expect(throws: TransportError.self) {
            try request.redirected(by: Self.head(302, "http://a.test/z?key=Bearer%20hunter2"))
        }
    }

    @Test func `Redirects are followed up to the final response`() async throws {
        let stub = StubTransport(
            .redirect(301, "/b"), .redirect(307, "https://other.test/c?d=1"), .json(#"{"id":1}"#))
        let client = Client(transport: stub, variables: ClientTests.secrets)
        let item = try await client.send(Shop.create(product: APIRequestTests.product), as: Shop.Item.self)
        #expect(item == Shop.Item(id: 1))
        let requests = stub.done()
        #expect(
            try requests.map { "\($0.method) \(try $0.revealedURL())" } == [
                "POST https://shop.test/v1/items?key=hunter2", "GET https://shop.test/b",
                "GET https://other.test/c?d=1",
            ])
    }

    @Test func `A loop of redirects ends with an error`() async throws {
        let stub = StubTransport(Array(repeating: .redirect(302, "/v1/open"), count: 3))
        var client = Client(transport: stub, variables: [:])
        client.maxRedirects = 2
        let error = await #expect(throws: TransportError.self) { try await client.send(Shop.open) }
        #expect(
            error?.message
                == "more than 2 redirects, in a loop: https://shop.test/v1/open → https://shop.test/v1/open")
        #expect(stub.done().count == 3)
    }

    @Test func `Ten redirects are followed by default`() async throws {
        let stub = StubTransport(Array(repeating: .redirect(302, "/a"), count: 10) + [.json("{}")])
        _ = try await Client(transport: stub, variables: [:]).send(Shop.open)
        #expect(stub.done().count == 11)
        let eleven = StubTransport(Array(repeating: .redirect(302, "/a"), count: 11))
        await #expect(throws: TransportError.self) {
            try await Client(transport: eleven, variables: [:]).send(Shop.open)
        }
        #expect(eleven.done().count == 11)
    }

    @Test func `With a limit of 0, a redirect is returned as the response`() async throws {
        let stub = StubTransport(.redirect(302, "file:///etc/passwd"))
        var client = Client(transport: stub, variables: [:])
        client.maxRedirects = 0
        #expect(try await client.rawResponse(to: Shop.open).head.status == 302)
        #expect(stub.done().count == 1)
    }

    @Test func `A location that must not be followed ends the call`() async throws {
        let stub = StubTransport(.redirect(302, "file:///etc/passwd"))
        let error = await #expect(throws: TransportError.self) {
            try await Client(transport: stub, variables: [:]).send(Shop.open)
        }
        #expect(error?.cause == .unsafeRedirect)
        #expect(stub.done().count == 1)
    }
}
