import TestSupport
import Testing

@testable import EndpointKit

/// Tests of the header `Link` (RFC 8288).
struct LinkHeaderTests {
    /// The values of the headers, and the target with the relation `next`; nil if there is none.
    static let headers: [Row<[String], String?>] = [
        Row("one link", [#"<https://a/?page=2>; rel="next""#], "https://a/?page=2"),
        Row(
            "several links in one header",
            [#"<https://a/?page=1>; rel="prev", <https://a/?page=3>; rel="next", <https://a/?page=9>; rel="last""#],
            "https://a/?page=3"),
        Row("a comma and a semicolon in the target", [#"</items?a=1,2;3>;rel=next"#], "/items?a=1,2;3"),
        Row(
            "one of several relations, after a title that looks like one",
            [#"<x>; title="a, b; rel=next"; REL="last NEXT""#], "x"),
        Row("several headers", ["<a>; rel=last", "<b>; rel=next"], "b"),
        Row("only the first rel of a link counts", [#"<a>; rel="last"; rel="next""#], nil),
        Row("no rel", ["<a>"], nil),
        Row("an empty header", [""], nil),
        Row("a link within a title that is not closed", [#"<a>; title="\"<b>; rel=next"#], nil),
        Row("spaces around the equals sign", ["<a>; rel = next ; x"], "a"),
        Row("a target that is not closed", ["<a"], nil),
        Row("no header", [], nil),
        Row("a relation that starts with next", [#"<a>; rel="nextpage""#], nil),
        Row("a rel without a value", [#"<a>; rel"#], nil),
    ]

    @Test(arguments: headers)
    func `The target of the next page is found`(_ row: Row<[String], String?>) {
        #expect(LinkHeader.target("next", in: row.input) == row.expected)
    }
}
