import EndpointKit
import JSONText
import Synchronization

/// The check of one call: send it, expect a success, and compare the body with the endpoint's model.
package struct EndpointCheck: Sendable {
    /// The enum case.
    package let call: any API
    /// The endpoint that ``call`` declares.
    package let endpoint: Endpoint
    package let request: Request
    /// Removes the request's secrets from everything that is found.
    package let redactor: Redactor
    /// The longest time that a response may take; nil is no limit.
    package var maxLatency: Duration?
    /// The statuses to expect.
    package var expectedStatus = 200...299
    /// What the call comes from.
    package var origin = "example"
    /// What else the body must be.
    package var expectations: (@Sendable (_ body: [UInt8]) -> [CheckProblem])?
    /// Knows secrets that are not the request's, such as those that ``expectations`` has found in the body.
    package var otherSecrets: (@Sendable () -> Redactor)?
    /// Whether the outcome has the response if it did not pass.
    package var keepsResponse = false

    package init(call: any API, endpoint: Endpoint, request: Request, redactor: Redactor, maxLatency: Duration? = nil) {
        self.call = call
        self.endpoint = endpoint
        self.request = request
        self.redactor = redactor
        self.maxLatency = maxLatency
    }

    /// Sends the request over `client` and judges the response. Only throws `CancellationError`.
    package func run(_ client: Client) async throws(CancellationError) -> CheckOutcome {
        // The attempts, and when the last one was started.
        let attempts = Mutex((count: 1, start: ContinuousClock.now))
        var client = client
        client.retry.expectedStatus = expectedStatus
        let onRetry = client.retry.onRetry
        client.retry.onRetry = { retry in
            attempts.withLock { $0 = ($0.count + 1, .now + retry.wait) }
            onRetry?(retry)
        }
        var outcome = CheckOutcome(verdict: .passed)
        var received: Response?
        do {
            let limit = DecodingLimit(maxTime: client.transfer.maxTime, server: request.base)
            let response = try await client.exchange(request) { streamed in
                outcome.status = streamed.head.status
                return try await read(streamed, limit: client.maxBodySize)
            }
            received = response
            outcome.duration = .now - attempts.withLock(\.start)
            try judge(response, limit, &outcome)
            if let maxLatency, let duration = outcome.duration, duration > maxLatency {
                let limit = "at most \(maxLatency.milliseconds) ms"
                // Never the limit itself, however little is above it.
                let found = max(duration.milliseconds, maxLatency.milliseconds + 1)
                let problem = CheckProblem(.latency, expected: limit, found: "\(found) ms")
                outcome.problems.append(problem)
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            outcome.duration = outcome.duration ?? .now - attempts.withLock(\.start)
            outcome.problems.append(problem(error))
        }
        outcome.attempts = attempts.withLock(\.count)
        outcome.verdict = outcome.problems.verdict
        guard let received, outcome.verdict != .passed else { return outcome }
        var issued = Redactor()
        issued.add(SecretRules.secrets(in: received.body, contentType: received.head["Content-Type"]))
        if outcome.problems.contains(where: { [.status, .notJSON].contains($0.kind) }) {
            outcome.bodyStart = start(of: received, issued)
        }
        if keepsResponse { outcome.evidence.response = received.redacted(by: redactor) }
        return outcome.redacted(by: issued)
    }

    /// The longest body of a failed response that is searched for a message, in bytes.
    private static let maxErrorBody = 1_000_000

    /// The response with as much of its body as is looked at.
    private func read(_ streamed: StreamedResponse, limit: Int) async throws -> Response {
        var body: [UInt8] = []
        if !streamed.head.isSuccess {
            body = try await streamed.body.prefix(upTo: Self.maxErrorBody).bytes
        } else if !expectsBody, expectations == nil {
            for try await _ in streamed.body {}
        } else if !(expectsBody && streamed.head.isStream) || endpoint.response.readsLines(streamed.head) {
            body = try await streamed.body.collect(limit: limit)
        }
        return Response(head: streamed.head, body: body)
    }

    /// Whether the model reads JSON, so that there must be a body.
    private var expectsBody: Bool { endpoint.response.kind == .json }

    /// Adds what is wrong with the response to `outcome`.
    private func judge(_ response: Response, _ limit: DecodingLimit, _ outcome: inout CheckOutcome) throws {
        let head = response.head
        func add(_ kind: CheckProblem.Kind, expected: String? = nil, _ found: String?, line: Int? = nil) {
            let found = found.map(redactor.redact)
            outcome.problems.append(CheckProblem(kind, expected: expected, found: found, line: line))
        }
        guard expectedStatus.contains(head.status) else { return outcome.problems.append(statusProblem(response)) }
        // The model is for success only.
        guard expectsBody, head.isSuccess else { return outcome.problems += expectations?(response.body) ?? [] }
        if head.isStream, !endpoint.response.readsLines(head) {
            let type = head.mediaType(redactedBy: redactor) ?? ""
            return add(.notJSON, expected: endpoint.response.name, "a stream (\(type))")
        }
        if response.body.isEmpty { return add(.notJSON, expected: endpoint.response.name, "no body") }
        do {
            let document = try endpoint.response.document(response.body, head, check: limit.check())
            // First, as the secrets that are found must not be shown in what follows.
            let others = expectations?(response.body) ?? []
            let survey = try Survey.of(
                document, as: endpoint.response.model, coding: type(of: call).coding, redact: redactor.redact,
                check: limit.check())
            outcome.evidence.compared = (survey.places, redactor)
            outcome.problems += survey.problems.map { $0.redacted(by: redactor) }
            if let failure = survey.reportedFailure { add(.reportedFailure, failure.message) }
            outcome.problems += others
        } catch let error as JSONSyntaxError {
            // The type says more than the first wrong letter, if the server does not call it JSON.
            let type = head.isJSON == false ? head.mediaType(redactedBy: redactor) : nil
            if let type { return add(.notJSON, expected: endpoint.response.name, type) }
            add(.notJSON, expected: error.expected, error.found, line: error.line)
        }
    }

    /// How much of a body is kept as its beginning, in Unicode scalars.
    private static let maxStart = 500

    /// The beginning of a body, without secrets; nil if it is empty or binary.
    private func start(of response: Response, _ issued: Redactor) -> String? {
        let body = response.body
        guard !body.isEmpty, !body.prefix(8192).contains(0) else { return nil }
        // What comes after the beginning only shows where a secret ends.
        let part = Array(body.prefix(Self.maxStart * 16))
        let isCut = part.count < body.count
        let listed = SecretRules.redacted(part, contentType: response.head["Content-Type"])
        let shown = issued.redact(redactor.redact(listed, isCut: isCut), isCut: isCut)
        let text = String(decoding: otherSecrets?().redact(shown, isCut: isCut) ?? shown, as: UTF8.self).unicodeScalars
        return String(text.prefix(Self.maxStart)) + (text.count > Self.maxStart ? "…" : "")
    }

    private func statusProblem(_ response: Response) -> CheckProblem {
        let message = type(of: call).failureMessage(in: response.body).map { ": " + $0 } ?? ""
        let found = redactor.redact(response.head.statusText + message)
        let (first, isOne) = (expectedStatus.lowerBound, expectedStatus.count == 1)
        return CheckProblem(
            .status, expected: isOne ? "\(first)" : "\(first / 100)xx", found: found,
            hint: hint(response.head.status))
    }

    private func hint(_ status: Int) -> String? {
        switch status {
        case 401, 403:
            let sentences = request.credentialHints(type(of: call).credentials(of: endpoint, at: request.base))
            return sentences.isEmpty ? nil : sentences.joined(separator: " ")
        case 404 where (try? CallValue(call).parts.first?.parts)?.isEmpty == false:
            return "The \(origin)'s data may be stale."
        default: return nil
        }
    }

    private func problem(_ error: any Error) -> CheckProblem {
        switch error {
        case let error as TransportError:
            let kind = if case .timedOut = error.cause { CheckProblem.Kind.timeout } else { CheckProblem.Kind.network }
            return CheckProblem(kind, found: redactor.redact(error.message))
        case let error as BodyTooLarge:
            return CheckProblem(.wrongValue, expected: "at most \(error.limit) bytes", found: "a longer body")
        default:
            // What a model's own `init(from:)` throws, or a transport of an app.
            return CheckProblem(.wrongValue, found: redactor.redact(String(describing: error)))
        }
    }
}

/// What was in none of the responses of one endpoint's checks: keys that may be absent, and elements of lists.
package struct AbsentParts: Sendable {
    private var places = FoldedPlaces()
    /// The last result with a body that was compared, and the redactor of its request.
    private var last: (place: Int, redactor: Redactor)?

    package init() {}

    /// Adds what the model asked for in the response of another result, the one at `place`.
    package mutating func add(_ other: FoldedPlaces, _ redactor: Redactor, place: Int) {
        places.merge(other)
        last = (place, redactor)
    }

    /// Adds a note for each absent part to the last result.
    ///
    /// - Returns: The notes.
    @discardableResult
    package func note(in results: inout [CheckResult]) -> [CheckProblem] {
        guard let last else { return [] }
        let notes = places.notes.map { $0.redacted(by: last.redactor) }
        results[last.place].outcome.problems += notes
        return notes
    }
}
