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

    /// A quote that is not closed, the only syntax error in a netrc file.
    struct UnterminatedQuote: Error, Equatable {
        /// The line, from 1.
        let line: Int
    }

    let entries: [Entry]

    /// Parses a file's content. Throws ``UnterminatedQuote``.
    init(_ bytes: [UInt8]) throws(UnterminatedQuote) {
        var scanner = NetrcScanner(bytes)
        var entries: [Entry] = []
        while let word = try scanner.next() {
            switch word.lowercased() {
            case "machine": entries.append(Entry(machine: try scanner.next() ?? ""))
            case "default": entries.append(Entry(machine: nil))
            case "login": Self.set(\.login, try scanner.next(), &entries)
            case "password": Self.set(\.password, try scanner.next(), &entries)
            // Ignored, but its value must not be mistaken for a keyword.
            case "account": _ = try scanner.next()
            case "macdef": scanner.skipMacro()
            default: break
            }
        }
        self.entries = entries
    }

    private static func set(
        _ field: WritableKeyPath<Entry, String?>, _ value: String?, _ entries: inout [Entry]
    ) {
        guard let last = entries.indices.last else { return }
        entries[last][keyPath: field] = value
    }

    /// The first entry for `host` that has a login or a password; host names are case-insensitive.
    func entry(for host: String) -> Entry? {
        entries.first { entry in
            (entry.machine.map { $0.lowercased() == host.lowercased() } ?? true)
                && (entry.login != nil || entry.password != nil)
        }
    }
}

/// Splits the content of a `.netrc` file into words.
struct NetrcScanner {
    private var rest: ArraySlice<UInt8>
    private var line = 1

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The next word, or nil at the end. Throws ``Netrc/UnterminatedQuote``.
    mutating func next() throws(Netrc.UnterminatedQuote) -> String? {
        skipBlanks()
        guard let first = rest.first else { return nil }
        if first == UInt8(ascii: "\"") { return try quoted() }
        let word = rest.prefix { !Self.isBlank($0) }
        rest = rest[word.endIndex...]
        return String(exactBytes: word)
    }

    /// Skips a macro, which ends with an empty line.
    mutating func skipMacro() {
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
            // The first one is the rest of the line after the macro's name.
            let isEmpty = rest[..<end].allSatisfy { $0 == UInt8(ascii: "\r") }
            rest = rest[min(end + 1, rest.endIndex)...]
            line += 1
            if isEmpty { return }
        }
    }

    /// Skips spaces, line breaks, and comments, which start with `#` in place of a word.
    private mutating func skipBlanks() {
        while let byte = rest.first {
            if byte == UInt8(ascii: "#") {
                rest = rest.drop { $0 != UInt8(ascii: "\n") }
            } else if Self.isBlank(byte) {
                if byte == UInt8(ascii: "\n") { line += 1 }
                rest = rest.dropFirst()
            } else {
                return
            }
        }
    }

    /// A word in double quotes; `\n`, `\r` and `\t` are escapes, and a backslash before any other character means that character.
    private mutating func quoted() throws(Netrc.UnterminatedQuote) -> String {
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
        throw Netrc.UnterminatedQuote(line: line)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || (0x09...0x0D).contains(byte)
    }
}

/// The `.netrc` file that `--netrc` reads: the one that NETRC names, else `~/.netrc`.
struct NetrcFile {
    /// The longest file to read, in bytes.
    private static let sizeLimit = 1_000_000

    let environment: ProcessEnvironment

    /// The path, or nil if neither NETRC nor HOME is set.
    var path: String? {
        if let path = environment.value("NETRC") { return path }
        guard let home = environment.value("HOME") else { return nil }
        return home + (home.hasSuffix("/") ? "" : "/") + ".netrc"
    }

    /// The `Authorization` header for `host` (RFC 7617), or nil if the file has no entry for it.
    ///
    /// Throws ``FileError``.
    func header(for host: String) throws -> Header? {
        guard let path else { throw FileError(.read, "~/.netrc", reason: "neither NETRC nor HOME is set") }
        let bytes = try environment.files.open(path).readAll(name: path, limit: Self.sizeLimit)
        let netrc: Netrc
        do throws(Netrc.UnterminatedQuote) {
            netrc = try Netrc(bytes)
        } catch {
            throw FileError(.read, path, reason: "line \(error.line): a quote is not closed")
        }
        return netrc.entry(for: host).map {
            Self.header(user: Secret($0.login ?? ""), password: Secret($0.password ?? ""))
        }
    }

    /// A placeholder for that header in a printed curl command, which reads the file itself.
    static let placeholder = header(
        user: Secret(variable: "NETRC", value: nil), password: Secret(variable: "NETRC", value: nil))

    private static func header(user: Secret, password: Secret) -> Header {
        Header("Authorization", SensitiveText([.text("Basic "), .basic(user: user, password: password)]))
    }
}
