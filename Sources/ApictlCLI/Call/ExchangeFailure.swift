import EndpointKit
import JSONText

/// The error that a response has another status than that of a success.
struct FailedStatus: Error {
    let status: Int
    /// The status with its reason, and for a redirection where it leads to: `302 Found to /login`.
    let statusText: String
    /// The server that answered, if the command has asked several.
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
        let target = (300..<400).contains(head.status) ? head["Location"].map { " to \($0)" } : nil
        statusText = head.statusText + (target ?? "")
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
        let known = error as? AnnotatedError
        self.error = known?.error ?? error
        self.body = body ?? known?.body
        hints = [hint].compactMap(\.self) + (known?.hints ?? [])
    }
}

extension Exchange {
    /// Returns the failure that ends this exchange: the error with everything that is known about the exchange.
    ///
    /// It must be called once for an error, because it adds the number of attempts and hints to the message. A
    /// ``UsageError`` and ``OutputClosed`` are returned unchanged, because they are not about the exchange.
    ///
    /// - Parameters:
    ///   - error: The error, which may be annotated.
    ///   - name: The name of the call in the message; by default that of the plan.
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
        // The user interrupted the call, and needs no advice about retries.
        if error is CancellationError { return failure }
        if facts.attempts > 1 { failure.message += " (\(facts.attempts) attempts)" }
        if let denial = facts.retryDenial { failure.hints.append(denial.hint) }
        if let error = error as? TransportError {
            // What has been printed would be printed again.
            let isRepeatable = mayRepeat && !facts.hasPrinted
            let hint = error.hint(plan.options, context.variableNames, isRepeatable: isRepeatable)
            failure.hints += [hint].compactMap(\.self)
        }
        return failure
    }

    /// Returns the facts about this exchange for a report in JSON.
    ///
    /// - Parameter body: The body of the response, or its start; nil if it is not reported.
    func facts(body: JSONValue? = nil) -> Failure.ExchangeFacts {
        let facts = log.facts
        return Failure.ExchangeFacts(
            endpoint: plan.url == nil ? plan.name : nil, method: plan.request.method.rawValue, url: url,
            status: facts.head?.status, attempts: facts.attempts, body: body)
    }
}

extension RetryPolicy.Denial {
    /// A sentence that says why there was no retry, and which option would change that.
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
