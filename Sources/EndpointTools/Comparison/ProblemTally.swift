import EndpointKit
import JSONText

/// Problems of one document, counted by the place and the kind of problem.
struct ProblemTally {
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
        /// The value in the document, or the key that is not expected, or the object without the key.
        let slot: Int
    }

    private var entries: [Subject: Entry] = [:]
    /// Whether there were more subjects than are kept.
    private var hasMore = false

    /// Counts a problem.
    ///
    /// - Parameters:
    ///   - kind: The kind of problem.
    ///   - place: The index of the folded place; for an unexpected key, of the object.
    ///   - slot: The slot of the value in the document. With an unexpected key it is the slot of the key, with a
    ///     missing key that of the object.
    ///   - name: The name of an unexpected key.
    ///   - expected: The expected value. It is asked for only with the first problem of a subject, as it takes time.
    ///   - found: The value that was found instead, asked for as `expected` is.
    mutating func add(
        _ kind: CheckProblem.Kind, place: Int, slot: Int, name: String? = nil,
        expected: @autoclosure () -> String? = nil, found: @autoclosure () -> String? = nil
    ) {
        let subject = Subject(kind: kind, place: place, name: name)
        if entries[subject] != nil {
            entries[subject]?.count += 1
        } else if entries.count < Survey.maxProblems {
            entries[subject] = Entry(count: 1, expected: expected(), found: found(), slot: slot)
        } else {
            hasMore = true
        }
    }

    /// Returns the problems in the order of the document, each with the line and column of its first place.
    func problems(in document: JSONDocument, _ places: FoldedPlaces) -> [CheckProblem] {
        let sorted = entries.sorted { ($0.value.slot, $0.key.place) < ($1.value.slot, $1.key.place) }
        let slots = sorted.map(\.value.slot)
        // All at once, because each of them would walk through the document.
        let positions = document.positions(of: slots.map { document.range(of: $0).lowerBound })
        let firstPaths = document.paths(to: slots)
        var problems = sorted.indices.map { index in
            let (subject, entry) = sorted[index]
            let (path, first) = Self.paths(of: subject, first: firstPaths[index], places)
            let total = Self.total(of: subject, places)
            return CheckProblem(
                subject.kind, path: path, first: first, expected: entry.expected, found: entry.found,
                line: positions[index].line, column: positions[index].column, count: min(entry.count, total),
                total: total)
        }
        if hasMore {
            let limit = "at most \(Survey.maxProblems) different problems"
            problems.append(CheckProblem(.wrongValue, path: "$", expected: limit, found: "more"))
        }
        return problems
    }

    /// Returns the folded path of a subject, and the path of the first problem: `$.results[*].adult` and
    /// `$.results[3].adult`.
    ///
    /// - Parameters:
    ///   - subject: The subject.
    ///   - first: The path to the first problem's slot. With an unexpected key it ends with the key. With a missing
    ///     key it leads to the object.
    ///   - places: The folded places of the document.
    private static func paths(
        of subject: Subject, first: [JSONPathComponent], _ places: FoldedPlaces
    ) -> (folded: String, first: String) {
        let folded = places.path(subject.place)
        switch subject.kind {
        case .missingKey:
            let key = FoldedPlaces.step(places.nodes[subject.place].name)
            return (folded, first.map(shortened).pathText + key)
        case .unexpectedKey:
            let key = FoldedPlaces.step(subject.name ?? "")
            return (folded + key, first.dropLast().map(shortened).pathText + key)
        default:
            return (folded, first.map(shortened).pathText)
        }
    }

    /// Returns how many places there are where the problem could be: objects for a key, else values.
    private static func total(of subject: Subject, _ places: FoldedPlaces) -> Int {
        let node = places.nodes[subject.place]
        return switch subject.kind {
        case .missingKey: places.nodes[node.parent].objects
        case .unexpectedKey: node.objects
        default: node.values
        }
    }

    /// Returns a step of a path with its name cut to the length that is shown.
    private static func shortened(_ step: JSONPathComponent) -> JSONPathComponent {
        if case .key(let key) = step { .key(FoldedPlaces.shortened(key)) } else { step }
    }
}
