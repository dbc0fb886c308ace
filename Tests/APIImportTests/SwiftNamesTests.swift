import JSONText
import Testing

@testable import APIImport

@Suite struct SwiftNamesTests {
    @Test(arguments: [("default", "`default`"), ("page", "page"), ("Type", "`Type`")])
    func keywordsAreQuoted(name: String, identifier: String) {
        #expect(SwiftNames.identifier(name) == identifier)
    }

    /// A key, the property, the type, and what the key strategy makes of the key.
    @Test(arguments: [
        ("userId", "userID", "UserID", "userId"), ("user_id", "userID", "UserID", "userId"),
        ("html_url", "htmlURL", "HTMLURL", "htmlUrl"), ("HTMLParser", "htmlParser", "HTMLParser", "HTMLParser"),
        ("poster_path", "posterPath", "PosterPath", "posterPath"),
        ("Content-Type", "contentType", "ContentType", "Content-Type"),
        ("genre_ids", "genreIDs", "GenreIDs", "genreIds"), ("iso_639_1", "iso6391", "ISO6391", "iso6391"),
        ("_links", "links", "Links", "_links"), ("1080p", "value1080p", "Value1080p", "1080p"),
        ("", "value", "Value", ""),
        ("größe", "grosse", "Grosse", "größe"), ("sha256Sum", "sha256Sum", "SHA256Sum", "sha256Sum"),
        ("URL", "url", "URL", "URL"),
    ])
    func namesOfKeys(key: String, member: String, type: String, modelKey: String) {
        #expect(SwiftNames.memberName(SwiftNames.words(key)) == member)
        #expect(SwiftNames.typeName(SwiftNames.words(key)) == type)
        #expect(Coding(keys: .convertFromSnakeCase).modelKey(key) == modelKey)
    }

    @Test(arguments: [
        ("movies", "movie"), ("categories", "category"), ("addresses", "address"), ("boxes", "box"),
        ("people", "person"),
        ("status", "status"), ("series", "series"), ("news", "news"), ("analysis", "analysis"), ("statuses", "status"),
        ("us", "us"), ("houses", "house"), ("ties", "tie"),
    ])
    func singular(word: String, one: String) { #expect(SwiftNames.singular(["all", word]) == ["all", one]) }

    @Test func longNamesAreCut() {
        #expect(SwiftNames.memberName(SwiftNames.words(String(repeating: "x", count: 1 << 20))).count == 48)
        #expect(SwiftNames.memberName(SwiftNames.words(String(repeating: "ab_", count: 99))).count == 48)
    }

    @Test func namesAreUnique() {
        var names = NameTable(["taken"])
        #expect(
            ["taken", "Taken", "a", "a", "a2", "a"].map { names.unique($0) } == [
                "taken2", "Taken3", "a", "a2", "a22", "a3",
            ])
    }
}

@Suite struct SwiftLiteralTests {
    @Test(arguments: [
        ("a\"b", #""a\"b""#), ("\\(x)", #""\\(x)""#), ("\n\r\t\0", #""\n\r\t\u{0}""#),
        ("\u{202E}é\u{2028}", #""\u{202E}é\u{2028}""#),
        ("e\u{301}", #""e\u{301}""#), ("\"\"\" */ //", #""\"\"\" */ //""#), ("\u{A0}\u{FEFF}", #""\u{A0}\u{FEFF}""#),
    ])
    func strings(text: String, literal: String) { #expect(SwiftLiteral.string(text) == literal) }

    @Test func longStringsAreOfSeveralLines() {
        let literal = SwiftText.literal(String(repeating: "\"x", count: 60)).printed(indent: 8, column: 10)
        let lines = literal.split(separator: "\n")
        #expect(lines.first == "\"\"\"" && lines.last == "            \"\"\"" && lines.allSatisfy { $0.count <= 120 })
        #expect(
            lines.dropFirst().dropLast().map { $0.drop { $0 == " " } }.joined().replacing("\\\"", with: "\"").replacing(
                "\\", with: "")
                == String(repeating: "\"x", count: 60))
    }

    /// As the formatter's rules demand it, the lines of a literal are indented more only if a label is before it.
    @Test(arguments: [
        (SwiftText.list("f(", [.literal(long)], ")"), 4), (.list("f(", ["a: \(SwiftText.literal(long))"], ")"), 8),
        (.list("a: [", [.literal(long)], "]"), 4), (.list("a: [", ["\"k\": \(SwiftText.literal(long))"], "]"), 4),
    ])
    func longLiteralsInLists(text: SwiftText, indent: Int) {
        let lines = text.printed(indent: 0).split(separator: "\n")
        #expect(lines[1].prefix { $0 == " " }.count == 4 && lines[1].hasSuffix("\"\"\""))
        #expect(lines[2].prefix { $0 == " " }.count == indent, "\(lines)")
    }

    private static let long = String(repeating: "x", count: 130)

    @Test func comments() {
        #expect(
            [SwiftLine.comment("a */ b\n\"\"\" \u{202E}")].printed(indent: 4)
                == "    /// a */ b\n    /// \"\"\" \\u202E\n")
        let lines = [SwiftLine.comment(String(repeating: "word ", count: 50))].printed().split(separator: "\n")
        #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 120 && $0.hasPrefix("/// word") })
    }
}
