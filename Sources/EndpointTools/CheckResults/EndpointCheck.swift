import EndpointKit
import JSONText
import Locking

/// The check of one call: its request is sent, its status must be a success, and its body must fit the endpoint's
/// model.
package struct EndpointCheck: Sendable {
    /// The requirements for a response, apart from fitting the endpoint's model.
    package struct Expectations: Sendable {
        /// The statuses to expect. Only the body of a success (2xx) is compared with the model.
        package var status = 200...299
        /// The longest time that a response may take; nil is no limit.
        package var maxLatency: Duration?
        /// Finds further problems with a response whose status is expected; nil if nothing else is expected.
        package var findProblems: (@Sendable (_ response: CheckedResponse) -> [CheckProblem])?
    }

    package let declaration: EndpointDeclaration
    package let call: EndpointCall
    /// The endpoint of ``call``, maybe with other credentials or another body.
    package let endpoint: Endpoint
    package let request: Request
    package var expected = Expectations()
    /// The source of the call, in the words of messages: `The example's data may be stale.`
    package var origin = "example"
    /// Removes the request's secrets from everything that the outcome has.
    package let redactor: Redactor
    /// Returns a redactor of further secrets, such as those that ``Expectations/findProblems`` has found in the body.
    package var otherSecrets: (@Sendable () -> Redactor)?
    /// Whether the outcome of a check that did not pass has the response.
    package var keepsResponse = false

    /// Prepares the check of a call. ``run(_:)`` sends it.
    ///
    /// - Parameters:
    ///   - declaration: The declaration of the endpoint, which knows the model that the response is compared with.
    ///   - call: The call to check, such as an example.
    ///   - endpoint: The endpoint of `call`, maybe with other credentials or another body.
    ///   - request: The request for `endpoint`.
    ///   - redactor: Removes the request's secrets.
    ///   - maxLatency: The longest time that the response may take; nil is no limit.
    package init(
        _ declaration: EndpointDeclaration, call: EndpointCall, endpoint: Endpoint, request: Request,
        redactor: Redactor, maxLatency: Duration? = nil
    ) {
        self.declaration = declaration
        self.call = call
        self.endpoint = endpoint
        self.request = request
        self.redactor = redactor
        expected.maxLatency = maxLatency
    }

    /// The longest body of a failed response that is searched for a message, in bytes.
    private static let maxErrorBody = 1_000_000

    /// Sends the request and judges the response.
    ///
    /// If the exchange fails, or the model throws an error of its own, the error is one of the outcome's problems.
    ///
    /// - Parameter client: Sends the request. If it retries, all attempts together are one check.
    /// - Returns: The outcome, also if there is no response.
    /// - Throws: `CancellationError`, and nothing else.
    package func run(_ client: Client) async throws(CancellationError) -> CheckOutcome {
        let attempts = Attempts()
        let countingClient = countingAttempts(of: client, in: attempts)
        // The time begins here: the limit is for the transfer and for decoding together.
        let timeLimit = DecodingLimit(maxTime: client.transfer.maxTime, server: request.base)
        var outcome = CheckOutcome(verdict: .passed)
        var completeResponse: Response?
        do {
            let response = try await countingClient.exchange(request) { streamed in
                outcome.status = streamed.head.status
                return try await readNeededBody(of: streamed, maxSize: client.maxBodySize)
            }
            completeResponse = response
            // Measured before the response is judged, because that time is not the server's.
            let duration = attempts.elapsed
            outcome.duration = duration
            let judgement = try judge(response, within: timeLimit)
            outcome.add(judgement)
            if let problem = latencyProblem(duration) { outcome.problems.append(problem) }
        } catch let error as CancellationError {
            throw error
        } catch {
            // There is no complete response, or the model could not be decoded at all.
            if outcome.duration == nil { outcome.duration = attempts.elapsed }
            outcome.problems.append(problem(ofError: error))
        }
        outcome.attempts = attempts.count
        outcome.verdict = outcome.problems.verdict
        if let completeResponse, outcome.verdict != .passed {
            return addingEvidence(of: completeResponse, to: outcome)
        }
        return outcome
    }

    /// Returns the outcome of a check that did not pass, with the parts of the response that help to find the reason.
    ///
    /// Problems get excerpts of the body. If the status is unexpected or the body is not JSON, the beginning of the
    /// body is added. If ``keepsResponse``, the whole response is added too. Secrets that the server has issued in the
    /// response, such as a new token, are removed from everything in the outcome.
    private func addingEvidence(of response: Response, to outcome: CheckOutcome) -> CheckOutcome {
        var outcomeWithEvidence = outcome
        let excerpts = ResponseExcerpts(response, requestSecrets: redactor, otherSecrets: otherSecrets?())
        let needsBodyStart = outcome.problems.contains { $0.kind == .status || $0.kind == .notJSON }
        if needsBodyStart { outcomeWithEvidence.bodyStart = excerpts.bodyStart }
        excerpts.addExcerpts(
            to: &outcomeWithEvidence.problems,
            hasStatusMessage: { declaration.api.failureMessage(in: response.body) != nil })
        if keepsResponse { outcomeWithEvidence.evidence.response = response.redacted(by: redactor) }
        return outcomeWithEvidence.redacted(by: excerpts.issuedSecrets)
    }

    // MARK: The exchange

    /// The attempts of one check, counted while the client retries.
    private final class Attempts: Sendable {
        private let state = Lock((count: 1, start: ContinuousClock.now))

        /// The number of attempts so far, the first one included.
        var count: Int { state.withLock(\.count) }
        /// The time since the start of the last attempt.
        var elapsed: Duration { .now - state.withLock(\.start) }

        /// Counts an attempt that starts after a wait.
        func add(after wait: Duration) {
            state.withLock { state in
                state.count += 1
                state.start = .now + wait
            }
        }
    }

    /// Returns a copy of a client that counts its attempts.
    ///
    /// The copy does not retry after a status that the check expects, even if it is one such as 503.
    ///
    /// - Parameters:
    ///   - client: The client, whose other settings and own `onRetry` are kept.
    ///   - attempts: Counts the attempts of the returned client.
    private func countingAttempts(of client: Client, in attempts: Attempts) -> Client {
        var countingClient = client
        countingClient.retry.expectedStatus = expected.status
        countingClient.retry.onRetry = { retry in
            attempts.add(after: retry.wait)
            client.retry.onRetry?(retry)
        }
        return countingClient
    }

    /// Whether the endpoint declares the JSON body of a response with this head, so that there must be a body.
    private func expectsJSON(_ head: ResponseHead) -> Bool { declaration.source.declaresJSON(of: head, from: endpoint) }

    /// The part of a response's body that a check needs.
    private enum NeededBody {
        case whole
        /// The beginning, in which a failure's message is looked for.
        case beginning
        /// Nothing of the body, which must arrive completely all the same.
        case completeArrival
        /// Nothing of the body, which may never end.
        case nothing
    }

    /// Returns how much of the body of a response with this head a check needs.
    ///
    /// - The whole body is compared with the model, or with the requirements of a case.
    /// - A stream that the model can't read is a problem by itself, so nothing of it is read.
    /// - The body of another success only has to arrive completely.
    /// - A failure has a message at the beginning of its body, and no more of it is needed.
    private func neededBody(_ head: ResponseHead) -> NeededBody {
        let isExpectedStatus = expected.status.contains(head.status)
        let isComparedWithModel = isExpectedStatus && expectsJSON(head)
        let hasRequirements = isExpectedStatus && expected.findProblems != nil
        if isComparedWithModel, isUnreadableStream(head) { return .nothing }
        if isComparedWithModel || hasRequirements { return .whole }
        return head.isSuccess ? .completeArrival : .beginning
    }

    /// Reads as much of a response's body as the check needs.
    ///
    /// - Parameters:
    ///   - streamed: The response, whose body has not been read.
    ///   - maxSize: The longest body, in bytes, if all of it is needed.
    /// - Returns: The response. Its body is empty if nothing of it is needed.
    /// - Throws: `BodyTooLarge` for a longer body, and any error of the transfer.
    private func readNeededBody(of streamed: StreamedResponse, maxSize: Int) async throws -> Response {
        let head = streamed.head
        switch neededBody(head) {
        case .whole:
            return Response(head: head, body: try await streamed.body.collect(limit: maxSize))
        case .beginning:
            let bodyStart = try await streamed.body.prefix(upTo: Self.maxErrorBody)
            return Response(head: head, body: bodyStart.bytes)
        case .completeArrival:
            // Throws if the body breaks off.
            for try await _ in streamed.body {}
            return Response(head: head, body: [])
        case .nothing:
            return Response(head: head, body: [])
        }
    }

    /// Whether a response is a stream, such as one of events, that the model can't read line by line.
    private func isUnreadableStream(_ head: ResponseHead) -> Bool {
        head.isStream && !endpoint.response.readsLines(head)
    }

    // MARK: The judgement

    /// The result of judging a complete response.
    fileprivate struct Judgement {
        var problems: [CheckProblem] = []
        /// The keys and elements that the model asked for; nil if the body was not compared with it.
        var comparison: CheckOutcome.Comparison?
        /// The parts of the schema that the body was not compared with.
        var notCompared: [UncomparedPart] = []
    }

    /// Judges a response: first its status, and then its body.
    ///
    /// The body is compared with the model only if the endpoint declares JSON for this response. Any other body only
    /// has to meet the further expectations, such as those of a case.
    ///
    /// - Throws: An error if decoding takes longer than `limit`, or if the model throws an error that is not a
    ///   `DecodingError`.
    private func judge(_ response: Response, within limit: DecodingLimit) throws -> Judgement {
        let hasExpectedStatus = expected.status.contains(response.head.status)
        if !hasExpectedStatus { return Judgement(problems: [statusProblem(response)]) }
        let mayBeEmpty = declaration.source.acceptsNoBody(of: response.head, from: endpoint)
        let isAcceptedWithoutBody = response.body.isEmpty && mayBeEmpty
        let isComparedWithModel = expectsJSON(response.head) && !isAcceptedWithoutBody
        if !isComparedWithModel {
            // Without further expectations, a response with an expected status has no problem.
            let unmetExpectations = expected.findProblems?(CheckedResponse(response)) ?? []
            return Judgement(problems: unmetExpectations)
        }
        if let problem = missingBodyProblem(response) { return Judgement(problems: [problem]) }
        do {
            return try compareWithModel(response, within: limit)
        } catch let error as JSONSyntaxError {
            return Judgement(problems: [syntaxProblem(error, head: response.head)])
        }
    }

    /// Compares the JSON body of a success with the endpoint's model and with the other expectations for it.
    ///
    /// - Throws: `JSONSyntaxError` for a body that is not JSON. An error if decoding takes longer than `limit`, or if
    ///   the model throws an error that is not a `DecodingError`.
    private func compareWithModel(_ response: Response, within limit: DecodingLimit) throws -> Judgement {
        let document = try endpoint.response.document(response.body, response.head, check: limit.check())
        // Before the comparison, because this finds secrets in the body, which the texts of problems must not show.
        let unmetExpectations = expected.findProblems?(CheckedResponse(response, document: document)) ?? []
        let comparison = try declaration.source.compare(
            document, of: response.head, with: endpoint, redact: redactor.redact, check: limit.check())
        var problems = comparison.problems.map { $0.redacted(by: redactor) }
        // Some APIs report a failure in the body of a success: `{"ok": false, "error": "no such movie"}`.
        if let failure = comparison.reportedFailure {
            problems.append(CheckProblem(.reportedFailure, found: redactor.redact(failure.message)))
        }
        problems += unmetExpectations
        return Judgement(
            problems: problems,
            comparison: CheckOutcome.Comparison(places: comparison.places, redactor: redactor),
            notCompared: comparison.notCompared)
    }

    /// Returns the problem with a success that has no JSON to compare, because its body is a stream or empty.
    ///
    /// - Returns: The problem, such as `expected MoviePage, found no body`; nil if there is a body to compare.
    private func missingBodyProblem(_ response: Response) -> CheckProblem? {
        if isUnreadableStream(response.head) {
            // A response is known to be a stream by its media type, so there is one.
            let mediaType = response.head.mediaType(redactedBy: redactor) ?? ""
            let stream = redactor.redact("a stream (\(mediaType))")
            return CheckProblem(.notJSON, expected: endpoint.response.name, found: stream)
        }
        if response.body.isEmpty {
            return CheckProblem(.notJSON, expected: endpoint.response.name, found: "no body")
        }
        return nil
    }

    /// Returns the problem with a body that is not JSON: `expected MoviePage, found text/html`, or where the body stops
    /// being JSON.
    private func syntaxProblem(_ error: JSONSyntaxError, head: ResponseHead) -> CheckProblem {
        // If the server calls the body something else, its media type says more than the first wrong character. Without
        // a media type, `isJSON` is nil.
        if head.isJSON == false, let mediaType = head.mediaType(redactedBy: redactor) {
            return CheckProblem(.notJSON, expected: endpoint.response.name, found: redactor.redact(mediaType))
        }
        return CheckProblem(
            .notJSON, expected: error.expected, found: redactor.redact(error.found), line: error.line)
    }

    /// Returns the problem with an unexpected status: `expected 2xx, found 404 Not Found: no such movie`.
    private func statusProblem(_ response: Response) -> CheckProblem {
        // One status is expected, or a class of them such as 200...299.
        let lowest = expected.status.lowerBound
        let expectedStatus = expected.status.count == 1 ? "\(lowest)" : "\(lowest / 100)xx"
        var statusAndMessage = response.head.statusText
        if let message = declaration.api.failureMessage(in: response.body) { statusAndMessage += ": " + message }
        return CheckProblem(
            .status, expected: expectedStatus, found: redactor.redact(statusAndMessage),
            hint: hint(forStatus: response.head.status))
    }

    /// Returns the probable reason for an unexpected status, as a sentence; nil if there is none.
    ///
    /// For 401 and 403, the hint is about the credentials (RFC 9110, sections 15.5.2 and 15.5.4). For 404, the
    /// arguments of the call probably name something that the server no longer has.
    private func hint(forStatus status: Int) -> String? {
        switch status {
        case 401, 403:
            let credentials = declaration.api.requestBuilder.credentials(of: endpoint, at: request.base)
            let sentences = request.credentialHints(credentials)
            return sentences.isEmpty ? nil : sentences.joined(separator: " ")
        case 404:
            // A call whose values can't be encoded counts as one without arguments.
            let arguments = (try? call.values())?.parts ?? []
            return arguments.isEmpty ? nil : "The \(origin)'s data may be stale."
        default:
            return nil
        }
    }

    /// Returns the problem with a response that took longer than ``Expectations/maxLatency``; nil if it did not.
    private func latencyProblem(_ duration: Duration) -> CheckProblem? {
        guard let maxLatency = expected.maxLatency, duration > maxLatency else { return nil }
        let limit = maxLatency.milliseconds
        // Rounding must not show the limit itself: "expected at most 200 ms, found 200 ms".
        let shownDuration = max(duration.milliseconds, limit + 1)
        return CheckProblem(.latency, expected: "at most \(limit) ms", found: "\(shownDuration) ms")
    }

    /// Returns the problem of a check that ended with an error, because no complete response arrived, or because the
    /// response could not be decoded at all.
    private func problem(ofError error: any Error) -> CheckProblem {
        switch error {
        case let error as TransportError:
            let message = redactor.redact(error.message)
            if case .timedOut = error.cause { return CheckProblem(.timeout, found: message) }
            return CheckProblem(.network, found: message)
        case let error as BodyTooLarge:
            return CheckProblem(.wrongValue, expected: "at most \(error.limit) bytes", found: "a longer body")
        default:
            // A model's own `init(from:)` or an app's own transport can throw any error.
            return CheckProblem(.wrongValue, found: redactor.redact(String(describing: error)))
        }
    }
}

extension CheckOutcome {
    /// Adds the result of judging a complete response.
    fileprivate mutating func add(_ judgement: EndpointCheck.Judgement) {
        problems += judgement.problems
        notCompared = judgement.notCompared
        evidence.compared = judgement.comparison
    }
}
