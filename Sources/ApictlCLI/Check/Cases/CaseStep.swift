import EndpointKit
import EndpointTools
import JSONText

/// A case of a file that runs after the ones before it. It may need values that earlier cases capture, and capture
/// values for later ones.
struct CaseStep: Sendable {
    private let entry: CaseEntry
    private let declaration: EndpointDeclaration
    /// The captured values that the case needs, by the names in its placeholders.
    let needed: [String: CaseCaptures.Name]
    private let captures: CaseCaptures
    private let preparation: CheckPreparation

    /// Makes a step of a case.
    ///
    /// - Parameters:
    ///   - entry: The case.
    ///   - declaration: The endpoint that the case calls.
    ///   - needed: The captured values that the case needs, by the names in its placeholders.
    ///   - captures: The values that the cases of the run capture.
    ///   - preparation: Resolves the call of the case.
    init(
        entry: CaseEntry, declaration: EndpointDeclaration, needed: [String: CaseCaptures.Name],
        captures: CaseCaptures, preparation: CheckPreparation
    ) {
        self.entry = entry
        self.declaration = declaration
        self.needed = needed
        self.captures = captures
        self.preparation = preparation
    }

    /// Whether one of the patterns matches the name of the case, or that of the endpoint if the case has no name.
    func isNamed(_ patterns: [String]) -> Bool {
        entry.isNamed(patterns, endpointName: declaration.name)
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
        do {
            if needed.isEmpty { return try await check(entry.content) }
            let request = try CaseRequest(entry, declaration, preparation.options.call).requestWithStandIns()
            // The result is not used. Only the errors matter.
            _ = try await preparation.resolution(of: request)
            return PlannedCheck(call: call(named: entry.shownName), step: self)
        } catch let error as UsageError where error.see == nil && error.location == nil {
            throw entry.error(error.problem)
        }
    }

    /// Returns the call of the case as reports name it.
    private func call(named name: String) -> CheckedCall {
        let caseName = (entry.file.namePrefix + name).safeToShow
        return CheckedCall(declaration, declaration.endpoint, example: entry.number, caseName: caseName)
    }

    /// Returns the check of the case with all values known.
    ///
    /// - Parameter content: The case, with captured values in place of placeholders.
    /// - Throws: ``UsageError`` for a value that can't be used, and the errors of resolving the call.
    private func check(_ content: CaseFile.Case) async throws -> PlannedCheck {
        let request = try CaseRequest(entry, declaration, preparation.options.call).request(content)
        let name = captures.redactor.redact(content.name ?? entry.shownName)
        var check = try await preparation.check(request, call(named: name), captures.redactor)
        check.step = self
        try check.exchange?.add { try adding(content, to: $0) }
        return check
    }

    /// Returns the check of an endpoint with the case's own requirements: status, time and body.
    ///
    /// - Throws: ``UsageError`` for a captured value that can't be used.
    private func adding(_ content: CaseFile.Case, to check: EndpointCheck) throws -> EndpointCheck {
        var check = check
        check.origin = "case"
        if let status = try content.status?.known() { check.expected.status = status }
        if let maxLatency = try content.maxLatency?.known() { check.expected.maxLatency = maxLatency }
        check.otherSecrets = { [captures] in captures.redactor }
        if content.expect != nil || content.capture != nil {
            check.expected.body = { [redactor = check.redactor, request = check.request] body in
                bodyProblems(body, content, request).map { $0.redacted(by: redactor) }
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
        var values: [String: JSONValue] = [:]
        for (name, capture) in needed { values[name] = captures.value(of: capture) }
        let missingNames = needed.keys.filter { values[$0] == nil }
        guard missingNames.isEmpty else { return CheckResult(planned.call, Self.skipped(missingNames)) }
        var check = planned
        if !needed.isEmpty {
            do {
                check = try await self.check(filledIn(values))
            } catch let error where !(error is CancellationError) {
                let problem = Self.problem(withCapturedValue: error).redacted(by: captures.redactor)
                return CheckResult(planned.call, CheckOutcome(verdict: .failed, problems: [problem]))
            }
        }
        var result = try await check.send(archive)
        result.outcome = result.outcome.redacted(by: captures.redactor)
        return result
    }

    /// Returns the case with captured values in place of its placeholders.
    ///
    /// - Throws: `DecodingError` for a value that does not fit, such as a text for `status`.
    private func filledIn(_ values: [String: JSONValue]) throws -> CaseFile.Case {
        let json = entry.json.replacingPlaceholders { values[$0.name] ?? .null }
        return try Coding().decode(CaseFile.Case.self, from: Array(json.written))
    }

    /// Returns the outcome of a case without the captured values that it needs: `{{id}} was not captured`.
    private static func skipped(_ missingNames: [String]) -> CheckOutcome {
        let names = missingNames.sorted().map { "{{\($0)}}" }.joined(separator: " and ")
        let verb = missingNames.count == 1 ? "was" : "were"
        return .skipped("\(names) \(verb) not captured")
    }

    /// Returns the problem that a captured value can't be used in the case.
    private static func problem(withCapturedValue error: any Error) -> CheckProblem {
        let reason = (error as? UsageError)?.problem ?? "\(error)"
        return CheckProblem(.wrongValue, found: "a captured value does not fit: \(reason)")
    }

    // MARK: Judging

    /// Compares the body of a response with the requirements of the case, and captures the values that later cases
    /// need.
    ///
    /// - Parameters:
    ///   - document: The body; nil if it is not JSON.
    ///   - content: The case with all values known.
    ///   - request: The request of the response.
    /// - Returns: A problem for each requirement that is not met, and for each value to capture that is missing.
    private func bodyProblems(
        _ document: JSONDocument?, _ content: CaseFile.Case, _ request: Request
    ) -> [CheckProblem] {
        guard let document else {
            return [CheckProblem(.notJSON, expected: "JSON with the values of the case")]
        }
        do {
            let unmet = try Self.unmetExpectations(of: content, in: document)
            let missing = try capture(content, from: document, request)
            return unmet + missing
        } catch {
            return [Self.problem(withCapturedValue: error)]
        }
    }

    /// Returns a problem for each requirement that a document does not meet.
    ///
    /// - Throws: An error for a captured value that can't be used in a requirement.
    private static func unmetExpectations(
        of content: CaseFile.Case, in document: JSONDocument
    ) throws -> [CheckProblem] {
        let expectations = (content.expect ?? [:]).sorted { $0.key < $1.key }
        return try expectations.flatMap { path, expectation in
            try expectation.problems(path, JSONPath(path), in: document, StepCounter(for: document))
        }
    }

    /// Captures the values that the case names, for later cases.
    ///
    /// - Returns: A problem for each value that the document does not have.
    /// - Throws: `JSONSyntaxError` for a value that can't be copied.
    private func capture(
        _ content: CaseFile.Case, from document: JSONDocument, _ request: Request
    ) throws -> [CheckProblem] {
        var values: [CaseCaptures.Name: JSONValue] = [:]
        var problems: [CheckProblem] = []
        for name in entry.captures.sorted(by: { $0.text < $1.text }) {
            guard let path = content.capture?[name.text] else { continue }
            // A path that is not known, or a search that takes too long, has no value either.
            if let value = try? path.known().firstValue(in: document) {
                // A copy, because the value itself would keep the whole body in memory.
                values[name] = try JSONValue(text: value.compact.exactBytes)
            } else {
                let expected = "a value for {{\(name.text)}}"
                problems.append(CheckProblem(.missingKey, path: path.text, expected: expected))
            }
        }
        captures.add(values, from: request)
        return problems
    }
}
