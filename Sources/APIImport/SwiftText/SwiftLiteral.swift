import JSONText

/// Writes text from documents into string literals and comments, so that none of it can become code.
package enum SwiftLiteral {
    /// The most characters of a line, as in `.swift-format`.
    package static let lineLength = 120

    /// Returns a string literal on one line: `say "hi"` → `"say \"hi\""`.
    package static func string(_ text: String) -> String { "\"\(pieces(text).joined())\"" }

    /// Returns the escaped form of each scalar of a text. A literal may be divided between any two of them.
    static func pieces(_ text: String) -> [String] { text.unicodeScalars.map(escaped) }

    /// Returns the pieces of a path, between which a literal with the path may be divided.
    ///
    /// The path is divided before slashes and after about 60 bytes: `/pets/toys` → `""`, `/pets`, `/toys`.
    ///
    /// - Parameter text: A fixed part of the path, percent-encoded, so that nothing has to be escaped.
    static func pieces(ofPath text: String) -> [String] {
        // A piece of this length fits on a line of 120 characters, even if the line is indented.
        let maxPieceLength = 60
        var pieces: [String] = []
        var piece = ""
        for character in text {
            if character == "/" || piece.utf8.count > maxPieceLength {
                pieces.append(piece)
                piece = ""
            }
            piece.append(character)
        }
        return pieces + [piece]
    }

    /// Returns a scalar as it is written in a string literal: `"` → `\"`, U+200B → `\u{200B}`.
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

    /// Returns the lines of a comment, each with its line break: `/// The first line.`
    ///
    /// Each line of the text begins a new line. A line that is too long is divided between words.
    ///
    /// - Parameters:
    ///   - text: The text of the comment.
    ///   - start: The start of each line: the indentation, and `///` or `//`.
    static func comment(_ text: String, start: String) -> String {
        var commentLines: [String] = []
        for line in text.split(separator: "\n") {
            var commentLine = ""
            for word in TerminalText.escaped(String(line)).split(separator: " ") {
                let longerLine = "\(commentLine) \(word)"
                let fits = longerLine.count <= lineLength
                if !commentLine.isEmpty, fits {
                    commentLine = longerLine
                } else {
                    if !commentLine.isEmpty { commentLines.append(commentLine) }
                    commentLine = "\(start) \(word)"
                }
            }
            if !commentLine.isEmpty { commentLines.append(commentLine) }
        }
        return commentLines.map { $0 + "\n" }.joined()
    }
}
