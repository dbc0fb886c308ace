import EndpointKit
import JSONText

/// The error that a response has another status than that of a success.
struct FailedStatus: Error {
    let status: Int
    /// The status with its reason, and for a redirection where it leads to: `302 Found to /login`.
    let statusText: String
    /// The server that answered, if the command has asked several servers.
    var server: String?
    /// The API's own message, which was found in the body.
    var message: String?
    /// Which credentials were sent or could be, and what is missing of the body.
    var hints: [Hint] = []
    /// The body, or the start of it, for a report in JSON.
    var body: JSONValue?

    /// Makes the error about a response.
    ///
    /// - Parameter head: The head of the response, without secrets.
    init(_ head: ResponseHead) {
        status = head.status
        let isRedirection = (300..<400).contains(head.status)
        if isRedirection, let target = head["Location"] {
            statusText = "\(head.statusText) to \(target)"
        } else {
            statusText = head.statusText
        }
    }

    /// Whether the same request may succeed later: after a 429 (too many requests) or a 5xx.
    var isTransient: Bool { status == 429 || (500..<600).contains(status) }
}

/// An error of an exchange, together with facts that only the code which caught the error knows.
struct AnnotatedError: Error {
    let error: any Error
    /// The body of the response, or the start of it, for a report in JSON.
    var body: JSONValue?
    /// Hints that are shown before those of the error itself.
    var hints: [Hint] = []

    /// Adds facts to an error. If it is annotated already, the facts are added to those that it has.
    ///
    /// - Parameters:
    ///   - body: The body of the response, or its start. Nil keeps the body of an annotated error.
    ///   - hint: A hint before those that the error has; nil adds none.
    init(_ error: any Error, body: JSONValue? = nil, hint: Hint? = nil) {
        let earlier = error as? AnnotatedError
        self.error = earlier?.error ?? error
        self.body = body ?? earlier?.body
        hints = earlier?.hints ?? []
        if let hint { hints.insert(hint, at: 0) }
    }
}

extension Exchange {
    /// Returns the error to report for an error that has ended this exchange. It is a ``Failure`` without secrets, with
    /// hints and everything that is known about the exchange.
    ///
    /// A ``UsageError`` and ``OutputClosed`` are returned unchanged, because they are not about the exchange. The
    /// result must not be passed to this function again, because it would get the same hints twice.
    ///
    /// - Parameters:
    ///   - error: The error, which may be annotated.
    ///   - callName: The name of the call in the message; nil for that of the plan.
    func reportedError(for error: any Error, callName: String? = nil) -> any Error {
        let annotated = AnnotatedError(error)
        let cause = annotated.error
        if cause is UsageError || cause is OutputClosed { return cause }
        let isRetrieval = plan.request.method.isRetrieval
        var failure = Failure(cause, endpoint: callName ?? plan.name, options: plan.options, mayRepeat: isRetrieval)
        failure.message = redactor.redact(failure.message)
        failure.hints = annotated.hints + failure.hints.map { $0.with(redactor.redact) }
        failure.exchange = factsForReport(body: annotated.body ?? failure.exchange.body)
        // The user has interrupted the call and needs no advice about retries.
        if cause is CancellationError { return failure }
        failure.message += attemptCountSuffix
        failure.hints += hintsAboutRetries(after: cause)
        return failure
    }

    /// The end of the message of a failure: ` (3 attempts)`. Empty after a single attempt.
    private var attemptCountSuffix: String {
        let attemptCount = log.snapshot.attempts
        return attemptCount > 1 ? " (\(attemptCount) attempts)" : ""
    }

    /// Returns hints about why the request was not sent again, and about options that may help after an error of the
    /// transfer.
    private func hintsAboutRetries(after cause: any Error) -> [Hint] {
        let logged = log.snapshot
        var hints: [Hint] = []
        if let denial = logged.retryDenial { hints.append(denial.hint) }
        guard let transportError = cause as? TransportError else { return hints }
        // A call that has printed something would print it again.
        let isRepeatable = plan.request.method.isRetrieval && !logged.hasPrinted
        if let hint = transportError.hint(plan.options, context.variableNames, isRepeatable: isRepeatable) {
            hints.append(hint)
        }
        return hints
    }

    /// Returns the facts about this exchange for a report in JSON.
    ///
    /// - Parameter body: The body of the response, or its start; nil if it is not reported.
    func factsForReport(body: JSONValue? = nil) -> Failure.ExchangeFacts {
        let logged = log.snapshot
        return Failure.ExchangeFacts(
            endpoint: plan.url == nil ? plan.name : nil, method: plan.request.method.rawValue, url: url,
            status: logged.head?.status, attempts: logged.attempts, body: body)
    }
}

extension RetryPolicy.Denial {
    /// A sentence that says why the client did not send the request again, and which option would change that.
    fileprivate var hint: Hint {
        switch self {
        case .exceedsMaxTime(let retry) where retry.isRequestedByServer:
            return .options(
                "Not retried: the server asks to wait \(retry.wait.shown), longer than --max-time allows.")
        case .exceedsMaxTime(let retry):
            return .options("Not retried: the wait of \(retry.wait.shown) is longer than --max-time allows.")
        case .exceedsMaxWait(let retry):
            if let day = retry.serversDay { return .fact("Not retried: the server asks to wait until \(day).") }
            let wait = retry.isRequestedByServer ? "the server asks to wait" : "the wait would be"
            return .options("Not retried: \(wait) \(retry.wait.shown). To wait that long: --max-time 0")
        case .unsafeMethod(let method):
            return .options(
                "Not retried: the server may already have processed the \(method). To retry anyway: --retry-unsafe")
        case .partlyDelivered: return .fact("Not retried: part of the response has already been written.")
        }
    }
}
