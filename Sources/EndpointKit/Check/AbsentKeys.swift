/// Collects the surveys of one endpoint's checks, to find the keys that are in none of its responses.
package struct AbsentKeys: Sendable {
    private var survey: Survey?

    package init() {}

    /// Adds the survey of another response.
    package mutating func add(_ other: Survey) {
        if survey == nil { survey = other } else { survey?.merge(other) }
    }

    /// The keys that may be absent and were in none of the responses.
    package func problems(_ redactor: Redactor) -> [CheckProblem] {
        survey?.findings.filter { $0.kind == .absentKey }.map { CheckProblem($0, redactor) } ?? []
    }
}
