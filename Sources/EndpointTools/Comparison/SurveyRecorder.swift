import EndpointKit
import JSONText

/// Compares one document with what a model asks of it, while the model is decoded.
///
/// The comparison has two parts. While the model is decoded, the recorder notes what the decoder reports: keys that
/// are missing and values that do not fit. Afterwards, ``finish()`` walks through the document and looks at the marks
/// that the decoder left on each value: a member without a mark was not asked for. For example, with a model of `id`
/// and `name?`:
///
///     [{"id": 1, "extra": true}, {"id": "x"}]
///
/// 1. The decoder refuses `"x"`: a `wrong-type` at `$[*].id`. It goes on with another value in its place.
/// 2. It asks for `name`, which is not there and may be absent: the place `$[*].name` becomes optional.
/// 3. The walk counts two values of `$[*].id`, and finds that `extra` has no mark: an `unexpected-key` at `$[*].extra`.
/// 4. As `$[*].name` has no value, ``FoldedPlaces/notes`` tells of an absent key.
package final class SurveyRecorder: DecodingObserver {
    package private(set) var observation = Observation.absentKeys
    /// The marks on the values that the model has asked for and read.
    package let marks: ReadMarks
    package let fitting = FittingValues()
    private let document: JSONDocument
    private let coding: Coding
    private let redact: ((String) -> String)?
    private var conversion: KeyConversion

    @exclusivity(unchecked) private var places = FoldedPlaces()
    private var tally = ProblemTally()
    /// By slot: the values that an enum does not list, and the values that it lists.
    private var unlisted: [Int: (path: PathNode?, expected: String?)] = [:]
    /// By slot: whether the value was reported as one that does not fit.
    private var isReported: [Bool] = []
    /// By place: the slot of its first key in the document; -1 if the place is no member, or its key has not been met.
    @exclusivity(unchecked) private var firstKeys: [Int] = []

    /// Creates a recorder for the decoding of one document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - coding: The coding of the API.
    ///   - redact: Takes secrets out of the names of keys. Without it, long names that begin alike count as the same.
    package init(_ document: JSONDocument, coding: Coding, redact: ((String) -> String)? = nil) {
        self.document = document
        self.coding = coding
        self.redact = redact
        conversion = KeyConversion(coding.keys)
        marks = ReadMarks(document)
    }

    /// Decodes the model as far as it goes.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - check: Called at regular intervals. An error that it throws stops decoding.
    /// - Returns: The value; nil if the document does not fit the model.
    /// - Throws: Errors of the decoder that are not about the model, and of `check`.
    func decode<Model: Decodable>(_ model: Model.Type, check: (() throws -> Void)?) throws -> Model? {
        let decoder = JSONTextDecoder(coding: coding)
        do {
            return try decoder.decode(model, from: document, marks: marks, observer: self, check: check)
        } catch is DecodingError {
            // Once more, to the end, as there may be more that does not fit.
            observation = .mismatches
            isReported = Array(repeating: false, count: document.next(after: JSONDocument.root))
            do {
                return try decoder.decode(model, from: document, marks: marks, observer: self, check: check)
            } catch is NoPlaceholder {
                return nil
            }
        }
    }

    /// Returns the comparison, with the keys that were never asked for, those that were never sent, and how many
    /// values there were of each.
    package func finish() -> Survey {
        for (slot, value) in unlisted.sorted(by: { $0.key < $1.key }) {
            // A type may have tried the enum as one of its forms, and then read another one.
            guard marks.isRead(slot), let place = place(value.path) else { continue }
            let found = document.valueText(of: slot)
            tally.add(.unexpectedValue, place: place, slot: slot, expected: value.expected, found: found)
        }
        count(JSONDocument.root, at: FoldedPlaces.root)
        var survey = Survey()
        survey.problems = tally.problems(in: document, places)
        survey.places = places
        return survey
    }

    // MARK: While the model is decoded

    /// Notes the place of a key that is not there, and whether it may be absent.
    package func didAsk(for key: any CodingKey, isOptional: Bool, of object: ValuePlace, member: Int?) {
        guard member == nil, object.knownSlot != nil, let parent = place(object.path) else { return }
        guard let child = child(key, of: parent, path: object.codingPath) else { return }
        if isOptional { places.nodes[child].isOptional = true }
    }

    /// Notes a dictionary, whose keys are one place.
    package func didAskForAllKeys(of object: ValuePlace, areData: Bool) {
        if areData, let place = place(object.path) { places.nodes[place].isDictionary = true }
    }

    /// Notes a value that an enum does not list. Whether the model keeps it is only known at the end.
    package func didReadUnknown(at place: ValuePlace, expected: @autoclosure () -> String?) {
        guard let slot = place.knownSlot, unlisted.count < Survey.maxProblems else { return }
        unlisted[slot] = (place.path, expected())
    }

    /// Counts a value that does not fit, once for each value, or a key that is missing.
    package func didRefuse(_ error: DecodingError, at place: ValuePlace) {
        let failure = DecodingFailure(error)
        guard var slot = failure.slot ?? place.knownSlot, var folded = self.place(place.path) else { return }
        if case .missingKey(let key) = failure.kind {
            guard let child = child(key, of: folded, path: place.codingPath) else { return }
            return tally.add(.missingKey, place: child, slot: slot)
        }
        if failure.slot == nil {
            // The error was made by a model's own `init(from:)`, and may be about a value inside this one.
            (slot, folded) = innermost(failure.codingPath, from: slot, folded, depth: place.codingPath.count)
        }
        guard !isReported[slot] else { return }
        isReported[slot] = true
        let isWrongType = if case .wrongType = failure.kind { true } else { false }
        tally.add(
            isWrongType ? .wrongType : .wrongValue, place: folded, slot: slot,
            expected: failure.expected ?? failure.words, found: document.valueText(of: slot))
    }

    /// Returns the value that a coding path leads to, as far as there is one.
    ///
    /// - Parameters:
    ///   - codingPath: The path from the top of the document.
    ///   - slot: The value to start from.
    ///   - place: The folded place of that value.
    ///   - depth: How many keys lead to it.
    /// - Returns: The slot and the folded place of the value.
    private func innermost(
        _ codingPath: [any CodingKey], from slot: Int, _ place: Int, depth: Int
    ) -> (slot: Int, place: Int) {
        var slot = slot
        var place = place
        for (index, key) in codingPath.enumerated().dropFirst(depth) {
            let isElement = document.kind(of: slot) == .array
            guard let inner = document.child(JSONPathComponent(key), of: slot) else { break }
            let path = Array(codingPath[..<index])
            let child = isElement ? places.child(.element, of: place) : child(key, of: place, path: path)
            guard let child else { break }
            slot = inner
            place = child
        }
        return (slot, place)
    }

    // MARK: Folded places

    /// Returns the index of the folded place at the end of a path; nil if there are too many places.
    ///
    /// The index is noted in the path's nodes, which all elements of an array share: a path is folded once.
    private func place(_ path: PathNode?) -> Int? {
        guard let path else { return FoldedPlaces.root }
        while path.note < 0 {
            // The first step whose place is not known yet. Mostly there are one or two.
            var node = path
            while let parent = node.parent, parent.note < 0 { node = parent }
            let parent = node.parent.map { Int($0.note) } ?? FoldedPlaces.root
            let place =
                if let key = node.key {
                    child(key, of: parent, path: PathNode.keys(node.parent))
                } else {
                    places.child(.element, of: parent)
                }
            guard let place else { return nil }
            node.note = Int32(truncatingIfNeeded: place)
        }
        return Int(path.note)
    }

    /// Returns the index of the place of the member that a model's key leads to; nil if there are too many places.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - parent: The index of the object's place.
    ///   - path: The keys that lead to the object, which a key conversion may look at.
    private func child(_ key: any CodingKey, of parent: Int, path: @autoclosure () -> [any CodingKey]) -> Int? {
        if places.nodes[parent].isDictionary { return places.child(.member, of: parent) }
        return places.child(.key(key.stringValue), of: parent, name: coding.name(of: key, path: path()))
    }

    // MARK: After the model was decoded

    /// Counts a value, and what is inside it if the model has opened it.
    private func count(_ slot: Int, at place: Int) {
        places.nodes[place].values += 1
        guard marks.isOpened(slot) else { return }
        if case .object = document.kind(of: slot) {
            places.countObject(at: place)
            countMembers(of: slot, at: place)
        } else {
            places.countList(at: place, elements: document.count(of: slot))
            countElements(of: slot, at: place)
        }
    }

    private func countElements(of list: Int, at place: Int) {
        let end = document.next(after: list)
        var slot = document.first(in: list)
        // The place is only made if there is an element.
        guard slot < end, let elements = places.child(.element, of: place) else { return }
        while slot < end {
            count(slot, at: elements)
            slot = document.next(after: slot)
        }
    }

    /// Counts the members of an object that the model has asked for. The others are unexpected, unless the object is a
    /// dictionary.
    private func countMembers(of object: Int, at place: Int) {
        let end = document.next(after: object)
        var key = document.first(in: object)
        guard key < end else { return }
        let isDictionary = places.nodes[place].isDictionary
        let members = isDictionary ? places.child(.member, of: place) : nil
        var askedKeys: Set<String>?
        while key < end {
            // The value is in the slot after its key.
            let value = key + 1
            if marks.isAsked(value) {
                if let member = isDictionary ? members : member(key, of: place) { count(value, at: member) }
            } else if !isDictionary {
                noteUnexpectedKey(key, of: object, at: place, &askedKeys)
            }
            key = document.next(after: value)
        }
    }

    /// Returns the place of the member with a key; nil if there are too many places.
    ///
    /// - Parameters:
    ///   - key: The slot of the key.
    ///   - object: The index of the object's place.
    private func member(_ key: Int, of object: Int) -> Int? {
        // Most keys are known and come in the same order, so they are compared as they are written.
        let known = places.knownChild(of: object) { place, _ in
            place < firstKeys.count && firstKeys[place] >= 0 && document.isKey(key, as: firstKeys[place])
        }
        if let known { return known }

        let text = Self.keyText(key, in: document)
        let modelKey = conversion.modelKey(text, path: places.codingPath(object))
        guard let place = places.child(.key(modelKey), of: object, name: text) else { return nil }
        // A place that was made for an absent key has the name that the coding would write. The text's own spelling is
        // better.
        if places.nodes[place].values == 0 { places.nodes[place].name = FoldedPlaces.shortened(text) }
        while firstKeys.count <= place { firstKeys.append(-1) }
        firstKeys[place] = key
        return place
    }

    /// Counts a key that the model has not asked for.
    ///
    /// - Parameters:
    ///   - key: The slot of the key.
    ///   - object: The slot of the object.
    ///   - place: The index of the object's place.
    ///   - askedKeys: The keys of the object that the model has asked for. They are collected once for each object.
    private func noteUnexpectedKey(_ key: Int, of object: Int, at place: Int, _ askedKeys: inout Set<String>?) {
        // A type that threw may not have asked for all its keys.
        if marks.isIncomplete(object) { return }
        let text = Self.keyText(key, in: document)
        let asked = askedKeys ?? self.askedKeys(of: object)
        askedKeys = asked
        // The key may be there twice. The decoder reads the first of several members with the same key.
        if asked.contains(text) { return }
        tally.add(
            .unexpectedKey, place: place, slot: key, name: FoldedPlaces.shortened(text, redact: redact),
            found: document.valueText(of: key + 1))
    }

    private func askedKeys(of object: Int) -> Set<String> {
        let asked = document.values(in: object).filter(marks.isAsked)
        return Set(asked.map { Self.keyText($0 - 1, in: document) })
    }

    /// Returns the text of a key. A key with a lone surrogate has no text in Swift.
    private static func keyText(_ key: Int, in document: JSONDocument) -> String {
        document.string(at: key) ?? "\u{FFFD}"
    }
}
