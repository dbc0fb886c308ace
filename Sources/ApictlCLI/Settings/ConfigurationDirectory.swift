/// The directory of the configuration file, where the relative paths in the file start.
struct ConfigurationDirectory: Sendable {
    /// The path of the directory, with a slash at the end. It is empty for the current directory.
    let path: String
    /// The person's home directory; nil if the variable HOME is not set.
    let home: String?

    /// Returns a path in the file as a path from the current directory. If the file is in `/etc/app/`:
    ///
    ///     ca.pem        /etc/app/ca.pem
    ///     /tmp/ca.pem   /tmp/ca.pem
    ///     ~/ca.pem      /home/ada/ca.pem
    func path(to file: String) -> String {
        if file.hasPrefix("~/"), let home { return home + file.dropFirst() }
        return file.hasPrefix("/") ? file : path + file
    }
}
