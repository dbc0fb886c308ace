import Testing

@testable import JSONText

struct IRegexpTests {
    func matches(_ text: String, _ pattern: String, isWhole: Bool = true) throws -> Bool {
        try #require(IRegexp.compile(pattern)).get().matches(text.unicodeScalars, isWhole: isWhole) { _ in }
    }

    @Test(arguments: [
        ("", "", true), ("", "a", false), ("a", "", false), ("a", "a", true), ("ab", "a", false), ("ab", "ab", true),
        ("b", "a|b|", true), ("", "a|b|", true), ("c", "a|b|", false), ("abab", "(ab)*", true), ("aba", "(ab)*", false),
        ("", "a*", true), ("aaa", "a+", true), ("", "a+", false), ("", "a?", true), ("aa", "a?", false),
        ("aa", "a{2}", true), ("aaa", "a{2}", false), ("aaa", "a{2,}", true), ("a", "a{2,}", false),
        ("aaaa", "a{2,3}", false),
        ("", "a{0}", true), ("a", "a{0}", false), ("", "(a*)*", true), ("aab", "(a*)*b", true),
        ("", "(){1000000}", true),
        ("😀", ".", true), ("\n", ".", false), ("\r", ".", false), ("\u{2028}", ".", true), ("\u{85}", ".", true),
        ("-", "[-a]", true), ("-", "[a-]", true), ("b", "[a-c]", true), ("d", "[a-c]", false), ("d", "[^a-c]", true),
        ("\n", "[^a]", true), ("-", "[^-]", false), ("]", "[\\]]", true), (".", "[.]", true), ("^", "[a^]", true),
        ("+", "[*-.]", true),
        (".", "\\.", true), ("a", "\\.", false), ("\n", "\\n", true), ("\\", "\\\\", true), ("{}", "\\{\\}", true),
        ("é", "\\p{L}", true), ("é", "\\p{Ll}", true), ("é", "\\p{Lu}", false), ("1", "\\P{L}", true),
        ("é", "[^\\p{Lu}1]", true),
        ("1", "[\\p{Lu}\\p{Nd}]", true), ("€", "\\p{Sc}", true), ("a$", "a$", false), ("a", "a$", true),
        ("a", "^a", true), ("^a", "^a", false), ("a", "^a$", true), ("b", "^a$|^b$", true), ("^", "(^)", true),
        ("a$b", "a$b", true), ("a^b", "a^b", true), ("$", "[$]", true), ("", "^$", true), ("", "(){0,1000000}", true),
        ("c", "[d-eb-ca]", true), ("f", "[d-eb-ca]", false), ("d", "[a-zb-c]", true), ("z", "[^a-cb-y]", true),
        ("m", "[^a-cb-y]", false), ("1", "[^\\P{L}]", false), ("é", "[^\\P{L}]", true), ("-", "[\\p{Lu}-]", true),
        ("1974-05-23", "1974-05-..", true), ("/,-~\"'", "/,-~\"'", true),
    ])
    func matchesWholeTexts(_ text: String, _ pattern: String, _ isMatch: Bool) throws {
        #expect(try matches(text, pattern) == isMatch)
    }

    @Test(arguments: [
        ("xaby", "ab", true), ("xaby", "", true), ("", "", true), ("xaxb", "ab", false), ("xab", "b", true),
        ("abx", "a", true),
        ("aaab", "a{3}b", true), ("aab", "a{3}b", false), ("\n\na", "a", true), ("abx", "^a", true),
        ("xab", "^a", false), ("xab", "b$", true),
        ("abx", "b$", false), ("abx", "^ab$", false), ("xb", "^a|b$", true), ("ax", "^a|b$", true),
        ("xax", "^a|b$", false),
        ("xab", "^", true), ("", "$", true), ("x", "^$", false),
    ])
    func matchesPartsOfTexts(_ text: String, _ pattern: String, _ isMatch: Bool) throws {
        #expect(try matches(text, pattern, isWhole: false) == isMatch)
    }

    @Test(arguments: [
        "(", ")", "(a", "a)", "*", "a**", "+a", "?", "a|*", "[", "[]", "[^]", "[a", "[b-a]", "[a-b-c]", "[[a]]", "a]",
        "a}", "{", "a{",
        "a{}", "a{,2}", "a{2,1}", "a{x}", "a{1", "\\", "\\d", "\\w", "\\s", "\\b", "\\a", "\\1", "\\u0041", "\\p",
        "\\p{", "\\p{X}", "\\p{Lx}",
        "\\p{LL}", "\\pL", "\\p{L", "[\\d]", "[--a]", "a*?", "(?:a)", "a{1}{2}", "\\/", "\\-a]", "a\\$", "^*",
    ])
    func refusesInvalidExpressions(_ pattern: String) {
        #expect(IRegexp.compile(pattern) == nil)
    }

    @Test(arguments: [
        "a{5001}", "a{0,3000}", "(a{100}){100}", "(((a{9}){9}){9}){9}", "a{99999999999999999999}",
        String(repeating: "(", count: 100_000), String(repeating: "a", count: 5001),
    ])
    func refusesExpressionsWithTooManyStates(_ pattern: String) throws {
        #expect(throws: JSONPathLimit.tooLargeExpression(5000)) { try #require(IRegexp.compile(pattern)).get() }
    }

    /// Where backtracking would take as many steps as 2 to the power of the length.
    @Test(arguments: ["(a*)*b", "(a|a)*b", "(a|aa)+b", "(a*){9}b", "a*a*a*a*a*a*b", "((a?){20}){20}b"])
    func takesLinearTime(_ pattern: String) throws {
        let text = String(repeating: "a", count: 2000)
        var steps = 0
        let expression = try #require(IRegexp.compile(pattern)).get()
        #expect(!expression.matches(text.unicodeScalars, isWhole: false) { steps += $0 })
        #expect(steps <= 2000 * (expression.program.count + 1))
    }
}
