import EndpointKit
import JSONText

/// Makes shapes of drafts, which have everything that models and the types in them have asked for.
///
/// Each type that is an object becomes a model with a name. The shape of any other type, such as a list or a wrapped
/// text, stands wherever the type is used, unless the type holds itself.
struct ShapeResolver {
    private let drafts: ShapeDrafts
    /// The names of all types but enums of values.
    private let typeNames: [ObjectIdentifier: String]
    /// The values of enums that accept no others.
    private let allowedValues: [ObjectIdentifier: [JSONValue]]
    /// The models in the order in which they are first named; nil while their shape is being made.
    private var models: [ModelShape.Model?] = []
    /// The index in `models` of each type that has been named.
    private var modelIndexes: [ObjectIdentifier: Int] = [:]
    /// The types whose shapes are being made, from the innermost object on. A type that comes again holds itself.
    private var typesInProgress: Set<ObjectIdentifier> = []

    /// Returns the shape of each root of the drafts, with the models that it needs.
    static func shapes(of drafts: ShapeDrafts, coding: Coding) -> [ModelShape] {
        var resolver = ShapeResolver(drafts, coding: coding)
        let roots = drafts.roots.map { resolver.resolve($0, timesDecoded: 0) }
        let allModels = ModelShape(root: .any, models: resolver.models.compactMap(\.self))
        return allModels.parts(withRoots: roots)
    }

    /// Prepares to resolve drafts: finds the enums that list all their values, and names all other types.
    private init(_ drafts: ShapeDrafts, coding: Coding) {
        let allowedValues = drafts.types.compactMapValues { AllowedValues.values(ofClosedEnum: $0, coding: coding) }
        let otherTypes = drafts.types.filter { allowedValues[$0.key] == nil }
        self.drafts = drafts
        self.allowedValues = allowedValues
        typeNames = ShapeTypeNames.uniqueNames(of: otherTypes.mapValues { $0.type as Any.Type })
    }

    /// Returns the shape by which a place refers to a type, and adds a model to ``models`` if the type needs one.
    ///
    /// An object becomes a model. So does any type that holds itself, because its shape would have no end:
    ///
    ///     enum Size: String { case small, large }                     .values(["small", "large"])
    ///     struct Tree { var name: String; var children: [Tree] }      .model("Tree"), an object
    ///     enum Nested { case list([Nested]) }, written as a list      .model("Nested"), a list of itself
    ///     struct Names { let all: [String] }, written as a list       .array(string)
    ///
    /// While the shape of the type is being made, the type is one of ``typesInProgress``. If it comes again before the
    /// end, it holds itself.
    private mutating func resolveReference(to type: ObjectIdentifier) -> Shape {
        guard let draft = drafts.types[type] else { return .any }
        if let values = allowedValues[type] { return .values(values) }
        // All types but the enums of values above have a name.
        let modelName = typeNames[type] ?? ""
        let reference = Shape.model(modelName)
        let isModelAlready = modelIndexes[type] != nil
        if isModelAlready { return reference }
        let holdsItself = typesInProgress.contains(type)
        if holdsItself {
            reserveModel(for: type)
            return reference
        }
        typesInProgress.insert(type)
        if draft.valueDraft.isObject { reserveModel(for: type) }
        let ownShape = resolveContents(of: type, draft: draft)
        // A type inside this one may have found that this one holds itself, and so made it a model.
        guard let index = modelIndexes[type] else { return ownShape }
        models[index] = ModelShape.Model(name: modelName, shape: ownShape)
        return reference
    }

    /// Reserves the index of a model whose shape is not known yet. Models are in the order in which they are first
    /// mentioned, so the index is taken before the models inside are resolved.
    private mutating func reserveModel(for type: ObjectIdentifier) {
        modelIndexes[type] = models.count
        models.append(nil)
    }

    /// Returns the shape that a type itself has, as opposed to a reference to its model, and removes the type from
    /// ``typesInProgress``.
    private mutating func resolveContents(of type: ObjectIdentifier, draft: TypeDraft) -> Shape {
        let outerTypes = typesInProgress
        // A type around an object may come again inside it. It then holds itself through the object's model, so that
        // its shape has an end, and it need not become a model too.
        if draft.valueDraft.isObject { typesInProgress = [] }
        let ownShape = resolve(draft.valueDraft, timesDecoded: draft.timesCompleted)
        typesInProgress = outerTypes.subtracting([type])
        return ownShape
    }

    /// Returns the shape of the values at one place: everything that was read there, as alternatives.
    ///
    /// - Parameters:
    ///   - draft: The notes on what was read at the place.
    ///   - timesDecoded: How often the type around the place was decoded to the end. A field that was not asked for
    ///     each time may be absent. It is 0 for a place that has no such count, as an element of a list: only fields
    ///     that the type itself calls optional may then be absent.
    private mutating func resolve(_ draft: ShapeDraft, timesDecoded: Int) -> Shape {
        var alternatives = Self.scalarShapes(draft.scalars)
        alternatives += resolveObjects(draft, timesDecoded: timesDecoded)
        if draft.isArray { alternatives.append(.array(resolve(draft.element, timesDecoded: 0))) }
        for type in draft.types { alternatives.append(resolveReference(to: type)) }
        // A place where nothing was read may have any JSON.
        if alternatives.isEmpty || draft.takesAnything { alternatives.append(.any) }
        if draft.takesNull { alternatives.append(.null) }
        return Self.union(of: alternatives)
    }

    /// Returns the shapes of the objects at one place: a structure, an enum with associated values, a dictionary, or
    /// none.
    ///
    /// - Parameters:
    ///   - draft: The notes on what was read at the place.
    ///   - timesDecoded: How often the type around the place was decoded to the end. A field that was not asked for
    ///     each time may be absent. It is 0 for a place that has no such count, as an element of a list: only fields
    ///     that the type itself calls optional may then be absent.
    private mutating func resolveObjects(_ draft: ShapeDraft, timesDecoded: Int) -> [Shape] {
        let fields = draft.isObject ? draft.fields.map { resolveField($0, timesDecoded: timesDecoded) } : []
        // A structure that also asks for all keys keeps the members that it has no field for.
        let isOpen = draft.isDictionary && !draft.hasCases && !fields.isEmpty
        if isOpen { return [.open(fields, others: resolve(draft.element, timesDecoded: 0))] }
        var objectShapes: [Shape] = []
        if draft.isObject {
            let fieldsOrCases = draft.hasCases ? Self.enumShape(of: fields) : .object(fields)
            objectShapes.append(fieldsOrCases)
        }
        if draft.isDictionary { objectShapes.append(.dictionary(resolve(draft.element, timesDecoded: 0))) }
        return objectShapes
    }

    /// Returns a field of a structure, or a case of an enum with associated values.
    ///
    /// - Parameters:
    ///   - draft: The notes on the field.
    ///   - timesDecoded: How often the type with the field was decoded to the end. The field is optional if the type
    ///     said so, or if it did not ask for the field each time.
    private mutating func resolveField(_ draft: FieldDraft, timesDecoded: Int) -> Shape.Field {
        // Only a field that no type has asked for by its key lacks a name.
        let key = draft.name ?? ""
        // Swift calls associated values without a label `_0`, `_1` and so on.
        let isUnlabelled = key.hasPrefix("_")
        // A field inside the value may be absent if it was asked for less often than the value itself.
        let valueShape = resolve(draft.valueDraft, timesDecoded: draft.timesAsked)
        let wasAlwaysAsked = draft.timesAsked >= timesDecoded
        return Shape.Field(
            key: key, shape: valueShape, isOptional: draft.isOptional || !wasAlwaysAsked,
            typeName: isUnlabelled ? typeName(at: draft.valueDraft) : nil)
    }

    /// Returns the Swift name of the app's own type at a place; nil if there are only lists, optionals and scalars.
    private func typeName(at draft: ShapeDraft) -> String? {
        for type in draft.types {
            guard let typeDraft = drafts.types[type] else { continue }
            let name = TypeName.text(of: typeDraft.type)
            let isList = name.hasPrefix("[")
            let isOptional = name.hasSuffix("?")
            if !isList, !isOptional { return name }
        }
        return nil
    }

    // MARK: Combining shapes

    /// Returns the shapes of the texts, numbers and booleans that are read at one place.
    ///
    /// A number includes the integers, which are left out beside it. Integers of several types, such as 0 to 255 and
    /// -128 to 127, have no common bounds, so their bounds are left out. A shape may then be there twice, until
    /// ``union(of:)`` removes it.
    ///
    ///     boolean, integer, number               boolean, number
    ///     0 to 255, -128 to 127, string          integer, integer, string
    private static func scalarShapes(_ scalars: [Shape.Scalar]) -> [Shape] {
        let hasSeveralIntegers = scalars.count(where: \.isInteger) > 1
        let hasNumber = scalars.contains(.number(nil))
        var shapes: [Shape] = []
        for scalar in scalars {
            if !scalar.isInteger {
                shapes.append(.scalar(scalar))
            } else if !hasNumber {
                shapes.append(.scalar(hasSeveralIntegers ? .integer(nil) : scalar))
            }
        }
        return shapes
    }

    /// Returns the shape of an enum with associated values, which is written as an object with one case as its member.
    ///
    /// If there are several cases, each may be absent. A single case has no alternative, so its member must be there.
    private static func enumShape(of cases: [Shape.Field]) -> Shape {
        let hasAlternatives = cases.count > 1
        let fields = cases.map { Shape.Field(key: $0.key, shape: $0.shape, isOptional: hasAlternatives) }
        return hasAlternatives ? .variants(fields) : .object(fields)
    }

    /// Returns the shape of a value that has at least one of several shapes.
    ///
    ///     string, integer            string or integer
    ///     string, null, string       string or null
    ///     string, any                any
    private static func union(of shapes: [Shape]) -> Shape {
        var alternatives: [Shape] = []
        for alternative in shapes.flatMap(alternativesOf) {
            let isNew = !alternatives.contains(alternative)
            if isNew { alternatives.append(alternative) }
        }
        if alternatives.contains(.any) {
            // A value of any shape includes the others. Objects stay, because their fields are worth showing.
            alternatives = alternatives.filter(hasFields) + [.any]
        }
        let nonNullAlternatives = alternatives.filter { $0 != .null }
        guard let first = nonNullAlternatives.first else { return .null }
        let nonNull = nonNullAlternatives.count == 1 ? first : .alternatives(nonNullAlternatives)
        return alternatives.contains(.null) ? .nullable(nonNull) : nonNull
    }

    /// Whether a shape is an object with fields, written out or as a model.
    private static func hasFields(_ shape: Shape) -> Bool {
        if case .model = shape { return true }
        return !shape.fields.isEmpty
    }

    /// Returns the shapes that `shape` is made of, if it is nullable or has alternatives; else the shape itself.
    private static func alternativesOf(_ shape: Shape) -> [Shape] {
        switch shape {
        case .nullable(let wrapped): alternativesOf(wrapped) + [.null]
        case .alternatives(let shapes): shapes
        default: [shape]
        }
    }
}
