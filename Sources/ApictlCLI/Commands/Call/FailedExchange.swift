import EndpointKit

/// An exchange that failed after its request was built, with what the report needs to know.
struct FailedExchange: Error {
    let cause: any Error
    /// The server that was called; a redirect may have led to another.
    let server: BaseURL
    /// Whether a person may be advised to send it again: it is a GET or HEAD, and nothing has been printed.
    let isRepeatable: Bool
    let method: HTTPMethod
    /// Whether part of a file was discarded that `--continue` would have kept.
    let losesDownload: Bool
    let attempts: Int
    /// Why it was not retried although retries were left.
    let refusal: RetryPolicy.Refusal?
    /// Removes secrets that servers and libraries repeat in their messages.
    let redactor: Redactor
}

extension RetryPolicy.Refusal {
    /// The refusal as a sentence.
    var sentence: String {
        switch self {
        case .exceedsMaxTime(let retry) where retry.isRequestedByServer:
            "Not retried: the server asks to wait \(retry.wait.shown), longer than --max-time allows."
        case .exceedsMaxTime(let retry):
            "Not retried: the wait of \(retry.wait.shown) is longer than --max-time allows."
        case .exceedsLongestWait(let retry):
            "Not retried: \(retry.isRequestedByServer ? "the server asks to wait" : "the wait would be") \(retry.wait.shown). "
                + "To wait that long: --max-time 0"
        case .unsafeMethod(let method):
            "Not retried: the server may already have processed the \(method). To retry anyway: --retry-unsafe"
        case .partlyDelivered: "Not retried: part of the response has already been written."
        }
    }
}
