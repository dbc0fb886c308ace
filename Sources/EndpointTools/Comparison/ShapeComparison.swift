import EndpointKit
import JSONText

extension ResponseComparison {
    /// Compares a document with a shape, such as that of a schema, which no Swift type stands for.
    ///
    /// The comparison is like that of a model with the same shape, with two differences. A member that is null fits
    /// only if its shape is nullable, also if the member may be absent. And a value that has several alternatives is
    /// compared with the closest one; see ``ClosestAlternative``.
    ///
    /// - Parameters:
    ///   - document: The response's body.
    ///   - shape: The shape.
    ///   - redact: Removes secrets from the names of keys. Without it, long names with the same beginning count as the
    ///     same.
    ///   - check: Called at regular intervals. An error that it throws stops the comparison.
    /// - Returns: The comparison, also if the document does not fit at all.
    /// - Throws: The error of `check`.
    package static func of(
        _ document: JSONDocument, as shape: ModelShape, redact: ((String) -> String)? = nil,
        check: (() throws -> Void)? = nil
    ) throws -> ResponseComparison {
        var comparison = ShapeComparison(document, with: shape, redact: redact, check: check)
        try comparison.compare()
        return comparison.result
    }
}

/// Walks through a document and a shape side by side, and notes where they differ.
///
/// The walk is a loop and not a recursion, because a server decides how deep its documents are. Each value is compared
/// once, so that the time is in proportion to the document.
///
/// All elements of a list share a place, such as `$.results[*].adult`. A `PlaceIndex` is nil if the document has more
/// places than are kept.
struct ShapeComparison {
    /// The most cases of an enum with associated values that a message lists, as with the values of other enums.
    private static let maxListedCases = 20

    /// Values of a document that follow each other and share a place: the elements of a list from one on, or a single
    /// member.
    private struct PendingValues {
        /// The first of the values.
        var next: DocumentIndex
        /// The index after the last value.
        let end: DocumentIndex
        /// Everything that each of the values may be.
        let alternatives: ShapeAlternatives
        /// The place of each of the values; nil if there are too many places.
        let place: PlaceIndex?
    }

    /// An object of the shape at a place.
    private struct PlacedObject: Hashable {
        let place: PlaceIndex?
        let alternative: ObjectIdentifier
    }

    /// The members of objects at a place, by their indexes in ``ObjectAlternative/members``.
    private struct NamedMembers {
        /// The place of each member; nil if there are too many places.
        let places: [PlaceIndex?]
        /// The last object in the document that had each member; -1 if none had it.
        private var lastObjects: [DocumentIndex]

        init(places: [PlaceIndex?]) {
            self.places = places
            lastObjects = Array(repeating: -1, count: places.count)
        }

        /// Whether an object has a member, as far as it has been compared.
        func isPresent(_ member: Int, in object: DocumentIndex) -> Bool { lastObjects[member] == object }

        /// Notes that an object has a member. Objects are compared one after the other.
        mutating func notePresence(of member: Int, in object: DocumentIndex) { lastObjects[member] = object }
    }

    /// The members of an object under keys that its shape does not name. If a key comes twice, the first member counts.
    private struct OtherMembers {
        /// The members' values.
        private(set) var values: [DocumentIndex] = []
        private var keys: Set<String> = []

        /// Adds the value of a member, unless its key came before.
        mutating func add(_ value: DocumentIndex, key: String) {
            let isFirst = keys.insert(key).inserted
            if isFirst { values.append(value) }
        }
    }

    private let document: JSONDocument
    private let redact: ((String) -> String)?
    /// The owner of all alternatives, which refer to each other without owning.
    private let store: AlternativesStore
    /// Everything that the whole document may be.
    private let rootAlternatives: ShapeAlternatives
    private let steps: ComparisonSteps
    private let closestAlternative: ClosestAlternative
    private var places = ComparisonPlaces()
    private var problems = ComparisonProblems()
    private var namedMembers: [PlacedObject: NamedMembers] = [:]
    /// The values that have not been compared yet, the next one last.
    private var pending: [PendingValues] = []

    /// Prepares to compare a document with a shape.
    ///
    /// - Parameters:
    ///   - redact: Removes secrets from the names of keys; nil if they may have none.
    ///   - check: Called at regular intervals. An error that it throws stops the comparison.
    init(
        _ document: JSONDocument, with shape: ModelShape, redact: ((String) -> String)?, check: (() throws -> Void)?
    ) {
        self.document = document
        self.redact = redact
        store = AlternativesStore(shape)
        rootAlternatives = store.alternatives(of: shape.root)
        steps = ComparisonSteps(check: check)
        closestAlternative = ClosestAlternative(document, steps: steps)
    }

    /// The problems and places that have been found.
    var result: ResponseComparison {
        var comparison = ResponseComparison()
        comparison.problems = problems.report(on: document, places: places)
        comparison.places = places
        return comparison
    }

    /// The first value that does not fit; nil if all do.
    var firstMismatch: ShapeMismatch? { problems.firstMismatch(in: document, places: places) }

    /// Compares the whole document, and notes its places in ``places`` and its problems in ``problems``.
    ///
    /// Values that are to be compared are kept in ``pending``, as siblings that follow each other in the document, such
    /// as the elements of a list. Comparing a list or an object adds the values inside it.
    ///
    /// - Throws: The error of the check that is called at regular intervals, such as `CancellationError`.
    mutating func compare() throws {
        addPending(JSONDocument.root, with: rootAlternatives, at: ComparisonPlaces.root)
        while var siblings = pending.popLast() {
            // The first value is compared with all values inside it before its siblings, which stay pending.
            let value = siblings.next
            siblings.next = document.next(after: value)
            let hasMoreSiblings = siblings.next < siblings.end
            if hasMoreSiblings { pending.append(siblings) }
            try steps.countStep()
            try compareValue(value, with: siblings.alternatives, at: siblings.place)
        }
    }

    /// Adds a value that is compared before all others that are pending.
    private mutating func addPending(
        _ value: DocumentIndex, with alternatives: ShapeAlternatives, at place: PlaceIndex?
    ) {
        let end = document.next(after: value)
        pending.append(PendingValues(next: value, end: end, alternatives: alternatives, place: place))
    }

    // MARK: Values

    /// Compares a value with everything that it may be, and counts it at its place.
    ///
    /// The values inside an object or list become pending: they are compared later, in the loop of ``compare()``.
    ///
    /// - Parameters:
    ///   - value: The value in the document.
    ///   - alternatives: Everything that the value may be.
    ///   - place: The value's place; nil if there are too many places.
    /// - Throws: The error of the check that is called at regular intervals, such as `CancellationError`.
    private mutating func compareValue(
        _ value: DocumentIndex, with alternatives: ShapeAlternatives, at place: PlaceIndex?
    ) throws {
        if let place { places.nodes[place].valueCount += 1 }
        let kind = document.kind(of: value)
        if alternatives.allowsAnything { return }
        let isContainer = kind == .array || kind == .object
        if isContainer, isAllowedByEnum(value, in: alternatives) { return }
        switch kind {
        case .array where !alternatives.lists.isEmpty:
            guard let elements = try closestAlternative.findElements(of: value, among: alternatives.lists) else {
                return
            }
            compareList(value, with: elements, at: place)
        case .object where !alternatives.objects.isEmpty:
            let closest = try closestAlternative.findAlternative(for: value, among: alternatives.objects)
            if let closest { try compareObject(value, with: closest, at: place) }
        case .null where alternatives.allowsNull:
            return
        case .array, .object, .null, .boolean, .number, .string:
            compareScalar(value, with: alternatives, at: place)
        }
    }

    /// Whether an object or list is one of the values of an enum, which may list values of any kind.
    private func isAllowedByEnum(_ container: DocumentIndex, in alternatives: ShapeAlternatives) -> Bool {
        let json = JSONValue(document, slot: container)
        return alternatives.scalars.contains { $0.fit(json) == .fits }
    }

    /// Compares a value with the texts, numbers, booleans and enums that it may be, and adds a problem if it fits none
    /// of them.
    ///
    /// If one of them has the right type, the problem is a wrong value, such as a number beyond its bounds. If none
    /// has, it is a wrong type.
    private mutating func compareScalar(
        _ value: DocumentIndex, with alternatives: ShapeAlternatives, at place: PlaceIndex?
    ) {
        let json = JSONValue(document, slot: value)
        var firstOfSameType: ScalarAlternative?
        for scalar in alternatives.scalars {
            switch scalar.fit(json) {
            case .fits:
                return
            case .wrongValue:
                if firstOfSameType == nil { firstOfSameType = scalar }
            case .wrongType:
                continue
            }
        }
        if let firstOfSameType {
            addProblem(.wrongValue, of: value, at: place, expected: firstOfSameType.expectation(for: json))
        } else {
            addProblem(.wrongType, of: value, at: place, expected: alternatives.kindNames)
        }
    }

    /// Counts a value that does not fit. If its place is not kept, it is only noted that there are more problems.
    private mutating func addProblem(
        _ kind: CheckProblem.Kind, of value: DocumentIndex, at place: PlaceIndex?,
        expected: @autoclosure () -> String
    ) {
        guard let place else {
            problems.noteOmission(of: kind)
            return
        }
        problems.add(
            kind, place: place, value: value, expected: expected(), found: document.valueText(of: value))
    }

    /// Counts a list, and makes its elements pending. They share one place.
    private mutating func compareList(_ list: DocumentIndex, with elements: ShapeAlternatives, at place: PlaceIndex?) {
        if let place { places.countList(at: place, elementCount: document.count(of: list)) }
        guard document.count(of: list) > 0 else { return }
        let elementPlace = places.findOrAddChild(.element, ofKept: place)
        let pendingElements = PendingValues(
            next: document.first(in: list), end: document.next(after: list), alternatives: elements,
            place: elementPlace)
        pending.append(pendingElements)
    }

    // MARK: Objects

    /// Counts an object, and compares its keys with those that the shape names.
    ///
    /// - Throws: The error of the check that is called at regular intervals, such as `CancellationError`.
    private mutating func compareObject(
        _ object: DocumentIndex, with alternative: ObjectAlternative, at place: PlaceIndex?
    ) throws {
        if let place { places.countObject(at: place) }
        switch alternative.keys {
        case .members: try compareMembers(of: object, with: alternative, at: place)
        case .cases: try compareCases(of: object, with: alternative, at: place)
        }
    }

    /// Makes the members of an object pending, and counts unexpected and missing keys.
    ///
    /// The values of pending members are compared later, in the loop of ``compare()``. If an object has a key twice,
    /// only the first member is compared, because the decoder reads that one.
    ///
    /// - Parameters:
    ///   - object: The object in the document.
    ///   - alternative: The members that the object may or must have, as one of the alternatives of the shape says.
    ///   - place: The object's place; nil if there are too many places.
    /// - Throws: The error of the check that is called at regular intervals, such as `CancellationError`.
    private mutating func compareMembers(
        of object: DocumentIndex, with alternative: ObjectAlternative, at place: PlaceIndex?
    ) throws {
        let placedObject = PlacedObject(place: place, alternative: ObjectIdentifier(alternative))
        // The value is taken out of the dictionary while it is changed, so that Swift does not copy its arrays.
        let earlierMembers = namedMembers.removeValue(forKey: placedObject)
        var members = earlierMembers ?? addMemberPlaces(of: alternative, inside: place)
        defer { namedMembers[placedObject] = members }
        let firstPending = pending.count
        var presentRequiredKeys = 0
        var otherMembers = OtherMembers()
        for value in document.values(in: object) {
            try steps.countStep()
            // In the document, a key comes right before its value.
            let keyIndex = value - 1
            let key = ComparisonRecorder.keyText(keyIndex, in: document)
            if let index = alternative.index(of: key) {
                let isRepeated = members.isPresent(index, in: object)
                if isRepeated { continue }
                members.notePresence(of: index, in: object)
                let member = alternative.members[index]
                if member.isRequired { presentRequiredKeys += 1 }
                addPending(value, with: member.alternatives, at: members.places[index])
            } else if alternative.others != nil {
                otherMembers.add(value, key: key)
            } else {
                addUnexpectedKey(keyIndex, ofObjectAt: place)
            }
        }
        if let others = alternative.others {
            addPending(otherMembers, with: others.alternatives, ofObjectAt: place)
        }
        // The last pending value is the next one to be compared, so the first member must become the last one.
        pending[firstPending...].reverse()
        let lacksRequiredKeys = presentRequiredKeys < alternative.requiredCount
        if lacksRequiredKeys {
            try addMissingKeys(of: object, expected: alternative, members: members)
        }
    }

    /// Makes the members pending that a shape does not name. As those of a dictionary, they share one place:
    /// `$.prices.*`.
    private mutating func addPending(
        _ others: OtherMembers, with alternatives: ShapeAlternatives, ofObjectAt place: PlaceIndex?
    ) {
        guard !others.values.isEmpty else { return }
        let memberPlace = places.findOrAddChild(.member, ofKept: place)
        for value in others.values { addPending(value, with: alternatives, at: memberPlace) }
    }

    /// Counts the keys that an object must have and that have not been found in it.
    ///
    /// - Parameters:
    ///   - object: The object in the document.
    ///   - alternative: The members that the object may or must have.
    ///   - members: The places of these members, and which of them the object has.
    /// - Throws: The error of the check that is called at regular intervals, such as `CancellationError`.
    private mutating func addMissingKeys(
        of object: DocumentIndex, expected alternative: ObjectAlternative, members: NamedMembers
    ) throws {
        for (index, member) in alternative.members.enumerated() where member.isRequired {
            try steps.countStep()
            if members.isPresent(index, in: object) { continue }
            // A shape may name a key twice. Then the first one counts.
            let isFirstOfKey = alternative.index(of: member.key) == index
            if !isFirstOfKey { continue }
            if let place = members.places[index] {
                problems.add(.missingKey, place: place, value: object)
            } else {
                problems.noteOmission(of: .missingKey)
            }
        }
    }

    /// Adds a place for each member that objects at a place may have: `$.pets[*].name` if these are at `$.pets[*]`.
    ///
    /// The places of members that may be absent are noted as optional.
    ///
    /// - Parameters:
    ///   - alternative: The members.
    ///   - objectPlace: The place of the objects; nil if there are too many places.
    /// - Returns: The members with their places. None of them is noted as present in an object yet.
    private mutating func addMemberPlaces(
        of alternative: ObjectAlternative, inside objectPlace: PlaceIndex?
    ) -> NamedMembers {
        let members = alternative.members
        guard let objectPlace else { return NamedMembers(places: Array(repeating: nil, count: members.count)) }
        let memberPlaces = places.findOrAddChildren(withKeys: members.map(\.key), of: objectPlace)
        for (member, memberPlace) in zip(members, memberPlaces) {
            if let memberPlace, !member.isRequired { places.nodes[memberPlace].isOptional = true }
        }
        return NamedMembers(places: memberPlaces)
    }

    /// Compares an object with an enum with associated values, such as `{"circle": {"radius": 2}}` with the cases
    /// `circle` and `square`.
    ///
    /// The object must have exactly one of the cases as a key. Its value then becomes pending, and any other key is
    /// unexpected.
    ///
    /// - Throws: The error of the check that is called at regular intervals, such as `CancellationError`.
    private mutating func compareCases(
        of object: DocumentIndex, with alternative: ObjectAlternative, at place: PlaceIndex?
    ) throws {
        var valuesByCase: [Int: DocumentIndex] = [:]
        var unexpectedKeys: [DocumentIndex] = []
        for value in document.values(in: object) {
            try steps.countStep()
            // In the document, a key comes right before its value.
            let keyIndex = value - 1
            let key = ComparisonRecorder.keyText(keyIndex, in: document)
            if let caseIndex = alternative.index(of: key) {
                // If the object has a key twice, the first one counts.
                let isFirst = valuesByCase[caseIndex] == nil
                if isFirst { valuesByCase[caseIndex] = value }
            } else {
                unexpectedKeys.append(keyIndex)
            }
        }
        guard valuesByCase.count == 1, let (caseIndex, value) = valuesByCase.first else {
            let caseNames = alternative.members.prefix(Self.maxListedCases).map(\.key).joined(separator: ", ")
            addProblem(.wrongType, of: object, at: place, expected: "object with exactly one of \(caseNames)")
            return
        }
        for key in unexpectedKeys { addUnexpectedKey(key, ofObjectAt: place) }
        let member = alternative.members[caseIndex]
        let memberPlace = places.findOrAddChild(.key(member.key), ofKept: place, name: member.key)
        addPending(value, with: member.alternatives, at: memberPlace)
    }

    /// Counts a key that the shape does not have.
    ///
    /// - Parameters:
    ///   - key: The key in the document.
    ///   - place: The place of the object; nil if there are too many places.
    private mutating func addUnexpectedKey(_ key: DocumentIndex, ofObjectAt place: PlaceIndex?) {
        guard let place else {
            problems.noteOmission(of: .unexpectedKey)
            return
        }
        let name = ComparisonPlaces.shortened(ComparisonRecorder.keyText(key, in: document), redact: redact)
        // In the document, a value comes right after its key.
        let valueText = document.valueText(of: key + 1)
        problems.add(.unexpectedKey, place: place, value: key, name: name, found: valueText)
    }
}
