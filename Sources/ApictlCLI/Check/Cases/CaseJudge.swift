import EndpointKit
import EndpointTools
import JSONText

/// Compares a response with the requirements of a case, and captures the values that later cases need.
struct CaseJudge: Sendable {
    let entry: CaseEntry
    /// The case with all values known.
    let content: CaseFile.Case
    let captures: CaseCaptures
    /// The request of the response.
    let request: Request

    /// Returns a problem for each requirement that is not met, and for each value to capture that is missing. The
    /// values that are there are kept for later cases.
    func problems(of response: CheckedResponse) -> [CheckProblem] {
        do {
            let headerProblems = try self.headerProblems(response)
            if response.document == nil, needsJSON {
                let problem = CheckProblem(.notJSON, expected: "JSON with the values of the case")
                return headerProblems + [problem]
            }
            return try headerProblems + bodyProblems(response) + capture(from: response)
        } catch {
            // Only a captured value that can't be used in a requirement is an error.
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
        let capturedPaths = (content.capture ?? [:]).values.map(\.text)
        let paths = Array((content.expect ?? [:]).keys) + capturedPaths
        return paths.contains { $0 != CaseExpectation.bodyPath }
    }

    /// Returns a problem for each requirement that the headers do not meet.
    ///
    /// - Throws: An error for a captured value that can't be used in a requirement.
    private func headerProblems(_ response: CheckedResponse) throws -> [CheckProblem] {
        let expectations = (content.expectHeaders ?? [:]).sorted { $0.key < $1.key }
        return try expectations.flatMap { name, expectation in
            try located(expectation.problems(ofHeader: name, in: response), "expectHeaders", name)
        }
    }

    /// Returns a problem for each requirement that the body does not meet.
    ///
    /// - Throws: An error for a captured value that can't be used in a requirement.
    private func bodyProblems(_ response: CheckedResponse) throws -> [CheckProblem] {
        let expectations = (content.expect ?? [:]).sorted { $0.key < $1.key }
        return try expectations.flatMap { path, expectation in
            let problems = try expectation.problems(path, JSONPath(path), in: response, Self.steps(for: response))
            return located(problems, "expect", path)
        }
    }

    /// Returns the counter for the work of one requirement.
    private static func steps(for response: CheckedResponse) -> StepCounter {
        // A body that is not JSON is one text, whose comparison takes about as long as a search of it.
        response.document.map { StepCounter(for: $0) } ?? StepCounter(for: response.bodyValue.document)
    }

    /// Returns problems with the line of the requirement in the file.
    ///
    /// - Parameters:
    ///   - member: The member of the case: `expect`.
    ///   - key: The key in that member. A key with a placeholder is not found, so that the line is that of the member.
    private func located(_ problems: [CheckProblem], _ member: String, _ key: String) -> [CheckProblem] {
        if problems.isEmpty { return [] }
        let line = entry.line(of: [.key(member), .key(key)])
        return problems.map { problem in
            var problem = problem
            problem.caseLine = line
            return problem
        }
    }

    /// Captures the values that the case names, for later cases.
    ///
    /// - Returns: A problem for each value that the response does not have.
    /// - Throws: `JSONSyntaxError` for a value that can't be copied.
    private func capture(from response: CheckedResponse) throws -> [CheckProblem] {
        var values: [CaseCaptures.Name: JSONValue] = [:]
        var problems: [CheckProblem] = []
        let document = response.document ?? response.bodyValue.document
        for name in entry.captures.sorted(by: { $0.text < $1.text }) {
            guard let path = content.capture?[name.text] else { continue }
            // A path that is not known, or a search that takes too long, has no value either.
            if let value = try? path.known().firstValue(in: document) {
                // A copy, because the value itself would keep the whole body in memory.
                values[name] = try JSONValue(text: value.compact.exactBytes)
            } else {
                let expected = "a value for \(Placeholder.text(name.text))"
                let problem = CheckProblem(.missingKey, path: path.text, expected: expected)
                problems += located([problem], "capture", name.text)
            }
        }
        captures.add(values, from: request)
        return problems
    }
}
