import EndpointKit
import JSONText

extension ResponseComparison {
    /// Compares a document with a shape, such as that of a schema, which no Swift type stands for.
    ///
    /// The comparison is like that of a model with the same shape, with two differences. A member that is null fits
    /// only if its shape is nullable, also if the member may be absent. And a value that may have several forms is
    /// compared with the one that it is closest to; see ``ClosestForm``.
    ///
    /// - Parameters:
    ///   - document: The response's body.
    ///   - shape: The shape.
    ///   - redact: Removes secrets from the names of keys. Without it, long names that begin alike count as the same.
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
struct ShapeComparison {
    /// More cases of an enum with associated values are left out of messages, as with the values of other enums.
    private static let maxListedCases = 20

    /// Values of a document that follow each other, and are compared with the same forms at the same place: the
    /// elements of a list from one on, or a single member.
    private struct PendingValues {
        /// The first value in the document.
        var next: Int
        /// The slot after the last value.
        let end: Int
        let forms: ShapeForms
        /// The index of the folded place; nil if there are too many places.
        let place: Int?
    }

    /// An object form at a place.
    private struct PlacedForm: Hashable {
        let place: Int?
        let form: ObjectIdentifier
    }

    /// The members of an object form at a place.
    private struct MemberPlaces {
        /// The index of each member's folded place; nil if there are too many places.
        let places: [Int?]
        /// The object in the document that had each member last. It shows whether an object has a member twice.
        var lastObjects: [Int]
    }

    /// The members of an object under keys that its form does not name.
    private struct OtherMembers {
        private(set) var values: [Int] = []
        private var keys: Set<String> = []

        /// Adds a member, unless the object has had one with the same key.
        mutating func add(_ value: Int, key: String) {
            if keys.insert(key).inserted { values.append(value) }
        }
    }

    private let document: JSONDocument
    private let redact: ((String) -> String)?
    /// The owner of all forms, which refer to each other without owning.
    private let library: FormLibrary
    /// The forms of the whole document.
    private let rootForms: ShapeForms
    private let steps: ComparisonSteps
    private let closestForm: ClosestForm
    private var places = ComparisonPlaces()
    private var tally = ComparisonProblems()
    private var memberPlaces: [PlacedForm: MemberPlaces] = [:]
    /// The values that have not been compared yet, the next one last.
    private var pending: [PendingValues] = []

    init(
        _ document: JSONDocument, _ shape: ModelShape, redact: ((String) -> String)?, check: (() throws -> Void)?
    ) {
        self.document = document
        self.redact = redact
        library = FormLibrary(shape)
        rootForms = library.forms(of: shape.root)
        steps = ComparisonSteps(check: check)
        closestForm = ClosestForm(document, steps)
    }

    /// The problems and places that have been found.
    var result: ResponseComparison {
        var comparison = ResponseComparison()
        comparison.problems = tally.problems(in: document, places)
        comparison.places = places
        return comparison
    }

    /// The first value that does not fit; nil if all do.
    var firstMismatch: ShapeMismatch? { tally.firstMismatch(in: document, places) }

    /// Compares the whole document.
    ///
    /// - Throws: The error of the check that steps are counted for, such as `CancellationError`.
    mutating func compare() throws {
        addPending(JSONDocument.root, rootForms, at: ComparisonPlaces.root)
        while var siblings = pending.popLast() {
            // The first value is compared with all values inside it before its siblings, which stay pending.
            let value = siblings.next
            siblings.next = document.next(after: value)
            if siblings.next < siblings.end { pending.append(siblings) }
            try steps.count()
            try compare(value, with: siblings.forms, at: siblings.place)
        }
    }

    /// Adds a value that is compared before all others that are pending.
    private mutating func addPending(_ value: Int, _ forms: ShapeForms, at place: Int?) {
        pending.append(PendingValues(next: value, end: document.next(after: value), forms: forms, place: place))
    }

    // MARK: Values

    /// Compares a value, and adds those inside it to the pending ones.
    private mutating func compare(_ value: Int, with forms: ShapeForms, at place: Int?) throws {
        if let place { places.nodes[place].values += 1 }
        let kind = document.kind(of: value)
        if forms.allowsAnything || isListedContainer(value, kind, forms) { return }
        switch kind {
        case .array where !forms.lists.isEmpty:
            guard let elements = try closestForm.elementForms(of: value, among: forms.lists) else { return }
            compareList(value, with: elements, at: place)
        case .object where !forms.objects.isEmpty:
            guard let form = try closestForm.form(of: value, among: forms.objects) else { return }
            try compareObject(value, with: form, at: place)
        case .null where forms.allowsNull:
            return
        case .array, .object, .null, .boolean, .number, .string:
            compareToken(value, with: forms, at: place)
        }
    }

    /// Whether a value is an object or list that an enum lists.
    private func isListedContainer(_ slot: Int, _ kind: JSONDocument.Kind, _ forms: ShapeForms) -> Bool {
        guard kind == .array || kind == .object else { return false }
        return forms.tokens.contains { $0.fit(JSONValue(document, slot: slot)) == .fits }
    }

    /// Compares a value as a whole with texts, numbers, booleans and enums.
    private mutating func compareToken(_ slot: Int, with forms: ShapeForms, at place: Int?) {
        let value = JSONValue(document, slot: slot)
        var refusingForm: TokenForm?
        for form in forms.tokens {
            switch form.fit(value) {
            case .fits: return
            case .wrongValue: refusingForm = refusingForm ?? form
            case .wrongType: continue
            }
        }
        if let refusingForm {
            add(.wrongValue, at: place, slot, expected: refusingForm.expectation(for: value))
        } else {
            add(.wrongType, at: place, slot, expected: forms.kindNames)
        }
    }

    /// Counts a value that does not fit.
    private mutating func add(
        _ kind: CheckProblem.Kind, at place: Int?, _ slot: Int, expected: @autoclosure () -> String
    ) {
        guard let place else { return tally.addUncounted(kind) }
        tally.add(kind, place: place, slot: slot, expected: expected(), found: document.valueText(of: slot))
    }

    /// Counts a list, and makes its elements pending. They share one place.
    private mutating func compareList(_ list: Int, with elements: ShapeForms, at place: Int?) {
        if let place { places.countList(at: place, elements: document.count(of: list)) }
        guard document.count(of: list) > 0 else { return }
        let elementPlace = place.flatMap { places.child(.element, of: $0) }
        let values = PendingValues(
            next: document.first(in: list), end: document.next(after: list), forms: elements, place: elementPlace)
        pending.append(values)
    }

    // MARK: Objects

    /// Counts an object, and compares its keys with those of a form.
    private mutating func compareObject(_ object: Int, with form: ObjectForm, at place: Int?) throws {
        if let place { places.countObject(at: place) }
        switch form.keys {
        case .members: try compareMembers(of: object, with: form, at: place)
        case .variants: try compareVariants(of: object, with: form, at: place)
        }
    }

    /// Makes the members of an object pending, and counts unexpected and missing keys.
    ///
    /// The members that the form does not name share one place, as those of a dictionary do: `$.prices.*`.
    private mutating func compareMembers(of object: Int, with form: ObjectForm, at place: Int?) throws {
        let placedForm = PlacedForm(place: place, form: ObjectIdentifier(form))
        // While it is changed, the entry is taken out of the dictionary, so that its lists are not copied.
        var known = memberPlaces.removeValue(forKey: placedForm) ?? newMemberPlaces(of: form, at: place)
        defer { memberPlaces[placedForm] = known }
        let firstPending = pending.count
        var requiredCount = 0
        var others = OtherMembers()
        for value in document.values(in: object) {
            try steps.count()
            // A document has the key of a member right before its value.
            let keyIndex = value - 1
            let key = ComparisonRecorder.keyText(keyIndex, in: document)
            // As in the decoder, the first of several members with the same key counts.
            guard let index = form.index(of: key) else {
                if form.others == nil { addUnexpectedKey(keyIndex, at: place) } else { others.add(value, key: key) }
                continue
            }
            if known.lastObjects[index] == object { continue }
            known.lastObjects[index] = object
            if form.members[index].isRequired { requiredCount += 1 }
            addPending(value, form.members[index].forms, at: known.places[index])
        }
        if let forms = form.others?.forms { addPending(others, forms, at: place) }
        // The last pending value is the next one to be compared.
        pending[firstPending...].reverse()
        if requiredCount < form.requiredCount { try addMissingKeys(of: object, form, known) }
    }

    /// Makes the members pending that a form does not name. They share one place.
    private mutating func addPending(_ others: OtherMembers, _ forms: ShapeForms, at place: Int?) {
        guard !others.values.isEmpty else { return }
        let memberPlace = place.flatMap { places.child(.member, of: $0) }
        for value in others.values { addPending(value, forms, at: memberPlace) }
    }

    /// Counts the keys that an object must have and that have not been found in it.
    private mutating func addMissingKeys(of object: Int, _ form: ObjectForm, _ known: MemberPlaces) throws {
        for (index, member) in form.members.enumerated() where member.isRequired {
            try steps.count()
            // A shape may name a key twice. Then the first one counts.
            guard known.lastObjects[index] != object, form.index(of: member.key) == index else { continue }
            if let place = known.places[index] {
                tally.add(.missingKey, place: place, slot: object)
            } else {
                tally.addUncounted(.missingKey)
            }
        }
    }

    /// Adds the places of all members of an object form. Those that may be absent are noted as optional.
    private mutating func newMemberPlaces(of form: ObjectForm, at place: Int?) -> MemberPlaces {
        guard let place else {
            return MemberPlaces(places: form.members.map { _ in nil }, lastObjects: form.members.map { _ in -1 })
        }
        let memberPlaces = places.members(form.members.map(\.key), of: place)
        for (member, memberPlace) in zip(form.members, memberPlaces) {
            if let memberPlace, !member.isRequired { places.nodes[memberPlace].isOptional = true }
        }
        return MemberPlaces(places: memberPlaces, lastObjects: form.members.map { _ in -1 })
    }

    /// Compares an object that has the one member of an enum's case.
    private mutating func compareVariants(of object: Int, with form: ObjectForm, at place: Int?) throws {
        var cases: [Int: Int] = [:]
        var unexpectedKeys: [Int] = []
        for value in document.values(in: object) {
            try steps.count()
            if let index = form.index(of: ComparisonRecorder.keyText(value - 1, in: document)) {
                if cases[index] == nil { cases[index] = value }
            } else {
                unexpectedKeys.append(value - 1)
            }
        }
        guard let (index, value) = cases.first, cases.count == 1 else {
            let names = form.members.prefix(Self.maxListedCases).map(\.key).joined(separator: ", ")
            return add(.wrongType, at: place, object, expected: "object with exactly one of \(names)")
        }
        for key in unexpectedKeys { addUnexpectedKey(key, at: place) }
        let member = form.members[index]
        addPending(value, member.forms, at: place.flatMap { places.child(.key(member.key), of: $0, name: member.key) })
    }

    /// Counts a key that the shape does not have.
    ///
    /// - Parameters:
    ///   - key: The slot of the key.
    ///   - place: The folded place of the object.
    private mutating func addUnexpectedKey(_ key: Int, at place: Int?) {
        guard let place else { return tally.addUncounted(.unexpectedKey) }
        let name = ComparisonRecorder.keyText(key, in: document)
        tally.add(
            .unexpectedKey, place: place, slot: key, name: ComparisonPlaces.shortened(name, redact: redact),
            found: document.valueText(of: key + 1))
    }
}
