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
        var file = ScannedSettingsFile(bytes, path: path)
        while true {
            file.skip(" \t\r\n")
            guard let first = file.next else { return }
            if first == "#" { file.skipLine() } else { try readVariable(&file) }
        }
    }

    private mutating func readVariable(_ file: inout ScannedSettingsFile) throws(UsageError) {
        var name = Self.name(&file)
        if name == "export", file.skip(" \t") { name = Self.name(&file) }
        guard let first = name.first, !first.isNumber else { throw file.problem("expected NAME=value") }
        file.skip(" \t")
        // The text in its place is not shown, because it may be a secret.
        guard file.next == "=" else { throw file.problem("expected NAME=value") }
        file.removeFirst()
        let hasBlank = file.skip(" \t")
        // After a blank, a number sign starts a comment also where there is no value.
        variables[name] = file.next == "#" && hasBlank ? "" : try Self.value(&file)
    }

    private static func name(_ file: inout ScannedSettingsFile) -> String {
        file.take { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_") }
    }

    private static func value(_ file: inout ScannedSettingsFile) throws(UsageError) -> String {
        if file.next == "'" || file.next == "\"" {
            let text = try file.takeQuoted(spansLines: true) { ["\"", "\\", "$"].contains($0) ? [$0] : ["\\", $0] }
            file.skip(" \t")
            guard file.next.map({ ["\n", "\r", "#"].contains($0) }) ?? true else {
                throw file.problem("expected the end of the line after the closing quote")
            }
            return text
        }
        let line = file.take { $0 != "\n" && $0 != "\r" }
        var value = line.firstRange(of: " #").map { line[..<$0.lowerBound] } ?? line[...]
        while value.last == " " || value.last == "\t" { value.removeLast() }
        return String(value)
    }
}
