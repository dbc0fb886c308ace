import Testing

@testable import JSONText

struct IRegexpTests {
    /// A text, and whether a pattern of RFC 9485 matches it.
    struct Row: Sendable, CustomTestStringConvertible {
        let text: String
        let pattern: String
        let isMatch: Bool

        init(_ text: String, pattern: String, isMatch: Bool) {
            self.text = text
            self.pattern = pattern
            self.isMatch = isMatch
        }

        var testDescription: String { "\(pattern) \(isMatch ? "matches" : "does not match") \(text)" }
    }

    /// Returns whether `pattern` matches `text` as a whole, or else any part of it.
    func matches(_ text: String, _ pattern: String, isWhole: Bool = true) throws -> Bool {
        try #require(try IRegexp.compile(pattern)).matches(text.unicodeScalars, isWhole: isWhole) { _ in }
    }

    @Test(arguments: [
        Row("", pattern: "", isMatch: true),
        Row("", pattern: "a", isMatch: false),
        Row("a", pattern: "", isMatch: false),
        Row("a", pattern: "a", isMatch: true),
        Row("ab", pattern: "a", isMatch: false),
        Row("ab", pattern: "ab", isMatch: true),
        Row("b", pattern: "a|b|", isMatch: true),
        Row("", pattern: "a|b|", isMatch: true),
        Row("c", pattern: "a|b|", isMatch: false),
        Row("abab", pattern: "(ab)*", isMatch: true),
        Row("aba", pattern: "(ab)*", isMatch: false),
        Row("", pattern: "a*", isMatch: true),
        Row("aaa", pattern: "a+", isMatch: true),
        Row("", pattern: "a+", isMatch: false),
        Row("", pattern: "a?", isMatch: true),
        Row("aa", pattern: "a?", isMatch: false),
        Row("aa", pattern: "a{2}", isMatch: true),
        Row("aaa", pattern: "a{2}", isMatch: false),
        Row("aaa", pattern: "a{2,}", isMatch: true),
        Row("a", pattern: "a{2,}", isMatch: false),
        Row("aaaa", pattern: "a{2,3}", isMatch: false),
        Row("", pattern: "a{0}", isMatch: true),
        Row("a", pattern: "a{0}", isMatch: false),
        Row("", pattern: "(a*)*", isMatch: true),
        Row("aab", pattern: "(a*)*b", isMatch: true),
        Row("", pattern: "(){1000000}", isMatch: true),
        Row("😀", pattern: ".", isMatch: true),
        Row("\n", pattern: ".", isMatch: false),
        Row("\r", pattern: ".", isMatch: false),
        Row("\u{2028}", pattern: ".", isMatch: true),
        Row("\u{85}", pattern: ".", isMatch: true),
        Row("-", pattern: "[-a]", isMatch: true),
        Row("-", pattern: "[a-]", isMatch: true),
        Row("b", pattern: "[a-c]", isMatch: true),
        Row("d", pattern: "[a-c]", isMatch: false),
        Row("d", pattern: "[^a-c]", isMatch: true),
        Row("\n", pattern: "[^a]", isMatch: true),
        Row("-", pattern: "[^-]", isMatch: false),
        Row("]", pattern: "[\\]]", isMatch: true),
        Row(".", pattern: "[.]", isMatch: true),
        Row("^", pattern: "[a^]", isMatch: true),
        Row("+", pattern: "[*-.]", isMatch: true),
        Row(".", pattern: "\\.", isMatch: true),
        Row("a", pattern: "\\.", isMatch: false),
        Row("\n", pattern: "\\n", isMatch: true),
        Row("\\", pattern: "\\\\", isMatch: true),
        Row("{}", pattern: "\\{\\}", isMatch: true),
        Row("é", pattern: "\\p{L}", isMatch: true),
        Row("é", pattern: "\\p{Ll}", isMatch: true),
        Row("é", pattern: "\\p{Lu}", isMatch: false),
        Row("1", pattern: "\\P{L}", isMatch: true),
        Row("é", pattern: "[^\\p{Lu}1]", isMatch: true),
        Row("1", pattern: "[\\p{Lu}\\p{Nd}]", isMatch: true),
        Row("€", pattern: "\\p{Sc}", isMatch: true),
        Row("a$", pattern: "a$", isMatch: false),
        Row("a", pattern: "a$", isMatch: true),
        Row("a", pattern: "^a", isMatch: true),
        Row("^a", pattern: "^a", isMatch: false),
        Row("a", pattern: "^a$", isMatch: true),
        Row("b", pattern: "^a$|^b$", isMatch: true),
        Row("^", pattern: "(^)", isMatch: true),
        Row("a$b", pattern: "a$b", isMatch: true),
        Row("a^b", pattern: "a^b", isMatch: true),
        Row("$", pattern: "[$]", isMatch: true),
        Row("", pattern: "^$", isMatch: true),
        Row("", pattern: "(){0,1000000}", isMatch: true),
        Row("c", pattern: "[d-eb-ca]", isMatch: true),
        Row("f", pattern: "[d-eb-ca]", isMatch: false),
        Row("d", pattern: "[a-zb-c]", isMatch: true),
        Row("z", pattern: "[^a-cb-y]", isMatch: true),
        Row("m", pattern: "[^a-cb-y]", isMatch: false),
        Row("1", pattern: "[^\\P{L}]", isMatch: false),
        Row("é", pattern: "[^\\P{L}]", isMatch: true),
        Row("-", pattern: "[\\p{Lu}-]", isMatch: true),
        Row("1974-05-23", pattern: "1974-05-..", isMatch: true),
        Row("/,-~\"'", pattern: "/,-~\"'", isMatch: true),
    ])
    func matchesWholeTexts(_ row: Row) throws {
        #expect(try matches(row.text, row.pattern) == row.isMatch)
    }

    @Test(arguments: [
        Row("xaby", pattern: "ab", isMatch: true),
        Row("xaby", pattern: "", isMatch: true),
        Row("", pattern: "", isMatch: true),
        Row("xaxb", pattern: "ab", isMatch: false),
        Row("xab", pattern: "b", isMatch: true),
        Row("abx", pattern: "a", isMatch: true),
        Row("aaab", pattern: "a{3}b", isMatch: true),
        Row("aab", pattern: "a{3}b", isMatch: false),
        Row("\n\na", pattern: "a", isMatch: true),
        Row("abx", pattern: "^a", isMatch: true),
        Row("xab", pattern: "^a", isMatch: false),
        Row("xab", pattern: "b$", isMatch: true),
        Row("abx", pattern: "b$", isMatch: false),
        Row("abx", pattern: "^ab$", isMatch: false),
        Row("xb", pattern: "^a|b$", isMatch: true),
        Row("ax", pattern: "^a|b$", isMatch: true),
        Row("xax", pattern: "^a|b$", isMatch: false),
        Row("xab", pattern: "^", isMatch: true),
        Row("", pattern: "$", isMatch: true),
        Row("x", pattern: "^$", isMatch: false),
    ])
    func matchesPartsOfTexts(_ row: Row) throws {
        #expect(try matches(row.text, row.pattern, isWhole: false) == row.isMatch)
    }

    @Test(arguments: [
        "(", ")", "(a", "a)", "*", "a**", "+a", "?", "a|*", "[", "[]", "[^]", "[a", "[b-a]", "[a-b-c]", "[[a]]", "a]",
        "a}", "{", "a{",
        "a{}", "a{,2}", "a{2,1}", "a{x}", "a{1", "\\", "\\d", "\\w", "\\s", "\\b", "\\a", "\\1", "\\u0041", "\\p",
        "\\p{", "\\p{X}", "\\p{Lx}",
        "\\p{LL}", "\\pL", "\\p{L", "[\\d]", "[--a]", "a*?", "(?:a)", "a{1}{2}", "\\/", "\\-a]", "a\\$", "^*",
    ])
    func refusesInvalidExpressions(_ pattern: String) throws {
        #expect(try IRegexp.compile(pattern) == nil)
    }

    @Test(arguments: [
        "a{5001}", "a{0,3000}", "(a{100}){100}", "(((a{9}){9}){9}){9}", "a{99999999999999999999}",
        String(repeating: "(", count: 100_000), String(repeating: "a", count: 5001),
    ])
    func refusesExpressionsWithTooManyStates(_ pattern: String) {
        #expect(throws: JSONPathLimit.tooLargeExpression(5000)) { try IRegexp.compile(pattern) }
    }

    /// With these expressions, backtracking would take up to 2^2000 steps.
    @Test(arguments: ["(a*)*b", "(a|a)*b", "(a|aa)+b", "(a*){9}b", "a*a*a*a*a*a*b", "((a?){20}){20}b"])
    func takesLinearTime(_ pattern: String) throws {
        let text = String(repeating: "a", count: 2000)
        var steps = 0
        let expression = try #require(try IRegexp.compile(pattern))
        #expect(!expression.matches(text.unicodeScalars, isWhole: false) { steps += $0 })
        #expect(steps <= 2000 * (expression.program.count + 1))
    }
}
