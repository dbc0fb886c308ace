/// The variables of a file in dotenv syntax: `NAME=value`, `export NAME='value'`, `# comment`.
///
/// A value in single quotes is taken as it is; in double quotes `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are escapes; without quotes it ends
/// at ` #`. Values in quotes may have line breaks. Variables are not expanded.
struct EnvironmentFile {
    private(set) var variables: [String: String] = [:]

    /// Throws ``UsageError`` with the place of what is wrong in the file at `path`.
    init(_ bytes: [UInt8], path: String) throws(UsageError) {
        var file = ScannedFile(bytes, path: path)
        while true {
            file.skip(" \t\r\n")
            guard let first = file.next else { return }
            if first == "#" { file.skipLine() } else { try readVariable(&file) }
        }
    }

    private mutating func readVariable(_ file: inout ScannedFile) throws(UsageError) {
        var name = Self.name(&file)
        if name == "export", file.skip(" \t") { name = Self.name(&file) }
        guard !name.isEmpty else { throw file.problem("expected NAME=value") }
        file.skip(" \t")
        guard file.next == "=" else { throw file.problem("expected '=' after \(name)") }
        file.removeFirst()
        let hasBlank = file.skip(" \t")
        // After a blank, a number sign starts a comment also where there is no value.
        variables[name] = file.next == "#" && hasBlank ? "" : try Self.value(&file)
    }

    private static func name(_ file: inout ScannedFile) -> String {
        file.take { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_") }
    }

    private static func value(_ file: inout ScannedFile) throws(UsageError) -> String {
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

/// A file that a person writes, read from its start to its end.
struct ScannedFile {
    private let path: String
    private let text: Substring.UnicodeScalarView
    private var rest: Substring.UnicodeScalarView

    init(_ bytes: [UInt8], path: String) {
        self.path = path
        let scalars = String(exactBytes: bytes).unicodeScalars
        text = scalars.first == "\u{FEFF}" ? scalars.dropFirst() : scalars[...]
        rest = text
    }

    var next: Unicode.Scalar? { rest.first }

    /// Whether there are any.
    @discardableResult mutating func skip(_ blanks: String) -> Bool {
        !take(while: blanks.unicodeScalars.contains).isEmpty
    }

    mutating func removeFirst() { rest.removeFirst() }

    mutating func skipLine() { rest = rest.drop { $0 != "\n" }.dropFirst() }

    mutating func take(while isWanted: (Unicode.Scalar) -> Bool) -> String {
        let taken = rest.prefix(while: isWanted)
        rest = rest[taken.endIndex...]
        return String(taken)
    }

    /// The text in the quotes that start here. In double quotes, `\n`, `\r` and `\t` are escapes, and `escapes` says what a backslash and
    /// another character mean. Throws ``UsageError``.
    mutating func takeQuoted(
        spansLines: Bool, escapes: (Unicode.Scalar) -> [Unicode.Scalar]
    ) throws(UsageError) -> String {
        let start = rest
        let quote = rest.removeFirst()
        let breaks: [Unicode.Scalar: Unicode.Scalar] = ["n": "\n", "r": "\r", "t": "\t"]
        var value = String.UnicodeScalarView()
        while let scalar = rest.popFirst(), spansLines || scalar != "\n" {
            if scalar == quote { return String(value) }
            if scalar == "\\", quote == "\"", let next = rest.popFirst() {
                value += breaks[next].map { [$0] } ?? escapes(next)
            } else {
                value.append(scalar)
            }
        }
        rest = start
        throw problem("the quote is not closed")
    }

    /// The error at the place that has been reached.
    func problem(_ problem: String) -> UsageError {
        let lines = text[..<rest.startIndex].split(separator: "\n", omittingEmptySubsequences: false)
        return .invalidFile(
            path, line: lines.count, column: (lines.last?.count ?? 0) + 1, problem: problem, see: Configuration.help)
    }
}
