import JSONText

/// Compares one document with what a model asks of it.
final class SurveyRecorder: DecodingObserver {
    let makesUpMissing = false
    private let document: JSONDocument
    private let coding: Coding
    private(set) var survey = Survey()
    /// By slot of the document.
    private var marks: [Mark]

    /// The state of a value in the document.
    private struct Mark {
        private static let (asked, data, refused): (UInt32, UInt32, UInt32) = (1 << 31, 1 << 30, 1 << 29)
        private static let incomplete: UInt32 = 1 << 28
        private static let places: UInt32 = 1 << 24 - 1
        /// Of values whose place is one too many.
        private static let elsewhere = places

        private var bits: UInt32 = 0

        /// Whether the model has asked for it.
        var isKnown: Bool { bits & Self.places != 0 }
        /// Its folded place; nil if it is not known, or one too many.
        var place: Int? {
            let place = bits & Self.places
            return place == 0 || place == Self.elsewhere ? nil : Int(place) - 1
        }
        mutating func set(place: Int?) { bits |= place.map { UInt32($0) + 1 } ?? Self.elsewhere }

        /// Whether it is an object that was asked for keys.
        var isAsked: Bool {
            get { bits & Self.asked != 0 }
            set { bits = newValue ? bits | Self.asked : bits & ~Self.asked }
        }
        /// Whether it is an object whose keys are data.
        var hasDataKeys: Bool {
            get { bits & Self.data != 0 }
            set { bits = newValue ? bits | Self.data : bits & ~Self.data }
        }
        /// Whether it has been reported as not fitting.
        var isRefused: Bool {
            get { bits & Self.refused != 0 }
            set { bits = newValue ? bits | Self.refused : bits & ~Self.refused }
        }
        /// Whether its type has thrown, so that it may not have asked for all its keys.
        var isIncomplete: Bool {
            get { bits & Self.incomplete != 0 }
            set { bits = newValue ? bits | Self.incomplete : bits & ~Self.incomplete }
        }
    }

    init(_ document: JSONDocument, coding: Coding) {
        self.document = document
        self.coding = coding
        marks = Array(repeating: Mark(), count: document.next(after: JSONDocument.root))
        marks[JSONDocument.root].set(place: FoldedPlaces.root)
        survey.places.places[FoldedPlaces.root].values = 1
    }

    func willDecode(_ type: Any.Type, at place: ObservedPlace) -> Bool { true }
    func didDecodeScalar(_ type: Any.Type, at place: @autoclosure () -> ObservedPlace) {}

    func didDecode(_ type: Any.Type, at place: ObservedPlace, completed: Bool) {
        if let slot = place.slot { marks[slot].isIncomplete = !completed }
    }

    func didAsk(for key: any CodingKey, isOptional: Bool, of object: ObservedPlace, member: Int?) {
        guard let slot = object.slot else { return }
        open(slot)
        guard let parent = marks[slot].place else {
            if let member { marks[member].set(place: nil) }
            return
        }
        if marks[slot].hasDataKeys {
            if let member { mark(member, .member, of: parent, name: "*") }
            return
        }
        if let member {
            mark(member, .key(key.stringValue), of: parent, name: document.string(at: member - 1) ?? key.stringValue)
            return
        }
        let name = { self.coding.name(of: key, path: object.codingPath) }
        if let child = survey.places.child(.key(key.stringValue), of: parent, name: name()), isOptional {
            survey.places.places[child].isOptional = true
        }
    }

    func didAskForAllKeys(of object: ObservedPlace, areData: Bool) {
        guard let slot = object.slot else { return }
        open(slot)
        if areData { marks[slot].hasDataKeys = true }
    }

    func didOpenArray(_ array: ObservedPlace) {
        guard let slot = array.slot, document.kind(of: slot) == .array, document.count(of: slot) > 0 else { return }
        // A type that is tried after another opens the array again.
        guard !marks[document.first(in: slot)].isKnown else { return }
        let element = marks[slot].place.flatMap { survey.places.child(.element, of: $0, name: "*") }
        var next = document.first(in: slot)
        for _ in 0..<document.count(of: slot) {
            marks[next].set(place: element)
            next = document.next(after: next)
        }
        if let element { survey.places.places[element].values += document.count(of: slot) }
    }

    private func open(_ object: Int) {
        guard !marks[object].isAsked else { return }
        marks[object].isAsked = true
        guard let place = marks[object].place else { return }
        if survey.places.places[place].objects == 0 { survey.places.places[place].firstObject = object }
        survey.places.places[place].objects += 1
    }

    private func mark(_ slot: Int, _ step: FoldedPlaces.Step, of parent: Int, name: @autoclosure () -> String) {
        guard !marks[slot].isKnown else { return }
        let place = survey.places.child(step, of: parent, name: name())
        marks[slot].set(place: place)
        if let place { survey.places.places[place].values += 1 }
    }

    func didRefuse(_ error: DecodingError, at place: ObservedPlace) {
        let refusal = Refusal(error)
        guard var slot = refusal.slot ?? place.slot,
            var folded = marks[slot].place ?? place.slot.flatMap({ marks[$0].place })
        else { return }
        if case .missingKey(let key) = refusal.kind {
            let name = { self.coding.name(of: key, path: place.codingPath) }
            guard let child = survey.places.child(.key(key.stringValue), of: folded, name: name()) else { return }
            note(.missingKey, child, slot, expected: nil, found: nil)
            return
        }
        if refusal.slot == nil {
            // The model's own error, about the value or one inside it.
            for key in refusal.codingPath.dropFirst(place.codingPath.count) {
                guard let inner = document.child(JSONPathComponent(key), of: slot), let place = marks[inner].place
                else {
                    break
                }
                (slot, folded) = (inner, place)
            }
        }
        guard !marks[slot].isRefused else { return }
        marks[slot].isRefused = true
        let kind = if case .wrongType = refusal.kind { Finding.Kind.wrongType } else { Finding.Kind.wrongValue }
        note(kind, folded, slot, expected: refusal.expected, found: document.valueText(of: slot))
    }

    private func note(
        _ kind: Finding.Kind, _ place: Int, _ slot: Int, name: String? = nil, expected: @autoclosure () -> String?,
        found: @autoclosure () -> String?
    ) {
        survey.note(Survey.Subject(kind: kind, place: place, name: name)) {
            Survey.Noted(expected: expected(), found: found(), offset: document.range(of: slot).lowerBound)
        }
    }
}

extension SurveyRecorder {
    /// Adds what only shows at the end: keys that were never asked for, and those that were never sent.
    func finish() -> Survey {
        var slot = JSONDocument.root
        let end = document.next(after: slot)
        while slot < end {
            switch document.kind(of: slot) {
            case .object:
                let mark = marks[slot]
                if let place = mark.place, mark.isAsked, !mark.hasDataKeys, !mark.isIncomplete {
                    noteUnexpectedKeys(slot, place)
                }
                slot = document.first(in: slot)
            case .array: slot = document.first(in: slot)
            default: slot += 1
            }
        }
        for (index, place) in survey.places.places.enumerated() where place.isOptional && place.values == 0 {
            let parent = survey.places.places[place.parent]
            survey.note(Survey.Subject(kind: .absentKey, place: index), count: parent.objects) {
                Survey.Noted(
                    expected: nil, found: nil, offset: document.range(of: parent.firstObject).lowerBound)
            }
        }
        survey.locate(in: document)
        return survey
    }

    private func noteUnexpectedKeys(_ object: Int, _ place: Int) {
        let keys = document.keys(of: object)
        guard keys.contains(where: { !marks[$0 + 1].isKnown }) else { return }
        // Of several members with the same key the first is read, and the others are as good as not there.
        let read = Set(keys.compactMap { marks[$0 + 1].place })
        for key in keys where !marks[key + 1].isKnown {
            let name = FoldedPlaces.shortened(document.string(at: key) ?? "\u{FFFD}")
            if let known = survey.places.member(named: name, of: place), read.contains(known) { continue }
            note(.unexpectedKey, place, key, name: name, expected: nil, found: document.valueText(of: key + 1))
        }
    }
}

extension JSONDocument {
    /// The slots of an object's keys, each followed by that of its value.
    fileprivate func keys(of object: Int) -> some Sequence<Int> {
        sequence(state: (slot: first(in: object), left: count(of: object))) { state -> Int? in
            guard state.left > 0 else { return nil }
            defer { state = (self.next(after: state.slot + 1), state.left - 1) }
            return state.slot
        }
    }
}
