import JSONText

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Notes what a model asks of a document, by the types that ask.
///
/// The same type asks the same of every place, so each is noted once: models that hold themselves come to an end.
final class ShapeRecorder: DecodingObserver {
    /// Types that are made up, and how deep they are nested, at most: generic types may go on for ever.
    private static let (mostTypes, deepestType) = (1_000, 64)

    let observation: Observation
    private let document: JSONDocument
    private let coding: Coding
    let drafts: ShapeDrafts
    /// The types that are being decoded, the innermost last.
    private var open: [OpenType] = []
    /// Types that have been made up once.
    private var madeUp: Set<ObjectIdentifier> = []

    private struct OpenType {
        let draft: TypeDraft
        /// How many coding keys lead to it.
        let depth: Int
        var asked: [ObjectIdentifier: FieldDraft] = [:]
    }

    init(_ document: JSONDocument, coding: Coding, _ observation: Observation, into drafts: ShapeDrafts) {
        self.document = document
        self.coding = coding
        self.observation = observation
        self.drafts = drafts
    }

    /// The draft for a place, which is one of the innermost type or inside it.
    private func draft(_ place: ObservedPlace) -> ShapeDraft {
        guard let last = open.last else { return drafts.root }
        return place.codingPath.dropFirst(last.depth).reduce(last.draft.value) { $0.child($1) }
    }

    func willDecode(_ type: Any.Type, at place: ObservedPlace) -> Bool {
        let id = ObjectIdentifier(type)
        draft(place).add(id)
        if place.slot == nil {
            if madeUp.contains(id) || open.contains(where: { $0.draft.type == type }) { return false }
            if open.count >= Self.deepestType || drafts.types.count >= Self.mostTypes { return false }
        }
        open.append(OpenType(draft: drafts.draft(of: type, coding: coding), depth: place.codingPath.count))
        return true
    }

    func didDecode(_ type: Any.Type, at place: ObservedPlace, completed: Bool) {
        let last = open.removeLast()
        if place.slot == nil { madeUp.insert(ObjectIdentifier(type)) }
        guard completed else { return }
        last.draft.timesCompleted += 1
        for field in last.asked.values { field.timesAsked += 1 }
    }

    func didDecodeScalar(_ type: Any.Type, at place: @autoclosure () -> ObservedPlace) {
        let draft = draft(place())
        switch type {
        case is JSONValue.Type: draft.addAnything()
        case is Bool.Type: draft.add(.boolean)
        case is any BinaryInteger.Type: draft.add(.integer)
        case is Double.Type, is Float.Type:
            draft.add(.number)
            if case .strings = coding.floats { draft.add(.string) }
        case is Decimal.Type: draft.add(.number)
        case is URL.Type: draft.add(.url)
        case is UUID.Type: draft.add(.uuid)
        case is Data.Type: draft.add(.data)
        case is Date.Type: if case .iso8601 = coding.dates { draft.add(.date) } else { draft.add(.string) }
        default: draft.add(.string)
        }
    }

    func didAsk(for key: any CodingKey, isOptional: Bool, of object: ObservedPlace, member: Int?) {
        let draft = draft(object)
        guard !draft.isDictionary else { return }
        draft.isObject = true
        let field = draft.field(key.stringValue)
        if isOptional { field.isOptional = true }
        if let member {
            field.name = document.string(at: member - 1) ?? field.name
        } else if !field.isNamed {
            field.name = coding.name(of: key, path: object.codingPath)
        }
        field.isNamed = true
        if !open.isEmpty { open[open.count - 1].asked[ObjectIdentifier(field)] = field }
    }

    func didAskForAllKeys(of object: ObservedPlace, areData: Bool) {
        let draft = draft(object)
        if areData {
            draft.isDictionary = true
        } else {
            if draft.fields.isEmpty { draft.hasCases = true }
            draft.isObject = true
        }
    }

    func chooseCase(of count: Int) -> Int {
        guard let type = open.last?.draft else { return 0 }
        type.caseCount = count
        defer { type.casesMadeUp += 1 }
        return type.casesMadeUp
    }

    func didOpenArray(_ array: ObservedPlace) { draft(array).isArray = true }
}

/// Everything that is known of a model and the types in it while its shape is learned.
final class ShapeDrafts {
    let root = ShapeDraft()
    private(set) var types: [ObjectIdentifier: TypeDraft] = [:]
    /// Whether an enum with values has cases that were not made up yet.
    var hasMoreCases: Bool { types.values.contains { $0.casesMadeUp < $0.caseCount } }

    func draft(of type: Any.Type, coding: Coding) -> TypeDraft {
        if let known = types[ObjectIdentifier(type)] { return known }
        let draft = TypeDraft(type, allowedValues: AllowedValues.of(type, coding: coding))
        types[ObjectIdentifier(type)] = draft
        return draft
    }
}
