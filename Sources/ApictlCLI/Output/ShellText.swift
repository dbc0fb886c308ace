import EndpointKit
import EndpointTools
import JSONText

/// Writes words so that a POSIX shell (XCU, section 2.2), zsh and fish read back exactly the same bytes.
///
/// Where these shells differ, the notation is one that all of them understand in the same way. In fish, a backslash
/// within single quotes escapes a quote or another backslash, and there is no `${NAME}`.
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
            let longer = line + " " + part
            let isLast = index == parts.count - 1
            let needed = TextWidth.columns(of: longer) + (isLast ? 0 : continuation.utf8.count)
            if needed > width {
                lines.append(line + continuation)
                line = "      " + part
            } else {
                line = longer
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
        if pieces.allSatisfy({ $0.shellVariable == nil }) { return quoted(text) }
        if canBeDoubleQuoted(pieces) {
            let content = pieces.map { $0.shellText ?? "$" + ($0.shellVariable ?? "") }.joined()
            return "\"\(content)\""
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
        return quoted(text)
    }

    /// Returns a text that a shell reads as one word: as it is, in single quotes, or as a call of `printf`.
    ///
    ///     abc → abc    a b → 'a b'    (empty) → ''    ESC [ 1 m → "$(printf '\033\1331m')"
    static func quoted(_ text: String) -> String {
        let bytes = text.exactBytes
        guard let first = bytes.first else { return "''" }
        // zsh expands a word that starts with `=`.
        if bytes.allSatisfy(isPlain), first != UInt8(ascii: "=") { return text }
        if text.unicodeScalars.contains(where: isControl) || text.holdsRawBytes { return printed(bytes) }
        return singleQuoted(bytes)
    }

    /// Returns text in single quotes, except its quotes and some backslashes.
    ///
    ///     it's → 'it'\''s'
    ///
    /// In fish, a backslash in single quotes has a meaning before a quote or another backslash, so that these
    /// backslashes stand in double quotes.
    private static func singleQuoted(_ bytes: [UInt8]) -> String {
        let parts = bytes.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false).map { part in
            let text = String(exactBytes: part).replacingBytes(of: #"\\"#, with: #"'"\\\\"'"#)
            return text.utf8.last == UInt8(ascii: "\\") ? text.dropLast() + #"'"\\"'"# : text
        }
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }

    /// Returns a word whose bytes `printf` makes, for control characters: `"$(printf 'a\033b')"`.
    ///
    /// A terminal would obey the characters themselves, so that the command could not be shown and copied.
    private static func printed(_ bytes: [UInt8]) -> String {
        // `$( )` removes line breaks at the end, so that they follow in quotes of their own.
        let lineFeed = UInt8(ascii: "\n")
        let lineBreakCount = bytes.reversed().prefix { $0 == lineFeed }.count
        let word = "\"$(\(printf(bytes.dropLast(lineBreakCount))))\""
        return lineBreakCount == 0 ? word : word + "'" + String(repeating: "\n", count: lineBreakCount) + "'"
    }

    /// Returns a call of `printf` that writes any `bytes`.
    ///
    /// Everything except letters, digits and spaces is escaped in octal, because some versions of fish would expand it.
    private static func printf(_ bytes: some Collection<UInt8>) -> String {
        let format = bytes.map { byte in
            if isWordByte(byte) || byte == UInt8(ascii: " ") { return String(Unicode.Scalar(byte)) }
            return byte == UInt8(ascii: "%") ? "%%" : "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)"
        }
        return "printf '" + format.joined() + "'"
    }

    // MARK: Characters

    /// Returns whether a terminal would obey the character. Tabs and line breaks are allowed in quotes.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        TerminalText.isHazard(scalar.value) && scalar != "\t" && scalar != "\n"
    }

    /// Returns whether a shell would read the beginning of `text` as part of the variable before it: as more of its
    /// name or, in fish and zsh, as an index (`$A[1]`) or a modifier (`$A:h`).
    private static func continuesVariable(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        if first == UInt8(ascii: ":") { return text.utf8.count > 1 }
        return isWordByte(first) || first == UInt8(ascii: "[")
    }

    /// Whether a byte has no meaning for any shell.
    private static func isPlain(_ byte: UInt8) -> Bool { isWordByte(byte) || "-./:@%+=,".utf8.contains(byte) }

    /// Returns whether a byte is visible ASCII or a space, and has no meaning for a shell in double quotes.
    private static func isSafeInDoubleQuotes(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && !"\"$`\\!".utf8.contains(byte)
    }

    /// Returns whether a byte may be part of a variable's name.
    private static func isWordByte(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || byte == UInt8(ascii: "_") }
}
