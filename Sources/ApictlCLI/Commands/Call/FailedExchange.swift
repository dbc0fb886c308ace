import EndpointKit

/// An exchange that failed after its request was made, and what the report needs to know of it.
struct FailedExchange: Error {
    let cause: any Error
    /// The server that was asked first; a redirect may have led to another.
    let server: BaseURL
    /// Whether another attempt would do no harm: by its method, and by what has been written.
    let isRepeatable: Bool
    /// Whether part of a file was received that `--continue` would have kept.
    let losesDownload: Bool
    let attempts: Int
    /// Why it was not tried again although it could have been.
    let refusal: RetryPolicy.Refusal?
    /// Takes out what servers and libraries repeat in their messages.
    let redactor: Redactor
}

extension RetryPolicy.Refusal {
    /// Why there was no other attempt.
    var sentence: String {
        switch self {
        case .exceedsMaxTime(let retry) where retry.isRequestedByServer:
            "Not retried: the server asks to wait \(retry.wait.shown), longer than --max-time allows."
        case .exceedsMaxTime(let retry): "Not retried: the wait of \(retry.wait.shown) is longer than --max-time allows."
        case .exceedsLongestWait(let retry):
            "Not retried: \(retry.isRequestedByServer ? "the server asks to wait" : "the wait would be") \(retry.wait.shown). "
                + "To wait that long: --max-time 0"
        case .unsafeMethod(let method):
            "Not retried: the server may already have processed the \(method). To retry anyway: --retry-unsafe"
        case .partlyDelivered: "Not retried: part of the response has already been written."
        }
    }
}
