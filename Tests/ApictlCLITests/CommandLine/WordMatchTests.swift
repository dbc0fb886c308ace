import Testing

@testable import ApictlCLI

/// Words that are compared with known ones: suggestions for misspelled words, and patterns of names.
struct WordMatchTests {
    @Test(
        "A misspelled word leads to the nearest of page, language and id, if one is near",
        arguments: [
            ("pgae", "page"), ("PAGE", "page"), ("pag", "page"), ("pages", "page"), ("languge", "language"),
            ("lnaguaeg", "language"), ("xyz", nil), ("", nil), ("include-everything", nil), ("p", nil),
            ("la", "language"), ("LANG", "language"), ("gua", nil),
        ])
    func nearest(_ word: String, _ match: String?) {
        #expect(NearestWord.match(word, in: ["page", "language", "id"]) == match)
    }

    @Test("Similar words come first, then those that start alike, then those that contain it")
    func nearestInOrder() {
        let words = ["old-page", "pages-of-all", "page", "language", "pages"]
        #expect(NearestWord.matches("page", in: words) == ["page", "pages", "pages-of-all", "old-page"])
    }

    @Test("A very long word is compared quickly")
    func nearestOfLongWord() {
        #expect(NearestWord.match(String(repeating: "page", count: 100_000), in: ["page"]) == nil)
    }

    @Test(
        "These patterns match movies.popular",
        arguments: [
            "", "pop", "POP", "popular", "movies.popular", "*", "**", "movies.*", "*.popular", "*o*p*a*",
            "m?vies.popular",
        ])
    func matchingPattern(_ pattern: String) {
        #expect(NamePattern(pattern).matches("movies.popular"))
    }

    @Test(
        "These patterns do not match movies.popular",
        arguments: ["popularity", "popular*", "*x", "m??vies.popular", "movies.popular?"])
    func otherPattern(_ pattern: String) {
        #expect(!NamePattern(pattern).matches("movies.popular"))
    }

    @Test("Hostile globs are matched quickly")
    func hostileGlob() {
        let pattern = NamePattern(String(repeating: "*a", count: 50) + "*b")
        #expect(!pattern.matches(String(repeating: "a", count: 5000)))
    }
}
