import Testing

@testable import MockServer

@Suite struct PathTemplateTests {
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
        ("no rest", "/files/{+path}/raw", "/files/raw", false),
        ("rest with another end", "/files/{+path}/raw", "/files/a/b", false),
        ("rest without anything", "/{+path}", "/", false),
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

    @Test func moreOfTheFirstDifferentSegmentIsLiteral() {
        let sorted = ["/movie/popular", "/movie/{id}.json", "/movie/{id}", "/{any}/popular"].map(PathTemplate.init)
        for (one, other) in zip(sorted, sorted.dropFirst()) {
            #expect(one.isMoreSpecific(than: other) && !other.isMoreSpecific(than: one))
        }
        #expect(!PathTemplate("/{a}").isMoreSpecific(than: PathTemplate("/{b}")))
    }

    @Test(
        "A value may be several segments",
        arguments: [
            ("/files/{+path}/raw", "/files/a/b%20c/raw", ["a/b c"]), ("/files/{+path}/raw", "/files/a/raw", ["a"]),
            ("/files/{+path}/raw", "/files/a//b/raw", ["a//b"]), ("/{id}/{+path}", "/1/a/b", ["1", "a/b"]),
            ("/{+path}.json", "/a/b.json", ["a/b"]),
        ])
    func severalSegments(_ template: String, _ path: String, _ values: [String]) {
        let template = PathTemplate(template)
        #expect(template.values(in: PathSegments(path)) == values)
        #expect(template.path(values) == path)
    }
}
