import EndpointKit
import EndpointTools
import JSONText

/// A case of a file whose endpoint is known, and for each captured value that it needs, the earlier case that captures
/// the value.
struct LinkedCase: Sendable {
    private let entry: CaseEntry
    /// The endpoint that the case calls; for a URL, the one that stands for all URLs.
    private let declaration: EndpointDeclaration
    /// The captured values that the case needs, by the names in its placeholders.
    let neededCaptures: [String: CaseCaptures.Name]
    /// Whether the case has placeholders, for captured or generated values.
    private let hasPlaceholders: Bool
    /// The values that the cases of the run capture.
    private let captures: CaseCaptures
    private let preparation: CheckPreparation

    /// Links a case to its endpoint and to the cases that capture values for it.
    ///
    /// - Parameters:
    ///   - entry: The case.
    ///   - declaration: The endpoint that the case calls; for a URL, the one that stands for all URLs.
    ///   - neededCaptures: The captured values that the case needs, by the names in its placeholders.
    ///   - hasPlaceholders: Whether the case has placeholders, for captured or generated values.
    ///   - captures: The values that the cases of the run capture.
    ///   - preparation: Resolves the call of the case.
    init(
        entry: CaseEntry, declaration: EndpointDeclaration, neededCaptures: [String: CaseCaptures.Name],
        hasPlaceholders: Bool, captures: CaseCaptures, preparation: CheckPreparation
    ) {
        self.entry = entry
        self.declaration = declaration
        self.neededCaptures = neededCaptures
        self.hasPlaceholders = hasPlaceholders
        self.captures = captures
        self.preparation = preparation
    }

    var id: CaseEntry.ID { entry.id }

    /// Whether a pattern with wildcards matches the name of the case. A case without a name has that of its endpoint
    /// or URL.
    func isNamed(_ pattern: String) -> Bool {
        let name = entry.content.name ?? entry.content.url ?? declaration.name
        return NamePattern(pattern).matches(name)
    }

    // MARK: Planning

    /// Plans the check of the case: resolves its call, but sends nothing.
    ///
    /// If the case needs captured values, they are not known yet. Its call is resolved with stand-ins for them, so
    /// that mistakes are found before anything is sent. Then ``run(_:recordingIn:)`` resolves it again with the
    /// captured values.
    ///
    /// - Throws: ``UsageError`` with the place of what is wrong, and the errors of resolving the call.
    func plan() async throws -> PlannedCheck {
        if let reason = entry.content.skip {
            return PlannedCheck(call: checkedCall(of: entry.content), skipped: .skipped(reason), linkedCase: self)
        }
        do {
            let content = hasPlaceholders ? try replacingPlaceholders(with: [:]) : entry.content
            if neededCaptures.isEmpty { return try await planCheckWithAllValues(of: content) }
            return try await planCheckWithPreview(of: content)
        } catch let error as UsageError {
            // An error that has neither a place nor a help page of its own gets the place of the case.
            if error.location == nil, error.see == nil { throw entry.error(error.problem) }
            throw error
        }
    }

    /// Plans the check of a case that needs captured values, with a preview of its request. The preview is made with
    /// stand-ins for the captured values, and is not sent.
    ///
    /// - Parameter content: The case, with generated values in place of their placeholders.
    /// - Returns: The check; without a preview if the case has a URL or a method that is not known yet.
    /// - Throws: The errors of resolving the call, such as a value that its parameter can't have.
    private func planCheckWithPreview(of content: CaseFile.Case) async throws -> PlannedCheck {
        var check = PlannedCheck(call: checkedCall(of: content), linkedCase: self)
        let builder = CaseRequestBuilder(for: entry, calling: declaration, options: preparation.options.call)
        if let request = try builder.requestWithStandIns(of: content) {
            check.preview = try await preparation.planCheck(of: request, reportedAs: check.call).exchange
        }
        return check
    }

    /// Plans the check of the case when all of its values are known.
    ///
    /// - Parameter content: The case, with values in place of placeholders.
    /// - Throws: ``UsageError`` for a value that can't be used, and the errors of resolving the call.
    private func planCheckWithAllValues(of content: CaseFile.Case) async throws -> PlannedCheck {
        let builder = CaseRequestBuilder(for: entry, calling: declaration, options: preparation.options.call)
        var check = try await preparation.planCheck(
            of: builder.request(of: content), reportedAs: checkedCall(of: content), capturedSecrets: captures.redactor)
        check.linkedCase = self
        try check.exchange?.addRequirements { try addingRequirements(of: content, to: $0) }
        return check
    }

    /// Returns the call of the case as reports name it, without secrets.
    ///
    /// - Parameter content: The case, with the values that are known already in place of their placeholders.
    private func checkedCall(of content: CaseFile.Case) -> CheckedCall {
        let name = captures.redactor.redact(content.name ?? entry.shownName)
        let caseName = (entry.file.namePrefix + name).safeToShow
        // The URL is shown as the file has it, and not as `content` has it, because captured values may be secret.
        guard let urlInFile = entry.content.url else {
            return CheckedCall(
                declaration, declaration.endpoint, example: entry.number, caseName: caseName, caseLine: entry.line)
        }
        // A method with a placeholder for a captured value is not known yet. Then the declaration's one is shown.
        let endpoint = (try? CaseRequestBuilder.endpointOfURL(of: content)) ?? declaration.endpoint
        let urlWithoutQuery = String(urlInFile.prefix { $0 != "?" && $0 != "#" })
        return CheckedCall(
            declaration, endpoint, example: entry.number, name: SecretRules.redacted(urlWithoutQuery).safeToShow,
            caseName: caseName, caseLine: entry.line)
    }

    /// Returns a check of an endpoint, extended by the case's own requirements: status, time, headers and body. The
    /// extended check also captures the values that the case names.
    ///
    /// - Throws: ``UsageError`` for a captured value that can't be used.
    private func addingRequirements(
        of content: CaseFile.Case, to endpointCheck: EndpointCheck
    ) throws -> EndpointCheck {
        var check = endpointCheck
        // Messages then say `The case's data may be stale.`, and not `The example's …`.
        check.origin = "case"
        if let status = try content.status?.knownValue() { check.expected.status = status }
        if let maxLatency = try content.maxLatency?.knownValue() { check.expected.maxLatency = maxLatency }
        // This is called after the response has been judged, so that the redactor also knows the secrets that are
        // captured from the response itself.
        check.otherSecrets = { [captures] in captures.redactor }
        if content.expect != nil || content.expectHeaders != nil || content.capture != nil {
            let judge = CaseJudge(entry: entry, content: content, captures: captures, request: check.request)
            check.expected.findProblems = { [redactor = check.redactor] response in
                judge.judgeAndCapture(from: response).map { $0.redacted(by: redactor) }
            }
        }
        return check
    }

    // MARK: Running

    /// Carries out the check of the case, with the values that earlier cases have captured.
    ///
    /// - Parameters:
    ///   - plannedCheck: The check from ``plan()``.
    ///   - archive: Records the exchange; nil if it is not recorded.
    /// - Returns: The result. The check is skipped if a value that it needs was not captured, because an earlier case
    ///   failed. It fails if a captured value can't be used.
    /// - Throws: `CancellationError`.
    func run(_ plannedCheck: PlannedCheck, recordingIn archive: HARLog?) async throws -> CheckResult {
        if entry.content.skip != nil { return CheckResult(plannedCheck.call, plannedCheck.skipped) }
        let capturedValues = neededCaptures.compactMapValues(captures.value(of:))
        let missingNames = neededCaptures.keys.filter { capturedValues[$0] == nil }
        if !missingNames.isEmpty {
            return CheckResult(plannedCheck.call, Self.skipped(withoutCaptures: missingNames))
        }
        var result: CheckResult
        do {
            result = try await send(plannedCheck, with: capturedValues, recordingIn: archive)
        } catch let error as CancellationError {
            throw error
        } catch {
            let problem = CaseJudge.problem(withCapturedValue: error).redacted(by: captures.redactor)
            result = CheckResult(plannedCheck.call, CheckOutcome(verdict: .failed, problems: [problem]))
        }
        // A response may repeat the secrets that earlier cases have captured.
        result.outcome = result.outcome.redacted(by: captures.redactor)
        addLines(to: &result.outcome.problems)
        return result
    }

    /// Sends the request of the case, again and again if the case has `until`.
    ///
    /// A case with placeholders is resolved again first: captured values are known only now, and `{{$now}}` stands for
    /// the time at which the case runs.
    ///
    /// - Throws: `CancellationError`, and the errors of captured values that can't be used.
    private func send(
        _ plannedCheck: PlannedCheck, with capturedValues: [String: JSONValue], recordingIn archive: HARLog?
    ) async throws -> CheckResult {
        var content = entry.content
        var check = plannedCheck
        if hasPlaceholders {
            content = try replacingPlaceholders(with: capturedValues)
            check = try await planCheckWithAllValues(of: content)
        }
        guard let timeLimit = try content.until?.knownValue() else { return try await check.send(recordingIn: archive) }
        return try await sendRepeatedly(check, for: timeLimit, recordingIn: archive)
    }

    /// Returns the case with values in place of its placeholders.
    ///
    /// Generated values, such as `{{$uuid}}`, are made here. A random value depends only on the seed and the case, so
    /// that the case always gets the same one.
    ///
    /// - Parameter capturedValues: The captured values by their names. Placeholders for others stay as they are.
    /// - Throws: `DecodingError` for a value that does not fit, such as a text for `status`.
    private func replacingPlaceholders(with capturedValues: [String: JSONValue]) throws -> CaseFile.Case {
        let id = entry.id
        let generator = CaseGenerator(
            seed: preparation.seed, caseID: "\(id.file) \(id.section.rawValue) \(id.index)", time: Date())
        let json = entry.json.replacingPlaceholders { placeholder in
            if let generatedValue = GeneratedValue(placeholder.name) { return generator.value(generatedValue) }
            return capturedValues[placeholder.name]
        }
        // A value may be of another type than its placeholder: `"status": "{{code}}"` becomes `"status": 404`. So the
        // whole case is decoded again.
        return try Coding().decode(CaseFile.Case.self, from: Array(json.written))
    }

    /// Returns the outcome of a case without captured values that it needs: `{{id}} was not captured`.
    private static func skipped(withoutCaptures missingNames: [String]) -> CheckOutcome {
        let placeholders = missingNames.sorted().map(Placeholder.text).joined(separator: " and ")
        let verb = missingNames.count == 1 ? "was" : "were"
        return .skipped("\(placeholders) \(verb) not captured")
    }

    /// Adds the line of the file to each problem that has none.
    private func addLines(to problems: inout [CheckProblem]) {
        for index in problems.indices where problems[index].caseLine == nil {
            problems[index].caseLine = line(ofProblem: problems[index].kind)
        }
    }

    /// Returns the line of the member that a kind of problem is about, `status` or `maxLatency`. For any other kind, it
    /// is the line where the case starts.
    private func line(ofProblem kind: CheckProblem.Kind) -> CaseLine {
        switch kind {
        case .status: entry.line(of: [.key("status")])
        case .latency: entry.line(of: [.key("maxLatency")])
        default: entry.line
        }
    }

    // MARK: Repeating

    /// The wait before the first repetition. It doubles each time, up to ``longestWait``.
    private static let firstWait = Duration.milliseconds(100)
    /// The longest wait between two repetitions: short enough to notice a change soon, long enough not to burden a
    /// server.
    private static let longestWait = Duration.seconds(5)

    /// Sends the request of a check until the check does not fail, or until the time is over (`until`).
    ///
    /// The last repetition starts when the time is over. It may itself take as long as the time limit of a request.
    ///
    /// - Parameters:
    ///   - check: The check, which is sent at least once.
    ///   - timeLimit: How long the check may be repeated.
    ///   - archive: Records all exchanges; nil if they are not recorded.
    /// - Returns: The last result. Its number of attempts counts the attempts of all repetitions. A check that sends
    ///   nothing is not repeated.
    /// - Throws: `CancellationError`.
    private func sendRepeatedly(
        _ check: PlannedCheck, for timeLimit: Duration, recordingIn archive: HARLog?
    ) async throws -> CheckResult {
        let clock = ContinuousClock()
        var result = try await check.send(recordingIn: archive)
        guard result.outcome.attempts > 0 else { return result }
        let deadline = clock.now + timeLimit
        var attempts = result.outcome.attempts
        var repetitionCount = 1
        var wait = Self.firstWait
        while result.outcome.verdict == .failed, clock.now < deadline {
            try await clock.sleep(until: min(clock.now + wait, deadline))
            result = try await check.send(recordingIn: archive)
            attempts += result.outcome.attempts
            repetitionCount += 1
            // The server gets fewer requests the longer it takes.
            wait = min(wait * 2, Self.longestWait)
        }
        result.outcome.attempts = attempts
        result.outcome.repetition = CheckOutcome.Repetition(limit: timeLimit, count: repetitionCount)
        return result
    }
}
