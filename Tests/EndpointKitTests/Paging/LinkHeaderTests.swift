import Testing

@testable import EndpointKit

/// `Link` headers (RFC 8288).
struct LinkHeaderTests {
    static let headers: [(values: [String], next: String?)] = [
        ([#"<https://a/?page=2>; rel="next""#], "https://a/?page=2"),
        (
            [#"<https://a/?page=1>; rel="prev", <https://a/?page=3>; rel="next", <https://a/?page=9>; rel="last""#],
            "https://a/?page=3"
        ),
        ([#"</items?a=1,2;3>;rel=next"#], "/items?a=1,2;3"), ([#"<x>; title="a, b; rel=next"; REL="last NEXT""#], "x"),
        (["<a>; rel=last", "<b>; rel=next"], "b"), ([#"<a>; rel="last"; rel="next""#], nil), (["<a>"], nil),
        ([""], nil),
        ([#"<a>; title="\"<b>; rel=next"#], nil), (["<a>; rel = next ; x"], "a"), (["<a"], nil), ([], nil),
        ([#"<a>; rel="nextpage""#], nil), ([#"<a>; rel"#], nil),
    ]

    @Test(arguments: headers)
    func next(_ values: [String], _ next: String?) {
        #expect(LinkHeader.target("next", in: values) == next)
    }
}
