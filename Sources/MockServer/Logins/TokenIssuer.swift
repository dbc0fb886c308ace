import EndpointKit
import Locking

/// The memory of an OAuth server that a mock plays: the codes and tokens that it has given.
///
/// A refresh token and a code can be used once. So an app that does not keep the new refresh token is found out.
///
/// The server remembers the last ``capacity`` texts of each kind, so that a mock that runs for weeks does not grow. An
/// older one is unknown, as if it had expired.
final class TokenIssuer: Sendable {
    /// The tokens of one answer.
    struct Tokens: Sendable {
        let accessToken: String
        /// The token that gets the next ones; nil for a client that logs in itself.
        var refreshToken: String?
    }

    /// A request for authorization that an authorization code answers (RFC 6749, section 4.1.1).
    struct Authorization: Sendable {
        let redirect: String
        /// The hash of the client's proof; nil if the request had none (RFC 7636, section 4.2).
        let challenge: String?
    }

    /// The answer to a device that asks for its token (RFC 8628, section 3.5).
    enum DeviceAnswer: Sendable { case pending, tokens(Tokens), unknown }

    /// How many texts of a kind are remembered: many more than the apps of one test run use at the same time.
    static let capacity = 1000

    private struct State: Sendable {
        var accessTokens = RecentValues<ContinuousClock.Instant>(capacity: capacity)
        var refreshTokens = RecentValues<Void>(capacity: capacity)
        var authorizations = RecentValues<Authorization>(capacity: capacity)
        /// The device codes, and whether a device has asked for their token before.
        var deviceCodes = RecentValues<Bool>(capacity: capacity)
        var hasGivenTokens = false
    }

    /// How long an access token is valid.
    let tokenLifetime: Duration
    private let state = Lock(State())

    init(tokenLifetime: Duration) { self.tokenLifetime = tokenLifetime }

    // MARK: Access tokens

    /// Whether an access token is valid. Until the first one is given, any text is.
    func accepts(_ accessToken: String) -> Bool {
        state.withLock { state in
            guard state.hasGivenTokens else { return true }
            guard let expiry = state.accessTokens[accessToken] else { return false }
            return ContinuousClock.now < expiry
        }
    }

    /// Makes all access tokens invalid. Refresh tokens stay valid.
    func expireTokens() { state.withLock { $0.accessTokens.removeAll() } }

    /// Makes a token invalid, of either kind.
    func revoke(_ token: String) {
        state.withLock { state in
            _ = state.accessTokens.remove(token)
            _ = state.refreshTokens.remove(token)
        }
    }

    // MARK: Grants

    /// Returns a token for a client that logs in itself.
    func tokensOfClient() -> Tokens { state.withLock { newTokens(&$0, isRefreshable: false) } }

    /// Returns new tokens for a refresh token, which can't be used again; nil for an unknown one.
    func tokens(refreshing refreshToken: String) -> Tokens? {
        state.withLock { state in
            guard state.refreshTokens.remove(refreshToken) != nil else { return nil }
            return newTokens(&state, isRefreshable: true)
        }
    }

    /// Returns a code for a request for authorization.
    func code(for authorization: Authorization) -> String {
        let code = Self.randomText()
        state.withLock { $0.authorizations.set(authorization, for: code) }
        return code
    }

    /// Returns tokens for a code, which can't be used again.
    ///
    /// - Parameter isMeant: Whether the request for tokens fits the request for authorization.
    /// - Returns: The tokens; nil for an unknown code, or if the requests do not fit.
    func tokens(forCode code: String, _ isMeant: (Authorization) -> Bool) -> Tokens? {
        state.withLock { state in
            guard let authorization = state.authorizations.remove(code), isMeant(authorization) else {
                return nil
            }
            return newTokens(&state, isRefreshable: true)
        }
    }

    /// Returns a code for a device.
    func deviceCode() -> String {
        let code = Self.randomText()
        state.withLock { $0.deviceCodes.set(false, for: code) }
        return code
    }

    /// Returns the answer to a device: its login is approved when it asks for the second time.
    func answer(forDeviceCode code: String) -> DeviceAnswer {
        state.withLock { state in
            switch state.deviceCodes[code] {
            case nil: return .unknown
            case false?:
                state.deviceCodes.set(true, for: code)
                return .pending
            case true?:
                _ = state.deviceCodes.remove(code)
                return .tokens(newTokens(&state, isRefreshable: true))
            }
        }
    }

    /// Makes new tokens, which are valid from now on.
    private func newTokens(_ state: inout State, isRefreshable: Bool) -> Tokens {
        var tokens = Tokens(accessToken: Self.randomText())
        state.hasGivenTokens = true
        state.accessTokens.set(.now + tokenLifetime, for: tokens.accessToken)
        if isRefreshable {
            let refreshToken = Self.randomText()
            state.refreshTokens.set((), for: refreshToken)
            tokens.refreshToken = refreshToken
        }
        return tokens
    }

    /// Returns a text that says that it is of a mock, and is not used again.
    private static func randomText() -> String {
        "mock-" + Base64URL.encode((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    }
}

/// Values by their keys, of which the oldest ones are forgotten.
private struct RecentValues<Value: Sendable>: Sendable {
    private let capacity: Int
    private var values: [String: Value] = [:]
    /// The keys from the oldest to the newest, with those that were removed.
    private var keys: [String] = []

    init(capacity: Int) { self.capacity = capacity }

    /// The value of a key; nil if there is none, or if it is forgotten.
    subscript(key: String) -> Value? { values[key] }

    /// Stores the value of a key. If there are too many keys then, the oldest one is forgotten.
    mutating func set(_ value: Value, for key: String) {
        let isNew = values.updateValue(value, forKey: key) == nil
        if isNew { keys.append(key) }
        if keys.count > capacity { values[keys.removeFirst()] = nil }
    }

    /// Removes a key.
    ///
    /// - Returns: Its value; nil if there was none.
    mutating func remove(_ key: String) -> Value? { values.removeValue(forKey: key) }

    /// Removes all keys.
    mutating func removeAll() {
        values = [:]
        keys = []
    }
}
