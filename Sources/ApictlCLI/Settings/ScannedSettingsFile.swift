/// A reader of a text file that a person writes. It takes the text from the start to the end, and knows the place it
/// has reached.
struct ScannedSettingsFile {
    private let path: String
    /// The command that shows the help about the file.
    private let help: String
    private let text: Substring.UnicodeScalarView
    /// The text that has not been taken.
    private var remainder: Substring.UnicodeScalarView

    /// Makes a reader of the text of the file at `path`. A byte order mark is skipped.
    init(_ bytes: [UInt8], path: String, help: String) {
        self.path = path
        self.help = help
        let scalars = String(exactBytes: bytes).unicodeScalars
        text = scalars.first == "\u{FEFF}" ? scalars.dropFirst() : scalars[...]
        remainder = text
    }

    /// The next character; nil at the end.
    var next: Unicode.Scalar? { remainder.first }

    /// Skips the characters of `blanks` that follow, and returns whether there are any.
    @discardableResult mutating func skip(_ blanks: String) -> Bool {
        !take(while: blanks.unicodeScalars.contains).isEmpty
    }

    /// Skips the next character. There must be one.
    mutating func removeFirst() { remainder.removeFirst() }

    /// Skips all characters up to the next line break, and the line break.
    mutating func skipLine() { remainder = remainder.drop { $0 != "\n" }.dropFirst() }

    /// Takes the characters up to the first one for which `isWanted` is false.
    mutating func take(while isWanted: (Unicode.Scalar) -> Bool) -> String {
        let taken = remainder.prefix(while: isWanted)
        remainder = remainder[taken.endIndex...]
        return String(taken)
    }

    /// Takes the text in quotes that starts at the next character.
    ///
    /// In double quotes, a backslash starts an escape: `\n`, `\r` and `\t` are line breaks and tabs. In single
    /// quotes, it stands for itself.
    ///
    /// - Parameters:
    ///   - spansLines: Whether the text may contain line breaks.
    ///   - meaningOfEscape: Returns the text for a backslash with any other character after it, given that character.
    /// - Returns: The text without the quotes.
    /// - Throws: ``UsageError`` with the place of a quote that is not closed.
    mutating func takeQuoted(
        spansLines: Bool, meaningOfEscape: (_ escaped: Unicode.Scalar) -> [Unicode.Scalar]
    ) throws(UsageError) -> String {
        let start = remainder
        let quote = remainder.removeFirst()
        var value = String.UnicodeScalarView()
        while let scalar = remainder.popFirst(), spansLines || scalar != "\n" {
            if scalar == quote { return String(value) }
            if quote == "\"", scalar == "\\", let escaped = remainder.popFirst() {
                switch escaped {
                case "n": value.append("\n")
                case "r": value.append("\r")
                case "t": value.append("\t")
                default: value += meaningOfEscape(escaped)
                }
            } else {
                value.append(scalar)
            }
        }
        // The error has the place of the opening quote, because that of the end of the file would say nothing.
        remainder = start
        throw problem("the quote is not closed")
    }

    /// Returns an error with the place that the reader has reached.
    func problem(_ problem: String) -> UsageError {
        let lines = text[..<remainder.startIndex].split(separator: "\n", omittingEmptySubsequences: false)
        let column = (lines.last?.count ?? 0) + 1
        return .invalidFile(path, line: lines.count, column: column, problem: problem, see: help)
    }
}
