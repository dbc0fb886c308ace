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
///
/// A `PlaceIndex` is nil if the document has more places than are kept.
package final class ComparisonRecorder: DecodingObserver {
    /// A value that an enum of the model does not list.
    private struct UnlistedValue {
        /// The last step to the value; nil for the whole document.
        let path: PathNode?
        /// The values that the enum lists, in words; nil if enough other problems have such words.
        let expected: String?
    }

    /// A value of the document and its place.
    private struct PlacedValue {
        let value: DocumentIndex
        let place: PlaceIndex
        /// The number of coding keys that lead from the top of the document to the value.
        let depth: Int
    }

    package private(set) var observation = Observation.absentKeys
    /// The marks on the values that the model has asked for and read.
    package let marks: ReadMarks
    package let fitting = FittingValues()
    private let document: JSONDocument
    private let coding: Coding
    private let redact: ((String) -> String)?
    private var conversion: KeyConversion

    @exclusivity(unchecked) private var places = ComparisonPlaces()
    private var problems = ComparisonProblems()
    /// The values that enums do not list, by their indexes in the document.
    private var unlistedValues: [Int: UnlistedValue] = [:]
    /// The dictionaries in the document whose places are not kept, because there are too many places.
    private var dictionariesWithoutPlace: Set<Int> = []
    /// Whether each value of the document was reported as one that does not fit. Empty until the first such value.
    private var isReported: [Bool] = []
    /// By place: the index in the document of the first key of that place; -1 if the place is no member, or its key has
    /// not been met.
    @exclusivity(unchecked) private var firstKeys: [Int] = []

    /// Creates a recorder for the decoding of one document.
    ///
    /// - Parameters:
    ///   - document: The document that is decoded.
    ///   - coding: How the API writes keys and dates.
    ///   - redact: Removes secrets from the names of keys. Without it, long names that begin alike are counted as one.
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
    ///   - model: The type to decode.
    ///   - check: Called at regular intervals, and throws an error to stop decoding; nil if nothing stops it.
    /// - Returns: The value, maybe with placeholders. Nil if it can't be made even with them.
    /// - Throws: Any error that is not a `DecodingError`, such as one of `check`.
    func decode<Model: Decodable>(_ model: Model.Type, check: (() throws -> Void)?) throws -> Model? {
        do {
            return try decodeObserved(model, check: check)
        } catch is DecodingError {
            observeMismatches()
        }
        do {
            return try decodeObserved(model, check: check)
        } catch is NoPlaceholder {
            return nil
        }
    }

    /// Decodes the model once, while this recorder observes the decoder.
    private func decodeObserved<Model: Decodable>(_ model: Model.Type, check: (() throws -> Void)?) throws -> Model {
        let decoder = JSONTextDecoder(coding: coding)
        return try decoder.decode(model, from: document, marks: marks, observer: self, check: check)
    }

    /// Tells the decoder to go on with a placeholder after a value that does not fit, from the next decoding on.
    private func observeMismatches() {
        observation = .mismatches
        let valueCount = document.next(after: JSONDocument.root)
        isReported = Array(repeating: false, count: valueCount)
    }

    /// Completes the comparison after the model has been decoded, and returns its result.
    ///
    /// Two kinds of problems are only known now:
    ///
    /// - A value that an enum of the model does not list. During the decoding, another type could still have read it.
    /// - A key that the model never asked for. A walk through the document finds such keys, and also counts the values
    ///   at each place.
    package func finish() -> ResponseComparison {
        addProblemsWithUnlistedValues()
        countValuesAndUnexpectedKeys(in: JSONDocument.root, at: ComparisonPlaces.root)
        var comparison = ResponseComparison()
        comparison.problems = problems.report(on: document, places: places)
        comparison.places = places
        return comparison
    }

    /// Adds a problem of the kind `unexpected-value` for each value that an enum of the model does not list.
    private func addProblemsWithUnlistedValues() {
        for (value, unlisted) in unlistedValues.sorted(by: { $0.key < $1.key }) {
            // A type may try to decode a value in several ways. Only the values that it used are marked as read.
            let wasUsed = marks.isRead(value)
            if !wasUsed { continue }
            problems.add(
                .unexpectedValue, place: findOrAddPlace(at: unlisted.path), value: value, expected: unlisted.expected,
                found: document.valueText(of: value))
        }
    }

    // MARK: While the model is decoded

    /// Records a key that the model asks for, if the object does not have it.
    ///
    /// The missing key gets a place, such as `$.results[*].adult`, although it has no value in this object. An optional
    /// place that has no value in the end becomes a note on an absent key.
    ///
    /// - Parameters:
    ///   - key: The key of the model.
    ///   - isOptional: Whether the model accepts that the key is absent.
    ///   - object: The place of the object.
    ///   - member: The index of the key's value in the document; nil if the object does not have the key.
    package func didAsk(for key: any CodingKey, isOptional: Bool, of object: ValuePlace, member: Int?) {
        // The decoder may also ask a value that it has made up.
        let isObjectInDocument = object.knownSlot != nil
        let isKeyAbsent = isObjectInDocument && member == nil
        guard isKeyAbsent, let objectPlace = findOrAddPlace(at: object.path) else { return }
        let memberPlace = findOrAddMemberPlace(forModelKey: key, of: objectPlace, objectPath: object.codingPath)
        guard let memberPlace else { return }
        if isOptional { places.nodes[memberPlace].isOptional = true }
    }

    /// Records that an object is a dictionary, whose keys are data. All its members share one place: `$.prices.*`.
    package func didAskForAllKeys(of object: ValuePlace, areData: Bool) {
        guard areData else { return }
        if let objectPlace = findOrAddPlace(at: object.path) {
            places.nodes[objectPlace].isDictionary = true
        } else if let index = object.knownSlot {
            dictionariesWithoutPlace.insert(index)
        }
    }

    /// Records a value that an enum of the model does not list.
    ///
    /// A type may try several enums in turn, so it is only known at the end whether the value is a problem.
    package func didReadUnknown(at place: ValuePlace, expected: @autoclosure () -> String?) {
        guard let value = place.knownSlot else { return }
        // Each problem shows the words of its first value. So no more words are needed than problems are kept.
        let needsWords = unlistedValues.count < ResponseComparison.maxProblems
        unlistedValues[value] = UnlistedValue(path: place.path, expected: needsWords ? expected() : nil)
    }

    /// Counts a value that does not fit the model, or a key that the model requires and an object does not have.
    ///
    /// - Parameters:
    ///   - error: The decoder's error, or that of a model's own `init(from:)`.
    ///   - valuePlace: The place of the value that was decoded, or of the object without the key.
    package func didRefuse(_ error: DecodingError, at valuePlace: ValuePlace) {
        let failure = DecodingFailure(error)
        // A value that the decoder has made up is not in the document, and can't be refused.
        guard let value = failure.slot ?? valuePlace.knownSlot else { return }
        if case .missingKey(let key) = failure.kind {
            addMissingKey(key, in: value, at: valuePlace)
            return
        }
        guard let place = findOrAddPlace(at: valuePlace.path) else {
            // A problem without a place is not kept, and its kind is not shown. Any kind of a value that does not fit
            // will do.
            problems.noteOmission(of: .wrongValue)
            return
        }
        // Only the decoder's own errors have the index of the value in the document.
        let isErrorOfDecoder = failure.slot != nil
        if isErrorOfDecoder {
            countRefusal(failure, value: value, place: place)
        } else {
            // The error of a model's own `init(from:)` may be about a value inside this one.
            let decodedValue = PlacedValue(value: value, place: place, depth: valuePlace.codingPath.count)
            let culprit = findInnermostValue(on: failure.codingPath, from: decodedValue)
            countRefusal(failure, value: culprit.value, place: culprit.place)
        }
    }

    /// Counts a key that the model requires and an object does not have.
    private func addMissingKey(_ key: any CodingKey, in object: DocumentIndex, at valuePlace: ValuePlace) {
        let objectPlace = findOrAddPlace(at: valuePlace.path)
        let keyPlace = findOrAddMemberPlace(forModelKey: key, of: objectPlace, objectPath: valuePlace.codingPath)
        problems.add(.missingKey, place: keyPlace, value: object)
    }

    /// Adds the problem that a value does not fit the model, such as a string for a number, and marks the value as
    /// reported.
    ///
    /// A type may try to decode a value in several ways, and the decoder then refuses the value several times. It is
    /// counted once.
    ///
    /// - Parameters:
    ///   - failure: The error of decoding the value.
    ///   - value: The index of the value in the document.
    ///   - place: The value's place, such as `$.results[*].adult`.
    private func countRefusal(_ failure: DecodingFailure, value: DocumentIndex, place: PlaceIndex) {
        if isReported[value] { return }
        isReported[value] = true
        let kind: CheckProblem.Kind
        switch failure.kind {
        case .wrongType: kind = .wrongType
        // A missing key does not come here, because it is no problem of a value.
        case .wrongValue, .missingKey: kind = .wrongValue
        }
        problems.add(
            kind, place: place, value: value, expected: failure.expected ?? failure.errorDescription,
            found: document.valueText(of: value))
    }

    /// Finds the value that a coding path leads to, or else the last value on the path that the document has.
    ///
    /// For example, the coding path `results`, `3`, `adult` may be followed from the value of `results`. The places on
    /// the way are added if they are new.
    ///
    /// - Parameters:
    ///   - codingPath: The keys from the top of the document to the value that is looked for.
    ///   - start: The value on the path from where the search begins.
    private func findInnermostValue(on codingPath: [any CodingKey], from start: PlacedValue) -> PlacedValue {
        var innermost = start
        // The first keys of the path lead to the start.
        for (depth, key) in codingPath.enumerated().dropFirst(start.depth) {
            guard let innerValue = document.child(JSONPathComponent(key), of: innermost.value) else { break }
            let innerPlace: PlaceIndex?
            if document.kind(of: innermost.value) == .array {
                innerPlace = places.findOrAddChild(.element, of: innermost.place)
            } else {
                innerPlace = findOrAddMemberPlace(
                    forModelKey: key, of: innermost.place, objectPath: Array(codingPath[..<depth]))
            }
            // The document may have more places than are kept.
            guard let innerPlace else { break }
            innermost = PlacedValue(value: innerValue, place: innerPlace, depth: depth + 1)
        }
        return innermost
    }

    // MARK: Places

    /// Returns the place that a path leads to, and adds it if it is new. For example, `$.results[3].adult` leads to the
    /// place `$.results[*].adult`, which all elements of the list share.
    ///
    /// The place of each step of the path is noted in the step itself, as its ``PathNode/knownPlace``. All elements of
    /// a list share the steps up to the list, so the place of each step is looked up only once.
    ///
    /// - Parameter path: The last step of the path; nil for the whole document.
    /// - Returns: The place; nil if the document has more places than are kept.
    private func findOrAddPlace(at path: PathNode?) -> PlaceIndex? {
        guard let path else { return ComparisonPlaces.root }
        // Each round finds the place of one more step.
        while path.knownPlace == nil {
            // Go back to the first step whose place is not known. Mostly there are one or two.
            var firstUnknownStep = path
            while let previous = firstUnknownStep.parent, previous.knownPlace == nil { firstUnknownStep = previous }
            guard let place = findOrAddPlace(ofSingleStep: firstUnknownStep) else { return nil }
            firstUnknownStep.knownPlace = place
        }
        return path.knownPlace
    }

    /// Returns the place that a single step leads to, and adds it if it is new.
    ///
    /// - Parameter step: A step to a member or an element. The place of the step before it is known.
    /// - Returns: The place; nil if the document has more places than are kept.
    private func findOrAddPlace(ofSingleStep step: PathNode) -> PlaceIndex? {
        let parent = step.parent?.knownPlace ?? ComparisonPlaces.root
        // Only a step to an element has no key.
        guard let key = step.key else { return places.findOrAddChild(.element, of: parent) }
        return findOrAddMemberPlace(forModelKey: key, of: parent, objectPath: PathNode.keys(step.parent))
    }

    /// Returns the place of an object's member, and adds it if it is new: `$.results[*].adult` for the key `adult` of
    /// an object at `$.results[*]`. All values of a dictionary share a place.
    ///
    /// - Parameters:
    ///   - key: The key that the model asks for.
    ///   - parent: The place of the object; nil if the document has more places than are kept.
    ///   - objectPath: The keys that lead to the object. Some codings convert a key depending on its path.
    /// - Returns: The place; nil if the document has more places than are kept.
    private func findOrAddMemberPlace(
        forModelKey key: any CodingKey, of parent: PlaceIndex?, objectPath: @autoclosure () -> [any CodingKey]
    ) -> PlaceIndex? {
        guard let parent else { return nil }
        if places.nodes[parent].isDictionary { return places.findOrAddChild(.dictionaryValue, of: parent) }
        return places.findOrAddChild(.key(key.stringValue), of: parent, name: coding.name(of: key, path: objectPath()))
    }

    // MARK: After the model was decoded

    /// Counts a value of the document at its place, and adds a problem for each key in it that the model has not asked
    /// for. If the model has read the value part by part, the values inside it are counted too.
    ///
    /// An object or list that the model has read as a whole, for example as any JSON, is a single value.
    ///
    /// - Parameters:
    ///   - value: The value in the document.
    ///   - place: Its place, such as `$.results[*]`; nil if the document has more places than are kept.
    private func countValuesAndUnexpectedKeys(in value: DocumentIndex, at place: PlaceIndex?) {
        if let place { places.nodes[place].valueCount += 1 }
        let isReadByParts = marks.isOpened(value)
        guard isReadByParts else { return }
        if case .object = document.kind(of: value) {
            if let place { places.countObject(at: place) }
            countMembers(of: value, at: place)
        } else {
            if let place { places.countList(at: place, elementCount: document.count(of: value)) }
            countElements(of: value, at: place)
        }
    }

    /// Counts the elements of a list, which share one place: `$.results[*]`. An empty list does not get that place.
    ///
    /// - Parameters:
    ///   - list: The list in the document.
    ///   - place: The place of the list; nil if the document has more places than are kept.
    private func countElements(of list: DocumentIndex, at place: PlaceIndex?) {
        let listEnd = document.next(after: list)
        var element = document.first(in: list)
        guard element < listEnd else { return }
        let elementPlace = places.findOrAddChild(.element, of: place)
        while element < listEnd {
            countValuesAndUnexpectedKeys(in: element, at: elementPlace)
            element = document.next(after: element)
        }
    }

    /// Counts the members of an object that the model has asked for, and notes the others as unexpected keys.
    ///
    /// - Parameters:
    ///   - object: The object in the document.
    ///   - place: Its place, such as `$.results[*]`; nil if the document has more places than are kept.
    private func countMembers(of object: DocumentIndex, at place: PlaceIndex?) {
        let objectEnd = document.next(after: object)
        var key = document.first(in: object)
        guard key < objectEnd else { return }
        if isDictionary(object, at: place) {
            countValues(ofDictionary: object, at: place)
            return
        }
        var unaskedKeys: [DocumentIndex] = []
        while key < objectEnd {
            let value = document.valueIndex(ofKey: key)
            if marks.isAsked(value) {
                let memberPlace = findOrAddMemberPlace(of: key, inside: place)
                countValuesAndUnexpectedKeys(in: value, at: memberPlace)
            } else {
                unaskedKeys.append(key)
            }
            key = document.next(after: value)
        }
        if !unaskedKeys.isEmpty { addUnexpectedKeys(among: unaskedKeys, of: object, at: place) }
    }

    /// Whether the model has decoded an object as a dictionary, also if its place is nil because there are too many.
    private func isDictionary(_ object: DocumentIndex, at place: PlaceIndex?) -> Bool {
        guard let place else { return dictionariesWithoutPlace.contains(object) }
        return places.nodes[place].isDictionary
    }

    /// Counts the values of a dictionary, which share one place: `$.prices.*`. Its keys are data and never unexpected.
    ///
    /// - Parameters:
    ///   - dictionary: The dictionary in the document.
    ///   - place: The place of the dictionary; nil if the document has more places than are kept.
    private func countValues(ofDictionary dictionary: DocumentIndex, at place: PlaceIndex?) {
        let valuePlace = places.findOrAddChild(.dictionaryValue, of: place)
        // A value that the model has not asked for is not counted, such as the second one with the same key.
        for value in document.values(in: dictionary) where marks.isAsked(value) {
            countValuesAndUnexpectedKeys(in: value, at: valuePlace)
        }
    }

    /// Returns the place of an object's member, such as `$.results[*].title` for the key `title` of an object at
    /// `$.results[*]`. A new place is added.
    ///
    /// Most keys have been met in an earlier object, in the same order. These are found by comparing them as they are
    /// written, which is faster than to decode each key and convert it to that of the model.
    ///
    /// - Parameters:
    ///   - key: The key in the document.
    ///   - objectPlace: The place of the object around it; nil if the document has more places than are kept.
    /// - Returns: The member's place; nil if the document has more places than are kept.
    private func findOrAddMemberPlace(of key: DocumentIndex, inside objectPlace: PlaceIndex?) -> PlaceIndex? {
        guard let objectPlace else { return nil }
        let existingPlace = places.findChild(of: objectPlace) { place, _ in isKey(key, ofPlace: place) }
        return existingPlace ?? findOrAddMemberPlace(ofFirstKey: key, inside: objectPlace)
    }

    /// Whether a key is written like the first key of a place in the document.
    @inline(__always)
    private func isKey(_ key: DocumentIndex, ofPlace place: PlaceIndex) -> Bool {
        guard place < firstKeys.count, firstKeys[place] >= 0 else { return false }
        return document.isKey(key, as: firstKeys[place])
    }

    /// Returns the place of an object's member when its key is met for the first time, and remembers the key.
    ///
    /// The place exists already if the model asked for the key in an object that lacks it. Otherwise it is added.
    ///
    /// - Parameters:
    ///   - key: The key in the document.
    ///   - objectPlace: The place of the object around it.
    /// - Returns: The member's place; nil if the document has more places than are kept.
    private func findOrAddMemberPlace(ofFirstKey key: DocumentIndex, inside objectPlace: PlaceIndex) -> PlaceIndex? {
        let keyText = document.keyText(at: key)
        let modelKey = conversion.modelKey(keyText, path: places.codingPath(objectPlace))
        guard let place = places.findOrAddChild(.key(modelKey), of: objectPlace, name: keyText) else { return nil }
        let hadOnlyAbsentKeys = places.nodes[place].valueCount == 0
        if hadOnlyAbsentKeys {
            // So far the place has the name that the API would write. The document may spell it in another way.
            places.nodes[place].name = ComparisonPlaces.shortened(keyText)
        }
        rememberFirstKey(key, ofPlace: place)
        return place
    }

    /// Remembers the first key in the document that leads to a place.
    private func rememberFirstKey(_ key: DocumentIndex, ofPlace place: PlaceIndex) {
        // The places without a key of their own, up to this one, have -1.
        while firstKeys.count <= place { firstKeys.append(-1) }
        firstKeys[place] = key
    }

    /// Adds a problem for each unexpected key of an object.
    ///
    /// A key that the model has not asked for is unexpected, with two exceptions:
    ///
    /// - A key that the object has twice, because the decoder reads only the first member with it.
    /// - The keys of an object whose type has thrown, because the type may not have asked for all its keys.
    ///
    /// - Parameters:
    ///   - unaskedKeys: The keys in the document whose values the model has not asked for.
    ///   - object: The object in the document.
    ///   - place: The object's place, such as `$.results[*]`; nil if the document has more places than are kept.
    private func addUnexpectedKeys(
        among unaskedKeys: [DocumentIndex], of object: DocumentIndex, at place: PlaceIndex?
    ) {
        let hasTypeThrown = marks.isIncomplete(object)
        if hasTypeThrown { return }
        let askedKeys = collectAskedKeys(of: object)
        for key in unaskedKeys {
            let isRepeated = askedKeys.contains(document.keyText(at: key))
            if isRepeated { continue }
            problems.addUnexpectedKey(key, in: document, ofObjectAt: place, redact: redact)
        }
    }

    /// Returns the keys of an object in the document whose values the model has asked for.
    private func collectAskedKeys(of object: DocumentIndex) -> Set<String> {
        let askedValues = document.values(in: object).filter(marks.isAsked)
        return Set(askedValues.map { value in document.keyText(at: document.keyIndex(ofMember: value)) })
    }
}

extension PathNode {
    /// The place that the step leads to; nil if a ``ComparisonRecorder`` has not noted it yet.
    fileprivate var knownPlace: PlaceIndex? {
        get { note < 0 ? nil : Int(note) }
        set { note = Int32(truncatingIfNeeded: newValue ?? -1) }
    }
}
