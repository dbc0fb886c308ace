import EndpointKit

/// The keys and elements that were in none of the responses of one endpoint's checks.
///
/// A key that may be absent, and is absent from one response, is normal. If it is in none of them, the model may have
/// a wrong name for it.
package struct AbsentParts: Sendable {
    /// The places of all responses so far.
    private var places = FoldedPlaces()
    /// The index of the last result whose body was compared, and the redactor of its request.
    private var last: (index: Int, redactor: Redactor)?

    package init() {}

    /// Adds what the model asked for in the response of one more result.
    ///
    /// - Parameters:
    ///   - other: What it asked for.
    ///   - redactor: Removes the secrets of the result's request.
    ///   - place: The index of the result.
    package mutating func add(_ other: FoldedPlaces, _ redactor: Redactor, place: Int) {
        places.merge(other)
        last = (place, redactor)
    }

    /// The notes on everything that was in none of the responses so far.
    package var notes: [CheckProblem] {
        guard let last else { return [] }
        return places.notes.map { $0.redacted(by: last.redactor) }
    }

    /// Adds the notes to the last result that was added, and returns them.
    @discardableResult
    package func note(in results: inout [CheckResult]) -> [CheckProblem] {
        let notes = notes
        if let last { results[last.index].outcome.problems += notes }
        return notes
    }
}
