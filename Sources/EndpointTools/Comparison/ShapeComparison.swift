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
        var comparison = ShapeComparison(document, shape, redact: redact, check: check)
        try comparison.compare()
        return comparison.result
    }
}

/// Walks through a document and a shape side by side, and notes where they differ.
///
/// The walk is a loop and not a recursion, because a server decides how deep its documents are. Each value is compared
/// once, so that the time is in proportion to the document.
///
/// Values and keys are known by their indexes in the document, and places such as `$.results[*].adult` by their indexes
/// in ``ComparisonPlaces``. An index of a place is nil if the document has more places than are kept.
struct ShapeComparison {
    /// The most cases of an enum with associated values that a message lists, as with the values of other enums.
    private static let maxListedCases = 20

    /// Values of a document that follow each other and share a place: the elements of a list from one on, or a single
    /// member.
    private struct PendingValues {
        /// The index of the first value in the document.
        var next: Int
        /// The index after the last value.
        let end: Int
        /// Everything that each of the values may be.
        let alternatives: ShapeAlternatives
        /// The index of the place; nil if there are too many places.
        let place: Int?
    }

    /// An object of the shape at a place.
    private struct PlacedObject: Hashable {
        let place: Int?
        let alternative: ObjectIdentifier
    }

    /// The members of objects at a place, by their indexes in ``ObjectAlternative/members``.
    private struct KnownMembers {
        /// The index of each member's place; nil if there are too many places.
        let places: [Int?]
        /// The index in the document of the last object that had each member; -1 if none had it.
        private var lastObjects: [Int]

        init(places: [Int?]) {
            self.places = places
            lastObjects = Array(repeating: -1, count: places.count)
        }

        /// Whether a member has been found in an object.
        func wasFound(_ member: Int, in object: Int) -> Bool { lastObjects[member] == object }

        /// Notes that a member has been found in an object. Objects are compared one after the other.
        mutating func noteFound(_ member: Int, in object: Int) { lastObjects[member] = object }
    }

    /// The members of an object under keys that its shape does not name. If a key comes twice, the first member counts.
    private struct OtherMembers {
        /// The indexes of the values in the document.
        private(set) var values: [Int] = []
        private var keys: Set<String> = []

        mutating func add(_ value: Int, key: String) {
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
    private var knownMembers: [PlacedObject: KnownMembers] = [:]
    /// The values that have not been compared yet, the next one last.
    private var pending: [PendingValues] = []

    /// Prepares to compare a document with a shape.
    ///
    /// - Parameters:
    ///   - redact: Removes secrets from the names of keys; nil if they may have none.
    ///   - check: Called at regular intervals. An error that it throws stops the comparison.
    init(
        _ document: JSONDocument, _ shape: ModelShape, redact: ((String) -> String)?, check: (() throws -> Void)?
    ) {
        self.document = document
        self.redact = redact
        store = AlternativesStore(shape)
        rootAlternatives = store.alternatives(of: shape.root)
        steps = ComparisonSteps(check: check)
        closestAlternative = ClosestAlternative(document, steps)
    }

    /// The problems and places that have been found.
    var result: ResponseComparison {
        var comparison = ResponseComparison()
        comparison.problems = problems.problems(in: document, places)
        comparison.places = places
        return comparison
    }

    /// The first value that does not fit; nil if all do.
    var firstMismatch: ShapeMismatch? { problems.firstMismatch(in: document, places) }

    /// Compares the whole document.
    ///
    /// - Throws: The error of the check that is called at regular intervals, such as `CancellationError`.
    mutating func compare() throws {
        addPending(JSONDocument.root, rootAlternatives, at: ComparisonPlaces.root)
        while var siblings = pending.popLast() {
            // The first value is compared with all values inside it before its siblings, which stay pending.
            let value = siblings.next
            siblings.next = document.next(after: value)
            if siblings.next < siblings.end { pending.append(siblings) }
            try steps.countStep()
            try compare(value, with: siblings.alternatives, at: siblings.place)
        }
    }

    /// Adds a value that is compared before all others that are pending.
    private mutating func addPending(_ value: Int, _ alternatives: ShapeAlternatives, at place: Int?) {
        let end = document.next(after: value)
        pending.append(PendingValues(next: value, end: end, alternatives: alternatives, place: place))
    }

    // MARK: Values

    /// Compares a value with everything that it may be, and makes the values inside it pending.
    private mutating func compare(_ value: Int, with alternatives: ShapeAlternatives, at place: Int?) throws {
        if let place { places.nodes[place].values += 1 }
        let kind = document.kind(of: value)
        if alternatives.allowsAnything || isListedContainer(value, kind, alternatives) { return }
        switch kind {
        case .array where !alternatives.lists.isEmpty:
            guard let elements = try closestAlternative.elements(of: value, among: alternatives.lists) else { return }
            compareList(value, with: elements, at: place)
        case .object where !alternatives.objects.isEmpty:
            let closest = try closestAlternative.alternative(for: value, among: alternatives.objects)
            if let closest { try compareObject(value, with: closest, at: place) }
        case .null where alternatives.allowsNull:
            return
        case .array, .object, .null, .boolean, .number, .string:
            compareScalar(value, with: alternatives, at: place)
        }
    }

    /// Whether a value is an object or list that is one of the values of an enum.
    private func isListedContainer(
        _ value: Int, _ kind: JSONDocument.Kind, _ alternatives: ShapeAlternatives
    ) -> Bool {
        guard kind == .array || kind == .object else { return false }
        let json = JSONValue(document, slot: value)
        return alternatives.scalars.contains { $0.fit(json) == .fits }
    }

    /// Compares a value with the texts, numbers, booleans and enums that it may be.
    ///
    /// If one of them has the right type, the problem is a wrong value, such as a number beyond its bounds. If none
    /// has, it is a wrong type.
    private mutating func compareScalar(_ value: Int, with alternatives: ShapeAlternatives, at place: Int?) {
        let json = JSONValue(document, slot: value)
        var sameType: ScalarAlternative?
        for scalar in alternatives.scalars {
            switch scalar.fit(json) {
            case .fits: return
            case .wrongValue: if sameType == nil { sameType = scalar }
            case .wrongType: continue
            }
        }
        if let sameType {
            add(.wrongValue, value, at: place, expected: sameType.expectation(for: json))
        } else {
            add(.wrongType, value, at: place, expected: alternatives.kindNames)
        }
    }

    /// Counts a value that does not fit.
    private mutating func add(
        _ kind: CheckProblem.Kind, _ value: Int, at place: Int?, expected: @autoclosure () -> String
    ) {
        guard let place else {
            problems.noteOmission(of: kind)
            return
        }
        problems.add(
            kind, place: place, value: value, expected: expected(), found: document.valueText(of: value))
    }

    /// Counts a list, and makes its elements pending. They share one place.
    private mutating func compareList(_ list: Int, with elements: ShapeAlternatives, at place: Int?) {
        if let place { places.countList(at: place, elements: document.count(of: list)) }
        guard document.count(of: list) > 0 else { return }
        let elementPlace = place.flatMap { places.child(.element, of: $0) }
        let values = PendingValues(
            next: document.first(in: list), end: document.next(after: list), alternatives: elements,
            place: elementPlace)
        pending.append(values)
    }

    // MARK: Objects

    /// Counts an object, and compares its keys with those that the shape names.
    private mutating func compareObject(_ object: Int, with alternative: ObjectAlternative, at place: Int?) throws {
        if let place { places.countObject(at: place) }
        switch alternative.keys {
        case .members: try compareMembers(of: object, with: alternative, at: place)
        case .cases: try compareCases(of: object, with: alternative, at: place)
        }
    }

    /// Makes the members of an object pending, and counts unexpected and missing keys.
    ///
    /// If an object has a key twice, only the first member is compared, because the decoder reads that one.
    private mutating func compareMembers(of object: Int, with alternative: ObjectAlternative, at place: Int?) throws {
        let placedObject = PlacedObject(place: place, alternative: ObjectIdentifier(alternative))
        // While it is changed, the entry is taken out of the dictionary, so that its lists are not copied.
        let knownEntry = knownMembers.removeValue(forKey: placedObject)
        var known = knownEntry ?? addMemberPlaces(of: alternative, at: place)
        defer { knownMembers[placedObject] = known }
        let pendingCount = pending.count
        var requiredCount = 0
        var others = OtherMembers()
        for value in document.values(in: object) {
            try steps.countStep()
            // In the document, a key comes right before its value.
            let keyIndex = value - 1
            let key = ComparisonRecorder.keyText(keyIndex, in: document)
            guard let index = alternative.index(of: key) else {
                if alternative.others == nil {
                    addUnexpectedKey(keyIndex, at: place)
                } else {
                    others.add(value, key: key)
                }
                continue
            }
            if known.wasFound(index, in: object) { continue }
            known.noteFound(index, in: object)
            let member = alternative.members[index]
            if member.isRequired { requiredCount += 1 }
            addPending(value, member.alternatives, at: known.places[index])
        }
        if let member = alternative.others { addPending(others, member.alternatives, at: place) }
        // The last pending value is the next one to be compared.
        pending[pendingCount...].reverse()
        if requiredCount < alternative.requiredCount { try addMissingKeys(of: object, alternative, known) }
    }

    /// Makes the members pending that a shape does not name. As those of a dictionary, they share one place:
    /// `$.prices.*`.
    private mutating func addPending(_ others: OtherMembers, _ alternatives: ShapeAlternatives, at place: Int?) {
        guard !others.values.isEmpty else { return }
        let memberPlace = place.flatMap { places.child(.member, of: $0) }
        for value in others.values { addPending(value, alternatives, at: memberPlace) }
    }

    /// Counts the keys that an object must have and that have not been found in it.
    ///
    /// - Parameters:
    ///   - object: The index of the object in the document.
    ///   - alternative: The members that the object may or must have.
    ///   - known: The places of these members, and which of them were found in the object.
    private mutating func addMissingKeys(
        of object: Int, _ alternative: ObjectAlternative, _ known: KnownMembers
    ) throws {
        for (index, member) in alternative.members.enumerated() where member.isRequired {
            try steps.countStep()
            if known.wasFound(index, in: object) { continue }
            // A shape may name a key twice. Then the first one counts.
            let isFirstOfKey = alternative.index(of: member.key) == index
            if !isFirstOfKey { continue }
            if let place = known.places[index] {
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
    ///   - place: The index of the objects' place; nil if there are too many places.
    /// - Returns: The members with their places. None of them has been found in an object yet.
    private mutating func addMemberPlaces(of alternative: ObjectAlternative, at place: Int?) -> KnownMembers {
        let members = alternative.members
        guard let place else { return KnownMembers(places: Array(repeating: nil, count: members.count)) }
        let memberPlaces = places.children(withKeys: members.map(\.key), of: place)
        for (member, memberPlace) in zip(members, memberPlaces) {
            if let memberPlace, !member.isRequired { places.nodes[memberPlace].isOptional = true }
        }
        return KnownMembers(places: memberPlaces)
    }

    /// Compares an object with an enum with associated values, such as `{"circle": {"radius": 2}}` with the cases
    /// `circle` and `square`. It must have exactly one of the cases as a key.
    private mutating func compareCases(of object: Int, with alternative: ObjectAlternative, at place: Int?) throws {
        var valuesOfCases: [Int: Int] = [:]
        var unexpectedKeys: [Int] = []
        for value in document.values(in: object) {
            try steps.countStep()
            // In the document, a key comes right before its value.
            let keyIndex = value - 1
            let key = ComparisonRecorder.keyText(keyIndex, in: document)
            if let caseIndex = alternative.index(of: key) {
                if valuesOfCases[caseIndex] == nil { valuesOfCases[caseIndex] = value }
            } else {
                unexpectedKeys.append(keyIndex)
            }
        }
        guard valuesOfCases.count == 1, let (caseIndex, value) = valuesOfCases.first else {
            let names = alternative.members.prefix(Self.maxListedCases).map(\.key).joined(separator: ", ")
            add(.wrongType, object, at: place, expected: "object with exactly one of \(names)")
            return
        }
        for key in unexpectedKeys { addUnexpectedKey(key, at: place) }
        let member = alternative.members[caseIndex]
        let memberPlace = place.flatMap { places.child(.key(member.key), of: $0, name: member.key) }
        addPending(value, member.alternatives, at: memberPlace)
    }

    /// Counts a key that the shape does not have.
    ///
    /// - Parameters:
    ///   - key: The index of the key in the document.
    ///   - place: The index of the object's place; nil if there are too many places.
    private mutating func addUnexpectedKey(_ key: Int, at place: Int?) {
        guard let place else {
            problems.noteOmission(of: .unexpectedKey)
            return
        }
        let name = ComparisonPlaces.shortened(ComparisonRecorder.keyText(key, in: document), redact: redact)
        // In the document, a value comes right after its key.
        let found = document.valueText(of: key + 1)
        problems.add(.unexpectedKey, place: place, value: key, name: name, found: found)
    }
}
