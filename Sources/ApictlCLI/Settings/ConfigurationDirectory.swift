/// The directory of the configuration file, where the relative paths in the file start.
struct ConfigurationDirectory: Sendable {
    /// The path of the directory with a slash at its end; empty for the current one.
    let path: String
    /// The person's home directory; nil if the variable HOME is not set.
    let home: String?

    /// Returns `file` as a path from the current directory; `~/` at its start stands for the home directory.
    func path(to file: String) -> String {
        if file.hasPrefix("~/"), let home { return home + file.dropFirst() }
        return file.hasPrefix("/") ? file : path + file
    }
}
