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
/// 4. As `$[*].name` has no value, ``ComparisonPlaces/notes`` tells of an absent key.
package final class ComparisonRecorder: DecodingObserver {
    package private(set) var observation = Observation.absentKeys
    /// The marks on the values that the model has asked for and read.
    package let marks: ReadMarks
    package let fitting = FittingValues()
    private let document: JSONDocument
    private let coding: Coding
    private let redact: ((String) -> String)?
    private var conversion: KeyConversion

    /// The places of the document with the positions of lists folded into one: `$.results[*].adult`.
    @exclusivity(unchecked) private var places = ComparisonPlaces()
    private var tally = ComparisonProblems()
    /// By slot: the values that an enum does not list, and for the first of them the values that it lists. A slot is the
    /// index of a value or a key in the document.
    private var unlisted: [Int: (path: PathNode?, expected: String?)] = [:]
    /// The slots of dictionaries whose places are not known, because there are too many places.
    private var unplacedDictionaries: Set<Int> = []
    /// By slot: whether the value was reported as one that does not fit.
    private var isReported: [Bool] = []
    /// By place: the slot of its first key in the document; -1 if the place is no member, or its key has not been met.
    @exclusivity(unchecked) private var firstKeys: [Int] = []

    /// Creates a recorder for the decoding of one document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - coding: The coding of the API, which tells how it writes keys and dates.
    ///   - redact: Removes secrets from the names of keys. Without it, long names that begin alike count as the same.
    package init(_ document: JSONDocument, coding: Coding, redact: ((String) -> String)? = nil) {
        self.document = document
        self.coding = coding
        self.redact = redact
        conversion = KeyConversion(coding.keys)
        marks = ReadMarks(document)
    }

    /// Decodes the model from the document, and records what the model asks for.
    ///
    /// Most documents fit, so decoding ends with the first error. Only then the model is decoded a second time, more
    /// slowly, with placeholders in place of values that do not fit: that finds the other errors too.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - check: Called at regular intervals. An error that it throws stops decoding.
    /// - Returns: The value, maybe with placeholders. Nil if it can't be made even with them.
    /// - Throws: Any error that is not a `DecodingError`, such as one of `check`.
    func decode<Model: Decodable>(_ model: Model.Type, check: (() throws -> Void)?) throws -> Model? {
        let decoder = JSONTextDecoder(coding: coding)
        do {
            return try decoder.decode(model, from: document, marks: marks, observer: self, check: check)
        } catch is DecodingError {
            observation = .mismatches
            isReported = Array(repeating: false, count: document.next(after: JSONDocument.root))
        }
        do {
            return try decoder.decode(model, from: document, marks: marks, observer: self, check: check)
        } catch is NoPlaceholder {
            return nil
        }
    }

    /// Completes the comparison after the model has been decoded.
    ///
    /// Walks through the document to count the values at each place, and to find the keys that the model did not ask
    /// for.
    package func finish() -> ResponseComparison {
        addUnlistedValues()
        count(JSONDocument.root, at: ComparisonPlaces.root)
        var survey = ResponseComparison()
        survey.problems = tally.problems(in: document, places)
        survey.places = places
        return survey
    }

    /// Adds a problem for each value that an enum of the model does not list.
    private func addUnlistedValues() {
        for (slot, value) in unlisted.sorted(by: { $0.key < $1.key }) {
            // A type may try several forms in turn. Only the values of the form that fitted are marked as read.
            guard marks.isRead(slot) else { continue }
            guard let place = place(value.path) else {
                tally.addUncounted(.unexpectedValue)
                continue
            }
            let found = document.valueText(of: slot)
            tally.add(.unexpectedValue, place: place, slot: slot, expected: value.expected, found: found)
        }
    }

    // MARK: While the model is decoded

    /// Records a key that the model asks for and an object of the document does not have.
    ///
    /// The key gets a place, `$.results[*].adult`, although it has no value in this object. A place that has no value
    /// in the end, and is optional, becomes a note on an absent key.
    package func didAsk(for key: any CodingKey, isOptional: Bool, of object: ValuePlace, member: Int?) {
        guard member == nil, object.knownSlot != nil, let parent = place(object.path) else { return }
        guard let child = child(key, of: parent, path: object.codingPath) else { return }
        if isOptional { places.nodes[child].isOptional = true }
    }

    /// Records that an object is a dictionary, whose keys are data. All its members share one place: `$.prices.*`.
    package func didAskForAllKeys(of object: ValuePlace, areData: Bool) {
        guard areData else { return }
        if let place = place(object.path) {
            places.nodes[place].isDictionary = true
        } else if let slot = object.knownSlot {
            unplacedDictionaries.insert(slot)
        }
    }

    /// Records a value that an enum of the model does not list.
    ///
    /// Whether it is a problem is only known at the end, because a type may try the enum as one of several forms.
    package func didReadUnknown(at place: ValuePlace, expected: @autoclosure () -> String?) {
        guard let slot = place.knownSlot else { return }
        // All values are counted, but only the first ones have a text of their own.
        unlisted[slot] = (place.path, unlisted.count < ResponseComparison.maxProblems ? expected() : nil)
    }

    /// Counts a value that does not fit the model, or a key that the model requires and an object does not have.
    ///
    /// A value may be refused several times while a type tries one form after the other, but is counted only once.
    ///
    /// - Parameters:
    ///   - error: The decoder's error, or that of a model's own `init(from:)`.
    ///   - place: The value that was decoded, or the object without the key.
    package func didRefuse(_ error: DecodingError, at place: ValuePlace) {
        let failure = DecodingFailure(error)
        // The index of the value in the document. A value that is not there can't be refused.
        guard let slot = failure.slot ?? place.knownSlot else { return }
        let foldedPlace = self.place(place.path)
        if case .missingKey(let key) = failure.kind {
            let keyPlace = foldedPlace.flatMap { child(key, of: $0, path: place.codingPath) }
            guard let keyPlace else { return tally.addUncounted(.missingKey) }
            tally.add(.missingKey, place: keyPlace, slot: slot)
            return
        }
        guard let foldedPlace else { return tally.addUncounted(.wrongValue) }
        let isDecodersOwn = failure.slot != nil
        if isDecodersOwn {
            countRefusal(failure, slot: slot, place: foldedPlace)
        } else {
            // The error of a model's own `init(from:)` may be about a value inside this one.
            let inner = innermostValue(failure.codingPath, from: slot, foldedPlace, depth: place.codingPath.count)
            countRefusal(failure, slot: inner.slot, place: inner.place)
        }
    }

    /// Counts a value that does not fit the model, unless it was counted before.
    ///
    /// - Parameters:
    ///   - failure: The error of decoding the value.
    ///   - slot: The index of the value in the document.
    ///   - place: The index of its folded place.
    private func countRefusal(_ failure: DecodingFailure, slot: Int, place: Int) {
        if isReported[slot] { return }
        isReported[slot] = true
        let isWrongType = if case .wrongType = failure.kind { true } else { false }
        tally.add(
            isWrongType ? .wrongType : .wrongValue, place: place, slot: slot,
            expected: failure.expected ?? failure.words, found: document.valueText(of: slot))
    }

    /// Follows a coding path from a value to one inside it, as far as the document has such values.
    ///
    /// - Parameters:
    ///   - codingPath: The keys from the top of the document to the value that is looked for.
    ///   - slot: The index in the document of the value to start from.
    ///   - place: The index of that value's folded place.
    ///   - depth: How many keys of `codingPath` lead to that value already.
    /// - Returns: The index in the document and the folded place of the last value on the path.
    private func innermostValue(
        _ codingPath: [any CodingKey], from slot: Int, _ place: Int, depth: Int
    ) -> (slot: Int, place: Int) {
        var slot = slot
        var place = place
        for (index, key) in codingPath.enumerated().dropFirst(depth) {
            guard let innerSlot = document.child(JSONPathComponent(key), of: slot) else { break }
            let innerPlace: Int?
            if document.kind(of: slot) == .array {
                innerPlace = places.child(.element, of: place)
            } else {
                innerPlace = child(key, of: place, path: Array(codingPath[..<index]))
            }
            guard let innerPlace else { break }
            slot = innerSlot
            place = innerPlace
        }
        return (slot, place)
    }

    // MARK: Folded places

    /// Returns the index of the folded place of a value: that of `$.results[*].adult` for `$.results[3].adult`.
    ///
    /// Each step of a path notes the index of its place once that is known. All elements of a list share the steps up
    /// to the list, so the place of each step is looked up only once.
    ///
    /// - Parameter path: The last step to the value; nil for the whole document.
    /// - Returns: The index; nil if there are too many places.
    private func place(_ path: PathNode?) -> Int? {
        guard let path else { return ComparisonPlaces.root }
        // A negative note means that the place of the step is not known yet.
        while path.note < 0 {
            // Go back to the first such step. Mostly there are one or two.
            var step = path
            while let previous = step.parent, previous.note < 0 { step = previous }
            guard let place = newPlace(step) else { return nil }
            step.note = Int32(truncatingIfNeeded: place)
        }
        return Int(path.note)
    }

    /// Returns the index of the folded place that a step leads to from a known place.
    ///
    /// - Parameter step: A step to a member or an element. The place of the step before it is known.
    /// - Returns: The index; nil if there are too many places.
    private func newPlace(_ step: PathNode) -> Int? {
        let parent = step.parent.map { Int($0.note) } ?? ComparisonPlaces.root
        guard let key = step.key else { return places.child(.element, of: parent) }
        return child(key, of: parent, path: PathNode.keys(step.parent))
    }

    /// Returns the index of the place of an object's member; nil if there are too many places.
    ///
    /// - Parameters:
    ///   - key: The key that the model asks for.
    ///   - parent: The index of the object's place.
    ///   - path: The keys that lead to the object, for a coding that converts a key depending on its path.
    private func child(_ key: any CodingKey, of parent: Int, path: @autoclosure () -> [any CodingKey]) -> Int? {
        if places.nodes[parent].isDictionary { return places.child(.member, of: parent) }
        return places.child(.key(key.stringValue), of: parent, name: coding.name(of: key, path: path()))
    }

    // MARK: After the model was decoded

    /// Counts a value and, if the model has asked for its members or elements, everything inside it.
    ///
    /// - Parameters:
    ///   - slot: The index of the value in the document.
    ///   - place: The index of its folded place; nil if there are too many places.
    private func count(_ slot: Int, at place: Int?) {
        if let place { places.nodes[place].values += 1 }
        guard marks.isOpened(slot) else { return }
        if case .object = document.kind(of: slot) {
            if let place { places.countObject(at: place) }
            countMembers(of: slot, at: place)
        } else {
            if let place { places.countList(at: place, elements: document.count(of: slot)) }
            countElements(of: slot, at: place)
        }
    }

    /// Counts the elements of a list, which share one place: `$.results[*]`. An empty list does not get that place.
    ///
    /// - Parameters:
    ///   - list: The index of the list in the document.
    ///   - place: The index of the list's folded place; nil if there are too many places.
    private func countElements(of list: Int, at place: Int?) {
        let end = document.next(after: list)
        var element = document.first(in: list)
        guard element < end else { return }
        let elementPlace = place.flatMap { places.child(.element, of: $0) }
        while element < end {
            count(element, at: elementPlace)
            element = document.next(after: element)
        }
    }

    /// Counts the members of an object that the model has asked for, and notes the others as unexpected keys.
    ///
    /// The keys of a dictionary are data, so none of them is unexpected, and all members share one place: `$.prices.*`.
    ///
    /// - Parameters:
    ///   - object: The index of the object in the document.
    ///   - place: The index of its folded place; nil if there are too many places.
    private func countMembers(of object: Int, at place: Int?) {
        let end = document.next(after: object)
        var key = document.first(in: object)
        guard key < end else { return }
        let isDictionary = place.map { places.nodes[$0].isDictionary } ?? unplacedDictionaries.contains(object)
        let sharedPlace = isDictionary ? place.flatMap { places.child(.member, of: $0) } : nil
        var askedKeys: Set<String>?
        while key < end {
            // In the document, a value comes right after its key.
            let value = key + 1
            if marks.isAsked(value) {
                count(value, at: isDictionary ? sharedPlace : place.flatMap { memberPlace(key, of: $0) })
            } else if !isDictionary {
                noteUnexpectedKey(key, of: object, at: place, &askedKeys)
            }
            key = document.next(after: value)
        }
    }

    /// Returns the place of a member that the model has asked for, by its key in the document.
    ///
    /// Most keys have been met in an earlier object, in the same order. These are found by comparing them as they are
    /// written, which is faster than to decode each key and convert it to that of the model.
    ///
    /// - Parameters:
    ///   - key: The index of the key in the document.
    ///   - object: The index of the object's folded place.
    /// - Returns: The index of the member's folded place; nil if there are too many places.
    private func memberPlace(_ key: Int, of object: Int) -> Int? {
        // `firstKeys` has the first key of each place in the document; -1 for a place whose key has not been met.
        let knownPlace = places.knownChild(of: object) { place, _ in
            place < firstKeys.count && firstKeys[place] >= 0 && document.isKey(key, as: firstKeys[place])
        }
        if let knownPlace { return knownPlace }

        let text = Self.keyText(key, in: document)
        let modelKey = conversion.modelKey(text, path: places.codingPath(object))
        guard let place = places.child(.key(modelKey), of: object, name: text) else { return nil }
        // A place without values was added for an absent key, under the name that the coding would write. The spelling
        // in the document is better.
        if places.nodes[place].values == 0 { places.nodes[place].name = ComparisonPlaces.shortened(text) }
        while firstKeys.count <= place { firstKeys.append(-1) }
        firstKeys[place] = key
        return place
    }

    /// Counts a key of the document that the model has not asked for.
    ///
    /// A key is not unexpected if its object has it twice: the decoder reads only the first of several members with the
    /// same key. Nor is it if the object's type has thrown, because the type may not have asked for all its keys.
    ///
    /// - Parameters:
    ///   - key: The index of the key in the document.
    ///   - object: The index of the object in the document.
    ///   - place: The index of the object's folded place; nil if there are too many places.
    ///   - askedKeys: The keys of the object that the model has asked for; nil until they are needed. The caller keeps
    ///     them, so that they are collected once for each object.
    private func noteUnexpectedKey(_ key: Int, of object: Int, at place: Int?, _ askedKeys: inout Set<String>?) {
        if marks.isIncomplete(object) { return }
        let text = Self.keyText(key, in: document)
        let knownKeys = askedKeys ?? self.askedKeys(of: object)
        askedKeys = knownKeys
        if knownKeys.contains(text) { return }
        guard let place else { return tally.addUncounted(.unexpectedKey) }
        tally.add(
            .unexpectedKey, place: place, slot: key, name: ComparisonPlaces.shortened(text, redact: redact),
            found: document.valueText(of: key + 1))
    }

    /// Returns the keys of an object in the document whose values the model has asked for.
    private func askedKeys(of object: Int) -> Set<String> {
        let askedValues = document.values(in: object).filter(marks.isAsked)
        // In the document, a key comes right before its value.
        return Set(askedValues.map { value in Self.keyText(value - 1, in: document) })
    }

    /// Returns the text of a key in the document; U+FFFD for a key with a lone surrogate, which no Swift string holds.
    static func keyText(_ key: Int, in document: JSONDocument) -> String {
        document.string(at: key) ?? "\u{FFFD}"
    }
}
