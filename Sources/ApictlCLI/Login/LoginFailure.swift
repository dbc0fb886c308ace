import EndpointKit

/// The error that a login, or the refresh of one, failed.
struct LoginFailure: Error, Equatable {
    /// A step of a login, as messages name it.
    enum Step: String, Sendable {
        case deviceCode = "asking for a device code"
        case polling = "waiting for the approval"
        case authorization = "waiting for the browser"
        case token = "asking for a token"
        case refresh = "refreshing the token"
        case revocation = "revoking the token"
        case session = "logging in"
    }

    /// The reason of the failure.
    enum Reason: Sendable, Equatable {
        /// There was no complete response. The sentence says why.
        case transfer(String, ExitCode)
        /// The server refused with a code of RFC 6749 (section 5.2) or RFC 8628 (section 3.5).
        case refused(code: String, description: String?)
        /// The server answered with another status than that of a success, and without such a code.
        case status(String, Int)
        /// The answer is no JSON and no form.
        case unreadable(String)
        /// The answer lacks a member, or its value can't be used.
        case missing(String)
        /// A person did not approve the login in time.
        case expired
        /// A URL that the API declares or the server sent can't be used.
        case unusableURL
        /// Secrets would be sent to a URL without encryption.
        case insecureURL
        /// The parts of a session login failed with this message.
        case steps(String, ExitCode)
    }

    let api: String
    /// The URL of the server, without secrets.
    let url: String
    let step: Step
    let reason: Reason

    /// The failure as a sentence: `github.com/login/oauth/access_token: refreshing the token: …`.
    var sentence: String {
        let place = url.isEmpty ? "" : " at \(url)"
        return "the login of \(api) failed while \(step.rawValue)\(place): \(cause)"
    }

    /// The reason as the end of the sentence.
    private var cause: String {
        switch reason {
        case .transfer(let sentence, _), .steps(let sentence, _): sentence
        case .refused(let code, let description): description.map { "\(code): \($0)" } ?? code
        case .status(let status, _): "it answered \(status)"
        case .unreadable(let found): "it answered with \(found) in place of JSON"
        case .missing(let member): "its answer has no usable '\(member)'"
        case .expired: "nobody approved it in time"
        case .unusableURL: "this is no URL that can be requested"
        case .insecureURL: "secrets are only sent to https URLs and to this machine"
        }
    }

    /// The advice for a person; nil if it follows from the sentence.
    var advice: String? {
        switch reason {
        case .refused("invalid_client", _), .refused("unauthorized_client", _):
            return "The server does not know the client, or its secret is wrong."
        case .refused("invalid_scope", _): return "The server does not grant the scopes that the API declares."
        case .refused("access_denied", _): return "The login was not approved."
        case .refused("invalid_grant", _), .refused("expired_token", _), .expired:
            return "Log in again: login \(api)"
        case .refused("temporarily_unavailable", _), .refused("server_error", _), .status(_, 429), .status(_, 500...):
            return "Try again later."
        case .refused:
            return "Check the client and the parameters of the login in the declaration of \(api)."
        case .status, .unreadable, .missing, .unusableURL:
            return "Check the URLs of the login in the declaration of \(api)."
        case .transfer: return "Check the connection to the server, then repeat the command."
        case .insecureURL: return "Declare an https URL, or log in with --insecure."
        case .steps: return nil
        }
    }

    /// The exit code of a command that ends with this failure.
    var exitCode: ExitCode {
        switch reason {
        case .transfer(_, let code), .steps(_, let code): code
        case .refused, .expired: .missingCredential
        // The codes for a status are for that of the API itself.
        case .status(_, 400..<500): .missingCredential
        case .status, .unreadable, .missing: .badResponse
        case .unusableURL, .insecureURL: .usage
        }
    }
}

/// The error that a credential is missing that a login would give.
struct MissingLogin: Error {
    let missing: MissingCredential
    /// The command that logs in.
    let command: String
    /// Whether there was a login, which has expired.
    let isExpired: Bool

    /// The hint for a person.
    var hint: Hint { .fact("\(isExpired ? "The login has expired. " : "")To log in: \(command)") }
}
