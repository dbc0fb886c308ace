import JSONText

/// The values that at least one of several shapes allows, by their kinds of JSON.
///
/// For example, a string or null, together with the enum of `1` and `2`, has the kinds string, integer and null, and
/// the listed texts `1` and `2`.
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
        /// The alternatives for the value: it has one of these shapes.
        fileprivate(set) var shapes: [ScopedShape]
        /// Whether each object has the key.
        fileprivate(set) var isRequired: Bool
    }

    /// Whether any JSON is allowed.
    private(set) var isAny = false
    private(set) var kinds: Set<Kind> = []
    /// The texts of the values that enums list, without lists and objects.
    private(set) var listedTexts: [String] = []
    /// The texts of ``listedTexts`` as a set, which tells fast whether a text is among them.
    private var listedTextSet: Set<String> = []
    /// Whether texts, numbers or booleans are allowed that no enum lists.
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

    /// The index in ``members`` of each key.
    private var memberIndexes: [String: Int] = [:]
    /// The number of objects among the shapes.
    private var objectCount = 0

    /// Summarizes the values that at least one of several shapes allows.
    ///
    /// Each shape comes with the index of its scope: the models that it may name. A model stands for its own shape, and
    /// a union for its alternatives, so that these are replaced until only shapes of values are left.
    ///
    /// - Parameters:
    ///   - shapes: The shapes, each with its scope.
    ///   - models: The models of each scope by their names.
    init(_ shapes: [ScopedShape], models: [[String: Shape]]) {
        // The stack of a depth-first search. The last pending shape is the next to be added.
        var pending = Array(shapes.reversed())
        // Each model is added once. A model that is one of its own alternatives would otherwise have no end.
        var visitedModels: Set<ScopedShape> = []
        while let nextShape = pending.popLast() {
            switch nextShape.shape {
            case .model(let name):
                let isNew = visitedModels.insert(nextShape).inserted
                // A name without a model says nothing about the value.
                let modelShape = models[nextShape.scope][name] ?? .any
                if isNew { pending.append(nextShape.replacingShape(with: modelShape)) }
            case .nullable(let wrapped):
                kinds.insert(.null)
                pending.append(nextShape.replacingShape(with: wrapped))
            case .alternatives(let alternatives):
                pending += alternatives.reversed().map(nextShape.replacingShape)
            case .scalar, .values, .array, .dictionary, .object, .open, .variants, .null, .any:
                addShape(nextShape)
            }
        }
        // Numbers include integers.
        if kinds.contains(.number) { kinds.remove(.integer) }
        // Dates are strings, so there are none.
        if !kinds.contains(.string) { hasOnlyDates = false }
    }

    /// Adds the values of a shape to the summary: their kinds, the values that an enum lists, and the shapes of
    /// elements and members.
    ///
    /// The flags say what is true of all shapes that were added: whether some scalars are not listed by an enum, whether
    /// all strings are dates, and whether an object names its keys.
    ///
    /// - Parameter scopedShape: The shape with its scope, which is the set of models that it and its parts may name. It
    ///   is neither a model, nor nullable, nor a union.
    private mutating func addShape(_ scopedShape: ScopedShape) {
        switch scopedShape.shape {
        case .any: isAny = true
        case .null: kinds.insert(.null)
        case .scalar(let scalar):
            kinds.insert(scalar.kind)
            hasUnlistedScalars = true
            if scalar.kind == .string, scalar != .date { hasOnlyDates = false }
        case .values(let values):
            for value in values { addListedValue(value) }
        case .array(let element):
            kinds.insert(.array)
            elements.append(scopedShape.replacingShape(with: element))
        case .dictionary(let value):
            // A dictionary requires no key, so the members of other objects are no longer required.
            addObject(with: [], from: scopedShape)
            unnamedMembers.append(scopedShape.replacingShape(with: value))
        case .object(let fields):
            namesKeys = true
            addObject(with: fields, from: scopedShape)
        case .open(let fields, let others):
            namesKeys = true
            addObject(with: fields, from: scopedShape)
            unnamedMembers.append(scopedShape.replacingShape(with: others))
        case .variants(let fields):
            namesKeys = true
            // An object has only one of the fields, so none of them is required.
            let optionalFields = fields.map { Shape.Field(key: $0.key, shape: $0.shape, isOptional: true) }
            addObject(with: optionalFields, from: scopedShape)
        case .model, .nullable, .alternatives:
            // The caller has replaced these by the shapes of which they are made.
            break
        }
    }

    /// Adds a value that an enum lists.
    private mutating func addListedValue(_ value: JSONValue) {
        let kind = Kind(value)
        kinds.insert(kind)
        guard kind.isScalar else { return }
        if kind == .string { hasOnlyDates = false }
        // The number 1.0 is listed as 1.
        let text = if let integer = value.integer(Int.self) { String(integer) } else { value.text }
        let isNew = listedTextSet.insert(text).inserted
        if isNew { listedTexts.append(text) }
    }

    /// Adds an object with some fields to ``members``.
    ///
    /// If there are several objects, the summary has the members of all. A member is required if each of the objects
    /// requires it.
    ///
    /// - Parameters:
    ///   - fields: The fields of the object.
    ///   - scopedShape: The shape of the object, in whose scope the models of the fields are.
    private mutating func addObject(with fields: [Shape.Field], from scopedShape: ScopedShape) {
        kinds.insert(.object)
        let isFirstObject = objectCount == 0
        objectCount += 1
        let requiredFields = fields.filter { !$0.isOptional }
        let requiredKeys = Set(requiredFields.map(\.key))
        for index in members.indices {
            let isStillRequired = requiredKeys.contains(members[index].key)
            if !isStillRequired { members[index].isRequired = false }
        }
        for field in fields {
            let fieldShape = scopedShape.replacingShape(with: field.shape)
            if let index = memberIndexes[field.key] {
                members[index].shapes.append(fieldShape)
            } else {
                memberIndexes[field.key] = members.count
                // The objects before this one do not have the member.
                let isRequired = isFirstObject && !field.isOptional
                members.append(Member(key: field.key, shapes: [fieldShape], isRequired: isRequired))
            }
        }
    }

    // MARK: Words

    /// The most values of an enum that a report names.
    private static let maxShownValues = 20

    /// Whether all texts, numbers and booleans are values that enums list.
    var isListed: Bool { !hasUnlistedScalars && !listedTexts.isEmpty }

    /// The values in the words of a report: `integer or null`, `one of soft, hard`.
    var phrase: String {
        if isAny { return "any JSON" }
        var phrases: [String] = []
        if isListed {
            let shownValues = listedTexts.prefix(Self.maxShownValues).joined(separator: ", ")
            phrases.append("one of " + shownValues)
        }
        for kind in Kind.allCases where kinds.contains(kind) {
            // The list of values stands for their kinds.
            if isListed, kind.isScalar { continue }
            let isDate = kind == .string && hasOnlyDates
            phrases.append(isDate ? "date-time" : kind.rawValue)
        }
        return phrases.joined(separator: " or ")
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
