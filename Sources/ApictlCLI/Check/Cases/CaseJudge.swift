import EndpointKit
import EndpointTools
import JSONText

/// Compares a response with the requirements of a case, and captures the values that later cases need.
struct CaseJudge: Sendable {
    let entry: CaseEntry
    /// The case with all values known.
    let content: CaseFile.Case
    /// Keeps the captured values.
    let captures: CaseCaptures
    /// The request of the response.
    let request: Request

    /// Compares a response with the requirements of the case, and keeps the captured values for later cases.
    ///
    /// - Returns: A problem for each requirement that is not met, and for each value to capture that is missing.
    func judgeAndCapture(from response: CheckedResponse) -> [CheckProblem] {
        do {
            var problems = try headerProblems(of: response)
            if response.document == nil, needsJSON {
                problems.append(CheckProblem(.notJSON, expected: "JSON with the values of the case"))
                return problems
            }
            problems += try bodyProblems(of: response)
            problems += try captureValues(from: response)
            return problems
        } catch {
            // The requirements were checked when the file was read. Only a captured value that has replaced a
            // placeholder can still be wrong.
            return [Self.problem(withCapturedValue: error)]
        }
    }

    /// Returns the problem that a captured value can't be used in the case.
    static func problem(withCapturedValue error: any Error) -> CheckProblem {
        let reason = (error as? UsageError)?.problem ?? "\(error)"
        return CheckProblem(.wrongValue, found: "a captured value does not fit: \(reason)")
    }

    /// Whether the case is about values inside the body, and not only about the body as a whole.
    private var needsJSON: Bool {
        let expectedPaths = Array((content.expect ?? [:]).keys)
        let capturedPaths = (content.capture ?? [:]).values.map(\.text)
        return (expectedPaths + capturedPaths).contains { $0 != CaseExpectation.bodyPath }
    }

    /// Returns a problem for each requirement that the headers do not meet.
    ///
    /// - Throws: An error for a captured value that can't be used in a requirement.
    private func headerProblems(of response: CheckedResponse) throws -> [CheckProblem] {
        let expectations = (content.expectHeaders ?? [:]).sorted { $0.key < $1.key }
        return try expectations.flatMap { name, expectation in
            let problems = try expectation.problems(ofHeader: name, in: response)
            return addingLine(to: problems, member: "expectHeaders", key: name)
        }
    }

    /// Returns a problem for each requirement that the body does not meet.
    ///
    /// - Throws: An error for a captured value that can't be used in a requirement.
    private func bodyProblems(of response: CheckedResponse) throws -> [CheckProblem] {
        let expectations = (content.expect ?? [:]).sorted { $0.key < $1.key }
        return try expectations.flatMap { path, expectation in
            let problems = try expectation.problems(
                at: JSONPath(path), writtenAs: path, in: response, counting: Self.stepCounter(for: response))
            return addingLine(to: problems, member: "expect", key: path)
        }
    }

    /// Returns the counter that limits the work for one requirement. The limit depends on the size of the body.
    private static func stepCounter(for response: CheckedResponse) -> StepCounter {
        // A body that is not JSON is one text, whose comparison takes about as long as a search of it.
        StepCounter(for: response.document ?? response.bodyValue.document)
    }

    /// Returns problems with the line of the requirement in the file.
    ///
    /// - Parameters:
    ///   - problems: The problems, all with the same requirement.
    ///   - member: The member of the case: `expect`.
    ///   - key: The key of the requirement in that member. If a captured value is a part of the key, the file does not
    ///     have it, and the line of the member is taken.
    private func addingLine(to problems: [CheckProblem], member: String, key: String) -> [CheckProblem] {
        if problems.isEmpty { return [] }
        let line = entry.line(of: [.key(member), .key(key)])
        return problems.map { problem in
            var locatedProblem = problem
            locatedProblem.caseLine = line
            return locatedProblem
        }
    }

    /// Captures the values that the case names, for later cases.
    ///
    /// - Returns: A problem for each value that the response does not have.
    /// - Throws: `JSONSyntaxError` for a value that can't be copied.
    private func captureValues(from response: CheckedResponse) throws -> [CheckProblem] {
        var values: [CaseCaptures.Name: JSONValue] = [:]
        var problems: [CheckProblem] = []
        let document = response.document ?? response.bodyValue.document
        for name in entry.captures {
            guard let path = content.capture?[name.text] else { continue }
            // A path that is not known, or a search that takes too long, has no value either.
            if let value = try? path.knownValue().firstValue(in: document) {
                // A copy is kept, because the value itself would keep the whole body in memory.
                values[name] = try JSONValue(text: value.compact.exactBytes)
            } else {
                let expected = "a value for \(Placeholder.text(name.text))"
                let problem = CheckProblem(.missingKey, path: path.text, expected: expected)
                problems += addingLine(to: [problem], member: "capture", key: name.text)
            }
        }
        captures.add(values, from: request)
        return problems
    }
}
