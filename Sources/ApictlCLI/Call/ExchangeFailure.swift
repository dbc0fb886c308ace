import EndpointKit
import JSONText

/// The status of a response says that the call failed.
struct FailedStatus: Error {
    let status: Int
    /// The status with its reason, and for a redirection where it leads to: `302 Found to /login`.
    let statusText: String
    /// The server that answered, if there are several.
    var server: String?
    /// The message that the API has in the body.
    var message: String?
    /// Further facts: which credentials were sent, what is missing of the body.
    var hints: [String] = []
    /// The body, or the start of it, for a report in JSON.
    var body: JSONValue?

    /// Makes the error about a response.
    ///
    /// - Parameter head: The head of the response, without secrets.
    init(_ head: ResponseHead) {
        status = head.status
        let target = (300..<400).contains(head.status) ? head["Location"].map { " to \($0)" } : nil
        statusText = head.statusText + (target ?? "")
    }

    /// Whether the same request may succeed later.
    var isTransient: Bool { status == 429 || (500..<600).contains(status) }
}

/// An error of an exchange, with what the part that found it knows besides.
struct AnnotatedError: Error {
    let error: any Error
    /// The body of the response, or the start of it, for a report in JSON.
    var body: JSONValue?
    /// Hints before those of the error.
    var hints: [Hint] = []

    /// Adds to what is known of `error`, which may be annotated already.
    init(_ error: any Error, body: JSONValue? = nil, hint: Hint? = nil) {
        let known = error as? AnnotatedError
        self.error = known?.error ?? error
        self.body = body ?? known?.body
        hints = [hint].compactMap(\.self) + (known?.hints ?? [])
    }
}

extension Exchange {
    /// Returns the failure that ends this exchange, with what is known of it. It is made once, where the exchange ends.
    ///
    /// A ``UsageError`` and ``OutputClosed`` are no failures of the exchange and stay as they are.
    ///
    /// - Parameter name: What was called, for the message; by default the name of the plan.
    func failure(_ error: any Error, of name: String? = nil) -> any Error {
        let annotated = AnnotatedError(error)
        let error = annotated.error
        if error is UsageError || error is OutputClosed { return error }
        let facts = log.facts
        let mayRepeat = plan.request.method.isRetrieval
        var failure = Failure(error, endpoint: name ?? plan.name, options: plan.options, mayRepeat: mayRepeat)
        failure.message = redactor.redact(failure.message)
        failure.hints = annotated.hints + failure.hints.map { $0.with(redactor.redact) }
        failure.exchange = self.facts(body: annotated.body ?? failure.exchange.body)
        if error is CancellationError { return failure }
        if facts.attempts > 1 { failure.message += " (\(facts.attempts) attempts)" }
        if let denial = facts.retryDenial { failure.hints.append(denial.hint) }
        if let error = error as? TransportError {
            let isRepeatable = mayRepeat && !facts.hasPrinted
            let hint = error.hint(plan.options, context.variableNames, isRepeatable: isRepeatable)
            failure.hints += [hint].compactMap(\.self)
        }
        return failure
    }

    /// Returns the facts about this exchange for a report in JSON.
    func facts(body: JSONValue? = nil) -> Failure.ExchangeFacts {
        let facts = log.facts
        return Failure.ExchangeFacts(
            endpoint: plan.url == nil ? plan.name : nil, method: plan.request.method.rawValue, url: url,
            status: facts.head?.status, attempts: facts.attempts, body: body)
    }
}

extension RetryPolicy.Denial {
    /// The denial as a sentence, and what helps against it.
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
