import EndpointKit
import JSONText

/// Compares one document with what a model asks of it, while the model is decoded.
package final class SurveyRecorder: DecodingObserver {
    package private(set) var observation = Observation.absentKeys
    /// What the model has read.
    package let marks: ReadMarks
    package let fitting = FittingValues()
    private let document: JSONDocument
    private let coding: Coding
    private let redact: ((String) -> String)?
    @exclusivity(unchecked) private var places = FoldedPlaces()
    private var noted: [Subject: Noted] = [:]
    private var hasMore = false
    /// The values that an enum does not list, by slot, with what it lists.
    private var unknown: [Int: (path: PathNode?, expected: String?)] = [:]
    /// By slot: whether it has been reported as not fitting.
    private var isReported: [Bool] = []
    /// The first key of each place in the text, by place; -1 if there is none, or it is not known.
    @exclusivity(unchecked) private var firstKeys: [Int] = []
    private var conversion: KeyConversion

    /// What a problem is about.
    private struct Subject: Hashable {
        let kind: CheckProblem.Kind
        /// Of an unexpected key, the object.
        let place: Int
        /// Of an unexpected key, its name.
        var name: String?
    }

    private struct Noted {
        var count = 0
        let expected: String?
        let found: String?
        /// The first one: the value, or the key that is not expected, or the object without the key.
        let slot: Int
    }

    package init(_ document: JSONDocument, coding: Coding, redact: ((String) -> String)? = nil) {
        (self.document, self.coding, self.redact) = (document, coding, redact)
        conversion = KeyConversion(coding.keys)
        marks = ReadMarks(document)
    }

    /// Decodes the model as far as it goes; nil if it does not fit. Throws what the decoder throws that is not about the model.
    func decode<Model: Decodable>(_ model: Model.Type, check: (() throws -> Void)?) throws -> Model? {
        let decoder = JSONTextDecoder(coding: coding)
        do {
            return try decoder.decode(model, from: document, marks: marks, observer: self, check: check)
        } catch is DecodingError {
            // Once more, to the end: there may be more that does not fit.
            observation = .mismatches
            isReported = Array(repeating: false, count: document.next(after: JSONDocument.root))
            do {
                return try decoder.decode(model, from: document, marks: marks, observer: self, check: check)
            } catch is NoPlaceholder {
                return nil
            }
        }
    }

    package func didAsk(for key: any CodingKey, isOptional: Bool, of object: ValuePlace, member: Int?) {
        guard member == nil, object.knownSlot != nil, let parent = place(object.path) else { return }
        if let child = child(key, of: parent, object.codingPath), isOptional { places.places[child].isOptional = true }
    }

    package func didAskForAllKeys(of object: ValuePlace, areData: Bool) {
        if areData, let place = place(object.path) { places.places[place].isDictionary = true }
    }

    package func didReadUnknown(at place: ValuePlace, expected: @autoclosure () -> String?) {
        guard let slot = place.knownSlot, unknown.count < Survey.maxProblems else { return }
        unknown[slot] = (place.path, expected())
    }

    package func didRefuse(_ error: DecodingError, at place: ValuePlace) {
        let failure = DecodingFailure(error)
        guard var slot = failure.slot ?? place.knownSlot, var folded = self.place(place.path) else { return }
        if case .missingKey(let key) = failure.kind {
            if let child = child(key, of: folded, place.codingPath) { note(.missingKey, child, slot) }
            return
        }
        if failure.slot == nil {
            // The model's own error, about the value or one inside it.
            for (depth, key) in failure.codingPath.enumerated().dropFirst(place.codingPath.count) {
                let isElement = document.kind(of: slot) == .array
                guard let inner = document.child(JSONPathComponent(key), of: slot),
                    let child = isElement
                        ? places.child(.element, of: folded)
                        : child(key, of: folded, Array(failure.codingPath[..<depth]))
                else { break }
                (slot, folded) = (inner, child)
            }
        }
        guard !isReported[slot] else { return }
        isReported[slot] = true
        let kind =
            if case .wrongType = failure.kind { CheckProblem.Kind.wrongType } else { CheckProblem.Kind.wrongValue }
        note(kind, folded, slot, expected: failure.expected ?? failure.words, found: document.valueText(of: slot))
    }

    /// The folded place at the end of a path; nil if there are too many.
    private func place(_ path: PathNode?) -> Int? {
        while let path, path.note < 0 {
            // The first step whose place is not known yet: mostly there are one or two.
            var node = path
            while let parent = node.parent, parent.note < 0 { node = parent }
            let parent = node.parent.map { Int($0.note) } ?? FoldedPlaces.root
            let next = node.key.map { child($0, of: parent, PathNode.keys(node.parent)) }
            guard let place = next ?? places.child(.element, of: parent) else { return nil }
            node.note = Int32(truncatingIfNeeded: place)
        }
        return path.map { Int($0.note) } ?? FoldedPlaces.root
    }

    /// The folded place of the member that a model's key leads to, in an object at `path`.
    private func child(_ key: any CodingKey, of parent: Int, _ path: @autoclosure () -> [any CodingKey]) -> Int? {
        if places.places[parent].isDictionary { return places.child(.member, of: parent) }
        return places.child(.key(key.stringValue), of: parent, name: coding.name(of: key, path: path()))
    }

    /// Counts a problem, which is described if it is the first about its subject.
    private func note(
        _ kind: CheckProblem.Kind, _ place: Int, _ slot: Int, name: String? = nil,
        expected: @autoclosure () -> String? = nil, found: @autoclosure () -> String? = nil
    ) {
        let subject = Subject(kind: kind, place: place, name: name)
        if noted[subject] == nil {
            guard noted.count < Survey.maxProblems else { return hasMore = true }
            noted[subject] = Noted(expected: expected(), found: found(), slot: slot)
        }
        noted[subject]?.count += 1
    }
}

// MARK: What shows at the end

extension SurveyRecorder {
    /// The survey, with the keys that were never asked for, those that were never sent, and how many values there were of each.
    package func finish() -> Survey {
        // What a type has tried and given up is not read.
        for (slot, value) in unknown.sorted(by: { $0.key < $1.key }) where marks.isRead(slot) {
            guard let place = place(value.path) else { continue }
            note(
                .unexpectedValue, place, slot, expected: value.expected, found: document.valueText(of: slot))
        }
        count(JSONDocument.root, FoldedPlaces.root)
        return survey()
    }

    /// Counts a value, and what is in it if the model has opened it.
    private func count(_ slot: Int, _ place: Int) {
        places.places[place].values += 1
        guard marks.isOpened(slot) else { return }
        let isObject = if case .object = document.kind(of: slot) { true } else { false }
        places.open(place, elements: isObject ? nil : document.count(of: slot))
        var next = document.first(in: slot)
        let end = document.next(after: slot)
        guard next < end else { return }
        // Positions are one place, and keys that are data.
        let isFolded = !isObject || places.places[place].isDictionary
        let folded = isFolded ? places.child(isObject ? .member : .element, of: place) : nil
        var asked: Set<String>?
        while next < end {
            let (key, value) = (next, isObject ? next + 1 : next)
            next = document.next(after: value)
            if isObject, !marks.isAsked(value) {
                if !isFolded { noteUnexpectedKey(key, of: slot, place, &asked) }
            } else if let inner = isFolded ? folded : member(key, of: place) {
                count(value, inner)
            }
        }
    }

    /// The place of the member at a key of an object.
    private func member(_ key: Int, of object: Int) -> Int? {
        // Most keys are known, and come in the same order: they are compared as they are written.
        let known = places.known(of: object) { place, _ in
            place < firstKeys.count && firstKeys[place] >= 0 && document.isKey(key, as: firstKeys[place])
        }
        if let known { return known }
        let text = document.string(at: key) ?? "\u{FFFD}"
        let name = conversion.modelKey(text, path: places.codingPath(object))
        guard let place = places.child(.key(name), of: object, name: text) else { return nil }
        if places.places[place].values == 0 { places.places[place].name = FoldedPlaces.shortened(text) }
        while firstKeys.count <= place { firstKeys.append(-1) }
        firstKeys[place] = key
        return place
    }

    private func noteUnexpectedKey(_ key: Int, of object: Int, _ place: Int, _ asked: inout Set<String>?) {
        // Of several members with the same key the first is read, and the others are as good as not there.
        if marks.isIncomplete(object) { return }
        let text = document.string(at: key) ?? "\u{FFFD}"
        let keys = asked ?? self.asked(of: object)
        asked = keys
        if keys.contains(text) { return }
        note(
            .unexpectedKey, place, key, name: FoldedPlaces.shortened(text, redact),
            found: document.valueText(of: key + 1))
    }

    private func asked(of object: Int) -> Set<String> {
        Set(document.values(in: object).filter(marks.isAsked).map { document.string(at: $0 - 1) ?? "\u{FFFD}" })
    }

    private func survey() -> Survey {
        var survey = Survey()
        let sorted = noted.sorted { ($0.value.slot, $0.key.place) < ($1.value.slot, $1.key.place) }
        let positions = document.positions(of: sorted.map { document.range(of: $0.value.slot).lowerBound })
        let paths = document.paths(to: sorted.map(\.value.slot))
        survey.problems = sorted.indices.map { index in
            let (subject, noted) = sorted[index]
            let place = places.places[subject.place]
            var (path, first) = (places.path(subject.place), paths[index].map(Self.shortened).pathText)
            let total: Int
            switch subject.kind {
            case .missingKey:
                total = places.places[place.parent].objects
                first += FoldedPlaces.step(place.name)
            case .unexpectedKey:
                total = place.objects
                let step = FoldedPlaces.step(subject.name ?? "")
                path += step
                first = paths[index].dropLast().map(Self.shortened).pathText + step
            default: total = place.values
            }
            return CheckProblem(
                subject.kind, path: path, first: first, expected: noted.expected, found: noted.found,
                line: positions[index].line, column: positions[index].column, count: min(noted.count, total),
                total: total)
        }
        if hasMore {
            let expected = "at most \(Survey.maxProblems) different problems"
            survey.problems.append(CheckProblem(.wrongValue, path: "$", expected: expected, found: "more"))
        }
        survey.places = places
        return survey
    }

    /// A step with its name as it is shown.
    private static func shortened(_ step: JSONPathComponent) -> JSONPathComponent {
        if case .key(let key) = step { .key(FoldedPlaces.shortened(key)) } else { step }
    }
}
