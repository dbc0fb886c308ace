/// The variables of a file in dotenv syntax: `NAME=value`, `export NAME='value'`, `# comment`.
///
/// A value in single quotes is taken as it is; in double quotes `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are escapes; without quotes it ends
/// at ` #`. Values in quotes may have line breaks. Variables are not expanded.
struct EnvironmentFile {
    private(set) var variables: [String: String] = [:]
    private let path: String
    private let text: Substring.UnicodeScalarView
    private var rest: Substring.UnicodeScalarView

    /// Throws ``UsageError`` with the place of what is wrong in the file at `path`.
    init(_ bytes: [UInt8], path: String) throws(UsageError) {
        self.path = path
        let scalars = String(exactBytes: bytes).unicodeScalars
        self.text = scalars.first == "\u{FEFF}" ? scalars.dropFirst() : scalars[...]
        rest = self.text
        while true {
            skip(" \t\r\n")
            guard let first = rest.first else { return }
            if first == "#" { rest = rest.drop { $0 != "\n" } } else { try readVariable() }
        }
    }

    private mutating func readVariable() throws(UsageError) {
        var name = readName()
        if name == "export", rest.first == " " || rest.first == "\t" {
            skip(" \t")
            name = readName()
        }
        guard !name.isEmpty else { throw problem("expected NAME=value") }
        skip(" \t")
        guard rest.first == "=" else { throw problem("expected '=' after \(name)") }
        rest.removeFirst()
        let start = rest.startIndex
        skip(" \t")
        // After a blank, a number sign starts a comment also where there is no value.
        variables[name] = rest.first == "#" && rest.startIndex > start ? "" : try readValue()
    }

    private mutating func readName() -> String {
        take { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_") }
    }

    private mutating func readValue() throws(UsageError) -> String {
        if rest.first == "'" || rest.first == "\"" { return try readQuoted() }
        let line = take { $0 != "\n" && $0 != "\r" }
        var value = line.firstRange(of: " #").map { line[..<$0.lowerBound] } ?? line[...]
        while value.last == " " || value.last == "\t" { value.removeLast() }
        return String(value)
    }

    private mutating func readQuoted() throws(UsageError) -> String {
        let start = rest
        let quote = rest.removeFirst()
        let escapes: [Unicode.Scalar: Unicode.Scalar] = [
            "n": "\n", "r": "\r", "t": "\t", "\"": "\"", "\\": "\\", "$": "$",
        ]
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst() {
            if scalar == quote {
                skip(" \t")
                if let next = rest.first, !["\n", "\r", "#"].contains(next) {
                    throw problem("expected the end of the line after the closing quote")
                }
                return String(value)
            }
            if scalar == "\\", quote == "\"", let next = rest.popFirst() {
                value += escapes[next].map { [$0] } ?? ["\\", next]
            } else {
                value.append(scalar)
            }
        }
        rest = start
        throw problem("the quote is not closed")
    }

    /// The error at the place that has been reached.
    private func problem(_ problem: String) -> UsageError {
        let lines = text[..<rest.startIndex].split(separator: "\n", omittingEmptySubsequences: false)
        return .invalidFile(
            path, line: lines.count, column: (lines.last?.count ?? 0) + 1, problem: problem, see: Configuration.help)
    }

    private mutating func skip(_ blanks: String) { rest = rest.drop(while: blanks.unicodeScalars.contains) }

    private mutating func take(while isWanted: (Unicode.Scalar) -> Bool) -> String {
        let taken = rest.prefix(while: isWanted)
        rest = rest[taken.endIndex...]
        return String(taken)
    }
}
