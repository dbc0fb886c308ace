import EndpointKit
import JSONText

extension ResponseComparison {
    /// Compares a document with a shape. A shape describes JSON as a schema does, without a Swift type.
    ///
    /// The result is that of a comparison with a model of the same shape, with two differences:
    ///
    /// - A member that is null fits only if its shape is nullable, even if the member may be absent.
    /// - If a value has several alternatives, it is compared with the closest one; see ``ClosestAlternative``.
    ///
    /// - Parameters:
    ///   - document: The response's body.
    ///   - shape: The shape that the document should have.
    ///   - redact: Removes secrets from the names of keys. Without it, long names that begin alike are counted as one.
    ///   - check: Called at regular intervals, and throws an error to stop the comparison, such as after a time limit.
    ///     Nil if nothing stops it.
    /// - Returns: The comparison, also if the document does not fit at all.
    /// - Throws: The error of `check`.
    package static func compare(
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
        var nextValue: DocumentIndex
        /// The index after the last value.
        let end: DocumentIndex
        /// Everything that each of the values may be.
        let alternatives: ShapeAlternatives
        /// The place of each of the values; nil if the document has more places than are kept.
        let place: PlaceIndex?
    }

    /// An alternative for the objects at a place.
    private struct PlacedAlternative: Hashable {
        let place: PlaceIndex?
        let alternative: ObjectIdentifier
    }

    /// The members that an alternative names for the objects at a place, by their indexes in
    /// ``ObjectAlternative/members``.
    private final class NamedMembers {
        /// The place of each member; nil if the document has more places than are kept.
        let places: [PlaceIndex?]
        /// The last object in the document that had each member; -1 if none had it.
        private var lastObjects: [DocumentIndex]

        init(places: [PlaceIndex?]) {
            self.places = places
            lastObjects = Array(repeating: -1, count: places.count)
        }

        /// Whether an object has a member, as far as it has been compared.
        func isPresent(_ memberIndex: Int, in object: DocumentIndex) -> Bool { lastObjects[memberIndex] == object }

        /// Notes that an object has a member. Objects are compared one after the other.
        func notePresence(of memberIndex: Int, in object: DocumentIndex) { lastObjects[memberIndex] = object }
    }

    /// The members of an object under keys that its shape does not name. If a key comes twice, the first member counts.
    private struct UnnamedMembers {
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
    /// The members of all alternatives that objects were compared with so far.
    private var namedMembersByAlternative: [PlacedAlternative: NamedMembers] = [:]
    /// The values that have not been compared yet, the next one last.
    private var pending: [PendingValues] = []

    /// Prepares to compare a document with a shape.
    ///
    /// - Parameters:
    ///   - document: The document, which ``compare()`` walks through.
    ///   - shape: The shape that it should have.
    ///   - redact: Removes secrets from the names of keys; nil if they may have none.
    ///   - check: Called at regular intervals, and throws an error to stop the comparison; nil if nothing stops it.
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
    /// This is a depth-first search, whose stack is ``pending``. An element of the stack is a run of siblings in the
    /// document, such as the elements of a list. Comparing a list or an object adds the values inside it.
    ///
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    mutating func compare() throws {
        addPending(JSONDocument.root, with: rootAlternatives, at: ComparisonPlaces.root)
        while var siblings = pending.popLast() {
            // The next value is compared with all values inside it before its siblings, which stay pending.
            let value = siblings.nextValue
            siblings.nextValue = document.next(after: value)
            let hasMoreSiblings = siblings.nextValue < siblings.end
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
        pending.append(PendingValues(nextValue: value, end: end, alternatives: alternatives, place: place))
    }

    // MARK: Values

    /// Compares a value with everything that it may be, and counts it at its place.
    ///
    /// The values inside an object or list become pending: they are compared later, in the loop of ``compare()``.
    ///
    /// - Parameters:
    ///   - value: The value in the document.
    ///   - alternatives: Everything that the value may be.
    ///   - place: The value's place, such as `$.results[*].adult`; nil if the document has more places than are kept.
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    private mutating func compareValue(
        _ value: DocumentIndex, with alternatives: ShapeAlternatives, at place: PlaceIndex?
    ) throws {
        if let place { places.nodes[place].valueCount += 1 }
        let kind = document.kind(of: value)
        if alternatives.allowsAnything { return }
        let isContainer = kind == .array || kind == .object
        // An enum may list whole objects and lists. What is inside them is then not compared.
        if isContainer, isAllowedByEnum(value, in: alternatives) { return }
        switch kind {
        case .array where !alternatives.lists.isEmpty:
            let elements = try closestAlternative.findElements(of: value, among: alternatives.lists)
            if let elements { compareList(value, with: elements, at: place) }
        case .object where !alternatives.objects.isEmpty:
            let closest = try closestAlternative.findAlternative(for: value, among: alternatives.objects)
            if let closest { try compareObject(value, with: closest, at: place) }
        case .null where alternatives.allowsNull:
            return
        case .array, .object, .null, .boolean, .number, .string:
            // A list, an object or null comes here if only an enum can allow it.
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

    /// Counts a value that does not fit. Its place is nil if the document has more places than are kept.
    private mutating func addProblem(
        _ kind: CheckProblem.Kind, of value: DocumentIndex, at place: PlaceIndex?,
        expected: @autoclosure () -> String
    ) {
        problems.add(
            kind, place: place, value: value, expected: expected(), found: document.valueText(of: value))
    }

    /// Counts a list, and makes its elements pending. They share one place.
    private mutating func compareList(_ list: DocumentIndex, with elements: ShapeAlternatives, at place: PlaceIndex?) {
        if let place { places.countList(at: place, elementCount: document.count(of: list)) }
        guard document.count(of: list) > 0 else { return }
        let elementPlace = places.findOrAddChild(.element, of: place)
        let pendingElements = PendingValues(
            nextValue: document.first(in: list), end: document.next(after: list), alternatives: elements,
            place: elementPlace)
        pending.append(pendingElements)
    }

    // MARK: Objects

    /// Counts an object, and compares its keys with the members of a structure or dictionary, or with the cases of an
    /// enum.
    ///
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    private mutating func compareObject(
        _ object: DocumentIndex, with alternative: ObjectAlternative, at place: PlaceIndex?
    ) throws {
        if let place { places.countObject(at: place) }
        switch alternative.keyMeaning {
        case .memberNames: try compareMembers(of: object, with: alternative, at: place)
        case .caseNames: try compareCases(of: object, with: alternative, at: place)
        }
    }

    /// Makes the members of an object pending, and counts its unexpected and missing keys.
    ///
    /// Pending values are compared later, in the loop of ``compare()``. The shape decides about each member:
    ///
    /// - A member that the shape names becomes pending. If a key comes twice, only the first member is compared,
    ///   because the decoder reads that one.
    /// - Any other member becomes pending if the shape allows further keys. Otherwise its key is unexpected.
    /// - A required member that the object lacks is a missing key.
    ///
    /// - Parameters:
    ///   - object: The object in the document.
    ///   - alternative: The members that the object may or must have, as one of the alternatives of the shape says.
    ///   - place: The object's place, such as `$.results[*]`; nil if the document has more places than are kept.
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    private mutating func compareMembers(
        of object: DocumentIndex, with alternative: ObjectAlternative, at place: PlaceIndex?
    ) throws {
        let namedMembers = findOrAddNamedMembers(of: alternative, inside: place)
        var unnamedMembers = UnnamedMembers()
        let firstPendingMember = pending.count
        for value in document.values(in: object) {
            try steps.countStep()
            let keyIndex = document.keyIndex(ofMember: value)
            let key = document.keyText(at: keyIndex)
            if let memberIndex = alternative.index(of: key) {
                let isRepeated = namedMembers.isPresent(memberIndex, in: object)
                if isRepeated { continue }
                namedMembers.notePresence(of: memberIndex, in: object)
                let memberAlternatives = alternative.members[memberIndex].alternatives
                addPending(value, with: memberAlternatives, at: namedMembers.places[memberIndex])
            } else if alternative.unnamedMember != nil {
                unnamedMembers.add(value, key: key)
            } else {
                problems.addUnexpectedKey(keyIndex, in: document, ofObjectAt: place, redact: redact)
            }
        }
        if let unnamedMember = alternative.unnamedMember {
            addPending(unnamedMembers, with: unnamedMember.alternatives, ofObjectAt: place)
        }
        // The last pending value is the next one to be compared, so the first member must become the last one.
        pending[firstPendingMember...].reverse()
        try addMissingKeys(of: object, expected: alternative, namedMembers: namedMembers)
    }

    /// Makes those members of an object pending that its shape does not name: they are compared later. Like the values
    /// of a dictionary, they share one place: `$.prices.*`.
    private mutating func addPending(
        _ unnamedMembers: UnnamedMembers, with alternatives: ShapeAlternatives, ofObjectAt place: PlaceIndex?
    ) {
        guard !unnamedMembers.values.isEmpty else { return }
        let valuePlace = places.findOrAddChild(.dictionaryValue, of: place)
        for value in unnamedMembers.values { addPending(value, with: alternatives, at: valuePlace) }
    }

    /// Counts each required key that an object lacks.
    ///
    /// - Parameters:
    ///   - object: The object in the document.
    ///   - alternative: The members that the object may or must have.
    ///   - namedMembers: The places of these members, and which of them the object has.
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    private mutating func addMissingKeys(
        of object: DocumentIndex, expected alternative: ObjectAlternative, namedMembers: NamedMembers
    ) throws {
        for memberIndex in alternative.requiredIndexes {
            try steps.countStep()
            if namedMembers.isPresent(memberIndex, in: object) { continue }
            problems.add(.missingKey, place: namedMembers.places[memberIndex], value: object)
        }
    }

    /// Returns the members that an alternative names for the objects at a place. The first time, their places are
    /// added; see ``addMemberPlaces(of:inside:)``.
    private mutating func findOrAddNamedMembers(
        of alternative: ObjectAlternative, inside objectPlace: PlaceIndex?
    ) -> NamedMembers {
        let placedAlternative = PlacedAlternative(place: objectPlace, alternative: ObjectIdentifier(alternative))
        if let existingMembers = namedMembersByAlternative[placedAlternative] { return existingMembers }
        let newMembers = NamedMembers(places: addMemberPlaces(of: alternative, inside: objectPlace))
        namedMembersByAlternative[placedAlternative] = newMembers
        return newMembers
    }

    /// Adds a place for each member that the objects at a place may have. For objects at `$.pets[*]`, that is
    /// `$.pets[*].name` and so on.
    ///
    /// The places of members that may be absent are noted as optional.
    ///
    /// - Parameters:
    ///   - alternative: The members that the objects may have.
    ///   - objectPlace: The place of the objects; nil if the document has more places than are kept.
    /// - Returns: The place of each member; nil if the document has more places than are kept.
    private mutating func addMemberPlaces(
        of alternative: ObjectAlternative, inside objectPlace: PlaceIndex?
    ) -> [PlaceIndex?] {
        let members = alternative.members
        guard let objectPlace else { return Array(repeating: nil, count: members.count) }
        let memberPlaces = places.findOrAddChildren(withKeys: members.map(\.key), of: objectPlace)
        for (member, memberPlace) in zip(members, memberPlaces) {
            if let memberPlace, !member.isRequired { places.nodes[memberPlace].isOptional = true }
        }
        return memberPlaces
    }

    /// Compares an object with an enum with associated values, such as `{"circle": {"radius": 2}}` with the cases
    /// `circle` and `square`.
    ///
    /// The object must have exactly one of the cases as a key. Its value then becomes pending, and any other key is
    /// unexpected.
    ///
    /// - Throws: The caller's error that stops the comparison, such as `CancellationError`.
    private mutating func compareCases(
        of object: DocumentIndex, with alternative: ObjectAlternative, at place: PlaceIndex?
    ) throws {
        var valuesByCase: [Int: DocumentIndex] = [:]
        var unexpectedKeys: [DocumentIndex] = []
        for value in document.values(in: object) {
            try steps.countStep()
            let keyIndex = document.keyIndex(ofMember: value)
            if let caseIndex = alternative.index(of: document.keyText(at: keyIndex)) {
                // If the object has a key twice, the first one counts, as it does for the decoder.
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
        for key in unexpectedKeys {
            problems.addUnexpectedKey(key, in: document, ofObjectAt: place, redact: redact)
        }
        let presentCase = alternative.members[caseIndex]
        let casePlace = places.findOrAddChild(.key(presentCase.key), of: place, name: presentCase.key)
        addPending(value, with: presentCase.alternatives, at: casePlace)
    }
}
