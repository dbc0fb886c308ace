import JSONText

/// A shape together with the models that it names. Models of two shapes may have the same name.
struct ScopedShape: Hashable {
    let shape: Shape
    /// The index of the models among those of a comparison.
    let scope: Int

    /// Returns another shape that names the same models.
    func with(_ shape: Shape) -> ScopedShape { ScopedShape(shape: shape, scope: scope) }

    /// The shape without null; nil if it is null alone.
    var nonNull: ScopedShape? {
        switch shape {
        case .null: nil
        case .nullable(let inner): with(inner)
        default: self
        }
    }

    /// Whether a model is named by the shape itself, and not only by a part of it.
    var namesModel: Bool { shape.namesModel }
}

extension Shape {
    /// Whether the shape is a model, may be null or a model, or has a model among its alternatives.
    fileprivate var namesModel: Bool {
        switch self {
        case .model: true
        case .nullable(let shape): shape.namesModel
        case .alternatives(let shapes): shapes.contains(where: \.namesModel)
        case .scalar, .values, .array, .dictionary, .object, .open, .variants, .null, .any: false
        }
    }
}

/// The values that at least one of several shapes allows, by their kinds of JSON.
struct ShapeSummary {
    /// A kind of JSON, in the order in which reports name them. An integer is a kind of its own.
    enum Kind: String, CaseIterable {
        case boolean, integer, number, string, array, object, null

        /// Whether a value of this kind is one text in a query.
        var isScalar: Bool {
            switch self {
            case .boolean, .integer, .number, .string: true
            case .array, .object, .null: false
            }
        }
    }

    /// A key of objects.
    struct Member {
        let key: String
        /// The shapes of the value, of which one is enough.
        fileprivate(set) var shapes: [ScopedShape]
        /// Whether each object has the key.
        fileprivate(set) var isRequired: Bool
    }

    /// Whether any JSON is allowed.
    private(set) var isAny = false
    private(set) var kinds: Set<Kind> = []
    /// The texts of the scalars that are listed.
    private(set) var listedTexts: [String] = []
    private var knownTexts: Set<String> = []
    /// Whether scalars are allowed that are not listed.
    private(set) var hasUnlistedScalars = false
    /// Whether each text that is allowed is a date.
    private(set) var hasOnlyDates = true
    /// The shapes of the elements of lists.
    private(set) var elements: [ScopedShape] = []
    /// The shapes of the values of keys that have no name.
    private(set) var unnamedMembers: [ScopedShape] = []
    /// The keys that have a name, in their order.
    private(set) var members: [Member] = []
    /// Whether a shape says which keys objects have.
    private(set) var namesKeys = false

    private var memberIndexes: [String: Int] = [:]
    private var objectCount = 0

    /// Summarizes shapes.
    ///
    /// - Parameters:
    ///   - shapes: The shapes, of which one is enough.
    ///   - models: The models of each scope by their names.
    init(_ shapes: [ScopedShape], models: [[String: Shape]]) {
        var remaining = Array(shapes.reversed())
        // A model may be one of its own alternatives.
        var knownModels: Set<ScopedShape> = []
        while let scoped = remaining.popLast() {
            switch scoped.shape {
            case .model(let name):
                guard knownModels.insert(scoped).inserted else { continue }
                remaining.append(scoped.with(models[scoped.scope][name] ?? .any))
            case .nullable(let shape):
                kinds.insert(.null)
                remaining.append(scoped.with(shape))
            case .alternatives(let shapes):
                remaining += shapes.reversed().map(scoped.with)
            case .scalar, .values, .array, .dictionary, .object, .open, .variants, .null, .any:
                add(scoped)
            }
        }
        // Numbers include integers.
        if kinds.contains(.number) { kinds.remove(.integer) }
        if !kinds.contains(.string) { hasOnlyDates = false }
    }

    /// Adds the values of a shape that has no alternatives.
    private mutating func add(_ scoped: ScopedShape) {
        switch scoped.shape {
        case .any: isAny = true
        case .null: kinds.insert(.null)
        case .scalar(let scalar):
            kinds.insert(scalar.kind)
            hasUnlistedScalars = true
            if scalar.kind == .string, scalar != .date { hasOnlyDates = false }
        case .values(let values):
            for value in values { add(listed: value) }
        case .array(let element):
            kinds.insert(.array)
            elements.append(scoped.with(element))
        case .dictionary(let value):
            addObject([], scoped)
            unnamedMembers.append(scoped.with(value))
        case .object(let fields):
            namesKeys = true
            addObject(fields, scoped)
        case .open(let fields, let others):
            namesKeys = true
            addObject(fields, scoped)
            unnamedMembers.append(scoped.with(others))
        case .variants(let fields):
            namesKeys = true
            // An object has only one of the fields.
            addObject(fields.map { Shape.Field(key: $0.key, shape: $0.shape, isOptional: true) }, scoped)
        case .model, .nullable, .alternatives:
            // These have been replaced by what they stand for.
            break
        }
    }

    /// Adds a value of an enum.
    private mutating func add(listed value: JSONValue) {
        let kind = Kind(value)
        kinds.insert(kind)
        guard kind.isScalar else { return }
        if kind == .string { hasOnlyDates = false }
        let text = value.integer(Int.self).map { String($0) } ?? value.text
        if knownTexts.insert(text).inserted { listedTexts.append(text) }
    }

    /// Adds objects with some fields. A key is required if all objects have it.
    private mutating func addObject(_ fields: [Shape.Field], _ scoped: ScopedShape) {
        kinds.insert(.object)
        let isFirst = objectCount == 0
        objectCount += 1
        let required = Set(fields.lazy.filter { !$0.isOptional }.map(\.key))
        for index in members.indices where !required.contains(members[index].key) { members[index].isRequired = false }
        for field in fields {
            let shape = scoped.with(field.shape)
            if let index = memberIndexes[field.key] {
                members[index].shapes.append(shape)
            } else {
                memberIndexes[field.key] = members.count
                members.append(Member(key: field.key, shapes: [shape], isRequired: isFirst && !field.isOptional))
            }
        }
    }

    // MARK: Words

    /// More values than these are left out of reports.
    private static let maxShownValues = 20

    /// Whether scalars are those of a list.
    var isListed: Bool { !hasUnlistedScalars && !listedTexts.isEmpty }

    /// The values in the words of a report: `integer or null`, `one of soft, hard`.
    var phrase: String {
        if isAny { return "any JSON" }
        var texts: [String] = []
        if isListed { texts.append("one of " + listedTexts.prefix(Self.maxShownValues).joined(separator: ", ")) }
        for kind in Kind.allCases where kinds.contains(kind) && !(isListed && kind.isScalar) {
            texts.append(kind == .string && hasOnlyDates ? "date-time" : kind.rawValue)
        }
        return texts.joined(separator: " or ")
    }
}

extension ShapeSummary.Kind {
    /// The kind of a value.
    fileprivate init(_ value: JSONValue) {
        switch value.kind {
        case .null: self = .null
        case .boolean: self = .boolean
        case .number: self = value.integer(Int.self) == nil ? .number : .integer
        case .string: self = .string
        case .array: self = .array
        case .object: self = .object
        }
    }
}

extension Shape.Scalar {
    /// The kind of JSON that the values are.
    fileprivate var kind: ShapeSummary.Kind {
        switch self {
        case .boolean: .boolean
        case .integer: .integer
        case .number: .number
        case .string, .url, .uuid, .date, .data: .string
        }
    }
}
