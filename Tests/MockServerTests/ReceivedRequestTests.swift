import EndpointKit
import MockServer
import Testing

@Suite struct ReceivedRequestTests {
    static let rows: [(target: String, path: String, query: String?)] = [
        (target: "/a/b?c=d?e", path: "/a/b", query: "c=d?e"),
        (target: "/a", path: "/a", query: nil),
        (target: "/a?", path: "/a", query: ""),
        (target: "http://x:1/a?b", path: "/a", query: "b"),
        (target: "HTTP://x", path: "/", query: nil),
        (target: "http://x?b", path: "/", query: "b"),
        (target: "*", path: "*", query: nil),
        (target: "x:443", path: "x:443", query: nil),
        (target: "/a?\u{301}=1", path: "/a", query: "\u{301}=1"),
    ]

    @Test(arguments: rows)
    func `A target is split into a path and a query`(target: String, path: String, query: String?) {
        let request = ReceivedRequest(target: target)
        #expect(request.path == path)
        #expect(request.query == query)
    }

    @Test("The host of an absolute target wins (RFC 9112, section 3.2.2)")
    func authority() {
        let host = [HTTPField("host", "a:1")]
        #expect(ReceivedRequest(target: "/x", fields: host).authority == "a:1")
        #expect(ReceivedRequest(target: "http://b:2/x", fields: host).authority == "b:2")
        #expect(ReceivedRequest(target: "http://b?x", fields: host).authority == "b")
        #expect(ReceivedRequest(target: "/x").authority == nil)
    }

    @Test func `A query is decoded as a form`() {
        let request = ReceivedRequest(target: "/?a=1+2%2B3&b&&c=%C3%A9=&a=")
        #expect(
            request.queryItems == [.init("a", "1 2+3"), .init("b", ""), .init("c", "\u{E9}="), .init("a", "")])
    }
}
