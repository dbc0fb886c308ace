import EndpointKit
import JSONText

/// Problems of one document, counted by the place and the kind of problem.
struct ComparisonProblems {
    /// The subject of a problem. Problems with the same subject are counted as one.
    private struct Subject: Hashable {
        let kind: CheckProblem.Kind
        /// The index of the folded place; for an unexpected key, of the object.
        let place: Int
        /// The name of an unexpected key.
        let name: String?
    }

    /// The first problem with a subject, and the number of all of them.
    private struct Entry {
        var count: Int
        let expected: String?
        let found: String?
        /// The index in the document of the value, of the unexpected key, or of the object without the key.
        let slot: Int
    }

    private var entries: [Subject: Entry] = [:]
    /// The kinds of problems that are not kept, because there are too many different ones or too many places.
    private var uncountedKinds: Set<CheckProblem.Kind> = []
    /// The expectation of a response whose problems are not all kept.
    private static let limit = "at most \(ResponseComparison.maxProblems) different problems and places"

    /// Counts a problem.
    ///
    /// Problems of the same kind at the same folded place, such as `$.results[*].adult`, are counted as one. Texts are
    /// made only for the first of them. Beyond ``ResponseComparison/maxProblems`` different problems, it is only noted
    /// that there are more.
    ///
    /// - Parameters:
    ///   - kind: The kind of problem.
    ///   - place: The index of the folded place. For an unexpected key, it is the place of the object around it.
    ///   - slot: The index in the document of the value that has the problem. For an unexpected key it is the index of
    ///     the key, and for a missing key that of the object.
    ///   - name: The name of an unexpected key; nil for other kinds.
    ///   - expected: A description of the expected value.
    ///   - found: A description of the value that was found instead.
    mutating func add(
        _ kind: CheckProblem.Kind, place: Int, slot: Int, name: String? = nil,
        expected: @autoclosure () -> String? = nil, found: @autoclosure () -> String? = nil
    ) {
        let subject = Subject(kind: kind, place: place, name: name)
        if entries[subject] != nil {
            entries[subject]?.count += 1
        } else if entries.count < ResponseComparison.maxProblems {
            entries[subject] = Entry(count: 1, expected: expected(), found: found(), slot: slot)
        } else {
            addUncounted(kind)
        }
    }

    /// Notes that there is a problem that is not counted, because there are too many places.
    mutating func addUncounted(_ kind: CheckProblem.Kind) { uncountedKinds.insert(kind) }

    /// Returns the problems in the order of the document, each with the line and column of the first value that has it.
    ///
    /// - Parameters:
    ///   - document: The document with the problems.
    ///   - places: The folded places of the document, with the numbers of values at each.
    func problems(in document: JSONDocument, _ places: ComparisonPlaces) -> [CheckProblem] {
        let sortedEntries = entries.sorted { first, second in
            if first.value.slot != second.value.slot { return first.value.slot < second.value.slot }
            return first.key.place < second.key.place
        }
        let slots = sortedEntries.map(\.value.slot)
        // All at once, because each search for a position or a path starts at the beginning of the document.
        let positions = document.positions(of: slots.map { document.range(of: $0).lowerBound })
        let slotPaths = document.paths(to: slots)
        var problems: [CheckProblem] = []
        for (index, (subject, entry)) in sortedEntries.enumerated() {
            let (path, firstPath) = Self.paths(of: subject, slotPath: slotPaths[index], places)
            let total = Self.total(of: subject, places)
            let problem = CheckProblem(
                subject.kind, path: path, first: firstPath, expected: entry.expected, found: entry.found,
                line: positions[index].line, column: positions[index].column, count: min(entry.count, total),
                total: total)
            problems.append(problem)
        }
        if !uncountedKinds.isEmpty {
            problems.append(CheckProblem(.incomplete, path: "$", expected: Self.limit, found: "more"))
        }
        return problems
    }

    /// Returns the first problem in the order of the document because of which a value does not fit; nil if there is
    /// none. Unexpected keys are no such problems.
    func firstMismatch(in document: JSONDocument, _ places: ComparisonPlaces) -> ShapeMismatch? {
        let failures = entries.filter { $0.key.kind != .unexpectedKey }
        guard let (subject, entry) = failures.min(by: { $0.value.slot < $1.value.slot }) else {
            if uncountedKinds.allSatisfy({ $0 == .unexpectedKey }) { return nil }
            return ShapeMismatch(path: [], problem: .unfit(expected: Self.limit, found: "more"))
        }
        let path = document.paths(to: [entry.slot])[0]
        if subject.kind == .missingKey {
            return ShapeMismatch(path: path, problem: .missingKey(places.nodes[subject.place].name))
        }
        return ShapeMismatch(
            path: path, problem: .unfit(expected: entry.expected ?? "another value", found: entry.found ?? ""))
    }

    /// Returns the paths that a problem is shown with: `$.results[*].adult` and, for the first value that has the
    /// problem, `$.results[3].adult`.
    ///
    /// - Parameters:
    ///   - subject: The kind and the place of the problem.
    ///   - slotPath: The path to the first value that has the problem. For an unexpected key, it ends with the key. For
    ///     a missing key, it leads to the object, and the key is added here.
    ///   - places: The folded places of the document.
    private static func paths(
        of subject: Subject, slotPath: [JSONPathComponent], _ places: ComparisonPlaces
    ) -> (folded: String, first: String) {
        let foldedPath = places.path(subject.place)
        switch subject.kind {
        case .missingKey:
            let key = ComparisonPlaces.step(places.nodes[subject.place].name)
            return (foldedPath, slotPath.map(shortened).pathText + key)
        case .unexpectedKey:
            let key = ComparisonPlaces.step(subject.name ?? "")
            return (foldedPath + key, slotPath.dropLast().map(shortened).pathText + key)
        default:
            return (foldedPath, slotPath.map(shortened).pathText)
        }
    }

    /// Returns how often the problem was possible: the number of objects for a missing or unexpected key, and the
    /// number of values at the place for other kinds.
    private static func total(of subject: Subject, _ places: ComparisonPlaces) -> Int {
        let node = places.nodes[subject.place]
        return switch subject.kind {
        case .missingKey: places.nodes[node.parent].objects
        case .unexpectedKey: node.objects
        default: node.values
        }
    }

    /// Returns a step of a path with at most the first 200 characters of its key.
    private static func shortened(_ step: JSONPathComponent) -> JSONPathComponent {
        if case .key(let key) = step { .key(ComparisonPlaces.shortened(key)) } else { step }
    }
}
