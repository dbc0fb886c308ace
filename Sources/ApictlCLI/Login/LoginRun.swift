import EndpointKit
import EndpointTools

/// Logs a person or a client in to an API, and stores the result.
struct LoginRun {
    /// The way in which a person approves a login.
    enum Approval: Sendable {
        /// On a page that a browser of this machine shows.
        case browser
        /// On another device, by entering a code.
        case device
    }

    private let subject: LoginSubject
    private let approval: Approval?
    private let pastesRedirect: Bool

    private var environment: ProcessEnvironment { subject.context.environment }
    private var api: CatalogueAPI { subject.api }

    /// Prepares a login.
    ///
    /// - Parameters:
    ///   - subject: The login, and the server that gets its value.
    ///   - approval: The way in which a person approves the login; nil is the first one that the API declares.
    ///   - pastesRedirect: Whether a person pastes the address that the browser was sent to, because the browser can't
    ///     reach this machine.
    init(_ subject: LoginSubject, approval: Approval?, pastesRedirect: Bool) {
        self.subject = subject
        self.approval = approval
        self.pastesRedirect = pastesRedirect
    }

    /// Logs in, and stores the result in place of an earlier login.
    ///
    /// - Throws: ``LoginFailure``, ``UsageError``, ``FileError``, `MissingCredential` and `CancellationError`.
    func run() async throws -> StoredLogin {
        try requireWritableStore()
        let login = try await obtainLogin()
        try await store(login)
        return login
    }

    /// Takes the lock of the login and releases it at once. So a store that can't be written is reported before a
    /// person has done anything.
    ///
    /// It is no error if another process has the lock now.
    private func requireWritableStore() throws { _ = try environment.logins.lock(subject.key) }

    /// Logs in, in the way that the API declares: with OAuth, or with calls of the API that begin a session.
    private func obtainLogin() async throws -> StoredLogin {
        switch subject.login.method {
        case .oauth(let oauth): try await requestToken(oauth).loginToStore(receivedAt: environment.secondsSince1970())
        case .session(let session): try await beginSession(session)
        }
    }

    /// Stores a login. If another process is refreshing the earlier one, this waits for its end, because the other
    /// process would overwrite the new login with an older token.
    private func store(_ login: StoredLogin) async throws {
        let logins = environment.logins
        let lock = try await logins.lock(subject.key, until: .now + TransferChoices.defaultTimeLimit)
        // A lock is released with the last reference to it. This keeps it until the function ends.
        defer { withExtendedLifetime(lock) {} }
        try logins.write(login, for: subject.key)
    }

    // MARK: OAuth

    /// The endpoint with which a person's approval begins.
    private enum ApprovalEndpoint {
        case browser(authorizationURL: String)
        case device(url: String)
    }

    /// Gets a token from the OAuth server. A person approves the login in a browser or on another device. If the API
    /// declares neither, the client logs in with its own secret.
    private func requestToken(_ declaredLogin: OAuthLogin) async throws -> TokenAnswer {
        let oauth = declaredLogin.serving(subject.base, of: api)
        var tokenEndpoint = try TokenEndpoint(
            oauth, api: api.name, transport: environment.transport, transfer: subject.transfer,
            variableValue: subject.variables.value)
        // The server may repeat the secrets of the earlier login. One that can't be read is simply replaced.
        tokenEndpoint.otherSecrets = (try? environment.logins.read(subject.key))?.secrets ?? []
        switch try approvalEndpoint(among: oauth.endpoints) {
        case .browser(let authorizationURL)?:
            let login = BrowserLogin(
                tokenEndpoint: tokenEndpoint, authorizationURL: authorizationURL, environment: environment,
                showLine: showLine)
            return pastesRedirect ? try await login.runWithPastedRedirect() : try await login.run()
        case .device(let url)?:
            let login = DeviceLogin(tokenEndpoint: tokenEndpoint, showLine: showLine, sleep: environment.sleep)
            return try await login.run(deviceEndpoint: url)
        case nil:
            return try await tokenEndpoint.requestClientToken()
        }
    }

    /// Returns the endpoint with which a person's approval begins.
    ///
    /// The command line may choose between a browser and another device. Without a choice, a browser is preferred if
    /// the API declares both.
    ///
    /// - Returns: The endpoint; nil if no person has to approve the login, because the client logs in itself.
    /// - Throws: ``UsageError`` if the API does not declare the chosen approval.
    private func approvalEndpoint(
        among endpoints: OAuthLogin.Endpoints
    ) throws(UsageError) -> ApprovalEndpoint? {
        let browser = endpoints.authorize.map { ApprovalEndpoint.browser(authorizationURL: $0) }
        let device = endpoints.device.map { ApprovalEndpoint.device(url: $0) }
        guard let approval else { return browser ?? device }
        let chosenEndpoint =
            switch approval {
            case .browser: browser
            case .device: device
            }
        guard let chosenEndpoint else { throw UsageError("\(api.name) declares no login with --\(approval)") }
        return chosenEndpoint
    }

    // MARK: Session

    /// Logs in by the calls that the API declares for this, such as one that gets a session's identifier.
    ///
    /// - Parameter session: The declared login, whose steps send the calls and may have a person approve a page.
    /// - Returns: The value that identifies the session, with the time at which it expires.
    /// - Throws: ``LoginFailure``, and the errors that already say what is wrong (see ``reportableError(for:)``).
    private func beginSession(_ session: SessionLogin) async throws -> StoredLogin {
        var client = Client(transport: environment.transport)
        client.transfer = subject.transfer
        client.options.base = subject.base
        client.options.variables = { [variables = subject.variables] in variables.value($0) }
        let loginSession = LoginSession(client) { page in try await waitForApproval(on: page) }
        let value: String
        do {
            value = try await session.steps(loginSession)
        } catch {
            // The client converts its errors to public ones. The cause is the original error.
            throw reportableError(for: PublicError.cause(of: error))
        }
        let expires = environment.secondsSince1970() + Int(session.lifetime.components.seconds)
        return StoredLogin(value: value, expires: expires)
    }

    /// Returns the error to report after a call of a session login has failed.
    ///
    /// Errors that already say what is wrong with the login stay. Any other becomes a ``LoginFailure``, which says that
    /// it happened during the login.
    private func reportableError(for error: any Error) -> any Error {
        switch error {
        case is CancellationError, is MissingCredential, is LoginFailure, is FileError: return error
        case let error as HTTPStatusError:
            // Only the status is shown. The message of the server may repeat secrets of the request.
            let head = error.response.head
            let sentence = "the server answered \(head.statusText)"
            return sessionFailure(page: "", reason: .session(sentence, ExitCode(status: head.status)))
        default:
            let failure = Failure(error)
            return sessionFailure(page: "", reason: .session(failure.message, failure.code))
        }
    }

    /// Returns the error that logging in by calls of the API failed.
    ///
    /// - Parameters:
    ///   - page: The page that a person should have opened; empty if no page is to blame.
    ///   - reason: The cause, as the end of the message.
    private func sessionFailure(page: String, reason: LoginFailure.Reason) -> LoginFailure {
        LoginFailure(api: api.name, url: page, step: .session, reason: reason)
    }

    /// Shows a person the page on which the login is approved, opens it, and waits until the person presses Return.
    ///
    /// - Throws: ``LoginFailure`` if the page has no usable address, or if stdin ends before the key is pressed.
    private func waitForApproval(on page: String) async throws {
        guard page.isPageAddress else { throw sessionFailure(page: page, reason: .unusableURL) }
        try showLine("To log in to \(api.name), open \(page) and approve the login. Then press Return.")
        environment.openPage(page)
        let stdin = environment.stdin
        let typed = try await BlockingWork.run { try stdin.read(until: nil) }
        // At the end of stdin, nobody can press Return.
        if typed.isEmpty { throw sessionFailure(page: page, reason: .expired) }
    }

    /// Writes a line for a person to stderr.
    private func showLine(_ line: String) throws { try environment.stderr.write(line.safeToShow + "\n") }
}
