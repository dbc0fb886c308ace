import TestSupport
import Testing

@testable import EndpointKit

struct PathTests {
    static let valid: [Row<Endpoint.Path, String>] = [
        Row("literal", "/movie/popular", "/movie/popular"),
        Row("literal as written", "/a%20b;c=1/", "/a%20b;c=1/"),
        Row("empty", "", ""),
        Row("root", "/", "/"),
        Row("no slash at the start", "movie/\(7)", "/movie/7"),
        Row("integer", "/movie/\(550)/videos", "/movie/550/videos"),
        Row("negative integer", "/\(-3)", "/-3"),
        Row("boolean", "/\(true)", "/true"),
        Row("fraction", "/\(1.5)", "/1.5"),
        Row("at the end", "/user/\("octocat")", "/user/octocat"),
        Row("two in two segments", "/\("a")/\("b")", "/a/b"),
        Row("two in one segment", "/\("a")\("b")", "/ab"),
        Row("two and a comma", "/\("1.5"),\("-2")", "/1.5,-2"),
        Row("inside a segment", "/a/\("x").json", "/a/x.json"),
        Row("upwards", "/a/\("../b")", "/a/..%2Fb"),
        Row("upwards, backslash", "/a/\("..\\b")", "/a/..%5Cb"),
        Row("slash", "/a/\("/")", "/a/%2F"),
        Row("query", "/a/\("x?y=1")", "/a/x%3Fy%3D1"),
        Row("fragment", "/a/\("x#y")", "/a/x%23y"),
        Row("percent", "/a/\("%00")", "/a/%2500"),
        Row("encoded dots are text", "/a/\("%2e%2e")", "/a/%252e%252e"),
        Row("NUL", "/a/\("\0")", "/a/%00"),
        Row("CR LF", "/a/\("x\r\nHost: evil")", "/a/x%0D%0AHost%3A%20evil"),
        Row("authority", "\("@evil.test")/a", "/%40evil.test/a"),
        Row("another host", "/\("/evil.test/")", "/%2Fevil.test%2F"),
        Row("emoji", "/\("😀")", "/%F0%9F%98%80"),
        Row("combining letters", "/\("e\u{301}")", "/e%CC%81"),
        Row("raw bytes", "/\(String(exactBytes: [0xFF, 0x41]))", "/%FFA"),
        Row("three dots", "/\("...")", "/..."),
        Row("dots with text behind", "/\("..").json", "/...json"),
        Row("rest", "/a/\(segments: "b/c d%/e?")/f", "/a/b/c%20d%25/e%3F/f"),
        Row("rest with empty segments", "/a/\(segments: "/b//c/")", "/a//b//c/"),
        Row("rest before text", "/a/\(segments: "b/c").json", "/a/b/c.json"),
        Row("encoded", Endpoint.Path([.literal("/a/"), .encoded(";x=b,c%2Fd")]), "/a/;x=b,c%2Fd"),
        Row("choice", "/\(Genre.scienceFiction)", "/science-fiction"),
    ]

    @Test(arguments: valid)
    func `Values in a path are percent-encoded`(_ row: Row<Endpoint.Path, String>) throws {
        #expect(try row.input.encoded(Coding()) == row.expected)
    }

    static let invalid: [Row<Endpoint.Path, RequestError>] = [
        Row("empty", "/a/\("")", .emptyPathValue),
        Row("empty in the middle", "/a/\("")/b", .emptyPathValue),
        Row("empty at the start", "\("")/b", .emptyPathValue),
        Row("two empty ones", "/\("")\("")", .emptyPathValue),
        Row("empty with text after it", "/\("").json", .emptyPathValue),
        Row("empty beside another", "/\("")\("b")", .emptyPathValue),
        Row("space in the path's own text", "/a b/\("c")", .invalidPathCharacter("/a b/")),
        Row("query in the path's own text", "/a?b=c", .invalidPathCharacter("/a?b=c")),
        Row("dot", "/a/\(".")", .dotSegment(".")),
        Row("dot in the middle", "/a/\(".")/b", .dotSegment(".")),
        Row("two dots", "/a/\("..")", .dotSegment("..")),
        Row("two dots at the start", "\("..")/b", .dotSegment("..")),
        Row("empty rest", "/a/\(segments: "")", .emptyPathValue),
        Row("dots in a rest", "/a/\(segments: "b/../c")", .dotSegment("..")),
        Row("dots at the end of a rest", "/a/\(segments: "b/..")", .dotSegment("..")),
        Row("dots from a rest and a literal", "/.\(segments: "./b")", .dotSegment("..")),
        Row("two dots from two values", "/\(".")\(".")", .dotSegment("..")),
        Row("two dots from a value and a literal", "/.\(".")/b", .dotSegment("..")),
        Row("empty encoded value", Endpoint.Path([.literal("/a/"), .encoded("")]), .emptyPathValue),
        Row("slash in an encoded value", Endpoint.Path([.encoded("b/c")]), .invalidPathCharacter("b/c")),
        Row("query in an encoded value", Endpoint.Path([.encoded("b?c")]), .invalidPathCharacter("b?c")),
        Row("encoded dots", Endpoint.Path([.literal("/a/"), .encoded("%2E%2e")]), .dotSegment("%2E%2e")),
        Row("dots of the path's own text", "/a/../b", .dotSegment("..")),
    ]

    @Test(arguments: invalid)
    func `A path that would name another resource is an error`(_ row: Row<Endpoint.Path, RequestError>) {
        #expect(throws: row.expected) { try row.input.encoded(Coding()) }
    }

    @Test func `Literals and values are kept apart`() {
        let path: Endpoint.Path = "/movie/\(7)/{id}"
        #expect(path.pieces.map { $0.parameterText(Coding()) } == [nil, "7", nil])
    }

    enum Genre: String, Codable, CaseIterable, ScalarParameter {
        case drama
        case scienceFiction = "science-fiction"
    }
}
