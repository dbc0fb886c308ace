/// A request needs values of credential variables that a client does not have.
public struct CredentialChallenge: Sendable, Hashable {
    /// The reason why values are asked for.
    public enum Reason: Sendable, Hashable {
        /// The request has no value for the credential: the variables are not set.
        case missing
        /// The server responded with the status 401 (RFC 9110, section 15.5.2) to a request with a value.
        case rejected
    }

    /// The reason why values are asked for.
    public let reason: Reason
    /// The name of the API that is called.
    public let api: String
    /// The URL of the server that the request is for, such as `https://api.themoviedb.org/3`.
    public let server: String
    /// Sets of variables, any one of which is enough: `[["TOKEN"], ["USER", "PASSWORD"]]`.
    public let alternatives: [[String]]
    /// The values that the server has rejected, by their variables.
    private let rejectedValues: [String: Secret]

    /// Creates a challenge, such as in a test of a function that answers it.
    ///
    /// - Parameters:
    ///   - reason: The reason why values are asked for.
    ///   - api: The name of the API that is called.
    ///   - server: The URL of the server.
    ///   - alternatives: Sets of variables, any one of which is enough: `[["TOKEN"], ["USER", "PASSWORD"]]`.
    ///   - rejectedValues: The values that the server has rejected, by their variables.
    public init(
        reason: Reason, api: String, server: String, alternatives: [[String]], rejectedValues: [String: String] = [:]
    ) {
        self.reason = reason
        self.api = api
        self.server = server
        self.alternatives = alternatives
        var secrets: [String: Secret] = [:]
        for (variable, value) in rejectedValues { secrets[variable] = Secret(variable: variable, value: value) }
        self.rejectedValues = secrets
    }

    /// Returns whether the server has rejected a value of a variable.
    ///
    /// A keychain that several processes share may hold a newer value, which needs no refresh:
    ///
    ///     let stored = try keychain.token()
    ///     if !challenge.isRejected(stored, for: "TOKEN") { return ["TOKEN": stored] }
    ///
    /// - Parameters:
    ///   - value: The value that may be sent next.
    ///   - variable: The name of the variable that has the value.
    public func isRejected(_ value: String, for variable: String) -> Bool {
        rejectedValues[variable]?.reveal() == value
    }

    /// The names of the variables of all alternatives.
    var variables: Set<String> { Set(alternatives.joined()) }
}
