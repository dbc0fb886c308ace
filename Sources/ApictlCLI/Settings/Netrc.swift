import EndpointKit

/// The users and passwords of a `.netrc` file, read as curl reads it (curl's manual page, `--netrc`).
///
///     machine api.example.com login ada password lovelace
///     default login guest
struct Netrc {
    /// The user and password for a host.
    struct Entry: Equatable {
        /// The name of the host; nil for the default entry, which applies to every host.
        let machine: String?
        /// The name of the user; nil if the entry has none.
        var login: String?
        /// The user's password; nil if the entry has none.
        var password: String?

        /// Whether the entry is for a host. Upper and lower case are the same.
        func isFor(_ host: String) -> Bool { machine == nil || machine?.lowercased() == host.lowercased() }
    }

    /// The entries in the order of the file. The first one that fits a host counts.
    private(set) var entries: [Entry] = []

    /// Returns the path of the file: the one in `$NETRC`, or else `~/.netrc`. Nil if neither NETRC nor HOME is set.
    static func path(_ environment: ProcessEnvironment) -> String? {
        if let path = environment.value("NETRC") { return path }
        guard let home = environment.value("HOME") else { return nil }
        return home.hasSuffix("/") ? home + ".netrc" : home + "/.netrc"
    }

    // MARK: Reading

    /// Reads the text of a `.netrc` file: words such as `machine HOST login USER password WORD`, in any number of
    /// lines.
    ///
    /// `machine` and `default` start an entry, and the words after them belong to it.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - path: The path of the file, for errors.
    /// - Throws: ``UsageError`` for a quote that is not closed in its line.
    init(_ bytes: [UInt8], path: String) throws(UsageError) {
        var file = ScannedSettingsFile(bytes, path: path, help: "help call")
        while let keyword = try Self.takeWord(&file) {
            switch keyword.lowercased() {
            case "default":
                entries.append(Entry(machine: nil))
            case "machine":
                // The file ends here if no host follows.
                guard let host = try Self.takeWord(&file) else { return }
                entries.append(Entry(machine: host))
            case "login":
                try readValue(&file, into: \.login)
            case "password":
                try readValue(&file, into: \.password)
            case "account":
                // curl ignores accounts, which only FTP has.
                _ = try Self.takeWord(&file)
            default:
                // curl ignores unknown words.
                continue
            }
        }
    }

    /// Takes the next word as a value of the last entry. A value before the first entry belongs to no entry and is
    /// dropped.
    ///
    /// - Parameters:
    ///   - file: The file, whose next word is taken.
    ///   - property: The property that gets the value, such as `login`.
    private mutating func readValue(
        _ file: inout ScannedSettingsFile, into property: WritableKeyPath<Entry, String?>
    ) throws(UsageError) {
        guard let value = try Self.takeWord(&file), let last = entries.indices.last else { return }
        entries[last][keyPath: property] = value
    }

    /// Takes the next word from the file, after it has skipped the blanks and comments before it. A comment starts with
    /// `#` at the beginning of a word, and ends with its line.
    ///
    /// - Returns: The word, without the quotes around it; nil at the end of the file.
    /// - Throws: ``UsageError`` for a quote that is not closed in its line.
    private static func takeWord(_ file: inout ScannedSettingsFile) throws(UsageError) -> String? {
        let blanks = " \t\r\n\u{0B}\u{0C}"
        file.skip(blanks)
        while file.next == "#" {
            file.skipLine()
            file.skip(blanks)
        }
        if file.next == nil { return nil }
        if file.next == "\"" {
            // A backslash makes any character but `n`, `r` and `t` stand for itself, as with curl.
            return try file.takeQuoted(spansLines: false) { escaped in [escaped] }
        }
        return file.take { !blanks.unicodeScalars.contains($0) }
    }

    // MARK: Entries

    /// Returns the first entry for a host. An entry without login and password does not count.
    ///
    /// - Parameter host: The name of the host. Upper and lower case are the same.
    func entry(for host: String) -> Entry? {
        entries.first { entry in entry.isFor(host) && (entry.login != nil || entry.password != nil) }
    }

    /// Returns the `Authorization` header (RFC 7617) with the user and password that the file has for a host.
    ///
    /// - Returns: The header; nil if the file has no entry for the host, or if there is no file at the standard path.
    /// - Throws: ``FileError`` for a file that can't be read, and ``UsageError`` for one that is wrong.
    static func header(for host: String, _ environment: ProcessEnvironment) throws -> HTTPField? {
        guard let entry = try read(environment)?.entry(for: host) else { return nil }
        return header(user: Secret(entry.login ?? ""), password: Secret(entry.password ?? ""))
    }

    /// Returns the password that the file has for a user of a host; nil if it has none.
    ///
    /// - Throws: The errors of ``header(for:_:)``.
    static func password(of user: String, at host: String, _ environment: ProcessEnvironment) throws -> String? {
        // Here, a path that is not known is no error, because a password may come from elsewhere.
        guard path(environment) != nil else { return nil }
        let entries = try read(environment)?.entries ?? []
        return entries.first { $0.isFor(host) && $0.login == user }?.password
    }

    /// Reads the file that the variable `NETRC` names, or else `~/.netrc`.
    ///
    /// - Returns: The entries; nil if `NETRC` is not set and there is no `~/.netrc`.
    /// - Throws: ``FileError`` for a file that can't be read, and ``UsageError`` for a syntax error in the file.
    private static func read(_ environment: ProcessEnvironment) throws -> Netrc? {
        guard let path = path(environment) else {
            throw FileError(.read, "~/.netrc", reason: "neither NETRC nor HOME is set")
        }
        let bytes: [UInt8]
        do {
            bytes = try environment.files.readAll(path, limit: maxLength)
        } catch let error as FileError where error.isMissing && !environment.isSet("NETRC") {
            // As with curl, a person need not have a `~/.netrc`.
            return nil
        }
        return try Netrc(bytes, path: path)
    }

    /// The longest file that is read, in bytes. A file with some hundred entries has much less.
    private static let maxLength = 1_000_000

    /// A placeholder for the header in a printed curl command, which reads the file itself.
    static let placeholder = header(
        user: Secret(variable: "NETRC", value: nil), password: Secret(variable: "NETRC", value: nil))

    /// Returns the header `Authorization: Basic …` for a user and a password, which are secrets in messages.
    static func header(user: Secret, password: Secret) -> HTTPField {
        HTTPField("Authorization", SensitiveText([.text("Basic "), .basic(user: user, password: password)]))
    }
}
