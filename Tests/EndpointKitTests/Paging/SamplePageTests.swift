import Testing

@testable import EndpointKit

/// The pages that a mock server makes from a sample, for each way of declaring them.
struct SamplePageTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let paging: Paging
        let query: String?
        let sample: String
        let body: String
        var header: String?

        init(_ id: String, _ paging: Paging, _ query: String?, _ sample: String, _ body: String, header: String? = nil)
        {
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

    static let cases: [Case] = [
        Case(
            "the first, by its number", counted, nil, #"{"page": 7, "list":[1], "meta": {"pages": 500}}"#,
            #"{"page": 1, "list":[1], "meta": {"pages": 500}}"#),
        Case("the fourth", counted, "page=4", #"{"page":1,"list":[1]}"#, #"{"page":4,"list":[1]}"#),
        Case("the second, without a number", counted, "page=2", #"{"list":[1]}"#, #"{"list":[]}"#),
        Case("first, without a total", open, "page=1", #"{"list":[1]}"#, #"{"list":[1]}"#),
        Case("an empty one is the end", open, "page=2", #"{"list":[1]}"#, #"{"list":[]}"#),
        Case("a whole list", .number("page", items: ""), "page=2", "[1]", "[]"),
        Case("a page number of another kind", open, nil, #"{"page":"one","list":[1]}"#, #"{"page":"one","list":[1]}"#),
        Case("first by cursor", cursor, "a=b", #"{"list":[1],"next":"x"}"#, #"{"list":[1],"next":"x"}"#),
        Case("last by cursor", cursor, "token=x", #"{"list":[1],"next":"x"}"#, #"{"list":[1],"next":""}"#),
        Case("first by link", .link(), "a=b", "[1]", "[1]", header: #"Link: <?a=b&page=2>; rel="next""#),
        Case("last by link", .link(), "a=b&page=2", "[1]", "[1]"),
        Case("first by header", .header("X-Next-Page"), nil, "[1]", "[1]", header: "X-Next-Page: 2"),
        Case("last by header", .header("X-Next-Page"), "page=2", "[1]", "[1]"),
        Case("not JSON", counted, nil, "x", "x"),
    ]

    @Test(arguments: cases)
    func page(_ example: Case) {
        let items = (example.query ?? "").split(separator: "&").map { item in
            let parts = item.split(separator: "=").map(String.init)
            return (name: parts[0], value: parts[1])
        }
        let page = example.paging.page(of: Array(example.sample.utf8), query: example.query, items: items)
        #expect(String(decoding: page.body, as: UTF8.self) == example.body)
        #expect(page.header.map { "\($0.name): \($0.value)" } == example.header)
    }
}
