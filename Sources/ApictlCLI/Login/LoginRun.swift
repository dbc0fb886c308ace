import EndpointKit
import EndpointTools

/// Logs a person or a client in to an API, and stores the result.
struct LoginRun {
    private let subject: LoginSubject
    /// The way in which a person logs in; nil is the first one that the API declares.
    var way: Way?
    /// Whether the address that the browser was sent to is pasted, because it can't reach this machine.
    var pastesRedirect = false

    /// A way in which a person approves a login.
    enum Way: Sendable { case browser, device }

    private var environment: ProcessEnvironment { subject.context.environment }
    private var api: CatalogueAPI { subject.api }

    /// Prepares a login.
    ///
    /// - Parameter subject: The login, and the server that gets its value.
    init(_ subject: LoginSubject) { self.subject = subject }

    /// Logs in and stores the result.
    ///
    /// - Throws: ``LoginFailure``, ``UsageError``, ``FileError``, `MissingCredential` and `CancellationError`.
    func run() async throws -> StoredLogin {
        let store = environment.logins
        // A store that can't be written is reported before a person has done anything.
        _ = try store.lock(subject.key)
        let stored: StoredLogin
        switch subject.login.method {
        case .oauth(let oauth): stored = try await token(oauth).stored(at: environment.secondsSince1970())
        case .session(let session): stored = try await value(session)
        }
        // A refresh with an older token must not come after this.
        let lock = try await store.lock(subject.key, until: .now + TransferChoices.defaultTimeLimit)
        try store.write(stored, for: subject.key)
        withExtendedLifetime(lock) {}
        return stored
    }

    // MARK: OAuth

    /// Gets a token from the OAuth server.
    private func token(_ oauth: OAuthLogin) async throws -> TokenAnswer {
        let oauth = oauth.serving(subject.base, of: api)
        var server = try TokenEndpoint(
            oauth, api: api.name, transport: environment.transport, transfer: subject.transfer,
            value: subject.variables.value)
        // A stored login that can't be read is replaced.
        server.otherSecrets = (try? environment.logins.read(subject.key))?.secrets ?? []
        switch try chosenWay(oauth.endpoints) {
        case .browser?:
            guard let page = oauth.endpoints.authorize else { break }
            return try await BrowserLogin(
                server: server, page: page, environment: environment, show: show, pastesRedirect: pastesRedirect
            ).run()
        case .device?:
            guard let url = oauth.endpoints.device else { break }
            return try await DeviceLogin(server: server, show: show, sleep: environment.sleep).run(url)
        case nil: break
        }
        return try await server.clientCredentials()
    }

    /// Returns the way in which a person logs in; nil if the client logs in itself.
    ///
    /// - Throws: ``UsageError`` for a way that the API does not declare.
    private func chosenWay(_ endpoints: OAuthLogin.Endpoints) throws(UsageError) -> Way? {
        let declared = [(Way.browser, endpoints.authorize), (.device, endpoints.device)].filter { $0.1 != nil }
        guard let way else { return declared.first?.0 }
        guard declared.contains(where: { $0.0 == way }) else {
            throw UsageError("\(api.name) declares no login with --\(way)")
        }
        return way
    }

    // MARK: Session

    /// Makes the calls of a session login.
    private func value(_ session: SessionLogin) async throws -> StoredLogin {
        var client = Client(transport: environment.transport)
        client.transfer = subject.transfer
        client.options.base = subject.base
        client.options.variables = { [variables = subject.variables] in variables.value($0) }
        let steps = LoginSession(client) { page in try await approve(page) }
        let value: String
        do {
            value = try await session.steps(steps)
        } catch {
            throw self.failure(of: PublicError.cause(of: error))
        }
        let expires = environment.secondsSince1970() + Int(session.lifetime.components.seconds)
        return StoredLogin(value: value, expires: expires)
    }

    /// Returns the error to report for an error of a session login's steps.
    private func failure(of error: any Error) -> any Error {
        if Self.isOwn(error) { return error }
        let reason: LoginFailure.Reason
        if let error = error as? HTTPStatusError {
            // The message of the server may repeat the request.
            let status = error.response.head
            reason = .steps("the server answered \(status.statusText)", ExitCode(status: status.status))
        } else {
            let failure = Failure(error)
            reason = .steps(failure.message, failure.code)
        }
        return LoginFailure(api: api.name, url: "", step: .session, reason: reason)
    }

    /// Whether an error is reported as it is.
    private static func isOwn(_ error: any Error) -> Bool {
        error is CancellationError || error is MissingCredential || error is LoginFailure || error is FileError
    }

    /// Shows a person a page, and waits for the key Return.
    private func approve(_ page: String) async throws {
        guard DeviceLogin.isPage(page) else {
            throw LoginFailure(api: api.name, url: page, step: .session, reason: .unusableURL)
        }
        try show("To log in to \(api.name), open \(page) and approve the login. Then press Return.")
        environment.openPage(page)
        let stdin = environment.stdin
        let line = try await BlockingWork.run { try stdin.read(until: nil) }
        // At the end of stdin, nobody can press Return.
        if line.isEmpty { throw LoginFailure(api: api.name, url: page, step: .session, reason: .expired) }
    }

    /// Shows a person a line on stderr.
    private func show(_ line: String) throws { try environment.stderr.write(line.safeToShow + "\n") }
}
