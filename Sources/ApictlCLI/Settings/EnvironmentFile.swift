import EndpointKit

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
        guard let first = name.first, !first.isNumber else { throw file.problem("expected NAME=value") }
        file.skip(" \t")
        // What stands there may be a secret.
        guard file.next == "=" else { throw file.problem("expected NAME=value") }
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

/// The users and passwords of a `.netrc` file, read as curl reads it (curl's manual page, `--netrc`).
struct Netrc {
    /// The values under `machine`, `login` and `password`; the default entry, which applies to every host, has no machine.
    typealias Entry = [String: String]

    private(set) var entries: [Entry] = []

    /// The file that NETRC names, else `~/.netrc`; nil if neither NETRC nor HOME is set.
    static func path(_ environment: ProcessEnvironment) -> String? {
        environment.value("NETRC") ?? environment.value("HOME").map { $0 + ($0.hasSuffix("/") ? "" : "/") + ".netrc" }
    }

    /// Throws ``UsageError`` for a quote in the file at `path` that is not closed in its line.
    init(_ bytes: [UInt8], path: String) throws(UsageError) {
        var file = ScannedFile(bytes, path: path)
        // The word whose value comes next.
        var keyword: String?
        while let word = try Self.nextWord(&file) {
            let name = word.lowercased()
            switch keyword {
            case nil where ["machine", "login", "password", "account"].contains(name):
                keyword = name
                continue
            case "machine": entries.append(["machine": word])
            case let field? where field != "account" && !entries.isEmpty: entries[entries.count - 1][field] = word
            case nil where name == "default": entries.append([:])
            default: break
            }
            keyword = nil
        }
    }

    /// The next word after blanks and comments, which start with `#` in place of a word; nil at the end.
    private static func nextWord(_ file: inout ScannedFile) throws(UsageError) -> String? {
        let blanks = " \t\r\n\u{0B}\u{0C}"
        file.skip(blanks)
        while file.next == "#" {
            file.skipLine()
            file.skip(blanks)
        }
        if file.next == "\"" { return try file.takeQuoted(spansLines: false) { [$0] } }
        return file.next == nil ? nil : file.take { !blanks.unicodeScalars.contains($0) }
    }

    /// The first entry for `host` that has a login or a password; host names are case-insensitive.
    func entry(for host: String) -> Entry? {
        entries.first {
            $0["machine", default: host].lowercased() == host.lowercased() && ($0["login"] ?? $0["password"]) != nil
        }
    }

    /// The `Authorization` header for `host` (RFC 7617), or nil if the file of `--netrc` has no entry for it. Throws ``FileError`` and
    /// ``UsageError``.
    static func header(for host: String, _ environment: ProcessEnvironment) throws -> Header? {
        guard let path = path(environment) else {
            throw FileError(.read, "~/.netrc", reason: "neither NETRC nor HOME is set")
        }
        let bytes: [UInt8]
        do {
            bytes = try environment.files.readAll(path, limit: 1_000_000)
        } catch let error as FileError where error.isMissing && !environment.isSet("NETRC") {
            // As with curl, a person need not have one.
            return nil
        }
        return try Netrc(bytes, path: path).entry(for: host).map {
            header(Secret($0["login", default: ""]), Secret($0["password", default: ""]))
        }
    }

    /// A placeholder for that header in a printed curl command, which reads the file itself.
    static let placeholder = header(Secret(variable: "NETRC", value: nil), Secret(variable: "NETRC", value: nil))

    private static func header(_ user: Secret, _ password: Secret) -> Header {
        Header("Authorization", SensitiveText([.text("Basic "), .basic(user: user, password: password)]))
    }
}
