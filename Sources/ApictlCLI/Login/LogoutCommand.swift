import EndpointKit
import EndpointTools

/// `logout`: revokes and deletes the logins of an API.
struct LogoutCommand: Command {
    static let name = "logout"
    static let usage = "logout API|--all|--session NAME [options]"
    static let summary = "revoke and delete logins, or delete a session"
    static let operands = CommandOperands.apis
    static let table = OptionTable<LoginOptions>(command: [
        OptionGroup(
            title: "Options",
            options: [
                Option("all", "delete the logins of all APIs", set: { $0.isForAll = true }),
                Option("session", .session, \.session, "delete the cookies of 'call --session NAME'").excluding("all"),
                LoginOptions.environmentFile,
                LoginOptions.maxTime,
            ]),
        LoginOptions.connectionGroup,
    ])

    private let options: LoginOptions
    /// The API whose logins are deleted; nil for those of all APIs, and for a session.
    let api: CatalogueAPI?

    init(_ words: CommandWords<LoginOptions>) throws {
        options = words.options
        if options.isForAll || options.session != nil {
            try words.requireAtMost(0)
            api = nil
        } else {
            try words.requireAtMost(1)
            api = try words.apiAndCredential(of: Self.name).api
        }
    }

    /// Deletes a session, or revokes and deletes the logins of an API or of all APIs. Each deletion is reported on
    /// stderr.
    ///
    /// A login that can't be revoked is deleted too. The error is thrown when all logins have been deleted.
    ///
    /// - Throws: ``LoginFailure``, ``UsageError``, ``FileError``, `MissingCredential` and `CancellationError`.
    func run(_ context: CommandContext) async throws -> ExitCode {
        // After a signal, the command has 200 ms to end. Then the process ends.
        context.environment.signals.startHandling(.milliseconds(200))
        if let session = options.session {
            try await delete(session, in: context.environment)
            return .success
        }
        let settings = try Settings(context, environmentFiles: options.environmentFiles)
        let context = context.with(settings)
        let keys = try context.environment.logins.keys().filter { api == nil || $0.api == api?.name }
        if keys.isEmpty { try context.environment.stderr.write("there is no login to delete\n") }
        var firstFailure: (any Error)?
        for key in keys {
            do {
                try await revokeAndDelete(key, settings: settings, context: context)
            } catch let failure as RevocationFailure {
                if firstFailure == nil { firstFailure = failure.cause }
            }
        }
        if let firstFailure { throw firstFailure }
        return .success
    }

    /// Deletes the cookies of a session, and reports whether there were any.
    ///
    /// - Throws: ``FileError`` and `CancellationError`.
    private func delete(_ session: SessionName, in environment: ProcessEnvironment) async throws {
        let isDeleted = try await environment.sessions?.remove(session) ?? false
        try environment.stderr.write(
            isDeleted ? "deleted the session \(session.text)\n" : "there is no session \(session.text) to delete\n")
    }

    /// The error that a login has been deleted, but could not be revoked at its server.
    private struct RevocationFailure: Error {
        let cause: any Error
    }

    /// Revokes the tokens of a login at its server, deletes the login, and reports that.
    ///
    /// - Throws: `RevocationFailure` if the login was deleted but not revoked. If it was not deleted either,
    ///   ``FileError`` or `CancellationError`.
    private func revokeAndDelete(
        _ key: LoginKey, settings: Settings, context: CommandContext
    ) async throws {
        let store = context.environment.logins
        // With the lock, no refresh is under way, which would store the login again.
        let lock = try await store.lock(key, until: .now + TransferChoices.defaultTimeLimit)
        // A lock is released with the last reference to it. This keeps it until the function ends.
        defer { withExtendedLifetime(lock) {} }
        var revocationFailure: RevocationFailure?
        do {
            try await revoke(key, settings: settings, context: context)
        } catch let error as CancellationError {
            throw error
        } catch {
            revocationFailure = RevocationFailure(cause: error)
        }
        try store.remove(key)
        try context.environment.stderr.write("logged out of \(key.api) at \(key.origin)\n".safeLines)
        if let revocationFailure { throw revocationFailure }
    }

    /// Revokes the tokens of a login at the server that gave them (RFC 7009).
    ///
    /// Revoking the refresh token ends the access token as well. Without a refresh token, the access token is revoked.
    /// Nothing is sent if the login is no longer declared or stored, or if its server does not revoke tokens.
    ///
    /// - Throws: ``LoginFailure``, ``FileError``, `MissingCredential` and `CancellationError`.
    private func revoke(_ key: LoginKey, settings: Settings, context: CommandContext) async throws {
        guard let api = context.registry.api(key.api),
            case .oauth(let declared)? = api.logins.first(where: { $0.variable == key.variable })?.method,
            let stored = try context.environment.logins.read(key)
        else { return }
        let server = try? BaseURL(key.origin)
        let oauth = server.map { declared.serving($0, of: api) } ?? declared
        // Tokens go only to the server that gave them. The API may declare another one by now.
        guard let url = oauth.endpoints.revoke, stored.tokenURL == oauth.endpoints.token else { return }
        var tokenEndpoint = try TokenEndpoint(
            oauth, api: api.name, transport: context.environment.transport,
            transfer: options.transfer(for: api, settings: settings),
            variableValue: settings.variables(of: api).value)
        tokenEndpoint.otherSecrets = stored.secrets
        try await tokenEndpoint.revoke(stored.refreshToken ?? stored.value, at: url)
    }
}
