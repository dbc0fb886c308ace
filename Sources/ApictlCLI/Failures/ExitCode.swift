/// The exit code of a run.
enum ExitCode: Int32, Sendable, CaseIterable {
    case success = 0
    /// A check failed, or a local failure: a file can't be read or written.
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
    /// The reader of stdout has gone; shells report the same number for SIGPIPE (128 + 13).
    case outputClosed = 141

    var kind: String { texts.kind }

    var meaning: String { texts.meaning }

    private var texts: (kind: String, meaning: String) {
        switch self {
        case .success: ("success", "success")
        case .failure:
            (
                "failure",
                "a check failed, diff found differences, -e found nothing; a file can't be read or written"
            )
        case .usage: ("usage", "usage: the command line or a settings file is wrong")
        case .redirection: ("status", "the final HTTP status was 3xx")
        case .clientError: ("status", "the final HTTP status was 4xx")
        case .serverError: ("status", "the final HTTP status was 5xx")
        case .network: ("network", "network: name, connection, TLS, proxy, too many redirects, transfer cut short")
        case .timeout: ("timeout", "timed out")
        case .badResponse:
            ("bad-response", "bad response: not JSON, does not fit the model, or reports a failure itself")
        case .missingCredential: ("credential", "a credential is missing: the message names its variable")
        case .interrupted: ("interrupted", "interrupted")
        case .outputClosed: ("output-closed", "stdout was closed by its reader")
        }
    }

    /// The code for the final status of a response.
    init(status: Int) {
        switch status {
        case 200..<300: self = .success
        case 300..<400: self = .redirection
        case 400..<500: self = .clientError
        case 500..<600: self = .serverError
        default: self = .network
        }
    }
}
