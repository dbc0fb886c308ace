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
    package var otherSecrets: (@Sendable () -> Redactor?)?

    package init(call: any API, endpoint: Endpoint, request: Request, redactor: Redactor, maxLatency: Duration? = nil) {
        self.call = call
        self.endpoint = endpoint
        self.request = request
        self.redactor = redactor
        self.maxLatency = maxLatency
    }

    /// What a check gives: the survey is nil if there was no body to compare, the response if none came as a whole.
    package typealias Output = (outcome: CheckOutcome, survey: Survey?, response: Response?)

    /// Sends the request over `client` and judges the response. Only throws `CancellationError`.
    package func run(_ client: Client) async throws(CancellationError) -> Output {
        let timing = AttemptTiming()
        var client = client
        let onRetry = client.retry.onRetry
        client.retry.onRetry = { retry in
            timing.retry(after: retry.wait)
            onRetry?(retry)
        }
        var outcome = CheckOutcome(verdict: .passed)
        var survey: Survey?
        var received: Response?
        do {
            let limit = DecodingLimit(maxTime: client.transfer.maxTime, server: request.base)
            let response = try await client.exchange(request) { streamed in
                outcome.status = streamed.head.status
                return try await read(streamed, limit: client.maxBodySize)
            }
            received = response
            outcome.duration = timing.elapsed
            survey = try judge(response, limit, &outcome)
            judgeLatency(&outcome)
        } catch let error as CancellationError {
            throw error
        } catch {
            if outcome.duration == nil { outcome.duration = timing.elapsed }
            outcome.problems.append(problem(error))
        }
        outcome.attempts = timing.attempts
        outcome.verdict = outcome.problems.verdict
        if let received, outcome.problems.contains(where: { [.status, .notJSON].contains($0.kind) }) {
            outcome.bodyStart = start(of: received.body)
        }
        return (outcome, survey, received)
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

    /// Adds what is wrong with the response, and returns the survey of its body; nil if there was none to compare.
    private func judge(
        _ response: Response, _ limit: DecodingLimit, _ outcome: inout CheckOutcome
    ) throws -> Survey? {
        let head = response.head
        guard expectedStatus.contains(head.status) else {
            outcome.problems.append(statusProblem(response))
            return nil
        }
        // The model is for success only.
        guard expectsBody, head.isSuccess else {
            outcome.problems += expectations?(response.body) ?? []
            return nil
        }
        let isStream = head.isStream && !endpoint.response.readsLines(head)
        if isStream || response.body.isEmpty {
            let found = isStream ? "a stream (\(head.mediaType(redactedBy: redactor) ?? ""))" : "no body"
            outcome.problems.append(
                CheckProblem(.notJSON, expected: endpoint.response.name, found: redactor.redact(found)))
            return nil
        }
        // First, as the secrets that are found must not be shown in what follows.
        let others = expectations?(response.body) ?? []
        let coding = type(of: call).coding
        let document: JSONDocument
        do {
            document = try JSONDocument(endpoint.response.text(response.body, head), check: limit.check())
        } catch let error as JSONSyntaxError {
            // The type says more than the first wrong letter, if the server does not call it JSON.
            guard head.isJSON == false, let type = head.mediaType(redactedBy: redactor) else { throw error }
            outcome.problems.append(CheckProblem(.notJSON, expected: endpoint.response.name, found: type))
            return nil
        }
        let survey = try endpoint.response.survey(document, coding: coding, check: limit.check())
        outcome.problems += survey.problems.map { $0.redacted(by: redactor) }
        if let problem = survey.problems.first(where: { $0.kind.verdict == .failed }) {
            outcome.excerpt = excerpt(of: document.bytes, line: problem.line ?? 1, column: problem.column ?? 1)
        }
        if let failure = survey.reportedFailure {
            outcome.problems.append(CheckProblem(.reportedFailure, found: redactor.redact(failure.message)))
        }
        outcome.problems += others
        return survey
    }

    /// How much of a body is kept as its beginning, in Unicode scalars.
    private static let maxStart = 500

    /// The beginning of a body, without secrets; nil if it is empty or binary.
    private func start(of body: [UInt8]) -> String? {
        guard !body.isEmpty, !body.prefix(8192).contains(0) else { return nil }
        // What comes after the beginning only shows where a secret ends.
        let part = Array(body.prefix(Self.maxStart * 16))
        let isCut = part.count < body.count
        let shown = redactor.redact(part, isCut: isCut)
        let text = String(decoding: otherSecrets?()?.redact(shown, isCut: isCut) ?? shown, as: UTF8.self).unicodeScalars
        return String(text.prefix(Self.maxStart)) + (text.count > Self.maxStart ? "…" : "")
    }

    /// The longest body of which lines are shown, in bytes.
    private static let maxExcerptBody = 4096

    /// The longest part of a line that is shown, in Unicode scalars.
    private static let maxLine = 200

    /// The lines around that place, without secrets; empty if the body is long.
    private func excerpt(of body: [UInt8], line: Int, column: Int) -> [String] {
        guard body.count <= Self.maxExcerptBody else { return [] }
        // Before lines are cut: half a secret is not found any more.
        let text = redactor.redact(String(decoding: body, as: UTF8.self))
        var lines = (otherSecrets?()?.redact(text) ?? text).unicodeScalars
            .split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.last == "\r" ? $0.dropLast() : $0 }
        if lines.last?.isEmpty == true { lines.removeLast() }
        let first = max(line - 2, 1)
        let shown = lines.enumerated().dropFirst(first - 1).prefix(line + 2 - first)
        let width = "\((shown.last?.offset ?? 0) + 1)".count
        return shown.map { index, text in
            let number = "\(index + 1)"
            let isFound = index + 1 == line
            return String(repeating: " ", count: width - number.count) + number + (isFound ? " > " : "   ")
                + Self.part(of: text, around: isFound ? column : 1)
        }
    }

    /// `line`, or as much as is shown of it, with the scalar at `column` in the middle.
    private static func part(of line: Substring.UnicodeScalarView, around column: Int) -> String {
        let start = max(min(column - maxLine / 2, line.count - maxLine), 0)
        let part = line.dropFirst(start).prefix(maxLine)
        return (start > 0 ? "…" : "") + String(part) + (start + part.count < line.count ? "…" : "")
    }

    private func judgeLatency(_ outcome: inout CheckOutcome) {
        guard let maxLatency, let duration = outcome.duration, duration > maxLatency else { return }
        outcome.problems.append(
            CheckProblem(
                .latency, expected: "at most \(maxLatency.milliseconds) ms", found: "\(duration.milliseconds) ms"))
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
            let optional = type(of: call).credentials(of: endpoint, at: request.base).filter(\.isOptional)
            let unset = optional.flatMap(\.alternatives).flatMap(\.variables)
                .filter { variable in !request.secrets.contains { $0.variable == variable } }
            let used = request.usedVariables
            let sentences =
                (used.isEmpty ? [] : ["The request was sent with \(used.joined(separator: " and "))."])
                + (unset.isEmpty ? [] : ["\(unset.joined(separator: ", ")) not set; the request was sent without it."])
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
        case .tooDeepForStack: "nesting that the thread's stack is too small for"
        }
    }
}

/// Counts the attempts of an exchange and times the last one.
private final class AttemptTiming: Sendable {
    private let state = Mutex((attempts: 1, start: ContinuousClock.now))

    var attempts: Int { state.withLock(\.attempts) }
    /// Since the last attempt was started.
    var elapsed: Duration { ContinuousClock.now - state.withLock(\.start) }

    /// Another attempt starts after that wait.
    func retry(after wait: Duration) {
        state.withLock { state in
            state.attempts += 1
            state.start = .now + wait
        }
    }
}

/// What was in none of the responses of one endpoint's checks: keys that may be absent, and elements of lists.
package struct AbsentParts: Sendable {
    private var places: FoldedPlaces?
    /// The last result with a body that was compared, and the redactor of its request.
    private var last: (place: Int, redactor: Redactor)?

    package init() {}

    /// Adds the survey of another response, that of the result at `place`.
    package mutating func add(_ other: Survey, _ redactor: Redactor, place: Int) {
        if places == nil { places = other.places } else { places?.merge(other.places) }
        last = (place, redactor)
    }

    /// Adds them as notes to the last result, and returns them.
    @discardableResult
    package func note(in results: inout [CheckResult]) -> [CheckProblem] {
        guard let places, let last else { return [] }
        let declaration = results[last.place].call.declaration
        let notes = places.notes(declaration.responseShape).map { $0.redacted(by: last.redactor) }
        results[last.place].outcome.problems += notes
        return notes
    }
}

extension Duration {
    /// Rounded to whole milliseconds.
    package var milliseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1000 + Int((Double(attoseconds) / 1e15).rounded())
    }
}
