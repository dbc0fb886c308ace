import JSONText

/// Text from elsewhere in Swift text: nothing leaves its literal or comment.
package enum SwiftLiteral {
    /// The columns of a line, as `.swift-format` says.
    package static let lineLength = 120

    /// A string literal. If the line would be longer than allowed, it is one of several lines, which are indented.
    ///
    /// - Parameters:
    ///   - column: How much is on the line already, and comes after the literal.
    ///   - indent: How far the line is indented.
    package static func string(_ text: String, column: Int = 0, indent: Int = 0) -> String {
        let pieces = text.unicodeScalars.map(escaped)
        let length = pieces.reduce(0) { $0 + $1.unicodeScalars.count }
        guard column + length + 2 > lineLength else { return "\"\(pieces.joined())\"" }
        let margin = String(repeating: " ", count: indent + 4)
        var result = "\"\"\"\n" + margin
        var width = 0
        for (index, piece) in pieces.enumerated() {
            width += piece.utf8.count
            if width > lineLength - 1 - margin.utf8.count, index > 0 {
                result += "\\\n" + margin
                width = piece.utf8.count
            }
            result += piece
        }
        return result + "\n" + margin + "\"\"\""
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

    /// Lines of a comment, each with the indentation and `///` or `//` before it, and a line break after it; `margin` comes before them later.
    package static func comment(_ text: String, mark: String = "///", indent: Int = 0, margin: Int = 0) -> String {
        let start = String(repeating: " ", count: indent) + mark
        var lines: [String] = []
        for word in TerminalText.escaped(text).split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count + margin <= lineLength {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append("\(start) \(word)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
