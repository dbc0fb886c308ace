import EndpointKit
import EndpointTools
import Synchronization

/// The logins of an API as a source of its variables.
///
/// A stored value that can be used is known at once. One that has expired but can be refreshed, the token of a client
/// that logs in itself, and the value of a slow store are known only after ``load(_:at:_:until:)``.
final class LoginVariables: Sendable {
    /// The login that gives a variable its value, or the reason why there is none. Nil if nobody has logged in.
    private typealias Answer = Result<StoredLogin?, any Error>

    private struct State {
        var answers: [LoginKey: Answer] = [:]
        /// The refreshes that are under way.
        var questions: [LoginKey: SharedWork] = [:]
        /// The content of the store, as far as it has been read.
        var stored: [LoginKey: StoredLogin?] = [:]
        /// The values that servers have not accepted.
        var rejected: [LoginKey: Set<String>] = [:]
        /// The keys of logins that were removed because they have expired. A message says so.
        var expired: Set<LoginKey> = []
    }

    private let api: CatalogueAPI
    private let environment: ProcessEnvironment
    /// The variables that need no login, such as the secret of a client.
    private let variables: Variables
    private let store: any LoginStore
    private let state = Mutex(State())

    /// Makes the source for an API.
    ///
    /// - Parameter store: Keeps the logins.
    init(
        _ api: CatalogueAPI, _ environment: ProcessEnvironment, _ store: any LoginStore, _ variables: Variables
    ) {
        self.api = api
        self.environment = environment
        self.store = store
        self.variables = variables
    }

    private func login(_ variable: String) -> Login? { api.logins.first { $0.variable == variable } }

    private func key(_ variable: String, _ server: BaseURL) -> LoginKey {
        LoginKey(api: api.name, variable: variable, origin: server.origin)
    }

    /// Returns the URL of the endpoint that gives the tokens of a variable; nil if it has no login with OAuth.
    func tokenServer(of variable: String, at server: BaseURL) -> BaseURL? {
        guard case .oauth(let oauth)? = login(variable)?.method else { return nil }
        return try? BaseURL(oauth.serving(server, of: api).endpoints.token)
    }

    // MARK: Values

    /// Returns the value that a login gives a variable; nil if there is none, or if it must be loaded first.
    func value(_ variable: String, at server: BaseURL) -> String? {
        guard login(variable) != nil else { return nil }
        let key = key(variable, server)
        if let answer = state.withLock({ $0.answers[key] }) { return (try? answer.get())?.value }
        guard let stored = storedLogin(key), isUsable(stored, key) else { return nil }
        return stored.value
    }

    /// Whether the value of a variable is known only after ``load(_:at:_:until:)``.
    func mustBeLoaded(_ variable: String, at server: BaseURL) -> Bool {
        guard let login = login(variable) else { return false }
        let key = key(variable, server)
        if state.withLock({ $0.answers[key] }) != nil { return false }
        if mustBeRead(key) { return true }
        let stored = storedLogin(key)
        if let stored, isUsable(stored, key) { return false }
        return canRefresh(login, stored, at: server)
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
        let isRejected = state.withLock { $0.rejected[key]?.contains(stored.value) == true }
        return !isRejected && stored.isUsable(at: environment.secondsSince1970())
    }

    /// Returns the refresh token of a stored login. It is only for the token endpoint that gave it: a document of the
    /// same name may declare another one.
    private static func refreshToken(of stored: StoredLogin?, _ oauth: OAuthLogin) -> String? {
        guard let stored, stored.tokenURL == oauth.endpoints.token else { return nil }
        return stored.refreshToken
    }

    /// Whether a new value can be got without a person: with a refresh token or with the secret of the client.
    ///
    /// A client logs in itself only if the variables of its secret are set. For a server that is not the API's, it
    /// does so only after `login`, so that a token does not go to any server that a command names.
    ///
    /// - Parameter stored: The stored login; nil if there is none.
    private func canRefresh(_ login: Login, _ stored: StoredLogin?, at server: BaseURL) -> Bool {
        guard case .oauth(let declared) = login.method else { return false }
        let oauth = declared.serving(server, of: api)
        if Self.refreshToken(of: stored, oauth) != nil { return true }
        if login.needsPerson || !oauth.client.neededVariables.allSatisfy(variables.hasValue) { return false }
        return stored != nil || LoginServer(server, of: api, declared) != .other
    }

    /// Returns the secrets of a variable's login that a request does not have, but that a server may repeat.
    ///
    /// They are the refresh token, values that were rejected, and the secret of the client if the process or a file
    /// sets it.
    func otherSecrets(of variable: String, at server: BaseURL) -> Set<String> {
        guard let login = login(variable), variables.value(variable)?.isEmpty != false else { return [] }
        let key = key(variable, server)
        var secrets = state.withLock { state in
            let stored = state.stored[key] ?? nil
            let refreshed = try? state.answers[key]?.get()
            let logins = [stored, refreshed].compactMap(\.self)
            return logins.reduce(state.rejected[key, default: []]) { $0.union($1.secrets) }
        }
        if case .oauth(let oauth) = login.method, let name = oauth.client.secretVariable,
            variables.source(name) == nil, let secret = variables.value(name), !secret.isEmpty
        {
            secrets.insert(secret)
        }
        return secrets
    }

    /// The first failure of a login that should have given a value; nil if none has failed.
    var failure: (any Error)? {
        let answers = state.withLock { $0.answers.sorted { $0.key.variable < $1.key.variable } }
        for case (_, .failure(let failure)) in answers { return failure }
        return nil
    }

    /// Whether the store is slow and has not been asked for a login.
    private func mustBeRead(_ key: LoginKey) -> Bool {
        store.isSlow && state.withLock { $0.stored[key] } == nil
    }

    /// Returns the stored login; nil if there is none, or if the store is slow and has not been asked.
    private func storedLogin(_ key: LoginKey) -> StoredLogin? {
        if let known = state.withLock({ $0.stored[key] }) { return known }
        return store.isSlow ? nil : keepStoredLogin(key)
    }

    /// Reads a login from the store, and keeps it in ``state``, so that the store is asked once.
    ///
    /// - Returns: The login; nil if there is none, or if it can't be read. The error is then the answer to all
    ///   questions for its value.
    private func keepStoredLogin(_ key: LoginKey) -> StoredLogin? {
        let read = Result { try store.read(key) }
        return state.withLock { state in
            switch read {
            case .success(let stored):
                state.stored[key] = .some(stored)
                return stored
            case .failure(let error):
                // The store has been asked, and there is no login.
                state.stored[key] = .some(nil)
                state.answers[key] = .failure(error)
                return nil
            }
        }
    }

    // MARK: Rejected values

    /// Whether the value of a variable comes from a login that can be refreshed.
    func canRefresh(_ variable: String, at server: BaseURL) -> Bool {
        guard let login = login(variable), variables.value(variable)?.isEmpty != false else { return false }
        return canRefresh(login, storedLogin(key(variable, server)), at: server)
    }

    /// Whether a server has not accepted a value.
    func isRejected(_ value: String, of variable: String, at server: BaseURL) -> Bool {
        let key = key(variable, server)
        return state.withLock { $0.rejected[key]?.contains(value) == true }
    }

    /// Makes a value unusable for this run that the server has not accepted, so that it is refreshed next.
    ///
    /// If another process has refreshed the login meanwhile, the value of that one is used.
    func reject(_ value: String, of variable: String, at server: BaseURL) {
        let key = key(variable, server)
        state.withLock { state in
            let isNew = state.rejected[key, default: []].insert(value).inserted
            // Another call has had the same value rejected, and the login has been refreshed since.
            if !isNew, state.answers[key] != nil { return }
            state.answers[key] = nil
            state.stored[key] = nil
        }
    }

    /// Forgets what was read from the store, and refreshes that gave no value that can still be used, so that the store
    /// is read again.
    func reload() {
        let now = environment.secondsSince1970()
        state.withLock { state in
            state.stored = [:]
            state.expired = []
            state.answers = state.answers.filter { (try? $0.value.get())?.isUsable(at: now) == true }
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
                let question = SharedWork { [self] in await answer(login, key, at: server, transfer, until: deadline) }
                state.questions[key] = question
                return question
            }
            await question.wait()
        }
    }

    /// Reads a login from a slow store, or refreshes it and keeps its value or its failure.
    private func answer(
        _ login: Login, _ key: LoginKey, at server: BaseURL, _ transfer: TransferOptions,
        until deadline: ContinuousClock.Instant
    ) async {
        if mustBeRead(key) {
            let failure: (any Error)?
            do {
                _ = try await BlockingWork.run { [self] in keepStoredLogin(key) }
                failure = nil
            } catch {
                failure = error
            }
            state.withLock { state in
                state.questions[key] = nil
                if let failure { state.answers[key] = .failure(failure) }
            }
            return
        }
        let answer: Answer
        do {
            answer = .success(try await refreshed(login, key, at: server, transfer, until: deadline))
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
        _ login: Login, _ key: LoginKey, at server: BaseURL, _ transfer: TransferOptions,
        until deadline: ContinuousClock.Instant
    ) async throws -> StoredLogin? {
        guard case .oauth(let declared) = login.method else { return nil }
        let oauth = declared.serving(server, of: api)
        let lock: (any LoginLock)?
        do {
            lock = try await store.lock(key, until: deadline)
        } catch is FileError where !login.needsPerson {
            // A client that logs in itself can do without a store: in a container, nothing may be writable.
            lock = nil
        }
        defer { withExtendedLifetime(lock) {} }
        // Another process may have refreshed it while this one waited for the lock.
        let stored = try await BlockingWork.run { [store] in try store.read(key) }
        if let stored, isUsable(stored, key) { return stored }
        guard canRefresh(login, stored, at: server) else { return nil }
        var endpoint = try TokenEndpoint(
            oauth, api: api.name, transport: environment.transport, transfer: transfer, value: variables.value)
        endpoint.otherSecrets = stored?.secrets ?? []
        if let token = Self.refreshToken(of: stored, oauth), let new = try await refreshed(token, key, endpoint) {
            return new
        }
        if login.needsPerson { return nil }
        let answer = try await endpoint.clientCredentials()
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
        _ refreshToken: String, _ key: LoginKey, _ endpoint: TokenEndpoint
    ) async throws -> StoredLogin? {
        do {
            let new = try await endpoint.refreshed(refreshToken).stored(at: environment.secondsSince1970())
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
