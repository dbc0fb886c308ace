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

    /// Revokes the logins at the servers that offer it, and deletes all of them, also those that can't be revoked.
    func run(_ context: CommandContext) async throws -> ExitCode {
        context.environment.signals.watch(.milliseconds(200))
        if let session = options.session {
            try await delete(session, context.environment)
            return .success
        }
        let settings = try Settings(context, environmentFiles: options.environmentFiles)
        let context = context.with(settings)
        let store = context.environment.logins
        let keys = try store.keys().filter { key in api.map { $0.name == key.api } ?? true }
        if keys.isEmpty { try context.environment.stderr.write("there is no login to delete\n") }
        var failure: (any Error)?
        for key in keys {
            // A refresh that is under way would store the login again.
            let lock = try await store.lock(key, until: .now + TransferChoices.defaultTimeLimit)
            defer { withExtendedLifetime(lock) {} }
            do {
                try await revoke(key, settings, context)
            } catch let error as CancellationError {
                throw error
            } catch {
                failure = failure ?? error
            }
            try store.remove(key)
            try context.environment.stderr.write("logged out of \(key.api) at \(key.origin)\n".safeLines)
        }
        if let failure { throw failure }
        return .success
    }

    /// Deletes the cookies of a session.
    ///
    /// - Throws: ``FileError`` and `CancellationError`.
    private func delete(_ session: SessionName, _ environment: ProcessEnvironment) async throws {
        let isDeleted = try await environment.sessions?.remove(session) ?? false
        try environment.stderr.write(
            isDeleted ? "deleted the session \(session.text)\n" : "there is no session \(session.text) to delete\n")
    }

    /// Revokes the tokens of a login (RFC 7009). Without a refresh token, it is the access token.
    ///
    /// - Throws: ``LoginFailure``, ``FileError``, `MissingCredential` and `CancellationError`.
    private func revoke(_ key: LoginKey, _ settings: Settings, _ context: CommandContext) async throws {
        guard let api = context.registry.api(key.api),
            case .oauth(let declared)? = api.logins.first(where: { $0.variable == key.variable })?.method,
            let stored = try context.environment.logins.read(key)
        else { return }
        let oauth = (try? BaseURL(key.origin)).map { declared.serving($0, of: api) } ?? declared
        guard let url = oauth.endpoints.revoke, stored.tokenURL == oauth.endpoints.token else { return }
        var server = try TokenEndpoint(
            oauth, api: api.name, transport: context.environment.transport,
            transfer: options.transfer(for: api, settings),
            value: settings.variables(of: api).value)
        server.otherSecrets = stored.secrets
        try await server.revoke(stored.refreshToken ?? stored.value, at: url)
    }
}
