import EndpointKit
import EndpointTools
import JSONText

/// Writes words so that a POSIX shell (XCU, section 2.2), zsh or fish reads back exactly the same bytes.
///
/// What one of them understands in another way is written so that all agree: in fish a backslash within single quotes escapes a quote or
/// another backslash, and there is no `${NAME}`.
enum ShellText {
    /// The command line for `invocation`, in lines of at most `width` columns, if its words allow that.
    static func command(_ invocation: CurlCommandText, width: Int? = nil) -> String {
        let parts = invocation.arguments.map(word).reduce(into: ["curl"]) { parts, word in
            if word.hasPrefix("-") { parts.append(word) } else { parts[parts.count - 1] += " " + word }
        }
        return command(parts, width: width)
    }

    /// Parts of a command that stand together, in lines of at most `width` columns.
    static func command(_ parts: [String], width: Int?) -> String {
        parts.indices.dropFirst().reduce(into: [parts[0]]) { lines, place in
            let line = lines[lines.count - 1] + " " + parts[place]
            // But for the last, a line ends with a space and a backslash.
            if let width, TextWidth.columns(of: line) + (place < parts.count - 1 ? 2 : 0) > width {
                lines.append("      " + parts[place])
            } else {
                lines[lines.count - 1] = line
            }
        }.joined(separator: " \\\n")
    }

    /// One word.
    static func word(_ argument: CurlCommandText.Argument) -> String {
        let pieces = argument.pieces
        let text = pieces.compactMap(\.shellText).joined()
        if pieces.allSatisfy({ $0.shellVariable == nil }) { return quoted(text) }
        let areEnded = zip(pieces, pieces.dropFirst()).allSatisfy {
            $0.shellVariable == nil || !continuesVariable($1.shellText ?? "")
        }
        if areEnded, text.utf8.allSatisfy(isSafeInDoubleQuotes) {
            return "\"" + pieces.map { $0.shellText ?? "$" + ($0.shellVariable ?? "") }.joined() + "\""
        }
        return pieces.map { piece in
            if let name = piece.shellVariable { return "\"$\(name)\"" }
            return piece.shellText.map { $0.isEmpty ? "" : quoted($0) } ?? ""
        }.joined()
    }

    /// `text` as it is if no character means anything to a shell, otherwise in quotes.
    static func quoted(_ text: String) -> String {
        let bytes = text.exactBytes
        // zsh expands a word that starts with `=`.
        if !bytes.isEmpty, bytes.allSatisfy(isPlain), bytes[0] != UInt8(ascii: "=") { return text }
        if bytes.isEmpty { return "''" }
        if text.unicodeScalars.contains(where: isControl) || text.holdsRawBytes {
            // What a terminal would obey is made by printf, so that the command can be shown, copied and read. `$( )` takes line breaks away
            // at the end.
            let end = bytes.lastIndex { $0 != UInt8(ascii: "\n") }.map { $0 + 1 } ?? 0
            let breaks = String(repeating: "\n", count: bytes.count - end)
            return "\"$(\(printf(bytes[..<end])))\"" + (breaks.isEmpty ? "" : "'\(breaks)'")
        }
        // In fish, a backslash in single quotes means something before a quote or another backslash.
        let parts = bytes.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false).map { part in
            let text = String(exactBytes: part).replacingBytes(of: #"\\"#, with: #"'"\\\\"'"#)
            return text.utf8.last == UInt8(ascii: "\\") ? text.dropLast() + #"'"\\"'"# : text
        }
        return "'" + parts.joined(separator: #"'\''"#) + "'"
    }

    /// What a terminal obeys, but for tab and line break: `$( )` would take a line break away at the end.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        TerminalText.isHazard(scalar.value) && scalar != "\t" && scalar != "\n"
    }

    /// A printf that writes `bytes`, whatever they are.
    ///
    /// What is not a letter, a digit or a space is escaped: some versions of fish would expand it.
    private static func printf(_ bytes: some Collection<UInt8>) -> String {
        let format = bytes.map { byte in
            if isWordByte(byte) || byte == UInt8(ascii: " ") { return String(Unicode.Scalar(byte)) }
            return byte == UInt8(ascii: "%") ? "%%" : "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)"
        }
        return "printf '" + format.joined() + "'"
    }

    /// Whether a shell would read the start of `text` as part of the variable before it: its name, or in fish and zsh an index or a
    /// modifier.
    private static func continuesVariable(_ text: String) -> Bool {
        guard let first = text.utf8.first else { return false }
        return isWordByte(first) || first == UInt8(ascii: "[") || first == UInt8(ascii: ":") && text.utf8.count > 1
    }

    private static func isPlain(_ byte: UInt8) -> Bool { isWordByte(byte) || "-./:@%+=,".utf8.contains(byte) }

    private static func isSafeInDoubleQuotes(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && !"\"$`\\!".utf8.contains(byte)
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
    }
}
