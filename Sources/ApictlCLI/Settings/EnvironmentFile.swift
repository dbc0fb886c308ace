import EndpointKit

/// The variables of a file in dotenv syntax: `NAME=value`, `export NAME='value'`, `# comment`.
///
/// A value in single quotes is taken as it is. In double quotes, `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are escapes.
/// Without quotes, a value ends at ` #`. Values in quotes may have line breaks. Variables are not expanded.
struct EnvironmentFile {
    private(set) var variables: [String: String] = [:]

    /// Reads the text of the file at `path`.
    ///
    /// - Throws: ``UsageError`` with its place for a line that is neither a variable nor a comment.
    init(_ bytes: [UInt8], path: String) throws(UsageError) {
        var file = ScannedSettingsFile(bytes, path: path, help: "help call")
        while true {
            file.skip(Self.blanks + "\r\n")
            guard let first = file.next else { return }
            if first == "#" { file.skipLine() } else { try readVariable(&file) }
        }
    }

    private static let blanks = " \t"

    /// Reads the variable that starts at the next character: `NAME=value` or `export NAME=value`.
    ///
    /// - Throws: ``UsageError`` for a text that is no variable.
    private mutating func readVariable(_ file: inout ScannedSettingsFile) throws(UsageError) {
        var name = Self.takeName(&file)
        // Without a blank after it, `export` is the name of the variable.
        if name == "export", file.skip(Self.blanks) { name = Self.takeName(&file) }
        guard let first = name.first, !first.isNumber else { throw file.problem("expected NAME=value") }
        file.skip(Self.blanks)
        // The text in place of the equals sign is not shown, because it may be a secret.
        guard file.next == "=" else { throw file.problem("expected NAME=value") }
        file.removeFirst()
        let hasBlank = file.skip(Self.blanks)
        // After a blank, a number sign starts a comment, so that the value is empty.
        let isEmpty = hasBlank && file.next == "#"
        variables[name] = isEmpty ? "" : try Self.takeValue(&file)
    }

    /// Takes a name of ASCII letters, digits and underscores, which may be empty.
    private static func takeName(_ file: inout ScannedSettingsFile) -> String {
        file.take { scalar in
            guard scalar.isASCII else { return false }
            return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_"
        }
    }

    /// Takes a value with or without quotes.
    private static func takeValue(_ file: inout ScannedSettingsFile) throws(UsageError) -> String {
        let isQuoted = file.next == "'" || file.next == "\""
        return isQuoted ? try takeQuotedValue(&file) : takePlainValue(&file)
    }

    /// Takes a value in quotes from the file. In its last line, only a comment may follow.
    ///
    /// - Returns: The value without the quotes.
    /// - Throws: ``UsageError`` for a quote that is not closed, and for other text after the value.
    private static func takeQuotedValue(_ file: inout ScannedSettingsFile) throws(UsageError) -> String {
        let value = try file.takeQuoted(spansLines: true) { escaped in
            // A backslash before any other character stands for itself.
            let isEscape = escaped == "\"" || escaped == "\\" || escaped == "$"
            return isEscape ? [escaped] : ["\\", escaped]
        }
        file.skip(blanks)
        switch file.next {
        case nil, "\n", "\r", "#": return value
        default: throw file.problem("expected the end of the line after the closing quote")
        }
    }

    /// Takes a value without quotes: the line up to a comment, without the blanks at its end.
    private static func takePlainValue(_ file: inout ScannedSettingsFile) -> String {
        let line = file.take { $0 != "\n" && $0 != "\r" }
        let commentStart = line.firstRange(of: " #")?.lowerBound ?? line.endIndex
        var value = line[..<commentStart]
        while value.last == " " || value.last == "\t" { value.removeLast() }
        return String(value)
    }
}
