import EndpointKit
import TestSupport
import Testing

struct KebabCaseTests {
    static let names: [Row<String, String>] = [
        Row("empty", "", ""),
        Row("one word", "page", "page"),
        Row("two words", "newMovies", "new-movies"),
        Row("three words", "rateLimitReset", "rate-limit-reset"),
        Row("acronym at the end", "collectionID", "collection-id"),
        Row("acronym at the start", "HTTPStatus", "http-status"),
        Row("acronym in the middle", "getURLNow", "get-url-now"),
        Row("acronyms", "userIDs", "user-ids"),
        Row("acronyms alone", "URLs", "urls"),
        Row("acronym alone", "URL", "url"),
        Row("one capital", "X", "x"),
        Row("capital at the end", "planB", "plan-b"),
        Row("digit at the end", "userAgent2", "user-agent2"),
        Row("digit before a capital", "md5Hash", "md5-hash"),
        Row("underscore", "a_b", "a-b"),
        Row("underscore before a capital", "a_B", "a-b"),
        Row("leading underscore", "_0", "-0"),
        Row("beyond ASCII", "größeÄnderung", "größe-änderung"),
    ]

    @Test(arguments: names)
    func `Swift names are written with hyphens`(_ row: Row<String, String>) {
        #expect(KebabCase.text(row.input) == row.expected)
    }
}
