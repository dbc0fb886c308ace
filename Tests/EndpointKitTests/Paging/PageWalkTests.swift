import JSONText
import TestSupport
import Testing

@testable import EndpointKit

/// Tests of the request of the next page, for each way of declaring pages.
struct PageWalkTests {
    private static let key = QueryItem("key", SensitiveText([.secret(Secret(variable: "KEY", value: "k3y&"))]))

    private static func request(_ query: [QueryItem]) throws -> Request {
        Request(.get, try BaseURL("https://api.test/v1"), path: "/items", query: query)
    }

    /// A page and the request that follows it.
    struct Step: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let paging: Paging
        /// The query of the page's request.
        var query: [QueryItem] = []
        /// The headers of the page's response.
        var headers: [HTTPField] = []
        /// The body of the page's response.
        let body: String
        /// The URL of the next request; nil if the page is the last one.
        let url: String?
        /// The query items of the next request that differ.
        var next: [String] = []

        init(
            _ id: String, _ paging: Paging, query: [QueryItem] = [], headers: [(String, String)] = [], _ body: String,
            _ url: String?, next: [String] = []
        ) {
            testDescription = id
            self.paging = paging
            self.query = query
            self.headers = headers.map { .init($0.0, $0.1) }
            self.body = body
            self.url = url
            self.next = next
        }
    }

    private static let number = Paging.number("page", last: "total", items: "data.list")
    private static let offset = Paging.offset("offset", limit: "limit", total: "meta.total", items: "list")
    private static let cursor = Paging.cursor("token", from: "meta.next", items: "list")
    private static let lastItem = Paging.cursor("after", from: "data.id", more: "more", items: "data")
    private static let bodyLink = Paging.link(from: "meta.next", items: "calls")
    private static let start = "https://api.test/v1/items?"

    static let steps: [Step] = [
        Step("the second page", number, #"{"data":{"list":[1]},"total":3}"#, start + "page=2", next: ["page=2"]),
        Step(
            "in the place of the number", number,
            query: [.init("page", "2"), key, .init("page", "2"), .init("a", "b")],
            #"{"data":{"list":[1]},"total":3}"#, start + "page=3&key=k3y%26&a=b", next: ["page=3"]),
        Step("the last page", number, query: [.init("page", "3")], #"{"data":{"list":[1]},"total":3}"#, nil),
        Step("without items", number, #"{"data":{"list":[]},"total":3}"#, start + "page=2", next: ["page=2"]),
        Step("without items and a total", number, #"{"data":{"list":[]}}"#, nil),
        Step("without a total", number, #"{"data":{"list":[1]}}"#, start + "page=2", next: ["page=2"]),
        Step(
            "the greatest page number", number, query: [.init("page", "9223372036854775807")],
            #"{"data":{"list":[1]}}"#, nil),
        Step(
            "after the first items", offset, query: [.init("limit", "2")], #"{"list":[1,2],"meta":{"total":5}}"#,
            start + "limit=2&offset=2", next: ["offset=2"]),
        Step(
            "after a page with fewer items than the limit", offset, query: [.init("limit", "2"), .init("offset", "2")],
            #"{"list":[3],"meta":{"total":5}}"#, start + "limit=2&offset=3", next: ["offset=3"]),
        Step(
            "the total is reached", offset, query: [.init("offset", "4")], #"{"list":[5],"meta":{"total":5}}"#, nil),
        Step("beyond the total", offset, query: [.init("offset", "9")], #"{"list":[5],"meta":{"total":5}}"#, nil),
        Step("no items before the total", offset, #"{"list":[],"meta":{"total":5}}"#, nil),
        Step("items without a total", offset, #"{"list":[1,2,3]}"#, start + "offset=3", next: ["offset=3"]),
        Step("no items and no total", offset, query: [.init("offset", "3")], #"{"list":[]}"#, nil),
        Step(
            "the greatest offset", offset, query: [.init("offset", "9223372036854775807")], #"{"list":[1]}"#, nil),
        Step(
            "a cursor", cursor, query: [key], #"{"list":[],"meta":{"next":"a b"}}"#, start + "key=k3y%26&token=a%20b",
            next: ["token=a b"]),
        Step(
            "a cursor that is a number", cursor, #"{"list":[1],"meta":{"next":12345678901234567890}}"#,
            start + "token=12345678901234567890", next: ["token=12345678901234567890"]),
        Step("no cursor", cursor, #"{"list":[1],"meta":{"next":null}}"#, nil),
        Step(
            "the last item's id", lastItem, query: [.init("after", "a"), .init("limit", "2")],
            #"{"data":[{"id":"b"},{"id":3}],"more":true}"#, start + "after=3&limit=2", next: ["after=3"]),
        Step("no more items", lastItem, #"{"data":[{"id":"b"}],"more":false}"#, nil),
        Step("more items, and none", lastItem, #"{"data":[],"more":true}"#, nil),
        Step(
            "not said whether there is more", lastItem, #"{"data":[{"id":"b"}]}"#,
            start + "after=b", next: ["after=b"]),
        Step(
            "a link in the body", bodyLink, query: [.init("a", "b"), key],
            #"{"calls":[1],"meta":{"next":"/v1/items?a=b&Page=1"}}"#,
            start + "a=b&Page=1&key=k3y%26", next: ["Page=1"]),
        Step("no link in the body", bodyLink, #"{"calls":[1],"meta":{"next":null}}"#, nil),
        Step("an empty link in the body", bodyLink, #"{"calls":[1],"meta":{"next":""}}"#, nil),
        Step("an empty cursor", cursor, #"{"list":[1],"meta":{"next":""}}"#, nil),
        Step(
            "a link", .link(), query: [.init("a", "b"), key],
            headers: [("link", #"<https://api.test/v1/items?a=b&page=2>; rel="next""#)],
            "[1]", start + "a=b&page=2&key=k3y%26", next: ["page=2"]),
        Step(
            "a link that repeats the credential", .link(), query: [key],
            headers: [("Link", #"</v1/items?key=k3y%26&page=2>; rel="next""#)],
            "[1]", start + "key=k3y%26&page=2", next: ["page=2"]),
        Step("no link", .link(), headers: [("Link", #"<https://api.test/v1/items>; rel="prev""#)], "[1]", nil),
        Step(
            "a header with a number", .header("X-Next-Page"), headers: [("x-next-page", "7")], "[1]", start + "page=7",
            next: ["page=7"]),
        Step(
            "a header with a path", .header("Next", items: "list"), headers: [("Next", "/v1/items?x=1")],
            #"{"list":[1]}"#, start + "x=1", next: ["x=1"]),
        Step("an empty header", .header("X-Next-Page"), headers: [("X-Next-Page", "")], "[1]", nil),
    ]

    private static func page(_ body: String, _ fields: [HTTPField] = []) throws -> PageWalk.Page {
        let bytes = Array(body.utf8)
        let response = Response(head: ResponseHead(status: 200, fields: fields), body: bytes)
        let document = try JSONValue(JSONDocument(bytes))
        return PageWalk.Page(response: response, document: document, shownDocument: document)
    }

    @Test(arguments: steps)
    func `A page leads to the request of the next page`(_ step: Step) async throws {
        var walk = PageWalk(step.paging, from: try Self.request(step.query))
        _ = try await walk.next { _ in try Self.page(step.body, step.headers) }
        #expect(try walk.pendingRequest?.revealedURL() == step.url)
        #expect(walk.pendingRequest?.redactedURL.contains("k3y") != true)
        #expect(walk.nextQueryItems.map { "\($0.name)=\($0.value)" } == step.next)
    }

    /// A page that the client gets again and again, with its declaration and the values of its headers `Link`.
    struct InvalidPage: Sendable {
        let paging: Paging
        var links: [String] = []
        let body: String
    }

    static let errors: [Row<InvalidPage, PagingError>] = [
        Row(
            "no list at the path", InvalidPage(paging: number, body: #"{"data":[1]}"#), .noList(path: "data.list")),
        Row("no list as the whole body", InvalidPage(paging: .link(), body: "{}"), .noList(path: "")),
        Row(
            "a link to another host",
            InvalidPage(paging: .link(), links: ["<https://other.test/items>; rel=next"], body: "[1]"),
            .otherOrigin("https://other.test")),
        Row(
            "a link to another scheme",
            InvalidPage(paging: .link(), links: ["<http://api.test/items>; rel=next"], body: "[1]"),
            .otherOrigin("http://api.test")),
        Row(
            "a link that is not HTTP",
            InvalidPage(paging: .link(), links: ["<ftp://api.test/>; rel=next"], body: "[1]"), .invalidLink),
        Row(
            "a link to the page itself",
            InvalidPage(paging: .link(), links: ["</v1/items>; rel=next"], body: "[1]"), .repeatedPage(2)),
    ]

    @Test(arguments: errors)
    func `A page without a list or with an invalid link is an error`(_ row: Row<InvalidPage, PagingError>) async throws
    {
        let links = row.input.links
        var walk = PageWalk(row.input.paging, from: try Self.request([]))
        var items: [JSONValue] = []
        await #expect(throws: row.expected) {
            for _ in 1...2 {
                let page = try await walk.next { _ in try Self.page(row.input.body, links.map { .init("Link", $0) }) }
                items += [page].compactMap(\.self)
            }
        }
        // A page whose link can't be followed is not lost.
        #expect(items.count == links.count)
    }

    @Test("A page costs as much after a thousand others as after one, and ten without items are the last ones")
    func manyPages() async throws {
        var walk = PageWalk(.link(), from: try Self.request([Self.key]))
        func next(_ page: Int, _ body: String) async throws -> JSONValue? {
            try await walk.next { _ in
                try Self.page(body, [.init("Link", "</v1/items?page=\(page + 1)>; rel=next")])
            }
        }
        for page in 1...1000 { _ = try await next(page, page % 10 == 0 ? "[1]" : "[]") }
        #expect(walk.pendingRequest?.formerSecrets.count == 1)
        #expect(try walk.pendingRequest?.revealedURL() == Self.start + "page=1001&key=k3y%26")
        for page in 1001...1010 { #expect(try await next(page, "[]") != nil) }
        #expect(try await next(1011, "[1]") == nil)
    }

    @Test("Pages may differ only in a query item with the name of a secret")
    func pagesWithTokens() async throws {
        var walk = PageWalk(.link(), from: try Self.request([]))
        for token in ["a", "b", "c"] {
            let link = "</v1/items?_token=\(token)>; rel=next"
            _ = try await walk.next { _ in try Self.page("[1]", [.init("Link", link)]) }
        }
        #expect(try walk.pendingRequest?.revealedURL() == Self.start + "_token=c")
    }

    @Test("The same page sent again is an error")
    func samePage() async throws {
        var walk = PageWalk(.number("page", items: ""), from: try Self.request([]))
        #expect(try await walk.next { _ in try Self.page("[1]") } != nil)
        await #expect(throws: PagingError.repeatedPage(2)) { _ = try await walk.next { _ in try Self.page("[1]") } }
    }
}
