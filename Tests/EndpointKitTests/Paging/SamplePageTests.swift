import Testing

@testable import EndpointKit

/// The pages that are made from a sample, for each way of declaring them.
struct SamplePageTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let paging: Paging
        let query: [QueryItem]
        let sample: String
        let body: String
        var header: String?

        init(
            _ id: String, _ paging: Paging, _ query: [QueryItem], _ sample: String, _ body: String,
            _ header: String? = nil
        ) {
            testDescription = id
            self.paging = paging
            self.query = query
            self.sample = sample
            self.body = body
            self.header = header
        }
    }

    private static let counted = Paging.number("page", last: "meta.pages", items: "list")
    private static let open = Paging.number("page", items: "list")
    private static let cursor = Paging.cursor("token", from: "next", items: "list")
    private static let lastItem = Paging.cursor("after", from: "data.id", more: "more", items: "data")
    private static let second = [QueryItem("page", "2")]
    private static let third = [QueryItem("page", "3")]
    private static let other = QueryItem("a", "b c")
    private static let secret = QueryItem("key", SensitiveText([.secret(Secret("s3cret"))]))

    static let cases: [Case] = [
        Case(
            "the first, by its number", counted, [],
            #"{"page": 7, "list":[1, 2, 3, 4], "total_results": 90, "meta": {"pages": 500, "total": 90}}"#,
            #"{"page": 1, "list":[1], "total_results": 4, "meta": {"pages": 3, "total": 4}}"#),
        Case(
            "the second", counted, second, #"{"page":1,"list":[ 1, 2, [3], 4 ]}"#, #"{"page":2,"list":[ 2 ]}"#),
        Case("the last", counted, third, #"{"page":1,"list":[1, 2, [3], 4]}"#, #"{"page":3,"list":[[3], 4]}"#),
        Case("after the end", counted, [QueryItem("page", "4")], #"{"list":[1, 2, 3, 4]}"#, #"{"list":[]}"#),
        Case("far after the end", open, [QueryItem("page", "\(Int.max)")], #"{"list":[1]}"#, #"{"list":[]}"#),
        Case("before the start", open, [QueryItem("page", "-1")], #"{"list":[1]}"#, #"{"list":[1]}"#),
        Case("no items", open, [], #"{"list":[]}"#, #"{"list":[]}"#),
        Case("a whole list", .number("page", items: ""), second, "[1,2]", "[2]"),
        Case("a page number of another kind", open, [], #"{"page":"one","list":[1]}"#, #"{"page":"one","list":[1]}"#),
        Case("first by cursor", cursor, [other], #"{"list":[1,2],"next":"x"}"#, #"{"list":[1],"next":"2"}"#),
        Case(
            "last by cursor", cursor, [QueryItem("token", "2")], #"{"list":[1,2],"next":"x"}"#,
            #"{"list":[2],"next":""}"#),
        Case("a number as cursor", cursor, [], #"{"list":[1],"next":7}"#, #"{"list":[1],"next":null}"#),
        Case("no cursor", cursor, [], #"{"list":[1,2]}"#, #"{"list":[1,2]}"#),
        Case(
            "first by the last item", lastItem, [], #"{"data":[{"id":"a"},{"id":2},{"id":"c"}],"more":false}"#,
            #"{"data":[{"id":"a"}],"more":true}"#),
        Case(
            "the second by the last item", lastItem, [QueryItem("after", "a")],
            #"{"data":[{"id":"a"},{"id":2},{"id":"c"}],"more":false}"#, #"{"data":[{"id":2}],"more":true}"#),
        Case(
            "the last by the last item", lastItem, [QueryItem("after", "2")],
            #"{"data":[{"id":"a"},{"id":2},{"id":"c"}],"more":true}"#, #"{"data":[{"id":"c"}],"more":false}"#),
        Case(
            "after the last item", .cursor("after", from: "id", items: ""), [QueryItem("after", "b")],
            #"[{"id":"a"},{"id":"b"}]"#, "[]"),
        Case(
            "after an unknown item", .cursor("after", from: "id", items: ""), [QueryItem("after", "x")],
            #"[{"id":"a"},{"id":"b"}]"#, #"[{"id":"a"}]"#),
        Case(
            "first by a link in the body", .link(from: "next", items: "list"), [other, secret],
            #"{"list":[1,2],"next":null}"#, #"{"list":[1],"next":"?a=b%20c&page=2"}"#),
        Case(
            "last by a link in the body", .link(from: "next", items: "list"), second,
            #"{"list":[1,2],"next":"https://h.test/?page=7"}"#, #"{"list":[2],"next":""}"#),
        Case(
            "last by a link in the body that may be null", .link(from: "next", items: "list"), second,
            #"{"list":[1,2],"next":null}"#, #"{"list":[2],"next":null}"#),
        Case("no link in the body", .link(from: "next", items: "list"), [], #"{"list":[1,2]}"#, #"{"list":[1,2]}"#),
        Case("first by link", .link(), [other, secret], "[1,2]", "[1]", #"Link: <?a=b%20c&page=2>; rel="next""#),
        Case("last by link", .link(), [other] + second, "[1,2]", "[2]"),
        Case("first by header", .header("X-Next-Page"), [], "[1,2]", "[1]", "X-Next-Page: 2"),
        Case("last by header", .header("X-Next-Page"), second, "[1,2]", "[2]"),
        Case("not JSON", counted, [], "x", "x"),
    ]

    @Test(arguments: cases)
    func page(_ example: Case) throws {
        let endpoint = Endpoint.get(
            "/", returns: RawResponse.self, summary: "A list", pages: example.paging,
            sample: Sample("text/x", Array(example.sample.utf8)))
        let response = try #require(endpoint.samplePage(example.query))
        #expect(String(decoding: response.body, as: UTF8.self) == example.body)
        let fields = response.head.fields.map { "\($0.name): \($0.value)" }
        #expect(
            fields == ["Content-Type: text/x", "Content-Length: \(example.body.utf8.count)"]
                + (example.header.map { [$0] } ?? []))
    }
}
