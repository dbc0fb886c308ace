import JSONText

/// Text from elsewhere in Swift text: nothing leaves its literal or comment.
package enum SwiftLiteral {
    /// The columns of a line, as `.swift-format` says.
    package static let lineLength = 120

    /// A string literal on one line.
    package static func string(_ text: String) -> String { "\"\(pieces(text).joined())\"" }

    /// What stands in a literal for each part of a text.
    static func pieces(_ text: String) -> [String] { text.unicodeScalars.map(escaped) }

    /// The same for a fixed part of a path, which is divided before slashes.
    static func pieces(ofPath text: String) -> [String] {
        text.reduce(into: [""]) { pieces, character in
            if character == "/" || pieces[pieces.count - 1].utf8.count > 60 { pieces.append("") }
            pieces[pieces.count - 1].append(character)
        }
    }

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
        // What is not seen, is seen elsewhere than where it stands, or joins with what is before it.
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
