import EndpointKit
import JSONText

/// Writes words so that a POSIX shell (XCU, section 2.2), zsh or fish reads back exactly the same bytes.
///
/// What one of them understands in another way is written so that all agree: in fish a backslash within single quotes escapes a quote or
/// another backslash, and there is no `${NAME}`.
enum ShellText {
    /// The command line for `invocation`.
    static func command(_ invocation: CurlInvocation) -> String {
        let words = ["curl"] + invocation.arguments.map(word)
        let command = words.joined(separator: " ")
        return invocation.input.map { printf($0) + " | " + command } ?? command
    }

    /// One word.
    static func word(_ argument: CurlInvocation.Argument) -> String {
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

    /// `text` as it is if no character means anything to a shell, otherwise in single quotes.
    static func quoted(_ text: String) -> String {
        let bytes = text.exactBytes
        // zsh expands a word that starts with `=`.
        if !bytes.isEmpty, bytes.allSatisfy(isPlain), bytes[0] != UInt8(ascii: "=") { return text }
        if bytes.isEmpty { return "''" }
        let holdsControls = text.unicodeScalars.contains(where: isControl) || text.holdsRawBytes
        var runs: [(form: Form, bytes: [UInt8])] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let first = Unicode.Scalar.leading(rest)
            let taken = rest.prefix(first?.length ?? 1)
            rest = rest.dropFirst(taken.count)
            let form: Form =
                switch first?.scalar {
                case nil: .made
                case let scalar? where isControl(scalar): .made
                // After `"$( )"`, fish 3.6 takes a dollar sign or a parenthesis in single quotes for its own.
                case "$" where holdsControls, "(" where holdsControls, ")" where holdsControls: .made
                case "'": .quotes
                // Before a quote or another one a backslash means something to fish.
                case "\\" where holdsControls || runs.last?.form == .backslashes: .backslashes
                case "\\" where rest.first.map("'\\".utf8.contains) ?? true: .backslashes
                default: .singleQuoted
                }
            if runs.last?.form != form { runs.append((form, [])) }
            runs[runs.count - 1].bytes += taken
        }
        return runs.map { form, bytes in
            switch form {
            case .singleQuoted: "'" + String(exactBytes: bytes) + "'"
            case .quotes: String(repeating: "\\'", count: bytes.count)
            case .backslashes: "\"" + String(repeating: "\\\\", count: bytes.count) + "\""
            // What a terminal would obey is made by printf, so that the command can be shown, copied and read.
            case .made: "\"$(printf '" + bytes.map(octal).joined() + "')\""
            }
        }.joined()
    }

    /// How a part of a word is written.
    private enum Form {
        case singleQuoted, quotes, backslashes, made
    }

    /// What a terminal obeys, but for tab and line break: `$( )` would take a line break away at the end.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        TerminalText.isHazard(scalar.value) && scalar != "\t" && scalar != "\n"
    }

    private static func octal(_ byte: UInt8) -> String { "\\\(byte >> 6)\(byte >> 3 & 7)\(byte & 7)" }

    /// A printf that writes `bytes`, whatever they are; printf is built into every shell, so no length limit applies.
    private static func printf(_ bytes: [UInt8]) -> String {
        let format = bytes.map { byte -> String in
            switch byte {
            case UInt8(ascii: "%"): "%%"
            case 0x20...0x7E where byte != UInt8(ascii: "'") && byte != UInt8(ascii: "\\"): String(Unicode.Scalar(byte))
            default: octal(byte)
            }
        }
        return "printf -- '" + format.joined() + "'"
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
