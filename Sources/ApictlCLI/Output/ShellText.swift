import EndpointKit
import EndpointTools
import JSONText

/// Writes commands for a shell: lines of limited width, and words in which secrets are variables of the shell.
///
/// The notation is one that POSIX shells, zsh and fish understand in the same way, as that of ``ShellWord`` is. In
/// fish, there is no `${NAME}`.
enum ShellText {
    // MARK: Commands

    /// Returns the command line for a curl command. An option and its value stay on one line.
    ///
    /// - Parameters:
    ///   - curl: The command.
    ///   - width: The width that lines should have at most; nil for a single line.
    static func command(_ curl: CurlCommandText, width: Int? = nil) -> String {
        var parts = ["curl"]
        for word in curl.arguments.map(word) {
            if word.hasPrefix("-") {
                parts.append(word)
            } else {
                parts[parts.count - 1] += " " + word
            }
        }
        return command(parts, width: width)
    }

    /// Returns a command line of parts, each of which stays on one line.
    ///
    /// A line that is continued ends with a backslash, and the next one is indented:
    ///
    ///     apictl call movies.search --query 'the matrix' \
    ///           --page 2
    ///
    /// - Parameter width: The width that lines should have at most; nil for a single line.
    static func command(_ parts: [String], width: Int?) -> String {
        guard let width else { return parts.joined(separator: " ") }
        let continuation = " \\"
        var lines: [String] = []
        var line = parts.first ?? ""
        for (index, part) in parts.enumerated().dropFirst() {
            let longerLine = line + " " + part
            let isLastPart = index == parts.count - 1
            let continuationWidth = isLastPart ? 0 : continuation.utf8.count
            let fits = TextWidth.columns(of: longerLine) + continuationWidth <= width
            if fits {
                line = longerLine
            } else {
                lines.append(line + continuation)
                line = "      " + part
            }
        }
        return (lines + [line]).joined(separator: "\n")
    }

    // MARK: Words

    /// Returns one word, in which secrets are variables of the shell.
    ///
    /// | Word | Text |
    /// |---|---|
    /// | without a variable | as it is, or quoted: `'a b'` |
    /// | that can stand in one pair of double quotes | `"Bearer $TOKEN"` |
    /// | any other | each piece in quotes of its own: `'a"b'"$TOKEN"` |
    static func word(_ argument: CurlCommandText.Argument) -> String {
        let pieces = argument.pieces
        let text = pieces.compactMap(\.shellText).joined()
        if pieces.allSatisfy({ $0.shellVariable == nil }) { return ShellWord.quoted(text) }
        if canBeDoubleQuoted(pieces) {
            let content = pieces.map { piece in
                if let text = piece.shellText { return text }
                return "$" + (piece.shellVariable ?? "")
            }
            return "\"\(content.joined())\""
        }
        return pieces.map(quoted).joined()
    }

    /// Returns whether text and variables can stand in one pair of double quotes: no character has a meaning there, and
    /// the text after a variable does not continue its name, as in `$TOKENabc`.
    private static func canBeDoubleQuoted(_ pieces: [CurlCommandText.Argument.Piece]) -> Bool {
        let isTextSafe = pieces.compactMap(\.shellText).joined().utf8.allSatisfy(isSafeInDoubleQuotes)
        let endsEachVariable = zip(pieces, pieces.dropFirst()).allSatisfy { piece, next in
            piece.shellVariable == nil || !continuesVariable(next.shellText ?? "")
        }
        return isTextSafe && endsEachVariable
    }

    /// Returns a piece of a word in quotes of its own.
    private static func quoted(_ piece: CurlCommandText.Argument.Piece) -> String {
        if let name = piece.shellVariable { return "\"$\(name)\"" }
        guard let text = piece.shellText, !text.isEmpty else { return "" }
        return ShellWord.quoted(text)
    }

    // MARK: Characters

    /// Returns whether a shell would read the beginning of `text` as part of the variable before it: as more of its
    /// name or, in fish and zsh, as an index (`$A[1]`) or a modifier (`$A:h`).
    private static func continuesVariable(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        if first == UInt8(ascii: ":") { return text.utf8.count > 1 }
        return ShellWord.isWordByte(first) || first == UInt8(ascii: "[")
    }

    /// Returns whether a byte is visible ASCII or a space, and has no meaning for a shell in double quotes.
    private static func isSafeInDoubleQuotes(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && !"\"$`\\!".utf8.contains(byte)
    }
}
