import APIImport

/// The files and variables of this computer that pasted commands refer to.
///
/// Whoever pastes text from a web page may not have read all of it, so a request with the content of a file or variable
/// is sent only with `--send`.
final class PastedReferences {
    /// Whether the commands are pasted text.
    private(set) var arePasted = false
    /// The references as they were written: `@me.json`, `$TOKEN`.
    private(set) var names: [String] = []

    /// Adds a reference, as it was written, unless it is known already.
    func add(_ name: String) {
        if !names.contains(name) { names.append(name) }
    }

    /// Adds the files that are read only when a request is sent: `@FILE` for an upload, and the names of the options
    /// for certificates, keys and `.netrc`.
    func addFiles(of request: ImportedRequest) {
        if case .file(let path) = request.content { add("@" + path) }
        for option in request.connection where ["cert", "key", "netrc"].contains(option.name) {
            add("--" + option.name)
        }
    }

    /// Marks the commands as pasted, and returns functions with which these commands read files and variables. The
    /// functions add each file and variable to ``names``.
    ///
    /// Reading `-` is an error, because stdin has the commands themselves.
    ///
    /// - Parameter surroundings: The functions that read files and variables without recording them.
    func recordingUses(of surroundings: CurlArguments.Surroundings) -> CurlArguments.Surroundings {
        arePasted = true
        return (
            read: { path in
                if path == "-" { throw ImportError("stdin has the commands; write @FILE for @-") }
                self.add("@" + path)
                return try surroundings.read(path)
            },
            variable: { name in
                guard let value = surroundings.variable(name) else { return nil }
                self.add("$" + name)
                return value
            }
        )
    }
}
