import EndpointKit

/// The users and passwords of a `.netrc` file, read as curl reads it (curl's manual page, `--netrc`).
struct Netrc {
    /// The values under `machine`, `login` and `password`. The default entry applies to every host and has no machine.
    typealias Entry = [String: String]

    private(set) var entries: [Entry] = []

    /// The file that NETRC names, else `~/.netrc`; nil if neither NETRC nor HOME is set.
    static func path(_ environment: ProcessEnvironment) -> String? {
        environment.value("NETRC") ?? environment.value("HOME").map { $0 + ($0.hasSuffix("/") ? "" : "/") + ".netrc" }
    }

    /// Reads the text of the file at `path`.
    ///
    /// - Throws: ``UsageError`` for a quote that is not closed in its line.
    init(_ bytes: [UInt8], path: String) throws(UsageError) {
        var file = ScannedSettingsFile(bytes, path: path)
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
    private static func nextWord(_ file: inout ScannedSettingsFile) throws(UsageError) -> String? {
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

    /// Returns the `Authorization` header for `host` (RFC 7617), or nil if the file of `--netrc` has no entry for it.
    ///
    /// - Throws: ``FileError`` and ``UsageError``.
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
