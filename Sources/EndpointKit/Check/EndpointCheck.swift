import JSONText

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
    /// The status to expect; nil is any from 200 to 299.
    package var expectedStatus: Int?
    /// What the call comes from.
    package var origin = "example"
    /// What else the body must be.
    package var expectations: (@Sendable (_ body: [UInt8]) -> [CheckProblem])?
    /// Knows secrets that are not the request's, such as those that ``expectations`` has found in the body.
    package var otherSecrets: (@Sendable () -> Redactor?)?

    package init(call: any API, endpoint: Endpoint, request: Request, redactor: Redactor, maxLatency: Duration? = nil) {
        self.call = call
        self.endpoint = endpoint
        self.request = request
        self.redactor = redactor
        self.maxLatency = maxLatency
    }

    /// The outcome of a check, and the survey of the body; nil if there was no body to compare.
    package struct Observation: Sendable {
        package var outcome: CheckOutcome
        package var survey: Survey?

        package init(outcome: CheckOutcome, survey: Survey? = nil) {
            self.outcome = outcome
            self.survey = survey
        }
    }

    /// Sends the request over `client` and judges the response. Only throws `CancellationError`.
    package func run(_ client: Client) async throws(CancellationError) -> Observation {
        let timing = AttemptTiming()
        var client = client
        let onRetry = client.retry.onRetry
        client.retry.onRetry = { retry in
            timing.retry(after: retry.wait)
            onRetry?(retry)
        }
        var observation = Observation(outcome: CheckOutcome(verdict: .passed))
        do {
            let limit = DecodingLimit(maxTime: client.transfer.maxTime, server: request.base)
            let response = try await client.exchange(request) { streamed in
                observation.outcome.status = streamed.head.status
                return try await read(streamed, limit: client.maxBodySize)
            }
            observation.outcome.duration = timing.elapsed
            try judge(response, limit, &observation)
            judgeLatency(&observation)
        } catch let error as CancellationError {
            throw error
        } catch {
            if observation.outcome.duration == nil { observation.outcome.duration = timing.elapsed }
            observation.outcome.problems.append(problem(error))
        }
        observation.outcome.attempts = timing.attempts
        observation.outcome.verdict = observation.outcome.problems.verdict
        return observation
    }

    /// The longest body of a failed response that is searched for a message, in bytes.
    private static let longestWords = 1_000_000

    /// The response with as much of its body as is looked at.
    private func read(_ streamed: StreamedResponse, limit: Int) async throws -> Response {
        var body: [UInt8] = []
        if !streamed.head.isSuccess {
            body = try await streamed.body.prefix(upTo: Self.longestWords).bytes
        } else if !expectsBody, expectations == nil {
            for try await _ in streamed.body {}
        } else if !(expectsBody && streamed.head.isStream) || endpoint.response.readsLines(streamed.head) {
            body = try await streamed.body.collect(limit: limit)
        }
        return Response(head: streamed.head, body: body)
    }

    /// Whether the model reads JSON, so that there must be a body.
    private var expectsBody: Bool { endpoint.response.kind == .json }

    private func judge(_ response: Response, _ limit: DecodingLimit, _ observation: inout Observation) throws {
        let head = response.head
        guard expectedStatus.map({ $0 == head.status }) ?? head.isSuccess else {
            observation.outcome.problems.append(statusProblem(response))
            return
        }
        // The model is for success only.
        guard expectsBody, head.isSuccess else {
            observation.outcome.problems += expectations?(response.body) ?? []
            return
        }
        let isStream = head.isStream && !endpoint.response.readsLines(head)
        if isStream || response.body.isEmpty {
            let found = isStream ? "a stream (\(head.mediaType(redactedBy: redactor) ?? ""))" : "no body"
            observation.outcome.problems.append(
                CheckProblem(.notJSON, expected: endpoint.response.name, found: redactor.redact(found)))
            return
        }
        // First, as the secrets that are found must not be shown in what follows.
        let others = expectations?(response.body) ?? []
        let coding = type(of: call).coding
        let body = endpoint.response.document(response.body, head)
        let survey: Survey
        do {
            survey = try endpoint.response.survey(body, coding: coding, check: limit.check())
        } catch let error as JSONSyntaxError {
            // The type says more than the first wrong letter, if the server does not call it JSON.
            guard head.isJSON == false, let type = head.mediaType(redactedBy: redactor) else { throw error }
            observation.outcome.problems.append(
                CheckProblem(.notJSON, expected: endpoint.response.name, found: type))
            return
        }
        observation.survey = survey
        observation.outcome.problems += survey.findings.filter { $0.kind != .absentKey }
            .map { CheckProblem($0, redactor) }
        if let finding = survey.findings.first(where: { CheckProblem.Kind($0.kind).verdict == .failed }) {
            observation.outcome.excerpt = excerpt(of: body, around: finding)
        }
        if let failure = survey.reportedFailure {
            observation.outcome.problems.append(
                CheckProblem(.reportedFailure, found: redactor.redact(failure.message)))
        }
        observation.outcome.problems += others
    }

    /// The longest body of which lines are shown, in bytes.
    private static let longestExcerpt = 4096

    /// The longest part of a line that is shown, in Unicode scalars.
    private static let longestLine = 200

    /// The lines around that place, without secrets; empty if the body is long.
    private func excerpt(of body: [UInt8], around finding: Finding) -> [String] {
        guard body.count <= Self.longestExcerpt else { return [] }
        // Before lines are cut: half a secret is not found any more.
        let text = redactor.redact(String(decoding: body, as: UTF8.self))
        var lines = (otherSecrets?()?.redact(text) ?? text).unicodeScalars
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.last == "\r" ? $0.dropLast() : $0 }
        if lines.last?.isEmpty == true { lines.removeLast() }
        let first = max(finding.line - 2, 1)
        let shown = lines.enumerated().dropFirst(first - 1).prefix(finding.line + 2 - first)
        let width = "\((shown.last?.offset ?? 0) + 1)".count
        return shown.map { index, line in
            let number = "\(index + 1)"
            let isFound = index + 1 == finding.line
            return String(repeating: " ", count: width - number.count) + number + (isFound ? " > " : "   ")
                + Self.part(of: line, around: isFound ? finding.column : 1)
        }
    }

    /// `line`, or as much as is shown of it, with the scalar at `column` in the middle.
    private static func part(of line: Substring.UnicodeScalarView, around column: Int) -> String {
        let start = max(min(column - longestLine / 2, line.count - longestLine), 0)
        let part = line.dropFirst(start).prefix(longestLine)
        return (start > 0 ? "…" : "") + String(part) + (start + part.count < line.count ? "…" : "")
    }

    private func judgeLatency(_ observation: inout Observation) {
        guard let maxLatency, let duration = observation.outcome.duration, duration > maxLatency else { return }
        observation.outcome.problems.append(
            CheckProblem(
                .latency, expected: "at most \(maxLatency.milliseconds) ms", found: "\(duration.milliseconds) ms"))
    }

    private func statusProblem(_ response: Response) -> CheckProblem {
        let words = type(of: call).failureMessage(in: response.body).map { ": " + $0 } ?? ""
        let found = redactor.redact(response.head.statusText + words)
        return CheckProblem(
            .status, expected: expectedStatus.map(String.init) ?? "2xx", found: found, hint: hint(response.head.status))
    }

    private func hint(_ status: Int) -> String? {
        switch status {
        case 401, 403:
            let optional = type(of: call).credentials(of: endpoint, at: request.base).filter(\.isOptional)
            let unset = optional.flatMap(\.alternatives).flatMap(\.variables)
                .filter { variable in !request.secrets.contains { $0.variable == variable } }
            let used = request.usedVariables
            let sentences =
                (used.isEmpty ? [] : ["The request was sent with \(used.joined(separator: " and "))."])
                + (unset.isEmpty ? [] : ["\(unset.joined(separator: ", ")) not set; the request was sent without it."])
            return sentences.isEmpty ? nil : sentences.joined(separator: " ")
        case 404 where (try? Signature.texts(of: call))?.isEmpty == false:
            return "The \(origin)'s data may be stale."
        default: return nil
        }
    }

    private func problem(_ error: any Error) -> CheckProblem {
        switch error {
        case let error as TransportError:
            let kind = if case .timedOut = error.cause { CheckProblem.Kind.timeout } else { CheckProblem.Kind.network }
            return CheckProblem(kind, found: redactor.redact(error.message))
        case let error as JSONSyntaxError:
            return CheckProblem(
                .notJSON, expected: error.expected, found: redactor.redact(error.found), line: error.line)
        case let error as JSONDocumentError:
            return CheckProblem(.notJSON, expected: "one JSON document", found: error.sentence)
        case let error as BodyTooLarge:
            return CheckProblem(.wrongValue, expected: "at most \(error.limit) bytes", found: "a longer body")
        default:
            // What a model's own `init(from:)` throws, or a transport of an app.
            return CheckProblem(.wrongValue, found: redactor.redact(String(describing: error)))
        }
    }
}

extension JSONDocumentError {
    fileprivate var sentence: String {
        switch self {
        case .severalDocuments: "several"
        case .tooLong(let count): "\(count) bytes"
        case .tooDeep: "nesting deeper than \(JSONDocument.deepestLevel) levels"
        }
    }
}
