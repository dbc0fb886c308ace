import EndpointKit

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
