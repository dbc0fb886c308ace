import EndpointKit

/// Checks the files that connection options name, and adds the passphrase of a key.
struct ConnectionResolver {
    let context: RunContext

    /// `options` with the passphrase of the client's key. Throws ``FileError`` if a file can't be read.
    func connection(_ options: ConnectionOptions) throws -> ConnectionOptions {
        var connection = options
        for file in [options.certificateAuthorities, options.clientCertificate, options.clientKey] {
            // A library's own message would be less clear.
            if let file { try check(file) }
        }
        if options.clientCertificate != nil { connection.keyPassphrase = passphrase }
        return connection
    }

    /// Throws ``FileError`` if `file` can't be read. Text after a colon is not shown: in curl's syntax it is a passphrase.
    private func check(_ file: String) throws {
        do {
            _ = try context.environment.files.open(file)
        } catch let error as FileError {
            guard let colon = file.unicodeScalars.firstIndex(of: ":") else { throw error }
            throw FileError(
                .read, String(file[..<colon]) + ":…",
                reason: "\(error.reason); put a passphrase into \(context.variableNames.keyPassphrase)")
        }
    }

    private var passphrase: Secret? {
        let name = context.variableNames.keyPassphrase
        guard let value = context.environment.variable(name), !value.isEmpty else { return nil }
        return Secret(variable: name, value: value)
    }
}
