import Testing

@testable import MockServer

@Suite struct PathTemplateTests {
    @Test(arguments: [
        ("/movie/popular", "/movie/popular"),
        ("/movie/{id}/videos", "/movie/550/videos"),
        ("/movie/{id}/videos", "/movie/5%2F50/videos"),
        ("/", "/"),
        ("", "/"),
        ("/movie", "/m%6Fvie"),
        ("/caf%C3%A9", "/caf\u{E9}"),
        ("/caf\u{E9}", "/caf%c3%a9"),
        ("/a/{id}.json", "/a/7.json"),
        ("/a/{id}.json", "/a/x.json.json"),
        ("/stream-{n}", "/stream-5"),
        ("/{from}..{to}", "/a..b"),
        ("/{from}..{to}", "/....b"),
        ("/{a}{b}", "/xy"),
        ("/{}/x-{}-y", "/1/x-2-y"),
        ("/{a}-{b}-{c}", "/1-2-3"),
        ("/{a", "/%7Ba"),
        ("/{a}", "/%FF"),
        ("/a/{b}", "/a/\u{301}"),
    ])
    func `A path matches its template`(_ template: String, _ path: String) {
        #expect(PathTemplate(template).values(in: PathTemplate.segments(of: path)) != nil)
    }

    @Test(arguments: [
        ("/movie/popular", "/movie/popula"),
        ("/movie", "/Movie"),
        ("/movie/{id}/videos", "/movie/5/50/videos"),
        ("/movie/{id}/videos", "/movie//videos"),
        ("/movie/{id}/videos", "/movie/550"),
        ("/movie/{id}", "/movie/550/videos"),
        ("/movie", "/movie/"),
        ("/", "/x"),
        ("/a/{id}.json", "/a/7.xml"),
        ("/a/{id}.json", "/a/.json"),
        ("/stream-{n}", "/stream-"),
        ("/{from}..{to}", "/..b"),
        ("/{a}{b}", "/x"),
        ("/ab{x}ba", "/aba"),
        ("/{a}-{b}-{c}", "/1-2"),
        ("/", "*"),
        ("/files/{+path}/raw", "/files/raw"),
        ("/files/{+path}/raw", "/files/a/b"),
        ("/{+path}", "/"),
    ])
    func `Another path does not match the template`(_ template: String, _ path: String) {
        #expect(PathTemplate(template).values(in: PathTemplate.segments(of: path)) == nil)
    }

    @Test func `A template with many values is matched without exponential time`() {
        let template = PathTemplate("/" + String(repeating: "{x}a", count: 40) + "b")
        #expect(template.values(in: PathTemplate.segments(of: "/" + String(repeating: "a", count: 20_000))) == nil)
    }

    @Test("Values are credentials by their names, also where the path goes on otherwise")
    func credentials() {
        let template = PathTemplate("/bot{token}/{id}/get{+path}")
        #expect(template.credentials(in: PathTemplate.segments(of: "/bot1%3Aa/7/other")) == ["1:a"])
        #expect(template.credentials(in: PathTemplate.segments(of: "/bot")) == [])
    }

    @Test(
        "A value may be several segments",
        arguments: [
            ("/files/{+path}/raw", "/files/a/b%20c/raw", ["a/b c"]), ("/files/{+path}/raw", "/files/a/raw", ["a"]),
            ("/files/{+path}/raw", "/files/a//b/raw", ["a//b"]), ("/{id}/{+path}", "/1/a/b", ["1", "a/b"]),
            ("/{+path}.json", "/a/b.json", ["a/b"]),
        ])
    func severalSegments(_ template: String, _ path: String, _ values: [String]) {
        #expect(PathTemplate(template).values(in: PathTemplate.segments(of: path)) == values)
    }
}
