import EndpointKit
import JSONText

/// Makes shapes of drafts, which have everything that models and the types in them have asked for.
///
/// Each type that is an object becomes a model with a name. The shape of any other type, such as a list or a wrapped
/// text, stands wherever the type is used, unless the type holds itself.
struct ShapeResolver {
    private let drafts: ShapeDrafts
    /// The names of all types but enums of values.
    private let names: [ObjectIdentifier: String]
    /// The values of enums that accept no others.
    private let allowedValues: [ObjectIdentifier: [JSONValue]]
    /// The models in the order in which they are first named; nil while their shape is being made.
    private var models: [ModelShape.Model?] = []
    /// The index in `models` of each type that has been named.
    private var modelIndexes: [ObjectIdentifier: Int] = [:]
    /// The types whose shapes are being made, from the innermost object on. A type that comes again holds itself.
    private var typesInProgress: Set<ObjectIdentifier> = []

    /// Returns the shape of each root of the drafts, with the models that it needs.
    static func shapes(_ drafts: ShapeDrafts, _ coding: Coding) -> [ModelShape] {
        var resolver = ShapeResolver(drafts, coding)
        let roots = drafts.roots.map { resolver.shape($0, timesDecoded: 0) }
        return ModelShape(root: .any, models: resolver.models.compactMap(\.self)).parts(roots)
    }

    private init(_ drafts: ShapeDrafts, _ coding: Coding) {
        let allowedValues = drafts.types.compactMapValues { AllowedValues.of($0, coding) }
        let otherTypes = drafts.types.filter { allowedValues[$0.key] == nil }
        self.drafts = drafts
        self.allowedValues = allowedValues
        names = ShapeTypeNames.of(otherTypes.mapValues { $0.type as Any.Type })
    }

    /// Returns the shape of a type: its values, a reference to its model, or the shape itself if the type is no object.
    ///
    /// An object becomes a model. So does any type that holds itself, because its shape would have no end:
    ///
    ///     struct Tree { var name: String; var children: [Tree] }      .model("Tree"), an object
    ///     enum Nested { case list([Nested]) }, written as a list      .model("Nested"), a list of itself
    ///     struct Names { let all: [String] }, written as a list       .array(string)
    private mutating func shape(of type: ObjectIdentifier) -> Shape {
        guard let draft = drafts.types[type] else { return .any }
        if let values = allowedValues[type] { return .values(values) }
        let reference = Shape.model(names[type] ?? "")
        if modelIndexes[type] != nil { return reference }

        let isNew = typesInProgress.insert(type).inserted
        let holdsItself = !isNew
        if holdsItself || draft.value.isObject { reserveModel(for: type) }
        if holdsItself { return reference }

        let shape = shape(insideOf: type, draft)
        // A type inside this one may have found that this one holds itself, and so made it a model.
        guard let index = modelIndexes[type] else { return shape }
        models[index] = ModelShape.Model(name: names[type] ?? "", shape: shape)
        return reference
    }

    /// Reserves the index of a model whose shape is not known yet. Models are in the order in which they are first
    /// mentioned, so the index is taken before the models inside are resolved.
    private mutating func reserveModel(for type: ObjectIdentifier) {
        modelIndexes[type] = models.count
        models.append(nil)
    }

    /// Returns the shape of a type in progress, written out. Afterwards the type is no longer in progress.
    private mutating func shape(insideOf type: ObjectIdentifier, _ draft: TypeDraft) -> Shape {
        let outerTypes = typesInProgress
        // A type around an object may come again inside it. It then holds itself through a model, which has an end.
        if draft.value.isObject { typesInProgress = [] }
        let shape = shape(draft.value, timesDecoded: draft.timesCompleted)
        typesInProgress = outerTypes.subtracting([type])
        return shape
    }

    /// Returns the shape of the values at one place: everything that was read there, as alternatives.
    ///
    /// - Parameters:
    ///   - draft: The notes on what was read at the place.
    ///   - timesDecoded: How often the type around the place was decoded to the end. A field that was not asked for
    ///     each time may be absent.
    private mutating func shape(_ draft: ShapeDraft, timesDecoded: Int) -> Shape {
        var shapes = Self.scalars(draft.scalars)
        shapes += objects(draft, timesDecoded: timesDecoded)
        if draft.isArray { shapes.append(.array(shape(draft.element, timesDecoded: 0))) }
        for type in draft.types { shapes.append(shape(of: type)) }
        if shapes.isEmpty || draft.takesAnything { shapes.append(.any) }
        if draft.takesNull { shapes.append(.null) }
        return Self.anyOf(shapes)
    }

    /// Returns the shapes of the objects at one place: a structure, an enum with associated values, a dictionary, or
    /// none.
    private mutating func objects(_ draft: ShapeDraft, timesDecoded: Int) -> [Shape] {
        var shapes: [Shape] = []
        let fields = draft.isObject ? draft.fields.map { field($0, timesDecoded: timesDecoded) } : []
        // A structure that also asks for all keys keeps the members that it has no field for.
        let isOpen = draft.isDictionary && !draft.hasCases && !fields.isEmpty
        if isOpen { return [.open(fields, others: shape(draft.element, timesDecoded: 0))] }
        if draft.isObject { shapes.append(draft.hasCases ? Self.variants(fields) : .object(fields)) }
        if draft.isDictionary { shapes.append(.dictionary(shape(draft.element, timesDecoded: 0))) }
        return shapes
    }

    /// Returns the shape of a field, which is optional if the type said so, or if it did not always ask for the field.
    private mutating func field(_ draft: FieldDraft, timesDecoded: Int) -> Shape.Field {
        let name = draft.name ?? ""
        let isUnlabelled = name.hasPrefix("_")
        return Shape.Field(
            key: name, shape: shape(draft.value, timesDecoded: draft.timesAsked),
            isOptional: draft.isOptional || draft.timesAsked < timesDecoded,
            typeName: isUnlabelled ? typeName(draft.value) : nil)
    }

    /// Returns the Swift name of the app's own type at a place; nil if there are only lists, optionals and scalars.
    private func typeName(_ draft: ShapeDraft) -> String? {
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

    /// Returns the shapes of texts, numbers and booleans that are read at one place. An integer is left out beside a
    /// number, which includes it.
    private static func scalars(_ scalars: [Shape.Scalar]) -> [Shape] {
        // Integers of several types have no common bounds.
        let hasSeveralIntegers = scalars.count(where: \.isInteger) > 1
        let hasNumber = scalars.contains(.number(nil))
        return scalars.compactMap { scalar in
            guard scalar.isInteger else { return .scalar(scalar) }
            if hasNumber { return nil }
            return .scalar(hasSeveralIntegers ? .integer(nil) : scalar)
        }
    }

    /// Returns the shape of an enum with these cases. A single case has no alternative, so its member must be there.
    private static func variants(_ cases: [Shape.Field]) -> Shape {
        let isOptional = cases.count > 1
        let fields = cases.map { Shape.Field(key: $0.key, shape: $0.shape, isOptional: isOptional) }
        return isOptional ? .variants(fields) : .object(fields)
    }

    /// Returns the shape of a value that has at least one of several shapes.
    ///
    ///     string, integer            string or integer
    ///     string, null, string       string or null
    ///     string, any                any
    private static func anyOf(_ shapes: [Shape]) -> Shape {
        var alternatives: [Shape] = []
        for shape in shapes.flatMap(alternativesOf) where !alternatives.contains(shape) { alternatives.append(shape) }
        if alternatives.contains(.any) {
            // A value of any shape includes the others. Objects stay, because their fields are worth showing.
            alternatives = alternatives.filter(hasFields) + [.any]
        }
        let nonNull = alternatives.filter { $0 != .null }
        guard let first = nonNull.first else { return .null }
        let shape = nonNull.count == 1 ? first : .alternatives(nonNull)
        return alternatives.contains(.null) ? .nullable(shape) : shape
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
