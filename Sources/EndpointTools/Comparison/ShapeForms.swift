import EndpointKit
import JSONText

/// The forms of all models and places of a shape, as far as a comparison has needed them.
///
/// A model is arranged once, however often it is named. The library owns all forms; they refer to each other without
/// owning, because a model may hold itself.
final class FormLibrary {
    private let models: [String: Shape]
    private var formsOfModels: [String: ShapeForms] = [:]
    private var all: [ShapeForms] = []

    init(_ shape: ModelShape) {
        models = Dictionary(shape.models.map { ($0.name, $0.shape) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the forms of the values of a shape.
    func forms(of shape: Shape) -> ShapeForms {
        if case .model(let name) = shape, let known = formsOfModels[name] { return known }
        let forms = ShapeForms(shape, in: self)
        all.append(forms)
        if case .model(let name) = shape { formsOfModels[name] = forms }
        return forms
    }

    /// Returns the shape of a model. Nothing is known of a model that the shape does not have.
    func shape(ofModel name: String) -> Shape { models[name] ?? .any }
}

/// The forms that values of a shape may have, with models, nullable values and alternatives written out.
///
/// For example, a nullable `Pet`, which is a `Cat` or a text, has one object, one text, and allows null.
final class ShapeForms {
    /// More forms than these are not told apart: any value is accepted. A schema has at most 256 alternatives.
    private static let maxForms = 1_000

    private(set) var allowsNull = false
    private(set) var allowsAnything = false
    private(set) var tokens: [TokenForm] = []
    /// The forms of the elements of lists, one for each kind of list.
    private(set) var lists: [LazyForms] = []
    private(set) var objects: [ObjectForm] = []

    /// Arranges the forms of a shape. The shapes inside its objects and lists are left for later.
    fileprivate init(_ shape: Shape, in library: FormLibrary) {
        var pending = [shape]
        var visitedModels: Set<String> = []
        var count = 0
        while let shape = pending.popLast() {
            count += 1
            if count > Self.maxForms { allowsAnything = true }
            if allowsAnything { return }
            switch shape {
            case .scalar(let scalar): tokens.append(.scalar(scalar))
            case .values(let values): tokens.append(.values(ValueSet(values)))
            case .array(let element): lists.append(LazyForms(element, in: library))
            case .dictionary(let value): objects.append(ObjectForm([], others: value, in: library))
            case .object(let fields): objects.append(ObjectForm(fields, in: library))
            case .open(let fields, let others): objects.append(ObjectForm(fields, others: others, in: library))
            case .variants(let cases): objects.append(ObjectForm(cases, .variants, in: library))
            case .model(let name):
                // A model may be one of its own alternatives.
                if visitedModels.insert(name).inserted { pending.append(library.shape(ofModel: name)) }
            case .nullable(let inner):
                allowsNull = true
                pending.append(inner)
            case .alternatives(let shapes): pending += shapes.reversed()
            case .null: allowsNull = true
            case .any: allowsAnything = true
            }
        }
        // A model that is nothing but itself says nothing about its values.
        if tokens.isEmpty, lists.isEmpty, objects.isEmpty, !allowsNull { allowsAnything = true }
    }

    /// The values of the shape if it is an enum and nothing else; nil otherwise.
    var choice: ValueSet? {
        guard tokens.count == 1, lists.isEmpty, objects.isEmpty, !allowsNull, !allowsAnything else { return nil }
        guard case .values(let values) = tokens[0] else { return nil }
        return values
    }

    /// The names of the kinds of JSON that the shape allows, as JSON Schema calls them: `string or object`.
    ///
    /// Null is named only if nothing else is allowed, as in the decoder's messages.
    private(set) lazy var kindNames: String = {
        var names = tokens.flatMap(\.kindNames)
        if !lists.isEmpty { names.append("array") }
        if !objects.isEmpty { names.append("object") }
        var distinct: [String] = []
        for name in names where !distinct.contains(name) { distinct.append(name) }
        return distinct.isEmpty ? "null" : distinct.joined(separator: " or ")
    }()
}

/// The forms of a shape, which are arranged when they are first needed: a model may hold itself.
final class LazyForms {
    private let shape: Shape
    private unowned let library: FormLibrary
    private unowned var known: ShapeForms?

    fileprivate init(_ shape: Shape, in library: FormLibrary) {
        self.shape = shape
        self.library = library
    }

    var forms: ShapeForms {
        if let known { return known }
        let forms = library.forms(of: shape)
        known = forms
        return forms
    }
}

/// A form of an object: its members, the cases of an enum with associated values, or a dictionary.
final class ObjectForm {
    /// The meaning of the keys that the form names.
    enum Keys {
        /// The keys are the names of members. A dictionary names none.
        case members
        /// The keys are the names of cases, of which an object has exactly one.
        case variants
    }

    /// A member that the shape names, or any other member.
    struct Member {
        /// The key; `*` for the members that the shape does not name.
        let key: String
        let isRequired: Bool
        fileprivate let lazyForms: LazyForms
        var forms: ShapeForms { lazyForms.forms }
    }

    let keys: Keys
    /// The members, or the cases of variants; empty for a dictionary.
    let members: [Member]
    /// The member that stands for all keys that are not in ``members``, which are data; nil if no such keys are
    /// expected.
    let others: Member?
    /// The number of members that must be there.
    let requiredCount: Int
    /// The index of each member by its key.
    private let indexes: [String: Int]

    /// Arranges an object.
    ///
    /// - Parameters:
    ///   - fields: The members that the shape names, or the cases of variants.
    ///   - keys: The meaning of their keys.
    ///   - others: The shape of the values under all other keys; nil if no such keys are expected.
    ///   - library: The owner of the forms.
    fileprivate init(
        _ fields: [Shape.Field], _ keys: Keys = .members, others: Shape? = nil, in library: FormLibrary
    ) {
        self.keys = keys
        self.others = others.map { shape in
            Member(key: "*", isRequired: false, lazyForms: LazyForms(shape, in: library))
        }
        members = fields.map { field in
            Member(key: field.key, isRequired: !field.isOptional, lazyForms: LazyForms(field.shape, in: library))
        }
        let keysAndIndexes = fields.enumerated().map { ($1.key, $0) }
        indexes = Dictionary(keysAndIndexes, uniquingKeysWith: { first, _ in first })
        requiredCount = indexes.values.count { !fields[$0].isOptional }
    }

    /// Returns the index in ``members`` of a key; nil if the form does not name the key.
    func index(of key: String) -> Int? { indexes[key] }

    /// Returns the member with a key, which may be one of the others; nil if the key is not expected.
    func member(of key: String) -> Member? { index(of: key).map { members[$0] } ?? others }
}
