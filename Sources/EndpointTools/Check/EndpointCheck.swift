import EndpointKit
import JSONText
import Synchronization

/// The check of one call: send it, expect a success, and compare the body with the endpoint's model.
package struct EndpointCheck: Sendable {
    /// The requirements for a response, apart from fitting the endpoint's model.
    package struct Expectations: Sendable {
        /// The statuses to expect. Only the body of a success (2xx) is compared with the model.
        package var status = 200...299
        /// The longest time that a response may take; nil is no limit.
        package var maxLatency: Duration?
        /// Finds what else is wrong with a body; nil if nothing else is expected.
        package var body: (@Sendable (_ body: [UInt8]) -> [CheckProblem])?
    }

    /// The enum case.
    package let call: any API
    /// The endpoint that ``call`` declares.
    package let endpoint: Endpoint
    package let request: Request
    package var expected = Expectations()
    /// The word for what the call comes from, in messages.
    package var origin = "example"
    /// Removes the request's secrets from everything that is found.
    package let redactor: Redactor
    /// Returns the secrets that are not the request's, such as those that ``Expectations/body`` has found in the body.
    package var otherSecrets: (@Sendable () -> Redactor)?
    /// Whether the outcome has the response if it did not pass.
    package var keepsResponse = false

    package init(call: any API, endpoint: Endpoint, request: Request, redactor: Redactor, maxLatency: Duration? = nil) {
        self.call = call
        self.endpoint = endpoint
        self.request = request
        self.redactor = redactor
        expected.maxLatency = maxLatency
    }

    /// The longest body of a failed response that is searched for a message, in bytes.
    private static let maxErrorBody = 1_000_000
    /// The most of a body that is kept as its beginning, in Unicode scalars.
    private static let maxBodyStart = 500

    /// Sends the request and judges the response.
    ///
    /// - Parameter client: Sends the request. What it retries is one check.
    /// - Returns: The outcome, also if there is no response.
    /// - Throws: `CancellationError`, and nothing else.
    package func run(_ client: Client) async throws(CancellationError) -> CheckOutcome {
        let attempts = Attempts()
        let client = counting(client, attempts)
        let limit = DecodingLimit(maxTime: client.transfer.maxTime, server: request.base)
        var outcome = CheckOutcome(verdict: .passed)
        var received: Response?
        do {
            let response = try await client.exchange(request) { streamed in
                outcome.status = streamed.head.status
                return try await read(streamed, limit: client.maxBodySize)
            }
            received = response
            let duration = attempts.elapsed
            outcome.duration = duration
            outcome.evidence.compared = try judge(response, limit, &outcome.problems)
            if let problem = latencyProblem(duration) { outcome.problems.append(problem) }
        } catch let error as CancellationError {
            throw error
        } catch {
            outcome.duration = outcome.duration ?? attempts.elapsed
            outcome.problems.append(problem(error))
        }
        outcome.attempts = attempts.count
        outcome.verdict = outcome.problems.verdict
        guard let received, outcome.verdict != .passed else { return outcome }
        return withEvidence(outcome, received)
    }

    /// Returns an outcome that did not pass with what helps to find the reason, and without the secrets that the
    /// response has issued.
    private func withEvidence(_ outcome: CheckOutcome, _ response: Response) -> CheckOutcome {
        var outcome = outcome
        var issued = Redactor()
        issued.add(SecretRules.secrets(in: response.body, contentType: response.head["Content-Type"]))
        if outcome.problems.contains(where: { [.status, .notJSON].contains($0.kind) }) {
            outcome.bodyStart = start(of: response, issued)
        }
        if keepsResponse { outcome.evidence.response = response.redacted(by: redactor) }
        return outcome.redacted(by: issued)
    }

    // MARK: The exchange

    /// The attempts of one check, counted while the client retries.
    private final class Attempts: Sendable {
        private let state = Mutex((count: 1, start: ContinuousClock.now))

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

    /// Returns a client that counts its attempts, and does not retry after a status that is expected.
    private func counting(_ client: Client, _ attempts: Attempts) -> Client {
        var client = client
        let onRetry = client.retry.onRetry
        client.retry.expectedStatus = expected.status
        client.retry.onRetry = { retry in
            attempts.add(after: retry.wait)
            onRetry?(retry)
        }
        return client
    }

    /// Whether the model reads JSON, so that there must be a body.
    private var expectsBody: Bool { endpoint.response.kind == .json }

    /// Returns the response with as much of its body as is looked at.
    ///
    /// - Parameters:
    ///   - streamed: The response, whose body has not been read.
    ///   - limit: The longest body of a success, in bytes.
    private func read(_ streamed: StreamedResponse, limit: Int) async throws -> Response {
        let head = streamed.head
        func response(_ body: [UInt8]) -> Response { Response(head: head, body: body) }
        if !head.isSuccess {
            return response(try await streamed.body.prefix(upTo: Self.maxErrorBody).bytes)
        }
        if !expectsBody, expected.body == nil {
            // The body must arrive, but need not be kept.
            for try await _ in streamed.body {}
            return response([])
        }
        // A stream of events may never end, and the model can't read it.
        if expectsBody, head.isStream, !endpoint.response.readsLines(head) { return response([]) }
        return response(try await streamed.body.collect(limit: limit))
    }

    // MARK: The judgement

    /// Adds what is wrong with a response to `problems`.
    ///
    /// - Returns: What the model asked for, if the body was compared with it.
    /// - Throws: An error if decoding takes longer than `limit`, or if the model throws one that is not a
    ///   `DecodingError`.
    private func judge(
        _ response: Response, _ limit: DecodingLimit, _ problems: inout [CheckProblem]
    ) throws -> CheckOutcome.Comparison? {
        let head = response.head
        guard expected.status.contains(head.status) else {
            problems.append(statusProblem(response))
            return nil
        }
        // The model describes a success only.
        guard expectsBody, head.isSuccess else {
            problems += expected.body?(response.body) ?? []
            return nil
        }
        if let problem = missingBodyProblem(response) {
            problems.append(problem)
            return nil
        }
        do {
            let document = try endpoint.response.document(response.body, head, check: limit.check())
            // First, because this finds secrets, which must not be shown in what follows.
            let otherProblems = expected.body?(response.body) ?? []
            let survey = try Survey.of(
                document, as: endpoint.response.model, coding: type(of: call).coding, redact: redactor.redact,
                check: limit.check())
            problems += survey.problems.map { $0.redacted(by: redactor) }
            if let failure = survey.reportedFailure {
                problems.append(CheckProblem(.reportedFailure, found: redactor.redact(failure.message)))
            }
            problems += otherProblems
            return (survey.places, redactor)
        } catch let error as JSONSyntaxError {
            problems.append(syntaxProblem(error, head))
            return nil
        }
    }

    /// Returns the problem with a success that has no JSON to compare: its body is a stream, or empty. Nil if there is
    /// something to compare.
    private func missingBodyProblem(_ response: Response) -> CheckProblem? {
        let head = response.head
        if head.isStream, !endpoint.response.readsLines(head) {
            let found = "a stream (\(head.mediaType(redactedBy: redactor) ?? ""))"
            return CheckProblem(.notJSON, expected: endpoint.response.name, found: redactor.redact(found))
        }
        if response.body.isEmpty {
            return CheckProblem(.notJSON, expected: endpoint.response.name, found: "no body")
        }
        return nil
    }

    /// Returns the problem with a body that is not JSON.
    private func syntaxProblem(_ error: JSONSyntaxError, _ head: ResponseHead) -> CheckProblem {
        // If the server does not call the body JSON, its type says more than the first wrong letter.
        if head.isJSON == false, let type = head.mediaType(redactedBy: redactor) {
            return CheckProblem(.notJSON, expected: endpoint.response.name, found: redactor.redact(type))
        }
        return CheckProblem(
            .notJSON, expected: error.expected, found: redactor.redact(error.found), line: error.line)
    }

    private func statusProblem(_ response: Response) -> CheckProblem {
        let message = type(of: call).failureMessage(in: response.body).map { ": " + $0 } ?? ""
        let first = expected.status.lowerBound
        return CheckProblem(
            .status, expected: expected.status.count == 1 ? "\(first)" : "\(first / 100)xx",
            found: redactor.redact(response.head.statusText + message), hint: hint(response.head.status))
    }

    /// Returns the probable reason for an unexpected status, as a sentence; nil if there is none.
    private func hint(_ status: Int) -> String? {
        switch status {
        case 401, 403:
            let sentences = request.credentialHints(type(of: call).credentials(of: endpoint, at: request.base))
            return sentences.isEmpty ? nil : sentences.joined(separator: " ")
        case 404:
            let hasArguments = (try? CallValue(call).parts.first?.parts)?.isEmpty == false
            return hasArguments ? "The \(origin)'s data may be stale." : nil
        default:
            return nil
        }
    }

    /// Returns the problem with a response that took longer than it may; nil if it did not.
    private func latencyProblem(_ duration: Duration) -> CheckProblem? {
        guard let maxLatency = expected.maxLatency, duration > maxLatency else { return nil }
        let limit = maxLatency.milliseconds
        // Never the limit itself, however little is above it.
        let found = max(duration.milliseconds, limit + 1)
        return CheckProblem(.latency, expected: "at most \(limit) ms", found: "\(found) ms")
    }

    /// Returns the problem of a check that ended with an error.
    private func problem(_ error: any Error) -> CheckProblem {
        switch error {
        case let error as TransportError:
            let isTimeout = if case .timedOut = error.cause { true } else { false }
            return CheckProblem(isTimeout ? .timeout : .network, found: redactor.redact(error.message))
        case let error as BodyTooLarge:
            return CheckProblem(.wrongValue, expected: "at most \(error.limit) bytes", found: "a longer body")
        default:
            // The error of a model's own `init(from:)`, or of a transport of an app.
            return CheckProblem(.wrongValue, found: redactor.redact(String(describing: error)))
        }
    }

    /// Returns the beginning of a body without secrets; nil if the body is empty or binary.
    private func start(of response: Response, _ issued: Redactor) -> String? {
        let body = response.body
        // Text has no NUL. A binary format has one near its start.
        guard !body.isEmpty, !body.prefix(8192).contains(0) else { return nil }
        // More than is shown, because a secret at the cut is only found if its end is there.
        let part = Array(body.prefix(Self.maxBodyStart * 16))
        let isCut = part.count < body.count
        let listed = SecretRules.redacted(part, contentType: response.head["Content-Type"])
        var shown = issued.redact(redactor.redact(listed, isCut: isCut), isCut: isCut)
        if let others = otherSecrets?() { shown = others.redact(shown, isCut: isCut) }
        let text = String(decoding: shown, as: UTF8.self).unicodeScalars
        let isShortened = text.count > Self.maxBodyStart
        return String(text.prefix(Self.maxBodyStart)) + (isShortened ? "…" : "")
    }
}
