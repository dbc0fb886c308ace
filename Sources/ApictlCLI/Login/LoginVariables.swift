import EndpointKit
import EndpointTools
import Synchronization

/// The logins of an API as a source of its variables.
///
/// A stored value that can be used is known at once. One that has expired but can be refreshed, and the token of a
/// client that logs in itself, are known only after ``load(_:at:_:until:)``.
final class LoginVariables: Sendable {
    /// The value of a variable, or the reason why a login gave none. Nil if there is no login.
    private typealias Answer = Result<String?, any Error>

    private struct State {
        var answers: [LoginKey: Answer] = [:]
        /// The refreshes that are under way.
        var questions: [LoginKey: SharedWork] = [:]
        /// The values that servers have not accepted.
        var rejected: [LoginKey: String] = [:]
        /// The keys of logins that were removed because they have expired. A message says so.
        var expired: Set<LoginKey> = []
    }

    private let api: CatalogueAPI
    private let environment: ProcessEnvironment
    /// The variables that need no login, such as the secret of a client.
    private let variables: Variables
    private let state = Mutex(State())

    private var store: any LoginStore { environment.logins }

    /// Makes the source for an API.
    init(_ api: CatalogueAPI, _ environment: ProcessEnvironment, _ variables: Variables) {
        self.api = api
        self.environment = environment
        self.variables = variables
    }

    private func login(_ variable: String) -> Login? { api.logins.first { $0.variable == variable } }

    private func key(_ variable: String, _ server: BaseURL) -> LoginKey {
        LoginKey(api: api.name, variable: variable, origin: server.origin)
    }

    /// The URL of the server that gives the tokens of a variable; nil if it has no login with OAuth.
    func tokenServer(of variable: String) -> BaseURL? {
        guard case .oauth(let oauth)? = login(variable)?.method else { return nil }
        return try? BaseURL(oauth.endpoints.token)
    }

    // MARK: Values

    /// Returns the value that a login gives a variable; nil if there is none, or if it must be loaded first.
    func value(_ variable: String, at server: BaseURL) -> String? {
        guard login(variable) != nil else { return nil }
        let key = key(variable, server)
        if let answer = state.withLock({ $0.answers[key] }) { return try? answer.get() }
        guard let stored = storedLogin(key), isUsable(stored, key) else { return nil }
        return stored.value
    }

    /// Whether the value of a variable is known only after ``load(_:at:_:until:)``.
    func mustBeLoaded(_ variable: String, at server: BaseURL) -> Bool {
        guard let login = login(variable) else { return false }
        let key = key(variable, server)
        if state.withLock({ $0.answers[key] }) != nil { return false }
        if let stored = storedLogin(key) {
            if isUsable(stored, key) { return false }
            if refreshToken(of: stored, login) != nil { return true }
        }
        return canLogInItself(login)
    }

    /// Whether a login of a variable is stored, for any server of the API.
    func isStored(_ variable: String) -> Bool {
        guard login(variable) != nil else { return false }
        // A store that can't be read has no login that could be used.
        let keys = (try? store.keys()) ?? []
        return keys.contains { $0.api == api.name && $0.variable == variable }
    }

    /// Whether a variable had a value of a login that has expired.
    func isExpired(_ variable: String, at server: BaseURL) -> Bool {
        let key = key(variable, server)
        if state.withLock({ $0.expired.contains(key) }) { return true }
        guard login(variable) != nil, let stored = storedLogin(key) else { return false }
        return !isUsable(stored, key)
    }

    /// Whether a stored value can be used: it has not expired, and the server has not refused it.
    private func isUsable(_ stored: StoredLogin, _ key: LoginKey) -> Bool {
        let isRejected = state.withLock { $0.rejected[key] == stored.value }
        return !isRejected && stored.isUsable(at: environment.secondsSince1970())
    }

    /// Returns the refresh token of a stored login. It is only for the token endpoint that gave it: a document of the
    /// same name may declare another one.
    private func refreshToken(of stored: StoredLogin, _ login: Login) -> String? {
        guard case .oauth(let oauth) = login.method, stored.tokenURL == oauth.endpoints.token else { return nil }
        return stored.refreshToken
    }

    /// The first failure of a login that should have given a value; nil if none has failed.
    var failure: (any Error)? {
        let answers = state.withLock { $0.answers.sorted { $0.key.variable < $1.key.variable } }
        for case (_, .failure(let failure)) in answers { return failure }
        return nil
    }

    /// Returns the stored login. One that can't be read is a failure of the login.
    private func storedLogin(_ key: LoginKey) -> StoredLogin? {
        do {
            return try store.read(key)
        } catch {
            state.withLock { $0.answers[key] = .failure(error) }
            return nil
        }
    }

    /// Whether a client can log in without a person, because the variables of its secret are set.
    private func canLogInItself(_ login: Login) -> Bool {
        guard case .oauth(let oauth) = login.method, !login.needsPerson else { return false }
        return oauth.client.neededVariables.allSatisfy(variables.hasValue)
    }

    // MARK: Rejected values

    /// Whether the value of a variable comes from a login that can be refreshed.
    func canRefresh(_ variable: String, at server: BaseURL) -> Bool {
        guard let login = login(variable), variables.value(variable)?.isEmpty != false else { return false }
        let stored = storedLogin(key(variable, server))
        return stored.flatMap { refreshToken(of: $0, login) } != nil || canLogInItself(login)
    }

    /// Makes a value unusable for this run that the server has not accepted, so that it is refreshed next.
    ///
    /// If another process has refreshed the login meanwhile, the value of that one is used.
    func reject(_ value: String, of variable: String, at server: BaseURL) {
        let key = key(variable, server)
        state.withLock { state in
            state.answers[key] = nil
            state.rejected[key] = value
        }
    }

    // MARK: Loading

    /// Waits until the login of a variable has been refreshed. Then ``value(_:at:)`` returns the value.
    ///
    /// - Parameters:
    ///   - transfer: Time limits and connection of the requests.
    ///   - deadline: When the value must be known.
    /// - Throws: `CancellationError`.
    func load(
        _ variable: String, at server: BaseURL, _ transfer: TransferOptions, until deadline: ContinuousClock.Instant
    ) async throws {
        while mustBeLoaded(variable, at: server), let login = login(variable) {
            try Task.checkCancellation()
            let key = key(variable, server)
            let question = state.withLock { state in
                if let question = state.questions[key] { return question }
                let question = SharedWork { [self] in await answer(login, key, transfer, until: deadline) }
                state.questions[key] = question
                return question
            }
            await question.wait()
        }
    }

    /// Refreshes a login, and keeps its value or its failure.
    private func answer(
        _ login: Login, _ key: LoginKey, _ transfer: TransferOptions, until deadline: ContinuousClock.Instant
    ) async {
        let answer: Answer
        do {
            answer = .success(try await refreshed(login, key, transfer, until: deadline)?.value)
        } catch {
            answer = .failure(error)
        }
        state.withLock { state in
            state.questions[key] = nil
            // The answer to a question that is cancelled says nothing about the login.
            if !Task.isCancelled { state.answers[key] = answer }
        }
    }

    /// Returns a login that can be used: the stored one, or one that is refreshed, or the token that a client gets
    /// with its own secret.
    ///
    /// All of this happens under the lock of the login, so that one process asks for a new token, and the others use it.
    ///
    /// - Returns: The login; nil if a person has to log in again.
    /// - Throws: ``LoginFailure``, ``FileError``, `MissingCredential` and `CancellationError`.
    private func refreshed(
        _ login: Login, _ key: LoginKey, _ transfer: TransferOptions, until deadline: ContinuousClock.Instant
    ) async throws -> StoredLogin? {
        guard case .oauth(let oauth) = login.method else { return nil }
        let lock: (any LoginLock)?
        do {
            lock = try await store.lock(key, until: deadline)
        } catch is FileError where !login.needsPerson {
            // A client that logs in itself can do without a store: in a container, nothing may be writable.
            lock = nil
        }
        defer { withExtendedLifetime(lock) {} }
        // Another process may have refreshed it while this one waited for the lock.
        let stored = try store.read(key)
        if let stored, isUsable(stored, key) { return stored }
        let server = try TokenEndpoint(
            oauth, api: api.name, transport: environment.transport, transfer: transfer, value: variables.value)
        if let stored, let token = refreshToken(of: stored, login),
            let new = try await refreshed(token, key, server)
        {
            return new
        }
        if login.needsPerson { return nil }
        let answer = try await server.clientCredentials()
        let new = answer.stored(at: environment.secondsSince1970(), usualLifetime: Self.usualLifetime)
        do {
            try store.write(new, for: key)
        } catch is FileError {
            // The token is good for this run, and the next one gets its own.
        }
        return new
    }

    /// Refreshes a login and stores the result.
    ///
    /// - Returns: The login; nil if the server does not accept the refresh token any more, so that the login is removed.
    /// - Throws: ``LoginFailure``, ``FileError`` and `CancellationError`.
    private func refreshed(
        _ refreshToken: String, _ key: LoginKey, _ server: TokenEndpoint
    ) async throws -> StoredLogin? {
        do {
            let new = try await server.refreshed(refreshToken).stored(at: environment.secondsSince1970())
            try store.write(new, for: key)
            return new
        } catch let failure as LoginFailure where failure.isRefusedGrant {
            try store.remove(key)
            state.withLock { _ = $0.expired.insert(key) }
            return nil
        }
    }

    /// The lifetime of a client's own token if the server does not say one, in seconds.
    static let usualLifetime = 300
}

extension LoginFailure {
    /// Whether the server does not accept the refresh token or code any more (RFC 6749, section 5.2).
    fileprivate var isRefusedGrant: Bool {
        if case .refused("invalid_grant", _) = reason { return true }
        return false
    }
}
