/// A file that a person writes, read from its start to its end.
struct ScannedSettingsFile {
    private let path: String
    private let text: Substring.UnicodeScalarView
    private var rest: Substring.UnicodeScalarView

    init(_ bytes: [UInt8], path: String) {
        self.path = path
        let scalars = String(exactBytes: bytes).unicodeScalars
        text = scalars.first == "\u{FEFF}" ? scalars.dropFirst() : scalars[...]
        rest = text
    }

    var next: Unicode.Scalar? { rest.first }

    /// Skips all characters of `blanks` that follow, and returns whether there are any.
    @discardableResult mutating func skip(_ blanks: String) -> Bool {
        !take(while: blanks.unicodeScalars.contains).isEmpty
    }

    mutating func removeFirst() { rest.removeFirst() }

    mutating func skipLine() { rest = rest.drop { $0 != "\n" }.dropFirst() }

    mutating func take(while isWanted: (Unicode.Scalar) -> Bool) -> String {
        let taken = rest.prefix(while: isWanted)
        rest = rest[taken.endIndex...]
        return String(taken)
    }

    /// Takes the text in the quotes that start here.
    ///
    /// - Parameters:
    ///   - spansLines: Whether the text may have line breaks.
    ///   - escapes: Returns the meaning, in double quotes, of a backslash and another character than `n`, `r` and `t`.
    /// - Throws: ``UsageError`` if the quote is not closed.
    mutating func takeQuoted(
        spansLines: Bool, escapes: (Unicode.Scalar) -> [Unicode.Scalar]
    ) throws(UsageError) -> String {
        let start = rest
        let quote = rest.removeFirst()
        let breaks: [Unicode.Scalar: Unicode.Scalar] = ["n": "\n", "r": "\r", "t": "\t"]
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), spansLines || scalar != "\n" {
            if scalar == quote { return String(value) }
            if scalar == "\\", quote == "\"", let next = rest.popFirst() {
                value += breaks[next].map { [$0] } ?? escapes(next)
            } else {
                value.append(scalar)
            }
        }
        rest = start
        throw problem("the quote is not closed")
    }

    /// The error at the place that has been reached.
    func problem(_ problem: String) -> UsageError {
        let lines = text[..<rest.startIndex].split(separator: "\n", omittingEmptySubsequences: false)
        return .invalidFile(
            path, line: lines.count, column: (lines.last?.count ?? 0) + 1, problem: problem, see: Configuration.help)
    }
}
