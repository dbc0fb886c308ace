import JSONText

/// Writes text from documents into string literals and comments, so that none of it can become code.
package enum SwiftLiteral {
    /// The most characters of a line, as in `.swift-format`.
    package static let lineLength = 120

    /// Returns a string literal on one line: `say "hi"` → `"say \"hi\""`.
    package static func string(_ text: String) -> String { "\"\(pieces(text).joined())\"" }

    /// Returns the escaped form of each scalar of a text. A literal may be divided between any two of them.
    static func pieces(_ text: String) -> [String] { text.unicodeScalars.map(escaped) }

    /// Returns the pieces of a fixed part of a path, divided before slashes and after about 60 bytes.
    ///
    /// `/pets/toys` → `""`, `/pets`, `/toys`. Nothing is escaped.
    static func pieces(ofPath text: String) -> [String] {
        text.reduce(into: [""]) { pieces, character in
            if character == "/" || pieces[pieces.count - 1].utf8.count > 60 { pieces.append("") }
            pieces[pieces.count - 1].append(character)
        }
    }

    /// Returns a scalar as it is written in a literal: `"` → `\"`, U+200B → `\u{200B}`.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": return "\\\""
        case "\\": return "\\\\"
        case "\n": return "\\n"
        case "\r": return "\\r"
        case "\t": return "\\t"
        case " "..."~": return String(scalar)
        default: break
        }
        switch scalar.properties.generalCategory {
        // These scalars are invisible, change the direction of the text, or join with the character before them.
        case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .privateUse, .unassigned,
            .nonspacingMark, .spacingMark, .enclosingMark, .surrogate:
            return "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default: return String(scalar)
        }
    }

    /// Returns the lines of a comment with their line breaks, each after `start`: the indentation, and `///` or `//`.
    ///
    /// Lines of the text stay lines. Each one is divided between words where it is too long.
    static func comment(_ text: String, start: String) -> String {
        var lines: [String] = []
        for line in text.split(separator: "\n") {
            var isFirst = true
            for word in TerminalText.escaped(String(line)).split(separator: " ") {
                if !isFirst, let last = lines.last, last.count + 1 + word.count <= lineLength {
                    lines[lines.count - 1] += " " + word
                } else {
                    lines.append("\(start) \(word)")
                }
                isFirst = false
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
