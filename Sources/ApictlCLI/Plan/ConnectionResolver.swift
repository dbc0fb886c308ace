import EndpointKit

/// Completes the options of the connection with what the process knows.
struct ConnectionResolver {
    let context: RunContext

    /// `options` with the passphrase of a client's key. Throws ``FileError`` if a file they name can't be read.
    func connection(_ options: ConnectionOptions) throws -> ConnectionOptions {
        var connection = options
        for file in [options.certificateAuthorities, options.clientCertificate, options.clientKey] {
            // Clearer by the file's name now than in a library's words later.
            if let file { try check(file) }
        }
        if options.clientCertificate != nil { connection.keyPassphrase = passphrase }
        return connection
    }

    /// Throws ``FileError`` if `file` can't be read. The text after a colon may be a passphrase, as curl takes it.
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
