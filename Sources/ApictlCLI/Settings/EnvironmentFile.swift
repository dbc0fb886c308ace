/// The variables of a file in dotenv syntax: `NAME=value`, `export NAME='value'`, `# comment`.
///
/// A value in single quotes is taken as it is; in double quotes `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are escapes; without quotes it ends
/// at ` #`. Values in quotes may have line breaks. Variables are not expanded.
struct EnvironmentFile: Sendable {
    private(set) var variables: [String: String] = [:]

    /// What is wrong, and in which line.
    struct SyntaxError: Error, Equatable {
        let line: Int
        let column: Int
        let problem: String
    }

    private var rest: Substring.UnicodeScalarView
    private var line = 1
    private var column = 1

    /// Throws ``SyntaxError``.
    init(_ text: String) throws(SyntaxError) {
        rest = text.unicodeScalars[...]
        if rest.first == "\u{FEFF}" { rest.removeFirst() }
        while true {
            skip { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" }
            guard let first = rest.first else { return }
            if first == "#" { skip { $0 != "\n" } } else { try readVariable() }
        }
    }

    private mutating func readVariable() throws(SyntaxError) {
        var name = word()
        if name == "export", rest.first == " " || rest.first == "\t" {
            skipBlanks()
            name = word()
        }
        guard !name.isEmpty else { throw problem("expected NAME=value") }
        skipBlanks()
        guard rest.first == "=" else { throw problem("expected '=' after \(name)") }
        advance()
        let start = rest.startIndex
        skipBlanks()
        // After a blank, a number sign starts a comment also where there is no value.
        variables[name] = rest.first == "#" && rest.startIndex > start ? "" : try value()
    }

    private mutating func word() -> String {
        take { ("a"..."z").contains($0) || ("A"..."Z").contains($0) || ("0"..."9").contains($0) || $0 == "_" }
    }

    private mutating func value() throws(SyntaxError) -> String {
        guard let quote = rest.first, quote == "'" || quote == "\"" else {
            var text = take { $0 != "\n" && $0 != "\r" }
            if let comment = text.indices.first(where: { text[$0...].hasPrefix(" #") }) {
                text = String(text[..<comment])
            }
            while text.last == " " || text.last == "\t" { text.removeLast() }
            return text
        }
        let start = problem("the quote is not closed")
        advance()
        var text = String.UnicodeScalarView()
        while let scalar = rest.first, scalar != quote {
            advance()
            guard scalar == "\\", quote == "\"", let next = rest.first else {
                text.append(scalar)
                continue
            }
            advance()
            switch next {
            case "n": text.append("\n")
            case "r": text.append("\r")
            case "t": text.append("\t")
            case "\"", "\\", "$": text.append(next)
            default: text += ["\\", next]
            }
        }
        guard rest.first == quote else { throw start }
        advance()
        skipBlanks()
        if let next = rest.first, next != "\n", next != "\r", next != "#" {
            throw problem("expected the end of the line after the closing quote")
        }
        return String(text)
    }

    private func problem(_ text: String) -> SyntaxError { SyntaxError(line: line, column: column, problem: text) }

    private mutating func advance() {
        guard let scalar = rest.popFirst() else { return }
        (line, column) = scalar == "\n" ? (line + 1, 1) : (line, column + 1)
    }

    private mutating func skipBlanks() { skip { $0 == " " || $0 == "\t" } }

    private mutating func skip(while isWanted: (Unicode.Scalar) -> Bool) {
        while let scalar = rest.first, isWanted(scalar) { advance() }
    }

    private mutating func take(while isWanted: (Unicode.Scalar) -> Bool) -> String {
        let start = rest.startIndex
        let text = rest
        skip(while: isWanted)
        return String(text[start..<rest.startIndex])
    }
}
