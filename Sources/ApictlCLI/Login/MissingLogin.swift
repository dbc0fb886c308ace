import EndpointKit

/// The error that a call needs a credential that nobody has set, but that a login would give.
struct MissingLogin: Error {
    /// The credential that is missing.
    let missing: MissingCredential
    /// The command that logs in.
    let command: String
    /// Whether there was a login, which has expired.
    let isExpired: Bool

    /// The hint for a person, such as `To log in: apictl login shop`.
    var hint: Hint { .fact("\(isExpired ? "The login has expired. " : "")To log in: \(command)") }
}
