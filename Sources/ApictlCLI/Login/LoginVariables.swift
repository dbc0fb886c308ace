import EndpointKit
import EndpointTools
import Synchronization

/// The logins of an API as a source of its variables.
///
/// A stored value that can be used is known at once. Three kinds of values are known only after
/// ``load(_:at:using:until:)``: one that has expired but can be refreshed, the token of a client that logs in itself,
/// and the value of a slow store.
final class LoginVariables: Sendable {
    /// How the loading of a login ended: with a login that can be used, with nil if a person must log in first, or with
    /// an error.
    private typealias LoadResult = Result<StoredLogin?, any Error>

    private struct State {
        /// The results of loading logins. They hold until a value is rejected or ``reload()`` is called.
        var loadResults: [LoginKey: LoadResult] = [:]
        /// The work that loads logins now.
        var runningLoads: [LoginKey: SharedWork] = [:]
        /// The logins that were read from the store. A key whose value is nil was looked up, but has no login.
        var storedLogins: [LoginKey: StoredLogin?] = [:]
        /// The values that servers have not accepted.
        var rejectedValues: [LoginKey: Set<String>] = [:]
        /// The keys of logins that were removed because they have expired. A message says so.
        var expiredKeys: Set<LoginKey> = []
    }

    private let api: CatalogueAPI
    private let environment: ProcessEnvironment
    /// The variables that need no login, such as the secret of a client.
    private let variables: Variables
    private let store: any LoginStore
    private let state = Mutex(State())

    /// Makes the source for an API.
    ///
    /// - Parameters:
    ///   - api: The API that declares the logins.
    ///   - environment: Has the clock, and the transport for refreshes.
    ///   - store: Keeps the logins.
    ///   - variables: The API's variables as the environment and the configuration set them.
    init(
        of api: CatalogueAPI, environment: ProcessEnvironment, store: any LoginStore, variables: Variables
    ) {
        self.api = api
        self.environment = environment
        self.store = store
        self.variables = variables
    }

    /// Returns the login that gives a variable its value; nil if the API declares none for it.
    private func login(for variable: String) -> Login? { api.logins.first { $0.variable == variable } }

    /// Returns the key under which the login of a variable is stored for a server.
    private func key(_ variable: String, at server: BaseURL) -> LoginKey {
        LoginKey(api: api.name, variable: variable, origin: server.origin)
    }

    /// Returns the URL of the endpoint that gives the tokens of a variable; nil if it has no login with OAuth.
    func tokenServer(of variable: String, at server: BaseURL) -> BaseURL? {
        guard case .oauth(let oauth)? = login(for: variable)?.method else { return nil }
        return try? BaseURL(oauth.serving(server, of: api).endpoints.token)
    }

    // MARK: Values

    /// Returns the value that a login gives a variable; nil if there is none, or if it must be loaded first.
    func value(_ variable: String, at server: BaseURL) -> String? {
        guard login(for: variable) != nil else { return nil }
        let key = key(variable, at: server)
        if let result = state.withLock({ $0.loadResults[key] }) { return (try? result.get())?.value }
        guard let stored = storedLogin(for: key), isUsable(stored, for: key) else { return nil }
        return stored.value
    }

    /// Whether the value of a variable is known only after ``load(_:at:using:until:)``.
    func mustBeLoaded(_ variable: String, at server: BaseURL) -> Bool {
        guard let login = login(for: variable) else { return false }
        let key = key(variable, at: server)
        let isLoaded = state.withLock { $0.loadResults[key] != nil }
        if isLoaded { return false }
        if mustBeReadSlowly(key) { return true }
        let stored = storedLogin(for: key)
        if let stored, isUsable(stored, for: key) { return false }
        return canRefreshWithoutPerson(login, stored: stored, at: server)
    }

    /// Whether a login of a variable is stored, for any server of the API.
    func isStored(_ variable: String) -> Bool {
        guard login(for: variable) != nil else { return false }
        // A store that can't be read has no login that could be used.
        let keys = (try? store.keys()) ?? []
        return keys.contains { $0.api == api.name && $0.variable == variable }
    }

    /// Whether a login gave a variable a value that has expired since.
    func isExpired(_ variable: String, at server: BaseURL) -> Bool {
        let key = key(variable, at: server)
        if state.withLock({ $0.expiredKeys.contains(key) }) { return true }
        guard login(for: variable) != nil, let stored = storedLogin(for: key) else { return false }
        return !isUsable(stored, for: key)
    }

    /// Whether a stored value can be used: it has not expired, and the server has not refused it.
    private func isUsable(_ stored: StoredLogin, for key: LoginKey) -> Bool {
        let isRejected = state.withLock { $0.rejectedValues[key]?.contains(stored.value) == true }
        return !isRejected && stored.isUsable(at: environment.secondsSince1970())
    }

    /// Returns the refresh token of a stored login, which may be sent only to the token endpoint that gave it.
    ///
    /// - Parameters:
    ///   - stored: The stored login; nil if there is none.
    ///   - oauth: The login as it is declared now. Another document of the same name may declare another endpoint.
    /// - Returns: The refresh token; nil if there is none for this endpoint.
    private static func refreshToken(of stored: StoredLogin?, for oauth: OAuthLogin) -> String? {
        guard let stored, stored.tokenURL == oauth.endpoints.token else { return nil }
        return stored.refreshToken
    }

    /// Whether a new value can be had without a person: with a refresh token, or because the client logs in itself.
    ///
    /// A client logs in itself if the variables of its secret are set. For a server that is not the API's, it does so
    /// only after `login`, so that not every server that a command names gets a token.
    ///
    /// - Parameters:
    ///   - login: The declared login.
    ///   - stored: The stored login; nil if there is none.
    ///   - server: The server that gets the value.
    private func canRefreshWithoutPerson(_ login: Login, stored: StoredLogin?, at server: BaseURL) -> Bool {
        guard case .oauth(let declared) = login.method else { return false }
        let oauth = declared.serving(server, of: api)
        if Self.refreshToken(of: stored, for: oauth) != nil { return true }
        if login.needsPerson { return false }
        let hasClientSecret = oauth.client.neededVariables.allSatisfy(variables.hasValue)
        if !hasClientSecret { return false }
        return stored != nil || LoginServer(server, of: api, login: declared) != .other
    }

    /// Returns the secrets of a login that a server may repeat in its response, although the request of a call does not
    /// contain them: refresh tokens, older and newer tokens, and the secret of the client.
    ///
    /// The client's secret is missing if a program gives it, because that program is not run only to hide its result.
    ///
    /// - Parameters:
    ///   - variable: The variable whose value the login gives.
    ///   - server: The server that gets the value.
    /// - Returns: The secrets; empty if the variable has no login, or if the environment or the configuration sets it.
    func otherSecrets(of variable: String, at server: BaseURL) -> Set<String> {
        guard let login = login(for: variable), isUnset(variable) else { return [] }
        var secrets = knownSecrets(for: key(variable, at: server))
        if case .oauth(let oauth) = login.method, let clientSecret = clientSecret(of: oauth) {
            secrets.insert(clientSecret)
        }
        return secrets
    }

    /// Returns the values and refresh tokens under a key: the stored ones, the loaded ones, and rejected values.
    private func knownSecrets(for key: LoginKey) -> Set<String> {
        state.withLock { state in
            var secrets = state.rejectedValues[key] ?? []
            if case .some(let stored?) = state.storedLogins[key] { secrets.formUnion(stored.secrets) }
            if case .success(let loaded?) = state.loadResults[key] { secrets.formUnion(loaded.secrets) }
            return secrets
        }
    }

    /// Returns the secret of a client that the environment or a file sets; nil if there is none, or if its value comes
    /// from another source.
    private func clientSecret(of oauth: OAuthLogin) -> String? {
        guard let variable = oauth.client.secretVariable, variables.source(variable) == nil,
            let secret = variables.value(variable), !secret.isEmpty
        else { return nil }
        return secret
    }

    /// Whether neither the environment nor the configuration sets a variable, so that only a login can give its value.
    private func isUnset(_ variable: String) -> Bool { (variables.value(variable) ?? "").isEmpty }

    /// The first failure of loading a login, in the order of the variables' names; nil if none has failed.
    var failure: (any Error)? {
        let results = state.withLock { $0.loadResults.sorted { $0.key.variable < $1.key.variable } }
        for case (_, .failure(let failure)) in results { return failure }
        return nil
    }

    // MARK: Reading the store

    /// Whether the store is slow and the key has not been looked up in it.
    private func mustBeReadSlowly(_ key: LoginKey) -> Bool {
        store.isSlow && state.withLock { $0.storedLogins[key] } == nil
    }

    /// Returns the stored login of a key. A store that is not slow is read on the first use.
    ///
    /// - Returns: The login; nil if there is none, or if the store is slow and the key has not been looked up in it.
    private func storedLogin(for key: LoginKey) -> StoredLogin? {
        // A key that was looked up has an entry, which is nil if the store has no login.
        if let lookedUp = state.withLock({ $0.storedLogins[key] }) { return lookedUp }
        return store.isSlow ? nil : readStore(for: key)
    }

    /// Reads a login from the store, and keeps the result in ``state``, so that the store is asked once.
    ///
    /// An error of the store counts as the result of loading the login, so that ``failure`` reports it.
    ///
    /// - Returns: The login; nil if there is none, or if the store can't be read.
    private func readStore(for key: LoginKey) -> StoredLogin? {
        let result = Result { try store.read(key) }
        return state.withLock { state in
            switch result {
            case .success(let stored):
                state.storedLogins[key] = .some(stored)
                return stored
            case .failure(let error):
                // The store has been asked, and there is no login.
                state.storedLogins[key] = .some(nil)
                state.loadResults[key] = .failure(error)
                return nil
            }
        }
    }

    // MARK: Rejected values

    /// Whether the value of a variable comes from a login that can be refreshed without a person.
    func canRefresh(_ variable: String, at server: BaseURL) -> Bool {
        guard let login = login(for: variable), isUnset(variable) else { return false }
        let stored = storedLogin(for: key(variable, at: server))
        return canRefreshWithoutPerson(login, stored: stored, at: server)
    }

    /// Whether a server has not accepted a value.
    func isRejected(_ value: String, of variable: String, at server: BaseURL) -> Bool {
        let key = key(variable, at: server)
        return state.withLock { $0.rejectedValues[key]?.contains(value) == true }
    }

    /// Makes a value that a server has not accepted unusable for this run, so that the login is loaded again.
    ///
    /// The store is read again too: if another process has refreshed the login meanwhile, its value is used.
    func reject(_ value: String, of variable: String, at server: BaseURL) {
        let key = key(variable, at: server)
        state.withLock { state in
            let isFirstRejection = state.rejectedValues[key, default: []].insert(value).inserted
            // If another call has had the same value rejected before, the loaded login is a newer one.
            let isReplaced = !isFirstRejection && state.loadResults[key] != nil
            if isReplaced { return }
            state.loadResults[key] = nil
            state.storedLogins[key] = nil
        }
    }

    /// Makes later calls read the store again. Loaded logins that can be used stay. Failures and expired logins are
    /// forgotten.
    func reload() {
        let now = environment.secondsSince1970()
        state.withLock { state in
            state.storedLogins = [:]
            state.expiredKeys = []
            state.loadResults = state.loadResults.filter { _, result in
                guard case .success(let login?) = result else { return false }
                return login.isUsable(at: now)
            }
        }
    }

    // MARK: Loading

    /// A login to load for a server, and the limits of the requests that this needs.
    private struct LoadRequest {
        let login: Login
        let key: LoginKey
        let server: BaseURL
        /// Time limits and connection of the requests.
        let transfer: TransferOptions
        /// When the value must be known.
        let deadline: ContinuousClock.Instant
    }

    /// Loads the login of a variable, so that ``value(_:at:)`` returns the value, or ``failure`` the reason why there
    /// is none.
    ///
    /// The login is read from the store if that is slow, which means that it asks a program. A login that has expired
    /// is refreshed.
    ///
    /// - Parameters:
    ///   - variable: The variable that a login of the API declares.
    ///   - server: The server that gets the value.
    ///   - transfer: Time limits and connection of the requests.
    ///   - deadline: When the value must be known.
    /// - Throws: `CancellationError`.
    func load(
        _ variable: String, at server: BaseURL, using transfer: TransferOptions, until deadline: ContinuousClock.Instant
    ) async throws {
        // A slow store usually needs two steps: the first reads the login, and the second refreshes it. A step that all
        // of its callers have cancelled has no result, so that a new caller begins another one.
        while mustBeLoaded(variable, at: server), let login = login(for: variable) {
            try Task.checkCancellation()
            let request = LoadRequest(
                login: login, key: key(variable, at: server), server: server, transfer: transfer, deadline: deadline)
            await joinOrStartLoadStep(request).wait()
        }
    }

    /// Returns the running step of loading a login. If there is none, starts the next one. So calls that need the same
    /// login at the same time share one refresh.
    private func joinOrStartLoadStep(_ request: LoadRequest) -> SharedWork {
        state.withLock { state in
            if let running = state.runningLoads[request.key] { return running }
            let work = SharedWork { [self] in await runLoadStep(request) }
            state.runningLoads[request.key] = work
            return work
        }
    }

    /// Reads a login from a slow store or, if that has been done, refreshes the login.
    ///
    /// This keeps the result of the step in ``state``, and removes the step from the running loads.
    private func runLoadStep(_ request: LoadRequest) async {
        let key = request.key
        let result: LoadResult?
        if mustBeReadSlowly(key) {
            result = await readSlowStore(for: key)
        } else {
            result = await obtainResult(for: request)
        }
        state.withLock { state in
            state.runningLoads[key] = nil
            if let result { state.loadResults[key] = result }
        }
    }

    /// Reads a login from a slow store into ``state``, without blocking a thread of Swift's own tasks.
    ///
    /// - Returns: Nil if the store was read, because the login may still have to be refreshed. A failure if the reading
    ///   could not begin.
    private func readSlowStore(for key: LoginKey) async -> LoadResult? {
        do {
            _ = try await BlockingWork.run { [self] in readStore(for: key) }
            return nil
        } catch {
            return .failure(error)
        }
    }

    /// Obtains a login that can be used, and returns it or the error.
    ///
    /// - Returns: The result; nil if the work was cancelled, because that says nothing about the login.
    private func obtainResult(for request: LoadRequest) async -> LoadResult? {
        let result: LoadResult
        do {
            result = .success(try await obtainUsableLogin(request))
        } catch {
            result = .failure(error)
        }
        return Task.isCancelled ? nil : result
    }

    /// Returns a login that can be used: the stored one, a refreshed one, or the token that a client gets with its own
    /// secret. A new login is stored.
    ///
    /// All of this happens under the lock of the login, so that one process asks for a new token, and the others use
    /// it.
    ///
    /// - Returns: The login; nil if a person has to log in again.
    /// - Throws: ``LoginFailure``, ``FileError``, `MissingCredential` and `CancellationError`.
    private func obtainUsableLogin(_ request: LoadRequest) async throws -> StoredLogin? {
        guard case .oauth(let declared) = request.login.method else { return nil }
        let key = request.key
        let lock = try await takeLock(for: request)
        // A lock is released with the last reference to it. This keeps it until the function ends.
        defer { withExtendedLifetime(lock) {} }
        // Another process may have refreshed the login while this one waited for the lock.
        let stored = try await BlockingWork.run { [store] in try store.read(key) }
        if let stored, isUsable(stored, for: key) { return stored }
        guard canRefreshWithoutPerson(request.login, stored: stored, at: request.server) else { return nil }

        let oauth = declared.serving(request.server, of: api)
        var tokenEndpoint = try TokenEndpoint(
            oauth, api: api.name, transport: environment.transport, transfer: request.transfer,
            variableValue: variables.value)
        tokenEndpoint.otherSecrets = stored?.secrets ?? []
        if let refreshToken = Self.refreshToken(of: stored, for: oauth),
            let refreshed = try await refresh(key, with: refreshToken, at: tokenEndpoint)
        {
            return refreshed
        }
        if request.login.needsPerson { return nil }
        return try await obtainClientToken(for: key, from: tokenEndpoint)
    }

    /// Takes the lock of a login.
    ///
    /// - Returns: The lock; nil if a client that logs in itself can't have it. Such a client can do without a store: in
    ///   a container, nothing may be writable.
    /// - Throws: ``FileError`` if a person's login can't be locked, and `CancellationError`.
    private func takeLock(for request: LoadRequest) async throws -> (any LoginLock)? {
        do {
            return try await store.lock(request.key, until: request.deadline)
        } catch is FileError where !request.login.needsPerson {
            return nil
        }
    }

    /// Gets a new token with a refresh token and stores it. If the server does not accept the refresh token any more,
    /// this removes the login from the store and marks it as expired.
    ///
    /// - Returns: The new login; nil if the login was removed.
    /// - Throws: ``LoginFailure``, ``FileError`` and `CancellationError`.
    private func refresh(
        _ key: LoginKey, with refreshToken: String, at tokenEndpoint: TokenEndpoint
    ) async throws -> StoredLogin? {
        do {
            let answer = try await tokenEndpoint.requestRefreshedToken(with: refreshToken)
            let login = answer.loginToStore(receivedAt: environment.secondsSince1970())
            try store.write(login, for: key)
            return login
        } catch let failure as LoginFailure where failure.isRefusedGrant {
            try store.remove(key)
            state.withLock { _ = $0.expiredKeys.insert(key) }
            return nil
        }
    }

    /// Gets a token with the client's own secret, and stores it if the store can be written.
    ///
    /// - Throws: ``LoginFailure`` and `CancellationError`.
    private func obtainClientToken(for key: LoginKey, from tokenEndpoint: TokenEndpoint) async throws -> StoredLogin {
        let answer = try await tokenEndpoint.requestClientToken()
        let login = answer.loginToStore(
            receivedAt: environment.secondsSince1970(), defaultLifetime: Self.defaultClientTokenLifetime)
        do {
            try store.write(login, for: key)
        } catch is FileError {
            // The token is good for this run, and the next one gets its own.
        }
        return login
    }

    /// The lifetime of a client's own token if the server does not say one, in seconds. It is short, because a new
    /// token needs no person.
    private static let defaultClientTokenLifetime = 300
}

extension LoginFailure {
    /// Whether the server does not accept the refresh token or code any more (RFC 6749, section 5.2).
    fileprivate var isRefusedGrant: Bool {
        if case .refused("invalid_grant", _) = reason { return true }
        return false
    }
}
