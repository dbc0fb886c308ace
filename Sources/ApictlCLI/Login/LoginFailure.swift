import EndpointKit

/// The error that a login failed, or that its token could not be refreshed or revoked.
struct LoginFailure: Error, Equatable {
    /// A step of a login. The raw value is its name in messages: `the login of shop failed while asking for a token`.
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
        /// There was no complete response. The text says why.
        case transfer(String, ExitCode)
        /// The server refused with a code of RFC 6749 (section 5.2) or RFC 8628 (section 3.5), such as `invalid_grant`.
        case refused(code: String, description: String?)
        /// The server answered with a status that is no success, and without such a code: `404 Not Found`, 404.
        case status(String, Int)
        /// The answer is neither JSON nor a form.
        case unreadable
        /// The answer lacks the member of this name, or its value can't be used.
        case missing(String)
        /// A person did not approve the login in time.
        case expired
        /// A URL that the API declares or the server sent can't be used.
        case unusableURL
        /// Secrets would be sent to a URL without encryption.
        case insecureURL
        /// A call that begins the session failed. The text says why.
        case session(String, ExitCode)
    }

    let api: String
    /// The URL of the server, without secrets; empty if it is not known.
    let url: String
    let step: Step
    let reason: Reason

    /// The failure as a sentence:
    ///
    ///     the login of shop failed while asking for a token at https://id.shop.test/token: it answered 404 Not Found
    var sentence: String {
        let address = url.isEmpty ? "" : " at \(url)"
        return "the login of \(api) failed while \(step.rawValue)\(address): \(reasonText)"
    }

    /// The reason as the end of ``sentence``.
    private var reasonText: String {
        switch reason {
        case .transfer(let text, _), .session(let text, _): text
        case .refused(let code, let description?): "\(code): \(description)"
        case .refused(let code, nil): code
        case .status(let status, _): "it answered \(status)"
        case .unreadable: "it answered with something else in place of JSON"
        case .missing(let member): "its answer has no usable '\(member)'"
        case .expired: "nobody approved it in time"
        case .unusableURL: "this is no URL that can be requested"
        case .insecureURL: "secrets are only sent to https URLs and to this machine"
        }
    }

    /// The advice for a person; nil if ``sentence`` already says what to do.
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
        case .session: return nil
        }
    }

    /// The exit code of a command that ends with this failure.
    var exitCode: ExitCode {
        switch reason {
        case .transfer(_, let code), .session(_, let code): code
        case .refused, .expired: .missingCredential
        // The exit codes for statuses are about the API. Here the server of the login has refused the credential.
        case .status(_, 400..<500): .missingCredential
        case .status, .unreadable, .missing: .badResponse
        case .unusableURL, .insecureURL: .usage
        }
    }
}
