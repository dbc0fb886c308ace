import TestSupport
import Testing

@testable import APIImport

/// Random and hostile curl commands, which become Swift or are refused.
@Suite struct ScaffoldHostileTextTests {
    @Test("A random text is imported as Swift with balanced brackets, or refused with an error")
    func randomTextsBecomeSwiftOrAreRefused() throws {
        var random = SeededRandom(seed: 25)
        let fragments = [
            "curl ", "curl ", " ", "'", "\"", "$'", "\\", "\n", "^\n", "^", "$A", "${B}", "#", ";", "&", "=", "{", "}",
            "[1]", "é", "\u{0}",
            "http://a.test/", "https://u:p@b.test:8/x", "/users/1", "?x=1", "-d ", "-F ", "-H ", "--json ", "{\"a\":1}",
            "a=b", "A: b", "-G ",
            "-X", "PUT ", "-u ", "-b ", "@f ", "%", "%41", "--next ", "\u{301}", "\u{10FFFE}",
        ]
        var importCount = 0
        for _ in 0..<7000 {
            var text = "curl "
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                text += fragments.randomElement(using: &random) ?? ""
            }
            do {
                let scaffold = try CurlImport.scaffold(text)
                importCount += 1
                #expect(isBalanced(scaffold.text(withModels: true)), "\(text)")
            } catch is ImportError {}
        }
        #expect(importCount > 500)
    }

    @Test("Text of a request cannot leave its literal or comment in the Swift code")
    func hostileTextsStayInTheirLiterals() throws {
        let scaffold = try CurlImport.scaffold(
            #"""
            curl $'http://a.test/x?a=\x22)+exit(1)+(\x22&\x5c(exit(1))=1&*/=2&\n=3' \#
            -H $'X-A: \x22\x5c(b)\u202e' \#
            --json '{"\\(x)\"": "\"\"\"\\(exit(1))\n\u0000*/"}'
            """#)
        let text = scaffold.text(withModels: true)
        #expect(!text.contains("\u{202E}"))
        #expect(!text.contains("\0"))
        #expect(isBalanced(text))
    }

    /// Returns whether each literal ends on its line or with three quotes, and each bracket outside of literals and
    /// comments has its counterpart.
    private func isBalanced(_ text: String) -> Bool {
        let closingBrackets: [Character: Character] = ["(": ")", "[": "]", "{": "}"]
        var expectedBrackets: [Character] = []
        var isInMultilineLiteral = false
        for var line in text.split(separator: "\n") where !line.contains("///") {
            if isInMultilineLiteral {
                // The text of such a literal has no three quotes: they are escaped.
                guard let quotes = line.firstRange(of: "\"\"\"") else { continue }
                line = line[quotes.upperBound...]
                isInMultilineLiteral = false
            } else if line.hasSuffix("\"\"\"") {
                line = line.dropLast(3)
                isInMultilineLiteral = true
            }
            var isInLiteral = false
            var isEscaped = false
            for character in line {
                if character == "\"", !isEscaped { isInLiteral.toggle() }
                isEscaped = isInLiteral && character == "\\" && !isEscaped
                if isInLiteral { continue }
                if let closingBracket = closingBrackets[character] { expectedBrackets.append(closingBracket) }
                if ")]}".contains(character), expectedBrackets.popLast() != character { return false }
            }
            if isInLiteral { return false }
        }
        return expectedBrackets.isEmpty && !isInMultilineLiteral
    }
}
