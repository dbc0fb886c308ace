import EndpointKit
import JSONText

/// The problems of one document. Problems of the same kind at the same place are counted as one.
///
/// All elements of a list share a place, such as `$.results[*].adult`; see ``ComparisonPlaces``.
struct ComparisonProblems {
    /// The attributes that two problems share if they are counted as one.
    private struct Identity: Hashable {
        let kind: CheckProblem.Kind
        /// The index in ``ComparisonPlaces`` of the value's place. For an unexpected key, it is the place of the
        /// object.
        let place: PlaceIndex
        /// The name of an unexpected key; nil for other kinds.
        let name: String?
    }

    /// The number of problems with the same identity, and the attributes of the first one.
    private struct Occurrences {
        var count: Int
        /// The first value with the problem. For an unexpected key it is the key, and for a missing key the object.
        let firstValue: DocumentIndex
        let expected: String?
        let found: String?
    }

    private var occurrencesByIdentity: [Identity: Occurrences] = [:]
    /// The kinds of problems that were not kept, because there are too many different ones or too many places.
    private var omittedKinds: Set<CheckProblem.Kind> = []
    /// The expectation that is not met if problems were not kept.
    private static let limit = "at most \(ResponseComparison.maxProblems) different problems and places"

    /// Counts a problem. All problems of the same kind at the same place are counted as one.
    ///
    /// The texts are made only for the first problem of a kind at a place. If there are
    /// ``ResponseComparison/maxProblems`` different problems already, or if the place is not kept, it is only noted
    /// that there are more problems.
    ///
    /// - Parameters:
    ///   - kind: The kind of problem.
    ///   - place: The place of the value, such as `$.results[*].adult`. For an unexpected key, it is the place of the
    ///     object around it. Nil if the document has more places than are kept.
    ///   - value: The value that has the problem. For an unexpected key it is the key itself, and for a missing key the
    ///     object without it.
    ///   - name: The name of an unexpected key; nil for other kinds.
    ///   - expected: The expected value in words: `boolean`.
    ///   - found: The value that was found instead in words: `string "no"`.
    mutating func add(
        _ kind: CheckProblem.Kind, place: PlaceIndex?, value: DocumentIndex, name: String? = nil,
        expected: @autoclosure () -> String? = nil, found: @autoclosure () -> String? = nil
    ) {
        guard let place else {
            noteOmission(of: kind)
            return
        }
        let identity = Identity(kind: kind, place: place, name: name)
        if occurrencesByIdentity[identity] != nil {
            occurrencesByIdentity[identity]?.count += 1
        } else if occurrencesByIdentity.count < ResponseComparison.maxProblems {
            occurrencesByIdentity[identity] = Occurrences(
                count: 1, firstValue: value, expected: expected(), found: found())
        } else {
            noteOmission(of: kind)
        }
    }

    /// Counts an unexpected key of an object: one that the model or shape does not have.
    ///
    /// - Parameters:
    ///   - key: The key in the document.
    ///   - document: The document with the object.
    ///   - objectPlace: The place of the object; nil if the document has more places than are kept.
    ///   - redact: Removes secrets from the names of keys; nil if they may have none.
    mutating func addUnexpectedKey(
        _ key: DocumentIndex, in document: JSONDocument, ofObjectAt objectPlace: PlaceIndex?,
        redact: ((String) -> String)?
    ) {
        let name = ComparisonPlaces.shortened(document.keyText(at: key), redact: redact)
        let value = document.valueIndex(ofKey: key)
        add(.unexpectedKey, place: objectPlace, value: key, name: name, found: document.valueText(of: value))
    }

    /// Notes that a problem is not kept, because there are too many problems, or because its place was not kept.
    mutating func noteOmission(of kind: CheckProblem.Kind) { omittedKinds.insert(kind) }

    /// Returns the problems in the order of the document, each with the line and column of the first value that has it.
    ///
    /// - Parameters:
    ///   - document: The document with the problems.
    ///   - places: The places of the document, with the numbers of values at each.
    func report(on document: JSONDocument, places: ComparisonPlaces) -> [CheckProblem] {
        // One value may have several problems. Their places then decide, so that the order is the same each time.
        let sortedProblems = occurrencesByIdentity.sorted { left, right in
            (left.value.firstValue, left.key.place) < (right.value.firstValue, right.key.place)
        }
        let firstValues = sortedProblems.map(\.value.firstValue)
        // All at once, because each search for a position or a path starts at the beginning of the document.
        let positions = document.positions(of: firstValues.map { document.range(of: $0).lowerBound })
        let valuePaths = document.paths(to: firstValues)
        var problems: [CheckProblem] = []
        for (index, (identity, occurrences)) in sortedProblems.enumerated() {
            let problemPaths = Self.paths(of: identity, toFirstValue: valuePaths[index], places: places)
            // A value may be refused more than once, so the count is limited to the number of values.
            let totalCount = Self.possibleCount(of: identity, places: places)
            let problem = CheckProblem(
                identity.kind, path: problemPaths.ofPlace, first: problemPaths.ofFirstValue,
                expected: occurrences.expected, found: occurrences.found, line: positions[index].line,
                column: positions[index].column, count: min(occurrences.count, totalCount), total: totalCount)
            problems.append(problem)
        }
        if !omittedKinds.isEmpty {
            problems.append(CheckProblem(.incomplete, path: "$", expected: Self.limit, found: "more"))
        }
        return problems
    }

    /// Returns the first problem in the order of the document, apart from unexpected keys.
    ///
    /// Without such a problem, the document has its shape. Unexpected keys are accepted.
    ///
    /// - Returns: The problem; nil if there is none.
    func firstMismatch(in document: JSONDocument, places: ComparisonPlaces) -> ShapeMismatch? {
        let mismatches = occurrencesByIdentity.filter { $0.key.kind != .unexpectedKey }
        if let (identity, occurrences) = mismatches.min(by: { $0.value.firstValue < $1.value.firstValue }) {
            let path = document.paths(to: [occurrences.firstValue])[0]
            if identity.kind == .missingKey {
                return ShapeMismatch(path: path, problem: .missingKey(places.nodes[identity.place].name))
            }
            // In a comparison with a shape, each value that does not fit has both texts.
            let expected = occurrences.expected ?? "another value"
            return ShapeMismatch(path: path, problem: .unfit(expected: expected, found: occurrences.found ?? ""))
        }
        // A problem that was not kept has no known place, but the document does not have its shape all the same.
        let hasOmittedMismatch = omittedKinds.contains { $0 != .unexpectedKey }
        guard hasOmittedMismatch else { return nil }
        return ShapeMismatch(path: [], problem: .unfit(expected: Self.limit, found: "more"))
    }

    /// The two paths that a problem is shown with. Long keys are shortened.
    private struct ProblemPaths {
        /// The path of the problem's place: `$.results[*].adult`.
        let ofPlace: String
        /// The path of the first value that has the problem: `$.results[3].adult`.
        let ofFirstValue: String
    }

    /// Returns the two paths that a problem is shown with:
    ///
    /// - The path of its place, with `*` for the elements of a list: `$.results[*].adult`.
    /// - The path of the first value with the problem: `$.results[3].adult`.
    ///
    /// Both end with the key, if the problem is that a key is missing or unexpected.
    ///
    /// - Parameters:
    ///   - identity: The kind and the place of the problem.
    ///   - valuePath: The path in the document to the first value that has the problem. For an unexpected key, it ends
    ///     with the key. For a missing key, it leads to the object that lacks it.
    ///   - places: The places of the document.
    private static func paths(
        of identity: Identity, toFirstValue valuePath: [JSONPathComponent], places: ComparisonPlaces
    ) -> ProblemPaths {
        let placePath = places.path(identity.place)
        switch identity.kind {
        case .missingKey:
            let keyStep = ComparisonPlaces.step(places.nodes[identity.place].name)
            let objectPath = valuePath.map(shortened).pathText
            return ProblemPaths(ofPlace: placePath, ofFirstValue: objectPath + keyStep)
        case .unexpectedKey:
            // Each unexpected key has a name.
            let keyStep = ComparisonPlaces.step(identity.name ?? "")
            let objectPath = valuePath.dropLast().map(shortened).pathText
            return ProblemPaths(ofPlace: placePath + keyStep, ofFirstValue: objectPath + keyStep)
        default:
            return ProblemPaths(ofPlace: placePath, ofFirstValue: valuePath.map(shortened).pathText)
        }
    }

    /// Returns the number of values that could have a problem, such as the 20 of "2 of 20 values are wrong".
    ///
    /// An object can lack a key, and an object can have an unexpected one. So the objects are counted for these two
    /// kinds of problems. For other kinds, the values at the place are counted.
    ///
    /// - Parameters:
    ///   - identity: The kind and the place of the problem, by which equal problems are counted as one.
    ///   - places: The places of the document, with the numbers of values and objects at each.
    private static func possibleCount(of identity: Identity, places: ComparisonPlaces) -> Int {
        let problemNode = places.nodes[identity.place]
        switch identity.kind {
        case .missingKey:
            // The problem's place is `$.results[*].adult`, and the objects without the key are at `$.results[*]`.
            let objectNode = places.nodes[problemNode.parent]
            return objectNode.objectCount
        case .unexpectedKey:
            // The problem's place is that of the objects: `$.results[*]`. Unexpected keys have no place.
            return problemNode.objectCount
        default:
            return problemNode.valueCount
        }
    }

    /// Returns a step of a path with at most the first 200 characters of its key.
    private static func shortened(_ step: JSONPathComponent) -> JSONPathComponent {
        if case .key(let key) = step { .key(ComparisonPlaces.shortened(key)) } else { step }
    }
}
