import Testing

@testable import MockServer

/// Templates with a value that may be several segments.
struct RestTemplateTests {
    @Test(arguments: [
        ("/files/{+path}/raw", "/files/a/b%20c/raw", ["a/b c"]), ("/files/{+path}/raw", "/files/a/raw", ["a"]),
        ("/files/{+path}/raw", "/files/a//b/raw", ["a//b"]), ("/{id}/{+path}", "/1/a/b", ["1", "a/b"]),
        ("/{+path}.json", "/a/b.json", ["a/b"]),
    ])
    func readsSeveralSegments(_ template: String, _ path: String, _ values: [String]) {
        let template = PathTemplate(template)
        #expect(template.matches(path))
        #expect(template.values(in: PathSegments(path)) == values)
        #expect(template.path(values) == path)
    }

    @Test(arguments: [
        ("/files/{+path}/raw", "/files/raw"), ("/files/{+path}/raw", "/files/a/b"), ("/{id}/raw", "/a/b/raw"),
        ("/{+path}", "/"),
    ])
    func refuses(_ template: String, _ path: String) { #expect(!PathTemplate(template).matches(path)) }
}
