import EndpointKit

/// Completes the options of the connection with what the process knows.
struct ConnectionPreparation {
    /// The variable that holds the passphrase of an encrypted key.
    static let passphraseVariable = "APICTL_KEY_PASSPHRASE"

    let environment: ProcessEnvironment

    /// The connection that `options` ask for. Throws ``FileError`` for a file of theirs that is not there.
    func connection(_ options: CallOptions) throws -> ConnectionOptions {
        var connection = options.connection
        if options.sample { return connection }
        for file in [connection.certificateAuthorities, connection.clientCertificate, connection.clientKey] {
            // Better said by its name now than by a library's words later.
            if let file { try check(file) }
        }
        if connection.clientCertificate != nil { connection.keyPassphrase = passphrase }
        return connection
    }

    /// Throws ``FileError`` where `file` can't be read. What stands behind a colon may be a passphrase, as curl takes it.
    private func check(_ file: String) throws {
        do {
            _ = try environment.files.open(file)
        } catch let error as FileError {
            guard let colon = file.unicodeScalars.firstIndex(of: ":") else { throw error }
            throw FileError(
                .read, String(file[..<colon]) + ":…",
                reason: "\(error.reason); a passphrase goes into \(Self.passphraseVariable)")
        }
    }

    /// The passphrase, where its variable is set.
    var passphrase: Secret? {
        guard let value = environment.variable(Self.passphraseVariable), !value.isEmpty else { return nil }
        return Secret(variable: Self.passphraseVariable, value: value)
    }
}
