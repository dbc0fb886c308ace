import EndpointKit
import JSONText

/// The owner of the ``ShapeAlternatives`` that a comparison has needed so far.
///
/// The alternatives of a model are collected once, however often a shape names it. They refer to each other without
/// owning each other, because a model may hold itself.
final class AlternativesStore {
    private let models: [String: Shape]
    private var alternativesOfModels: [String: ShapeAlternatives] = [:]
    /// All alternatives that were collected. They live as long as the store.
    private var ownedAlternatives: [ShapeAlternatives] = []

    /// Prepares to collect the alternatives of a shape and of its parts.
    init(_ shape: ModelShape) {
        models = Dictionary(shape.models.map { ($0.name, $0.shape) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the alternatives of a shape, which live as long as this store.
    ///
    /// The alternatives of a model are collected the first time, and are the same object each time.
    func alternatives(of shape: Shape) -> ShapeAlternatives {
        guard case .model(let name) = shape else { return collectAlternatives(of: shape) }
        if let collectedBefore = alternativesOfModels[name] { return collectedBefore }
        let modelAlternatives = collectAlternatives(of: shape)
        alternativesOfModels[name] = modelAlternatives
        return modelAlternatives
    }

    /// Collects the alternatives of a shape, and becomes their owner.
    private func collectAlternatives(of shape: Shape) -> ShapeAlternatives {
        let newAlternatives = ShapeAlternatives(shape, in: self)
        ownedAlternatives.append(newAlternatives)
        return newAlternatives
    }

    /// Returns the shape of a model. A model that is not known may be anything.
    func shape(ofModel name: String) -> Shape { models[name] ?? .any }
}

/// Everything that a value of a shape may be, with models, nullable values and unions replaced by what they consist of.
///
/// For example, a nullable union of the model `Cat` and a string becomes one object, one scalar, and null.
final class ShapeAlternatives {
    /// The most alternatives that are told apart. A shape with more of them accepts any value. A schema has at most 256
    /// alternatives, each of which may have some in turn.
    private static let maxCount = 1_000

    private(set) var allowsNull = false
    private(set) var allowsAnything = false
    /// The texts, numbers, booleans and enums.
    private(set) var scalars: [ScalarAlternative] = []
    /// The alternatives of the elements, for each kind of list.
    private(set) var lists: [LazyAlternatives] = []
    private(set) var objects: [ObjectAlternative] = []

    /// Collects the alternatives of a shape: the texts, numbers, enums, lists and objects that its values may be.
    ///
    /// The alternatives of the values inside its objects and lists are collected when they are first needed.
    fileprivate init(_ shape: Shape, in store: AlternativesStore) {
        // The stack of a depth-first search. The last shape is visited next.
        var pending = [shape]
        var visitedModels: Set<String> = []
        var visitedCount = 0
        while let nextShape = pending.popLast() {
            visitedCount += 1
            // Beyond the limit, alternatives are no longer told apart: the shape accepts any value.
            if visitedCount > Self.maxCount { allowsAnything = true }
            if allowsAnything { return }
            switch nextShape {
            case .model(let name):
                // A model may be one of its own alternatives, and must not be visited without end.
                let isNew = visitedModels.insert(name).inserted
                if isNew { pending.append(store.shape(ofModel: name)) }
            case .nullable(let wrapped):
                allowsNull = true
                pending.append(wrapped)
            case .alternatives(let shapes):
                // The first of them is visited next.
                pending += shapes.reversed()
            case .scalar, .values, .array, .dictionary, .object, .open, .variants, .null, .any:
                addAlternative(nextShape, in: store)
            }
        }
        let allowsNothing = scalars.isEmpty && lists.isEmpty && objects.isEmpty && !allowsNull
        // A model whose only alternative is itself says nothing about its values.
        if allowsNothing { allowsAnything = true }
    }

    /// Adds a shape to ``scalars``, ``lists`` or ``objects``, or notes that null or anything is allowed.
    ///
    /// - Parameters:
    ///   - shape: A shape that is neither a model, nor nullable, nor a union.
    ///   - store: The owner of the alternatives inside the shape.
    private func addAlternative(_ shape: Shape, in store: AlternativesStore) {
        switch shape {
        case .scalar(let scalar): scalars.append(.scalar(scalar))
        case .values(let values): scalars.append(.oneOf(ValueSet(values)))
        case .array(let element): lists.append(LazyAlternatives(element, in: store))
        case .dictionary(let value): objects.append(ObjectAlternative([], others: value, in: store))
        case .object(let fields): objects.append(ObjectAlternative(fields, in: store))
        case .open(let fields, let others): objects.append(ObjectAlternative(fields, others: others, in: store))
        case .variants(let cases): objects.append(ObjectAlternative(cases, keyMeaning: .caseNames, in: store))
        case .null: allowsNull = true
        case .any: allowsAnything = true
        // The caller has replaced these by the shapes of which they are made.
        case .model, .nullable, .alternatives: allowsAnything = true
        }
    }

    /// The values of the shape if it is an enum and nothing else; nil otherwise.
    var valuesOfOnlyEnum: ValueSet? {
        if allowsNull || allowsAnything { return nil }
        guard scalars.count == 1, lists.isEmpty, objects.isEmpty else { return nil }
        guard case .oneOf(let values) = scalars[0] else { return nil }
        return values
    }

    /// The kinds of JSON that the shape allows, by their names in JSON Schema: `string or object`.
    ///
    /// Null is named only if nothing else is allowed, as in the decoder's messages.
    private(set) lazy var kindNames: String = {
        var names = scalars.flatMap(\.kindNames)
        if !lists.isEmpty { names.append("array") }
        if !objects.isEmpty { names.append("object") }
        var distinctNames: [String] = []
        for name in names where !distinctNames.contains(name) { distinctNames.append(name) }
        return distinctNames.isEmpty ? "null" : distinctNames.joined(separator: " or ")
    }()
}

/// The alternatives of a shape, which are collected when they are first needed, because a model may hold itself.
final class LazyAlternatives {
    private let shape: Shape
    private unowned let store: AlternativesStore
    private unowned var collected: ShapeAlternatives?

    fileprivate init(_ shape: Shape, in store: AlternativesStore) {
        self.shape = shape
        self.store = store
    }

    /// The alternatives, which are collected at the first access.
    var alternatives: ShapeAlternatives {
        if let collected { return collected }
        let newAlternatives = store.alternatives(of: shape)
        collected = newAlternatives
        return newAlternatives
    }
}

/// An object that a value may be: a structure, an enum with associated values, or a dictionary.
final class ObjectAlternative {
    /// The meaning of the keys that the shape names.
    enum KeyMeaning {
        /// The keys are the names of members. A dictionary names none.
        case memberNames
        /// The keys are the names of an enum's cases, of which an object has exactly one.
        case caseNames
    }

    /// A member that the shape names, or any other member.
    struct Member {
        /// The key; `*` for the members that the shape does not name.
        let key: String
        let isRequired: Bool
        fileprivate let lazyAlternatives: LazyAlternatives
        /// Everything that the member's value may be.
        var alternatives: ShapeAlternatives { lazyAlternatives.alternatives }
    }

    let keyMeaning: KeyMeaning
    /// The members that the shape names, or the cases of an enum; empty for a dictionary.
    let members: [Member]
    /// The member that stands for all keys that are not in ``members``, which are data; nil if no such keys are
    /// expected.
    let unnamedMember: Member?
    /// The indexes in ``members`` of those that must be there. A key that the shape names twice is there once.
    let requiredIndexes: [Int]
    /// The index in ``members`` of each key.
    private let indexes: [String: Int]

    /// Describes the objects of a shape: a structure, an enum with associated values, or a dictionary.
    ///
    /// - Parameters:
    ///   - fields: The members that the shape names, or the cases of an enum.
    ///   - keyMeaning: Whether the keys of the fields are names of members or of cases.
    ///   - others: The shape of the values under all other keys; nil if no such keys are expected.
    ///   - store: The owner of the members' alternatives.
    fileprivate init(
        _ fields: [Shape.Field], keyMeaning: KeyMeaning = .memberNames, others: Shape? = nil,
        in store: AlternativesStore
    ) {
        self.keyMeaning = keyMeaning
        unnamedMember = others.map { shape in
            Member(key: "*", isRequired: false, lazyAlternatives: LazyAlternatives(shape, in: store))
        }
        members = fields.map { field in
            let alternatives = LazyAlternatives(field.shape, in: store)
            return Member(key: field.key, isRequired: !field.isOptional, lazyAlternatives: alternatives)
        }
        let keysAndIndexes = fields.enumerated().map { index, field in (field.key, index) }
        // A shape may name a key twice. Then the first one counts.
        indexes = Dictionary(keysAndIndexes, uniquingKeysWith: { first, _ in first })
        requiredIndexes = indexes.values.filter { !fields[$0].isOptional }.sorted()
    }

    /// Returns the index in ``members`` of a key; nil if the shape does not name the key.
    func index(of key: String) -> Int? { indexes[key] }

    /// Returns the member with a key, which may be ``unnamedMember``; nil if the key is not expected.
    func member(of key: String) -> Member? {
        guard let index = indexes[key] else { return unnamedMember }
        return members[index]
    }
}
