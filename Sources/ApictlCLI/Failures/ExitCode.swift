/// The exit code of a run. Scripts rely on the numbers, so they must not change.
enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    /// A check failed, or a file or port can't be used.
    case failure = 1
    case usage = 2
    case redirection = 3
    case clientError = 4
    case serverError = 5
    case network = 6
    case timeout = 7
    case badResponse = 8
    case missingCredential = 9
    case interrupted = 130
    /// The reader of stdout has gone, as with `| head -1`. Shells report the same number for a program that SIGPIPE
    /// ends (128 + 13).
    case outputClosed = 141

    /// The name of the code as `--json-errors` prints it, in the member `kind`.
    var kind: String {
        switch self {
        case .redirection, .clientError, .serverError: "status"
        case .badResponse: "bad-response"
        case .missingCredential: "credential"
        case .outputClosed: "output-closed"
        default: "\(self)"
        }
    }

    /// The words for the code in the help.
    var meaning: String {
        switch self {
        case .success: "success"
        case .failure:
            """
            a check failed, diff found differences, -e found nothing; a file can't be read or written, or a port opened
            """
        case .usage: "usage: the command line or a settings file is wrong"
        case .redirection: "the final HTTP status was 3xx"
        case .clientError: "the final HTTP status was 4xx"
        case .serverError: "the final HTTP status was 5xx"
        case .network: "network: name, connection, TLS, proxy, too many redirects, transfer cut short"
        case .timeout: "timed out"
        case .badResponse: "bad response: not JSON, does not fit the model, or says itself that the call failed"
        case .missingCredential: "a credential is missing: the message names its variable"
        case .interrupted: "interrupted"
        case .outputClosed: "stdout was closed by its reader"
        }
    }

    /// Returns this code if it is success, and throws a failure otherwise.
    ///
    /// Stderr does not report the failure, because the result on stdout says enough: the findings of a check, for
    /// example.
    ///
    /// - Parameters:
    ///   - message: The message of the failure. Only `--json-errors` prints it.
    ///   - isSilent: Whether not even `--json-errors` prints it.
    /// - Throws: ``Failure`` for any other code than success.
    func successOrThrow(_ message: String, isSilent: Bool = false) throws(Failure) -> ExitCode {
        if self == .success { return self }
        var failure = Failure(message, self)
        failure.visibility = isSilent ? .never : .inJSON
        throw failure
    }

    /// Makes the code for the final status of a response: 404 → ``clientError``.
    init(status: Int) {
        switch status {
        case 200..<300: self = .success
        case 300..<400: self = .redirection
        case 400..<500: self = .clientError
        case 500..<600: self = .serverError
        // A number outside of 200 to 599 is no final status of HTTP, so that the response can't be used.
        default: self = .badResponse
        }
    }
}
