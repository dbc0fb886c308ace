import EndpointKit

/// The optional keys, and the elements of lists, that were in none of the responses of one endpoint's checks.
///
/// A key that may be absent, and is absent from one response, is normal. If it is in none of them, the model may have
/// a wrong name for it.
package struct AbsentParts: Sendable {
    /// The keys and elements that the model asked for, with their counts in all responses so far.
    private var places = ComparisonPlaces()
    /// The index of the last result whose body was compared, and the redactor of its request.
    private var lastResult: (index: Int, redactor: Redactor)?

    package init() {}

    /// Adds the comparison of one more response with the model.
    ///
    /// - Parameters:
    ///   - comparedPlaces: The keys and elements that the model asked for, with their counts in this response.
    ///   - redactor: Removes the secrets of the result's request.
    ///   - resultIndex: The index of the result, among the results that ``addNotes(to:)`` gets.
    package mutating func add(_ comparedPlaces: ComparisonPlaces, _ redactor: Redactor, resultIndex: Int) {
        places.merge(comparedPlaces)
        lastResult = (index: resultIndex, redactor: redactor)
    }

    /// Whether ``notes`` has all notes, because the responses do not have too many different places.
    package var isComplete: Bool { places.isComplete }

    /// The notes on everything that was in none of the responses so far.
    package var notes: [CheckProblem] {
        guard let lastResult else { return [] }
        return places.notes.map { $0.redacted(by: lastResult.redactor) }
    }

    /// Adds the notes to the last result whose body was compared, because only then all responses are known.
    ///
    /// - Returns: The notes; none if no body was compared.
    @discardableResult
    package func addNotes(to results: inout [CheckResult]) -> [CheckProblem] {
        guard let lastResult else { return [] }
        let addedNotes = notes
        results[lastResult.index].outcome.problems += addedNotes
        return addedNotes
    }
}
