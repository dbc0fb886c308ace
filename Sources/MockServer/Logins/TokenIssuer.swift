import EndpointKit
import Locking

/// The memory of an OAuth server that a mock plays: the codes and tokens that it has given.
///
/// A refresh token and a code can be used once. So a test finds out if an app does not keep the new refresh token.
///
/// The server remembers the last ``capacity`` tokens and codes of each kind, so that a mock that runs for weeks does
/// not grow. An older one is unknown, as if it had expired.
final class TokenIssuer: Sendable {
    /// The tokens of one answer.
    struct Tokens: Sendable {
        /// The token with which calls are made.
        let accessToken: String
        /// The token that gets the next tokens; nil for a client that logs in itself.
        var refreshToken: String?
    }

    /// A request for authorization that an authorization code answers (RFC 6749, section 4.1.1).
    struct Authorization: Sendable {
        /// The URI to which the browser is sent back.
        let redirect: String
        /// The hash of the client's proof; nil if the request had none (RFC 7636, section 4.2).
        let challenge: String?
    }

    /// The answer to a device that asks for its token (RFC 8628, section 3.5).
    enum DeviceAnswer: Sendable {
        /// The login has not been approved yet.
        case pending
        /// The login has been approved.
        case tokens(Tokens)
        /// There is no such code.
        case unknown
    }

    /// The number of tokens or codes of one kind that are remembered: many more than the apps of one test run use at
    /// the same time.
    static let capacity = 1000

    /// The tokens and codes that were given, protected by a lock.
    private struct State: Sendable {
        /// The times at which the access tokens expire.
        var accessTokens = RecentValues<ContinuousClock.Instant>(capacity: capacity)
        /// The refresh tokens that have not been used.
        var refreshTokens = RecentValues<Void>(capacity: capacity)
        /// The requests for authorization by their codes.
        var authorizations = RecentValues<Authorization>(capacity: capacity)
        /// For each device code, whether a device has asked for its token before.
        var hasAskedByDeviceCode = RecentValues<Bool>(capacity: capacity)
        /// Whether any token has been given.
        var hasGivenTokens = false
    }

    /// How long an access token is valid.
    let tokenLifetime: Duration
    private let state = Lock(State())

    /// Creates the memory of a server that has given no tokens.
    init(tokenLifetime: Duration) { self.tokenLifetime = tokenLifetime }

    // MARK: Access tokens

    /// Returns whether an access token is valid. Until the first token is given, any text is valid.
    func accepts(_ accessToken: String) -> Bool {
        state.withLock { state in
            guard state.hasGivenTokens else { return true }
            guard let expiry = state.accessTokens[accessToken] else { return false }
            return ContinuousClock.now < expiry
        }
    }

    /// Makes all access tokens invalid. Refresh tokens stay valid.
    func expireTokens() { state.withLock { $0.accessTokens.removeAll() } }

    /// Makes an access token or a refresh token invalid (RFC 7009).
    func revoke(_ token: String) {
        state.withLock { state in
            _ = state.accessTokens.remove(token)
            _ = state.refreshTokens.remove(token)
        }
    }

    // MARK: Grants

    /// Issues a token for a client that logs in itself.
    func issueTokensOfClient() -> Tokens { state.withLock { makeTokens(in: &$0, isRefreshable: false) } }

    /// Issues new tokens for a refresh token, which can't be used again.
    ///
    /// - Returns: The tokens; nil if the refresh token is unknown.
    func issueTokens(refreshing refreshToken: String) -> Tokens? {
        state.withLock { state in
            let isKnown = state.refreshTokens.remove(refreshToken) != nil
            return isKnown ? makeTokens(in: &state, isRefreshable: true) : nil
        }
    }

    /// Issues a code that answers a request for authorization.
    func issueCode(for authorization: Authorization) -> String {
        let code = Self.makeRandomText()
        state.withLock { $0.authorizations.set(authorization, for: code) }
        return code
    }

    /// Issues tokens for an authorization code. The code can't be used again, even if this call returns nil.
    ///
    /// - Parameters:
    ///   - code: A code that ``issueCode(for:)`` has returned.
    ///   - isAllowed: Returns whether the request for tokens fits the request for authorization.
    /// - Returns: The tokens; nil for an unknown code, or if the requests do not fit.
    func issueTokens(forCode code: String, if isAllowed: (Authorization) -> Bool) -> Tokens? {
        state.withLock { state in
            guard let authorization = state.authorizations.remove(code), isAllowed(authorization) else {
                return nil
            }
            return makeTokens(in: &state, isRefreshable: true)
        }
    }

    /// Issues a code with which a device asks for its token.
    func issueDeviceCode() -> String {
        let code = Self.makeRandomText()
        state.withLock { $0.hasAskedByDeviceCode.set(false, for: code) }
        return code
    }

    /// Answers a device that asks for its token. Its login is approved when it asks for the second time.
    ///
    /// The code can't be used again once there is a token.
    func answerDevice(code: String) -> DeviceAnswer {
        state.withLock { state in
            guard let hasAskedBefore = state.hasAskedByDeviceCode[code] else { return .unknown }
            if !hasAskedBefore {
                state.hasAskedByDeviceCode.set(true, for: code)
                return .pending
            }
            _ = state.hasAskedByDeviceCode.remove(code)
            return .tokens(makeTokens(in: &state, isRefreshable: true))
        }
    }

    /// Makes new tokens, which are valid from now on, and adds them to `state`.
    ///
    /// - Parameters:
    ///   - state: The tokens that were given before.
    ///   - isRefreshable: Whether there is a refresh token besides the access token.
    private func makeTokens(in state: inout State, isRefreshable: Bool) -> Tokens {
        var tokens = Tokens(accessToken: Self.makeRandomText())
        let expiry = ContinuousClock.now + tokenLifetime
        state.accessTokens.set(expiry, for: tokens.accessToken)
        state.hasGivenTokens = true
        if isRefreshable {
            let refreshToken = Self.makeRandomText()
            // A refresh token does not expire, so nothing is stored with it.
            state.refreshTokens.set((), for: refreshToken)
            tokens.refreshToken = refreshToken
        }
        return tokens
    }

    /// Returns a random text for a token or code: `mock-` and 128 random bits, so that no text occurs twice.
    private static func makeRandomText() -> String {
        "mock-" + Base64URL.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }
}

/// Values by their keys, of which the oldest ones are forgotten.
private struct RecentValues<Value: Sendable>: Sendable {
    private let capacity: Int
    private var values: [String: Value] = [:]
    /// The keys from the oldest to the newest, including those that were removed.
    private var keys: [String] = []

    /// Creates an empty collection that keeps the values of up to `capacity` keys.
    init(capacity: Int) { self.capacity = capacity }

    /// Returns the value of a key; nil if it has none, or if it is forgotten.
    subscript(key: String) -> Value? { values[key] }

    /// Stores the value of a key. If there are more keys than the capacity then, the oldest one is forgotten.
    mutating func set(_ value: Value, for key: String) {
        let isNew = values.updateValue(value, forKey: key) == nil
        if isNew { keys.append(key) }
        if keys.count > capacity { values[keys.removeFirst()] = nil }
    }

    /// Removes a key with its value.
    ///
    /// - Returns: The value; nil if the key had none.
    mutating func remove(_ key: String) -> Value? { values.removeValue(forKey: key) }

    /// Removes all keys.
    mutating func removeAll() {
        values = [:]
        keys = []
    }
}
