import Testing

@testable import ApictlCLI

/// The small readers and writers of text.
struct SmallTextTests {
    @Test(arguments: [
        ("2", 2000), ("2.5", 2500), ("0", 0), ("20s", 20_000), ("500ms", 500), ("0.1ms", 1), (".5", 500), ("5.", 5000),
        ("31536000", 31_536_000_000),
    ])
    func duration(_ text: String, milliseconds: Int) {
        #expect(DurationText.parse(text) == .milliseconds(milliseconds))
    }

    @Test(arguments: [
        "", "s", "ms", ".", "1.2.3", "-1", "+1", "1e3", "0x10", "1m", "1 s", " 1", "inf", "nan", "31536001", "1sms",
        "٣",
        "99999999999999999999999999",
    ])
    func noDuration(_ text: String) {
        #expect(DurationText.parse(text) == nil)
    }

    @Test(arguments: [
        ("pgae", "page"), ("PAGE", "page"), ("pag", "page"), ("pages", "page"), ("languge", "language"),
        ("lnaguaeg", "language"), ("xyz", nil), ("", nil), ("include-everything", nil), ("p", nil),
        ("la", "language"), ("LANG", "language"), ("gua", nil),
    ])
    func nearest(_ word: String, _ match: String?) {
        #expect(Nearest.match(word, in: ["page", "language", "id"]) == match)
    }

    @Test("A word broken off is the beginning of one candidate only")
    func nearestOfBeginning() {
        #expect(Nearest.match("lang", in: ["language", "languages"]) == nil)
        #expect(Nearest.match("lang", in: ["language", "landscape"]) == "language")
    }

    @Test("A very long word is no work")
    func nearestOfLongWord() {
        #expect(Nearest.match(String(repeating: "page", count: 100_000), in: ["page"]) == nil)
    }

    @Test(arguments: [
        ("pop", true), ("POP", true), ("movies.popular", true), ("popularity", false), ("*", true), ("movies.*", true),
        ("*.popular", true), ("popular", true), ("popular*", false), ("m?vies.popular", true),
        ("m??vies.popular", false),
        ("*o*p*a*", true), ("*x", false), ("", true), ("**", true), ("movies.popular?", false),
    ])
    func pattern(_ pattern: String, _ matches: Bool) {
        #expect(NamePattern(pattern).matches("movies.popular") == matches)
    }

    @Test("Hostile globs take no time")
    func hostileGlob() {
        let pattern = NamePattern(String(repeating: "*a", count: 50) + "*b")
        #expect(!pattern.matches(String(repeating: "a", count: 5000)))
    }

    @Test func table() {
        #expect(Table.text([["a", "bb", ""], ["ccc", "d"], ["e"]], indent: " ") == " a    bb\n ccc  d\n e\n")
        #expect(Table.text([]) == "")
    }
}
