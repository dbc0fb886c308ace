import EndpointKit

/// The users and passwords of a `.netrc` file, read as curl reads it (curl's manual page, `--netrc`).
struct Netrc {
    /// One entry.
    struct Entry: Equatable {
        /// The host's name; nil for the default entry, which applies to every host.
        var machine: String?
        var login: String?
        var password: String?
    }

    /// A quote that is not closed in a line, counted from 1: the only syntax error in a netrc file.
    struct UnterminatedQuote: Error, Equatable {
        let line: Int
    }

    private(set) var entries: [Entry] = []
    private let bytes: [UInt8]
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) throws(UnterminatedQuote) {
        self.bytes = bytes
        rest = bytes[...]
        while let word = try nextWord() {
            switch word.lowercased() {
            case "machine": entries.append(Entry(machine: try nextWord() ?? ""))
            case "default": entries.append(Entry())
            case "login": try set(\.login)
            case "password": try set(\.password)
            // Ignored, but its value must not be mistaken for a keyword.
            case "account": _ = try nextWord()
            case "macdef": skipMacro()
            default: break
            }
        }
    }

    private mutating func set(_ field: WritableKeyPath<Entry, String?>) throws(UnterminatedQuote) {
        let value = try nextWord()
        if !entries.isEmpty { entries[entries.count - 1][keyPath: field] = value }
    }

    /// The next word after blanks and comments, which start with `#` in place of a word; nil at the end.
    private mutating func nextWord() throws(UnterminatedQuote) -> String? {
        while let byte = rest.first, byte == UInt8(ascii: "#") || Self.isBlank(byte) {
            rest = byte == UInt8(ascii: "#") ? rest.drop { $0 != UInt8(ascii: "\n") } : rest.dropFirst()
        }
        if rest.first == UInt8(ascii: "\"") { return try quotedWord() }
        let word = rest.prefix { !Self.isBlank($0) }
        rest = rest[word.endIndex...]
        return word.isEmpty ? nil : String(exactBytes: word)
    }

    /// A word in double quotes; `\n`, `\r` and `\t` are escapes, and a backslash before any other character means that character.
    private mutating func quotedWord() throws(UnterminatedQuote) -> String {
        let start = rest.startIndex
        var word: [UInt8] = []
        rest = rest.dropFirst()
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\n") {
            if byte == UInt8(ascii: "\"") { return String(exactBytes: word) }
            guard byte == UInt8(ascii: "\\") else {
                word.append(byte)
                continue
            }
            guard let escaped = rest.popFirst(), escaped != UInt8(ascii: "\n") else { break }
            switch escaped {
            case UInt8(ascii: "n"): word.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "r"): word.append(UInt8(ascii: "\r"))
            case UInt8(ascii: "t"): word.append(UInt8(ascii: "\t"))
            default: word.append(escaped)
            }
        }
        throw UnterminatedQuote(line: bytes[..<start].count { $0 == UInt8(ascii: "\n") } + 1)
    }

    /// Skips a macro: the rest of the line with its name, and all lines up to an empty one.
    private mutating func skipMacro() {
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\n") }
            rest = rest[line.endIndex...].dropFirst()
            if line.allSatisfy({ $0 == UInt8(ascii: "\r") }) { return }
        }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// The first entry for `host` that has a login or a password; host names are case-insensitive.
    func entry(for host: String) -> Entry? {
        entries.first { entry in
            (entry.machine.map { $0.lowercased() == host.lowercased() } ?? true)
                && (entry.login != nil || entry.password != nil)
        }
    }
}

/// The `.netrc` file that `--netrc` reads: the one that NETRC names, else `~/.netrc`.
struct NetrcFile {
    let environment: ProcessEnvironment

    /// The path, or nil if neither NETRC nor HOME is set.
    var path: String? {
        environment.value("NETRC")
            ?? environment.value("HOME").map { $0 + ($0.hasSuffix("/") ? "" : "/") + ".netrc" }
    }

    /// The `Authorization` header for `host` (RFC 7617), or nil if the file has no entry for it. Throws ``FileError``.
    func header(for host: String) throws -> Header? {
        guard let path else { throw FileError(.read, "~/.netrc", reason: "neither NETRC nor HOME is set") }
        do {
            let netrc = try Netrc(environment.files.open(path).readAll(name: path, limit: 1_000_000))
            return netrc.entry(for: host).map { Self.header(Secret($0.login ?? ""), Secret($0.password ?? "")) }
        } catch let error as Netrc.UnterminatedQuote {
            throw FileError(.read, path, reason: "line \(error.line): a quote is not closed")
        }
    }

    /// A placeholder for that header in a printed curl command, which reads the file itself.
    static let placeholder = header(Secret(variable: "NETRC", value: nil), Secret(variable: "NETRC", value: nil))

    private static func header(_ user: Secret, _ password: Secret) -> Header {
        Header("Authorization", SensitiveText([.text("Basic "), .basic(user: user, password: password)]))
    }
}
