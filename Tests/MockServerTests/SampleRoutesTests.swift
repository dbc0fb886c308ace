import MockServer
import Testing

@Suite struct SampleRoutesTests {
    static let rows: [(id: String, template: String, path: String, matches: Bool)] = [
        ("literal", "/movie/popular", "/movie/popular", true),
        ("other literal", "/movie/popular", "/movie/popula", false),
        ("case matters", "/movie", "/Movie", false),
        ("value", "/movie/{id}/videos", "/movie/550/videos", true),
        ("value is one segment", "/movie/{id}/videos", "/movie/5/50/videos", false),
        ("encoded slash stays in its segment", "/movie/{id}/videos", "/movie/5%2F50/videos", true),
        ("no empty value", "/movie/{id}/videos", "/movie//videos", false),
        ("too short", "/movie/{id}/videos", "/movie/550", false),
        ("too long", "/movie/{id}", "/movie/550/videos", false),
        ("slash at the end", "/movie", "/movie/", false),
        ("root", "/", "/", true),
        ("empty template", "", "/", true),
        ("root is not all", "/", "/x", false),
        ("encoded letter in the path", "/movie", "/m%6Fvie", true),
        ("encoded letter in the template", "/caf%C3%A9", "/caf\u{E9}", true),
        ("other encoding of the same letter", "/caf\u{E9}", "/caf%c3%a9", true),
        ("value with ending", "/a/{id}.json", "/a/7.json", true),
        ("value with other ending", "/a/{id}.json", "/a/7.xml", false),
        ("ending alone", "/a/{id}.json", "/a/.json", false),
        ("value with the ending in it", "/a/{id}.json", "/a/x.json.json", true),
        ("value with beginning", "/stream-{n}", "/stream-5", true),
        ("beginning alone", "/stream-{n}", "/stream-", false),
        ("two values", "/{from}..{to}", "/a..b", true),
        ("two values, one empty", "/{from}..{to}", "/..b", false),
        ("dots of a value", "/{from}..{to}", "/....b", true),
        ("two adjacent values", "/{a}{b}", "/xy", true),
        ("two adjacent values, one letter", "/{a}{b}", "/x", false),
        ("values without name", "/{}/x-{}-y", "/1/x-2-y", true),
        ("beginning and ending overlap", "/ab{x}ba", "/aba", false),
        ("middle twice", "/{a}-{b}-{c}", "/1-2-3", true),
        ("middle once", "/{a}-{b}-{c}", "/1-2", false),
        ("open brace alone", "/{a", "/%7Ba", true),
        ("bytes that are no text", "/{a}", "/%FF", true),
        ("slash before a combining mark", "/a/{b}", "/a/\u{301}", true),
        ("asterisk", "/", "*", false),
        ("rest", "/files/{+path}/raw", "/files/a/b/c/raw", true),
        ("rest of one segment", "/files/{+path}/raw", "/files/a/raw", true),
        ("no rest", "/files/{+path}/raw", "/files/raw", false),
        ("rest with another end", "/files/{+path}/raw", "/files/a/b", false),
    ]

    @Test(arguments: rows)
    func templateMatches(id: String, template: String, path: String, matches: Bool) {
        #expect(PathTemplate(template).matches(path) == matches, "\(id)")
    }

    @Test func valuesAreEncodedInPlaceOfTheirNames() {
        #expect(PathTemplate("/files/{+path}/x-{n}:go").path(["a/b c", "1/2"]) == "/files/a/b%20c/x-1%2F2:go")
    }

    @Test func matchingManyValuesDoesNotExplode() {
        let template = PathTemplate("/" + String(repeating: "{x}a", count: 40) + "b")
        #expect(!template.matches("/" + String(repeating: "a", count: 20_000)))
    }

    static let routes = SampleRoutes(
        [
            Route("GET", "/movie/{id}", .text("value")),
            Route("GET", "/movie/{id}", .text("never: declared later")),
            Route("GET", "/movie/popular", .text("literal")),
            Route("GET", "/movie/{id}.json", .text("partly literal")),
            Route("GET", "/{any}/popular", .text("value first")),
            Route("POST", "/movie/{id}/rating") { .text("\($0.path) got \($0.bodyText)") },
            Route("DELETE", "/movie/{id}/rating", .response(204)),
        ], basePath: "/3")

    static let answers: [(method: String, target: String, answer: MockResponse)] = [
        ("GET", "/3/movie/550", .text("value")),
        ("GET", "/3/movie/popular?page=2", .text("literal")),
        ("GET", "/3/movie/7.json", .text("partly literal")),
        ("GET", "/3/tv/popular", .text("value first")),
        ("GET", "http://127.0.0.1:80/3/movie/550", .text("value")),
        ("HEAD", "/3/movie/550", .text("value")),
        ("POST", "/3/movie/550/rating", .text("/3/movie/550/rating got 8")),
        ("DELETE", "/3/movie/550/rating", .response(204)),
        ("GET", "/movie/550", .json("{\"message\": \"no sample for GET /movie/550\"}\n", status: 404)),
        ("GET", "/x%22?key=secret", .json("{\"message\": \"no sample for GET /x%22\"}\n", status: 404)),
        ("GET", "/\"\\\u{1}", .json("{\"message\": \"no sample for GET /\\\"\\\\\\u0001\"}\n", status: 404)),
        (
            "PUT", "/3/movie/550/rating",
            .json(
                "{\"message\": \"no sample for PUT /3/movie/550/rating, only for DELETE, POST\"}\n", status: 405,
                fields: [("Allow", "DELETE, POST")])
        ),
        (
            "PATCH", "/3/movie/popular",
            .json(
                "{\"message\": \"no sample for PATCH /3/movie/popular, only for GET, HEAD\"}\n", status: 405,
                fields: [("Allow", "GET, HEAD")])
        ),
    ]

    @Test(arguments: answers)
    func routeIsFound(method: String, target: String, answer: MockResponse) {
        let request = ReceivedRequest(method: method, target: target, body: Array("8".utf8))
        #expect(Self.routes.response(to: request) == answer)
    }
}
