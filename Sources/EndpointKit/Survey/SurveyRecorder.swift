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
    private var places = FoldedPlaces()
    private var noted: [Subject: Noted] = [:]
    private var hasMore = false
    /// The values that an enum does not list, by slot, with what it lists.
    private var unknown: [Int: (path: PathNode?, expected: String?)] = [:]
    /// By slot: whether it has been reported as not fitting.
    private var isReported: [Bool] = []

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
        /// The path of the first one, and where it starts in the text, in bytes.
        let first: String
        let offset: Int
    }

    package init(_ document: JSONDocument, coding: Coding, redact: ((String) -> String)? = nil) {
        (self.document, self.coding, self.redact) = (document, coding, redact)
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
        if let child = child(key, of: parent, object.path), isOptional { places.places[child].isOptional = true }
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
        var path = place.path
        if case .missingKey(let key) = failure.kind {
            guard let child = child(key, of: folded, path) else { return }
            return note(.missingKey, child, PathNode(path, key), slot, expected: nil, found: nil)
        }
        if failure.slot == nil {
            // The model's own error, about the value or one inside it.
            for key in failure.codingPath.dropFirst(place.codingPath.count) {
                let isElement = document.kind(of: slot) == .array
                guard let inner = document.child(JSONPathComponent(key), of: slot),
                    let child = isElement ? places.child(.element, of: folded) : child(key, of: folded, path)
                else { break }
                path = isElement ? PathNode(path, index: key.intValue ?? 0) : PathNode(path, key)
                (slot, folded) = (inner, child)
            }
        }
        guard !isReported[slot] else { return }
        isReported[slot] = true
        let kind =
            if case .wrongType = failure.kind { CheckProblem.Kind.wrongType } else { CheckProblem.Kind.wrongValue }
        note(kind, folded, path, slot, expected: failure.expected ?? failure.words, found: document.valueText(of: slot))
    }

    /// The folded place at the end of a path; nil if there are too many.
    private func place(_ path: PathNode?) -> Int? {
        var unknown: [PathNode] = []
        var known = path
        while let node = known, node.note < 0 {
            unknown.append(node)
            known = node.parent
        }
        var place = known.map { Int($0.note) } ?? FoldedPlaces.root
        for node in unknown.reversed() {
            let next = node.key.map { child($0, of: place, node.parent) } ?? places.child(.element, of: place)
            guard let next else { return nil }
            place = next
            node.note = Int32(truncatingIfNeeded: next)
        }
        return place
    }

    /// The folded place of the member that a model's key leads to.
    private func child(_ key: any CodingKey, of parent: Int, _ path: PathNode?) -> Int? {
        if places.places[parent].isDictionary { return places.child(.member, of: parent) }
        let name = { self.coding.name(of: key, path: PathNode.keys(path)) }
        return places.child(.key(key.stringValue), of: parent, name: name())
    }

    /// Counts a problem at the end of `path`, which is described if it is the first about its subject.
    private func note(
        _ kind: CheckProblem.Kind, _ place: Int, _ path: PathNode?, _ slot: Int, name: String? = nil,
        expected: @autoclosure () -> String?, found: @autoclosure () -> String?
    ) {
        let subject = Subject(kind: kind, place: place, name: name)
        if noted[subject] == nil {
            guard noted.count < Survey.maxProblems else { return hasMore = true }
            noted[subject] = Noted(
                expected: expected(), found: found(),
                first: places.path(place, of: path) + (name.map(FoldedPlaces.step) ?? ""),
                offset: document.range(of: slot).lowerBound)
        }
        noted[subject]?.count += 1
    }
}

// MARK: What shows at the end

extension SurveyRecorder {
    /// An object or array that is being walked through.
    private struct Container {
        let slot: Int
        let isObject: Bool
        let place: Int
        let path: PathNode?
        /// The element or key that comes next.
        var next: Int
        var index = 0
        /// The texts of the keys that were asked for.
        var askedKeys: Set<String>?
    }

    /// The survey, with the keys that were never asked for, those that were never sent, and how many values there were of each.
    package func finish() -> Survey {
        // What a type has tried and given up is not read.
        for (slot, value) in unknown.sorted(by: { $0.key < $1.key }) where marks.isRead(slot) {
            guard let place = place(value.path) else { continue }
            note(
                .unexpectedValue, place, value.path, slot, expected: value.expected,
                found: document.valueText(of: slot))
        }
        var conversion = KeyConversion(coding.keys)
        var open: [Container] = []
        visit(JSONDocument.root, FoldedPlaces.root, nil, &open)
        while let last = open.indices.last {
            let container = open[last]
            if container.next == document.next(after: container.slot) {
                open.removeLast()
                continue
            }
            let value = container.isObject ? container.next + 1 : container.next
            open[last].next = document.next(after: value)
            open[last].index += 1
            if !container.isObject {
                guard let place = places.child(.element, of: container.place) else { continue }
                visit(value, place, PathNode(container.path, index: container.index), &open)
            } else if !marks.isAsked(value) {
                noteUnexpectedKey(container.next, &open[last])
            } else {
                let text = document.string(at: container.next) ?? "\u{FFFD}"
                let isData = places.places[container.place].isDictionary
                let key = isData ? text : conversion.modelKey(text, path: PathNode.keys(container.path))
                let step = isData ? FoldedPlaces.Step.member : .key(key)
                guard let place = places.child(step, of: container.place, name: text) else { continue }
                if !isData, places.places[place].values == 0 {
                    places.places[place].name = FoldedPlaces.shortened(text)
                }
                visit(value, place, PathNode(container.path, PositionKey(stringValue: key)), &open)
            }
        }
        return survey()
    }

    /// Counts a value, and opens it if the model has.
    private func visit(_ slot: Int, _ place: Int, _ path: @autoclosure () -> PathNode?, _ open: inout [Container]) {
        places.places[place].values += 1
        guard marks.isOpened(slot) else { return }
        let isObject = document.kind(of: slot) == .object
        if places.places[place].objects + places.places[place].lists == 0 {
            places.places[place].offset = document.range(of: slot).lowerBound
        }
        if isObject {
            places.places[place].objects += 1
        } else {
            places.places[place].lists += 1
            places.places[place].elements += document.count(of: slot)
        }
        open.append(
            Container(slot: slot, isObject: isObject, place: place, path: path(), next: document.first(in: slot)))
    }

    private func noteUnexpectedKey(_ key: Int, _ object: inout Container) {
        // Of several members with the same key the first is read, and the others are as good as not there.
        if marks.isIncomplete(object.slot) || places.places[object.place].isDictionary { return }
        let text = document.string(at: key) ?? "\u{FFFD}"
        let asked = object.askedKeys ?? askedKeys(of: object.slot)
        object.askedKeys = asked
        if asked.contains(text) { return }
        note(
            .unexpectedKey, object.place, object.path, key, name: FoldedPlaces.shortened(text, redact), expected: nil,
            found: document.valueText(of: key + 1))
    }

    private func askedKeys(of object: Int) -> Set<String> {
        var keys: Set<String> = []
        var key = document.first(in: object)
        while key < document.next(after: object) {
            if marks.isAsked(key + 1) { keys.insert(document.string(at: key) ?? "\u{FFFD}") }
            key = document.next(after: key + 1)
        }
        return keys
    }

    private func survey() -> Survey {
        var survey = Survey()
        let sorted = noted.sorted { ($0.value.offset, $0.key.place) < ($1.value.offset, $1.key.place) }
        let positions = document.positions(of: sorted.map(\.value.offset))
        survey.problems = zip(sorted, positions).map { item, position in
            let (subject, noted) = item
            let place = places.places[subject.place]
            let total =
                switch subject.kind {
                case .missingKey: places.places[place.parent].objects
                case .unexpectedKey: place.objects
                default: place.values
                }
            return CheckProblem(
                subject.kind, path: places.path(subject.place) + (subject.name.map(FoldedPlaces.step) ?? ""),
                first: noted.first, expected: noted.expected, found: noted.found, line: position.line,
                column: position.column, count: min(noted.count, total), total: total)
        }
        if hasMore {
            let expected = "at most \(Survey.maxProblems) different problems"
            survey.problems.append(CheckProblem(.wrongValue, path: "$", expected: expected, found: "more"))
        }
        let containers = Set(places.places.indices.compactMap { places.container(ofNoteOn: $0) })
            .sorted { places.places[$0].offset < places.places[$1].offset }
        for (place, position) in zip(containers, document.positions(of: containers.map { places.places[$0].offset })) {
            places.places[place].line = position.line
        }
        survey.places = places
        return survey
    }
}
