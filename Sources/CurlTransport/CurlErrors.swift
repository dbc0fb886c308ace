import EndpointKit

/// Errors that this module finds, not libcurl.
enum CurlErrors {
    static func silence(of transfer: Transfer, limit: Duration) -> TransportError {
        TransportError(
            .timedOut(.idle(limit)), server: transfer.plan.server,
            receivedBytes: transfer.easy.receivedBytes)
    }

    static func malformedHeaders(_ problem: HeadParser.Problem, from server: TransportError.Peer) -> TransportError {
        switch problem {
        case .tooLarge:
            TransportError(
                .notHTTP(.headersTooLarge), server: server, detail: "more than \(HeadParser.limit) bytes")
        case .noStatus: TransportError(.notHTTP(.noStatusLine), server: server, detail: "no status line")
        }
    }

    /// The response breaks a rule of HTTP's framing.
    static func malformedResponse(_ reason: String, from server: TransportError.Peer) -> TransportError {
        // libcurl takes bytes without a status line for HTTP/0.9, which had none.
        let problem: TransportError.HTTPProblem = reason.contains("HTTP/0.9") ? .noStatusLine : .malformed
        return TransportError(.notHTTP(problem), server: server, detail: reason)
    }

    static func decompression(_ problem: DecompressionProblem, from server: TransportError.Peer) -> TransportError {
        let cause: TransportError.Cause = if case .cut = problem { .cutShort(.inContentCoding) } else { .contentCoding }
        return TransportError(cause, server: server, detail: problem.reason)
    }

    /// A request that must not be sent twice was sent over a connection that ended without a response.
    static func lostRequest(_ method: HTTPMethod, to server: TransportError.Peer) -> TransportError {
        TransportError(.cutShort(.requestLost(method: method)), server: server)
    }

    /// The request can't be sent as it is.
    static func invalidRequest(_ reason: String) -> TransportError { TransportError(.invalidRequest, detail: reason) }

    /// libcurl itself failed.
    static func internalError(_ reason: String) -> TransportError { TransportError(.other, detail: reason) }
}
