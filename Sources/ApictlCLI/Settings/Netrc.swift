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

    init(_ bytes: [UInt8]) throws(UnterminatedQuote) {
        let lines = String(exactBytes: bytes).unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        // The word whose value comes next.
        var keyword: String?
        var isMacro = false
        for (index, line) in lines.enumerated() {
            // A macro ends with an empty line.
            if isMacro, !line.allSatisfy({ $0 == "\r" }) { continue }
            isMacro = false
            var rest = line
            while !isMacro, let word = try Self.nextWord(&rest, line: index + 1) {
                let name = word.lowercased()
                switch keyword {
                case "machine": entries.append(Entry(machine: word))
                case "login": set(\.login, word)
                case "password": set(\.password, word)
                case nil where ["machine", "login", "password", "account"].contains(name):
                    keyword = name
                    continue
                case nil where name == "default": entries.append(Entry())
                case nil where name == "macdef": isMacro = true
                default: break
                }
                keyword = nil
            }
        }
    }

    private mutating func set(_ field: WritableKeyPath<Entry, String?>, _ value: String) {
        if !entries.isEmpty { entries[entries.count - 1][keyPath: field] = value }
    }

    /// The next word of a line after blanks; nil at its end or at a comment, which starts with `#` in place of a word.
    ///
    /// In double quotes, `\n`, `\r` and `\t` are escapes, and a backslash before any other character means that character.
    private static func nextWord(
        _ rest: inout Substring.UnicodeScalarView, line: Int
    ) throws(UnterminatedQuote) -> String? {
        let blanks = " \t\r\u{0B}\u{0C}".unicodeScalars
        rest = rest.drop(while: blanks.contains)
        guard let first = rest.first, first != "#" else { return nil }
        guard first == "\"" else {
            let word = rest.prefix { !blanks.contains($0) }
            rest = rest[word.endIndex...]
            return String(word)
        }
        rest.removeFirst()
        var word = String.UnicodeScalarView()
        let escapes: [Unicode.Scalar: Unicode.Scalar] = ["n": "\n", "r": "\r", "t": "\t"]
        while let scalar = rest.popFirst() {
            if scalar == "\"" { return String(word) }
            guard let plain = scalar == "\\" ? rest.popFirst().map({ escapes[$0] ?? $0 }) : scalar else { break }
            word.append(plain)
        }
        throw UnterminatedQuote(line: line)
    }

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
