import JSONText

/// Compares one document with what a model asks of it, while the model is decoded.
package final class SurveyRecorder: DecodingObserver {
    package private(set) var observation = Observation.absentKeys
    /// What the model has read.
    package let marks: ReadMarks
    private let document: JSONDocument
    private let coding: Coding
    private var survey = Survey()
    /// By slot: whether it has been reported as not fitting.
    private var isReported: [Bool] = []

    package init(_ document: JSONDocument, coding: Coding) {
        self.document = document
        self.coding = coding
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

    package func didAsk(for key: any CodingKey, isOptional: Bool, of object: ObservedPlace, member: Int?) {
        guard member == nil, object.slot != nil, let parent = place(object.path) else { return }
        if let child = child(key, of: parent, object.path), isOptional { survey.places.places[child].isOptional = true }
    }

    package func didAskForAllKeys(of object: ObservedPlace, areData: Bool) {
        if areData, let place = place(object.path) { survey.places.places[place].isDictionary = true }
    }

    package func didRefuse(_ error: DecodingError, at place: ObservedPlace) {
        let failure = DecodingFailure(error)
        guard var slot = failure.slot ?? place.slot, var folded = self.place(place.path) else { return }
        if case .missingKey(let key) = failure.kind {
            if let child = child(key, of: folded, place.path) {
                note(.missingKey, child, slot, expected: nil, found: nil)
            }
            return
        }
        if failure.slot == nil {
            // The model's own error, about the value or one inside it.
            for key in failure.codingPath.dropFirst(place.codingPath.count) {
                guard let inner = document.child(JSONPathComponent(key), of: slot),
                    let child = document.kind(of: slot) == .array
                        ? survey.places.child(.element, of: folded, name: "*") : child(key, of: folded, place.path)
                else { break }
                (slot, folded) = (inner, child)
            }
        }
        guard !isReported[slot] else { return }
        isReported[slot] = true
        let kind =
            if case .wrongType = failure.kind { CheckProblem.Kind.wrongType } else { CheckProblem.Kind.wrongValue }
        note(kind, folded, slot, expected: failure.expected, found: document.valueText(of: slot))
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
            let next =
                node.key.map { child($0, of: place, node.parent) }
                ?? survey.places.child(.element, of: place, name: "*")
            guard let next else { return nil }
            place = next
            node.note = Int32(truncatingIfNeeded: next)
        }
        return place
    }

    /// The folded place of the member that a model's key leads to.
    private func child(_ key: any CodingKey, of parent: Int, _ path: PathNode?) -> Int? {
        if survey.places.places[parent].isDictionary { return survey.places.child(.member, of: parent, name: "*") }
        let name = { self.coding.name(of: key, path: PathNode.keys(path)) }
        return survey.places.child(.key(key.stringValue), of: parent, name: name())
    }

    private func note(
        _ kind: CheckProblem.Kind, _ place: Int, _ slot: Int, name: String? = nil, count: Int = 1,
        expected: @autoclosure () -> String?, found: @autoclosure () -> String?
    ) {
        survey.note(Survey.Subject(kind: kind, place: place, name: name), count: count) {
            Survey.Noted(expected: expected(), found: found(), offset: document.range(of: slot).lowerBound)
        }
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
                guard let place = survey.places.child(.element, of: container.place, name: "*") else { continue }
                visit(value, place, PathNode(container.path, index: container.index), &open)
            } else if survey.places.places[container.place].isDictionary {
                // Of several members with the same key the first is read.
                guard marks.isAsked(value), let place = survey.places.child(.member, of: container.place, name: "*")
                else { continue }
                let key = PositionKey(stringValue: document.string(at: container.next) ?? "")
                visit(value, place, PathNode(container.path, key), &open)
            } else if marks.isAsked(value) {
                let text = document.string(at: container.next) ?? "\u{FFFD}"
                let key = conversion.modelKey(text, path: PathNode.keys(container.path))
                guard let place = survey.places.child(.key(key), of: container.place, name: text) else { continue }
                if survey.places.places[place].values == 0 {
                    survey.places.places[place].name = FoldedPlaces.shortened(text)
                }
                visit(value, place, PathNode(container.path, PositionKey(stringValue: key)), &open)
            } else {
                noteUnexpectedKey(container.next, &open[last])
            }
        }
        noteWhatIsAbsent()
        survey.locate(in: document)
        return survey
    }

    /// Counts a value, and opens it if the model has.
    private func visit(_ slot: Int, _ place: Int, _ path: @autoclosure () -> PathNode?, _ open: inout [Container]) {
        survey.places.places[place].values += 1
        guard marks.isOpened(slot) else { return }
        let isObject = document.kind(of: slot) == .object
        if survey.places.places[place].objects + survey.places.places[place].lists == 0 {
            survey.places.places[place].firstContainer = slot
        }
        if isObject {
            survey.places.places[place].objects += 1
        } else {
            survey.places.places[place].lists += 1
            survey.places.places[place].elements += document.count(of: slot)
        }
        open.append(
            Container(slot: slot, isObject: isObject, place: place, path: path(), next: document.first(in: slot)))
    }

    private func noteUnexpectedKey(_ key: Int, _ object: inout Container) {
        if marks.isIncomplete(object.slot) { return }
        // Of several members with the same key the first is read, and the others are as good as not there.
        let text = document.string(at: key) ?? "\u{FFFD}"
        let asked = object.askedKeys ?? askedKeys(of: object.slot)
        object.askedKeys = asked
        if asked.contains(text) { return }
        let name = FoldedPlaces.shortened(text)
        note(.unexpectedKey, object.place, key, name: name, expected: nil, found: document.valueText(of: key + 1))
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

    /// Notes the keys that were never sent, and the lists that never had an element.
    private func noteWhatIsAbsent() {
        for (index, place) in survey.places.places.enumerated() {
            if place.lists > 0, place.elements == 0 {
                note(.emptyList, index, place.firstContainer, count: place.lists, expected: nil, found: nil)
            }
            guard place.isOptional, place.values == 0 else { continue }
            let parent = survey.places.places[place.parent]
            guard parent.objects > 0 else { continue }
            note(.absentKey, index, parent.firstContainer, count: parent.objects, expected: nil, found: nil)
        }
    }
}
