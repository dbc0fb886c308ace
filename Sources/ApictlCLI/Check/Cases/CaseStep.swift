import EndpointKit
import EndpointTools
import JSONText

/// A case of a file that runs after the ones before it. It may need values that earlier cases capture, and capture
/// values for later ones.
struct CaseStep: Sendable {
    private let entry: CaseEntry
    /// The endpoint that the case calls; for a URL, the one that stands for all URLs.
    private let declaration: EndpointDeclaration
    /// The captured values that the case needs, by the names in its placeholders.
    let needed: [String: CaseCaptures.Name]
    /// Whether the case has placeholders, for captured or generated values.
    private let hasPlaceholders: Bool
    private let captures: CaseCaptures
    private let preparation: CheckPreparation

    /// Makes a step of a case.
    ///
    /// - Parameters:
    ///   - entry: The case.
    ///   - declaration: The endpoint that the case calls; for a URL, the one that stands for all URLs.
    ///   - needed: The captured values that the case needs, by the names in its placeholders.
    ///   - hasPlaceholders: Whether the case has placeholders, for captured or generated values.
    ///   - captures: The values that the cases of the run capture.
    ///   - preparation: Resolves the call of the case.
    init(
        entry: CaseEntry, declaration: EndpointDeclaration, needed: [String: CaseCaptures.Name],
        hasPlaceholders: Bool, captures: CaseCaptures, preparation: CheckPreparation
    ) {
        self.entry = entry
        self.declaration = declaration
        self.needed = needed
        self.hasPlaceholders = hasPlaceholders
        self.captures = captures
        self.preparation = preparation
    }

    var id: CaseEntry.ID { entry.id }

    /// Whether one of the patterns matches the name of the case. Without a name, it is that of the endpoint or the URL.
    func isNamed(_ patterns: [String]) -> Bool {
        entry.isNamed(patterns, endpointName: entry.content.url ?? declaration.name)
    }

    // MARK: Planning

    /// Returns the check of the case.
    ///
    /// If the case needs captured values, they are not known yet. Its call is resolved with stand-ins for them, so
    /// that mistakes are found before anything is sent. Then ``run(_:_:)`` resolves it again with the captured
    /// values.
    ///
    /// - Throws: ``UsageError`` with the place of what is wrong, and the errors of resolving the call.
    func plannedCheck() async throws -> PlannedCheck {
        if let reason = entry.content.skip {
            return PlannedCheck(call: call(entry.content), skipped: .skipped(reason), step: self)
        }
        do {
            let content = hasPlaceholders ? try filledIn([:]) : entry.content
            if needed.isEmpty { return try await check(content) }
            let caseRequest = CaseRequest(entry, declaration, preparation.options.call)
            var planned = PlannedCheck(call: call(content), step: self)
            if let request = try caseRequest.requestWithStandIns(content) {
                // The check with stand-ins is not run. It shows the server and the method, and finds errors.
                planned.preview = try await preparation.check(request, planned.call).exchange
            }
            return planned
        } catch let error as UsageError where error.see == nil && error.location == nil {
            throw entry.error(error.problem)
        }
    }

    /// Returns the call of the case as reports name it.
    ///
    /// - Parameter content: The case, as far as its values are known.
    private func call(_ content: CaseFile.Case) -> CheckedCall {
        let name = captures.redactor.redact(content.name ?? entry.shownName)
        let caseName = (entry.file.namePrefix + name).safeToShow
        // The URL is shown as the file has it, without captured values.
        guard let url = entry.content.url else {
            // The case is about an endpoint.
            return CheckedCall(
                declaration, declaration.endpoint, example: entry.number, caseName: caseName, caseLine: entry.line)
        }
        // The method may be a placeholder that is not known yet.
        let endpoint = (try? CaseRequest.endpointOfURL(content)) ?? declaration.endpoint
        let urlName = SecretRules.redacted(String(url.prefix { !"?#".contains($0) })).safeToShow
        return CheckedCall(
            declaration, endpoint, example: entry.number, name: urlName, caseName: caseName, caseLine: entry.line)
    }

    /// Returns the check of the case with all values known.
    ///
    /// - Parameter content: The case, with values in place of placeholders.
    /// - Throws: ``UsageError`` for a value that can't be used, and the errors of resolving the call.
    private func check(_ content: CaseFile.Case) async throws -> PlannedCheck {
        let request = try CaseRequest(entry, declaration, preparation.options.call).request(content)
        var check = try await preparation.check(request, call(content), captures.redactor)
        check.step = self
        try check.exchange?.add { try adding(content, to: $0) }
        return check
    }

    /// Returns the check of an endpoint with the case's own requirements: status, time, headers and body.
    ///
    /// - Throws: ``UsageError`` for a captured value that can't be used.
    private func adding(_ content: CaseFile.Case, to check: EndpointCheck) throws -> EndpointCheck {
        var check = check
        check.origin = "case"
        if let status = try content.status?.known() { check.expected.status = status }
        if let maxLatency = try content.maxLatency?.known() { check.expected.maxLatency = maxLatency }
        check.otherSecrets = { [captures] in captures.redactor }
        if content.expect != nil || content.expectHeaders != nil || content.capture != nil {
            let judge = CaseJudge(entry: entry, content: content, captures: captures, request: check.request)
            check.expected.response = { [redactor = check.redactor] response in
                judge.problems(of: response).map { $0.redacted(by: redactor) }
            }
        }
        return check
    }

    // MARK: Running

    /// Carries out the check of the case, with the values that earlier cases have captured.
    ///
    /// - Parameters:
    ///   - planned: The check from ``plannedCheck()``.
    ///   - archive: Records the exchange; nil if it is not recorded.
    /// - Returns: The result. The check is skipped if a value that it needs was not captured, because an earlier case
    ///   failed. It fails if a captured value can't be used.
    /// - Throws: `CancellationError`.
    func run(_ planned: PlannedCheck, _ archive: HARLog?) async throws -> CheckResult {
        if entry.content.skip != nil { return CheckResult(planned.call, planned.skipped) }
        let values = needed.compactMapValues(captures.value(of:))
        let missingNames = needed.keys.filter { values[$0] == nil }
        guard missingNames.isEmpty else { return CheckResult(planned.call, Self.skipped(missingNames)) }
        var result: CheckResult
        do {
            let content = hasPlaceholders ? try filledIn(values) : entry.content
            let completeCheck = hasPlaceholders ? try await check(content) : planned
            result = try await repeating(for: try content.until?.known()) { try await completeCheck.send(archive) }
        } catch let error where !(error is CancellationError) {
            let problem = CaseJudge.problem(withCapturedValue: error).redacted(by: captures.redactor)
            result = CheckResult(planned.call, CheckOutcome(verdict: .failed, problems: [problem]))
        }
        // A response may repeat the secrets that earlier cases have captured.
        result.outcome = result.outcome.redacted(by: captures.redactor)
        addLines(to: &result.outcome.problems)
        return result
    }

    /// Returns the case with values in place of its placeholders. Generated values are always known.
    ///
    /// - Parameter values: The captured values. The placeholders of others stay as they are.
    /// - Throws: `DecodingError` for a value that does not fit, such as a text for `status`.
    private func filledIn(_ values: [String: JSONValue]) throws -> CaseFile.Case {
        let id = entry.id
        let generator = CaseGenerator(
            seed: preparation.seed, caseID: "\(id.file) \(id.section.rawValue) \(id.index)", time: Date())
        let json = entry.json.replacingPlaceholders { placeholder in
            GeneratedValue(placeholder.name).map(generator.value) ?? values[placeholder.name]
        }
        return try Coding().decode(CaseFile.Case.self, from: Array(json.written))
    }

    /// Returns the outcome of a case without the captured values that it needs: `{{id}} was not captured`.
    private static func skipped(_ missingNames: [String]) -> CheckOutcome {
        let names = missingNames.sorted().map(Placeholder.text).joined(separator: " and ")
        let verb = missingNames.count == 1 ? "was" : "were"
        return .skipped("\(names) \(verb) not captured")
    }

    /// Adds the line of the case's requirement to each problem: that of the member which it is about, or else that of
    /// the case.
    private func addLines(to problems: inout [CheckProblem]) {
        for index in problems.indices where problems[index].caseLine == nil {
            let path: [JSONPathComponent] =
                switch problems[index].kind {
                case .status: [.key("status")]
                case .latency: [.key("maxLatency")]
                default: []
                }
            problems[index].caseLine = path.isEmpty ? entry.line : entry.line(of: path)
        }
    }

    // MARK: Repeating

    /// The wait before the first repetition. It doubles each time, up to ``longestWait``.
    private static let firstWait = Duration.milliseconds(100)
    /// The longest wait between two repetitions: short enough to notice a change soon, long enough not to burden a
    /// server.
    private static let longestWait = Duration.seconds(5)

    /// Carries out a check until it does not fail, or until the time is over.
    ///
    /// The last repetition starts when the time is over. It may itself take as long as the time limit of a request.
    ///
    /// - Parameters:
    ///   - limit: How long the check may be repeated; nil carries it out once.
    ///   - check: Carries it out once.
    /// - Returns: The last result. Its attempts are those of all repetitions.
    /// - Throws: `CancellationError`, and the errors of `check`.
    private func repeating(
        for limit: Duration?, _ check: () async throws -> CheckResult
    ) async throws -> CheckResult {
        var result = try await check()
        guard let limit, result.outcome.attempts > 0 else { return result }
        let clock = ContinuousClock()
        let end = clock.now + limit
        var attempts = result.outcome.attempts
        var count = 1
        var wait = Self.firstWait
        while result.outcome.verdict == .failed, clock.now < end {
            try await clock.sleep(until: min(clock.now + wait, end))
            result = try await check()
            attempts += result.outcome.attempts
            count += 1
            wait = min(wait * 2, Self.longestWait)
        }
        result.outcome.attempts = attempts
        result.outcome.repetition = CheckOutcome.Repetition(limit: limit, count: count)
        return result
    }
}
